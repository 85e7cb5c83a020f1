"""Score distributions: the scores of each algorithm over the data sets, as a box and as dots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak._brief import Brief
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.figures._figure import Figure, Rows
from tiebreak.figures._folding import folded_words, kept_of
from tiebreak.figures.drawing.axis import Scale, bottom_axis
from tiebreak.figures.drawing.ladder import GAP, divided
from tiebreak.figures.drawing.metrics import shown
from tiebreak.figures.drawing.palette import BLUE, INK, ORANGE, PALE, SKY, Tint
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, bounds, diamond, rectangle
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.deciding.compare import Comparison
    from tiebreak.tables import Results

ROW, WIDTH, MOST_DOTS = 16.0, 340.0, 6000
"""More dots than these would hide the boxes and make the file slow to open."""
LIGHT_SKY = Tint(SKY, 0.45)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Spread(Brief):
    """The scores of one algorithm: quartiles, whiskers (the last values within 1.5 boxes), mean, and all of them."""

    algorithm: str
    values: tuple[float, ...]
    low: float
    first: float
    median: float
    third: float
    high: float
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ScoreDistributions(Figure):
    """Score distributions as data, one `Spread` per algorithm."""

    KIND = "Scores per algorithm"
    spreads: tuple[Spread, ...]
    score_name: str

    def rows(self) -> Rows:
        """Return one row per algorithm."""
        keys = ("low", "first", "median", "third", "high", "mean")
        return [
            {"algorithm": each.algorithm, "datasets": len(each.values)} | {key: getattr(each, key) for key in keys}
            for each in self.spreads
        ]

    def reading(self) -> str:
        """Say what box and dots mean."""
        return (
            "A dot is a data set (mean of its folds); the box holds the middle half, its line"
            " is the median, the diamond the mean; whiskers end at the last value within 1.5 boxes. Scores of"
            " different data sets need not be comparable: the tests compare within data sets."
            f"{folded_words(len(self.spreads), self.kept)}"
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out boxes, dots and names."""
        ends = [value for each in self.spreads for value in (each.values[0], each.values[-1])]
        names = [each.algorithm for each in self.spreads]
        ladder, width = divided(names, self.kept, room=room, row=ROW, usual=WIDTH, beside=6.0 * (room is not None))
        scale = Scale.around(ends, 0.03, 0.0, width)
        left, limit = -GAP - ladder.wide, None if room is None else width
        items = bottom_axis(scale, ladder.bottom + 2, shown(self.score_name), top=-2, limit=limit, left=left)
        dots = sum(len(each.values) for each in self.spreads) <= MOST_DOTS
        half = min(4.5, 0.36 * min(rung.high for rung in ladder.rungs))
        for i, y in ladder.rows():
            items += _row(self.spreads[i], scale, y, half, dots=dots)
        return items + ladder.texts(-GAP) + ladder.key(left, bounds(items)[3] + 5, width - left)


@as_came_in
def score_distributions(
    found: Comparison | Results,
    *,
    score: str | None = None,
    scores: str | None = None,
    top: int | None = None,
    show: Sequence[str] = (),
) -> ScoreDistributions:
    """Make the figure of the scores of each algorithm over the data sets.

    Parameters
    ----------
    found : Comparison or Results
        A comparison is drawn best first; a table in its own order, best mean first where the direction is known.
    score : str, optional
        Which score of a table; a comparison has its own. `scores` is the same.
    top, show : int and sequence of str, optional
        Draw the first so many and those named, and fold the others.

    Returns
    -------
    ScoreDistributions

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = score_distributions(tb.published.demsar2006(), score="auc")
    >>> figure.spreads[0].algorithm, round(figure.spreads[0].median, 4)
    ('C4.5+m+cf', 0.8865)
    """
    import numpy as np

    from tiebreak.tables import Results
    from tiebreak.tables.build import one_name

    score = one_name(score, scores)
    better: bool | None = None
    if isinstance(found, Results):
        name = score if score is not None else found.only_score()
        table, names, better = found.means(name, partial=True), found.algorithms, found.metric(name).higher_is_better
        heading = f"{len(names)} algorithms on {len(found.datasets)} data sets by {name}"
    else:
        name, table, names, heading = found.score.name, found.scores, found.algorithms, found.title()
    spreads = [
        _spread(each, sorted(column[np.isfinite(column)].tolist())) for each, column in zip(names, table.T, strict=True)
    ]
    if better is not None:
        spreads.sort(key=lambda each: (-each.mean if better else each.mean, each.algorithm))
    kept = kept_of([each.algorithm for each in spreads], top, show)
    return ScoreDistributions(
        spreads=tuple(spreads), score_name=name, heading=heading, caveats=found.caveats, kept=kept
    )


def _spread(name: str, values: list[float]) -> Spread:
    """Tukey's box plot: whiskers end at the last value within 1.5 box lengths, not at the limit itself."""
    if not values:
        raise InputError(
            f"{name!r} has no score.",
            why="There is nothing to draw for it.",
            mend="Leave it out"
            + either(f" with `results.without(algorithms=[{name!r}])`.", f": {option(missing='drop-algorithms')}."),
        )
    first, median, third = (_quantile(values, share) for share in (0.25, 0.5, 0.75))
    reach = 1.5 * (third - first)
    return Spread(
        algorithm=name,
        values=tuple(values),
        low=min(value for value in values if value >= first - reach),
        first=first,
        median=median,
        third=third,
        high=max(value for value in values if value <= third + reach),
        mean=sum(values) / len(values),
    )


def _quantile(values: list[float], share: float) -> float:
    """Interpolate between the sorted values, as numpy does by default (Hyndman and Fan's type 7)."""
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def _row(each: Spread, scale: Scale, y: float, half: float, *, dots: bool) -> list[Item]:
    """The dots go between box and median line: they must not hide the median."""
    said = shown(f"{each.algorithm}: median {each.median:.4g}, mean {each.mean:.4g}")
    x, left, right = scale(each.median), scale(each.first), scale(each.third)
    items: list[Item] = [
        Line(((0, y), (scale.end, y)), colour=PALE, width=0.5),
        Line(((scale(each.low), y), (scale(each.high), y)), colour=BLUE, width=1.0),
        Area(rectangle(left, y - half, right - left, 2 * half), fill=LIGHT_SKY, colour=BLUE, edge=0.9, title=said),
    ]
    if dots:
        items += [Circle(scale(value), y, 1.3, fill=INK, opacity=0.35) for value in each.values]
    items.append(Line(((x, y - half), (x, y + half)), colour=INK, width=1.8))
    return [*items, Area(diamond(scale(each.mean), y, min(3.2, 0.9 * half)), fill=ORANGE, colour=INK, edge=0.5)]
