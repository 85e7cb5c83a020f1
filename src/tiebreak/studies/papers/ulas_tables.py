"""What the rows of the two Ulas papers share: their table in printed order, wins, mean ranks, decisions, orders."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from tiebreak import stats
from tiebreak._checks import FloatArray
from tiebreak.comparison import compare
from tiebreak.comparison.groups import best_of_groups
from tiebreak.ordering import Ordering, multitest, order
from tiebreak.readers import published
from tiebreak.results import Results
from tiebreak.studies.win_study import win_matrices

NAMES = ("c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn")
"""The algorithms in the order of every printed table."""
DIVERSE = "breast car nursery optdigits pendigits ringnorm spambase tictactoe titanic".split()
TIME_ORDER = "5nn c45 lnp mlp mdt svl sv2 svr"
SPACE_ORDER = "c45 mdt mlp lnp svl svr sv2 5nn"
OPTDIGITS_ORDER = "svr svl sv2 5nn mlp lnp mdt c45"
OPTDIGITS = "00000000 10000000 11010000 10000000 11110001 11110001 11110001 11010000"  # row better than column
WINS = (
    (0, 19, 16, 16, 11, 17, 5, 15),
    (19, 0, 11, 16, 9, 18, 6, 18),
    (22, 27, 0, 22, 9, 19, 7, 24),
    (22, 22, 16, 0, 8, 22, 8, 21),
    (26, 29, 29, 30, 0, 25, 17, 31),
    (20, 20, 18, 16, 12, 0, 7, 17),
    (33, 32, 31, 30, 21, 31, 0, 33),
    (23, 20, 14, 17, 7, 21, 5, 0),
)
SIGNIFICANT_WINS = (
    (0, 5, 3, 4, 2, 5, 0, 4),
    (5, 0, 0, 2, 0, 10, 0, 7),
    (11, 7, 0, 6, 3, 10, 3, 9),
    (7, 3, 1, 0, 0, 9, 0, 5),
    (9, 6, 4, 6, 0, 13, 2, 12),
    (7, 9, 8, 6, 5, 0, 1, 8),
    (14, 14, 10, 10, 8, 16, 0, 16),
    (6, 4, 4, 3, 1, 10, 1, 0),
)
BOLD_WINS = "mlp>mdt svl>c45 svl>mdt svl>mlp svl>lnp svl>sv2 svl>5nn svr>c45 svr>mdt svr>mlp svr>lnp svr>sv2 svr>5nn"


def named(values: Any) -> dict[str, float]:
    """Return numbers, in printed order, by the name of their algorithm."""
    return {name: float(value) for name, value in zip(NAMES, values, strict=True)}


@cache
def table() -> Results:
    """Return the fold accuracies and costs that the report prints."""
    return published.ulas2012()


def columns(algorithms: tuple[str, ...]) -> list[int]:
    """Return where the printed columns stand among the algorithms of a result."""
    return [algorithms.index(name) for name in NAMES]


def means(measure: str) -> FloatArray:
    """Return the means over folds, data sets by algorithms in printed order."""
    return table().means(measure)[:, columns(table().algorithms)]


@cache
def multi2test(cost: str, variant: str) -> Ordering:
    """Run the published Multi2Test on the printed accuracies."""
    return order(table(), cost=cost, variant=variant)


@cache
def diverse(variant: str) -> Ordering:
    """Run it on the three algorithms and nine data sets of the example of section 4.5."""
    return order(table().only(datasets=DIVERSE, algorithms=["c45", "mdt", "svr"]), cost="space", variant=variant)


@cache
def optdigits(inner_adjust: str) -> Ordering:
    """Run MultiTest on the one data set that the papers work through."""
    return order(table(), cost="train_time", dataset="optdigits", rule="multitest", inner_adjust=inner_adjust)


def matrix_text(better: Any, algorithms: tuple[str, ...]) -> str:
    """Write which row is better than which column as the papers print it, in zeros and ones."""
    place = columns(algorithms)
    square = np.asarray(better)[np.ix_(place, place)].astype(int)
    return " ".join("".join(map(str, row)) for row in square)


def optdigits_table(inner_adjust: str) -> str:
    """Return Table 1: which row is significantly more accurate than which column."""
    found = optdigits(inner_adjust)
    return matrix_text(found.better.T, found.algorithms)


def decisions(found: Ordering) -> str:
    """Return the pairs that differ significantly, whichever way round."""
    return matrix_text(found.better | found.better.T, found.algorithms)


def groups_of(pairs: str) -> str:
    """Return the largest sets of algorithms without a difference, from a matrix of the pairs that differ."""
    differ = [[mark == "1" for mark in row] for row in pairs.split()]
    subsets = [[j for j in range(len(NAMES)) if bits >> j & 1] for bits in range(1, 2 ** len(NAMES))]
    alike = [set(group) for group in subsets if not any(differ[i][j] for i in group for j in group)]
    largest = [group for group in alike if not any(group < other for other in alike)]
    return "; ".join(sorted(" ".join(NAMES[i] for i in sorted(group)) for group in largest))


def overrides(found: Ordering) -> int:
    """Count the edges of the second pass, from a cheaper algorithm to one that is significantly better."""
    return len(found.graph()[1])


def mean_ranks(found: Ordering) -> dict[str, float]:
    """Return the mean places by MultiTest."""
    return named(found.mean_ranks[columns(found.algorithms)])


def accuracy_ranks() -> dict[str, float]:
    """Return the mean ranks of the mean accuracies."""
    return named(stats.rank_rows(means("accuracy"), higher_is_better=True).mean(axis=0))


def accuracy_decisions(posthoc: str) -> str:
    """Return which mean ranks of accuracy differ by a post hoc test."""
    how: dict[str, Any] = {} if posthoc == "nemenyi" else {"pairwise": "ranks"}
    found = compare(table(), score="accuracy", tie_correction=False, posthoc=posthoc, **how)
    square = np.zeros((len(NAMES),) * 2, dtype=bool)
    square[found.tests.a, found.tests.b] = square[found.tests.b, found.tests.a] = found.significant
    return matrix_text(square, found.algorithms)


@cache
def wins(kind: str, win_ties: str) -> tuple[list[list[int]], str]:
    """Return the matrix of wins and the pairs that the sign test calls significant."""
    found = win_matrices(win_ties=win_ties)
    place = columns(found.algorithms)
    grid = np.ix_(place, place)
    bold = np.argwhere(found.bold(kind)[grid])
    return found.counts(kind)[grid].tolist(), " ".join(f"{NAMES[i]}>{NAMES[j]}" for i, j in bold)


def average_costs(cost: str) -> dict[str, float]:
    """Return the mean normalised costs."""
    return named(means(cost).mean(axis=0))


def prior(cost: str) -> str:
    """Return the algorithms by mean normalised cost, the cheapest first."""
    return " ".join(multi2test(cost, "2012").prior)


@cache
def printed_rows() -> dict[tuple[str, str], tuple[float, float, int]]:
    """Return mean and standard deviation of Tables A.1 to A.8 and the place of Table A.13, as printed."""
    text = (files("tiebreak.studies.papers") / "ulas2008.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {
        (row["dataset"], row["algorithm"]): (float(row["mean"]), float(row["std"]), int(row["space_rank"]))
        for row in rows
    }


def fold_means() -> list[list[list[float]]]:
    """Return mean and deviation of every cell; the rows iris and ionosphere under the name they have in print."""
    swapped = {"iris": "ionosphere", "ionosphere": "iris"}
    cube = table().cube("accuracy")[:, columns(table().algorithms)].reshape(len(table().datasets), len(NAMES), -1)
    rows = [cube[table().datasets.index(swapped.get(name, name))] for name in table().datasets]
    return [[[float(cell.mean()), float(cell.std(ddof=1))] for cell in row] for row in rows]


def printed_means() -> list[list[list[float]]]:
    """Return the same as printed."""
    return [[list(printed_rows()[data, name][:2]) for name in NAMES] for data in table().datasets]


def printed_space_places() -> list[list[int]]:
    """Return Table A.13."""
    return [[printed_rows()[data, name][2] for name in NAMES] for data in table().datasets]


def printed_places(by: str) -> list[list[float]]:
    """Return Table A.11 (`by` accuracy) or A.12 (training time)."""
    found = published.ulas2012_ranks(by)
    values: list[list[float]] = found.means("rank")[:, columns(found.algorithms)].tolist()
    return values


def places(cost: str) -> list[list[float]]:
    """Return the places by MultiTest, uncorrected, on every data set."""
    found = multi2test(cost, "2008")
    values: list[list[float]] = found.ranks[:, columns(found.algorithms)].tolist()
    return values


def ranks_of_means() -> list[list[float]]:
    """Return the ranks of the mean accuracies on every data set."""
    values: list[list[float]] = stats.rank_rows(means("accuracy"), higher_is_better=True).tolist()
    return values


UNDERLINES: dict[str, tuple[str, list[tuple[str, ...]]]] = {
    "2 (4 3) 1": ("2431", [("4", "3")]),
    "(4 3 2) 1": ("4321", [("4", "3", "2")]),
    "(1 3 [4) 2]": ("1342", [("1", "3", "4"), ("4", "2")]),
    "(4 1 [3) 2]": ("4132", [("4", "1", "3"), ("3", "2")]),
    "(4 [3 2) 1]": ("4321", [("4", "3", "2"), ("3", "2", "1")]),
}
"""The examples of section 2.2: lowest mean rank first, the groups that a line joins; 1 is the cheapest."""


def best_of_underlines() -> dict[str, str]:
    """Return the best algorithm of every example, or that the groups cannot tell."""
    found = {
        text: best_of_groups(groups, by_rank=by_rank, by_cost="1234") for text, (by_rank, groups) in UNDERLINES.items()
    }
    return {text: each.algorithm or "cannot tell" for text, each in found.items()}


def second_pass(prior_order: str, better: str) -> str:
    """Order by MultiTest from decisions that are given.

    Examples
    --------
    >>> second_pass("A B C D", "B>A B>C D>C")
    'B A D C'
    """
    names = prior_order.split()
    square = np.zeros((len(names),) * 2, dtype=bool)
    for winner, loser in (each.split(">") for each in better.split()):
        square[names.index(loser), names.index(winner)] = True
    return " ".join(names[i] for i in multitest(square, np.arange(len(names))))
