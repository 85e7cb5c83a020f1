"""What the numbers of a pair say: shown not worse by a margin (better, for a margin of 0), worse, or neither."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray, IntArray
from tiebreak.documents import Framed
from tiebreak.stats import difference_intervals, item_pairs, non_inferiority_pairs, proportion_pairs, wilcoxon_pairs
from tiebreak.stats.items.anytime import BetPair, bet_pair
from tiebreak.stats.items.non_inferiority import MarginPair, TotalsPair, margin_pair, shown_within, unit_pair
from tiebreak.stats.items.planning import drop_caught, items_to_show

PASS, WORSE, UNDECIDED = "pass", "worse", "undecided"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Judgement(Framed):
    """One pair and a margin.

    `pvalue` is that of the candidate's being worse by `limit` or more, `pvalue_worse` that of its being no different
    (two-sided; with bets, of its being no worse). `shortfall` is by how much it is worse, between `low` and `high`
    (two-sided interval, None with bets), and `bound` the smallest margin that is shown. Of an undecided pair `needed`
    is how many items show an equal candidate with the power asked for, and, where there are as many, `needed_half` one
    that is worse by half the margin; `caught` is the smallest drop that these items call worse with that power. None
    where they are not asked for, infinite where there is no such number.
    """

    verdict: str
    shortfall: float
    limit: float
    low: float | None
    high: float | None
    bound: float
    pvalue: float
    pvalue_worse: float
    needed: float | None
    needed_half: float | None
    caught: float | None
    n_items: int
    n_units: int
    clustered: bool
    method: str
    worse_method: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DataSetPair:
    """Two algorithms over data sets, tested by signed ranks; a "unit" is a data set."""

    scores: FloatArray
    upward: bool
    how: str = "signed ranks"
    clustered: bool = False

    @property
    def shortfall(self) -> float:
        """By how much the candidate, the second column, is worse: the centre that signed ranks test, not the mean."""
        return -float(difference_intervals(self.scores, higher_is_better=self.upward).estimate[0]) + 0.0

    @property
    def span(self) -> float:
        """The range of scores, beyond which no margin is looked for."""
        return float(self.scores.max() - self.scores.min()) or 1.0

    @property
    def n_items(self) -> int:
        """The data sets."""
        return len(self.scores)

    @property
    def n_units(self) -> int:
        """The data sets."""
        return len(self.scores)

    @property
    def reference(self) -> float:
        """The mean score of the base."""
        return float(self.scores[:, 0].mean())

    def pvalue(self, margin: float) -> float:
        """Return the p-value of the candidate's being worse by the margin or more."""
        pairs = non_inferiority_pairs(self.scores, [[1, 0]], margin=margin, higher_is_better=self.upward)
        return float(pairs.pvalue[0])

    def shows(self, margin: float, alpha: float) -> bool:
        """Say whether that p-value is at most alpha."""
        return self.pvalue(margin) <= alpha

    def needed(self, margin: float, alpha: float, power: float, truth: float = 0.0) -> float:
        """Return how many data sets would do: those of t over the efficiency of signed ranks; at least five."""
        spread = float((self.scores[:, 0] - self.scores[:, 1]).std(ddof=1)) if len(self.scores) > 1 else inf
        least = float(np.ceil(np.log(alpha) / np.log(0.5)))
        count = (float(-special.ndtri(alpha) - special.ndtri(1.0 - power)) * spread / (margin - truth)) ** 2
        return max(least, float(np.ceil(count * np.pi / 3.0))) if isfinite(count) else inf


def judge_items(
    base: FloatArray,
    candidate: FloatArray,
    *,
    margin: float,
    relative: bool = False,
    clusters: IntArray | None = None,
    strata: IntArray | None = None,
    upward: bool = True,
    alpha: float = 0.05,
    power: float | None = 0.8,
    bound: float | None = None,
    names: tuple[str, str] = ("base", "candidate"),
) -> Judgement:
    """Judge two models on the same items, NaN where there is no answer; with a `bound` by bets, at any time.

    Without `power` nothing is planned, nor the smallest margin found, which takes most of the time.
    """
    options = {"clusters": clusters, "strata": strata, "upward": upward}
    if bound is not None:
        bets = bet_pair(unit_pair(candidate, base, **options), bound)  # type: ignore[arg-type]
        limit = margin * abs(bets.reference) if relative else margin
        worse = float(np.exp(-max(bets.log_worse(), 0.0)))
        return _judged(bets, limit, worse, None, alpha, power, "bets on the mean difference")
    pair = margin_pair(candidate, base, names=(names[1], names[0]), **options)  # type: ignore[arg-type]
    tests = item_pairs(
        np.stack([base, candidate], axis=1),
        clusters=clusters,
        strata=strata,
        adjust="none",
        higher_is_better=upward,
        level=1.0 - alpha,
    )
    ends = tuple(float(item[0]) if upward else -float(item[0]) for item in (tests.low, tests.high))
    limit = margin * abs(pair.reference) if relative else margin
    return _judged(pair, limit, float(tests.pvalue[0]), ends, alpha, power, tests.method)


def judge_totals(
    passed: tuple[float, float],
    n: tuple[float, float],
    *,
    margin: float,
    relative: bool = False,
    alpha: float = 0.05,
    power: float | None = 0.8,
) -> Judgement:
    """Judge two models by their totals, those of the base first."""
    tests = proportion_pairs(passed, n, adjust="none", level=1.0 - alpha)
    pair = TotalsPair(
        passed=int(np.rint(passed[0])), n=int(np.rint(n[0])), own=int(np.rint(passed[1])), n_own=int(np.rint(n[1]))
    )
    limit = margin * pair.reference if relative else margin
    ends = (float(tests.low[0]), float(tests.high[0]))
    return _judged(pair, limit, float(tests.pvalue[0]), ends, alpha, power, tests.method)


def judge_datasets(
    scores: FloatArray,
    *,
    margin: float,
    relative: bool = False,
    upward: bool = True,
    alpha: float = 0.05,
    power: float | None = 0.8,
) -> Judgement:
    """Judge two algorithms by their scores over data sets, those of the base in the first column."""
    pair = DataSetPair(scores=scores, upward=upward)
    tests = wilcoxon_pairs(scores, higher_is_better=upward)
    limit = margin * abs(pair.reference) if relative else margin
    intervals = difference_intervals(scores, higher_is_better=upward, level=1.0 - alpha)
    ends = (-float(intervals.high[0]), -float(intervals.low[0]))
    return _judged(pair, limit, float(tests.pvalue[0]), ends, alpha, power, tests.method)


def _judged(
    pair: MarginPair | BetPair | DataSetPair,
    limit: float,
    pvalue_worse: float,
    ends: tuple[float, ...] | None,
    alpha: float,
    power: float | None,
    worse_method: str,
) -> Judgement:
    """Put the two answers together: shown good enough comes first, as a drop within the margin is no reason to stop."""
    pvalue = pair.pvalue(limit) if limit > 0 else _pvalue_better(pair, pvalue_worse)
    touches = ends is not None and min(ends) <= 0 <= max(ends)  # what is called better or worse must look so in both
    worse = pvalue_worse <= alpha and pair.shortfall > 0 and not touches
    passed = pvalue <= alpha and not (limit <= 0 and touches)
    verdict = PASS if passed else WORSE if worse else UNDECIDED
    caught = power is not None and not isinstance(pair, (BetPair, DataSetPair))
    needed, half = (None, None) if power is None or verdict != UNDECIDED else _needed(pair, limit, alpha, power)
    return Judgement(
        verdict=verdict,
        shortfall=pair.shortfall,
        limit=limit,
        low=None if ends is None else min(ends),
        high=None if ends is None else max(ends),
        bound=inf if power is None else shown_within(pair, alpha),  # type: ignore[arg-type]
        pvalue=pvalue,
        pvalue_worse=pvalue_worse,
        needed=needed,
        needed_half=half,
        caught=drop_caught(pair, alpha=alpha, power=power) if caught else None,  # type: ignore[arg-type]
        n_items=pair.n_items,
        n_units=pair.n_units,
        clustered=pair.clustered,
        method=pair.how,
        worse_method=worse_method,
    )


def _pvalue_better(pair: MarginPair | BetPair | DataSetPair, two_sided: float) -> float:
    """Return the p-value for a margin of 0, where the candidate must be better: by the two-sided test, as elsewhere."""
    if isinstance(pair, BetPair):
        return pair.pvalue(0.0)
    return two_sided if pair.shortfall < 0 else 1.0


def _needed(
    pair: MarginPair | BetPair | DataSetPair, limit: float, alpha: float, power: float
) -> tuple[float | None, float | None]:
    """Say how many items would show an equal candidate, and, where there are as many, one worse by half the margin."""
    if limit <= 0 or (pair.clustered and pair.n_units < 2):  # how much clusters vary is not known
        return None, None

    def count(truth: float) -> float:
        if isinstance(pair, DataSetPair):
            return pair.needed(limit, alpha, power, truth)
        return items_to_show(pair, limit, alpha=alpha, power=power, truth=truth)

    equal = count(0.0)
    return equal, count(limit / 2.0) if equal <= pair.n_items else None
