"""An axis of ratios: a tenth is written 1/10, so that cheaper and costlier read alike."""

from __future__ import annotations

import math
from itertools import pairwise

from tiebreak.figures.drawing.axis import TICK, Scale
from tiebreak.figures.drawing.metrics import evenly, text_width
from tiebreak.figures.drawing.palette import PALE
from tiebreak.figures.drawing.scene import Item, Line, Text

_STEPS = ([1.2, 1.5, 2.0, 3.0, 5.0, 10.0], [2.0, 5.0, 10.0], *([10.0**stride] for stride in range(1, 40)))
_MOST = 9
"""Steps within a decade, then decades alone, and how many ticks there are at most."""
Ticks = list[tuple[float, str]]


def ratio_axis(scale: Scale, y: float, name: str, *, top: float) -> list[Item]:
    """Draw a logarithmic axis of ratios below a plane that reaches up to `top`; a long name is broken."""
    items: list[Item] = []
    for value, words in ratio_ticks(scale):
        x = scale(value)
        items.append(Line(((x, top), (x, y)), colour=PALE, width=0.6))
        items.append(Line(((x, y), (x, y + 3))))
        items.append(Text(x, y + 12, words, size=TICK, anchor="middle"))
    items.append(Line(((scale.start, y), (scale.end, y))))
    middle = (scale.start + scale.end) / 2
    for line, words in enumerate(evenly(name, TICK, scale.end - scale.start)):
        items.append(Text(middle, y + 25 + 10 * line, words, size=TICK, anchor="middle"))
    return items


def ratio_ticks(scale: Scale) -> Ticks:
    """Return round ratios with their texts that have room side by side, 1 among them.

    Examples
    --------
    >>> [words for _, words in ratio_ticks(Scale(low=0.05, high=12.0, start=0.0, end=300.0, log=True))]
    ['1/20', '1/10', '1/5', '1/2', '1', '2', '5', '10']
    """
    low, high = math.log10(scale.low), math.log10(scale.high)
    for steps in _STEPS:
        ticks = [(value, ratio_text(value)) for value in _powers(steps) if low <= math.log10(value) <= high]
        if len(ticks) <= _MOST and _have_room(ticks, scale):
            return ticks
    return []


def _powers(steps: list[float]) -> list[float]:
    """Return products of powers of the last step with the others, above and below 1."""
    base = steps[-1]
    above = [base**i * step for i in range(40) if base**i < 1e39 for step in (1.0, *steps[:-1])]
    return sorted({*above, *(1 / value for value in above)})


def ratio_text(value: float) -> str:
    """Write a ratio; of a million and more, as a power of ten.

    Examples
    --------
    >>> ratio_text(0.1), ratio_text(1.0), ratio_text(20.0), ratio_text(1e-9), ratio_text(2e7)
    ('1/10', '1', '20', '1/10^9', '2·10^7')
    """
    return f"1/{_factor(1 / value)}" if value < 1 else _factor(value)


def _factor(value: float) -> str:
    plain = f"{value:.6g}"
    if "e" not in plain:
        return plain
    digits, power = plain.split("e+")
    return f"{'' if digits == '1' else f'{digits}·'}10^{int(power)}"


def _have_room(ticks: Ticks, scale: Scale) -> bool:
    ends = [(scale(value), text_width(words, TICK) / 2) for value, words in ticks]
    return all(a + half + 3 <= b - other for (a, half), (b, other) in pairwise(ends))
