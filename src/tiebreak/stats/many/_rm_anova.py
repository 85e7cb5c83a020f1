"""Many algorithms over many data sets, normal scores: repeated-measures ANOVA and its sphericity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice, check_table, readonly
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, as_came_in
from tiebreak.stats.many._omnibus import OmnibusResult
from tiebreak.stats.numeric.ranks import rank_rows
from tiebreak.stats.numeric.scale import check_squares, rescaled
from tiebreak.stats.numeric.tails import TINY, chi2_upper, f_upper
from tiebreak.stats.numeric.two_way import NAN, f_ratio, greenhouse_geisser, layout
from tiebreak.stats.telling import caveats_of, rows_of

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
        """Say what the locations are."""
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
