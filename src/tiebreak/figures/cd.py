"""Critical difference diagrams: mean ranks, and what no test distinguishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tiebreak.comparison import Comparison
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, digits_of
from tiebreak.figures.drawing.bars import bar_rows, letter_ranges, runs, set_apart
from tiebreak.figures.drawing.ladder import GAP, Ladder, divided, row_height, slots
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PALE, SKY
from tiebreak.figures.drawing.scene import LONGEST, NAME, Area, Circle, Item, Line, Text, bounds, named, rectangle
from tiebreak.figures.drawing.text import evenly, shown, text_width, wrapped
from tiebreak.figures.figure import Rows, rows_of, titled
from tiebreak.figures.members import Positioned, folded_words, kept_of, positioned
from tiebreak.ordering import Ordering
from tiebreak.stats import nemenyi_cd
from tiebreak.wording import option

ROW, LANE, MOST_LANES, MOST_BARRED = 13.0, 6.0, 10, 40
"""Of more lanes of bars, or bars of more algorithms, nobody can say where one begins: a band takes their place."""
USUAL, USUAL_BAND, BETWEEN = 200.0, 230.0, 12.0
MOST_NARROW = 6
"""The same in a column, where the lanes would leave too little to the names."""
WIDE, LONGEST_LETTERS = 380.0, 60.0
"""Room from which on letters stand beside a band, and how wide they are at the most."""


def lanes_of(figure: CriticalDifference) -> int:
    """Return how many lanes the bars of the groups need side by side."""
    return max(bar_rows(figure.groups), default=-1) + 1


def in_bands(figure: CriticalDifference) -> bool:
    """Say whether the groups are too many for bars, so that rows have bands."""
    most = MOST_NARROW if figure.sheet.width is not None and figure.sheet.width < WIDE else MOST_LANES
    return bool(figure.kept) or len(figure.algorithms) > MOST_BARRED or lanes_of(figure) > most


def row_items(figure: CriticalDifference, room: float | None) -> list[Item]:
    """Lay out names, positions, and beside them the groups: as bars, or as a band where there are many."""
    values = list(map(digits_of(figure.positions), figure.positions))
    text = max(text_width(value, TICK) for value in values)
    lanes = lanes_of(figure)
    band = in_bands(figure)
    letters = figure.letters if band and any(figure.letters) and (room is None or room >= WIDE) else ()
    most = max((text_width(letter, TICK) for letter in letters), default=-GAP) + GAP
    if most > LONGEST_LETTERS:  # groups that are no runs of neighbours: the band tells them better
        letters, most = (), 0.0
    beside = text + GAP + most + (0.0 if band else LANE * lanes + BETWEEN * (lanes > 0))
    usual = USUAL + (USUAL_BAND + BETWEEN if band else 0.0)
    crowd = len(figure.algorithms) > 25 or lanes > MOST_NARROW
    plain = band and room is not None and room < WIDE and crowd
    ladder, width = divided(
        figure.algorithms,
        figure.kept,
        room=room,
        row=row_height(len(slots(len(figure.algorithms), figure.kept)), ROW, room if room is not None else 1.0),
        usual=usual,
        beside=beside,
        least=(80.0 if plain else 120.0) if band else 60.0,
        share=(0.34 if plain else 0.5) if band else 0.4,
        most=2 if len(figure.algorithms) > 25 else 3,
    )
    start = text + GAP
    dots = (width - BETWEEN) * 0.4 if band else width
    scale = figure.scale(figure.positions, figure.critical_difference or 0.0, dots)
    across = Scale(low=scale.low, high=scale.high, start=start, end=start + dots)
    items = ladder.texts(-GAP) + _values(values, ladder, text)
    items += [] if plain else _positions(figure, across, ladder, values)
    right = start if plain else start + dots + BETWEEN
    if band:
        end = start + width
        items += _band(figure, ladder, right, end, alone=plain) + _letters(letters, ladder, end + GAP)
    else:
        items += _bars(figure, ladder, right)
    left = -GAP - ladder.wide
    items += _head(figure, text, left) if plain else _difference(figure, across, left)
    return items + ladder.key(left, bounds(items)[3] + 5, bounds(items)[2] - left)


def _values(values: list[str], ladder: Ladder, x: float) -> list[Item]:
    size = min(TICK, ladder.size)
    return [Text(x, y + 0.35 * size, values[i], size=size, anchor="end", colour=MUTED) for i, y in ladder.rows()]


def _head(figure: CriticalDifference, x: float, left: float) -> list[Item]:
    """Name the column of numbers where no axis does, with the critical difference."""
    words = shown(figure.position_name)
    if figure.critical_difference is not None:
        words += f", critical difference {figure._difference()}"
    lines = evenly(words, TICK, x - left)
    items: list[Item] = []
    for line, part in enumerate(reversed(lines)):
        items.append(Text(x, -5.0 - 10 * line, part, size=TICK, anchor="end", colour=MUTED))
    return items


def _positions(figure: CriticalDifference, across: Scale, ladder: Ladder, values: list[str]) -> list[Item]:
    """Draw a dot at every position, on the axis below."""
    limit, left = across.end - across.start, -GAP - ladder.wide
    text = shown(figure.position_name)
    items: list[Item] = bottom_axis(across, ladder.bottom + 2, text, top=-2, limit=limit, left=left)
    for i, y in ladder.rows():
        x = across(figure.positions[i])
        name = shown(figure.algorithms[i])
        items += [
            Line(((across.start, y), (x, y)), colour=PALE, width=0.6),
            Circle(x, y, min(2.6, ladder.size * 0.3), fill=INK, title=f"{name}: {values[i]}"),
        ]
    return items + _folds(figure, across, ladder)


def _folds(figure: CriticalDifference, across: Scale, ladder: Ladder) -> list[Item]:
    """A folded row shows from where to where its algorithms lie."""
    items: list[Item] = []
    for rung in ladder.rungs:
        if rung.index is None:
            ends = [across(figure.positions[i]) for i in (rung.first, rung.first + rung.count - 1)]
            track = ((ends[0], rung.middle), (max(ends[1], ends[0] + 1.0), rung.middle))
            items.append(Line(track, colour=MUTED, width=2.0, dash=(1.5, 1.5), title=rung.title))
    return items


def _difference(figure: CriticalDifference, across: Scale, left: float) -> list[Item]:
    """Draw the critical difference to scale above the positions, its words where they fit."""
    if figure.critical_difference is None:
        return []
    y, end = -8.0, across.start + abs(across(across.low + figure.critical_difference) - across.start)
    items: list[Item] = [Line(((across.start, y), (end, y)), width=1.4, colour=BLUE)]
    items += [Line(((x, y - 3), (x, y + 3)), width=1.4, colour=BLUE) for x in (across.start, end)]
    words = f"critical difference {figure._difference()}"
    lines = evenly(words, TICK, max(across.start - 6 - left, 60.0))
    for line, part in enumerate(reversed(lines)):
        items.append(Text(across.start - 6, y + 0.35 * TICK - 9.5 * line, part, size=TICK, anchor="end"))
    return items


def _bars(figure: CriticalDifference, ladder: Ladder, left: float) -> list[Item]:
    """Draw the bar of each group down its rows: whole over neighbours, thin and broken beside others."""
    items: list[Item] = []
    middles = dict(ladder.rows())
    half = min(ladder.size * 0.42, 3.8)
    for group, lane in zip(figure.groups, bar_rows(figure.groups), strict=True):
        x = left + LANE * (lane + 0.5)
        text = shown(", ".join(figure.algorithms[i] for i in group))
        parts = runs(group)
        for a, b in parts:
            items.append(Line(((x, middles[a] - half), (x, middles[b] + half)), width=2.8, title=text))
        for (_, before), (after, _) in pairwise(parts):
            items.append(
                Line(((x, middles[before] + half), (x, middles[after] - half)), width=0.7, dash=(1.5, 1.5), title=text)
            )
    return items


def _band(figure: CriticalDifference, ladder: Ladder, left: float, right: float, *, alone: bool) -> list[Item]:
    """Draw for every algorithm the places that do not differ significantly: every pair is there, from both sides."""
    count = len(figure.algorithms)
    scale = Scale(low=0.5, high=count + 0.5, start=left, end=right)
    text, first = "no significant difference from these places", -GAP - ladder.wide if alone else None
    items: list[Item] = bottom_axis(scale, ladder.bottom + 2, text, top=-2, count=5, limit=right - left, left=first)
    cell = (right - left) / count
    half = min(ladder.size * 0.42, 3.8)
    for i, y in ladder.rows():
        name = shown(figure.algorithms[i])
        for a, b in runs(sorted({*figure.others(i), i})):
            text = f"{name}: no significant difference from places {a + 1} to {b + 1}"
            corners = rectangle(scale(a + 0.5), y - half, cell * (b - a + 1), 2 * half)
            items.append(Area(corners, fill=SKY, title=text))
        items.append(
            Area(rectangle(scale(i + 1) - max(cell, 1.4) / 2, y - half, max(cell, 1.4), 2 * half), fill=INK, title=name)
        )
    return items


def _letters(letters: tuple[str, ...], ladder: Ladder, x: float) -> list[Item]:
    if not letters:
        return []
    items: list[Item] = [Text(x, ladder.bottom + 14, "groups", size=TICK, colour=MUTED)]
    size = min(TICK, ladder.size)
    return items + [Text(x, y + 0.35 * size, letters[i], size=size, colour=MUTED) for i, y in ladder.rows()]


DIAGRAM_ROW, BAR_ROW, APART, PAD, FAN = 13.0, 6.0, 5.5, 1.7, 10.0
MOST_ACROSS, MOST_LETTERED = 25, 2000
"""Algorithms that the usual diagram can show, beyond which every one has a row; groups that have letters."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CriticalDifference(Positioned):
    """A critical-difference diagram as data.

    `algorithms` stand from best to worst, `positions` are what the tests compare, `groups` index the algorithms; each
    is a set of two or more of which no two differ significantly, whether or not they are neighbours. `letters` are
    those of the groups of each algorithm, in ranges; `alike[i]` are the others that do not differ significantly from i.
    `location_name` is that of the comparison: "mean score", or a kind of mean rank.
    """

    KIND = "Critical-difference diagram"
    groups: tuple[tuple[int, ...], ...]
    letters: tuple[str, ...] = ()
    alike: tuple[tuple[int, ...], ...] = ()

    def rows(self) -> Rows:
        """Return one row per algorithm, best first, with the numbers of its groups."""
        numbers = [
            " ".join(str(n + 1) for n, group in enumerate(self.groups) if i in group)
            for i in range(len(self.algorithms))
        ]
        columns = {"algorithm": self.algorithms, "position": self.positions, "groups": numbers}
        return rows_of(**columns, **({"letters": self.letters} if self.letters else {}))

    def others(self, i: int) -> set[int]:
        """Return those that do not differ significantly from algorithm i."""
        if self.alike:
            return set(self.alike[i])
        return {j for group in self.groups if i in group for j in group} - {i}

    def foldable(self) -> int:
        """Return how many algorithms have a row."""
        return len(self.algorithms)

    def reading(self) -> str:
        """Say what the bars mean."""
        folded = folded_words(len(self.algorithms), self.kept)
        return f"{self._bar_words()}{self._implied()}{folded}"

    def _bar_words(self) -> str:
        """A group need not be a run of neighbours in rank, so a bar may be broken and must be explained."""
        if not self.groups:
            who = "Every pair differs" if len(self.algorithms) > 2 else "The two differ"
            return f"{who} significantly ({self._test()})."
        if in_bands(self):
            text = f"{len(self.groups)} group{'s' if len(self.groups) > 1 else ''}"
            return (
                f"A row's band covers the places without a significant difference from it ({self._test()}), the cell"
                f" that stands out is its own place; together they are {text} of which no two members differ"
                " significantly."
            )
        broken = any(len(runs(group)) > 1 for group in self.groups)
        more = " A broken bar joins only the algorithms under its thick parts and dots." if broken else ""
        return f"Bars join algorithms of which no two differ significantly ({self._test()}).{more}"

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out axis, bars, leader lines and names; as rows where there are many or little room."""
        if in_bands(self) or len(self.algorithms) > MOST_ACROSS:
            return row_items(self, room)
        sides = _sides(self, room)
        return row_items(self, room) if sides is None else self._across(*sides)

    def _across(self, width: float, limit: float) -> list[Item]:
        """Lay out in the usual way: the axis across, names on either side."""
        scale = self.scale(self.positions, self.critical_difference or 0.0, width)
        axis = [scale(value) for value in self.positions]
        spots = set_apart(axis, APART, 0.0, width)
        # leaders fan out only where names would share a place; else they fall straight from the axis
        fan = FAN if any(abs(a - b) > 0.3 for a, b in zip(axis, spots, strict=True)) else 3.0
        rows = bar_rows(self.groups)
        top = fan + 4.0
        names_top = top + BAR_ROW * (max(rows, default=-1) + 1) + 8.0
        items = _axis(scale, self) + _leaders(self, axis, spots, fan, (names_top, width, limit))
        for group, row in zip(self.groups, rows, strict=True):
            items += _bar(group, spots, top + BAR_ROW * row + 2.0, [self.algorithms[i] for i in group])
        return items


@as_came_in
def critical_difference(
    comparison: Comparison, *, top: int | None = None, show: Sequence[str] = ()
) -> CriticalDifference:
    """Make the critical-difference diagram of a comparison of all pairs.

    Any test and correction will do; a test with a critical difference has it drawn. Bars are the groups of the
    comparison, which are true cliques: a bar that passes an algorithm outside its group is broken there.

    Parameters
    ----------
    comparison : Comparison
        Without a control; `control_diagram` draws the other kind.
    top, show : int and sequence of str, optional
        Draw the first `top` and those named, and fold the rest.

    Returns
    -------
    CriticalDifference

    References
    ----------
    demsar2006

    Examples
    --------
    >>> import tiebreak as tb
    >>> result = tb.compare(tb.published.demsar2006(), score="auc", posthoc="nemenyi", tie_correction=False)
    >>> figure = critical_difference(result)  # Demsar's Figure 1a, from the printed scores
    >>> figure.groups, round(figure.critical_difference, 3)
    (((0, 1, 2, 3),), 1.254)
    """
    if comparison.control is not None:
        raise OptionError(
            f"The comparison has a control, {comparison.control!r}.",
            why="A critical-difference diagram with bars shows tests of all pairs.",
            mend="Use control_diagram(comparison), or compare without control.",
        )
    place = {name: i for i, name in enumerate(comparison.algorithms)}
    everyone = [tuple(sorted(place[name] for name in group)) for group in comparison.groups]
    tests = comparison.tests
    alike: list[list[int]] = [[] for _ in comparison.algorithms]
    for a, b, apart in zip(tests.a.tolist(), tests.b.tolist(), comparison.significant.tolist(), strict=True):
        if not apart:
            alike[a].append(b)
            alike[b].append(a)
    return CriticalDifference(
        groups=tuple(group for group in everyone if len(group) > 1),
        letters=letter_ranges(everyone, len(comparison.algorithms)) if len(everyone) <= MOST_LETTERED else (),
        alike=tuple(tuple(sorted(others)) for others in alike),
        kept=kept_of(comparison.algorithms, top, show),
        **positioned(comparison),
    )


def _sides(figure: CriticalDifference, room: float | None) -> tuple[float, float] | None:
    """Return the width of the axis and of the names on either side, or None where rows would use the room better."""
    count = len(figure.algorithms)
    least = max(300.0, 8.0 * count)
    if room is None:
        return least, LONGEST
    values = list(map(digits_of(figure.positions), figure.positions))
    aside = 2 * (8.0 + 9.0 + max(text_width(value, TICK) for value in values)) + 1
    half = (count + 1) // 2
    wide = [text_width(shown(name), NAME) for name in figure.algorithms]
    names = max(wide[:half]) + max(wide[half:], default=0.0)
    axis = room - aside - names
    return (axis, LONGEST) if axis >= max(0.34 * room, 6.5 * count) and max(wide) <= LONGEST else None


def _axis(scale: Scale, figure: CriticalDifference) -> list[Item]:
    """Draw the axis with its ticks above, its name, and the critical difference where there is one."""
    items: list[Item] = [Line(((scale.start, 0), (scale.end, 0)), width=1.0)]
    for value, words in scale.level_ticks(10):
        items.append(Line(((scale(value), -4), (scale(value), 0)), width=1.0))
        items.append(Text(scale(value), -7, words, size=TICK, anchor="middle"))
    middle = (scale.start + scale.end) / 2
    lines = wrapped(figure.position_name, TICK, max(scale.end - scale.start, 120.0) + 60.0)
    for i, words in enumerate(reversed(lines)):
        items.append(Text(middle, -19 - 10 * i, words, size=TICK, anchor="middle", colour=MUTED))
    if figure.critical_difference is None:
        return items
    y, end = -23.0 - 10.0 * len(lines), scale.start + abs(scale(scale.low + figure.critical_difference) - scale.start)
    items.append(Line(((scale.start, y), (end, y)), width=1.4, colour=BLUE))
    items += [Line(((x, y - 3), (x, y + 3)), width=1.4, colour=BLUE) for x in (scale.start, end)]
    words = f"critical difference {figure._difference()}"
    items.append(Text(scale.start, y - 6, words, size=TICK))
    return items


def _leaders(
    figure: CriticalDifference, axis: list[float], spots: list[float], fan: float, frame: tuple[float, float, float]
) -> list[Item]:
    """Lead from the axis down to the names: the better half on the left, the others on the right."""
    items: list[Item] = []
    top, width, limit = frame
    count, half = len(axis), (len(axis) + 1) // 2
    values = list(map(digits_of(figure.positions), figure.positions))
    column = max(text_width(value, TICK) for value in values)
    for i, name in enumerate(figure.algorithms):
        left = i < half
        y = top + DIAGRAM_ROW * (i if left else count - 1 - i) + 0.35 * NAME
        edge = -8.0 if left else width + 8.0
        sign, anchor = (-1, "end") if left else (1, "start")
        track = ((axis[i], 0.0), (axis[i], 2.0), (spots[i], fan), (spots[i], y), (edge, y))
        items.append(Line(track, width=0.7, colour=INK))
        items.append(Text(edge + sign * 3, y + 0.35 * TICK, values[i], size=TICK, anchor=anchor, colour=MUTED))
        text = f"{name}: {values[i]}"
        items.append(named(edge + sign * (column + 9), y + 0.35 * NAME, name, anchor=anchor, title=text, limit=limit))
    return items


def _bar(group: tuple[int, ...], spots: list[float], y: float, names: list[str]) -> list[Item]:
    """Draw the bar of a group: whole over neighbours, thin and interrupted over those who are not members."""
    parts, text = runs(group), shown(", ".join(names))
    items: list[Item] = [Line(((spots[a] - PAD, y), (spots[b] + PAD, y)), width=3.2, title=text) for a, b in parts]
    for (_, before), (after, _) in pairwise(parts):
        stops = [spots[i] for i in range(before, after + 1)]
        items += [Line(((x + PAD + 0.4, y), (z - PAD - 0.4, y)), width=0.9, title=text) for x, z in pairwise(stops)]
    if len(parts) > 1:  # a lone member of a broken bar would be a stub that nobody sees
        items += [Circle(spots[a], y, 2.3, fill=INK, title=text) for a, b in parts if a == b]
    return items


@as_came_in
def place_diagram(ordering: Ordering, *, top: int | None = None, show: Sequence[str] = ()) -> CriticalDifference:
    """Make the rank diagram of an ordering by Multi2Test, as the papers print it.

    The axis has the mean places that MultiTest gives on the data sets; bars join algorithms of which the post hoc test
    finds no two to differ.

    Parameters
    ----------
    ordering : Ordering
        By the rule "multi2test".
    top, show : int and sequence of str, optional
        Draw the first `top` by mean place and those named, and fold the rest.

    Returns
    -------
    CriticalDifference

    References
    ----------
    ulas2012

    Examples
    --------
    >>> import tiebreak as tb
    >>> result = tb.order(tb.published.ulas2012(), cost="space", rule="multi2test")
    >>> figure = place_diagram(result)  # Table 8b of the paper
    >>> figure.algorithms[0], [[figure.algorithms[i] for i in group] for group in figure.groups]
    ('c45', [['c45', 'mlp', 'mdt', 'lnp'], ['svr', 'svl', 'sv2'], ['svl', 'sv2', '5nn']])
    """
    if ordering.over != "places":
        raise OptionError(
            f"There are no mean places by the rule {ordering.rule!r}.",
            why="A rank diagram of an order shows the places that Multi2Test tests.",
            mend=f"Use {option(rule='multi2test')}, or another kind of figure.",
        )
    by_place = np.argsort(ordering.mean_ranks, kind="stable")
    names = tuple(ordering.algorithms[i] for i in by_place)
    differ = (ordering.better | ordering.better.T)[np.ix_(by_place, by_place)]
    groups = sorted(tuple(sorted(names.index(name) for name in group)) for group in ordering.groups)
    positions = tuple(float(ordering.mean_ranks[i]) for i in by_place)
    return CriticalDifference(
        **titled(ordering),
        method=ordering.tests.method,
        alpha=ordering.plan.alpha,
        algorithms=names,
        positions=positions,
        position_name="mean place by MultiTest (lower is better)",
        location_name="mean rank",
        low_is_best=True,
        critical_difference=nemenyi_cd(
            n_algorithms=len(names), n_datasets=len(ordering.datasets), alpha=ordering.plan.alpha
        )
        if ordering.plan.posthoc == "nemenyi"
        else None,
        groups=tuple(group for group in groups if len(group) > 1),
        letters=letter_ranges(groups, len(names)) if len(groups) <= MOST_LETTERED else (),
        alike=tuple(tuple(j for j in range(len(names)) if j != i and not differ[i, j]) for i in range(len(names))),
        kept=kept_of(names, top, show),
    )
