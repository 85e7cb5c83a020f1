"""Rows with names beside them: names that fit, and what stands in each row."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from tiebreak.figures.drawing.palette import MUTED
from tiebreak.figures.drawing.scene import LONGEST, NAME, Item, Text
from tiebreak.figures.drawing.text import drawn_size, shown, text_width

LEADING = 1.17
"""The distance of the lines of a broken name, in sizes: an accent on a capital stays clear of the line above."""
KEY = 7.5
_BETWEEN = " \N{EN DASH} "
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_PARTS = re.compile(r"[^\s_/,;:+)\]}-]*[\s_/,;:+)\]}-]*")


def name_lines(
    name: object, size: float, limit: float, most: int, *, bold: bool = False
) -> tuple[tuple[str, ...], bool]:
    """Break a name into at most so many lines no wider than `limit`; say whether its middle had to be left out.

    Examples
    --------
    >>> name_lines("gradient boosting", 9, 50, 2)
    (('gradient', 'boosting'), False)
    >>> name_lines("one that is much too long", 9, 50, 1)
    (('one…long',), True)
    """
    full = shown(name)
    lines = _broken(full, size, limit, bold)
    if len(lines) <= most:
        return tuple(_even(full, lines, size, limit, bold)), False
    first, dash, second = full.partition(_BETWEEN)
    if dash and most > 1:  # each of a pair is cut by itself: the middle of both together is the end of one name
        halves = [name_lines(half, size, limit, most // 2, bold=bold)[0] for half in (first + dash.rstrip(), second)]
        return halves[0] + halves[1], True
    best: tuple[str, ...] = (_ELLIPSIS,)
    low, high = 1, len(full) - 1
    while low <= high:  # the most letters with which it still fits
        keep = (low + high) // 2
        cut = f"{full[: (keep + 1) // 2].rstrip()}{_ELLIPSIS}{full[len(full) - keep // 2 :].lstrip()}"
        lines = _broken(cut, size, limit, bold)
        if len(lines) <= most:
            low, best = keep + 1, tuple(lines)
        else:
            high = keep - 1
    return best, True


def _even(text: str, lines: list[str], size: float, limit: float, bold: bool) -> list[str]:
    """Make the lines about as long as each other, in as many of them, broken at spaces alone."""
    low, high = limit / 2, limit
    for _ in range(4 if len(lines) > 1 else 0):
        middle = (low + high) / 2
        tried = _broken(text, size, middle, bold)
        words = len(tried) == len(lines) and " ".join(tried) == text
        low, high, lines = (low, middle, tried) if words else (middle, high, lines)
    return lines


def _broken(text: str, size: float, limit: float, bold: bool) -> list[str]:
    """Break after a space or a sign where that can be done, else anywhere; a pair of names first between the two."""
    if text_width(text, size, bold=bold) <= limit:
        return [text]
    first, dash, second = text.partition(_BETWEEN)
    if dash:
        return _broken(f"{first}{dash.rstrip()}", size, limit, bold) + _broken(second, size, limit, bold)
    lines = [""]
    for part in filter(None, _PARTS.findall(text)):
        if text_width((lines[-1] + part).rstrip(), size, bold=bold) <= limit:
            lines[-1] += part
            continue
        lines += [""] if lines[-1] else []
        if text_width(part.rstrip(), size, bold=bold) <= limit:
            lines[-1] = part
            continue
        for char in part:
            if lines[-1] and text_width(lines[-1] + char, size, bold=bold) > limit and char != " ":
                lines.append("")
            lines[-1] += char
    return [line.strip() for line in lines if line.strip()]


def centred(lines: Sequence[str], x: float, y: float, *, size: float, **look: Any) -> list[Text]:
    """Write lines around a middle height."""
    step = LEADING * drawn_size(size)
    first = y - step * (len(lines) - 1) / 2 + 0.35 * drawn_size(size)
    return [Text(x, first + i * step, line, size=size, **look) for i, line in enumerate(lines)]


def stacked(lines: Sequence[str], x: float, top: float, *, size: float, **look: Any) -> list[Text]:
    """Write lines from a height down."""
    step = LEADING * drawn_size(size)
    return [Text(x, top + 0.8 * drawn_size(size) + i * step, line, size=size, **look) for i, line in enumerate(lines)]


def key_of_cuts(cuts: Sequence[tuple[str, str]], left: float, top: float, width: float) -> list[Item]:
    """Tell shortened names whole, one under the other, broken into lines where they are long."""
    items: list[Item] = []
    y = top
    for short, full in dict.fromkeys(cuts):
        lines, _ = name_lines(f"{short} = {full}", KEY, width, 1000)
        items += stacked(lines, left, y, size=KEY, colour=MUTED, title=full)
        y += LEADING * drawn_size(KEY) * len(lines) + 1.5
    return items


MANY, VERY_MANY = 25, 45
"""Beyond so many rows they stand closer in a figure that has a width, and closer still."""
SEVERAL = 14
"""Beyond so many rows letters become smaller where that keeps every name on one line."""
MANY_LEAST = 6.6
"""The smallest letters of names where rows are many."""
MOST_IN_COLUMN = 36
"""Pairs that a column has room for on one page, since most of their names take two lines there."""
MARKED = 10.0
"""Rows that high have room for marks of the usual size."""
APART = 0.14
"""Between a name of several lines and the next row, in rows: less, and the lines of two names read as one."""
GAP = 8.0
"""Between names and what stands beside them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One row: the position of its algorithm, None for a row of `count` folded ones, its name in lines, its middle."""

    index: int | None
    lines: tuple[str, ...]
    title: str
    middle: float
    high: float
    count: int = 1
    first: int = 0
    bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Rows from top (0) to `bottom`; `wide` is the widest line of a name, `cuts` tells shortened names whole."""

    rungs: tuple[Rung, ...]
    size: float
    wide: float
    bottom: float
    cuts: tuple[tuple[str, str], ...]

    def rows(self) -> list[tuple[int, float]]:
        """Return position and middle of every row that is one algorithm."""
        return [(rung.index, rung.middle) for rung in self.rungs if rung.index is not None]

    def marks(self) -> float:
        """Return how large marks are beside usual ones: those of close rows would touch each other."""
        return min(1.0, min(rung.high for rung in self.rungs) / MARKED)

    def texts(self, x: float, anchor: str = "end", **look: Any) -> list[Item]:
        """Write the names at x."""
        items: list[Item] = []
        for rung in self.rungs:
            settings: dict[str, Any] = {"colour": MUTED} if rung.index is None else {"bold": rung.bold, **look}
            items += centred(rung.lines, x, rung.middle, size=self.size, anchor=anchor, title=rung.title, **settings)
        return items

    def key(self, left: float, top: float, width: float) -> list[Item]:
        """Tell the names that were shortened."""
        return key_of_cuts(self.cuts, left, top, width)


def slots(count: int, counts: Sequence[int]) -> list[tuple[int | None, int, int]]:
    """Return the rows of a figure: (position, first, 1) of a drawn one, (None, first, count) of a fold.

    Examples
    --------
    >>> slots(6, (0, 1, 4))
    [(0, 0, 1), (1, 1, 1), (None, 2, 2), (4, 4, 1), (None, 5, 1)]
    """
    if not counts:
        return [(i, i, 1) for i in range(count)]
    rows: list[tuple[int | None, int, int]] = []
    before = -1
    for i in (*sorted(counts), count):
        if i > before + 1:
            rows.append((None, before + 1, i - before - 1))
        if i < count:
            rows.append((i, i, 1))
        before = i
    return rows


def row_height(count: int, usual: float, room: float | None) -> float:
    """Return how high rows are: as usual, less where a figure with a width has many."""
    if room is None or count <= MANY:
        return usual
    return min(usual, max(11.0 if count <= VERY_MANY else 7.8, drawn_size(0.0) * 1.1 + 0.3))


def letters_of(row: float, usual: float) -> float:
    """Return the size of letters in rows so high: as usual, smaller where rows stand close."""
    return min(usual, max(row - 1.6, MANY_LEAST))


def make_ladder(
    names: Sequence[object],
    counts: Sequence[int] = (),
    *,
    row: float,
    limit: float = LONGEST,
    most: int = 1,
    bold: Collection[int] = (),
    size: float = NAME,
) -> Ladder:
    """Break or shorten the names to a column `limit` wide, and stack the rows."""
    rungs: list[Rung] = []
    cuts: list[tuple[str, str]] = []
    size, at = letters_of(row, size), 0.0
    for index, first, count in slots(len(names), counts):
        name = shown(names[first]) if index is not None else others(count)
        strong = index is not None and index in bold
        lines, cut = name_lines(name, size, limit, most, bold=strong)
        if cut and index is not None:
            cuts.append((" ".join(lines), name))
        # a row of one line is as high as asked for, as long as the letters of the next one stay clear of it
        apart = min(2.5, APART * row)
        needed = len(lines) * LEADING * drawn_size(size) + apart if len(lines) > 1 else 1.1 * drawn_size(size)
        high = max(row, needed)
        title = name if index is not None else ", ".join(shown(item) for item in names[first : first + count])
        rungs.append(
            Rung(
                index=index,
                lines=lines,
                title=title,
                middle=at + high / 2,
                high=high,
                count=count,
                first=first,
                bold=strong,
            )
        )
        at += high
    wide = max(text_width(line, size, bold=rung.bold) for rung in rungs for line in rung.lines)
    return Ladder(rungs=tuple(rungs), size=size, wide=wide, bottom=at, cuts=tuple(cuts))


def others(count: int) -> str:
    """Write what stands for folded rows.

    Examples
    --------
    >>> others(3), others(1)
    ('… 3 others', '… 1 other')
    """
    return f"\N{HORIZONTAL ELLIPSIS} {count} other{'s' if count > 1 else ''}"


def divided(
    names: Sequence[object],
    counts: Sequence[int] = (),
    *,
    room: float | None,
    row: float,
    usual: float,
    beside: float = 0.0,
    least: float = 90.0,
    share: float = 0.42,
    most: int = 3,
    bold: Collection[int] = (),
) -> tuple[Ladder, float]:
    """Divide the room between names on the left and a plot; `beside` is what stands on the right of the plot.

    Names stay whole on one line as long as the plot keeps its share of the room; without a room the plot has its usual
    width.
    """
    high = row_height(len(slots(len(names), counts)), row, room)
    ladder = make_ladder(names, counts, row=high, bold=bold)
    if room is None:
        return ladder, usual
    free = room - GAP - beside
    wanted = max(least, share * free)
    if free - ladder.wide < wanted or ladder.cuts:
        limit = max(free - wanted, 0.2 * room)
        size = _size_within(names, len(ladder.rungs), ladder.size, limit)
        ladder = make_ladder(names, counts, row=high, bold=bold, limit=limit, most=most, size=size)
    return ladder, max(free - ladder.wide, least)


def _size_within(names: Sequence[object], rows: int, size: float, limit: float) -> float:
    """Return the size of names in a column: of several rows smaller letters if they leave all of them on one line."""
    whole = whole_size(names, size, limit)
    fits = max(text_width(shown(name), whole) for name in names) <= limit
    return whole if rows > MANY or (rows > SEVERAL and fits) else size


def whole_size(names: Sequence[object], size: float, limit: float) -> float:
    """Return the largest size, `size` at the most, in which every name has room on one line.

    Of many rows, smaller letters read better than names in several lines or with their middles left out. Where no size
    has room for all, the longest fifth of the names is broken.
    """
    # a hair wider than measured: widths are rounded, and the very longest name must not be broken for that
    widths = sorted(text_width(shown(name), 100.0) / 100.0 * (1 + 1e-6) for name in names)
    least = drawn_size(MANY_LEAST)
    all_fit, most_fit = (limit / max(widths[int(share * (len(widths) - 1))], 1e-6) for share in (1.0, 0.8))
    return min(size, all_fit if all_fit >= least else max(most_fit, least))
