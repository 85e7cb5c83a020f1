"""Where cells were run: kept once each, through every store, upgrade, export and import, and asked for when reading."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tiebreak import compare, order
from tiebreak.advisor import store_knowledge
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.readers.stores import read_store
from tiebreak.stores import Store, open_store
from tiebreak.stores.records import Calibration, CellOutcome, Environment

Fill = Callable[..., list[int]]
SLOW = Environment(
    host="slow", cpu="Old One", cores=2, system="Linux x86_64", python="3.11.7", versions={"numpy": "2.0", "scipy": "1"}
)
FAST = replace(SLOW, host="fast", cpu="New One", cores=8)


def finished(store: Store, ids: list[int], where: Callable[[int], Environment | None], *, load: float = 0.5) -> None:
    """Finish cells with a time that depends on the host alone: 3 s on the slow one, 1 s on the fast one."""
    outcomes = []
    for place, cell in enumerate(ids):
        here = where(place)
        seconds = 3.0 if here is not None and here.host == "slow" else 1.0
        values = {"error": 0.1 + 0.01 * place, "train_time": seconds * (1 + 0.001 * place), "model_bytes": 10.0 + place}
        outcomes.append(CellOutcome(cell=cell, status="ok", values=values, environment=here, load=load))
    store.finish(outcomes)


def both(place: int) -> Environment:
    return SLOW if place % 3 == 0 else FAST


def test_an_environment_is_kept_once_and_comes_back_whole(store: Store, fill: Fill) -> None:
    ids = fill(store)
    finished(store, ids, both, load=1.5)
    assert sorted(environment.host for environment in store.environments().values()) == ["fast", "slow"]
    assert set(map(repr, store.environments().values())) == {repr(SLOW), repr(FAST)}
    rows = list(store.rows())
    assert [row.host for row in rows[:3]] == ["slow", "fast", "fast"]
    assert {row.host_load for row in rows} == {1.5} and rows[0].environment["versions"] == {
        "numpy": "2.0",
        "scipy": "1",
    }
    assert rows[0].host_kernel is None
    store.calibrate(Calibration(environment=SLOW, cpu=3.0, wall=3.1, load=0.1))
    store.finish([])
    assert next(iter(store.rows())).host_kernel == 3.0
    assert sum(store.cells_by_environment().values()) == len(ids)
    assert sum(count for *_, count in store.run_where()) == len(ids)
    table = store.columns()
    assert set(table.environment.tolist()) == set(store.environments()) and table.load.tolist() == [1.5] * len(ids)


def test_a_calibration_comes_with_an_outcome_and_a_retry_forgets_the_place(store: Store, fill: Fill) -> None:
    ids = fill(store)
    calibration = Calibration(environment=FAST, cpu=0.5, wall=0.6, load=None)
    store.finish([CellOutcome(cell=ids[0], status="error", environment=FAST, load=2.0, calibration=calibration)])
    (remaining,) = store.calibrations()
    assert (remaining.cpu, remaining.wall, remaining.load, remaining.environment) == (
        0.5,
        0.6,
        None,
        FAST,
    ) and remaining.taken
    assert next(iter(store.rows())).host == "fast"
    store.retry(("error",))
    first = next(iter(store.rows()))
    assert (first.status, first.host, first.host_load) == ("waiting", "", None)


def test_exports_and_copies_keep_the_place_and_the_speed(store: Store, fill: Fill, tmp_path: Path) -> None:
    finished(store, fill(store), both)
    store.calibrate(*(Calibration(environment=FAST, cpu=value, wall=value) for value in (1.0, 1.1, 1.2)))
    store.export(tmp_path / "all.csv")
    with open_store(tmp_path / "copy.db") as copy:
        copy.import_store(store)
        copy.import_store(store)
        options = ("host", "host_load", "host_kernel", "environment")
        rows = [[tuple(getattr(row, name) for name in options) for row in item.rows()] for item in (store, copy)]
        assert rows[0] == rows[1]
        assert [calibration.cpu for calibration in copy.calibrations()] == [1.0, 1.1, 1.2]
    table = pl.read_csv(tmp_path / "all.csv")
    assert table.select(options).fill_null("").rows() == [(*row[:3], json.dumps(row[3])) for row in rows[0]]


def test_times_of_two_hosts_are_refused_with_every_way_on(store: Store, fill: Fill) -> None:
    ids = fill(store)
    finished(store, ids, both)
    results = read_store(store)
    with pytest.raises(OptionError) as caught:
        order(results, score="error", cost="train_time")
    assert str(caught.value) == (
        "train_time comes from 2 hosts: 'fast' (10 rows), 'slow' (6 rows). A second of one machine is not a second of"
        " another: machines would be compared, not algorithms. Put them on one scale with normalise_cost='hosts'"
        ", or keep one host with where='host == fast';"
        " normalise_cost='none' takes them as they are."
    )
    with pytest.raises(OptionError, match=r"^train_time comes from 2 hosts"):
        compare(results, score="train_time")
    assert order(results, score="error", cost="model_bytes").order, "bytes are the same everywhere"
    assert compare(results, score="error").algorithms
    taken = order(results, score="error", cost="train_time", normalise_cost="none")
    assert "hosts-mixed" in [caveat.code for caveat in taken.caveats]
    with pytest.raises(InputError, match=r"^How fast host 'fast' is was never measured \(2 such of 2 hosts\)"):
        order(results, score="error", cost="train_time", normalise_cost="hosts")


def test_normalised_times_are_those_of_one_host(store: Store, fill: Fill) -> None:
    ids = fill(store)
    finished(store, ids, both)
    store.calibrate(*(Calibration(environment=SLOW, cpu=value, wall=value) for value in (3.0, 2.9, 9.0)))
    store.calibrate(Calibration(environment=FAST, cpu=1.0, wall=1.0))
    result = order(read_store(store), score="error", cost="train_time", normalise_cost="hosts")
    times = result.table.paid[0]
    np.testing.assert_allclose(times[~np.isnan(times)], 1.0, atol=0.02)
    (note,) = [caveat for caveat in result.caveats if caveat.code == "hosts-mixed"]
    assert note == (
        "Times of 2 hosts (train_time) were put on the scale of 'fast' by how long a fixed piece of work takes on each"
        " ('fast' (1 s), 'slow' (3 s))."
    )
    assert any(caveat.code == "host-busy" and "'slow'" in caveat for caveat in result.caveats)
    one = order(
        read_store(store, where="host == fast"),
        score="error",
        cost="train_time",
        missing="drop-folds",
        missing_costs="drop-datasets",
    )
    assert {caveat.code for caveat in one.caveats} & {"hosts-mixed"} == set()


def test_recommendations_do_not_mix_times_of_several_hosts_on_one_data_set(store: Store, fill: Fill) -> None:
    """What all algorithms of a data set share cancels out, so a host for each data set is fine."""
    ids = fill(store)
    finished(store, ids, both)
    options = {"score": "error", "time": "train_time"}
    with pytest.raises(OptionError, match=r"^train_time comes from 2 hosts: 'fast' \(10 rows\), 'slow' \(6 rows\)"):
        store_knowledge(store, **options)
    assert store_knowledge(store, score="error", time=()).time is None
    assert "hosts-mixed" in [caveat.code for caveat in store_knowledge(store, **options, normalise_cost="none").caveats]
    assert store_knowledge(store, **options, where="host == fast").time is not None
    store.calibrate(
        Calibration(environment=SLOW, cpu=3.0, wall=3.1, load=0.1),
        Calibration(environment=FAST, cpu=1.0, wall=1.0, load=0.1),
    )
    knowledge = store_knowledge(store, **options, normalise_cost="hosts")
    assert knowledge.time is not None
    np.testing.assert_allclose(knowledge.time[np.isfinite(knowledge.time)], 1.0, rtol=0.02)
    assert "hosts-mixed" in [caveat.code for caveat in knowledge.caveats]


def test_recommendations_take_data_sets_of_several_hosts(store: Store, fill: Fill) -> None:
    ids = fill(store)
    names = [row.dataset for row in store.rows()]
    finished(store, ids, lambda place: SLOW if names[place] == names[0] else FAST)
    assert store_knowledge(store, score="error", time="train_time").time is not None


def test_conditions_on_hosts_and_versions_choose_cells(store: Store, fill: Fill) -> None:
    ids = fill(store)
    later = replace(FAST, versions={**FAST.versions, "numpy": "2.1"})
    finished(store, ids, lambda place: FAST if place % 4 else later)
    whole = read_store(store, scores="error")
    assert len(whole) == 16
    (note,) = [caveat for caveat in whole.caveats if caveat.code == "versions-mixed"]
    assert note == (
        "Cells were run with different versions of libraries, which may differ in scores and times: numpy 2.0 in 12"
        " cells, 2.1 in 4 cells. To keep one: where='numpy == 2.0'."
    )
    results = read_store(store, scores="error", where=["numpy == 2.0", "cores > 4", "fold == 1"])
    assert len(results) == 4 and "versions-mixed" not in [caveat.code for caveat in results.caveats]
    assert results.caveats[0].endswith("4 of 16 cells left out; kept are those where numpy == 2.0 and cores > 4.")
    with pytest.raises(OptionError, match=r"No row of the store .* is left where host == nowhere"):
        read_store(store, where="host == nowhere")


def test_a_condition_on_the_host_of_a_store_that_knows_none(store: Store, fill: Fill) -> None:
    finished(store, fill(store), lambda _: None)
    with pytest.raises(OptionError, match=r"asks where cells were run, and the store .* does not say it"):
        read_store(store, where="host == a")
    assert order(read_store(store), score="error", cost="train_time").caveats is not None


def test_a_busy_host_and_an_unknown_one_are_told_where_times_are_read(store: Store, fill: Fill) -> None:
    finished(store, fill(store), lambda place: SLOW if place % 2 else None, load=5.5)
    options = {caveat.code: caveat for caveat in read_store(store).caveats}
    assert options["host-busy"] == (
        "8 of 8 cells ran while their host had more to do than it has cores (up to a load of 5.5 on the 2 cores of"
        " 'slow'): their times may be too long."
    )
    assert options["hosts-mixed"] == (
        "On which host 8 of 16 cells were run is not known: their times may be another's."
    )
    assert {caveat.code for caveat in read_store(store, scores="error").caveats} & set(options) == set()


def test_the_verb_shows_hosts_and_what_differs(
    tmp_path: Path, fill: Fill, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "results.db")
    with open_store(path) as store:
        later = replace(FAST, versions={"numpy": "2.1", "scipy": "1"})
        finished(store, fill(store), lambda place: SLOW if place % 2 else later)
    monkeypatch.setattr("tiebreak.lab.provenance.calibrated", lambda: Calibration(environment=FAST, cpu=0.75, wall=0.8))
    main(["store", path, "--calibrate"])
    text = " ".join(capsys.readouterr().out.split())
    assert "Hosts: fast (New One, 8 cores, 8 cells, 0.75 s for the fixed work of a calibration), slow (Old One," in text
    assert "Versions that differ: numpy 2.0 (8 cells), numpy 2.1 (8 cells)" in text
    main(["store", path, "--json"])
    data = json.loads(capsys.readouterr().out)
    assert data["hosts"][0] == {
        "host": "fast",
        "cpu": "New One",
        "cores": 8,
        "cells": 8,
        "kernel": 0.75,
        "measured": 1,
    }
    assert {row["library"] for row in data["versions"]} == {"numpy", "scipy", "python"}
    assert data["unknown_place"] == 0
    assert main(["order", "--store", path, "--score", "error", "--cost", "train_time"]) == 2
    assert "train_time comes from 2 hosts" in capsys.readouterr().err
    options = ["--missing", "drop-folds", "--missing-costs", "drop-datasets"]
    assert not main(
        ["order", "--store", f"{path}?normalise_cost=none", "--score", "error", "--cost", "train_time", *options]
    )
