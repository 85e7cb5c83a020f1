"""How wrong predicted times are: every origin left out in turn, beside the middle time of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.advisor.times import (
    Sizes,
    TwoParts,
    fit_two_parts,
    log_times,
    model_of,
    row_powers,
    sizes_of,
    train_shares,
)
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.results import frozen

if TYPE_CHECKING:
    from tiebreak.advisor.knowledge import Knowledge

CURVE, MIDDLE = "predicted", "geometric mean of the others"
BLOCK = 4_000_000
"""Derivatives held at a time: origins are left out in groups."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TimeErrors(Shown):
    """Times of left-out data sets and what the others say about them; arrays are (data sets, algorithms).

    `seconds` are measured, `predicted`, `low` and `high` by the curves of the other origins, `middle` the geometric
    mean of the algorithm's times there; NaN where there is none.
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    seconds: FloatArray
    predicted: FloatArray
    low: FloatArray
    high: FloatArray
    middle: FloatArray
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was left out."""
        cells = int(np.isfinite(self.factors()).sum())
        return f"Predicted times of {cells} cells left out: {len(self.datasets)} data sets by origin"

    def factors(self, *, of: str = CURVE) -> FloatArray:
        """Return by which factor, 1 or more, predictions miss the measured time."""
        return _missed(self.seconds, self.predicted if of == CURVE else self.middle)

    def rows(self) -> list[Row]:
        """Return one row per way to predict: middle and 90th percentile of the factor, shares within 2 and 3."""
        return [self._summary(CURVE), self._summary(MIDDLE)]

    def _summary(self, of: str) -> Row:
        missed = self.factors(of=of)
        held = (self.seconds >= self.low) & (self.seconds <= self.high)
        known = np.isfinite(missed)
        return {
            "by": of,
            "median factor": _quantile(missed, 0.5),
            "90 % within": _quantile(missed, 0.9),
            "within 2": _within(missed, 2.0),
            "within 3": _within(missed, 3.0),
            "in its range": float(held[known].mean()) if of == CURVE and known.any() else None,
        }


@as_came_in
def leave_out_times(known: Knowledge) -> TimeErrors:
    """Leave every origin out, predict its times from the others, and compare with what was measured.

    Formula: the factor of a cell is max(t / t', t' / t) of the measured and the predicted mean time. Beside it stands
    that of the geometric mean of the algorithm's times on the other origins, the answer without a model.

    Assumptions: those of `fit_times`; `known.origins` name what belongs together.
    When not to use it: to choose between models and report the score of the choice.

    Parameters
    ----------
    known : Knowledge

    Returns
    -------
    TimeErrors

    References
    ----------
    huber1964

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> found = leave_out_times(shipped_knowledge())
    >>> [row["median factor"] < 1.3 for row in found.rows()]
    [True, False]
    """
    labels = np.unique(np.array(known.origins), return_inverse=True)[1]
    if labels.max() == 0:
        raise InputError(
            "All known data sets are of one origin.",
            why="Times are predicted from other origins.",
            mend="Add results on other data, or say what belongs together with origins.",
        )
    out, seconds = times_left_out(known, labels), np.exp(log_times(known))
    return TimeErrors(datasets=known.datasets, algorithms=known.algorithms, **frozen(seconds=seconds, **out))


def times_left_out(known: Knowledge, labels: IntArray) -> dict[str, FloatArray]:
    """Predict the times of every data set from those with another label."""
    logs, sizes = log_times(known), sizes_of(known.meta, train_shares(known))
    out = {name: np.full(logs.shape, np.nan) for name in ("predicted", "low", "high", "middle")}
    for group, curves in _refitted(logs, sizes, labels, row_powers(known.algorithms)[0]):
        for at, label in enumerate(group):
            _fill(out, known, logs, sizes, labels == label, _part(curves, at, len(known.algorithms)))
    return out


def _refitted(logs: FloatArray, sizes: Sizes, labels: IntArray, power: FloatArray) -> list[tuple[range, TwoParts]]:
    """Fit without each origin, several origins at a time."""
    count, algorithms = logs.shape
    full, there = sizes.filled(), np.isfinite(logs).T.astype(np.float64)
    fixed, growing = full.overhead(), full.growth()
    step = max(1, BLOCK // (9 * count * algorithms))
    out = []
    for start in range(0, int(labels.max()) + 1, step):
        group = range(start, min(start + step, int(labels.max()) + 1))
        weight = np.concatenate([there * (labels != origin) for origin in group])
        many = np.tile(np.nan_to_num(logs.T), (len(group), 1)), weight, np.tile(power, len(group))
        out.append((group, fit_two_parts(fixed, growing, *many)))
    return out


def _part(curves: TwoParts, at: int, count: int) -> TwoParts:
    rows = slice(at * count, (at + 1) * count)
    return TwoParts(**{name: getattr(curves, name)[rows] for name in TwoParts.__slots__})


def _fill(
    out: dict[str, FloatArray], known: Knowledge, logs: FloatArray, sizes: Sizes, gone: BoolArray, curves: TwoParts
) -> None:
    """Predict the data sets that are gone from those that are left."""
    there = np.isfinite(logs).T & ~gone
    left = Sizes(**{name: np.where(gone, np.nan, getattr(sizes, name)) for name in Sizes.__slots__})
    model = replace(model_of(known.algorithms, curves, sizes, there.astype(np.float64)), sizes=left)
    total = np.where(there, np.nan_to_num(logs.T), 0.0).sum(axis=1)
    mean = np.divide(total, there.sum(axis=1), out=np.full(len(total), np.nan), where=there.any(axis=1))
    for place in np.flatnonzero(gone):
        one = Sizes(**{name: getattr(sizes, name)[[place]] for name in Sizes.__slots__})
        middle, reach = model.at(one)
        for name, value in (("predicted", middle), ("low", middle - reach), ("high", middle + reach), ("middle", mean)):
            out[name][place] = np.exp(value)


def _missed(seconds: FloatArray, predicted: FloatArray) -> FloatArray:
    return np.asarray(np.exp(np.abs(np.log(predicted) - np.log(seconds))))


def _quantile(values: FloatArray, share: float) -> float:
    there = values[np.isfinite(values)]
    return float(np.quantile(there, share)) if there.size else float("nan")


def _within(values: FloatArray, factor: float) -> float:
    there = values[np.isfinite(values)]
    return float((there <= factor).mean()) if there.size else float("nan")


def predicted_apart(known: Knowledge, apart: Sequence[str]) -> FloatArray:
    """Return the seconds (data sets, algorithms) that are predicted from the data sets with another label.

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> known = shipped_knowledge()
    >>> found = predicted_apart(known, ["odd" if i % 2 else "even" for i in range(len(known.datasets))])
    >>> found.shape == (len(known.datasets), len(known.algorithms))
    True
    """
    return times_left_out(known, np.unique(np.array(apart), return_inverse=True)[1])["predicted"]
