"""One data set, two algorithms, from fold scores: k-fold t, corrected resampled t, 5x2 cv F and t."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.documents import as_came_in
from tiebreak.stats.folds._shared import FoldResult, fold_result, paired_folds
from tiebreak.stats.folds.fitting import size_ratio
from tiebreak.stats.numeric.pair_sums import NOISE, Outcome, exact_sum, mean_outcome, ratio, squared_length
from tiebreak.stats.numeric.tails import floor_pvalue, t_two_sided


@as_came_in
def kfold_t(a: npt.ArrayLike, b: npt.ArrayLike) -> FoldResult:
    """Test by a paired t test over the folds whether two algorithms differ.

    Hypothesis: on this data set the two algorithms have the same expected score.
    Formula: t = dbar / sqrt(s^2 / k) over the k fold differences, on k - 1 degrees of freedom; two-sided.

    Assumptions:

    1. The differences are normal.
    2. The folds are independent. They are not: any two share most of their training data.

    When not to use it: as the last word. Because of assumption 2 it rejects too often, which every result
    says in a caveat; `corrected_resampled_t` on the same folds does not.

    Degenerate input: no difference in any fold gives t = 0 and p = 1; the same difference, not zero, in all
    folds gives an infinite t and the smallest p-value that is reported, with a caveat. Rounding noise counts
    as zero, as in `five_by_two_f`.

    Parameters
    ----------
    a, b : array_like, shape (..., folds)
        Fold scores of the two algorithms. Leading axes broadcast, so that many tests run at once.

    Returns
    -------
    FoldResult

    References
    ----------
    dietterich1998, section 3.4

    Examples
    --------
    >>> result = kfold_t([0.9, 0.8, 0.85, 0.9], [0.8, 0.75, 0.85, 0.85])
    >>> round(result.statistic, 4), round(result.pvalue, 4), result.df
    (2.4495, 0.0917, (3,))
    """
    x, y = paired_folds(a, b, method="kfold-t")
    return fold_result(x, y, partial(mean_outcome, factor=1 / len(x)), method="kfold-t")


@as_came_in
def corrected_resampled_t(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    test_share: float | None = None,
    train_size: float | None = None,
    test_size: float | None = None,
) -> FoldResult:
    """Test over repeated splits whether two algorithms differ, allowing for overlapping training parts.

    Hypothesis: on this data set the two algorithms have the same expected score.

    Formula: t = dbar / sqrt((1 / n + n_test / n_train) s^2) over n splits, on n - 1 degrees of freedom; for r
    times k-fold n = r k and n_test / n_train = 1 / (k - 1).

    Assumptions:

    1. The differences are normal.
    2. Any two of them are correlated by n_test / (n_test + n_train), which is a heuristic.

    When not to use it: for 5x2 cv, where `five_by_two_f` is made for the scheme; over many data sets.

    Degenerate input: as for `kfold_t`.

    Parameters
    ----------
    a, b : array_like, shape (..., splits)
        Scores of the two algorithms; for r times k-fold all r k folds on one axis, in any order. Leading axes
        broadcast.
    test_share : float
        Share of the examples in the test part: 0.1 for ten folds, however often repeated.
    train_size, test_size : float
        Instead of `test_share`: numbers of examples in the two parts.

    Returns
    -------
    FoldResult

    References
    ----------
    nadeau2003
    bouckaert2004

    Examples
    --------
    >>> result = corrected_resampled_t([0.9, 0.8, 0.85, 0.9], [0.8, 0.75, 0.85, 0.85], test_share=0.25)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.6036, 0.2071)
    """
    ratio = size_ratio(test_share, train_size, test_size)
    x, y = paired_folds(a, b, method="corrected-t")
    # Nadeau and Bengio 2003: 1/n + n_test/n_train in the place of 1/n.
    return fold_result(x, y, partial(mean_outcome, factor=1 / len(x) + ratio), method="corrected-t")


@as_came_in
def five_by_two_f(a: npt.ArrayLike, b: npt.ArrayLike) -> FoldResult:
    """Test by five replications of two-fold cross-validation whether two algorithms differ (combined F).

    Hypothesis: on this data set the two algorithms have the same expected score.

    Formula: with p_rf the difference in fold f of replication r and s2_r the variance estimate
    (p_r1 - p_r2)^2 / 2, F = sum p_rf^2 / (2 sum s2_r), on 10 and 5 degrees of freedom; two-sided.

    Assumptions:

    1. The differences are normal with mean zero under the hypothesis.
    2. Replications, and the two folds within one, are close enough to independent.

    When not to use it: with any other scheme than 5x2 (use `corrected_resampled_t`); over many data sets (use
    `tiebreak.stats.wilcoxon` or `tiebreak.stats.friedman` on the means).

    Degenerate input: no difference in any fold gives F = 0 and p = 1. Differences that are equal within every
    replication and not all zero give F = inf and the smallest p-value that is reported, with a caveat.
    Differences below the twelfth digit of the scores are rounding noise and count as zero.

    Parameters
    ----------
    a, b : array_like, shape (..., 5, 2) or (..., 10)
        Fold scores of the two algorithms; a flat axis of ten runs replication by replication. Leading axes
        broadcast, so that many tests run at once.

    Returns
    -------
    FoldResult

    References
    ----------
    alpaydin1999

    Examples
    --------
    >>> c45 = [[6.667, 4.0], [6.667, 5.333], [5.333, 6.667], [8.0, 2.667], [5.333, 5.333]]
    >>> lda = [[5.333, 0.0], [1.333, 2.667], [1.333, 2.667], [4.0, 0.0], [2.667, 4.0]]
    >>> result = five_by_two_f(c45, lda)
    >>> round(result.statistic, 4), round(result.pvalue, 4), round(result.mean_difference, 4)
    (6.5995, 0.0252, 3.2)
    """
    x, y = paired_folds(a, b, method="5x2cv-f")
    return fold_result(x, y, five_by_two_f_outcome, method="5x2cv-f")


@as_came_in
def five_by_two_t(a: npt.ArrayLike, b: npt.ArrayLike) -> FoldResult:
    """Test by five replications of two-fold cross-validation whether two algorithms differ (Dietterich's t).

    Hypothesis: on this data set the two algorithms have the same expected score.
    Formula: t = p_11 / sqrt((1 / 5) sum s2_r), in the notation of `five_by_two_f`, on 5 degrees of freedom.
    Assumptions: as for `five_by_two_f`.
    When not to use it: its numerator is the difference of the first fold alone, so the answer depends on the
    order of the folds, and its sign may disagree with `mean_difference`; `five_by_two_f` uses all ten and has
    more power.

    Degenerate input: as for `five_by_two_f`, with the first difference in the place of all.

    Parameters
    ----------
    a, b : array_like, shape (..., 5, 2) or (..., 10)
        As for `five_by_two_f`.

    Returns
    -------
    FoldResult

    References
    ----------
    dietterich1998

    Examples
    --------
    >>> c45 = [[6.667, 4.0], [6.667, 5.333], [5.333, 6.667], [8.0, 2.667], [5.333, 5.333]]
    >>> lda = [[5.333, 0.0], [1.333, 2.667], [1.333, 2.667], [4.0, 0.0], [2.667, 4.0]]
    >>> result = five_by_two_t(c45, lda)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.0004, 0.363)
    """
    x, y = paired_folds(a, b, method="5x2cv-t")
    return fold_result(x, y, five_by_two_t_outcome, method="5x2cv-t")


def five_by_two_f_outcome(d: FloatArray, size: FloatArray) -> Outcome:
    """Alpaydin's F from differences with the ten folds on the first axis; `size` is that of both scores."""
    top, bottom, mean, noise = _five_by_two_sums(d, size)
    identical = top <= noise
    top[identical], bottom[identical | (bottom <= noise)] = 0.0, 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        f = np.where(identical, 0.0, top / bottom)  # Alpaydin 1999, the combined F
    total = np.where(identical, 1.0, bottom + 2.0 * top)
    share = np.where(identical, 1.0, bottom / total)
    pvalue = floor_pvalue(f_10_5_upper(share, 2.0 * top / total))
    return Outcome(statistic=f, pvalue=pvalue, mean=mean, identical=identical)


def five_by_two_t_outcome(d: FloatArray, size: FloatArray) -> Outcome:
    """Dietterich's t from differences with the ten folds on the first axis."""
    _, bottom, mean, noise = _five_by_two_sums(d, size)
    first = np.where(np.square(d[0]) <= noise, 0.0, d[0])
    t = ratio(first, np.where(bottom <= noise, 0.0, bottom / 10))  # Dietterich 1998, section 3.5
    identical = (first == 0.0) & (bottom <= noise)
    return Outcome(statistic=t, pvalue=t_two_sided(t, 5), mean=mean, identical=identical)


def f_10_5_upper(share: FloatArray, rest: FloatArray) -> FloatArray:
    """P(F(10, 5) >= f) with share = 5 / (5 + 10 f) and rest = 1 - share, in closed form.

    The incomplete beta function I(share; 5/2, 5) is a polynomial in `rest` times share^(5/2) because its
    second parameter is whole; all terms are positive, so no digit is lost in either tail.
    """
    # rising factorials of 5/2 over factorials, by Horner's rule
    series = 1.0 + 2.5 * rest * (1.0 + 3.5 / 2 * rest * (1.0 + 4.5 / 3 * rest * (1.0 + 5.5 / 4 * rest)))
    return np.asarray(np.square(share) * np.sqrt(share) * series)


def _five_by_two_sums(d: FloatArray, size: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Sum of squares, of squared gaps within replications (twice the variances), mean, and noise level."""
    noise = NOISE**2 * size
    mean = exact_sum(d) / len(d)
    mean = np.where(len(d) * np.square(mean) <= noise, 0.0, mean)
    return squared_length(d), squared_length(d[0::2] - d[1::2]), mean, noise
