"""The published experiment beside its repetition: the printed side is that of the papers, both are counted by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.datasets import load
from tiebreak.errors import InputError, OptionError
from tiebreak.studies import Ulas2012Study, ulas2012_study
from tiebreak.studies.ulas2012 import COSTS, OURS, PRINTED, Beside, Side, _chosen

ORDER = ("c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn")


def side(results: tb.Results) -> Side:
    return Side(accuracy=results.cube("accuracy"), train_time=results.means("train_time"), space=results.means("space"))


def beside(ours: Side | None = None) -> Beside:
    """The printed results beside themselves, or beside others of the same shape."""
    printed = tb.published.ulas2012()
    first = side(printed)
    return Beside(
        datasets=printed.datasets,
        algorithms=printed.algorithms,
        printed=first,
        ours=ours or first,
        held_out=(ours or first).means,
        alpha=0.05,
    )


def study(both: Beside) -> Ulas2012Study:
    about = {"n_printed": 38, "cells": 3040}
    return Ulas2012Study(beside=both, inside=both.inside(), found=tuple(both.orders()), **about)


@pytest.fixture(scope="module")
def itself() -> Ulas2012Study:
    return study(beside())


@pytest.fixture(scope="module")
def worse() -> Ulas2012Study:
    """svr loses twenty points everywhere and becomes the cheapest; everything else is as printed."""
    first = beside().printed
    place = tb.published.ulas2012().algorithms.index("svr")
    accuracy, train_time = first.accuracy.copy(), first.train_time.copy()
    accuracy[:, place] -= 20
    train_time[:, place] = train_time.min(axis=1) / 2
    return study(beside(Side(accuracy=accuracy, train_time=train_time, space=first.space)))


def test_the_printed_side_is_that_of_the_papers(itself: Ulas2012Study) -> None:
    rows = {row["algorithm"]: row for row in itself.rows()}
    # technical report of 2008, mean ranks by MultiTest with training time as cost
    places = dict(zip(ORDER, (3.66, 5.21, 4.53, 3.39, 5.05, 5.95, 5.00, 3.21), strict=True))
    for name, place in places.items():
        assert rows[name]["place by train_time printed"] == pytest.approx(place, abs=0.005)
    # the same report, significant wins by the F test: sums of the rows of its table
    wins = dict(zip(ORDER, (23, 24, 49, 25, 52, 44, 88, 29), strict=True))
    assert {name: rows[name]["wins printed"] for name in ORDER} == wins
    assert itself.beside.prior(PRINTED, "train_time") == ("5nn", "c45", "lnp", "mlp", "mdt", "svl", "sv2", "svr")
    assert itself.beside.prior(PRINTED, "space") == ("c45", "mdt", "mlp", "lnp", "svl", "svr", "sv2", "5nn")


def test_the_printed_orders_are_those_published(itself: Ulas2012Study) -> None:
    orders = {(item.way, item.cost): item.orders[PRINTED, PRINTED].order for item in itself.found}
    assert orders["by places, 2012", "train_time"] == ("5nn", "c45", "lnp", "mlp", "mdt", "svl", "sv2", "svr")
    assert orders["by scores", "train_time"] == ("svl", "svr", "5nn", "c45", "lnp", "mlp", "mdt", "sv2")
    assert orders["by scores", "space"] == ("svl", "svr", "c45", "mdt", "mlp", "lnp", "sv2", "5nn")


def test_an_experiment_beside_itself_differs_nowhere(itself: Ulas2012Study) -> None:
    assert all(row["difference"] == 0 and row["inside"] for row in itself.beside.differences())
    for item in itself.found:
        assert all(item.turned(scores, costs) == 0 for scores, costs in item.orders)
        assert item.told.first == item.told.again and item.told.contrary == 0
    assert itself.inside["space"].places.equal == 38
    assert "0.0 points from the printed ones (median of 304 cells), and 304 of 304" in str(itself)


def test_what_differs_is_counted_as_by_hand(worse: Ulas2012Study) -> None:
    both = worse.beside
    names = both.algorithms
    for item in worse.found:
        for scores, costs in item.orders:
            a, b = item.orders[PRINTED, PRINTED].order, item.orders[scores, costs].order
            turned = sum((a.index(x) < a.index(y)) != (b.index(x) < b.index(y)) for x, y in combinations(names, 2))
            assert item.turned(scores, costs) == turned
    row = next(row for row in worse.accuracies() if row["algorithm"] == "svr")
    assert row["mean difference"] == pytest.approx(-20) and row["beyond 5"] == 38 and row["within 2"] == 0
    assert row["inside"] == sum(
        both.printed.accuracy[s, names.index("svr")].min() <= both.ours.means[s, names.index("svr")] for s in range(38)
    )
    assert sum(row["mean size"] > 0 for row in worse.accuracies()) == 1
    assert both.prior(OURS, "train_time")[0] == "svr" and both.prior(OURS, "space") == both.prior(PRINTED, "space")


def test_scores_and_costs_explain_a_difference_by_themselves(worse: Ulas2012Study) -> None:
    by = {(item.way, item.cost): item for item in worse.found}
    space = by["by scores", "space"]
    assert space.turned(PRINTED, OURS) == 0 and space.turned(OURS, PRINTED) == space.turned(OURS, OURS) > 0
    places = by["by places, 2012", "train_time"]
    assert places.turned(PRINTED, OURS) > 0  # a cheap svr moves forward by its cost alone
    assert {table.costs for table in (worse.beside.table(a, b) for a in (PRINTED, OURS) for b in (PRINTED, OURS))} == {
        ("space", "train_time")
    }


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
    both = beside()
    first = {name: getattr(both.printed, name)[:1] for name in ("accuracy", "train_time", "space")}
    one = replace(both, datasets=both.datasets[:1], printed=Side(**first), ours=Side(**first))
    result = study(replace(one, held_out=both.held_out[:1]))
    assert result.found == () and len(result.decisions()) == 1 and "Orders over" not in str(result)


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
    with pytest.raises(OptionError, match="Nothing was to be run, and no store was named"):
        ulas2012_study(run=False)
    with pytest.raises(OptionError, match="algorithm of the paper"):
        ulas2012_study(algorithms=["c45", "nb"])
    with pytest.raises(OptionError, match="It takes two to differ"):
        ulas2012_study(algorithms=["c45"])
    with pytest.raises(OptionError, match="built-in data set of the paper"):
        ulas2012_study(datasets=["zoo"])


def test_a_run_that_was_stopped_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stopped = SimpleNamespace(counts={"waiting": 12, "running": 1}, cells=20, interrupted=True)
    monkeypatch.setattr("tiebreak.studies.ulas2012._run", lambda *_: stopped)
    options = {"datasets": ["iris"], "algorithms": ["c45", "5nn"]}
    with pytest.raises(OptionError) as refused:
        ulas2012_study(**options, store=tmp_path / "runs.db")
    assert str(refused.value) == (
        "The run was stopped: 13 of 20 cells are left. Printed and new results are compared on whole data sets. Run the"
        " same again to go on, or read what there is with run=False."
    )
    with pytest.raises(OptionError, match="Name a store, so that the run can go on"):
        ulas2012_study(**options)


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
    assert not calls and result.cells == 20  # the same cells: nothing was left to run
    results = tb.read_store(store)
    assert result.beside.ours.means == pytest.approx(100 * results.means("accuracy"))
    assert result.beside.held_out == pytest.approx(100 * results.means("test_accuracy"))
    printed = tb.published.ulas2012().only(datasets=["iris"], algorithms=["c45", "5nn"])
    assert result.beside.printed.means == pytest.approx(printed.means("accuracy"))
    assert ulas2012_study(**options, run=False).to_dict() == result.to_dict()
    assert main(["study", "ulas2012", "--no-run", "--store", str(store)]) == 0
    assert "1 of its 38 data sets" in capsys.readouterr().out
    with pytest.raises(OptionError, match="There is no data set 'iris'"):
        ulas2012_study(**options, run=False, seed=1)
