"""Posterior computations behind the Bayesian comparisons: a Dirichlet's largest share, and Walsh staircases.

Signed ranks. Sort the S differences of a pair, z_1 <= ... <= z_S, and let k_i count the j with z_i + z_j
below a limit. The indicator matrix of "below" is a staircase, so its quadratic form in the weights w is
sum_i w_i C(k_i) with the prefix sums C of w: S steps instead of S^2. The weights of the differences are
exchangeable, so they may be dealt out in sorted order; then w and C are the same for every pair, and the
answer cannot depend on the order of the data sets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray

_NODES = 257
_TAIL = 1e-18
_BLOCK = 40_000  # weights per block: prefix sums stay in the processor's cache


def largest_share(alpha: FloatArray) -> FloatArray:
    """P(each share of a Dirichlet vector is the largest), for every row of `alpha`.

    With independent gammas G_k, P(G_r is largest) is the integral of f_r(x) times the product of the other
    distribution functions. In log x the integrand decays exponentially on both sides, where the trapezoidal
    rule is accurate to about fourteen digits. A share with alpha 0 is zero and never the largest.
    """
    rows, where = np.unique(alpha, axis=0, return_inverse=True)
    shape = np.where(rows > 0, rows, 1.0)
    low = np.where(rows > 0, special.gammaincinv(shape, _TAIL), 0.0).max(axis=1)
    high = np.where(rows > 0, special.gammainccinv(shape, _TAIL), 0.0).max(axis=1)
    steps = np.linspace(np.log(low), np.log(high), _NODES, axis=1)[:, :, None]
    x, shape = np.exp(steps), shape[:, None, :]
    below = np.where(rows[:, None, :] > 0, special.gammainc(shape, x), 1.0)
    density = np.exp(shape * steps - x - special.gammaln(shape)) * (rows[:, None, :] > 0)
    others = below[..., [1, 0, 0]] * below[..., [2, 2, 1]]
    total = (density * others).sum(axis=1)  # the step cancels below: the three probabilities sum to one
    whole = total[:, [0]] + total[:, [2]] + total[:, [1]]  # the same to the last bit for the mirror image
    return np.asarray((total / whole)[where.reshape(-1)])


def sample_shares(alpha: FloatArray, n_samples: int, seed: int) -> FloatArray:
    """Draw from each row's Dirichlet distribution; a row's draws depend on the seed and on that row only."""
    out = np.empty((len(alpha), n_samples, alpha.shape[1]))
    for row, shape in enumerate(alpha):
        gammas = np.random.default_rng(seed).standard_gamma(shape, (n_samples, len(shape)))
        out[row] = gammas / gammas.sum(axis=1, keepdims=True)
    return out


@dataclass(frozen=True, slots=True)
class Staircase:
    """One limit of one pair: prefix lengths for each difference, and what the prior's weight adds."""

    short: IntArray
    long: IntArray
    prior_steps: FloatArray  # share of each difference's sum with the prior's place that is below
    prior_prior: float

    def below(self, weights: FloatArray, prefix: FloatArray, prior: FloatArray) -> FloatArray:
        """Weight of the sums below the limit, for every column of weights; a sum at the limit counts half."""
        reached = prefix[self.short]
        if not np.array_equal(self.short, self.long):
            reached = 0.5 * (reached + prefix[self.long])
        own = np.einsum("ij,ij->j", weights, reached)
        mixed = 2.0 * (self.prior_steps @ weights)
        return np.asarray(own + prior * (mixed + prior * self.prior_prior))


def staircase(ordered: FloatArray, limit: float, place: float, noise: float) -> Staircase:
    """Compare all sums z_i + z_j, and those with the prior's place, with a limit."""
    with_prior = ordered + place
    return Staircase(
        short=np.searchsorted(ordered, limit - ordered - noise, side="left").astype(np.int64),
        long=np.searchsorted(ordered, limit - ordered + noise, side="right").astype(np.int64),
        prior_steps=_half_step(with_prior, limit, noise),
        prior_prior=float(_half_step(np.array([2 * place]), limit, noise)[0]),
    )


def _half_step(sums: FloatArray, limit: float, noise: float) -> FloatArray:
    """Say 1 below the limit, 1/2 at it, 0 above: a sum on the edge of the rope belongs to both sides."""
    return np.asarray(0.5 * (sums < limit - noise) + 0.5 * (sums <= limit + noise))


def signed_rank_shares(
    differences: FloatArray,
    noise: FloatArray,
    *,
    rope: float,
    prior: float,
    place: float,
    n_samples: int,
    rng: np.random.Generator,
    keep: bool,
) -> tuple[FloatArray, FloatArray | None]:
    """Count, for each row of differences, how often each of the three regions has the largest weight.

    Returns the counts (below, within, above the rope) and, if asked, the weights themselves.
    """
    flipped = _leans_left(differences)
    ordered = np.sort(np.where(flipped[:, None], -differences, differences), axis=1)
    places = np.where(flipped, -place, place)
    stairs = [
        (staircase(z, -2 * rope, at, 2 * eps), staircase(z, 2 * rope, at, 2 * eps))
        for z, at, eps in zip(ordered, places, noise, strict=True)
    ]
    counts = np.zeros((len(stairs), 3))
    kept = np.empty((len(stairs), n_samples, 3)) if keep else None
    size = max(64, _BLOCK // ordered.shape[1])
    for start in range(0, n_samples, size):
        stop = min(start + size, n_samples)
        weights, prefix, pseudo = _weights(ordered.shape[1], stop - start, prior, rng)
        for row, (lower, upper) in enumerate(stairs):
            shares = _three(lower, upper, weights, prefix, pseudo, split=rope == 0.0)
            shares = shares[::-1] if flipped[row] else shares
            counts[row] += _largest(shares)
            if kept is not None:
                kept[row, start:stop] = shares.T
    return counts, kept


def _leans_left(differences: FloatArray) -> BoolArray:
    """Say which rows to mirror, so that a pair and its mirror image use the weights in the same way."""
    ordered = np.sort(differences, axis=1)
    lean = ordered + ordered[:, ::-1]
    first = np.argmax(lean != 0, axis=1)
    return np.asarray(lean[np.arange(len(lean)), first] < 0)


def _weights(
    count: int, n_samples: int, prior: float, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw Dirichlet weights: one column per sample; their prefix sums; and the prior's weight."""
    weights = rng.standard_exponential((count, n_samples))
    pseudo = rng.standard_gamma(prior, n_samples)
    total = weights.sum(axis=0) + pseudo
    weights /= total
    prefix = np.zeros((count + 1, n_samples))
    np.cumsum(weights, axis=0, out=prefix[1:])
    return weights, prefix, pseudo / total


def _three(
    lower: Staircase,
    upper: Staircase,
    weights: FloatArray,
    prefix: FloatArray,
    pseudo: FloatArray,
    *,
    split: bool,
) -> FloatArray:
    """Weights below, within and above the rope, one row each; without a rope there is nothing within."""
    below = lower.below(weights, prefix, pseudo)
    if split:
        return np.stack([below, np.zeros_like(below), 1.0 - below])
    not_above = upper.below(weights, prefix, pseudo)
    return np.stack([below, np.maximum(not_above - below, 0.0), 1.0 - not_above])


def _largest(shares: FloatArray) -> FloatArray:
    """Benavoli et al. count the draws in which a region has the most weight; ties go to the first."""
    return np.bincount(np.argmax(shares, axis=0), minlength=3).astype(np.float64)
