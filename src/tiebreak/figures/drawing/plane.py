"""Planes of named marks: names beside the marks where they fit, else numbers there and the names in a key."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tiebreak.figures.drawing.labels import Label, Line, place_labels
from tiebreak.figures.drawing.metrics import drawn_size, shown, text_width
from tiebreak.figures.drawing.names import LEADING, name_lines, stacked
from tiebreak.figures.drawing.palette import MUTED
from tiebreak.figures.drawing.scene import Item, Point, Text, bounds, numbered

NAME, KEY, LONGEST = 8.5, 8.0, 130.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What labels are placed beside: points by their numbers, names, and what no label may stand on."""

    points: Mapping[int, Point]
    names: Mapping[int, str]
    lines: Sequence[Line]
    size: tuple[float, float]
    radius: float
    small: Collection[Point] = ()


def beside(marks: Marks) -> tuple[dict[int, tuple[Label, str]], bool]:
    """Return the label of each number with its words, and whether a key must tell the names.

    A label that would stand on a line or on another one is left out: the key has it all the same.
    """
    wide, high = marks.size
    numbers = list(marks.points)
    full = {i: f"{i} {shown(marks.names[i])}" for i in numbers}
    # where names would cover more than a seventh of the plane, no placing of them can be read
    lengths = [text_width(words, NAME) for words in full.values()]
    few = max(lengths) <= min(LONGEST, 0.5 * wide) and sum(lengths) * drawn_size(NAME) < 0.14 * wide * high
    lines = [*marks.lines, *(line for at in marks.small for line in _across(*at))]
    for words in (full, {i: str(i) for i in numbers}) if few else ({i: str(i) for i in numbers},):
        placed = place_labels(
            list(marks.points.values()),
            [text_width(words[i], NAME) for i in numbers],
            drawn_size(NAME),
            (2.0, 2.0, wide - 2, high - 2),
            radius=marks.radius,
            lines=lines,
            patient=words is not full,
        )
        if placed is not None:
            found = {i: (label, words[i]) for i, label in zip(numbers, placed, strict=True) if label is not None}
            return found, words is not full
    return {}, True


def _across(x: float, y: float, reach: float = 1.7) -> list[Line]:
    """A small mark is kept clear of as the two lines through its middle."""
    return [((x - reach, y), (x + reach, y)), ((x, y - reach), (x, y + reach))]


def label_texts(labels: Mapping[int, tuple[Label, str]], names: Mapping[int, str]) -> list[Item]:
    """Write the labels where they were placed."""
    return [Text(at.x, at.y, words, size=NAME, title=shown(names[i])) for i, (at, words) in labels.items()]


def key_at_side(names: Mapping[int, str], bold: Collection[int], width: float, height: float) -> list[Item]:
    """List numbers and names on the right, in as many columns as the height asks for."""
    items: list[Item] = []
    row, per, x = KEY * 1.4, int((height + 30) / (KEY * 1.4)), width + 16
    listed = list(names.items())
    for start in range(0, len(listed), per):
        column = [
            numbered(i, name, x, KEY * 0.8 + at * row, size=KEY, bold=i in bold)
            for at, (i, name) in enumerate(listed[start : start + per])
        ]
        items += [text for pair in column for text in pair]
        x = max(name.box()[2] for _, name in column) + 14
    return items


def key_under(names: Mapping[int, str], bold: Collection[int], items: Sequence[Item], room: float) -> list[Item]:
    """List numbers and names under the plane, in as many columns as have room; long names are broken."""
    left, _, _, bottom = bounds(items)
    widest = max(text_width(shown(name), KEY, bold=i in bold) for i, name in names.items())
    columns = max(1, min(4, int(room // (min(widest, room - 19) + 27))))
    if columns == 1 and len(names) > 6 and room > 180:
        columns = 2
    pitch = room / columns
    listed = [(i, name_lines(name, KEY, pitch - 27, 1000, bold=i in bold)[0]) for i, name in names.items()]
    per, made = -(-len(listed) // columns), list[Item]()
    for column in range(columns):
        y, x = bottom + 5, left + column * pitch
        for i, lines in listed[column * per : (column + 1) * per]:
            made += stacked([str(i)], x + 14, y, size=KEY, anchor="end", colour=MUTED)
            made += stacked(lines, x + 19, y, size=KEY, bold=i in bold, title=shown(names[i]))
            y += LEADING * drawn_size(KEY) * len(lines) + 1.5
    return made
