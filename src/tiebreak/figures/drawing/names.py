"""Names in little room: broken into lines, and where that is not enough shortened, with a key that tells them whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tiebreak.figures.drawing.metrics import drawn_size, shown, text_width
from tiebreak.figures.drawing.palette import MUTED
from tiebreak.figures.drawing.scene import Item, Text

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
