"""How long each algorithm will take on new data: a curve per algorithm, predictions with their range.

The curve has a fixed part and one that grows with the data, fitted to logarithms by damped least squares. A straight
line through logarithms bends to the many small data sets on which a time is mostly overhead, and so says too little for
large ones. Here t = f + g: f depends on columns and classes alone, g is a power of rows, columns and classes. Slopes
are drawn a little (ridge) to what is usual, so that a base which does not show them still gives an answer, and are held
within bounds. All algorithms, and all left-out origins, are fitted at once.

Easy and small data hide how fast some kinds of learners grow with the rows: a kernel machine with few support vectors
looks all but linear. So the power of rows that such a kind has in general is what its curve is drawn to, and the least
with which it goes on beyond the measured rows. The kind is told by the name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.advisor.knowledge import Knowledge, thinned
from tiebreak.advisor.meta_table import Described, MetaTable
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents.words import amount
from tiebreak.errors import InputError, OptionError
from tiebreak.wording import Brief, option

N_FIXED = 4
"""Coefficients of the fixed part: 1, columns, classes, symbolic; the others are those of the growing part."""
USUAL = np.array([0.0, 0.2, 0.3, 0.3, 0.0, 1.0, 0.7, 0.5, 0.35])
"""What slopes are drawn to: of columns, classes and symbolic; of rows, columns, classes and columns per attribute."""
LOOSE = np.array([3.0, 0.3, 0.5, 0.7, 2.5, 0.3, 0.5, 0.5, 0.4])
"""How far a slope usually lies from that; the two levels are drawn but weakly."""
LEAST = np.array([-np.inf, 0.0, 0.0, 0.0, -np.inf, 0.5, 0.0, 0.0, 0.0])
MOST = np.array([np.inf, 2.0, 2.0, 3.0, np.inf, 3.0, 3.0, 3.0, 2.0])
NOISE = 0.3
"""The spread of logarithms of times about their curve that the pull of the usual slopes is weighed against."""
FAR = 1.0
"""Residuals beyond this (a factor e) count by their size, not by its square: one odd time does not bend a curve."""
PULL = (NOISE / LOOSE) ** 2
STEPS, SETTLED = 60, 1e-7
"""Steps of the search at the most, and the share of its cost that a last step gains."""
_USUALLY = ((0.5, 0.0), (0.5, -3.5))
"""Where levels are drawn to, as a quantile of times and a shift: many data sets of a base are small, so in the middle
a time is mostly its fixed part, and the growing part a few hundredths of it."""
_STARTS = (((0.3, -0.3), (0.3, 0.0)), ((0.05, -1.5), (0.5, 0.0)), ((0.5, 0.0), (0.05, 0.0)))
"""Where the search begins, in the same way; the best end counts."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TwoParts(Brief):
    """Fitted curves: coefficients (fits, 9), inverse Hessians (fits, 9, 9), residual spread and degrees of freedom."""

    coefficients: FloatArray
    inverse: FloatArray
    spread: FloatArray
    freedom: FloatArray

    def at(self, fixed: FloatArray, growing: FloatArray, raised: FloatArray | float = 0.0) -> tuple[FloatArray, ...]:
        """Return log times (fits, points) and the variance of the curve itself there, in units of the spread squared.

        `raised` is added to the logarithm of the growing part.
        """
        values, slopes = _curve(self.coefficients, fixed, growing, raised)
        return values, ((slopes @ self.inverse) * slopes).sum(axis=2)


def fit_two_parts(
    fixed: FloatArray, growing: FloatArray, logs: FloatArray, weight: FloatArray, power: FloatArray
) -> TwoParts:
    """Fit log t = log(exp(fixed . a) + exp(growing . b)) for many rows of logs at once.

    `fixed` is (points, 4) and `growing` (points, 5); `logs` and `weight` are (fits, points), a weight of 0 leaving a
    point out. `power` is the power of rows that each fit is drawn to. A fit without any point is the usual one, its
    spread NaN.
    """
    seen = np.where(weight > 0, logs, 0.0)
    some = weight.sum(axis=1) > 0
    slopes = np.tile(USUAL, (len(logs), 1))
    slopes[:, N_FIXED + 1] = power
    placed = [_placed(slopes, fixed, growing, seen, weight, *where) for where in (_USUALLY, *_STARTS)]
    ends = [_search(fixed, growing, seen, weight, placed[0], start) for start in placed[1:]]
    costs = np.array([cost for _, cost in ends])
    best = np.array([values for values, _ in ends])[costs.argmin(axis=0), np.arange(len(logs))]
    value, rises = _curve(best, fixed, growing)
    inverse = np.asarray(np.linalg.inv(_curvature(rises, weight)), dtype=np.float64)
    used = np.einsum("bij,bji->b", inverse, (rises * weight[:, :, None]).transpose(0, 2, 1) @ rises)
    freedom = np.maximum(weight.sum(axis=1) - used, 0.0)
    squares = (weight * np.where(weight > 0, seen - value, 0.0) ** 2).sum(axis=1)
    spread = np.sqrt((squares + 2.0 * NOISE**2) / (freedom + 2.0))  # worth two points: few data sets never look exact
    return TwoParts(coefficients=best, inverse=inverse, spread=np.where(some, spread, np.nan), freedom=freedom + 2.0)


def _placed(
    slopes: FloatArray,
    fixed: FloatArray,
    growing: FloatArray,
    logs: FloatArray,
    weight: FloatArray,
    low: tuple[float, float],
    high: tuple[float, float],
) -> FloatArray:
    """Place both levels by a quantile, and a shift of it, of what the slopes leave of the times."""
    out = slopes.copy()
    for place, by, (share, shift) in ((0, fixed, low), (N_FIXED, growing, high)):
        left = logs - slopes[:, place + 1 : place + by.shape[1]] @ by[:, 1:].T
        out[:, place] = _quantiles(left, weight, share) + shift
    return out


def _quantiles(values: FloatArray, weight: FloatArray, share: float) -> FloatArray:
    there = [row[current > 0] for row, current in zip(values, weight, strict=True)]
    return np.array([np.quantile(row, share) if row.size else 0.0 for row in there])


def _curve(
    coefficients: FloatArray, fixed: FloatArray, growing: FloatArray, raised: FloatArray | float = 0.0
) -> tuple[FloatArray, FloatArray]:
    """Return log times (fits, points) and their derivatives (fits, points, 9)."""
    below, above = coefficients[:, :N_FIXED] @ fixed.T, coefficients[:, N_FIXED:] @ growing.T + raised
    value = np.logaddexp(below, above)
    parts = [np.exp(one - value)[:, :, None] * by for one, by in ((below, fixed), (above, growing))]
    return value, np.concatenate(parts, axis=2)


def _curvature(slopes: FloatArray, weight: FloatArray) -> FloatArray:
    weighted = slopes * weight[:, :, None]
    values: FloatArray = weighted.transpose(0, 2, 1) @ slopes
    return values + np.diag(PULL)


def _search(
    fixed: FloatArray, growing: FloatArray, logs: FloatArray, weight: FloatArray, usual: FloatArray, start: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Take damped Newton steps within the bounds (Levenberg and Marquardt); return where they end and the cost.

    Fits that move no more are left out of further steps, so that the slowest alone takes all of them.
    """
    at, damping = start.copy(), np.full(len(logs), 1e-2)
    now = _cost(at, fixed, growing, logs, weight, usual)
    moving = np.arange(len(logs))
    for _ in range(STEPS):
        given = logs[moving], weight[moving], usual[moving]
        tried = _step(at[moving], fixed, growing, *given, damping[moving])
        then = _cost(tried, fixed, growing, *given)
        better = then < now[moving]
        little = now[moving] - then <= SETTLED * now[moving]
        at[moving] = np.where(better[:, None], tried, at[moving])
        now[moving] = np.where(better, then, now[moving])
        damping[moving] *= np.where(better, 1 / 3, 5.0)
        moving = moving[~np.where(better, little, damping[moving] > 1e6)]
        if not len(moving):
            break
    return at, now


def _cost(
    at: FloatArray, fixed: FloatArray, growing: FloatArray, logs: FloatArray, weight: FloatArray, usual: FloatArray
) -> FloatArray:
    """Return Huber's cost of the residuals (fits,), with the pull to the usual slopes."""
    off = np.abs(logs - _curve(at, fixed, growing)[0])
    squares = np.where(off < FAR, off**2, FAR * (2 * off - FAR))
    return np.asarray((weight * squares).sum(axis=1) + (PULL * (at - usual) ** 2).sum(axis=1))


def _step(
    at: FloatArray,
    fixed: FloatArray,
    growing: FloatArray,
    logs: FloatArray,
    weight: FloatArray,
    usual: FloatArray,
    damping: FloatArray,
) -> FloatArray:
    """Return where a damped Newton step leads; what stands at a bound and would leave takes no part in it."""
    value, slopes = _curve(at, fixed, growing)
    off = logs - value
    counted = weight * np.minimum(1.0, FAR / np.maximum(np.abs(off), FAR))
    bend = _curvature(slopes, counted)
    down = (slopes * (counted * off)[:, :, None]).sum(axis=1) - PULL * (at - usual)
    bend += damping[:, None, None] * np.eye(len(PULL)) * np.einsum("bii->bi", bend)[:, None, :]
    free = ~(((at <= LEAST) & (down < 0)) | ((at >= MOST) & (down > 0)))
    bend = bend * (free[:, :, None] & free[:, None, :]) + np.eye(len(PULL)) * ~free[:, :, None]
    down = np.where(free, down, 0.0)
    return np.clip(at + np.linalg.solve(bend, down[:, :, None])[:, :, 0], LEAST, MOST)


PARTS = ("rows", "columns", "classes")
"""What a size is made of, in the words of messages."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Sizes(Brief):
    """Natural logarithms, one entry per data set, NaN where unknown.

    `rows` are those that are trained on, `columns` the attributes. `spread` is how many columns one attribute becomes
    when symbolic ones get a column per value (0: one), `symbolic` 1 where there are symbolic attributes, else 0.
    """

    rows: FloatArray
    columns: FloatArray
    classes: FloatArray
    spread: FloatArray
    symbolic: FloatArray

    def part(self, name: str) -> FloatArray:
        """Return one of `PARTS`."""
        values: FloatArray = getattr(self, name)
        return values

    def overhead(self) -> FloatArray:
        """Return what the fixed part of a time depends on: 1, columns, classes, whether there is anything symbolic."""
        return np.column_stack([np.ones(len(self.rows)), self.columns, self.classes, self.symbolic])

    def growth(self) -> FloatArray:
        """Return what the growing part depends on: 1, rows, columns, classes, and columns per attribute."""
        return np.column_stack([np.ones(len(self.rows)), self.rows, self.columns, self.classes, self.spread])

    def filled(self, by: Sizes | None = None) -> Sizes:
        """Put the middle of what is known (of `by`) where a size is unknown, 0 everywhere where nothing is."""
        return Sizes(**{name: _filled(getattr(self, name), getattr(by or self, name)) for name in Sizes.__slots__})


def sizes_of(meta: MetaTable, share: FloatArray | float = 1.0) -> Sizes:
    """Read sizes from meta-attributes; `share` of the rows are trained on.

    Examples
    --------
    >>> table = MetaTable.from_mapping({"a": {"n_examples": 200, "n_attributes": 4, "n_classes": 2}})
    >>> np.exp(sizes_of(table, 0.5).rows).round(6).tolist()
    [100.0]
    """
    rows = _column(meta, "n_examples")
    rows = np.where(np.isnan(rows), 10 ** _column(meta, "log_n_examples"), rows)
    numeric, symbolic = _column(meta, "n_numeric"), _column(meta, "n_symbolic")
    columns = _column(meta, "n_attributes")
    columns = np.where(np.isnan(columns), numeric + symbolic, columns)
    values = np.fmax(_column(meta, "mean_categories"), 1.0)  # an attribute of one value still is a column
    wide = np.where(symbolic > 0, columns + symbolic * (values - 1.0), columns)
    some = np.where(np.isnan(symbolic), _column(meta, "prop_symbolic"), symbolic)
    return Sizes(
        rows=_log(rows * share),
        columns=_log(columns),
        classes=_log(_column(meta, "n_classes")),
        spread=_log(wide / columns),
        symbolic=np.where(np.isnan(some), np.nan, some > 0),
    )


def size_of(query: Described, share: float = 1.0) -> Sizes:
    """Read the size of one data set."""
    return sizes_of(MetaTable.from_mapping({"query": dict(query)}), share)


def train_shares(known: Knowledge) -> FloatArray:
    """Return the share of its rows that a fold of each data set was trained on.

    Where the base does not say, it follows from the number of folds, (folds - 1) / folds; a single result was
    measured as new data will be, as far as anybody knows: 1.
    """
    folds = np.isfinite(known.accuracy).any(axis=(1, 2)).sum(axis=1)
    counted = np.where(folds > 1, (folds - 1) / np.maximum(folds, 1), 1.0)
    given = np.asarray(known.train_share or np.full(len(counted), np.nan), dtype=np.float64)
    return np.where(np.isfinite(given) & (given > 0), given, counted)


def beyond(sizes: Sizes, low: FloatArray, high: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return how far (in logarithms) one size lies outside ranges (algorithms, parts), and which parts do."""
    point = np.array([sizes.part(name)[0] for name in PARTS])
    out = np.fmax(np.fmax(point - high, low - point), 0.0)
    return np.nan_to_num(out), np.asarray(np.nan_to_num(out) > 1e-9)


def _column(meta: MetaTable, name: str) -> FloatArray:
    if name not in meta.measures:
        return np.full(len(meta.names), np.nan)
    return meta.matrix[:, meta.measures.index(name)]


def _log(values: FloatArray) -> FloatArray:
    return np.asarray(np.log(values, out=np.full(values.shape, np.nan), where=values > 0))


def _filled(values: FloatArray, known: FloatArray) -> FloatArray:
    there = known[np.isfinite(known)]
    if not there.size:  # the curve was fitted without it, so that it says nothing
        return np.zeros_like(values)
    return np.where(np.isfinite(values), values, float(np.median(there)))


FAMILIES = (
    (r"linear.?sv|l-?svm|liblinear|sgd", 1.2, 1.0),
    (r"gauss\w*[ _-]?process|\bgpc?\b", 2.5, 2.5),
    (r"svm|svc|\bsmo\b|(?<![a-z])sv[rl2](?![a-z0-9])|kernel[ _-]?(ridge|machine)", 2.0, 2.0),
    (r"(\d-?|k-?)nn(?![a-z])|ibk|neighbou?r", 1.5, 1.0),
    ("", 1.0, 1.0),
)
"""Kinds of learners: the pattern of their names, the power of rows that curves are drawn to, and the least beyond what
was measured. The first that matches counts; of kernel machines see Chang and Lin (2011), section 4."""


def row_powers(algorithms: tuple[str, ...]) -> tuple[FloatArray, FloatArray]:
    """Return for every algorithm the usual power of rows, and the least beyond what was measured.

    Examples
    --------
    >>> usual, least = row_powers(("rf", "svr", "linearsvc", "5nn"))
    >>> usual.tolist(), least.tolist()
    ([1.0, 2.0, 1.2, 1.5], [1.0, 2.0, 1.0, 1.0])
    """
    powers = [next(part[1:] for part in FAMILIES if re.search(part[0], name.casefold())) for name in algorithms]
    usual, least = np.array(powers, dtype=np.float64).reshape(-1, 2).T
    return usual, least


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PredictedTimes(Brief):
    """What every algorithm is expected to take on one data set.

    Parameters
    ----------
    algorithms : tuple of str
    seconds : FloatArray
        Training once on `share` of the rows and predicting as many, NaN where no time of the algorithm is known.
    low, high : FloatArray
        The range that holds nine of ten times.
    beyond : tuple of str
        Of rows, columns and classes those outside all that was measured.
    sized : bool
        Whether the size of the data had a part; otherwise seconds are middle values of the base.
    share : float
        Of the rows that are trained on.
    caveats : tuple of Caveat

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> from tiebreak.advisor.times import fit_times
    >>> result = fit_times(shipped_knowledge()).predict({"n_examples": 1e6, "n_attributes": 11, "n_classes": 2})
    >>> result.beyond, bool((result.seconds > 1).all())
    (('rows',), False)
    """

    algorithms: tuple[str, ...]
    seconds: FloatArray
    low: FloatArray
    high: FloatArray
    beyond: tuple[str, ...] = ()
    sized: bool = True
    share: float = 1.0
    caveats: Caveats = ()

    def of(self, algorithm: str) -> tuple[float, float, float]:
        """Return seconds, low and high of one algorithm; NaN where it is not among them."""
        if algorithm not in self.algorithms:
            return (float("nan"),) * 3
        j = self.algorithms.index(algorithm)
        return float(self.seconds[j]), float(self.low[j]), float(self.high[j])


MOST_TIMED = 1000
"""Of more data sets so many, evenly spaced, have a part in the curves."""
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
        sizes = size_of(meta, share)
        logs, reach = self.at(sizes)
        outside = beyond(sizes, np.fmin.reduce(self.low, axis=0), np.fmax.reduce(self.high, axis=0))[1]
        names = tuple(name for name, out in zip(PARTS, outside, strict=True) if out)
        sized = self.sized and bool(np.isfinite(sizes.rows[0]))
        return PredictedTimes(
            algorithms=self.algorithms,
            seconds=np.exp(logs),
            low=np.exp(logs - reach),
            high=np.exp(logs + reach),
            beyond=names,
            sized=sized,
            share=float(share),
            caveats=_told(self, names, sized),
        )

    def at(self, sizes: Sizes) -> tuple[FloatArray, FloatArray]:
        """Return log seconds at one size, and how far their range reaches to both sides.

        It reaches farther the farther the size lies beyond what the algorithm was timed on.
        """
        full = sizes.filled(self.sizes)
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
        low, high = (amount(float(item)) for item in np.exp([known.min(), known.max()])) if known.size else ("", "")
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
    if len(known.datasets) > MOST_TIMED:
        known = known.datasets_at(thinned(np.arange(len(known.datasets)), MOST_TIMED))
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
    values = np.where(there[:, None, :] > 0, parts[None], np.nan)
    return TimeModel(
        algorithms=algorithms,
        curves=curves,
        sizes=sizes,
        low=np.fmin.reduce(values, axis=2),
        high=np.fmax.reduce(values, axis=2),
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
