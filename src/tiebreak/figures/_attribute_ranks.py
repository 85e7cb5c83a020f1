"""A measure of the data sets against the rank of an algorithm on them."""

from __future__ import annotations

from dataclasses import dataclass

from tiebreak.advisor.evaluation.measures_against_ranks import AttributeAgainstRank
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.figures._figure import Figure, Rows, rows_of, titled
from tiebreak.figures.drawing.axis import TICK, Scale, axes, legend_line, spread
from tiebreak.figures.drawing.metrics import fitted, shown
from tiebreak.figures.drawing.palette import BLUE, PAPER, VERMILION
from tiebreak.figures.drawing.scene import Circle, Item, Line, bounds

WIDTH, HEIGHT = 330.0, 210.0
SPREAD = 20.0
"""Values that differ by more than this factor stand on a logarithmic scale."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AttributeRanks(Figure):
    """Points (value, rank) as data, one per data set, and means in bins of equal numbers of data sets."""

    attribute: str
    algorithm: str
    datasets: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    means: tuple[tuple[float, float], ...]
    correlation: float
    log_values: bool

    def rows(self) -> Rows:
        """Return one row per data set."""
        values, ranks = zip(*self.points, strict=True)
        return rows_of(dataset=self.datasets, value=values, rank=ranks)

    def reading(self) -> str:
        """Say what the marks are."""
        log = f" The scale of {shown(self.attribute)} is logarithmic." if self.log_values else ""
        return (
            f"Rank 1 is the best. The line joins means over data sets with neighbouring values,"
            f" about equally many each where values differ; equal values stay together.{log}"
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out points, then the line of means."""
        width, height = (
            (WIDTH, HEIGHT) if room is None else (max(room - 34, 100.0), min(HEIGHT, max(0.66 * room, 120.0)))
        )
        values, ranks = zip(*self.points, strict=True)
        across = Scale.around(values, 0.04, 0.0, width, log=self.log_values)
        best, worst = spread(ranks, 0.04)
        down = Scale(low=worst, high=best, start=height, end=0.0)
        scale_word = " (logarithmic scale)" if self.log_values else ""
        x_name = fitted(self.attribute, TICK, max(width - 90, 0.7 * width)) + scale_word
        items = axes(
            across,
            down,
            x_name,
            fitted(f"rank of {self.algorithm}", TICK, height),
            counts=(6, 12),
            limit=None if room is None else width,
        )
        items += [
            _point(across(x), down(y), f"{shown(name)}: {x:.4g}, rank {y:.4g}")
            for name, (x, y) in zip(self.datasets, self.points, strict=True)
        ]
        track = tuple((across(x), down(y)) for x, y in self.means)
        items += [Line(track, colour=VERMILION, width=1.4)] if len(track) > 1 else []
        items += [_mean(x, y) for x, y in track]
        entries = [([_point(0, 0)], "a data set"), ([_mean(0, 0)], "mean of data sets with neighbouring values")]
        return items + legend_line(entries, 0, bounds(items)[3] + 15, width)


@as_came_in
def attribute_ranks(found: AttributeAgainstRank) -> AttributeRanks:
    """Make the figure of a measure against the rank of an algorithm.

    Parameters
    ----------
    found : AttributeAgainstRank

    Returns
    -------
    AttributeRanks

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> from tiebreak.advisor.evaluation.measures_against_ranks import attribute_against_rank
    >>> found = attribute_against_rank([1, 2, 3, 4], [[1, 2], [1, 2], [2, 1], [2, 1]], algorithm="a",
    ...                                attribute="size", algorithms=["a", "b"], bins=2)
    >>> attribute_ranks(found).means
    ((1.5, 1.0), (3.5, 2.0))
    """
    values = found.values.tolist()
    if not values:
        raise InputError(
            f"No data set has a value of {found.attribute!r} and a rank of {found.algorithm!r}.",
            why="There is nothing to draw.",
            mend="Choose another measure or algorithm.",
        )
    return AttributeRanks(
        attribute=found.attribute,
        algorithm=found.algorithm,
        datasets=found.datasets,
        points=tuple(zip(values, found.ranks.tolist(), strict=True)),
        means=tuple(zip(found.bin_values.tolist(), found.bin_ranks.tolist(), strict=True)),
        correlation=found.correlation,
        log_values=min(values) > 0 and max(values) / min(values) > SPREAD,
        **titled(found),
    )


def _point(x: float, y: float, title: str = "") -> Item:
    return Circle(x, y, 2.2, fill=BLUE, opacity=0.45, title=title)


def _mean(x: float, y: float) -> Item:
    return Circle(x, y, 3.6, fill=PAPER, colour=VERMILION, edge=1.4)
