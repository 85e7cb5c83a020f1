"""The study of advice: what following a recommendation costs on data sets left out, beside simpler ways to choose.

Pilots, a few fits on the new data, are replayed on stored folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from tiebreak.advisor.pilot.race import FOLDS, Race, distance_weights, fit_noise, greedy_list, prior_from, replay
from tiebreak.advisor.rankings.portfolios import filled
from tiebreak.advisor.times import fit_times
from tiebreak.advisor.top_n import TopN
from tiebreak.advisor.worth import Recipe, recipes_for
from tiebreak.attributes.catalogue import default_measures
from tiebreak.documents import Framed, Row, Table, as_came_in
from tiebreak.documents.parts import table_of
from tiebreak.documents.words import finite_rows
from tiebreak.errors import InputError
from tiebreak.figures import Figure
from tiebreak.stats import wilcoxon
from tiebreak.stats.results import frozen, rows_of
from tiebreak.studies.advisor_evaluation import Say, served
from tiebreak.studies.result import StudyResult

FIRST = 3
RANDOM, BEST, CHOSEN = "random", "best on average", "chosen inside the loop"
METHODS = ("portfolio", "arr", "srr", "mean-rank")
ALWAYS, FIXED = "rf", ("rf", "boost", "svr")
"""One algorithm and one list that need no advice, to compare with where the base has them."""
PILOTED = {"classes": ("rf", "lightgbm", "logistic"), "number": ("rf", "lightgbm", "ridge")}
"""Fixed lists that are piloted too, by what is predicted."""
BESIDE = (ALWAYS, "catboost", "boost")
"""Algorithms that pilots are compared with."""
SECONDS, FITS = (0.0, 1.0, 2.0, 5.0), (0.0, 1.0, 3.0, 8.0)
"""Budgets of a pilot: seconds, or fits where times are unknown or so long that no fit ends within seconds."""
LONG = 30.0
"""From such a median time of a fit on, budgets are counted in fits."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PilotLosses(Framed):
    """Losses after pilots of several lengths, beside simpler ways.

    `loss` is (ways, origins): the score of the best algorithm less that of the answer, both on folds that no pilot saw.
    `stated` is the mean of the stated expected losses of every way, `held` the share of data sets whose loss is at most
    the stated 90 % point; NaN for what is no pilot. Intervals compare with the ways of `against`.
    """

    ways: tuple[str, ...]
    loss: FloatArray
    stated: FloatArray
    held: FloatArray
    against: tuple[str, ...]
    seed: int

    def rows(self) -> list[Row]:
        """Return one row per way: the mean loss, paired differences with 95 % intervals, the stated loss."""
        count = self.loss.shape[1]
        drawn = np.random.default_rng(self.seed).integers(0, count, (4000, count))
        columns: dict[str, list[Any]] = {"way": list(self.ways), "loss": self.loss.mean(axis=1).tolist()}
        for rival in self.against:
            apart = self.loss - self.loss[self.ways.index(rival)]
            ends = np.quantile(apart[:, drawn].mean(axis=2), [0.025, 0.975], axis=1).T
            columns[f"minus {rival}"] = [
                None if way == rival else f"{mean:.4f} [{low:.4f}, {high:.4f}]"
                for way, mean, (low, high) in zip(self.ways, apart.mean(axis=1), ends, strict=True)
            ]
        for name, values in (("stated", self.stated), ("90% point held", self.held)):
            columns[name] = [None if np.isnan(value) else value for value in values.tolist()]
        return rows_of(**columns)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AdviceStudy(StudyResult):
    """Losses of the first and of the best of the first three, by ways to choose.

    `loss` is (ways, origins, 3): what the best of the first 1, 2, 3 loses. `curve` has loss and time of the first N for
    every N, of the ways that give a whole order; `knowledge` says in one line what was studied. `pilots` is None where
    the base has too few folds.
    """

    STUDY = "advice"
    SETTINGS = ("knowledge",)
    PAPERS = ("nemhauser1978", "brazdil2003")

    ways: tuple[str, ...]
    loss: FloatArray
    curve: TopN
    knowledge: str
    pilots: PilotLosses | None
    seed: int

    def title(self) -> str:
        """Say in one line what was studied."""
        return (
            f"Advice on data left out: {len(self.ways)} ways to choose, {self.loss.shape[1]} origins, a part of them"
            " left out at a time"
        )

    def rows(self) -> list[Row]:
        """Return one row per way, best first: mean losses with 95 % intervals, and how they compare."""
        count = self.loss.shape[1]
        drawn = np.random.default_rng(self.seed).integers(0, count, (2000, count))
        order = sorted(range(len(self.ways)), key=lambda i: float(self.loss[i].mean()))
        rivals = [way for way in (RANDOM, f"always {ALWAYS}") if way in self.ways]
        columns: dict[str, list[Any]] = {"way": [self.ways[i] for i in order]}
        for n, name in ((0, "first"), (self.loss.shape[2] - 1, f"best of {self.loss.shape[2]}")):
            lost = [self.loss[i, :, n] for i in order]
            ends = [np.quantile(item[drawn].mean(axis=1), [0.025, 0.975]) for item in lost]
            columns[name] = [float(item.mean()) for item in lost]
            columns[f"{name} low"] = [float(low) for low, _ in ends]
            columns[f"{name} high"] = [float(high) for _, high in ends]
            for way in rivals:
                rival = self.loss[self.ways.index(way), :, n]
                columns[f"{name}: p against {way}"] = [_paired(item, rival) for item in lost]
        return rows_of(**columns)

    def figure(self, kind: str | None = None, **options: Any) -> Figure:
        """Draw loss against the number of algorithms tried and against time."""
        check_choice("figure", kind or "top-n", ("top-n",))
        return self.curve.figure(**options)

    def conclusions(self) -> list[str]:
        """Say what was studied, and which way loses least."""
        return [
            f"{self.knowledge}.",
            f"Least lost, over the first and the best of three: {self.rows()[0]['way']}.",
            "p: Wilcoxon's signed ranks over origins, two-sided, not corrected for the number of ways.",
        ]

    def tables(self) -> Iterator[Table]:
        """Return the losses, loss against time, and losses after pilots."""
        yield table_of(self.rows(), "Losses on data left out", left=1)
        curve = [row for row in self.curve.rows() if row["n"] in (1, 2, 3, 5, 8, 13, 20)]
        yield table_of(curve, "Loss against time", left=1)
        if self.pilots is not None:
            yield table_of(self.pilots.rows(), "After a pilot, on folds it did not see")

    def measured(self) -> dict[str, Any]:
        """Return the losses of every way, over time, and after pilots."""
        return {
            "ways": finite_rows(self.rows()),
            "curve": finite_rows(self.curve.rows()),
            "pilots": None if self.pilots is None else finite_rows(self.pilots.rows()),
        }


def _paired(losses: FloatArray, others: FloatArray) -> float | None:
    """Return the p-value of the signed ranks; none where nothing differs."""
    return None if np.allclose(losses, others) else float(wilcoxon(losses, others).pvalue)


@as_came_in
def study_advice(
    base: advisor.Knowledge | None = None,
    *,
    methods: Sequence[str] | None = None,
    seed: int = 0,
    progress: Say | None = None,
) -> AdviceStudy:
    """Leave origins out and count what following advice costs, beside one algorithm always, a fixed list, and chance.

    Hypothesis of the tests: a way loses as much as chance, or as always rf, on half of the origins (Wilcoxon's signed
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
            f"The known results come from {len(set(known.origins))} origin(s).",
            why="One is left out and the advice learned from at least two others.",
            mend="Add data sets.",
        )
    ways = _Ways(known, Rounds.of(known.origins, seed), seed)
    for name in served(methods, timed=known.time is not None, usual=METHODS):
        (progress or (lambda _: None))(name)
        ways.add_method(name)
    ways.add_simple()
    return AdviceStudy(
        ways=tuple(ways.losses),
        **frozen(loss=np.array(list(ways.losses.values()))),
        curve=ways.curve(),
        pilots=study_pilots(known, seed=seed),
        knowledge=known.title(),
        seed=seed,
        caveats=known.caveats,
    )


class _Ways:
    """Collects the losses by origin and the orders of every round, for each method of choosing."""

    def __init__(self, known: advisor.Knowledge, rounds: Rounds, seed: int) -> None:
        self.known, self.rounds, self.seed = known, rounds, seed
        self.success, self.seconds = known.means()
        self.count = min(FIRST, self.success.shape[1])
        self.labels = tuple(dict.fromkeys(known.origins))
        at = np.array([self.labels.index(origin) for origin in known.origins])
        self.shares = (at[None, :] == np.arange(len(self.labels))[:, None]) / np.bincount(at)[:, None]
        self.losses: dict[str, FloatArray] = {}
        self.orders: dict[str, Sequence[IntArray]] = {}

    def add_method(self, name: str) -> None:
        """Add a method on all data and, where it can weigh, with neighbours chosen inside the loop."""
        recipes = recipes_for(self.known, name) if self.known.meta.measures else (Recipe(method=name),)
        orders = orders_left_out(self.known, recipes, self.rounds, self.success.shape[1])
        self._add(f"{name}, all data", orders[0])
        if len(recipes) > 1:
            worth = judge_recipes(self.known, recipes, seed=self.seed)
            self.losses[f"{name}, {CHOSEN}"] = worth.honest
            self.orders[f"{name}, {worth.recipe.label.partition(' on ')[2]}"] = orders[worth.chosen]

    def add_simple(self) -> None:
        """Add the best on average, one algorithm always, a fixed list, and chance."""
        self._add(BEST, orders_by_mean(self.known, self.rounds))
        names = self.known.algorithms
        for label, chosen in ((f"always {ALWAYS}", (ALWAYS,)), (f"fixed {', '.join(FIXED)}", FIXED)):
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


def study_pilots(known: advisor.Knowledge, *, seed: int = 0) -> PilotLosses | None:
    """Replay pilots on every data set with all of its origin left out; None where the base has too few folds.

    Half of the folds that a data set has are piloted, five at most, and the answer is counted on the other half; then
    the halves change places. Times to choose by are predicted from the other data sets, times that are spent are those
    of the folds.

    Examples
    --------
    >>> result = study_pilots(advisor.shipped_knowledge("number"))
    >>> lost = dict(zip(result.ways, result.loss.mean(axis=1)))
    >>> bool(lost["pilot 5 s"] < lost["always rf"])
    True
    """
    folds = known.accuracy.reshape(*known.accuracy.shape[:2], -1)
    if folds.shape[2] < 4:
        return None
    counted = known.time is None or float(np.nanmedian(known.time)) > LONG
    seconds = np.ones_like(folds) if counted or known.time is None else known.time.reshape(folds.shape)
    places = np.flatnonzero(np.isfinite(folds).any(axis=1).sum(axis=1) > 1)
    replayed = [_replayed(known, place, folds, seconds, counted=counted) for place in places.tolist()]
    ways = tuple(replayed[0])
    table = np.array([[np.mean(item[way], axis=0) for way in ways] for item in replayed])  # loss, stated, 90 % point
    origins = np.array(known.origins)[places]
    loss = np.array([table[origins == label, :, 0].mean(axis=0) for label in dict.fromkeys(origins.tolist())]).T
    stated = table[..., 1].mean(axis=0)
    held = np.where(np.isnan(stated), np.nan, (table[..., 0] <= table[..., 2] + 1e-9).mean(axis=0))
    against = tuple(way for way in ways if way.startswith("always"))
    against += tuple(way for way in ways if way.startswith("fixed"))[-1:]
    return PilotLosses(ways=ways, **frozen(loss=loss, stated=stated, held=held), against=against, seed=seed)


Judged = tuple[float, float, float]
"""A loss, and what a pilot stated: the expected loss and its 90 % point; NaN of other ways."""


def _replayed(
    known: advisor.Knowledge, place: int, folds: FloatArray, seconds: FloatArray, *, counted: bool
) -> dict[str, list[Judged]]:
    """Replay one data set with all of its origin left out; every way is judged on either half of the folds."""
    budgets, unit = (FITS, "fits") if counted else (SECONDS, "s")
    others = np.flatnonzero(np.array(known.origins) != known.origins[place])
    rest = known.datasets_at(others)
    scores = filled(rest.means()[0])
    weights = distance_weights(_distances(known, place, others))
    rows = _test_rows(known, place)
    there = np.flatnonzero(np.isfinite(folds[place]).any(axis=0))
    half = len(there) // 2
    prior, listed = (
        prior_from(scores, weights),
        greedy_list(scores, weights, np.asarray(np.isfinite(scores).all(axis=0))),
    )
    predicted = np.ones(len(known.algorithms)) if counted else _predicted(known, place, rest)
    noise = None if known.kind == "classes" and rows else max(fit_noise(folds[others]), 1e-6)
    fixed = [known.algorithms.index(name) for name in PILOTED[known.kind] if name in known.algorithms]
    out: dict[str, list[Judged]] = {}
    for pilot, judged in ((there[:half], there[half : 2 * half]), (there[half : 2 * half], there[:half])):
        lost = _losses(folds[place][:, judged], scores).tolist()
        values, spent = folds[place][:, pilot], seconds[place][:, pilot]
        race = Race(
            prior=prior, listed=listed, seconds=predicted, rows=rows or 100, noise=noise, folds=min(FOLDS, half)
        )  # it learns from what it sees
        answers: dict[str, Judged] = {
            f"pilot {budget:g} {unit}": (lost[answer.place], answer.loss, answer.most)
            for budget, answer in zip(budgets, replay(race, values, spent, budgets), strict=True)
        }
        for name in BESIDE:
            if name in known.algorithms:
                answers[f"always {name}"] = (lost[known.algorithms.index(name)], np.nan, np.nan)
        for budget in budgets[1:] if len(fixed) == len(PILOTED[known.kind]) else ():
            best = _best_within(fixed, values, spent, budget)
            answers[f"fixed {', '.join(PILOTED[known.kind])} {budget:g} {unit}"] = (lost[best], np.nan, np.nan)
        answers["chance"] = (float(np.mean(lost)), np.nan, np.nan)
        for way, answer in answers.items():
            out.setdefault(way, []).append(answer)
    return out


def _best_within(places: Sequence[int], values: FloatArray, spent: FloatArray, budget: float) -> int:
    """Fit a fixed list fold by fold within a budget and return the best by mean."""
    total = 0.0
    seen: dict[int, list[float]] = {place: [] for place in places}
    for fold, place in ((f, p) for f in range(min(FOLDS, values.shape[1])) for p in places):
        if not np.isfinite(values[place, fold]):
            continue
        if total + spent[place, fold] > budget:
            break
        total += float(spent[place, fold])
        seen[place].append(float(values[place, fold]))
    common = min((len(item) for item in seen.values() if item), default=0)
    means = {place: float(np.mean(item[:common])) for place, item in seen.items() if item}
    return max(means, key=lambda place: means[place]) if means else places[0]


def _distances(known: advisor.Knowledge, place: int, others: IntArray) -> FloatArray:
    """Return distances by the usual measures; infinite where nothing is known of the data sets."""
    names = tuple(name for name in default_measures(known.kind) if name in known.meta.measures)
    if not names or not np.isfinite(known.meta.of(names).matrix[place]).any():
        return np.full(len(others), np.inf)
    return np.asarray(known.distances(names)[place, others])


def _predicted(known: advisor.Knowledge, place: int, rest: advisor.Knowledge) -> FloatArray:
    """Return the predicted seconds of a fit."""
    row = known.meta.matrix[place].tolist()
    query = {name: value for name, value in zip(known.meta.measures, row, strict=True) if np.isfinite(value)}
    times = fit_times(rest).predict(query)
    seconds = np.array([times.of(name)[0] for name in known.algorithms]) / 2
    return np.where(np.isfinite(seconds), seconds, np.nanmedian(seconds))


def _test_rows(known: advisor.Knowledge, place: int) -> int:
    """Return how many rows a fold of a data set is measured on; 0 where that is unknown."""
    if "n_examples" not in known.meta.measures or not np.isfinite(known.train_share[place]):
        return 0
    rows = known.meta.of(("n_examples",)).matrix[place, 0]
    return max(1, int(rows * (1 - known.train_share[place]))) if np.isfinite(rows) else 0


def _losses(folds: FloatArray, others: FloatArray) -> FloatArray:
    """Return what every algorithm loses on folds; one that was not measured there is filled in from other data."""
    there = np.isfinite(folds)
    means = np.where(
        there.any(axis=1), np.where(there, folds, 0).sum(axis=1) / np.maximum(there.sum(axis=1), 1), np.nan
    )
    whole = filled(np.vstack([means, others]))[0]
    return np.asarray(np.nanmax(means) - np.minimum(whole, np.nanmax(means)))
