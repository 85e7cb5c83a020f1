"""A plan run in parts on machines that share nothing: their stores, merged, are that of one run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")
pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")

from tiebreak.cli import main
from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError
from tiebreak.lab.driver import dry_run, run
from tiebreak.lab.tasks import CellOutcome, Task
from tiebreak.stores import Store, open_store

DATA = [DataSet.from_arrays([[i, i % 3] for i in range(24)], ["a", "b"] * 12, name=name) for name in ("x",)]
DATA += [DataSet.from_arrays([[i, i % 5] for i in range(24)], ["a", "b"] * 12, name="y")]
PLAN = {"datasets": DATA, "algorithms": ["nb", "c45", "lda"], "resampling": "2x2cv"}


class Computed:
    """Runs nothing: what comes of a cell follows from what it is, and one in five fails."""

    jobs, watch = 1, None

    def stream(self, tasks: Iterator[Task], _: Mapping[str, DataSet]) -> Iterator[CellOutcome]:
        for task in tasks:
            for cell in task.cells:
                number = sum(f"{task.data}{task.algorithm.name}{cell.replication}{cell.fold}".encode())
                if number % 5 == 0:
                    yield CellOutcome(cell=cell.id, status="error", reason=f"number {number}")
                else:
                    yield CellOutcome(cell=cell.id, status="ok", values={"error": number % 97 / 97})


def content(store: Store) -> dict[str, Any]:
    """Everything but the numbers of rows, times and attempts."""
    names = ("dataset", "algorithm", "dataset_fingerprint", "algorithm_fingerprint", "resampling", "seed")
    names += ("replication", "fold", "status", "reason", "origin")
    return {
        "cells": sorted(json.dumps([getattr(row, n) for n in names] + [dict(row.values)]) for row in store.rows()),
        "plans": [(plan.digest, plan.text, store.counts(plan=plan.digest)) for plan in store.plans()],
        "datasets": store.data_sets(),
        "algorithms": store.algorithms(),
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    store = tmp_path_factory.mktemp("whole") / "results.db"
    assert run(PLAN, store=store, engine=Computed()).exit_code == 0
    with open_store(store) as opened:
        return content(opened)


@given(chance=st.randoms(use_true_random=False), count=st.integers(1, 6))
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
def test_shards_merged_in_any_order_are_the_single_run(
    chance: Any, count: int, whole: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("shards")
    names, ran = [f"{i}/{count}" for i in range(1, count + 1)], 0
    chance.shuffle(names)
    for name in names:
        done = run(PLAN, store=folder / f"{name[0]}.db", engine=Computed(), shard=name)
        ran += done.ran
        assert done.exit_code == 0 and count * done.ran in range(24 - count, 24 + count)
    assert ran == 24
    chance.shuffle(names)
    with open_store(folder / chance.choice(["all.db", f"{names[0][0]}.db"])) as merged:
        for name in names:
            with open_store(folder / f"{name[0]}.db", create=False) as part:
                assert merged.import_store(part).conflicts == ()
        assert content(merged) == whole
    assert run(PLAN, store=Path(merged.shown), engine=Computed()).ran == 0, "nothing is left of the plan"


def test_shards_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan, store = tmp_path / "plan.toml", tmp_path / "all.db"
    plan.write_text('datasets = ["builtin:monks1"]\nalgorithms = ["nb", "5nn"]\nresampling = "1x2cv"\n')
    assert main(["run", str(plan), "--store", str(store), "--shard", "2/3", "--dry-run"]) == 0
    dry = " ".join(capsys.readouterr().out.split())
    assert "replication of 2 folds, shard 2 of 3 = 1 cell: 0 done, 0 failed, 1 to run" in dry
    for part in ("1/2", "2/2"):
        there = tmp_path / f"{part[0]}.db"
        assert main(["run", str(plan), "--store", str(there), "--shard", part, "--jobs", "1"]) == 0
        assert main(["store", str(store), "--import", str(there)]) == 0
    assert dry_run(plan, store=store).done == 4


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", ""])
def test_a_shard_that_is_none(text: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"shard='1/8' to shard='8/8'"):
        run(PLAN, store=tmp_path / "r.db", engine=Computed(), shard=text)
