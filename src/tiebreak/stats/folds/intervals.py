"""Intervals of differences on one data set, whose folds share training data."""

from __future__ import annotations

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray


def half_widths(differences: FloatArray, *, share: float, level: float) -> FloatArray:
    """Return how far the interval of each mean difference reaches; `differences` is (folds, pairs).

    Formula: t(level; n - 1) sqrt((1 / n + share / (1 - share)) s^2), the differences that the corrected resampled t
    test does not reject, where each of the n folds tests this share of the examples. It serves five times two folds
    too: the shifts that the 5x2 cv F test does not reject may be none at all.

    Examples
    --------
    >>> d = np.array([[0.01], [0.03], [0.02], [0.02]])
    >>> half_widths(d, share=0.25, level=0.95).round(4).tolist()
    [0.0198]
    """
    count = len(differences)
    variance = np.square(differences - differences.mean(axis=0)).sum(axis=0) / (count - 1)
    return np.asarray(
        special.stdtrit(count - 1, (1 + level) / 2) * np.sqrt((1 / count + share / (1 - share)) * variance)
    )
