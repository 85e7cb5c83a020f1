"""The critical-difference diagram: where the algorithms lie, and bars where they do not differ significantly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tiebreak.comparison import Comparison
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures._cd_rows import in_bands, row_items
from tiebreak.figures._figure import Rows, rows_of
from tiebreak.figures._folding import folded_words, kept_of
from tiebreak.figures._positions import Positioned, positioned
from tiebreak.figures.drawing.axis import TICK, Scale, digits_of
from tiebreak.figures.drawing.bars import bar_rows, letter_ranges, runs, set_apart
from tiebreak.figures.drawing.metrics import shown, text_width, wrapped
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED
from tiebreak.figures.drawing.scene import LONGEST, NAME, Circle, Item, Line, Text, named

ROW, BAR_ROW, APART, PAD, FAN = 13.0, 6.0, 5.5, 1.7, 10.0
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
            said = f"{len(self.groups)} group{'s' if len(self.groups) > 1 else ''}"
            return (
                f"A row's band covers the places without a significant difference from it ({self._test()}), the cell"
                f" that stands out is its own place; together they are {said} of which no two members differ"
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
def critical_difference(found: Comparison, *, top: int | None = None, show: Sequence[str] = ()) -> CriticalDifference:
    """Make the critical-difference diagram of a comparison of all pairs.

    Any test and correction will do; a test with a critical difference has it drawn. Bars are the groups of the
    comparison, which are true cliques: a bar that passes an algorithm outside its group is broken there.

    Parameters
    ----------
    found : Comparison
        Without a control; `control_diagram` draws the other kind.
    top, show : int and sequence of str, optional
        Draw the first so many and those named, and fold the others.

    Returns
    -------
    CriticalDifference

    References
    ----------
    demsar2006

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.compare(tb.published.demsar2006(), score="auc", posthoc="nemenyi", tie_correction=False)
    >>> figure = critical_difference(found)  # Demsar's Figure 1a, from the printed scores
    >>> figure.groups, round(figure.critical_difference, 3)
    (((0, 1, 2, 3),), 1.254)
    """
    if found.control is not None:
        raise OptionError(
            f"The comparison has a control, {found.control!r}.",
            why="A critical-difference diagram with bars shows tests of all pairs.",
            mend="Use control_diagram(comparison), or compare without control.",
        )
    place = {name: i for i, name in enumerate(found.algorithms)}
    everyone = [tuple(sorted(place[name] for name in group)) for group in found.groups]
    tests = found.tests
    alike: list[list[int]] = [[] for _ in found.algorithms]
    for a, b, apart in zip(tests.a.tolist(), tests.b.tolist(), found.significant.tolist(), strict=True):
        if not apart:
            alike[a].append(b)
            alike[b].append(a)
    return CriticalDifference(
        groups=tuple(group for group in everyone if len(group) > 1),
        letters=letter_ranges(everyone, len(found.algorithms)) if len(everyone) <= MOST_LETTERED else (),
        alike=tuple(tuple(sorted(others)) for others in alike),
        kept=kept_of(found.algorithms, top, show),
        **positioned(found),
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
        y = top + ROW * (i if left else count - 1 - i) + 0.35 * NAME
        edge = -8.0 if left else width + 8.0
        sign, anchor = (-1, "end") if left else (1, "start")
        track = ((axis[i], 0.0), (axis[i], 2.0), (spots[i], fan), (spots[i], y), (edge, y))
        items.append(Line(track, width=0.7, colour=INK))
        items.append(Text(edge + sign * 3, y + 0.35 * TICK, values[i], size=TICK, anchor=anchor, colour=MUTED))
        said = f"{name}: {values[i]}"
        items.append(named(edge + sign * (column + 9), y + 0.35 * NAME, name, anchor=anchor, title=said, limit=limit))
    return items


def _bar(group: tuple[int, ...], spots: list[float], y: float, names: list[str]) -> list[Item]:
    """Draw the bar of a group: whole over neighbours, thin and interrupted over those who are not members."""
    parts, said = runs(group), shown(", ".join(names))
    items: list[Item] = [Line(((spots[a] - PAD, y), (spots[b] + PAD, y)), width=3.2, title=said) for a, b in parts]
    for (_, before), (after, _) in pairwise(parts):
        stops = [spots[i] for i in range(before, after + 1)]
        items += [Line(((x + PAD + 0.4, y), (z - PAD - 0.4, y)), width=0.9, title=said) for x, z in pairwise(stops)]
    if len(parts) > 1:  # a lone member of a broken bar would be a stub that nobody sees
        items += [Circle(spots[a], y, 2.3, fill=INK, title=said) for a, b in parts if a == b]
    return items
