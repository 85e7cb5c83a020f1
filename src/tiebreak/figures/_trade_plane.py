"""Given up against saved: what each algorithm costs and loses beside the best-scoring one, with what is undecided."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import check_choice
from tiebreak.deciding.order import Ordering
from tiebreak.documents import as_came_in, listed, number, times
from tiebreak.errors import OptionError
from tiebreak.figures._cost_plane import FEWEST_NAMED, pareto_front
from tiebreak.figures._figure import Figure, Rows, titled
from tiebreak.figures._folding import kept_of
from tiebreak.figures.drawing.metrics import shown
from tiebreak.figures.drawing.scene import Item
from tiebreak.wording import either, option

MOST_LABELLED, FIRST = 25, 10
"""Of more algorithms only the first so many, the best-scoring one and those worth their cost have labels."""
MOST_UNKNOWN = 6
"""So many of those that cannot be drawn are named, the others counted."""
SAME = 1.05
"""Costs within this factor are about the same."""
TYPICAL = "the typical ratio on a data set, a geometric mean"
"""Which ratio of costs is meant: that of the means of the table is another."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Traded(Brief):
    """One algorithm beside the best-scoring one: its place in the order, the ratio of costs, and what it gives up.

    `given_up` is positive where it scores worse; `low` and `high` may be infinite. `verdict` is one of reference, good
    enough, no loss, loss (all cheaper) and costlier.
    """

    place: int
    algorithm: str
    ratio: float
    given_up: float
    low: float
    high: float
    verdict: str

    @property
    def undecided(self) -> bool:
        """Whether the interval holds zero, so that nothing is shown."""
        return self.verdict != "reference" and self.low <= 0 <= self.high


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TradePlane(Figure):
    """Given up against saved as data; `traded` stand in the order found, those without a ratio of costs left out.

    `level` is that of each interval, `margin` how much worse is good enough, in units of the score, where one was given
    that is in these units. `front` marks those that nobody beats in cost and score. `several` says whether ratios of
    costs are means over several data sets.
    """

    KIND = "Given up against saved"
    FOLDED = "Names"
    traded: tuple[Traded, ...]
    reference: str
    score_name: str
    cost_name: str
    level: float
    front: tuple[bool, ...]
    margin: float | None = None
    unknown: tuple[str, ...] = ()
    several: bool = True
    unpriced: bool = False

    def rows(self) -> Rows:
        """Return one row per algorithm in the order found."""
        keys = ("place", "algorithm", "ratio", "given_up", "low", "high", "verdict")
        return [{key: getattr(each, key) for key in keys} for each in self.traded]

    def notes(self) -> list[str]:
        """Return first in plain words what the cheaper ones save and give up, then how to read the figure."""
        return [*self.sentences(), *Figure.notes(self)]

    def sentences(self) -> list[str]:
        """Say in plain words what can be had: by the first in the order, the cheapest without a loss, the cheapest."""
        others = [each for each in self.traded if each.algorithm != self.reference]
        free = [each for each in others if each.verdict in ("no loss", "good enough")]
        chosen = [each for each in self.traded[:1] if each.algorithm != self.reference]
        for group in (free, [each for each in others if each.ratio * SAME < 1]):
            chosen += [min(group, key=lambda each: each.ratio)] if group else []
        said = [self.sentence(each) for each in dict.fromkeys(chosen)]
        first = f"{shown(self.reference)} has the best mean {shown(self.score_name)}"
        if self.flat and len(self.traded) > 1:
            cheapest = min(self.traded, key=lambda each: each.ratio)
            return [f"All have the same {shown(self.score_name)}; {shown(cheapest.algorithm)} is the cheapest."]
        if not said:
            return [f"{first}; nobody is cheaper." if others else f"{first}."]
        typical = f" ({TYPICAL})" if self.several else ""
        units = f"in {shown(self.cost_name)}{typical} and {shown(self.score_name)}"
        return [f"{first}. Beside it, {units}: {'; '.join(said)}."]

    def sentence(self, each: Traded) -> str:
        """Say what one algorithm saves and gives up."""
        return f"{shown(each.algorithm)}: {saved_words(each.ratio)}, {lost_words(each)}"

    def reading(self) -> str:
        """Say what the lines and the shade mean."""
        lines = f"Lines are {100 * self.level:.4g}% intervals, each for itself; where one holds 0 it is shaded: nothing"
        lines = f"{lines} is decided." if self.intervals else "There are no intervals: nothing is decided."
        said = [f"{lines} Numbers are places in the order."]
        if self.margin is not None:
            said.append(f"Above the dotted line less than the margin of {number(self.margin, 3)} is given up.")
        if self.unknown:
            why = "their cost is not known" if self.unpriced else "a cost of zero has no ratio"
            said.append(f"Not drawn, because {why}: {listed(map(shown, self.unknown), most=MOST_UNKNOWN)}.")
        return " ".join(said)

    def foldable(self) -> int:
        """Return how many have a name or a number; of the others there are dots alone."""
        return len(self.labelled())

    def fewest(self) -> int:
        """Return how many are named at the least."""
        return FEWEST_NAMED

    def lower(self) -> str:
        """Say what names fewer."""
        return f"{option(top=FIRST)} names the first {FIRST}" if self.foldable() > FIRST else ""

    def first(self, count: int) -> Self:
        """Return the plane with names of the first so many, and of the one that all stand beside."""
        if self.kept or not count < self.foldable():
            return self
        beside = next(each.place for each in self.traded if each.algorithm == self.reference)
        named = {*self.labelled()[:count], beside}
        return replace(self, kept=tuple(place - 1 for place in sorted(named)))

    @property
    def flat(self) -> bool:
        """Whether nobody gives anything up, so that only the costs differ."""
        ends = [end for each in self.traded for end in (each.low, each.high, each.given_up) if math.isfinite(end)]
        return not any(ends) and not self.margin

    @property
    def intervals(self) -> bool:
        """Whether anything is known of how sure the differences are."""
        return any(math.isfinite(each.low) for each in self.traded if each.algorithm != self.reference)

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out axes, shades, intervals, marks and names."""
        from tiebreak.figures._trade_marks import lay_out

        return lay_out(self, room)

    def labelled(self) -> tuple[int, ...]:
        """Return the places that have a name or a number: all, those asked for, or of many the first and the front."""
        places = [each.place for each in self.traded]
        if self.kept:
            return tuple(i for i in places if i - 1 in self.kept)
        if len(places) <= MOST_LABELLED:
            return tuple(places)
        best = next(each.place for each in self.traded if each.algorithm == self.reference)
        front = [each.place for each, on in zip(self.traded, self.front, strict=True) if on]
        wanted = {*places[:FIRST], best, *front[:MOST_LABELLED]}
        return tuple(i for i in places if i in wanted)


@as_came_in
def trade_plane(
    found: Ordering, *, cost: str | None = None, top: int | None = None, show: Sequence[str] = ()
) -> TradePlane:
    """Make the picture of what is given up against what is saved, beside the best-scoring algorithm of an ordering.

    Across is the geometric mean over data sets of the cost beside that of the best-scoring one, downwards the score
    given up against it with its interval, as in the table of places (`Ordering.trade`).

    Parameters
    ----------
    found : Ordering
        With at least one cost, by one score.
    cost : str, optional
        Which cost; the first by default.
    top, show : int and sequence of str, optional
        Name the first so many and those named; the others are small dots without an interval. Of more than 25 by
        default the first ten, the best-scoring one and those that nobody beats in cost and score are named.

    Returns
    -------
    TradePlane

    References
    ----------
    hodges1963

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = trade_plane(tb.order(tb.published.ulas2012(), score="accuracy", cost="train_time"))
    >>> figure.reference, [each.algorithm for each in figure.traded if each.undecided]
    ('svr', ['svl'])
    >>> print(figure.sentences()[0].partition("; ")[2])
    5nn: 200 times cheaper, gives up 3.6 (2.1 to 6.6).
    """
    name = _checked(found, cost)
    trade = found.trade if name == next(iter(found.costs)) else found.trade_by(name)
    best, ratios = trade.best, trade.ratio
    assert ratios is not None  # there are costs
    traded, unknown = [], []
    for place, algorithm in enumerate(found.order, start=1):
        i = found.algorithms.index(algorithm)
        ratio = float(ratios[i]) if i != best else 1.0
        if math.isnan(ratio) or not math.isfinite(float(trade.given_up[i])):
            unknown.append(algorithm)
            continue
        lost = [float(each[i]) + 0.0 for each in (trade.given_up, trade.low, trade.high)]
        good = found.standing.good is not None and bool(found.standing.good[i, best])
        traded.append(
            Traded(
                place=place,
                algorithm=algorithm,
                ratio=ratio,
                given_up=lost[0],
                low=lost[1],
                high=lost[2],
                verdict="reference" if i == best else _verdict(ratio, lost[1], good),
            )
        )
    front = pareto_front(
        tuple(each.given_up for each in traded), tuple(each.ratio for each in traded), higher_is_better=False
    )
    return TradePlane(
        traded=tuple(traded),
        reference=found.algorithms[best],
        score_name=found.score.name,
        cost_name=name,
        level=1 - found.plan.alpha,
        front=front,
        margin=_margin(found),
        several=len(found.datasets) > 1,
        unknown=tuple(unknown),
        unpriced=found.table.unpriced is not None,
        kept=kept_of(found.order, top, show),
        **titled(found),
    )


def _checked(found: Ordering, cost: str | None) -> str:
    if not found.costs:
        raise OptionError(
            "The ordering has no cost, only a given prior order.",
            why="The figure shows what is saved, beside what is given up.",
            mend=f"Use {either('order(..., cost=name)', '--cost NAME')}.",
        )
    if found.table.measures is not None:
        raise OptionError(
            "The ordering is by several scores at once.",
            why="What is given up is counted in one score.",
            mend=either("Use order(..., score=name).", "Name one with --score NAME."),
        )
    return next(iter(found.costs)) if cost is None else check_choice("cost", cost, found.costs)


def _margin(found: Ordering) -> float | None:
    """Return the margin in units of the score given up; None where it is counted in something else."""
    margin = found.plan.margin
    if margin is None or found.table.margin_unit:
        return None
    best = abs(float(np.nanmean(found.scores[:, found.trade.best])))
    return margin.size * best if margin.relative else margin.size


def _verdict(ratio: float, low: float, good: bool) -> str:
    if ratio * SAME >= 1:
        return "costlier"
    return "good enough" if good else "loss" if low > 0 else "no loss"


def saved_words(ratio: float) -> str:
    """Say in words how a cost stands to that of the best-scoring one.

    Examples
    --------
    >>> saved_words(0.1), saved_words(0.75), saved_words(3.0)
    ('10 times cheaper', '25% cheaper', '3.0 times the cost')
    """
    if ratio > SAME:
        return f"{times(ratio)} times the cost" if ratio >= 2 else f"{ratio - 1:.0%} dearer"
    if ratio > 1 / SAME:
        return "about the same cost"
    return f"{times(1 / ratio)} times cheaper" if ratio < 0.5 else f"{1 - ratio:.0%} cheaper"


def lost_words(each: Traded) -> str:
    """Say what is given up, and where nothing is shown that it may be nothing."""
    span = f" ({number(each.low, 2)} to {number(each.high, 2)})" if math.isfinite(each.low) else ""
    span = span.replace("-", "\N{MINUS SIGN}")
    if each.given_up <= 0:
        return f"gives up nothing that shows{span}"
    if each.low > 0:
        return f"gives up {number(each.given_up, 2)}{span}"
    return f"gives up {number(each.given_up, 2)}, which may be chance{span}"
