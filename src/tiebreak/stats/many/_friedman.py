"""Many algorithms over many data sets: do they differ at all? Friedman, and Iman and Davenport's F."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice, readonly
from tiebreak.caveats import Caveats
from tiebreak.documents import as_came_in
from tiebreak.stats.many._omnibus import ALL_TIED, OmnibusResult, agreement_pvalue, tie_label
from tiebreak.stats.numeric.ranks import ranked, tie_sums
from tiebreak.stats.numeric.tails import chi2_upper, f_upper
from tiebreak.stats.telling import caveats_of

STATISTICS = {"iman-davenport": "Iman-Davenport F", "chi2": "chi-squared"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FriedmanResult(OmnibusResult):
    """What the Friedman test found; `statistic`, `pvalue` and `df` are those of the chosen statistic."""

    EXTRAS = ("chi2", "chi2_pvalue", "f", "f_pvalue", "tie_factor")

    chi2: float
    chi2_pvalue: float
    f: float
    f_pvalue: float
    tie_factor: float


@as_came_in
def friedman(
    scores: npt.ArrayLike,
    *,
    higher_is_better: bool = False,
    tie_correction: bool = True,
    statistic: str = "iman-davenport",
    algorithms: Sequence[str] | None = None,
) -> FriedmanResult:
    """Test whether the algorithms are exchangeable: whether any tends to score differently from the others.

    Hypothesis: on every data set the scores of the algorithms are exchangeable, so that all their orders are equally
    likely. Equal mean or expected ranks are not enough: algorithms of different spread are not exchangeable.

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
    friedman1937
    iman1980
    demsar2006, section 3.2.2

    Examples
    --------
    >>> from tiebreak.readers import published
    >>> result = friedman(published.demsar2006().means("auc"), higher_is_better=True, tie_correction=False)
    >>> round(result.chi2, 3), round(result.statistic, 3), result.df
    (9.857, 3.987, (3, 39))
    """
    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    check_choice("statistic", statistic, STATISTICS)
    return friedman_from_ranks(ranks, tie_correction=tie_correction, statistic=statistic, algorithms=names)


def friedman_from_ranks(
    ranks: FloatArray, *, tie_correction: bool, statistic: str, algorithms: tuple[str, ...]
) -> FriedmanResult:
    """Compute the test from a checked matrix of within-row ranks."""
    n_datasets, n_algorithms = ranks.shape
    tie_factor = 1.0 - float(tie_sums(ranks).sum()) / (n_datasets * (n_algorithms**3 - n_algorithms))  # Conover 1999
    chi2 = _chi2(ranks, tie_factor if tie_correction else 1.0)
    f, f_pvalue = _iman_davenport(ranks, chi2)
    # No table is less likely than one that agrees perfectly, so no p-value is smaller.
    least = agreement_pvalue(np.arange(1.0, n_algorithms + 1), n_datasets)
    f_pvalue, chi2_pvalue = max(f_pvalue, least), max(float(chi2_upper(chi2, n_algorithms - 1)), least)
    found = {
        "iman-davenport": (f, f_pvalue, (n_algorithms - 1, (n_algorithms - 1) * (n_datasets - 1))),
        "chi2": (chi2, chi2_pvalue, (n_algorithms - 1,)),
    }
    value, pvalue, df = found[statistic]
    return FriedmanResult(
        statistic=value,
        pvalue=pvalue,
        df=df,
        mean_ranks=readonly(ranks.mean(axis=0)),
        algorithms=algorithms,
        n_datasets=n_datasets,
        method=f"Friedman test, {STATISTICS[statistic]}, {tie_label(tie_correction)}",
        chi2=chi2,
        chi2_pvalue=chi2_pvalue,
        f=f,
        f_pvalue=f_pvalue,
        tie_factor=tie_factor,
        caveats=_caveats(ranks, tie_factor, decides_f=statistic == "iman-davenport", f=f),
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
        return float("inf"), agreement_pvalue(ranks[0], n_datasets)
    f = (n_datasets - 1) * chi2 / room  # Iman and Davenport 1980; Demsar 2006, section 3.2.2
    return f, float(f_upper(f, n_algorithms - 1, (n_algorithms - 1) * (n_datasets - 1)))


def _caveats(ranks: FloatArray, tie_factor: float, *, decides_f: bool, f: float) -> Caveats:
    """Perfect agreement has an exact p-value, so few data sets are no doubt there."""
    n_datasets, n_algorithms = ranks.shape
    agreed = decides_f and np.isinf(f)
    kind = "F" if decides_f else "chi-squared"
    few = f"{n_datasets} data sets for {n_algorithms} algorithms: the {kind} approximation is rough below ten"
    share = float((tie_sums(ranks) > 0).mean())
    ties = f"Many ties: {share:.0%} of the data sets tie at least two algorithms (tie factor {tie_factor:.3f})"
    return caveats_of(
        (n_datasets < 10 and not agreed, "few-datasets", f"{few} data sets."),
        (tie_factor <= 0.0, *ALL_TIED),
        (0.0 < tie_factor < 0.9, "many-ties", f"{ties}, which costs power."),
        (agreed, "constant-difference", "All data sets agree perfectly: F is infinite and p is exact."),
    )
