"""The race of a pilot with more time: every fold goes into the store, until the answer is good or the time is over."""

from __future__ import annotations

import math
import time as clocks
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from tiebreak.advisor.pilot.race import Race
from tiebreak.advisor.tryout._bench import CUT, Bench, Outcome
from tiebreak.advisor.tryout._tried_out import Trial
from tiebreak.lab.tasks import AlgorithmSpec

_LEAST_LEFT = 1.0
"""Seconds below which no further trial is begun."""
_WHOLE = 10.0
"""Seconds that a trial may always have, if they are there: processes need some for their libraries."""


@dataclass(slots=True, kw_only=True)
class Loop:
    """The trials so far, what is left, and why they ended.

    `race` is over the algorithms of `names`, a fold of the bench being one of its folds. An algorithm is fitted on the
    folds of the first replication, and later, if it still promises most per second, on all others. `seconds` are
    predicted for one fit.
    """

    bench: Bench
    race: Race
    names: tuple[str, ...]
    specs: Mapping[str, AlgorithmSpec]
    seconds: list[float]
    end: float
    stop_below: float
    progress: Callable[[Trial], None]
    trials: dict[str, Trial] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    late: dict[str, float] = field(default_factory=dict)
    stopped: str = ""
    starting: float = 0.0

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

    def scores(self) -> dict[str, float]:
        """Return the score of every algorithm with a finished fold.

        One with all folds has their mean. One with some has its posterior mean, which knows how hard its folds were,
        and does not take two lucky ones at their word.
        """
        if not self.race.fitted:
            return {}
        expected = self.race.posterior().score()
        out = {}
        for place in self.race.fitted:
            trial = self.trials[self.names[place]]
            whole = self.race.next_fold(place) >= self.race.folds
            out[trial.algorithm] = (
                trial.score if whole and trial.score is not None else self.bench.judged.score_of(float(expected[place]))
            )
        return out

    def loss(self, best: str | None) -> tuple[float, float]:
        """Return the expected loss of an algorithm against the best of the list, and its 90 % point."""
        if best is None:
            return math.nan, math.nan
        return self.race.posterior().loss(self.names.index(best), self.race.alive)

    def _take_up(self) -> None:
        """Count what the store holds already, before anything is run."""
        held = self.bench.stored(self.specs.values())
        for place in self.race.listed:
            self.race.seconds[place] = self._cost(place)
        for place in self.race.listed:
            outcome = held.get(self.names[place])
            if outcome is not None and outcome.status == CUT and outcome.folds:
                outcome = replace(outcome, status="ok")
            if outcome is not None and outcome.status not in (CUT, *self.bench.retry):
                self._note(place, outcome, stored=True)
        if not held:
            self.bench.begin(self.specs[self.names[self.race.listed[0]]])

    def _step(self) -> None:
        """Make one trial, or say why there is none."""
        race, left = self.race, self.end - clocks.monotonic()
        if not self.left:
            self.stopped = "list-through"
        elif len(race.fitted) > 1 and race.posterior().loss(self._best(), race.alive)[0] < self.stop_below:
            self.stopped = "good-enough"
        elif left < _LEAST_LEFT:
            self._end(dict.fromkeys(self._fresh, math.nan))
        else:
            self._start()
            self._run_next(self.end - clocks.monotonic())

    def _best(self) -> int:
        return self.race.posterior().best(self.race.fitted)

    @property
    def _fresh(self) -> list[str]:
        """The algorithms that were not begun."""
        return [name for name in self.left if name not in self.trials]

    def _end(self, late: Mapping[str, float]) -> None:
        self.stopped, self.late = "time-over", dict(late)

    def _start(self) -> None:
        """Start the lab before the first trial and after a cut; on a busy machine that takes long, and comes on top."""
        began = clocks.monotonic()
        self.bench.engine.start()
        took = clocks.monotonic() - began
        self.starting, self.end = self.starting + took, self.end + took

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
        done = sum(each == place for each, _, _ in self.race.measured)
        fits = self.race.folds - done if done else self.bench.splits.folds
        return self.seconds[place] * fits / self.bench.engine.jobs

    def _note(self, place: int, outcome: Outcome, *, stored: bool = False) -> None:
        """Keep what came of a trial, and what the best may then lose."""
        name, race, judged, cells = self.names[place], self.race, self.bench.judged, self.bench.cells
        if outcome.status in ("ok", CUT, "interrupted"):
            race.replace(place, {cells.index(cell): judged.success(score) for cell, score in outcome.measured})
        else:
            self.failed[name] = outcome.reason
            race.fail(place)
        if outcome.folds and outcome.seconds:
            self.seconds[place] = outcome.seconds / outcome.folds
        race.seconds[place] = self._cost(place)
        scores = {each.algorithm: each.score for each in self.trials.values() if each.score is not None}
        scores |= {name: outcome.score} if outcome.score is not None else {}
        best = judged.best(scores)
        rates = race.rates()
        self.trials.pop(name, None)
        self.trials[name] = Trial(
            algorithm=name,
            status=outcome.status,
            score=outcome.score,
            score_name=judged.score,
            rmse=outcome.error,
            seconds=outcome.seconds,
            best_so_far=None if best is None else scores[best],
            expected_loss=race.posterior().loss(self._best(), race.alive)[0] if race.fitted else math.nan,
            folds=outcome.folds,
            stored=stored,
            reason=outcome.reason,
            then=tuple(self.names[each] for each in sorted(rates, key=lambda each: -rates[each])),
        )
        self.progress(self.trials[name])
