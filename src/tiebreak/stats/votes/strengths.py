"""Strengths of models from votes: how likely each ending of a battle is, and maximum likelihood by Newton's method.

Every model of endings is concave in the distance d = b_i - b_j of two strengths and in its own parameter t for ties, so
Newton's method with halved steps finds the one maximum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit

from tiebreak._checks import FloatArray
from tiebreak.errors import InputError
from tiebreak.stats.votes.counts import PairCounts

MOST_STEPS, CLOSE = 100, 1e-10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Endings:
    """Of every pair the endings won, lost, tied, in this order along the last axis.

    `logp` are their log probabilities, `by_d` and `by_t` the slopes of these, `bend_dd`, `bend_dt` and `bend_tt` minus
    the second derivatives.
    """

    logp: FloatArray
    by_d: FloatArray
    by_t: FloatArray
    bend_dd: FloatArray
    bend_dt: FloatArray
    bend_tt: FloatArray


def davidson(d: FloatArray, t: float) -> Endings:
    """Davidson's model: odds e^(d/2) : e^(-d/2) : e^t, so a tie is likeliest between equals.

    References
    ----------
    davidson1970
    """
    scaled = np.stack([d / 2, -d / 2, np.full_like(d, t)], axis=-1)
    logp = scaled - np.logaddexp.reduce(scaled, axis=-1, keepdims=True)  # Davidson 1970, eq. 2.3
    p = np.exp(logp)
    mean = (p[:, 0] - p[:, 1]) / 2
    spread = (p[:, 0] + p[:, 1]) / 4 - mean**2
    return Endings(
        logp=logp,
        by_d=np.array([0.5, -0.5, 0.0]) - mean[:, None],
        by_t=np.array([0.0, 0.0, 1.0]) - p[:, 2:],
        bend_dd=_for_all(spread),
        bend_dt=_for_all(-mean * p[:, 2]),
        bend_tt=_for_all(p[:, 2] * (1 - p[:, 2])),
    )


def rao_kupper(d: FloatArray, t: float) -> Endings:
    """Rao and Kupper's model: who is ahead by more than the threshold t > 0 wins, with logistic noise.

    References
    ----------
    rao1967
    """
    won, lost = expit(d - t), expit(-d - t)
    logp = np.stack([log_expit(d - t), log_expit(-d - t), log_expit(t + d) + log_expit(t - d) + _log_gap(t)], axis=-1)
    up, down = won * (1 - won), lost * (1 - lost)
    gap = 2 / np.expm1(2 * t)
    return Endings(
        logp=logp,
        by_d=np.stack([1 - won, lost - 1, lost - won], axis=-1),
        by_t=np.stack([won - 1, lost - 1, won + lost + gap], axis=-1),
        bend_dd=np.stack([up, down, up + down], axis=-1),
        bend_dt=np.stack([-up, down, down - up], axis=-1),
        bend_tt=np.stack([up, down, up + down + gap * (gap + 2)], axis=-1),
    )


def half_wins(d: FloatArray, _: float) -> Endings:
    """Bradley and Terry's model; a tie is half a win for either.

    References
    ----------
    bradley1952
    """
    p, flat = expit(d), np.zeros_like(d)
    logp = np.stack([log_expit(d), log_expit(-d), (log_expit(d) + log_expit(-d)) / 2], axis=-1)
    none = _for_all(flat)
    return Endings(
        logp=logp,
        by_d=np.stack([1 - p, -p, 0.5 - p], axis=-1),
        by_t=none,
        bend_dd=_for_all(p * (1 - p)),
        bend_dt=none,
        bend_tt=none,
    )


MODELS = {"davidson": davidson, "rao-kupper": rao_kupper, "half": half_wins}
"""What becomes of ties: a model of them, or half a win for either."""


def _for_all(values: FloatArray) -> FloatArray:
    """Repeat what is the same for every ending."""
    return np.repeat(values[:, None], 3, axis=1)


def _log_gap(t: float) -> float:
    return float(np.log(-np.expm1(-2 * t)))


def preferred(model: str, d: FloatArray, t: float) -> FloatArray:
    """Return the chance that the first is preferred: that of its win, and half that of a tie."""
    flat = np.ravel(d)
    if model == "half":
        return np.asarray(expit(d))
    p = np.exp(MODELS[model](flat, t).logp)
    return np.asarray((p[:, 0] + p[:, 2] / 2).reshape(np.shape(d)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Strengths `beta` with mean 0, the parameter `tie` (NaN where the model has none), and the bend at the maximum.

    `bend` is minus the second derivative of the log likelihood by all strengths and then by the tie parameter, with a
    constant added that makes the strengths' mean 0; its inverse is the covariance that independent votes would give.
    """

    model: str
    beta: FloatArray
    tie: float
    bend: FloatArray
    loglik: float

    @property
    def has_tie(self) -> bool:
        """Whether the model has a parameter for ties."""
        return not np.isnan(self.tie)


def fit(counts: PairCounts, model: str, *, pseudo: float = 0.0) -> Fit:
    """Maximise the likelihood, with `pseudo` votes won and as many lost by every model against one of strength 0.

    Without ties, or with nothing but ties, the parameter for them runs to an end of its range: the plain model of
    Bradley and Terry is then the limit, and is what is fitted.
    """
    if model != "half" and (counts.tied.sum() == 0 or counts.won.sum() + counts.lost.sum() == 0):
        model = "half"
    ended = np.stack([counts.won, counts.lost, counts.tied], axis=-1)
    at = np.zeros(counts.n_models + 1)
    at[-1] = _first_tie(counts, model)
    value, slope, bend = _look(counts, model, ended, at, pseudo)
    for _ in range(MOST_STEPS):
        move: FloatArray = np.asarray(np.linalg.solve(bend, slope), dtype=np.float64)
        if float(slope @ move) < CLOSE * CLOSE * max(1.0, ended.sum()):
            break
        at, (value, slope, bend) = _step(counts, model, ended, at, move, value, pseudo)
    else:
        raise _no_end()
    beta = at[:-1] - at[:-1].mean()
    tie = float("nan") if model == "half" else float(at[-1])
    return Fit(model=model, beta=beta, tie=tie, bend=bend, loglik=value)


Look = tuple[float, FloatArray, FloatArray]


def _step(
    counts: PairCounts, model: str, ended: FloatArray, at: FloatArray, move: FloatArray, value: float, pseudo: float
) -> tuple[FloatArray, Look]:
    """Take the step, or half of it, or a quarter, until the likelihood does not fall."""
    share = 1.0
    for _ in range(60):
        new = at + share * move
        if model != "rao-kupper" or new[-1] > 0:
            found = _look(counts, model, ended, new, pseudo)
            if found[0] >= value - 1e-12 * abs(value):
                return new, found
        share /= 2
    raise _no_end()


def _no_end() -> InputError:
    return InputError(
        "The strengths could not be fitted: the likelihood has no maximum that Newton's method finds.",
        why="Some strength or the share of ties runs off to infinity.",
        mend="Count ties as half a win, or add pseudo votes.",
    )


def _first_tie(counts: PairCounts, model: str) -> float:
    """Start where models of equal strength would have the share of ties that there is."""
    share = float(counts.tied.sum() / counts.total.sum())
    if model == "davidson":
        return float(np.log(2 * share / (1 - share)))
    return float(-np.log((1 - share) / (1 + share))) if model == "rao-kupper" else 0.0


def _look(counts: PairCounts, model: str, ended: FloatArray, at: FloatArray, pseudo: float) -> Look:
    """Return log likelihood, slope and bend; the direction in which all strengths move together is held by a 1."""
    beta, k = at[:-1], counts.n_models
    found = MODELS[model](beta[counts.i] - beta[counts.j], float(at[-1]))
    slope = np.zeros(k + 1)
    by_d = (ended * found.by_d).sum(axis=1)
    slope[:-1] = np.bincount(counts.i, by_d, k) - np.bincount(counts.j, by_d, k)
    slope[-1] = (ended * found.by_t).sum()
    bend = bent(counts, found, ended)
    value = float((ended * found.logp).sum())
    if model == "half":
        bend[-1, -1] = 1.0
    if pseudo:
        p = expit(beta)
        slope[:-1] += pseudo * (1 - 2 * p)
        bend[np.arange(k), np.arange(k)] += 2 * pseudo * p * (1 - p)
        return value + pseudo * float((log_expit(beta) + log_expit(-beta)).sum()), slope, bend
    bend[:-1, :-1] += max(float(np.trace(bend[:-1, :-1])) / k, 1e-12) / k
    return value, slope, bend


def bent(counts: PairCounts, found: Endings, ended: FloatArray) -> FloatArray:
    """Add up the bends of all pairs: by strengths, and by the parameter for ties in the last row and column."""
    k = counts.n_models
    bend = np.zeros((k + 1, k + 1))
    dd, dt = (ended * found.bend_dd).sum(axis=1), (ended * found.bend_dt).sum(axis=1)
    bend[counts.i, counts.j] = bend[counts.j, counts.i] = -dd
    bend[np.arange(k), np.arange(k)] = np.bincount(counts.i, dd, k) + np.bincount(counts.j, dd, k)
    bend[:-1, -1] = bend[-1, :-1] = np.bincount(counts.i, dt, k) - np.bincount(counts.j, dt, k)
    bend[-1, -1] = (ended * found.bend_tt).sum()
    return bend
