"""Yildiz and Alpaydin (2014), multivariate comparison of classification algorithms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from scipy.special import fdtrc

from tiebreak import stats
from tiebreak._checks import FloatArray
from tiebreak.stats import multivariate
from tiebreak.studies.papers.ledger import long_run, printed


@cache
def _example() -> FloatArray:
    """Ten folds of 50 and 50 examples, three algorithms, tpr and fpr: two of equal error and opposite faults."""
    rng = np.random.default_rng(7)
    rates = ((0.70, 0.10), (0.90, 0.30), (0.95, 0.05))
    return np.array([[[rng.binomial(50, rate) / 50 for rate in pair] for pair in rates] for _ in range(10)])


@cache
def _counts() -> FloatArray:
    """The same as tp, fp, tn, fn, in folds of different sizes, so that no sum of counts is constant."""
    rates = _example()
    positive, negative = np.arange(50, 60)[:, None], np.array([53, 51, 54, 51, 55, 59, 52, 56, 55, 53])[:, None]
    tp, fp = rates[..., 0] * positive, rates[..., 1] * negative
    return np.stack([tp, fp, negative - fp, positive - tp], axis=-1)


def _hotelling() -> dict[str, float]:
    hotelling = multivariate.hotelling(_example()[:, 0], _example()[:, 1])
    return {"T2": float(hotelling.t2), "F": float(hotelling.statistic), "p": float(hotelling.pvalue)}


def _our_direction() -> dict[str, float]:
    hotelling = multivariate.hotelling(_example()[:, 0], _example()[:, 1])
    return {"tpr : fpr": float(hotelling.direction[0] / hotelling.direction[1])}


def _manova() -> dict[str, float]:
    result = multivariate.manova(_example(), statistic="bartlett")
    return {"Wilks": float(result.wilks), "chi2": float(result.statistic), "p": float(result.pvalue)}


def _one_measure() -> dict[str, float]:
    a, b = _example()[:, 0, :1], _example()[:, 1, :1]
    result = stats.kfold_t(a[:, 0], b[:, 0])
    return {"T2 - t2": float(multivariate.hotelling(a, b).t2 - result.statistic**2)}


def _one_measure_anova() -> dict[str, float]:
    """The p-value of MANOVA on the true positive rates alone, less that of one-way ANOVA."""
    rates = _example()[..., :1]
    groups = rates[..., 0].T
    between = len(rates) * np.square(groups.mean(axis=1) - groups.mean()).sum() / 2
    within = np.square(groups - groups.mean(axis=1, keepdims=True)).sum() / 27
    return {"p - p": float(multivariate.manova(rates).pvalue - fdtrc(2, 27, between / within))}


def _none_alone() -> dict[str, bool]:
    """Ten folds in which both rates rise a little together: neither differs alone, and both do."""
    rng = np.random.default_rng(3)
    shift = rng.normal(0, 0.05, 10)
    gap = np.column_stack([shift + 0.02, shift - 0.02]) + rng.normal(0, 0.004, (10, 2))
    tests = {name: stats.kfold_t(gap[:, i], np.zeros(10)) for i, name in enumerate(("tpr", "fpr"))}
    both = multivariate.hotelling(gap, np.zeros((10, 2)))
    return {name: bool(test.pvalue <= 0.05) for name, test in (tests | {"tpr and fpr": both}).items()}


def _dimensions() -> dict[str, int]:
    """Eigenvalues above zero of E^-1 H for three algorithms, with two rates and with four counts."""
    return {
        f"p = {cube.shape[-1]}": int((np.array(multivariate.learned_measures(cube).eigenvalues) > 1e-9).sum())
        for cube in (_example(), _counts())
    }


def _largest_weights() -> dict[str, str]:
    """The two counts with the largest weights in each learned measure of section 3.6, in the order tp fp tn fn."""
    names = np.array(["tp", "fp", "tn", "fn"])
    weights = printed("yildiz2014/figure-5")
    return {name: " ".join(names[np.sort(np.argsort(np.abs(weights[name]))[-2:])]) for name in ("M1", "M2")}


def _sums(table: str) -> dict[str, float]:
    """The totals of a table: rows of the single measure, columns of several, and all."""
    shares = printed(f"yildiz2014/{table}")
    return {
        "single does not reject": shares["neither"] + shares["only several"],
        "single rejects": shares["only single"] + shares["both"],
        "several do not reject": shares["neither"] + shares["only single"],
        "several reject": shares["only several"] + shares["both"],
    }


def _of_840(table: str) -> dict[str, float]:
    """The nearest share of 840 comparisons to each printed one."""
    return {name: 100 * round(share * 8.4) / 840 for name, share in printed(f"yildiz2014/{table}").items()}


def _unit_length() -> dict[str, float]:
    first, second = (printed("yildiz2014/figure-5")[name] for name in ("M1", "M2"))
    lengths = {"M1": float(np.linalg.norm(first)), "M2": float(np.linalg.norm(second))}
    return lengths | {"product": float(np.dot(first, second))}


def _only_together() -> dict[str, bool]:
    """Careful and bold: do tests of error, and of both rates, find a difference?"""
    cube = _example()
    error = (1 - cube[..., 0] + cube[..., 1]) / 2
    single = stats.kfold_t(error[:, 0], error[:, 1]).pvalue
    return {"error": bool(single <= 0.05), "tpr and fpr": bool(_hotelling()["p"] <= 0.05)}


def _learned_angle() -> dict[str, bool]:
    weights = multivariate.learned_measures(_counts()).weights[:, :2]
    lengths = np.linalg.norm(weights, axis=0)
    cosine = abs(float(weights[:, 0] @ weights[:, 1] / lengths.prod()))
    return {"orthogonal": cosine < 0.01}


def _more(row: str, name: str = "more often") -> dict[str, bool]:
    """Do several measures alone reject more often than one measure alone, in a recorded run?"""
    shares = long_run(f"yildiz2014/{row}")
    return {name: shares["only several"] > shares["only single"]}


OURS: Mapping[str, Callable[[], Any]] = {
    "yildiz2014/only-together": _only_together,
    "yildiz2014/hotelling": _hotelling,
    "yildiz2014/one-measure": _one_measure,
    "yildiz2014/direction": _our_direction,
    "yildiz2014/one-measure-anova": _one_measure_anova,
    "yildiz2014/none-alone": _none_alone,
    "yildiz2014/dimensions": _dimensions,
    "yildiz2014/weights": _largest_weights,
    "yildiz2014/manova": _manova,
    "yildiz2014/finding-error": lambda: _more("finding-error"),
    "yildiz2014/table-1-totals": lambda: _sums("table-1"),
    "yildiz2014/table-1-of-840": lambda: _of_840("table-1"),
    "yildiz2014/comparisons": lambda: {"pairs": 4 * 7 * 6 // 2, "results": 10 * 4 * 7 * 6 // 2},
    "yildiz2014/finding-f": lambda: _more("finding-f"),
    "yildiz2014/finding-f-shipped": lambda: _more("finding-f-shipped"),
    "yildiz2014/power": lambda: _more("finding-f-shipped", "always"),
    "yildiz2014/table-2-totals": lambda: _sums("table-2"),
    "yildiz2014/table-2-of-840": lambda: _of_840("table-2"),
    "yildiz2014/share": lambda: {"share": 100 * 19.995 / (19.995 + 7.731)},
    "yildiz2014/unit-length": _unit_length,
    "yildiz2014/orthogonal": _learned_angle,
}
