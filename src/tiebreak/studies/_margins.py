"""Candidates that are worse than a reference by exactly a margin, or not at all: which are called good enough?"""

from __future__ import annotations

import numpy as np
from scipy import special

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.studies._own import Setting, name_and_truth
from tiebreak.studies._procedures import Key
from tiebreak.studies._scores import HARD, NOISES, TRUTHS, with_noise

GOOD = "good enough"
ITEMS = "500 items, 0/1"
MARGIN = 0.5
"""In standard deviations of the noise."""

N_DATASETS, CANDIDATES = 30, 5
SETTINGS: tuple[Setting, ...] = tuple((name, truth) for name in (*NOISES, ITEMS) for truth in TRUTHS)
SMALLER = 0.4
"""The margin of many items is this much smaller."""


def margin_rejections(setting: Setting, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return which candidates are called good enough, (repetitions, candidates); the reference comes first."""
    name, truth = name_and_truth(setting)
    noise, n_datasets, margin = ("0/1", 500, SMALLER * MARGIN) if name == ITEMS else (name, N_DATASETS, MARGIN)
    worse = np.where(_good(truth), 0.0, margin)
    tables = with_noise(noise, np.array([0.0, *worse]), (size, n_datasets, CANDIDATES + 1), rng)
    limit = _more_errors(margin) if noise == "0/1" else margin
    pairs = [[i, 0] for i in range(1, CANDIDATES + 1)]
    p = np.array([stats.non_inferiority_pairs(x, pairs, margin=limit, adjust="none").pvalue for x in tables])
    out = {(GOOD, "non-inferiority, none"): p <= alpha, (GOOD, "non-inferiority, holm"): _holm(p, alpha)}
    if noise == "0/1":
        out[GOOD, "signed ranks alone, holm"] = _holm(_signed_alone(tables, limit), alpha)
    return out


def truly_good(setting: Setting, hypotheses: int) -> BoolArray:
    """Mark the candidates that are as good as the reference."""
    return _good(name_and_truth(setting)[1])[:hypotheses]


def _good(truth: str) -> BoolArray:
    """None, the later ones, or all."""
    first = {"null": CANDIDATES, "partial": CANDIDATES // 2, "different": 0}[truth]
    return np.arange(CANDIDATES) >= first


def _more_errors(effect: float) -> float:
    """The share of items that a model gets wrong more than another: effect and two normals against a limit."""
    wrong = special.ndtr((np.array([0.0, effect]) - HARD) / np.sqrt(2.0))
    return float(wrong[1] - wrong[0])


def _signed_alone(tables: FloatArray, margin: float) -> FloatArray:
    """P-values of signed ranks without a look at the mean, which 0/1 scores mislead."""
    return np.array(
        [
            [stats.wilcoxon(x[:, i] - margin, x[:, 0], alternative="a-better").pvalue for i in range(1, CANDIDATES + 1)]
            for x in tables
        ]
    )


def _holm(pvalues: FloatArray, alpha: float) -> BoolArray:
    return np.array([stats.holm(row) <= alpha for row in pvalues])
