"""One trial: an algorithm is run in the lab on every split, and what the store then has of it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tiebreak.advisor.tryout._judged_by import ERROR, JudgedBy
from tiebreak.budgets import Budget
from tiebreak.datasets import DataSet
from tiebreak.lab.algorithms.specs import fingerprint
from tiebreak.lab.driver import run
from tiebreak.lab.engines import LocalEngine
from tiebreak.lab.plans import Plan
from tiebreak.lab.prepared import prepare
from tiebreak.lab.progress import Event
from tiebreak.lab.resampling import Resampling, cells_of, resampling_key
from tiebreak.lab.tasks import AlgorithmSpec
from tiebreak.store import open_store
from tiebreak.store.records import FAILED, LAB

if TYPE_CHECKING:
    from tiebreak.store.reading import StoreColumns

CUT = "timeout"
"""The status of a trial that the time ended; its finished folds are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a trial: its status, the mean score and the seconds of its folds so far, and why it failed.

    `error` is the mean rmse, where numbers are predicted. `measured` are the scores of finished folds by replication
    and fold, whose mean is the `score`.
    """

    status: str
    score: float | None = None
    error: float | None = None
    seconds: float = 0.0
    folds: int = 0
    reason: str = ""
    interrupted: bool = False
    measured: tuple[tuple[tuple[str, str], float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where trials are made: the data, their splits, the store, and the machine."""

    data: DataSet
    splits: Resampling
    seed: int
    store: str | Path
    engine: LocalEngine
    judged: JudgedBy
    retry: tuple[str, ...] = ()
    events: Callable[[Event], None] | None = None

    @property
    def cells(self) -> list[tuple[str, str]]:
        """The replications and folds of all splits."""
        return [(str(r), str(f)) for r, f in cells_of(self.splits)]

    def begin(self, spec: AlgorithmSpec) -> None:
        """Enter the data into the store, which takes a moment where they are large."""
        with open_store(self.store) as opened:
            prepare(self._plan(spec, self.splits), opened)

    def run(self, spec: AlgorithmSpec, seconds: float, *, first: bool = False) -> Outcome:
        """Run what the store lacks of the first replication, or of all, for so many seconds at most."""
        plan = self._plan(spec, replace(self.splits, replications=1) if first else self.splits)
        summary = run(
            plan,
            store=self.store,
            engine=self.engine,
            budget=Budget(seconds=seconds, strict=True),
            events=self.events,
            retry=self.retry,
            mix_versions=True,  # an answer of today beside cells of yesterday is said in a caveat, not refused
        )
        reason = str(summary.failures[0]["reason"]) if summary.failures else ""
        found = self.stored([spec]).get(spec.name)
        if summary.interrupted:
            part = found or Outcome(status=CUT)
            return (
                replace(part, status="interrupted", interrupted=True)
                if part.status in ("ok", CUT)
                else Outcome(status="interrupted", interrupted=True, folds=part.folds)
            )
        if found is not None and found.status == CUT and found.folds >= len(cells_of(plan.resampling)):
            return replace(found, status="ok")
        if found is None or (found.status == CUT and not summary.failures):
            return found or Outcome(status=CUT)
        return found if found.status == "ok" else Outcome(status=found.status, reason=reason, folds=found.folds)

    def stored(self, specs: Iterable[AlgorithmSpec]) -> dict[str, Outcome]:
        """Return what the store has of algorithms on these data and splits: whole, failed or cut short."""
        marks = {fingerprint(spec): spec.name for spec in specs}
        with open_store(self.store) as opened:
            table = opened.columns(measures=[*self.judged.measures, "cell_wall"])
        names = {key: marks[mark] for key, (_, mark) in table.algorithms.items() if mark in marks}
        own = {key for key, (_, mark) in table.datasets.items() if mark == self.data.fingerprint}
        split, wanted = resampling_key(self.splits), set(self.cells)
        cells: dict[str, list[tuple[int, str, tuple[str, str]]]] = {}
        mine = np.isin(table.dataset, list(own)) & np.isin(table.algorithm, list(names)) & (table.seed == self.seed)
        for row in np.flatnonzero(mine).tolist():
            place = table.replication.at(row), table.fold.at(row)
            if table.origin.at(row) == LAB and table.resampling.at(row) == split and place in wanted:
                held = cells.setdefault(names[int(table.algorithm[row])], [])
                held.append((int(table.id[row]), table.status.at(row), place))
        values = _values(table, [cell for held in cells.values() for cell, *_ in held])
        return {name: self._outcome(held, values, table.reasons) for name, held in cells.items()}

    def _outcome(
        self,
        cells: Sequence[tuple[int, str, tuple[str, str]]],
        values: Mapping[str, Mapping[int, float]],
        reasons: Mapping[int, str],
    ) -> Outcome:
        failed = next(((cell, status) for cell, status, _ in cells if status in FAILED), None)
        ok = [cell for cell, status, _ in cells if status == "ok"]
        seconds = sum(values.get("cell_wall", {}).get(cell, 0.0) for cell in ok)
        if failed is not None:
            return Outcome(status=failed[1], reason=reasons.get(failed[0], ""), folds=len(ok), seconds=seconds)
        scores = values.get(self.judged.score, {})
        score, error = (_mean(values.get(name, {}), ok) for name in (self.judged.score, ERROR))
        done = tuple((place, scores[cell]) for cell, status, place in cells if status == "ok" and cell in scores)
        about = {"seconds": seconds, "folds": len(ok), "score": score, "error": error, "measured": done}
        if len(ok) < len(self.cells):
            return Outcome(status=CUT, **about)  # type: ignore[arg-type]
        if score is None:
            reason = f"{self.judged.score} could not be measured on every fold"
            return Outcome(status="error", reason=reason, folds=len(ok), seconds=seconds)
        return Outcome(status="ok", **about)  # type: ignore[arg-type]

    def _plan(self, spec: AlgorithmSpec, splits: Resampling) -> Plan:
        told = {"resampling": splits, "seed": self.seed, "name": f"trial of {spec.name}"}
        return Plan.of(datasets=[self.data], algorithms=[spec], **told)  # type: ignore[arg-type]


def _mean(measured: Mapping[int, float], cells: Sequence[int]) -> float | None:
    """Average over cells; None where one of them lacks the measure."""
    there = [measured[cell] for cell in cells if cell in measured]
    return sum(there) / len(there) if there and len(there) == len(cells) else None


def _values(table: StoreColumns, cells: Sequence[int]) -> dict[str, dict[int, float]]:
    """Return what was measured in some cells, by measure and cell."""
    found: dict[str, dict[int, float]] = {name: {} for name, _ in table.measures.values()}
    for cell, measure, value in table.values[np.isin(table.values["cell"], list(cells))].tolist():
        found[table.measures[measure][0]][int(cell)] = float(value)
    return found
