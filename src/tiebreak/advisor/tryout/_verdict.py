"""Which of the tried algorithms to use: the one with the best score for its time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor.schedules.amounts import duration
from tiebreak.advisor.tryout._judged_by import JudgedBy
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.documents import listed, number, p_is
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
            best=None, sentences=(_first(top, top, seen, judged, None),), caveats=_notes(top, top, seen, judged)
        )
    timed = ordering is not None and top in ordering.algorithms
    best = _chosen(seen, ordering, top, accd, judged) if ordering is not None and timed else top
    said = [_first(best, top, seen, judged, (errors or {}).get(best))]
    if ordering is None or not timed:  # of one that was cut no whole trial can be compared
        return Verdict(best=best, sentences=tuple(said), caveats=_notes(best, top, seen, judged))
    seen = {name: score for name, score in seen.items() if name in ordering.algorithms}
    ranked = sorted(seen, key=lambda name: -judged.ahead(seen[name], 0.0))
    rivals = [name for name in ranked if name != best]
    said.append(_second(best, rivals[0], seen, ordering, judged))
    if best != top and rivals[0] != top:
        said.append(_second(best, top, seen, ordering, judged))
    first = ordering.order[0]
    notes = list(_notes(best, top, seen, judged))
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


def _notes(best: str, top: str, seen: Mapping[str, float], judged: JudgedBy) -> Caveats:
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
