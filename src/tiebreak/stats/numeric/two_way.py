"""The two-way layout of algorithms and data sets: mean squares, and how far from spherical the error is."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import FloatArray

NAN = float("nan")


def layout(matrix: FloatArray) -> tuple[float, float, FloatArray, float]:
    """Return the mean squares of algorithms and of error, the L - 1 eigenvalues of the contrasts, the noise.

    What is not above the rounding error of the scores is taken to be zero.
    """
    n_datasets, n_algorithms = matrix.shape
    shifted = matrix - matrix[:, :1]  # exact where a row is constant
    centred = shifted - shifted.mean(axis=1, keepdims=True)
    effects = centred.mean(axis=0)
    noise = 8 * np.finfo(np.float64).eps * np.where(shifted.any(axis=1), np.abs(matrix).max(axis=1), 0.0)
    effects = np.where(np.abs(effects) > noise.mean(), effects, 0.0)
    covariance = (centred - effects).T @ (centred - effects) / (n_datasets - 1)
    eigenvalues = np.maximum(np.linalg.eigvalsh(covariance)[1:], 0.0)
    error = float(np.trace(covariance)) / (n_algorithms - 1)
    if error <= float((noise**2).mean()):
        error, eigenvalues = 0.0, np.zeros_like(eigenvalues)
    between = n_datasets * float((effects**2).sum()) / (n_algorithms - 1)
    return between, error, eigenvalues, float(noise.mean())


def greenhouse_geisser(eigenvalues: FloatArray) -> float:
    """Return epsilon = (sum l)^2 / ((L - 1) sum l^2), NaN where all are zero."""
    total = float(eigenvalues.sum())
    if total == 0.0:
        return NAN
    return 1.0 / (len(eigenvalues) * float(((eigenvalues / total) ** 2).sum()))  # Greenhouse and Geisser 1959


def f_ratio(between: float, error: float) -> float:
    """Return F: 0 where nothing lies between the algorithms, infinite where the error alone is zero."""
    if between == 0.0:
        return 0.0
    return between / error if error > 0 else float("inf")
