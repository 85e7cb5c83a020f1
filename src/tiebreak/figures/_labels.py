"""Labels beside points that collide neither with each other nor with any point; the same input, the same places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak.figures._metrics import ASCENT, DESCENT
from tiebreak.figures._scene import Box, Point, apart

Line = tuple[Point, Point]
_STRAIGHT = ((1.0, 0.0), (-1.0, 0.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (-1.0, 1.0), (0.0, -1.0), (0.0, 1.0))
_BETWEEN = ((1.0, -0.5), (1.0, 0.5), (-1.0, -0.5), (-1.0, 0.5), (0.5, -1.0), (-0.5, -1.0), (0.5, 1.0), (-0.5, 1.0))
_DIRECTIONS = _STRAIGHT + _BETWEEN
_REACHES = (6.0, 9.0, 14.0, 20.0, 28.0, 38.0, 50.0, 66.0, 86.0, 110.0, 140.0, 180.0, 230.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Where a label stands (left end of its base line), and the end of its leader line where it needs one."""

    x: float
    y: float
    leader: Line | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _There:
    """What labels must keep clear of."""

    marks: list[Box]
    labels: list[Box]
    lines: list[Line]


def place_labels(
    points: Sequence[Point],
    widths: Sequence[float],
    size: float,
    inside: Box,
    *,
    radius: float,
    lines: Sequence[Line] = (),
    patient: bool = False,
) -> list[Label] | None:
    """Place a label for every point, none of them on a line, or return None where that cannot be done.

    Leader lines cross nothing, unless `patient` allows it where there is no other way; labels never do.
    """
    marks = [(x - radius, y - radius, x + radius, y + radius) for x, y in points]
    there = _There(marks=marks, labels=[], lines=list(lines))
    found: dict[int, Label] = {}
    crowd = [sum(abs(x - u) < 60 and abs(y - v) < 30 for u, v in points) for x, y in points]
    for i in sorted(range(len(points)), key=lambda i: (-crowd[i], points[i], i)):
        placed = None
        for level in range(3 if patient else 1):
            placed = placed or _first_free(i, points[i], widths[i], size, inside, there, level)
        if placed is None:
            return None
        found[i], box = placed
        there.labels.append(box)
        if found[i].leader is not None:
            there.lines.append(found[i].leader)  # type: ignore[arg-type]
    return [found[i] for i in range(len(points))]


def _first_free(
    i: int, point: Point, width: float, size: float, inside: Box, there: _There, level: int
) -> tuple[Label, Box] | None:
    """Try places around the point, near ones first."""
    x, y = point
    for reach in _REACHES:
        for dx, dy in _DIRECTIONS:
            slant = 0.7 if abs(dx) == abs(dy) else 1.0
            box = _box(x + dx * reach * slant, y + dy * reach * slant, dx, dy, width, size)
            if box[0] < inside[0] or box[1] < inside[1] or box[2] > inside[2] or box[3] > inside[3]:
                continue
            plain = reach <= (6 if dx and dy else 9)
            line = None if plain else (point, _near(box, x, y))
            if _free(i, box, line, there, level):
                return Label(x=box[0], y=box[1] + ASCENT * size, leader=line), box
    return None


def _free(i: int, box: Box, line: Line | None, there: _There, level: int) -> bool:
    """Say whether a label and its leader line are clear: at level 1 the line may cross marks, at 2 labels too."""
    if not all(apart(box, other, 1.0) for other in (*there.marks, *there.labels)):
        return False
    if level < 2 and any(_crosses(other, box) for other in there.lines):
        return False
    if line is None or level == 2:
        return True
    others = [mark for j, mark in enumerate(there.marks) if j != i] if level == 0 else []
    return not any(_crosses(line, other) for other in (*others, *there.labels))


def _box(x: float, y: float, dx: float, dy: float, width: float, size: float) -> Box:
    left = x if dx > 0 else x - width if dx < 0 else x - width / 2
    height = (ASCENT + DESCENT) * size
    top = y if dy > 0 else y - height if dy < 0 else y - height / 2
    return left, top, left + width, top + height


def _near(box: Box, x: float, y: float) -> Point:
    return min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])


def _crosses(line: Line, box: Box) -> bool:
    """Say whether a line passes through a box: clipping by Liang and Barsky."""
    (x, y), (u, v) = line
    low, high = 0.0, 1.0
    for delta, before, after in ((u - x, box[0] - x, box[2] - x), (v - y, box[1] - y, box[3] - y)):
        if abs(delta) < 1e-12:
            if before >= 0 or after <= 0:
                return False
            continue
        a, b = sorted((before / delta, after / delta))
        low, high = max(low, a), min(high, b)
    return low < high - 1e-9
