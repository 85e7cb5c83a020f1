"""Which orders MultiTest and Multi2Test find as true errors move apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import Framed, Row, Table
from tiebreak.ordering import multitest
from tiebreak.stats.numeric.basics import check_count, normal_two_sided
from tiebreak.stats.numeric.studentized_range import range_upper
from tiebreak.stats.results import decided, pair_indices
from tiebreak.studies.error_rates import interval
from tiebreak.studies.procedures import corrected, friedman_pvalues, pair_differences, rank_z, signed_ranks
from tiebreak.studies.result import StudyResult

ALPHA = 0.05
VARIANTS = {"2012": ("bergmann-hommel", "bergmann-hommel"), "2008": ("none", "nemenyi")}
"""The corrections inside a data set and over data sets, as in `tiebreak.order`; scores are corrected by the former."""
OVER_SCORES = "bergmann-hommel"


def orders_on_folds(errors: FloatArray, variant: str) -> IntArray:
    """MultiTest on the folds of every data set: (data sets, algorithms, 5, 2) in, orders from best to worst out."""
    result = stats.fold_pairs(errors.reshape(*errors.shape[:2], -1))
    significant = corrected(VARIANTS[variant][0], result.pvalue, ALPHA)
    return _ordered(significant, result.mean_difference, errors.shape[1])


def orders_by_places(errors: FloatArray, variant: str) -> IntArray:
    """Multi2Test in every table: (tables, data sets, algorithms, 5, 2) in, (tables, algorithms) out."""
    count = errors.shape[2]
    inside = orders_on_folds(errors.reshape(-1, *errors.shape[2:]), variant)
    places: FloatArray = (1.0 + np.argsort(inside, axis=1)).reshape(errors.shape[:3]).astype(np.float64)
    z, posthoc = rank_z(places, tie_correction=False), VARIANTS[variant][1]
    if posthoc == "nemenyi":
        apart = range_upper(np.abs(z) * sqrt(2), count) <= ALPHA
    else:
        apart = corrected(posthoc, normal_two_sided(z), ALPHA)
    rejects = friedman_pvalues(places)["friedman F"] <= ALPHA
    return _ordered(apart & rejects[:, None], z, count)


def orders_by_scores(errors: FloatArray) -> IntArray:
    """MultiTest on Wilcoxon's tests of the scores of the data sets; shapes as in `orders_by_places`."""
    means = errors.mean(axis=(3, 4))
    z, pvalue = signed_ranks(pair_differences(means))
    return _ordered(corrected(OVER_SCORES, pvalue, ALPHA), z, means.shape[2])


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
    SETTINGS = ("repeats", "variant", "lambdas")
    PAPERS = ("yildiz2006", "ulas2012")

    curves: tuple[OrderCurve, ...]
    lambdas: tuple[float, ...]
    repeats: int
    variant: str

    def title(self) -> str:
        """Say in one line what was simulated."""
        return (
            f"Orders found as true errors move apart: l from {self.lambdas[0]:g} to {self.lambdas[-1]:g},"
            f" {self.repeats} runs at each of {len(self.lambdas)} steps, alpha {ALPHA:g}"
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
            "n_examples": EXAMPLES,
            "alpha": ALPHA,
            "procedures": [
                {
                    "procedure": curve.procedure,
                    "n_algorithms": len(curve.orders[0]),
                    "n_datasets": curve.n_datasets,
                    "prior": curve.names[0],
                    "reversed": curve.names[-1],
                    "orders": list(curve.names),
                }
                for curve in self.curves
            ],
            "said": self.conclusions(),
            "shares": self.rows(),
        }

    def conclusions(self) -> list[str]:
        """Say what the numbers of an order mean, and how the two ways over data sets compare."""
        places, scores = self.curve(PLACES), self.curve(SCORES)
        at = {curve.procedure: self._from(curve.shares[:, -1] >= 0.5) for curve in (places, scores)}
        return [
            "Algorithms are numbered by cost, 1 the cheapest. Costlier algorithms have smaller true errors: cost"
            " favours the prior order, 1-2-3, and errors the reversed one, 3-2-1.",
            f"At least half of the runs find the reversed order {at[SCORES]} by scores, {at[PLACES]} by places.",
            "By places a difference counts only where single data sets show it; by scores small differences of many"
            " data sets add up.",
        ]

    def _from(self, holds: BoolArray) -> str:
        """Say from which step on something holds, up to the last one."""
        step = len(holds) - int(np.argmin([*holds[::-1], False]))
        if step == len(holds):
            return "at some steps but not at the last" if holds.any() else "at no step"
        return f"from l = {self.lambdas[step]:.3g} on"

    def tables(self) -> Iterator[Table]:
        """Return the shares of every order, a table for each procedure under its tests."""
        inner, posthoc = VARIANTS[self.variant]
        tests = {
            FOLDS: f"5x2cv-f, {inner}",
            PLACES: f"5x2cv-f, {inner}; over data sets Friedman, {posthoc}",
            SCORES: f"wilcoxon, {OVER_SCORES}",
        }
        for curve in self.curves:
            names, shares = curve.shown()
            body = tuple(
                (f"{value:.3g}", *(f"{share:.3f}" for share in row))
                for value, row in zip(self.lambdas, shares, strict=True)
            )
            sets = "one data set" if curve.n_datasets == 1 else f"{curve.n_datasets} data sets"
            size = f"{len(curve.orders[0])} algorithms on {sets}"
            caption = f"{curve.name}: {size} ({tests[curve.procedure]})"
            yield Table(caption=caption, header=("l", *names), body=body, left=0)


def how_to_read(repeats: int) -> Caveats:
    """Say what was simulated and how sure the shares are."""
    low, high = interval(repeats // 2, repeats, confidence=CONFIDENCE)
    text = (
        "True errors on one data set: 0.5 + 2l, 0.5, 0.5 - 2l; on several: a + 3l, a + l, a - l, a - 3l, with a uniform"
        f" in 0.45 .. 0.55 on each. The error of a fold is the mean of {EXAMPLES} draws of 0 and 1, for 5 x 2 folds.",
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
EXAMPLES = 100
"""Draws of 0 and 1 in a fold."""

Say = Callable[[str], object]


def order_shares(
    *,
    repeats: int = 1000,
    steps: int = 11,
    n_datasets: int = 30,
    variant: str = "2012",
    rng: int | np.random.Generator = 0,
    progress: Say | None = None,
) -> OrderShares:
    """Count how often each order is found while the true errors of the algorithms move apart.

    Hypothesis: none; it measures what `tiebreak.order` does where the truth is known.

    Formula: algorithms are numbered by cost, the cheapest first, and the cheapest has the largest error, so that the
    prior order is the reverse of the order by error. On one data set three algorithms have the errors 0.5 + 2l, 0.5 and
    0.5 - 2l, and MultiTest orders them; on many data sets four have a + 3l, a + l, a - l and a - 3l, with a uniform in
    0.45 .. 0.55 on each, and Multi2Test orders them by places, and MultiTest by scores. The error of a fold is the mean
    of 100 draws of 0 and 1; there are five replications of two folds. l goes from 0 to 0.1 in equal
    steps. All runs of a step are tested and ordered at once; each gets the order that `tiebreak.order` gives it.

    Assumptions: folds are independent of each other and between algorithms, which real folds are not.
    When not to use it: to learn how sure one order is (see `sure` of the result of `tiebreak.order`).

    Parameters
    ----------
    repeats : int, default 1000
        Runs at each step.
    steps : int, default 11
    n_datasets : int, default 30
    variant : {"2012", "2008"}
        The corrections: Bergmann and Hommel's inside and over data sets; or none inside, and Nemenyi's test of places.
    rng : int or numpy.random.Generator, default 0
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
    check_count("repeats", repeats, usual=1000)
    check_count("n_datasets", n_datasets, least=2, usual=30)
    check_choice("variant", variant, VARIANTS)
    values = np.linspace(0.0, LARGEST, steps).round(12)  # 0.3 of 0.1 is then printed as 0.03
    results: dict[str, list[IntArray]] = {name: [] for name in NAMES}
    for many, root in zip((False, True), np.random.default_rng(rng).spawn(2), strict=True):
        for value, stream in zip(values.tolist(), root.spawn(steps), strict=True):
            (progress or (lambda _: None))(f"{NAMES[PLACES if many else FOLDS]}, l = {value:g}")
            sizes = [min(BLOCK, repeats - start) for start in range(0, repeats, BLOCK)]
            streams = zip(sizes, stream.spawn(len(sizes)), strict=True)  # blocks bound the memory
            blocks = [fold_errors(value, size, current, n_datasets if many else None) for size, current in streams]
            if many:
                results[PLACES].append(np.concatenate([orders_by_places(errors, variant) for errors in blocks]))
                results[SCORES].append(np.concatenate([orders_by_scores(errors) for errors in blocks]))
            else:
                results[FOLDS].append(np.concatenate([orders_on_folds(errors[:, 0], variant) for errors in blocks]))
    curves = []
    for procedure, per_step in results.items():
        orders, counts = counted(per_step)
        sets = 1 if procedure == FOLDS else int(n_datasets)
        curves.append(OrderCurve(procedure=procedure, orders=orders, counts=readonly(counts), n_datasets=sets))
    return OrderShares(
        curves=tuple(curves),
        lambdas=tuple(values.tolist()),
        repeats=int(repeats),
        variant=variant,
        caveats=how_to_read(int(repeats)),
    )


def fold_errors(
    value: float, size: int, rng: np.random.Generator, n_datasets: int | None = None, *, n_examples: int = EXAMPLES
) -> FloatArray:
    """Draw the errors of folds, (runs, data sets, algorithms, 5, 2); of three algorithms on one data set by default.

    Examples
    --------
    >>> errors = fold_errors(0.1, 200, np.random.default_rng(0), 30)
    >>> errors.shape, errors.mean(axis=(0, 1, 3, 4)).round(1)
    ((200, 30, 4, 5, 2), array([0.8, 0.6, 0.4, 0.2]))
    """
    if n_datasets is None:
        centre, apart = np.full((size, 1, 1), CENTRE), ONE
    else:
        centre, apart = rng.uniform(CENTRE - AROUND, CENTRE + AROUND, (size, n_datasets, 1)), MANY
    true = np.clip(centre + value * apart, 0.0, 1.0)
    return np.asarray(rng.binomial(n_examples, true[..., None, None], (*true.shape, 5, 2)) / n_examples)
