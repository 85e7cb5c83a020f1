"""Four models on the same items, right or wrong: alone, in clusters of unequal size, answered again, of benchmarks."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.stats.results import pair_indices
from tiebreak.studies._own import Setting, name_and_truth
from tiebreak.studies._procedures import Key
from tiebreak.studies._scores import HARD, TRUTHS, real_differences, true_effects

ITEMS = "items"
ALONE, CLUSTERS, AGAIN, BENCHMARKS = (
    "items, 0/1", "items in clusters", "items, repeated answers", "items of 3 benchmarks"
)  # fmt: skip
TOTALS = "totals of 225 items"
MODELS, N_ITEMS, N_TOTAL, EPOCHS = 4, 300, 225, 3
SIZES = (200, 70, 30)
"""Items of the three benchmarks."""
STRENGTH = 0.3
"""Effects are this share of those of the other settings: three hundred items show smaller ones than thirty sets."""
WITHIN = 0.5
"""The standard deviation of what a cluster does to one model alone."""
CORRECTION = "holm"
SETTINGS: tuple[Setting, ...] = tuple(
    (name, truth) for name in (ALONE, CLUSTERS, AGAIN, BENCHMARKS, TOTALS) for truth in TRUTHS
)


def cluster_codes() -> IntArray:
    """Return the clusters of the items: forty of them, from 1 to 30 items, so that a few hold most."""
    shares = np.linspace(0.0, 1.0, 40) ** 3
    sizes = 1 + np.floor(shares / shares.sum() * (N_ITEMS - 40)).astype(np.int64)
    sizes[-1] += N_ITEMS - sizes.sum()
    return np.repeat(np.arange(40), sizes)


def drawn_answers(
    name: str, truth: str, size: int, rng: np.random.Generator
) -> tuple[FloatArray, IntArray | None, IntArray | None]:
    """Draw (repetitions, items, models) of answers, 1 where right, with the clusters and benchmarks of the items."""
    effects = STRENGTH * true_effects(truth, MODELS)
    count = N_TOTAL if name == TOTALS else N_ITEMS
    if name == TOTALS:  # other items for every model: what totals are tested for
        return _right(effects + np.sqrt(2.0) * rng.standard_normal((size, count, MODELS))), None, None
    hard = rng.standard_normal((size, count, 1))
    if name == AGAIN:
        noise = rng.standard_normal((size, count, MODELS, EPOCHS))
        own = rng.standard_normal((size, count, MODELS, 1))
        return _right(effects[:, None] + hard[..., None] + own + noise, 1.5).mean(axis=3), None, None
    noise = rng.standard_normal((size, count, MODELS))
    if name == BENCHMARKS:
        return _right(effects + hard + noise), None, np.repeat(np.arange(len(SIZES)), SIZES)
    if name == ALONE:
        return _right(effects + hard + noise), None, None
    codes = cluster_codes()
    shared = WITHIN * rng.standard_normal((size, int(codes.max()) + 1, MODELS))
    return _right(effects + hard + noise + shared[:, codes]), codes, None


def _right(errors: FloatArray, limit: float = HARD) -> FloatArray:
    return np.asarray(errors <= limit).astype(np.float64)


def item_rejections(setting: Setting, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return which pairs each test calls different after Holm's correction, (repetitions, pairs)."""
    name, truth = name_and_truth(setting)
    answers, clusters, strata = drawn_answers(name, truth, size, rng)
    if name == TOTALS:
        tests = {"fisher on totals": "fisher", "score test on totals": "score"}
        count = np.full(MODELS, N_TOTAL)
        return {
            (ITEMS, f"{label}, {CORRECTION}"): _stack(
                stats.proportion_pairs(each.sum(axis=0), count, method=method, adjust=CORRECTION).adjusted <= alpha
                for each in answers
            )
            for label, method in tests.items()
        }
    tests = {"sign flips": "sign-flip", "cluster t": "cluster-t"}
    if name == ALONE:
        tests = {"mcnemar on items": "mcnemar", "mcnemar mid-p on items": "mcnemar-midp"} | tests
    out = {
        (ITEMS, f"{label}, {CORRECTION}"): _tested(answers, method, alpha, clusters, strata)
        for label, method in tests.items()
    }
    if name == CLUSTERS:  # what comes of forgetting the clusters
        out[ITEMS, f"clusters ignored: mcnemar, {CORRECTION}"] = _tested(answers, "mcnemar", alpha, None, None)
    return out


def _tested(
    answers: FloatArray,
    method: str,
    alpha: float,
    clusters: IntArray | None,
    strata: IntArray | None,
) -> BoolArray:
    return _stack(
        stats.item_pairs(each, clusters=clusters, strata=strata, method=method, adjust=CORRECTION).adjusted <= alpha
        for each in answers
    )


def _stack(rows: Iterable[BoolArray]) -> BoolArray:
    return np.array(list(rows), dtype=bool)


def item_differences(setting: Setting, hypotheses: int) -> BoolArray:
    """Mark the pairs that really differ."""
    return real_differences(name_and_truth(setting)[1], *pair_indices(MODELS), MODELS)[:hypotheses]
