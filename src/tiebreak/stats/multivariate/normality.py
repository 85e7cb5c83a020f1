"""Are fold measures jointly normal? Mardia's skewness and kurtosis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import (
    BoolArray,
    FloatArray,
    IntArray,
    as_floats,
    check_alpha,
    check_finite,
    check_names,
    readonly,
    wrong_shape,
)
from tiebreak.caveats import caveats_of
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import InputError, quoted
from tiebreak.stats.multivariate.permutations import unit_vectors
from tiebreak.stats.numeric.basics import check_squares, chi2_upper, normal_two_sided, rescaled
from tiebreak.stats.results import Told, frozen, rows_of

_LEAST = 4
_ROUGH = 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MardiaResult(Told):
    """Mardia's two tests for each sample; arrays run over the samples, `samples` names them.

    `rank` is the number of directions in which the sample varies; it stands for the number of measures wherever
    they depend on each other.
    """

    COLUMNS = (
        *("skewness", "skewness_statistic", "skewness_df", "skewness_pvalue"),
        *("kurtosis", "kurtosis_z", "kurtosis_pvalue", "rank"),
    )

    skewness: FloatArray
    skewness_statistic: FloatArray
    skewness_df: IntArray
    skewness_pvalue: FloatArray
    kurtosis: FloatArray
    kurtosis_z: FloatArray
    kurtosis_pvalue: FloatArray
    rank: IntArray
    samples: tuple[str, ...]
    n_rows: int
    n_measures: int

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {self.n_rows} rows of {self.n_measures} measure(s)"

    def rows(self) -> list[Row]:
        """Return one row per sample."""
        return rows_of(algorithm=self.samples, **self.columns())

    def rejected(self, *, alpha: float = 0.05) -> BoolArray:
        """Mark the samples that either test rejects, each at half of alpha, so that alpha holds for both."""
        level = check_alpha(alpha) / 2
        return readonly(np.minimum(self.skewness_pvalue, self.kurtosis_pvalue) <= level)


@as_came_in
def mardia(x: npt.ArrayLike, *, samples: Sequence[str] | None = None) -> MardiaResult:
    """Test whether rows of measures come from a normal distribution, by their skewness and their kurtosis.

    Hypothesis: the rows are independent draws from one multivariate normal distribution.

    Formula: with g_ij = (x_i - m)' S^-1 (x_j - m) and S the covariance that divides by n, skewness
    b1 = sum_ij g_ij^3 / n^2 and kurtosis b2 = sum_i g_ii^2 / n. For p measures k n b1 / 6 is chi-squared with
    p (p + 1)(p + 2) / 6 degrees of freedom; k = (p + 1)(n + 1)(n + 3) / (n ((n + 1)(p + 1) - 6)) gives it its exact
    expectation. z = (b2 - E) / sqrt(V) is normal, with the exact moments E = p (p + 2)(n - 1)/(n + 1) and
    V = 8 p (p + 2)(n - 3)(n - p - 1)(n - p + 1) / ((n + 1)^2 (n + 3)(n + 5)). Two-sided.

    Assumptions:

    1. The rows are independent. Folds share training data, so this holds nearly, not exactly.
    2. n is large beside p for the chi-squared and normal approximations. Under normality the skewness rejects 2 to
       7 percent and the kurtosis 4 to 5 percent at 0.05, simulated for n = 10 to 100 and p = 2 to 4.

    When not to use it: as a licence. With ten folds it has little power, and a test that does not reject is no proof
    of normality; where in doubt use `permuted_pairs` or `permuted_manova`. Before a paired test pass the differences
    of the two algorithms, not their measures.

    Degenerate input: measures that depend on each other (tp + fn is constant) are tested in the directions in which
    the rows vary: the rank r stands for p, with a caveat. With n = r + 1 rows b1 and b2 are constants whatever
    the data, and with constant rows there are none: statistic 0, p = 1, with a caveat. Fewer than four rows are
    refused. Nothing depends on units or on any affine change of the measures.

    Parameters
    ----------
    x : array_like, shape (rows, measures) or (folds, algorithms, measures)
        One sample, or one per algorithm.
    samples : sequence of str, optional
        Names, such as those of the algorithms.

    Returns
    -------
    MardiaResult

    References
    ----------
    mardia1970
    mardia1974

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([[0, 0], [1, 3], [2, 1], [3, 3], [4, 9], [5, 5], [1, 2], [2, 4]])
    >>> result = mardia(rows)
    >>> result.skewness.round(4), result.skewness_df, result.skewness_pvalue.round(4)
    (array([2.2256]), array([4]), array([0.263]))
    """
    stack, names = _samples(x, samples)
    n = stack.shape[1]
    z, rank = _standardised(stack)
    b1, b2 = _third(z), np.asarray((np.square(z).sum(axis=-1) ** 2).mean(axis=-1))
    informed = (rank > 0) & (n - rank > 1)
    statistic, df = _skewness_statistic(b1, rank, n)
    statistic = np.where(informed, statistic, 0.0)
    score = np.where(informed, _kurtosis_z(b2, rank, n), 0.0)
    rough = f"{n} rows: the approximations of Mardia's tests are rough below {_ROUGH} and their power is small."
    pvalue = np.where(informed, chi2_upper(statistic, np.maximum(df, 1)), 1.0)
    return MardiaResult(
        **frozen(skewness=b1, skewness_statistic=statistic, skewness_df=df, skewness_pvalue=pvalue),
        **frozen(kurtosis=b2, kurtosis_z=score, kurtosis_pvalue=normal_two_sided(score), rank=rank),
        samples=names,
        n_rows=n,
        n_measures=stack.shape[2],
        method="Mardia's tests, small-sample skewness, exact moments",
        caveats=caveats_of(*_rank_caveats(rank, stack, names), (n < _ROUGH, "few-folds", rough)),
    )


def _samples(x: npt.ArrayLike, samples: Sequence[str] | None) -> tuple[FloatArray, tuple[str, ...]]:
    """Return a checked (samples, rows, measures) array and the names of the samples."""
    array = as_floats(x, what="x")
    if array.ndim not in (2, 3) or 0 in array.shape:
        needed = "a two-dimensional array for one sample, a three-dimensional one for one per algorithm"
        raise wrong_shape("x", array, needed)
    if len(array) < _LEAST:
        raise InputError(f"x has {len(array)} row(s), fewer than {_LEAST}.", mend="Use more folds or repetitions.")
    check_finite(array, what="x")
    check_squares(array, what="x")
    (array,), _ = rescaled(array, axis=tuple(range(array.ndim - 1)))
    stack = array[None] if array.ndim == 2 else np.moveaxis(array, 1, 0)
    return stack, check_names(samples, len(stack), kind="sample")


def _standardised(stack: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return rows whose covariance (over n) is the identity in the directions that vary, and the rank."""
    centred = stack - stack[:, :1]  # exact where a measure is constant
    centred = centred - centred.mean(axis=1, keepdims=True)
    vectors, rank = unit_vectors(centred, np.abs(stack))
    return vectors * np.sqrt(stack.shape[1]), rank


def _third(z: FloatArray) -> FloatArray:
    """Return b1 as the sum of the squared third moments, which equals the double sum over the rows."""
    samples, n, p = z.shape
    products = (z[:, :, :, None] * z[:, :, None, :]).reshape(samples, n, p * p)
    moments = np.swapaxes(products, 1, 2) @ z / n
    return np.asarray(np.square(moments).sum(axis=(1, 2)))  # Mardia 1970, (2.19)


def _skewness_statistic(b1: FloatArray, rank: IntArray, n: int) -> tuple[FloatArray, IntArray]:
    """Refer b1 to chi-squared in the directions that vary, for small samples with the right mean."""
    df = np.asarray(rank * (rank + 1) * (rank + 2) // 6, dtype=np.int64)
    r = np.maximum(rank, 1)
    factor = (r + 1) * (n + 1) * (n + 3) / (n * ((n + 1) * (r + 1) - 6))  # Mardia 1974
    return n * factor * b1 / 6, df


def _kurtosis_z(b2: FloatArray, rank: IntArray, n: int) -> FloatArray:
    """Standardise b2 by its moments under normality, in the directions that vary."""
    r = np.maximum(rank, 1).astype(np.float64)
    mean = r * (r + 2) * (n - 1) / (n + 1)  # Mardia 1970, under normality
    variance = 8 * r * (r + 2) * (n - 3) * (n - r - 1) * (n - r + 1) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    return np.asarray((b2 - mean) / np.sqrt(np.where(variance > 0, variance, 1.0)))


def _rank_caveats(rank: IntArray, stack: FloatArray, names: tuple[str, ...]) -> Iterator[tuple[object, str, str]]:
    """Say which samples vary in fewer directions than there are measures, and which say nothing."""
    _, n, p = stack.shape
    for r in sorted(set(rank.tolist())):
        which = quoted(name for name, current in zip(names, rank, strict=True) if current == r)
        some = f"The {p} measures vary in {r} direction(s) only (some are constant or follow from others)"
        if r == 0:
            yield True, "constant-difference", f"No measure varies: there is nothing to judge, p = 1 ({which})."
        elif n - r <= 1:
            silent = f"{n} rows in {r} direction(s) say nothing about their distribution: p = 1 ({which})."
            yield True, "few-folds", silent
        elif r < p:
            yield True, "dependent-measures", f"{some}; those are judged ({which})."
