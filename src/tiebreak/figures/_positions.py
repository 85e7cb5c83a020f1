"""Where a comparison puts its algorithms: what diagrams of positions share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tiebreak.comparison import Comparison
from tiebreak.figures._figure import Figure, titled
from tiebreak.figures.drawing.axis import Scale, decimals_text, number_text, round_values, spread

_SCORES, _IMPLIED = "mean score", "implied mean rank"
"""The names of locations that are no usual mean ranks."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Tested(Figure):
    """A figure of tested pairs: by which method, at which level."""

    method: str
    alpha: float

    def _test(self) -> str:
        return f"{self.method}, alpha = {self.alpha:g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Positioned(Tested):
    """A figure of positions on one axis; the fields mean the same in every diagram that has them."""

    algorithms: tuple[str, ...]
    positions: tuple[float, ...]
    position_name: str
    location_name: str
    low_is_best: bool
    critical_difference: float | None

    def scale(self, reach: tuple[float, ...], span: float, width: float) -> Scale:
        """Return the axis, its best end at 0, with round limits around `reach` and room for a length `span`."""
        low, high = _limits(reach, span, whole=self.location_name != _SCORES)
        ends = (low, high) if self.low_is_best else (high, low)
        return Scale(low=ends[0], high=ends[1], start=0.0, end=width)

    def _difference(self) -> str:
        """Write the critical difference with three decimals, or three digits where it is small."""
        value = self.critical_difference or 0.0
        return decimals_text(value, 3) if value >= 0.1 else number_text(value, 3)

    def _implied(self) -> str:
        """Say what is unusual about the mean ranks of a table with gaps."""
        if self.location_name != _IMPLIED:
            return ""
        return (
            " Mean ranks are implied by the estimated effects; they may lie outside 1 to k, the number of algorithms."
        )


def tested(found: Comparison) -> dict[str, Any]:
    """Return what every figure of tested pairs takes from a comparison."""
    return titled(found) | {"method": found.tests.method, "alpha": found.alpha}


def positioned(found: Comparison) -> dict[str, Any]:
    """Return what every diagram of positions takes from a comparison."""
    values, what, low_is_best = positions_of(found)
    return tested(found) | {
        "algorithms": found.algorithms,
        "positions": values,
        "position_name": f"{what} ({'lower' if low_is_best else 'higher'} is better)",
        "location_name": found.location_name,
        "low_is_best": low_is_best,
        "critical_difference": found.critical_difference,
    }


def positions_of(found: Comparison) -> tuple[tuple[float, ...], str, bool]:
    """Return what the tests compare in its own sign, its name, and whether low is best."""
    scores = found.location_name == _SCORES
    # a comparison turns scores so that low is best; a reader expects accuracies with their own sign
    turned = scores and found.higher_is_better
    values = tuple(float(-x if turned else x) for x in found.locations)
    return values, f"mean {found.score.name}" if scores else f"{found.location_name} of {found.score.name}", not turned


def _limits(positions: tuple[float, ...], span: float, *, whole: bool) -> tuple[float, float]:
    """Return round limits around the positions: whole numbers for ranks, else multiples of a tick."""
    low, high = min(positions), max(positions)
    if whole:
        low, high = math.floor(low + 1e-9), math.ceil(high - 1e-9)
        return low, max(high, low + 1, low + math.ceil(span))
    low, high = (low, high) if high > low else spread([low, high])
    ticks = round_values(low, high, 10)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else high - low
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return low, max(high, low + span)
