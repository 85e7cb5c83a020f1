"""The study of orders: how often is each order found, from equal errors to errors far apart?"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_alpha, check_choice, readonly
from tiebreak.errors import OptionError
from tiebreak.methods import choices, of_kind
from tiebreak.stats.numeric.differences import check_count
from tiebreak.studies._order_rows import Rules, orders_by_places, orders_by_scores, orders_on_folds
from tiebreak.studies._order_shares import FOLDS, NAMES, PLACES, SCORES, OrderCurve, OrderShares, counted, how_to_read
from tiebreak.wording import option

BLOCK = 100
"""Runs that share a stream of random numbers; a study of more runs begins with those of a shorter one."""
ONE, MANY = np.array([2.0, 0.0, -2.0]), np.array([3.0, 1.0, -1.0, -3.0])
"""How far the true errors of the algorithms move for a step of 1: on one data set, and on many."""
CENTRE, AROUND = 0.5, 0.05
FURTHEST = 0.15
"""Beyond it a true error would leave 0 .. 1."""

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
    largest: float = 0.1,
    n_examples: int = 100,
    n_datasets: int = 30,
    pairwise: str = "5x2cv-f",
    inner_adjust: str = "bergmann-hommel",
    posthoc: str = "bergmann-hommel",
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
    of `n_examples` draws of 0 and 1; there are five replications of two folds. l goes from 0 to `largest` in equal
    steps. All runs of a step are tested and ordered at once; each gets the order that `tiebreak.order` gives it.

    Assumptions: folds are independent of each other and between algorithms, which real folds are not.
    When not to use it: to learn how sure one order is (see `sure` of the result of `tiebreak.order`).

    Parameters
    ----------
    repeats : int, default 1000
        Runs at each step.
    steps : int, default 11
    largest : float, default 0.1
        The last l, at most 0.15.
    n_examples : int, default 100
        Examples in the test part of a fold.
    n_datasets : int, default 30
    pairwise : str, default "5x2cv-f"
        The test inside a data set: 5x2cv-f, 5x2cv-t, corrected-t, kfold-t, wilcoxon or sign.
    inner_adjust : str, default "bergmann-hommel"
        The correction inside a data set; "none" is that of the report of 2008.
    posthoc : str, default "bergmann-hommel"
        The correction over data sets, or "nemenyi" for places, as in 2008; scores are then corrected by
        "bergmann-hommel".
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
    >>> found = order_shares(repeats=50, steps=3)
    >>> found.curve("multitest").names[0], found.curve("multitest").names[-1]
    ('1-2-3', '3-2-1')
    >>> shares = found.curve("multitest").shares
    >>> bool(shares[0, 0] > 0.9), bool(shares[-1, -1] > 0.7)
    (True, True)
    """
    values = _steps(steps, largest)
    sizes = (check_count("n_examples", n_examples, usual=100), check_count("n_datasets", n_datasets, least=2, usual=30))
    check_count("repeats", repeats, usual=1000)
    threads = check_count("jobs", jobs, usual=2) if jobs is not None else os.cpu_count() or 1
    rules = _rules(pairwise, inner_adjust, posthoc, alpha)
    tasks = _tasks(len(values), int(repeats), np.random.default_rng(rng))
    found = _run(values, tasks, sizes, rules, threads, progress or (lambda _: None))
    curves = []
    for procedure, per_step in found.items():
        orders, counts = counted(per_step)
        sets = 1 if procedure == FOLDS else sizes[1]
        shape: dict[str, Any] = {"n_algorithms": len(orders[0]), "n_datasets": sets}
        curves.append(OrderCurve(procedure=procedure, orders=orders, counts=readonly(counts), **shape))
    return OrderShares(
        curves=tuple(curves),
        lambdas=tuple(values.tolist()),
        repeats=int(repeats),
        n_examples=sizes[0],
        pairwise=rules.pairwise,
        inner_adjust=rules.inner_adjust,
        posthoc=rules.posthoc,
        scores_posthoc=rules.scores_posthoc,
        alpha=rules.alpha,
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
    values: FloatArray, tasks: list[_Task], sizes: tuple[int, int], rules: Rules, jobs: int, say: Say
) -> dict[str, list[IntArray]]:
    """Return for each procedure the orders of all runs of each step, (runs, algorithms)."""

    def ordered(task: _Task) -> dict[str, IntArray]:
        errors = fold_errors(task.many, float(values[task.step]), task.size, task.stream, sizes)
        if task.many:
            return {PLACES: orders_by_places(errors, rules), SCORES: orders_by_scores(errors, rules)}
        return {FOLDS: orders_on_folds(errors[:, 0], rules)}

    found: dict[str, list[list[IntArray]]] = {name: [[] for _ in values] for name in NAMES}
    told = None
    with ThreadPoolExecutor(jobs) as pool:
        for task, part in zip(tasks, pool.map(ordered, tasks), strict=True):
            if told != (told := (task.many, task.step)):
                say(f"{NAMES[PLACES if task.many else FOLDS]}, l = {values[task.step]:g}")
            for name, orders in part.items():
                found[name][task.step].append(orders)
    return {name: [np.concatenate(parts) for parts in per_step] for name, per_step in found.items()}


def _tasks(steps: int, repeats: int, rng: np.random.Generator) -> list[_Task]:
    """Blocks bound the memory; streams are numbered by step and block, so that more runs change none of the first."""
    sizes = [min(BLOCK, repeats - start) for start in range(0, repeats, BLOCK)]
    return [
        _Task(many, step, size, stream)
        for many, root in zip((False, True), rng.spawn(2), strict=True)
        for step, own in enumerate(root.spawn(steps))
        for size, stream in zip(sizes, own.spawn(len(sizes)), strict=True)
    ]


def _steps(steps: int, largest: float) -> FloatArray:
    """Return the values of l."""
    check_count("steps", steps, least=2, usual=11)
    if not 0.0 < largest <= FURTHEST:
        raise OptionError(
            f"largest is {largest!r}.",
            why=f"It is the last l, above 0 and at most {FURTHEST}: beyond, an error of 0.55 + 3l would exceed 1.",
            mend=f"Use {option(largest=0.1)}.",
        )
    return np.linspace(0.0, float(largest), steps).round(12)  # 0.3 of 0.1 is then printed as 0.03


def _rules(pairwise: str, inner_adjust: str, posthoc: str, alpha: float) -> Rules:
    """Check the names of tests and corrections: they are those of an order."""
    tests = [m.name for m in of_kind("folds", verb="order") if m.takes == "fold scores" and m.functions]
    corrections = choices("correction", verb="order")
    single = check_choice("post hoc test", posthoc, choices("posthoc", "correction", verb="order"))
    return Rules(
        pairwise=check_choice("pairwise test", pairwise, tests),
        inner_adjust=check_choice("inner correction", inner_adjust, corrections),
        posthoc=single,
        scores_posthoc=single if single in corrections else "bergmann-hommel",
        alpha=check_alpha(alpha),
    )
