"""Two algorithms over many data sets, by counting wins: the sign test, of one pair and of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, check_choice, readonly
from tiebreak.documents import as_came_in
from tiebreak.stats.numeric.tails import floor_pvalue, half_binomial_lower
from tiebreak.stats.pairwise import PairwiseResult, pair_fields, pair_indices
from tiebreak.stats.two._shared import (
    ALTERNATIVES,
    PAST,
    OnePair,
    few_caveats,
    pairs_caveats,
    toward_b,
    whole_table,
)
from tiebreak.stats.two.signed_rank import pair_blocks

TIES = ("split", "drop")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SignResult(OnePair):
    """What the sign test found: `b` counts as better on `counted_b` of `n_used` data sets.

    `wins_a`, `wins_b` and `ties` are the counts before ties are split or dropped; `statistic` is wins of b
    minus wins of a.
    """

    COLUMNS = ("wins_a", "wins_b", "ties", "pvalue")

    counted_a: int
    counted_b: int
    n_used: int
    wins_a: int
    wins_b: int
    ties: int

    def title(self) -> str:
        """Say in one line what was found."""
        return f"{self.method}: b better on {self.counted_b} of {self.n_used}, p = {self.pvalue:.4g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SignPairs(PairwiseResult):
    """Sign tests of all pairs; `statistic` is wins of b minus wins of a, before ties are split or dropped."""

    COLUMNS = (*PairwiseResult.COLUMNS, "wins_a", "wins_b", "ties")

    wins_a: IntArray
    wins_b: IntArray
    ties: IntArray


@as_came_in
def sign_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike | None = None,
    *,
    ties: str = "split",
    alternative: str = "two-sided",
    higher_is_better: bool = False,
) -> SignResult:
    """Test by counting wins whether one of two algorithms tends to be better.

    Hypothesis: P(a better) = P(b better) on a data set; nothing is said of how often they tie.

    Formula: with w_a and w_b the wins counted for each, n = w_a + w_b and k = min(w_a, w_b),
    p = min(1, 2 P(X <= k)) for X binomial(n, 1/2), k itself included. With ties="split" each algorithm gets half
    of the ties as wins, and of an odd number of ties one is dropped first (Demsar).

    Assumptions:

    1. The data sets are independent.
    2. Nothing is assumed about the size of the differences.

    When not to use it: where the sizes of the differences can be compared between data sets; `wilcoxon` has
    much more power then. With many ties (scores of 0 and 1), splitting them hides what the others show: use
    ties="drop", which is then McNemar's exact test.

    Degenerate input: no data set with a difference, or one data set, gives p = 1. Scores that agree in twelve
    significant digits are tied.

    Parameters
    ----------
    a, b : array_like, one-dimensional
        Scores on the same data sets. Without `b`, `a` holds the differences (first minus second); rounding
        noise is then judged beside the largest of them.
    ties : {"split", "drop"}
        What becomes of data sets without a difference: "split" as in Demsar (2006), "drop" is the exact test
        given that there is a difference; for scores of 0 and 1, McNemar's on the discordant ones.
    alternative : {"two-sided", "a-better", "b-better"}
    higher_is_better : bool, default False

    Returns
    -------
    SignResult

    References
    ----------
    demsar2006, section 3.1.4
    dixon1946
    mcnemar1947

    Examples
    --------
    >>> result = sign_test([-1] * 10 + [1] * 2 + [0] * 2, higher_is_better=True)  # Demsar's Table 2
    >>> result.counted_b, result.n_used, round(result.pvalue, 5)
    (11, 14, 0.05737)
    """
    check_choice("ties", ties, TIES)
    check_choice("alternative", alternative, ALTERNATIVES)
    d = toward_b(a, b, higher_is_better=higher_is_better)
    wins_b, wins_a = int((d > 0).sum()), int((d < 0).sum())
    tied = d.size - wins_a - wins_b
    half = tied // 2 if ties == "split" else 0
    pvalue = float(sign_pvalues(wins_a + half, wins_b + half, alternative=alternative))
    n_used = wins_a + wins_b + 2 * half
    return SignResult(
        statistic=float(wins_b - wins_a),
        pvalue=pvalue,
        counted_a=wins_a + half,
        counted_b=wins_b + half,
        n_used=n_used,
        wins_a=wins_a,
        wins_b=wins_b,
        ties=tied,
        alternative=alternative,
        method=f"Sign test, exact binomial, ties {PAST[ties]}",
        caveats=few_caveats(wins_a + wins_b, tied, ties, alternative),
    )


@as_came_in
def sign_pairs(
    scores: npt.ArrayLike,
    *,
    ties: str = "split",
    adjust: str = "none",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> SignPairs:
    """Test every pair of algorithms by counting wins over the data sets, two-sided.

    Hypothesis: for each pair, P(a better) = P(b better) on a data set.
    Formula, assumptions and when not to use it: as for `tiebreak.stats.sign_test`, pair by pair.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    ties : {"split", "drop"}
    adjust : str, default "none"
        The name of a correction, as for `rank_tests`. By default the p-values are not corrected for their number:
        `adjusted` is a copy of `pvalue`.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs are tested.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    SignPairs

    References
    ----------
    demsar2006, section 3.1.4

    Examples
    --------
    >>> pairs = sign_pairs([[1, 2, 3], [1, 3, 2], [1, 4, 6], [2, 6, 7], [3, 8, 10], [1, 7, 8]])
    >>> pairs.wins_a, pairs.pvalue
    (array([6, 6, 5]), array([0.03125, 0.03125, 0.21875]))
    """
    check_choice("ties", ties, TIES)
    matrix, names = whole_table(scores, algorithms, adjust, control)
    a, b = pair_indices(len(names), control)
    wins_a, wins_b = np.empty(len(a), dtype=np.int64), np.empty(len(a), dtype=np.int64)
    for place, d in pair_blocks(-matrix.T if higher_is_better else matrix.T, control=control):
        wins_a[place], wins_b[place] = np.count_nonzero(d < 0, axis=-1), np.count_nonzero(d > 0, axis=-1)
    tied = len(matrix) - wins_a - wins_b
    half = tied // 2 if ties == "split" else 0 * tied
    fields = pair_fields(
        (a, b, (wins_b - wins_a).astype(np.float64)),
        sign_pvalues(wins_a + half, wins_b + half, alternative="two-sided"),
        adjust=adjust,
        algorithms=names,
        method=f"Sign test, exact binomial, ties {PAST[ties]}",
        caveats=pairs_caveats(wins_a + wins_b, tied, ties),
    )
    return SignPairs(**fields, wins_a=readonly(wins_a), wins_b=readonly(wins_b), ties=readonly(tied))


def sign_pvalues(counted_a: npt.ArrayLike, counted_b: npt.ArrayLike, *, alternative: str) -> FloatArray:
    """P-values of the sign test from the wins that count for each side."""
    a, b = np.asarray(counted_a, dtype=np.float64), np.asarray(counted_b, dtype=np.float64)
    if alternative == "two-sided":
        return floor_pvalue(2.0 * half_binomial_lower(np.minimum(a, b), a + b))  # Dixon and Mood 1946
    return floor_pvalue(half_binomial_lower(a if alternative == "b-better" else b, a + b))
