"""Simulated cross-validation of two learners on one data set, and the tests made for it."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.methods import Method, find
from tiebreak.studies._procedures import Key

ONE = "one data set"
INDEPENDENT, CORRELATED, LEARNED, GIVEN = "independent folds", "correlated folds", "nearest means", "given classifiers"
SIZE, FEATURES = 200, 10
STRENGTH, STRONGER = 0.25, 0.35
"""Distance of the class means from zero in every feature: of both learners, and of the better one."""

SCHEMES = {"5x2": (5, 2), "10": (1, 10), "10x10": (10, 10)}
SHIFT = 1.0
"""Expected difference in the normal models, in standard deviations of one fold."""

Test = Callable[[FloatArray, FloatArray], FloatArray | float]


def _corrected(a: FloatArray, b: FloatArray) -> FloatArray | float:
    """Both schemes that use it test on a tenth of the examples."""
    return stats.corrected_resampled_t(a, b, test_share=0.1).pvalue


def _paired(method: Method) -> Test:
    """Test the folds of every repetition by a test of paired vectors."""
    return lambda a, b: np.array([method(np.stack(each, axis=1)).pvalue[0] for each in zip(a, b, strict=True)])


TESTS: dict[str, tuple[str, Test]] = {
    "5x2cv F": ("5x2", lambda a, b: stats.five_by_two_f(a, b).pvalue),
    "5x2cv t": ("5x2", lambda a, b: stats.five_by_two_t(a, b).pvalue),
    "k-fold t, 10 folds": ("10", lambda a, b: stats.kfold_t(a, b).pvalue),
    "k-fold t, 10x10 folds": ("10x10", lambda a, b: stats.kfold_t(a, b).pvalue),
    "corrected t, 10 folds": ("10", _corrected),
    "corrected t, 10x10 folds": ("10x10", _corrected),
    "wilcoxon on folds, 10 folds": ("10", _paired(find("wilcoxon", "folds"))),
    "sign on folds, 10 folds": ("10", _paired(find("sign", "folds"))),
}
"""Scheme and test; under which models it promises to keep its level its record says."""

MODELS = (INDEPENDENT, CORRELATED, LEARNED, GIVEN)


def fold_rejections(
    model: str, repetitions: int, rng: np.random.Generator, *, differ: bool, alpha: float
) -> dict[Key, BoolArray]:
    """Return for every test that fits the model in which repetitions it rejects, (repetitions,)."""
    if model in (INDEPENDENT, CORRELATED):
        scores = {s: _normal_folds(s, model, repetitions, rng, differ=differ) for s in SCHEMES}
        return _fold_tests(scores, alpha)
    examples = _examples(repetitions, rng, differ=differ)
    if model == GIVEN:
        return _prediction_tests(examples, np.broadcast_to(1.0, (repetitions, 2, FEATURES)), alpha)
    found = _fold_tests({s: _cross_validated(examples, folds(s, rng)) for s in SCHEMES}, alpha)
    half = SIZE // 2
    return found | _prediction_tests(examples[:, :, half:], examples[:, :, :half].mean(axis=2), alpha)


def folds(scheme: str, rng: np.random.Generator) -> BoolArray:
    """Return the test parts of a scheme, (splits, examples)."""
    return splits(*SCHEMES[scheme], rng)


def splits(replications: int, count: int, rng: np.random.Generator) -> BoolArray:
    """Return the test parts of so many replications of so many folds, (splits, examples)."""
    part = np.arange(SIZE) % count
    labels = np.stack([rng.permutation(part) for _ in range(replications)])
    return np.asarray(labels[:, None, :] == np.arange(count)[:, None]).reshape(-1, SIZE)


def _normal_folds(
    scheme: str, model: str, repetitions: int, rng: np.random.Generator, *, differ: bool
) -> tuple[FloatArray, FloatArray]:
    """Normal differences of which any two are correlated by the share of examples in the test part."""
    replications, count = SCHEMES[scheme]
    rho = 1 / count if model == CORRELATED else 0.0
    own = rng.standard_normal((repetitions, replications * count))
    shared = rng.standard_normal((repetitions, 1))
    d = (SHIFT if differ else 0.0) + sqrt(rho) * shared + sqrt(1 - rho) * own
    return d, np.zeros_like(d)


def _examples(repetitions: int, rng: np.random.Generator, *, differ: bool) -> FloatArray:
    """Features times class (+1 or -1), (repetitions, learners, examples, features); each learner has its own."""
    strength = np.array([STRENGTH, STRONGER if differ else STRENGTH])
    return np.asarray(rng.standard_normal((repetitions, 2, SIZE, FEATURES)) + strength[:, None, None])


def _cross_validated(examples: FloatArray, test: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Error of both learners in every split: train on the rest, predict by the nearer class mean."""
    train = (~test).astype(np.float64)
    weights = np.einsum("sn,rlnf->rlfs", train, examples, optimize=True)
    wrong = np.matmul(examples, weights) < 0.0  # (repetitions, learners, examples, splits)
    errors = np.einsum("rlns,sn->rls", wrong, test, dtype=np.float64) / test.sum(axis=1)
    return errors[:, 0], errors[:, 1]


def class_rates(repetitions: int, scheme: tuple[int, int], learners: int, rng: np.random.Generator) -> FloatArray:
    """Cross-validate equal learners: misses and false alarms, (repetitions, splits, learners, 2).

    Each sees features of its own, equally informative, as in `_examples`; every second example is positive.
    """
    out = []
    positive = np.arange(SIZE) % 2 == 0
    for _ in range(repetitions):  # one after the other: hundreds of splits of all repetitions would fill the memory
        examples = rng.standard_normal((learners, SIZE, FEATURES)) + STRENGTH
        test = splits(*scheme, rng)
        weights = np.einsum("sn,lnf->lfs", (~test).astype(np.float64), examples, optimize=True)
        wrong = np.matmul(examples, weights) < 0.0  # (learners, examples, splits)
        parts = [(test & members).astype(np.float64) for members in (positive, ~positive)]
        rates = [np.einsum("lns,sn->sl", wrong, part) / np.maximum(part.sum(axis=1), 1.0)[:, None] for part in parts]
        out.append(np.stack(rates, axis=-1))
    return np.array(out)


def _fold_tests(scores: dict[str, tuple[FloatArray, FloatArray]], alpha: float) -> dict[Key, BoolArray]:
    return {(ONE, name): np.asarray(test(*scores[s]) <= alpha) for name, (s, test) in TESTS.items()}


def _prediction_tests(examples: FloatArray, weights: FloatArray, alpha: float) -> dict[Key, BoolArray]:
    """Test predictions on the same examples (McNemar), or on one half of them each (two proportions)."""
    wrong = np.einsum("rlnf,rlf->rln", examples, weights) < 0.0
    only_a, only_b = ((~wrong[:, i] & wrong[:, 1 - i]).sum(axis=1) for i in (0, 1))
    half = wrong.shape[2] // 2
    first, second = wrong[:, 0, :half].sum(axis=1), wrong[:, 1, half : 2 * half].sum(axis=1)
    pvalues = {
        "mcnemar, exact": stats.mcnemar(only_a, only_b).pvalue,
        "mcnemar, mid-p": stats.mcnemar(only_a, only_b, method="mid-p").pvalue,
        "two proportions": stats.two_proportions(first, half, second, half).pvalue,
    }
    return {(ONE, name): np.asarray(p <= alpha) for name, p in pvalues.items()}
