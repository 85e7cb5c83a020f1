"""Which orders MultiTest and Multi2Test find as true errors move apart."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import exp, lgamma, sqrt
from typing import Any, NamedTuple

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha, check_choice, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import Document, Framed, Row, Table
from tiebreak.ordering import multitest
from tiebreak.stats.many.rank_tests import rank_standard_error
from tiebreak.stats.numeric.basics import check_count, f_upper, normal_two_sided
from tiebreak.stats.numeric.studentized_range import range_upper
from tiebreak.stats.results import decided, pair_indices
from tiebreak.studies.error_rates import interval
from tiebreak.studies.procedures import corrected, pair_differences, signed_ranks
from tiebreak.studies.result import StudyResult

VARIANTS = {"2012": ("bergmann-hommel", "bergmann-hommel"), "2008": ("none", "nemenyi")}
"""The corrections inside a data set and over data sets, as in `tiebreak.order`; scores are corrected by the former."""
OVER_SCORES = "bergmann-hommel"


def orders_on_folds(errors: FloatArray, variant: str, alpha: float) -> IntArray:
    """MultiTest on the folds of every data set: (data sets, algorithms, 5, 2) in, orders from best to worst out."""
    result = stats.fold_pairs(errors.reshape(*errors.shape[:2], -1))
    significant = corrected(VARIANTS[variant][0], result.pvalue, alpha)
    return _ordered(significant, result.mean_difference, errors.shape[1])


def orders_by_places(errors: FloatArray, variant: str, alpha: float) -> IntArray:
    """Multi2Test in every table: (tables, data sets, algorithms, 5, 2) in, (tables, algorithms) out."""
    tables, n_datasets, count = errors.shape[:3]
    inside = orders_on_folds(errors.reshape(-1, *errors.shape[2:]), variant, alpha)
    places = np.empty_like(inside)
    np.put_along_axis(places, inside, np.broadcast_to(np.arange(1, count + 1), inside.shape), axis=1)
    means = places.reshape(tables, n_datasets, count).mean(axis=1)
    a, b = pair_indices(count)
    z = (means[:, a] - means[:, b]) / rank_standard_error(count, n_datasets)
    posthoc = VARIANTS[variant][1]
    if posthoc == "nemenyi":
        apart = range_upper(np.abs(z) * sqrt(2), count) <= alpha
    else:
        apart = corrected(posthoc, normal_two_sided(z), alpha)
    rejects = friedman_pvalues(means, n_datasets) <= alpha
    return _ordered(apart & rejects[:, None], z, count)


def orders_by_scores(errors: FloatArray, alpha: float) -> IntArray:
    """MultiTest on Wilcoxon's tests of the scores of the data sets; shapes as in `orders_by_places`."""
    means = errors.mean(axis=(3, 4))
    z, pvalue = signed_ranks(pair_differences(means))
    return _ordered(corrected(OVER_SCORES, pvalue, alpha), z, means.shape[2])


def friedman_pvalues(mean_ranks: FloatArray, n_datasets: int) -> FloatArray:
    """Iman and Davenport's p-value of each row of mean ranks without ties; exact under perfect agreement."""
    count = mean_ranks.shape[1]
    chi2 = 12 * n_datasets / (count * (count + 1)) * ((mean_ranks - (count + 1) / 2) ** 2).sum(axis=1)
    room = n_datasets * (count - 1) - chi2
    perfect = room < 1e-9 * chi2
    f = (n_datasets - 1) * chi2 / np.where(perfect, 1.0, room)  # Iman and Davenport 1980
    exact = exp(-(n_datasets - 1) * lgamma(count + 1))  # no table is less likely than perfect agreement
    return np.where(perfect, exact, np.maximum(f_upper(f, count - 1, (count - 1) * (n_datasets - 1)), exact))


def _ordered(significant: BoolArray, toward_b: FloatArray, count: int) -> IntArray:
    """Order every row by MultiTest; `toward_b` is positive where the second of a pair is better."""
    return multitest(decided(*pair_indices(count), significant, toward_b, count), np.arange(count))


FOLDS, PLACES, SCORES = "multitest", "places", "scores"
NAMES = {FOLDS: "MultiTest", PLACES: "Multi2Test, by places", SCORES: "MultiTest over data sets, by scores"}
"""The procedures, by the names that JSON has for them."""
OTHER = "other"
RARE = 0.05
"""Orders that never reach this share stand together under `OTHER` in tables and figures."""
MOST_NAMED = 8
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OrderCurve(Framed):
    """How often one procedure found each order at each step.

    `orders` are all that were found, the prior order first and the reversed one last, best algorithm first in each;
    `counts` is (steps, orders).
    """

    procedure: str
    n_algorithms: int
    n_datasets: int
    orders: tuple[tuple[int, ...], ...]
    counts: IntArray

    @property
    def name(self) -> str:
        """What the procedure is called."""
        return NAMES[self.procedure]

    @property
    def names(self) -> tuple[str, ...]:
        """The orders as they are printed: algorithms by their place in the prior order."""
        return tuple("-".join(str(index + 1) for index in order) for order in self.orders)

    @property
    def shares(self) -> FloatArray:
        """The share of runs that found each order, (steps, orders)."""
        return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True))

    def rows(self) -> list[Row]:
        """Return one row per step, numbered from 1, and order."""
        return [
            {"procedure": self.procedure, "step": step, "order": name, "count": count, "share": share}
            for step, (counts, shares) in enumerate(zip(self.counts.tolist(), self.shares.tolist(), strict=True), 1)
            for name, count, share in zip(self.names, counts, shares, strict=True)
        ]

    def shown(self) -> tuple[tuple[str, ...], FloatArray]:
        """Return names and shares, (steps, names), with rare orders under `OTHER`; prior and reversed always stay."""
        shares, peak = self.shares, self.shares.max(axis=0)
        last = len(self.orders) - 1
        often = sorted((i for i in range(1, last) if peak[i] >= RARE), key=lambda i: -peak[i])
        remaining = sorted(
            {0, *often[: MOST_NAMED - 2], last}, key=lambda i: (i == last, int(shares[:, i].argmax()), i)
        )
        rest = [i for i in range(len(self.orders)) if i not in remaining]
        columns = [shares[:, i] for i in remaining] + ([shares[:, rest].sum(axis=1)] if rest else [])
        return (*(self.names[i] for i in remaining), *((OTHER,) if rest else ())), np.stack(columns, axis=1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OrderShares(StudyResult):
    """What the study of orders found: for each procedure the share of every order over the steps."""

    STUDY = "orders"
    SETTINGS = ("repeats", "n_examples", "variant", "alpha", "lambdas")

    curves: tuple[OrderCurve, ...]
    lambdas: tuple[float, ...]
    repeats: int
    n_examples: int
    variant: str
    alpha: float

    def title(self) -> str:
        """Say in one line what was simulated."""
        return (
            f"Orders found as true errors move apart: l from {self.lambdas[0]:g} to {self.lambdas[-1]:g},"
            f" {self.repeats} runs at each of {len(self.lambdas)} steps, alpha {self.alpha:g}"
        )

    def curve(self, procedure: str) -> OrderCurve:
        """Return what one procedure found: "multitest", "places" or "scores"."""
        return next(curve for curve in self.curves if curve.procedure == procedure)

    def rows(self) -> list[Row]:
        """Return one row per procedure, step and order that was found; `low` and `high` bound the share."""
        rows: list[Row] = []
        for curve in self.curves:
            for step, value in enumerate(self.lambdas):
                for name, count in zip(curve.names, curve.counts[step].tolist(), strict=True):
                    low, high = interval(count, self.repeats, confidence=CONFIDENCE)
                    row = {"procedure": curve.procedure, "l": value, "order": name, "count": count}
                    rows.append(row | {"share": count / self.repeats, "low": low, "high": high})
        return rows

    def measured(self) -> dict[str, Any]:
        """Return the procedures, what is said of each, and every share."""
        return {
            "procedures": [
                {
                    "procedure": curve.procedure,
                    "n_algorithms": curve.n_algorithms,
                    "n_datasets": curve.n_datasets,
                    "prior": curve.names[0],
                    "reversed": curve.names[-1],
                    "orders": list(curve.names),
                }
                for curve in self.curves
            ],
            "said": self.beside(),
            "shares": self.rows(),
        }

    # ---- in words

    def beside(self) -> list[str]:
        """Say what the numbers of an order mean, and how the two ways over data sets compare."""
        places, scores = self.curve(PLACES), self.curve(SCORES)
        at = {curve.procedure: self._from(curve.shares[:, -1] >= 0.5) for curve in (places, scores)}
        return [
            "Algorithms are numbered by cost, 1 the cheapest. The costlier one, the smaller its true error: cost wants"
            " the prior order, 1-2-3, and errors the reversed one, 3-2-1.",
            f"Half of the runs or more find the reversed order {at[SCORES]} by scores, {at[PLACES]} by places.",
            "By places a difference counts only where single data sets show it; by scores small differences of many"
            " data sets add up.",
        ]

    def _from(self, holds: BoolArray) -> str:
        """Say from which step on something holds, up to the last one."""
        step = len(holds) - int(np.argmin([*holds[::-1], False]))
        if step == len(holds):
            return "at some steps but not at the last" if holds.any() else "at no step"
        return f"from l = {self.lambdas[step]:.3g} on"

    def document(self) -> Document:
        """Return what is seen, a table for each procedure, and how it was done."""
        parts = [self._part(curve) for curve in self.curves]
        how = Document(
            title="How it was done",
            tables=(),
            said=(str(self.caveats[0]),),
            caveats=self.caveats[1:],
            papers=("yildiz2006", "ulas2012"),
        )
        return Document(title=self.title(), tables=(), said=tuple(self.beside()), more=(*parts, how))

    def _part(self, curve: OrderCurve) -> Document:
        names, shares = curve.shown()
        body = tuple(
            (f"{value:.3g}", *(f"{share:.3f}" for share in row))
            for value, row in zip(self.lambdas, shares, strict=True)
        )
        table = Table(header=("l", *names), body=body, left=0)
        return Document(title=self.heading(curve), tables=(table,))

    def heading(self, curve: OrderCurve) -> str:
        """Name a procedure with what it was given and how it tests."""
        size = f"{curve.n_algorithms} algorithms on {_sets(curve.n_datasets)}"
        inner, posthoc = VARIANTS[self.variant]
        tests = {
            FOLDS: f"5x2cv-f, {inner}",
            PLACES: f"5x2cv-f, {inner}; over data sets Friedman, {posthoc}",
            SCORES: f"wilcoxon, {OVER_SCORES}",
        }[curve.procedure]
        return f"{curve.name}: {size} ({tests})"


def _sets(count: int) -> str:
    return "one data set" if count == 1 else f"{count} data sets"


def how_to_read(repeats: int, n_examples: int) -> Caveats:
    """Say what was simulated and how sure the shares are."""
    low, high = interval(repeats // 2, repeats, confidence=CONFIDENCE)
    text = (
        "True errors on one data set: 0.5 + 2l, 0.5, 0.5 - 2l; on several: a + 3l, a + l, a - l, a - 3l, with a uniform"
        f" in 0.45 .. 0.55 on each. The error of a fold is the mean of {n_examples} draws of 0 and 1, for 5 x 2 folds.",
        "All folds are independent here. Those of real data share training data, and hold the same examples for all"
        " algorithms: shares of real experiments differ.",
        f"A share of 0.5 in {repeats} runs may stand for {low:.3f} to {high:.3f} ({CONFIDENCE:.0%} interval); shares"
        " near 0 and 1 are known better.",
    )
    return tuple(Caveat("how-to-read", name) for name in text)


def counted(indices: Sequence[IntArray]) -> tuple[tuple[tuple[int, ...], ...], IntArray]:
    """Count orders: an array (runs, algorithms) per step in; the orders, and (steps, orders) out."""
    count = indices[0].shape[1]
    prior, reversed_ = tuple(range(count)), tuple(reversed(range(count)))
    every = {tuple(row) for step in indices for row in np.unique(step, axis=0).tolist()} - {prior, reversed_}
    orders = (prior, *sorted(every), reversed_)
    place = {order: i for i, order in enumerate(orders)}
    counts = np.zeros((len(indices), len(orders)), dtype=np.int64)
    for step, rows in enumerate(indices):
        for order, times in zip(*np.unique(rows, axis=0, return_counts=True), strict=True):
            counts[step, place[tuple(order.tolist())]] = times
    return orders, counts


BLOCK = 100
"""Runs that share a stream of random numbers; a study of more runs begins with those of a shorter one."""
ONE, MANY = np.array([2.0, 0.0, -2.0]), np.array([3.0, 1.0, -1.0, -3.0])
"""How far the true errors of the algorithms move for a step of 1: on one data set, and on many."""
CENTRE, AROUND = 0.5, 0.05
LARGEST = 0.1
"""The last l."""

Say = Callable[[str], object]


class _Task(NamedTuple):
    """One block of runs at one step, with a stream of its own: no result depends on who computes it, or when."""

    many: bool
    step: int
    size: int
    stream: np.random.Generator


def order_shares(
    *,
    repeats: int = 1000,
    steps: int = 11,
    n_examples: int = 100,
    n_datasets: int = 30,
    variant: str = "2012",
    alpha: float = 0.05,
    rng: int | np.random.Generator = 0,
    jobs: int | None = None,
    progress: Say | None = None,
) -> OrderShares:
    """Count how often each order is found while the true errors of the algorithms move apart.

    Hypothesis: none; it measures what `tiebreak.order` does where the truth is known.

    Formula: algorithms are numbered by cost, the cheapest first, and the cheapest has the largest error, so that the
    prior order is the reverse of the order by error. On one data set three algorithms have the errors 0.5 + 2l, 0.5 and
    0.5 - 2l, and MultiTest orders them; on many data sets four have a + 3l, a + l, a - l and a - 3l, with a uniform in
    0.45 .. 0.55 on each, and Multi2Test orders them by places, and MultiTest by scores. The error of a fold is the mean
    of `n_examples` draws of 0 and 1; there are five replications of two folds. l goes from 0 to 0.1 in equal
    steps. All runs of a step are tested and ordered at once; each gets the order that `tiebreak.order` gives it.

    Assumptions: folds are independent of each other and between algorithms, which real folds are not.
    When not to use it: to learn how sure one order is (see `sure` of the result of `tiebreak.order`).

    Parameters
    ----------
    repeats : int, default 1000
        Runs at each step.
    steps : int, default 11
    n_examples : int, default 100
        Examples in the test part of a fold.
    n_datasets : int, default 30
    variant : {"2012", "2008"}
        The corrections: Bergmann and Hommel's inside and over data sets; or none inside, and Nemenyi's test of places.
    alpha : float, default 0.05
    rng : int or numpy.random.Generator, default 0
    jobs : int, optional
        Threads; by default as many as there are cores. The result does not depend on it.
    progress : callable, optional
        Called with a line of text before each step.

    Returns
    -------
    OrderShares

    References
    ----------
    yildiz2006
    ulas2012

    Examples
    --------
    >>> result = order_shares(repeats=50, steps=3)
    >>> result.curve("multitest").names[0], result.curve("multitest").names[-1]
    ('1-2-3', '3-2-1')
    >>> shares = result.curve("multitest").shares
    >>> bool(shares[0, 0] > 0.9), bool(shares[-1, -1] > 0.7)
    (True, True)
    """
    check_count("steps", steps, least=2, usual=11)
    values = np.linspace(0.0, LARGEST, steps).round(12)  # 0.3 of 0.1 is then printed as 0.03
    sizes = (check_count("n_examples", n_examples, usual=100), check_count("n_datasets", n_datasets, least=2, usual=30))
    check_count("repeats", repeats, usual=1000)
    threads = check_count("jobs", jobs, usual=2) if jobs is not None else os.cpu_count() or 1
    level = check_alpha(alpha)
    check_choice("variant", variant, VARIANTS)
    tasks = _tasks(len(values), int(repeats), np.random.default_rng(rng))
    result = _run(values, tasks, sizes, (variant, level), threads, progress or (lambda _: None))
    curves = []
    for procedure, per_step in result.items():
        orders, counts = counted(per_step)
        sets = 1 if procedure == FOLDS else sizes[1]
        shape: dict[str, Any] = {"n_algorithms": len(orders[0]), "n_datasets": sets}
        curves.append(OrderCurve(procedure=procedure, orders=orders, counts=readonly(counts), **shape))
    return OrderShares(
        curves=tuple(curves),
        lambdas=tuple(values.tolist()),
        repeats=int(repeats),
        n_examples=sizes[0],
        variant=variant,
        alpha=level,
        caveats=how_to_read(int(repeats), sizes[0]),
    )


def fold_errors(many: bool, value: float, size: int, rng: np.random.Generator, sizes: tuple[int, int]) -> FloatArray:
    """Draw the errors of folds, (runs, data sets, algorithms, 5, 2); `sizes` are examples in a fold, and data sets.

    Examples
    --------
    >>> errors = fold_errors(True, 0.1, 200, np.random.default_rng(0), (100, 30))
    >>> errors.shape, errors.mean(axis=(0, 1, 3, 4)).round(1)
    ((200, 30, 4, 5, 2), array([0.8, 0.6, 0.4, 0.2]))
    """
    n_examples, n_datasets = sizes
    low, high = CENTRE - AROUND, CENTRE + AROUND
    centre = rng.uniform(low, high, (size, n_datasets, 1)) if many else np.full((size, 1, 1), CENTRE)
    true = np.clip(centre + value * (MANY if many else ONE), 0.0, 1.0)
    wrong = rng.binomial(n_examples, true[..., None, None], (*true.shape, 5, 2))
    return np.asarray(wrong / n_examples)


def _run(
    values: FloatArray, tasks: list[_Task], sizes: tuple[int, int], rule: tuple[str, float], jobs: int, say: Say
) -> dict[str, list[IntArray]]:
    """Return for each procedure the orders of all runs of each step, (runs, algorithms)."""

    def ordered(task: _Task) -> dict[str, IntArray]:
        errors = fold_errors(task.many, float(values[task.step]), task.size, task.stream, sizes)
        if task.many:
            return {PLACES: orders_by_places(errors, *rule), SCORES: orders_by_scores(errors, rule[1])}
        return {FOLDS: orders_on_folds(errors[:, 0], *rule)}

    result: dict[str, list[list[IntArray]]] = {name: [[] for _ in values] for name in NAMES}
    options = None
    with ThreadPoolExecutor(jobs) as pool:
        for task, part in zip(tasks, pool.map(ordered, tasks), strict=True):
            if options != (options := (task.many, task.step)):
                say(f"{NAMES[PLACES if task.many else FOLDS]}, l = {values[task.step]:g}")
            for name, orders in part.items():
                result[name][task.step].append(orders)
    return {name: [np.concatenate(parts) for parts in per_step] for name, per_step in result.items()}


def _tasks(steps: int, repeats: int, rng: np.random.Generator) -> list[_Task]:
    """Blocks bound the memory; streams are numbered by step and block, so that more runs change none of the first."""
    sizes = [min(BLOCK, repeats - start) for start in range(0, repeats, BLOCK)]
    return [
        _Task(many, step, size, stream)
        for many, root in zip((False, True), rng.spawn(2), strict=True)
        for step, current in enumerate(root.spawn(steps))
        for size, stream in zip(sizes, current.spawn(len(sizes)), strict=True)
    ]
