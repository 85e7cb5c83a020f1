"""Posterior simulation of the hierarchical correlated t model, many chains at once, in plain numpy.

On data set i the n fold differences have mean m_i and sum of squares S_i about it; given the true difference
d_i and the spread s_i they are normal with equal correlation rho, so the likelihood needs m_i and S_i only:

    s_i^-n exp(-(S_i / (1 - rho) + n (m_i - d_i)^2 / (1 + (n - 1) rho)) / (2 s_i^2)).

Above it d_i ~ t(nu) about d_0 with scale s_0, written as a normal with precision l_i / s_0^2 and
l_i ~ Gamma(nu / 2, nu / 2). Each sweep draws s_i; then s_0 with d_0 and all d_i integrated out (so that the
chain does not stick where s_0 is small), then d_0 and d_i; then nu with l_i integrated out, then l_i; then the
two parameters of the prior of nu.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray

_SHAPES, _RATES = (1.0, 2.0), (0.01, 0.1)  # bounds of the flat priors of the shape and the rate
_STEPS = (1.0, 0.3, 1.0, 0.3)  # widths of the random walks tried in each sweep


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the model needs of the data, in units of the mean spread, and the bounds of its flat priors."""

    means: FloatArray
    squares: FloatArray  # S_i / (1 - rho)
    count: int  # folds n
    factor: float  # (1 + (n - 1) rho) / n: variance of m_i about d_i, in units of s_i^2
    bound_mean: float
    bound_scale: float


@dataclass(slots=True)
class State:
    """One point of every chain: rows are chains."""

    deltas: FloatArray
    centre: FloatArray
    log_scale: FloatArray
    mixing: FloatArray
    log_nu: FloatArray  # logarithm of nu - 1
    shape: FloatArray
    rate: FloatArray


def simulate(
    evidence: Evidence, *, chains: int, warmup: int, draws: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return draws of (d_0, s_0, nu), shape (chains, draws, 3), and the mean of d_i over all of them."""
    state = _start(evidence, chains, rng)
    out = np.empty((chains, draws, 3))
    deltas = np.zeros(len(evidence.means))
    for sweep in range(-warmup, draws):
        _sweep(state, evidence, rng)
        if sweep >= 0:
            out[:, sweep] = np.stack([state.centre, np.exp(state.log_scale), 1 + np.exp(state.log_nu)], axis=1)
            deltas += state.deltas.mean(axis=0) / draws
    return out, deltas


def _start(evidence: Evidence, chains: int, rng: np.random.Generator) -> State:
    """Spread the chains widely about the data."""
    means = evidence.means
    among = max(float(means.std()), 1e-3 * evidence.bound_scale)
    scale = np.minimum(among * np.exp(rng.normal(size=chains)), 0.5 * evidence.bound_scale)
    centre = means.mean() + 0.1 * among * rng.normal(size=chains)
    return State(
        deltas=np.tile(means, (chains, 1)),
        centre=np.clip(centre, -evidence.bound_mean, evidence.bound_mean),
        log_scale=np.log(scale),
        mixing=np.ones((chains, len(means))),
        log_nu=np.log(1.0 + 20.0 * rng.random(chains)),
        shape=rng.uniform(*_SHAPES, size=chains),
        rate=rng.uniform(*_RATES, size=chains),
    )


def _sweep(state: State, evidence: Evidence, rng: np.random.Generator) -> None:
    """Draw every part of the state once, in the order that the heading of this module gives."""
    quadratic = evidence.squares + (evidence.means - state.deltas) ** 2 / evidence.factor
    precision = rng.standard_gamma((evidence.count - 1) / 2, quadratic.shape) / (quadratic / 2)
    noise = evidence.factor / precision  # variance of each m_i about its d_i
    state.log_scale = _walk(
        state.log_scale, partial(_log_scale_density, state=state, evidence=evidence, noise=noise), rng
    )
    _draw_locations(state, evidence, noise, rng)
    state.log_nu = _walk(state.log_nu, partial(_log_nu_density, state=state), rng)
    nu = 1 + np.exp(state.log_nu)[:, None]
    standard = (state.deltas - state.centre[:, None]) ** 2 / np.exp(2 * state.log_scale)[:, None]
    state.mixing = rng.standard_gamma((nu + 1) / 2, standard.shape) / ((nu + standard) / 2)
    _update_hyper(state, rng)


def _weights(log_scale: FloatArray, state: State, noise: FloatArray) -> FloatArray:
    """Precision of each m_i about d_0, with its d_i integrated out."""
    return np.asarray(1 / (noise + np.exp(2 * log_scale)[:, None] / state.mixing))


def _centre_limits(weights: FloatArray, evidence: Evidence) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Mean and standard deviation of d_0, and the probabilities below its two bounds."""
    total = weights.sum(axis=1)
    mean, spread = (weights * evidence.means).sum(axis=1) / total, 1 / np.sqrt(total)
    low = special.ndtr((-evidence.bound_mean - mean) / spread)
    high = special.ndtr((evidence.bound_mean - mean) / spread)
    return mean, spread, np.asarray(low), np.asarray(high)


def _log_scale_density(log_scale: FloatArray, state: State, evidence: Evidence, noise: FloatArray) -> FloatArray:
    """Log density of log s_0, flat in s_0 up to its bound, with d_0 and every d_i integrated out."""
    weights = _weights(log_scale, state, noise)
    mean, spread, low, high = _centre_limits(weights, evidence)
    misfit = (weights * (evidence.means - mean[:, None]) ** 2).sum(axis=1)
    inside = np.log(np.maximum(high - low, 1e-300))
    value = 0.5 * np.log(weights).sum(axis=1) - 0.5 * misfit + np.log(spread) + inside + log_scale
    return np.where(np.exp(log_scale) < evidence.bound_scale, value, -np.inf)


def _walk(point: FloatArray, log_density: Callable[[FloatArray], FloatArray], rng: np.random.Generator) -> FloatArray:
    """Move every chain by random walks of several widths, taking a step as often as its density allows."""
    now = log_density(point)
    for width in _STEPS:
        tried = point + width * rng.normal(size=len(now))
        then = log_density(tried)
        taken = np.log(rng.random(len(now))) < then - now
        point, now = np.where(taken, tried, point), np.where(taken, then, now)
    return point


def _draw_locations(state: State, evidence: Evidence, noise: FloatArray, rng: np.random.Generator) -> None:
    """Draw d_0 within its bounds, then every d_i."""
    mean, spread, low, high = _centre_limits(_weights(state.log_scale, state, noise), evidence)
    inner = special.ndtri(np.clip(low + (high - low) * rng.random(len(mean)), 1e-300, 1 - 1e-16))
    state.centre = np.clip(mean + spread * inner, -evidence.bound_mean, evidence.bound_mean)
    own, shared = 1 / noise, state.mixing / np.exp(2 * state.log_scale)[:, None]
    total = own + shared
    middle = (own * evidence.means + shared * state.centre[:, None]) / total
    state.deltas = middle + rng.normal(size=total.shape) / np.sqrt(total)


def _log_nu_density(log_nu: FloatArray, state: State) -> FloatArray:
    """Log density of log(nu - 1): Student t of the d_i, and the gamma prior of nu - 1."""
    less = np.exp(log_nu)
    nu = 1 + less
    z = (state.deltas - state.centre[:, None]) / np.exp(state.log_scale)[:, None]
    constant = special.gammaln((nu + 1) / 2) - special.gammaln(nu / 2) - 0.5 * np.log(nu)
    tails = (nu + 1) / 2 * np.log1p(z**2 / nu[:, None]).sum(axis=1)
    return np.asarray(z.shape[1] * constant - tails + state.shape * log_nu - state.rate * less)


def _update_hyper(state: State, rng: np.random.Generator) -> None:
    """Propose shape and rate of the gamma prior of nu - 1 from their flat priors."""
    shape = rng.uniform(*_SHAPES, size=len(state.shape))
    rate = rng.uniform(*_RATES, size=len(state.rate))

    def density(a: FloatArray, b: FloatArray) -> FloatArray:
        return np.asarray(a * np.log(b) - special.gammaln(a) + a * state.log_nu - b * np.exp(state.log_nu))

    taken = np.log(rng.random(len(shape))) < density(shape, rate) - density(state.shape, state.rate)
    state.shape, state.rate = np.where(taken, shape, state.shape), np.where(taken, rate, state.rate)
