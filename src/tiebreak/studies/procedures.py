"""Simulated scores, the procedures that are tried on them, and the form that further procedures take."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.methods import Kind, Method, choices, find, of_kind
from tiebreak.stats.adjust.bergmann_hommel import affordable
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


def real_differences(truth: str, a: IntArray, b: IntArray, count: int) -> BoolArray:
    """Say for each pair whether the two algorithms differ."""
    effects = true_effects(truth, count)
    return np.asarray(effects[a] != effects[b])


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
    """Return for every procedure what it rejects: (repetitions, pairs), or (repetitions,) for omnibus tests."""
    anova = [stats.rm_anova(x) for x in tables]
    t = _pooled_t(anova, tables.shape[1])
    n_control = tables.shape[2] - 1  # the pairs of the first algorithm come first
    out: dict[Key, BoolArray] = {}
    for method in _usual("pairs"):
        p = pair_pvalues(method, gapped if method.takes == "gapped errors" else tables)
        for correction in _corrections(method):
            out[PAIRS, f"{label(method)}, {correction}"] = corrected(correction, p, alpha)
        if label(method) in ALL_CORRECTIONS:
            fitting = [item.name for item in of_kind("correction") if item.control != "never"]
            for correction in fitting:
                out[CONTROL, f"{label(method)}, {correction}"] = corrected(correction, p[:, :n_control], alpha)
    faster = {"tukey": _tukey(t, tables.shape), "dunnett": _dunnett(t[:, :n_control], tables.shape)}
    for method in _usual("posthoc"):
        question, options = (CONTROL, {"control": 0}) if method.control == "always" else (PAIRS, {})
        if method.name not in faster:
            faster[method.name] = _stack(method(x, **options).adjusted for x in tables)
        out[question, method.name] = _at_most(faster[method.name], alpha)
    out[INTERVALS, "interval, wilcoxon"] = np.array([_misses_zero(x, alpha) for x in tables])[:, None]
    for name in ("wilcoxon", "means"):
        out[PAIRS, f"simultaneous intervals, {name}"] = np.array([_leave_out_zero(x, name, alpha) for x in tables])
    out[PREMISES, "anderson-darling"] = np.array([stats.anderson_darling(x).pvalue[0] <= alpha for x in tables])
    return out | {(OMNIBUS, name): _at_most(p, alpha) for name, p in _omnibus(tables, gapped, anova).items()}


def _misses_zero(table: FloatArray, alpha: float) -> bool:
    """Say whether the interval of the difference of the first two algorithms excludes zero."""
    intervals = stats.difference_interval(table[:, 0], table[:, 1], level=1 - alpha)
    return bool(intervals.low[0] > 0 or intervals.high[0] < 0)


def _leave_out_zero(table: FloatArray, method: str, alpha: float) -> BoolArray:
    """Say which of the intervals of all pairs that hold together exclude zero."""
    intervals = stats.simultaneous_intervals(table, method=method, level=1 - alpha)
    return np.asarray((intervals.low > 0) | (intervals.high < 0))


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
    return _rom(pvalues, alpha) if name == "rom" else _at_most(adjusted_rows(name, pvalues), alpha)


def adjusted_rows(name: str, pvalues: FloatArray) -> FloatArray:
    """Apply a correction to the p-values of every row."""
    if name == "none":
        return pvalues
    count = pvalues.shape[1]
    left = np.arange(count, 0, -1)
    if name == "holm":
        return _stepped(pvalues, left)
    if name == "shaffer":
        return _stepped(pvalues, affordable((1 + round(sqrt(1 + 8 * count))) // 2)[left])
    if name == "hochberg":
        return _stepped(pvalues, left, up=True)
    if name == "hommel":
        return _hommel(pvalues)
    if name == "bergmann-hommel":
        return stats.bergmann_hommel_rows(pvalues)
    return np.array([stats.CORRECTIONS[name](row) for row in pvalues])


def _stepped(pvalues: FloatArray, price: IntArray, *, up: bool = False) -> FloatArray:
    """Multiply sorted p-values by their price; running maximum, or from the largest down the minimum."""
    order = np.argsort(pvalues, axis=1, kind="stable")
    paid = np.take_along_axis(pvalues, order, axis=1) * price
    run = np.minimum.accumulate(paid[:, ::-1], axis=1)[:, ::-1] if up else np.maximum.accumulate(paid, axis=1)
    out = np.empty_like(run)
    np.put_along_axis(out, order, np.minimum(run, 1.0), axis=1)
    return out


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


def _omnibus(
    tables: FloatArray, gapped: FloatArray, anova: list[stats.RepeatedMeasuresResult]
) -> dict[str, FloatArray]:
    """Return the p-values of the omnibus tests; the analysis of variance by each correction for sphericity too."""
    out = {}
    for method in _usual("omnibus"):
        given = gapped if method.takes == "gapped errors" else tables
        known = method.name == "rm-anova"
        out[label(method)] = _stack(r.pvalue for r in (anova if known else map(method, given)))
    more = {f"rm-anova, {name}": _stack(getattr(r, field) for r in anova) for name, field in SPHERICITY.items()}
    return out | more


def _pooled_t(anova: list[stats.RepeatedMeasuresResult], n_datasets: int) -> FloatArray:
    """Differences of means over their standard error, all pairs of every table."""
    means, error = _stack(r.means for r in anova), _stack(r.error for r in anova)
    a, b = pair_indices(means.shape[1])
    return np.asarray((means[:, a] - means[:, b]) / np.sqrt(2 * error / n_datasets)[:, None])


def _tukey(t: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """The range of means over the error of one mean: sqrt(2) times t, whose error is that of a difference."""
    return stats.studentized_range_upper(sqrt(2) * np.abs(t), k=shape[2], df=(shape[1] - 1) * (shape[2] - 1))


def _dunnett(t: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    return stats.dunnett_upper(np.abs(t), k=shape[2], df=(shape[1] - 1) * (shape[2] - 1))


def _rom(pvalues: FloatArray, alpha: float) -> BoolArray:
    """Step up: all p-values up to the largest one that meets its critical value are rejected."""
    critical = stats.rom_critical_values(pvalues.shape[1], alpha=alpha)[::-1]
    ordered = np.sort(pvalues, axis=1)
    limit = np.where(ordered <= critical, ordered, -1.0).max(axis=1)
    return np.asarray(pvalues <= limit[:, None])


def _stack(values: Iterable[FloatArray | float]) -> FloatArray:
    return np.array(list(values), dtype=np.float64)


def _at_most(pvalues: FloatArray, alpha: float) -> BoolArray:
    return np.asarray(pvalues <= alpha)


Setting = str | tuple[str, str]
"""The name of a setting in which nothing differs; or its name and its truth: "null", "partial" or "different"."""


def none_or_all(setting: Setting, hypotheses: int) -> BoolArray:
    """Mark the hypotheses that are false: all of them where the truth is "different", else none."""
    return np.full(hypotheses, name_and_truth(setting)[1] == "different")


def differing(count: int) -> Callable[[Setting, int], BoolArray]:
    """Return what marks the pairs of `count` algorithms that really differ in a setting; the control's come first."""
    a, b = pair_indices(count)
    return lambda setting, hypotheses: real_differences(name_and_truth(setting)[1], a, b, count)[:hypotheses]


def name_and_truth(setting: Setting) -> tuple[str, str]:
    """Return what a setting is called and what is true in it.

    Examples
    --------
    >>> name_and_truth("few data sets"), name_and_truth(("many", "different"))
    (('few data sets', 'null'), ('many', 'different'))
    """
    return (setting, "null") if isinstance(setting, str) else setting


class Own(NamedTuple):
    """Settings, what is rejected in one of them (repetitions, hypotheses), and which hypotheses are false there."""

    settings: tuple[Setting, ...]
    rejections: Callable[..., dict[Key, BoolArray]]
    real: Callable[[Setting, int], BoolArray] = none_or_all
