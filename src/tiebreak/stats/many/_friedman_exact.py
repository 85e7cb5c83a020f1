"""Do any algorithms differ, where data sets are few: the Friedman test by its exact or permutation distribution."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray
from tiebreak.documents import as_came_in
from tiebreak.stats.many._friedman import FriedmanResult, friedman
from tiebreak.stats.many._omnibus import ALL_TIED
from tiebreak.stats.numeric.differences import check_count
from tiebreak.stats.numeric.ranks import ranked
from tiebreak.stats.numeric.tails import floor_pvalue
from tiebreak.stats.telling import caveats_of

MOST_ORDERS = 2_000_000
"""Tables that are looked at in one step of the exact distribution; beyond, orders are drawn at random."""
_CHUNK = 2_000_000  # ranks drawn at a time


@as_came_in
def friedman_exact(
    scores: npt.ArrayLike,
    *,
    higher_is_better: bool = False,
    n_permutations: int = 9_999,
    rng: int | np.random.Generator = 0,
    algorithms: Sequence[str] | None = None,
) -> FriedmanResult:
    """Test whether any algorithm differs, without an approximation that few data sets do not bear.

    Hypothesis: on every data set the scores are exchangeable, so that all orders of the algorithms are equally likely.

    Formula: Friedman's chi-squared with the correction for ties; p is the share of tables at least as extreme among
    all that arise by reordering the ranks within data sets. All are counted, data set by data set, where that is
    possible (six data sets of up to five algorithms, more of fewer); otherwise reorderings are drawn at random and
    p = (1 + those at least as extreme) / (1 + drawn).

    Assumptions:

    1. The data sets are independent of each other.
    2. Within a data set the scores can be ordered; their distribution does not matter.

    When not to use it: with ten data sets or more, where `friedman` decided by F has the right level and takes no time.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite. Ranks may be passed as they are.
    higher_is_better : bool, default False
    n_permutations : int, default 9999
    rng : int or Generator, default 0
    algorithms : sequence of str, optional

    Returns
    -------
    FriedmanResult
        `statistic` and `pvalue` are chi-squared and its exact p-value; the approximations stand beside them.

    References
    ----------
    friedman1937
    phipson2010

    Examples
    --------
    >>> found = friedman_exact([[1, 2, 3]] * 3 + [[2, 1, 3]])
    >>> round(found.statistic, 3), round(found.pvalue, 4), found.method
    (6.5, 0.0417, 'Friedman test, exact distribution')
    """
    check_count("n_permutations", n_permutations, usual=9_999)
    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    usual = friedman(ranks, statistic="chi2", algorithms=names)
    doubled = np.rint(2 * ranks).astype(np.int64)  # whole numbers, so that equal tables compare equal
    exact = _exact(doubled)
    p = _drawn(doubled, n_permutations, np.random.default_rng(rng)) if exact is None else exact
    how = "exact distribution" if exact is not None else f"{n_permutations:,} permutations"
    return FriedmanResult(
        statistic=usual.chi2,
        pvalue=float(floor_pvalue(np.array(p))),
        df=(),
        mean_ranks=usual.mean_ranks,
        algorithms=names,
        n_datasets=len(ranks),
        method=f"Friedman test, {how}",
        chi2=usual.chi2,
        chi2_pvalue=usual.chi2_pvalue,
        f=usual.f,
        f_pvalue=usual.f_pvalue,
        tie_factor=usual.tie_factor,
        caveats=caveats_of((usual.tie_factor <= 0.0, *ALL_TIED)),
    )


def _extremes(sums: IntArray) -> IntArray:
    """Return the sum of squares of rank sums, which grows with chi-squared when the ties of the data sets are given."""
    return np.asarray((sums**2).sum(axis=-1))


def _exact(doubled: IntArray) -> float | None:
    """Count all reorderings data set by data set, or return None where there are too many.

    The first data set may keep its order, since renaming the algorithms everywhere changes nothing; and of states that
    differ in the names of the algorithms only one is kept, with the probability of all.
    """
    base = int(doubled.sum(axis=0).max()) + 2 * doubled.shape[1] * len(doubled)  # no state reaches it
    if base ** doubled.shape[1] > 2**62:
        return None
    weights = base ** np.arange(doubled.shape[1])  # a number of its own for every state
    states: IntArray = np.sort(doubled[:1], axis=1)
    share: FloatArray = np.ones(1)
    for row in doubled[1:]:
        orders = np.array(sorted(set(permutations(row.tolist())))) if len(row) < 9 else None
        if orders is None or len(states) * len(orders) > MOST_ORDERS:
            return None
        reached = np.sort((states[:, None, :] + orders).reshape(-1, len(row)), axis=1)
        _, first, place = np.unique(reached @ weights, return_index=True, return_inverse=True)
        states = reached[first]
        share = np.bincount(place, weights=np.repeat(share, len(orders)) / len(orders)).astype(np.float64)
    return float(share[_extremes(states) >= _extremes(doubled.sum(axis=0))].sum())


def _drawn(doubled: IntArray, count: int, rng: np.random.Generator) -> float:
    """Estimate the share from reorderings drawn at random, the table itself among them."""
    observed, hits = _extremes(doubled.sum(axis=0)), 0
    for start in range(0, count, size := max(1, _CHUNK // doubled.size)):
        keys = rng.random((min(size, count - start), *doubled.shape))
        drawn = np.take_along_axis(doubled[None], keys.argsort(axis=2), axis=2).sum(axis=1)
        hits += int((_extremes(drawn) >= observed).sum())
    return (1 + hits) / (1 + count)  # Phipson and Smyth 2010
