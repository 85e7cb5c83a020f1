"""Two algorithms over many data sets, by counting wins: all of them, or only those significant inside a data set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import (
    BoolArray,
    FloatArray,
    IntArray,
    as_floats,
    check_alpha,
    check_choice,
    check_names,
    wrong_shape,
)
from tiebreak.caveats import Caveats, caveats_of, distinct
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.folds.fold_tests import FIVE_BY_TWO, FOLDS_LAST, fitting_test, fold_pairs, known_share
from tiebreak.stats.numeric.basics import floor_pvalue, half_binomial_lower
from tiebreak.stats.results import (
    CORRECTIONS,
    PairwiseResult,
    check_correction,
    counted_note,
    decided,
    frozen,
    pair_fields,
    pair_indices,
)
from tiebreak.stats.two.wilcoxon import (
    ALTERNATIVES,
    PAST,
    OnePair,
    few_caveats,
    pair_blocks,
    pairs_caveats,
    toward_b,
    whole_table,
)
from tiebreak.wording import either, option

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
    caveats = pairs_caveats(wins_a + wins_b, len(matrix) - wins_a - wins_b, ties)
    return _sign_pairs(
        (a, b), wins_a, wins_b, len(matrix), ties, "Sign test", adjust=adjust, algorithms=names, caveats=caveats
    )


def _sign_pairs(
    pairs: tuple[IntArray, IntArray],
    wins_a: IntArray,
    wins_b: IntArray,
    total: int,
    ties: str,
    name: str,
    **fields: Any,
) -> SignPairs:
    """Put a result together from the wins of both; `fields` as for `pair_fields`."""
    tied = total - wins_a - wins_b
    half = tied // 2 if ties == "split" else 0 * tied
    statistic, pvalue = wins_b - wins_a, sign_pvalues(wins_a + half, wins_b + half, alternative="two-sided")
    method = f"{name}, exact binomial, ties {PAST[ties]}"
    return SignPairs(
        **pair_fields((*pairs, statistic.astype(np.float64)), pvalue, method=method, **fields),
        **frozen(wins_a=wins_a, wins_b=wins_b, ties=tied),
    )


def sign_pvalues(counted_a: npt.ArrayLike, counted_b: npt.ArrayLike, *, alternative: str) -> FloatArray:
    """P-values of the sign test from the wins that count for each side."""
    a, b = np.asarray(counted_a, dtype=np.float64), np.asarray(counted_b, dtype=np.float64)
    if alternative == "two-sided":
        return floor_pvalue(2.0 * half_binomial_lower(np.minimum(a, b), a + b))  # Dixon and Mood 1946
    return floor_pvalue(half_binomial_lower(a if alternative == "b-better" else b, a + b))


FEWEST = 6
_ANY_WAY = ("5x2cv-f",)
"""Tests of folds whose statistic points to neither side."""


@as_came_in
def significant_win_pairs(
    scores: npt.ArrayLike,
    *,
    test: str | None = None,
    alpha: float = 0.05,
    inner_adjust: str = "none",
    test_share: float | None = None,
    ties: str = "drop",
    adjust: str = "none",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> SignPairs:
    """Test every pair by counting the data sets on which one of the two is significantly better, two-sided.

    Hypothesis: for each pair, that each of the two is as likely as the other to win significantly on a data set.

    Formula: on every data set a test of its folds; a win is a p-value of at most `alpha` with the better mean (and, for
    a t, a statistic that points the same way); all else are ties. Then the sign test of `tiebreak.stats.sign_test`.

    Assumptions:

    1. The data sets are independent.
    2. The test on the folds is as likely to err in favour of one as of the other. Its level need not be kept.

    When not to use it: to find differences. Small ones that all point one way count as ties, so `sign_pairs` on the
    means has more power, and `wilcoxon_pairs` more still; nor does a win that is not significant say that it is chance.

    Degenerate input: no significant win at all gives p = 1. Data sets with one score for each algorithm tie.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms, folds) or (data sets, algorithms, replications, folds)
        Folds that no algorithm has on a data set may be NaN there; each data set is tested on its own.
    test : {"5x2cv-f", "5x2cv-t", "corrected-t", "kfold-t"}, optional
        By default the one that `fitting_test` names.
    alpha : float, default 0.05
        At which a win is significant.
    inner_adjust : str, default "none"
        A correction for the pairs inside each data set.
    test_share : float, optional
        For "corrected-t" with one fold in each replication.
    ties : {"split", "drop"}
        As in `tiebreak.stats.sign_test`.
    adjust, control, higher_is_better, algorithms
        As in `tiebreak.stats.sign_pairs`.

    Returns
    -------
    SignPairs

    References
    ----------
    demsar2006, section 3.1.4
    ulas2012
    alpaydin1999

    Examples
    --------
    >>> from tiebreak.readers import published
    >>> table = published.ulas2012().only(algorithms=["c45", "svr"])
    >>> result = significant_win_pairs(table.cube("accuracy"), higher_is_better=True)
    >>> int(result.wins_a[0]), int(result.ties[0]), int(result.wins_b[0]), round(float(result.pvalue[0]), 6)
    (0, 24, 14, 0.000122)
    """
    check_choice("ties", ties, TIES)
    check_choice("inner correction", inner_adjust, CORRECTIONS)
    level, cube = check_alpha(alpha), _checked(scores)
    names = check_names(algorithms, cube.shape[1], kind="algorithm")
    check_correction(adjust, control)
    errors = -cube if higher_is_better else cube
    wins, methods, notes = _won(errors, test, level, inner_adjust, test_share)
    a, b = pair_indices(len(names), control)
    wins_a, wins_b = wins[:, b, a].sum(axis=0), wins[:, a, b].sum(axis=0)
    caveats = distinct([*notes, *_about(wins_a + wins_b)])
    name = f"Sign test on wins by the {' or '.join(methods)}"
    return _sign_pairs((a, b), wins_a, wins_b, len(cube), ties, name, adjust=adjust, algorithms=names, caveats=caveats)


def _about(won: IntArray) -> Caveats:
    """Six wins are what it takes to reject at 0.05; ties that are split count for both sides and only dilute them."""
    few = "have significant wins on fewer than six data sets: no p-value at or below 0.05 is possible."
    return caveats_of(
        counted_note(won == 0, "no-difference", "have no significant win on either side: p = 1."),
        counted_note((won > 0) & (won < FEWEST), "least-pvalue", few),
    )


def _checked(scores: npt.ArrayLike) -> FloatArray:
    cube = as_floats(scores, what="scores")
    cube = cube[:, :, None, :] if cube.ndim == 3 else cube
    if cube.ndim != 4 or cube.shape[1] < 2 or not len(cube):
        raise wrong_shape("scores", cube, FOLDS_LAST)
    there = np.isfinite(cube)
    if bool((there.any(axis=1) & ~there.all(axis=1)).any()):
        raise InputError(
            "Some algorithm lacks folds that another has on the same data set.",
            mend="Leave those data sets out, or the folds that are not complete.",
        )
    return cube


def _won(
    errors: FloatArray, test: str | None, alpha: float, adjust: str, test_share: float | None
) -> tuple[BoolArray, list[str], Caveats]:
    """Return won[s, i, j]: on data set s, j is significantly better than i; the tests used; and what they say."""
    won = np.zeros((*errors.shape[:2], errors.shape[1]), dtype=bool)
    used, untested = dict[str, str](), 0
    for rows, folds, shape in _alike(errors):
        name = test or fitting_test(*shape)
        if name is None or shape[0] * shape[1] < 2:
            untested += len(rows)
            continue
        _check_fits(name, shape)
        share = known_share(shape[1], test_share) if name == "corrected-t" else None
        result = fold_pairs(folds, method=name, test_share=share)
        p = result.pvalue if adjust == "none" else np.array([CORRECTIONS[adjust](row) for row in result.pvalue])
        same_way = name in _ANY_WAY or np.sign(result.statistic) == np.sign(result.mean_difference)
        significant = (p <= alpha) & same_way
        won[rows] = decided(result.a, result.b, significant, result.mean_difference, errors.shape[1])
        used[name] = result.method
    if not used:
        raise InputError(
            "There is one score for each data set and algorithm.",
            mend=f"Give the scores of the folds, or count wins by the means: {option(pairwise='wins')}.",
        )
    return won, list(used.values()), _notes(list(used), untested)


def _check_fits(name: str, shape: tuple[int, int]) -> None:
    if name.startswith("5x2cv") and shape != FIVE_BY_TWO:
        raise InputError(
            f"The test {name} needs 5 replications of 2 folds, and there are {shape[0]} of {shape[1]}.",
            mend="Use "
            + either("test='corrected-t'", option(win_test="corrected-t"))
            + " for other resampling; if this is 5x2 cross-validation, add the column 'replication'.",
        )


def _notes(tests: list[str], untested: int) -> Caveats:
    overlap = "The training parts of the folds overlap, which the k-fold t test ignores: it rejects too often."
    return caveats_of(
        ("kfold-t" in tests, "folds-share-training-data", overlap),
        (untested, "no-folds", f"{untested} data set(s) without folds cannot show a significant win."),
    )


def _alike(cube: FloatArray) -> Iterator[tuple[npt.NDArray[np.intp], FloatArray, tuple[int, int]]]:
    """Yield groups of data sets that have the same folds: their places, the folds, and replications x folds."""
    there = np.isfinite(cube).all(axis=1)
    kinds, kind = np.unique(there.reshape(len(cube), -1), axis=0, return_inverse=True)
    for i, slots in enumerate(kinds.reshape(-1, *there.shape[1:])):
        rows = np.flatnonzero(kind.reshape(-1) == i)
        shape = int(slots.any(axis=1).sum()), int(slots.sum(axis=1).max())
        yield rows, cube[rows][:, :, slots], shape
