"""Demsar (2006), with the slides of Burk (2024) that retell it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from scipy.special import fdtri, ndtri

from tiebreak import stats
from tiebreak._checks import FloatArray
from tiebreak.comparison import compare
from tiebreak.readers import published
from tiebreak.stats import bonferroni_dunn, bonferroni_dunn_cd, nemenyi, nemenyi_cd, rank_tests
from tiebreak.studies.papers.ledger import printed
from tiebreak.studies.replicability_study import measures

NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
SIZE = {"n_algorithms": 4, "n_datasets": 14}


def _as_named(values: Any) -> dict[str, float]:
    """From the order of the table, C4.5 C4.5+cf C4.5+m C4.5+m+cf, to that of the print."""
    return dict(zip(NAMES, (float(values[i]) for i in (0, 2, 1, 3)), strict=True))


@cache
def _ranks() -> FloatArray:
    """The ranks that the paper prints, in the order of the print."""
    return published.demsar2006_ranks().means("rank")[:, [0, 2, 1, 3]]


@cache
def _auc() -> FloatArray:
    return published.demsar2006().means("auc")[:, [0, 2, 1, 3]]


def _friedman(values: FloatArray, **options: Any) -> dict[str, float]:
    chi = stats.friedman(values, statistic="chi2", tie_correction=False, **options)
    return {
        "chi2": float(chi.statistic),
        "F": float(stats.friedman(values, tie_correction=False, **options).statistic),
    }


def _quantiles(cd: Any) -> dict[str, list[float]]:
    return {
        str(k): [cd(n_algorithms=k, n_datasets=6, alpha=alpha) / (k * (k + 1) / 36) ** 0.5 for alpha in (0.05, 0.10)]
        for k in range(2, 11)
    }


def _table_2() -> dict[str, float]:
    a, b = _auc()[:, 0], _auc()[:, 1]
    result = stats.wilcoxon(a, b, higher_is_better=True)
    return {"R+": float(result.r_plus), "R-": float(result.r_minus), "T": float(min(result.r_plus, result.r_minus))}


def _critical_t() -> dict[str, int]:
    """The largest T of 14 differences with a two-sided p of 0.05 at most, by counting all 2^14 signs."""
    counts = np.array([1.0])
    for rank in range(1, 15):
        counts = np.concatenate([counts, np.zeros(rank)]) + np.concatenate([np.zeros(rank), counts])
    tail = 2 * np.cumsum(counts) / 2**14
    return {"T": int(np.flatnonzero(tail <= 0.05)[-1])}


def _sign() -> dict[str, float]:
    """One-sided, ties split: 11 wins of 14."""
    test = stats.sign_test(_auc()[:, 0], _auc()[:, 1], higher_is_better=True)
    return {"wins": 11, "significant at 0.05": bool(test.pvalue / 2 <= 0.05)}


def _sign_critical() -> dict[str, list[int]]:
    """Table 3: the fewest wins of 5 to 25 data sets that our test calls significant; 0 where none is."""

    def fewest(count: int, alpha: float) -> int:
        tests = {wins: stats.sign_test(np.arange(count) < wins, np.arange(count) >= wins) for wins in range(count + 1)}
        return min((wins for wins in range(count // 2 + 1, count + 1) if tests[wins].pvalue <= alpha), default=0)

    return {f"{alpha:.2f}": [fewest(count, alpha) for count in range(5, 26)] for alpha in (0.05, 0.10)}


def _friedman_1940() -> dict[str, int]:
    """Table 4, rows by Friedman's test and columns by ANOVA: below 0.01, up to 0.05, above."""
    counts = np.array([[16, 1, 0], [4, 1, 4], [0, 2, 28]])
    return {
        "problems": int(counts.sum()),
        "only ANOVA": int(counts[2, :2].sum()),
        "only Friedman": int(counts[:2, 2].sum()),
    }


def _replicability() -> dict[str, list[float]]:
    """R(e) of Table 7 from its counts of rejections in 1,000 draws."""
    counts = printed("demsar2006/table-7")
    draws = np.arange(1000)
    return {
        test: [float(measures(np.where(draws < count, 0.01, 0.5), 0.05)[3]) for count in row]
        for test, row in counts.items()
    }


def _wilcoxon_ahead() -> dict[str, bool]:
    """Does Wilcoxon's test reject more often than t in nearly every pair of Table 7?"""
    counts = printed("demsar2006/table-7")
    ahead = sum(a > b for a, b in zip(counts["wilcoxon"], counts["paired t"], strict=True))
    return {"almost always": ahead >= 19}


def _against_control() -> dict[str, list[float]]:
    result = rank_tests(_ranks(), control=0, adjust="none", tie_correction=False)
    return {name: [float(z), float(p)] for name, z, p in zip(NAMES[1:], result.statistic, result.pvalue, strict=True)}


def _rejected(adjust: str) -> str:
    if adjust == "bonferroni-dunn":
        adjusted = bonferroni_dunn(_ranks(), control=0, tie_correction=False).adjusted
    else:
        adjusted = rank_tests(_ranks(), control=0, adjust=adjust, tie_correction=False).adjusted
    return " ".join(name for name, p in zip(NAMES[1:], adjusted, strict=True) if p <= 0.05)


def _pairs(alpha: float) -> str:
    result = nemenyi(_ranks())
    return " ".join(
        f"{NAMES[a]}/{NAMES[b]}" for a, b, p in zip(result.a, result.b, result.adjusted, strict=True) if p <= alpha
    )


def _groups() -> str:
    comparison = compare(published.demsar2006(), posthoc="nemenyi", alpha=0.1)
    return "; ".join(" ".join(group) for group in comparison.groups)


OURS: Mapping[str, Callable[[], Any]] = {
    "demsar2006/table-2": _table_2,
    "demsar2006/table-2-critical": _critical_t,
    "demsar2006/sign-test": _sign,
    "demsar2006/table-3": _sign_critical,
    "demsar2006/wilcoxon-z": lambda: {"z": float(ndtri(0.025))},
    "demsar2006/table-4-total": _friedman_1940,
    "demsar2006/table-7-r": _replicability,
    "demsar2006/table-7-wilcoxon": _wilcoxon_ahead,
    "demsar2006/table-6": lambda: _as_named(published.demsar2006_ranks().means("rank").mean(axis=0)),
    "demsar2006/table-6-auc": lambda: _as_named(
        stats.rank_rows(published.demsar2006().means("auc"), higher_is_better=True).mean(axis=0)
    ),
    "demsar2006/friedman": lambda: _friedman(_ranks()),
    "demsar2006/friedman-auc": lambda: _friedman(_auc(), higher_is_better=True),
    "demsar2006/friedman-critical": lambda: {"F": float(fdtri(3, 39, 0.95))},
    "demsar2006/figure-1a": _groups,
    "demsar2006/cd-nemenyi": lambda: {"0.05": nemenyi_cd(**SIZE), "0.10": nemenyi_cd(**SIZE, alpha=0.10)},
    "demsar2006/cd-nemenyi-slide": lambda: {"CD": 2.569 * (4.5 / (6 * 14)) ** 0.5},
    "demsar2006/nemenyi-pairs": lambda: {"0.05": _pairs(0.05), "0.10": _pairs(0.10)},
    "demsar2006/table-5a": lambda: _quantiles(nemenyi_cd),
    "demsar2006/figure-1b": lambda: _rejected("bonferroni-dunn"),
    "demsar2006/cd-dunn": lambda: {"CD": bonferroni_dunn_cd(**SIZE)},
    "demsar2006/table-5b": lambda: _quantiles(bonferroni_dunn_cd),
    "demsar2006/control-steps": lambda: {name: _rejected(name) for name in ("holm", "hochberg", "hommel")},
    "demsar2006/control-table": _against_control,
    "demsar2006/replicability-formulas": lambda: {
        "half": float(measures(np.repeat([0.01, 0.5], 500), 0.05)[3]),
        "none": float(measures(np.full(1000, 0.5), 0.05)[3]),
    },
}
