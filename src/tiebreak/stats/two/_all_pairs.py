"""Many data sets, every pair of algorithms, each by a test of two: signed ranks, sign test, paired t."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from tiebreak._checks import (
    BoolArray,
    FloatArray,
    IntArray,
    check_choice,
    check_matrix,
    check_names,
    readonly,
)
from tiebreak._show import Row
from tiebreak.stats.folds._sums import every_pair, mean_outcome
from tiebreak.stats.numeric.scale import SUMS, check_squares, rescaled
from tiebreak.stats.pairwise import PairwiseResult, pair_indices
from tiebreak.stats.two._shared import (
    DISTRIBUTIONS,
    PAST,
    TIES,
    ZEROS,
    exact_where,
    pairs_caveats,
    sign_pvalues,
    t_caveats,
    wilcoxon_label,
)
from tiebreak.stats.two.signed_rank import pair_blocks, rank_sums, tail_pvalues, z_scores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SignedRankPairs(PairwiseResult):
    """Signed ranks tests of all pairs; `statistic` is z, `exact` says per pair which distribution gave p.

    `r_plus` sums the ranks of the data sets on which b is better, `r_minus` those on which a is.
    """

    r_plus: FloatArray
    r_minus: FloatArray
    n_used: IntArray
    exact: BoolArray

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        more = zip(self.r_plus.tolist(), self.r_minus.tolist(), self.exact.tolist(), strict=True)
        return [
            {**row, "r_plus": plus, "r_minus": minus, "exact": exact}
            for row, (plus, minus, exact) in zip(PairwiseResult.rows(self), more, strict=True)
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SignPairs(PairwiseResult):
    """Sign tests of all pairs; `statistic` is wins of b minus wins of a, before ties are split or dropped."""

    wins_a: IntArray
    wins_b: IntArray
    ties: IntArray

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        more = zip(self.wins_a.tolist(), self.wins_b.tolist(), self.ties.tolist(), strict=True)
        return [
            {**row, "wins_a": a, "wins_b": b, "ties": ties}
            for row, (a, b, ties) in zip(PairwiseResult.rows(self), more, strict=True)
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairedTPairs(PairwiseResult):
    """Paired t tests of all pairs; `statistic` is t, `mean_difference` that of a minus b."""

    mean_difference: FloatArray
    df: int

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        return [
            {**row, "mean_difference": mean}
            for row, mean in zip(PairwiseResult.rows(self), self.mean_difference.tolist(), strict=True)
        ]


def wilcoxon_pairs(
    scores: npt.ArrayLike,
    *,
    zeros: str = "split",
    method: str = "auto",
    continuity: bool = False,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> SignedRankPairs:
    """Test every pair of algorithms by signed ranks over the data sets, two-sided.

    Hypothesis: for each pair, the differences are symmetric about zero.
    Formula, assumptions and when not to use it: as for `tiebreak.stats.wilcoxon`, pair by pair; unlike tests on
    mean ranks, a pair's answer does not depend on the other algorithms in the table.
    The p-values are not corrected for their number: `adjusted` is a copy of `pvalue`.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    zeros : {"split", "drop", "pratt"}
    method : {"auto", "exact", "asymptotic"}
        "auto" decides for each pair: exact up to 50 differences that are not zero.
    continuity : bool, default False
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    SignedRankPairs

    References
    ----------
    Wilcoxon, F. (1945). doi:10.2307/3001968
    Benavoli, A., Corani, G. and Mangili, F. (2016). Should we really use post-hoc tests based on mean-ranks?
    JMLR 17(5), 1-10. https://www.jmlr.org/papers/v17/benavoli16a.html (no DOI)

    Examples
    --------
    >>> pairs = wilcoxon_pairs([[1, 2, 3], [1, 3, 2], [1, 4, 6], [2, 6, 7], [3, 8, 10], [1, 7, 8]])
    >>> pairs.pvalue, pairs.r_minus
    (array([0.03125, 0.03125, 0.15625]), array([21. , 21. , 18.5]))
    """
    check_choice("zeros", zeros, ZEROS)
    check_choice("method", method, DISTRIBUTIONS)
    matrix = check_matrix(scores, min_rows=1)
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    a, b = pair_indices(matrix.shape[1])
    table = _signed_rank_table(matrix, len(a), zeros=zeros, method=method, continuity=continuity)
    plus, minus = (table["minus"], table["plus"]) if higher_is_better else (table["plus"], table["minus"])
    n_used = table["used"].astype(np.int64)
    exact = exact_where(n_used, method)
    return SignedRankPairs(
        a=readonly(a),
        b=readonly(b),
        statistic=readonly(-table["z"] + 0.0 if higher_is_better else table["z"]),
        pvalue=readonly(table["pvalue"]),
        adjusted=readonly(table["pvalue"]),
        algorithms=names,
        method=wilcoxon_label(zeros, exact, continuity=continuity),
        caveats=pairs_caveats(n_used, len(matrix) - n_used, zeros),
        r_plus=readonly(plus),
        r_minus=readonly(minus),
        n_used=readonly(n_used),
        exact=readonly(exact),
    )


def sign_pairs(
    scores: npt.ArrayLike,
    *,
    ties: str = "split",
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> SignPairs:
    """Test every pair of algorithms by counting wins over the data sets, two-sided.

    Hypothesis: for each pair, each of the two is as likely to be the better one on a data set.
    Formula, assumptions and when not to use it: as for `tiebreak.stats.sign_test`, pair by pair.
    The p-values are not corrected for their number: `adjusted` is a copy of `pvalue`.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    ties : {"split", "drop"}
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    SignPairs

    References
    ----------
    Demsar, J. (2006). JMLR 7, section 3.1.4. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

    Examples
    --------
    >>> pairs = sign_pairs([[1, 2, 3], [1, 3, 2], [1, 4, 6], [2, 6, 7], [3, 8, 10], [1, 7, 8]])
    >>> pairs.wins_a, pairs.pvalue
    (array([6, 6, 5]), array([0.03125, 0.03125, 0.21875]))
    """
    check_choice("ties", ties, TIES)
    matrix = check_matrix(scores, min_rows=1)
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    a, b = pair_indices(matrix.shape[1])
    wins_a, wins_b = np.empty(len(a), dtype=np.int64), np.empty(len(a), dtype=np.int64)
    (near,), _ = rescaled(matrix, reach=SUMS)
    for place, d in pair_blocks((-near if higher_is_better else near).T):
        wins_a[place], wins_b[place] = np.count_nonzero(d < 0, axis=-1), np.count_nonzero(d > 0, axis=-1)
    tied = len(matrix) - wins_a - wins_b
    half = tied // 2 if ties == "split" else 0 * tied
    pvalue = sign_pvalues(wins_a + half, wins_b + half, alternative="two-sided")
    return SignPairs(
        a=readonly(a),
        b=readonly(b),
        statistic=readonly((wins_b - wins_a).astype(np.float64)),
        pvalue=readonly(pvalue),
        adjusted=readonly(pvalue),
        algorithms=names,
        method=f"Sign test, exact binomial, ties {PAST[ties]}",
        caveats=pairs_caveats(wins_a + wins_b, tied, ties),
        wins_a=readonly(wins_a),
        wins_b=readonly(wins_b),
        ties=readonly(tied),
    )


def paired_t_pairs(
    scores: npt.ArrayLike, *, higher_is_better: bool = False, algorithms: Sequence[str] | None = None
) -> PairedTPairs:
    """Test every pair of algorithms by a paired t test over the data sets, two-sided.

    Hypothesis: for each pair, the expected difference is zero.
    Formula, assumptions and when not to use it: as for `tiebreak.stats.paired_t`, pair by pair.
    The p-values are not corrected for their number: `adjusted` is a copy of `pvalue`.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite, at least two data sets.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairedTPairs

    References
    ----------
    Demsar, J. (2006). JMLR 7, section 3.1.2. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

    Examples
    --------
    >>> paired_t_pairs([[1, 2, 3], [1, 3, 2], [1, 4, 6], [2, 6, 7]]).pvalue.round(4)
    array([0.0305, 0.0511, 0.3189])
    """
    matrix = check_matrix(scores)
    check_squares(matrix, what="scores")
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    a, b = pair_indices(matrix.shape[1])
    kernel = partial(mean_outcome, factor=1 / len(matrix))
    (near,), exponent = rescaled(matrix)
    outcome = every_pair(near[:, None, :], a, b, kernel)
    t, pvalue = outcome.statistic[0], outcome.pvalue[0]
    return PairedTPairs(
        a=readonly(a),
        b=readonly(b),
        statistic=readonly(-t + 0.0 if higher_is_better else t),
        pvalue=readonly(pvalue),
        adjusted=readonly(pvalue),
        algorithms=names,
        method="Paired t test over data sets",
        caveats=t_caveats(int(outcome.identical.sum()), int(np.isinf(t).sum()), len(a)),
        mean_difference=readonly(np.ldexp(outcome.mean[0], exponent[0])),
        df=len(matrix) - 1,
    )


def _signed_rank_table(
    matrix: FloatArray, n_pairs: int, *, zeros: str, method: str, continuity: bool
) -> dict[str, FloatArray]:
    """Rank the differences of all pairs block by block; plus is where the first score is higher."""
    table = {name: np.empty(n_pairs) for name in ("plus", "minus", "z", "used", "pvalue")}
    (near,), _ = rescaled(matrix, reach=SUMS)
    for place, d in pair_blocks(near.T):
        sums = rank_sums(d, zeros=zeros)
        exact = exact_where(sums.used, method)
        table["plus"][place], table["minus"][place], table["used"][place] = sums.plus, sums.minus, sums.used
        table["z"][place] = z_scores(sums)
        table["pvalue"][place] = tail_pvalues(sums, exact, alternative="two-sided", continuity=continuity)
    return table
