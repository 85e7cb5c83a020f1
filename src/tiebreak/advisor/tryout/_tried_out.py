"""What came of trying a recommendation out: the trials, why they ended, which one to use, and the code that fits it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tiebreak.advisor import Recommendation
from tiebreak.advisor.tryout._judged_by import JudgedBy
from tiebreak.caveats import Caveats, codes_of
from tiebreak.documents import Document, Framed, Row, Shown
from tiebreak.documents.words import finite, finite_rows
from tiebreak.lab.fitting_code import FittingCode
from tiebreak.ordering import Ordering

STOPPED = {
    "good-enough": "the expected loss is below the limit",
    "time-over": "the time is over",
    "list-through": "every algorithm of the list was tried",
    "interrupted": "it was interrupted",
}
"""Why trials end."""


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
class TriedOut(Shown):
    """The answer for one data set: what to use, by trials of what was recommended.

    Parameters
    ----------
    recommendation : Recommendation
        The list that was tried.
    trials : tuple of Trial
        In the order in which they were made.
    stopped : str
        Why they ended, a key of `STOPPED`.
    expected_loss, loss_at_most : float
        What the answer is expected to lose against the best of the list, in the unit of the score, and the 90 % point.
    left : tuple of str
        The algorithms with folds left.
    ordering : Ordering or None
        The order of those with all folds, by scores and cost; None with fewer than two.
    best : str or None
        The one to use; None where none is better than the trivial answer, or no fold was finished.
    verdict : tuple of str
        Why, in sentences.
    code : FittingCode or None
        The lines that fit it on all rows.
    resampling, store : str
        How it was measured, and where the results are.
    seconds, budget : float
        What the run took, and what it was allowed.
    judged : JudgedBy
        What the trials are judged by, and what the trivial answer scores: the most frequent class, or the mean.
    caveats : tuple of Caveat
    """

    recommendation: Recommendation
    trials: tuple[Trial, ...]
    stopped: str
    expected_loss: float
    loss_at_most: float
    left: tuple[str, ...]
    ordering: Ordering | None
    best: str | None
    verdict: tuple[str, ...]
    code: FittingCode | None
    resampling: str
    store: str
    seconds: float
    budget: float
    judged: JudgedBy
    caveats: Caveats = ()

    @property
    def dataset(self) -> str:
        """The data set that it is for."""
        return self.recommendation.dataset

    @property
    def score(self) -> str:
        """What the trials are judged by: accuracy, or relative_rmse where numbers are predicted."""
        return self.judged.score

    @property
    def majority(self) -> float | None:
        """The share of the most frequent class; None where numbers are predicted."""
        return self.judged.trivial if self.judged.kind == "classes" else None

    def title(self) -> str:
        """Say in one line which algorithm to use."""
        scores = [trial.score for trial in self.trials if trial.score is not None]
        done = len(scores)
        if not done:
            return f"No fold was finished on {self.dataset!r} in the time"
        if self.best is None:
            return f"Use none of the {done} tried on {self.dataset!r} yet: {self.judged.answer} is no worse"
        return f"Use {self.best} on {self.dataset!r}: the best of {done} tried"

    def brief(self) -> str:
        """Say why the trials ended."""
        return STOPPED[self.stopped]

    def rows(self) -> list[Row]:
        """Return one row per trial, in their order."""
        return [
            {
                "trial": place,
                "algorithm": each.algorithm,
                "status": each.status,
                "folds": each.folds,
                self.score: each.score,
                **({} if self.judged.kind == "classes" else {"rmse": each.rmse}),
                "seconds": each.seconds,
                "best so far": each.best_so_far,
                "expected loss": each.expected_loss,
            }
            for place, each in enumerate(self.trials, start=1)
        ]

    def document(self) -> Document:
        """Return which one to use and why, the trials, the order of those tried, and the code."""
        from tiebreak.advisor.tryout._document import document

        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the recommendation as plain data with the run, the content of `tiebreak recommend --run --json`."""
        tried: list[Row] = [
            {
                "algorithm": each.algorithm,
                "status": each.status,
                self.score: each.score,
                **({} if self.judged.kind == "classes" else {"rmse": each.rmse}),
                "best_so_far": each.best_so_far,
                "expected_loss": each.expected_loss,
                "folds": each.folds,
                "stored": each.stored,
                "reason": each.reason,
            }
            for each in self.trials
        ]
        run = {
            "store": self.store,
            "resampling": self.resampling,
            "tried": finite_rows(tried),
            "stopped": self.stopped,
            "left": list(self.left),
            "order": [] if self.ordering is None else list(self.ordering.order),
            "reasons": [] if self.ordering is None else self.ordering.to_dict()["reasons"],
            "best": self.best,
            "verdict": list(self.verdict),
            "score": self.score,
            "majority": self.majority,
            "trivial": {
                "answer": self.judged.answer,
                self.score: self.judged.trivial,
                "rmse": self.judged.trivial_error,
            },
            "code": None if self.code is None else self.code.text,
            "code_needs": [] if self.code is None else list(self.code.packages),
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }
        base = self.recommendation.to_dict()
        clock = {
            "run_seconds": self.seconds,
            "run_budget": self.budget,
            "limited": self.stopped == "time-over",
            "fit_seconds": {each.algorithm: each.seconds for each in self.trials},
        }
        loss = {"mean": finite(self.expected_loss), "high": finite(self.loss_at_most), "level": 0.9}
        return base | {"run": run, "expected_loss": loss, "timing": base["timing"] | clock}
