"""The study of choices: choose on some data sets, judge on the others, beside planted truth."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from tiebreak import stats
from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.comparison.scales import scaled
from tiebreak.comparison.trade import DEFAULT_TRADE, MOST_OF_THE_REST
from tiebreak.documents import Framed, Row, Table
from tiebreak.documents.parts import table_of
from tiebreak.errors import InputError
from tiebreak.ordering import multitest
from tiebreak.stats.numeric.basics import check_count
from tiebreak.stats.selection import Sample, certainty, losses
from tiebreak.studies.result import StudyResult, complete_table
from tiebreak.wording import option

RULES = ("worth", "multitest", "best_mean", "cheapest")
STATED = ("stated_regret", "true_regret", "stated_probability", "true_probability", "coverage")
PRICES = (0.3, 1.0, 3.0)
"""What ten times the cost is worth, in points."""
DATASETS = (8, 12, 20, 42)
ITEMS = (100, 300, 1000, 10_000)
MODELS = (3, 10, 30, 60)
SCHEMES = {"10 folds": (1, 10), "5x2 folds": (5, 2), "5x10 folds": (5, 10)}
LEARNERS, EXAMPLES, FEATURES = 6, 300, 10
PATHS, PATH_START, FEWEST_FOR_BASELINE = 200, 5, 8
ALPHA, MOST_FOR_BERGMANN_HOMMEL = 0.05, 14
REGRET_WITHIN, PROBABILITY_WITHIN, COVERED = 0.3, 0.1, (0.93, 0.98)
_BASELINE = re.compile(r"constant|majority|zeror|dummy", re.IGNORECASE)

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ChoiceCell(Framed):
    """One source of results at one size and one price of a tenfold cost; regrets in points, means of repetitions.

    The regret of each rule is judged on data sets that were not used for choosing. The other numbers are about the
    choice by worth: `stated_regret` and `stated_probability` are what an order prints, `true_regret` and
    `true_probability` what holds in the population that the data were drawn from. `coverage` is the share of rows
    whose interval of the loss holds the true loss.
    """

    source: str
    size: int
    unit: str
    algorithms: int
    price: float
    worth: float
    multitest: float
    best_mean: float
    cheapest: float
    stated_regret: float
    true_regret: float
    stated_probability: float
    true_probability: float
    coverage: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GrowthPaths(Framed):
    """Random orders of a collection's data sets, one more at a time, at the default trade.

    `jumps` is the share of steps by which the regret rises by over one point; `baseline_high` the share of orders on 8
    or more data sets with a constant predictor in the upper half, None where the collection has none.
    """

    source: str
    paths: int
    steps: int
    jumps: float
    regret: float
    baseline_high: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ChoiceStudy(StudyResult):
    """What the study of choices measured: a cell for each source, size and price, and how choices change with data."""

    STUDY = "choices"
    SETTINGS = ("repetitions", "beats_multitest", "regret_calibrated", "probability_calibrated", "coverage")
    PAPERS = ("yildiz2006", "brazdil2003")

    cells: tuple[ChoiceCell, ...]
    growth: tuple[GrowthPaths, ...]
    repetitions: int

    @property
    def beats_multitest(self) -> float:
        """The share of cells in which worth has a lower regret than MultiTest; folds do not count."""
        return _share(cell.worth < cell.multitest for cell in self.cells if cell.unit != "folds")

    @property
    def regret_calibrated(self) -> float:
        """The share of cells whose stated regret is within 0.3 points of the true one."""
        return _share(abs(cell.stated_regret - cell.true_regret) <= REGRET_WITHIN for cell in self.cells)

    @property
    def probability_calibrated(self) -> float:
        """The share of cells whose stated probability is within 0.1 of the true one."""
        return _share(abs(cell.stated_probability - cell.true_probability) <= PROBABILITY_WITHIN for cell in self.cells)

    @property
    def coverage(self) -> float:
        """The share of rows whose interval of the loss holds the true loss."""
        return float(np.mean([cell.coverage for cell in self.cells]))

    def title(self) -> str:
        """Say in one line what was measured."""
        sources = len({cell.source for cell in self.cells})
        return (
            f"Choices judged on other data: {sources} sources, {len(self.cells)} cells, {self.repetitions} draws each"
        )

    def rows(self) -> list[Row]:
        """Return one row per cell."""
        return [row for cell in self.cells for row in cell.rows()]

    def conclusions(self) -> list[str]:
        """State which of the targets are met."""
        regret, stated = (float(np.mean([getattr(c, name) for c in self.cells])) for name in ("worth", "multitest"))
        out = [
            f"Choosing by worth loses {regret:.2f} points on average, MultiTest {stated:.2f}.",
            f"The stated regret is within {REGRET_WITHIN:g} points of the true one in {self.regret_calibrated:.0%} of"
            f" cells (target 90%), the stated probability within {PROBABILITY_WITHIN:g} in"
            f" {self.probability_calibrated:.0%} (target 80%).",
            f"Intervals of the loss hold the true one in {self.coverage:.1%} of rows (target {COVERED[0]:.0%} to"
            f" {COVERED[1]:.0%}).",
        ]
        if any(cell.unit != "folds" for cell in self.cells):
            out.insert(1, f"Its regret is lower in {self.beats_multitest:.0%} of cells (target 90%).")
        if self.growth:
            jumps = max(paths.jumps for paths in self.growth)
            out.append(f"One more data set raises the regret by over 1 point in at most {jumps:.1%} of steps.")
        return out

    def measured(self) -> dict[str, Any]:
        """Return the conclusions, every cell, and how choices change with data."""
        growth = [row for paths in self.growth for row in paths.rows()]
        return {"conclusions": self.conclusions(), "cells": self.rows(), "growth": growth}

    def tables(self) -> Iterator[Table]:
        """Return regrets and calibration of every cell, then growth."""
        label = ("source", "size", "unit", "algorithms", "price")
        for caption, names in (("Regret in points", RULES), ("The choice by worth", STATED)):
            yield table_of([{name: row[name] for name in (*label, *names)} for row in self.rows()], caption)
        if self.growth:
            rows = [row for paths in self.growth for row in paths.rows()]
            yield table_of(rows, "One more data set at a time: share of steps that raise the regret by over 1 point")


def _share(holds: Any) -> float:
    values = list(holds)
    return float(np.mean(values)) if values else float("nan")


# ---- one draw


class Draw(NamedTuple):
    """Data to choose on, with what is true: scores and log10 costs of the population, and of what was left out."""

    sample: Sample
    costs: FloatArray
    true_scores: FloatArray
    true_logs: FloatArray
    left_scores: FloatArray
    left_logs: FloatArray
    binary: bool = False


def multitest_first(scores: FloatArray, costs: FloatArray, *, binary: bool = False) -> int:
    """Return the first by MultiTest over data sets: Wilcoxon's test (McNemar's on items), corrected over all pairs.

    `scores` is (units, algorithms), higher is better; `costs` is the prior. Corrections: Bergmann and Hommel's up to 14
    algorithms, Shaffer's beyond, which needs no exponential time.
    """
    count = scores.shape[1]
    adjust = "bergmann-hommel" if count <= MOST_FOR_BERGMANN_HOMMEL else "shaffer"
    a, b = np.triu_indices(count, 1)
    if binary:
        only = scores.T @ (1.0 - scores)
        z = (only[b, a] - only[a, b]) / np.sqrt(np.maximum(only[a, b] + only[b, a], 1.0))
        correct = stats.bergmann_hommel if adjust == "bergmann-hommel" else stats.shaffer
        adjusted = correct(2.0 * special.ndtr(-np.abs(z)))
    else:
        adjusted = stats.wilcoxon_pairs(scores, adjust=adjust, higher_is_better=True).adjusted
    better = np.zeros((count, count), dtype=bool)
    lead = scores.mean(axis=0)
    significant = adjusted <= ALPHA
    better[a, b], better[b, a] = significant & (lead[b] > lead[a]), significant & (lead[a] > lead[b])
    prior = np.argsort(np.argsort(costs, kind="stable"))
    return int(multitest(better, prior)[0])


def cells_of(draws: Iterable[Draw], *, point: float, **labels: Any) -> Iterator[ChoiceCell]:
    """Choose by every rule on every draw, judge the choices, and return means for each price."""
    regrets, stated, covered = [], [], []
    for seed, draw in enumerate(draws):
        by_test = multitest_first(draw.sample.scores, draw.costs, binary=draw.binary)
        judged = [_judged(draw, by_test, price * point, point, seed) for price in PRICES]
        regrets.append([regret for regret, _ in judged])
        stated.append([numbers for _, numbers in judged])
        covered.append(row_coverage(draw.sample, draw.true_scores, seed=seed))
    means = np.concatenate([np.mean(regrets, axis=0), np.nanmean(np.array(stated, dtype=float), axis=0)], axis=1)
    for price, numbers in zip(PRICES, means.tolist(), strict=True):
        measured = dict(zip((*RULES, *STATED), [*numbers, float(np.nanmean(covered))], strict=True))
        yield ChoiceCell(price=price, **labels, **measured)


def _judged(draw: Draw, by_test: int, trade: float, point: float, seed: int) -> tuple[list[float], list[float]]:
    """Return the regret of every rule, and for the choice by worth what is stated beside what is true."""
    sample = draw.sample
    first = int(np.argmax(sample.values(np.array([trade]))))
    by_mean, by_cost = int(np.argmax(sample.mean_scores)), int(np.argmin(draw.costs))
    true = draw.true_scores - trade * draw.true_logs
    left = (draw.left_scores - trade * draw.left_logs) / point
    best = int(np.argmax(true))
    known = certainty(sample.moments(np.array([trade])), first=first, seed=seed)
    chance, regret = (np.nan, np.nan) if known is None else (known.probability, known.regret / point)
    regrets = [float(left[best] - left[choice]) for choice in (first, by_test, by_mean, by_cost)]
    return regrets, [regret, (true[best] - true[first]) / point, chance, bool(true[first] >= true[best] - 1e-12)]


def row_coverage(sample: Sample, true_scores: FloatArray, *, seed: int = 0) -> float:
    """Return the share of rows whose interval holds the true loss against the algorithm called best."""
    known = losses(sample, seed=seed)
    loss = np.maximum(true_scores[known.best] - true_scores, 0.0)
    rows = np.arange(len(loss)) != known.best
    noise = 1e-9
    return float(((known.low - noise <= loss) & (loss <= known.high + noise))[rows].mean())


# ---- tables of results


class Collection(NamedTuple):
    """A complete table: scores (data sets, algorithms), higher is better, with log10 costs where they are known."""

    name: str
    algorithms: tuple[str, ...]
    scores: FloatArray
    logs: FloatArray | None
    point: float
    mixed: bool = False

    def with_costs(self, rng: np.random.Generator) -> FloatArray:
        """Return log10 costs; without any, one for each algorithm is drawn from 1 to 1000."""
        if self.logs is not None:
            return self.logs
        return np.broadcast_to(rng.uniform(0.0, 3.0, len(self.algorithms)), self.scores.shape)


def read_collection(
    name: str, table: Any, *, score: str | None, cost: str | None, higher_is_better: Any = None, **reading: Any
) -> Collection:
    """Read a table, drop data sets with gaps, turn scores so that higher is better, floor costs of zero."""
    remaining, name_of_score, _ = complete_table(table, score, reading)
    means = remaining.means(name_of_score)
    on_scale = scaled(remaining, name_of_score, higher_is_better=higher_is_better, scale="auto", scores=means)
    shown = on_scale.shown if on_scale.metric.higher_is_better else -on_scale.shown
    logs = None
    if cost is not None:
        if cost not in remaining.values:
            raise InputError(
                f"{name} has no column {cost!r}.",
                why="Choices are judged by score and cost.",
                mend=f"Use one of {', '.join(remaining.values)}, or leave the cost out: costs are then drawn.",
            )
        paid = remaining.means(cost)
        complete = np.isfinite(paid).all(axis=1)
        shown, paid = shown[complete], paid[complete]
        logs = np.log10(np.maximum(paid, max(paid[paid > 0].min(), float(np.median(paid)) / 1000)))
    point = 0.01 if np.abs(shown).max() <= 1.0 + 1e-9 else 1.0
    return Collection(name, remaining.algorithms, np.asarray(shown), logs, point, bool(on_scale.reason))


def drawn_cells(
    collection: Collection, sizes: Sequence[int], *, repetitions: int, rng: np.random.Generator
) -> Iterator[ChoiceCell]:
    """Draw data sets with replacement, so that the collection is the population; judge rules on those not drawn."""
    count = len(collection.scores)
    for size in (number for number in sizes if number < count):
        draws = (_drawn(collection, size, rng) for _ in range(repetitions))
        labels = {"source": collection.name, "size": size, "unit": "data sets"}
        yield from cells_of(draws, point=collection.point, algorithms=len(collection.algorithms), **labels)


def _drawn(collection: Collection, size: int, rng: np.random.Generator) -> Draw:
    count = len(collection.scores)
    rows = rng.integers(count, size=size)
    left = np.setdiff1d(np.arange(count), rows)
    scores, logs = collection.scores, collection.with_costs(rng)
    costs = 10 ** (logs[rows] - logs[rows].max(axis=1, keepdims=True))
    return Draw(
        sample=Sample(scores=scores[rows], logs=logs[rows][None]),
        costs=costs.mean(axis=0),
        true_scores=scores.mean(axis=0),
        true_logs=logs.mean(axis=0),
        left_scores=scores[left].mean(axis=0),
        left_logs=logs[left].mean(axis=0),
    )


def default_trade(best: float, point: float, *, mixed: bool = False) -> float:
    """Return the default trade of bounded scores: 1 % of the best mean, at most a tenth of what is missing."""
    if mixed:
        return DEFAULT_TRADE
    return max(min(DEFAULT_TRADE * best, MOST_OF_THE_REST * (100 * point - best)), 0.0)


def growth_paths(collection: Collection, *, rng: np.random.Generator, paths: int = PATHS) -> GrowthPaths:
    """Add data sets one at a time in random order; judge every choice on the whole collection."""
    scores, point = collection.scores, collection.point
    count, algorithms = scores.shape
    baseline = [i for i, name in enumerate(collection.algorithms) if _BASELINE.search(name)]
    rises, regrets, high = [], [], []
    for _ in range(paths):
        logs = collection.with_costs(rng)
        trade = default_trade(float(scores.mean(axis=0).max()), point, mixed=collection.mixed)
        worth = (scores.mean(axis=0) - trade * logs.mean(axis=0)) / point
        rows = rng.permutation(count)
        so_far = np.arange(1, count + 1)[:, None]
        means, costs = np.cumsum(scores[rows], axis=0) / so_far, np.cumsum(logs[rows], axis=0) / so_far
        trades = [default_trade(float(row.max()), point, mixed=collection.mixed) for row in means]
        values = (means - np.array(trades)[:, None] * costs)[PATH_START - 1 :]
        regret = worth.max() - worth[values.argmax(axis=1)]
        regrets.append(regret)
        rises.append(np.diff(regret) > 1.0)
        for one in baseline:
            enough = values[max(FEWEST_FOR_BASELINE - PATH_START, 0) :]
            high.append((enough > enough[:, [one]]).sum(axis=1) < algorithms / 2)
    return GrowthPaths(
        source=collection.name,
        paths=paths,
        steps=int(np.size(rises)),
        jumps=float(np.mean(rises)),
        regret=float(np.mean(regrets)),
        baseline_high=float(np.mean(high)) if baseline else None,
    )


# ---- planted truth


def planted_items(models: int, items: int, rng: np.random.Generator) -> Draw:
    """Draw right and wrong answers: abilities that rise with the price, items of one difficulty for all models.

    A model answers right where ability - difficulty + luck > 0, all normal. Prices are log-uniform over three tenfolds.
    """
    logs = rng.uniform(0.0, 3.0, models)
    ability = rng.normal(0.5, 0.3) + 0.15 * (logs - 1.5) + rng.normal(0.0, 0.25, models)
    luck = 0.7
    true = special.ndtr(ability / sqrt(1.0 + luck**2))
    latent = rng.standard_normal((items, models), dtype=np.float32) * np.float32(luck)
    latent += rng.standard_normal((items, 1), dtype=np.float32)
    answers = (latent + ability.astype(np.float32) > 0).astype(np.float64)
    sample = Sample(scores=answers, logs=logs[None, None])
    return Draw(sample, 10**logs, true, logs, true, logs, binary=True)


def planted_folds(scheme: str, rng: np.random.Generator, *, learned: bool) -> Draw:
    """Cross-validate learners on one data set whose truth is known: the expected accuracy after such training.

    Learned: classification by the nearer class mean, each learner on features of its own strength whose noise they
    share in part; folds overlap as real ones do. Otherwise normal scores of which any two folds are correlated by the
    share of examples in the test part, as Nadeau and Bengio (2003) assume.
    """
    replications, parts = SCHEMES[scheme]
    folds, ratio = replications * parts, 1.0 / (parts - 1)
    logs = rng.uniform(0.0, 3.0, LEARNERS)
    if learned:
        strength = 0.2 + 0.02 * (logs - 1.5) + rng.normal(0.0, 0.03, LEARNERS)
        scores = _cross_validated(strength, replications, parts, rng)
        true = expected_accuracy(strength, EXAMPLES * (parts - 1) // parts)
    else:
        true = 0.8 + 0.01 * (logs - 1.5) + rng.normal(0.0, 0.015, LEARNERS)
        shared = rng.standard_normal(LEARNERS) * sqrt(1 / parts)
        normal = rng.standard_normal((folds, LEARNERS)) * sqrt(1 - 1 / parts)
        scores = true + 0.4 / sqrt(EXAMPLES / parts) * (shared + normal)
    sample = Sample(scores=scores, logs=logs[None, None], inflation=1.0 + folds * ratio)
    return Draw(sample, 10**logs, true, logs, true, logs)


def _cross_validated(strength: FloatArray, replications: int, parts: int, rng: np.random.Generator) -> FloatArray:
    """Return the accuracy of every fold, (folds, learners); examples are features times class."""
    noise = sqrt(0.5) * rng.standard_normal((EXAMPLES, FEATURES))
    examples = noise + sqrt(0.5) * rng.standard_normal((len(strength), EXAMPLES, FEATURES)) + strength[:, None, None]
    labels = np.concatenate([rng.permutation(np.arange(EXAMPLES) % parts) + parts * i for i in range(replications)])
    test = labels.reshape(replications, 1, -1) == np.arange(parts * replications).reshape(replications, parts, 1)
    test = test.reshape(-1, EXAMPLES).astype(np.float64)
    weights = np.matmul(1.0 - test, examples)
    right = np.matmul(examples, weights.transpose(0, 2, 1)) > 0
    return np.asarray(np.einsum("lns,sn->sl", right, test) / test.sum(axis=1)[:, None])


def expected_accuracy(strength: FloatArray, n_train: int) -> FloatArray:
    """Return the accuracy of the nearer class mean after training on so many examples, over training sets.

    The learned direction w is normal around the true one; its accuracy is Phi(strength * sum(w) / |w|).
    """
    draws = np.random.default_rng(0).standard_normal((20_000, FEATURES)) / sqrt(n_train)
    along, across = draws.sum(axis=1), (draws**2).sum(axis=1)
    sums = along + FEATURES * strength[:, None]
    norms = np.sqrt(across + 2 * strength[:, None] * along + FEATURES * strength[:, None] ** 2)
    return np.asarray(special.ndtr(strength[:, None] * sums / norms).mean(axis=1))


def planted_cells(sizes: Sequence[int], *, repetitions: int, rng: np.random.Generator, say: Say) -> list[ChoiceCell]:
    """Return the cells of planted truth: items, then folds of one data set."""
    out: list[ChoiceCell] = []
    for models, items in product(MODELS, sizes):
        say(f"{models} models on {items} items")
        draws = (planted_items(models, items, rng) for _ in range(repetitions))
        out += cells_of(draws, point=0.01, source="planted items", size=items, unit="items", algorithms=models)
    for source, scheme in product(("correlated folds", "learners"), SCHEMES):
        say(f"{source}, {scheme}")
        draws = (planted_folds(scheme, rng, learned=source == "learners") for _ in range(repetitions))
        labels = {"source": f"{source} {scheme.split()[0]}", "size": int(np.prod(SCHEMES[scheme])), "unit": "folds"}
        out += cells_of(draws, point=0.01, algorithms=LEARNERS, **labels)
    return out


def study_choices(
    tables: Mapping[str, Any] | None = None,
    *,
    score: str | None = None,
    cost: str | None = None,
    sizes: Sequence[int] | None = None,
    repetitions: int = 200,
    higher_is_better: Any = None,
    rng: int | np.random.Generator = 0,
    progress: Say | None = None,
    **reading: Any,
) -> ChoiceStudy:
    """Choose on some data sets, judge on the others: what does each rule lose, and does an order state it rightly?

    Hypothesis: none; it measures the rule of worth beside MultiTest, the best mean and the cheapest.

    Formula: data sets are drawn with replacement. Rules are judged on those that were not drawn: worth of the best of
    the whole collection minus worth of the chosen one, at a true price of 0.3, 1 and 3 points per tenfold cost, which
    the rule of worth is told. Stated probability, regret and intervals are held against the whole collection, which is
    the population of the draws. Without tables the truth is planted: items and the folds of one data set.

    Assumptions: scores are bounded (accuracy, AUC), or of several metrics and then normalised.
    When not to use it: to choose an algorithm; use `tiebreak.order`.

    Parameters
    ----------
    tables : mapping of str to table, optional
        Collections of results by name, each as `tiebreak.compare` takes it.
    score, cost : str, optional
        Their columns. Without a cost one is drawn for each algorithm, between 1 and 1000.
    sizes : sequence of int, optional
        How many data sets to choose on, by default 8, 12, 20 and 42; of planted truth items, by default 100 to 10,000.
    repetitions : int, default 200
    higher_is_better : bool, optional
    rng : int or numpy.random.Generator, default 0
    progress : callable, optional
        Called with a line of text before each step.
    **reading : optional
        How to read the tables; see `tiebreak.compare`.

    Returns
    -------
    ChoiceStudy

    References
    ----------
    yildiz2006
    brazdil2003

    Examples
    --------
    >>> study = study_choices({"ulas2012": "published:ulas2012"}, score="accuracy", cost="train_time", sizes=[12],
    ...                       repetitions=5)
    >>> [(cell.size, cell.price) for cell in study.cells]
    [(12, 0.3), (12, 1.0), (12, 3.0)]
    """
    check_count("repetitions", repetitions, least=2, usual=200)
    for size in sizes or ():
        check_count("sizes", size, least=3, usual=12)
    generator, say = np.random.default_rng(rng), progress or (lambda _: None)
    growth = []
    if tables:
        out: list[ChoiceCell] = []
        for name, table in tables.items():
            say(name)
            options = {"score": score, "cost": cost, "higher_is_better": higher_is_better}
            collection = read_collection(name, table, **options, **reading)
            out += drawn_cells(collection, sizes or DATASETS, repetitions=repetitions, rng=generator)
            if len(collection.scores) > FEWEST_FOR_BASELINE:
                growth.append(growth_paths(collection, rng=generator))
    else:
        out = planted_cells(sizes or ITEMS, repetitions=repetitions, rng=generator, say=say)
    if not out:
        raise InputError(
            "No table has more data sets than the smallest size.",
            why="Choices are judged on data sets that were not used for choosing.",
            mend=f"Give a larger table, or smaller sizes: {option(sizes=[8])}.",
        )
    caveats = _how_to_read(planted=not tables)
    return ChoiceStudy(cells=tuple(out), growth=tuple(growth), repetitions=repetitions, caveats=caveats)


def _how_to_read(*, planted: bool) -> Caveats:
    truth = (
        "Items: normal abilities and difficulties. Folds: cross-validation of learners whose expected accuracy is"
        " known, and normal scores with correlated folds."
        if planted
        else "Data sets are drawn with replacement. Regret is judged on those not drawn; stated numbers are held"
        " against the whole collection."
    )
    message = ("The true price of a tenfold cost, in points, is the trade of the rule of worth.", truth)
    return tuple(Caveat("how-to-read", text) for text in message)
