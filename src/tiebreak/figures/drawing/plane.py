"""Planes: points with names beside them, and clouds of points with contours."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING

from tiebreak.documents import Row
from tiebreak.figures.drawing.axis import spread
from tiebreak.figures.drawing.ladder import LEADING, name_lines, stacked
from tiebreak.figures.drawing.palette import MUTED
from tiebreak.figures.drawing.scene import Box, Item, Point, Text, apart, bounds, numbered
from tiebreak.figures.drawing.text import ASCENT, DESCENT, drawn_size, shown, text_width
from tiebreak.wording import Brief

if TYPE_CHECKING:
    from tiebreak._checks import FloatArray

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
    plane, labels = _Plane(points, radius, size, inside, lines), dict[int, Label | None]()
    # points in a crowd choose first: those that stand alone find a place anyway
    crowd = [sum(abs(x - u) < 60 and abs(y - v) < 30 for u, v in points) for x, y in points]
    for i in sorted(range(len(points)), key=lambda i: (-crowd[i], points[i], i)):
        label = None
        for level in range(2 if patient else 1):
            label = label or plane.place(i, widths[i], level)
        if label is None and not patient:
            return None
        labels[i] = label
    return [labels[i] for i in range(len(points))]


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
            result = {i: (label, words[i]) for i, label in zip(numbers, placed, strict=True) if label is not None}
            return result, words is not full
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


Floats = Sequence[float]
Contours = tuple[tuple[tuple[float, ...], ...], ...]
MOST = 8
"""More algorithms than these cannot be distinguished by colour and shape."""
SHARES = (0.5, 0.95)
"""The shares of the fitted distribution that lie inside the two contours."""
CORNERS = 48
_FLAT, _LINE_STRAIGHT = 1e-12, 1e-10


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Cloud(Brief):
    """The folds of one algorithm; `ys` is empty where there is one axis only.

    `contours` holds one line per share of `SHARES`, in the units of the axes: closed where both axes vary, a segment
    where the points lie on a line, empty where they do not vary. `singles` are the values of the histogram.
    """

    algorithm: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    singles: tuple[float, ...]
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    correlation: float | None
    contours: Contours


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Panels(Brief):
    """What two panels show: a histogram of `single_name` per algorithm, and the clouds beside it.

    `counts` has one row per cloud and one column per bin; bin i reaches from `edges[i]` to `edges[i + 1]`.
    """

    clouds: tuple[Cloud, ...]
    x_name: str
    y_name: str
    single_name: str
    edges: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]

    def rows(self, x: str, y: str, single: str) -> list[Row]:
        """Return one row per algorithm; the columns are called by short names of the axes."""
        return [
            {
                "algorithm": cloud.algorithm,
                "folds": len(cloud.xs),
                **{f"mean {name}": value for name, value in zip((x, y), cloud.mean, strict=False)},
                **{f"sd {name}": value for name, value in zip((x, y), cloud.deviation, strict=False)},
                "correlation": cloud.correlation,
                f"mean of histogram ({single})": fmean(cloud.singles),
            }
            for cloud in self.clouds
        ]


def make_panels(
    names: Sequence[str], xs: FloatArray, ys: FloatArray | None, singles: FloatArray, axes: tuple[str, str, str]
) -> Panels:
    """Fit clouds and count histograms; arrays are (folds, algorithms), `axes` the names of x, y and the histogram."""
    down = [[]] * len(names) if ys is None else ys.T.tolist()
    clouds = tuple(map(_cloud, names, xs.T.tolist(), down, singles.T.tolist()))
    edges = _edges([cloud.singles for cloud in clouds])
    counts = tuple(_counts(cloud.singles, edges) for cloud in clouds)
    return Panels(clouds=clouds, x_name=axes[0], y_name=axes[1], single_name=axes[2], edges=edges, counts=counts)


def _cloud(name: str, xs: list[float], ys: list[float], singles: list[float]) -> Cloud:
    """A correlation is fitted only where both axes vary: else the contour is a segment or nothing."""
    columns = [xs, ys] if ys else [xs]
    means = tuple(fmean(column) for column in columns)
    deviations = tuple(_deviation(column, mean) for column, mean in zip(columns, means, strict=True))
    correlation = _correlation(columns, means, deviations) if ys and min(deviations) > 0 else None
    return Cloud(
        algorithm=name,
        xs=tuple(xs),
        ys=tuple(ys),
        singles=tuple(singles),
        mean=means,
        deviation=deviations,
        correlation=correlation,
        contours=contours_of(means, deviations, correlation),
    )


def _deviation(values: Floats, mean: float) -> float:
    """Return the standard deviation, zero where nothing but rounding varies."""
    estimate = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1))
    return estimate if estimate > _FLAT * max(map(abs, values)) else 0.0


def _correlation(columns: Sequence[Floats], means: Floats, deviations: Floats) -> float:
    """Return the correlation, exactly one or minus one where the points lie on a line."""
    (mean_x, mean_y), (sd_x, sd_y) = means, deviations
    products = [(x - mean_x) / sd_x * ((y - mean_y) / sd_y) for x, y in zip(*columns, strict=True)]
    r = math.fsum(products) / (len(products) - 1)
    return math.copysign(1.0, r) if abs(r) > 1 - _LINE_STRAIGHT else r


def contours_of(means: Floats, deviations: Floats, correlation: float | None) -> Contours:
    """Return the lines of equal probability of a normal distribution that hold `SHARES` of it.

    With two axes that vary, ellipses at the radius sqrt(-2 ln(1 - share)); where the points lie on a line, the
    interval of the normal distribution along it; one axis alone, the interval on it.

    Examples
    --------
    >>> [[round(x, 2) for (x,) in line] for line in contours_of((0.0,), (1.0,), None)]
    [[-0.67, 0.67], [-1.96, 1.96]]
    >>> len(contours_of((0.0, 0.0), (1.0, 1.0), 0.5)[0]), contours_of((0.0, 0.0), (0.0, 0.0), None)
    (49, ())
    """
    if not any(deviations):
        return ()
    if len(means) == 1 or correlation is None or abs(correlation) == 1.0:
        slope = (1.0, correlation or 1.0)[: len(means)]
        steps = [(mean, d * s) for mean, d, s in zip(means, deviations, slope, strict=True)]
        reaches = [NormalDist().inv_cdf((1 + share) / 2) for share in SHARES]
        return tuple(tuple(tuple(m + side * z * step for m, step in steps) for side in (-1, 1)) for z in reaches)
    return tuple(_ellipse(means, deviations, correlation, math.sqrt(-2 * math.log1p(-share))) for share in SHARES)


def _ellipse(means: Floats, deviations: Floats, r: float, radius: float) -> tuple[Point, ...]:
    """Map the circle by the Cholesky factor of the covariance."""
    points = []
    for i in range(CORNERS):
        across, along = math.cos(2 * math.pi * i / CORNERS), math.sin(2 * math.pi * i / CORNERS)
        x = means[0] + radius * deviations[0] * across
        points.append((x, means[1] + radius * deviations[1] * (r * across + math.sqrt(1 - r * r) * along)))
    return (*points, points[0])


def _edges(clouds: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """Return edges of bins around all values: multiples of a round step near 2 s n^(-1/3), s the spread within."""
    values = [value for cloud in clouds for value in cloud]
    low, high = spread(values, 0.0)
    inside = math.fsum(_deviation(cloud, fmean(cloud)) ** 2 for cloud in clouds) / len(clouds)
    wanted = 2.0 * math.sqrt(inside) * len(clouds[0]) ** (-1 / 3)
    step = _round_step(min(max(wanted or (high - low) / 16, (high - low) / 50), (high - low) / 4))
    first, last = math.floor(low / step + 1e-9), math.floor(high / step + 1e-9) + 1
    return tuple(float(f"{i * step:.14g}") for i in range(first, last + 1))


def _round_step(rough: float) -> float:
    """Return the nearest of 1, 2, 2.5 and 5 times a power of ten, by ratio."""
    power = 10.0 ** math.floor(math.log10(rough))
    return min((factor * power for factor in (1, 2, 2.5, 5, 10)), key=lambda step: abs(math.log(step / rough)))


def _counts(values: Floats, edges: Floats) -> tuple[int, ...]:
    """Count the values in each bin; a value on an edge belongs to the bin above it."""
    step, counts = edges[1] - edges[0], [0] * (len(edges) - 1)
    for value in values:
        counts[min(max(math.floor((value - edges[0]) / step + 1e-9), 0), len(counts) - 1)] += 1
    return tuple(counts)
