"""Orders of many simulated tables at once: what `tiebreak.order` finds in each of them, all tables side by side.

The prior order is that of the columns: the first algorithm is the cheapest on every data set.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial, sqrt

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.methods import choices, find
from tiebreak.ordering import multitest
from tiebreak.stats.adjust.all_pairs import affordable, algorithms_of
from tiebreak.stats.folds.fold_tests import known_share
from tiebreak.stats.many.rank_tests import rank_standard_error
from tiebreak.stats.numeric.studentized_range import range_upper
from tiebreak.stats.numeric.tails import f_upper, floor_pvalue, half_binomial_lower, normal_two_sided
from tiebreak.stats.results import pair_indices
from tiebreak.stats.two.wilcoxon import differences, exact_where, grid, rank_sums, tail_pvalues, z_scores
from tiebreak.studies._procedures import corrected


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How orders are decided: the names are those of `tiebreak.order`.

    `scores_posthoc` corrects the tests of scores over data sets, where `posthoc` may be a test of places.
    """

    pairwise: str
    inner_adjust: str
    posthoc: str
    scores_posthoc: str
    alpha: float


def orders_on_folds(errors: FloatArray, rules: Rules) -> IntArray:
    """MultiTest on the folds of every data set: (data sets, algorithms, 5, 2) in, orders from best to worst out."""
    count = errors.shape[1]
    statistic, pvalue, difference = _tests_on_folds(errors, rules.pairwise)
    significant = _rejected(pvalue, rules.inner_adjust, rules.alpha)
    if find(rules.pairwise, "folds").symbol != "F":  # one that points one way says nothing where the mean points away
        significant &= np.sign(statistic) == np.sign(difference)
    return _ordered(significant, difference, count)


def orders_by_places(errors: FloatArray, rules: Rules) -> IntArray:
    """Multi2Test in every table: (tables, data sets, algorithms, 5, 2) in, (tables, algorithms) out."""
    tables, n_datasets, count = errors.shape[:3]
    inside = orders_on_folds(errors.reshape(-1, *errors.shape[2:]), rules)
    places = np.empty_like(inside)
    np.put_along_axis(places, inside, np.broadcast_to(np.arange(1, count + 1), inside.shape), axis=1)
    sums = places.reshape(tables, n_datasets, count).sum(axis=1).astype(np.float64)
    a, b = pair_indices(count)
    z = (sums[:, a] / n_datasets - sums[:, b] / n_datasets) / rank_standard_error(count, n_datasets)
    if rules.posthoc == "nemenyi":
        apart = range_upper(np.abs(z) * sqrt(2), count) <= rules.alpha
    else:
        apart = _rejected(normal_two_sided(z), rules.posthoc, rules.alpha)
    rejects = friedman_pvalues(sums, n_datasets) <= rules.alpha
    return _ordered(apart & rejects[:, None], z, count)


def orders_by_scores(errors: FloatArray, rules: Rules) -> IntArray:
    """MultiTest on Wilcoxon's tests of the scores of the data sets; shapes as in `orders_by_places`."""
    means = errors.mean(axis=(3, 4))
    z, pvalue = _signed_ranks(means)
    return _ordered(_rejected(pvalue, rules.scores_posthoc, rules.alpha), z, means.shape[2])


def friedman_pvalues(sums: FloatArray, n_datasets: int) -> FloatArray:
    """P-values of Friedman's test, Iman and Davenport's F, from sums of places without ties, (tables, algorithms).

    As in `tiebreak.stats.friedman`, none is smaller than that of perfect agreement.

    Examples
    --------
    >>> places = np.array([[1, 2, 3], [1, 3, 2], [2, 1, 3], [1, 2, 3]])
    >>> float(friedman_pvalues(places.sum(axis=0)[None] * 1.0, 4)[0]) == stats.friedman(places).pvalue
    True
    """
    count = sums.shape[1]
    deviations = sums - n_datasets * (count + 1) / 2
    chi2 = 12.0 * (deviations**2).sum(axis=1) / (n_datasets * count * (count + 1))  # Demsar 2006, section 3.2.2
    room = n_datasets * (count - 1) - chi2
    agreed = room < 1e-9 * chi2
    f = (n_datasets - 1) * chi2 / np.where(agreed, 1.0, room)  # Iman and Davenport 1980
    p = np.where(agreed, 0.0, f_upper(f, count - 1, (count - 1) * (n_datasets - 1)))
    least = float(factorial(count)) ** (1 - n_datasets)
    return np.asarray(np.where(chi2 == 0.0, 1.0, np.maximum(p, least)))


def _ordered(significant: BoolArray, toward_b: FloatArray, count: int) -> IntArray:
    """Order every row by MultiTest; `toward_b` is positive where the second of a pair is better."""
    a, b = pair_indices(count)
    better = np.zeros((len(significant), count, count), dtype=bool)
    better[:, a, b] = significant & (toward_b > 0)
    better[:, b, a] = significant & (toward_b < 0)
    return multitest(better, np.arange(count))


def _tests_on_folds(errors: FloatArray, pairwise: str) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return statistic, p-value and mean difference of every pair, each (data sets, pairs)."""
    flat = errors.reshape(*errors.shape[:2], -1)
    if pairwise in choices("pairs"):  # a test of paired vectors, which takes the folds as such
        a, b = pair_indices(errors.shape[1])
        means = errors.mean(axis=(2, 3))
        tests = _signed_ranks if pairwise == "wilcoxon" else _signs
        return *tests(flat.transpose(0, 2, 1)), means[:, a] - means[:, b]
    share = known_share(errors.shape[3], None) if "test_share" in find(pairwise, "folds").options else None
    found = stats.fold_pairs(flat, method=pairwise, test_share=share)
    return found.statistic, found.pvalue, found.mean_difference


def _pair_differences(tables: FloatArray) -> FloatArray:
    """Differences of all pairs without noise of rounding, (tables x pairs, rows of a table)."""
    a, b = pair_indices(tables.shape[2])
    columns = np.ascontiguousarray(tables.transpose(0, 2, 1))
    grids = grid(columns)
    return differences(columns[:, a], columns[:, b], grids[:, a], grids[:, b]).reshape(-1, tables.shape[1])


def _signed_ranks(tables: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return z and p of `tiebreak.stats.wilcoxon_pairs` for tables of (rows, algorithms)."""
    sums = rank_sums(_pair_differences(tables), zeros="split")
    exact = exact_where(sums.used, "auto")
    agreed = exact & (np.abs(sums.plus - sums.minus) >= sums.total)  # all signs alike: p is known without counting
    p = tail_pvalues(sums, exact & ~agreed, alternative="two-sided", continuity=False)
    p[agreed] = np.minimum(np.exp2(1.0 - sums.used[agreed]), 1.0)
    return z_scores(sums).reshape(len(tables), -1), p.reshape(len(tables), -1)


def _signs(tables: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return wins of the second less those of the first, and p of `tiebreak.stats.sign_pairs`."""
    d = _pair_differences(tables)
    first, second = np.count_nonzero(d < 0, axis=1), np.count_nonzero(d > 0, axis=1)
    half = (d.shape[1] - first - second) // 2
    fewer = (np.minimum(first, second) + half).astype(np.float64)
    p = floor_pvalue(2.0 * half_binomial_lower(fewer, (first + second + 2 * half).astype(np.float64)))
    return (second - first).astype(np.float64).reshape(len(tables), -1), p.reshape(len(tables), -1)


def _rejected(pvalues: FloatArray, adjust: str, alpha: float) -> BoolArray:
    """Correct every row for the number of its pairs, and say what is rejected; step-down rules at once."""
    steps = np.arange(pvalues.shape[1], 0, -1)
    if adjust == "none":
        return np.asarray(pvalues <= alpha)
    if adjust not in ("holm", "shaffer"):
        return corrected(adjust, pvalues, alpha)
    factors = steps if adjust == "holm" else affordable(algorithms_of(pvalues.shape[1]))[steps]
    order = np.argsort(pvalues, axis=1, kind="stable")
    risen = np.maximum.accumulate(np.take_along_axis(pvalues, order, axis=1) * factors, axis=1)
    out = np.empty(pvalues.shape, dtype=bool)
    np.put_along_axis(out, order, risen <= alpha, axis=1)
    return out
