"""The experiment of Ulas, Yildiz and Alpaydin (2012), run anew beside what they print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha, check_choices
from tiebreak.caveats import Caveat, distinct
from tiebreak.comparison.gaps import settled
from tiebreak.datasets import load
from tiebreak.datasets.files import data_files
from tiebreak.documents import Framed, Row, Table
from tiebreak.documents.parts import table_of
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.ordering import Ordering, order
from tiebreak.readers import published, read_store
from tiebreak.results import Results
from tiebreak.stats import rank_rows
from tiebreak.stats.results import pair_indices
from tiebreak.studies.result import StudyResult
from tiebreak.wording import either

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
class Decisions(Framed):
    """Pairs that differ significantly on the first part; of these, alike on the second, or the other way round there.

    `second` are all that differ significantly on the second part.
    """

    first: int
    second: int
    again: int
    contrary: int

    @classmethod
    def of(cls, first: BoolArray, second: BoolArray) -> Self:
        """Count decisions better[..., i, j], that j is significantly better than i, of two parts."""
        return cls(
            first=int(first.sum()),
            second=int(second.sum()),
            again=int((first & second).sum()),
            contrary=int((first & second.swapaxes(-1, -2)).sum()),
        )


def better_inside(ordering: Ordering, alpha: float) -> BoolArray:
    """Return the decisions better[s, i, j] of MultiTest on each data set."""
    assert ordering.inner is not None  # a test of the folds was named
    return ordering.inner.better(alpha)


def places_of(ordering: Ordering) -> FloatArray:
    """Return the places of the one order over all data sets, (1, algorithms)."""
    return np.array([[1.0 + ordering.order.index(name) for name in ordering.algorithms]])


COSTS = ("train_time", "space")
PRINTED, OURS = "printed", "here"
WAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("by places, 2008", {"variant": "2008"}),
    ("by places, 2012", {"variant": "2012"}),
    ("by scores", {"rule": "multitest"}),
)
EACH = "each data set, 5x2cv F"
"""The decisions inside the data sets, uncorrected, as the report of 2008 makes them."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MadeOrder(Framed):
    """An order by the scores and the costs of either run; `turned` pairs stand the other way round in print."""

    way: str
    cost: str
    scores_of: str
    costs_of: str
    order: tuple[str, ...]
    turned: int


FAR, NEAR = 5.0, 2.0
"""Points of accuracy: beyond the one a difference is large, within the other it is small."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ulas2012Study(StudyResult):
    """Both runs on the data sets and algorithms that they share, and what follows from each.

    `theirs` and `ours` have accuracies in per cent, fold by fold, train_time and space. `places` are those of
    MultiTest on each data set by either cost, `wins` the F tests that each algorithm wins in print and here,
    `decisions` the pairs that differ significantly, by way and cost, `orders` those over data sets.
    """

    STUDY = "ulas2012"
    PAPERS = ("ulas2012", "ulas2008")

    theirs: Results
    ours: Results
    held_out: FloatArray
    n_printed: int
    alpha: float
    places: Mapping[str, Changes]
    wins: IntArray
    decisions: Mapping[tuple[str, str], Decisions]
    orders: tuple[MadeOrder, ...]

    def title(self) -> str:
        """Say in one line what was run."""
        return (
            f"The experiment of Ulas, Yildiz and Alpaydin (2012) here and in print: {len(self.ours.datasets)} of its"
            f" {self.n_printed} data sets, {len(self.ours.algorithms)} algorithms, {len(self.ours)} cells,"
            f" alpha {self.alpha:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row per algorithm: accuracy, ranks, places and significant wins, printed and here."""
        means = [run.means("accuracy") for run in (self.theirs, self.ours)]
        first, second = (rank_rows(run, higher_is_better=True) for run in means)
        changes = {"rank": Changes(first=first, second=second, algorithms=self.ours.algorithms)}
        changes |= {f"place by {cost}": self.places[cost] for cost in COSTS}
        return [
            {
                "algorithm": name,
                "accuracy printed": float(means[0][:, i].mean()),
                "accuracy here": float(means[1][:, i].mean()),
                "accuracy held out": float(self.held_out[:, i].mean()),
                **{
                    f"{what} {whose}": float(values[:, i].mean())
                    for what, both in changes.items()
                    for whose, values in ((PRINTED, both.first), (OURS, both.second))
                },
                "wins printed": int(self.wins[0, i]),
                "wins here": int(self.wins[1, i]),
            }
            for i, name in enumerate(self.ours.algorithms)
        ]

    def differences(self) -> list[Row]:
        """Return one row per data set and algorithm: accuracy here less printed, the farthest first.

        `inside` says whether our mean lies among the ten printed fold accuracies.
        """
        printed, ours, folds = (
            self.theirs.means("accuracy"),
            self.ours.means("accuracy"),
            self.theirs.cube("accuracy"),
        )
        low, high = folds.min(axis=(2, 3)), folds.max(axis=(2, 3))
        return [
            {
                "dataset": self.ours.datasets[s],
                "algorithm": self.ours.algorithms[a],
                "printed": float(printed[s, a]),
                "here": float(ours[s, a]),
                "difference": float(ours[s, a] - printed[s, a]),
                "inside": bool(low[s, a] <= ours[s, a] <= high[s, a]),
            }
            for s, a in zip(
                *np.unravel_index(np.argsort(-np.abs(ours - printed), axis=None, kind="stable"), ours.shape),
                strict=True,
            )
        ]

    def accuracies(self) -> list[Row]:
        """Return one row per algorithm: how far accuracies lie from the printed ones, in points."""
        rows = self.differences()
        out: list[Row] = []
        for name in self.ours.algorithms:
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

    def decided(self) -> list[Row]:
        """Return one row per way and cost: pairs that differ significantly in print, here, and in both."""
        return [
            {"way": way, "cost": cost, "printed": pairs.first, "here": pairs.second, "both": pairs.again}
            | {"contrary": pairs.contrary}
            for (way, cost), pairs in self.decisions.items()
        ]

    def measured(self) -> dict[str, Any]:
        """Return both runs side by side: accuracies, decisions, orders, places and costs."""
        return {
            "title": self.title(),
            "datasets": list(self.ours.datasets),
            "algorithms": underscored(self.rows()),
            "alpha": self.alpha,
            "cells": len(self.ours),
            "accuracies": underscored(self.accuracies()),
            "differences": self.differences(),
            "decisions": self.decided(),
            "orders": [row | {"order": list(item.order)} for item in self.orders for row in item.rows()],
            "places": {
                cost: {
                    "printed": places.first.tolist(),
                    "here": places.second.tolist(),
                    "alike": places.equal,
                    "first": places.same_first,
                    "moved": places.mean_size,
                    "turned": places.turned,
                }
                for cost, places in self.places.items()
            },
            "costs": {
                whose: {cost: list(by_cost(run, cost)) for cost in COSTS}
                for whose, run in ((PRINTED, self.theirs), (OURS, self.ours))
            },
        }

    def conclusions(self) -> Iterator[str]:
        """Say how far accuracies lie apart, which decisions are made again, and how orders differ."""
        rows = self.differences()
        size = np.median([abs(float(row["difference"])) for row in rows])  # type: ignore[arg-type]
        among = sum(bool(row["inside"]) for row in rows)
        yield (
            f"Mean accuracies lie {size:.1f} points from the printed ones (median of {len(rows)} cells),"
            f" and {among} of {len(rows)} among the ten printed fold accuracies of their cell."
        )
        inside = self.decisions[EACH, ""]
        yield (
            f"Of {inside.first} pairs that differ significantly on the printed folds ({EACH}), {inside.again} differ"
            f" alike here and {inside.contrary} the other way round; {inside.second} differ significantly here."
        )
        pairs = len(self.ours.algorithms) * (len(self.ours.algorithms) - 1) // 2
        turned = {(item.way, item.cost, item.scores_of, item.costs_of): item.turned for item in self.orders}
        for way, cost in dict.fromkeys((item.way, item.cost) for item in self.orders):
            yield (
                f"Ordered {way} and {cost}, {turned[way, cost, OURS, OURS]} of {pairs} pairs stand the other way round"
                f" than in print; with our scores and the printed costs {turned[way, cost, OURS, PRINTED]}, with the"
                f" printed scores and our costs {turned[way, cost, PRINTED, OURS]}."
            )

    def tables(self) -> Iterator[Table]:
        """Return means, accuracies, decisions and orders."""
        yield self._means()
        caption = (
            "Accuracy here less printed, in points; inside: on so many data sets our mean lies among the printed folds"
        )
        yield table_of(self.accuracies(), caption, texts=frozenset({0, 6}))
        yield table_of(self.decided(), "Pairs that differ significantly", left=2)
        if self.orders:
            caption = (
                "Orders over data sets by the scores and costs of either run; turned: pairs unlike the printed order"
            )
            rows = [row | {"order": " ".join(item.order)} for item in self.orders for row in item.rows()]
            yield table_of(rows, caption, left=5)

    def _means(self) -> Table:
        """Printed and here side by side in one cell, which keeps the table narrow."""
        header = ("algorithm", "accuracy", "held out", "rank", "place by train_time", "place by space", "wins")

        def cell(row: Row, what: str) -> str:
            digits = {"accuracy": ".1f", "wins": ".0f"}.get(what, ".2f")
            return ", ".join(format(row[f"{what} {whose}"], digits) for whose in (PRINTED, OURS))

        body = tuple(
            (
                str(row["algorithm"]),
                cell(row, "accuracy"),
                f"{row['accuracy held out']:.1f}",
                *(cell(row, what) for what in header[3:]),
            )
            for row in self.rows()
        )
        caption = "Means over data sets, printed and here: accuracy, its rank, the place by MultiTest, significant wins"
        return Table(caption=caption, header=header, body=body)


def underscored(rows: Sequence[Row]) -> list[Row]:
    """Return rows with names as JSON has them."""
    return [{name.replace(" ", "_"): value for name, value in row.items()} for row in rows]


def by_cost(run: Results, cost: str) -> tuple[str, ...]:
    """Return the algorithms by mean cost, each data set divided by its largest, cheapest first."""
    paid = run.means(cost)
    means = (paid / paid.max(axis=1, keepdims=True)).mean(axis=0)
    return tuple(run.algorithms[i] for i in np.argsort(means, kind="stable"))


def beside(printed: Results, ours: Results, held_out: FloatArray, *, alpha: float, **about: Any) -> Ulas2012Study:
    """Make every test and order on both runs, which have the same data sets and algorithms."""
    places, decided = {}, []
    shared: dict[str, Any] = {"score": "accuracy", "alpha": alpha}
    for cost in COSTS:
        inside: dict[str, Any] = {"rule": "multi2test", "pairwise": "5x2cv-f", "inner_adjust": "none"}
        made = [order(run, cost=cost, **shared, **inside) for run in (printed, ours)]
        places[cost] = Changes(first=made[0].ranks, second=made[1].ranks, algorithms=ours.algorithms)
        decided = [better_inside(ordering, alpha) for ordering in made]  # the same by either cost
    decisions = {(EACH, ""): Decisions.of(decided[0], decided[1])}
    orders = []
    runs = {PRINTED: printed, OURS: ours}
    tables = {(s, c): joined(scores, costs) for s, scores in runs.items() for c, costs in runs.items()}
    for (way, options), cost in product(WAYS if len(ours.datasets) > 1 else (), COSTS):
        results = {key: order(table, cost=cost, **shared, **options) for key, table in tables.items()}
        first, second = results[PRINTED, PRINTED], results[OURS, OURS]
        named = "" if way == "by scores" else cost  # which tests scores alone
        decisions[way, named] = Decisions.of(first.better, second.better)
        for (scores_of, costs_of), ordering in results.items():
            changes = Changes(first=places_of(first), second=places_of(ordering), algorithms=ordering.algorithms)
            turned = round(changes.turned * len(first.algorithms) * (len(first.algorithms) - 1) / 2)
            about_it = {"way": way, "cost": cost, "scores_of": scores_of, "costs_of": costs_of}
            orders.append(MadeOrder(**about_it, order=ordering.order, turned=turned))
    return Ulas2012Study(
        theirs=printed,
        ours=ours,
        held_out=held_out,
        alpha=alpha,
        places=places,
        wins=np.array([better.sum(axis=(0, 1)) for better in decided]),
        decisions=decisions,
        orders=tuple(orders),
        **about,
    )


def joined(scores: Results, costs: Results, *, unit: float = 1.0, space: str = "space") -> Results:
    """Join the accuracies of one run with the costs of one, as a table to order."""
    cube = unit * scores.cube("accuracy")
    s, a, r, f = (index.ravel() for index in np.indices(cube.shape))
    return Results.from_dict(
        {
            "dataset": [scores.datasets[i] for i in s],
            "algorithm": [scores.algorithms[i] for i in a],
            "replication": (r + 1).tolist(),
            "fold": (f + 1).tolist(),
            "accuracy": cube.ravel().tolist(),
            "train_time": costs.means("train_time")[s, a].tolist(),
            "space": costs.means(space)[s, a].tolist(),
        }
    )


PROTOCOL = "ulas2012"
SMALL_ROWS = 1000
"""Without `full`, only the data sets of a folder with so many rows at most are run: a few seconds each."""
BUILT_IN: dict[str, dict[str, object]] = {
    name: {"source": f"builtin:{name}"} for name in ("iris", "wine", "balance", "tictactoe", "titanic")
}
BUILT_IN["monks"] = {"source": "builtin:monks1", "name": "monks"}
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
    store: str | Path = "ulas2012.db",
    run: bool = True,
    alpha: float = 0.05,
    seed: int = 0,
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
    store : str or Path, default "ulas2012.db"
        Keep the runs there, and run only what it lacks: a run that was stopped goes on.
    run : bool, default True
        Run what the store lacks; otherwise read what it holds.
    alpha : float, default 0.05
    seed : int, default 0
        Of the splits and the learners.
    progress
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
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     result = ulas2012_study(datasets=["iris"], algorithms=["c45", "5nn"], store=f"{folder}/few.db")
    >>> result.ours.datasets, len(result.ours), result.held_out.shape
    (('iris',), 20, (1, 2))
    """
    level = check_alpha(alpha)
    printed = published.ulas2012()
    check_choices("algorithm of the paper", algorithms or (), printed.algorithms)
    check_choices("data set of the paper", datasets or (), printed.datasets)
    options: dict[str, Any] = {"datasets": datasets, "algorithms": algorithms}
    if run:
        from tiebreak import lab
        from tiebreak.lab.prepared import load_data

        plan = _plan(_chosen(folder, full, datasets, printed.datasets), algorithms, seed)
        summary = lab.run(plan, store=store, progress=progress)
        left = summary.counts["waiting"] + summary.counts["running"]
        if summary.interrupted or left:
            raise OptionError(
                f"The run was stopped: {left} of {summary.cells} cells are left.",
                why="Printed and new results are compared on whole data sets.",
                mend=f"Run the same again to go on, or read what there is with {either('run=False', '--no-run')}.",
            )
        # by fingerprint, as a store may hold another data set of the same name, such as a shorter one
        options = {"datasets": list(load_data(plan)), "algorithms": [item.name for item in plan.algorithms]}
    ours = read_store(store, scores=list(MEASURES), origin="lab", seed=seed, **options)
    return _study(ours, printed, level)


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
    return beside(
        printed.only(datasets=results.datasets, algorithms=results.algorithms),
        joined(results, results, unit=100.0, space="model_bytes"),
        100.0 * results.means("test_accuracy"),
        alpha=alpha,
        n_printed=len(printed.datasets),
        caveats=distinct([*results.caveats, *notes, WHY]),
    )


WHY = Caveat(
    "printed-rounding",
    "Folds are drawn anew, so accuracies differ by chance. Data sets were taken from public repositories years later."
    " Seconds are those of another machine and other programs, and space is the bytes of the stored model, so orders by"
    " cost differ. The papers leave open the constant of the kernel of sv2, the initial weights of lnp and mlp, and how"
    " c45 and mdt treat symbolic attributes.",
)
