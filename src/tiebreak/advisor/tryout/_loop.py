"""The loop: try what promises most, learn from what came, until nothing is likely to help or the time is over."""

from __future__ import annotations

import math
import time as clocks
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tiebreak.advisor.pilot.prior import WORST, Prior, prior_from
from tiebreak.advisor.pilot.race import Race
from tiebreak.advisor.rankings.gaps import filled
from tiebreak.advisor.tryout._bench import CUT, Bench, Outcome
from tiebreak.advisor.tryout._candidates import Candidates
from tiebreak.advisor.tryout._choosing import Choosing
from tiebreak.advisor.tryout._pilot import USUAL_NOISE
from tiebreak.advisor.tryout._tried_out import Trial

_LEAST_LEFT = 1.0
"""Seconds below which no further trial is begun."""
_WHOLE = 10.0
"""Seconds that a trial may always have, if they are there: processes need some for their libraries."""
_FIRST = 2
"""So many algorithms are tried in any case: one alone cannot be compared."""


@dataclass(slots=True, kw_only=True)
class Loop:
    """The trials so far, what is left, and why they ended."""

    bench: Bench
    choice: Choosing
    named: Candidates
    end: float
    stop_below: float
    progress: Callable[[Trial], None]
    trials: list[Trial] = field(default_factory=list)
    seen: dict[str, float] = field(default_factory=dict)
    errors: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    cut: dict[str, int] = field(default_factory=dict)
    measured: dict[str, tuple[tuple[tuple[str, str], float], ...]] = field(default_factory=dict)
    long: dict[str, float] = field(default_factory=dict)
    stopped: str = ""
    starting: float = 0.0

    @property
    def left(self) -> list[str]:
        """The algorithms that have not been tried to the end, in the recommended order."""
        return [name for name in self.choice.names if name not in self.seen and name not in self.failed]

    def go(self) -> None:
        """Try algorithms until a rule ends it; Ctrl-C ends it too, and what is finished counts."""
        try:
            finished = self._finished()
            if not finished:
                self.bench.begin(self.named.specs[self.choice.names[0]])
            while not self.stopped:
                self._step(finished)
        except KeyboardInterrupt:
            self.stopped = "interrupted"

    def scores(self) -> dict[str, float]:
        """Return the score of every algorithm with a finished fold: what the time cut short counts too.

        One with all folds has their mean; one with some has its posterior mean in the model of a pilot, which knows
        how hard its folds were, and does not take two lucky ones at their word.
        """
        part = [name for name in self.cut if self.measured.get(name)]
        if not part:
            return dict(self.seen)
        names = [*self.seen, *part]
        judged, places = self.bench.judged, [self.choice.places[name] for name in names]
        table = filled(self.choice.success[:, places])
        table = table[np.isfinite(table).all(axis=1)]
        weights = np.full(len(table), 1 / max(len(table), 1))
        flat = Prior(mean=np.zeros(len(names)), covariance=np.eye(len(names)) * WORST**2)
        folds = sorted({place for name in names for place, _ in self.measured[name]})
        race = Race(
            prior=prior_from(table, weights) if len(table) > 1 and len(names) > 1 else flat,
            listed=tuple(range(len(names))),
            seconds=np.ones(len(names)),
            rows=max(1, self.bench.data.n_rows // self.bench.splits.folds),
            noise=None if judged.kind == "classes" else USUAL_NOISE,
            folds=len(folds),
        )
        for i, name in enumerate(names):
            for place, score in self.measured[name]:
                race.add(i, folds.index(place), judged.success(score))
        expected = race.posterior().score()
        shrunk = {name: float(expected[names.index(name)]) for name in part}
        return self.seen | {n: each if judged.kind == "classes" else 1.0 - each for n, each in shrunk.items()}

    def _finished(self) -> dict[str, Outcome]:
        """Return what the store holds whole, or as failed, before anything is run."""
        held = self.bench.stored(self.named.specs.values())
        return {n: each for n, each in held.items() if each.status != CUT and each.status not in self.bench.retry}

    def _step(self, finished: Mapping[str, Outcome]) -> None:
        """Make one trial, or say why there is none; what the store holds costs nothing and comes first."""
        left = self.left
        free = [name for name in left if name in finished]
        gains = self.choice.gains(self.seen, left)
        if not left:
            self.stopped = "list-through"
        elif free:
            name = self.choice.next_of(gains, free, first=not self.seen)
            self._note(name, finished[name], stored=True)
        elif len(self.seen) >= _FIRST and gains.best < self.stop_below:
            self.stopped = "nothing-likely-to-help"
        else:
            self._start()
            self._run_next(left, self.end - clocks.monotonic())

    def _start(self) -> None:
        """Start the lab before the first trial and after a cut; on a busy machine that takes long, and comes on top."""
        began = clocks.monotonic()
        if self.end - began < _LEAST_LEFT:
            return
        self.bench.engine.start()
        took = clocks.monotonic() - began
        self.starting, self.end = self.starting + took, self.end + took

    def _run_next(self, left: Sequence[str], seconds: float) -> None:
        """Run the most promising of those that fit; one that was cut waits until all others had their turn.

        One that is expected to take longer than its share of the time waits for those that are not: otherwise a slow
        one at the head of the list leaves a short time without any answer.
        """
        jobs = self.bench.engine.jobs
        fitting = [name for name in left if not self.choice.too_long(name, seconds, jobs)]
        fresh = [name for name in fitting if name not in self.cut] or fitting
        if seconds < _LEAST_LEFT or not fresh:
            self.stopped = "time-over"
            places, times = self.choice.places, self.choice.seconds
            over = seconds < _LEAST_LEFT
            waiting = [n for n in left if n not in self.cut and (over or n not in fitting)]
            self.long = {n: math.nan if over else float(times[places[n]]) / jobs for n in waiting}
            return
        share = seconds if len(fitting) == 1 else max(seconds / 2, min(seconds, _WHOLE))
        soon = [name for name in fresh if self.choice.expected(name) / jobs <= share] or fresh
        name = self._next(left, soon)
        outcome = self.bench.run(self.named.specs[name], share)
        self._note(name, outcome)
        if outcome.interrupted:
            self.stopped = "interrupted"

    def _next(self, left: Sequence[str], among: Sequence[str]) -> str:
        """Return the most promising one; the quickest where the time has cut all before it: one answer comes first."""
        gains = self.choice.gains(self.seen, left)
        if self.cut and not self.seen:
            held = dict(zip(gains.algorithms, gains.gain.tolist(), strict=True))
            return min([name for name in among if held[name] > 0] or among, key=self.choice.expected)
        return self.choice.next_of(gains, among, first=not self.seen and not self.failed)

    def _note(self, name: str, outcome: Outcome, *, stored: bool = False) -> None:
        """Keep what came of a trial, and what is left to gain after it."""
        self.cut.pop(name, None)
        self.measured[name] = outcome.measured
        if outcome.status == "ok" and outcome.score is not None:
            self.seen[name] = outcome.score
            self.errors |= {name: outcome.error} if outcome.error is not None else {}
        elif outcome.status in (CUT, "interrupted"):
            self.cut[name] = outcome.folds
        else:
            self.failed[name] = outcome.reason
        best = self.bench.judged.best(self.seen)
        left = self.left
        gains = self.choice.gains(self.seen, left)
        self.trials = [each for each in self.trials if each.algorithm != name]  # one that goes on is told once
        trial = Trial(
            algorithm=name,
            status=outcome.status,
            score=outcome.score,
            score_name=self.bench.judged.score,
            rmse=outcome.error,
            seconds=outcome.seconds,
            best_so_far=None if best is None else self.seen[best],
            expected_gain_left=gains.best if self.seen else math.nan,
            folds=outcome.folds,
            stored=stored,
            reason=outcome.reason,
            then=self.choice.by_promise(gains, left),
        )
        self.trials.append(trial)
        self.progress(trial)
