"""Are fold measures jointly normal? Mardia's skewness and kurtosis, and folds that lie far out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import (
    BoolArray,
    FloatArray,
    IntArray,
    as_floats,
    check_alpha,
    check_choice,
    check_finite,
    check_names,
    readonly,
)
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, quoted
from tiebreak.stats.multivariate.permutations import unit_vectors
from tiebreak.stats.numeric.differences import check_squares, rescaled
from tiebreak.stats.numeric.tails import chi2_upper, floor_pvalue, normal_two_sided
from tiebreak.stats.results import Told, frozen, rows_of

MOMENTS = ("exact", "asymptotic")
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OutlierResult(Shown):
    """Squared distances of the rows of each sample; arrays are (rows, samples).

    `row` and `sample` index the outliers, the farthest first.
    """

    row: IntArray
    sample: IntArray
    distance: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    rank: IntArray
    samples: tuple[str, ...]
    alpha: float
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line how many outliers there are."""
        return f"{len(self.row)} of {self.distance.size} row(s) lie far out (Bonferroni, alpha = {self.alpha:g})"

    def rows(self) -> list[Row]:
        """Return one row per outlier."""
        columns = {name: getattr(self, name)[self.row, self.sample] for name in ("distance", "pvalue", "adjusted")}
        return rows_of(algorithm=[self.samples[j] for j in self.sample], row=self.row, **columns)


@as_came_in
def mardia(
    x: npt.ArrayLike, *, small_sample: bool = True, moments: str = "exact", samples: Sequence[str] | None = None
) -> MardiaResult:
    """Test whether rows of measures come from a normal distribution, by their skewness and their kurtosis.

    Hypothesis: the rows are independent draws from one multivariate normal distribution.

    Formula: with g_ij = (x_i - m)' S^-1 (x_j - m) and S the covariance that divides by n, skewness
    b1 = sum_ij g_ij^3 / n^2 and kurtosis b2 = sum_i g_ii^2 / n. For p measures k n b1 / 6 is chi-squared with
    p (p + 1)(p + 2) / 6 degrees of freedom; k = (p + 1)(n + 1)(n + 3) / (n ((n + 1)(p + 1) - 6)) gives it its exact
    expectation, and k = 1 the asymptotic test. z = (b2 - E) / sqrt(V) is normal, with the exact moments
    E = p (p + 2)(n - 1)/(n + 1) and V = 8 p (p + 2)(n - 3)(n - p - 1)(n - p + 1) / ((n + 1)^2 (n + 3)(n + 5)), or
    the asymptotic ones, p (p + 2) and 8 p (p + 2) / n. Two-sided.

    Assumptions:

    1. The rows are independent. Folds share training data, so this holds nearly, not exactly.
    2. n is large beside p for the chi-squared and normal approximations. Under normality the skewness rejects 2 to
       7 percent and the kurtosis 4 to 5 percent at 0.05, simulated for n = 10 to 100 and p = 2 to 4; the
       asymptotic forms hardly ever reject at n = 10.

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
    small_sample : bool, default True
        Whether to use Mardia's factor k of 1974 for the skewness.
    moments : {"exact", "asymptotic"}
        Those of the kurtosis.
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
    check_choice("moments", moments, MOMENTS)
    n = stack.shape[1]
    z, rank = _standardised(stack)
    b1, b2 = _third(z), np.asarray((np.square(z).sum(axis=-1) ** 2).mean(axis=-1))
    informed = (rank > 0) & (n - rank > 1)
    statistic, df = _skewness_statistic(b1, rank, n, small_sample=small_sample)
    statistic = np.where(informed, statistic, 0.0)
    score = np.where(informed, _kurtosis_z(b2, rank, n, exact=moments == "exact"), 0.0)
    rough = f"{n} rows: the approximations of Mardia's tests are rough below {_ROUGH} and their power is small."
    pvalue = np.where(informed, chi2_upper(statistic, np.maximum(df, 1)), 1.0)
    return MardiaResult(
        **frozen(skewness=b1, skewness_statistic=statistic, skewness_df=df, skewness_pvalue=pvalue),
        **frozen(kurtosis=b2, kurtosis_z=score, kurtosis_pvalue=normal_two_sided(score), rank=rank),
        samples=names,
        n_rows=n,
        n_measures=stack.shape[2],
        method=f"Mardia's tests, {'small-sample' if small_sample else 'asymptotic'} skewness, {moments} moments",
        caveats=caveats_of(*_rank_caveats(rank, stack, names), (n < _ROUGH, "few-folds", rough)),
    )


@as_came_in
def multivariate_outliers(
    x: npt.ArrayLike, *, alpha: float = 0.05, samples: Sequence[str] | None = None
) -> OutlierResult:
    """Find the rows that lie farther from the mean than normal rows would.

    Hypothesis: for each row, it comes from the same normal distribution as all others.

    Formula: D2 = (x_i - m)' S^-1 (x_i - m) with S dividing by n - 1; D2 n / (n - 1)^2 has exactly the Beta
    distribution with p/2 and (n - p - 1)/2, because the row is in m and S too. The p-values are multiplied by n,
    the number of rows of a sample (Bonferroni).

    Assumptions:

    1. The rows are independent and normal but for the outliers.
    2. There are few outliers: several together widen S and hide each other (masking).

    When not to use it: to delete folds until a test rejects. An outlier is a reason to look at the fold, and to
    use `permuted_pairs` or `rank_manova`.

    Degenerate input: dependent measures are judged in the directions in which the rows vary, with a caveat. With
    n = r + 1 rows in r directions all distances are equal by construction, and for constant rows they are 0: p = 1.

    Parameters
    ----------
    x : array_like, shape (rows, measures) or (folds, algorithms, measures)
        One sample, or one per algorithm.
    alpha : float, default 0.05
        The chance of finding any outlier in a sample that has none.
    samples : sequence of str, optional

    Returns
    -------
    OutlierResult

    References
    ----------
    gnanadesikan1972
    wilks1963

    Examples
    --------
    >>> rows = [[0, 1], [1, 0], [0, 0], [1, 1], [2, 1], [1, 2], [0, 2], [2, 0], [2, 2], [30, -30]]
    >>> multivariate_outliers(rows).row
    array([9])
    """
    stack, names = _samples(x, samples)
    level = check_alpha(alpha)
    n = stack.shape[1]
    z, rank = _standardised(stack)
    share = np.clip(np.square(z).sum(axis=-1) / (n - 1), 0.0, 1.0)  # D2 n / (n - 1)^2
    informed = ((rank > 0) & (n - rank > 1))[:, None]
    shape = np.maximum(rank, 1)[:, None] / 2, np.maximum(n - rank - 1, 1)[:, None] / 2
    pvalue = floor_pvalue(np.where(informed, special.betaincc(*shape, share), 1.0)).T  # Wilks 1963
    distance, adjusted = (share * (n - 1) ** 2 / n).T, np.minimum(pvalue * n, 1.0)
    row, sample = np.nonzero(adjusted <= level)
    order = np.lexsort((row, sample, adjusted[row, sample]))
    return OutlierResult(
        **frozen(row=row[order].astype(np.int64), sample=sample[order].astype(np.int64)),
        **frozen(distance=distance, pvalue=pvalue, adjusted=adjusted, rank=rank),
        samples=names,
        alpha=level,
        caveats=caveats_of(*_rank_caveats(rank, stack, names)),
    )


def _samples(x: npt.ArrayLike, samples: Sequence[str] | None) -> tuple[FloatArray, tuple[str, ...]]:
    """Return a checked (samples, rows, measures) array and the names of the samples."""
    array = as_floats(x, what="x")
    if array.ndim not in (2, 3) or 0 in array.shape:
        raise InputError(
            f"x has shape {array.shape}.",
            why="Rows and measures are needed, or folds, algorithms and measures.",
            mend="Pass a two-dimensional array for one sample, a three-dimensional one for one per algorithm.",
        )
    if len(array) < _LEAST:
        raise InputError(
            f"x has {len(array)} row(s).",
            why=f"Nothing can be said of the shape of a distribution from fewer than {_LEAST}.",
            mend="Use more folds or repetitions.",
        )
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


def _skewness_statistic(b1: FloatArray, rank: IntArray, n: int, *, small_sample: bool) -> tuple[FloatArray, IntArray]:
    """Refer b1 to chi-squared in the directions that vary, for small samples with the right mean."""
    df = np.asarray(rank * (rank + 1) * (rank + 2) // 6, dtype=np.int64)
    if not small_sample:
        return n * b1 / 6, df  # Mardia 1970
    r = np.maximum(rank, 1)
    factor = (r + 1) * (n + 1) * (n + 3) / (n * ((n + 1) * (r + 1) - 6))  # Mardia 1974
    return n * factor * b1 / 6, df


def _kurtosis_z(b2: FloatArray, rank: IntArray, n: int, *, exact: bool) -> FloatArray:
    """Standardise b2 by its moments under normality, in the directions that vary."""
    r = np.maximum(rank, 1).astype(np.float64)
    mean, variance = r * (r + 2), 8 * r * (r + 2) / n
    if exact:
        mean = r * (r + 2) * (n - 1) / (n + 1)  # Mardia 1970, under normality
        variance = 8 * r * (r + 2) * (n - 3) * (n - r - 1) * (n - r + 1) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    return np.asarray((b2 - mean) / np.sqrt(np.where(variance > 0, variance, 1.0)))


def _rank_caveats(rank: IntArray, stack: FloatArray, names: tuple[str, ...]) -> Iterator[tuple[object, str, str]]:
    """Say which samples vary in fewer directions than there are measures, and which say nothing."""
    _, n, p = stack.shape
    for r in sorted(set(rank.tolist())):
        which = quoted(name for name, own in zip(names, rank, strict=True) if own == r)
        some = f"The {p} measures vary in {r} direction(s) only (some are constant or follow from others)"
        if r == 0:
            yield True, "constant-difference", f"No measure varies: there is nothing to judge, p = 1 ({which})."
        elif n - r <= 1:
            silent = f"{n} rows in {r} direction(s) say nothing about their distribution: p = 1 ({which})."
            yield True, "few-folds", silent
        elif r < p:
            yield True, "dependent-measures", f"{some}; those are judged ({which})."
