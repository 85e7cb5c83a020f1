"""Axes: scales, ticks, relative axes and how far a scale has to reach."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tiebreak.documents import p_is
from tiebreak.documents.words import pvalue
from tiebreak.figures.drawing.palette import INK, MUTED, PALE
from tiebreak.figures.drawing.scene import Area, Item, Line, Text
from tiebreak.figures.drawing.text import evenly, text_width

TICK = 8.0
Ticks = list[tuple[float, str]]
"""Values on an axis, and what is written there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Where a value lies between the points `start` and `end`; `low` lies at `start`, also where it is the larger.

    `whole` values are counts or places, between which there is nothing to mark.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False
    whole: bool = False

    @classmethod
    def around(cls, values: Sequence[float], share: float, start: float, end: float, *, log: bool = False) -> Scale:
        """Return a scale a little wider than the values, by `share` of their range on either side."""
        low, high = spread(values, share, log=log)
        return cls(low=low, high=high, start=start, end=end, log=log)

    def __call__(self, value: float) -> float:
        """Return the place of a value in points."""
        low, high = self._bent(self.low), self._bent(self.high)
        return self.start + (self._bent(value) - low) / (high - low) * (self.end - self.start)

    def _bent(self, value: float) -> float:
        return math.log10(value) if self.log else value

    def ticks(self, count: int = 6) -> list[float]:
        """Return round values on the scale."""
        low, high = sorted((self.low, self.high))
        if not self.log:
            return round_values(low, high, count, least=1.0 if self.whole else 0.0)
        values = _log_ticks(low, high)
        stride = -(-len(values) // max(count, 1))
        return values[::-stride][::-1] if stride > 1 else values

    def level_ticks(self, count: int = 6) -> list[tuple[float, str]]:
        """Return round values and their texts, at most about `count`, that have room side by side."""
        for most in range(count, 0, -1):
            values = self.ticks(most)
            texts = tick_texts(values)
            ends = sorted((self(v), text_width(words, TICK) / 2) for v, words in zip(values, texts, strict=True))
            if all(a + half + 2 <= b - other for (a, half), (b, other) in pairwise(ends)):
                break
        return list(zip(values, texts, strict=True))


def round_values(low: float, high: float, count: int = 6, *, least: float = 0.0) -> list[float]:
    """Return about `count` round values between two numbers, `least` or more apart.

    Examples
    --------
    >>> round_values(0.93, 8.2), round_values(0, 0.4)
    ([2.0, 4.0, 6.0, 8.0], [0.0, 0.1, 0.2, 0.3, 0.4])
    """
    step = max(_round_step((high - low) / max(count, 1)), least)
    # a limit that is itself a tick must stay one, though its quotient is rounded to just beside a whole number
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [_clean(i * step) for i in range(first, last + 1)]


def _round_step(rough: float) -> float:
    """The last factor forgives rounding, so that 0.2 asked for is 0.2 and not 0.5."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))


def _clean(value: float) -> float:
    """Drop the last digits, so that 3 times 0.1 is 0.3."""
    return float(f"{value:.14g}")


def _log_ticks(low: float, high: float) -> list[float]:
    """Return powers of ten, with 2 and 5 between them where there are few, and not all of them where there are many.

    Within a factor of four or so there are round values instead.
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    if last - first <= 2:
        fine = [factor * 10.0**i for i in range(first, last + 1) for factor in (1, 2, 5)]
        inside = [_clean(value) for value in fine if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]
        return inside if len(inside) > 2 or high >= 5 * low else round_values(low, high, 4)
    stride = max(1, math.ceil((last - first) / 6))
    powers = [10.0**i for i in range(last, first - 1, -stride)]
    return sorted(value for value in powers if low * (1 - 1e-9) <= value <= high * (1 + 1e-9))


def spread(values: Sequence[float], share: float = 0.05, *, log: bool = False) -> tuple[float, float]:
    """Return limits a little wider than the values; equal values get room around them."""
    low, high = min(values), max(values)
    if log:
        room = (high / low) ** share
        return low / room, high * room
    alike = high - low <= 1e-12 * max(abs(low), abs(high))
    room = (abs(low) * 0.1 or 1.0) if alike else (high - low) * share
    return low - room, high + room


def number_text(value: float, digits: int = 4) -> str:
    """Write a number with a true minus sign.

    Examples
    --------
    >>> number_text(-0.25), number_text(1e-07), number_text(12000)
    ('−0.25', '1e−07', '12000')
    """
    text = f"{value:.{digits}g}"
    if "e+" in text:
        text = f"{value:.0f}" if abs(value) < 1e6 else text.replace("e+0", "e").replace("e+", "e")
    return _signed(text)


def tick_texts(values: list[float]) -> list[str]:
    """Write tick values with the same number of decimals.

    Examples
    --------
    >>> tick_texts([0.75, 0.8]), tick_texts([1e-06, 0.001, 1.0])
    (['0.75', '0.80'], ['1e−06', '0.001', '1'])
    """
    steps = [b - a for a, b in pairwise(values)]
    even = bool(steps) and max(steps) - min(steps) <= 1e-3 * max(steps)
    if even and max(steps) < 1e-4 * max(map(abs, values)) and 1e-4 <= max(map(abs, values)) < 1e9:  # far from zero
        return [decimals_text(value, max(0, -math.floor(math.log10(steps[0]) + 1e-3))) for value in values]
    texts = [f"{value:.10g}" for value in values]
    if any("e" in text for text in texts) or not even:  # a logarithmic scale, or very small steps
        return [number_text(value) for value in values]
    decimals = max(len(text.partition(".")[2]) for text in texts)
    return [decimals_text(value, decimals) for value in values]


def decimals_text(value: float, decimals: int) -> str:
    """Write a number with a fixed number of decimals and a true minus sign."""
    text = f"{value:.{decimals}f}"
    return _signed(text if float(text) else text.removeprefix("-"))


def pvalue_text(p: float) -> str:
    """Write a p-value as the tables do, with a true minus sign in its power of ten."""
    return _signed(pvalue(p))


def p_text(p: float) -> str:
    """Write a p-value as an equation, or as the bound that it is below."""
    return _signed(p_is(p))


def _signed(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Digits:
    """How numbers of a column are written: with so many decimals, before a power of ten where they are tiny or huge."""

    decimals: int
    powers: bool = False

    def __call__(self, value: float) -> str:
        """Write a number with a true minus sign."""
        if not self.powers:
            return decimals_text(value, self.decimals)
        return _signed(f"{value:.{self.decimals}e}".replace("e+", "e")) if value else "0"


def digits_of(values: Sequence[float]) -> Digits:
    """Return how to write values so that they differ: three significant digits of their spread.

    Ranks get two decimals; no number gets more than fourteen significant digits.

    Examples
    --------
    >>> digits_of((1.5, 3.25))(1.5), digits_of((2e-9, 3.456e-9))(3.456e-9), digits_of((1.2e6, 1.3e6))(1.2e6)
    ('1.50', '3.46e−09', '1200000')
    """
    gap, largest = max(values) - min(values), max(abs(value) for value in values)
    top = math.floor(math.log10(largest)) if largest > 0 else 0
    wanted = 2 - math.floor(math.log10(gap)) if gap > 0 else 2 - min(top, 0)
    decimals = min(wanted, 13 - top)
    if not -4 <= top < 9:
        return Digits(decimals=max(decimals + top, 2), powers=True)
    return Digits(decimals=max(decimals, 2 if top < 3 else 0))


def bottom_axis(
    scale: Scale,
    y: float,
    name: str,
    *,
    top: float | None = None,
    count: int = 6,
    limit: float | None = None,
    left: float | None = None,
    ticks: Ticks | None = None,
) -> list[Item]:
    """Draw a horizontal axis with ticks and name below it, and a grid up to `top`; by default with round ticks.

    A name beyond `limit` is broken into lines; where nothing stands under the axis from `left` on, they reach there.
    """
    items: list[Item] = []
    for value, words in scale.level_ticks(count) if ticks is None else ticks:
        x = scale(value)
        items += [Line(((x, top), (x, y)), colour=PALE, width=0.6)] if top is not None else []
        items.append(Line(((x, y), (x, y + 3))))
        items.append(Text(x, y + 12, words, size=TICK, anchor="middle"))
    items.append(Line(((scale.start, y), (scale.end, y))))
    x, anchor, lines = (scale.start + scale.end) / 2, "middle", [name] if limit is None else evenly(name, TICK, limit)
    if left is not None and len(lines) > 1:
        x, anchor, lines = scale.end, "end", evenly(name, TICK, scale.end - left)
    for line, words in enumerate(lines):
        items.append(Text(x, y + 25 + 10 * line, words, size=TICK, anchor=anchor, colour=INK))
    return items


def left_axis(ticks: Ticks, scale: Scale, x: float, name: str, right: float) -> list[Item]:
    """Draw a vertical axis with ticks on its left, a grid up to `right`, and its name clear of the widest tick."""
    items: list[Item] = []
    for value, _ in ticks:
        y = scale(value)
        items += [Line(((x, y), (right, y)), colour=PALE, width=0.6), Line(((x - 3, y), (x, y)))]
    labels = [Text(x - 5, scale(value) + 0.35 * TICK, words, size=TICK, anchor="end") for value, words in ticks]
    items += [*labels, Line(((x, scale.start), (x, scale.end)))]
    left = min((label.box()[0] for label in labels), default=x)
    items.append(Text(left - 6, (scale.start + scale.end) / 2, name, size=TICK, anchor="middle", upwards=True))
    return items


def axes(
    across: Scale,
    down: Scale,
    x_name: str,
    y_name: str,
    *,
    counts: tuple[int, int] = (6, 6),
    limit: float | None = None,
) -> list[Item]:
    """Draw both axes of a plane with their grid; `counts` is about how many ticks each has."""
    top, bottom = sorted((down.start, down.end))
    items = bottom_axis(across, bottom, x_name, top=top, count=counts[0], limit=limit)
    values = down.ticks(counts[1])
    return items + left_axis(list(zip(values, tick_texts(values), strict=True)), down, across.start, y_name, across.end)


def legend_line(entries: Iterable[tuple[Sequence[Item], str]], x: float, y: float, limit: float) -> list[Item]:
    """Lay out marks (drawn around 0, 0) with their meanings in lines no longer than `limit`."""
    items: list[Item] = []
    at, row = x, y
    for marks, words in entries:
        text = Text(0, 0, words, size=TICK, colour=MUTED)
        width = 12 + text.box()[2] + 14
        if at > x and at + width > x + limit:
            at, row = x, row + 12
        items += [mark.moved(at + 5, row - 0.3 * TICK) for mark in marks]
        items.append(text.moved(at + 13, row))
        at += width
    return items


_STEPS = ([1.2, 1.5, 2.0, 3.0, 5.0, 10.0], [2.0, 5.0, 10.0], *([10.0**stride] for stride in range(1, 40)))
_MOST = 9
"""Steps within a decade, then decades alone, and how many ticks there are at most."""


def ratio_axis(scale: Scale, y: float, name: str, *, top: float) -> list[Item]:
    """Draw a logarithmic axis of ratios below a plane that reaches up to `top`; a long name is broken."""
    return bottom_axis(scale, y, name, top=top, limit=scale.end - scale.start, ticks=ratio_ticks(scale))


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
