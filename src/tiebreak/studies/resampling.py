"""Rejections on resampled folds: tests of cross-validation, of tables of folds, and of several measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.methods import Method, find, of_kind
from tiebreak.stats import multivariate
from tiebreak.stats.items.proportions import score_z
from tiebreak.stats.numeric.basics import normal_two_sided
from tiebreak.studies.procedures import Experiment, Key, corrected, label, none_or_all, pair_pvalues

ONE = "one data set"
INDEPENDENT, CORRELATED, LEARNED, GIVEN = "independent folds", "correlated folds", "nearest means", "given classifiers"
SIZE, FEATURES = 200, 10
STRENGTH, STRONGER = 0.25, 0.35
"""Distance of the class means from zero in every feature: of both learners, and of the better one."""

SCHEMES = {"5x2": (5, 2), "10": (1, 10), "10x10": (10, 10)}
SHIFT = 1.0
"""Expected difference in the normal models, in standard deviations of one fold."""


def _corrected(a: FloatArray, b: FloatArray) -> FloatArray | float:
    """Both schemes that use it test on a tenth of the examples."""
    return stats.corrected_resampled_t(a, b, test_share=0.1).pvalue


def _paired(method: Method) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """Test the folds of every repetition by a test of paired vectors."""
    return lambda a, b: np.array([method(np.stack(item, axis=1)).pvalue[0] for item in zip(a, b, strict=True)])


TESTS: dict[str, tuple[str, Callable[[FloatArray, FloatArray], FloatArray | float]]] = {
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


def fold_rejections(
    model: str, truth: str, repetitions: int, rng: np.random.Generator, *, alpha: float
) -> dict[Key, BoolArray]:
    """Return for every test that fits the model in which repetitions it rejects, (repetitions, 1)."""
    differ = truth == "different"
    pvalues: dict[str, FloatArray | float] = {}
    if model in (INDEPENDENT, CORRELATED):
        scores = {s: _normal_folds(s, model, repetitions, rng, differ=differ) for s in SCHEMES}
        pvalues = {name: test(*scores[s]) for name, (s, test) in TESTS.items()}
    else:
        examples = _examples(repetitions, rng, differ=differ)
        weights, test_part = np.broadcast_to(1.0, (repetitions, 2, FEATURES)), examples
        if model == LEARNED:
            scores = {s: _cross_validated(examples, splits(*SCHEMES[s], rng)) for s in SCHEMES}
            pvalues = {name: test(*scores[s]) for name, (s, test) in TESTS.items()}
            half = SIZE // 2
            weights, test_part = examples[:, :, :half].mean(axis=2), examples[:, :, half:]
        pvalues |= _prediction_pvalues(test_part, weights)
    return {(ONE, name): np.asarray(p <= alpha)[:, None] for name, p in pvalues.items()}


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
    normal = rng.standard_normal((repetitions, replications * count))
    shared = rng.standard_normal((repetitions, 1))
    d = (SHIFT if differ else 0.0) + sqrt(rho) * shared + sqrt(1 - rho) * normal
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


def _prediction_pvalues(examples: FloatArray, weights: FloatArray) -> dict[str, FloatArray | float]:
    """Test predictions on the same examples (McNemar), or on one half of them each (two proportions)."""
    wrong = np.einsum("rlnf,rlf->rln", examples, weights) < 0.0
    only_a, only_b = ((~wrong[:, i] & wrong[:, 1 - i]).sum(axis=1) for i in (0, 1))
    half = wrong.shape[2] // 2
    whole = np.full(len(wrong), float(half))
    first, second = wrong[:, 0, :half].sum(axis=1), wrong[:, 1, half : 2 * half].sum(axis=1)
    return {
        "mcnemar, exact": stats.mcnemar(only_a, only_b).pvalue,
        "mcnemar, mid-p": stats.mcnemar(only_a, only_b, method="mid-p").pvalue,
        "two proportions": normal_two_sided(score_z(first, whole, second, whole)),
    }


FEW, THREE, SEVERAL = "few data sets", "folds of 3 data sets", "several measures"
NORMAL, SKEWED, SMALL = "several measures, normal", "several measures, skewed", "6 data sets, 4 algorithms"
TABLE_CORRELATED, FIVE_BY_TWO = "several measures, correlated folds", "several measures, 5x2 folds"
TABLE_LEARNED = "several measures, nearest means"
ALGORITHMS, MEASURES = 4, 2
TOGETHER_MEASURES = np.array([[1.0, 0.5], [0.0, 1.0]])
"""Measures that go together."""
ROWS, PERMUTATIONS, PERMUTATIONS_OF_FOLDS = 20, 199, 99
"""With so many permutations an exact test has the levels 1/200, 2/200, ... and keeps 0.05 exactly."""
TABLE_SCHEMES = {"10 folds": (1, 10), "5x10 folds": (5, 10), "10x10 folds": (10, 10)}
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


def other_rejections(name: str, _: str, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return what every test of a setting rejects where nothing differs, (repetitions, hypotheses)."""
    if name == SMALL:
        return _few(rng.standard_normal((size, 6, 4)), alpha)
    if name == THREE:
        pvalues, question = together_pvalues(size, rng), THREE
    else:
        pvalues, question = several_pvalues(name, size, rng), SEVERAL
    return {(question, procedure): np.array(p)[:, None] <= alpha for procedure, p in pvalues.items()}


def _few(tables: FloatArray, alpha: float) -> dict[Key, BoolArray]:
    """Tests on ranks where their approximations are rough, beside those made for few data sets."""
    out: dict[Key, BoolArray] = {}
    for method in of_kind("omnibus", "pairs", verb="compare"):
        if method.takes == "ranks" and method.kind == "omnibus":
            out[FEW, label(method)] = np.array([[method(x).pvalue <= alpha] for x in tables])
        elif method.takes == "ranks":
            out[FEW, f"{label(method)}, holm"] = corrected("holm", pair_pvalues(method, tables), alpha)
    return out


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


def together_pvalues(size: int, rng: np.random.Generator) -> dict[str, list[float]]:
    """Return the p-values of `folds_together` for two equal algorithms on three data sets."""
    out = {}
    for name, schemes in TOGETHER.items():
        drawn = [alike((size, 2, r * k), 2, correlation(r, k), rng).reshape(size, 2, r, k) for r, k in schemes]
        shares = [HOLD_OUT if k == 1 else None for _, k in schemes]
        tested = [stats.folds_together([values[i] for values in drawn], test_share=shares) for i in range(size)]
        out[f"folds together, {name}"] = [float(result.pvalue[0]) for result in tested]
    return out


def several_pvalues(name: str, size: int, rng: np.random.Generator) -> dict[str, list[float]]:
    """Return p-values of the tests of several measures that fit a setting."""
    if name in (NORMAL, SKEWED):
        noise = rng.standard_normal if name == NORMAL else rng.standard_exponential
        cubes = noise((size, ROWS, ALGORITHMS, MEASURES)) @ TOGETHER_MEASURES
        return {procedure: [test(cube, rng) for cube in cubes] for procedure, test in _on_datasets().items()}
    out: dict[str, list[float]] = {}
    if name == TABLE_LEARNED:
        for scheme in ("10 folds", "5x10 folds"):
            out |= _one_by_one(class_rates(size, TABLE_SCHEMES[scheme], ALGORITHMS, rng), scheme, rng, _PLAIN)
    elif name == TABLE_CORRELATED:
        for scheme, (replications, folds) in TABLE_SCHEMES.items():
            cubes = alike((size, replications * folds, ALGORITHMS, MEASURES), 1, 1 / folds, rng) @ TOGETHER_MEASURES
            usual = [test for test in _ON_FOLDS if replications < 10 or test != "corrected-permutation"]
            out |= _one_by_one(cubes, scheme, rng, usual)  # a hundred folds take long to permute
        return out
    cubes = rng.standard_normal((size, 10, ALGORITHMS, MEASURES)) @ TOGETHER_MEASURES
    if name == TABLE_LEARNED:
        cubes = class_rates(size, (5, 2), ALGORITHMS, rng)
    pairs = [multivariate.five_by_two_pairs(cube[:, :2], adjust="none").pvalue[0] for cube in cubes]
    whole = [multivariate.five_by_two_manova(cube).pvalue for cube in cubes]
    return out | {"5x2cv-measures, 2 algorithms": pairs, f"5x2cv-measures, {ALGORITHMS} algorithms": whole}


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


def _one_by_one(
    cubes: FloatArray, scheme: str, rng: np.random.Generator, procedures: Iterable[str]
) -> dict[str, list[float]]:
    """Run the corrected tests on (repetitions, folds, algorithms, measures), and two as if folds were independent."""
    out = {f"{name}, {scheme}": [_ON_FOLDS[name](cube, 0.1, rng) for cube in cubes] for name in procedures}
    for name in _PLAIN:
        p = [_ON_FOLDS[name](cube, None, rng) for cube in cubes]
        out[f"{name.removeprefix('corrected-')} as if independent, {scheme}"] = p
    return out


def _permuted(cube: FloatArray, share: float | None, rng: np.random.Generator) -> float:
    n_permutations = PERMUTATIONS_OF_FOLDS
    return multivariate.permuted_manova(cube, test_share=share, n_permutations=n_permutations, rng=rng).pvalue


def _least(cube: FloatArray, share: float | None, _: np.random.Generator) -> float:
    kind = "kfold-t" if share is None else "corrected-t"
    return float(multivariate.anova_per_measure(cube, pair_test=kind, test_share=share).adjusted.min())


def _one_pair(cube: FloatArray, share: float | None, _: np.random.Generator) -> float:
    return multivariate.hotelling(cube[:, 0], cube[:, 1], test_share=share).pvalue


def _all_together(cube: FloatArray, share: float | None, _: np.random.Generator) -> float:
    return multivariate.manova(cube, blocked=True, test_share=share, statistic="bartlett").pvalue


_ON_FOLDS: dict[str, Callable[[FloatArray, float | None, np.random.Generator], float]] = {
    "corrected-hotelling": _one_pair,
    "corrected-manova": _all_together,
    "corrected-permutation": _permuted,
    "corrected-anova-per-measure": _least,
}
"""A p-value where all algorithms are equal, with the variance corrected for a share, or as if without."""
_PLAIN = ("corrected-hotelling", "corrected-manova")


def _on_datasets() -> dict[str, Callable[[FloatArray, np.random.Generator], float]]:
    """Return a p-value of every test of several measures where all algorithms are equal."""

    def pair(cube: FloatArray, first: int = 0) -> float:
        return multivariate.hotelling(cube[:, first], cube[:, first + 1]).pvalue

    def normality(cube: FloatArray) -> float:
        result = multivariate.mardia(cube[:, :1])  # two tests, so twice the smaller p-value, after Bonferroni
        return 2 * min(float(result.skewness_pvalue[0]), float(result.kurtosis_pvalue[0]))

    def manova(statistic: str) -> Callable[[FloatArray, np.random.Generator], float]:
        return lambda cube, _: multivariate.manova(cube, statistic=statistic).pvalue

    statistics = [method.name for method in of_kind("measures") if method.name in multivariate.MANOVA_STATISTICS]
    return {
        "hotelling": lambda cube, _: pair(cube),
        "hotelling on folds": lambda x, _: float(multivariate.hotelling_pairs(x[:, :2], adjust="none").pvalue[0]),
        **{name: manova(name) for name in statistics},
        "permutation": lambda x, rng: multivariate.permuted_manova(x, n_permutations=PERMUTATIONS, rng=rng).pvalue,
        "anova-per-measure": lambda cube, _: float(multivariate.anova_per_measure(cube).adjusted.min()),
        "combine-datasets": lambda x, _: float(multivariate.combine_datasets([[pair(x, 0)], [pair(x, 2)]]).pvalue[0]),
        "mardia": lambda cube, _: normality(cube),
    }


MODELS = Experiment(
    tuple((model, truth) for model in (INDEPENDENT, CORRELATED, LEARNED, GIVEN) for truth in ("null", "different")),
    fold_rejections,
    none_or_all,
)
OTHERS = Experiment(
    tuple((name, "null") for name in (NORMAL, SKEWED, SMALL, THREE, TABLE_CORRELATED, FIVE_BY_TWO, TABLE_LEARNED)),
    other_rejections,
    none_or_all,
)
