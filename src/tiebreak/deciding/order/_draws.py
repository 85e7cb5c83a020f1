"""Data sets drawn again and again, all draws at once: signed ranks with counts in place of copies."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak.deciding.order._margins import Margin
from tiebreak.stats import CORRECTIONS, bergmann_hommel_rows
from tiebreak.stats.adjust.all_pairs import affordable
from tiebreak.stats.two.signed_rank import differences, grid

QUICK_EXACT = 6
"""Up to so many algorithms draws are corrected by Bergmann and Hommel's rule; beyond, by Shaffer's, which is near."""


def signed_rank_draws(d: FloatArray, counts: FloatArray, *, sides: int) -> tuple[FloatArray, FloatArray]:
    """Return the standardised rank sum and its p-value for each row of differences and each draw.

    Parameters
    ----------
    d : ndarray, shape (pairs, data sets)
        Differences, positive where the second is better.
    counts : ndarray, shape (draws, data sets)
        How often each data set was drawn.
    sides : {1, 2}
        Whether small p-values are those of positive sums, or of sums far from zero on either side.

    Returns
    -------
    z, p : ndarray, shape (draws, pairs)
        By the normal tail with the series of Cornish and Fisher, exact where all signs agree.
    """
    if d.nbytes + counts.nbytes > _KEPT:
        return _drawn(d, counts, sides)
    return _known_draws(d.tobytes(), counts.tobytes(), counts.shape[1], sides)


_KEPT = 1_000_000
"""Differences and counts of so many bytes are worth remembering: a level or a cost asked for anew changes neither."""


@lru_cache(maxsize=8)
def _known_draws(d: bytes, counts: bytes, sets: int, sides: int) -> tuple[FloatArray, FloatArray]:
    z, p = _drawn(np.frombuffer(d).reshape(-1, sets), np.frombuffer(counts).reshape(-1, sets), sides)
    return readonly(z), readonly(p)


_BLOCK = 250
"""Draws at a time: what is computed of them for one pair stays near the processor."""


def _drawn(d: FloatArray, counts: FloatArray, sides: int) -> tuple[FloatArray, FloatArray]:
    z, p = np.zeros((len(counts), len(d))), np.ones((len(counts), len(d)))
    for start in range(0, len(counts), _BLOCK):
        block = slice(start, start + _BLOCK)
        columns = np.ascontiguousarray(counts[block].T)
        for k, row in enumerate(d):
            z[block, k], p[block, k] = _one_pair(row, columns, sides)
    return z, p


def _one_pair(d: FloatArray, counts: FloatArray, sides: int) -> tuple[FloatArray, FloatArray]:
    """A data set drawn m times is m tied differences: all take the mean of their ranks; `counts` is (sets, draws)."""
    order = np.argsort(np.abs(d), kind="stable")
    size, sign = np.abs(d)[order], np.sign(d)[order]
    drawn = counts[order]
    signed = drawn * sign[:, None]
    starts = np.flatnonzero(np.diff(size, prepend=-1.0))
    if len(starts) < len(size):
        drawn, signed = np.add.reduceat(drawn, starts, axis=0), np.add.reduceat(signed, starts, axis=0)
        size = size[starts]
    ranks = np.cumsum(drawn, axis=0)
    ranks -= (drawn - 1) / 2
    if size[0] == 0.0:  # zeros are split, and one of an odd number is dropped: all ranks above sink by it
        ranks -= drawn[:1] % 2
        ranks, drawn, signed = ranks[1:], drawn[1:], signed[1:]
    signed *= ranks
    total, count = signed.sum(axis=0), drawn.sum(axis=0)
    toward = np.abs(total) if sides == 2 else total
    weighed = drawn * ranks
    alike = toward >= weighed.sum(axis=0)  # all signs alike: p is known exactly
    powers = []
    for each in (ranks, ranks * ranks, ranks * ranks):  # sums of second, fourth and sixth powers of the ranks
        weighed *= each
        powers.append(weighed.sum(axis=0))
    tail = np.where(alike, np.exp2(-count), _tail(toward, *powers))
    z = np.divide(total, np.sqrt(powers[0]), out=np.zeros_like(total), where=powers[0] > 0)
    return z, np.minimum(sides * tail, 1.0)


def _tail(total: FloatArray, second: FloatArray, fourth: FloatArray, sixth: FloatArray) -> FloatArray:
    """Half a step of continuity, and Cornish and Fisher's series: what would be normal, up to the sixth cumulant.

    The cumulants of a sum of ranks with random signs are those of a sign, 1, -2 and 16, times sums of powers of ranks.
    """
    variance = np.where(second > 0, second, 1.0)
    z = (total - 1.0) / np.sqrt(variance)
    four, six = -2.0 * fourth / variance**2, 16.0 * sixth / variance**3
    z2 = z * z
    moved = 1.0 - four / 24.0 * (z2 - 3.0)
    moved += four**2 / 384.0 * (5.0 * z2 * z2 - 32.0 * z2 + 35.0) - six / 720.0 * (z2 * z2 - 10.0 * z2 + 15.0)
    return np.asarray(special.ndtr(-z * moved))


def sign_draws(d: FloatArray, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return wins of the second less wins of the first, and the p-value of the sign test, ties split, for each draw."""
    wins, losses = counts @ (d > 0).T, counts @ (d < 0).T
    half = np.floor((counts.sum(axis=1, keepdims=True) - wins - losses) / 2)
    fewer, total = np.minimum(wins, losses) + half, wins + losses + 2 * half
    p = 2.0 * special.bdtr(fewer, total.astype(np.int64), 0.5)
    return wins - losses, np.where(total > 0, np.minimum(p, 1.0), 1.0)


def pair_differences(compared: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """Return a - b of lower-is-better values, so positive where b is better, one row per pair, noise rounded away."""
    columns = np.ascontiguousarray(compared.T)
    grids = grid(columns)
    return differences(columns[a], columns[b], grids[a], grids[b])


def shortfalls(compared: FloatArray, a: IntArray, b: IntArray, margin: Margin) -> FloatArray:
    """Return how far each candidate a lies inside the margin of its reference b: positive where it is good enough."""
    columns = np.ascontiguousarray(compared.T)
    allowed = margin.size * np.abs(columns[b]) if margin.relative else margin.size
    grids = grid(columns)
    scale = np.minimum(grids[a], grids[b])
    inside = (columns[b] + allowed - columns[a]) * scale
    return np.asarray(np.rint(inside) / scale)


def adjusted_rows(p: FloatArray, count: int, adjust: str) -> FloatArray:
    """Correct the p-values of every draw."""
    if adjust == "none":
        return p
    if adjust == "bergmann-hommel" and count <= QUICK_EXACT:
        return bergmann_hommel_rows(p)
    if adjust in ("bergmann-hommel", "shaffer", "holm"):
        steps = np.arange(p.shape[1], 0, -1)
        return stepped_rows(p, steps if adjust == "holm" else affordable(count)[steps])
    return np.array([CORRECTIONS[adjust](row) for row in p])


def stepped_rows(p: FloatArray, factors: IntArray) -> FloatArray:
    """Step down in every row: the k-th smallest p-value times its factor, never less than one before."""
    order = np.argsort(p, axis=1, kind="stable")
    risen = np.maximum.accumulate(np.take_along_axis(p, order, axis=1) * factors, axis=1)
    out = np.empty_like(p)
    np.put_along_axis(out, order, np.minimum(risen, 1.0), axis=1)
    return out


def good_rows(compared: FloatArray, counts: FloatArray, prior: IntArray, margin: Margin, alpha: float) -> BoolArray:
    """Return good[draw, i, j] for every draw, as `good_enough` does for the whole; `prior` is (draws, algorithms)."""
    count = compared.shape[1]
    i, j = (np.asarray(each, dtype=np.int64) for each in np.nonzero(~np.eye(count, dtype=bool)))
    tail = signed_rank_draws(shortfalls(compared, i, j, margin), counts, sides=1)[1]
    cheaper = prior[:, i] < prior[:, j]
    asked = np.where(cheaper, tail, 1.0)
    # half of the ordered pairs are asked about; the others hold p = 1 and must not cost the first ones anything
    pairs = count * (count - 1) // 2
    factors = np.concatenate([np.arange(pairs, 0, -1), np.ones(pairs, dtype=np.int64)])
    good = np.zeros((len(counts), count, count), dtype=bool)
    good[:, i, j] = (stepped_rows(asked, factors) <= alpha) & cheaper
    return good
