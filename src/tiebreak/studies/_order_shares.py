"""What the study of orders found, its tables, and what they show in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveat, Caveats, codes_of
from tiebreak.documents import Document, Framed, Row, Shown, Table, listed
from tiebreak.studies._rates import interval

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
class OrderShares(Shown):
    """What the study of orders found: for each procedure the share of every order over the steps."""

    curves: tuple[OrderCurve, ...]
    lambdas: tuple[float, ...]
    repeats: int
    n_examples: int
    pairwise: str
    inner_adjust: str
    posthoc: str
    scores_posthoc: str
    alpha: float
    caveats: Caveats = ()

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

    def to_dict(self) -> dict[str, object]:
        """Return plain data, as `tiebreak study orders --json` prints it."""
        names = ("repeats", "n_examples", "pairwise", "inner_adjust", "posthoc", "scores_posthoc", "alpha")
        return {
            "study": "orders",
            **{name: getattr(self, name) for name in names},
            "lambdas": list(self.lambdas),
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
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
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
