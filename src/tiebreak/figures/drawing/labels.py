"""Labels beside points that collide neither with each other nor with any point; the same input, the same places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak.figures.drawing.metrics import ASCENT, DESCENT
from tiebreak.figures.drawing.scene import Box, Point, apart

Line = tuple[Point, Point]
# beside the mark first, right before left, as one reads; above and below only where that fails
_STRAIGHT = ((1.0, 0.0), (-1.0, 0.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (-1.0, 1.0), (0.0, -1.0), (0.0, 1.0))
_BETWEEN = ((1.0, -0.5), (1.0, 0.5), (-1.0, -0.5), (-1.0, 0.5), (0.5, -1.0), (-0.5, -1.0), (0.5, 1.0), (-0.5, 1.0))
_DIRECTIONS = _STRAIGHT + _BETWEEN
CLEAR = 0.7
"""How far from its label a leader line ends."""
_REACHES = (6.0, 9.0, 14.0, 20.0, 28.0, 38.0, 50.0, 66.0, 86.0, 110.0, 140.0, 180.0, 230.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Where a label stands (left end of its base line), and the end of its leader line where it needs one."""

    x: float
    y: float
    leader: Line | None


class _Plane:
    """What labels must stay inside and keep clear of; it fills while labels are placed."""

    def __init__(self, points: Sequence[Point], radius: float, size: float, inside: Box, lines: Sequence[Line]) -> None:
        self.points, self.size, self.inside, self.lines = points, size, inside, list(lines)
        self.marks = [(x - radius, y - radius, x + radius, y + radius) for x, y in points]
        self.labels: list[Box] = []

    def place(self, i: int, width: float, level: int) -> Label | None:
        """Try places around the point, near ones first, and take the first that is free."""
        x, y = self.points[i]
        for reach in _REACHES:
            for dx, dy in _DIRECTIONS:
                slant = 0.7 if abs(dx) == abs(dy) else 1.0
                box = _box(x + dx * reach * slant, y + dy * reach * slant, dx, dy, width, self.size)
                # close to its mark a label needs no leader to be told to whom it belongs
                leader = None if reach <= (6 if dx and dy else 9) else ((x, y), _near(box, x, y))
                if _within(box, self.inside) and self._free(i, box, leader, level):
                    self.labels.append(box)
                    self.lines += [leader] if leader else []
                    return Label(x=box[0], y=box[1] + ASCENT * self.size, leader=leader)
        return None

    def _free(self, i: int, box: Box, leader: Line | None, level: int) -> bool:
        """Say whether a label and its leader line are clear: at level 1 the line may cross marks, never labels."""
        if not all(apart(box, other, 1.0) for other in (*self.marks, *self.labels)):
            return False
        if any(_crosses(other, box) for other in self.lines):
            return False
        if leader is None:
            return True
        others = [mark for j, mark in enumerate(self.marks) if j != i] if level == 0 else []
        return not any(_crosses(leader, other) for other in (*others, *self.labels))


def place_labels(
    points: Sequence[Point],
    widths: Sequence[float],
    size: float,
    inside: Box,
    *,
    radius: float,
    lines: Sequence[Line] = (),
    patient: bool = False,
) -> list[Label | None] | None:
    """Place a label for every point, none of them on a line, or return None where that cannot be done.

    Leader lines cross nothing, unless `patient` allows them to cross marks where there is no other way; labels never
    do, and where a patient search finds no place either, that label is None.
    """
    plane, found = _Plane(points, radius, size, inside, lines), dict[int, Label | None]()
    # points in a crowd choose first: those that stand alone find a place anyway
    crowd = [sum(abs(x - u) < 60 and abs(y - v) < 30 for u, v in points) for x, y in points]
    for i in sorted(range(len(points)), key=lambda i: (-crowd[i], points[i], i)):
        label = None
        for level in range(2 if patient else 1):
            label = label or plane.place(i, widths[i], level)
        if label is None and not patient:
            return None
        found[i] = label
    return [found[i] for i in range(len(points))]


def _within(box: Box, room: Box) -> bool:
    return box[0] >= room[0] and box[1] >= room[1] and box[2] <= room[2] and box[3] <= room[3]


def _box(x: float, y: float, dx: float, dy: float, width: float, size: float) -> Box:
    """The direction says which side of the box touches the place; 0 centres it there."""
    left = x if dx > 0 else x - width if dx < 0 else x - width / 2
    height = (ASCENT + DESCENT) * size
    top = y if dy > 0 else y - height if dy < 0 else y - height / 2
    return left, top, left + width, top + height


def _near(box: Box, x: float, y: float) -> Point:
    """The point near the box nearest to the mark: a leader line ends there, short of the words."""
    return min(max(x, box[0] - CLEAR), box[2] + CLEAR), min(max(y, box[1] - CLEAR), box[3] + CLEAR)


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
