"""The times of a base as curves, one per algorithm, and what they say about data of another size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from tiebreak._brief import Brief
from tiebreak._checks import FloatArray
from tiebreak.advisor._meta_table import Described
from tiebreak.advisor.times._families import row_powers
from tiebreak.advisor.times._predicted import PredictedTimes
from tiebreak.advisor.times._sizes import PARTS, Sizes, beyond, size_of, sizes_of, train_shares
from tiebreak.advisor.times._two_parts import N_FIXED, TwoParts, fit_two_parts
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.documents.words import amount
from tiebreak.errors import InputError, OptionError
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.advisor._knowledge import Knowledge

COVERED = 0.9
"""The share of times that a range is meant to hold."""
WANDER = 0.35
"""How much a slope may change beyond what was measured: the range grows by this, as a power of the factor beyond."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TimeModel(Brief):
    """What the times of a base say about data of any size; made by `fit_times`.

    Parameters
    ----------
    algorithms : tuple of str
    curves : TwoParts
        One per algorithm.
    sizes : Sizes
        Of the known data sets with times.
    low, high : FloatArray
        (algorithms, 3): the least and the largest rows, columns and classes of each algorithm's times, as logarithms.
    counts : tuple of int
        On how many data sets each algorithm was timed.
    """

    algorithms: tuple[str, ...]
    curves: TwoParts
    sizes: Sizes
    low: FloatArray
    high: FloatArray
    counts: tuple[int, ...]

    @property
    def sized(self) -> bool:
        """Whether the rows of some data sets are known, so that the size of new data can matter."""
        return bool(np.isfinite(self.sizes.rows).any())

    @as_came_in
    def predict(self, meta: Described, *, share: float = 1.0) -> PredictedTimes:
        """Predict what every algorithm takes on a data set.

        Parameters
        ----------
        meta : mapping
            Its meta-attributes: n_examples, n_attributes (or n_numeric and n_symbolic), n_classes, mean_categories.
            One that is missing is taken to be the middle of the base.
        share : float, default 1.0
            Of the rows that are trained on, such as 0.8 for a fold of five.

        Returns
        -------
        PredictedTimes
        """
        if not 0 < share <= 1:
            raise OptionError(
                f"share is {share!r}.", why="It is the part of the rows that are trained on.", mend="Use 0.8."
            )
        asked = size_of(meta, share)
        logs, reach = self.at(asked)
        outside = beyond(asked, np.fmin.reduce(self.low, axis=0), np.fmax.reduce(self.high, axis=0))[1]
        names = tuple(name for name, out in zip(PARTS, outside, strict=True) if out)
        sized = self.sized and bool(np.isfinite(asked.rows[0]))
        return PredictedTimes(
            algorithms=self.algorithms,
            seconds=np.exp(logs),
            low=np.exp(logs - reach),
            high=np.exp(logs + reach),
            beyond=names,
            sized=sized,
            share=float(share),
            measured=tuple(self._range(name) for name in PARTS),
            caveats=_told(self, names, sized),
        )

    def at(self, asked: Sizes) -> tuple[FloatArray, FloatArray]:
        """Return log seconds at one size, and how far their range reaches to both sides.

        It reaches farther the farther the size lies beyond what the algorithm was timed on.
        """
        full = asked.filled(self.sizes)
        out, _ = beyond(full, self.low, self.high)
        slope = self.curves.coefficients[:, N_FIXED + 1]
        more = np.fmax(full.rows[0] - self.high[:, 0], 0.0) * np.fmax(row_powers(self.algorithms)[1] - slope, 0.0)
        logs, unsure = self.curves.at(full.overhead(), full.growth(), np.nan_to_num(more)[:, None])
        spread = np.sqrt(self.curves.spread**2 * (1.0 + unsure[:, 0]) + ((WANDER * out) ** 2).sum(axis=1))
        known = np.where(np.array(self.counts) > 0, logs[:, 0], np.nan)
        return known, stdtrit(self.curves.freedom, 0.5 + COVERED / 2) * spread

    def _range(self, part: str) -> str:
        known = self.sizes.part(part)
        known = known[np.isfinite(known)]
        low, high = (amount(float(each)) for each in np.exp([known.min(), known.max()])) if known.size else ("", "")
        return f"{low} to {high} {part}" if known.size else f"no {part}"


def fit_times(known: Knowledge) -> TimeModel:
    """Fit the times of a base: for every algorithm a curve over rows, columns and classes.

    Formula: log t = log(exp(a0 + a1 log p + a2 log k + a3 s) + exp(b0 + b1 log n + b2 log p + b3 log k + b4 log w)),
    with n the rows trained on, p the attributes, k the classes, s 1 where attributes are symbolic, and w the columns
    per attribute when each symbolic value gets its own. The first part is what a fit takes however few rows there are;
    a single power would bend to it. Least squares of logarithms, large residuals counted by their size (Huber), with a
    little ridge that draws the slopes to what is usual (b1 to 1, b2 to 0.7, b3 to 0.5) and bounds (b1 from 0.5 to
    3, no slope below 0). Beyond the most rows that were measured the power of rows is at least 1: every row is read.
    Kernel machines, told by their names, are drawn to the power 2 and keep it beyond: easy data hide it.

    The range of a prediction is that of a new observation, by Student's distribution with the degrees of freedom that
    the curve leaves, the uncertainty of the curve included; outside what was measured it is wider by the factor
    beyond to the power 0.35 (one standard deviation).

    Assumptions: the machine, the settings and the implementations are those of the base; times on a data set are the
    mean of its folds, each trained on the share of the rows that its resampling leaves.

    When not to use it: for algorithms whose time hangs on the data more than on their size, as a search that stops
    when it converges; the range shows it.

    Documented answers. Times of 0 count as the smallest positive time. One data set, or sizes that do not vary: the
    usual slopes, and a wide range. No rows known: middle values of the base. An algorithm without a time: NaN. No
    times at all are refused.

    Parameters
    ----------
    known : Knowledge

    Returns
    -------
    TimeModel

    References
    ----------
    huber1964
    marquardt1963
    chang2011, section 4

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> model = fit_times(shipped_knowledge())
    >>> small, large = (model.predict({"n_examples": n, "n_attributes": 10, "n_classes": 2}) for n in (200, 20000))
    >>> bool((large.seconds > small.seconds).all())
    True
    """
    logs = log_times(known)
    sizes = sizes_of(known.meta, train_shares(known))
    full, there = sizes.filled(), np.isfinite(logs).T
    usual, _ = row_powers(known.algorithms)
    weight = there.astype(np.float64)
    curves = fit_two_parts(full.overhead(), full.growth(), np.where(there, logs.T, 0.0), weight, usual)
    return model_of(known.algorithms, curves, sizes, weight)


def model_of(algorithms: tuple[str, ...], curves: TwoParts, sizes: Sizes, there: FloatArray) -> TimeModel:
    """Put curves together with the ranges of sizes on which each algorithm was timed."""
    parts = np.array([sizes.part(name) for name in PARTS])  # (parts, data sets)
    own = np.where(there[:, None, :] > 0, parts[None], np.nan)
    return TimeModel(
        algorithms=algorithms,
        curves=curves,
        sizes=sizes,
        low=np.fmin.reduce(own, axis=2),
        high=np.fmax.reduce(own, axis=2),
        counts=tuple(int(count) for count in (there > 0).sum(axis=1)),
    )


def log_times(known: Knowledge) -> FloatArray:
    """Return logarithms of mean times (data sets, algorithms); what the clock could not tell is its smallest time."""
    seconds = known.means()[1]
    positive = seconds[seconds > 0] if seconds is not None else np.empty(0)
    if seconds is None or not positive.size:
        raise InputError(
            "The known results hold no times, or none above 0.",
            why="Times of new data are predicted from them.",
            mend=f"Name the column of times ({option(time=...)}).",
        )
    raised = np.where(seconds == 0, positive.min(), seconds)
    return np.asarray(np.log(raised, out=np.full(raised.shape, np.nan), where=raised > 0))


def _told(model: TimeModel, outside: tuple[str, ...], sized: bool) -> Caveats:
    what = " and ".join(outside)
    ranges = ", ".join(model._range(name) for name in outside)
    far = f"Times are predicted beyond what was measured in {what} (measured: {ranges}); their ranges are wider for it."
    middle = (
        "The number of rows is not known of the data or of the base: predicted times are middle values of the base."
    )
    return caveats_of((outside, "times-guessed", far), (not sized, "times-guessed", middle))
