"""What came of a run: the trials, why they ended, which algorithm to use, and the code that fits it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tiebreak.advisor.budget_plan import duration
from tiebreak.advisor.pilot.piloted import PilotedRecommendation
from tiebreak.caveats import Caveat
from tiebreak.documents import Document, Framed, Row, listed
from tiebreak.documents.parts import table_of
from tiebreak.documents.words import finite, finite_rows


def unfinished(cut: Mapping[str, int], folds: int, long: Mapping[str, float]) -> list[Caveat]:
    """Name the trials that the time cut, and those that it was too short for."""
    notes = []
    if cut:
        some = listed([f"{name} ({done} of {folds} folds)" for name, done in cut.items()])
        notes.append(Caveat("trials-unfinished", f"Cut by the time: {some}. The finished folds count, and are kept."))
    late = [name for name, seconds in long.items() if math.isnan(seconds)]
    if late:
        notes.append(Caveat("trials-unfinished", f"Not begun, as the time was over: {listed(late)}."))
    elif long:
        some = listed([f"{name} (about {duration(seconds)})" for name, seconds in long.items()])
        notes.append(Caveat("trials-unfinished", f"Not begun, as the time that was left is too short: {some}."))
    return notes


STOPPED = {
    "good-enough": "the expected loss is below the limit",
    "time-over": "the time is over",
    "list-through": "every algorithm of the list was tried",
    "interrupted": "it was interrupted",
}
"""Why trials end."""
_IN_JSON = ("algorithm", "status", "best_so_far", "expected_loss", "folds", "stored", "reason")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Trial(Framed):
    """One algorithm that was tried.

    `status` is "ok", "timeout" (cut by the time), or how it failed, with the `reason`; `folds` are finished.
    `score` is the mean over them, of accuracy where classes are predicted, of relative_rmse where numbers are,
    which have their `rmse` beside it; `best_so_far` is the best of them up to then, `expected_loss` what the best was
    then expected to lose against the best of the list. `stored` says that the store had it already. `then` are those
    with folds left, the most promising first, by all that was learned up to then.
    """

    algorithm: str
    status: str
    score: float | None
    seconds: float
    best_so_far: float | None
    expected_loss: float
    folds: int
    stored: bool = False
    reason: str = ""
    score_name: str = "accuracy"
    rmse: float | None = None
    then: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TriedOut(PilotedRecommendation):
    """The answer for one data set after a run: a recommendation that was piloted on all rows.

    Beside what a `PilotedRecommendation` holds:

    Parameters
    ----------
    trials : tuple of Trial
        In the order in which they were made.
    stopped : str
        Why they ended, a key of `STOPPED`.
    left : tuple of str
        The algorithms with folds left.
    resampling, store : str
        How it was measured, and where the results are.
    """

    trials: tuple[Trial, ...]
    stopped: str
    left: tuple[str, ...]
    resampling: str
    store: str

    def title(self) -> str:
        """Say in one line what to use."""
        if not self.tried:
            return f"No fold was finished on {self.dataset!r} in the time: give it more."
        return PilotedRecommendation.title(self)

    def _measured(self) -> str:
        return f"in {self.resampling}, a little optimistic"

    def _sure(self) -> list[str]:
        """Say what the answer may lose, why the trials ended, and where the results are."""
        left = f" Not fitted on all folds: {listed(self.left, most=4)}." if self.left else ""
        spent = (
            f"{self._fitted()}; the run took {self.seconds:.0f} of {self.budget:g} s: {STOPPED[self.stopped]}.{left}"
        )
        return [
            *self._doubts(),
            *([f"How sure: {self._loss()}"] if self._loss() else []),
            *self._trade(),
            self._rests_on(),
            spent,
            f"The results are in {self.store}; the same command with more time goes on from there.",
        ]

    def trial_rows(self) -> list[Row]:
        """Return one row per trial, in their order."""
        return [
            {
                "trial": place,
                "algorithm": trial.algorithm,
                "status": trial.status,
                "folds": trial.folds,
                self.judged.score: trial.score,
                **({} if self.judged.kind == "classes" else {"rmse": trial.rmse}),
                "seconds": trial.seconds,
                "best so far": trial.best_so_far,
                "expected loss": trial.expected_loss,
            }
            for place, trial in enumerate(self.trials, start=1)
        ]

    def document(self) -> Document:
        """Return the answer, its table, the trials, and what past results say."""
        document = PilotedRecommendation.document(self)
        how = f"Fits were chosen by the knowledge gradient per second, on {self.resampling} of the data."
        trials = [table_of(self.trial_rows(), "Trials", texts=frozenset({1, 2}))] if self.trials else []
        return replace(
            document, tables=(document.tables[0], *trials, *document.tables[1:]), method=(how, *document.method[1:])
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the recommendation as plain data with the run, the content of `tiebreak recommend --run --json`."""
        tried: list[Row] = [
            {name: getattr(trial, name) for name in _IN_JSON} | {self.judged.score: trial.score}
            for trial in self.trials
        ]
        if self.judged.kind == "number":
            tried = [row | {"rmse": trial.rmse} for row, trial in zip(tried, self.trials, strict=True)]
        result = PilotedRecommendation.to_dict(self)
        run = {
            "store": self.store,
            "resampling": self.resampling,
            "tried": finite_rows(tried),
            "stopped": self.stopped,
            "left": list(self.left),
            "order": [piloted.algorithm for piloted in self.tried],
            "best": self.best,
            "score": self.judged.score,
            "majority": self.trivial if self.judged.score == "accuracy" else None,
            "trivial": {
                "answer": self.judged.answer,
                self.judged.score: self.judged.trivial,
                "rmse": self.judged.trivial_error,
            },
            "code": result["pilot"]["code"],
        }
        clock = {
            "run_seconds": self.seconds,
            "run_budget": self.budget,
            "fit_seconds": {trial.algorithm: finite(trial.seconds) for trial in self.trials},
        }
        return result | {"run": run, "timing": result["timing"] | clock}
