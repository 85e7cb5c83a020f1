"""The sentence to repeat: how one model stands to another, by what is shown, and at what price."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import FloatArray
from tiebreak.comparison.on_items import ScoreUnit
from tiebreak.documents import number
from tiebreak.documents.words import pvalue, times
from tiebreak.results.items import ItemTable
from tiebreak.stats import ItemPairs, ProportionPairs
from tiebreak.stats.items.non_inferiority import MarginPair, TotalsPair, margin_pair, shown_within

USUAL_MARGIN = 0.02
"""Without a margin, two models are called as good within what the interval shows up to so much."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ModelBeside(Brief):
    """One model beside another: by how much it is worse, with an interval that holds for all pairs together.

    `shortfall` is positive where `first` is worse than `other`; `told` is -1 where first is significantly better, 1
    where other is, 0 where neither is. `ratio` is the cost of first over that of other, if known; `able`
    whether so many items could have shown a difference; `alone` the p-value without a correction, where only it is
    significant; `pair` the items of the two, with first as the candidate, by which "as good within" is shown.
    """

    first: str
    other: str
    shortfall: float
    low: float
    high: float
    told: int
    items: str
    level: float
    together: int = 1
    ratio: float | None = None
    cost: str = ""
    able: bool = True
    alone: float | None = None
    pair: MarginPair | None = None

    def shows(self, margin: float) -> bool:
        """Say whether first is non-inferior within a margin, by the test of `tiebreak gate`."""
        return self.pair is not None and margin > 0 and self.pair.shows(margin, self.one_sided)

    @property
    def one_sided(self) -> float:
        """The level at which a margin is shown for this pair, and for all pairs together."""
        return (1.0 - self.level) / self.together


def margin_evidence(
    table: ItemTable | None, totals: tuple[FloatArray, FloatArray] | None, first: int, other: int, *, upward: bool
) -> MarginPair | None:
    """Return the items, or totals, of two models by which a margin is shown; None where they share none."""
    if table is not None:
        own, beside = table.scores[:, first], table.scores[:, other]
        if not bool((~np.isnan(own) & ~np.isnan(beside)).any()):
            return None
        return margin_pair(own, beside, clusters=table.clusters, strata=table.strata, upward=upward)
    if totals is None:
        return None
    passed, n = (np.rint(each).astype(int) for each in totals)
    return TotalsPair(passed=int(passed[other]), n=int(n[other]), own=int(passed[first]), n_own=int(n[first]))


def headline(beside: ModelBeside, unit: ScoreUnit, margin: float | None = None) -> str:
    """Say in one sentence that can be repeated how one model stands to another, and at what price.

    "As good within" is said only where the test of `tiebreak gate` shows it: with the margin, or, without one, with the
    smallest margin that it shows, up to two points. With a margin it is said even of a significantly worse model, if
    by less than that.

    Examples
    --------
    >>> from tiebreak.stats.items.non_inferiority import CountedPair
    >>> told = ModelBeside(first="A", other="B", shortfall=0.002, low=-0.01, high=0.01, told=0, items="500 items",
    ...               level=0.95, ratio=0.16, cost="price", pair=CountedPair(lost=1, won=0, n=500, reference=0.8))
    >>> headline(told, ScoreUnit(name="accuracy", points=True), margin=0.01)
    'A: as good as B within 1 point on 500 items, at 16 % of the price.'
    >>> headline(told, ScoreUnit(name="accuracy", points=True), margin=0.005)
    'A: no significant difference from B on 500 items (0.2 points worse, 95 % interval -1 to 1), at 16 % of the price.'
    """
    price = _price(beside)
    within = beside.shows(margin) if margin is not None else False
    if beside.told < 0 or (beside.told and not within):
        size = unit.size(abs(beside.shortfall))
        subject = f"{beside.first}: significantly {'better' if beside.told < 0 else 'worse'} than {beside.other}"
        return f"{subject} by {size} on {beside.items} ({_span(beside, unit, turned=beside.told < 0)}){price}."
    if margin is None and unit.points and beside.shows(USUAL_MARGIN):
        assert beside.pair is not None
        within = True
        margin = max(shown_within(beside.pair, beside.one_sided, shown=USUAL_MARGIN), 1e-3)
    if within and margin is not None:
        shown = unit.within(margin)
        worse = f" (worse by {unit.size(beside.shortfall)})" if beside.told else ""
        return f"{beside.first}: as good as {beside.other} within {shown} on {beside.items}{worse}{price}."
    return _not_told(beside, unit) + f"{price}."


def _not_told(beside: ModelBeside, unit: ScoreUnit) -> str:
    """Say that two models do not differ significantly, how far they differ, and what is left possible."""
    worse_by = beside.shortfall >= 0
    way, size = "worse" if worse_by else "better", unit.size(abs(beside.shortfall))
    what = f"{size} {way}" if unit.points else f"{way} by {size}"
    span = _span(beside, unit, turned=not worse_by)
    told = f"{'the same mean' if beside.shortfall == 0 else what}, {span}"
    if not beside.able:
        return f"{beside.first}: {beside.items} are too few to show a difference from {beside.other} ({told})"
    if beside.alone is None and _has_interval(beside) and not beside.low <= 0.0 <= beside.high:
        told += ", which the test does not bear out"
    if beside.alone is not None:
        told = f"alone p = {pvalue(beside.alone)}; {told}"
    counted = "" if beside.alone is None else f" after the correction for {beside.together:,} pairs"
    return f"{beside.first}: no significant difference from {beside.other} on {beside.items}{counted} ({told})"


def alone_of(tested: ItemPairs | ProportionPairs, at: int, *, told: int) -> float | None:
    """Return the p-value of a pair that differs significantly by itself, but not after the correction."""
    p = float(tested.pvalue[at])
    return p if not told and p <= 1.0 - tested.level else None


def _has_interval(beside: ModelBeside) -> bool:
    """Say whether there is an interval: differences that are all the same give one without width: no evidence."""
    return isfinite(beside.low) and isfinite(beside.high) and beside.low < beside.high


def _span(beside: ModelBeside, unit: ScoreUnit, *, turned: bool) -> str:
    """Write the interval of what was said: of how much worse, or, turned, of how much better."""
    low, high = (-beside.high, -beside.low) if turned else (beside.low, beside.high)
    low, high = low + 0.0, high + 0.0
    if not _has_interval(beside):
        return "no interval can be given"
    all_ = f" for all {beside.together:,} pairs together" if beside.together > 1 else ""
    return f"{100 * beside.level:g} % interval{all_} {unit.bare(low)} to {unit.bare(high)}"


def _price(beside: ModelBeside) -> str:
    """Write the price beside that of the other: a share below it, a multiple above."""
    ratio = beside.ratio
    if ratio is None or ratio != ratio:
        return ""
    if ratio <= 0 or not isfinite(ratio):
        free = beside.first if ratio <= 0 else beside.other
        return f", and {free} has a {beside.cost} of 0"
    if ratio >= 2.0:
        return f", at {times(ratio)} times the {beside.cost}"
    if abs(ratio - 1.0) < 0.005:
        return f", at {'' if abs(ratio - 1.0) < 1e-9 else 'about '}the same {beside.cost}"
    return f", at {f'{100 * ratio:.0f}' if ratio >= 0.095 else number(100 * ratio, 2)} % of the {beside.cost}"
