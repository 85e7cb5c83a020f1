"""Many algorithms over many data sets with gaps: the Skillings-Mack test and its pairwise contrasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_names, check_shape, readonly
from tiebreak.errors import InputError
from tiebreak.stats.adjust import CORRECTIONS
from tiebreak.stats.many._omnibus import OmnibusResult
from tiebreak.stats.numeric.ranks import average_ranks
from tiebreak.stats.numeric.tails import chi2_upper, normal_two_sided
from tiebreak.stats.pairwise import PairwiseResult, check_control, check_correction, correction_name, pair_indices


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SkillingsMackResult(OmnibusResult):
    """What the Skillings-Mack test found.

    `mean_ranks` are the mean ranks that the estimated effects imply for a complete table; without gaps
    they are the ordinary mean ranks. `covariance` is that of `effects`. `parts` numbers the sets of algorithms that
    the table compares with each other; there is more than one only where all that joins them are ties.
    """

    effects: FloatArray
    covariance: FloatArray
    parts: IntArray


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
    Skillings, J. H. and Mack, G. A. (1981). doi:10.1080/00401706.1981.10486261

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
            "scores is not a table of finite numbers and NaN.",
            why="One row per data set and one column per algorithm are needed.",
            mend="Pass a two-dimensional array with NaN for gaps.",
        )
    matrix = matrix[(~np.isnan(matrix)).sum(axis=1) >= 2]
    check_shape(*matrix.shape, what="scores without the data sets that have fewer than two of them")
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    sums, covariance, untied = _weighted_sums(-matrix if higher_is_better else matrix, tie_correction)
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
        method=f"Skillings-Mack test, {'' if tie_correction else 'not '}corrected for ties",
        effects=readonly(effects),
        covariance=readonly(inverse),
        parts=readonly(parts),
        caveats=_caveats(matrix, parts),
    )


def skillings_mack_pairs(
    result: SkillingsMackResult, *, adjust: str = "holm", control: int | None = None
) -> PairwiseResult:
    """Test pairs of algorithms after the Skillings-Mack test.

    Hypothesis: for each pair, the two algorithms have the same effect on the ranks.
    Formula: with effects t = C^- A, z = (t_a - t_b) / sqrt(V_aa + V_bb - 2 V_ab), V = C^-; so an algorithm is
    compared with those it met, directly or through others, and not by how many data sets it was run on.
    On a complete table z is that of `tiebreak.stats.rank_tests`.
    Assumptions and when not to use it: as for `skillings_mack`.

    References
    ----------
    Skillings, J. H. and Mack, G. A. (1981). doi:10.1080/00401706.1981.10486261

    Examples
    --------
    >>> pairs = skillings_mack_pairs(skillings_mack([[1, 2, 3]] * 5 + [[1, 2, float("nan")]]))
    >>> pairs.adjusted.round(3)
    array([0.135, 0.003, 0.135])
    """
    check_correction(adjust, control)
    check_control(control, len(result.algorithms))
    a, b = pair_indices(len(result.algorithms), control)
    v = result.covariance
    variance = v[a, a] + v[b, b] - 2 * v[a, b]
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (result.effects[a] - result.effects[b]) / np.sqrt(variance)
    z = np.where((variance > 0) & (result.parts[a] == result.parts[b]), z, 0.0)  # only ties join different parts
    p = normal_two_sided(z)
    return PairwiseResult(
        a=readonly(a),
        b=readonly(b),
        statistic=readonly(z),
        pvalue=readonly(p),
        adjusted=readonly(CORRECTIONS[adjust](p)),
        algorithms=result.algorithms,
        method=f"z tests on Skillings-Mack effects {correction_name(adjust)}",
    )


def _weighted_sums(values: FloatArray, tie_correction: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return A, its covariance, and the covariance without ties."""
    present = ~np.isnan(values)
    counts = present.sum(axis=1)
    ranks = average_ranks(np.where(present, values, np.inf))
    centred = np.where(present, ranks - (counts[:, None] + 1) / 2, 0.0)
    sums = (centred * np.sqrt(12 / (counts[:, None] + 1))).sum(axis=0)
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
            why="Nothing in the table compares them.",
            mend="Drop one group of algorithms with `results.without(algorithms=[...])`.",
        )


def _parts(covariance: FloatArray) -> IntArray:
    """Number the sets of algorithms that the covariance joins, from 0."""
    part = np.full(len(covariance), -1, dtype=np.int64)
    for first in range(len(part)):
        if part[first] >= 0:
            continue
        reached = np.arange(len(part)) == first
        while True:
            wider = reached | (covariance[reached] != 0).any(axis=0)
            if (wider == reached).all():
                break
            reached = wider
        part[reached] = part.max() + 1
    return part


def _caveats(matrix: FloatArray, parts: IntArray) -> tuple[str, ...]:
    gaps = int(np.isnan(matrix).sum())
    found = []
    if parts.max() > 0:
        found.append(
            f"Only ties join {int(parts.max()) + 1} sets of algorithms: pairs from different sets are not told apart."
        )
    if gaps:
        found.append(
            f"{gaps} gap(s) are left out by the Skillings-Mack test, which assumes that a gap says nothing about"
            " the missing score."
        )
    if len(matrix) < 10:
        found.append(f"{len(matrix)} data sets: the chi-squared approximation is rough below ten.")
    return tuple(found)
