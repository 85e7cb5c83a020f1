"""Many algorithms over many data sets, normal scores: repeated-measures ANOVA and its sphericity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice, check_matrix, check_names, readonly
from tiebreak._show import Row
from tiebreak.stats.many._omnibus import OmnibusResult
from tiebreak.stats.numeric.ranks import average_ranks
from tiebreak.stats.numeric.scale import check_squares, rescaled
from tiebreak.stats.numeric.tails import TINY, chi2_upper, f_upper

CORRECTIONS = ("none", "greenhouse-geisser", "huynh-feldt")
NAN = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RepeatedMeasuresResult(OmnibusResult):
    """What the analysis of variance found; `pvalue` and `df` are those of the chosen correction.

    `means` are the mean scores. `mean_ranks` are the ordinary mean ranks within data sets; the test does not
    use them. What is not defined is NaN, with a caveat.
    """

    means: FloatArray
    error: float
    uncorrected_pvalue: float
    gg_epsilon: float
    gg_pvalue: float
    hf_epsilon: float
    hf_pvalue: float
    mauchly_w: float
    mauchly_pvalue: float

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best mean rank first."""
        order = np.argsort(self.mean_ranks, kind="stable")
        return [
            {
                "algorithm": self.algorithms[i],
                "mean": float(self.means[i]),
                "mean_rank": float(self.mean_ranks[i]),
            }
            for i in order
        ]


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
    Greenhouse, S. W. and Geisser, S. (1959). doi:10.1007/BF02289823
    Huynh, H. and Feldt, L. S. (1976). doi:10.3102/10769986001001069
    Mauchly, J. W. (1940). doi:10.1214/aoms/1177731915
    Demsar, J. (2006). JMLR 7, section 3.2.1. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

    Examples
    --------
    >>> result = rm_anova([[1, 2, 4], [2, 3, 6], [1, 3, 4], [0, 1, 3], [2, 4, 5]])
    >>> round(result.statistic, 3), result.df, round(result.gg_epsilon, 4)
    (64.333, (2, 8), 0.6316)
    """
    matrix = check_matrix(scores)
    check_choice("correction", correction, CORRECTIONS)
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    check_squares(matrix, what="scores")
    (near,), exponent = rescaled(matrix)
    between, error, eigenvalues, _ = layout(near)
    df = (len(names) - 1, (len(names) - 1) * (len(matrix) - 1))
    f = _quotient(between, error)
    epsilons = {"none": 1.0, **dict(zip(CORRECTIONS[1:], _epsilons(eigenvalues, len(matrix)), strict=True))}
    pvalues = {name: _pvalue(f, df, epsilon) for name, epsilon in epsilons.items()}
    w, w_pvalue = _mauchly(eigenvalues, len(matrix))
    chosen = epsilons[correction]
    return RepeatedMeasuresResult(
        statistic=f,
        pvalue=pvalues[correction],
        df=df if correction == "none" else (chosen * df[0], chosen * df[1]),
        mean_ranks=readonly(average_ranks(-matrix if higher_is_better else matrix).mean(axis=0)),
        algorithms=names,
        n_datasets=len(matrix),
        method=f"Repeated-measures ANOVA, {_LABELS[correction]}",
        means=readonly(matrix.mean(axis=0)),
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


_LABELS = {
    "none": "no correction for sphericity",
    "greenhouse-geisser": "Greenhouse-Geisser correction",
    "huynh-feldt": "Huynh-Feldt correction",
}


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
    return 1.0 / (len(eigenvalues) * float(((eigenvalues / total) ** 2).sum()))


def _quotient(between: float, error: float) -> float:
    if between == 0.0:
        return 0.0
    return between / error if error > 0 else float("inf")


def _epsilons(eigenvalues: FloatArray, n_datasets: int) -> tuple[float, float]:
    """Return Greenhouse and Geisser's epsilon and Huynh and Feldt's, never below the former nor above 1."""
    gg, rank = greenhouse_geisser(eigenvalues), len(eigenvalues)
    room = n_datasets - 1 - rank * gg  # Huynh and Feldt 1976
    if np.isnan(gg) or n_datasets == 2:
        return gg, gg  # 0/0 for two data sets
    hf = (n_datasets * rank * gg - 2) / (rank * room) if room > 1e-12 else 1.0
    return gg, min(max(hf, gg), 1.0)


def _pvalue(f: float, df: tuple[int, int], epsilon: float) -> float:
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
    log_w = float(np.log(eigenvalues).sum()) - d * log(float(eigenvalues.mean()))
    factor = 1 - (2 * d * d + d + 2) / (6 * d * n)
    second = (d + 2) * (d - 1) * (d - 2) * (2 * d**3 + 6 * d * d + 3 * d + 2) / (288 * (n * d * factor) ** 2)
    chi2, df = max(-n * factor * log_w, 0.0), d * (d + 1) // 2 - 1
    first, later = (float(chi2_upper(chi2, df + extra)) for extra in (0, 4))
    return float(np.exp(log_w)), min(max(first + second * (later - first), TINY), 1.0)  # Box's expansion


def _caveats(matrix: FloatArray, f: float, w_pvalue: float, correction: str) -> tuple[str, ...]:
    n_datasets, n_algorithms = matrix.shape
    found = []
    if np.isinf(f):
        found.append("The algorithms differ by constants alone: F is infinite, p is the smallest number written.")
    if np.isnan(w_pvalue) and n_datasets < n_algorithms:
        found.append(
            f"{n_datasets} data sets for {n_algorithms} algorithms: Mauchly's test of sphericity is not"
            " defined; use a corrected p-value."
        )
    elif np.isnan(w_pvalue):
        found.append("No residual variation: the epsilons and Mauchly's test are not defined.")
    elif w_pvalue <= 0.05 and correction == "none":
        found.append(
            f"Mauchly's test rejects sphericity (p = {w_pvalue:.2g}): the uncorrected p-value is too small;"
            " use correction='greenhouse-geisser'."
        )
    if n_datasets == 2 and n_algorithms > 2:
        found.append("Two data sets: Huynh and Feldt's epsilon is not defined, Greenhouse and Geisser's is used.")
    return tuple(found)
