"""Simulated folds that share training data: of several data sets together, and with several measures."""

from __future__ import annotations

from math import sqrt

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.studies._procedures import Key

THREE = "folds of 3 data sets"
HOLD_OUT = 1 / 3
"""Share of the examples in the test part of a hold-out split."""

TOGETHER = {
    "10 folds": ((1, 10),) * 3,
    "5x10 folds": ((5, 10),) * 3,
    "10x10 folds": ((10, 10),) * 3,
    "30 hold-outs": ((30, 1),) * 3,
    "5x2 folds": ((5, 2),) * 3,
    "unlike folds": ((1, 10), (5, 10), (5, 2)),
}
"""Replications and folds of three data sets."""


def correlation(replications: int, folds: int) -> float:
    """Return that of any two folds in Nadeau and Bengio's model, the share tested on; 5x2 cv has a model of its own.

    The 5x2 cv F test takes its folds for independent, which is roughly so for small test parts and not in this model.
    """
    if (replications, folds) == (5, 2):
        return 0.0
    return HOLD_OUT if folds == 1 else 1 / folds


def alike(shape: tuple[int, ...], axis: int, rho: float, rng: np.random.Generator) -> FloatArray:
    """Draw standard normal numbers of which any two along an axis are correlated by rho."""
    shared = rng.standard_normal(tuple(1 if i == axis else n for i, n in enumerate(shape)))
    return np.asarray(sqrt(rho) * shared + sqrt(1 - rho) * rng.standard_normal(shape))


def together_rejections(size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return whether `folds_together` rejects for two equal algorithms on three data sets, (repetitions, 1)."""
    out: dict[Key, BoolArray] = {}
    for name, schemes in TOGETHER.items():
        drawn = [alike((size, 2, r * k), 2, correlation(r, k), rng).reshape(size, 2, r, k) for r, k in schemes]
        shares = [HOLD_OUT if k == 1 else None for _, k in schemes]
        p = [stats.folds_together([each[i] for each in drawn], test_share=shares).pvalue for i in range(size)]
        out[THREE, f"folds together, {name}"] = np.array(p) <= alpha
    return out
