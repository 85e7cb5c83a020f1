"""What may be compared over data sets: by brute force, by what must not change it, and on tables that mix metrics."""

from __future__ import annotations

import itertools
import math
import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from tiebreak import Metric, Results, stats
from tiebreak._checks import FloatArray
from tiebreak.comparison.scales import SCALES, distances, levels_apart, scaled, shares
from tiebreak.errors import InputError, OptionError
from tiebreak.results import metric_named
from tiebreak.studies.procedures import differing
from tiebreak.studies.special_procedures import (
    AS_IS,
    DISTANCE,
    FAILED,
    MIXED,
    NORMALISED,
    SIGN,
    mixed_pvalues,
    mixed_tables,
    scale_rejections,
)

from .every import every

nan = math.nan


def mixed(scores: dict[str, tuple[str, list[float]]], **more: Any) -> Results:
    """Make a table from {data set: (metric, scores of a, b, c, ...)}."""
    rows = [
        (name, "abcdefgh"[i], metric, value)
        for name, (metric, values) in scores.items()
        for i, value in enumerate(values)
    ]
    columns = dict(zip(("dataset", "algorithm", "metric", "score"), zip(*rows, strict=True), strict=True))
    return Results.from_dict({key: list(column) for key, column in columns.items()}, **more)


TABLE = mixed(
    {"cars": ("rmse", [12.0, 90.0, 14.0]), "iris": ("auc", [0.9, 0.7, 0.75]), "wine": ("log_loss", [2, 1, 3])}
)


def turned(row: list[float], *, higher: bool) -> list[float]:
    return [-x if higher else x for x in row]


def plain_distances(errors: list[float]) -> list[float]:
    """The formula of the documentation with the standard library, one data set at a time."""
    there = [e for e in errors if not math.isnan(e)]
    middle = statistics.median(there)
    apart = [abs(e - middle) for e in there if e != middle]
    return [(e - middle) / statistics.median(apart) if apart else e - middle for e in errors]


def plain_shares(errors: list[float], zero: float) -> list[float]:
    best = min(e for e in errors if not math.isnan(e))
    if best == zero:
        return [nan if math.isnan(e) else -1.0 if e > zero else 0.0 for e in errors]
    return [nan if math.isnan(e) else max(-1.0, (zero - e) / (zero - best)) for e in errors]


values = st.integers(-50, 50).map(lambda x: x / 8) | st.just(nan)
matrices = st.integers(2, 6).flatmap(
    lambda k: st.lists(st.lists(values, min_size=k, max_size=k), min_size=1, max_size=6)
)


@given(matrices)
def test_distances_and_shares_by_brute_force(rows: list[list[float]]) -> None:
    assume(all(any(x == x for x in row) for row in rows))
    errors = np.array(rows)
    assert distances(errors) == pytest.approx(np.array([plain_distances(row) for row in rows]), nan_ok=True)
    zero = [statistics.median(x for x in row if x == x) for row in rows]
    unit = np.array([z - min(x for x in row if x == x) for z, row in zip(zero, rows, strict=True)])
    expected = np.array([plain_shares(row, z) for z, row in zip(zero, rows, strict=True)])
    assert shares(errors, np.array(zero)[:, None], unit[:, None]) == pytest.approx(expected, nan_ok=True)


def test_a_table_of_three_metrics() -> None:
    result = scaled(TABLE, "score")
    assert result.kind == "distances"
    assert result.higher.tolist() == [False, True, False]
    rows = [turned(row, higher=up) for row, up in zip(TABLE.means("score").tolist(), result.higher, strict=True)]
    assert result.errors == pytest.approx(np.array([plain_distances(row) for row in rows]))
    assert result.shown == pytest.approx(np.array([plain_shares(row, statistics.median(row)) for row in rows]))
    assert result.metric == Metric(name="normalised score", higher_is_better=True)
    assert [(note.code, note) for note in result.caveats()] == [
        (
            "metrics-differ",
            "The scores are rmse on 1, auc on 1 and log_loss on 1 of 3 data sets. Differences of such scores have no"
            " common unit, so pairs are tested on distances, in units of how far an algorithm typically lies from the"
            " median one there. Normalised scores are 0 for the median algorithm on a data set, 1 for the best there,"
            " and never below -1.",
        )
    ]


def test_every_scale_and_what_it_is_tested_by() -> None:
    kinds = {scale: scaled(TABLE, "score", scale=scale) for scale in SCALES}
    assert {scale: kind.kind for scale, kind in kinds.items()} == {
        "auto": "distances",
        "as-is": "as they are",
        "distance": "distances",
    }
    assert kinds["as-is"].errors.tolist() == [[12, 90, 14], [-0.9, -0.7, -0.75], [2, 1, 3]]
    assert kinds["as-is"].metric.name == "score (losses negative)"
    assert (
        kinds["as-is"]
        .caveats()[0]
        .endswith("They are compared as they are, as told: data sets with large numbers decide.")
    )
    with pytest.raises(OptionError, match="There is no scale 'log'"):
        scaled(TABLE, "score", scale="log")


def test_scores_on_one_scale_stay_as_they_are() -> None:
    table = Results.from_dict({"iris": {"a": 0.9, "b": 0.8}, "wine": {"a": 0.001, "b": 0.4}}, scores="accuracy")
    result = scaled(table, "accuracy")
    assert (result.kind, result.reason, result.caveats()) == ("as they are", "", ())
    assert np.array_equal(result.shown, table.means("accuracy"))
    assert np.array_equal(result.errors, -table.means("accuracy"))
    assert result.metric == Metric(name="accuracy", higher_is_better=True)
    options = scaled(table, "accuracy", scale="distance")
    assert [note.code for note in options.caveats()] == ["other-unit"] and not options.reason
    assert options.caveats()[0].startswith("As told, pairs are tested on distances, in units")


@settings(max_examples=50)
@given(
    st.lists(st.lists(st.integers(1, 40), min_size=4, max_size=4), min_size=2, max_size=5),
    st.integers(0, 4),
    st.sampled_from([1 / 1024, 4.0, 1024.0]),
)
def test_units_and_signs_of_one_data_set_change_nothing(rows: list[list[int]], place: int, factor: float) -> None:
    place %= len(rows)
    names = [f"d{i}" for i in range(len(rows))]

    def found(table: dict[str, tuple[str, list[float]]], scale: str) -> tuple[FloatArray, FloatArray]:
        made = scaled(mixed(table), "score", scale=scale)
        return made.errors, made.shown

    before = {
        name: ("auc" if i % 2 else "rmse", [float(x) for x in row])
        for i, (name, row) in enumerate(zip(names, rows, strict=True))
    }
    metric, current = before[names[place]]
    other_unit = {**before, names[place]: (metric, [x * factor for x in current])}
    for scale in ("distance",):
        assert all(map(np.array_equal, found(before, scale), found(other_unit, scale)))
    if metric == "rmse":
        flipped = {**before, names[place]: ("neg_rmse", [-x for x in current])}
        for scale in ("as-is", "distance"):
            assert np.array_equal(found(before, scale)[0], found(flipped, scale)[0])


def test_the_order_of_a_pair_is_that_of_its_scores() -> None:
    rng = np.random.default_rng(3)
    table = mixed({f"d{i}": ("auc" if i % 2 else "mae", rng.random(6).round(2).tolist()) for i in range(30)})
    raw = scaled(table, "score", scale="as-is").errors
    other = scaled(table, "score", scale="distance").errors
    for a, b in itertools.combinations(range(6), 2):
        assert np.array_equal(np.sign(raw[:, a] - raw[:, b]), np.sign(other[:, a] - other[:, b]))


def test_two_algorithms_are_tested_by_signs_whatever_the_scale() -> None:
    rng = np.random.default_rng(5)
    table = mixed({f"d{i}": ("auc" if i % 2 else "rmse", (rng.random(2) * 7**i).tolist()) for i in range(12)})
    far, sign = (scaled(table, "score", scale=scale).errors for scale in ("distance", "as-is"))
    assert np.abs(far) == pytest.approx(np.ones_like(far))
    assert stats.wilcoxon(far[:, 0], far[:, 1]).pvalue == pytest.approx(stats.sign_test(sign[:, 0], sign[:, 1]).pvalue)


def test_thousandfold_scores_of_a_data_set_give_the_same_tests() -> None:
    rng = np.random.default_rng(6)
    rows = {f"d{i}": ("auc" if i % 2 else "mae", rng.integers(1, 9, 5).astype(float).tolist()) for i in range(20)}
    other = {name: (metric, [x * 1000 if name == "d4" else x for x in row]) for name, (metric, row) in rows.items()}
    for scale in ("distance",):
        first, second = (scaled(mixed(table), "score", scale=scale).errors for table in (rows, other))
        assert stats.wilcoxon_pairs(first).pvalue.tolist() == stats.wilcoxon_pairs(second).pvalue.tolist()


def test_gaps_stay_gaps_and_count_for_nothing() -> None:
    table = mixed(
        {"cars": ("rmse", [12.0, 90.0, 14.0, nan]), "iris": ("auc", [nan, 0.5, 0.75, 0.7]), "x": ("mae", [nan] * 4)}
    )
    scaleds = {scale: scaled(table, "score", scale=scale) for scale in SCALES}
    for made in scaleds.values():
        assert np.array_equal(np.isnan(made.errors), np.isnan(table.means("score")))
        assert np.array_equal(np.isnan(made.shown), np.isnan(table.means("score")))
    assert scaleds["auto"].errors[1, 1:] == pytest.approx(np.array(plain_distances([-0.5, -0.75, -0.7])))


def test_data_sets_without_differences() -> None:
    table = mixed(
        {"cars": ("rmse", [3.0, 3.0, 3.0]), "iris": ("auc", [0.5, 0.5, 0.4]), "wine": ("auc", [0.9, 0.7, 0.5])}
    )
    result = scaled(table, "score")
    assert result.shown.tolist() == [[0, 0, 0], [0, 0, -1], pytest.approx([1, 0, -1])]
    assert [note.code for note in result.caveats()] == ["metrics-differ"]
    assert result.errors.tolist() == [[0, 0, 0], [0, 0, 1], pytest.approx([-1, 0, 1])]


def test_means_that_differ_by_rounding_are_tied() -> None:
    folds = {"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1], "c": [0.5, 0.5, 0.5]}
    table = Results.from_dict({"iris": folds, "wine": {"a": 1e4, "b": 1.5e4, "c": 1e5}}, scores="score")
    result = scaled(table, "score", higher_is_better=False)
    assert result.kind == "distances"
    assert result.errors[0].tolist() == [0, 0, 1]


def test_folds_are_turned_by_data_set() -> None:
    cube = np.arange(12.0).reshape(3, 2, 1, 2)
    out = scaled(TABLE, "score").turned(cube)
    assert np.array_equal(out, cube * np.array([1, -1, 1]).reshape(3, 1, 1, 1))


# ---- scales that nobody told

BEYOND = "all scores of the second are above 1, none of the first is."
SIZES = "their sizes are orders of magnitude apart."
SIGNS = "the scores of one are positive, those of the other negative."

NAMED = {
    name: metric_named(name) for name in ("accuracy", "error", "rmse", "log_loss", "r2", "score", "train_time", "mcc")
}


@every(
    ("name", "rows", "higher"),
    [
        ("accuracy", [[0.99, 0.98], [0.2, 0.1]], True),
        ("accuracy", [[99.0, 98.0], [20.0, 3.0]], True),
        ("error", [[0.001, 0.002], [0.4, 0.5]], False),
        ("error", [[0.05, 0.1], [40.0, 55.0]], False),  # percent: easy beside hard
        ("score", [[0.0001, 0.0], [0.9, 0.5]], False),
        ("score", [[-0.2, -0.1], [0.9, 0.5]], True),  # correlations
        ("r2", [[-5000.0, -0.1, 0.001], [0.9, 0.5, 0.99]], True),
        ("mcc", [[0.0, 0.0], [0.9, 0.5]], True),
        ("log_loss", [[0.0004, 0.0003], [3.0, 2.0]], False),
        ("rmse", [[1.0, 2.0], [9.0, 8.0]], False),
        ("train_time", [[0.1, 0.2], [5.0, 6.0]], False),
        ("score", [[0.0, 0.0], [0.0, 0.0]], True),
        ("score", [[nan, nan], [0.3, 0.2]], True),
        ("accuracy", [[1.03, 1.01], [0.8, 0.7]], True),  # drawn about an accuracy
        ("score", [[5.1, 4.9], [-5.2, -4.8], [0.2, 0.1]], True),  # both sides of one zero
        ("score", [[1510.0, 1520.0], [-2.0, 7.0], [900.0, 911.0]], True),  # large effects of data sets, one noise
        ("error", [[0.4, 0.9], [12.0, 15.0], [3.0, 4.0]], False),
        ("score", [[0.4, 0.9], [12.0, 15.0], [3.0, 4.0]], True),  # nothing between 1 and 10 would be two scales
    ],
)
def test_no_false_alarm(name: str, rows: list[list[float]], higher: bool) -> None:
    assert levels_apart(np.array(rows), NAMED[name], higher_is_better=higher) is None


@every(
    ("name", "rows", "higher", "places", "why"),
    [
        ("accuracy", [[0.9, 0.8], [95.0, 90.0]], True, (0, 1), BEYOND),
        ("score", [[0.9, 0.8], [95.0, 90.0]], True, (0, 1), BEYOND),
        ("score", [[1200.0, 900.0], [0.9, 0.8]], False, (1, 0), SIZES),
        ("error", [[0.1, 0.2], [1e6, 2e6], [3.0, 2.0]], False, (0, 1), SIZES),
        ("score", [[0.9, 0.8], [-1.2, -0.9], [0, 0]], True, (1, 0), SIGNS),
        ("rmse", [[0.1, 0.2], [2.0, 3.0]], False, (0, 1), "their units differ."),
        ("train_time", [[0.01, 0.02], [5.0, 6.0]], False, (0, 1), SIZES),
        ("accuracy", [[0.9, 0.8], [900.0, 800.0]], True, (0, 1), SIZES),
        ("score", [[0.9, 0.8], [-1000.0, -900.0]], True, (0, 1), SIZES),
    ],
)  # fmt: skip
def test_scales_that_are_told_by_their_size(
    name: str, rows: list[list[float]], higher: bool, places: tuple[int, int], why: str
) -> None:
    apart = levels_apart(np.array(rows), NAMED[name], higher_is_better=higher)
    assert apart is not None and (apart.small, apart.large, apart.why) == (*places, why)


@every("name", ["score", "accuracy", "error"])
@every(("effect", "noise", "centre"), [(0, 1, 0), (3, 1, 0), (100, 5, 0), (0.1, 0.02, 0.8), (30, 5, 50)])
def test_normal_scores_with_effects_of_data_sets_raise_no_alarm(
    name: str, effect: float, noise: float, centre: float
) -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        scores = centre + effect * rng.normal(size=(30, 1)) + noise * rng.normal(size=(30, 4))
        assert levels_apart(scores, NAMED[name], higher_is_better=name != "error") is None


def test_what_is_said_of_scales_that_nobody_told() -> None:
    table = Results.from_dict({"cars": {"a": 1200.0, "b": 900.0}, "iris": {"a": 0.25, "b": 0.5}}, scores="score")
    (note,) = scaled(table, "score", higher_is_better=False).caveats()
    assert note.code == "scales-differ"
    assert note == (
        "The middle score is 0.375 on 'iris' and 1050 on 'cars': their sizes are orders of magnitude apart."
        " Differences of such scores have no common unit, so pairs are tested on distances, in units of how far an"
        " algorithm typically lies from the median one there. Normalised scores are 0 for the median algorithm on a"
        " data set, 1 for the best there, and never below -1. A column that names the metric of each data set is told"
        " by columns={'metric': 'HEADER'}."
    )


# ---- directions


def test_directions_of_a_mixed_table() -> None:
    odd = mixed({"a": ("zeal", [1.0, 2.0]), "b": ("rmse", [1.0, 2.0]), "c": ("grit", [1.0, 2.0])})
    with pytest.raises(OptionError) as raised:
        scaled(odd, "score")
    assert str(raised.value) == (
        "Nothing says whether a higher 'zeal' is better, nor 'grit'. Say"
        " higher_is_better={'zeal': True} or False, or"
        " higher_is_better=True or False for all data sets."
    )
    assert scaled(odd, "score", higher_is_better={"zeal": True, "grit": False}).higher.tolist() == [True, False, False]
    assert scaled(odd, "score", higher_is_better={"score": True, "rmse": False}).higher.tolist() == [True, False, True]
    with pytest.raises(OptionError, match=r"There is no metric \(in higher_is_better\) 'zael'"):
        scaled(odd, "score", higher_is_better={"zael": True})
    with pytest.raises(OptionError, match="'rmse' was said to be better when higher"):
        scaled(odd, "score", higher_is_better={"rmse": True, "zeal": True, "grit": True})


def test_a_direction_for_the_whole_column() -> None:
    turned_losses = mixed({"a": ("auc", [0.5, 0.6]), "b": ("log_loss", [-1.0, -2.0])})
    result = scaled(turned_losses, "score", higher_is_better=True)
    assert result.higher.tolist() == [True, True]
    assert [note.code for note in result.caveats()] == ["metrics-differ", "read-as"]
    assert result.caveats()[1] == (
        "Scores by 'log_loss' were taken to be better when higher, as told: 'score' must hold them turned around."
    )
    with pytest.raises(InputError, match="data set 'cars' is scored by 'rmse' and its scores are above 0"):
        scaled(TABLE, "score", higher_is_better=True)
    columns = {"dataset": list("aabb"), "algorithm": list("xyxy"), "metric": ["auc"] * 2 + ["rmse"] * 2}
    errors = Results.from_dict({**columns, "error": [0.1, 0.2, 5.0, 4.0]})
    assert scaled(errors, "error").higher.tolist() == [False, False]  # an error is one, whatever it is the error of
    with pytest.raises(OptionError, match="'error' was said to be better when higher"):
        scaled(errors, "error", higher_is_better=True)


# ---- the simulation


def test_simulated_scales_change_nothing_but_the_test_on_scores_as_they_are() -> None:
    tables = mixed_tables("heavy", "partial", (20, 15, 4), np.random.default_rng(1))
    pvalues = mixed_pvalues(tables)
    again = mixed_pvalues(tables * 2.0 ** np.random.default_rng(2).integers(-9, 9, (20, 15, 1)))
    assert all(np.array_equal(pvalues[name], again[name]) for name in (DISTANCE, NORMALISED, SIGN))
    assert not np.array_equal(pvalues[AS_IS], again[AS_IS])
    one = tables[7]
    expected = stats.wilcoxon_pairs(np.array([plain_distances(row) for row in one.tolist()]))
    assert pvalues[DISTANCE][7] == pytest.approx(expected.pvalue)


def test_simulated_errors_and_power() -> None:
    """What docs/results.md says, on fewer tables: distances keep alpha and find more than signs; shares do not."""
    shape, rng = (400, 100, 6), np.random.default_rng(4)
    pvalues = mixed_pvalues(mixed_tables("unequal", "partial", shape, rng))
    equal = ~differing(6)(MIXED, "any", "partial", 15)
    errors = {name: float((p[:, equal] <= 0.05).mean(axis=0).max()) for name, p in pvalues.items()}
    assert errors[NORMALISED] > 0.10
    assert errors[DISTANCE] < 0.085 and errors[SIGN] < 0.085  # three pairs; 0.085 is 3.2 standard errors from 0.05
    for noise in ("normal", FAILED):
        rejected = scale_rejections(noise, "partial", 200, rng, alpha=0.05)
        assert all(question == MIXED for question, _ in rejected)
        power = {name.split(",")[0]: float(table[:, ~equal].mean()) for (_, name), table in rejected.items()}
        assert power[DISTANCE] > power[SIGN] - 0.02
    assert power[NORMALISED] > power[DISTANCE]  # failed runs: what falls behind the median counts for less
