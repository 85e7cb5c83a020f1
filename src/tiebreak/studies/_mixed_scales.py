"""Simulated tables whose data sets have scales of their own: tests on scores as they are, distances, shares and signs.

Every data set multiplies its scores by a factor of its own, from a hundredth to a hundred, as metrics and units do.
"""

from __future__ import annotations

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.comparison.scales import distances, shares
from tiebreak.methods import find
from tiebreak.stats.results import pair_indices
from tiebreak.studies._own import Setting, name_and_truth
from tiebreak.studies._procedures import Key, corrected, pair_pvalues, signed_rank_pvalues
from tiebreak.studies._scores import FIRST_NOISES, TRUTHS, draw_tables, real_differences

MIXED = "mixed scales"
"""The question in the tables of the study."""
FAILED = "failed"
"""Normal noise, but one run in ten fails and lies a hundred standard deviations behind on average."""
MIXED_NOISES = (*FIRST_NOISES, FAILED)
CORRECTION = "shaffer"
AS_IS, DISTANCE, NORMALISED, SIGN = "wilcoxon as is", "wilcoxon distance", "wilcoxon normalised", "sign"
"""What pairs are tested on. The records speak of scores of one scale, so that only the last is promised anything."""
DECADES = 2.0
SHARE_FAILED, BEHIND = 0.1, 100.0


def mixed_tables(noise: str, truth: str, shape: tuple[int, int, int], rng: np.random.Generator) -> FloatArray:
    """Draw errors, (repetitions, data sets, algorithms), each data set on a scale of its own."""
    tables = draw_tables("normal" if noise == FAILED else noise, truth, shape, rng)
    if noise == FAILED:
        tables = tables + np.where(rng.random(shape) < SHARE_FAILED, rng.exponential(BEHIND, shape), 0.0)
    return np.asarray(tables * 10.0 ** rng.uniform(-DECADES, DECADES, (*shape[:2], 1)))


def mixed_pvalues(tables: FloatArray) -> dict[str, FloatArray]:
    """Return the p-values of all pairs in every table by each way, not corrected, (repetitions, pairs)."""
    centre = np.median(tables, axis=2, keepdims=True)
    share = shares(tables, centre, centre - tables.min(axis=2, keepdims=True))
    return {
        AS_IS: signed_rank_pvalues(tables),
        DISTANCE: signed_rank_pvalues(distances(tables.reshape(-1, tables.shape[2])).reshape(tables.shape)),
        NORMALISED: signed_rank_pvalues(-share),
        SIGN: pair_pvalues(find("sign", "pairs"), tables),
    }


def mixed_rejections(
    noise: str, truth: str, shape: tuple[int, int, int], rng: np.random.Generator, *, alpha: float
) -> dict[Key, BoolArray]:
    """Return what each way rejects, (repetitions, pairs), corrected over the pairs."""
    found = mixed_pvalues(mixed_tables(noise, truth, shape, rng))
    return {(MIXED, f"{name}, {CORRECTION}"): corrected(CORRECTION, p, alpha) for name, p in found.items()}


def mixed_differences(truth: str, count: int) -> BoolArray:
    """Say for each pair whether the two algorithms differ."""
    return real_differences(truth, *pair_indices(count), count)


SETTINGS: tuple[Setting, ...] = tuple((f"mixed scales, {noise}", truth) for noise in MIXED_NOISES for truth in TRUTHS)
"""Every noise with each data set on a scale of its own, for 30 data sets and 6 algorithms."""
SHAPE = (30, 6)


def scale_rejections(setting: Setting, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return what each way rejects in one of the settings."""
    name, truth = name_and_truth(setting)
    return mixed_rejections(name.removeprefix("mixed scales, "), truth, (size, *SHAPE), rng, alpha=alpha)


def scale_differences(setting: Setting, hypotheses: int) -> BoolArray:
    """Mark the pairs that differ."""
    assert hypotheses == SHAPE[1] * (SHAPE[1] - 1) // 2
    return mixed_differences(name_and_truth(setting)[1], SHAPE[1])
