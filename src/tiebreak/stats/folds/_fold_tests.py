"""One data set, two algorithms, from fold scores: 5x2cv F and t, k-fold t, corrected resampled t."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, readonly
from tiebreak._show import Row, Shown
from tiebreak.stats.folds._checks import (
    METHODS,
    degrees_of_freedom,
    fold_caveats,
    paired_folds,
    plain_df,
    size_ratio,
)
from tiebreak.stats.folds._sums import (
    Kernel,
    five_by_two_f_outcome,
    five_by_two_t_outcome,
    mean_outcome,
    squared_length,
)
from tiebreak.stats.numeric.scale import rescaled


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldResult(Shown):
    """Tests of two algorithms on the folds of a data set: plain numbers for one test, arrays for many.

    `mean_difference` is that of `a` minus `b` over the folds; t statistics have its sign.
    """

    statistic: FloatArray | float
    pvalue: FloatArray | float
    mean_difference: FloatArray | float
    df: tuple[int, ...]
    n_folds: int
    method: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {np.size(self.pvalue)} test(s), df {plain_df(self.df)}"

    def rows(self) -> list[Row]:
        """Return one row per test, in the order of the raveled arrays."""
        columns = (np.ravel(value).tolist() for value in (self.statistic, self.pvalue, self.mean_difference))
        return [{"statistic": s, "pvalue": p, "mean_difference": m} for s, p, m in zip(*columns, strict=True)]


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
    Alpaydin, E. (1999). Combined 5x2 cv F test. doi:10.1162/089976699300016007

    Examples
    --------
    >>> c45 = [[6.667, 4.0], [6.667, 5.333], [5.333, 6.667], [8.0, 2.667], [5.333, 5.333]]
    >>> lda = [[5.333, 0.0], [1.333, 2.667], [1.333, 2.667], [4.0, 0.0], [2.667, 4.0]]
    >>> result = five_by_two_f(c45, lda)
    >>> round(result.statistic, 4), round(result.pvalue, 4), round(result.mean_difference, 4)
    (6.5995, 0.0252, 3.2)
    """
    x, y = paired_folds(a, b, method="5x2cv-f")
    return _result(x, y, five_by_two_f_outcome, method="5x2cv-f")


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
    Dietterich, T. G. (1998). doi:10.1162/089976698300017197

    Examples
    --------
    >>> c45 = [[6.667, 4.0], [6.667, 5.333], [5.333, 6.667], [8.0, 2.667], [5.333, 5.333]]
    >>> lda = [[5.333, 0.0], [1.333, 2.667], [1.333, 2.667], [4.0, 0.0], [2.667, 4.0]]
    >>> result = five_by_two_t(c45, lda)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.0004, 0.363)
    """
    x, y = paired_folds(a, b, method="5x2cv-t")
    return _result(x, y, five_by_two_t_outcome, method="5x2cv-t")


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
    Dietterich, T. G. (1998). Section 3.4. doi:10.1162/089976698300017197

    Examples
    --------
    >>> result = kfold_t([0.9, 0.8, 0.85, 0.9], [0.8, 0.75, 0.85, 0.85])
    >>> round(result.statistic, 4), round(result.pvalue, 4), result.df
    (2.4495, 0.0917, (3,))
    """
    x, y = paired_folds(a, b, method="kfold-t")
    return _result(x, y, partial(mean_outcome, factor=1 / len(x)), method="kfold-t")


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
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. doi:10.1023/A:1024068626366
    Bouckaert, R. and Frank, E. (2004). For r times k-fold. doi:10.1007/978-3-540-24775-3_3

    Examples
    --------
    >>> result = corrected_resampled_t([0.9, 0.8, 0.85, 0.9], [0.8, 0.75, 0.85, 0.85], test_share=0.25)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.6036, 0.2071)
    """
    ratio = size_ratio(test_share, train_size, test_size)
    x, y = paired_folds(a, b, method="corrected-t")
    return _result(x, y, partial(mean_outcome, factor=1 / len(x) + ratio), method="corrected-t")


def _result(x: FloatArray, y: FloatArray, kernel: Kernel, *, method: str) -> FoldResult:
    (x, y), exponent = rescaled(x, y, axis=0)
    outcome = kernel(x - y, squared_length(x) + squared_length(y))
    return FoldResult(
        statistic=_settled(outcome.statistic),
        pvalue=_settled(outcome.pvalue),
        mean_difference=_settled(np.ldexp(outcome.mean, exponent[0])),
        df=degrees_of_freedom(method, len(x)),
        n_folds=len(x),
        method=METHODS[method],
        caveats=fold_caveats(outcome, method),
    )


def _settled(values: FloatArray) -> FloatArray | float:
    return readonly(values) if values.ndim else float(values)
