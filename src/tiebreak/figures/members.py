"""What figures of algorithms share: folded rows, positions of mean ranks, and marks and lines beside names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tiebreak._checks import check_choice
from tiebreak.comparison import Comparison
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.axis import (
    Scale,
    bottom_axis,
    decimals_text,
    legend_line,
    number_text,
    off_mark,
    round_values,
    spread,
)
from tiebreak.figures.drawing.ladder import GAP, Ladder
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PAPER, VERMILION
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, bounds, diamond
from tiebreak.figures.figure import Figure, titled
from tiebreak.wording import option


def kept_of(
    names: Sequence[str], top: int | None, show: Sequence[str] | str = (), *, usual: int = 15
) -> tuple[int, ...]:
    """Return the positions that are drawn: the first `top` and those named; empty where nobody is folded.

    `usual` is how many of the first a message proposes.

    Examples
    --------
    >>> kept_of(["a", "b", "c", "d"], 1, ["c"]), kept_of(["a", "b"], None)
    ((0, 2), ())
    """
    chosen = [show] if isinstance(show, str) else list(show)
    for name in chosen:
        check_choice("algorithm", name, names)
    if top is None:
        if chosen:
            raise OptionError(
                f"{option(show=chosen)} was given alone.",
                why="Without a limit all algorithms are drawn.",
                mend=f"Add {option(top=usual)}.",
            )
        return ()
    if isinstance(top, bool) or not isinstance(top, int) or top < 1:
        raise OptionError(
            f"{option(top=top)} draws no algorithm.",
            why="It says how many of the first are drawn.",
            mend=f"Use {option(top=usual)}.",
        )
    wanted = set(chosen)
    remaining = tuple(i for i, name in enumerate(names) if i < top or name in wanted)
    return remaining if len(remaining) < len(names) else ()


def folded_words(count: int, counts: Sequence[int]) -> str:
    """Say how many are folded; nothing where none is."""
    if not counts or len(counts) == count:
        return ""
    return f" {len(counts)} of {count} algorithms are drawn; rows with dots stand for the others."


_SCORES, _IMPLIED = "mean score", "implied mean rank"
"""The names of locations that are no usual mean ranks."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Tested(Figure):
    """A figure of tested pairs: by which method, at which level."""

    method: str
    alpha: float

    def _test(self) -> str:
        return f"{self.method}, alpha = {self.alpha:g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Positioned(Tested):
    """A figure of positions on one axis; the fields mean the same in every diagram that has them."""

    algorithms: tuple[str, ...]
    positions: tuple[float, ...]
    position_name: str
    location_name: str
    low_is_best: bool
    critical_difference: float | None

    def scale(self, reach: tuple[float, ...], span: float, width: float) -> Scale:
        """Return the axis, its best end at 0, with round limits around `reach` and room for a length `span`."""
        low, high = _limits(reach, span, whole=self.location_name != _SCORES)
        ends = (low, high) if self.low_is_best else (high, low)
        return Scale(low=ends[0], high=ends[1], start=0.0, end=width)

    def _difference(self) -> str:
        """Write the critical difference with three decimals, or three digits where it is small."""
        value = self.critical_difference or 0.0
        return decimals_text(value, 3) if value >= 0.1 else number_text(value, 3)

    def _implied(self) -> str:
        """Say what is unusual about the mean ranks of a table with gaps."""
        if self.location_name != _IMPLIED:
            return ""
        return (
            " Mean ranks are implied by the estimated effects; they may lie outside 1 to k, the number of algorithms."
        )


def tested(comparison: Comparison) -> dict[str, Any]:
    """Return what every figure of tested pairs takes from a comparison."""
    return titled(comparison) | {"method": comparison.tests.method, "alpha": comparison.alpha}


def positioned(comparison: Comparison) -> dict[str, Any]:
    """Return what every diagram of positions takes from a comparison."""
    values, what, low_is_best = positions_of(comparison)
    return tested(comparison) | {
        "algorithms": comparison.algorithms,
        "positions": values,
        "position_name": f"{what} ({'lower' if low_is_best else 'higher'} is better)",
        "location_name": comparison.location_name,
        "low_is_best": low_is_best,
        "critical_difference": comparison.critical_difference,
    }


def positions_of(comparison: Comparison) -> tuple[tuple[float, ...], str, bool]:
    """Return what the tests compare in its own sign, its name, and whether low is best."""
    scores = comparison.location_name == _SCORES
    # a comparison turns scores so that low is best; a reader expects accuracies with their own sign
    turned = scores and comparison.higher_is_better
    values = tuple(float(-x if turned else x) for x in comparison.locations)
    return (
        values,
        f"mean {comparison.score.name}" if scores else f"{comparison.location_name} of {comparison.score.name}",
        not turned,
    )


def _limits(positions: tuple[float, ...], span: float, *, whole: bool) -> tuple[float, float]:
    """Return round limits around the positions: whole numbers for ranks, else multiples of a tick."""
    low, high = min(positions), max(positions)
    if whole:
        low, high = math.floor(low + 1e-9), math.ceil(high - 1e-9)
        return low, max(high, low + 1, low + math.ceil(span))
    low, high = (low, high) if high > low else spread([low, high])
    ticks = round_values(low, high, 10)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else high - low
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return low, max(high, low + span)


def mark_of(verdict: str, x: float, y: float, by: float = 1.0) -> Item:
    """Draw a mark that differs in shape and colour, so that either is enough to tell the verdict; `by` is its size."""
    if verdict == "control":
        return Area(diamond(x, y, 4.6 * by), fill=INK)
    if verdict == "open":
        return Circle(x, y, 3.3 * by, fill=PAPER, colour=MUTED, edge=1.3 * by)
    up, fill = (by, BLUE) if verdict == "better" else (-by, VERMILION)
    return Area(((x - 4.2 * by, y + 3.4 * up), (x + 4.2 * by, y + 3.4 * up), (x, y - 4.4 * up)), fill=fill)


def interval_line(low: float, high: float, scale: Scale, y: float, title: str) -> list[Item]:
    """Draw an interval with its ends; an end beyond the axis is an arrow."""
    start, stop = (scale(min(max(end, scale.low), scale.high)) for end in (low, high))
    items: list[Item] = [Line(((start, y), (stop, y)), width=1.1, title=title)] if stop > start else []
    for end, x in ((low, start), (high, stop)):
        if scale.low <= end <= scale.high:
            items.append(Line(((x, y - 2.4), (x, y + 2.4)), width=1.1, title=title))
        else:
            items.append(off_mark(x, y, end > scale.high, title=title))
    return items


def beside_names(
    ladder: Ladder,
    scale: Scale,
    rows: Sequence[Item],
    *,
    axis: str,
    zero: float,
    words: dict[str, str],
    room: float | None,
    beside: float,
) -> list[Item]:
    """Put axis, names, legend and key around rows; a dashed line stands at `zero`, `words` tell what marks mean.

    `beside` is the width of the numbers on the right of the axis.
    """
    start, bottom, width = -GAP - ladder.wide, ladder.bottom + 2, scale.end
    items = bottom_axis(scale, bottom, axis, top=-2, limit=None if room is None else width, left=start)
    items.append(Line(((scale(zero), -2), (scale(zero), bottom)), dash=(3, 2)))
    items += [*ladder.texts(-GAP), *rows]
    left, reach = (0.0, width) if room is None else (start, width + beside - start)
    entries = [([mark_of(kind, 0, 0)], text) for kind, text in words.items()]
    items += legend_line(entries, left, bounds(items)[3] + 15, reach)
    return items + ladder.key(left, bounds(items)[3] + 5, reach)
