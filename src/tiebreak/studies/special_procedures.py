"""Rejections of further procedures: defaults, margins, items, mixed scales, wins over folds, repeated looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from scipy import special

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.comparison.scales import distances, shares
from tiebreak.methods import find
from tiebreak.stats.many.rank_tests import rank_standard_error
from tiebreak.stats.numeric.basics import normal_two_sided
from tiebreak.stats.results import pair_indices
from tiebreak.stats.two.anytime import Evidence, undecided
from tiebreak.studies.procedures import (
    FIRST_NOISES,
    HARD,
    NOISES,
    TRUTHS,
    Key,
    Setting,
    corrected,
    differing,
    draw_tables,
    name_and_truth,
    pair_differences,
    pair_pvalues,
    signed_rank_pvalues,
    signed_ranks,
    true_effects,
    with_noise,
)

DEFAULT, FORMER = "default", "former default"
WITH_CONTROL = ", control"
ITEMS, LARGE = "500 items, 0/1", "300 x 8, crowd"
SHAPES = {ITEMS: ("0/1", 500, 4, 0.2), LARGE: ("crowd", 300, 8, 1.0)}
"""Tables that are larger than those of the study: noise, data sets, algorithms, and how strong effects are."""

LARGER_SETTINGS: tuple[Setting, ...] = tuple((name, truth) for name in SHAPES for truth in TRUTHS)


def default_rejections(tables: FloatArray, friedman: BoolArray | None = None, *, alpha: float) -> dict[Key, BoolArray]:
    """Return which pairs the default and the former default call different, (repetitions, pairs).

    `friedman` says in which tables Friedman's test rejects, where that is known.
    """
    signed = signed_rank_pvalues(tables)
    out = _both(DEFAULT, "wilcoxon", signed, tables.shape[2], alpha)
    rejects = np.array([stats.friedman(x).pvalue <= alpha for x in tables]) if friedman is None else friedman
    former = _both(FORMER, "if friedman rejects: ranks z", untied_pvalues(tables), tables.shape[2], alpha)
    out |= {key: rejected & rejects[:, None] for key, rejected in former.items()}
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
    return differing(SHAPES[name_and_truth(setting)[0]][2])(setting, hypotheses)


GOOD = "good enough"
MARGIN = 0.5
"""In standard deviations of the noise."""

N_DATASETS, CANDIDATES = 30, 5
MARGIN_SETTINGS: tuple[Setting, ...] = tuple((name, truth) for name in (*NOISES, ITEMS) for truth in TRUTHS)
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


BY_ITEM = "items"
ALONE, CLUSTERS, REPEATED, BENCHMARKS = (
    "items, 0/1", "items in clusters", "items, repeated answers", "items of 3 benchmarks"
)  # fmt: skip
TOTALS = "totals of 225 items"
ITEM_MODELS, N_ITEMS, N_TOTAL, EPOCHS = 4, 300, 225, 3
SIZES = (200, 70, 30)
"""Items of the three benchmarks."""
STRENGTH = 0.3
"""Effects are this share of those of the other settings: three hundred items show smaller ones than thirty sets."""
WITHIN = 0.5
"""The standard deviation of what a cluster does to one model alone."""
CORRECTION = "holm"
ITEM_SETTINGS: tuple[Setting, ...] = tuple(
    (name, truth) for name in (ALONE, CLUSTERS, REPEATED, BENCHMARKS, TOTALS) for truth in TRUTHS
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
    effects = STRENGTH * true_effects(truth, ITEM_MODELS)
    count = N_TOTAL if name == TOTALS else N_ITEMS
    if name == TOTALS:  # other items for every model: what totals are tested for
        return _right(effects + np.sqrt(2.0) * rng.standard_normal((size, count, ITEM_MODELS))), None, None
    hard = rng.standard_normal((size, count, 1))
    if name == REPEATED:
        noise = rng.standard_normal((size, count, ITEM_MODELS, EPOCHS))
        normal = rng.standard_normal((size, count, ITEM_MODELS, 1))
        return _right(effects[:, None] + hard[..., None] + normal + noise, 1.5).mean(axis=3), None, None
    noise = rng.standard_normal((size, count, ITEM_MODELS))
    if name == BENCHMARKS:
        return _right(effects + hard + noise), None, np.repeat(np.arange(len(SIZES)), SIZES)
    if name == ALONE:
        return _right(effects + hard + noise), None, None
    codes = cluster_codes()
    shared = WITHIN * rng.standard_normal((size, int(codes.max()) + 1, ITEM_MODELS))
    return _right(effects + hard + noise + shared[:, codes]), codes, None


def _right(errors: FloatArray, limit: float = HARD) -> FloatArray:
    return np.asarray(errors <= limit).astype(np.float64)


def item_rejections(setting: Setting, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return which pairs each test calls different after Holm's correction, (repetitions, pairs)."""
    name, truth = name_and_truth(setting)
    answers, clusters, strata = drawn_answers(name, truth, size, rng)
    if name == TOTALS:
        tests = {"fisher on totals": "fisher", "score test on totals": "score"}
        count = np.full(ITEM_MODELS, N_TOTAL)
        return {
            (BY_ITEM, f"{label}, {CORRECTION}"): _stack(
                stats.proportion_pairs(answer.sum(axis=0), count, method=method, adjust=CORRECTION).adjusted <= alpha
                for answer in answers
            )
            for label, method in tests.items()
        }
    tests = {"sign flips": "sign-flip", "cluster t": "cluster-t"}
    if name == ALONE:
        tests = {"mcnemar on items": "mcnemar", "mcnemar mid-p on items": "mcnemar-midp"} | tests
    out = {
        (BY_ITEM, f"{label}, {CORRECTION}"): _tested(answers, method, alpha, clusters, strata)
        for label, method in tests.items()
    }
    if name == CLUSTERS:  # what comes of forgetting the clusters
        out[BY_ITEM, f"clusters ignored: mcnemar, {CORRECTION}"] = _tested(answers, "mcnemar", alpha, None, None)
    return out


def _tested(
    answers: FloatArray,
    method: str,
    alpha: float,
    clusters: IntArray | None,
    strata: IntArray | None,
) -> BoolArray:
    return _stack(
        stats.item_pairs(answer, clusters=clusters, strata=strata, method=method, adjust=CORRECTION).adjusted <= alpha
        for answer in answers
    )


def _stack(rows: Iterable[BoolArray]) -> BoolArray:
    return np.array(list(rows), dtype=bool)


MIXED = "mixed scales"
"""The question in the tables of the study."""
FAILED = "failed"
"""Normal noise, but one run in ten fails and lies a hundred standard deviations behind on average."""
MIXED_NOISES = (*FIRST_NOISES, FAILED)
SCALE_CORRECTION = "shaffer"
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
    pvalues = mixed_pvalues(mixed_tables(noise, truth, shape, rng))
    return {
        (MIXED, f"{name}, {SCALE_CORRECTION}"): corrected(SCALE_CORRECTION, p, alpha) for name, p in pvalues.items()
    }


SCALE_SETTINGS: tuple[Setting, ...] = tuple(
    (f"mixed scales, {noise}", truth) for noise in MIXED_NOISES for truth in TRUTHS
)
"""Every noise with each data set on a scale of its own, for 30 data sets and 6 algorithms."""
SHAPE = (30, 6)


def scale_rejections(setting: Setting, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return what each way rejects in one of the settings."""
    name, truth = name_and_truth(setting)
    return mixed_rejections(name.removeprefix("mixed scales, "), truth, (size, *SHAPE), rng, alpha=alpha)


QUESTION, FOLDS = "significant wins", "5x2 folds"
WIN_SHAPE = (30, 5, 5, 2)
"""Data sets, algorithms, replications, folds."""
WIN_STRENGTH = 2.0
"""How much stronger effects are than those of the study: a data set has to show them by itself."""
WIN_SETTINGS: tuple[Setting, ...] = tuple((FOLDS, truth) for truth in TRUTHS)


def win_rejections(setting: Setting, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return what is rejected, (repetitions, pairs); an algorithm suits each data set better or worse by chance."""
    truth = name_and_truth(setting)[1]
    level = WIN_STRENGTH * true_effects(truth, WIN_SHAPE[1]) + rng.standard_normal((size, *WIN_SHAPE[:2]))
    cubes = level[..., None, None] + rng.standard_normal((size, *WIN_SHAPE))
    out: dict[Key, BoolArray] = {}
    for name, ties in (("significant wins", "drop"), ("ties split: significant wins", "split")):
        p = np.array([stats.significant_win_pairs(cube, ties=ties).pvalue for cube in cubes])
        out[QUESTION, f"{name}, shaffer"] = corrected("shaffer", p, alpha)
    p = np.array([stats.sign_pairs(cube.mean(axis=(2, 3))).pvalue for cube in cubes])
    out[QUESTION, "by means: sign, shaffer"] = corrected("shaffer", p, alpha)
    return out


PEEKING = "peeking"
"""The question in the tables of the study, and how its settings begin."""
CLOSED, SIGNS, AGAIN = "bets on ranks, closed", "bets on signs", "after every data set: wilcoxon"
PEEKED = (30, 6)
"""Data sets and algorithms of the tables that are looked at after every data set."""
LOOK_SETTINGS: tuple[Setting, ...] = tuple((f"{PEEKING}, {noise}", truth) for noise in NOISES for truth in TRUTHS[:2])


def followed(d: FloatArray, bet: str) -> Iterator[FloatArray]:
    """Yield the e-values of all pairs after every data set, (repetitions, pairs)."""
    held = Evidence(d.shape[0] * d.shape[1], bet=bet)
    for values in d.reshape(-1, d.shape[2]).T:
        held.take(values)
        yield held.both.reshape(d.shape[:2])


def ever_closed(d: FloatArray, bet: str, alpha: float) -> BoolArray:
    """Say which pairs the closed test of e-values ever rejects, looking after every data set."""
    out = np.zeros(d.shape[:2], dtype=bool)
    for evalues in followed(d, bet):
        out |= ~undecided(stats.closed_evalues(evalues, all_pairs=True), alpha)
    return out


def ever_anytime(d: FloatArray, alpha: float) -> BoolArray:
    """Say which pairs the bets on who is better ever reject, corrected as p-values are."""
    largest = np.ones(d.shape[:2])
    for evalues in followed(d, "signs"):
        largest = np.maximum(largest, evalues)
    return _every_table(1 / largest, alpha)


def ever_again(d: FloatArray, alpha: float) -> BoolArray:
    """Say which pairs the usual test ever rejects if it is simply repeated after every data set."""
    out = np.zeros(d.shape[:2], dtype=bool)
    for count in range(2, d.shape[2] + 1):
        out |= _every_table(signed_ranks(d[..., :count])[1], alpha)
    return out


def _every_table(pvalues: FloatArray, alpha: float) -> BoolArray:
    return np.stack([stats.shaffer(row) <= alpha * (1 + 1e-12) for row in pvalues])


def peeking_rejections(setting: Setting, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return which pairs each procedure ever rejects, (repetitions, pairs)."""
    name, truth = name_and_truth(setting)
    d = pair_differences(draw_tables(name.removeprefix(f"{PEEKING}, "), truth, (size, *PEEKED), rng))
    rejected = {CLOSED: ever_closed(d, "ranks", alpha), f"{SIGNS}, {SCALE_CORRECTION}": ever_anytime(d, alpha)}
    rejected[f"{AGAIN}, {SCALE_CORRECTION}"] = ever_again(d, alpha)
    return {(PEEKING, procedure): which for procedure, which in rejected.items()}
