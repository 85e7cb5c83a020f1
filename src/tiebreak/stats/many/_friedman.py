"""Many algorithms over many data sets: do they differ at all? Friedman, and Iman and Davenport's F."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice, check_matrix, check_names, readonly
from tiebreak.stats.many._omnibus import OmnibusResult
from tiebreak.stats.numeric.ranks import average_ranks, tie_sums
from tiebreak.stats.numeric.tails import chi2_upper, f_upper, floor_pvalue

STATISTICS = ("iman-davenport", "chi2")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FriedmanResult(OmnibusResult):
    """What the Friedman test found; `statistic`, `pvalue` and `df` are those of the chosen statistic."""

    chi2: float
    chi2_pvalue: float
    f: float
    f_pvalue: float
    tie_factor: float


def friedman(
    scores: npt.ArrayLike,
    *,
    higher_is_better: bool = False,
    tie_correction: bool = True,
    statistic: str = "iman-davenport",
    algorithms: Sequence[str] | None = None,
) -> FriedmanResult:
    """Test whether any algorithm tends to score differently from the others.

    Hypothesis: on every data set all orders of the algorithms are equally likely.

    Formula: chi2 = 12 S / (L (L + 1)) * sum_j (R_j - (L + 1) / 2)^2 for S data sets, L algorithms and
    mean ranks R_j, divided by 1 - sum(t^3 - t) / (S (L^3 - L)) over groups of t ties; Iman and Davenport's
    F = (S - 1) chi2 / (S (L - 1) - chi2) on L - 1 and (L - 1)(S - 1) degrees of freedom.

    Assumptions:

    1. The data sets are independent of each other.
    2. Within a data set the scores can be ordered; their distribution does not matter.

    When not to use it: with one data set; with gaps in the table (use `skillings_mack`); with two
    algorithms it is a sign test, and the Wilcoxon signed ranks test has more power.

    Degenerate input has a documented answer: where every data set ties all algorithms the statistic is 0
    and p = 1; where all data sets agree perfectly F is infinite and p is the exact probability of that
    agreement, (number of distinct orders of one row) to the power 1 - S. No p-value is smaller than that of perfect
    agreement without ties, L! to the power 1 - S, since no table is less likely.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite. Ranks may be passed as they are.
    higher_is_better : bool, default False
        Decides which end gets rank 1; the statistic does not depend on it.
    tie_correction : bool, default True
        False reproduces Demsar (2006) and the tools that follow him.
    statistic : {"iman-davenport", "chi2"}
        Which statistic decides. Both are in the result.
    algorithms : sequence of str, optional
        Names for the columns.

    Returns
    -------
    FriedmanResult

    References
    ----------
    Friedman, M. (1937). doi:10.1080/01621459.1937.10503522
    Iman, R. L. and Davenport, J. M. (1980). doi:10.1080/03610928008827904
    Demsar, J. (2006). JMLR 7, section 3.2.2. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

    Examples
    --------
    >>> from tiebreak.reading import published
    >>> result = friedman(published.demsar2006().means("auc"), higher_is_better=True, tie_correction=False)
    >>> round(result.chi2, 3), round(result.statistic, 3), result.df
    (9.857, 3.987, (3, 39))
    """
    matrix = check_matrix(scores)
    check_choice("statistic", statistic, STATISTICS)
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    ranks = average_ranks(-matrix if higher_is_better else matrix)
    return friedman_from_ranks(ranks, tie_correction=tie_correction, statistic=statistic, algorithms=names)


def friedman_from_ranks(
    ranks: FloatArray, *, tie_correction: bool, statistic: str, algorithms: tuple[str, ...]
) -> FriedmanResult:
    """Compute the test from a checked matrix of within-row ranks."""
    n_datasets, n_algorithms = ranks.shape
    mean_ranks = ranks.mean(axis=0)
    ties = float(tie_sums(ranks).sum()) / (n_datasets * (n_algorithms**3 - n_algorithms))
    tie_factor = 1.0 - ties
    chi2 = _chi2(ranks, tie_factor if tie_correction else 1.0)
    least = _least_pvalue(n_datasets, n_algorithms)
    f, f_pvalue = _iman_davenport(ranks, chi2)
    f_pvalue = max(f_pvalue, least)
    chi2_df: tuple[int, ...] = (n_algorithms - 1,)
    f_df = (n_algorithms - 1, (n_algorithms - 1) * (n_datasets - 1))
    chi2_pvalue = max(float(chi2_upper(chi2, chi2_df[0])), least)
    decides_f = statistic == "iman-davenport"
    corrected = "corrected for ties" if tie_correction else "not corrected for ties"
    name = "Friedman test, Iman-Davenport F" if decides_f else "Friedman test, chi-squared"
    return FriedmanResult(
        statistic=f if decides_f else chi2,
        pvalue=f_pvalue if decides_f else chi2_pvalue,
        df=f_df if decides_f else chi2_df,
        mean_ranks=readonly(mean_ranks),
        algorithms=algorithms,
        n_datasets=n_datasets,
        method=f"{name}, {corrected}",
        chi2=chi2,
        chi2_pvalue=chi2_pvalue,
        f=f,
        f_pvalue=f_pvalue,
        tie_factor=tie_factor,
        caveats=_caveats(ranks, tie_factor, decides_f=decides_f, agreed=decides_f and np.isinf(f)),
    )


def _chi2(ranks: FloatArray, tie_factor: float) -> float:
    n_datasets, n_algorithms = ranks.shape
    deviations = ranks.sum(axis=0) - n_datasets * (n_algorithms + 1) / 2  # exact: multiples of a half
    if tie_factor <= 0.0 or not deviations.any():
        return 0.0
    raw = 12.0 * float((deviations**2).sum()) / (n_datasets * n_algorithms * (n_algorithms + 1))
    return float(raw / tie_factor)  # Demsar 2006, section 3.2.2; Conover 1999, 5.8 for ties


def _iman_davenport(ranks: FloatArray, chi2: float) -> tuple[float, float]:
    """Return F and its p-value; perfect agreement gets its exact probability."""
    n_datasets, n_algorithms = ranks.shape
    if chi2 == 0.0:
        return 0.0, 1.0
    room = n_datasets * (n_algorithms - 1) - chi2
    if bool((ranks == ranks[0]).all()) and room < 1e-9 * chi2:
        log_orders = lgamma(n_algorithms + 1) - sum(lgamma(t + 1) for t in _tie_sizes(ranks[0]))
        return float("inf"), float(floor_pvalue(np.exp(-(n_datasets - 1) * log_orders)))
    f = (n_datasets - 1) * chi2 / room
    return f, float(f_upper(f, n_algorithms - 1, (n_algorithms - 1) * (n_datasets - 1)))


def _tie_sizes(row: FloatArray) -> list[int]:
    return [int(count) for count in np.unique(row, return_counts=True)[1]]


def _least_pvalue(n_datasets: int, n_algorithms: int) -> float:
    """Return the probability of perfect agreement without ties: no table is less likely, so no p-value is smaller."""
    return float(floor_pvalue(np.exp(-(n_datasets - 1) * lgamma(n_algorithms + 1))))


def _caveats(ranks: FloatArray, tie_factor: float, *, decides_f: bool, agreed: bool) -> tuple[str, ...]:
    n_datasets, n_algorithms = ranks.shape
    found = []
    if n_datasets < 10 and not agreed:
        kind = "F" if decides_f else "chi-squared"
        found.append(
            f"{n_datasets} data sets for {n_algorithms} algorithms: the {kind} approximation is rough"
            " below ten data sets."
        )
    if tie_factor <= 0.0:
        found.append("Every data set ties all algorithms: nothing distinguishes them.")
    elif tie_factor < 0.9:
        share = float((tie_sums(ranks) > 0).mean())
        found.append(
            f"Many ties: {share:.0%} of the data sets tie at least two algorithms"
            f" (tie factor {tie_factor:.3f}), which costs power."
        )
    if agreed:
        found.append("All data sets agree perfectly: F is infinite and p is exact.")
    return tuple(found)
