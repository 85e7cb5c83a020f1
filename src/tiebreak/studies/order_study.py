"""Which orders MultiTest and Multi2Test find as true errors move apart."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import factorial, sqrt
from typing import Any, NamedTuple

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha, check_choice, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import Document, Framed, Row, Table, listed
from tiebreak.errors import OptionError
from tiebreak.methods import choices, find, of_kind
from tiebreak.ordering import multitest
from tiebreak.stats.folds.fold_tests import known_share
from tiebreak.stats.many.rank_tests import rank_standard_error
from tiebreak.stats.numeric.differences import check_count
from tiebreak.stats.numeric.studentized_range import range_upper
from tiebreak.stats.numeric.tails import f_upper, floor_pvalue, half_binomial_lower, normal_two_sided
from tiebreak.stats.results import pair_indices
from tiebreak.studies.error_rates import interval
from tiebreak.studies.procedures import corrected, pair_differences, signed_ranks
from tiebreak.studies.result import StudyResult
from tiebreak.wording import option


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
    significant = corrected(rules.inner_adjust, pvalue, rules.alpha)
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
        apart = corrected(rules.posthoc, normal_two_sided(z), rules.alpha)
    rejects = friedman_pvalues(sums, n_datasets) <= rules.alpha
    return _ordered(apart & rejects[:, None], z, count)


def orders_by_scores(errors: FloatArray, rules: Rules) -> IntArray:
    """MultiTest on Wilcoxon's tests of the scores of the data sets; shapes as in `orders_by_places`."""
    means = errors.mean(axis=(3, 4))
    z, pvalue = signed_ranks(pair_differences(means))
    return _ordered(corrected(rules.scores_posthoc, pvalue, rules.alpha), z, means.shape[2])


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
        tests = signed_ranks if pairwise == "wilcoxon" else _signs
        return *tests(pair_differences(flat.transpose(0, 2, 1))), means[:, a] - means[:, b]
    share = known_share(errors.shape[3], None) if "test_share" in find(pairwise, "folds").options else None
    found = stats.fold_pairs(flat, method=pairwise, test_share=share)
    return found.statistic, found.pvalue, found.mean_difference


def _signs(d: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return wins of the second less those of the first, and p of `tiebreak.stats.sign_pairs`."""
    first, second = np.count_nonzero(d < 0, axis=-1), np.count_nonzero(d > 0, axis=-1)
    half = (d.shape[-1] - first - second) // 2
    fewer = (np.minimum(first, second) + half).astype(np.float64)
    p = floor_pvalue(2.0 * half_binomial_lower(fewer, (first + second + 2 * half).astype(np.float64)))
    return (second - first).astype(np.float64), p


FOLDS, PLACES, SCORES = "multitest", "places", "scores"
NAMES = {FOLDS: "MultiTest", PLACES: "Multi2Test, by places", SCORES: "MultiTest over data sets, by scores"}
"""The procedures, by the names that JSON has for them."""
OTHER = "other"
RARE = 0.05
"""Orders that never reach this share stand together under `OTHER` in tables and figures."""
MOST_NAMED = 8
FALLEN = 0.75
"""An order has fallen again where its last share is at most so much of its largest one; less may be chance."""
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
        return tuple("-".join(str(each + 1) for each in order) for order in self.orders)

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
        kept = sorted({0, *often[: MOST_NAMED - 2], last}, key=lambda i: (i == last, int(shares[:, i].argmax()), i))
        rest = [i for i in range(len(self.orders)) if i not in kept]
        columns = [shares[:, i] for i in kept] + ([shares[:, rest].sum(axis=1)] if rest else [])
        return (*(self.names[i] for i in kept), *((OTHER,) if rest else ())), np.stack(columns, axis=1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OrderShares(StudyResult):
    """What the study of orders found: for each procedure the share of every order over the steps."""

    STUDY = "orders"
    SETTINGS = (
        "repeats", "n_examples", "pairwise", "inner_adjust", "posthoc", "scores_posthoc", "alpha", "lambdas",
    )  # fmt: skip

    curves: tuple[OrderCurve, ...]
    lambdas: tuple[float, ...]
    repeats: int
    n_examples: int
    pairwise: str
    inner_adjust: str
    posthoc: str
    scores_posthoc: str
    alpha: float

    def title(self) -> str:
        """Say in one line what was simulated."""
        return (
            f"Orders found as true errors move apart: l from {self.lambdas[0]:g} to {self.lambdas[-1]:g},"
            f" {self.repeats} runs at each of {len(self.lambdas)} steps, alpha {self.alpha:g}"
        )

    def curve(self, procedure: str) -> OrderCurve:
        """Return what one procedure found: "multitest", "places" or "scores"."""
        return next(each for each in self.curves if each.procedure == procedure)

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
                    "procedure": each.procedure,
                    "n_algorithms": each.n_algorithms,
                    "n_datasets": each.n_datasets,
                    "prior": each.names[0],
                    "reversed": each.names[-1],
                    "orders": list(each.names),
                    "said": self.said(each),
                }
                for each in self.curves
            ],
            "said": self.beside(),
            "shares": self.rows(),
        }

    # ---- in words

    def said(self, curve: OrderCurve) -> list[str]:
        """Say what one procedure does as errors move apart."""
        shares, names = curve.shares, curve.names
        prior, reversed_, most = _percent(shares[0, 0]), _percent(shares[-1, -1]), shares.max(axis=0)
        fallen = [i for i in range(1, len(names) - 1) if most[i] >= RARE and shares[-1, i] <= FALLEN * most[i]]
        said = [
            f"{curve.name}: with equal errors the prior order, {names[0]}, comes out in {prior} of the runs.",
            f"At l = {self.lambdas[-1]:g} the reversed one, {names[-1]}, comes out in {reversed_}.",
        ]
        if fallen:
            rise = listed(
                f"{names[i]} up to {_percent(most[i])} (l = {self.lambdas[int(shares[:, i].argmax())]:.3g})"
                for i in sorted(fallen, key=lambda i: -most[i])[:3]
            )
            said.append(f"Between them others rise and fall: {rise}.")
        leads = self._from(shares.argmax(axis=1) == len(names) - 1)
        return [*said, f"The reversed order is the most frequent one {leads}."]

    def beside(self) -> list[str]:
        """Say what the numbers of an order mean, and how the two ways over data sets compare."""
        places, scores = self.curve(PLACES), self.curve(SCORES)
        at = {each.procedure: self._from(each.shares[:, -1] >= 0.5) for each in (places, scores)}
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
        """Return what is seen, a table for each procedure with its own sentences, and how it was done."""
        parts = [self._part(each) for each in self.curves]
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
        return Document(title=self.heading(curve), tables=(table,), said=tuple(self.said(curve)))

    def heading(self, curve: OrderCurve) -> str:
        """Name a procedure with what it was given and how it tests."""
        size = f"{curve.n_algorithms} algorithms on {_sets(curve.n_datasets)}"
        tests = {
            FOLDS: f"{self.pairwise}, {self.inner_adjust}",
            PLACES: f"{self.pairwise}, {self.inner_adjust}; over data sets Friedman, {self.posthoc}",
            SCORES: f"wilcoxon, {self.scores_posthoc}",
        }[curve.procedure]
        return f"{curve.name}: {size} ({tests})"


def _percent(share: float) -> str:
    """Write a share as the tables do, rounded once: 0.9825 is 0.983 there, and would be 98.2% here."""
    return f"{float(f'{share:.3f}'):.1%}"


def _sets(count: int) -> str:
    return "one data set" if count == 1 else f"{count} data sets"


def how_to_read(repeats: int, n_examples: int) -> Caveats:
    """Say what was simulated and how sure the shares are."""
    low, high = interval(repeats // 2, repeats, confidence=CONFIDENCE)
    said = (
        "True errors on one data set: 0.5 + 2l, 0.5, 0.5 - 2l; on several: a + 3l, a + l, a - l, a - 3l, with a uniform"
        f" in 0.45 .. 0.55 on each. The error of a fold is the mean of {n_examples} draws of 0 and 1, for 5 x 2 folds.",
        "All folds are independent here. Those of real data share training data, and hold the same examples for all"
        " algorithms: shares of real experiments differ.",
        f"A share of 0.5 in {repeats} runs may stand for {low:.3f} to {high:.3f} ({CONFIDENCE:.0%} interval); shares"
        " near 0 and 1 are known better.",
    )
    return tuple(Caveat("how-to-read", each) for each in said)


def counted(found: Sequence[IntArray]) -> tuple[tuple[tuple[int, ...], ...], IntArray]:
    """Count orders: an array (runs, algorithms) per step in; the orders, and (steps, orders) out."""
    count = found[0].shape[1]
    prior, reversed_ = tuple(range(count)), tuple(reversed(range(count)))
    every = {tuple(row) for step in found for row in np.unique(step, axis=0).tolist()} - {prior, reversed_}
    orders = (prior, *sorted(every), reversed_)
    place = {order: i for i, order in enumerate(orders)}
    counts = np.zeros((len(found), len(orders)), dtype=np.int64)
    for step, rows in enumerate(found):
        for order, times in zip(*np.unique(rows, axis=0, return_counts=True), strict=True):
            counts[step, place[tuple(order.tolist())]] = times
    return orders, counts


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
