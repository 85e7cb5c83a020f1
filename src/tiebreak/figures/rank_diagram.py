"""The critical-difference diagram: where the algorithms lie, and bars that join those not told apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tiebreak._show import Row
from tiebreak.errors import OptionError
from tiebreak.figures._axis import TICK, Scale, decimals_text, digits_of, number_text, round_values, spread
from tiebreak.figures._bars import bar_rows, drawn_groups, runs, set_apart
from tiebreak.figures._figure import Figure
from tiebreak.figures._metrics import fitted, shown, text_width
from tiebreak.figures._palette import BLUE, INK, MUTED
from tiebreak.figures._scene import Circle, Item, Line, Text

if TYPE_CHECKING:
    from tiebreak.deciding.compare import Comparison

MEAN_SCORE = "mean score"
NAME, LONGEST, ROW, BAR_ROW, APART, PAD, FAN = 9.0, 250.0, 13.0, 6.0, 5.5, 1.7, 10.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CriticalDifference(Figure):
    """A critical-difference diagram as data.

    `algorithms` stand from best to worst, `positions` are what the tests compare, `groups` index the algorithms; each
    is a set of two or more of which no two differ significantly, whether or not they are neighbours. `location_name`
    is that of the comparison: "mean score", or a kind of mean rank.
    """

    algorithms: tuple[str, ...]
    positions: tuple[float, ...]
    position_name: str
    location_name: str
    low_is_best: bool
    groups: tuple[tuple[int, ...], ...]
    critical_difference: float | None
    method: str
    alpha: float
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"Critical-difference diagram: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first, with the numbers of its groups."""
        return [
            {
                "algorithm": name,
                "position": position,
                "groups": " ".join(str(n + 1) for n, group in enumerate(self.groups) if i in group),
            }
            for i, (name, position) in enumerate(zip(self.algorithms, self.positions, strict=True))
        ]

    def notes(self) -> list[str]:
        """Say what the bars mean."""
        return [f"{shown(self.heading)}. {self._bar_words()}{implied_words(self.location_name)}"]

    def _bar_words(self) -> str:
        test = f"{self.method}, alpha = {self.alpha:g}"
        if not self.groups:
            return f"Every pair differs significantly ({test})."
        broken = any(len(runs(group)) > 1 for group in self.groups)
        more = " A broken bar joins only the algorithms under its thick parts and dots." if broken else ""
        return f"Bars join algorithms of which no two differ significantly ({test}).{more}"

    def items(self) -> list[Item]:
        """Lay out axis, bars, leader lines and names."""
        return _layout(self)


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
    Demsar, J. (2006). JMLR 7, 1-30. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = critical_difference(tb.compare(tb.published.demsar2006(), score="auc", posthoc="nemenyi"))
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
    groups, note = drawn_groups([[place[name] for name in group] for group in found.groups])
    positions, name, low_is_best = positions_of(found)
    return CriticalDifference(
        algorithms=found.algorithms,
        positions=positions,
        position_name=name,
        location_name=found.location_name,
        low_is_best=low_is_best,
        groups=groups,
        critical_difference=found.critical_difference,
        method=found.tests.method,
        alpha=found.alpha,
        heading=found.title(),
        caveats=(*found.caveats, *([note] if note else [])),
    )


def positions_of(found: Comparison) -> tuple[tuple[float, ...], str, bool]:
    """Return what the tests compare in its own sign, its name with the direction, and whether low is best."""
    scores = not in_ranks(found.location_name)
    turned = scores and found.higher_is_better
    values = tuple(float(-x if turned else x) for x in found.locations)
    what = f"mean {found.score.name}" if scores else f"{found.location_name} of {found.score.name}"
    return values, f"{what} ({'higher' if turned else 'lower'} is better)", not turned


def axis_limits(positions: tuple[float, ...], span: float, *, whole: bool) -> tuple[float, float]:
    """Return round limits around the positions that leave room for a critical difference of length `span`."""
    low, high = min(positions), max(positions)
    if not whole:
        low, high = (low, high) if high > low else spread([low, high])
        ticks = round_values(low, high, 10)
        step = ticks[1] - ticks[0] if len(ticks) > 1 else high - low
        low, high = math.floor(low / step) * step, math.ceil(high / step) * step
        return low, max(high, low + span)
    low, high = math.floor(low + 1e-9), math.ceil(high - 1e-9)
    return low, max(high, low + 1, low + math.ceil(span))


def in_ranks(location_name: str) -> bool:
    """Say whether positions are ranks of some kind, so that the axis runs between whole numbers."""
    return location_name != MEAN_SCORE


def implied_words(location_name: str) -> str:
    """Say what is unusual about the mean ranks of a table with gaps."""
    if location_name != "implied mean rank":
        return ""
    return " Mean ranks are implied by the estimated effects; they may lie outside 1 to k, the number of algorithms."


def difference_text(value: float) -> str:
    """Write a critical difference with three decimals, or three digits where it is small."""
    return decimals_text(value, 3) if value >= 0.1 else number_text(value, 3)


def _layout(figure: CriticalDifference) -> list[Item]:
    count = len(figure.algorithms)
    width = max(300.0, 8.0 * count)
    span = figure.critical_difference or 0.0
    low, high = axis_limits(figure.positions, span, whole=in_ranks(figure.location_name))
    ends = (low, high) if figure.low_is_best else (high, low)
    scale = Scale(low=ends[0], high=ends[1], start=0.0, end=width)
    axis = [scale(value) for value in figure.positions]
    spots = set_apart(axis, APART, 0.0, width)
    fan = FAN if any(abs(a - b) > 0.3 for a, b in zip(axis, spots, strict=True)) else 3.0
    rows = bar_rows(figure.groups)
    top = fan + 4.0
    names_top = top + BAR_ROW * (max(rows, default=-1) + 1) + 8.0
    items = _axis(scale, figure)
    items += _leaders(figure, axis, spots, fan, names_top, width)
    for group, row in zip(figure.groups, rows, strict=True):
        items += _bar(group, spots, top + BAR_ROW * row + 2.0, [figure.algorithms[i] for i in group])
    return items


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
    words = f"critical difference {difference_text(figure.critical_difference)}"
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
        words = fitted(name, NAME, LONGEST)
        at = edge + sign * (column + 9)
        items.append(Text(at, y + 0.35 * NAME, words, size=NAME, anchor=anchor, title=shown(f"{name}: {values[i]}")))
    return items


def _bar(group: tuple[int, ...], spots: list[float], y: float, names: list[str]) -> list[Item]:
    """Draw the bar of a group: whole over neighbours, thin and interrupted over those who are not members."""
    parts, said = runs(group), shown(", ".join(names))
    items: list[Item] = [Line(((spots[a] - PAD, y), (spots[b] + PAD, y)), width=3.2, title=said) for a, b in parts]
    for (_, before), (after, _) in pairwise(parts):
        stops = [spots[i] for i in range(before, after + 1)]
        items += [Line(((x + PAD + 0.4, y), (z - PAD - 0.4, y)), width=0.9, title=said) for x, z in pairwise(stops)]
    if len(parts) > 1:
        items += [Circle(spots[a], y, 2.3, fill=INK, title=said) for a, b in parts if a == b]
    return items
