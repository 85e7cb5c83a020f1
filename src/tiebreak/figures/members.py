"""Which algorithms a figure shows: many are folded, and positions are those of the mean ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from tiebreak._checks import check_choice
from tiebreak.comparison import Comparison
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.axis import Scale, decimals_text, number_text, round_values, spread
from tiebreak.figures.drawing.ladder import MOST_IN_COLUMN
from tiebreak.figures.figure import Figure, titled
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.figures.figure import Figure

Pair = TypeVar("Pair")
FEW_PAIRED = 6
"""Of so many algorithms all pairs fit a page."""


def kept_of(
    names: Sequence[str], top: int | None, show: Sequence[str] | str = (), *, usual: int = 15
) -> tuple[int, ...]:
    """Return the positions that are drawn: the first `top` and those named; empty where nobody is folded.

    `usual` is how many of the first a message proposes.

    Examples
    --------
    >>> kept_of(["a", "b", "c", "d"], 1, ["c"]), kept_of(["a", "b"], None)
    ((0, 2), ())
    """
    chosen = [show] if isinstance(show, str) else list(show)
    for name in chosen:
        check_choice("algorithm", name, names)
    if top is None:
        if chosen:
            raise OptionError(
                f"{option(show=chosen)} was given alone.",
                why="All algorithms are drawn as long as nothing says how many are.",
                mend=f"Add {option(top=usual)}.",
            )
        return ()
    if isinstance(top, bool) or not isinstance(top, int) or top < 1:
        raise OptionError(
            f"{option(top=top)} draws no algorithm.",
            why="It says how many of the first are drawn.",
            mend=f"Use {option(top=usual)}.",
        )
    wanted = set(chosen)
    remaining = tuple(i for i, name in enumerate(names) if i < top or name in wanted)
    return remaining if len(remaining) < len(names) else ()


def first_pairs(pairs: tuple[Pair, ...], figure: Figure) -> tuple[Pair, ...]:
    """Return the pairs for which a figure has room: as many as it keeps, in a column at most those of its length."""
    most = len(figure.kept) or len(pairs)
    return pairs[: min(most, MOST_IN_COLUMN)] if figure.sheet.narrow else pairs[:most]


def pairs_lower(algorithms: int) -> str:
    """Say what makes a figure of pairs lower: fewer algorithms have fewer pairs; nothing where they are few already.

    Examples
    --------
    >>> pairs_lower(12), pairs_lower(4)
    ('top=6 draws the pairs of the first 6', '')
    """
    return f"{option(top=FEW_PAIRED)} draws the pairs of the first {FEW_PAIRED}" if algorithms > FEW_PAIRED else ""


def folded_words(count: int, counts: Sequence[int]) -> str:
    """Say how many are folded; nothing where none is."""
    if not counts or len(counts) == count:
        return ""
    return f" {len(counts)} of {count} algorithms are drawn; rows with dots stand for the others."


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


def tested(comparison: Comparison) -> dict[str, Any]:
    """Return what every figure of tested pairs takes from a comparison."""
    return titled(comparison) | {"method": comparison.tests.method, "alpha": comparison.alpha}


def positioned(comparison: Comparison) -> dict[str, Any]:
    """Return what every diagram of positions takes from a comparison."""
    values, what, low_is_best = positions_of(comparison)
    return tested(comparison) | {
        "algorithms": comparison.algorithms,
        "positions": values,
        "position_name": f"{what} ({'lower' if low_is_best else 'higher'} is better)",
        "location_name": comparison.location_name,
        "low_is_best": low_is_best,
        "critical_difference": comparison.critical_difference,
    }


def positions_of(comparison: Comparison) -> tuple[tuple[float, ...], str, bool]:
    """Return what the tests compare in its own sign, its name, and whether low is best."""
    scores = comparison.location_name == _SCORES
    # a comparison turns scores so that low is best; a reader expects accuracies with their own sign
    turned = scores and comparison.higher_is_better
    values = tuple(float(-x if turned else x) for x in comparison.locations)
    return (
        values,
        f"mean {comparison.score.name}" if scores else f"{comparison.location_name} of {comparison.score.name}",
        not turned,
    )


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
