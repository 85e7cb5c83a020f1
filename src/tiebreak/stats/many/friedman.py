"""Many algorithms over many data sets: do they differ at all? Friedman's test, by F, chi-squared, or exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, check_choice, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.stats.numeric.basics import check_count, chi2_upper, f_upper, floor_pvalue, ranked, tie_sums
from tiebreak.stats.results import ALL_TIED, OmnibusResult, agreement_pvalue, tie_label

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
    result = {
        "iman-davenport": (f, f_pvalue, (n_algorithms - 1, (n_algorithms - 1) * (n_datasets - 1))),
        "chi2": (chi2, chi2_pvalue, (n_algorithms - 1,)),
    }
    value, pvalue, df = result[statistic]
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


MOST_ORDERS = 2_000_000
"""Tables that are looked at in one step of the exact distribution; beyond, orders are drawn at random."""
_CHUNK = 2_000_000  # ranks drawn at a time


@as_came_in
def friedman_exact(
    scores: npt.ArrayLike,
    *,
    higher_is_better: bool = False,
    n_permutations: int = 9_999,
    rng: int | np.random.Generator = 0,
    algorithms: Sequence[str] | None = None,
) -> FriedmanResult:
    """Test whether any algorithm differs, without an approximation that few data sets do not bear.

    Hypothesis: on every data set the scores are exchangeable, so that all orders of the algorithms are equally likely.

    Formula: Friedman's chi-squared with the correction for ties; p is the share of tables at least as extreme among
    all that arise by reordering the ranks within data sets. All are counted, data set by data set, where that is
    possible (six data sets of up to five algorithms, more of fewer); otherwise reorderings are drawn at random and
    p = (1 + those at least as extreme) / (1 + drawn).

    Assumptions:

    1. The data sets are independent of each other.
    2. Within a data set the scores can be ordered; their distribution does not matter.

    When not to use it: with ten data sets or more, where `friedman` decided by F has the right level and takes no time.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite. Ranks may be passed as they are.
    higher_is_better : bool, default False
    n_permutations : int, default 9999
    rng : int or Generator, default 0
    algorithms : sequence of str, optional

    Returns
    -------
    FriedmanResult
        `statistic` and `pvalue` are chi-squared and its exact p-value; the approximations stand beside them.

    References
    ----------
    friedman1937
    phipson2010

    Examples
    --------
    >>> result = friedman_exact([[1, 2, 3]] * 3 + [[2, 1, 3]])
    >>> round(result.statistic, 3), round(result.pvalue, 4), result.method
    (6.5, 0.0417, 'Friedman test, exact distribution')
    """
    check_count("n_permutations", n_permutations, usual=9_999)
    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    usual = friedman(ranks, statistic="chi2", algorithms=names)
    doubled = np.rint(2 * ranks).astype(np.int64)  # whole numbers, so that equal tables compare equal
    exact = _exact(doubled)
    p = _drawn(doubled, n_permutations, np.random.default_rng(rng)) if exact is None else exact
    how = "exact distribution" if exact is not None else f"{n_permutations:,} permutations"
    return FriedmanResult(
        statistic=usual.chi2,
        pvalue=float(floor_pvalue(np.array(p))),
        df=(),
        mean_ranks=usual.mean_ranks,
        algorithms=names,
        n_datasets=len(ranks),
        method=f"Friedman test, {how}",
        chi2=usual.chi2,
        chi2_pvalue=usual.chi2_pvalue,
        f=usual.f,
        f_pvalue=usual.f_pvalue,
        tie_factor=usual.tie_factor,
        caveats=caveats_of((usual.tie_factor <= 0.0, *ALL_TIED)),
    )


def _extremes(sums: IntArray) -> IntArray:
    """Return the sum of squares of rank sums, which grows with chi-squared when the ties of the data sets are given."""
    return np.asarray((sums**2).sum(axis=-1))


def _exact(doubled: IntArray) -> float | None:
    """Count all reorderings one data set at a time; return None if there are too many.

    The first data set may keep its order, since renaming the algorithms everywhere changes nothing; and of states that
    differ in the names of the algorithms only one is kept, with the probability of all.
    """
    base = int(doubled.sum(axis=0).max()) + 2 * doubled.shape[1] * len(doubled)  # no state reaches it
    if base ** doubled.shape[1] > 2**62:
        return None
    weights = base ** np.arange(doubled.shape[1])  # a number of its own for every state
    states: IntArray = np.sort(doubled[:1], axis=1)
    share: FloatArray = np.ones(1)
    for row in doubled[1:]:
        orders = np.array(sorted(set(permutations(row.tolist())))) if len(row) < 9 else None
        if orders is None or len(states) * len(orders) > MOST_ORDERS:
            return None
        reached = np.sort((states[:, None, :] + orders).reshape(-1, len(row)), axis=1)
        _, first, place = np.unique(reached @ weights, return_index=True, return_inverse=True)
        states = reached[first]
        share = np.bincount(place, weights=np.repeat(share, len(orders)) / len(orders)).astype(np.float64)
    return float(share[_extremes(states) >= _extremes(doubled.sum(axis=0))].sum())


def _drawn(doubled: IntArray, count: int, rng: np.random.Generator) -> float:
    """Estimate the share from reorderings drawn at random, the table itself among them."""
    observed, hits = _extremes(doubled.sum(axis=0)), 0
    for start in range(0, count, size := max(1, _CHUNK // doubled.size)):
        keys = rng.random((min(size, count - start), *doubled.shape))
        drawn = np.take_along_axis(doubled[None], keys.argsort(axis=2), axis=2).sum(axis=1)
        hits += int((_extremes(drawn) >= observed).sum())
    return (1 + hits) / (1 + count)  # Phipson and Smyth 2010
