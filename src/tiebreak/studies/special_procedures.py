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
    Experiment,
    Key,
    corrected,
    differing,
    draw_tables,
    pair_differences,
    pair_pvalues,
    signed_rank_pvalues,
    signed_ranks,
    true_effects,
    with_noise,
)


def _settings(names: Iterable[str], truths: tuple[str, ...] = TRUTHS) -> tuple[tuple[str, str], ...]:
    return tuple((name, truth) for name in names for truth in truths)


DEFAULT, FORMER = "default", "former default"
WITH_CONTROL = ", control"
MANY_ITEMS, LARGE = "500 items, 0/1", "300 x 8, crowd"
SHAPES = {MANY_ITEMS: ("0/1", 500, 4, 0.2), LARGE: ("crowd", 300, 8, 1.0)}
"""Tables that are larger than those of the study: noise, data sets, algorithms, and how strong effects are."""


def default_rejections(tables: FloatArray, friedman: BoolArray | None = None, *, alpha: float) -> dict[Key, BoolArray]:
    """Return which pairs the default and the former default call different, (repetitions, pairs).

    `friedman` says in which tables Friedman's test rejects, where that is known.
    """
    rejects = np.array([[stats.friedman(x).pvalue <= alpha] for x in tables]) if friedman is None else friedman
    out: dict[Key, BoolArray] = {}
    for question, name, p, counted in (
        (DEFAULT, "wilcoxon", signed_rank_pvalues(tables), np.True_),
        (FORMER, "if friedman rejects: ranks z", untied_pvalues(tables), rejects),
    ):  # the pairs of the control come first
        out[question, f"{name}, bergmann-hommel"] = corrected("bergmann-hommel", p, alpha) & counted
        against = corrected("holm", p[:, : tables.shape[2] - 1], alpha)
        out[question + WITH_CONTROL, f"{name}, holm"] = against & counted
    return out


def untied_pvalues(tables: FloatArray) -> FloatArray:
    """P-values of z tests on mean ranks with the variance of ranks without ties, (repetitions, pairs)."""
    _, n_datasets, count = tables.shape
    ranks = stats.rank_rows(tables.reshape(-1, count)).reshape(tables.shape).mean(axis=1)
    a, b = pair_indices(count)
    return normal_two_sided((ranks[:, a] - ranks[:, b]) / rank_standard_error(count, n_datasets))


def larger_rejections(
    name: str, truth: str, size: int, rng: np.random.Generator, *, alpha: float
) -> dict[Key, BoolArray]:
    """Return the same for tables with more data sets, on which smaller effects show."""
    noise, n_datasets, count, strength = SHAPES[name]
    effects = strength * true_effects(truth, count)
    return default_rejections(with_noise(noise, effects, (size, n_datasets, count), rng), alpha=alpha)


def _larger_real(question: str, name: str, truth: str, hypotheses: int) -> BoolArray:
    return differing(SHAPES[name][2])(question, name, truth, hypotheses)


GOOD = "good enough"
MARGIN, SMALLER = 0.5, 0.4
"""The margin in standard deviations of the noise, and how much smaller that of many items is."""
N_DATASETS, CANDIDATES = 30, 5


def margin_rejections(
    name: str, truth: str, size: int, rng: np.random.Generator, *, alpha: float
) -> dict[Key, BoolArray]:
    """Return which candidates are called good enough, (repetitions, candidates); the reference comes first."""
    noise, n_datasets, margin = ("0/1", 500, SMALLER * MARGIN) if name == MANY_ITEMS else (name, N_DATASETS, MARGIN)
    worse = np.where(truly_good(GOOD, name, truth, CANDIDATES), 0.0, margin)
    tables = with_noise(noise, np.array([0.0, *worse]), (size, n_datasets, CANDIDATES + 1), rng)
    limit = _more_errors(margin) if noise == "0/1" else margin
    pairs = [[i, 0] for i in range(1, CANDIDATES + 1)]
    p = np.array([stats.non_inferiority_pairs(x, pairs, margin=limit, adjust="none").pvalue for x in tables])
    out = {(GOOD, f"non-inferiority, {rule}"): corrected(rule, p, alpha) for rule in ("none", "holm")}
    if noise == "0/1":  # signed ranks without a look at the mean are misled by such scores
        alone = [
            [stats.wilcoxon(x[:, i] - limit, x[:, 0], alternative="a-better").pvalue for i, _ in pairs] for x in tables
        ]
        out[GOOD, "signed ranks alone, holm"] = corrected("holm", np.array(alone), alpha)
    return out


def truly_good(_: str, __: str, truth: str, hypotheses: int) -> BoolArray:
    """Mark the candidates that are as good as the reference: none, the later ones, or all."""
    first = {"null": CANDIDATES, "partial": CANDIDATES // 2, "different": 0}[truth]
    return np.arange(hypotheses) >= first


def _more_errors(effect: float) -> float:
    """The share of items that a model gets wrong more than another: effect and two normals against a limit."""
    wrong = special.ndtr((np.array([0.0, effect]) - HARD) / np.sqrt(2.0))
    return float(wrong[1] - wrong[0])


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
    if name == TOTALS:  # other items for every model: what totals are tested for
        return _right(effects + np.sqrt(2.0) * rng.standard_normal((size, N_TOTAL, ITEM_MODELS))), None, None
    hard = rng.standard_normal((size, N_ITEMS, 1))
    if name == REPEATED:
        noise = rng.standard_normal((size, N_ITEMS, ITEM_MODELS, EPOCHS))
        normal = rng.standard_normal((size, N_ITEMS, ITEM_MODELS, 1))
        return _right(effects[:, None] + hard[..., None] + normal + noise, 1.5).mean(axis=3), None, None
    errors = effects + hard + rng.standard_normal((size, N_ITEMS, ITEM_MODELS))
    if name == CLUSTERS:
        codes = cluster_codes()
        shared = WITHIN * rng.standard_normal((size, int(codes.max()) + 1, ITEM_MODELS))
        return _right(errors + shared[:, codes]), codes, None
    return _right(errors), None, np.repeat(np.arange(len(SIZES)), SIZES) if name == BENCHMARKS else None


def _right(errors: FloatArray, limit: float = HARD) -> FloatArray:
    return np.asarray(errors <= limit).astype(np.float64)


def item_rejections(
    name: str, truth: str, size: int, rng: np.random.Generator, *, alpha: float
) -> dict[Key, BoolArray]:
    """Return which pairs each test calls different after Holm's correction, (repetitions, pairs)."""
    answers, clusters, strata = drawn_answers(name, truth, size, rng)
    if name == TOTALS:
        count = np.full(ITEM_MODELS, N_TOTAL)
        by_total = {"fisher on totals": "fisher", "score test on totals": "score"}
        pvalues = {
            label: [stats.proportion_pairs(x.sum(axis=0), count, method=test, adjust="none").pvalue for x in answers]
            for label, test in by_total.items()
        }
    else:
        tests = {"sign flips": ("sign-flip", clusters), "cluster t": ("cluster-t", clusters)}
        if name == ALONE:
            tests = {"mcnemar on items": ("mcnemar", None), "mcnemar mid-p on items": ("mcnemar-midp", None)} | tests
        if name == CLUSTERS:
            tests["clusters ignored: mcnemar"] = ("mcnemar", None)
        pvalues = {
            label: [
                stats.item_pairs(x, clusters=grouped, strata=strata, method=test, adjust="none").pvalue for x in answers
            ]
            for label, (test, grouped) in tests.items()
        }
    return {(BY_ITEM, f"{label}, holm"): corrected("holm", np.array(p), alpha) for label, p in pvalues.items()}


MIXED = "mixed scales"
"""The question in the tables of the study, and how its settings begin."""
FAILED = "failed"
"""Normal noise, but one run in ten fails and lies a hundred standard deviations behind on average."""
SCALE_CORRECTION = "shaffer"
AS_IS, DISTANCE, NORMALISED, SIGN = "wilcoxon as is", "wilcoxon distance", "wilcoxon normalised", "sign"
"""What pairs are tested on. The records speak of scores of one scale, so that only the last is promised anything."""
DECADES, SHARE_FAILED, BEHIND = 2.0, 0.1, 100.0
TABLE = (30, 6)
"""Data sets and algorithms of the tables on mixed scales, and of those that are looked at after every data set."""


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


def scale_rejections(
    name: str, truth: str, size: int, rng: np.random.Generator, *, alpha: float
) -> dict[Key, BoolArray]:
    """Return what each way rejects, (repetitions, pairs), corrected over the pairs."""
    pvalues = mixed_pvalues(mixed_tables(name.removeprefix(f"{MIXED}, "), truth, (size, *TABLE), rng))
    return {(MIXED, f"{way}, {SCALE_CORRECTION}"): corrected(SCALE_CORRECTION, p, alpha) for way, p in pvalues.items()}


WINS, FOLDS = "significant wins", "5x2 folds"
WIN_SHAPE = (30, 5, 5, 2)
"""Data sets, algorithms, replications, folds."""
WIN_STRENGTH = 2.0
"""How much stronger effects are than those of the study: a data set has to show them by itself."""


def win_rejections(_: str, truth: str, size: int, rng: np.random.Generator, *, alpha: float) -> dict[Key, BoolArray]:
    """Return what is rejected, (repetitions, pairs); an algorithm suits each data set better or worse by chance."""
    level = WIN_STRENGTH * true_effects(truth, WIN_SHAPE[1]) + rng.standard_normal((size, *WIN_SHAPE[:2]))
    cubes = level[..., None, None] + rng.standard_normal((size, *WIN_SHAPE))
    pvalues = {
        "significant wins": [stats.significant_win_pairs(cube, ties="drop").pvalue for cube in cubes],
        "ties split: significant wins": [stats.significant_win_pairs(cube, ties="split").pvalue for cube in cubes],
        "by means: sign": [stats.sign_pairs(cube.mean(axis=(2, 3))).pvalue for cube in cubes],
    }
    return {(WINS, f"{name}, shaffer"): corrected("shaffer", np.array(p), alpha) for name, p in pvalues.items()}


PEEKING = "peeking"
"""The question in the tables of the study, and how its settings begin."""


def followed(d: FloatArray, bet: str) -> Iterator[FloatArray]:
    """Yield the e-values of all pairs after every data set, (repetitions, pairs)."""
    held = Evidence(d.shape[0] * d.shape[1], bet=bet)
    for values in d.reshape(-1, d.shape[2]).T:
        held.take(values)
        yield held.both.reshape(d.shape[:2])


def peeking_rejections(
    name: str, truth: str, size: int, rng: np.random.Generator, *, alpha: float
) -> dict[Key, BoolArray]:
    """Return which pairs each procedure ever rejects, looking after every data set, (repetitions, pairs)."""
    d = pair_differences(draw_tables(name.removeprefix(f"{PEEKING}, "), truth, (size, *TABLE), rng))
    closed, again = np.zeros(d.shape[:2], dtype=bool), np.zeros(d.shape[:2], dtype=bool)
    for evalues in followed(d, "ranks"):
        closed |= ~undecided(stats.closed_evalues(evalues, all_pairs=True), alpha)
    largest = np.maximum(np.max(list(followed(d, "signs")), axis=0), 1.0)
    for count in range(2, d.shape[2] + 1):
        again |= _shaffer(signed_ranks(d[..., :count])[1], alpha)
    rejected = {
        "bets on ranks, closed": closed,
        f"bets on signs, {SCALE_CORRECTION}": _shaffer(1 / largest, alpha),
        f"after every data set: wilcoxon, {SCALE_CORRECTION}": again,
    }
    return {(PEEKING, procedure): mask for procedure, mask in rejected.items()}


def _shaffer(pvalues: FloatArray, alpha: float) -> BoolArray:
    """Correct for all pairs; 1 / e may miss alpha by its last digit."""
    return corrected(SCALE_CORRECTION, pvalues, alpha * (1 + 1e-12))


LARGER = Experiment(_settings(SHAPES), larger_rejections, _larger_real)
MARGINS = Experiment(_settings((*NOISES, MANY_ITEMS)), margin_rejections, truly_good)
SCALES = Experiment(
    _settings(f"{MIXED}, {noise}" for noise in (*FIRST_NOISES, FAILED)), scale_rejections, differing(TABLE[1])
)
LOOKS = Experiment(
    _settings((f"{PEEKING}, {noise}" for noise in NOISES), TRUTHS[:2]), peeking_rejections, differing(TABLE[1])
)
WIN_COUNTS = Experiment(_settings((FOLDS,)), win_rejections, differing(WIN_SHAPE[1]))
ITEMS = Experiment(_settings((ALONE, CLUSTERS, REPEATED, BENCHMARKS, TOTALS)), item_rejections, differing(ITEM_MODELS))
