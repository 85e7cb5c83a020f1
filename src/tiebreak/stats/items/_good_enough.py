"""Good enough: is a candidate shown not to be worse than a reference by a margin or more, on the same items?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, IntArray, as_floats, check_names, check_within
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.items._item_pairs import ItemPairs, item_pairs
from tiebreak.stats.items._proportions import paired_ends
from tiebreak.stats.numeric.tails import floor_pvalue
from tiebreak.stats.pairwise import PairwiseResult, check_correction, pair_fields
from tiebreak.stats.telling import frozen
from tiebreak.wording import option

FARTHEST = 38.0
"""A z beyond which no p-value can be written."""


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

    Formula: the p-value is the smallest alpha whose one-sided interval of the shortfall ends below the margin; the
    intervals are those of `item_pairs`: Newcombe's method 10 for right and wrong answers on one benchmark without
    clusters, else t = (shortfall - margin) / se. Where all differences are equal, one more item is taken in, on which
    the candidate is worse by the range of all scores: what never happened in thirty items may yet happen.

    Assumptions: those of the intervals of `item_pairs`, and that the margin was chosen before the scores were seen.
    When not to use it: with fewer than about 20 clusters; to find a margin that succeeds.

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
    wellek2010
    newcombepaired1998

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
    why = "It is how much worse the candidate may be and still be good enough."
    limit = check_within(option("margin"), margin, 0.0, np.inf, why=why, mend=f"Use {option(margin=0.01)}.")
    check_correction(adjust, 0)
    parts = [_one(matrix, pair, clusters, strata, upward=higher_is_better) for pair in chosen]
    sizes = [limit * abs(_mean(matrix, pair, strata)) if relative else limit for pair in chosen]
    spread = float(np.nanmax(matrix) - np.nanmin(matrix)) if matrix.size else 1.0
    found = [_shown(each, size, spread, upward=higher_is_better) for each, size in zip(parts, sizes, strict=True)]
    shortfall, z, p = (np.array([row[k] for row in found], dtype=np.float64) for k in range(3))
    n_items = np.array([int(each.n_items[0]) for each in parts], dtype=np.int64)
    a, b = (np.array([pair[k] for pair in chosen], dtype=np.int64) for k in range(2))
    return ItemNonInferiority(
        **frozen(shortfall=shortfall, limits=np.array(sizes, dtype=np.float64), n_items=n_items),
        **pair_fields((a, b, z), floor_pvalue(p), method="Non-inferiority on items", adjust=adjust, algorithms=names),
    )


def _one(matrix: FloatArray, pair: tuple[int, int], clusters: object, strata: object, *, upward: bool) -> ItemPairs:
    """Estimate the difference of one pair with its error."""
    codes = {"clusters": clusters, "strata": strata}
    given = {name: np.asarray(value) for name, value in codes.items() if value is not None}
    found: ItemPairs = item_pairs(matrix[:, list(pair)], higher_is_better=upward, adjust="none", **given)  # type: ignore[arg-type]
    return found


def _mean(matrix: FloatArray, pair: tuple[int, int], strata: object) -> float:
    """Return the mean score of the reference on the items of both, benchmarks counting alike."""
    there = ~np.isnan(matrix[:, list(pair)]).any(axis=1)
    own = matrix[there, pair[1]]
    if strata is None:
        return float(own.mean())
    codes = np.unique(np.asarray(strata)[there], return_inverse=True)[1]
    return float((np.bincount(codes, weights=own) / np.bincount(codes)).mean())


def _shown(found: ItemPairs, margin: float, spread: float, *, upward: bool) -> tuple[float, float, float]:
    """Return the shortfall, the statistic, and the p-value of its being the margin or more."""
    difference, error, df = (float(each[0]) for each in (found.difference, found.error, found.df))
    shortfall = -difference if upward else difference
    if found.both is not None:
        z = _newcombe_z(found, margin, upward=upward)
        return shortfall, -z, float(special.ndtr(-z))
    if not np.isfinite(error):
        return shortfall, 0.0, 1.0
    if error == 0.0:
        count = float(found.n_units[0])
        added = (spread or 1.0) / (count + 1.0)
        t = (shortfall + added - margin) / added
        return shortfall, t, float(special.stdtr(count, t))
    t = (shortfall - margin) / error
    return shortfall, t, float(special.stdtr(df, t))


def _newcombe_z(found: ItemPairs, margin: float, *, upward: bool) -> float:
    """Return the z at which the upper end of Newcombe's interval of the shortfall reaches the margin."""
    assert found.both is not None
    only_a, only_b = (found.ahead_a, found.ahead_b) if upward else (found.ahead_b, found.ahead_a)
    both, first, second, count = (each.astype(np.float64) for each in (found.both, only_a, only_b, found.n_items))

    def beyond(z: float) -> bool:
        low, high = paired_ends(both, first, second, count, z)
        return bool((-low[0] if upward else high[0]) >= margin)

    if beyond(0.0):
        return 0.0
    below, above = 0.0, FARTHEST
    if not beyond(above):
        return above
    for _ in range(50):
        middle = (below + above) / 2.0
        below, above = (below, middle) if beyond(middle) else (middle, above)
    return below


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
