"""The study of advice: what following a recommendation costs on data sets left out, beside simpler ways to choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak import advisor
from tiebreak._checks import FloatArray, IntArray, check_choice
from tiebreak.advisor.judging import (
    Rounds,
    judge_recipes,
    losses_of,
    orders_by_mean,
    orders_left_out,
    random_losses,
)
from tiebreak.advisor.rankings import RANKING_METHODS
from tiebreak.advisor.rankings.portfolios import filled
from tiebreak.advisor.top_n import TopN
from tiebreak.advisor.worth import Recipe, recipes_for
from tiebreak.documents import Document, Row, as_came_in
from tiebreak.documents.parts import table_of
from tiebreak.documents.words import finite_rows
from tiebreak.errors import InputError, OptionError
from tiebreak.figures import Figure
from tiebreak.stats import wilcoxon
from tiebreak.stats.results import frozen, rows_of
from tiebreak.studies.pilot_study import PilotStudy, study_pilots
from tiebreak.studies.result import StudyResult
from tiebreak.wording import option

Say = Callable[[str], object]
FIRST = 3
RANDOM, BEST, CHOSEN = "random", "best on average", "chosen inside the loop"
PILOTED = {"classes": ("rf", "lightgbm", "logistic"), "number": ("rf", "lightgbm", "ridge")}
"""Fixed lists that are piloted too, to compare with."""
BESIDE = ("catboost", "boost")
"""Further algorithms that pilots are compared with."""
METHODS = ("portfolio", "arr", "srr", "mean-rank")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AdviceStudy(StudyResult):
    """Losses of the first and of the best of the first three, by ways to choose; arrays are (ways, origins, ...).

    Parameters
    ----------
    ways : tuple of str
    loss : FloatArray
        (ways, origins, 3): what the best of the first 1, 2, 3 loses.
    curve : TopN
        Loss and time of the first N for every N, of the ways that give a whole order.
    against : str
        The way that the tests compare with, beside chance.
    origins : tuple of str
    knowledge : str
        What was studied, in one line.
    pilots : PilotStudy or None
        Pilots replayed on stored folds; None where the base has too few.
    seed : int
    caveats : tuple of Caveat
    """

    STUDY = "advice"
    SETTINGS = ("knowledge",)

    ways: tuple[str, ...]
    loss: FloatArray
    curve: TopN
    against: str
    origins: tuple[str, ...]
    knowledge: str
    pilots: PilotStudy | None = None
    seed: int = 0

    def title(self) -> str:
        """Say in one line what was studied."""
        return (
            f"Advice on data left out: {len(self.ways)} ways to choose, {len(self.origins)} origins, a part of them"
            " left out at a time"
        )

    def rows(self) -> list[Row]:
        """Return one row per way, best first: mean losses with 95 % intervals, and how they compare."""
        drawn = np.random.default_rng(self.seed).integers(0, len(self.origins), (2000, len(self.origins)))
        place = {name: i for i, name in enumerate(self.ways)}
        order = sorted(range(len(self.ways)), key=lambda i: float(self.loss[i].mean()))
        columns: dict[str, list[Any]] = {"way": [self.ways[i] for i in order]}
        for n, name in ((0, "first"), (self.loss.shape[2] - 1, f"best of {self.loss.shape[2]}")):
            lost = [self.loss[i, :, n] for i in order]
            ends = [np.quantile(item[drawn].mean(axis=1), [0.025, 0.975]) for item in lost]
            columns[name] = [float(item.mean()) for item in lost]
            columns[f"{name} low"] = [float(low) for low, _ in ends]
            columns[f"{name} high"] = [float(high) for _, high in ends]
            columns[f"{name}: p against random"] = [_paired(item, self.loss[place[RANDOM], :, n]) for item in lost]
            if self.against in place:
                rival = self.loss[place[self.against], :, n]
                columns[f"{name}: p against {self.against}"] = [_paired(item, rival) for item in lost]
        return rows_of(**columns)

    def figure(self, kind: str | None = None, **options: Any) -> Figure:
        """Draw loss against the number of algorithms tried and against time."""
        check_choice("figure", kind or "top-n", ("top-n",))
        return self.curve.figure(**options)

    def document(self) -> Document:
        """Return the table of losses, and loss against time."""
        best = self.rows()[0]
        texts = (
            f"{self.knowledge}.",
            f"Least lost, over the first and the best of three: {best['way']}.",
            "p: Wilcoxon's signed ranks over origins, two-sided, not corrected for the number of ways.",
        )
        curve = [row for row in self.curve.rows() if row["n"] in (1, 2, 3, 5, 8, 13, 20)]
        return Document(
            title=self.title(),
            heading="What advice is worth",
            said=texts,
            answer=texts[1:2],
            decided=texts,
            tables=(
                table_of(self.rows(), "Losses on data left out", left=1),
                table_of(curve, "Loss against time", left=1),
                *([] if self.pilots is None else [self.pilots.printed_table("After a pilot, on folds it did not see")]),
            ),
            method=(texts[0],),
            papers=("nemhauser1978", "brazdil2003"),
            caveats=self.caveats,
        )

    def measured(self) -> dict[str, Any]:
        """Return the losses of every way, over time, and after pilots."""
        return {
            "ways": finite_rows(self.rows()),
            "curve": finite_rows(self.curve.rows()),
            "pilots": None if self.pilots is None else finite_rows(self.pilots.rows()),
        }


def _paired(losses: FloatArray, others: FloatArray) -> float | None:
    """Return the p-value of the signed ranks; none where nothing differs."""
    if np.allclose(losses, others):
        return None
    return float(wilcoxon(losses, others).pvalue)


@as_came_in
def study_advice(
    base: advisor.Knowledge | None = None,
    *,
    methods: Sequence[str] | None = None,
    always: str = "rf",
    fixed: Sequence[str] = ("rf", "boost", "svr"),
    seed: int = 0,
    progress: Say | None = None,
) -> AdviceStudy:
    """Leave origins out and count what following advice costs, beside one algorithm always, a fixed list, and chance.

    Hypothesis of the tests: a way loses as much as chance, or as `always`, on half of the origins (Wilcoxon's signed
    ranks of the losses over origins).

    Formula: the loss of the first N is the best success rate on a data set less the best of the first N there; means
    over the data sets of an origin, then over origins. A tenth of the origins is left out at a time, in five rounds.
    Every ranking method is tried on all data and with the number of neighbours, their weights and measures chosen
    inside the loop: for each origin by the losses on the others. The followed one is that of the portfolio.

    Assumptions: as in `tiebreak.advisor.judge_recipes`: of the first N the best is found.
    When not to use it: to compare losses between bases: the best of many algorithms is a higher mark.

    Parameters
    ----------
    base : Knowledge, optional
        By default what ships with the package.
    methods : sequence of str, optional
        Ranking methods; by default all but those that need what the base lacks.
    always : str, default "rf"
        One algorithm to compare with; left out where the base does not have it.
    fixed : sequence of str
        A fixed list to compare with; the same.
    seed : int, default 0
        Of the rounds and the intervals.
    progress : callable, optional

    Returns
    -------
    AdviceStudy

    References
    ----------
    nemhauser1978
    brazdil2003

    Examples
    --------
    >>> result = study_advice(methods=["portfolio"])
    >>> losses = {row["way"]: row["best of 3"] for row in result.rows()}
    >>> losses["portfolio, chosen inside the loop"] < losses["random"]
    True
    """
    known = advisor.shipped_knowledge() if base is None else base
    known = known.datasets_at(np.flatnonzero(known.measured(timed=False).sum(axis=1) > 1))
    if len(set(known.origins)) < 3:
        raise InputError(
            f"The known results are of {len(set(known.origins))} origin(s).",
            why="One is left out and the advice learned from at least two others.",
            mend="Add data sets.",
        )
    names = _methods(known, methods)
    ways = _Ways(known, Rounds.of(known.origins, seed), seed)
    for name in names:
        (progress or (lambda _: None))(name)
        ways.add_method(name)
    ways.add_simple(always, tuple(fixed))
    return AdviceStudy(
        ways=tuple(ways.losses),
        **frozen(loss=np.array(list(ways.losses.values()))),
        curve=ways.curve(),
        against=f"always {always}",
        pilots=study_pilots(known, always=(always, *BESIDE), fixed=PILOTED[known.kind], seed=seed),
        origins=ways.labels,
        knowledge=known.title(),
        seed=seed,
        caveats=known.caveats,
    )


def _methods(known: advisor.Knowledge, texts: Sequence[str] | None) -> tuple[str, ...]:
    """Return the methods that the base can serve; one that was named and cannot be served is refused."""
    names = METHODS if texts is None else tuple(texts)
    result = []
    for name in names:
        record = RANKING_METHODS[check_choice("ranking method", name, RANKING_METHODS)]
        served = known.time is not None or not record.needs_time
        if not served and texts is not None:
            raise OptionError(
                f"The ranking method {name!r} was asked for without times.",
                why="It weighs accuracy against time.",
                mend=f"Leave it out of {option('methods')}.",
            )
        if served:
            result.append(name)
    return tuple(result)


class _Ways:
    """Collects the losses by origin and the orders of every round, for each method of choosing."""

    def __init__(self, known: advisor.Knowledge, rounds: Rounds, seed: int) -> None:
        self.known, self.rounds, self.seed = known, rounds, seed
        self.success, self.seconds = known.means()
        self.there = np.isfinite(self.success)
        self.count = min(FIRST, self.success.shape[1])
        self.labels = tuple(dict.fromkeys(known.origins))
        at = np.array([self.labels.index(origin) for origin in known.origins])
        self.shares = (at[None, :] == np.arange(len(self.labels))[:, None]) / np.bincount(at)[:, None]
        self.losses: dict[str, FloatArray] = {}
        self.orders: dict[str, Sequence[IntArray]] = {}

    def add_method(self, name: str) -> None:
        """Add a method on all data and, where it can weigh, with neighbours chosen inside the loop."""
        plain = Recipe(method=name)
        recipes: tuple[Recipe, ...] = (plain,)
        if self.known.meta.measures:
            recipes = recipes_for(self.known, name)
        orders = orders_left_out(self.known, recipes, self.rounds, self.success.shape[1])
        self._add(f"{name}, all data", orders[0])
        if len(recipes) > 1:
            worth = judge_recipes(self.known, recipes, seed=self.seed)
            self.losses[f"{name}, {CHOSEN}"] = worth.honest
            self.orders[f"{name}, {worth.recipe.label.partition(' on ')[2]}"] = orders[worth.chosen]

    def add_simple(self, always: str, fixed: tuple[str, ...]) -> None:
        """Add the best on average, one algorithm always, a fixed list, and chance."""
        self._add(BEST, orders_by_mean(self.known, self.rounds))
        names = self.known.algorithms
        for label, chosen in ((f"always {always}", (always,)), (f"fixed {', '.join(fixed)}", fixed)):
            if set(chosen) <= set(names):
                places = [names.index(item) for item in chosen[: self.count]]
                best = np.maximum.accumulate(filled(self.success)[:, places], axis=1)  # gaps by the model of the table
                lost = np.nanmax(self.success, axis=1, keepdims=True) - best
                rest = np.repeat(lost[:, -1:], self.count - lost.shape[1], axis=1)
                self.losses[label] = self.shares @ np.concatenate([lost, rest], axis=1)
        self.losses[RANDOM] = self.shares @ random_losses(self.success, self.count)

    def _add(self, label: str, orders: Sequence[IntArray]) -> None:
        self.orders[label] = orders
        self.losses[label] = self.shares @ self._mean(orders, self.count)

    def _mean(self, orders: Sequence[IntArray], count: int) -> FloatArray:
        return np.asarray(np.mean([losses_of(order, self.success, count) for order in orders], axis=0))

    def curve(self) -> TopN:
        """Return loss and time of the first N of every whole order, over origins."""
        total = self.success.shape[1]
        times = np.ones_like(self.success) if self.seconds is None else filled(self.seconds, logarithm=True)
        spent = {
            name: np.mean([np.cumsum(np.take_along_axis(times, order, axis=1), axis=1) for order in orders], axis=0)
            for name, orders in self.orders.items()
        }
        loss = np.array([self.shares @ self._mean(orders, total) for orders in self.orders.values()])
        used = np.array([self.shares @ item for item in spent.values()])
        part = np.array([self.shares @ (item / item[:, -1:]) for item in spent.values()])
        names = tuple(self.orders)
        return TopN(methods=names, loss=loss, time=used, share=part, datasets=self.labels)
