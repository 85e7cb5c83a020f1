"""The study of validation folds beside held-out data: counted again by hand, and read from a store of the lab."""

from __future__ import annotations

import json
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.results import Results
from tiebreak.stats import five_by_two_f
from tiebreak.stores import open_store
from tiebreak.studies import ValidationStudy, validation_study
from tiebreak.studies.ulas2012 import Changes, Decisions

ROOT = Path(__file__).parent.parent
NAMES = ("a", "b", "c", "d")
COSTS = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}


def table(seed: int = 0, sets: int = 6, shift: float = 0.0) -> Results:
    """Four algorithms, costlier ones better; `shift` is what the last one loses on the held-out part."""
    rng = np.random.default_rng(seed)
    rows = []
    for s in range(sets):
        levels = 0.7 + 0.01 * np.arange(4) + rng.normal(0, 0.02, 4)
        for r in range(5):
            for f in range(2):
                for i, name in enumerate(NAMES):
                    drop = shift if name == "d" else 0.0
                    rows.append(
                        {
                            "dataset": f"s{s}",
                            "algorithm": name,
                            "replication": r,
                            "fold": f,
                            "accuracy": levels[i] + rng.normal(0, 0.015),
                            "test_accuracy": levels[i] - drop + rng.normal(0, 0.015),
                            "train_time": COSTS[name],
                            "space": 5.0 - COSTS[name] + rng.uniform(0, 0.1),
                        }
                    )
    return Results.from_frame(pl.DataFrame(rows))


def multitest_by_hand(errors: np.ndarray, alpha: float) -> tuple[list[int], set[tuple[int, int]]]:
    """MultiTest of (algorithms, 5, 2) errors, cheapest first, as the paper has it; and who is better than whom."""
    better = set()
    for i, j in permutations(range(len(errors)), 2):
        p = five_by_two_f(errors[i], errors[j]).pvalue
        if p <= alpha and errors[j].mean() < errors[i].mean():
            better.add((i, j))
    left, order = list(range(len(errors))), []
    while left:
        free = [i for i in left if not any((i, j) in better and j > i for j in left)]
        order.append(free[0])
        left.remove(free[0])
    return order, better


def ranks_by_hand(errors: list[float]) -> list[float]:
    """Average ranks: one plus those below plus half of the other equals."""
    return [1 + sum(y < x for y in errors) + (sum(y == x for y in errors) - 1) / 2 for x in errors]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_places_changes_and_decisions_equal_those_by_hand(seed: int) -> None:
    results = table(seed)
    study = validation_study(results, costs=["train_time"], tests=["5x2cv-f"], inner_adjust=["none"])
    way = study.way("MultiTest, 5x2cv-f, uncorrected; train_time")
    orders, edges = [], []
    for name in ("accuracy", "test_accuracy"):
        made = [multitest_by_hand(-results.cube(name)[s], 0.05) for s in range(6)]
        orders.append([order for order, _ in made])
        edges.append([better for _, better in made])
    equal = sum(x == y for x, y in zip(*orders, strict=True))
    moved = [[y.index(i) - x.index(i) for i in range(4)] for x, y in zip(*orders, strict=True)]
    turned = [
        (x.index(i) - x.index(j)) * (y.index(i) - y.index(j)) < 0
        for x, y in zip(*orders, strict=True)
        for i, j in combinations(range(4), 2)
    ]
    assert way.changes.orders == 6 and way.changes.equal == equal
    assert way.changes.same_first == sum(x[0] == y[0] for x, y in zip(*orders, strict=True))
    assert way.changes.moved.astype(int).tolist() == moved
    assert way.changes.mean_size == pytest.approx(np.abs(moved).mean())
    assert way.changes.largest == np.abs(moved).max()
    assert way.changes.turned == pytest.approx(np.mean(turned))
    assert way.decisions is not None
    assert way.decisions.first == sum(map(len, edges[0])) and way.decisions.second == sum(map(len, edges[1]))
    assert way.decisions.again == sum(len(x & y) for x, y in zip(*edges, strict=True))
    assert way.decisions.contrary == sum(len(x & {(j, i) for i, j in y}) for x, y in zip(*edges, strict=True))


def test_the_mean_score_is_ranked_without_cost_on_each_set_and_over_all() -> None:
    results = table(3)
    study = validation_study(results, tests=["5x2cv-f"], inner_adjust=["none"])
    plain = {way.over: way for way in study.ways if way.name == "mean score"}
    errors = [1 - results.means(name) for name in ("accuracy", "test_accuracy")]
    parts = (plain["each data set"].changes.first, plain["each data set"].changes.second)
    for got, expected in zip(parts, errors, strict=True):
        assert got.tolist() == [ranks_by_hand(row) for row in expected.tolist()]
    assert plain["all data sets"].changes.second.tolist() == [ranks_by_hand(errors[1].mean(axis=0).tolist())]
    ranks = np.mean([ranks_by_hand(row) for row in errors[0].tolist()], axis=0)
    mean_rank = next(way for way in study.ways if way.name == "mean rank")
    assert mean_rank.changes.first.tolist() == [ranks_by_hand(ranks.round(9).tolist())]
    assert all(not way.cost and way.decisions is None for way in (*plain.values(), mean_rank))


def test_over_data_sets_the_orders_are_those_of_the_verb() -> None:
    results = table(4, sets=12)
    study = validation_study(results, tests=["5x2cv-f"])
    for cost in ("train_time", "space"):
        for label, options in (
            ("by scores", {"rule": "multitest"}),
            ("Multi2Test by places, 2012", {"variant": "2012"}),
        ):
            way = study.way(f"{label}; {cost}")
            for score, places in (("accuracy", way.changes.first), ("test_accuracy", way.changes.second)):
                order = tb.order(results, score=score, cost=cost, **options).order
                assert [NAMES[i] for i in np.argsort(places[0])] == list(order)


def test_who_loses_on_the_held_out_part_falls_back_and_is_named() -> None:
    study = validation_study(table(5, shift=0.1), tests=["5x2cv-f"])
    rows = next(way for way in study.ways if way.name == "mean score").changes.rows()
    assert [row["algorithm"] for row in rows] == list(NAMES)
    last = rows[-1]
    assert last["mean change"] > 1 and last["back"] + last["forward"] + last["stays"] == 6
    assert sum(row["mean change"] for row in rows) == pytest.approx(0)
    assert f"in places on average: d {last['mean change']:.1f}" in str(study)


def test_ties_share_places_and_turn_nothing() -> None:
    first, second = np.array([[1.0, 2.5, 2.5], [1, 2, 3]]), np.array([[1.0, 2.0, 3.0], [3, 1, 2]])
    changes = Changes(first=first, second=second, algorithms=("a", "b", "c"))
    assert (changes.equal, changes.same_first, changes.largest) == (0, 1, 2.0)
    assert changes.mean_size == pytest.approx((0 + 0.5 + 0.5 + 2 + 1 + 1) / 6)
    assert changes.turned == pytest.approx(2 / 6)  # a against b and c in the second order; the tie turned nothing


def test_decisions_are_counted_by_their_direction() -> None:
    first, second = np.zeros((1, 3, 3), dtype=bool), np.zeros((1, 3, 3), dtype=bool)
    first[0, 0, 1] = first[0, 0, 2] = first[0, 1, 2] = True
    second[0, 0, 1] = second[0, 2, 1] = True
    apart = Decisions.of(first, second)
    assert (apart.first, apart.second, apart.again, apart.contrary) == (3, 2, 1, 1)


def test_what_decides_nothing_agrees_everywhere_and_is_named() -> None:
    options = {"tests": ["wilcoxon"], "inner_adjust": ["none"], "costs": ["train_time"]}
    study = validation_study(table(6), alpha=0.001, **options)  # ten folds of one sign have p = 2 / 1024
    way = study.ways[0]
    assert way.decisions is not None and way.decisions.first == 0 and way.changes.equal == 6
    notes = {note.code: note for note in study.caveats}
    assert "No difference was significant by MultiTest, wilcoxon, uncorrected" in notes["how-to-read"]
    assert {"dependent-blocks", "how-to-read"} <= set(notes)


def test_the_test_that_fits_the_folds_is_the_default() -> None:
    results = table(7)
    two = Results.from_frame(results.to_frame("polars").filter(pl.col("replication").cast(pl.String).is_in(["0", "1"])))
    study = validation_study(two, costs=["train_time"], inner_adjust=["none"])
    assert study.ways[0].name == "MultiTest, corrected-t, uncorrected"
    with pytest.raises(InputError, match="needs 5 replications of 2 folds"):
        validation_study(two, tests=["5x2cv-f"])


def test_a_gap_on_either_part_leaves_the_data_set_out_of_both() -> None:
    frame = table(8).to_frame("polars")
    first = (pl.col("dataset") == "s0") & (pl.col("algorithm") == "a") & (pl.col("fold").cast(pl.String) == "0")
    gaps = frame.with_columns(pl.when(first).then(None).otherwise(pl.col("test_accuracy")).alias("test_accuracy"))
    study = validation_study(Results.from_frame(gaps), tests=["5x2cv-f"])
    assert study.datasets == ("s1", "s2", "s3", "s4", "s5")
    assert any(note.code == "gaps-left-out" for note in study.caveats)


def test_a_table_without_a_held_out_part_is_refused_with_the_line_that_mends_it() -> None:
    frame = table(9).to_frame("polars").drop("test_accuracy")
    with pytest.raises(InputError) as refused:
        validation_study(Results.from_frame(frame))
    assert str(refused.value) == (
        "The results hold no 'test_accuracy'; their scores are 'accuracy'. The study compares a score on the validation"
        " folds with the same score on a part that was held out. Run a plan that holds a part out, resampling ="
        " {scheme = '5x2cv', test = 0.3333}, or name the scores: score='accuracy', held_out='test_accuracy'."
    )
    with pytest.raises(OptionError, match=r"There is no cost 'energy'\. Known here: 'space', 'train_time'"):
        validation_study(table(9), costs=["energy"])
    with pytest.raises(OptionError, match="hold neither train_time nor space"):
        validation_study(Results.from_frame(table(9).to_frame("polars").drop("train_time", "space")))


def test_a_score_whose_direction_is_not_known_is_refused_unless_told() -> None:
    named = {"accuracy": "quality", "test_accuracy": "test_quality"}
    renamed = Results.from_frame(table(11).to_frame("polars").rename(named))
    options = {"score": "quality", "costs": ["train_time"]}
    with pytest.raises(OptionError, match="higher"):
        validation_study(renamed, **options)
    study = validation_study(renamed, higher_is_better=True, **options)
    assert study.rows() == validation_study(table(11), costs=["train_time"]).rows()
    turned = validation_study(renamed, higher_is_better=False, tests=["5x2cv-f"], **options)
    plain = [next(way for way in item.ways if way.name == "mean score").changes.first for item in (study, turned)]
    assert (plain[0] + plain[1] == 5).all()


def test_fifteen_algorithms_go_by_shaffers_correction() -> None:
    frame = table(12).to_frame("polars")
    many = pl.concat([frame.with_columns(pl.col("algorithm") + f"{k}", pl.col("train_time") * 7**k) for k in range(4)])
    study = validation_study(Results.from_frame(many), tests=["5x2cv-f"], costs=["train_time"])
    assert [way.name for way in study.ways if "MultiTest, " in way.name][-1] == "MultiTest, 5x2cv-f, shaffer"
    assert any(way.name == "Multi2Test by places, shaffer" for way in study.ways)


def test_one_data_set_has_no_order_over_all() -> None:
    study = validation_study(table(10, sets=1), tests=["5x2cv-f"], inner_adjust=["none"], costs=["space"])
    assert {way.over for way in study.ways} == {"each data set"} and study.ways[0].changes.orders == 1


@pytest.fixture(scope="module")
def shipped() -> ValidationStudy:
    return validation_study(ROOT / "examples" / "held_out.csv", tests=["5x2cv-f", "corrected-t"])


def test_the_shipped_table_is_of_the_lab(shipped: ValidationStudy) -> None:
    assert len(shipped.datasets) == 6 and shipped.algorithms == ("5nn", "c45", "lnp", "svr")
    assert shipped.costs == ("train_time", "model_bytes")
    assert len(shipped.to_frame("polars")) == len(shipped.ways) == 2 * 2 * 2 + 3 + 2 * 3


def test_the_command_prints_tables_and_json(capsys: pytest.CaptureFixture[str], shipped: ValidationStudy) -> None:
    options = ["study", "validation", str(ROOT / "examples" / "held_out.csv"), "--fold-tests", "5x2cv-f"]
    assert main([*options, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["study"] == "validation"
    first = data["ways"][0]
    assert {"over", "ordered_by", "cost", "orders", "alike", "first", "moved", "farthest", "turned"} <= set(first)
    assert {"significant", "significant_held_out", "again", "contrary"} <= set(first)
    assert np.array(first["places"]["validation"]).shape == (6, 4)
    assert first["places"]["held_out"] == shipped.way(shipped.ways[0].label).changes.second.tolist()
    assert main(["study", "validation"]) == 2
    assert "No store and no table was named." in capsys.readouterr().err


def test_a_store_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], shipped: ValidationStudy) -> None:
    store = tmp_path / "runs.db"
    with open_store(store) as opened:
        opened.import_results(tb.read(ROOT / "examples" / "held_out.csv"), origin="held out")
    study = validation_study(store, tests=["5x2cv-f", "corrected-t"])
    assert study.rows() == shipped.rows() and study.datasets == shipped.datasets
    options = ["--fold-tests", "5x2cv-f", "--cost", "train_time"]
    assert main(["study", "validation", f"{store}?seed=0", *options]) == 0
    assert "6 data set(s)" in capsys.readouterr().out
