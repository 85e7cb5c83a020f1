"""Sign flips and within-fold permutations: counted out where there are few, drawn at random where there are many."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import factorial, log

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.stats.multivariate._measured import estimable
from tiebreak.stats.multivariate.limits import EXACT_SHUFFLES
from tiebreak.stats.numeric.pair_sums import NOISE
from tiebreak.stats.numeric.ranks import average_ranks, snap

_CHUNK = 1 << 21  # numbers held at once
_EQUAL = 1e-10  # statistics this near, as a share of the largest possible, count as equal


def counted(count: int, *, exact: bool) -> str:
    """Say how many permutations there were."""
    return f"all {count:,} counted out" if exact else f"{count:,} random permutations"


def least_caveat(least: float, n_folds: int) -> tuple[bool, str, str]:
    """Say what the smallest p-value can be, where that matters."""
    return least > 0.01, "least-pvalue", f"{n_folds} folds: no p-value can be less than {least:.2g}."


def unit_vectors(rows: FloatArray, size: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the coordinates of rows (..., n, p) in which their sum of products is the unit matrix, and the rank.

    `size` is that of the numbers the rows were made from, which tells rounding from spread.
    """
    noise = NOISE * np.sqrt(np.square(size).sum(axis=-2))
    space = estimable(rows, noise)
    return space.whitened(rows), np.asarray(space.rank, dtype=np.int64)


def every_flip(n_folds: int) -> FloatArray:
    """Return all choices of signs, one per row; the first sign is +1, since T2 is the same for all reversed."""
    codes = np.arange(2 ** (n_folds - 1))[:, None] >> np.arange(n_folds - 1)
    return np.hstack([np.ones((len(codes), 1)), 1.0 - 2.0 * (codes & 1)])


def random_flips(n_folds: int, count: int, rng: np.random.Generator) -> FloatArray:
    """Return random choices of signs, one per row."""
    return np.asarray(1.0 - 2.0 * rng.integers(0, 2, size=(count, n_folds)), dtype=np.float64)


def signed_ranks(differences: FloatArray, size: FloatArray) -> FloatArray:
    """Rank the sizes of (pairs, folds, measures) differences over the folds, with their signs; 0 stays 0.

    Differences that differ by rounding only, judged by the `size` of what was subtracted, share a rank.
    """
    noise = 8 * np.finfo(np.float64).eps * size
    kept = np.where(np.abs(differences) > noise, differences, 0.0)
    sizes = np.swapaxes(np.abs(kept), 1, 2)
    ranks = average_ranks(snap(sizes, size=np.swapaxes(size, 1, 2)))
    return np.asarray(np.sign(kept) * np.swapaxes(ranks, 1, 2))


def t_squared(q: FloatArray, n_folds: int) -> FloatArray:
    """T2 from q; K - q is the room that is left for spread, and without any T2 is infinite."""
    room = n_folds - q
    endless = room < 1e-9 * n_folds
    return np.where(endless, np.inf, (n_folds - 1) * q / np.where(endless, 1.0, room))


def tail_of_flips(vectors: FloatArray, flips: FloatArray, wider: float = 1.0) -> tuple[FloatArray, IntArray]:
    """Return q of (pairs, folds, directions) as they are, and how many flips have one at least as large.

    The T2 of what was found is divided by `wider` first: q / (K - q), so q K / (wider (K - q) + q) in the place of q.
    """
    n_pairs, n_folds, n_directions = vectors.shape
    found = np.square(vectors.sum(axis=1)).sum(axis=-1)
    found = found if wider == 1.0 else n_folds * found / (wider * np.maximum(n_folds - found, 0.0) + found)
    tail = np.zeros(n_pairs, dtype=np.int64)
    flat = np.moveaxis(vectors, 1, 0).reshape(n_folds, -1)
    step = max(1, _CHUNK // max(1, n_pairs * n_directions))
    for start in range(0, len(flips), step):
        sums = (flips[start : start + step] @ flat).reshape(-1, n_pairs, n_directions)
        q = np.einsum("fpd,fpd->fp", sums, sums)
        tail += (q >= found - _EQUAL * n_folds).sum(axis=0)
    return found, tail


def shuffled(
    vectors: FloatArray, count: int, rng: int | np.random.Generator, wider: float = 1.0
) -> tuple[float, float, int, bool]:
    """Return Pillai's trace of (folds, algorithms, directions), its p-value, how many orders, and if all of them.

    With `count` 0 nothing is permuted and p is 1. The eigenvalues of E^-1 H found are divided by `wider` first.
    """
    n_folds, n_algorithms, _ = vectors.shape
    found = float(_pillai(vectors.sum(axis=0)[None], n_folds)[0])
    if wider != 1.0:  # of the shares s = e / (1 + e) that the trace adds up
        shares = np.minimum(np.square(np.linalg.svd(vectors.sum(axis=0), compute_uv=False)) / n_folds, 1.0)
        found = float((shares / (wider * (1.0 - shares) + shares)).sum())
    if count == 0:
        return found, 1.0, 0, False
    least = found - _EQUAL * (n_algorithms - 1)
    if (n_folds - 1) * log(factorial(n_algorithms)) <= log(EXACT_SHUFFLES):
        values = _pillai(_every_sum(vectors), n_folds)
        return found, float((values >= least).mean()), len(values), True
    drawn = _random_sums(vectors, count, np.random.default_rng(rng))
    tail = sum(int((_pillai(sums, n_folds) >= least).sum()) for sums in drawn)
    return found, (tail + 1) / (count + 1), count, False  # Phipson and Smyth 2010


def _pillai(sums: FloatArray, n_folds: int) -> FloatArray:
    """Pillai's trace: in whitened coordinates a sum of squares, so that no order needs a decomposition."""
    return np.asarray(np.square(sums).sum(axis=(1, 2)) / n_folds)


def _every_sum(vectors: FloatArray) -> FloatArray:
    """Sum the folds in every order of the algorithms within each, the first fold left as it is."""
    orders = np.array(list(permutations(range(vectors.shape[1]))))
    sums = vectors[:1]
    for fold in vectors[1:]:
        sums = (sums[:, None] + fold[orders]).reshape(-1, *fold.shape)
    return sums


def _random_sums(vectors: FloatArray, count: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield sums over the folds with the algorithms of each in random order, some at a time."""
    _, n_algorithms, n_directions = vectors.shape
    step = max(1, _CHUNK // max(1, n_algorithms * n_directions))
    for start in range(0, count, step):
        size = min(step, count - start)
        orders = np.tile(np.arange(n_algorithms), (size, 1))
        sums = np.zeros((size, n_algorithms, n_directions))
        for fold in vectors:
            sums += np.take(fold, rng.permuted(orders, axis=1), axis=0)  # quicker than an index
        yield sums
