"""The published experiment beside its repetition: the printed side is that of the papers, both are counted by hand."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.datasets import load
from tiebreak.errors import InputError, OptionError
from tiebreak.studies import Ulas2012Study, ulas2012_study
from tiebreak.studies.ulas2012 import COSTS, EACH, OURS, PRINTED, MadeOrder, _chosen, beside, by_cost, joined

ORDER = ("c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn")


def study(ours: tb.Results | None = None) -> Ulas2012Study:
    """The printed results beside themselves, or beside others of the same shape."""
    printed = tb.published.ulas2012()
    ours = ours or joined(printed, printed)
    return beside(printed, ours, ours.means("accuracy"), alpha=0.05, n_printed=38)


@pytest.fixture(scope="module")
def itself() -> Ulas2012Study:
    return study()


@pytest.fixture(scope="module")
def worse() -> Ulas2012Study:
    """svr loses twenty points everywhere and becomes the cheapest; everything else is as printed."""
    frame = tb.published.ulas2012().to_frame("polars")
    svr = pl.col("algorithm") == "svr"
    cheapest = pl.col("train_time").min().over("dataset") / 2
    changed = [
        pl.when(svr).then(pl.col("accuracy") - 20).otherwise(pl.col("accuracy")).alias("accuracy"),
        pl.when(svr).then(cheapest).otherwise(pl.col("train_time")).alias("train_time"),
    ]
    return study(tb.Results.from_frame(frame.with_columns(changed)))


def test_the_printed_side_is_that_of_the_papers(itself: Ulas2012Study) -> None:
    rows = {row["algorithm"]: row for row in itself.rows()}
    # technical report of 2008, mean ranks by MultiTest with training time as cost
    places = dict(zip(ORDER, (3.66, 5.21, 4.53, 3.39, 5.05, 5.95, 5.00, 3.21), strict=True))
    for name, place in places.items():
        assert rows[name]["place by train_time printed"] == pytest.approx(place, abs=0.005)
    # the same report, significant wins by the F test: sums of the rows of its table
    wins = dict(zip(ORDER, (23, 24, 49, 25, 52, 44, 88, 29), strict=True))
    assert {name: rows[name]["wins printed"] for name in ORDER} == wins
    assert by_cost(itself.theirs, "train_time") == ("5nn", "c45", "lnp", "mlp", "mdt", "svl", "sv2", "svr")
    assert by_cost(itself.theirs, "space") == ("c45", "mdt", "mlp", "lnp", "svl", "svr", "sv2", "5nn")


def test_the_printed_orders_are_those_published(itself: Ulas2012Study) -> None:
    orders = {(item.way, item.cost): item.order for item in itself.orders if item.scores_of == item.costs_of == PRINTED}
    assert orders["by places, 2012", "train_time"] == ("5nn", "c45", "lnp", "mlp", "mdt", "svl", "sv2", "svr")
    assert orders["by scores", "train_time"] == ("svl", "svr", "5nn", "c45", "lnp", "mlp", "mdt", "sv2")
    assert orders["by scores", "space"] == ("svl", "svr", "c45", "mdt", "mlp", "lnp", "sv2", "5nn")


def test_an_experiment_beside_itself_differs_nowhere(itself: Ulas2012Study) -> None:
    assert all(row["difference"] == 0 and row["inside"] for row in itself.differences())
    assert all(item.turned == 0 for item in itself.orders) and len(itself.orders) == 24
    assert all(pairs.first == pairs.again and pairs.contrary == 0 for pairs in itself.decisions.values())
    assert itself.places["space"].equal == 38
    assert "0.0 points from the printed ones (median of 304 cells), and 304 of 304" in str(itself)


def by_key(study: Ulas2012Study) -> dict[tuple[str, str, str, str], MadeOrder]:
    return {(item.way, item.cost, item.scores_of, item.costs_of): item for item in study.orders}


def test_what_differs_is_counted_as_by_hand(worse: Ulas2012Study) -> None:
    names, orders = worse.ours.algorithms, by_key(worse)
    for (way, cost, _, _), item in orders.items():
        a, b = orders[way, cost, PRINTED, PRINTED].order, item.order
        turned = sum((a.index(x) < a.index(y)) != (b.index(x) < b.index(y)) for x, y in combinations(names, 2))
        assert item.turned == turned
    row = next(row for row in worse.accuracies() if row["algorithm"] == "svr")
    assert row["mean difference"] == pytest.approx(-20) and row["beyond 5"] == 38 and row["within 2"] == 0
    place, folds, ours = names.index("svr"), worse.theirs.cube("accuracy"), worse.ours.means("accuracy")
    assert row["inside"] == sum(folds[s, place].min() <= ours[s, place] for s in range(38))
    assert sum(row["mean size"] > 1e-9 for row in worse.accuracies()) == 1
    assert by_cost(worse.ours, "train_time")[0] == "svr"
    assert by_cost(worse.ours, "space") == by_cost(worse.theirs, "space")


def test_scores_and_costs_explain_a_difference_by_themselves(worse: Ulas2012Study) -> None:
    turned = {key: item.turned for key, item in by_key(worse).items()}
    space = ("by scores", "space")
    assert turned[*space, PRINTED, OURS] == 0
    assert turned[*space, OURS, PRINTED] == turned[*space, OURS, OURS] > 0
    assert turned["by places, 2012", "train_time", PRINTED, OURS] > 0  # a cheap svr moves forward by its cost alone


def test_the_tables_and_the_json(worse: Ulas2012Study) -> None:
    text = str(worse)
    assert "38 of its 38 data sets" in text
    for caption in (
        "Means over data sets",
        "Accuracy here less printed",
        "Pairs that differ significantly",
        "Orders over data sets",
    ):
        assert caption in text
    data = json.loads(json.dumps(worse.to_dict()))
    assert data["study"] == "ulas2012" and len(data["differences"]) == 304 and len(data["orders"]) == 24
    assert set(data["places"]) == set(COSTS) and np.array(data["places"]["space"]["here"]).shape == (38, 8)
    assert data["decisions"][0]["printed"] == 334 and data["costs"]["here"]["train_time"][0] == "svr"
    assert len(worse.to_frame("polars")) == 8


def test_one_data_set_has_no_order_over_data_sets() -> None:
    printed = tb.published.ulas2012().only(datasets=["iris"])
    result = beside(printed, printed, printed.means("accuracy"), alpha=0.05, n_printed=38)
    assert result.orders == () and list(result.decisions) == [(EACH, "")] and "Orders over" not in str(result)


def write(folder: Path, name: str, reference: str, rows: int | None = None) -> None:
    data = load(reference, **({} if rows is None else {"rows": rows}))
    lines = [",".join([*data.attributes, "class"])]
    lines += [",".join([*map(str, row), f"c{label}"]) for row, label in zip(data.values, data.target, strict=True)]
    (folder / f"{name}.csv").write_text("\n".join(lines))


def test_a_folder_gives_the_small_sets_of_the_paper_unless_all_are_asked_for(tmp_path: Path) -> None:
    write(tmp_path, "iris", "builtin:iris")
    write(tmp_path, "twonorm", "builtin:twonorm", 1200)
    write(tmp_path, "mine", "builtin:wine")
    known = tb.published.ulas2012().datasets

    def names(full: bool, texts: list[str] | None = None) -> list[object]:
        return [item["name"] for item in _chosen(tmp_path, full, texts, known)]

    assert names(False) == ["iris"] and names(True) == ["iris", "twonorm"]
    assert names(False, ["twonorm"]) == ["twonorm"]
    with pytest.raises(InputError, match="holds no file of 'wine'"):
        names(False, ["wine"])
    assert len(_chosen(None, False, None, known)) == 6 and len(_chosen(None, True, None, known)) == 8


def test_what_is_refused() -> None:
    with pytest.raises(OptionError, match="algorithm of the paper"):
        ulas2012_study(algorithms=["c45", "nb"])
    with pytest.raises(OptionError, match="It takes two to differ"):
        ulas2012_study(algorithms=["c45"])
    with pytest.raises(OptionError, match="built-in data set of the paper"):
        ulas2012_study(datasets=["zoo"])


def test_a_run_that_was_stopped_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stopped = SimpleNamespace(counts={"waiting": 12, "running": 1}, cells=20, interrupted=True)
    monkeypatch.setattr("tiebreak.lab.run", lambda *_, **__: stopped)
    options = {"datasets": ["iris"], "algorithms": ["c45", "5nn"]}
    with pytest.raises(OptionError) as refused:
        ulas2012_study(**options, store=tmp_path / "runs.db")
    assert str(refused.value) == (
        "The run was stopped: 13 of 20 cells are left. Printed and new results are compared on whole data sets. Run the"
        " same again to go on, or read what there is with run=False."
    )


def test_a_run_is_kept_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "runs.db"
    plan = {
        "preset": "ulas2012",
        "datasets": ["builtin:iris"],
        "algorithms": ["c45", "5nn"],
        "resampling": {"scheme": "5x2cv", "test": 1 / 3},
    }
    tb.run(plan, store=store, jobs=1)
    calls: list[object] = []
    options = {"datasets": ["iris"], "algorithms": ["c45", "5nn"], "store": store}
    result = ulas2012_study(**options, progress=calls.append)
    assert not calls and len(result.ours) == 20  # the same cells: nothing was left to run
    results = tb.read_store(store)
    assert result.ours.means("accuracy") == pytest.approx(100 * results.means("accuracy"))
    assert result.held_out == pytest.approx(100 * results.means("test_accuracy"))
    printed = tb.published.ulas2012().only(datasets=["iris"], algorithms=["c45", "5nn"])
    assert result.theirs.means("accuracy") == pytest.approx(printed.means("accuracy"))
    assert ulas2012_study(**options, run=False).to_dict() == result.to_dict()
    assert main(["study", "ulas2012", "--no-run", "--store", str(store)]) == 0
    assert "1 of its 38 data sets" in capsys.readouterr().out
    with pytest.raises(OptionError, match="There is no data set 'iris'"):
        ulas2012_study(**options, run=False, seed=1)
