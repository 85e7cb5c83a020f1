"""Are the differences between ranking methods real? Friedman's test and Dunn's on data sets x folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha, check_matrix, check_names
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.stats import dunn_pairs, friedman
from tiebreak.stats.results import frozen, rows_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RankerComparison(Shown):
    """Friedman's M and Dunn's T for ranking methods.

    `spread` is S, the sum of squared deviations of the mean ranks from their mean; `m` = 12 n S / (k (k + 1)), as
    printed; `tie_factor` its correction and `m_corrected` the quotient, whose p-value is `pvalue`. `t[i, j]` is
    negative where method i has the lower (better) mean rank; `better[i, j]` says that i is significantly better.
    `wins[i, j]` counts the blocks in which i scored higher than j.
    """

    methods: tuple[str, ...]
    mean_ranks: FloatArray
    n_blocks: int
    spread: float
    m: float
    tie_factor: float
    m_corrected: float
    pvalue: float
    t: FloatArray
    critical_value: float
    better: BoolArray
    wins: IntArray
    alpha: float
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was found."""
        return (
            f"Friedman M = {self.m_corrected:.4g} (p = {self.pvalue:.3g}) on {self.n_blocks} blocks; Dunn's critical T"
            f" = {self.critical_value:.3f} at {self.alpha:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row per method, best mean rank first."""
        order = np.argsort(self.mean_ranks, kind="stable")
        beaten = [", ".join(self.methods[j] for j in np.flatnonzero(self.better[i])) or "-" for i in order]
        names = [self.methods[i] for i in order]
        ranks = {"mean rank": self.mean_ranks[order]}
        return rows_of(method=names, **ranks, **{"significantly better than": beaten})

    def pairs(self) -> list[Row]:
        """Return one row per pair: T, whether it is significant, and the blocks won and lost (the +/- counts)."""
        a, b = np.triu_indices(len(self.methods), 1)
        return rows_of(
            a=[self.methods[i] for i in a],
            b=[self.methods[j] for j in b],
            t=self.t[a, b],
            significant=(self.better | self.better.T)[a, b],
            plus=self.wins[a, b],
            minus=self.wins[b, a],
        )


@as_came_in
def compare_rankers(
    scores: npt.ArrayLike,
    *,
    alpha: float = 0.25,
    higher_is_better: bool = True,
    folds: int = 1,
    methods: Sequence[str] | None = None,
) -> RankerComparison:
    """Compare ranking methods over blocks, data sets or data sets x folds, by Friedman's test and Dunn's.

    Hypothesis: all methods rank equally well; then, for each pair, that the two do.

    Formula: with mean ranks R_j over n blocks and k methods, S = sum (R_j - (k + 1) / 2)^2,
    M = 12 n S / (k (k + 1)), divided by 1 - sum(t^3 - t) / (n (k^3 - k)) for groups of t ties; chi-squared on k - 1
    degrees of freedom. T = D / sqrt(n k (k + 1) / 6) with D the difference of rank sums, each side at the level
    alpha / (k (k - 1)).

    Assumptions:

    1. Blocks are independent. The folds of a data set are not: the p-value of blocks that are folds is too small, and
       the same test on the means of the data sets is the safe one.
    2. There are enough blocks for the approximations (ten or more).

    When not to use it: for two methods over data sets; the Wilcoxon test has more power.

    Parameters
    ----------
    scores : array_like, shape (blocks, methods)
    alpha : float, default 0.25
        Dunn's overall level, 0.25 by the convention of the source.
    higher_is_better : bool, default True
        Coefficients of agreement are; pass False for ranks.
    folds : int, default 1
        How many blocks share a data set; more than 1 adds the caveat above.
    methods : sequence of str, optional

    Returns
    -------
    RankerComparison

    References
    ----------
    brazdil2003
    neave1988

    Examples
    --------
    >>> found = compare_rankers([[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 3, 4]], higher_is_better=False)
    >>> round(found.spread, 2), round(found.m, 2), found.t[0].round(2), round(found.critical_value, 2)
    (4.56, 8.2, array([ 0.  , -0.32, -1.58, -2.53]), 2.04)
    """
    matrix = check_matrix(scores)
    names = check_names(methods, matrix.shape[1], kind="method")
    level = check_alpha(alpha)
    n, k = matrix.shape
    plain = friedman(matrix, higher_is_better=higher_is_better, tie_correction=False, statistic="chi2")
    corrected = friedman(matrix, higher_is_better=higher_is_better, statistic="chi2")
    dunn = dunn_pairs(matrix, alpha=level, tie_correction=False, higher_is_better=higher_is_better)  # as published
    t = np.zeros((k, k))
    t[dunn.a, dunn.b] = dunn.statistic
    t[dunn.b, dunn.a] = -dunn.statistic
    turned = matrix if higher_is_better else -matrix
    critical = float(dunn.critical_value or np.nan)
    better = t <= -critical
    kept = (
        f"Friedman's test does not reject at {level:g} (p = {corrected.chi2_pvalue:.3g}): pairs marked significant by"
        " Dunn's test are no evidence that the methods differ."
    )
    mixed = (
        f"The {folds} folds of a data set count as separate blocks, as in the source; they are not independent, so"
        " differences look surer than they are."
    )
    contradicted = better.any() and corrected.chi2_pvalue > level
    said = caveats_of((contradicted, "omnibus-hides-pairs", kept), (folds > 1, "dependent-blocks", mixed))
    return RankerComparison(
        methods=names,
        mean_ranks=corrected.mean_ranks,
        n_blocks=n,
        spread=plain.chi2 * k * (k + 1) / (12 * n),  # S of Neave and Worthington 1988, M solved for it
        m=plain.chi2,
        tie_factor=corrected.tie_factor,
        m_corrected=corrected.chi2,
        pvalue=corrected.chi2_pvalue,
        critical_value=critical,
        **frozen(t=t, better=better, wins=(turned[:, :, None] > turned[:, None, :]).sum(axis=0)),
        alpha=level,
        caveats=(*map(_of_blocks, corrected.caveats), *said),
    )


@as_came_in
def compare_blocks(values: FloatArray, methods: Sequence[str], *, alpha: float) -> RankerComparison:
    """Compare methods on (methods, data sets, folds): a block is a fold, left out where a method has no value."""
    blocks = complete_blocks(values)
    return compare_rankers(blocks, methods=methods, alpha=alpha, folds=values.shape[2])


def complete_blocks(values: FloatArray) -> FloatArray:
    """Return (data sets x folds, methods) without the blocks where a method has no value."""
    blocks = np.moveaxis(values, 0, -1).reshape(-1, len(values))
    return np.asarray(blocks[~np.isnan(blocks).any(axis=1)])


def _of_blocks(note: Caveat) -> Caveat:
    """Word what was said of data sets and algorithms for blocks and methods."""
    words = note.replace("data sets", "blocks").replace("data set", "block").replace("algorithms", "methods")
    return Caveat(note.code, words)
