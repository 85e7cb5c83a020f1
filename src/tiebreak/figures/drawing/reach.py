"""How far an axis reaches where a few values run off: to the last that is not far out, with a mark for the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tiebreak.figures.drawing.palette import INK
from tiebreak.figures.drawing.scene import Area, Item

FAR = 3.0
"""Box lengths beyond the quartiles from which on a value is far out: Tukey's outer fence."""
_SAVES = 0.5
"""Values are left outside only where the axis is shortened to this share of its length, or less."""


def quantile(values: Sequence[float], share: float) -> float:
    """Interpolate between sorted values, as numpy does by default (Hyndman and Fan's type 7).

    Examples
    --------
    >>> quantile([1.0, 2.0, 4.0], 0.75)
    3.0
    """
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def reach(values: Sequence[float], always: Sequence[float] = ()) -> tuple[float, float]:
    """Return the least and the largest value that an axis must hold: those not far out, and `always` in any case.

    Examples
    --------
    >>> reach([0.1, 0.2, 0.3, 0.4, 90.0]), reach([1.0, 2.0, 4.0, float("inf")], [-3.0])
    ((0.1, 0.4), (-3.0, 4.0))
    """
    known = sorted(value for value in values if math.isfinite(value))
    if not known:
        known = [0.0]
    first, third = quantile(known, 0.25), quantile(known, 0.75)
    far = FAR * (third - first)
    within = [value for value in known if first - far <= value <= third + far]
    if far <= 0 or within[-1] - within[0] > _SAVES * (known[-1] - known[0]):
        within = known
    return min(*within, *always, within[0]), max(*within, *always, within[0])


def off_mark(x: float, y: float, right: bool, *, title: str = "", colour: str = INK) -> Item:
    """Draw an arrow head at the end of an axis: what it stands for lies farther out."""
    turn = 1 if right else -1
    return Area(((x - 5 * turn, y - 2.6), (x, y), (x - 5 * turn, y + 2.6)), fill=colour, title=title)
