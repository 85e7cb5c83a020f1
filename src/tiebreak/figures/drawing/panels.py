"""Two panels side by side: a histogram for every algorithm, and the clouds of their folds with contours."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tiebreak.figures.drawing.axis import TICK, Scale, axes, bottom_axis, legend_line, number_text
from tiebreak.figures.drawing.ladder import key_of_cuts, name_lines, whole_size
from tiebreak.figures.drawing.palette import (
    BLUE,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    PALE,
    PAPER,
    PURPLE,
    SKY,
    VERMILION,
    WINE,
)
from tiebreak.figures.drawing.plane import SHARES, Cloud, Label, Panels, place_labels
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Point, Text, bounds, diamond, rectangle
from tiebreak.figures.drawing.text import fitted, shown, text_width

COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, INK, SKY, WINE)
HEIGHT, PLANE, BARS, NAME, GAP, TITLE = 300.0, 320.0, 230.0, 8.5, 22.0, 13.0
SIDE_BY_SIDE = 440.0
"""Room from which on both panels stand beside each other."""
MOST_DOTS, MOST_OBSTACLES = 3000, 1500
"""More dots make a file slow to open; more obstacles make the placing of names slow."""
PENS: tuple[dict[str, Any], ...] = ({"width": 1.4}, {"width": 0.9, "dash": (3.0, 2.0)})
"""How the contour of each of `SHARES` is drawn: the outer one fainter, for it says less."""


def mark(kind: int, x: float, y: float, size: float, *, opacity: float = 1.0, title: str = "") -> list[Item]:
    """Draw the mark of one algorithm: eight shapes, each with its colour, so that either tells it from the others."""
    look: dict[str, Any] = {"colour": COLOURS[kind % len(COLOURS)], "opacity": opacity, "title": title}
    if kind in (6, 7):
        ends = ((1.2, 0.0), (0.0, 1.2)) if kind == 6 else ((0.9, 0.9), (0.9, -0.9))
        tracks = [((x - dx * size, y - dy * size), (x + dx * size, y + dy * size)) for dx, dy in ends]
        return [Line(track, width=0.5 * size, **look) for track in tracks]
    look |= {"fill": PAPER, "edge": 0.35 * size} if kind in (4, 5) else {"fill": look["colour"]}
    if kind in (0, 4):
        return [Circle(x, y, size, **look)]
    return [Area(_corners(kind, x, y, size), **look)]


def _corners(kind: int, x: float, y: float, size: float) -> tuple[Point, ...]:
    """The factors make all shapes look about equally large."""
    if kind == 2:
        return (x, y - 1.25 * size), (x + 1.15 * size, y + 0.8 * size), (x - 1.15 * size, y + 0.8 * size)
    if kind == 3:
        return diamond(x, y, 1.3 * size)
    return rectangle(x - 0.9 * size, y - 0.9 * size, 1.8 * size, 1.8 * size)


def stride(panels: Panels) -> int:
    """Return which part of the folds is drawn as points: every one, every second, and so on."""
    return -(-sum(len(cloud.xs) for cloud in panels.clouds) // MOST_DOTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The widths of histograms and plane, and the heights of both."""

    bars: float = BARS
    plane: float = PLANE
    high: float = HEIGHT
    deep: float = HEIGHT


def _frame(panels: Panels, room: float | None) -> Frame:
    """Rows of points need less height than a plane; in little room the plane stands under the histograms."""
    flat, many = not panels.clouds[0].ys, len(panels.clouds)
    high = min(max(60.0 * many, 120.0), HEIGHT) if flat else HEIGHT
    if room is None:
        return Frame(high=high, deep=high)
    if room >= SIDE_BY_SIDE:
        free = room - 110.0
        return Frame(bars=0.42 * free, plane=0.58 * free, high=high, deep=high)
    low = min(max(34.0 * many, 60.0), HEIGHT)
    width = max(room - 52.0, 110.0)
    return Frame(bars=width, plane=width, high=low, deep=low if flat else min(max(0.85 * width, 120.0), HEIGHT))


def lay_out(panels: Panels, room: float | None = None) -> list[Item]:
    """Lay out histograms on the left or above, clouds on the right or below, and what the lines mean under them."""
    frame = _frame(panels, room)
    items = _histograms(panels, frame)
    flat = not panels.clouds[0].ys
    right = _strips(panels, frame) if flat else _plane(panels, frame)
    if room is None or room >= SIDE_BY_SIDE:
        start = bounds(items)[2] + GAP - bounds(right)[0]
        items += [item.moved(start, 0.0) for item in right]
    else:
        down = bounds(items)[3] + 14 - bounds(right)[1]
        items += [item.moved(0.0, down) for item in right]
    entries: list[tuple[list[Item], str]] = [
        ([Circle(0, 0, 1.9, fill=MUTED)], "a fold"),
        ([Circle(0, 0, 3.6, fill=MUTED, colour=INK, edge=0.8)], "the mean"),
    ]
    if any(cloud.contours for cloud in panels.clouds):
        kind = f"{'interval' if flat else 'contour'} of"
        for share, pen in zip(SHARES, PENS, strict=True):
            line = Line(((-5.0, 0.0), (5.0, 0.0)), colour=MUTED, **pen)
            entries.append(([line], f"{kind} {share:.0%} of the fitted normal distribution"))
    left, _, end, low = bounds(items)
    items += legend_line(entries, left, low + 16, end - left)
    return items + key_of_cuts(_cuts(panels, frame), left, bounds(items)[3] + 5, end - left)


def _histograms(panels: Panels, frame: Frame) -> list[Item]:
    """Draw one histogram per algorithm, all on one scale, its name above it."""
    scale = Scale(low=panels.edges[0], high=panels.edges[-1], start=0.0, end=frame.bars)
    height, most = frame.high, max(max(counts) for counts in panels.counts)
    row = height / len(panels.clouds)
    items = bottom_axis(scale, height, fitted(panels.single_name, TICK, frame.bars + 16), top=0.0, count=5)
    for i, (cloud, counts) in enumerate(zip(panels.clouds, panels.counts, strict=True)):
        base = row * (i + 1)
        up = Scale(low=0.0, high=most, start=base, end=row * i + TITLE + 2)
        for count, (low, high) in zip(counts, pairwise(panels.edges), strict=True):
            if count:
                corners = rectangle(scale(low) + 0.4, up(count), scale(high) - scale(low) - 0.8, base - up(count))
                text = shown(f"{cloud.algorithm}: {count} fold(s) from {low:.4g} to {high:.4g}")
                items.append(Area(corners, fill=COLOURS[i], opacity=0.75, title=text))
        items += _row_frame(i, cloud, panels, scale, up)
    middle = min(item.box()[0] for item in items if isinstance(item, Text))
    return [*items, Text(middle - 6, height / 2, "folds", size=TICK, anchor="middle", upwards=True)]


def _row_frame(i: int, cloud: Cloud, panels: Panels, scale: Scale, up: Scale) -> list[Item]:
    """Draw base line, count, mean, mark and name of one histogram."""
    mean = sum(cloud.singles) / len(cloud.singles)
    items: list[Item] = [
        Line(((0.0, up.start), (scale.end, up.start))),
        Line(((-3.0, up.end), (0.0, up.end))),
        Line(((0.0, up.start), (0.0, up.end))),
        Text(-5, up.end + 0.35 * TICK, str(int(up.high)), size=TICK, anchor="end"),
        Line(((scale(mean), up.start), (scale(mean), up.end)), width=1.0, dash=(1.5, 1.5)),
    ]
    text, names = shown(f"{cloud.algorithm}: mean {mean:.4g}"), _titles(panels)
    size = _title_size(names, scale.end - 16)
    (short,), _ = name_lines(names[i], size, scale.end - 16, 1)
    return [*items, *mark(i, 5.0, up.end - 7.5, 3.2), Text(12, up.end - 4.5, short, size=size, title=text)]


def _titles(panels: Panels) -> list[str]:
    """Return what stands above each histogram: the name, with its number where numbers stand beside the means."""
    names = [shown(cloud.algorithm) for cloud in panels.clouds]
    return [f"{i + 1} {name}" for i, name in enumerate(names)] if _numbered(panels) else names


def _title_size(names: list[str], limit: float) -> float:
    """Letters are smaller before a name is cut."""
    return whole_size(names, NAME, limit)


def _cuts(panels: Panels, frame: Frame) -> list[tuple[str, str]]:
    """Return the names that had to be cut all the same, short and whole."""
    names, limit = _titles(panels), frame.bars - 16
    size = _title_size(names, limit)
    shorts = [name_lines(name, size, limit, 1) for name in names]
    return [(lines[0], name) for (lines, cut), name in zip(shorts, names, strict=True) if cut]


def _numbered(panels: Panels) -> bool:
    """Say whether names are too long to stand beside the means and numbers replace them."""
    widths = [text_width(shown(cloud.algorithm), NAME) for cloud in panels.clouds]
    return bool(panels.clouds[0].ys) and (max(widths) > 90 or sum(widths) > 400)


def _scales(clouds: tuple[Cloud, ...], frame: Frame) -> tuple[Scale, Scale]:
    """The contours count as well: they reach farther than the points."""
    lines = [point for cloud in clouds for line in cloud.contours for point in line]
    xs = [x for cloud in clouds for x in cloud.xs] + [point[0] for point in lines]
    ys = [y for cloud in clouds for y in cloud.ys] + [point[1] for point in lines if len(point) > 1]
    return Scale.around(xs, 0.04, 0.0, frame.plane), Scale.around(ys or [0.0], 0.04, frame.deep, 0.0)


def _plane(panels: Panels, frame: Frame) -> list[Item]:
    """Drawn in layers, all points, then all contours, then all means: a crowd must not bury a mean."""
    across, down = _scales(panels.clouds, frame)
    items = axes(across, down, fitted(panels.x_name, TICK, frame.plane + 16), fitted(panels.y_name, TICK, frame.deep))
    step, dots = stride(panels), []
    for i, cloud in enumerate(panels.clouds):
        places = [(across(x), down(y)) for x, y in zip(cloud.xs[::step], cloud.ys[::step], strict=True)]
        dots += places
        for x, y in places:
            items += mark(i, x, y, 1.9, opacity=0.55)
    lines = []
    for i, cloud in enumerate(panels.clouds):
        drawn = [tuple((across(x), down(y)) for x, y in line) for line in cloud.contours]
        lines += drawn
        items += _contours(i, cloud, drawn)
    means = [(across(cloud.mean[0]), down(cloud.mean[1])) for cloud in panels.clouds]
    for i, (x, y) in enumerate(means):
        items += _mean(i, panels.clouds[i], x, y)
    return items + _mean_names(panels, means, dots, lines, frame)


def _contours(i: int, cloud: Cloud, drawn: list[tuple[Point, ...]]) -> list[Item]:
    looks = zip(SHARES, drawn, PENS, strict=False)  # nothing is drawn where nothing varies
    return [
        Line(line, colour=COLOURS[i], title=shown(f"{cloud.algorithm}: {share:.0%}"), **pen)
        for share, line, pen in looks
    ]


def _mean(i: int, cloud: Cloud, x: float, y: float) -> list[Item]:
    """The ring of paper sets the mean off from points of its own colour."""
    values = ", ".join(number_text(value) for value in cloud.mean)
    ring = Circle(x, y, 5.0, fill=PAPER, colour=INK, edge=0.8, title=shown(f"{cloud.algorithm}: {values}"))
    return [ring, *mark(i, x, y, 3.0)]


def _mean_names(
    panels: Panels, means: list[Point], dots: list[Point], lines: list[tuple[Point, ...]], frame: Frame
) -> list[Item]:
    """Name the means, or number them; clear of dots and contours where that can be done."""
    words = [str(i + 1) if _numbered(panels) else shown(cloud.algorithm) for i, cloud in enumerate(panels.clouds)]
    # a dot counts as a short line: labels may come close to it but not stand on it
    small = [((x - 1.5, y), (x + 1.5, y)) for x, y in dots]
    # every second corner of a contour is near enough, and halves the work
    drawn = [pair for line in lines for pair in pairwise(line[::2] if len(line) > 2 else line)]
    tries = [obstacles for obstacles in (small + drawn, small) if len(obstacles) <= MOST_OBSTACLES]
    widths, inside = [text_width(word, NAME) for word in words], (2.0, 2.0, frame.plane - 2, frame.deep - 2)
    labels: list[Label | None] | None = None
    for lines_there, patient in [*((item, False) for item in tries), ([], True)]:
        labels = labels or place_labels(means, widths, NAME, inside, radius=5.5, lines=lines_there, patient=patient)
    if labels is None:  # means that lie on one another: shapes and colours distinguish them
        return []
    items: list[Item] = [
        Line(label.leader, colour=INK, width=0.6) for label in labels if label is not None and label.leader is not None
    ]
    texts = [
        Text(label.x, label.y, word, size=NAME, title=shown(cloud.algorithm))
        for label, word, cloud in zip(labels, words, panels.clouds, strict=True)
        if label is not None
    ]
    for text in texts:
        left, top, right, bottom = text.box()
        items.append(Area(rectangle(left - 1, top, right - left + 2, bottom - top), fill=PAPER, opacity=0.7))
    return [*items, *texts]


def _strips(panels: Panels, frame: Frame) -> list[Item]:
    """Draw one row of points per algorithm with its two intervals, beside its histogram."""
    across, _ = _scales(panels.clouds, frame)
    height, step = frame.deep, stride(panels)
    row = height / len(panels.clouds)
    items = bottom_axis(across, height, fitted(panels.x_name, TICK, frame.plane + 16), top=0.0)
    for i, cloud in enumerate(panels.clouds):
        y = row * (i + 0.5) - 4.0
        items.append(Line(((0.0, row * i), (frame.plane, row * i)), colour=PALE, width=0.6))
        items += [item for x in cloud.xs[::step] for item in mark(i, across(x), y, 1.9, opacity=0.55)]
        drawn = [tuple((across(x), y + 9.0) for (x,) in line) for line in cloud.contours]
        items += _contours(i, cloud, drawn)
        items += _mean(i, cloud, across(cloud.mean[0]), y + 9.0)
    return items
