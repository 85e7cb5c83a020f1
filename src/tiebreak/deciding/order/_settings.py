"""The decisions of an ordering at other settings: what a page needs to order again by itself, exactly.

Every comparison of a p-value with a level is made here, by the procedure itself; who reads this has only to follow
MultiTest. Settings are a stated grid: levels of alpha, and margins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._brief import held
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import codes_of
from tiebreak.deciding.order._answer import all_equal
from tiebreak.deciding.order._family import OWN, own_adjusted
from tiebreak.deciding.order._margins import Margin, pair_pvalues
from tiebreak.deciding.order._multi2test import Multi2Test
from tiebreak.deciding.order._over_items import OverItems
from tiebreak.deciding.order._over_scores import OverScores
from tiebreak.deciding.order._procedure import Procedure, decided
from tiebreak.deciding.order._trade import shifts_of
from tiebreak.documents import confidence, number, pvalue as print_p
from tiebreak.stats import PairwiseResult

if TYPE_CHECKING:
    from tiebreak.deciding.order._ordering import Ordering
    from tiebreak.deciding.order._table import FoldTable

LEVELS = (
    *(0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07),
    *(0.08, 0.09, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3),
)
"""Levels of alpha that a page offers; the level of the ordering itself is always among them."""
FEW_LEVELS = (0.01, 0.05, 0.1)
"""By places every level has places of its own: fewer are offered."""
STEPS, DECADES = (1, 2, 3, 5), 3
"""Margins in one power of ten, and how many powers of ten they span."""
SHARES = (0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2)
"""Margins as shares of the score."""
NEVER = "-"
"""Stands for a pair that no level decides."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Made:
    """What one level of alpha decides by: tests, directions (toward[i, j]: j is the better one), prior, the gate."""

    tests: PairwiseResult
    toward: BoolArray
    prior: IntArray
    gated: bool
    what: str | None

    def same(self, other: _Made) -> bool:
        """Whether only the level tells the two apart."""
        same = all(
            np.array_equal(getattr(self.tests, name), getattr(other.tests, name)) for name in ("a", "b", "adjusted")
        )
        return same and self.gated == other.gated and bool(np.array_equal(self.prior, other.prior))


def decisions_at_settings(found: Ordering) -> dict[str, Any]:
    """Return what decides the order at other levels and margins, as plain data.

    Pairs run over i < j in the order of `algorithms`, row by row. `models` hold the decisions, `at` says which of them
    belongs to each of the `levels`. In a model, `better` holds a digit per pair: the first level (in base 36) at which
    a test tells the two apart, "-" for none; `toward` who is better then: "<" the first, ">" the second, "=" neither.
    `good` likewise holds for each margin the first level at which the cheaper one is shown good enough.

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.order(tb.published.ulas2012(), score="accuracy", cost="space")
    >>> told = decisions_at_settings(found)
    >>> told["levels"][told["level"]], len(told["models"]), len(told["models"][0]["better"])
    (0.05, 1, 28)
    """
    usual = FEW_LEVELS if isinstance(found.procedure, Multi2Test) and len(found.datasets) > 1 else LEVELS
    levels = sorted({*usual, found.plan.alpha})
    made, at = _models(found, levels)
    margins = margins_of(found)
    return {
        "algorithms": list(found.algorithms),
        "score": found.score.name,
        "costs": list(found.costs),
        "levels": levels,
        "level": levels.index(found.plan.alpha),
        "margins": [str(margin) for margin in margins],
        "unmargined": _no_margins(found, margins),
        "margin": next((k for k, each in enumerate(margins) if each == found.plan.margin), None),
        "unit": found.table.margin_unit,
        "undecided": found.plan.undecided,
        "family": found.plan.family,
        "several": found.table.measures is not None and found.over == "folds",
        "models": [_model(found, each, levels, margins) for each in made],
        "at": at,
        "words": held(found.words),
        "differences": _differences(found),
        "confidence": _confidence(found),
        "firm": _firm(found),
        "order": [found.algorithms.index(name) for name in found.order],
        "unpriced": [] if found.table.unpriced is None else np.flatnonzero(found.table.unpriced).tolist(),
    }


def margins_of(found: Ordering) -> list[Margin]:
    """Return the margins that are offered, smallest first; none where no margin could mean anything."""
    own = found.plan.margin
    if isinstance(found.procedure, OverItems):  # each asks for tests of all pairs
        return [] if own is None else [own]
    if found.over != "scores" or found.table.test == "sign":
        return []
    if own is not None and own.relative:
        return [Margin(size=size, relative=True) for size in sorted({*SHARES, own.size})]
    spread = _spread(found.table.compared)
    if spread == 0:  # all score the same everywhere
        return [] if own is None else [own]
    top = floor(log10(spread)) if spread < float("inf") else 0
    sizes = {float(f"{step}e{top - down}") for down in range(DECADES) for step in STEPS}
    return [Margin(size=size) for size in sorted(sizes if own is None else {*sizes, own.size})]


def _spread(compared: FloatArray) -> float:
    """Return how far apart the means lie; where they are equal, how far the scores of a data set do."""
    means = compared.mean(axis=0)
    far = float(means.max() - means.min())
    noise = 1e-14 * float(np.abs(compared).max())
    return far if far > noise else float((compared.max(axis=1) - compared.min(axis=1)).max())


def _no_margins(found: Ordering, margins: Sequence[Margin]) -> str:
    """Say why no margin is offered; empty where some are."""
    if margins:
        return ""
    if all_equal(found):
        return f"Not offered: all have the same {found.score.name} on every data set; no margin would change the order."
    if found.over == "places":
        return "Not offered: a margin is one of scores, and this order is by places."
    if found.over == "items":
        return "Not offered here: that one is good enough is shown on items when the order is made, with a margin."
    if found.over == "folds":
        return "Not offered: that one is good enough is shown over data sets, and this is one."
    return "Not offered: the scores lie on different scales, and a difference of them has no size."


def _models(found: Ordering, levels: Sequence[float]) -> tuple[list[_Made], list[int]]:
    """Decide at every level; levels that share tests and prior share a model."""
    known: dict[bool, PairwiseResult] = {}
    made: list[_Made] = []
    at = []
    for alpha in levels:
        procedure = replace(found.procedure, plan=replace(found.plan, alpha=alpha))
        one = _decided_at(procedure, found.table, known)
        if not made or not one.same(made[-1]):
            made.append(one)
        at.append(len(made) - 1)
    return made, at


def _decided_at(procedure: Procedure, table: FoldTable, known: dict[bool, PairwiseResult]) -> _Made:
    """Run the tests of one level; those over scores depend on it only in whether folds are tested."""
    prior = procedure.overall_prior(table)[0]
    count = len(table.algorithms)
    if isinstance(procedure, OverItems):
        if True not in known:
            known[True] = procedure.tests(table)
        tests = known[True]
        toward = decided(tests.a, tests.b, np.ones(len(tests.a), dtype=bool), tests.statistic, count)
        return _Made(tests=tests, toward=toward, prior=prior, gated=False, what="on the items")
    if isinstance(procedure, OverScores):
        folds = procedure.on_folds(table)
        if folds not in known:
            known[folds] = procedure.tests(table)[0]
        tests = known[folds]
        toward = decided(tests.a, tests.b, np.ones(len(tests.a), dtype=bool), tests.statistic, count)
        what = "on the folds of these data sets" if folds else "over data sets"
        return _Made(tests=tests, toward=toward, prior=prior, gated=False, what=what)
    assert isinstance(procedure, Multi2Test)
    inner, ranks, _ = procedure.places(table)
    omnibus, tests, _ = procedure.outer(table, inner, ranks)
    if omnibus is not None:
        toward = decided(tests.a, tests.b, np.ones(len(tests.a), dtype=bool), tests.statistic, count)
        gated = omnibus.pvalue > procedure.plan.alpha
        return _Made(tests=tests, toward=toward, prior=prior, gated=gated, what="of their mean places")
    none = np.zeros((count, count), dtype=bool)
    toward = none if inner is None else inner.better(1.0, count)[0]
    return _Made(tests=tests, toward=toward, prior=prior, gated=False, what=None if inner is None else "on the folds")


def _model(found: Ordering, made: _Made, levels: Sequence[float], margins: Sequence[Margin]) -> dict[str, Any]:
    """Write one model: everything that does not change between its levels."""
    a, b = np.triu_indices(len(found.algorithms), 1)
    adjusted, pvalue = (_square(made.tests, name)[a, b] for name in ("adjusted", "pvalue"))
    first = np.where(made.gated, len(levels), np.searchsorted(levels, adjusted, side="left"))
    toward = np.where(made.toward[a, b], ">", np.where(made.toward[b, a], "<", "="))
    standing = replace(found.standing, prior=made.prior)
    own = found.plan.family == OWN and not made.gated
    return {
        "prior": made.prior.tolist(),
        "gated": made.gated,
        "what": made.what,
        "better": _coded(first, len(levels)),
        "toward": "".join(toward),
        "own": _coded(np.searchsorted(levels, _own(made)[a, b], side="left"), len(levels)) if own else "",
        "own_p": [print_p(float(p)) for p in _own(made)[a, b]] if own else [],
        "p": [] if made.what is None else [print_p(float(p)) for p in pvalue],
        "adjusted": [] if made.what is None else [print_p(float(p)) for p in adjusted],
        "ratios": [_ratio(standing.cost_words(int(i), int(j))) for i, j in zip(a, b, strict=True)],
        "good": [_good(found, made.prior, levels, margin) for margin in margins],
    }


def _own(made: _Made) -> FloatArray:
    """Return the p-values with the comparisons of one algorithm counted, not those of all pairs."""
    return own_adjusted(_square(made.tests, "pvalue"), len(made.tests.algorithms))


def _square(tests: PairwiseResult, name: str) -> FloatArray:
    """Return a column of the tests as a matrix, the same from both sides."""
    count = len(tests.algorithms)
    out = np.ones((count, count))
    out[tests.a, tests.b] = out[tests.b, tests.a] = getattr(tests, name)
    return out


def _coded(first: IntArray, count: int) -> str:
    return "".join(_DIGITS[k] if k < count else NEVER for k in first.tolist())


def _ratio(words: str) -> str:
    """Keep what stands before the word for cheaper or costlier: "200 times", "hardly", or nothing."""
    head = words.split(" ")
    return " ".join(head[:2]) if head[1:2] == ["times"] else head[0] if head[0] == "hardly" else ""


def _good(found: Ordering, prior: IntArray, levels: Sequence[float], margin: Margin) -> str:
    """Write from which level on the cheaper one of each pair is shown good enough."""
    if isinstance(found.procedure, OverItems):
        pairs, adjusted = found.procedure.within(found.table, prior, margin)
    else:
        pairs, adjusted = pair_pvalues(found.table.compared, prior, margin)
    square = np.ones(2 * (len(found.algorithms),))
    square[pairs[:, 0], pairs[:, 1]] = square[pairs[:, 1], pairs[:, 0]] = adjusted
    a, b = np.triu_indices(len(found.algorithms), 1)
    return _coded(np.searchsorted(levels, square[a, b], side="left"), len(levels))


def _differences(found: Ordering) -> list[str]:
    """Write for each pair who scores better by how much, and between which ends; of an interval without end, no ends.

    `<0.012 0.01 0.02`: the first one by 0.012, from 0.01 to 0.02; `=` where the estimate is 0, ends as seen from the
    first one.
    """
    one = len(found.datasets) < 2 and found.table.tested is None
    if one or found.table.measures is not None:
        return []
    shift, low, high = shifts_of(found.table, found.plan.alpha)
    out = []
    for one, from_, to in zip(shift.tolist(), low.tolist(), high.tolist(), strict=True):
        sign = 1.0 if one <= 0 else -1.0
        ends = sorted((0.0 - sign * from_, 0.0 - sign * to))
        span = f" {number(ends[0])} {number(ends[1])}" if np.isfinite(from_) else ""
        out.append(f"{'=' if one == 0 else '<' if one < 0 else '>'}{number(abs(one))}{span}")
    return out


def _confidence(found: Ordering) -> str:
    sure = f"with {confidence(found.plan.alpha)} confidence"
    if found.table.tested is not None:
        return f"{sure} for items like these"
    return f"{sure} for data sets at large" if "on-these-datasets" in codes_of(found.caveats) else sure


def _firm(found: Ordering) -> dict[str, Any] | None:
    """Say of each pair in how many resamples the two stand as they do."""
    firm = found.firmness
    if firm is None or firm.before is None:
        return None
    place = found.standing.place - 1
    a, b = np.triu_indices(len(place), 1)
    first, second = np.minimum(place[a], place[b]), np.maximum(place[a], place[b])
    return {
        "repetitions": f"{firm.repetitions:,}",
        "before": [f"{share:.0%}" for share in firm.before[first, second].tolist()],
    }
