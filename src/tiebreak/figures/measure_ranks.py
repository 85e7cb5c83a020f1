"""A measure of the data sets against the rank of an algorithm on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak._show import Row
from tiebreak.errors import InputError
from tiebreak.figures._axis import Scale, bottom_axis, left_axis, legend_line, spread
from tiebreak.figures._figure import Figure
from tiebreak.figures._metrics import fitted, shown
from tiebreak.figures._palette import BLUE, PAPER, VERMILION
from tiebreak.figures._scene import Circle, Item, Line

if TYPE_CHECKING:
    from tiebreak.advisor.evaluation import AttributeAgainstRank

WIDTH, HEIGHT, POINT, MEAN = 330.0, 210.0, 2.2, 3.6
SPREAD = 20.0


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
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return self.heading

    def rows(self) -> list[Row]:
        """Return one row per data set."""
        return [
            {"dataset": name, "value": x, "rank": y} for name, (x, y) in zip(self.datasets, self.points, strict=True)
        ]

    def notes(self) -> list[str]:
        """Say what the marks are."""
        log = f" The scale of {shown(self.attribute)} is logarithmic." if self.log_values else ""
        return [
            f"{shown(self.heading)}. Rank 1 is the best. The line joins means over data sets with neighbouring values,"
            f" about equally many each where values differ; equal values stay together.{log}"
        ]

    def items(self) -> list[Item]:
        """Lay out points, then the line of means."""
        return _layout(self)


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
    Brazdil, P., Soares, C. and da Costa, J. P. (2003), section 3. doi:10.1023/A:1021713901879

    Examples
    --------
    >>> from tiebreak.advisor.evaluation import attribute_against_rank
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
        heading=found.title(),
        caveats=found.caveats,
    )


def _layout(figure: AttributeRanks) -> list[Item]:
    values = [x for x, _ in figure.points]
    if figure.log_values:
        room = (max(values) / min(values)) ** 0.04
        low, high = min(values) / room, max(values) * room
    else:
        low, high = spread(values, 0.04)
    across = Scale(low=low, high=high, start=0.0, end=WIDTH, log=figure.log_values)
    worst, best = spread([y for _, y in figure.points], 0.04)[::-1]
    down = Scale(low=worst, high=best, start=HEIGHT, end=0.0)
    scale_word = " (logarithmic scale)" if figure.log_values else ""
    items = bottom_axis(across, HEIGHT, fitted(figure.attribute, 8.0, WIDTH - 90) + scale_word, top=0.0)
    items += left_axis(down, 0.0, fitted(f"rank of {figure.algorithm}", 8.0, HEIGHT), right=WIDTH, count=12)
    items += [
        Circle(across(x), down(y), POINT, fill=BLUE, opacity=0.45, title=f"{shown(name)}: {x:.4g}, rank {y:.4g}")
        for name, (x, y) in zip(figure.datasets, figure.points, strict=True)
    ]
    track = tuple((across(x), down(y)) for x, y in figure.means)
    if len(track) > 1:
        items.append(Line(track, colour=VERMILION, width=1.4))
    items += [Circle(x, y, MEAN, fill=PAPER, colour=VERMILION, edge=1.4) for x, y in track]
    entries: list[tuple[list[Item], str]] = [
        ([Circle(0, 0, POINT, fill=BLUE, opacity=0.45)], "a data set"),
        ([Circle(0, 0, MEAN, fill=PAPER, colour=VERMILION, edge=1.4)], "mean of data sets with neighbouring values"),
    ]
    return items + legend_line(entries, 0, HEIGHT + 43, WIDTH)
