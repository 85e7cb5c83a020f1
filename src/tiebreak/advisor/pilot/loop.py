"""The race of a pilot with more time: every fold goes into the store, until the answer is good or the time is over."""

from __future__ import annotations

import math
import time as clocks
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tiebreak.advisor.pilot.fits import ERROR, Contest, Fits, JudgedBy
from tiebreak.advisor.pilot.tried_out import Trial
from tiebreak.advisor.pilot.variants import variants
from tiebreak.budgets import Budget
from tiebreak.datasets import DataSet
from tiebreak.lab.algorithms.specs import fingerprint, spec_of
from tiebreak.lab.driver import run
from tiebreak.lab.engines import LocalEngine
from tiebreak.lab.plans import Plan
from tiebreak.lab.prepared import prepare
from tiebreak.lab.progress import Event
from tiebreak.lab.resampling import Resampling, cells_of, resampling_key
from tiebreak.lab.tasks import AlgorithmSpec
from tiebreak.stores import open_store
from tiebreak.stores.records import FAILED, LAB

if TYPE_CHECKING:
    from tiebreak.stores.reading import StoreColumns

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
            mix_versions=True,  # an answer of today beside cells of yesterday is said in a caveat, not refused
        )
        outcome = self.stored([spec]).get(spec.name, Outcome(status=CUT))
        whole = outcome.folds >= len(cells_of(plan.resampling))
        status = "ok" if outcome.status == CUT and whole else outcome.status
        if summary.interrupted and status in ("ok", CUT):
            status = "interrupted"
        return replace(outcome, status=status, interrupted=summary.interrupted)

    def stored(self, specs: Iterable[AlgorithmSpec]) -> dict[str, Outcome]:
        """Return what the store has of algorithms on these data and splits: whole, failed or cut short."""
        marks = {fingerprint(spec): spec.name for spec in specs}
        with open_store(self.store) as opened:
            table = opened.columns(measures=[*self.judged.measures, "cell_wall"])
        names = {key: marks[mark] for key, (_, mark) in table.algorithms.items() if mark in marks}
        current = {key for key, (_, mark) in table.datasets.items() if mark == self.data.fingerprint}
        split, wanted = resampling_key(self.splits), set(self.cells)
        cells: dict[str, list[tuple[int, str, tuple[str, str]]]] = {}
        mine = np.isin(table.dataset, list(current)) & np.isin(table.algorithm, list(names)) & (table.seed == self.seed)
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
        options = {"resampling": splits, "seed": self.seed, "name": f"trial of {spec.name}"}
        return Plan.of(datasets=[self.data], algorithms=[spec], **options)  # type: ignore[arg-type]


def _mean(measured: Mapping[int, float], cells: Sequence[int]) -> float | None:
    """Average over cells; None where one of them lacks the measure."""
    there = [measured[cell] for cell in cells if cell in measured]
    return sum(there) / len(there) if there and len(there) == len(cells) else None


def _values(table: StoreColumns, cells: Sequence[int]) -> dict[str, dict[int, float]]:
    """Return what was measured in some cells, by measure and cell."""
    result: dict[str, dict[int, float]] = {name: {} for name, _ in table.measures.values()}
    for cell, measure, value in table.values[np.isin(table.values["cell"], list(cells))].tolist():
        result[table.measures[measure][0]][int(cell)] = float(value)
    return result


LEADERS = 3
"""Of so many of the best variants enter the race."""
_LEAST_LEFT = 1.0
"""Seconds below which no further trial is begun."""
_WHOLE = 10.0
"""Seconds that a trial may always have, if they are there: processes need some for their libraries."""


@dataclass(slots=True, kw_only=True)
class Loop(Contest):
    """A contest with more time: the trials so far, what is left, and why they ended.

    A fold of the bench is a fold of the race. An algorithm is fitted on the folds of the first replication, and later,
    if it still promises most per second, on all others. Of the `LEADERS` variants enter the race when they have all
    folds, or all is settled. `seconds` are predicted for one fit, or measured. Starting helpers may take `grace`
    seconds of the time.
    """

    bench: Bench
    seconds: list[float]
    end: float
    stop_below: float
    progress: Callable[[Trial], None]
    trials: dict[str, Trial] = field(default_factory=dict)
    late: dict[str, float] = field(default_factory=dict)
    stopped: str = ""
    grace: float = 0.0

    @property
    def left(self) -> list[str]:
        """The algorithms with folds left, in the order of the list."""
        race = self.race
        return [self.names[place] for place in race.alive if race.next_fold(place) < race.folds]

    @property
    def cut(self) -> dict[str, int]:
        """The algorithms that the time cut, with their finished folds."""
        return {name: trial.folds for name, trial in self.trials.items() if trial.status in (CUT, "interrupted")}

    def go(self) -> None:
        """Fit algorithms until a rule ends it; Ctrl-C ends it too, and what is finished counts."""
        try:
            self._take_up()
            while not self.stopped:
                self._step()
        except KeyboardInterrupt:
            self.stopped = "interrupted"

    def _take_up(self) -> None:
        """Count what the store holds already, before anything is run."""
        held = self._stored(self.race.listed)
        if not held:
            self.bench.begin(self.specs[self.names[self.race.listed[0]]])

    def _stored(self, places: Sequence[int]) -> bool:
        """Count what the store holds of some algorithms; tell whether there is any."""
        held = self.bench.stored([self.specs[self.names[place]] for place in places])
        for place in places:
            self.race.seconds[place] = self._cost(place)
        for place in places:
            outcome = held.get(self.names[place])
            if outcome is not None and outcome.status == CUT and outcome.folds:
                outcome = replace(outcome, status="ok")
            if outcome is not None and outcome.status != CUT:
                self._note(place, outcome, stored=True)
        return bool(held)

    def _tune(self, *, settled: bool) -> bool:
        """Let variants of the leaders that are settled or have all folds enter; tell whether there are new ones."""
        race, mean, count = self.race, self.race.posterior().mean, len(self.names)
        for place in sorted(race.fitted, key=lambda place: -mean[place])[:LEADERS]:
            spec = self.specs[self.names[place]]
            if spec.source != "named" or spec.settings or not (settled or race.next_fold(place) >= race.folds):
                continue
            for name, variant in variants(spec.path).items():
                if name not in self.names:
                    self.specs[name] = replace(spec_of(variant), kind=spec.kind)
                    self.names += (name,)
                    self.seconds.append(self.seconds[place] * variant["settings"].get("trees", 100) / 100)
                    race.enter(place, self.seconds[-1])
        new = range(count, len(self.names))
        if new:
            self._stored(new)
        return bool(new)

    def _step(self) -> None:
        """Make one trial, or say why there is none."""
        race, left = self.race, self.end - clocks.monotonic()
        good = len(race.fitted) > 1 and self.good_enough(self.stop_below)
        if left >= _LEAST_LEFT and self._tune(settled=good or not self.left):
            return
        if not self.left:
            self.stopped = "list-through"
        elif good:
            self.stopped = "good-enough"
        elif left < _LEAST_LEFT:
            self._end(dict.fromkeys(self._fresh, math.nan))
        else:
            self._start()
            self._run_next(self.end - clocks.monotonic())

    @property
    def _fresh(self) -> list[str]:
        """The algorithms that were not begun."""
        return [name for name in self.left if name not in self.trials]

    def _end(self, late: Mapping[str, float]) -> None:
        self.stopped, self.late, self.limited = "time-over", dict(late), True

    def _start(self) -> None:
        """Start the lab before the first trial and after a cut; what a busy machine takes beyond `grace` is added."""
        began = clocks.monotonic()
        self.bench.engine.start()
        took = clocks.monotonic() - began
        self.end += max(0.0, took - self.grace)
        self.grace = max(0.0, self.grace - took)

    def _run_next(self, seconds: float) -> None:
        """Run what promises most; one that was cut goes on when the others had their turn."""
        race = self.race
        share = seconds if len(self.left) == 1 else max(seconds / 2, min(seconds, _WHOLE))
        place = self._next(share, seconds)
        if place is None:
            self._end({name: float(race.seconds[self.names.index(name)]) for name in self._fresh})
            return
        outcome = self.bench.run(self.specs[self.names[place]], share, first=race.next_fold(place) == 0)
        self._note(place, outcome)
        if outcome.status == CUT:
            race.seconds[place] = max(race.seconds[place], share / 2)
        if outcome.interrupted:
            self.stopped = "interrupted"

    def _next(self, share: float, seconds: float) -> int | None:
        """Return what promises most per second among those that fit into a share of the time, or into all of it.

        Otherwise a slow one at the head of the list leaves a short time without any answer. Before any result the
        first of the list that fits comes first; where it was cut, or none fits, the quickest.
        """
        race = self.race
        if race.measured:
            following = race.next_fit(most=share) or race.next_fit(most=seconds)
            return None if following is None else following[0]
        soon = [place for place in race.alive if race.seconds[place] <= share]
        if soon and not self.trials:
            return soon[0]
        fresh = [place for place in race.alive if self.names[place] not in self.trials]
        return min(fresh or race.alive, key=lambda place: float(race.seconds[place]))

    def _cost(self, place: int) -> float:
        """Return the expected seconds of the next trial of an algorithm: its first replication, or all the others."""
        done = sum(item == place for item, _, _ in self.race.measured)
        fits = self.race.folds - done if done else self.bench.splits.folds
        return self.seconds[place] * fits / self.bench.engine.jobs

    def _note(self, place: int, outcome: Outcome, *, stored: bool = False) -> None:
        """Keep what came of a trial, and what the best may then lose."""
        name, race, judged, cells = self.names[place], self.race, self.bench.judged, self.bench.cells
        if outcome.status in ("ok", CUT, "interrupted"):
            per_fit = outcome.seconds / max(outcome.folds, 1)
            scores = {cells.index(cell): score for cell, score in outcome.measured}
            race.replace(place, {fold: judged.success(score) for fold, score in scores.items()}, per_fit)
            self.fits[name] = Fits(scores=tuple(scores.values()), seconds=(per_fit,) * len(scores))
        else:
            self.failed[name] = outcome.reason
            race.fail(place)
        if outcome.folds and outcome.seconds:
            self.seconds[place] = outcome.seconds / outcome.folds
        race.seconds[place] = self._cost(place)
        means = {trial.algorithm: trial.score for trial in self.trials.values() if trial.score is not None}
        means |= {name: outcome.score} if outcome.score is not None else {}
        best, rates = judged.best(means), race.rates()
        self.trials.pop(name, None)
        self.trials[name] = Trial(
            algorithm=name,
            status=outcome.status,
            score=outcome.score,
            score_name=judged.score,
            rmse=outcome.error,
            seconds=outcome.seconds,
            best_so_far=None if best is None else means[best],
            expected_loss=race.loss(race.posterior().best(race.fitted))[0] if race.fitted else math.nan,
            folds=outcome.folds,
            stored=stored,
            reason=outcome.reason,
            then=tuple(self.names[rate] for rate in sorted(rates, key=lambda item: -rates[item])),
        )
        self.progress(self.trials[name])
