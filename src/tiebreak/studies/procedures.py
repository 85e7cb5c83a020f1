"""Simulated scores, the procedures that are tried on them, and the form that further procedures take."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import lgamma, sqrt
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.methods import Kind, Method, choices, find, of_kind
from tiebreak.stats.adjust.bergmann_hommel import affordable
from tiebreak.stats.numeric.basics import chi2_upper, f_upper, floor_pvalue, ratio, stepped
from tiebreak.stats.results import pair_indices
from tiebreak.stats.two.wilcoxon import differences, exact_where, grid, rank_sums, tail_pvalues, z_scores

Draw = Callable[[np.random.Generator, tuple[int, ...]], FloatArray]

NOISES: MappingProxyType[str, Draw] = MappingProxyType(
    {
        "normal": lambda rng, shape: rng.standard_normal(shape),
        "skewed": lambda rng, shape: rng.standard_exponential(shape) - 1.0,
        "heavy": lambda rng, shape: rng.standard_t(3, shape) / np.sqrt(3.0),
        "tied": lambda rng, shape: rng.standard_normal(shape),
        "unequal": lambda rng, shape: rng.standard_normal(shape) * _spread(shape[-1]),
        "crowd": lambda rng, shape: _aside(rng, shape) + rng.standard_normal(shape),
        "0/1": lambda rng, shape: rng.standard_normal((*shape[:-1], 1)) + rng.standard_normal(shape),
    }
)
"""Noise by name; the standard deviation is 1, but for the first two algorithms of "unequal" and "crowd".

A new one is appended: its random numbers then leave those of the others as they are. In "crowd" the first two
algorithms lie on either side of all others, which of them above being tossed up on every data set. In "0/1" items are
hard or easy for all alike.
"""

FIRST_NOISES = tuple(NOISES)[:5]
"""Those whose streams of random numbers come before the streams of everything that was added later."""

TRUTHS = ("null", "partial", "different")
"""All algorithms equal; the first half of them equal; no two equal."""

WIDE = 3.0
"""Standard deviation of the first two algorithms under the noise "unequal"."""

ASIDE = 4.0
"""How far from the others the first two algorithms lie under the noise "crowd"."""

HARD = 1.0
"""An item of a 0/1 table is got wrong, which scores 1, where effect and noise together exceed this."""

FARTHEST = {"null": 0.0, "partial": 1.5, "different": 0.75}
"""How far the worst algorithm lies from the best, in standard deviations of the noise."""


def true_effects(truth: str, count: int) -> FloatArray:
    """Return the expected score of each algorithm.

    Examples
    --------
    >>> true_effects("partial", 6), true_effects("different", 4)
    (array([0. , 0. , 0. , 0.5, 1. , 1.5]), array([0.  , 0.25, 0.5 , 0.75]))
    """
    equal = max(2, count // 2) if truth == "partial" else 1
    return np.concatenate([np.zeros(equal - 1), np.linspace(0.0, FARTHEST[truth], count - equal + 1)])


def draw_tables(noise: str, truth: str, shape: tuple[int, int, int], rng: np.random.Generator) -> FloatArray:
    """Draw scores, (repetitions, data sets, algorithms)."""
    return with_noise(noise, true_effects(truth, shape[-1]), shape, rng)


def with_noise(noise: str, effects: FloatArray, shape: tuple[int, int, int], rng: np.random.Generator) -> FloatArray:
    """Draw scores about the effects of the algorithms, (repetitions, data sets, algorithms); lower is better."""
    tables = effects + NOISES[noise](rng, shape)
    if noise == "0/1":
        return np.asarray(tables > HARD).astype(np.float64)
    return np.rint(tables) if noise == "tied" else np.asarray(tables)


def with_gaps(tables: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Take one score, whichever, away from about every second data set."""
    repetitions, n_datasets, count = tables.shape
    lost = np.floor(rng.random((repetitions, n_datasets, 1)) * 2 * count)  # count and above: none
    return np.where(np.arange(count) == lost, np.nan, tables)


def _spread(count: int) -> FloatArray:
    """Two wide algorithms, not one: their difference is then wider than that of any other pair."""
    return np.where(np.arange(count) < 2, WIDE, 1.0)


def _aside(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """One of the first two above the crowd and the other below it: both are equally good, and so is everybody."""
    side = np.where(rng.random((*shape[:-1], 1)) < 0.5, ASIDE, -ASIDE)
    return np.asarray(side * np.array([1.0, -1.0, *np.zeros(shape[-1] - 2)]))


Key = tuple[str, str]
"""The question (all pairs, control, omnibus, one data set) and the procedure."""

PAIRS, CONTROL, OMNIBUS, INTERVALS, PREMISES = "all pairs", "control", "omnibus", "intervals", "premises"
STRONG = ("holm", "shaffer", "bergmann-hommel")
ALL_CORRECTIONS = ("ranks z", "paired t")
"""Tests of pairs that are followed by every correction; others by Holm's, those on their own scores by STRONG."""
SPHERICITY = {"greenhouse-geisser": "gg_pvalue", "huynh-feldt": "hf_pvalue"}


def label(method: Method) -> str:
    """Return what a procedure is called in the tables of the study."""
    return method.label or method.name


def records_of(procedure: str) -> tuple[Method, ...]:
    """Return the records behind the name of a procedure: its test, and its correction if it has one.

    Examples
    --------
    >>> [item.name for item in records_of("ranks z, holm")], records_of("friedman F")[0].name
    (['ranks', 'holm'], 'friedman')
    """
    kinds: tuple[Kind, ...] = ("measures", "premise", "size", "omnibus", "posthoc", "folds", "pairs", "items")
    tests = {label(method): method for method in of_kind(*kinds)}
    if procedure in tests:
        return (tests[procedure],)
    test, _, rest = procedure.rpartition(": ")[2].rpartition(", ")  # what comes before a colon is when it is used
    if test not in tests:  # a variant that no record speaks of, and that promises nothing
        return ()
    return (tests[test], find(rest, "correction")) if rest in choices("correction") else (tests[test],)


def promised(key: Key) -> dict[str, tuple[str, ...]]:
    """Return for each truth the settings in which the procedure promises to keep its error at alpha, by its records."""
    question, name = key
    records = records_of(name)
    if not records:
        return {}
    test, correction = records[0], records[1].promise if len(records) > 1 else None
    if test.promise.keeps == "nothing" or (correction is not None and correction.keeps == "nothing"):
        return {}
    under = test.promise.under
    if question == OMNIBUS and name.endswith(tuple(SPHERICITY)):
        under = (*under, "unequal")  # what the correction for sphericity is there for
    partly = test.promise.partly and (correction is None or correction.partly)
    return {"null": under, **({"partial": under} if partly and question != OMNIBUS else {})}


def rejections(tables: FloatArray, gapped: FloatArray, *, alpha: float) -> dict[Key, BoolArray]:
    """Return for every procedure what it rejects, (repetitions, hypotheses)."""
    count = tables.shape[2]
    pvalues: dict[Key, FloatArray] = {}
    out: dict[Key, BoolArray] = {}
    for method in _usual("pairs"):
        p = pair_pvalues(method, gapped if method.takes == "gapped errors" else tables)
        for correction in _corrections(method):
            out[PAIRS, f"{label(method)}, {correction}"] = corrected(correction, p, alpha)
        if label(method) in ALL_CORRECTIONS:
            for correction in (item.name for item in of_kind("correction") if item.control != "never"):
                out[CONTROL, f"{label(method)}, {correction}"] = corrected(correction, p[:, : count - 1], alpha)
    t = pooled_t(tables)
    known = {"tukey": tukey_pvalues(t, tables.shape), "dunnett": dunnett_pvalues(t[:, : count - 1], tables.shape)}
    for method in _usual("posthoc"):
        question, options = (CONTROL, {"control": 0}) if method.control == "always" else (PAIRS, {})
        if method.name not in known:
            known[method.name] = _stack(method(x, **options).adjusted for x in tables)
        pvalues[question, method.name] = known[method.name]
    for method in _usual("omnibus"):
        results = [method(x) for x in (gapped if method.takes == "gapped errors" else tables)]
        pvalues[OMNIBUS, label(method)] = _stack([r.pvalue] for r in results)
        for name, field in SPHERICITY.items() if method.name == "rm-anova" else ():
            pvalues[OMNIBUS, f"rm-anova, {name}"] = _stack([getattr(r, field)] for r in results)
    pvalues[PREMISES, "anderson-darling"] = _stack([stats.anderson_darling(x).pvalue[0]] for x in tables)
    first = (stats.difference_interval(x[:, 0], x[:, 1], level=1 - alpha) for x in tables)
    out[INTERVALS, "interval, wilcoxon"] = _without_zero(first)
    for name in ("wilcoxon", "means"):
        intervals = (stats.simultaneous_intervals(x, method=name, level=1 - alpha) for x in tables)
        out[PAIRS, f"simultaneous intervals, {name}"] = _without_zero(intervals)
    return out | {key: p <= alpha for key, p in pvalues.items()}


def _without_zero(intervals: Iterable[stats.DifferenceIntervals]) -> BoolArray:
    """Say which intervals of every table exclude zero."""
    return np.array([(item.low > 0) | (item.high < 0) for item in intervals])


def _usual(*kinds: Kind) -> list[Method]:
    """Return the methods of a kind that a comparison offers, but those made for few data sets or for folds."""
    offered = [method for method in of_kind(*kinds, verb="compare") if method.takes != "paired folds"]
    return [method for method in offered if method.functions and not method.few_datasets]


def _corrections(method: Method) -> tuple[str, ...]:
    """Every correction after every test would be many tables that say the same: most are followed by Holm's."""
    if label(method) in ALL_CORRECTIONS:
        return choices("correction")
    return STRONG if method.on_own_scores else ("holm",)


def pair_pvalues(method: Method, tables: FloatArray) -> FloatArray:
    """Return the p-values of all pairs in every table, not corrected, (repetitions, pairs)."""
    if method.name == "wilcoxon":
        return signed_rank_pvalues(tables)
    return _stack(method(x, adjust="none").pvalue for x in tables)


def corrected(name: str, pvalues: FloatArray, alpha: float) -> BoolArray:
    """Apply a correction to every row; say what is rejected."""
    return _rom(pvalues, alpha) if name == "rom" else adjusted_rows(name, pvalues) <= alpha


def adjusted_rows(name: str, pvalues: FloatArray) -> FloatArray:
    """Apply a correction to the p-values of every row."""
    count = pvalues.shape[1]
    if name in ("holm", "hochberg", "shaffer"):
        left = affordable((1 + round(sqrt(1 + 8 * count))) // 2) if name == "shaffer" else np.arange(count + 1)
        return stepped(pvalues, lambda p, hypotheses: np.minimum(p * left[hypotheses], 1.0), up=name == "hochberg")
    if name == "hommel":
        return _hommel(pvalues)
    if name == "bergmann-hommel":
        return stats.bergmann_hommel_rows(pvalues)
    return np.array([stats.CORRECTIONS[name](row) for row in pvalues])


def _hommel(pvalues: FloatArray) -> FloatArray:
    """Close Simes' test: the worst set of each size that holds p is the largest p-values, p itself for the least."""
    count = pvalues.shape[1]
    order = np.argsort(pvalues, axis=1, kind="stable")
    p = np.take_along_axis(pvalues, order, axis=1)
    worst = p.copy()
    for size in range(2, count + 1):
        simes = size * p[:, count - size :] / np.arange(1, size + 1)
        rest = simes[:, 1:].min(axis=1, keepdims=True)
        top = np.minimum(simes[:, :1], rest)
        inside = np.minimum(size * p[:, : count - size], rest)
        worst = np.maximum(worst, np.concatenate([inside, np.broadcast_to(top, simes.shape)], axis=1))
    out = np.empty_like(worst)
    np.put_along_axis(out, order, np.minimum(worst, 1.0), axis=1)
    return out


def pair_differences(tables: FloatArray) -> FloatArray:
    """Differences of all pairs without noise of rounding, (repetitions, pairs, data sets)."""
    a, b = pair_indices(tables.shape[2])
    columns = np.ascontiguousarray(tables.transpose(0, 2, 1))
    grids = grid(columns)
    return differences(columns[:, a], columns[:, b], grids[:, a], grids[:, b])


def signed_ranks(d: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return z and p of `tiebreak.stats.wilcoxon_pairs` for differences along the last axis."""
    sums = rank_sums(d.reshape(-1, d.shape[-1]), zeros="split")
    exact = exact_where(sums.used, "auto")
    agreed = exact & (np.abs(sums.plus - sums.minus) >= sums.total)  # all signs alike: p is known without counting
    p = tail_pvalues(sums, exact & ~agreed, alternative="two-sided")
    p[agreed] = np.minimum(np.exp2(1.0 - sums.used[agreed]), 1.0)
    return z_scores(sums).reshape(d.shape[:-1]), p.reshape(d.shape[:-1])


def signed_rank_pvalues(tables: FloatArray) -> FloatArray:
    """P-values of `wilcoxon_pairs` for every table, (repetitions, pairs)."""
    return signed_ranks(pair_differences(tables))[1]


def rank_z(ranks: FloatArray, *, tie_correction: bool = True) -> FloatArray:
    """Differences of mean ranks over their standard error, which ties shrink if corrected for, (draws, pairs)."""
    draws, n_datasets, count = ranks.shape
    a, b = pair_indices(count)
    means = ranks.mean(axis=1)
    if tie_correction:
        spread = np.square(ranks - (count + 1) / 2).sum(axis=(1, 2))
    else:
        spread = np.full(draws, n_datasets * count * (count**2 - 1) / 12)
    return ratio(means[:, a] - means[:, b], (2 * spread / ((count - 1) * n_datasets**2))[:, None])


def friedman_pvalues(ranks: FloatArray) -> dict[str, FloatArray]:
    """Return the p-values of Friedman's test with ties corrected for, as F and as chi-squared, for every table."""
    _, n_datasets, count = ranks.shape
    sums = ranks.sum(axis=1) - n_datasets * (count + 1) / 2
    spread = np.square(ranks - (count + 1) / 2).sum(axis=(1, 2))  # ties and all
    with np.errstate(divide="ignore", invalid="ignore"):
        chi2 = np.where(spread > 0, (count - 1) * np.square(sums).sum(axis=1) / spread, 0.0)
        f = (n_datasets - 1) * chi2 / np.maximum(n_datasets * (count - 1) - chi2, 0.0)  # Iman and Davenport 1980
    least = floor_pvalue(np.exp(-(n_datasets - 1) * lgamma(count + 1)))  # no table is less likely than agreement
    return {
        "friedman F": np.maximum(f_upper(f, count - 1, (count - 1) * (n_datasets - 1)), least),
        "friedman chi2": np.maximum(chi2_upper(chi2, count - 1), least),
    }


def means_and_error(tables: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the means of the algorithms, and the mean square of what neither they nor the data sets explain."""
    _, n_datasets, count = tables.shape
    means = tables.mean(axis=1)
    rest = tables - means[:, None, :] - tables.mean(axis=2, keepdims=True) + means.mean(axis=1)[:, None, None]
    return means, np.square(rest).sum(axis=(1, 2)) / ((n_datasets - 1) * (count - 1))


def pooled_t(tables: FloatArray) -> FloatArray:
    """Return differences of means over their standard error without sign, all pairs of every table."""
    means, error = means_and_error(tables)
    a, b = pair_indices(means.shape[1])
    return np.abs(ratio(means[:, a] - means[:, b], (2 * error / tables.shape[1])[:, None]))


def tukey_pvalues(t: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """The range of means over the error of one mean: sqrt(2) times t, whose error is that of a difference."""
    return stats.studentized_range_upper(sqrt(2) * t, k=shape[2], df=(shape[1] - 1) * (shape[2] - 1))


def dunnett_pvalues(t: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Return the p-values of comparisons with a control."""
    return stats.dunnett_upper(t, k=shape[2], df=(shape[1] - 1) * (shape[2] - 1))


def _rom(pvalues: FloatArray, alpha: float) -> BoolArray:
    """Step up: all p-values up to the largest one that meets its critical value are rejected."""
    critical = stats.rom_critical_values(pvalues.shape[1], alpha=alpha)[::-1]
    ordered = np.sort(pvalues, axis=1)
    limit = np.where(ordered <= critical, ordered, -1.0).max(axis=1)
    return np.asarray(pvalues <= limit[:, None])


def _stack(values: Iterable[FloatArray | list[float]]) -> FloatArray:
    return np.array(list(values), dtype=np.float64)


class Experiment(NamedTuple):
    """Settings, each a name and a truth, with what procedures reject there and which hypotheses are false.

    `rejections` takes name, truth, repetitions and random numbers, and returns (repetitions, hypotheses) by question
    and procedure; `real` takes question, name, truth and the number of hypotheses.
    """

    settings: tuple[tuple[str, str], ...]
    rejections: Callable[..., dict[Key, BoolArray]]
    real: Callable[[str, str, str, int], BoolArray]


def none_or_all(_: str, __: str, truth: str, hypotheses: int) -> BoolArray:
    """Mark the hypotheses that are false: all of them where the truth is "different", else none."""
    return np.full(hypotheses, truth == "different")


def differing(count: int) -> Callable[[str, str, str, int], BoolArray]:
    """Return what marks the pairs of `count` algorithms that really differ; those of the control come first."""
    a, b = pair_indices(count)

    def real(question: str, name: str, truth: str, hypotheses: int) -> BoolArray:
        if question == OMNIBUS:
            return np.array([truth != "null"])
        if question == PREMISES:
            return np.array([name != "normal"])
        effects = true_effects(truth, count)
        return np.asarray(effects[a] != effects[b])[:hypotheses]

    return real
