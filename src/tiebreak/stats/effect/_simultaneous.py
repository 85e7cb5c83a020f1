"""How large are all the differences at once? Intervals that hold together, as the test of the same name decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice, check_table, check_within
from tiebreak.caveats import Caveats
from tiebreak.documents import as_came_in
from tiebreak.stats.effect._intervals import INTERVAL_METHODS, DifferenceIntervals, difference_intervals
from tiebreak.stats.many.from_means import mean_t_tests
from tiebreak.stats.many.from_ranks import standard_error_of
from tiebreak.stats.numeric.critical import critical_value
from tiebreak.stats.numeric.ranks import ranked
from tiebreak.stats.numeric.scale import check_squares, rescaled
from tiebreak.stats.numeric.two_way import layout
from tiebreak.stats.pairwise import pair_indices
from tiebreak.stats.telling import frozen

POOLED = ("means", "ranks")
"""Methods with one error for all pairs; the others give each pair its own."""
_WHOLE = "The confidence level lies strictly between 0 and 1."


@as_came_in
def simultaneous_intervals(
    scores: npt.ArrayLike,
    *,
    method: str = "wilcoxon",
    level: float = 0.95,
    adjust: str = "sharpest",
    control: int | None = None,
    tie_correction: bool = True,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> DifferenceIntervals:
    """Estimate the differences of all pairs, or from a control, with intervals that hold together.

    Hypothesis: with probability `level` no interval misses its difference; an interval that leaves out zero is a
    difference that a test of the same name finds at the family-wise alpha = 1 - level.

    Formula: the estimate plus and minus c SE.

    - "means": differences of mean scores, SE = sqrt(2 MSE / S) with MSE the error of `rm_anova` on
      n = (L - 1)(S - 1) degrees of freedom; c = q / sqrt(2), q the quantile of the studentized range of L means
      (Tukey), or against a control that of the largest of L - 1 t variables correlated by 1/2 (Dunnett);
    - "ranks": differences of mean ranks, SE that of `rank_tests`, and the same c with infinite degrees of freedom
      (Nemenyi; Dunnett). The width is the critical difference;
    - "wilcoxon", "t", "sign": the intervals of `difference_intervals`, each at level 1 - alpha / m for m pairs
      (Bonferroni); they have no common error.

    Assumptions:

    1. Those of `difference_intervals`.
    2. "means": those of `rm_anova`, sphericity above all.
    3. "ranks": those of `rank_tests`: SE is that of algorithms which do not differ, so that the intervals are exact
       about zero and rough far from it.

    When not to use it: to count differences (step-down corrections such as Holm's find more); for the algorithm that
    came out best, with `control`: choosing it looked at the data, and only the intervals of all pairs cover that.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    method : {"wilcoxon", "t", "sign", "means", "ranks"}
    level : float, default 0.95
        Of all intervals together.
    adjust : {"sharpest", "bonferroni"}
        "bonferroni" shares alpha among the pairs for "means" and "ranks" too, as `bonferroni_dunn` does.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs.
    tie_correction : bool, default True
        For "ranks", as in `rank_tests`.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    DifferenceIntervals
        Positive where `b` is better; for "ranks" a place is 1.

    References
    ----------
    tukey1949
    dunnett1955
    dunn1961
    nemenyi1963

    Examples
    --------
    >>> table = [[1, 2, 4], [2, 3, 6], [1, 3, 4], [0, 1, 3], [2, 4, 5]]
    >>> found = simultaneous_intervals(table, method="means")
    >>> for row in found.rows():
    ...     print(row["b"], round(row["estimate"], 3), round(row["low"], 3), round(row["high"], 3))
    algorithm 2 -1.4 -2.208 -0.592
    algorithm 3 -3.2 -4.008 -2.392
    algorithm 3 -1.8 -2.608 -0.992
    """
    check_choice("method", method, (*INTERVAL_METHODS, *POOLED))
    check_choice("adjust", adjust, ("sharpest", "bonferroni"))
    said: dict[str, Any] = {"control": control, "higher_is_better": higher_is_better, "algorithms": algorithms}
    if method not in POOLED:
        return difference_intervals(scores, method=method, level=level, adjust="bonferroni", **said)
    alpha = 1.0 - check_within("level", level, 0.0, 1.0, why=_WHOLE, mend="Use level=0.95.")
    found = (
        _means(scores, higher_is_better, algorithms)
        if method == "means"
        else _mean_ranks(scores, higher_is_better, algorithms, tie_correction)
    )
    times, label = critical_value(alpha, len(found.names), control is not None, df=found.df, adjust=adjust)
    a, b = pair_indices(len(found.names), control)
    estimate = found.values[a] - found.values[b]
    half = times * found.error
    return DifferenceIntervals(
        **frozen(a=a, b=b, estimate=estimate, low=estimate - half, high=estimate + half),
        level=float(level),
        achieved=float(level),
        algorithms=found.names,
        n_datasets=found.count,
        method=f"Difference of mean {found.what}, {label}",
        caveats=found.caveats,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Located:
    """Where algorithms lie, lower the better, and the one error of the difference of any two."""

    values: FloatArray
    error: float
    df: float
    names: tuple[str, ...]
    count: int
    what: str
    caveats: Caveats = ()


def _means(scores: npt.ArrayLike, higher_is_better: bool, algorithms: Sequence[str] | None) -> _Located:
    """Mean scores with the error of repeated-measures ANOVA, which differences between data sets do not enter."""
    matrix, _ = check_table(scores, algorithms)
    check_squares(matrix, what="scores")
    names, df, _, caveats = mean_t_tests(matrix, None, higher_is_better, algorithms)
    (near,), exponent = rescaled(matrix)
    scale = float(np.ldexp(1.0, exponent[0, 0]))
    shifted = (near - near[:, :1]).mean(axis=0) * scale
    return _Located(
        values=-shifted if higher_is_better else shifted,
        error=sqrt(2 * layout(near)[1] / len(matrix)) * scale,  # Tukey 1949; Dunnett 1955
        df=float(df),
        names=names,
        count=len(matrix),
        what="scores, pooled error",
        caveats=caveats,
    )


def _mean_ranks(
    scores: npt.ArrayLike, higher_is_better: bool, algorithms: Sequence[str] | None, tie_correction: bool
) -> _Located:
    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    error = standard_error_of(ranks, tie_correction=tie_correction)
    return _Located(values=ranks.mean(axis=0), error=error, df=np.inf, names=names, count=len(ranks), what="ranks")
