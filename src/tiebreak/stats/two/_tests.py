"""Many data sets, two algorithms: the sign test, Wilcoxon's signed ranks test, and the paired t test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import check_choice
from tiebreak._show import Row, Shown
from tiebreak.stats.folds._sums import mean_outcome, squared_length
from tiebreak.stats.numeric.scale import check_squares, rescaled
from tiebreak.stats.two._shared import (
    ALTERNATIVES,
    DISTRIBUTIONS,
    PAST,
    TIES,
    ZEROS,
    both_scores,
    exact_where,
    few_caveats,
    sign_pvalues,
    t_caveats,
    t_pvalue,
    toward_b,
    wilcoxon_label,
)
from tiebreak.stats.two.signed_rank import rank_sums, tail_pvalues, z_scores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SignResult(Shown):
    """What the sign test found: `b` counts as better on `counted_b` of `n_used` data sets.

    `wins_a`, `wins_b` and `ties` are the counts before ties are split or dropped; `statistic` is wins of b
    minus wins of a.
    """

    statistic: float
    pvalue: float
    counted_a: int
    counted_b: int
    n_used: int
    wins_a: int
    wins_b: int
    ties: int
    alternative: str
    method: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was found."""
        return f"{self.method}: b better on {self.counted_b} of {self.n_used}, p = {self.pvalue:.4g}"

    def rows(self) -> list[Row]:
        """Return the one row of counts."""
        return [{"wins_a": self.wins_a, "wins_b": self.wins_b, "ties": self.ties, "pvalue": self.pvalue}]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WilcoxonResult(Shown):
    """What the signed ranks test found: `statistic` is T, the smaller of the two rank sums.

    `r_plus` sums the ranks of the data sets on which b is better, `r_minus` those on which a is (Demsar's R+
    and R-); `z` is positive where b is better; `exact` says which distribution gave the p-value.
    """

    statistic: float
    pvalue: float
    r_plus: float
    r_minus: float
    z: float
    exact: bool
    n_used: int
    zeros: int
    alternative: str
    method: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was found."""
        return f"{self.method}: T = {self.statistic:g}, z = {self.z:.4g}, p = {self.pvalue:.4g}"

    def rows(self) -> list[Row]:
        """Return the one row of rank sums."""
        return [{"r_plus": self.r_plus, "r_minus": self.r_minus, "n_used": self.n_used, "pvalue": self.pvalue}]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairedTResult(Shown):
    """What the paired t test found: `statistic` is positive where b is better.

    `mean_difference` is that of a minus b, whatever direction is better.
    """

    statistic: float
    pvalue: float
    df: int
    mean_difference: float
    alternative: str
    method: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was found."""
        return f"{self.method}: t = {self.statistic:.5g}, df {self.df}, p = {self.pvalue:.4g}"

    def rows(self) -> list[Row]:
        """Return the one row of results."""
        return [{"mean_difference": self.mean_difference, "statistic": self.statistic, "pvalue": self.pvalue}]


def sign_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike | None = None,
    *,
    ties: str = "split",
    alternative: str = "two-sided",
    higher_is_better: bool = False,
) -> SignResult:
    """Test by counting wins whether one of two algorithms tends to be better.

    Hypothesis: on a data set each of the two is as likely to be the better one.

    Formula: with w_a and w_b the wins counted for each, n = w_a + w_b and k = min(w_a, w_b),
    p = min(1, 2 P(X <= k)) for X binomial(n, 1/2), k itself included. With ties="split" each algorithm gets half
    of the ties as wins, and of an odd number of ties one is dropped first (Demsar).

    Assumptions:

    1. The data sets are independent.
    2. Nothing is assumed about the size of the differences.

    When not to use it: where the sizes of the differences can be compared between data sets; `wilcoxon` has
    much more power then.

    Degenerate input: no data set with a difference, or one data set, gives p = 1. Scores that agree in twelve
    significant digits are tied.

    Parameters
    ----------
    a, b : array_like, one-dimensional
        Scores on the same data sets. Without `b`, `a` holds the differences (first minus second); rounding
        noise is then judged beside the largest of them.
    ties : {"split", "drop"}
        What becomes of data sets without a difference: "split" as in Demsar (2006), "drop" is the exact test
        given that there is a difference.
    alternative : {"two-sided", "a-better", "b-better"}
    higher_is_better : bool, default False

    Returns
    -------
    SignResult

    References
    ----------
    Demsar, J. (2006). JMLR 7, section 3.1.4. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)
    Dixon, W. J. and Mood, A. M. (1946). doi:10.1080/01621459.1946.10501898

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
    (`sign_test`); on the folds of one data set, which are not independent.

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
    Wilcoxon, F. (1945). doi:10.2307/3001968
    Pratt, J. W. (1959). doi:10.1080/01621459.1959.10501526
    Demsar, J. (2006). JMLR 7, section 3.1.3. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

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


def paired_t(
    a: npt.ArrayLike,
    b: npt.ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    higher_is_better: bool = False,
) -> PairedTResult:
    """Test by the mean difference over the data sets whether two algorithms differ.

    Hypothesis: the expected difference is zero.
    Formula: t = dbar / sqrt(s^2 / n) over n data sets, on n - 1 degrees of freedom.

    Assumptions:

    1. The data sets are independent.
    2. Differences are commensurable: the mean over data sets means something.
    3. They are normal, or there are about 30 of them.

    When not to use it: with outliers, or scores of different scales (such as RMSE on unlike targets): one
    data set then decides. `wilcoxon` is safer and hardly weaker.

    Degenerate input: no difference on any data set gives t = 0 and p = 1; the same difference, not zero, on
    all of them gives an infinite t and the smallest p-value that is reported, with a caveat.

    Parameters
    ----------
    a, b : array_like, one-dimensional
        Scores on the same data sets, at least two. Without `b`, `a` holds the differences (first minus second).
    alternative : {"two-sided", "a-better", "b-better"}
    higher_is_better : bool, default False

    Returns
    -------
    PairedTResult

    References
    ----------
    Student (1908). doi:10.1093/biomet/6.1.1
    Demsar, J. (2006). JMLR 7, section 3.1.2. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

    Examples
    --------
    >>> result = paired_t([0.9, 0.8, 0.85, 0.9], [0.8, 0.75, 0.85, 0.85], higher_is_better=True)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (-2.4495, 0.0917)
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    x, y = both_scores(a, b, min_length=2)
    check_squares(x, what="a")
    check_squares(x if y is None else y, what="b")
    (x, y), exponent = rescaled(x, np.zeros_like(x) if y is None else y)
    d = x - y
    size = squared_length(x) + squared_length(y)
    outcome = mean_outcome(d, size, factor=1 / d.size)
    t = -float(outcome.statistic) if higher_is_better else float(outcome.statistic)
    return PairedTResult(
        statistic=t + 0.0,
        pvalue=t_pvalue(t, float(outcome.pvalue), bool(outcome.identical), alternative),
        df=d.size - 1,
        mean_difference=float(np.ldexp(outcome.mean, exponent[0])),
        alternative=alternative,
        method="Paired t test over data sets",
        caveats=t_caveats(int(outcome.identical), int(np.isinf(t)), 1),
    )
