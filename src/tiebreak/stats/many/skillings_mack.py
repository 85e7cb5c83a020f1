"""Many algorithms over many data sets with gaps: the Skillings-Mack test and its pairwise contrasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_names, check_shape, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.numeric.basics import average_ranks, chi2_upper, normal_two_sided, snap
from tiebreak.stats.results import (
    OmnibusResult,
    PairwiseResult,
    check_correction,
    few_datasets,
    pair_indices,
    pairs_result,
    tie_label,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SkillingsMackResult(OmnibusResult):
    """What the Skillings-Mack test found.

    `mean_ranks` are the mean ranks that the estimated effects imply for a complete table; without gaps
    they are the ordinary mean ranks. `covariance` is that of `effects`. `parts` numbers the sets of algorithms that
    the table compares with each other; there is more than one only where all that joins them are ties. `n_gaps`
    counts the gaps of the table.
    """

    effects: FloatArray
    covariance: FloatArray
    parts: IntArray
    n_gaps: int

    @property
    def location_name(self) -> str:
        """Say what the locations are: with gaps, mean ranks that nobody could take."""
        return "implied mean rank" if self.n_gaps else "mean rank"


@as_came_in
def skillings_mack(
    scores: npt.ArrayLike,
    *,
    higher_is_better: bool = False,
    tie_correction: bool = True,
    algorithms: Sequence[str] | None = None,
) -> SkillingsMackResult:
    """Test whether any algorithm tends to score differently, with gaps (NaN) in the table.

    Hypothesis: on every data set all orders of the algorithms that have a score there are equally likely.

    Formula: within data set i rank the k_i scores that are there; A_j sums
    sqrt(12 / (k_i + 1)) (r_ij - (k_i + 1) / 2) over the data sets of algorithm j; with C the covariance of A
    under the hypothesis, T = A' C^- A is chi-squared with L - 1 degrees of freedom. Ties enter C by the
    permutation variance of each row. On a complete table T is the Friedman chi-squared.

    Assumptions:

    1. The data sets are independent.
    2. A gap says nothing about how good the missing score would have been. Runs that failed because the
       problem was hard break this: use the policy worst-rank for them.

    When not to use it: when gaps mean failure; when two algorithms share no chain of data sets.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        NaN marks a gap. Data sets with fewer than two scores are left out.
    higher_is_better : bool, default False
    tie_correction : bool, default True
        False uses the covariance without ties, as most programs do.
    algorithms : sequence of str, optional

    Returns
    -------
    SkillingsMackResult

    References
    ----------
    skillings1981

    Examples
    --------
    >>> nan = float("nan")
    >>> table = [[3, 5, 15], [1, 3, 18], [5, 4, 21], [2, nan, 6], [0, 2, 17], [0, 2, 10], [0, 3, 8], [0, 2, 13]]
    >>> result = skillings_mack(table)  # Hollander and Wolfe, one missing cell
    >>> result.df, round(result.statistic, 6)
    ((2,), 13.280952)
    """
    matrix = as_floats(scores, what="scores")
    if matrix.ndim != 2 or np.isinf(matrix).any():
        raise InputError(
            "scores is not a table of finite numbers and NaN.", mend="Pass a two-dimensional array with NaN for gaps."
        )
    gaps = int(np.isnan(matrix).sum())
    # A data set with one score compares nothing.
    matrix = matrix[(~np.isnan(matrix)).sum(axis=1) >= 2]
    check_shape(*matrix.shape, what="scores without the data sets that have fewer than two of them")
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    sums, covariance, untied = _weighted_sums(snap(-matrix if higher_is_better else matrix), tie_correction)
    _check_connected(untied, names)
    parts = _parts(covariance)
    inverse: FloatArray = np.asarray(np.linalg.pinv(covariance, rcond=1e-10, hermitian=True), dtype=np.float64)
    effects = inverse @ sums
    rank = len(names) - 1 - int(parts.max())
    statistic = float(sums @ effects)
    return SkillingsMackResult(
        statistic=statistic,
        pvalue=float(chi2_upper(statistic, rank)) if rank else 1.0,
        df=(rank,),
        mean_ranks=readonly(_implied_ranks(effects, covariance, untied)),
        algorithms=names,
        n_datasets=len(matrix),
        method=f"Skillings-Mack test, {tie_label(tie_correction)}",
        effects=readonly(effects),
        covariance=readonly(inverse),
        parts=readonly(parts),
        n_gaps=gaps,
        caveats=_caveats(matrix, parts),
    )


@as_came_in
def skillings_mack_pairs(
    scores: npt.ArrayLike | SkillingsMackResult,
    *,
    adjust: str = "holm",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test pairs of algorithms after the Skillings-Mack test.

    Hypothesis: for each pair, the two algorithms have the same effect on the ranks.
    Formula: with effects t = C^- A, z = (t_a - t_b) / sqrt(V_aa + V_bb - 2 V_ab), V = C^-; so an algorithm is
    compared with those it met, directly or through others, and not by how many data sets it was run on.
    On a complete table z is that of `tiebreak.stats.rank_tests`.
    Assumptions and when not to use it: as for `skillings_mack`.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms), or SkillingsMackResult
        A table with NaN for gaps, or what `skillings_mack` found in it; `higher_is_better` and `algorithms` are
        then those of the result.
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
    skillings1981

    Examples
    --------
    >>> pairs = skillings_mack_pairs([[1, 2, 3]] * 5 + [[1, 2, float("nan")]])
    >>> pairs.adjusted.round(3)
    array([0.135, 0.003, 0.135])
    """
    if isinstance(scores, SkillingsMackResult):
        result = scores
    else:
        result = skillings_mack(scores, higher_is_better=higher_is_better, algorithms=algorithms)
    check_correction(adjust, control)
    a, b = pair_indices(len(result.algorithms), control)
    v = result.covariance
    variance = v[a, a] + v[b, b] - 2 * v[a, b]
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (result.effects[a] - result.effects[b]) / np.sqrt(variance)
    z = np.where((variance > 0) & (result.parts[a] == result.parts[b]), z, 0.0)  # only ties join different parts
    method = "z tests on Skillings-Mack effects"
    return pairs_result((a, b, z), normal_two_sided(z), adjust=adjust, algorithms=result.algorithms, method=method)


def _weighted_sums(values: FloatArray, tie_correction: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return A, its covariance, and the covariance without ties."""
    present = ~np.isnan(values)
    counts = present.sum(axis=1)
    ranks = average_ranks(np.where(present, values, np.inf))
    centred = np.where(present, ranks - (counts[:, None] + 1) / 2, 0.0)
    sums = (centred * np.sqrt(12 / (counts[:, None] + 1))).sum(axis=0)  # A of Skillings and Mack 1981
    spread = 12 * (centred**2).sum(axis=1) / ((counts + 1) * (counts - 1) * counts)  # 1 without ties
    untied = _laplacian(present, np.ones(len(values)))
    covariance = _laplacian(present, spread) if tie_correction else untied
    return sums, covariance, untied


def _laplacian(present: npt.NDArray[np.bool_], weight: FloatArray) -> FloatArray:
    """Sum over rows of weight (k_i I - 1 1') on the columns that are present."""
    shown = present.astype(np.float64)
    off = -(shown * weight[:, None]).T @ shown
    np.fill_diagonal(off, 0.0)
    return np.asarray(off - np.diag(off.sum(axis=1)))


def _implied_ranks(effects: FloatArray, covariance: FloatArray, untied: FloatArray) -> FloatArray:
    """Mean ranks on a complete table that would give these effects."""
    count = len(effects)
    tie_scale = float(np.trace(covariance) / np.trace(untied))
    centred = effects - effects.mean()
    return np.asarray((count + 1) / 2 + centred * count * tie_scale / np.sqrt(12 / (count + 1)))


def _check_connected(untied: FloatArray, names: tuple[str, ...]) -> None:
    """Refuse a table in which two algorithms never meet, not even through others."""
    parts = _parts(untied)
    if parts.max() > 0:
        lonely = names[int(np.argmax(parts > 0))]
        raise InputError(
            f"{lonely!r} and {names[0]!r} share no data set, not even through other algorithms.",
            mend="Drop one group of algorithms with `results.without(algorithms=[...])`.",
        )


def _parts(covariance: FloatArray) -> IntArray:
    """Number the sets of algorithms that the covariance joins, from 0."""
    joined = (covariance != 0) | np.eye(len(covariance), dtype=bool)
    for _ in range(len(joined).bit_length()):  # each turn doubles the length of the chains that join
        joined = joined @ joined
    return np.unique(joined.argmax(axis=1), return_inverse=True)[1].astype(np.int64)


def _caveats(matrix: FloatArray, parts: IntArray) -> Caveats:
    """Gaps are left out on the premise that they say nothing; failed runs do say something."""
    gaps, sets = int(np.isnan(matrix).sum()), int(parts.max()) + 1
    left = "left out by the Skillings-Mack test, which assumes that a gap says nothing about the missing score."
    apart = f"Only ties join {sets} sets of algorithms: pairs from different sets are not compared."
    return caveats_of(
        (sets > 1, "gaps-left-out", apart),
        (gaps, "gaps-left-out", f"{gaps} gap(s) are {left}"),
        few_datasets(len(matrix), "chi-squared"),
    )
