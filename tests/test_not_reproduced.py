"""What docs/not-reproduced.md says of the journal's mean ranks: the printed accuracies by a route of their own.

The route shares no code with the package but the corrections: F tests by scipy, MultiTest as its definition reads.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import f as f_distribution

import tiebreak as tb
from tiebreak.stats.adjust import bergmann_hommel, bonferroni, holm, shaffer
from tiebreak.tables.arrays import Arrays

NAMES = ("c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn")
PAGE = (Path(__file__).parents[1] / "docs" / "not-reproduced.md").read_text(encoding="utf-8")
TABLE = tb.published.ulas2012()
PLACE = [TABLE.algorithms.index(name) for name in NAMES]
PAIRS = list(combinations(range(8), 2))
CORRECTIONS = {
    "none": lambda p: p,
    "bonferroni": bonferroni,
    "holm": holm,
    "shaffer": shaffer,
    "bergmann-hommel": bergmann_hommel,
    "bergmann-hommel, monotone": lambda p: bergmann_hommel(p, monotone=True),
}


@cache
def pvalues() -> np.ndarray:
    """The 5x2 cv F test of all pairs of all data sets, as in the papers; errors that never differ give 1."""
    errors = -TABLE.cube("accuracy")[:, PLACE]
    out = np.ones((38, len(PAIRS)))
    for s in range(38):
        for k, (i, j) in enumerate(PAIRS):
            gap = errors[s, i] - errors[s, j]  # (replications, folds)
            below = 2 * ((gap - gap.mean(axis=1, keepdims=True)) ** 2).sum()
            above = (gap**2).sum()
            if above > 1e-18:
                out[s, k] = f_distribution.sf(above / below, 10, 5) if below > 1e-18 else 0.0
    return out


@cache
def places(cost: str, correction: str) -> np.ndarray:
    """MultiTest on every data set: of those that no remaining costlier one beats, the cheapest comes next."""
    means, costs = TABLE.means("accuracy")[:, PLACE], TABLE.means(cost)[:, PLACE]
    out = np.empty((38, 8))
    for s in range(38):
        adjusted = CORRECTIONS[correction](pvalues()[s])
        beaten = {
            (i, j) if means[s, j] > means[s, i] else (j, i)
            for (i, j), p in zip(PAIRS, adjusted, strict=True)
            if p <= 0.05 and means[s, i] != means[s, j]
        }
        left = sorted(range(8), key=lambda j: costs[s, j])
        for place in range(1, 9):
            free = [i for i in left if not any((i, j) in beaten and costs[s, j] > costs[s, i] for j in left)]
            out[s, free[0]] = place
            left.remove(free[0])
    return out


def shown(cost: str) -> dict[str, list[float]]:
    """The rows that the page prints."""
    part = PAGE.partition(f'mean_ranks("{cost}"')[2].partition(">>>")[0]
    rows = re.findall(r"^([a-z-]+) +((?:\d\.\d\d ?){8})$", part, flags=re.M)
    return {name: [float(x) for x in numbers.split()] for name, numbers in rows}


@pytest.mark.parametrize("cost", ["train_time", "space"])
def test_the_page_prints_what_the_definition_gives(cost: str) -> None:
    rows = shown(cost)
    assert list(rows) == ["bergmann-hommel", "shaffer", "holm", "bonferroni", "none"]
    for correction, printed in rows.items():
        assert places(cost, correction).mean(axis=0) == pytest.approx(printed, abs=5.1e-3), correction


def test_the_report_of_2008_comes_out() -> None:
    expected = [3.66, 5.21, 4.53, 3.39, 5.05, 5.95, 5.00, 3.21]  # printed there
    assert places("train_time", "none").mean(axis=0) == pytest.approx(expected, abs=5e-3)
    assert np.array_equal(places("train_time", "none"), tb.published.ulas2012_ranks().means("rank")[:, PLACE])


@pytest.mark.parametrize("cost", ["train_time", "space"])
def test_the_monotone_form_changes_no_place(cost: str) -> None:
    assert np.array_equal(places(cost, "bergmann-hommel"), places(cost, "bergmann-hommel, monotone"))


def test_rounding_within_print_moves_three_by_a_little() -> None:
    """The page has 200 tables; ten stay within what it prints for them."""
    low, high = {"mlp": 4.42, "sv2": 6.18, "5nn": 2.55}, {"mlp": 4.45, "sv2": 6.24, "5nn": 2.58}
    rng = np.random.default_rng(0)
    usual = dict(zip(NAMES, places("train_time", "bergmann-hommel").mean(axis=0), strict=True))
    for _ in range(10):
        moved = TABLE.values["accuracy"] + rng.uniform(-0.005, 0.005, len(TABLE))
        table = replace(TABLE, values=Arrays({**TABLE.values, "accuracy": moved}))
        found = tb.order(table, cost="train_time", variant="2012")
        for name, rank in zip(found.algorithms, found.mean_ranks, strict=True):
            assert low.get(name, usual[name]) - 6e-3 <= rank <= high.get(name, usual[name]) + 6e-3
