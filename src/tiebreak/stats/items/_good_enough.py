"""Good enough: is a candidate shown not to be worse than a reference by a margin or more, on the same items?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_names, check_within
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.items._proportions import proportion_pairs
from tiebreak.stats.items.margins import MarginPair, TotalsPair, margin_pair, margin_z
from tiebreak.stats.items.units import check_codes
from tiebreak.stats.numeric.tails import floor_pvalue
from tiebreak.stats.pairwise import PairwiseResult, check_correction, pair_fields
from tiebreak.stats.telling import frozen
from tiebreak.wording import option


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemNonInferiority(PairwiseResult):
    """Tests whether `a`, the candidate, is good enough beside `b`, the reference; arrays run over the pairs.

    A pair with `adjusted` at most alpha is shown to be good enough. `shortfall` is by how much the candidate is worse,
    `limits` the margins in the unit of the scores; `statistic` is positive where the shortfall exceeds the margin.
    """

    COLUMNS = (*PairwiseResult.COLUMNS, "shortfall", "limits", "n_items")

    shortfall: FloatArray
    limits: FloatArray
    n_items: IntArray


@as_came_in
def item_non_inferiority(
    scores: npt.ArrayLike,
    pairs: npt.ArrayLike,
    *,
    margin: float,
    relative: bool = False,
    clusters: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    adjust: str = "holm",
    higher_is_better: bool = True,
    algorithms: Sequence[str] | None = None,
) -> ItemNonInferiority:
    """Test for each pair whether the candidate is worse than the reference by less than a margin, on the same items.

    Hypothesis: the expected score of the candidate is worse than that of the reference by the margin or more.

    Formula: right and wrong answers on one benchmark without clusters: b items that only the reference got right and c
    that only the candidate did are ordered by z = (b - c - n m) / sqrt(n (2 p + m - m^2)), where p is the restricted
    estimate of the candidate's being right alone; the p-value is the largest chance of a z as small in any truth that
    is worse by the margin m. Otherwise items, or clusters, are units with the sums x of their differences plus m, each
    benchmark counting alike, and the p-value is the largest of three: the tail of the sum under the closest truth of
    mean zero (weights of the empirical likelihood, the rest on a unit that fails wholly; saddle point), that of changed
    signs of x, and t = sum of x / error with the degrees of freedom (sum s^2)^2 / sum s^4 - 1 of units of sizes s.

    Assumptions: units are independent and as good as drawn from those that are meant, the margin was chosen before the
    scores were seen. With clusters or graded scores the level is that of simulations (page on gates), not proven.
    When not to use it: to find a margin that succeeds; where items come while one looks (`anytime_items`).

    Degenerate input: two models that never differ are good enough only where the items are many: of 298 items none may
    be lost by chance though one in a hundred is. One cluster gives p = 1.

    Parameters
    ----------
    scores : array_like, shape (items, models)
        NaN where there is no answer.
    pairs : array_like of int, shape (pairs, 2)
        Columns of the candidate and of the reference.
    margin : float
        The shortfall that would matter, above 0.
    relative : bool, default False
        Whether it is a share of the mean score of the reference.
    clusters, strata : array_like, optional
        As for `item_pairs`.
    adjust : str, default "holm"
    higher_is_better : bool, default True
    algorithms : sequence of str, optional

    Returns
    -------
    ItemNonInferiority

    References
    ----------
    nam1997
    tango1998
    owen1988
    wellek2010

    Examples
    --------
    >>> right = np.ones((400, 2)); right[:4, 0] = 0; right[4:7, 1] = 0
    >>> found = item_non_inferiority(right, [[0, 1]], margin=0.02)
    >>> float(found.shortfall[0]), bool(found.adjusted[0] <= 0.05)
    (0.0025, True)
    """
    matrix = as_floats(scores, what="scores")
    names = check_names(algorithms, matrix.shape[-1], kind="algorithm")
    chosen = _check_pairs(pairs, len(names))
    limit = _check_limit(margin)
    check_correction(adjust, 0)
    groups, blocks = (
        check_codes(given, len(matrix), what=what) for given, what in ((clusters, "clusters"), (strata, "strata"))
    )
    told = {"clusters": groups, "strata": blocks, "upward": higher_is_better}
    found = [
        margin_pair(matrix[:, i], matrix[:, j], names=(names[i], names[j]), **told)  # type: ignore[arg-type]
        for i, j in chosen
    ]
    limits = [limit * abs(each.reference) if relative else limit for each in found]
    return _result(found, limits, chosen, names, adjust=adjust)


def _result(
    found: Sequence[MarginPair],
    limits: Sequence[float],
    pairs: Sequence[tuple[int, int]],
    names: tuple[str, ...],
    *,
    adjust: str,
) -> ItemNonInferiority:
    """Test every pair with its margin."""
    p = [each.pvalue(size) if size > 0 else 1.0 for each, size in zip(found, limits, strict=True)]
    z = np.array([margin_z(each) for each in p], dtype=np.float64)
    a, b = (np.array([pair[k] for pair in pairs], dtype=np.int64) for k in range(2))
    return ItemNonInferiority(
        **frozen(
            shortfall=np.array([each.shortfall for each in found], dtype=np.float64),
            limits=np.array(limits, dtype=np.float64),
            n_items=np.array([each.n_items for each in found], dtype=np.int64),
        ),
        **pair_fields((a, b, z), floor_pvalue(p), method="Non-inferiority on items", adjust=adjust, algorithms=names),
    )


@as_came_in
def total_non_inferiority(
    passed: npt.ArrayLike,
    n: npt.ArrayLike,
    pairs: npt.ArrayLike,
    *,
    margin: float,
    relative: bool = False,
    adjust: str = "holm",
    algorithms: Sequence[str] | None = None,
) -> ItemNonInferiority:
    """Test the same by totals alone: so many passed, of so many.

    Hypothesis: the share that the candidate passes is smaller than that of the reference by the margin or more.

    Formula: z = (p_b - p_a - m) / sqrt(q_a (1 - q_a) / n_a + q_b (1 - q_b) / n_b), where q are the likeliest shares
    that differ by m; the p-value is the largest chance of a z as small with any such shares.

    Assumptions: items are independent, and those of one model independent of those of the other. If both had the same
    items, the test keeps its level and shows less than `item_non_inferiority`.
    When not to use it: where the answers to each item are known.

    Parameters
    ----------
    passed, n : array_like, shape (models,)
        How many items each passed, of how many; fractions are rounded.
    pairs : array_like of int, shape (pairs, 2)
        Places of the candidate and of the reference.
    margin : float
        The shortfall that would matter, above 0.
    relative : bool, default False
        Whether it is a share of the share of the reference.
    adjust : str, default "holm"
    algorithms : sequence of str, optional

    Returns
    -------
    ItemNonInferiority

    References
    ----------
    farrington1990
    wellek2010

    Examples
    --------
    >>> found = total_non_inferiority([180, 178], [225, 225], [[1, 0]], margin=0.1)
    >>> round(float(found.shortfall[0]), 4), bool(found.adjusted[0] <= 0.05)
    (0.0089, True)
    """
    counts = proportion_pairs(passed, n, adjust="none", algorithms=algorithms)  # checks the counts and names
    of = counts.n_items
    held = np.rint(counts.shares * of)
    chosen = _check_pairs(pairs, len(of))
    limit = _check_limit(margin)
    check_correction(adjust, 0)
    found = [TotalsPair(passed=int(held[j]), n=int(of[j]), own=int(held[i]), n_own=int(of[i])) for i, j in chosen]
    limits = [limit * each.reference if relative else limit for each in found]
    return _result(found, limits, chosen, counts.algorithms, adjust=adjust)


def _check_limit(margin: float) -> float:
    why = "It is how much worse the candidate may be and still be good enough."
    return check_within(option("margin"), margin, 0.0, np.inf, why=why, mend=f"Use {option(margin=0.01)}.")


def _check_pairs(pairs: npt.ArrayLike, count: int) -> list[tuple[int, int]]:
    array = np.asarray(pairs)
    whole = array.size == 0 or array.dtype.kind in "iu"
    fits = array.ndim == 2 and array.shape[1:] == (2,)
    if not whole or not (fits or array.size == 0) or (array.size and not ((array >= 0) & (array < count)).all()):
        raise InputError(
            f"pairs has shape {array.shape}.",
            why="Each pair is the column of a candidate and that of its reference.",
            mend="Pass a list such as [[0, 1], [2, 1]].",
        )
    return [(int(i), int(j)) for i, j in array.reshape(-1, 2)]
