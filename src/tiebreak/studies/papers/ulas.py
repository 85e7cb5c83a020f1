"""Ulas, Yildiz and Alpaydin (2008, 2012): what the report and the journal paper on Multi2Test print, computed anew."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Any

import numpy as np
from scipy.stats import chi2

from tiebreak import stats
from tiebreak._checks import FloatArray
from tiebreak.comparison import compare
from tiebreak.comparison.groups import best_of_groups
from tiebreak.ordering import Ordering, multitest, order
from tiebreak.readers import published
from tiebreak.results import Results
from tiebreak.stats import nemenyi_cd
from tiebreak.studies.order_study import order_shares
from tiebreak.studies.papers.ledger import printed
from tiebreak.studies.win_study import win_matrices

NAMES = ("c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn")
"""The algorithms in the order of every printed table."""
DIVERSE = "breast car nursery optdigits pendigits ringnorm spambase tictactoe titanic".split()
UNDERLINES: dict[str, tuple[str, list[tuple[str, ...]]]] = {
    "2 (4 3) 1": ("2431", [("4", "3")]),
    "(4 3 2) 1": ("4321", [("4", "3", "2")]),
    "(1 3 [4) 2]": ("1342", [("1", "3", "4"), ("4", "2")]),
    "(4 1 [3) 2]": ("4132", [("4", "1", "3"), ("3", "2")]),
    "(4 [3 2) 1]": ("4321", [("4", "3", "2"), ("3", "2", "1")]),
}
"""The examples of section 2.2: lowest mean rank first, the groups that a line joins; 1 is the cheapest."""


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


def folds(algorithm: str, dataset: str) -> FloatArray:
    """Return the ten fold accuracies of one cell, replications by folds."""
    cell: FloatArray = table().cube("accuracy")[table().datasets.index(dataset), table().algorithms.index(algorithm)]
    return cell


@cache
def multi2test(cost: str, variant: str) -> Ordering:
    """Run the published Multi2Test on the printed accuracies."""
    return order(table(), cost=cost, variant=variant)


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
    ordering = optdigits(inner_adjust)
    return matrix_text(ordering.better.T, ordering.algorithms)


def decisions(ordering: Ordering) -> str:
    """Return the pairs that differ significantly, whichever way round."""
    return matrix_text(ordering.better | ordering.better.T, ordering.algorithms)


def groups_of(pairs: str) -> str:
    """Return the largest sets of algorithms without a difference, from a matrix of the pairs that differ."""
    differ = [[mark == "1" for mark in row] for row in pairs.split()]
    subsets = [[j for j in range(len(NAMES)) if bits >> j & 1] for bits in range(1, 2 ** len(NAMES))]
    alike = [set(group) for group in subsets if not any(differ[i][j] for i in group for j in group)]
    largest = [group for group in alike if not any(group < other for other in alike)]
    return "; ".join(sorted(" ".join(NAMES[i] for i in sorted(group)) for group in largest))


def accuracy_ranks() -> dict[str, float]:
    """Return the mean ranks of the mean accuracies."""
    return named(stats.rank_rows(means("accuracy"), higher_is_better=True).mean(axis=0))


def accuracy_decisions(posthoc: str) -> str:
    """Return which mean ranks of accuracy differ by a post hoc test."""
    pairwise: dict[str, Any] = {} if posthoc == "nemenyi" else {"pairwise": "ranks"}
    comparison = compare(table(), score="accuracy", tie_correction=False, posthoc=posthoc, **pairwise)
    square = np.zeros((len(NAMES),) * 2, dtype=bool)
    a, b = comparison.tests.a, comparison.tests.b
    square[a, b] = square[b, a] = comparison.significant
    return matrix_text(square, comparison.algorithms)


@cache
def wins(kind: str, win_ties: str) -> tuple[list[list[int]], str]:
    """Return the matrix of wins and the pairs that the sign test calls significant."""
    matrices = win_matrices(win_ties=win_ties)
    place = columns(matrices.algorithms)
    grid = np.ix_(place, place)
    bold = np.argwhere(matrices.bold(kind)[grid])
    return matrices.counts(kind)[grid].tolist(), " ".join(f"{NAMES[i]}>{NAMES[j]}" for i, j in bold)


def second_pass(prior_order: str, better: str) -> str:
    """Order by MultiTest from decisions that are given.

    Examples
    --------
    >>> second_pass("A B C D", "B>A B>C D>C")
    'B A D C'
    """
    names = prior_order.split()
    square = np.zeros((len(names),) * 2, dtype=bool)
    for winner, loser in (pair.split(">") for pair in better.split()):
        square[names.index(loser), names.index(winner)] = True
    return " ".join(names[i] for i in multitest(square, np.arange(len(names))))


def _fastest(inner_adjust: str) -> dict[str, str]:
    prior = optdigits(inner_adjust).prior
    return {"fastest": prior[0], "slowest": prior[-1]}


def _steps(inner_adjust: str) -> dict[str, str]:
    """Take MultiTest on optdigits apart: which node is taken, of those without an edge to one that is left."""
    ordering = optdigits(inner_adjust)
    names, costs = ordering.algorithms, {name: place for place, name in enumerate(ordering.prior)}
    edges = [(names[i], names[j]) for i, j in np.argwhere(ordering.better) if costs[names[i]] < costs[names[j]]]
    out, left = {}, set(names)
    for step, taken in zip("abcdefgh", ordering.order, strict=True):
        free = [name for name in NAMES if name in left and not any(a == name and b in left for a, b in edges)]
        out[step] = f"{taken} of {' '.join(free)}"
        left.remove(taken)
    return out


def _whoever_follows() -> dict[str, int]:
    """Data sets on which everybody behind another is significantly worse than it, or no better and costlier."""
    ordering = multi2test("train_time", "2012")
    inner, costs = ordering.inner, means("train_time")
    assert inner is not None
    place = columns(ordering.algorithms)
    better = inner.better(0.05)[:, place][:, :, place]  # [data set, i, j]: j is better than i
    ranks = ordering.ranks[:, place]
    follows = ranks[:, :, None] > ranks[:, None, :]  # i stands behind j
    costlier = costs[:, :, None] > costs[:, None, :]
    fits = better | costlier & ~better.transpose(0, 2, 1)
    return {"data sets": int((fits | ~follows).all(axis=(1, 2)).sum())}


def _corrections() -> dict[str, str]:
    """The correction that rejects most pairs of places."""
    ranks = multi2test("train_time", "2012").ranks
    counts = {
        name: int((stats.rank_tests(ranks, adjust=name, tie_correction=False).adjusted <= 0.05).sum())
        for name in ("holm", "shaffer", "bergmann-hommel")
    } | {"nemenyi": int((stats.nemenyi(ranks).adjusted <= 0.05).sum())}
    return {"most": max(counts, key=counts.__getitem__)}


def _sign_test(ties: str) -> dict[str, float]:
    """Our sign test on 26 wins, 11 losses and, with ties split, one more win's worth of ties."""
    first = np.repeat([1.0, 0.0], [26, 12 if ties == "split" else 11])
    return {"p": float(stats.sign_test(first, 1 - first, ties=ties).pvalue)}


def _ordered(cost: str, variant: str) -> str:
    return " ".join(multi2test(cost, variant).order)


def _final(cost: str, variant: str) -> dict[str, Any]:
    """The edges of the second pass, from a cheaper algorithm to a significantly better one, and the order."""
    ordering = multi2test(cost, variant)
    return {"edges against cost": len(ordering.graph()[1]), "order": " ".join(ordering.order)}


def _mean_places(cost: str, variant: str) -> dict[str, float]:
    ordering = multi2test(cost, variant)
    return named(ordering.mean_ranks[columns(ordering.algorithms)])


def _place_decisions(cost: str, variant: str) -> str:
    return decisions(multi2test(cost, variant))


def _place_groups(cost: str, variant: str) -> str:
    return groups_of(_place_decisions(cost, variant))


def _diverse(variant: str) -> dict[str, str]:
    """The example of section 4.5: three algorithms on nine data sets."""
    ordering = order(table().only(datasets=DIVERSE, algorithms=["c45", "mdt", "svr"]), cost="space", variant=variant)
    return {"by cost": " ".join(ordering.prior), "order": " ".join(ordering.order)}


def _differs(key: str, cost: str) -> dict[str, bool]:
    """Say of each pair that a row names whether their places differ."""
    rows = decisions(multi2test(cost, key[4:8])).split()
    pairs = [pair.split(", ") for pair in printed(key)]
    return {f"{a}, {b}": rows[NAMES.index(a)][NAMES.index(b)] == "1" for a, b in pairs}


def _friedman() -> dict[str, float]:
    test = stats.friedman(means("accuracy"), higher_is_better=True, tie_correction=False, statistic="chi2")
    return {"statistic": float(test.statistic), "df": 7.0}


def _f_test() -> dict[str, float]:
    test = stats.five_by_two_f(folds("c45", "optdigits"), folds("svl", "optdigits"))
    return {"f": float(test.statistic), "p": float(test.pvalue)}


@cache
def _study() -> Any:
    return order_shares(repeats=100, steps=11, rng=0)


def _most_frequent(procedure: str) -> str:
    """The order found most often at each step, repeats left out."""
    curve = _study().curve(procedure)
    return " ".join(dict.fromkeys(curve.names[int(i)] for i in curve.shares.argmax(axis=1)))


def _best_of_underlines() -> dict[str, str]:
    """The best algorithm of every example, or that the groups cannot tell."""
    return {
        text: best_of_groups(groups, by_rank=by_rank, by_cost="1234") or "cannot tell"
        for text, (by_rank, groups) in UNDERLINES.items()
    }


@cache
def _printed_rows() -> dict[tuple[str, str], tuple[float, float, int]]:
    """Mean and standard deviation of Tables A.1 to A.8 and the place of Table A.13, as printed."""
    text = (files("tiebreak.studies.papers") / "ulas2008.csv").read_text(encoding="utf-8")
    return {
        (row["dataset"], row["algorithm"]): (float(row["mean"]), float(row["std"]), int(row["space_rank"]))
        for row in csv.DictReader(text.splitlines())
    }


def _printed_means() -> list[list[list[float]]]:
    return [[list(_printed_rows()[data, name][:2]) for name in NAMES] for data in table().datasets]


def _printed_space_places() -> list[list[int]]:
    return [[_printed_rows()[data, name][2] for name in NAMES] for data in table().datasets]


def _printed_places(by: str) -> Any:
    """Table A.11 (`by` accuracy) or A.12 (training time)."""
    ranks = published.ulas2012_ranks(by)
    return ranks.means("rank")[:, columns(ranks.algorithms)].tolist()


def _fold_means() -> list[list[list[float]]]:
    """Mean and deviation of every cell; the rows iris and ionosphere under the name they have in print."""
    swapped = {"iris": "ionosphere", "ionosphere": "iris"}
    cells = [[folds(name, swapped.get(data, data)) for name in NAMES] for data in table().datasets]
    return [[[float(cell.mean()), float(cell.std(ddof=1))] for cell in row] for row in cells]


def _places(cost: str) -> Any:
    """The places by MultiTest, uncorrected, on every data set."""
    ordering = multi2test(cost, "2008")
    return ordering.ranks[:, columns(ordering.algorithms)].tolist()


def _ranks_of_means() -> Any:
    return stats.rank_rows(means("accuracy"), higher_is_better=True).tolist()


def _average_costs(cost: str) -> dict[str, float]:
    return named(means(cost).mean(axis=0))


def _in_print(name: str) -> bool:
    """Say whether all printed accuracies of a data set are possible on folds of its size."""
    sizes = {"iris": (51, 48), "ionosphere": (117, 117)}[name]
    swapped = {"iris": "ionosphere", "ionosphere": "iris"}[name]
    accuracies = table().cube("accuracy")[table().datasets.index(swapped)]
    counts = [accuracies[..., fold] / 100 * sizes[fold] for fold in (0, 1)]
    return all(bool((np.abs(count - np.round(count)) < 0.006).all()) for count in counts)


PRINTED: Mapping[str, Callable[[], Any]] = {
    "ulas2008/tables-a.1-a.8": _printed_means,
    "ulas2008/table-a.11": partial(_printed_places, "accuracy"),
    "ulas2008/table-a.12": partial(_printed_places, "train_time"),
    "ulas2008/table-a.13": _printed_space_places,
}
"""Printed tables that ship as files of their own."""
OURS: dict[str, Callable[[], Any]] = {
    "ulas2012/table-1": lambda: optdigits_table("bergmann-hommel"),
    "ulas2012/figure-1": partial(_fastest, "bergmann-hommel"),
    "ulas2012/figure-2": partial(_steps, "bergmann-hommel"),
    "ulas2012/section-3.1": lambda: " ".join(optdigits("bergmann-hommel").order),
    "ulas2012/table-2": lambda: _ordered("train_time", "2012"),
    "ulas2012/table-3": lambda: second_pass("A B C D", "B>A B>C D>C"),
    "ulas2012/prior-time": lambda: " ".join(multi2test("train_time", "2012").prior),
    "ulas2012/prior-space": lambda: " ".join(multi2test("space", "2012").prior),
    "ulas2012/diverse": lambda: _diverse("2012"),
    "ulas2012/second-pass": lambda: second_pass("A B C", "C>A C>B"),
    "ulas2012/table-4": lambda: wins("averages", "split")[0],
    "ulas2012/table-4-bold": lambda: wins("averages", "split")[1],
    "ulas2012/table-6": lambda: wins("significant", "split")[0],
    "ulas2012/table-6-bold": lambda: wins("significant", "split")[1],
    "ulas2012/sign-test": partial(_sign_test, "split"),
    "ulas2012/corrections": _corrections,
    "ulas2012/section-4.5.1": partial(_differs, "ulas2012/section-4.5.1", "train_time"),
    "ulas2012/whoever-follows": _whoever_follows,
    "ulas2012/table-5a": accuracy_ranks,
    "ulas2012/table-5b": lambda: groups_of(accuracy_decisions("bergmann-hommel")),
    "ulas2012/table-5c": lambda: accuracy_decisions("bergmann-hommel"),
    "ulas2012/friedman": _friedman,
    "ulas2012/friedman-sign": lambda: {"rejects when above": _friedman()["statistic"] > float(chi2.isf(0.05, 7))},
    "ulas2012/best-only": _best_of_underlines,
    "ulas2012/figure-4": lambda: _most_frequent("multitest"),
    "ulas2012/figure-5": lambda: _most_frequent("places"),
    "ulas2008/table-3.1": lambda: optdigits_table("none"),
    "ulas2008/section-3.1": lambda: " ".join(optdigits("none").order),
    "ulas2008/figure-3.1": partial(_fastest, "none"),
    "ulas2008/figure-3.2": partial(_steps, "none"),
    "ulas2008/prior": lambda: {cost: " ".join(multi2test(cost, "2008").prior) for cost in ("train_time", "space")},
    "ulas2008/second-pass": lambda: second_pass("A B C", "C>A C>B"),
    "ulas2008/table-3.2": lambda: _ordered("train_time", "2008"),
    "ulas2008/table-3.3": lambda: second_pass("C A D B", "A>C A>D B>D"),
    "ulas2008/diverse": lambda: _diverse("2008"),
    "ulas2008/table-4.1": lambda: wins("averages", "drop")[0],
    "ulas2008/table-4.1-bold": lambda: wins("averages", "drop")[1],
    "ulas2008/table-4.3": lambda: wins("significant", "drop")[0],
    "ulas2008/table-4.3-bold": lambda: wins("significant", "drop")[1],
    "ulas2008/table-4.2a": accuracy_ranks,
    "ulas2008/table-4.2b": lambda: groups_of(accuracy_decisions("nemenyi")),
    "ulas2008/table-4.2c": lambda: accuracy_decisions("nemenyi"),
    "ulas2008/cd": lambda: {"CD": nemenyi_cd(n_algorithms=8, n_datasets=38)},
    "ulas2008/formula-2.1": _friedman,
    "ulas2008/sign-test": partial(_sign_test, "drop"),
    "ulas2008/section-4.5.1": partial(_differs, "ulas2008/section-4.5.1", "train_time"),
    "ulas2008/section-4.5.2": partial(_differs, "ulas2008/section-4.5.2", "space"),
    "ulas2008/a.1": _f_test,
    "ulas2008/tables-a.1-a.8": _fold_means,
    "ulas2008/iris-ionosphere": lambda: {name: _in_print(name) for name in ("iris", "ionosphere")},
    "ulas2008/table-a.9": partial(_average_costs, "train_time"),
    "ulas2008/table-a.10": partial(_average_costs, "space"),
    "ulas2008/table-a.11": _ranks_of_means,
    "ulas2008/table-a.12": partial(_places, "train_time"),
    "ulas2008/table-a.13": partial(_places, "space"),
}
for _row, _cost, _variant in (
    ("ulas2012/table-7", "train_time", "2012"),
    ("ulas2012/table-8", "space", "2012"),
    ("ulas2008/table-4.4", "train_time", "2008"),
    ("ulas2008/table-4.5", "space", "2008"),
):
    OURS[f"{_row}a"] = partial(_mean_places, _cost, _variant)
    OURS[f"{_row}b"] = partial(_place_groups, _cost, _variant)
    OURS[f"{_row}c"] = partial(_place_decisions, _cost, _variant)
    OURS[f"{_row}d"] = partial(_final, _cost, _variant)
