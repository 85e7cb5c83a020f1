"""Simulated folds with several measures, and few data sets: the tests that are made for them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.methods import Method, of_kind
from tiebreak.stats import multivariate
from tiebreak.studies._procedures import Key, label, pair_pvalues
from tiebreak.studies._resampled import RESAMPLED, SEVERAL, resampled_rejections

FEW = "few data sets"
NORMAL, SKEWED, SMALL = "several measures, normal", "several measures, skewed", "6 data sets, 4 algorithms"
SETTINGS = (NORMAL, SKEWED, SMALL, *RESAMPLED)
FOLDS, ALGORITHMS, MEASURES = 20, 4, 2
PERMUTATIONS = 199
"""With so many an exact test has the levels 1/200, 2/200, ... and keeps 0.05 exactly."""


def other_rejections(setting: str, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return what every test of a setting rejects where nothing differs, (repetitions, hypotheses)."""
    if setting in RESAMPLED:
        return resampled_rejections(setting, size, rng, alpha=alpha)
    if setting == SMALL:
        return _few(rng.standard_normal((size, 6, 4)), alpha)
    noise = rng.standard_normal if setting == NORMAL else rng.standard_exponential
    cubes = noise((size, FOLDS, ALGORITHMS, MEASURES)) @ np.array([[1.0, 0.5], [0.0, 1.0]])  # measures that go together
    found = {(SEVERAL, name): [test(cube, rng) <= alpha for cube in cubes] for name, test in _TESTS.items()}
    return {key: np.array(rejected)[:, None] for key, rejected in found.items()}


def _few(tables: FloatArray, alpha: float) -> dict[Key, BoolArray]:
    """Tests on ranks where their approximations are rough, beside those made for few data sets."""
    out: dict[Key, BoolArray] = {}
    for method in of_kind("omnibus", verb="compare"):
        if method.takes == "ranks":
            out[FEW, label(method)] = np.array([[method(x).pvalue <= alpha] for x in tables])
    for method in of_kind("pairs", verb="compare"):
        if method.takes == "ranks":
            p = pair_pvalues(method, tables)
            out[FEW, f"{label(method)}, holm"] = np.array([stats.holm(row) <= alpha for row in p])
    return out


def _manova(method: Method) -> Callable[[FloatArray, np.random.Generator], float]:
    return lambda cube, _: multivariate.manova(cube, statistic=method.name).pvalue


def _pair(cube: FloatArray, first: int = 0) -> float:
    return multivariate.hotelling(cube[:, first], cube[:, first + 1]).pvalue


def _combined(cube: FloatArray, _: np.random.Generator) -> float:
    """Combine two independent tests, as of two data sets."""
    return float(multivariate.combine_datasets([[_pair(cube, 0)], [_pair(cube, 2)]]).pvalue[0])


def _normal(cube: FloatArray, _: np.random.Generator) -> float:
    """Two tests, so twice the smaller p-value, after Bonferroni."""
    found = multivariate.mardia(cube[:, :1])
    return 2 * min(float(found.skewness_pvalue[0]), float(found.kurtosis_pvalue[0]))


def _far_out(cube: FloatArray, _: np.random.Generator) -> float:
    """Written as a p-value, 0 or 1, so that it stands in one table with the tests."""
    return float(multivariate.multivariate_outliers(cube[:, :1], alpha=0.05).row.size == 0)


_TESTS: dict[str, Callable[[FloatArray, np.random.Generator], float]] = {
    "hotelling": lambda cube, _: _pair(cube),
    "hotelling on folds": lambda cube, _: float(multivariate.hotelling_pairs(cube[:, :2], adjust="none").pvalue[0]),
    **{each.name: _manova(each) for each in of_kind("measures") if each.name in multivariate.MANOVA_STATISTICS},
    "permutation": lambda cube, rng: multivariate.permuted_manova(cube, n_permutations=PERMUTATIONS, rng=rng).pvalue,
    "ranks": lambda cube, _: multivariate.rank_manova(cube, method="chi2").pvalue,
    "anova-per-measure": lambda cube, _: float(multivariate.anova_per_measure(cube).adjusted.min()),
    "combine-datasets": _combined,
    "mardia": _normal,
    "outliers": _far_out,
}
"""A p-value of every test of several measures where all algorithms are equal."""
