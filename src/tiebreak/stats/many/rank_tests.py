"""Which algorithms differ, after the Friedman test: z tests, Nemenyi, Bonferroni-Dunn, Conover, Dunn, exact tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, IntArray, check_alpha, check_choice
from tiebreak.caveats import Caveat
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.adjust.stepwise import bonferroni
from tiebreak.stats.many.friedman import friedman_from_ranks as friedman_from_ranks
from tiebreak.stats.numeric.basics import floor_pvalue, normal_two_sided, ranked, t_two_sided, tie_sums
from tiebreak.stats.numeric.studentized_range import range_quantile, range_upper
from tiebreak.stats.results import (
    CORRECTIONS,
    ZERO_ERROR,
    PairwiseResult,
    check_correction,
    compared,
    pair_indices,
    pairs_result,
)
from tiebreak.wording import either, option


def rank_standard_error(n_algorithms: int, n_datasets: int) -> float:
    """Return the standard error of a difference of mean ranks without ties, sqrt(L (L + 1) / (6 S))."""
    return sqrt(n_algorithms * (n_algorithms + 1) / (6 * n_datasets))  # Demsar 2006, section 3.2.2


def tied_standard_error(ranks: FloatArray) -> float:
    """Return the same where ranks tie: sqrt(2 sum of (r - (L + 1) / 2)^2 / ((L - 1) S^2)).

    Where the ranks of a data set are dealt out at random, each has the variance of that data set's ranks, v, and two of
    them the covariance -v / (L - 1); so their difference has 2 v L / (L - 1), whatever its ties. Summed over the data
    sets this is Demsar's variance times the tie factor of Friedman's test.
    """
    n_datasets, n_algorithms = ranks.shape
    spread = float(((ranks - (n_algorithms + 1) / 2) ** 2).sum())  # exact: quarters of integers
    return float(sqrt(2 * spread / (n_algorithms - 1)) / n_datasets)


def standard_error_of(ranks: FloatArray, *, tie_correction: bool) -> float:
    """Return the standard error of a difference of mean ranks as it was asked for; without ties there is one."""
    n_datasets, n_algorithms = ranks.shape
    if tie_correction and tie_sums(ranks).any():
        return tied_standard_error(ranks)
    return rank_standard_error(n_algorithms, n_datasets)


def from_mean_ranks(
    mean_ranks: FloatArray,
    n_datasets: int,
    *,
    method: str,
    algorithms: tuple[str, ...],
    control: int | None = None,
    error: float | None = None,
) -> PairwiseResult:
    """Compute any of the rank post hoc tests from mean ranks; `method` is its command-line name.

    `error` is that of a difference of mean ranks; without it the one for ranks without ties.
    """
    count = len(mean_ranks)
    untied = rank_standard_error(count, n_datasets)
    pairs = compared(mean_ranks, untied if error is None else error, control)
    p = normal_two_sided(pairs[2])
    ties = "" if error is None or error == untied else "corrected for ties"
    text = f"{n_datasets} data sets: the normal approximation of differences of mean ranks is rough below ten."
    fields: dict[str, Any] = {
        "algorithms": algorithms,
        "positions": mean_ranks,
        "caveats": (Caveat("few-datasets", text),) if n_datasets < 10 else (),
    }
    if method == "nemenyi":
        fields["adjusted"] = range_upper(np.abs(pairs[2]) * sqrt(2), count)
        label = f"Nemenyi test (infinite degrees of freedom{', ' if ties else ''}{ties})"
    elif method == "bonferroni-dunn":
        fields["adjusted"], label = bonferroni(p), f"Bonferroni-Dunn test against the control{ties and f' ({ties})'}"
    else:
        fields["adjust"], label = check_correction(method, control), f"z tests on mean ranks{ties and f', {ties}'}"
    return pairs_result(pairs, p, method=label, **fields)


def check_counts(n_algorithms: int, n_datasets: int, tie_factor: float) -> None:
    """Refuse numbers from which no critical difference follows."""
    if not 0 <= tie_factor <= 1:
        raise OptionError(f"tie_factor is {tie_factor}.", mend="Pass the tie_factor of friedman's result, or none.")
    if n_algorithms < 2 or n_datasets < 1:
        raise OptionError(
            f"There are {n_algorithms} algorithm(s) and {n_datasets} data set(s).",
            mend="Pass n_algorithms of at least 2 and n_datasets of at least 1.",
        )


@as_came_in
def rank_tests(
    scores: npt.ArrayLike,
    *,
    adjust: str = "holm",
    control: int | None = None,
    tie_correction: bool = True,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test pairs of algorithms by the difference of their mean ranks.

    Hypothesis: the scores of all algorithms are exchangeable on every data set: each order of them is as likely as any
    other. A small p-value says that the two mean ranks lie farther apart than that allows.

    Formula: z = (R_a - R_b) / sqrt(2 sum (r - (L + 1) / 2)^2 / ((L - 1) S^2)) with the sum over all ranks r, two-sided
    normal, then the correction. Without ties the root is Demsar's sqrt(L (L + 1) / (6 S)); ties make it smaller.

    Assumptions:

    1. Those of the Friedman test, of all algorithms: also of those outside the pair.
    2. Enough data sets for the normal approximation (ten or more).

    When not to use it: to say of two algorithms that they differ where others do. z depends on who else is in the table
    (Benavoli et al. 2016): two exchangeable algorithms whose noise lets others pass between them differ
    significantly far above the level. `wilcoxon_pairs` tests each pair on its own scores.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    adjust : str, default "holm"
        A correction by its name in `tiebreak.stats.CORRECTIONS`.
    control : int, optional
        Column to compare with all others; without it all pairs are tested.
    tie_correction : bool, default True
        False reproduces Demsar (2006) and the tools that follow him.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult

    References
    ----------
    demsar2006, section 3.2.2
    garcia2008
    benavoli2016

    Examples
    --------
    >>> from tiebreak.readers import published
    >>> table = published.demsar2006_ranks()  # ranks: lower is better
    >>> against_c45 = rank_tests(table.means("rank"), control=0, tie_correction=False, algorithms=table.algorithms)
    >>> for row in against_c45.rows():
    ...     print(row["b"], round(row["statistic"], 3), round(row["pvalue"], 3))
    C4.5+cf 0.512 0.608
    C4.5+m 2.342 0.019
    C4.5+m+cf 2.415 0.016
    """
    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    check_choice("adjust", adjust, CORRECTIONS)
    error = standard_error_of(ranks, tie_correction=tie_correction)
    return from_mean_ranks(
        ranks.mean(axis=0), len(ranks), method=adjust, control=control, algorithms=names, error=error
    )


@as_came_in
def nemenyi(
    scores: npt.ArrayLike,
    *,
    tie_correction: bool = False,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test all pairs by the range of the mean ranks.

    Hypothesis: as in `rank_tests`; the probability of any false difference is kept at alpha where it is true.
    Formula: ``p = P(range of L standard normals >= sqrt(2) |z|)``, with z as in `rank_tests`: infinite degrees
    of freedom, and full relative accuracy in the far tail. Ties shrink the variance of every difference of mean ranks
    by the same factor, so that the distribution of the range stays the same.

    Assumptions: as in `rank_tests`.
    When not to use it: against a control only (`bonferroni_dunn` has more power), or where more power is
    wanted for all pairs (Holm, Shaffer, Bergmann-Hommel).

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    tie_correction : bool, default False
        As in `rank_tests`; the published test, and so the default, has the variance of ranks without ties.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult

    References
    ----------
    nemenyi1963
    demsar2006, section 3.2.2

    Examples
    --------
    >>> nemenyi([[1, 2, 3]] * 6).adjusted.round(4)
    array([0.1932, 0.0015, 0.1932])
    """
    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    error = standard_error_of(ranks, tie_correction=tie_correction)
    return from_mean_ranks(ranks.mean(axis=0), len(ranks), method="nemenyi", algorithms=names, error=error)


def nemenyi_cd(*, n_algorithms: int, n_datasets: int, alpha: float = 0.05, tie_factor: float = 1.0) -> float:
    """Return the critical difference of mean ranks of the Nemenyi test.

    Hypothesis: two algorithms whose mean ranks differ by at least this much differ at level alpha.
    Formula: q / sqrt(2) * sqrt(L (L + 1) / (6 S)), q the upper quantile of the range of L normals; with ties times the
    root of `tie_factor`, that of `friedman`'s result.
    Assumptions and when not to use it: as for `nemenyi`.

    References
    ----------
    demsar2006, section 3.2.2

    Examples
    --------
    >>> round(nemenyi_cd(n_algorithms=4, n_datasets=14), 2)
    1.25
    """
    check_counts(n_algorithms, n_datasets, tie_factor)
    quantile = range_quantile(check_alpha(alpha), n_algorithms) / sqrt(2)  # Demsar 2006, Table 5 (a)
    return quantile * rank_standard_error(n_algorithms, n_datasets) * sqrt(tie_factor)


@as_came_in
def bonferroni_dunn(
    scores: npt.ArrayLike,
    *,
    control: int,
    tie_correction: bool = False,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test every algorithm against a control by the difference of mean ranks.

    Hypothesis: as in `rank_tests`.
    Formula: z as in `rank_tests`; adjusted p = min(1, (L - 1) p).
    Assumptions: as in `rank_tests`.
    When not to use it: Holm against the control (`rank_tests(..., control=...)`) rejects at least as much; this one
    has a single critical difference that can be drawn.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    control : int
        The column of the control.
    tie_correction : bool, default False
        As in `rank_tests`; the published test, and so the default, has the variance of ranks without ties.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult

    References
    ----------
    dunn1961
    demsar2006, section 3.2.2

    Examples
    --------
    >>> bonferroni_dunn([[1, 2, 3]] * 6, control=0).adjusted.round(4)
    array([0.1665, 0.0011])
    """
    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    error = standard_error_of(ranks, tie_correction=tie_correction)
    return from_mean_ranks(
        ranks.mean(axis=0), len(ranks), method="bonferroni-dunn", control=control, algorithms=names, error=error
    )


def bonferroni_dunn_cd(*, n_algorithms: int, n_datasets: int, alpha: float = 0.05, tie_factor: float = 1.0) -> float:
    """Return the critical difference of mean ranks of the Bonferroni-Dunn test against a control.

    Hypothesis: an algorithm whose mean rank differs from the control's by at least this much differs at alpha.
    Formula: z(1 - alpha / (2 (L - 1))) * sqrt(L (L + 1) / (6 S)); with ties times the root of `tie_factor`, that of
    `friedman`'s result.
    Assumptions and when not to use it: as for `bonferroni_dunn`.

    References
    ----------
    demsar2006, section 3.2.2

    Examples
    --------
    >>> round(bonferroni_dunn_cd(n_algorithms=4, n_datasets=14), 2)
    1.17
    """
    check_counts(n_algorithms, n_datasets, tie_factor)
    quantile = -float(special.ndtri(check_alpha(alpha) / (2 * (n_algorithms - 1))))  # Demsar 2006, Table 5 (b)
    return quantile * rank_standard_error(n_algorithms, n_datasets) * sqrt(tie_factor)


@as_came_in
def conover_pairs(
    scores: npt.ArrayLike,
    *,
    adjust: str = "holm",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test pairs of algorithms by their rank sums, with the error that the ranks themselves show.

    Hypothesis: as in `rank_tests`.

    Formula: t = (R_a - R_b) / sqrt(2 (S A - sum_j R_j^2) / ((S - 1)(L - 1))) with rank sums R and A the sum of
    all squared ranks (ties with average ranks need no other correction), on (S - 1)(L - 1) degrees of
    freedom, two-sided; then the correction.

    Assumptions: those of the Friedman test.
    When not to use it: without a significant Friedman test before it. The error shrinks as soon as any
    algorithm differs from the others, so that equal ones among them are declared different more often
    than the level allows; `rank_tests` has a fixed error.

    Where all data sets agree perfectly the error is zero: algorithms of different rank get the smallest
    p-value. Where all are tied, p = 1.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    adjust : str, default "holm"
        The name of a correction, as for `rank_tests`.
    control : int, optional
        Column to compare with all others; without it all pairs are tested.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult

    References
    ----------
    conover1979
    conover1999, section 5.8

    Examples
    --------
    >>> table = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [1, 2, 3], [1, 2, 3]]
    >>> conover_pairs(table).adjusted.round(4)
    array([0.1921, 0.0164, 0.1921])
    """
    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    check_correction(adjust, control)
    n_datasets, n_algorithms = ranks.shape
    sums = ranks.sum(axis=0)
    room = n_datasets * float((ranks**2).sum()) - float((sums**2).sum())  # exact: quarters of integers
    df = (n_datasets - 1) * (n_algorithms - 1)
    pairs = compared(sums, sqrt(2 * room / df), control)  # Conover 1999, section 5.8
    return pairs_result(
        pairs,
        t_two_sided(pairs[2], df),
        adjust=adjust,
        positions=ranks.mean(axis=0),
        algorithms=names,
        method=f"Conover's t tests on ranks, {df} degrees of freedom",
        caveats=(ZERO_ERROR,) if np.isinf(pairs[2]).any() else (),
    )


@as_came_in
def dunn_pairs(
    scores: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    tie_correction: bool = True,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test all pairs of algorithms by their rank sums, each pair in both directions.

    Hypothesis: as in `rank_tests`.

    Formula: T = (R_a - R_b) / sqrt(S L (L + 1) / 6) with rank sums R, the root smaller where ranks tie as in
    `rank_tests`; a pair differs where abs(T) reaches the upper normal quantile at alpha / (L (L - 1)). Hence
    adjusted p = min(1, L (L - 1) P(Z >= abs(T))): Bonferroni over the L (L - 1) one-sided comparisons.

    Assumptions:

    1. Those of the Friedman test.
    2. Enough data sets for the normal approximation (ten or more).

    When not to use it: `rank_tests` with "holm" has the same T and rejects at least as much; against a
    control use `bonferroni_dunn`. It is here because Brazdil, Soares and Costa compare rankings with it.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    alpha : float, default 0.05
        For `critical_value` only; the p-values do not depend on it. Neave and Worthington recommend a larger
        one, such as 0.25, because all pairs share it.
    tie_correction : bool, default True
        As in `rank_tests`; False is the test as Neave and Worthington print it.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult
        `pvalue` is the two-sided p of the single T; `critical_value` is for abs(T).

    References
    ----------
    dunn1964
    neave1988
    brazdil2003

    Examples
    --------
    >>> result = dunn_pairs([[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 3, 4]], alpha=0.25)
    >>> result.statistic.round(2)  # Brazdil et al. 2003: T12 = -0.32, T14 = -2.53, critical 2.04
    array([-0.32, -1.58, -2.53, -1.26, -2.21, -0.95])
    >>> round(result.critical_value, 2)
    2.04
    """
    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    n_datasets, count = ranks.shape
    comparisons = count * (count - 1)
    error = standard_error_of(ranks, tie_correction=tie_correction)
    ties = ", corrected for ties" if error != rank_standard_error(count, n_datasets) else ""
    pairs = compared(ranks.sum(axis=0), n_datasets * error, None)  # Dunn 1964
    p = normal_two_sided(pairs[2])
    return pairs_result(
        pairs,
        p,
        adjusted=np.minimum(p / 2 * comparisons, 1.0),
        positions=ranks.mean(axis=0),
        algorithms=names,
        method=f"Dunn's test on ranks{ties}, Bonferroni over {comparisons} one-sided comparisons",
        critical_value=-float(special.ndtri(check_alpha(alpha) / comparisons)),
    )


MOST_STEPS = 60_000
"""With more possible differences than these the convolution takes seconds, and the normal approximation is exact."""


@as_came_in
def exact_rank_tests(
    scores: npt.ArrayLike,
    *,
    adjust: str = "holm",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test pairs of algorithms by the difference of their rank sums, with its exact distribution.

    Hypothesis: on every data set the scores are exchangeable, so that all orders of the algorithms are equally likely.

    Formula: d = R_a - R_b of the rank sums; ``p = P(|D| >= |d|)``, where D is the sum over data sets of the difference
    of two ranks drawn without replacement from those of the data set. Without ties a difference u has probability
    ``(L - |u|) / (L (L - 1))``; with ties the ranks that the data set has are drawn from. The distributions of the data
    sets are convolved; every term is positive, so that small p-values keep their digits.

    Assumptions:

    1. The data sets are independent of each other.
    2. Where no algorithm differs, all scores of a data set are exchangeable.

    When not to use it: with many data sets (`rank_tests` is then as good and quicker); where pairs should not depend
    on who else is in the table (`wilcoxon_pairs`).

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    adjust : str, default "holm"
        The name of a correction, as for `rank_tests`.
    control : int, optional
        Column to compare with all others; without it all pairs are tested.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult
        `statistic` is the difference of the rank sums, positive where b is the better one.

    References
    ----------
    eisinga2017

    Examples
    --------
    >>> exact_rank_tests([[1, 2, 3]] * 3, adjust="none").pvalue.round(4)
    array([0.3056, 0.0093, 0.3056])
    """
    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    check_correction(adjust, control)
    doubled = np.rint(2 * ranks).astype(np.int64)  # average ranks of ties are halves
    sums = doubled.sum(axis=0)
    a, b = pair_indices(len(names), control)
    difference = sums[a] - sums[b]
    return pairs_result(
        (a, b, difference / 2.0),
        _pvalues(doubled, np.abs(difference)),
        adjust=adjust,
        positions=ranks.mean(axis=0),
        algorithms=names,
        method="Exact tests of rank sums",
    )


def _pvalues(doubled: IntArray, distance: IntArray) -> FloatArray:
    """Return P(|D| >= distance) for each distance of rank sums, ranks doubled."""
    middle = 2 * (doubled.shape[1] - 1) * len(doubled)
    if middle > MOST_STEPS:
        raise InputError(
            f"{len(doubled)} data sets and {doubled.shape[1]} algorithms are too many for the exact distribution.",
            mend=f"Use {either('rank_tests', option(pairwise='ranks'))}.",
        )
    density = _density(doubled)
    upper = np.cumsum(density[middle:][::-1])[::-1]  # from the far end, so that small terms are not lost
    return floor_pvalue(np.where(distance == 0, 1.0, np.minimum(2 * upper[distance], 1.0)))  # Eisinga 2017, eq. 5


def _density(doubled: IntArray) -> FloatArray:
    """Convolve the differences of all data sets; those with the same ties share a distribution."""
    density = np.ones(1)
    for row, times in Counter(map(tuple, np.sort(doubled, axis=1).tolist())).items():
        density = np.convolve(density, _power(_step(np.array(row)), times))
    return density


def _step(row: IntArray) -> FloatArray:
    """Return how likely each difference of two ranks of one data set is, the middle being no difference."""
    reach = 2 * (len(row) - 1)
    apart = (row[:, None] - row)[~np.eye(len(row), dtype=bool)]
    return np.bincount(apart + reach, minlength=2 * reach + 1) / apart.size


def _power(density: FloatArray, times: int) -> FloatArray:
    """Convolve a distribution with itself, by squaring."""
    if times == 1:
        return density
    half = _power(density, times // 2)
    whole = np.convolve(half, half)
    return np.convolve(whole, density) if times % 2 else whole
