"""How sure strengths are, where votes hang together: a sandwich over prompts, over voters, or over both.

Votes on one prompt share what the prompt asks, votes of one voter share a taste; independent are prompts and voters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.stats.votes.counts import PairCounts, Sides
from tiebreak.stats.votes.strengths import MODELS, Endings, Fit, bent

MOST_WORK, MOST_LEFT_OUT, LEAST_SHARE = 2e9, 500, 0.01
"""Clusters that hold at least this share of the votes on some algorithm are left out one by one.

So many of them, in so many multiplications, at the most: those with the largest shares.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spread:
    """The covariance of strengths, and of the tie parameter in the last row.

    `df` are degrees of freedom of t for every pair, `clusters` counts the clusters of each kind.
    """

    covariance: FloatArray
    df: FloatArray
    clusters: Mapping[str, int]
    repaired: bool = False


def spread(fit: Fit, counts: PairCounts, sides: Sides, clusters: Mapping[str, IntArray]) -> Spread:
    """Estimate the covariance: of one kind of clusters, or of two together by Cameron, Gelbach and Miller's sum.

    Formula: V = V_prompt + V_voter - V_both, where V_both is over the votes of one voter on one prompt. Each V is a
    jackknife, (G - 1)/G sum_c D_c D_c' with D_c = (H - H_c)^-1 g_c: one Newton step from leaving cluster c out. g_c is
    the slope of the cluster's votes, H_c their bend; clusters with a tiny share of the votes take H^-1 g_c.

    References
    ----------
    cameron2011
    bell2002
    """
    found = _Votes(fit=fit, counts=counts, sides=sides, endings=_endings(fit, counts))
    kinds = dict(clusters) or {"vote": np.arange(len(sides.pair))}
    numbered = {name: np.unique(codes, return_inverse=True)[1] for name, codes in kinds.items()}
    shares = {name: _taken(counts, sides, codes) for name, codes in numbered.items()}
    total = sum((found.covariance(codes, shares[name]) for name, codes in numbered.items()), np.zeros_like(fit.bend))
    repaired = False
    if len(numbered) > 1:
        total, repaired = _positive(total - found.covariance(crossed(list(numbered.values()))))
    return Spread(
        covariance=total,
        df=np.minimum.reduce([_freedom(each) for each in shares.values()]),
        clusters={name: int(codes.max()) + 1 for name, codes in numbered.items()},
        repaired=repaired,
    )


def even_number(codes: IntArray) -> float:
    """Return the number of clusters, as if they were of one size.

    Examples
    --------
    >>> even_number(np.array([0, 0, 1, 1])), even_number(np.array([0, 0, 0, 1]))
    (2.0, 1.6)
    """
    sizes = np.unique(codes, return_counts=True)[1].astype(np.float64)
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def _sound(bend: FloatArray) -> bool:
    """Say whether a bend can be inverted: every direction is held by some vote."""
    try:
        pivots = np.diagonal(np.linalg.cholesky(bend))
    except np.linalg.LinAlgError:
        return False
    return bool(pivots.min() > 1e-5 * pivots.max())


def _taken(counts: PairCounts, sides: Sides, codes: IntArray) -> Any:
    """Count the votes of every cluster on every algorithm, a sparse matrix."""
    from scipy.sparse import coo_array

    where = np.concatenate([counts.i[sides.pair], counts.j[sides.pair]])
    shape = int(codes.max()) + 1, counts.n_models
    return coo_array((np.ones(len(where)), (np.tile(codes, 2), where)), shape=shape).tocsr()


def _freedom(taken: Any) -> FloatArray:
    """Return degrees of freedom for every pair: the number of clusters, as if they were of one size, less 1.

    Formula: (sum_c m_c)^2 / sum_c m_c^2 - 1, where m_c counts the votes of cluster c that either algorithm has a part
    in, after Carter, Schnepel and Steigerwald; a few large clusters are few, however many small ones stand beside them.

    References
    ----------
    carter2017
    """
    together = (taken.T @ taken).toarray()
    own, each = np.diagonal(together), np.asarray(taken.sum(axis=0)).ravel()
    square = own[:, None] + own[None, :] + 2 * together
    return np.asarray(np.maximum((each[:, None] + each[None, :]) ** 2 / square - 1, 1.0))


def _largest(taken: Any, most: int) -> IntArray:
    """Return the clusters with the largest shares of the votes on some algorithm."""
    shares = taken.multiply(1 / np.asarray(taken.sum(axis=0)).ravel()[None, :]).max(axis=1).toarray().ravel()
    order = np.argsort(-shares, kind="stable")[:most]
    return np.asarray(order[shares[order] >= LEAST_SHARE])


def crossed(codes: Sequence[IntArray]) -> IntArray:
    """Number the combinations of two kinds of clusters."""
    first, second = codes
    return np.asarray(np.unique(first * (int(second.max()) + 1) + second, return_inverse=True)[1])


def _positive(matrix: FloatArray) -> tuple[FloatArray, bool]:
    """The sum of two-way clustering may have negative eigenvalues; they are set to 0 (Cameron et al. 2011, 2.3)."""
    if not np.isfinite(matrix).all():  # one cluster of a kind: nothing can be estimated
        return matrix, False
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    if values[0] >= -1e-9 * max(values[-1], 0.0):
        return matrix, False
    return np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T), True


def _endings(fit: Fit, counts: PairCounts) -> Endings:
    return MODELS[fit.model](fit.beta[counts.i] - fit.beta[counts.j], 0.0 if not fit.has_tie else fit.tie)


def clustered_slopes(fit: Fit, counts: PairCounts, sides: Sides, endings: Endings, codes: IntArray) -> Any:
    """Add the slopes of every cluster's votes, a sparse matrix of clusters by parameters."""
    from scipy.sparse import coo_array

    pair, width = sides.pair, len(fit.bend)
    by_d, by_t = endings.by_d[pair, sides.ending], endings.by_t[pair, sides.ending]
    values = np.concatenate([by_d, -by_d, by_t])
    columns = np.concatenate([counts.i[pair], counts.j[pair], np.full(len(pair), width - 1)])
    shape = int(codes.max()) + 1, width
    return coo_array((values, (np.tile(codes, 3), columns)), shape=shape).tocsr()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Votes:
    """The slopes and bends of all votes."""

    fit: Fit
    counts: PairCounts
    sides: Sides
    endings: Endings

    def covariance(self, codes: IntArray, taken: Any = None) -> FloatArray:
        """Return the covariance by one kind of clusters; the largest, by what they took, are left out one by one."""
        number, width = int(codes.max()) + 1, len(self.fit.bend)
        if number < 2:
            return np.full((width, width), np.nan)
        slopes = clustered_slopes(self.fit, self.counts, self.sides, self.endings, codes)
        most = 0 if taken is None or number == len(codes) else min(MOST_LEFT_OUT, max(int(MOST_WORK / width**3), 1))
        moved = self._left_out(codes, slopes, _largest(taken, most)) if most else {}
        rest = slopes[np.setdiff1d(np.arange(number), list(moved))]
        inverse = np.linalg.inv(self.fit.bend)
        total = inverse @ (rest.T @ rest).toarray() @ inverse
        far = np.array(list(moved.values())).reshape(-1, width)
        share = (number - 1) / number if moved else number / (number - 1)
        return np.asarray(share * (total + far.T @ far))

    def _left_out(self, codes: IntArray, slopes: Any, which: IntArray) -> dict[int, FloatArray]:
        """Return how far one Newton step without each of some clusters leads.

        A cluster that alone holds others together cannot be left out; it counts like a small one.
        """
        order, sizes = np.argsort(codes, kind="stable"), np.bincount(codes)
        ends, moved = np.cumsum(sizes), {}
        for cluster in which.tolist():
            rest = self.fit.bend - self._bend_of(order[ends[cluster] - sizes[cluster] : ends[cluster]])
            if _sound(rest):
                moved[cluster] = np.linalg.solve(rest, slopes[[cluster]].toarray()[0])
        return moved

    def _bend_of(self, votes: IntArray) -> FloatArray:
        """Add up the bends of some votes."""
        place = self.sides.pair[votes] * 3 + self.sides.ending[votes]
        ended = np.bincount(place, minlength=3 * len(self.counts.i)).reshape(-1, 3).astype(np.float64)
        return bent(self.counts, self.endings, ended)
