"""What came of a run: the trials, why they ended, which algorithm to use and why, and the code that fits it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor import Recommendation
from tiebreak.advisor.budget_plan import duration
from tiebreak.advisor.pilot.fits import JudgedBy
from tiebreak.caveats import Caveat, Caveats, caveats_of, codes_of, distinct
from tiebreak.documents import Document, Framed, Row, Shown, Table, listed, number, p_is
from tiebreak.documents.tabling import table_of
from tiebreak.documents.words import finite, finite_rows
from tiebreak.lab.fitting_code import FittingCode
from tiebreak.methods import find
from tiebreak.ordering import Ordering

A_SECOND = 1.0
"""Nobody gives accuracy away for less: shorter times of a fit count as this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The algorithm to use, why, and what to mistrust."""

    best: str | None
    sentences: tuple[str, ...] = ()
    caveats: Caveats = ()


def verdict(
    seen: Mapping[str, float],
    ordering: Ordering | None,
    *,
    accd: float,
    judged: JudgedBy,
    errors: Mapping[str, float] | None = None,
) -> Verdict:
    """Say which algorithm to use.

    It is the one with the largest success / (1 + AccD log10(time / time of the best)); times of a fit below a second
    count as one. Success is the accuracy, or 1 - relative_rmse of numbers.
    """
    top = judged.best(seen)
    if top is None:
        return Verdict(best=None)
    if not judged.beaten(seen[top]):
        return Verdict(
            best=None, sentences=(_first(top, top, seen, judged, None),), caveats=_cautions(top, top, seen, judged)
        )
    timed = ordering is not None and top in ordering.algorithms
    best = _chosen(seen, ordering, top, accd, judged) if ordering is not None and timed else top
    said = [_first(best, top, seen, judged, (errors or {}).get(best))]
    if ordering is None or not timed:  # of one that was cut no whole trial can be compared
        return Verdict(best=best, sentences=tuple(said), caveats=_cautions(best, top, seen, judged))
    seen = {name: score for name, score in seen.items() if name in ordering.algorithms}
    ranked = sorted(seen, key=lambda name: -judged.ahead(seen[name], 0.0))
    rivals = [name for name in ranked if name != best]
    said.append(_second(best, rivals[0], seen, ordering, judged))
    if best != top and rivals[0] != top:
        said.append(_second(best, top, seen, ordering, judged))
    first = ordering.order[0]
    notes = list(_cautions(best, top, seen, judged))
    if first != best:
        notes.append(_differs(best, first, seen, judged))
    return Verdict(best=best, sentences=tuple(said), caveats=tuple(notes))


def _chosen(seen: Mapping[str, float], ordering: Ordering, top: str, accd: float, judged: JudgedBy) -> str:
    """Weigh success against time; the cheaper of equals."""
    paid = dict(zip(ordering.algorithms, _seconds(ordering).tolist(), strict=True))
    seconds = {name: max(paid[name], A_SECOND) for name in seen if name in paid}

    def worth(name: str) -> tuple[float, float]:
        ratio = 1.0 + accd * math.log10(seconds[name] / seconds[top])
        return (judged.success(seen[name]) / ratio if ratio > 0 else math.inf, -paid[name])

    return max(seconds, key=worth)


def _seconds(ordering: Ordering) -> FloatArray:
    assert ordering.valuation is not None  # one score was named
    return np.asarray(ordering.valuation.paid[0])


def _first(best: str, top: str, seen: Mapping[str, float], judged: JudgedBy, error: float | None) -> str:
    if not judged.beaten(seen[top]):
        return (
            f"Use none of them yet: {judged.answer} has {judged.score} {judged.trivial:.4f}, the best that"
            f" was tried, {top}, {seen[top]:.4f}."
        )
    return f"Use {best}: {judged.beside_trivial(seen[best], error)}."


def _second(best: str, other: str, seen: Mapping[str, float], ordering: Ordering, judged: JudgedBy) -> str:
    """Say how far two algorithms lie apart, and whether a test shows it."""
    apart = judged.ahead(seen[best], seen[other])
    i, j = ordering.algorithms.index(best), ordering.algorithms.index(other)
    pair = next(
        k for k, (a, b) in enumerate(zip(ordering.tests.a, ordering.tests.b, strict=True)) if {int(a), int(b)} == {i, j}
    )
    told = bool(ordering.better[i, j] or ordering.better[j, i])
    p = p_is(float(ordering.tests.adjusted[pair]))
    many = f", corrected for {len(ordering.tests.a)} pairs" if len(ordering.tests.a) > 1 else ""
    how = "significant on these data" if told else "no significant difference on these data"
    if apart == 0:
        return f"{other} has the same {judged.score}."
    way = "ahead of" if apart > 0 else "behind"
    return f"It is {abs(apart):.4f} {way} {other}{_cheaper(i, j, ordering)}: {how} ({p}{many})."


def _cheaper(i: int, j: int, ordering: Ordering) -> str:
    """Say how many times longer the other takes to train, where that is known."""
    paid = _seconds(ordering)
    if not (paid[i] > 0 and paid[j] > 0):
        return ""
    ratio = float(paid[j] / paid[i])
    if 0.9 < ratio < 1.1:
        return ", which takes as long to train"
    return f", which takes {number(max(ratio, 1 / ratio), 2)} times {'longer' if ratio > 1 else 'less'} to train"


def _differs(best: str, first: str, seen: Mapping[str, float], judged: JudgedBy) -> Caveat:
    apart = f"{judged.ahead(seen[best], seen[first]):.4f} {'higher' if judged.kind == 'classes' else 'lower'}"
    text = (
        f"Counted to the millisecond {first} is first, as it is faster. {best} is advised because its {judged.score} is"
        f" {apart}, and fits of less than a second count alike."
    )
    return Caveat("order-and-advice-differ", text)


def _cautions(best: str, top: str, seen: Mapping[str, float], judged: JudgedBy) -> Caveats:
    level = f"No algorithm was better than {judged.answer} ({judged.trivial:.4f})."
    many = f"{best} is the best of {len(seen)} by the folds it was chosen on, so its score is a little too good."
    return caveats_of(
        (not judged.beaten(seen[top]), "not-above-trivial", level),
        (len(seen) > 1, "optimistic", many),
    )


def failures(reasons: Mapping[str, str]) -> list[Caveat]:
    """Name every algorithm that failed, with its reason."""
    return [
        Caveat("run-failed", f"{name} failed: {reason or 'no reason was told'}") for name, reason in reasons.items()
    ]


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
        return document_of(self)

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


def document_of(found: TriedOut) -> Document:
    """Put together what trying out says."""
    said = (*found.verdict, *ended(found))
    return Document(
        title=found.title(),
        heading=f"Which algorithm to use on {found.dataset!r}",
        said=said,
        answer=found.verdict or said,
        decided=said,
        tables=tuple(_tables(found)),
        notes=tuple(_notes(found)),
        method=(f"Fits were chosen by the knowledge gradient per second, on {found.resampling} of the data.",),
        papers=_papers(found),
        caveats=distinct((*found.caveats, *(() if found.ordering is None else found.ordering.caveats))),
        code=found.code.text if found.code is not None else "",
        code_heading=f"To fit {found.best} on all rows",
    )


def ended(found: TriedOut) -> list[str]:
    """Say why the trials ended, and what the answer may lose."""
    why = f"After {found.seconds:.0f} of {found.budget:.0f} s the trials ended: {STOPPED[found.stopped]}."
    left = f" Not fitted on all folds: {listed(found.left, most=8)}." if found.left else ""
    return [
        f"{why}{left}",
        *([] if found.best is None else [found.judged.lost(found.expected_loss, found.loss_at_most)]),
    ]


def _tables(found: TriedOut) -> list[Table]:
    tables = [table_of(found.rows(), "Trials", texts=frozenset({1, 2}))] if found.trials else []
    if found.ordering is not None:
        tables += found.ordering.document().tables[:2]
    return tables


def _notes(found: TriedOut) -> list[str]:
    said = []
    if found.trials:
        said.append("expected loss: of the best so far against the best of the list, as expected then.")
    if found.ordering is not None:
        said += found.ordering.document().notes
    return [*said, f"The results are in {found.store}; the same command with more time goes on from there."]


def _papers(found: TriedOut) -> tuple[str, ...]:
    own = ("frazier2009",)
    ranking = find(found.recommendation.ranking.name, "ranking").papers
    return tuple(dict.fromkeys((*own, *ranking, *(found.ordering.document().papers if found.ordering else ()))))
