"""Which algorithms differ, after the Friedman test: z tests on mean ranks, Nemenyi, Bonferroni-Dunn."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, check_alpha, check_choice, check_matrix, check_names, readonly
from tiebreak.errors import OptionError
from tiebreak.stats.adjust import CORRECTIONS, bergmann_hommel, bonferroni
from tiebreak.stats.numeric.ranks import average_ranks
from tiebreak.stats.numeric.studentized_range import range_quantile, range_upper
from tiebreak.stats.numeric.tails import normal_two_sided
from tiebreak.stats.pairwise import PairwiseResult, check_control, check_correction, correction_name, pair_indices

_ROUGH = "{} data sets: the normal approximation of differences of mean ranks is rough below ten."


def rank_standard_error(n_algorithms: int, n_datasets: int) -> float:
    """Return the standard error of a difference of mean ranks, sqrt(L (L + 1) / (6 S))."""
    return sqrt(n_algorithms * (n_algorithms + 1) / (6 * n_datasets))


def rank_tests(
    scores: npt.ArrayLike,
    *,
    adjust: str = "holm",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test pairs of algorithms by the difference of their mean ranks.

    Hypothesis: for each pair, the two algorithms have the same expected rank.
    Formula: z = (R_a - R_b) / sqrt(L (L + 1) / (6 S)), two-sided normal, then the correction.

    Assumptions:

    1. Those of the Friedman test.
    2. Enough data sets for the normal approximation (ten or more).

    When not to use it: z depends on which other algorithms are in the table (Benavoli et al. 2016); to avoid
    that, test pairs by Wilcoxon signed ranks.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    adjust : str, default "holm"
        A correction by its name in `tiebreak.stats.CORRECTIONS`.
    control : int, optional
        Column to compare with all others; without it all pairs are tested.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult

    References
    ----------
    Demsar, J. (2006). JMLR 7, section 3.2.2. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)
    Garcia, S. and Herrera, F. (2008). JMLR 9, 2677-2694 (no DOI).

    Examples
    --------
    >>> from tiebreak.reading import published
    >>> table = published.demsar2006_ranks()  # ranks: lower is better
    >>> against_c45 = rank_tests(table.means("rank"), control=0, adjust="holm", algorithms=table.algorithms)
    >>> for row in against_c45.rows():
    ...     print(row["b"], round(row["statistic"], 3), round(row["pvalue"], 3))
    C4.5+cf 0.512 0.608
    C4.5+m 2.342 0.019
    C4.5+m+cf 2.415 0.016
    """
    mean_ranks, count, names = _ranked(scores, algorithms, higher_is_better=higher_is_better)
    check_choice("adjust", adjust, CORRECTIONS)
    return from_mean_ranks(mean_ranks, count, method=adjust, control=control, algorithms=names)


def _ranked(
    scores: npt.ArrayLike, algorithms: Sequence[str] | None, *, higher_is_better: bool
) -> tuple[FloatArray, int, tuple[str, ...]]:
    """Check a table; return its mean ranks, its number of data sets and the names of its algorithms."""
    matrix = check_matrix(scores)
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    return average_ranks(-matrix if higher_is_better else matrix).mean(axis=0), len(matrix), names


def nemenyi(
    scores: npt.ArrayLike, *, higher_is_better: bool = False, algorithms: Sequence[str] | None = None
) -> PairwiseResult:
    """Test all pairs by the range of the mean ranks.

    Hypothesis: for each pair, the two algorithms have the same expected rank; the family-wise error over all
    pairs is kept at alpha when all algorithms are equal.
    Formula: p = P(range of L standard normals >= sqrt(2) |z|), with z as in `rank_tests`: infinite degrees
    of freedom, and full relative accuracy in the far tail.

    Assumptions: as in `rank_tests`.
    When not to use it: against a control only (`bonferroni_dunn` has more power), or where more power is
    wanted for all pairs (Holm, Shaffer, Bergmann-Hommel).

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult

    References
    ----------
    Nemenyi, P. B. (1963). Distribution-free multiple comparisons. PhD thesis, Princeton (no DOI).
    Demsar, J. (2006). JMLR 7, section 3.2.2. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

    Examples
    --------
    >>> nemenyi([[1, 2, 3]] * 6).adjusted.round(4)
    array([0.1932, 0.0015, 0.1932])
    """
    mean_ranks, count, names = _ranked(scores, algorithms, higher_is_better=higher_is_better)
    return from_mean_ranks(mean_ranks, count, method="nemenyi", algorithms=names)


def bonferroni_dunn(
    scores: npt.ArrayLike,
    *,
    control: int,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test every algorithm against a control by the difference of mean ranks.

    Hypothesis: for each other algorithm, it and the control have the same expected rank.
    Formula: z as in `rank_tests`; adjusted p = min(1, (L - 1) p).
    Assumptions: as in `rank_tests`.
    When not to use it: Holm against the control (`rank_tests(..., control=...)`) rejects at least as much; this one
    has a single critical difference that can be drawn.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    control : int
        The column of the control.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult

    References
    ----------
    Dunn, O. J. (1961). doi:10.1080/01621459.1961.10482090
    Demsar, J. (2006). JMLR 7, section 3.2.2. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

    Examples
    --------
    >>> bonferroni_dunn([[1, 2, 3]] * 6, control=0).adjusted.round(4)
    array([0.1665, 0.0011])
    """
    mean_ranks, count, names = _ranked(scores, algorithms, higher_is_better=higher_is_better)
    return from_mean_ranks(mean_ranks, count, method="bonferroni-dunn", control=control, algorithms=names)


def from_mean_ranks(
    mean_ranks: FloatArray,
    n_datasets: int,
    *,
    method: str,
    algorithms: tuple[str, ...],
    control: int | None = None,
) -> PairwiseResult:
    """Compute any of the rank post hoc tests from mean ranks; `method` is its command-line name."""
    count = len(mean_ranks)
    a, b = pair_indices(count, check_control(control, count))
    z = (mean_ranks[a] - mean_ranks[b]) / rank_standard_error(count, n_datasets)
    p = normal_two_sided(z)
    if method == "nemenyi":
        adjusted = range_upper(np.abs(z) * sqrt(2), count)
        label = "Nemenyi test (infinite degrees of freedom)"
    elif method == "bonferroni-dunn":
        adjusted, label = bonferroni(p), "Bonferroni-Dunn test against the control"
    else:
        check_correction(method, control)
        exact = method == "bergmann-hommel"
        adjusted = bergmann_hommel(p, positions=mean_ranks) if exact else CORRECTIONS[method](p)
        label = f"z tests on mean ranks {correction_name(method)}"
    return PairwiseResult(
        a=readonly(a),
        b=readonly(b),
        statistic=readonly(z),
        pvalue=readonly(p),
        adjusted=readonly(adjusted),
        algorithms=algorithms,
        method=label,
        caveats=(_ROUGH.format(n_datasets),) if n_datasets < 10 else (),
    )


def nemenyi_cd(*, n_algorithms: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Return the critical difference of mean ranks of the Nemenyi test.

    Hypothesis: two algorithms whose mean ranks differ by at least this much differ at level alpha.
    Formula: q / sqrt(2) * sqrt(L (L + 1) / (6 S)), q the upper quantile of the range of L normals.
    Assumptions and when not to use it: as for `nemenyi`.

    References
    ----------
    Demsar, J. (2006). JMLR 7, section 3.2.2. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

    Examples
    --------
    >>> round(nemenyi_cd(n_algorithms=4, n_datasets=14), 2)
    1.25
    """
    _check_counts(n_algorithms, n_datasets)
    quantile = range_quantile(check_alpha(alpha), n_algorithms) / sqrt(2)
    return quantile * rank_standard_error(n_algorithms, n_datasets)


def bonferroni_dunn_cd(*, n_algorithms: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Return the critical difference of mean ranks of the Bonferroni-Dunn test against a control.

    Hypothesis: an algorithm whose mean rank differs from the control's by at least this much differs at alpha.
    Formula: z(1 - alpha / (2 (L - 1))) * sqrt(L (L + 1) / (6 S)).
    Assumptions and when not to use it: as for `bonferroni_dunn`.

    References
    ----------
    Demsar, J. (2006). JMLR 7, section 3.2.2. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

    Examples
    --------
    >>> round(bonferroni_dunn_cd(n_algorithms=4, n_datasets=14), 2)
    1.17
    """
    _check_counts(n_algorithms, n_datasets)
    quantile = -float(special.ndtri(check_alpha(alpha) / (2 * (n_algorithms - 1))))
    return quantile * rank_standard_error(n_algorithms, n_datasets)


def _check_counts(n_algorithms: int, n_datasets: int) -> None:
    if n_algorithms < 2 or n_datasets < 1:
        raise OptionError(
            f"There are {n_algorithms} algorithm(s) and {n_datasets} data set(s).",
            why="A difference of mean ranks needs two algorithms and a data set.",
            mend="Pass n_algorithms of at least 2 and n_datasets of at least 1.",
        )
