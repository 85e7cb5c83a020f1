"""Models of a battle: how likely each ending is, given the distance of two strengths, with slopes for Newton's method.

Every model is concave in the distance d = b_i - b_j and in its own parameter t for ties, so Newton's method with halved
steps finds the one maximum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit

from tiebreak._checks import FloatArray


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
