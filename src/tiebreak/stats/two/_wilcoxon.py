"""Two algorithms over many data sets, by signed ranks: Wilcoxon's test, of one pair and of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice
from tiebreak.documents import as_came_in
from tiebreak.stats.pairwise import PairwiseResult, pair_fields, pair_indices
from tiebreak.stats.telling import frozen
from tiebreak.stats.two._shared import (
    ALTERNATIVES,
    PAST,
    OnePair,
    few_caveats,
    pairs_caveats,
    toward_b,
    whole_table,
)
from tiebreak.stats.two.signed_rank import exact_where, pair_blocks, rank_sums, tail_pvalues, z_scores

ZEROS = ("split", "drop", "pratt")
DISTRIBUTIONS = ("auto", "exact", "asymptotic")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WilcoxonResult(OnePair):
    """What the signed ranks test found: `statistic` is T, the smaller of the two rank sums.

    `r_plus` sums the ranks of the data sets on which b is better, `r_minus` those on which a is (Demsar's R+
    and R-); `z` is positive where b is better; `exact` says which distribution gave the p-value.
    """

    COLUMNS = ("r_plus", "r_minus", "n_used", "pvalue")

    r_plus: float
    r_minus: float
    z: float
    exact: bool
    n_used: int
    zeros: int

    def title(self) -> str:
        """Say in one line what was found."""
        return f"{self.method}: T = {self.statistic:g}, z = {self.z:.4g}, p = {self.pvalue:.4g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SignedRankPairs(PairwiseResult):
    """Signed ranks tests of all pairs; `statistic` is z, `exact` says per pair which distribution gave p.

    `r_plus` sums the ranks of the data sets on which b is better, `r_minus` those on which a is.
    """

    COLUMNS = (*PairwiseResult.COLUMNS, "r_plus", "r_minus", "exact")

    r_plus: FloatArray
    r_minus: FloatArray
    n_used: IntArray
    exact: BoolArray


@as_came_in
def wilcoxon(
    a: npt.ArrayLike,
    b: npt.ArrayLike | None = None,
    *,
    zeros: str = "split",
    method: str = "auto",
    alternative: str = "two-sided",
    continuity: bool = False,
    higher_is_better: bool = False,
) -> WilcoxonResult:
    """Test by signed ranks whether one of two algorithms tends to be better.

    Hypothesis: the differences are symmetric about zero.

    Formula: rank the differences by size, ties with their average rank; R+ sums the ranks where b is better, R-
    those where a is. exact: every choice of signs of the differences that are not zero is equally likely, and p is
    the share of choices at least as uneven, counted over the ranks as they are, so also with ties.
    asymptotic: z = (R+ - R-) / sqrt(sum of squared ranks) is normal, which is the tie-corrected variance.

    Assumptions:

    1. The data sets are independent.
    2. Differences can be ordered by size between data sets, and are symmetric under the hypothesis.

    When not to use it: where a difference of 0.01 does not mean the same on different data sets
    (`sign_test`); on the folds of one data set, which are not independent; to speak of medians where differences are
    skewed, since it rejects symmetry about 0 and not a median of 0.

    Degenerate input: no data set with a difference, or one data set, gives p = 1. Differences that agree in
    twelve significant digits of the scores are tied, and below those digits they are zero.

    Parameters
    ----------
    a, b : array_like, one-dimensional
        Scores on the same data sets. Without `b`, `a` holds the differences (first minus second); rounding
        noise is then judged beside the largest of them.
    zeros : {"split", "drop", "pratt"}
        "split" ranks the zeros and gives each side half of their ranks, dropping one zero of an odd number
        (Demsar); "drop" removes them before ranking (Wilcoxon); "pratt" ranks them and then leaves them out.
    method : {"auto", "exact", "asymptotic"}
        "auto" is exact up to 50 differences that are not zero, with ties or without.
    alternative : {"two-sided", "a-better", "b-better"}
    continuity : bool, default False
        Whether the normal approximation moves R+ half a rank towards its mean. Off as in Demsar; on, the test
        becomes slightly conservative.
    higher_is_better : bool, default False

    Returns
    -------
    WilcoxonResult

    References
    ----------
    wilcoxon1945
    pratt1959
    demsar2006, section 3.1.3

    Examples
    --------
    >>> c45 = [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .94, .619, .972, .957]
    >>> c45m = [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978]
    >>> result = wilcoxon(c45, c45m, higher_is_better=True)  # Demsar's Table 2
    >>> result.r_plus, result.r_minus, round(result.pvalue, 5), result.exact
    (93.0, 12.0, 0.00781, True)
    """
    check_choice("zeros", zeros, ZEROS)
    check_choice("method", method, DISTRIBUTIONS)
    check_choice("alternative", alternative, ALTERNATIVES)
    d = toward_b(a, b, higher_is_better=higher_is_better)
    sums = rank_sums(d[None, :], zeros=zeros)
    exact = exact_where(sums.used, method)
    pvalue = tail_pvalues(sums, exact, alternative=alternative, continuity=continuity)
    plus, minus = float(sums.plus[0]), float(sums.minus[0])
    return WilcoxonResult(
        statistic=min(plus, minus),
        pvalue=float(pvalue[0]),
        r_plus=plus,
        r_minus=minus,
        z=float(z_scores(sums)[0]),
        exact=bool(exact[0]),
        n_used=int(sums.used[0]),
        zeros=int(sums.zeros[0]),
        alternative=alternative,
        method=wilcoxon_label(zeros, exact, continuity=continuity),
        caveats=few_caveats(sums.used[0], sums.zeros[0], zeros, alternative, exact=bool(exact[0])),
    )


@as_came_in
def wilcoxon_pairs(
    scores: npt.ArrayLike,
    *,
    zeros: str = "split",
    method: str = "auto",
    continuity: bool = False,
    adjust: str = "none",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> SignedRankPairs:
    """Test every pair of algorithms by signed ranks over the data sets, two-sided.

    Hypothesis: for each pair, the differences are symmetric about zero.
    Formula, assumptions and when not to use it: as for `tiebreak.stats.wilcoxon`, pair by pair; unlike tests on
    mean ranks, a pair's answer does not depend on the other algorithms in the table.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    zeros : {"split", "drop", "pratt"}
    method : {"auto", "exact", "asymptotic"}
        "auto" decides for each pair: exact up to 50 differences that are not zero.
    continuity : bool, default False
    adjust : str, default "none"
        The name of a correction, as for `rank_tests`. By default the p-values are not corrected for their number:
        `adjusted` is a copy of `pvalue`.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs are tested.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    SignedRankPairs

    References
    ----------
    wilcoxon1945
    benavoli2016

    Examples
    --------
    >>> pairs = wilcoxon_pairs([[1, 2, 3], [1, 3, 2], [1, 4, 6], [2, 6, 7], [3, 8, 10], [1, 7, 8]])
    >>> pairs.pvalue, pairs.r_minus
    (array([0.03125, 0.03125, 0.15625]), array([21. , 21. , 18.5]))
    """
    check_choice("zeros", zeros, ZEROS)
    check_choice("method", method, DISTRIBUTIONS)
    matrix, names = whole_table(scores, algorithms, adjust, control)
    a, b = pair_indices(len(names), control)
    table = {name: np.empty(len(a)) for name in ("plus", "minus", "z", "used", "pvalue")}
    # Blocks of pairs keep the ranks of all pairs from lying in memory at once.
    for place, d in pair_blocks(-matrix.T if higher_is_better else matrix.T, control=control):
        sums = rank_sums(d, zeros=zeros)
        exact = exact_where(sums.used, method)
        table["plus"][place], table["minus"][place], table["used"][place] = sums.plus, sums.minus, sums.used
        table["z"][place] = z_scores(sums)
        table["pvalue"][place] = tail_pvalues(sums, exact, alternative="two-sided", continuity=continuity)
    n_used = table["used"].astype(np.int64)
    exact = exact_where(n_used, method)
    fields = pair_fields(
        (a, b, table["z"]),
        table["pvalue"],
        adjust=adjust,
        algorithms=names,
        method=wilcoxon_label(zeros, exact, continuity=continuity),
        caveats=pairs_caveats(n_used, len(matrix) - n_used, zeros),
        **frozen(r_plus=table["plus"], r_minus=table["minus"], n_used=n_used, exact=exact),
    )
    return SignedRankPairs(**fields)


def wilcoxon_label(zeros: str, exact: BoolArray, *, continuity: bool) -> str:
    """Name the test as it was computed, counting the pairs if both distributions were used."""
    normal = f"normal approximation {'with' if continuity else 'without'} continuity correction"
    name = f"Wilcoxon signed ranks test, zeros {PAST[zeros]}"
    if bool(exact.all()):
        return f"{name}, exact"
    if not bool(exact.any()):
        return f"{name}, {normal}"
    return f"{name}, exact for {int(exact.sum())} of {exact.size} pairs, {normal} for the others"
