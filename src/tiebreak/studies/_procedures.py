"""Every procedure on many simulated tables at once: which hypotheses does it reject?

The p-values come from `tiebreak.stats` itself. Four procedures would be slow one table at a time and take another
road to the same answer, which the tests compare with the first: Tukey and Dunnett from the mean squares of
`rm_anova`, Rom by its critical values, signed ranks with all tables in one array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.stats.adjust import ALL_PAIRS
from tiebreak.stats.pairwise import pair_indices
from tiebreak.stats.two._shared import exact_where
from tiebreak.stats.two.signed_rank import differences, grid, rank_sums, tail_pvalues

Key = tuple[str, str]
"""The question (all pairs, control, omnibus, one data set) and the procedure."""

PAIRS, CONTROL, OMNIBUS = "all pairs", "control", "omnibus"
STRONG = ("holm", "shaffer", "bergmann-hommel")
WEAK = ("finner", "benjamini-hochberg", "benjamini-yekutieli")
"""Corrections that keep the family-wise error only where all hypotheses are true."""

NO_PROMISE = ("none", "li")
EXCHANGEABLE = ("normal", "skewed", "heavy", "tied")


def promised(key: Key) -> dict[str, tuple[str, ...]]:
    """Return for each truth the noises under which the procedure promises to keep the family-wise error.

    Tests of one pair at a time promise it for every pair that is truly equal, whatever the others do. Tests on
    ranks of all algorithms promise it where all are exchangeable.
    """
    question, name = key
    correction = name.split(", ")[-1]
    if question != OMNIBUS and correction in NO_PROMISE:
        return {}
    if name.startswith(("wilcoxon", "sign", "paired t")):
        everywhere = (*EXCHANGEABLE, "unequal")
        return {"null": everywhere} if correction in WEAK else {"null": everywhere, "partial": everywhere}
    if name in ("tukey", "dunnett"):
        return {"null": ("normal",), "partial": ("normal",)}
    if name.startswith("rm-anova"):
        return {"null": ("normal",) if name == "rm-anova" else ("normal", "unequal")}
    return {"null": EXCHANGEABLE}


def rejections(tables: FloatArray, gapped: FloatArray, *, alpha: float) -> dict[Key, BoolArray]:
    """Return for every procedure what it rejects: (repetitions, pairs), or (repetitions,) for omnibus tests."""
    anova = [stats.rm_anova(x) for x in tables]
    skillings = [stats.skillings_mack(x) for x in gapped]
    t = _pooled_t(anova, tables.shape[1])
    n_control = tables.shape[2] - 1  # the pairs of the first algorithm come first
    ranks = [stats.rank_tests(x, adjust="none") for x in tables]
    p, z = _stack(r.pvalue for r in ranks), _stack(r.statistic for r in ranks)
    out = {(PAIRS, name): found for name, found in _rank_pairs(tables, p, z, alpha).items()}
    out[PAIRS, "skillings-mack z with gaps, holm"] = (
        _stack(stats.skillings_mack_pairs(r, adjust="holm").adjusted for r in skillings) <= alpha
    )
    own = _stack(stats.paired_t_pairs(x).pvalue for x in tables)
    out |= {(PAIRS, name): found for name, found in _own_pairs(tables, own, alpha).items()}
    out[PAIRS, "tukey"] = _at_most(_tukey(t, tables.shape), alpha)
    against = _against_control(tables, p[:, :n_control], own[:, :n_control], alpha)
    out |= {(CONTROL, name): found for name, found in against.items()}
    out[CONTROL, "dunnett"] = _at_most(_dunnett(t[:, :n_control], tables.shape), alpha)
    omnibus = _omnibus(tables, anova) | {"skillings-mack with gaps": _stack(r.pvalue for r in skillings)}
    return out | {(OMNIBUS, name): _at_most(pvalue, alpha) for name, pvalue in omnibus.items()}


def corrected(name: str, pvalues: FloatArray, alpha: float) -> BoolArray:
    """Apply a correction to every row; say what is rejected."""
    if name == "bergmann-hommel":
        return _at_most(stats.bergmann_hommel_rows(pvalues), alpha)
    if name == "rom":
        return _rom(pvalues, alpha)
    return _at_most(_stack(stats.CORRECTIONS[name](row) for row in pvalues), alpha)


def signed_rank_pvalues(tables: FloatArray) -> FloatArray:
    """P-values of `wilcoxon_pairs` for every table, (repetitions, pairs)."""
    a, b = pair_indices(tables.shape[2])
    columns = np.ascontiguousarray(tables.transpose(0, 2, 1))
    grids = grid(columns)
    d = differences(columns[:, a], columns[:, b], grids[:, a], grids[:, b])
    sums = rank_sums(d.reshape(-1, tables.shape[1]), zeros="split")
    exact = exact_where(sums.used, "auto")
    return tail_pvalues(sums, exact, alternative="two-sided", continuity=False).reshape(len(tables), len(a))


def _rank_pairs(tables: FloatArray, p: FloatArray, z: FloatArray, alpha: float) -> dict[str, BoolArray]:
    """Procedures that rank all algorithms together."""
    out = {f"ranks z, {name}": corrected(name, p, alpha) for name in stats.CORRECTIONS}
    out["nemenyi"] = _at_most(stats.range_upper(sqrt(2) * np.abs(z), tables.shape[2]), alpha)
    tests: dict[str, Callable[[FloatArray], stats.PairwiseResult]] = {
        "dunn": stats.dunn_pairs,
        "conover t, holm": stats.conover_pairs,
        "aligned ranks z, holm": stats.aligned_pairs,
        "quade z, holm": stats.quade_pairs,
    }
    for name, test in tests.items():
        out[name] = _at_most(_stack(test(x).adjusted for x in tables), alpha)
    return out


def _own_pairs(tables: FloatArray, t_pvalues: FloatArray, alpha: float) -> dict[str, BoolArray]:
    """Procedures that look at one pair at a time; the paired t test with every correction."""
    signs = _stack(stats.sign_pairs(x).pvalue for x in tables)
    pvalues = {"wilcoxon": signed_rank_pvalues(tables), "sign": signs}
    out = {f"{test}, {name}": corrected(name, p, alpha) for test, p in pvalues.items() for name in STRONG}
    return out | {f"paired t, {name}": corrected(name, t_pvalues, alpha) for name in stats.CORRECTIONS}


def _against_control(
    tables: FloatArray, rank_pvalues: FloatArray, t_pvalues: FloatArray, alpha: float
) -> dict[str, BoolArray]:
    fitting = [name for name in stats.CORRECTIONS if name not in ALL_PAIRS]
    tests = {"ranks z": rank_pvalues, "paired t": t_pvalues}
    out = {f"{test}, {name}": corrected(name, p, alpha) for test, p in tests.items() for name in fitting}
    adjusted = _stack(stats.bonferroni_dunn(x, control=0).adjusted for x in tables)
    return out | {"bonferroni-dunn": _at_most(adjusted, alpha)}


def _omnibus(tables: FloatArray, anova: list[stats.RepeatedMeasuresResult]) -> dict[str, FloatArray]:
    ranks = [stats.friedman(x) for x in tables]
    return {
        "friedman F": _stack(r.f_pvalue for r in ranks),
        "friedman chi2": _stack(r.chi2_pvalue for r in ranks),
        "aligned ranks": _stack(stats.aligned_ranks(x).pvalue for x in tables),
        "quade": _stack(stats.quade(x).pvalue for x in tables),
        "rm-anova": _stack(r.uncorrected_pvalue for r in anova),
        "rm-anova, greenhouse-geisser": _stack(r.gg_pvalue for r in anova),
        "rm-anova, huynh-feldt": _stack(r.hf_pvalue for r in anova),
    }


def _pooled_t(anova: list[stats.RepeatedMeasuresResult], n_datasets: int) -> FloatArray:
    """Differences of means over their standard error, all pairs of every table."""
    means, error = _stack(r.means for r in anova), _stack(r.error for r in anova)
    a, b = pair_indices(means.shape[1])
    return np.asarray((means[:, a] - means[:, b]) / np.sqrt(2 * error / n_datasets)[:, None])


def _tukey(t: FloatArray, shape: tuple[int, ...]) -> FloatArray:
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
