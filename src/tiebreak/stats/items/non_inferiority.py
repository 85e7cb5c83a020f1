"""Good enough: is a candidate shown not to be worse than a reference by a margin or more, on the same items?

Right and wrong answers on one benchmark without clusters are counted and tested exactly; everything else is made parts
of units, items or clusters, each benchmark counting alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, IntArray, as_floats, check_names, check_within
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.items.flips import margin_pvalue
from tiebreak.stats.items.proportions import Counts, PairedCounts, TwoTotals, exact_pvalue, is_shown, proportion_pairs
from tiebreak.stats.items.units import by_cluster, cell_sums, check_codes, laid_out
from tiebreak.stats.numeric.basics import floor_pvalue
from tiebreak.stats.results import PairwiseResult, check_correction, frozen, pair_fields
from tiebreak.stats.two.non_inferiority import check_pairs
from tiebreak.wording import option

CLOSE = 1e-4
"""The smallest margin that is shown is found to this share of the range of scores; more finely where items are many."""
FINER_FROM = 1000
"""Beyond so many items the smallest margin is found as much more finely as there are more of them."""
EXACT = "exact score test"
TILTED = "largest p-value of the tail under the closest truth, of changed signs and of t"
_FINEST, _MOST_VALUES = 12, 60


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExactPair:
    """Two models by counts of `n` items, tested exactly."""

    n: int
    how: str = EXACT
    clustered: bool = False
    span: float = 1.0

    @property
    def n_items(self) -> int:
        """The items of both."""
        return self.n

    @property
    def n_units(self) -> int:
        """Every item counts by itself."""
        return self.n_items

    def pvalue(self, margin: float) -> float:
        """Return the p-value of the candidate's being worse by the margin or more."""
        return exact_pvalue(*self._counts(min(margin, 1.0 - 1e-9)))[1]

    def shows(self, margin: float, alpha: float) -> bool:
        """Say whether that p-value is at most alpha."""
        return is_shown(*self._counts(min(margin, 1.0 - 1e-9)), alpha)

    def _counts(self, margin: float) -> tuple[Counts, int, int]:
        """Return the hypothesis with its two counts."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedPair(ExactPair):
    """Two models on the same items, right or wrong: items that only the reference (`lost`) or the candidate got."""

    lost: int
    won: int
    reference: float

    @property
    def shortfall(self) -> float:
        """By how much the candidate is worse."""
        return (self.lost - self.won) / self.n

    def _counts(self, margin: float) -> tuple[Counts, int, int]:
        return PairedCounts(n=self.n, margin=margin), self.lost, self.won


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TotalsPair(ExactPair):
    """Two models by their totals: `passed` of `n` by the reference, `own` of `n_own` by the candidate."""

    passed: int
    own: int
    n_own: int

    @property
    def shortfall(self) -> float:
        """By how much the candidate is worse."""
        return self.passed / self.n - self.own / self.n_own

    @property
    def reference(self) -> float:
        """The share of the reference."""
        return self.passed / self.n

    @property
    def n_items(self) -> int:
        """The smaller number of items."""
        return min(self.n, self.n_own)

    def _counts(self, margin: float) -> tuple[Counts, int, int]:
        return TwoTotals(n=self.n, n_candidate=self.n_own, margin=margin), self.passed, self.own


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnitPair:
    """Two models on units: `gains` are the weighted sums of candidate less reference, `sizes` the weights of the units.

    Gains add up to minus the shortfall and sizes to one. `largest` is the weight of a unit that could yet fail as a
    whole, `span` the range of scores, `step` the step on which differences lie times the weight of an item, 0 without.
    """

    gains: FloatArray
    sizes: FloatArray
    largest: float
    span: float
    step: float
    n_items: int
    reference: float
    clustered: bool
    how: str = TILTED

    @property
    def shortfall(self) -> float:
        """By how much the candidate is worse."""
        return float(-self.gains.sum()) + 0.0

    @property
    def n_units(self) -> int:
        """Clusters, or items."""
        return len(self.gains)

    def worst(self, margin: float) -> float:
        """Return the part of a unit on which the candidate fails wholly."""
        return -max(self.span - margin, 1e-3 * self.span) * self.largest

    def pvalue(self, margin: float) -> float:
        """Return the p-value of the candidate's being worse by the margin or more."""
        parts = self.gains + margin * self.sizes
        return margin_pvalue(parts, self.sizes, worst=self.worst(margin), half=self.step / 2.0)

    def shows(self, margin: float, alpha: float) -> bool:
        """Say whether that p-value is at most alpha."""
        return self.pvalue(margin) <= alpha


MarginPair = CountedPair | TotalsPair | UnitPair


def margin_z(pvalue: float) -> float:
    """Return the normal z of a one-sided p-value, finite for any."""
    return float(special.ndtri(np.clip(pvalue, 1e-300, 1.0 - 1e-16)))


def shown_within(pair: MarginPair, alpha: float, *, shown: float | None = None) -> float:
    """Return the smallest margin that is shown at a level: the upper end of a one-sided interval of the shortfall.

    `shown` is a margin that is known to be shown, to begin with.

    Examples
    --------
    >>> round(shown_within(CountedPair(lost=0, won=0, n=299, reference=0.8), 0.05), 3)
    0.01
    """
    low, high = max(pair.shortfall, 0.0), max(pair.span, pair.shortfall) if shown is None else shown
    if shown is None and not pair.shows(high, alpha):
        return float("inf")
    least = CLOSE / max(1.0, pair.n_items / FINER_FROM) * pair.span
    while high - low > least:
        middle = (low + high) / 2.0
        low, high = (low, middle) if pair.shows(middle, alpha) else (middle, high)
    return high


def margin_pair(
    candidate: FloatArray,
    reference: FloatArray,
    *,
    clusters: IntArray | None = None,
    strata: IntArray | None = None,
    upward: bool = True,
    names: tuple[str, str] = ("the candidate", "the reference"),
) -> CountedPair | UnitPair:
    """Prepare two models on the items that both answered."""
    values, other, groups, blocks = _common(candidate, reference, clusters, strata, names)
    both = np.concatenate([values, other])
    if groups is None and blocks is None and bool(((both == 0.0) | (both == 1.0)).all()):
        gain = values - other if upward else other - values
        lost, won = int((gain < 0).sum()), int((gain > 0).sum())
        return CountedPair(lost=lost, won=won, n=len(gain), reference=float(other.mean()))
    return unit_pair(values, other, clusters=groups, strata=blocks, upward=upward)


def unit_pair(
    candidate: FloatArray,
    reference: FloatArray,
    *,
    clusters: IntArray | None = None,
    strata: IntArray | None = None,
    upward: bool = True,
) -> UnitPair:
    """Prepare two models as sums of units, whatever their scores are."""
    values, other, groups, blocks = _common(candidate, reference, clusters, strata)
    both = np.concatenate([values, other])
    gain = values - other if upward else other - values
    gain[np.abs(gain) <= 1e-13 * np.abs(both).max()] = 0.0
    return _units(gain, other, groups, blocks, float(both.max() - both.min()))


def _common(
    candidate: FloatArray,
    reference: FloatArray,
    clusters: IntArray | None,
    strata: IntArray | None,
    names: tuple[str, str] = ("the candidate", "the reference"),
) -> tuple[FloatArray, FloatArray, IntArray | None, IntArray | None]:
    """Take the items of both; a single benchmark is none."""
    common = ~(np.isnan(candidate) | np.isnan(reference))
    if not common.any():
        raise InputError(
            f"{names[0]!r} and {names[1]!r} have no item in common.",
            mend="Name items alike in both, or give their totals (passed and n) to compare them unpaired.",
        )
    groups, blocks = (None if values is None else values[common] for values in (clusters, strata))
    single = blocks is None or len(np.unique(blocks)) == 1
    return candidate[common], reference[common], groups, None if single else blocks


def _units(
    gain: FloatArray, other: FloatArray, clusters: IntArray | None, strata: IntArray | None, span: float
) -> UnitPair:
    """Add up the items of each unit."""
    layout = laid_out(len(gain), clusters, strata)
    weights = layout.weights
    gains, sizes = cell_sums(gain[None], layout) * weights, (layout.sizes * weights)[None]
    stratum = layout.stratum
    if layout.crossing and layout.cluster is not None:
        gains, sizes = by_cluster(gains, layout.cluster), by_cluster(sizes, layout.cluster)
        stratum = np.zeros(gains.shape[1], dtype=np.intp)
    squares = np.bincount(stratum, weights=np.square(sizes[0])) / np.bincount(stratum)
    codes = np.zeros(len(gain), dtype=np.intp) if strata is None else np.unique(strata, return_inverse=True)[1]
    means = np.bincount(codes, weights=other) / np.bincount(codes)
    return UnitPair(
        gains=gains[0],
        sizes=sizes[0],
        largest=float(np.sqrt(squares.max())),
        span=span if span > 0.0 else 1.0,
        step=_step(gain) * float((layout.sizes * np.square(weights)).sum() / (layout.sizes * weights).sum()),
        n_items=len(gain),
        reference=float(means.mean()),
        clustered=clusters is not None,
    )


def _step(gain: FloatArray) -> float:
    """Return the step of the grid on which differences of items lie, such as a third; 0 where there is none."""
    sizes = np.unique(np.round(np.abs(gain[gain != 0.0]), 12))
    if not len(sizes) or len(sizes) > _MOST_VALUES:
        return 0.0
    for finer in range(1, _FINEST + 1):
        step = float(sizes[0]) / finer
        if bool((np.abs(sizes / step - np.rint(sizes / step)) <= 1e-6).all()):
            return step
    return 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemNonInferiority(PairwiseResult):
    """Tests whether `a`, the candidate, is good enough beside `b`, the reference; arrays run over the pairs.

    A pair with `adjusted` at most alpha is shown to be good enough. `shortfall` is by how much the candidate is worse,
    `limits` the margins in the unit of the scores; `statistic` is positive where the shortfall exceeds the margin.
    """

    COLUMNS = (*PairwiseResult.COLUMNS, "shortfall", "limits", "n_items")

    shortfall: FloatArray
    limits: FloatArray
    n_items: IntArray


@as_came_in
def item_non_inferiority(
    scores: npt.ArrayLike,
    pairs: npt.ArrayLike,
    *,
    margin: float,
    relative: bool = False,
    clusters: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    adjust: str = "holm",
    higher_is_better: bool = True,
    algorithms: Sequence[str] | None = None,
) -> ItemNonInferiority:
    """Test for each pair whether the candidate is worse than the reference by less than a margin, on the same items.

    Hypothesis: the expected score of the candidate is worse than that of the reference by the margin or more.

    Formula: right and wrong answers on one benchmark without clusters: b items that only the reference got right and c
    that only the candidate did are ordered by z = (b - c - n m) / sqrt(n (2 p + m - m^2)), where p is the restricted
    estimate of the candidate's being right alone; the p-value is the largest chance of a z as small in any truth that
    is worse by the margin m. Otherwise items, or clusters, are units with the sums x of their differences plus m, each
    benchmark counting alike, and the p-value is the largest of three: the tail of the sum under the closest truth of
    mean zero (weights of the empirical likelihood, the rest on a unit that fails wholly; saddle point), that of changed
    signs of x, and t = sum of x / error with the degrees of freedom (sum s^2)^2 / sum s^4 - 1 of units of sizes s.

    Assumptions: units are independent and as good as drawn from those that are meant, the margin was chosen before the
    scores were seen. With clusters or graded scores the level is that of simulations (page on gates), not proven.
    When not to use it: to find a margin that succeeds; where items come while one looks (`anytime_items`).

    Degenerate input: two models that never differ are good enough only where the items are many: of 298 items none may
    be lost by chance though one in a hundred is. One cluster gives p = 1.

    Parameters
    ----------
    scores : array_like, shape (items, models)
        NaN where there is no answer.
    pairs : array_like of int, shape (pairs, 2)
        Columns of the candidate and of the reference.
    margin : float
        The shortfall that would matter, above 0.
    relative : bool, default False
        Whether it is a share of the mean score of the reference.
    clusters, strata : array_like, optional
        As for `item_pairs`.
    adjust : str, default "holm"
    higher_is_better : bool, default True
    algorithms : sequence of str, optional

    Returns
    -------
    ItemNonInferiority

    References
    ----------
    nam1997
    tango1998
    owen1988
    wellek2010

    Examples
    --------
    >>> right = np.ones((400, 2)); right[:4, 0] = 0; right[4:7, 1] = 0
    >>> result = item_non_inferiority(right, [[0, 1]], margin=0.02)
    >>> float(result.shortfall[0]), bool(result.adjusted[0] <= 0.05)
    (0.0025, True)
    """
    matrix = as_floats(scores, what="scores")
    names = check_names(algorithms, matrix.shape[-1], kind="algorithm")
    chosen = check_pairs(pairs, len(names))
    limit = _check_limit(margin)
    check_correction(adjust, 0)
    groups, blocks = (
        check_codes(given, len(matrix), what=what) for given, what in ((clusters, "clusters"), (strata, "strata"))
    )
    options = {"clusters": groups, "strata": blocks, "upward": higher_is_better}
    result = [
        margin_pair(matrix[:, i], matrix[:, j], names=(names[i], names[j]), **options)  # type: ignore[arg-type]
        for i, j in chosen
    ]
    limits = [limit * abs(pair.reference) if relative else limit for pair in result]
    return _result(result, limits, chosen, names, adjust=adjust)


def _result(
    result: Sequence[MarginPair], limits: Sequence[float], pairs: IntArray, names: tuple[str, ...], *, adjust: str
) -> ItemNonInferiority:
    """Test every pair with its margin."""
    p = [pair.pvalue(size) if size > 0 else 1.0 for pair, size in zip(result, limits, strict=True)]
    z = np.array([margin_z(value) for value in p], dtype=np.float64)
    return ItemNonInferiority(
        **frozen(
            shortfall=np.array([pair.shortfall for pair in result], dtype=np.float64),
            limits=np.array(limits, dtype=np.float64),
            n_items=np.array([pair.n_items for pair in result], dtype=np.int64),
        ),
        **pair_fields(
            (pairs[:, 0], pairs[:, 1], z),
            floor_pvalue(p),
            method="Non-inferiority on items",
            adjust=adjust,
            algorithms=names,
        ),
    )


@as_came_in
def total_non_inferiority(
    passed: npt.ArrayLike,
    n: npt.ArrayLike,
    pairs: npt.ArrayLike,
    *,
    margin: float,
    relative: bool = False,
    adjust: str = "holm",
    algorithms: Sequence[str] | None = None,
) -> ItemNonInferiority:
    """Test non-inferiority from totals alone: the numbers of items passed and answered.

    Hypothesis: the share that the candidate passes is smaller than that of the reference by the margin or more.

    Formula: z = (p_b - p_a - m) / sqrt(q_a (1 - q_a) / n_a + q_b (1 - q_b) / n_b), where q are the likeliest shares
    that differ by m; the p-value is the largest chance of a z as small with any such shares.

    Assumptions: items are independent, and those of one model independent of those of the other. If both had the same
    items, the test keeps its level and shows less than `item_non_inferiority`.
    When not to use it: where the answers to each item are known.

    Parameters
    ----------
    passed, n : array_like, shape (models,)
        How many items each passed, of how many; fractions are rounded.
    pairs : array_like of int, shape (pairs, 2)
        Places of the candidate and of the reference.
    margin : float
        The shortfall that would matter, above 0.
    relative : bool, default False
        Whether it is a share of the share of the reference.
    adjust : str, default "holm"
    algorithms : sequence of str, optional

    Returns
    -------
    ItemNonInferiority

    References
    ----------
    farrington1990
    wellek2010

    Examples
    --------
    >>> result = total_non_inferiority([180, 178], [225, 225], [[1, 0]], margin=0.1)
    >>> round(float(result.shortfall[0]), 4), bool(result.adjusted[0] <= 0.05)
    (0.0089, True)
    """
    counts = proportion_pairs(passed, n, adjust="none", algorithms=algorithms)  # checks the counts and names
    of = counts.n_items
    held = np.rint(counts.shares * of)
    chosen = check_pairs(pairs, len(of))
    limit = _check_limit(margin)
    check_correction(adjust, 0)
    result = [TotalsPair(passed=int(held[j]), n=int(of[j]), own=int(held[i]), n_own=int(of[i])) for i, j in chosen]
    limits = [limit * pair.reference if relative else limit for pair in result]
    return _result(result, limits, chosen, counts.algorithms, adjust=adjust)


def _check_limit(margin: float) -> float:
    return check_within(option("margin"), margin, 0.0, np.inf, mend=f"Use {option(margin=0.01)}.")
