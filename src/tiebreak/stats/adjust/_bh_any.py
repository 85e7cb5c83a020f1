"""Bergmann-Hommel for p-values of any origin: cached exhaustive sets, or a search over cliques."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, readonly
from tiebreak.stats.adjust.all_pairs import affordable

CACHED = 9
"""Up to this many algorithms all partitions are kept: 21,147 of nine."""
LIMIT = 14
"""Above this many algorithms the search over 3^L pairs of subsets takes too long."""
_CELLS = 2_000_000
_NEVER = -(1 << 14)

Index = npt.NDArray[np.intp]


def adjust_any(p: FloatArray, count: int) -> FloatArray:
    """Adjust each row of p-values of all pairs of `count` algorithms, `count` at most `LIMIT`."""
    if count < 2:
        return p.copy()
    if count <= CACHED:
        tables = _partitions(count)
        rows = max(1, _CELLS // tables.block.size)
        parts = [_by_partitions(p[i : i + rows], tables) for i in range(0, len(p), rows)]
        return np.concatenate(parts) if parts else p.copy()
    return np.array([_by_cliques(row, count) for row in p]).reshape(p.shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Partitions:
    """All partitions as lists of blocks of two or more; a list of lists is flat, with the start of each.

    `block` lists the blocks of every partition, `size` counts its pairs inside blocks; `by_block` lists the
    partitions of every block; `subset_pair` the pairs of every block, `pair_subset` the blocks of every pair.
    """

    block: Index
    starts: Index
    size: FloatArray
    by_block: Index
    by_block_starts: Index
    subset_pair: Index
    subset_starts: Index
    pair_subset: Index
    pair_starts: Index


def _by_partitions(p: FloatArray, tables: _Partitions) -> FloatArray:
    """Maximise (pairs inside) x (least p inside) over the partitions that join each pair."""
    least = np.minimum.reduceat(p[:, tables.subset_pair], tables.subset_starts, axis=1)
    # Bergmann and Hommel 1988: the size of an exhaustive set times its least p-value
    value = np.minimum.reduceat(least[:, tables.block], tables.starts, axis=1) * tables.size
    of_block = np.maximum.reduceat(value[:, tables.by_block], tables.by_block_starts, axis=1)
    best = np.maximum.reduceat(of_block[:, tables.pair_subset], tables.pair_starts, axis=1)
    return np.minimum(best, 1.0)


@lru_cache(maxsize=CACHED)
def _partitions(count: int) -> _Partitions:
    """List the partitions of `count` algorithms, without the one into single algorithms."""
    labels = _growth_strings(count)
    masks = np.stack([((labels == k) << np.arange(count)).sum(axis=1) for k in range(count)], axis=1)
    joined = (masks & (masks - 1)) != 0  # blocks of two or more
    masks, joined = masks[joined.any(axis=1)], joined[joined.any(axis=1)]
    number = np.cumsum(_size(np.arange(2**count)) >= 2) - 1  # subset -> its place among those of two or more
    block, block_of = number[masks[joined]], np.nonzero(joined)[0]
    order = np.argsort(block, kind="stable")
    subset, pair = np.nonzero(_holds(count))
    back = np.argsort(pair, kind="stable")
    size = _size(masks)
    return _Partitions(
        block=readonly(block),
        starts=_starts(block_of),
        size=readonly((size * (size - 1) // 2).sum(axis=1).astype(np.float64)),
        by_block=readonly(block_of[order]),
        by_block_starts=_starts(block[order]),
        subset_pair=readonly(pair),
        subset_starts=_starts(subset),
        pair_subset=readonly(subset[back]),
        pair_starts=_starts(pair[back]),
    )


def _growth_strings(count: int) -> IntArray:
    """One row per partition: the block number of every algorithm, blocks numbered by first appearance."""
    rows, used = np.zeros((1, 1), dtype=np.int64), np.ones(1, dtype=np.int64)
    for _ in range(1, count):
        parent = np.repeat(np.arange(len(rows)), used + 1)
        label = np.arange(len(parent)) - np.repeat(np.cumsum(used + 1) - used - 1, used + 1)
        rows, used = np.column_stack([rows[parent], label]), np.maximum(used[parent], label + 1)
    return rows


def _holds(count: int) -> npt.NDArray[np.bool_]:
    """Whether each subset of two or more (row) holds each pair (column)."""
    subsets = np.arange(2**count)
    subsets = subsets[_size(subsets) >= 2]
    a, b = np.triu_indices(count, 1)
    return ((subsets[:, None] >> a) & (subsets[:, None] >> b) & 1).astype(bool)


def _size(subsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Count the members of subsets written as bits."""
    return np.bitwise_count(subsets).astype(np.int64)


def _starts(sorted_keys: Index) -> Index:
    """Where each run of equal keys begins."""
    return readonly(np.flatnonzero(np.diff(sorted_keys, prepend=-1)))


def _by_cliques(p: FloatArray, count: int) -> FloatArray:
    """Search over thresholds t: the partitions whose p-values all reach t are partitions into cliques.

    A threshold cannot give any pair more than t times the largest number of true hypotheses that fits into
    the pairs reaching t (Shaffer's number); thresholds are visited in falling order of that bound, and only
    while some pair can still gain.
    """
    thresholds, reaching = np.unique(p, return_counts=True)
    reaching = np.cumsum(reaching[::-1])[::-1]
    bounds = np.minimum(thresholds * affordable(count)[reaching], 1.0)
    best = np.minimum(p.min() * p.size, 1.0) * np.ones_like(p)  # all algorithms in one block
    for k in np.argsort(-bounds, kind="stable"):
        joined = p >= thresholds[k]
        if not (joined & (best < bounds[k])).any():
            continue
        pairs = _cliques(joined, count)
        most = _most_pairs(pairs, count)
        if (joined & (best < min(thresholds[k] * int(most[-1]), 1.0))).any():
            found = thresholds[k] * _most_with_pair(pairs, most, count)
            best = np.where(joined, np.maximum(best, np.minimum(found, 1.0)), best)
    return np.asarray(best)


def _cliques(joined: npt.NDArray[np.bool_], count: int) -> npt.NDArray[np.int16]:
    """Number of pairs of every subset of the algorithms if all of them are joined, else far below zero."""
    neighbours = np.zeros(count, dtype=np.int64)
    a, b = np.triu_indices(count, 1)
    np.bitwise_or.at(neighbours, b[joined], 1 << a[joined])
    pairs = np.zeros(2**count, dtype=np.int16)
    for top in range(count):
        below = pairs[: 2**top]
        rest = np.arange(2**top)
        inside = (rest & ~neighbours[top]) == 0
        pairs[2**top : 2 ** (top + 1)] = np.where(inside & (below >= 0), below + _size(rest), _NEVER)
    return pairs


def _most_pairs(pairs: npt.NDArray[np.int16], count: int) -> npt.NDArray[np.int16]:
    """For every subset, the most pairs inside blocks over its partitions into cliques.

    The block of the highest member is tried in all ways; the rest is a smaller subset.
    """
    most = np.zeros_like(pairs)
    for top in range(1, count):
        chosen, rest, starts = _splits(top)
        value = pairs[2**top : 2 ** (top + 1)][chosen] + most[: 2**top][rest]
        most[2**top : 2 ** (top + 1)] = np.maximum.reduceat(value, starts)
    return most


@lru_cache(maxsize=LIMIT)
def _splits(bits: int) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16], Index]:
    """All ways to split each subset of `bits` members in two: 3^bits rows, and where each subset begins."""
    whole, chosen = np.zeros(1, dtype=np.uint16), np.zeros(1, dtype=np.uint16)
    for bit in np.left_shift(1, np.arange(bits)).astype(np.uint16):
        whole = np.concatenate([whole, whole | bit, whole | bit])
        chosen = np.concatenate([chosen, chosen, chosen | bit])
    order = np.argsort(whole, kind="stable")
    whole, chosen = whole[order], chosen[order]
    return readonly(chosen), readonly(whole ^ chosen), _starts(whole.astype(np.intp))


def _most_with_pair(pairs: npt.NDArray[np.int16], most: npt.NDArray[np.int16], count: int) -> npt.NDArray[np.int16]:
    """For every pair, the most pairs inside blocks over the partitions into cliques that join it.

    A clique's value is its own pairs plus the best of the rest; a pair takes the best clique that holds it,
    found by maximising over supersets one algorithm at a time.
    """
    value = (pairs + most[::-1]).reshape((2,) * count)  # most[::-1] belongs to the complements
    for axis in range(count):
        without = np.take(value, [0], axis=axis)
        held = np.take(value, [1], axis=axis)
        value = np.concatenate([np.maximum(without, held), held], axis=axis)
    a, b = np.triu_indices(count, 1)
    return np.asarray(value.reshape(-1)[(1 << a) | (1 << b)])
