"""The study of advice: what following a recommendation costs on data sets left out, beside simpler ways to choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak import advisor
from tiebreak._checks import FloatArray, IntArray, check_choice, readonly
from tiebreak.advisor.judging import (
    Manner,
    Rounds,
    first_of,
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

PASSED_OVER = 0.02
"""The share of results that may be in some replications only. Where a first choice is passed over, the second takes its
place, and the second of a portfolio is not meant to stand alone."""


class OtherFolds:
    """Losses of orders where the best of all, and the best of the first N, are both found without the folds that count.

    The best of twenty by its own folds is partly lucky: nobody would have known that it is the best. Here one
    replication (one fold where there is but one replication) is kept for counting; what a choice by the others scores
    there is lost to what the best of all by the others scores there. Means over all replications.

    What was not measured in every replication is passed over, here as advice and as the best of all.

    Parameters
    ----------
    accuracy : FloatArray
        (data sets, algorithms, replications, folds).
    """

    def __init__(self, accuracy: FloatArray) -> None:
        parts = accuracy.mean(axis=3) if accuracy.shape[2] > 1 else accuracy[:, :, 0, :]
        self._there = np.asarray(np.isfinite(parts).all(axis=2))
        self._counted = np.moveaxis(np.where(self._there[:, :, None], parts, 0.0), 2, 0)
        others = (self._counted.sum(axis=0) - self._counted) / (parts.shape[2] - 1)
        self._known = np.where(self._there, np.round(others, 12), -np.inf)

    @classmethod
    def of(cls, known: advisor.Knowledge) -> OtherFolds | None:
        """Prepare a base; None where there is one fold only, or where too much would be passed over to be fair."""
        shape = known.accuracy.shape
        if shape[2] * shape[3] < 2:
            return None
        made = cls(known.accuracy)
        partly = np.isfinite(known.accuracy).any(axis=(2, 3)) & ~made._there
        return made if partly.mean() <= PASSED_OVER and made._there.sum(axis=1).min() > 1 else None

    def losses(self, orders: Sequence[IntArray], most: int) -> FloatArray:
        """Return (data sets, N) of orders, one for each round; the mean over the rounds."""
        return np.asarray(np.mean([self._lost(order, most) for order in orders], axis=0))

    def _lost(self, order: IntArray, most: int) -> FloatArray:
        there = np.take_along_axis(self._there, order, axis=1)
        order = np.take_along_axis(order, np.argsort(~there, axis=1, kind="stable"), axis=1)
        out = np.zeros((len(order), most))
        for known, counted in zip(self._known, self._counted, strict=True):
            seen = np.take_along_axis(known, order, axis=1)
            top = _at(counted, known.argmax(axis=1))
            for n in range(1, most + 1):
                out[:, n - 1] += top - _at(counted, _at(order, seen[:, :n].argmax(axis=1)))
        return np.asarray(out / len(self._known))

    def chance(self, most: int) -> FloatArray:
        """Return (data sets, N) of N algorithms drawn at random, exactly."""
        best_first = np.argsort(-self._known, axis=2, kind="stable")
        counted = np.take_along_axis(self._counted, best_first, axis=2)
        out = np.empty((counted.shape[1], most))
        for row, total in enumerate(self._there.sum(axis=1)):
            weights = np.array([first_of(total, min(n, total)) for n in range(1, most + 1)])
            out[row] = (counted[:, row, :1] - counted[:, row, :total] @ weights.T).mean(axis=0)
        return out


def _at(values: npt.NDArray[Any], places: IntArray) -> npt.NDArray[Any]:
    return np.asarray(np.take_along_axis(values, places[:, None], axis=1)[:, 0])


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
    elsewhere : FloatArray or None
        As `loss`, the best of all and the best of the first ones chosen by some folds and counted on the others (see
        `OtherFolds`); None where the base has gaps or a single fold.
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
    elsewhere: FloatArray | None = None
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
            if self.elsewhere is not None:
                columns[f"{name}: on other folds"] = [float(self.elsewhere[i, :, n].mean()) for i in order]
        return rows_of(**columns)

    def figure(self, kind: str | None = None, **options: Any) -> Figure:
        """Draw loss against the number of algorithms tried and against time."""
        check_choice("figure", kind or "top-n", ("top-n",))
        return self.curve.figure(**options)

    def document(self) -> Document:
        """Return the table of losses, and loss against time."""
        best = self.rows()[0]
        texts: tuple[str, ...] = (
            f"{self.knowledge}.",
            f"Least lost, over the first and the best of three: {best['way']}.",
            "p: Wilcoxon's signed ranks over origins, two-sided, not corrected for the number of ways.",
        )
        if self.elsewhere is not None:
            texts += ("On other folds: the best algorithm is also chosen on some folds and scored on the rest.",)
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
        elsewhere=None if ways.folds is None else readonly(np.array([ways.elsewhere[loss] for loss in ways.losses])),
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
        self.folds = OtherFolds.of(known)
        self.elsewhere: dict[str, FloatArray] = {}

    def add_method(self, name: str) -> None:
        """Add a method on all data and, where it can weigh, with neighbours chosen inside the loop."""
        plain = Recipe(method=name)
        recipes: tuple[Recipe, ...] = (plain,)
        if self.known.meta.measures:
            recipes = recipes_for(self.known, methods=[name])
        orders = orders_left_out(self.known, recipes, self.rounds, Manner(), self.success.shape[1])
        self._add(f"{name}, all data", orders[0])
        if len(recipes) > 1:
            worth = judge_recipes(self.known, recipes, seed=self.seed)
            self.losses[f"{name}, {CHOSEN}"] = worth.honest
            self._add_elsewhere(f"{name}, {CHOSEN}", *(orders[place] for place in worth.picked))
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
                again = places + places[-1:] * (self.count - len(places))
                self._add_elsewhere(label, [np.tile(again, (len(self.success), 1))])
        self.losses[RANDOM] = self.shares @ random_losses(self.success, None, 0.0, self.count)
        if self.folds is not None:
            self.elsewhere[RANDOM] = self.shares @ self.folds.chance(self.count)

    def _add(self, label: str, orders: Sequence[IntArray]) -> None:
        self.orders[label] = orders
        self.losses[label] = self.shares @ self._mean(orders, self.count)
        self._add_elsewhere(label, orders)

    def _add_elsewhere(self, label: str, *orders: Sequence[IntArray]) -> None:
        """Add losses on other folds: of the same orders for all origins, or of one for each."""
        if self.folds is not None:
            lost = {id(order): self.shares @ self.folds.losses(order, self.count) for order in orders}
            current = orders if len(orders) > 1 else orders * len(self.labels)
            self.elsewhere[label] = np.array([lost[id(item)][place] for place, item in enumerate(current)])

    def _mean(self, orders: Sequence[IntArray], count: int) -> FloatArray:
        return np.asarray(np.mean([losses_of(order, self.success, None, 0.0, count) for order in orders], axis=0))

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
