"""Tables with folds: what the sign test over significant wins rejects, beside the one over mean scores."""

from __future__ import annotations

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray
from tiebreak.stats.results import pair_indices
from tiebreak.studies._own import Setting, name_and_truth
from tiebreak.studies._procedures import Key, corrected
from tiebreak.studies._scores import TRUTHS, real_differences, true_effects

QUESTION, FOLDS = "significant wins", "5x2 folds"
SHAPE = (30, 5, 5, 2)
"""Data sets, algorithms, replications, folds."""
STRENGTH = 2.0
"""How much stronger effects are than those of the study: a data set has to show them by itself."""
SETTINGS: tuple[Setting, ...] = tuple((FOLDS, truth) for truth in TRUTHS)


def win_rejections(setting: Setting, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return what is rejected, (repetitions, pairs); an algorithm suits each data set better or worse by chance."""
    truth = name_and_truth(setting)[1]
    level = STRENGTH * true_effects(truth, SHAPE[1]) + rng.standard_normal((size, *SHAPE[:2]))
    cubes = level[..., None, None] + rng.standard_normal((size, *SHAPE))
    out: dict[Key, BoolArray] = {}
    for name, ties in (("significant wins", "drop"), ("ties split: significant wins", "split")):
        p = np.array([stats.significant_win_pairs(cube, ties=ties).pvalue for cube in cubes])
        out[QUESTION, f"{name}, shaffer"] = corrected("shaffer", p, alpha)
    p = np.array([stats.sign_pairs(cube.mean(axis=(2, 3))).pvalue for cube in cubes])
    out[QUESTION, "by means: sign, shaffer"] = corrected("shaffer", p, alpha)
    return out


def win_differences(setting: Setting, hypotheses: int) -> BoolArray:
    """Mark the pairs that really differ."""
    return real_differences(name_and_truth(setting)[1], *pair_indices(SHAPE[1]), SHAPE[1])[:hypotheses]
