"""How large is a difference, with its uncertainty? Confidence intervals, one by one or all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, check_choice, check_table, check_within
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.stats.numeric.basics import (
    advantages,
    check_squares,
    deviation,
    paired_columns,
    ranked,
    rescaled,
    rounding_noise,
)
from tiebreak.stats.numeric.studentized_range import critical_value
from tiebreak.stats.results import OverPairs, frozen, pair_indices

INTERVAL_METHODS = {
    "wilcoxon": "Hodges-Lehmann estimate, Walsh averages",
    "t": "mean, Student's t",
    "sign": "median, order statistics",
}
_EXACT = 300  # up to so many data sets the signed-rank distribution is exact
_ALL_AVERAGES, _SAMPLE, _SLACK = 300, 150, 0.015
_AT_ONCE = 1_000_000
"""Up to so many data sets all Walsh averages are made, so many at once; beyond, a sample tells which are needed."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DifferenceIntervals(OverPairs):
    """Estimated differences of pairs of algorithms, positive where `b` is better; arrays run over the pairs.

    `level` is the level asked for, of each interval or of all together as `method` says; `achieved` is the
    level of each interval that the discrete distribution allows, for continuous data.
    """

    COLUMNS = ("estimate", "low", "high")

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    level: float
    achieved: float
    n_datasets: int

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {self.level:.4g} intervals, {self.n_datasets} data sets, positive where b is better"


@as_came_in
def difference_interval(a: npt.ArrayLike, b: npt.ArrayLike, **options: Any) -> DifferenceIntervals:
    """Estimate the difference of two algorithms with a confidence interval.

    The same as `difference_intervals` for two vectors of paired scores, with the same options.
    Hypothesis, Formula, Assumptions and When not to use it: see there.

    References
    ----------
    hodges1963

    Examples
    --------
    >>> result = difference_interval([1, 2, 3, 4, 5, 6], [2, 2.5, 5, 5.5, 5.2, 8.5], higher_is_better=True)
    >>> float(result.estimate[0]), round(float(result.low[0]), 4), float(result.high[0])
    (1.25, 0.2, 2.5)
    """
    return difference_intervals(paired_columns(a, b), **options)


@as_came_in
def difference_intervals(
    scores: npt.ArrayLike,
    *,
    method: str = "wilcoxon",
    level: float = 0.95,
    adjust: str = "none",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> DifferenceIntervals:
    """Estimate the differences of all pairs of algorithms with confidence intervals.

    Hypothesis: an interval holds the differences that the two-sided test of the same name, at
    alpha = 1 - level, does not reject. For "t" this is exact. For "wilcoxon" and "sign" it is exact, but for
    the two ends, where the exact test is used and, with the difference in question taken off, no difference is
    zero and no two are of one size. With ties or zeros the interval keeps the distribution without them, while
    the test uses their own and splits zeros: the two may then disagree near the ends, and about zero.

    Formula, for the S sorted differences z of a pair:

    - "wilcoxon": the Hodges-Lehmann estimate, the median of the M = S (S + 1) / 2 Walsh averages
      (z_i + z_j) / 2, i <= j; the interval runs from the C-th smallest to the C-th largest of them, C the
      largest number with P(T < C) <= alpha / 2 for the signed-rank statistic T;
    - "t": mean(z) and t(1 - alpha / 2; S - 1) sd(z) / sqrt(S) to either side;
    - "sign": the median; from the C-th smallest to the C-th largest z, C the largest number with
      P(B < C) <= alpha / 2 for B binomial with S trials and probability 1/2.

    Assumptions:

    1. The data sets are a random sample, and differences on them are on one scale.
    2. "wilcoxon": the differences are symmetric about their centre. "t": their mean is normal. "sign": none.

    When not to use it: on the folds of one data set, which are not independent.

    Too few data sets for the level ("wilcoxon" and "sign" below six at 0.95): the interval is infinite,
    with a caveat. All differences equal: it shrinks to a point. The signed-rank distribution is exact up to
    300 data sets and normal above.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite, at least two data sets.
    method : {"wilcoxon", "t", "sign"}
    level : float, default 0.95
    adjust : {"none", "bonferroni"}
        "bonferroni" makes all intervals cover together with probability `level`.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    DifferenceIntervals

    References
    ----------
    hodges1963
    hollander2014, sections 3.2, 3.3, 3.6

    Examples
    --------
    >>> errors = [[0.10, 0.12, 0.30], [0.20, 0.21, 0.29], [0.15, 0.15, 0.28], [0.30, 0.33, 0.41]]
    >>> result = difference_intervals(errors, method="t")
    >>> for row in result.rows():
    ...     print(row["b"], round(row["estimate"], 4), round(row["low"], 4), round(row["high"], 4))
    algorithm 2 -0.015 -0.0355 0.0055
    algorithm 3 -0.1325 -0.2087 -0.0563
    algorithm 3 -0.1175 -0.1937 -0.0413
    """
    matrix, names = check_table(scores, algorithms)
    check_squares(matrix, what="scores")
    check_choice("method", method, INTERVAL_METHODS)
    check_choice("adjust", adjust, ("none", "bonferroni"))
    a, b = pair_indices(matrix.shape[1], control)
    alpha = 1.0 - check_within("level", level, 0.0, 1.0, mend="Use level=0.95.")
    alpha /= len(a) if adjust == "bonferroni" else 1
    z = np.sort(advantages(matrix, a, b, higher_is_better=higher_is_better), axis=1)
    finder = {"wilcoxon": _walsh, "t": _student, "sign": _order}[method]
    estimate, low, high, achieved = finder(z, alpha)
    whole = ", Bonferroni over the pairs" if adjust == "bonferroni" else ""
    return DifferenceIntervals(
        **frozen(a=a, b=b, estimate=estimate, low=low, high=high),
        level=float(level),
        achieved=achieved,
        algorithms=names,
        n_datasets=len(matrix),
        method=f"{INTERVAL_METHODS[method][0].upper()}{INTERVAL_METHODS[method][1:]}{whole}",
        caveats=_caveats(z, rounding_noise(matrix, a, b), low, alpha),
    )


def signed_rank_distribution(count: int) -> FloatArray:
    """P(T = 0), P(T = 1), .. for the sum T of those of the ranks 1..count that a fair coin picks."""
    chances = np.ones(1)
    for rank in range(1, count + 1):
        longer = np.zeros(len(chances) + rank)
        longer[: len(chances)] = chances
        longer[rank:] += chances
        chances = longer / 2
    return chances


Found = tuple[FloatArray, FloatArray, FloatArray, float]


def _student(z: FloatArray, alpha: float) -> Found:
    """Interval about the mean by Student's t."""
    count = z.shape[1]
    mean = z.mean(axis=1)
    half = special.stdtrit(count - 1, 1 - alpha / 2) * deviation(z, axis=1) / np.sqrt(count)
    return mean, mean - half, mean + half, 1.0 - alpha


def _order(z: FloatArray, alpha: float) -> Found:
    """Interval between order statistics (Hollander, Wolfe and Chicken 2014, section 3.6)."""
    count = z.shape[1]
    below = special.bdtr(np.arange(count // 2 + 1), count, 0.5)  # P(B <= 0), P(B <= 1), ..
    depth = int((below <= alpha / 2).sum())
    low, high = _ends(z, depth)
    return np.median(z, axis=1), low, high, 1.0 - 2 * float(below[depth - 1]) if depth else 1.0


def _walsh(z: FloatArray, alpha: float) -> Found:
    """Median and order statistics of the Walsh averages (Hollander, Wolfe and Chicken 2014, sections 3.2 and 3.3)."""
    count = z.shape[1]
    depth, achieved = walsh_depth(count, alpha)
    total = count * (count + 1) // 2
    middle = (total - 1) // 2, total // 2
    ends = (depth - 1, total - depth) if depth else middle
    values = _of_rows(z, (*ends, *middle))
    low, high = (values[:, 0], values[:, 1]) if depth else _ends(z, 0)
    return (values[:, 2] + values[:, 3]) / 2, low, high, achieved


def _of_rows(z: FloatArray, wanted: tuple[int, ...]) -> FloatArray:
    """Return the Walsh averages of every row at the wanted places; few data sets many rows at a time."""
    count = z.shape[1]
    if count > _ALL_AVERAGES:
        return np.array([_order_statistics(row, wanted) for row in z])
    first, second = np.triu_indices(count)
    step, places = max(1, _AT_ONCE // len(first)), sorted(set(wanted))
    parts = ((z[i : i + step, first] + z[i : i + step, second]) / 2 for i in range(0, len(z), step))
    return np.concatenate([np.partition(part, places, axis=1)[:, list(wanted)] for part in parts])


def _order_statistics(z: FloatArray, wanted: tuple[int, ...]) -> FloatArray:
    """Return the Walsh averages of sorted values at the wanted places; of many only those about the middle are made."""
    inside, below = _central_averages(z, min(wanted)) if len(z) > _ALL_AVERAGES else (None, 0)
    if inside is None or below > min(wanted) or below + len(inside) <= max(wanted):
        first, second = np.triu_indices(len(z))
        inside, below = (z[first] + z[second]) / 2, 0
    at = [place - below for place in wanted]
    return np.partition(inside, sorted(set(at)))[at]


def _central_averages(z: FloatArray, depth: int) -> tuple[FloatArray, int]:
    """Return the averages within two values that hold the places `depth` from either end, and how many lie below.

    A sample of the values, every few of the sorted ones, tells nearly where those places are; the caller checks.
    """
    count = len(z)
    total = count * (count + 1) // 2
    some = z[:: count // _SAMPLE]
    first, second = np.triu_indices(len(some))
    share = max(depth / total - _SLACK, 0.0)
    low, high = np.quantile((some[first] + some[second]) / 2, [share, 1.0 - share])
    start = np.maximum(np.searchsorted(z, 2 * low - z), np.arange(count))  # z is sorted: for each i the j that follow
    stop = np.maximum(np.searchsorted(z, 2 * high - z, side="right"), start)
    lengths = stop - start
    i = np.repeat(np.arange(count), lengths)
    j = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(start, lengths)
    return (z[i] + z[j]) / 2, int((start - np.arange(count)).sum())


def walsh_depth(count: int, alpha: float) -> tuple[int, float]:
    """C, and the level it achieves (Hollander, Wolfe and Chicken 2014, section 3.3)."""
    if count > _EXACT:
        spread = np.sqrt(count * (count + 1) * (2 * count + 1) / 24)  # of the signed-rank sum, without ties
        depth = int(count * (count + 1) / 4 + special.ndtri(alpha / 2) * spread)
        return depth, 1.0 - alpha
    below = np.cumsum(signed_rank_distribution(count))
    depth = int((below <= alpha / 2).sum())
    return depth, 1.0 - 2 * float(below[depth - 1]) if depth else 1.0


def _ends(ordered: FloatArray, depth: int) -> tuple[FloatArray, FloatArray]:
    """Return the values at `depth` from either end; without depth there is no end."""
    if depth == 0:
        endless = np.full(len(ordered), np.inf)
        return -endless, endless
    return ordered[:, depth - 1], ordered[:, ordered.shape[1] - depth]


def _caveats(z: FloatArray, noise: FloatArray, low: FloatArray, alpha: float) -> Caveats:
    """An endless interval is the honest one below the number of data sets that its level needs."""
    flat = int((z[:, -1] - z[:, 0] <= noise).sum())
    few = f"{z.shape[1]} data sets are too few for an interval at level {1 - alpha:.4g}."
    constant = f"{flat} pair(s) with the same difference on every data set: the data show no spread."
    return caveats_of((np.isinf(low).any(), "few-datasets", few), (flat, "constant-difference", constant))


POOLED = ("means", "ranks")
"""Methods with one error for all pairs; the others give each pair its own."""


@as_came_in
def simultaneous_intervals(
    scores: npt.ArrayLike,
    *,
    method: str = "wilcoxon",
    level: float = 0.95,
    adjust: str = "sharpest",
    control: int | None = None,
    tie_correction: bool = True,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> DifferenceIntervals:
    """Estimate the differences of all pairs, or from a control, with intervals that hold together.

    Hypothesis: with probability `level` no interval misses its difference; an interval that leaves out zero is a
    difference that a test of the same name finds at the family-wise alpha = 1 - level.

    Formula: the estimate plus and minus c SE.

    - "means": differences of mean scores, SE = sqrt(2 MSE / S) with MSE the error of `rm_anova` on
      n = (L - 1)(S - 1) degrees of freedom; c = q / sqrt(2), q the quantile of the studentized range of L means
      (Tukey), or against a control that of the largest of L - 1 t variables correlated by 1/2 (Dunnett);
    - "ranks": differences of mean ranks, SE that of `rank_tests`, and the same c with infinite degrees of freedom
      (Nemenyi; Dunnett). The width is the critical difference;
    - "wilcoxon", "t", "sign": the intervals of `difference_intervals`, each at level 1 - alpha / m for m pairs
      (Bonferroni); they have no common error.

    Assumptions:

    1. Those of `difference_intervals`.
    2. "means": those of `rm_anova`, sphericity above all.
    3. "ranks": those of `rank_tests`: SE is that of algorithms which do not differ, so that the intervals are exact
       about zero and rough far from it.

    When not to use it: to count differences (step-down corrections such as Holm's find more); for the algorithm that
    came out best, with `control`: choosing it looked at the data, and only the intervals of all pairs cover that.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    method : {"wilcoxon", "t", "sign", "means", "ranks"}
    level : float, default 0.95
        Of all intervals together.
    adjust : {"sharpest", "bonferroni"}
        "bonferroni" shares alpha among the pairs for "means" and "ranks" too, as `bonferroni_dunn` does.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs.
    tie_correction : bool, default True
        For "ranks", as in `rank_tests`.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    DifferenceIntervals
        Positive where `b` is better; for "ranks" a place is 1.

    References
    ----------
    tukey1949
    dunnett1955
    dunn1961
    nemenyi1963

    Examples
    --------
    >>> table = [[1, 2, 4], [2, 3, 6], [1, 3, 4], [0, 1, 3], [2, 4, 5]]
    >>> result = simultaneous_intervals(table, method="means")
    >>> for row in result.rows():
    ...     print(row["b"], round(row["estimate"], 3), round(row["low"], 3), round(row["high"], 3))
    algorithm 2 -1.4 -2.208 -0.592
    algorithm 3 -3.2 -4.008 -2.392
    algorithm 3 -1.8 -2.608 -0.992
    """
    check_choice("method", method, (*INTERVAL_METHODS, *POOLED))
    check_choice("adjust", adjust, ("sharpest", "bonferroni"))
    texts: dict[str, Any] = {"control": control, "higher_is_better": higher_is_better, "algorithms": algorithms}
    if method not in POOLED:
        return difference_intervals(scores, method=method, level=level, adjust="bonferroni", **texts)
    alpha = 1.0 - check_within("level", level, 0.0, 1.0, mend="Use level=0.95.")
    if method == "means":
        values, error, df, fields = _means(scores, higher_is_better, algorithms)
    else:
        values, error, df, fields = _mean_ranks(scores, higher_is_better, algorithms, tie_correction)
    times, label = critical_value(alpha, len(values), control is not None, df=df, adjust=adjust)
    a, b = pair_indices(len(values), control)
    estimate = values[a] - values[b]
    half = times * error
    return DifferenceIntervals(
        **frozen(a=a, b=b, estimate=estimate, low=estimate - half, high=estimate + half),
        level=float(level),
        achieved=float(level),
        method=f"Difference of mean {'scores, pooled error' if method == 'means' else 'ranks'}, {label}",
        **fields,
    )


Located = tuple[FloatArray, float, float, dict[str, Any]]
"""Where algorithms lie, lower the better, the one error of a difference, its degrees of freedom, fields of a result."""


def _means(scores: npt.ArrayLike, higher_is_better: bool, algorithms: Sequence[str] | None) -> Located:
    """Mean scores with the error of repeated-measures ANOVA, which differences between data sets do not enter."""
    from tiebreak.stats.many.rm_anova import layout, mean_t_tests

    matrix, _ = check_table(scores, algorithms)
    check_squares(matrix, what="scores")
    names, df, _, caveats = mean_t_tests(matrix, None, higher_is_better, algorithms)
    (near,), exponent = rescaled(matrix)
    scale = float(np.ldexp(1.0, exponent[0, 0]))
    shifted = (near - near[:, :1]).mean(axis=0) * scale
    error = sqrt(2 * layout(near)[1] / len(matrix)) * scale  # Tukey 1949; Dunnett 1955
    fields = {"algorithms": names, "n_datasets": len(matrix), "caveats": caveats}
    return -shifted if higher_is_better else shifted, error, float(df), fields


def _mean_ranks(
    scores: npt.ArrayLike, higher_is_better: bool, algorithms: Sequence[str] | None, tie_correction: bool
) -> Located:
    from tiebreak.stats.many.rank_tests import standard_error_of

    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    error = standard_error_of(ranks, tie_correction=tie_correction)
    return ranks.mean(axis=0), error, np.inf, {"algorithms": names, "n_datasets": len(ranks)}
