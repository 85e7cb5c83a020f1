"""The critical-difference diagram: where the algorithms lie, and bars that join those not told apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from tiebreak.deciding.compare import Comparison
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures._figure import Rows, rows_of
from tiebreak.figures._positions import Positioned, positioned
from tiebreak.figures.drawing.axis import TICK, Scale, digits_of
from tiebreak.figures.drawing.bars import bar_rows, drawn_groups, runs, set_apart
from tiebreak.figures.drawing.metrics import shown, text_width
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED
from tiebreak.figures.drawing.scene import NAME, Circle, Item, Line, Text, named

ROW, BAR_ROW, APART, PAD, FAN = 13.0, 6.0, 5.5, 1.7, 10.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CriticalDifference(Positioned):
    """A critical-difference diagram as data.

    `algorithms` stand from best to worst, `positions` are what the tests compare, `groups` index the algorithms; each
    is a set of two or more of which no two differ significantly, whether or not they are neighbours. `location_name`
    is that of the comparison: "mean score", or a kind of mean rank.
    """

    KIND = "Critical-difference diagram"
    groups: tuple[tuple[int, ...], ...]

    def rows(self) -> Rows:
        """Return one row per algorithm, best first, with the numbers of its groups."""
        numbers = [
            " ".join(str(n + 1) for n, group in enumerate(self.groups) if i in group)
            for i in range(len(self.algorithms))
        ]
        return rows_of(algorithm=self.algorithms, position=self.positions, groups=numbers)

    def reading(self) -> str:
        """Say what the bars mean."""
        return f"{self._bar_words()}{self._implied()}"

    def _bar_words(self) -> str:
        """A group need not be a run of neighbours in rank, so a bar may be broken and must be explained."""
        if not self.groups:
            return f"Every pair differs significantly ({self._test()})."
        broken = any(len(runs(group)) > 1 for group in self.groups)
        more = " A broken bar joins only the algorithms under its thick parts and dots." if broken else ""
        return f"Bars join algorithms of which no two differ significantly ({self._test()}).{more}"

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out axis, bars, leader lines and names."""
        width = max(300.0, 8.0 * len(self.algorithms))
        scale = self.scale(self.positions, self.critical_difference or 0.0, width)
        axis = [scale(value) for value in self.positions]
        spots = set_apart(axis, APART, 0.0, width)
        # leaders fan out only where names would share a place; else they fall straight from the axis
        fan = FAN if any(abs(a - b) > 0.3 for a, b in zip(axis, spots, strict=True)) else 3.0
        rows = bar_rows(self.groups)
        top = fan + 4.0
        names_top = top + BAR_ROW * (max(rows, default=-1) + 1) + 8.0
        items = _axis(scale, self) + _leaders(self, axis, spots, fan, names_top, width)
        for group, row in zip(self.groups, rows, strict=True):
            items += _bar(group, spots, top + BAR_ROW * row + 2.0, [self.algorithms[i] for i in group])
        return items


@as_came_in
def critical_difference(found: Comparison) -> CriticalDifference:
    """Make the critical-difference diagram of a comparison of all pairs.

    Any test and correction will do; a test with a critical difference has it drawn. Bars are the groups of the
    comparison, which are true cliques: a bar that passes an algorithm outside its group is broken there.

    Parameters
    ----------
    found : Comparison
        Without a control; `control_diagram` draws the other kind.

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
    groups, notes = drawn_groups([[place[name] for name in group] for group in found.groups])
    caveats = (*found.caveats, *notes)
    return CriticalDifference(groups=groups, **positioned(found) | {"caveats": caveats})


def _axis(scale: Scale, figure: CriticalDifference) -> list[Item]:
    """Draw the axis with its ticks above, its name, and the critical difference where there is one."""
    items: list[Item] = [Line(((scale.start, 0), (scale.end, 0)), width=1.0)]
    for value, words in scale.level_ticks(10):
        items.append(Line(((scale(value), -4), (scale(value), 0)), width=1.0))
        items.append(Text(scale(value), -7, words, size=TICK, anchor="middle"))
    middle = (scale.start + scale.end) / 2
    items.append(Text(middle, -19, shown(figure.position_name), size=TICK, anchor="middle", colour=MUTED))
    if figure.critical_difference is None:
        return items
    y, end = -33.0, scale.start + abs(scale(scale.low + figure.critical_difference) - scale.start)
    items.append(Line(((scale.start, y), (end, y)), width=1.4, colour=BLUE))
    items += [Line(((x, y - 3), (x, y + 3)), width=1.4, colour=BLUE) for x in (scale.start, end)]
    words = f"critical difference {figure._difference()}"
    items.append(Text(scale.start, y - 6, words, size=TICK))
    return items


def _leaders(
    figure: CriticalDifference, axis: list[float], spots: list[float], fan: float, top: float, width: float
) -> list[Item]:
    """Lead from the axis down to the names: the better half on the left, the others on the right."""
    items: list[Item] = []
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
        items.append(named(edge + sign * (column + 9), y + 0.35 * NAME, name, anchor=anchor, title=said))
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
