"""Good enough: is a candidate shown not to be worse than a reference by a margin or more, over many data sets?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_table, check_within
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.numeric.basics import SUMS, deviation, rescaled, t_two_sided
from tiebreak.stats.results import PairwiseResult, check_correction, counted_note, frozen, pair_fields
from tiebreak.stats.two.wilcoxon import BLOCK, exact_where, grid, rank_sums, tail_pvalues, wilcoxon_label, z_scores
from tiebreak.wording import either, option

TIED = 0.1
"""From this share of data sets with equal scores on, the mean shortfall is tested too."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NonInferiorityPairs(PairwiseResult):
    """Tests whether `a`, the candidate, is good enough beside `b`, the reference; arrays run over the pairs.

    A pair with `adjusted` at most alpha is shown to be good enough. `statistic` is z of the signed ranks, positive
    where the reference is better by more than the margin. `margin` is a share of the reference's score where
    `relative`. `exact` says which distribution gave p, `on_means` where the mean shortfall was tested as well.
    """

    margin: float
    relative: bool
    n_used: IntArray
    exact: BoolArray
    on_means: BoolArray


@as_came_in
def non_inferiority_pairs(
    scores: npt.ArrayLike,
    pairs: npt.ArrayLike,
    *,
    margin: float,
    relative: bool = False,
    adjust: str = "holm",
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> NonInferiorityPairs:
    """Test for each pair whether the candidate is worse than the reference by less than a margin.

    Hypothesis: the candidate is worse than the reference by the margin or more: its shortfalls lie symmetrically
    about a centre that is not below the margin. Rejecting it shows that the candidate is good enough.

    Formula: the shortfall of a data set is the score of the candidate less that of the reference (the other way round
    with `higher_is_better`). The margin is taken off every shortfall, and what is left is tested by signed ranks,
    one-sided, as in `wilcoxon`: zeros split, exact up to 50 that are not zero. With `relative` the margin of a data
    set is that share of the size of the reference's score there. Where a pair ties on a tenth of the data sets or
    more, Student's t of the same numbers is computed too and the larger p-value counts: the candidate must then be
    good enough in the mean as well (an intersection-union test). In a table of two values, such as right and wrong,
    t takes in one more data set, on which the candidate alone is wrong: what never happened in thirty may yet happen.

    Why: scores of 0 and 1 tie on most examples, and a tie counts as no shortfall. The middle of the shortfalls is
    then 0 however many more errors the candidate makes, and signed ranks alone would call it good enough.

    Assumptions:

    1. The data sets are independent, and the margin was chosen before the scores were seen.
    2. Shortfalls are on one scale, and symmetric about their centre.

    When not to use it: on scores of different scales, unless they are normalised; on the folds of one data set, which
    are not independent; to find a margin that succeeds (the upper end of `difference_intervals` with level
    1 - 2 alpha says how large the shortfall may be).

    Degenerate input: a pair at the margin on every data set gets p = 1. With a margin of 0 the hypothesis is that the
    candidate is not better: the one-sided test of `wilcoxon`. No pairs give an empty result.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    pairs : array_like of int, shape (pairs, 2)
        Columns of the candidate and of the reference.
    margin : float
        The shortfall that would matter, at least 0, in the unit of the scores.
    relative : bool, default False
        Whether `margin` is a share of the reference's score, such as 0.01 for 1 %.
    adjust : str, default "holm"
        The name of a correction for any set of tests. Those that use the logic of all two-sided pairs ("shaffer",
        "bergmann-hommel") are refused.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    NonInferiorityPairs

    References
    ----------
    wellek2010
    wilcoxon1945
    berger1982

    Examples
    --------
    >>> accuracies = [[.80, .81], [.92, .92], [.71, .72], [.88, .87], [.65, .66], [.93, .94], [.79, .79]]
    >>> result = non_inferiority_pairs(accuracies, [[0, 1]], margin=0.02, higher_is_better=True)
    >>> float(result.pvalue[0]), bool(result.adjusted[0] <= 0.05)
    (0.0078125, True)
    """
    matrix, names = check_table(scores, algorithms, min_rows=1)
    chosen = check_pairs(pairs, len(names))
    _check_margin(margin, relative=relative)
    check_correction(adjust, every_pair=False)
    (near, least), _ = rescaled(matrix, np.array([0.0 if relative else margin]), reach=SUMS)
    gap = _gap_of_two(near)
    columns = np.ascontiguousarray(-near.T if higher_is_better else near.T)
    table = {name: np.empty(len(chosen)) for name in ("z", "used", "pvalue", "on_means")}
    for place, x, y, scale in _pair_blocks(columns, chosen):
        shift = margin * np.abs(y) if relative else np.broadcast_to(least, (len(y), 1))
        for name, values in _tested(x - y, shift, scale, gap).items():
            table[name][place] = values
    n_used, on_means = table["used"].astype(np.int64), table["on_means"] > 0
    exact = exact_where(n_used, "auto")
    fields = pair_fields(
        (chosen[:, 0], chosen[:, 1], table["z"]),
        table["pvalue"],
        adjust=adjust,
        algorithms=names,
        method=_label(margin, exact, relative=relative),
        caveats=_caveats(n_used, near, chosen[:, 1] if relative else chosen[:0, 1]),
        margin=float(margin),
        relative=bool(relative),
        **frozen(n_used=n_used, exact=exact, on_means=on_means),
    )
    return NonInferiorityPairs(**fields)


def _pair_blocks(columns: FloatArray, pairs: IntArray) -> Iterator[tuple[slice, FloatArray, FloatArray, FloatArray]]:
    """Yield runs of pairs, which keep ranks of all pairs from lying in memory at once, with their common grid."""
    grids = grid(columns)
    step = max(1, BLOCK // columns.shape[1])
    for start in range(0, len(pairs), step):
        a, b = pairs[start : start + step].T
        yield slice(start, start + len(a)), columns[a], columns[b], np.minimum(grids[a], grids[b])


def _tested(shortfall: FloatArray, shift: FloatArray, scale: FloatArray, gap: float) -> dict[str, FloatArray]:
    """Test rows of shortfalls less their margins; `gap` is that of a table of two values, else 0.

    They are rounded to the last digit that scores and margin carry, so that 0.81 - 0.80 is a margin of 0.01 exactly.
    """
    digits = np.minimum(scale, grid(shift))
    d = np.rint((shortfall - shift) * digits) / digits
    sums = rank_sums(d, zeros="split")
    p = tail_pvalues(sums, exact_where(sums.used, "auto"), alternative="a-better")
    ties = np.count_nonzero(np.abs(shortfall) * scale < 0.5, axis=1)
    on_means = (ties >= TIED * d.shape[1]) & (ties > 0) & (d.shape[1] > 1) & (shift.max(axis=1) > 0)
    if on_means.any():
        p[on_means] = np.maximum(p[on_means], _mean_pvalues(d[on_means], gap))
    return {"z": z_scores(sums), "used": sums.used.astype(np.float64), "pvalue": p, "on_means": on_means * 1.0}


def _gap_of_two(scores: FloatArray) -> float:
    """Return how far the two values of a table such as right and wrong lie apart, and 0 where there are more."""
    low, high = float(scores.min()), float(scores.max())
    return high - low if bool(((scores == low) | (scores == high)).all()) else 0.0


def _mean_pvalues(rows: FloatArray, gap: float) -> FloatArray:
    """P-values of Student's t, small where the mean is below zero; a mean of zero without spread gives one half."""
    d = np.pad(rows, ((0, 0), (0, 1)), constant_values=gap) if gap > 0 else rows
    mean, spread = d.mean(axis=1), deviation(d, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(mean == 0.0, 0.0, sqrt(d.shape[1]) * mean / spread)
    tail = t_two_sided(t, d.shape[1] - 1) / 2
    return np.where(t < 0, tail, 1 - tail)


def check_pairs(pairs: npt.ArrayLike, count: int) -> IntArray:
    """Return pairs of two different columns each."""
    array = np.asarray(pairs)
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    good = array.ndim == 2 and array.shape[1] == 2 and array.dtype.kind in "iu"
    if not good or array.min() < 0 or array.max() >= count or bool((array[:, 0] == array[:, 1]).any()):
        raise InputError(
            f"pairs has shape {array.shape} and type {array.dtype}, for {count} algorithms."
            if not good
            else f"pairs names an algorithm twice in a pair, or one that is not among the {count}.",
            mend="Pass rows such as [[0, 1], [2, 1]].",
        )
    return array.astype(np.int64)


def _check_margin(margin: float, *, relative: bool) -> None:
    """A relative margin of 1 is refused because it is most likely 1 % that was meant."""
    mend = f"Use {option(margin=0.01)} for accuracies between 0 and 1."
    if relative:
        mend = f"Use {either('margin=0.01', option(margin='1%'))} for 1 % of the reference's score."
    check_within("margin", margin, 0.0, 1.0 if relative else float("inf"), from_low=True, mend=mend)


def _label(margin: float, exact: BoolArray, *, relative: bool) -> str:
    """Name the test as it was computed."""
    size = f"{100 * margin:.6g} % of the reference's score" if relative else f"{margin:.6g}"
    return f"Non-inferiority test, margin {size}, {wilcoxon_label('split', exact)}"


def _caveats(different: IntArray, scores: FloatArray, references: IntArray) -> Caveats:
    """Say what few data sets, ties, and a margin that is a share of nothing do to the answer."""
    least = "lie off the margin on fewer than five data sets: no p-value at or below 0.05 is possible."
    share = "have a reference that scores 0 on some data set: there a share of it is no margin at all."
    return caveats_of(
        counted_note(different == 0, "no-difference", "lie at the margin on every data set: p = 1."),
        counted_note((different > 0) & (different < 5), "least-pvalue", least),
        counted_note((scores[:, references] == 0).any(axis=0), "no-margin", share),
    )
