"""What past results lead one to expect of every algorithm on new data, and which few are worth fitting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.advisor.rankings.gaps import filled

WORST = 0.10
"""Losses count up to ten points: how far behind a hopeless algorithm is says nothing about the others."""
MOST = 8
"""So many algorithms are piloted."""
NEAR = 20
"""Data sets beyond the twentieth neighbour have no weight of their own."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Prior(Brief):
    """Expected score of every algorithm relative to the best one, and the covariance."""

    mean: FloatArray
    covariance: FloatArray


def distance_weights(distance: FloatArray) -> FloatArray:
    """Return the weight of every data set: half of it equal for all, half by nearness; the weights sum to 1.

    w_d = 1/(2n) + k_d / (2 sum k), k_d = max(0, 1 - (distance_d / distance of the 20th)^2) + 0.001. Without finite
    distances all count alike.

    Examples
    --------
    >>> distance_weights(np.array([0.0, 1.0])).round(3).tolist()
    [0.75, 0.25]
    """
    if not np.isfinite(distance).all():
        return np.full(len(distance), 1 / len(distance))
    radius = np.sort(distance)[min(NEAR, len(distance)) - 1]
    near = np.maximum(0.0, 1.0 - (distance / radius) ** 2) if radius > 0 else np.ones(len(distance))
    kernel = near + 0.001
    return np.asarray(0.5 / len(distance) + 0.5 * kernel / kernel.sum())


def losses(scores: FloatArray) -> FloatArray:
    """Return how far every algorithm lies behind the best of its data set, at most ten points; gaps filled."""
    whole = filled(scores)
    return np.asarray(np.maximum(whole - whole.max(axis=1, keepdims=True), -WORST))


def prior_from(scores: FloatArray, weights: FloatArray) -> Prior:
    """Return the prior of scores (data sets, algorithms), higher is better, NaN where one is missing.

    m = sum w D; S = weighted covariance of D with half of its off-diagonal part, which keeps chance correlations of few
    data sets from speaking for algorithms that were not fitted.

    Examples
    --------
    >>> found = prior_from(np.array([[0.9, 0.8], [0.7, 0.75]]), np.array([0.5, 0.5]))
    >>> found.mean.round(3).tolist(), found.covariance.round(6).tolist()
    ([-0.025, -0.05], [[0.000625, -0.000625], [-0.000625, 0.0025]])
    """
    behind = losses(scores)
    mean = weights @ behind
    apart = behind - mean
    covariance = (weights[:, None] * apart).T @ apart
    return Prior(mean=mean, covariance=covariance / 2 + np.diag(np.diag(covariance)) / 2)


def greedy_list(scores: FloatArray, weights: FloatArray, may: BoolArray, most: int = MOST) -> tuple[int, ...]:
    """Return the places of algorithms to pilot: each next one adds most to the best of those before it.

    Only algorithms that `may` be fitted are listed. The losses are those of the prior, so that they count up to ten
    points. Of equals the better one on average comes first, then the earlier.

    Examples
    --------
    >>> scores = np.array([[0.90, 0.89, 0.80], [0.90, 0.88, 0.81], [0.80, 0.81, 0.89]])
    >>> greedy_list(scores, np.full(3, 1 / 3), np.ones(3, dtype=bool))
    (0, 2, 1)
    """
    behind = losses(scores)
    mean, best = weights @ behind, np.full(len(behind), -np.inf)
    chosen: list[int] = []
    left = [int(place) for place in np.flatnonzero(may)]
    while left and len(chosen) < most:
        worth = {place: round(float(weights @ np.maximum(best, behind[:, place])), 12) for place in left}
        place = max(left, key=lambda each: (worth[each], round(float(mean[each]), 12), -each))
        best = np.maximum(best, behind[:, place])
        chosen.append(place)
        left.remove(place)
    return tuple(chosen)


def fit_noise(folds: FloatArray) -> float:
    """Return the median over data sets of the variance of a fold's score beyond algorithm and fold.

    `folds` is (data sets, algorithms, folds); a data set counts with the algorithms measured on all folds that any was
    measured on. NaN where no data set has two of each.

    Examples
    --------
    >>> fit_noise(np.array([[[0.9, 0.8], [0.7, 0.7]]])).__round__(6)
    0.0025
    """
    found = []
    for table in folds:
        table = table[:, np.isfinite(table).any(axis=0)]
        table = table[np.isfinite(table).all(axis=1)]
        if min(table.shape) < 2:
            continue
        rest = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
        found.append(float((rest**2).sum() / ((table.shape[0] - 1) * (table.shape[1] - 1))))
    return float(np.median(found)) if found else float("nan")
