"""Strengths by maximum likelihood: Newton's method on votes that were added up by pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit

from tiebreak._checks import FloatArray
from tiebreak.errors import InputError
from tiebreak.evals.battles._counts import PairCounts
from tiebreak.evals.battles._models import MODELS, Endings

MOST_STEPS, CLOSE = 100, 1e-10


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
