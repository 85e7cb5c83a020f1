"""What the data sets are like on which each algorithm is best: standardised measures as a table of colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tiebreak.advisor.evaluation.measures_against_ranks import CharacteristicsByBest
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.figures._figure import Figure, Rows
from tiebreak.figures.drawing.axis import decimals_text
from tiebreak.figures.drawing.ladder import Ladder, make_ladder
from tiebreak.figures.drawing.metrics import shown
from tiebreak.figures.drawing.palette import PALE, text_on, two_sided
from tiebreak.figures.drawing.scene import Area, Item, Text, bounds, named, rectangle

CELL, ROW, NAME, SMALL, LONGEST, TALLEST = 30.0, 17.0, 8.5, 7.0, 190.0, 140.0
MOST_ROWS, MOST_COLUMNS, FULL = 30, 40, 1.5
"""How many are drawn, and the deviation that has the full colour."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BestProfiles(Figure):
    """Mean standardised measures as data; `means[i][j]` is of algorithm i, the most often best first, and measure j."""

    algorithms: tuple[str, ...]
    counts: tuple[int, ...]
    measures: tuple[str, ...]
    means: tuple[tuple[float, ...], ...]
    left_out: tuple[str, ...]

    def rows(self) -> Rows:
        """Return one row per algorithm."""
        return [
            {"best": name, "datasets": count} | dict(zip(self.measures, values, strict=True))
            for name, count, values in zip(self.algorithms, self.counts, self.means, strict=True)
        ]

    def notes(self) -> list[str]:
        """Say what the numbers are."""
        left = f" {' '.join(self.left_out)}" if self.left_out else ""
        return [
            f"{shown(self.heading)}: in standard deviations from the mean of all data sets; in brackets the number of"
            f" data sets. Few data sets make large numbers by chance.{left}"
        ]

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out the table; where it is too wide, so many measures at a time, one part under the other."""
        names = [f"{shown(name)} ({count})" for name, count in zip(self.algorithms, self.counts, strict=True)]
        limit = LONGEST if room is None else min(LONGEST, max(0.36 * room, 60.0))
        ladder = make_ladder(names, row=ROW, limit=limit, most=1 if room is None else 3, size=NAME)
        per = len(self.measures) if room is None else max(1, int((room - 6 - ladder.wide) / CELL))
        items: list[Item] = []
        top = 0.0
        for start in range(0, len(self.measures), per):
            part = self._part(ladder, range(start, min(start + per, len(self.measures))), room)
            items += [item.moved(0.0, top - bounds(part)[1] if room is not None else 0.0) for item in part]
            top = bounds(items)[3] + 12
        left = -6 - ladder.wide
        return items + ([] if room is None else ladder.key(left, bounds(items)[3] + 5, room))

    def _part(self, ladder: Ladder, measures: range, room: float | None) -> list[Item]:
        items = ladder.texts(-6)
        for i, rung in enumerate(ladder.rungs):
            for place, j in enumerate(measures):
                value = self.means[i][j]
                said = f"{shown(self.algorithms[i])}, {shown(self.measures[j])}: {value:.3g}"
                items += _cell(place * CELL, rung.middle - rung.high / 2, rung.high, value, said)
        bottom, middle = ladder.bottom + 6, CELL / 2 + 0.35 * NAME
        for place, j in enumerate(measures):
            x = place * CELL + middle
            limit = TALLEST if room is None else 1000.0
            items.append(named(x, bottom, self.measures[j], size=NAME, limit=limit, anchor="end", upwards=True))
        return items


@as_came_in
def best_profiles(found: CharacteristicsByBest, *, ranking: str | None = None) -> BestProfiles:
    """Make the figure of the data sets on which each algorithm, or each ranking method, is best.

    Parameters
    ----------
    found : CharacteristicsByBest
    ranking : str, optional
        By what ranking methods rank, for the heading.

    Returns
    -------
    BestProfiles

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> from tiebreak.advisor.evaluation.measures_against_ranks import characteristics_by_best
    >>> found = characteristics_by_best([[1.0], [3.0]], [[1, 2], [2, 1]], measures=["size"], algorithms=["a", "b"])
    >>> best_profiles(found).means
    ((-1.0,), (1.0,))
    """
    counts = found.counts.max(axis=1, initial=0)
    order = [int(i) for i in np.argsort(-counts, kind="stable") if counts[i]]
    if not order:
        raise InputError(
            f"No {found.kind} is best on a data set that has measures.",
            why="There is nothing to draw.",
            mend="Add measures.",
        )
    kept, columns = order[:MOST_ROWS], range(min(len(found.measures), MOST_COLUMNS))
    left = []
    if len(order) > len(kept):
        left.append(f"{len(order) - len(kept)} {found.kind}s that are best more rarely are not drawn.")
    if len(found.measures) > len(columns):
        left.append(f"{len(found.measures) - len(columns)} further measures are not drawn.")
    return BestProfiles(
        algorithms=tuple(found.algorithms[i] for i in kept),
        counts=tuple(int(counts[i]) for i in kept),
        measures=tuple(found.measures[j] for j in columns),
        means=tuple(tuple(float(found.means[i, j]) for j in columns) for i in kept),
        left_out=tuple(left),
        heading=found.title() if ranking is None else f"{found.title()} (rankings by {ranking})",
        caveats=found.caveats,
    )


def _cell(x: float, y: float, high: float, value: float, words: str) -> list[Item]:
    """Draw one cell; NaN is an empty one."""
    there = value == value
    fill = two_sided(value / FULL) if there else PALE
    area = Area(rectangle(x + 0.5, y + 0.5, CELL - 1, high - 1), fill=fill, title=words)
    text = decimals_text(value, 2) if there else "-"
    base = y + high / 2 + 0.35 * SMALL
    return [area, Text(x + CELL / 2, base, text, size=SMALL, anchor="middle", colour=text_on(fill))]
