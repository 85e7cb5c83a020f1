"""Many algorithms over many data sets, normal scores: repeated-measures ANOVA, Tukey's and Dunnett's tests after it.

Its premises are tested too: sphericity by Mauchly's test, normality by Anderson and Darling's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, check_choice, check_matrix, check_names, check_table, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.numeric.basics import (
    TINY,
    check_squares,
    chi2_upper,
    deviation,
    f_upper,
    floor_pvalue,
    rank_rows,
    rescaled,
    t_two_sided,
)
from tiebreak.stats.numeric.studentized_range import dunnett_upper, studentized_range_upper
from tiebreak.stats.results import (
    ZERO_ERROR,
    OmnibusResult,
    Pairs,
    PairwiseResult,
    Told,
    compared,
    pairs_result,
    rows_of,
)

NAN = float("nan")


def layout(matrix: FloatArray) -> tuple[float, float, FloatArray, float]:
    """Return the mean squares of algorithms and of error, the L - 1 eigenvalues of the contrasts, the noise.

    What is not above the rounding error of the scores is taken to be zero.
    """
    n_datasets, n_algorithms = matrix.shape
    shifted = matrix - matrix[:, :1]  # exact where a row is constant
    centred = shifted - shifted.mean(axis=1, keepdims=True)
    effects = centred.mean(axis=0)
    noise = 8 * np.finfo(np.float64).eps * np.where(shifted.any(axis=1), np.abs(matrix).max(axis=1), 0.0)
    effects = np.where(np.abs(effects) > noise.mean(), effects, 0.0)
    covariance = (centred - effects).T @ (centred - effects) / (n_datasets - 1)
    eigenvalues = np.maximum(np.linalg.eigvalsh(covariance)[1:], 0.0)
    error = float(np.trace(covariance)) / (n_algorithms - 1)
    if error <= float((noise**2).mean()):
        error, eigenvalues = 0.0, np.zeros_like(eigenvalues)
    between = n_datasets * float((effects**2).sum()) / (n_algorithms - 1)
    return between, error, eigenvalues, float(noise.mean())


def greenhouse_geisser(eigenvalues: FloatArray) -> float:
    """Return epsilon = (sum l)^2 / ((L - 1) sum l^2), NaN where all are zero."""
    total = float(eigenvalues.sum())
    if total == 0.0:
        return NAN
    return 1.0 / (len(eigenvalues) * float(((eigenvalues / total) ** 2).sum()))  # Greenhouse and Geisser 1959


def f_ratio(between: float, error: float) -> float:
    """Return F: 0 where nothing lies between the algorithms, infinite where the error alone is zero."""
    if between == 0.0:
        return 0.0
    return between / error if error > 0 else float("inf")


SPHERICITY = ("none", "greenhouse-geisser", "huynh-feldt")
_LABELS = {
    "none": "no correction for sphericity",
    "greenhouse-geisser": "Greenhouse-Geisser correction",
    "huynh-feldt": "Huynh-Feldt correction",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RepeatedMeasuresResult(OmnibusResult):
    """What the analysis of variance found; `pvalue` and `df` are those of the chosen correction.

    `means` are the mean scores. `mean_ranks` are the ordinary mean ranks within data sets; the test does not
    use them. What is not defined is NaN, with a caveat.
    """

    EXTRAS = tuple("uncorrected_pvalue gg_epsilon gg_pvalue hf_epsilon hf_pvalue mauchly_w mauchly_pvalue".split())

    means: FloatArray
    higher_is_better: bool
    error: float
    uncorrected_pvalue: float
    gg_epsilon: float
    gg_pvalue: float
    hf_epsilon: float
    hf_pvalue: float
    mauchly_w: float
    mauchly_pvalue: float

    @property
    def locations(self) -> FloatArray:
        """Return the mean scores, turned so that lower is better."""
        return readonly(-self.means) if self.higher_is_better else self.means

    @property
    def location_name(self) -> str:
        """Name the measure of location."""
        return "mean score"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best mean rank first."""
        order = np.argsort(self.mean_ranks, kind="stable")
        names = [self.algorithms[i] for i in order]
        return rows_of(algorithm=names, mean=self.means[order], mean_rank=self.mean_ranks[order])


@as_came_in
def rm_anova(
    scores: npt.ArrayLike,
    *,
    higher_is_better: bool = False,
    correction: str = "none",
    algorithms: Sequence[str] | None = None,
) -> RepeatedMeasuresResult:
    """Test whether any algorithm has a different mean score, all algorithms being run on the same data sets.

    Hypothesis: all algorithms have the same expected score.

    Formula: F = (S sum_j (m_j - m)^2 / (L - 1)) / MSE, where MSE is the residual sum of squares of the
    two-way layout (scores less data set and algorithm means) over (L - 1)(S - 1). With E the covariance of
    the algorithms, centred by rows and columns, e = tr(E)^2 / ((L - 1) tr(E^2)) is Greenhouse and Geisser's
    epsilon and (S (L - 1) e - 2) / ((L - 1)(S - 1 - (L - 1) e)), at most 1, Huynh and Feldt's: both degrees
    of freedom are multiplied by it. Mauchly's W = det(C) / (tr(C) / (L - 1))^(L - 1), C the covariance of
    L - 1 orthonormal contrasts, has a p-value by Box's expansion of second order.

    Assumptions:

    1. The data sets are independent of each other.
    2. The residuals are normal with the same variance on every data set.
    3. Sphericity: all differences of two algorithms have one variance. Without it use a correction.

    When not to use it: with scores of different data sets on different scales, outliers, or accuracies near
    1, which is the usual case (Demsar 2006): use `friedman`. Mauchly's test has little power for few data
    sets and is sensitive to non-normality; correcting always is the safer rule.

    Degenerate input: where all columns have one mean and nothing is left over (identical algorithms), F = 0
    and p = 1; where the columns differ by constants alone, F is infinite and p the smallest number. The
    epsilons and W are NaN then. With fewer data sets than algorithms W is NaN, all else is defined.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    higher_is_better : bool, default False
        Decides which end gets rank 1 in `mean_ranks`; the test does not depend on it.
    correction : {"none", "greenhouse-geisser", "huynh-feldt"}
        Which p-value decides. All are in the result.
    algorithms : sequence of str, optional
        Names for the columns.

    Returns
    -------
    RepeatedMeasuresResult

    References
    ----------
    greenhouse1959
    huynh1976
    mauchly1940
    demsar2006, section 3.2.1

    Examples
    --------
    >>> result = rm_anova([[1, 2, 4], [2, 3, 6], [1, 3, 4], [0, 1, 3], [2, 4, 5]])
    >>> round(result.statistic, 3), result.df, round(result.gg_epsilon, 4)
    (64.333, (2, 8), 0.6316)
    """
    matrix, names = check_table(scores, algorithms)
    check_choice("correction", correction, SPHERICITY)
    check_squares(matrix, what="scores")
    # Squares of very small scores would vanish; powers of two scale without rounding.
    (near,), exponent = rescaled(matrix)
    between, error, eigenvalues, _ = layout(near)
    df = (len(names) - 1, (len(names) - 1) * (len(matrix) - 1))
    f = f_ratio(between, error)
    epsilons = {"none": 1.0, **dict(zip(SPHERICITY[1:], _epsilons(eigenvalues, len(matrix)), strict=True))}
    pvalues = {name: _pvalue(f, df, epsilon) for name, epsilon in epsilons.items()}
    w, w_pvalue = _mauchly(eigenvalues, len(matrix))
    chosen = epsilons[correction]
    return RepeatedMeasuresResult(
        statistic=f,
        pvalue=pvalues[correction],
        df=df if correction == "none" else (chosen * df[0], chosen * df[1]),
        mean_ranks=readonly(rank_rows(matrix, higher_is_better=higher_is_better).mean(axis=0)),
        algorithms=names,
        n_datasets=len(matrix),
        method=f"Repeated-measures ANOVA, {_LABELS[correction]}",
        means=readonly(matrix.mean(axis=0)),
        higher_is_better=higher_is_better,
        error=float(np.ldexp(error, 2 * exponent[0, 0])),
        uncorrected_pvalue=pvalues["none"],
        gg_epsilon=epsilons["greenhouse-geisser"],
        gg_pvalue=pvalues["greenhouse-geisser"],
        hf_epsilon=epsilons["huynh-feldt"],
        hf_pvalue=pvalues["huynh-feldt"],
        mauchly_w=w,
        mauchly_pvalue=w_pvalue,
        caveats=_caveats(matrix, f, w_pvalue, correction),
    )


def _epsilons(eigenvalues: FloatArray, n_datasets: int) -> tuple[float, float]:
    """Return Greenhouse and Geisser's epsilon and Huynh and Feldt's, never below the former nor above 1."""
    gg, rank = greenhouse_geisser(eigenvalues), len(eigenvalues)
    room = n_datasets - 1 - rank * gg  # Huynh and Feldt 1976
    if np.isnan(gg) or n_datasets == 2:
        return gg, gg  # 0/0 for two data sets
    hf = (n_datasets * rank * gg - 2) / (rank * room) if room > 1e-12 else 1.0
    return gg, min(max(hf, gg), 1.0)


def _pvalue(f: float, df: tuple[int, int], epsilon: float) -> float:
    """P-value of F; where F is infinite the epsilons are NaN, and so would be the tail."""
    if f == 0.0:
        return 1.0
    if np.isinf(f):
        return TINY
    return float(f_upper(f, epsilon * df[0], epsilon * df[1]))


def _mauchly(eigenvalues: FloatArray, n_datasets: int) -> tuple[float, float]:
    """Return W and its p-value; NaN with fewer data sets than algorithms, or without any error."""
    d, n = len(eigenvalues), n_datasets - 1
    if n < d or not eigenvalues.any():
        return NAN, NAN
    if d == 1:
        return 1.0, 1.0
    if eigenvalues[0] <= 1e-13 * eigenvalues[-1]:
        return 0.0, TINY
    log_w = float(np.log(eigenvalues).sum()) - d * log(float(eigenvalues.mean()))  # Mauchly 1940
    factor = 1 - (2 * d * d + d + 2) / (6 * d * n)
    second = (d + 2) * (d - 1) * (d - 2) * (2 * d**3 + 6 * d * d + 3 * d + 2) / (288 * (n * d * factor) ** 2)
    chi2, df = max(-n * factor * log_w, 0.0), d * (d + 1) // 2 - 1
    first, later = (float(chi2_upper(chi2, df + extra)) for extra in (0, 4))
    return float(np.exp(log_w)), min(max(first + second * (later - first), TINY), 1.0)  # Box's expansion


def _caveats(matrix: FloatArray, f: float, w_pvalue: float, correction: str) -> Caveats:
    """With fewer data sets than algorithms Mauchly's determinant is zero whatever the truth."""
    n_datasets, n_algorithms = matrix.shape
    unknown, fewer = bool(np.isnan(w_pvalue)), n_datasets < n_algorithms
    constant = "The algorithms differ by constants alone: F is infinite, p is the smallest number written."
    sizes = f"{n_datasets} data sets for {n_algorithms} algorithms: Mauchly's test of sphericity is not defined"
    rejects = f"Mauchly's test rejects sphericity (p = {w_pvalue:.2g}): the uncorrected p-value is too small;"
    none = "No residual variation: the epsilons and Mauchly's test are not defined."
    two = "Two data sets: Huynh and Feldt's epsilon is not defined, Greenhouse and Geisser's is used."
    return caveats_of(
        (np.isinf(f), "constant-difference", constant),
        (unknown and fewer, "not-spherical", f"{sizes}; use a corrected p-value."),
        (unknown and not fewer, "not-spherical", none),
        (w_pvalue <= 0.05 and correction == "none", "not-spherical", f"{rejects} use correction='greenhouse-geisser'."),
        (n_datasets == 2 and n_algorithms > 2, "not-spherical", two),
    )


def mean_t_tests(
    scores: npt.ArrayLike, control: int | None, higher_is_better: bool, algorithms: Sequence[str] | None
) -> tuple[tuple[str, ...], int, Pairs, Caveats]:
    """Return names, degrees of freedom, pairs with their t, and caveats."""
    (matrix,), _ = rescaled(check_matrix(scores))
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    _, error, eigenvalues, noise = layout(matrix)
    means = _column_effects(-matrix if higher_is_better else matrix)
    pairs = compared(means, sqrt(2 * error / len(matrix)), control, noise=noise)  # Tukey 1949; Dunnett 1955
    df = (len(names) - 1) * (len(matrix) - 1)
    return names, df, pairs, _from_means_caveats(error, eigenvalues, bool(np.isinf(pairs[2]).any()))


def _column_effects(matrix: FloatArray) -> FloatArray:
    """Means of the columns less those of the rows; equal columns get equal means, bit for bit."""
    return np.asarray((matrix - matrix[:, :1]).mean(axis=0))


def _from_means_caveats(error: float, eigenvalues: FloatArray, infinite: bool) -> Caveats:
    """Pooled errors rest on sphericity; 0.75 is a customary limit of epsilon."""
    if error == 0.0:
        return (ZERO_ERROR,) if infinite else ()
    epsilon = greenhouse_geisser(eigenvalues)
    uneven = f"Greenhouse and Geisser's epsilon is {epsilon:.2f}: the differences do not share one variance, and the"
    instead = "paired t tests with Holm's correction need no such assumption."
    text = f"{uneven} pooled error is too small for some pairs; {instead}"
    return caveats_of((epsilon < 0.75, "not-spherical", text))


@as_came_in
def tukey_pairs(
    scores: npt.ArrayLike, *, higher_is_better: bool = False, algorithms: Sequence[str] | None = None
) -> PairwiseResult:
    """Test all pairs of algorithms by their mean scores on the same data sets.

    Hypothesis: for each pair, the two algorithms have the same expected score; the family-wise error over all
    pairs is kept at alpha.

    Formula: t = (m_a - m_b) / sqrt(2 MSE / S), MSE the error mean square of `rm_anova` on
    (L - 1)(S - 1) degrees of freedom, so that differences between data sets do not enter; adjusted p =
    P(studentized range of L means >= sqrt(2) abs(t)). The sign is such that t > 0 where b is better. With two
    algorithms it is the paired t test.

    Assumptions:

    1. Those of `rm_anova`.
    2. Sphericity above all: one error is used for all pairs.

    When not to use it: without sphericity (there is a caveat where Greenhouse and Geisser's epsilon falls
    below 0.75): test pairs by their own paired t with `holm`; where the scores are not normal use `nemenyi`
    or Wilcoxon's test. The unpaired form, which treats the algorithms as independent samples, is not for
    scores on the same data sets.

    Identical algorithms get t = 0 and p = 1; where the error is zero any difference gets the smallest
    p-value.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    higher_is_better : bool, default False
        Decides the sign of the statistic.
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult
        `pvalue` is that of the single t, `adjusted` that of the range.

    References
    ----------
    tukey1949
    demsar2006, section 3.2.1

    Examples
    --------
    >>> tukey_pairs([[1, 2, 4], [2, 3, 6], [1, 3, 4], [0, 1, 3], [2, 4, 5]]).adjusted.round(5)
    array([2.84e-03, 1.00e-05, 5.60e-04])
    """
    names, df, pairs, caveats = mean_t_tests(scores, None, higher_is_better, algorithms)
    return pairs_result(
        pairs,
        t_two_sided(pairs[2], df),
        adjusted=studentized_range_upper(sqrt(2) * np.abs(pairs[2]), k=len(names), df=df),
        algorithms=names,
        method=f"Tukey's test for paired scores, {df} degrees of freedom",
        caveats=caveats,
    )


@as_came_in
def dunnett_control(
    scores: npt.ArrayLike, *, control: int, higher_is_better: bool = False, algorithms: Sequence[str] | None = None
) -> PairwiseResult:
    """Test every algorithm against a control by their mean scores on the same data sets.

    Hypothesis: for each other algorithm, it and the control have the same expected score; the family-wise
    error over them is kept at alpha.

    Formula: t as in `tukey_pairs`; adjusted p = P(max abs(T_j) >= abs(t)) for L - 1 t variables with
    (L - 1)(S - 1) degrees of freedom that are correlated by 1/2, two-sided.

    Assumptions and degenerate input: as for `tukey_pairs`.
    When not to use it: as `tukey_pairs`; for all pairs, which it does not cover.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    control : int
        The column of the control.
    higher_is_better : bool, default False
        Decides the sign of the statistic.
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult
        `a` is the control; `pvalue` is that of the single t.

    References
    ----------
    dunnett1955
    demsar2006, section 3.2.1

    Examples
    --------
    >>> table = [[1, 2, 4], [2, 3, 6], [1, 3, 4], [0, 1, 3], [2, 4, 5]]
    >>> dunnett_control(table, control=0).adjusted.round(5)
    array([2.07e-03, 1.00e-05])
    """
    names, df, pairs, caveats = mean_t_tests(scores, control, higher_is_better, algorithms)
    return pairs_result(
        pairs,
        t_two_sided(pairs[2], df),
        adjusted=dunnett_upper(np.abs(pairs[2]), k=len(names), df=df),
        algorithms=names,
        method=f"Dunnett's test for paired scores against the control, {df} degrees of freedom",
        caveats=caveats,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NormalityResult(Told):
    """Anderson and Darling's statistic and p-value of each algorithm; NaN where its values do not vary."""

    statistic: FloatArray
    pvalue: FloatArray
    algorithms: tuple[str, ...]

    def title(self) -> str:
        """Say in one line what was tested."""
        return self.method

    def rows(self) -> list[Row]:
        """Return one row per algorithm."""
        return rows_of(algorithm=self.algorithms, statistic=self.statistic, pvalue=self.pvalue)


@as_came_in
def anderson_darling(
    scores: npt.ArrayLike, *, centred: bool = True, algorithms: Sequence[str] | None = None
) -> NormalityResult:
    """Test for each algorithm whether its scores are normal.

    Hypothesis: for each algorithm, the scores (less the mean of their data set) are a normal sample.

    Formula: for sorted standardised values z_(i), A2 = -n - sum (2 i - 1)(log Phi(z_(i)) + log Phi(-z_(n+1-i))) / n,
    times 1 + 0.75 / n + 2.25 / n^2 for the estimated mean and variance; p by the curves of D'Agostino and Stephens.

    Assumptions: independent data sets.
    When not to use it: below eight data sets, where it has no power; or to prove normality, which no test can.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    centred : bool, default True
        Whether to take the mean of each data set off first, as paired tests do. With two algorithms this
        tests their difference.
    algorithms : sequence of str, optional

    Returns
    -------
    NormalityResult

    References
    ----------
    anderson1954
    dagostino1986, Table 4.9.

    Examples
    --------
    >>> skewed = [[1.3**i, 0.0] for i in range(20)]
    >>> anderson_darling(skewed).pvalue.round(4)
    array([0.0001, 0.0001])
    """
    (matrix,), _ = rescaled(check_matrix(scores))
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    if len(matrix) < 8:
        raise InputError(
            f"scores has {len(matrix)} data sets, and this test needs at least 8.",
            mend="Use a rank test, which does not need normal values.",
        )
    values = matrix - matrix.mean(axis=1, keepdims=True) if centred else matrix
    statistic = _statistic(values)
    constant = np.isnan(statistic)
    text = f"{int(constant.sum())} algorithm(s) do not vary, so that nothing can be said of them."
    return NormalityResult(
        statistic=readonly(statistic),
        pvalue=readonly(_anderson_darling_pvalue(statistic)),
        algorithms=names,
        method=f"Anderson-Darling test of normality{' of scores less the mean of their data set' if centred else ''}",
        caveats=caveats_of((constant.any(), "constant-difference", text)),
    )


def _statistic(values: FloatArray) -> FloatArray:
    """Return the statistic of each column, corrected for the estimated mean and variance."""
    count = len(values)
    spread = deviation(values, axis=0)
    flat = spread <= 1e-13 * np.abs(values).max(axis=0)
    z = np.sort((values - values.mean(axis=0)) / np.where(flat, 1.0, spread), axis=0)
    weights = (2 * np.arange(1, count + 1) - 1)[:, None] / count
    raw = -count - (weights * (special.log_ndtr(z) + special.log_ndtr(-z[::-1]))).sum(axis=0)  # Anderson and Darling
    return np.where(flat, np.nan, raw * (1 + 0.75 / count + 2.25 / count**2))  # D'Agostino and Stephens 1986


def _anderson_darling_pvalue(statistic: FloatArray) -> FloatArray:
    """D'Agostino and Stephens 1986, Table 4.9."""
    a = np.minimum(np.nan_to_num(statistic), 150.0)  # the first curve turns up again beyond 153
    curves = [
        np.exp(1.2937 - 5.709 * a + 0.0186 * a**2),
        np.exp(0.9177 - 4.279 * a - 1.38 * a**2),
        -np.expm1(-8.318 + 42.796 * a - 59.938 * a**2),
        -np.expm1(-13.436 + 101.14 * a - 223.73 * a**2),
    ]
    p = np.select([a >= 0.6, a >= 0.34, a >= 0.2], curves[:3], curves[3])
    return np.where(np.isnan(statistic), np.nan, floor_pvalue(p))
