"""Clouds of folds: the points of each algorithm, the normal distribution fitted to them, and shared histograms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING

from tiebreak._brief import Brief
from tiebreak.documents import Row
from tiebreak.figures.drawing.axis import spread
from tiebreak.figures.drawing.scene import Point

if TYPE_CHECKING:
    from tiebreak._checks import FloatArray

Floats = Sequence[float]
Contours = tuple[tuple[tuple[float, ...], ...], ...]
MOST = 8
"""More algorithms than these cannot be distinguished by colour and shape."""
SHARES = (0.5, 0.95)
"""The shares of the fitted distribution that lie inside the two contours."""
CORNERS = 48
_FLAT, _STRAIGHT = 1e-12, 1e-10


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
    found = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1))
    return found if found > _FLAT * max(map(abs, values)) else 0.0


def _correlation(columns: Sequence[Floats], means: Floats, deviations: Floats) -> float:
    """Return the correlation, exactly one or minus one where the points lie on a line."""
    (mean_x, mean_y), (sd_x, sd_y) = means, deviations
    products = [(x - mean_x) / sd_x * ((y - mean_y) / sd_y) for x, y in zip(*columns, strict=True)]
    r = math.fsum(products) / (len(products) - 1)
    return math.copysign(1.0, r) if abs(r) > 1 - _STRAIGHT else r


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
    inside = math.fsum(_deviation(each, fmean(each)) ** 2 for each in clouds) / len(clouds)
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
