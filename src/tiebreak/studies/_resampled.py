"""Simulated folds that share training data: of several data sets together, and with several measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.stats import multivariate
from tiebreak.studies._cross_validation import class_rates
from tiebreak.studies._procedures import Key

THREE, SEVERAL = "folds of 3 data sets", "several measures"
CORRELATED, FIVE_BY_TWO = "several measures, correlated folds", "several measures, 5x2 folds"
LEARNED = "several measures, nearest means"
RESAMPLED = (THREE, CORRELATED, FIVE_BY_TWO, LEARNED)
ALGORITHMS, MEASURES, PERMUTATIONS = 4, 2, 99
TOGETHER_MEASURES = np.array([[1.0, 0.5], [0.0, 1.0]])
"""Measures that go together."""
SCHEMES = {"10 folds": (1, 10), "5x10 folds": (5, 10), "10x10 folds": (10, 10)}
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


def resampled_rejections(setting: str, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return what every test of a setting rejects where nothing differs, (repetitions, 1)."""
    if setting == THREE:
        return together_rejections(size, rng, alpha=alpha)
    found: dict[Key, BoolArray] = {}
    if setting == LEARNED:
        for name in ("10 folds", "5x10 folds"):
            found |= _one_by_one(class_rates(size, SCHEMES[name], ALGORITHMS, rng), name, rng, alpha, _PLAIN)
    elif setting == CORRELATED:
        for name, (replications, folds) in SCHEMES.items():
            shape = (size, replications * folds, ALGORITHMS, MEASURES)
            usual = list(_CORRECTED) if replications < 10 else _NOT_PERMUTED
            found |= _one_by_one(alike(shape, 1, 1 / folds, rng) @ TOGETHER_MEASURES, name, rng, alpha, usual)
    if setting in (LEARNED, FIVE_BY_TWO):
        plain = rng.standard_normal((size, 10, ALGORITHMS, MEASURES)) @ TOGETHER_MEASURES
        found |= _five_by_two(plain if setting == FIVE_BY_TWO else class_rates(size, (5, 2), ALGORITHMS, rng), alpha)
    return found


def _one_by_one(
    cubes: FloatArray, name: str, rng: np.random.Generator, alpha: float, procedures: Sequence[str]
) -> dict[Key, BoolArray]:
    """Run the corrected tests on (repetitions, folds, algorithms, measures), and two as if folds were independent."""
    out: dict[Key, BoolArray] = {}
    for procedure in procedures:
        p = np.array([_CORRECTED[procedure](cube, 0.1, rng) for cube in cubes])
        out[SEVERAL, f"{procedure}, {name}"] = p[:, None] <= alpha
    for procedure in _PLAIN:
        p = np.array([_CORRECTED[procedure](cube, None, rng) for cube in cubes])
        out[SEVERAL, f"{procedure.removeprefix('corrected-')} as if independent, {name}"] = p[:, None] <= alpha
    return out


def _five_by_two(cubes: FloatArray, alpha: float) -> dict[Key, BoolArray]:
    """Run the 5x2 cv tests of a pair, and of all algorithms."""
    pairs = [multivariate.five_by_two_pairs(cube[:, :2], adjust="none").pvalue[0] for cube in cubes]
    whole = [multivariate.five_by_two_manova(cube).pvalue for cube in cubes]
    names = (f"5x2cv-measures, {count} algorithms" for count in (2, ALGORITHMS))
    return {(SEVERAL, name): np.array(p)[:, None] <= alpha for name, p in zip(names, (pairs, whole), strict=True)}


def _permuted(cube: FloatArray, share: float | None, rng: np.random.Generator) -> float:
    return multivariate.permuted_manova(cube, test_share=share, n_permutations=PERMUTATIONS, rng=rng).pvalue


def _least(cube: FloatArray, share: float | None, _: np.random.Generator) -> float:
    kind = "kfold-t" if share is None else "corrected-t"
    return float(multivariate.anova_per_measure(cube, pair_test=kind, test_share=share).adjusted.min())


_CORRECTED: dict[str, Callable[[FloatArray, float | None, np.random.Generator], float]] = {
    "corrected-hotelling": lambda cube, share, _: (
        multivariate.hotelling(cube[:, 0], cube[:, 1], test_share=share).pvalue
    ),
    "corrected-manova": lambda cube, share, _: (
        multivariate.manova(cube, blocked=True, test_share=share, statistic="bartlett").pvalue
    ),
    "corrected-permutation": _permuted,
    "corrected-anova-per-measure": _least,
}
"""A p-value where all algorithms are equal, with the variance corrected for a share, or as if without."""
_PLAIN = ("corrected-hotelling", "corrected-manova")
_NOT_PERMUTED = [name for name in _CORRECTED if name != "corrected-permutation"]  # a hundred folds take long to permute
