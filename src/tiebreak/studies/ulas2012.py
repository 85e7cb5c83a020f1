"""The experiment of Ulas, Yildiz and Alpaydin (2012), run anew beside what they print."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_alpha, check_choices
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.comparison.gaps import settled
from tiebreak.datasets import load
from tiebreak.datasets.files import data_files
from tiebreak.documents import Document, Framed, Row, Table
from tiebreak.documents.parts import table_of
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.ordering import Ordering, order
from tiebreak.readers import published, read_store
from tiebreak.results import Results
from tiebreak.stats import rank_rows
from tiebreak.stats.results import pair_indices
from tiebreak.studies.result import StudyResult
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.lab import Plan
    from tiebreak.lab.progress import Progress

EQUAL = 1e-9
"""Mean ranks closer than this are equal: they are sums of halves."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Changes(Framed):
    """Places of algorithms on the first part and on the second, (orders, algorithms), 1 the best; ties share a mean."""

    first: FloatArray
    second: FloatArray
    algorithms: tuple[str, ...]

    @property
    def orders(self) -> int:
        """How many orders are held against each other."""
        return len(self.first)

    @property
    def moved(self) -> FloatArray:
        """By how many places each algorithm stands further back on the second part."""
        return self.second - self.first

    @property
    def equal(self) -> int:
        """How many orders are the same on both parts."""
        return int((np.abs(self.moved) < EQUAL).all(axis=1).sum())

    @property
    def same_first(self) -> int:
        """How many orders begin alike: with the same algorithm, or the same ones where several share the place."""
        leads = [values <= values.min(axis=1, keepdims=True) + EQUAL for values in (self.first, self.second)]
        return int((leads[0] == leads[1]).all(axis=1).sum())

    @property
    def mean_size(self) -> float:
        """How many places an algorithm moves, on average over algorithms and orders."""
        return float(np.abs(self.moved).mean())

    @property
    def largest(self) -> float:
        """The longest way that an algorithm moves."""
        return float(np.abs(self.moved).max())

    @property
    def turned(self) -> float:
        """The share of pairs that stand the other way round, over all orders; a tie turns nothing."""
        a, b = pair_indices(len(self.algorithms))
        before, after = (np.sign(np.round(values[:, a] - values[:, b], 9)) for values in (self.first, self.second))
        return float((before * after < 0).mean())

    def rows(self) -> list[Row]:
        """Return one row per algorithm: its mean change, with sign and without, and how often it stays."""
        moved = self.moved
        return [
            {
                "algorithm": name,
                "mean change": float(moved[:, i].mean()),
                "mean size": float(np.abs(moved[:, i]).mean()),
                "stays": int((np.abs(moved[:, i]) < EQUAL).sum()),
                "forward": int((moved[:, i] < -EQUAL).sum()),
                "back": int((moved[:, i] > EQUAL).sum()),
            }
            for i, name in enumerate(self.algorithms)
        ]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Told(Framed):
    """Pairs that differ significantly on the first part; of these, alike on the second, or the other way round there.

    `second` are all that differ significantly on the second part.
    """

    first: int
    second: int
    again: int
    contrary: int


def told_apart(first: BoolArray, second: BoolArray) -> Told:
    """Count decisions better[..., i, j], that j is significantly better than i, of two parts."""
    return Told(
        first=int(first.sum()),
        second=int(second.sum()),
        again=int((first & second).sum()),
        contrary=int((first & second.swapaxes(-1, -2)).sum()),
    )


COSTS = ("train_time", "space")
PRINTED, OURS = "printed", "here"
WAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("by places, 2008", {"variant": "2008"}),
    ("by places, 2012", {"variant": "2012"}),
    ("by scores", {"rule": "multitest"}),
)
EACH = "each data set, 5x2cv F"
"""The decisions inside the data sets, uncorrected, as the report of 2008 makes them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Side:
    """One of the two runs: accuracies in per cent, (data sets, algorithms, 5, 2), and two mean costs of each cell."""

    accuracy: FloatArray
    train_time: FloatArray
    space: FloatArray

    @property
    def means(self) -> FloatArray:
        """The mean accuracies, (data sets, algorithms)."""
        return np.asarray(self.accuracy.mean(axis=(2, 3)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Found:
    """One way of ordering with one cost: `orders[scores, costs]` by whose scores and whose costs, and what was told."""

    way: str
    cost: str
    orders: dict[tuple[str, str], Ordering]
    told: Told

    def turned(self, scores: str, costs: str) -> int:
        """Return how many pairs stand the other way round than in the order of the printed scores and costs."""
        first, second = (places_of(self.orders[key]) for key in ((PRINTED, PRINTED), (scores, costs)))
        names = self.orders[PRINTED, PRINTED].algorithms
        pairs = len(names) * (len(names) - 1) // 2
        return round(Changes(first=first[None], second=second[None], algorithms=names).turned * pairs)


def places_of(ordering: Ordering) -> FloatArray:
    """Return the place of every algorithm, in the order of `algorithms`."""
    return np.array([1.0 + ordering.order.index(name) for name in ordering.algorithms])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Inside:
    """MultiTest on each data set: places in print and here, and decisions better[s, i, j] of both."""

    places: Changes
    printed: BoolArray
    ours: BoolArray


def decided_inside(ordering: Ordering, alpha: float) -> BoolArray:
    """Return the decisions better[s, i, j] of MultiTest on each data set."""
    assert ordering.inner is not None  # a test of the folds was named
    return ordering.inner.better(alpha)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Beside:
    """Both runs on the data sets and algorithms that they share, and everything that is told of them."""

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    printed: Side
    ours: Side
    held_out: FloatArray
    alpha: float

    def table(self, scores: str, costs: str) -> Results:
        """Join the accuracies of one run with the costs of one, as a table to order."""
        folds, paid = ((self.printed if whose == PRINTED else self.ours) for whose in (scores, costs))
        shape = folds.accuracy.shape
        s, a, r, f = (index.ravel() for index in np.indices(shape))
        return Results.from_dict(
            {
                "dataset": [self.datasets[i] for i in s],
                "algorithm": [self.algorithms[i] for i in a],
                "replication": (r + 1).tolist(),
                "fold": (f + 1).tolist(),
                "accuracy": folds.accuracy.ravel().tolist(),
                "train_time": paid.train_time[s, a].tolist(),
                "space": paid.space[s, a].tolist(),
            }
        )

    def orders(self) -> Iterator[Found]:
        """Order by every way and cost: by both runs, and by the scores of one with the costs of the other."""
        whose = (PRINTED, OURS)
        tables = {(scores, costs): self.table(scores, costs) for scores in whose for costs in whose}
        for way, options in WAYS[: 3 if len(self.datasets) > 1 else 0]:
            for cost in COSTS:
                shared: dict[str, Any] = {"score": "accuracy", "cost": cost, **options}
                made = {key: order(table, alpha=self.alpha, **shared) for key, table in tables.items()}
                decided = made[PRINTED, PRINTED].better, made[OURS, OURS].better
                yield Found(way=way, cost=cost, orders=made, told=told_apart(*decided))

    def inside(self) -> dict[str, Inside]:
        """Run MultiTest on every data set as the report does, by either cost."""
        insides = {}
        for cost in COSTS:
            shared: dict[str, Any] = {"score": "accuracy", "cost": cost}
            shared |= {"rule": "multi2test", "pairwise": "5x2cv-f", "inner_adjust": "none", "alpha": self.alpha}
            made = [order(self.table(whose, whose), **shared) for whose in (PRINTED, OURS)]
            places = Changes(first=made[0].ranks, second=made[1].ranks, algorithms=self.algorithms)
            first, second = (decided_inside(ordering, self.alpha) for ordering in made)
            insides[cost] = Inside(places=places, printed=first, ours=second)
        return insides

    def ranks(self) -> Changes:
        """Rank the mean accuracies of each data set, printed and ours."""
        first, second = (rank_rows(side.means, higher_is_better=True) for side in (self.printed, self.ours))
        return Changes(first=first, second=second, algorithms=self.algorithms)

    def prior(self, whose: str, cost: str) -> tuple[str, ...]:
        """Return the algorithms by mean cost, each data set divided by its largest, cheapest first."""
        paid = getattr(self.printed if whose == PRINTED else self.ours, cost)
        means = (paid / paid.max(axis=1, keepdims=True)).mean(axis=0)
        return tuple(self.algorithms[i] for i in np.argsort(means, kind="stable"))

    def differences(self) -> list[Row]:
        """Return one row per data set and algorithm: accuracy here less printed, the farthest first.

        `inside` says whether our mean lies among the ten printed fold accuracies.
        """
        printed, ours = self.printed.means, self.ours.means
        low, high = self.printed.accuracy.min(axis=(2, 3)), self.printed.accuracy.max(axis=(2, 3))
        rows: list[Row] = [
            {
                "dataset": name,
                "algorithm": algorithm,
                "printed": float(printed[s, a]),
                "here": float(ours[s, a]),
                "difference": float(ours[s, a] - printed[s, a]),
                "inside": bool(low[s, a] <= ours[s, a] <= high[s, a]),
            }
            for s, name in enumerate(self.datasets)
            for a, algorithm in enumerate(self.algorithms)
        ]
        return sorted(rows, key=lambda row: -abs(float(row["difference"])))  # type: ignore[arg-type]


REASONS: dict[str, str] = {
    "": "Folds are drawn anew, so accuracies differ by chance; data sets were taken from public repositories years"
    " later and need not have every row or attribute as it was. Seconds are those of another machine and other"
    " programs, and space is the bytes of the stored model here, so the order by cost differs by itself.",
    "svl": "svl, sv2 and svr choose C, and svr its width, on the validation fold by steps of ten, as in the papers;"
    " which solver they used and when it ended is not said.",
    "sv2": "What constant the kernel of sv2 held in the papers is not said. Here it holds none, (gamma x.y)^2:"
    " without one it cannot distinguish x from -x, and on twonorm, whose classes mirror each"
    " other, it can only guess, as printed.",
    "mlp": "With which weights lnp and mlp began is not said in the papers; after 50 epochs on few rows it matters.",
    "mdt": "c45 and mdt are programs of our own from their descriptions; how the papers' trees treat symbolic"
    " attributes and when they stop is told in part only.",
}
"""Why results differ, by the learner that a reason is about; nobody's name for all of them."""
FAR, NEAR = 5.0, 2.0
"""Points of accuracy: beyond the one a difference is large, within the other it is small."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ulas2012Study(StudyResult):
    """What `ulas2012_study` found: both runs (`beside`), and the orders by the scores and the costs of either."""

    STUDY = "ulas2012"
    SETTINGS = ()

    beside: Beside
    n_printed: int
    cells: int
    inside: Mapping[str, Inside]
    found: tuple[Found, ...]

    def title(self) -> str:
        """Say in one line what was run."""
        both = self.beside
        return (
            f"The experiment of Ulas, Yildiz and Alpaydin (2012) here and in print: {len(both.datasets)} of its"
            f" {self.n_printed} data sets, {len(both.algorithms)} algorithms, {self.cells} cells,"
            f" alpha {both.alpha:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row per algorithm: accuracy, ranks, places and significant wins, printed and here."""
        both = self.beside
        sides = {PRINTED: both.printed.means.mean(axis=0), OURS: both.ours.means.mean(axis=0)}
        ranks, wins = both.ranks(), self._wins()
        places = {cost: self.inside[cost].places for cost in COSTS}
        return [
            {
                "algorithm": name,
                "accuracy printed": float(sides[PRINTED][i]),
                "accuracy here": float(sides[OURS][i]),
                "accuracy held out": float(both.held_out[:, i].mean()),
                "rank printed": float(ranks.first[:, i].mean()),
                "rank here": float(ranks.second[:, i].mean()),
                **{
                    f"place by {cost} {whose}": float(getattr(places[cost], part)[:, i].mean())
                    for cost in COSTS
                    for whose, part in ((PRINTED, "first"), (OURS, "second"))
                },
                "wins printed": wins[0][i],
                "wins here": wins[1][i],
            }
            for i, name in enumerate(both.algorithms)
        ]

    def _wins(self) -> tuple[list[int], list[int]]:
        """Count the significant F tests that each algorithm wins."""
        tests = self.inside[COSTS[0]]  # the same by either cost
        return tests.printed.sum(axis=(0, 1)).tolist(), tests.ours.sum(axis=(0, 1)).tolist()

    def decisions(self) -> list[tuple[str, str, Told]]:
        """Return the significant differences in print and here: on each data set, and by every way over them."""
        tests = self.inside[COSTS[0]]
        inside = (EACH, "", told_apart(tests.printed, tests.ours))
        remaining = [
            item for item in self.found if item.way != "by scores" or item.cost == COSTS[0]
        ]  # cost decides none
        return [
            inside,
            *((item.way, "" if item.way == "by scores" else item.cost, item.told) for item in remaining),
        ]

    def accuracies(self) -> list[Row]:
        """Return one row per algorithm: how far accuracies lie from the printed ones, in points."""
        both, rows = self.beside, self.beside.differences()
        out: list[Row] = []
        for name in both.algorithms:
            current = [row for row in rows if row["algorithm"] == name]
            sizes = np.array([row["difference"] for row in current], dtype=np.float64)
            out.append(
                {
                    "algorithm": name,
                    "mean difference": float(sizes.mean()),
                    "mean size": float(np.abs(sizes).mean()),
                    f"within {NEAR:g}": int((np.abs(sizes) <= NEAR).sum()),
                    f"beyond {FAR:g}": int((np.abs(sizes) > FAR).sum()),
                    "inside": sum(bool(row["inside"]) for row in current),
                    "farthest": current[0]["dataset"],
                }
            )
        return out

    def measured(self) -> dict[str, Any]:
        """Return both runs side by side: accuracies, decisions, orders, places and costs."""
        both = self.beside
        return {
            "title": self.title(),
            "datasets": list(both.datasets),
            "algorithms": _plain_rows(self.rows()),
            "alpha": both.alpha,
            "cells": self.cells,
            "accuracies": _plain_rows(self.accuracies()),
            "differences": both.differences(),
            "decisions": self._decided(),
            "orders": self._orders(),
            "places": {cost: self._place_dict(cost) for cost in COSTS},
            "costs": {whose: {cost: list(both.prior(whose, cost)) for cost in COSTS} for whose in (PRINTED, OURS)},
        }

    def _place_dict(self, cost: str) -> dict[str, Any]:
        places = self.inside[cost].places
        counted = {"alike": places.equal, "first": places.same_first, "moved": places.mean_size}
        return {
            "printed": places.first.tolist(),
            "here": places.second.tolist(),
            **counted,
            "turned": places.turned,
        }

    # ---- what is printed

    def document(self) -> Document:
        """Return what came out alike and what did not, then the tables, then why they differ."""
        counted = "printed: from the printed fold accuracies and costs of the same data sets; here: this run."
        tables = Document(title=counted, tables=tuple(self._tables()), caveats=self.caveats)
        return Document(
            title=self.title(), said=tuple(self._said()), tables=(), papers=("ulas2012", "ulas2008"), more=(tables,)
        )

    def _said(self) -> Iterator[str]:
        both = self.beside
        sizes = np.abs(both.ours.means - both.printed.means).ravel()
        inside = sum(bool(row["inside"]) for row in both.differences())
        yield (
            f"Mean accuracies lie {np.median(sizes):.1f} points from the printed ones (median of {len(sizes)} cells),"
            f" and {inside} of {len(sizes)} among the ten printed fold accuracies of their cell."
        )
        way, _, options = self.decisions()[0]
        if not options.first:
            yield f"No pair differs significantly on the printed folds ({way}); {options.second or 'none'} here."
        else:
            yield (
                f"Of {options.first} pairs that differ significantly on the printed folds ({way}),"
                f" {options.again} differ alike here and {options.contrary} the other way round;"
                f" {options.second} differ significantly here."
            )
        for item in self.found:
            pairs = len(both.algorithms) * (len(both.algorithms) - 1) // 2
            parts = (item.turned(OURS, OURS), item.turned(OURS, PRINTED), item.turned(PRINTED, OURS))
            yield (
                f"Ordered {item.way} and {item.cost}, {parts[0]} of {pairs} pairs stand the other way round than in"
                f" print; with our scores and the printed costs {parts[1]}, with the printed scores and our costs"
                f" {parts[2]}."
            )

    def _tables(self) -> Iterator[Table]:
        yield self._algorithms()
        caption = (
            "Accuracy here less printed, in points; inside: on so many data sets our mean lies among the printed folds"
        )
        yield table_of(self.accuracies(), caption, texts=frozenset({0, 6}))
        yield table_of(self._decided(), "Pairs that differ significantly", left=2)
        if self.found:
            caption = (
                "Orders over data sets by the scores and costs of either run; turned: pairs unlike the printed order"
            )
            orders = [row | {"order": " ".join(row["order"])} for row in self._orders()]
            yield table_of(orders, caption, left=5)

    def _decided(self) -> list[dict[str, Any]]:
        return [
            {"way": way, "cost": cost, "printed": options.first, "here": options.second, "both": options.again}
            | {"contrary": options.contrary}
            for way, cost, options in self.decisions()
        ]

    def _orders(self) -> list[dict[str, Any]]:
        return [
            {"way": item.way, "cost": item.cost, "scores_of": scores, "costs_of": costs}
            | {"order": list(made.order), "turned": item.turned(scores, costs)}
            for item in self.found
            for (scores, costs), made in item.orders.items()
        ]

    def _algorithms(self) -> Table:
        """Printed and here side by side in one cell, which keeps the table narrow."""
        header = ("algorithm", "accuracy", "held out", "rank", "place, train_time", "place, space", "wins")
        body = tuple(
            (
                str(row["algorithm"]),
                f"{row['accuracy printed']:.1f}, {row['accuracy here']:.1f}",
                f"{row['accuracy held out']:.1f}",
                f"{row['rank printed']:.2f}, {row['rank here']:.2f}",
                *(f"{row[f'place by {cost} printed']:.2f}, {row[f'place by {cost} here']:.2f}" for cost in COSTS),
                f"{row['wins printed']}, {row['wins here']}",
            )
            for row in self.rows()
        )
        caption = "Means over data sets, printed and here: accuracy, its rank, the place by MultiTest, significant wins"
        return Table(caption=caption, header=header, body=body)


def _plain_rows(rows: list[Row]) -> list[Row]:
    return [{name.replace(" ", "_"): value for name, value in row.items()} for row in rows]


PROTOCOL = "ulas2012"
SMALL_ROWS = 1000
"""Without `full`, only the data sets of a folder with so many rows at most are run: a few seconds each."""
BUILT_IN: dict[str, dict[str, object]] = {
    "iris": {"source": "builtin:iris"},
    "wine": {"source": "builtin:wine"},
    "balance": {"source": "builtin:balance"},
    "monks": {"source": "builtin:monks1", "name": "monks"},
    "tictactoe": {"source": "builtin:tictactoe"},
    "titanic": {"source": "builtin:titanic"},
}
"""Data sets of the paper that need no file, by their names there."""
DRAWN: dict[str, dict[str, object]] = {
    name: {"source": f"builtin:{name}", "rows": 7400} for name in ("ringnorm", "twonorm")
}
"""Two more that can be drawn at the size they have in the literature; they join with `full`."""
MEASURES = ("accuracy", "test_accuracy", "train_time", "model_bytes")


def ulas2012_study(
    folder: str | Path | None = None,
    *,
    full: bool = False,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    store: str | Path | None = None,
    run: bool = True,
    alpha: float = 0.05,
    seed: int = 0,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Ulas2012Study:
    """Run the protocol of the paper on its data sets, and set what comes out beside what was printed.

    Hypothesis: none of its own; the tests are those of `tiebreak.order`.

    Formula: one third of every data set is held out, the rest is split into five times two folds, and the eight
    learners of the paper are trained, as `preset = "ulas2012"` says. Accuracies of the validation folds, training time
    and the size of the model then go through MultiTest on each data set and through both variants of Multi2Test and the
    order by scores over them; the printed fold accuracies and costs of the same data sets go through the same. Every
    order is made four times, with the scores of either run and the costs of either, which tells what a difference
    comes from.

    Assumptions: data sets are recognised by their names in the paper. Splits, implementations and machines differ.
    When not to use it: to judge learners; settings of the support vector machines are chosen on the validation folds,
    as in the paper, so their accuracies there are too good.

    Parameters
    ----------
    folder : str or Path, optional
        A folder of data files, named as in the paper; others in it are left alone. By default six of the data sets
        that need no file: iris, wine, balance, monks, tictactoe and titanic.
    full : bool, default False
        Run all data sets of the folder. By default those with at most 1,000 rows. Without a folder, ringnorm and
        twonorm of 7,400 rows are run too.
    algorithms, datasets : sequence of str, optional
        Only these, by their names in the paper.
    store : str or Path, optional
        Keep the runs there, and run only what it lacks: a run that was stopped goes on. Without it they are thrown
        away.
    run : bool, default True
        Run what the store lacks; otherwise read what it holds.
    alpha : float, default 0.05
    seed : int, default 0
        Of the splits and the learners.
    jobs, progress
        As in `tiebreak.run`.

    Returns
    -------
    Ulas2012Study

    References
    ----------
    ulas2012
    ulas2008

    Examples
    --------
    >>> result = ulas2012_study(datasets=["iris"], algorithms=["c45", "5nn"], jobs=1)
    >>> result.beside.datasets, result.cells, result.beside.held_out.shape
    (('iris',), 20, (1, 2))
    """
    level = check_alpha(alpha)
    printed = published.ulas2012()
    for kind, options, known in (
        ("algorithm", algorithms, printed.algorithms),
        ("data set", datasets, printed.datasets),
    ):
        check_choices(f"{kind} of the paper", options or (), known)
    if not run:
        return _study(_read(_named(store), datasets, algorithms, seed), printed, level)
    plan = _plan(_chosen(folder, full, datasets, printed.datasets), algorithms, seed)
    with _place(store) as place:
        summary = _run(plan, place, jobs, progress)
        left = summary.counts["waiting"] + summary.counts["running"]
        if summary.interrupted or left:
            raise OptionError(
                f"The run was stopped: {left} of {summary.cells} cells are left.",
                why="Printed and new results are compared on whole data sets.",
                mend=f"Run the same again to go on, or read what there is with {either('run=False', '--no-run')}."
                if store is not None
                else f"Name a store, so that the run can go on: {option(store='ulas2012.db')}.",
            )
        return _study(
            _read(place, _marks(plan), [algorithm.name for algorithm in plan.algorithms], seed), printed, level
        )


def _marks(plan: Plan) -> list[str]:
    """By fingerprint, as a store may hold another data set of the same name, such as a shorter one."""
    from tiebreak.lab.prepared import load_data

    return list(load_data(plan))


@contextmanager
def _place(store: str | Path | None) -> Iterator[str | Path]:
    if store is not None:
        yield store
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "ulas2012.db"


def _chosen(
    folder: str | Path | None, full: bool, named: Sequence[str] | None, known: Sequence[str]
) -> list[dict[str, object]]:
    """Find the data sets of the paper; those that were named are run whatever their size."""
    if folder is None:
        there = BUILT_IN | (DRAWN if full or named else {})
        check_choices("built-in data set of the paper", named or (), there)
        return [there[name] for name in named or there]
    files = {path.name.split(".")[0].lower(): path for path in data_files(folder)}
    paths = {name: files[name] for name in (named or known) if name in files}
    lacking = [name for name in named or () if name not in files]
    if not paths or lacking:
        raise InputError(
            f"The folder {str(folder)!r} holds no file of {quoted(lacking or known)}.",
            why="Printed results are set beside those of the data sets with the same name.",
            mend="Name the files as in the paper, such as iris.csv, or leave the folder out to run built-in data sets.",
        )
    if not full and not named:
        small = {name: path for name, path in paths.items() if load(str(path)).n_rows <= SMALL_ROWS}
        paths = small or paths
    return [{"source": str(path), "name": name} for name, path in paths.items()]


def _plan(references: list[dict[str, object]], algorithms: Sequence[str] | None, seed: int) -> Plan:
    from tiebreak.lab import Plan
    from tiebreak.lab.plans import preset_of

    wanted = [
        learner
        for learner in preset_of(PROTOCOL)["algorithms"]
        if algorithms is None or (learner if isinstance(learner, str) else learner["name"]) in algorithms
    ]
    if len(wanted) < 2:
        raise OptionError(
            f"{len(wanted)} algorithm was named.", why="It takes two to differ.", mend="Name two or more."
        )
    return Plan.of(preset=PROTOCOL, datasets=references, algorithms=wanted, seed=seed, name=PROTOCOL)


def _run(plan: Plan, store: str | Path, jobs: int | None, progress: Callable[[Progress], None] | None) -> Any:
    from tiebreak.lab import run

    return run(plan, store=store, jobs=jobs, progress=progress)


def _read(store: str | Path, datasets: Sequence[str] | None, algorithms: Sequence[str] | None, seed: int) -> Results:
    return read_store(store, scores=list(MEASURES), datasets=datasets, algorithms=algorithms, origin="lab", seed=seed)


def _named(store: str | Path | None) -> str | Path:
    if store is None:
        raise OptionError(
            "Nothing was to be run, and no store was named.",
            why="Results come from a run or from a store.",
            mend=f"Name a store: {option(store='ulas2012.db')}.",
        )
    return store


def _study(ours: Results, printed: Results, alpha: float) -> Ulas2012Study:
    """Keep what both runs have, and say what was left out."""
    sets = [name for name in ours.datasets if name in printed.datasets]
    learners = [name for name in ours.algorithms if name in printed.algorithms]
    if not sets or len(learners) < 2:
        raise InputError(
            f"The results share {len(sets)} data set(s) and {len(learners)} algorithm(s) with the printed ones.",
            why="Both are set side by side.",
            mend="Run the protocol with `tiebreak study ulas2012`; data sets are known by their names in the paper.",
        )
    results, notes = ours.only(datasets=sets, algorithms=learners), []
    for name in ("accuracy", "test_accuracy"):
        results, more = settled(results, name, policy="drop-datasets", verb="order")
        notes += more
    print_ = printed.only(datasets=results.datasets, algorithms=results.algorithms)
    order = [print_.datasets.index(name) for name in results.datasets]
    columns = [print_.algorithms.index(name) for name in results.algorithms]
    beside = Beside(
        datasets=results.datasets,
        algorithms=results.algorithms,
        printed=_side(print_, 1.0, "space", order, columns),
        ours=_side(results, 100.0, "model_bytes", range(len(results.datasets)), range(len(results.algorithms))),
        held_out=100.0 * results.means("test_accuracy"),
        alpha=alpha,
    )
    return Ulas2012Study(
        beside=beside,
        n_printed=len(printed.datasets),
        cells=len(results),
        inside=beside.inside(),
        found=tuple(beside.orders()),
        caveats=distinct([*results.caveats, *notes, *_said(beside)]),
    )


def _side(table: Results, unit: float, space: str, rows: Sequence[int], columns: Sequence[int]) -> Side:
    """Lay a table out in the shared order; accuracies in per cent."""
    picked = np.ix_(list(rows), list(columns))
    return Side(
        accuracy=unit * table.cube("accuracy")[picked],
        train_time=table.means("train_time")[picked],
        space=table.means(space)[picked],
    )


def _said(beside: Beside) -> Caveats:
    return tuple(
        Caveat("printed-rounding", text) for who, text in REASONS.items() if who == "" or who in beside.algorithms
    )
