"""One pair of models and a margin: what their items say of the candidate's being worse by any margin.

Right and wrong answers on one benchmark without clusters are counted and tested exactly; everything else is made parts
of units, items or clusters, each benchmark counting alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray, IntArray
from tiebreak.errors import InputError
from tiebreak.stats.items.exact_margins import PairedCounts, TwoTotals, exact_pvalue, is_shown
from tiebreak.stats.items.tilted import margin_pvalue
from tiebreak.stats.items.units import by_cluster, cell_sums, laid_out

CLOSE = 1e-4
"""The smallest margin that is shown is found to this share of the range of scores; more finely where items are many."""
FINER_FROM = 1000
"""Beyond so many items the smallest margin is found as much more finely as there are more of them."""
EXACT = "exact score test"
TILTED = "largest p-value of the tail under the closest truth, of changed signs and of t"
_FINEST, _MOST_VALUES = 12, 60


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedPair:
    """Two models on `n` items, right or wrong: items that only the reference (`lost`) or the candidate (`won`) got."""

    lost: int
    won: int
    n: int
    reference: float
    how: str = EXACT
    clustered: bool = False
    span: float = 1.0

    @property
    def shortfall(self) -> float:
        """By how much the candidate is worse."""
        return (self.lost - self.won) / self.n

    @property
    def n_items(self) -> int:
        """The items of both."""
        return self.n

    @property
    def n_units(self) -> int:
        """Every item counts by itself."""
        return self.n

    def pvalue(self, margin: float) -> float:
        """Return the p-value of the candidate's being worse by the margin or more."""
        return exact_pvalue(self._counts(margin), self.lost, self.won)[1]

    def shows(self, margin: float, alpha: float) -> bool:
        """Say whether that p-value is at most alpha."""
        return is_shown(self._counts(margin), self.lost, self.won, alpha)

    def _counts(self, margin: float) -> PairedCounts:
        return PairedCounts(n=self.n, margin=min(margin, 1.0 - 1e-9))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TotalsPair:
    """Two models by their totals: `passed` of `n` by the reference, `own` of `n_own` by the candidate."""

    passed: int
    n: int
    own: int
    n_own: int
    how: str = EXACT
    clustered: bool = False
    span: float = 1.0

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

    @property
    def n_units(self) -> int:
        """Every item counts by itself."""
        return self.n_items

    def pvalue(self, margin: float) -> float:
        """Return the p-value of the candidate's being worse by the margin or more."""
        return exact_pvalue(self._counts(margin), self.passed, self.own)[1]

    def shows(self, margin: float, alpha: float) -> bool:
        """Say whether that p-value is at most alpha."""
        return is_shown(self._counts(margin), self.passed, self.own, alpha)

    def _counts(self, margin: float) -> TwoTotals:
        return TwoTotals(n=self.n, n_candidate=self.n_own, margin=min(margin, 1.0 - 1e-9))


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
    own, other, groups, blocks = _common(candidate, reference, clusters, strata, names)
    both = np.concatenate([own, other])
    if groups is None and blocks is None and bool(((both == 0.0) | (both == 1.0)).all()):
        gain = own - other if upward else other - own
        lost, won = int((gain < 0).sum()), int((gain > 0).sum())
        return CountedPair(lost=lost, won=won, n=len(gain), reference=float(other.mean()))
    return unit_pair(own, other, clusters=groups, strata=blocks, upward=upward)


def unit_pair(
    candidate: FloatArray,
    reference: FloatArray,
    *,
    clusters: IntArray | None = None,
    strata: IntArray | None = None,
    upward: bool = True,
) -> UnitPair:
    """Prepare two models as sums of units, whatever their scores are."""
    own, other, groups, blocks = _common(candidate, reference, clusters, strata)
    both = np.concatenate([own, other])
    gain = own - other if upward else other - own
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
            why="Models are compared on items that both answered.",
            mend="Name items alike in both, or give their totals (passed and n) to compare them unpaired.",
        )
    groups, blocks = (None if each is None else each[common] for each in (clusters, strata))
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
