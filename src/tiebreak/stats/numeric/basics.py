"""What tests of all kinds compute with: tail probabilities, ranks within a data set, differences of pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, check_matrix, check_table, check_within
from tiebreak.errors import InputError, OptionError
from tiebreak.wording import option

TINY = float(np.finfo(np.float64).tiny)
"""The smallest p-value reported: what lies below it is printed as this number, not as 0."""


def floor_pvalue(p: npt.ArrayLike) -> FloatArray:
    """Keep p-values within (0, 1]: an underflow becomes the smallest normal number."""
    return np.clip(np.asarray(p, dtype=np.float64), TINY, 1.0)


def normal_two_sided(z: npt.ArrayLike) -> FloatArray:
    """P(abs(Z) >= abs(z)) for a standard normal Z."""
    return floor_pvalue(2.0 * special.ndtr(-np.abs(np.asarray(z, dtype=np.float64))))


def chi2_upper(x: npt.ArrayLike, df: npt.ArrayLike) -> FloatArray:
    """P(X >= x) for chi-squared with `df` degrees of freedom."""
    return floor_pvalue(special.chdtrc(np.asarray(df, dtype=np.float64), np.asarray(x, dtype=np.float64)))


def f_upper(x: npt.ArrayLike, df1: npt.ArrayLike, df2: npt.ArrayLike) -> FloatArray:
    """P(X >= x) for the F distribution.

    Written as the regularised incomplete beta function of df2/(df2 + df1 x), which keeps its
    relative accuracy where one minus the distribution function would cancel; where that share is
    near 1, and rounding it would cost digits, as the complement for the rest df1 x/(df2 + df1 x).
    """
    x, df1, df2 = np.broadcast_arrays(*(np.asarray(value, dtype=np.float64) for value in (x, df1, df2)))
    with np.errstate(invalid="ignore"):
        rest = np.where(np.isinf(x), 1.0, df1 * x / (df2 + df1 * x))
        share = np.where(np.isinf(x), 0.0, df2 / (df2 + df1 * x))
    near, p = rest <= 0.5, np.full(x.shape, np.nan)
    special.betaincc(df1 / 2, df2 / 2, rest, out=p, where=near)
    special.betainc(df2 / 2, df1 / 2, share, out=p, where=~near)
    return floor_pvalue(p)


def t_two_sided(t: npt.ArrayLike, df: npt.ArrayLike) -> FloatArray:
    """P(abs(T) >= abs(t)) for Student's t: the F tail of its square."""
    return f_upper(np.square(np.asarray(t, dtype=np.float64)), 1.0, df)


def half_binomial_lower(k: FloatArray, n: FloatArray) -> FloatArray:
    """P(X <= k) for X binomial with n trials of probability one half."""
    inside = np.asarray(special.betainc(np.maximum(n - k, 1.0), k + 1.0, 0.5))
    return np.where(k >= n, 1.0, inside)


NOISE = 1e-13
"""Scores that differ by less than this share of their size differ by rounding alone: the sixteenth digit, summed up."""


def rank_rows(scores: npt.ArrayLike, *, higher_is_better: bool = False) -> FloatArray:
    """Rank the algorithms within each data set, 1 the best, ties with their average rank.

    Hypothesis: none; this is the transformation on which the rank tests stand.
    Formula: the rank of a score is one plus the number of better scores plus half the number of
    other scores equal to it.
    Assumptions: scores are comparable within a row; nothing is assumed between rows.
    When not to use it: where the size of a difference matters, not only its direction.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    higher_is_better : bool, default False
        Whether the highest score of a row gets rank 1. By default the lowest does.

    Returns
    -------
    ndarray, shape (data sets, algorithms)

    References
    ----------
    demsar2006, section 3.2.2

    Examples
    --------
    >>> rank_rows([[0.9, 0.8, 0.9, 0.7]], higher_is_better=True)
    array([[1.5, 3. , 1.5, 4. ]])
    """
    matrix = check_matrix(scores, min_rows=1)
    return average_ranks(-matrix if higher_is_better else matrix, tolerance=NOISE)


def turned(
    scores: npt.ArrayLike, algorithms: Sequence[str] | None, *, higher_is_better: bool
) -> tuple[FloatArray, tuple[str, ...]]:
    """Check a complete table; return it with lower the better and noise of rounding tied, and the names."""
    matrix, names = check_table(scores, algorithms)
    return snap(-matrix if higher_is_better else matrix), names


def ranked(
    scores: npt.ArrayLike, algorithms: Sequence[str] | None, *, higher_is_better: bool
) -> tuple[FloatArray, tuple[str, ...]]:
    """Check a complete table; return the ranks within its rows and the names of its algorithms."""
    matrix, names = check_table(scores, algorithms)
    return average_ranks(-matrix if higher_is_better else matrix, tolerance=NOISE), names


def average_ranks(values: FloatArray, *, tolerance: float = 0.0) -> FloatArray:
    """Average ranks along the last axis, ascending, without any check.

    Neighbours within `tolerance` of each other, relative to their size, tie, as after `snap`; infinite values do not
    go with one.
    """
    shape, length = values.shape, values.shape[-1]
    if values.size == 0:
        return np.empty(shape)
    # One pass over all rows: runs of equal values, then the mean place of each run.
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    fresh = np.ones(shape, dtype=bool)
    fresh[..., 1:] = _apart(ordered, np.abs(ordered), tolerance) if tolerance else ordered[..., 1:] != ordered[..., :-1]
    starts = np.flatnonzero(fresh)
    counts = np.diff(starts, append=values.size)
    shared = (starts % length) + (counts + 1) / 2  # mean of first+1 .. first+count
    ranks = np.empty(shape)
    np.put_along_axis(ranks, order, np.repeat(shared, counts).reshape(shape), axis=-1)
    return ranks


def tie_sums(ranks: FloatArray) -> FloatArray:
    """Sum t^3 - t over the groups of tied ranks of each row, from the ranks alone.

    A rank's squared deviation loses (t^3 - t)/12 in a group of t ties, so the sums follow
    from the variance of each row without finding the groups.
    """
    length = ranks.shape[-1]
    spread = ((ranks - (length + 1) / 2) ** 2).sum(axis=-1)
    return np.asarray((length**3 - length) - 12 * spread)


def snap(values: FloatArray, *, size: FloatArray | None = None, tolerance: float = NOISE) -> FloatArray:
    """Make values of a row equal that differ only by the noise of binary arithmetic.

    The mean of 0.1, 0.2 and 0.3 and the mean of 0.3, 0.2 and 0.1 differ in the sixteenth digit; nobody means them to
    be ranked differently. Neighbours in sorted order within `tolerance` of each other, relative to their size, take
    the value of the smallest. `size` is that of the numbers they were made from, where those were larger: the mean of
    0.1, 0.2 and -0.3 is noise. NaN stays NaN. Used for ranking only, never for reporting.
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    apart = np.ones(values.shape, dtype=bool)
    sizes = np.abs(ordered) if size is None else np.take_along_axis(np.maximum(size, np.abs(values)), order, axis=-1)
    apart[..., 1:] = _apart(ordered, sizes, tolerance)
    first = np.maximum.accumulate(np.where(apart, np.arange(values.shape[-1]), 0), axis=-1)
    out = np.empty(values.shape)
    np.put_along_axis(out, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return out


def _apart(ordered: FloatArray, sizes: FloatArray, tolerance: float) -> BoolArray:
    """Say which of the sorted values, from the second on, lie farther from the one before than rounding explains."""
    limit = tolerance * np.maximum(sizes[..., 1:], sizes[..., :-1])
    with np.errstate(over="ignore"):  # an infinite difference is far apart, as it should be
        return np.asarray(~(ordered[..., 1:] - ordered[..., :-1] <= limit))


LARGEST = 1e150
"""Scores beyond this overflow when they are squared."""

SQUARES = 340
"""Where the largest score lies between 2**-340 and 2**340, sums of squares neither overflow nor vanish."""

SUMS = 900
"""The same for sums and differences. Within it tests on ranks see the decimals of the scores as they are."""


def rescaled(
    *scores: FloatArray, axis: int | tuple[int, ...] | None = None, reach: int = SQUARES
) -> tuple[tuple[FloatArray, ...], IntArray]:
    """Divide arrays by one power of two such that the largest score lies within 2**-reach and 2**reach.

    Each slice over `axis` is scaled by itself. Scores within reach are returned as they are. The exponents are
    returned too, with `axis` kept: `numpy.ldexp(value, exponent)` brings a value back to the unit of the scores.
    """
    largest = np.asarray(0.0)
    for part in scores:
        largest = np.maximum(largest, np.abs(part).max(axis=axis, keepdims=True, initial=0.0))
    exponent = np.frexp(largest)[1].astype(np.int64)
    exponent -= np.clip(exponent, -reach, reach)
    if not exponent.any():
        return scores, exponent
    return tuple(np.ldexp(part, -exponent) for part in scores), exponent


def deviation(values: FloatArray, *, axis: int) -> FloatArray:
    """Return the standard deviation over an axis, n - 1 in the denominator, of values of any size."""
    (near,), exponent = rescaled(values, axis=axis)
    return np.asarray(np.ldexp(near.std(axis=axis, ddof=1), exponent.squeeze(axis)))


def check_squares(scores: FloatArray, *, what: str) -> None:
    """Refuse scores whose squares overflow: what is reported in their unit could not be written."""
    largest = float(np.abs(scores).max(initial=0.0))
    if largest > LARGEST:
        raise InputError(
            f"{what} holds a score of size {largest:.3g}, above {LARGEST:.0e}.",
            mend="Leave that algorithm out, or compare ranks over many data sets.",
        )


ULPS = 8 * float(np.finfo(np.float64).eps)


def paired_columns(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Return two paired vectors as the columns of a checked matrix."""
    return check_matrix(np.column_stack(same_shape(a, b, 1, mend="Pass two vectors of the same length.")))


def same_shape(a: npt.ArrayLike, b: npt.ArrayLike, ndim: int, *, mend: str) -> tuple[FloatArray, FloatArray]:
    """Return two arrays of one shape with `ndim` dimensions."""
    first, second = as_floats(a, what="a"), as_floats(b, what="b")
    if first.ndim != ndim or first.shape != second.shape:
        raise InputError(f"a has shape {first.shape} and b has shape {second.shape}.", mend=mend)
    return first, second


def advantages(matrix: FloatArray, a: IntArray, b: IntArray, *, higher_is_better: bool) -> FloatArray:
    """Differences of each pair, one row per pair and one column per data set; positive where b is better."""
    raw = (matrix[:, b] - matrix[:, a]).T
    return np.ascontiguousarray(raw if higher_is_better else -raw)


def rounding_noise(matrix: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """Return per pair the size below which a difference is noise of binary rounding.

    0.85 - 0.84 is not 0.01 in binary; nobody means the last bit to decide on which side of a limit it lies.
    """
    largest = np.abs(matrix).max(axis=0)
    return np.asarray(ULPS * np.maximum(largest[a], largest[b]))


def check_rope(rope: float) -> float:
    """Return the half width of the region of practical equivalence, finite and not negative."""
    mend = f"Use {option(rope=0.01)} for accuracies between 0 and 1, or {option(rope=0)}."
    return check_within(option("rope"), rope, 0.0, float("inf"), from_low=True, mend=mend)


def check_count(name: str, value: int, *, least: int = 1, usual: int = 1000) -> int:
    """Return a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        what = f"{option(name)} is {value!r}, not a whole number of at least {least}."
        raise OptionError(what, mend=f"Use {option(**{name: usual})}.")
    return int(value)


MEAN_NOISE = 1e-12
"""Differences shorter than this share of the length of the scores are rounding noise, that is zero."""
BLOCK = 65_536
"""Numbers in a block: small enough that a block and its temporaries stay in the processor's cache."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """Statistic, p-value and mean difference of many tests; `identical` marks those without a difference."""

    statistic: FloatArray
    pvalue: FloatArray
    mean: FloatArray
    identical: BoolArray


Kernel = Callable[[FloatArray, FloatArray], Outcome]
"""From differences (folds first) and the squared length of both scores to the outcome."""


def squared_length(scores: FloatArray) -> FloatArray:
    """Sum the squares over the first axis: what the size of rounding noise is measured against."""
    return exact_sum(np.square(plane) for plane in scores)


def mean_outcome(d: FloatArray, size: FloatArray, *, factor: float) -> Outcome:
    """T = mean / sqrt(factor s^2), s^2 the variance over the first axis; factor 1/n is the paired t test."""
    count = len(d)
    noise = MEAN_NOISE**2 * size
    mean = exact_sum(d) / len(d)
    squares = squared_length(d - mean)
    mean = np.where(count * np.square(mean) <= noise, 0.0, mean)
    t = ratio(mean, np.where(squares <= noise, 0.0, factor * squares / (count - 1)))
    identical = (mean == 0.0) & (squares <= noise)
    return Outcome(statistic=t, pvalue=t_two_sided(t, count - 1), mean=mean, identical=identical)


def every_pair(x: FloatArray, a: IntArray, b: IntArray, kernel: Kernel) -> Outcome:
    """Run a test on every pair of columns of every data set; `x` is (folds, data sets, algorithms)."""
    shape = (x.shape[1], len(a))
    statistic, pvalue, mean = np.empty(shape), np.empty(shape), np.empty(shape)
    identical = np.empty(shape, dtype=bool)
    size = squared_length(x)
    for rows, pairs, d in _pair_blocks(x, a, b):
        part = kernel(d, size[rows][:, a[pairs]] + size[rows][:, b[pairs]])
        statistic[rows, pairs], pvalue[rows, pairs] = part.statistic, part.pvalue
        mean[rows, pairs], identical[rows, pairs] = part.mean, part.identical
    return Outcome(statistic=statistic, pvalue=pvalue, mean=mean, identical=identical)


def _pair_blocks(scores: FloatArray, a: IntArray, b: IntArray) -> Iterator[tuple[slice, slice, FloatArray]]:
    """Yield a - b for blocks of data sets and pairs; `scores` is (folds, data sets, algorithms)."""
    n_folds, n_datasets, _ = scores.shape
    wide = max(1, min(len(a), BLOCK // n_folds))
    high = max(1, BLOCK // (n_folds * wide))
    for row in range(0, n_datasets, high):
        rows = slice(row, min(n_datasets, row + high))
        part = scores[:, rows]
        for pair in range(0, len(a), wide):
            pairs = slice(pair, min(len(a), pair + wide))
            d = np.take(part, a[pairs], axis=2)
            d -= np.take(part, b[pairs], axis=2)
            yield rows, pairs, d


def ratio(top: FloatArray, variance: FloatArray) -> FloatArray:
    """Top over the root of the variance; 0 / 0 is 0 and anything else over 0 is infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(top == 0.0, 0.0, top / np.sqrt(variance))


def exact_sum(planes: Iterable[FloatArray]) -> FloatArray:
    """Add arrays up one after the other: the same pair gives the same digits alone and among others."""
    total = np.asarray(0.0)
    for plane in planes:
        total = total + plane
    return np.asarray(total)


def stepped(p: FloatArray, price: Callable[[FloatArray, IntArray], FloatArray], *, up: bool = False) -> FloatArray:
    """Price the p-values in rising order, beside the number of hypotheses left at each, and put them back.

    An adjusted value is the largest price up to its place; stepping up, the smallest from its place on. Families run
    along the last axis.
    """
    if p.size == 0:
        return p.copy()
    order, out = np.argsort(p, axis=-1, kind="stable"), np.empty_like(p)
    prices = price(np.take_along_axis(p, order, axis=-1), np.arange(p.shape[-1], 0, -1))
    least = np.minimum.accumulate(prices[..., ::-1], axis=-1)[..., ::-1]
    np.put_along_axis(out, order, least if up else np.maximum.accumulate(prices, axis=-1), axis=-1)
    return out
