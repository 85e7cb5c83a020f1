"""What `compare` and `order` decide without being asked for anything else, beside what `compare` did before.

Now: signed ranks of each pair's own scores, corrected by Bergmann and Hommel, or by Holm against a control. Before: z
tests on mean ranks, their variance that of ranks without ties, with the same corrections, if Friedman's test rejects.
"""

from __future__ import annotations

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.methods import find
from tiebreak.stats.many.rank_tests import rank_standard_error
from tiebreak.stats.numeric.tails import normal_two_sided
from tiebreak.stats.results import pair_indices
from tiebreak.studies._own import Setting, name_and_truth
from tiebreak.studies._procedures import Key, corrected, pair_pvalues, signed_rank_pvalues
from tiebreak.studies._scores import TRUTHS, real_differences, true_effects, with_noise

DEFAULT, FORMER, TIES = "default", "former default", "former, ties corrected"
WITH_CONTROL = ", control"
ITEMS, LARGE = "500 items, 0/1", "300 x 8, crowd"
SHAPES = {ITEMS: ("0/1", 500, 4, 0.2), LARGE: ("crowd", 300, 8, 1.0)}
"""Tables that are larger than those of the study: noise, data sets, algorithms, and how strong effects are."""

SETTINGS: tuple[Setting, ...] = tuple((name, truth) for name in SHAPES for truth in TRUTHS)


def default_rejections(tables: FloatArray, friedman: BoolArray | None = None, *, alpha: float) -> dict[Key, BoolArray]:
    """Return which pairs the default and the former default call different, (repetitions, pairs).

    `friedman` says in which tables Friedman's test rejects, where that is known.
    """
    signed = signed_rank_pvalues(tables)
    out = _both(DEFAULT, "wilcoxon", signed, tables.shape[2], alpha)
    rejects = np.array([stats.friedman(x).pvalue <= alpha for x in tables]) if friedman is None else friedman
    ranks = find("ranks", "pairs", after="friedman")
    for question, p in ((FORMER, untied_pvalues(tables)), (TIES, pair_pvalues(ranks, tables))):
        found = _both(question, "if friedman rejects: ranks z", p, tables.shape[2], alpha)
        out |= {key: rejected & rejects[:, None] for key, rejected in found.items()}
    return out


def _both(question: str, name: str, pvalues: FloatArray, count: int, alpha: float) -> dict[Key, BoolArray]:
    """Correct p-values for all pairs, and those against the first algorithm, which come first."""
    return {
        (question, f"{name}, bergmann-hommel"): corrected("bergmann-hommel", pvalues, alpha),
        (question + WITH_CONTROL, f"{name}, holm"): corrected("holm", pvalues[:, : count - 1], alpha),
    }


def untied_pvalues(tables: FloatArray) -> FloatArray:
    """P-values of z tests on mean ranks with the variance of ranks without ties, (repetitions, pairs)."""
    _, n_datasets, count = tables.shape
    ranks = stats.rank_rows(tables.reshape(-1, count)).reshape(tables.shape).mean(axis=1)
    a, b = pair_indices(count)
    return normal_two_sided((ranks[:, a] - ranks[:, b]) / rank_standard_error(count, n_datasets))


def larger_rejections(setting: Setting, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return the same for tables with more data sets, on which smaller effects show."""
    name, truth = name_and_truth(setting)
    noise, n_datasets, count, strength = SHAPES[name]
    effects = strength * true_effects(truth, count)
    return default_rejections(with_noise(noise, effects, (size, n_datasets, count), rng), alpha=alpha)


def larger_real(setting: Setting, hypotheses: int) -> BoolArray:
    """Mark the pairs that really differ; against the control the first ones are tested."""
    name, truth = name_and_truth(setting)
    count = SHAPES[name][2]
    return real_differences(truth, *pair_indices(count), count)[:hypotheses]
