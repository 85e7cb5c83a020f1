"""Orders by validation folds against orders on the held-out part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, check_alpha, check_choice, check_choices
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.comparison.gaps import check_left, settled, settled_costs
from tiebreak.documents import Document, Framed, Row, Table, as_came_in
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.methods import choices
from tiebreak.methods.policies import DROPPING
from tiebreak.ordering import Ordering, order
from tiebreak.readers import as_results
from tiebreak.results import Results, directions
from tiebreak.stats import CORRECTIONS, fitting_test, rank_rows
from tiebreak.studies.result import StudyResult
from tiebreak.studies.ulas2012 import EQUAL, Changes, Told, decided_inside, told_apart
from tiebreak.wording import either, option

PER_SET, OVER_SETS = "each data set", "all data sets"
ALONE = ("score", "hotelling")
"""Not among the tests of folds here: the one makes no test, the other takes several scores."""
VARIANTS = ("2008", "2012")
MOST_INNER = 14
"""Up to so many algorithms Bergmann and Hommel's correction, and so the variant of 2012, goes inside a data set."""


TESTS = tuple(name for name in choices("folds", verb="order") if name not in ALONE)
"""The tests that MultiTest can be run with on the folds of one data set."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Way(Framed):
    """One way of ordering on both parts; `cost` is empty where cost plays no part, `told` None where nothing is tested.

    `over` says what an order is of: "each data set" by itself, or "all data sets" together; `test` names the test of
    MultiTest inside a data set.
    """

    over: str
    name: str
    cost: str
    changes: Changes
    told: Told | None = None
    tied: bool = False
    test: str = ""

    @property
    def label(self) -> str:
        """Name the way with its cost."""
        return f"{self.name}; {self.cost}" if self.cost else self.name

    def rows(self) -> list[Row]:
        """Return one row: what comes out alike on both parts, and how far places move."""
        changes, options = self.changes, self.told
        row: Row = {
            "over": self.over,
            "ordered by": self.name,
            "cost": self.cost,
            "orders": changes.orders,
            "alike": changes.equal,
            "first": changes.same_first,
            "moved": changes.mean_size,
            "farthest": changes.largest,
            "turned": changes.turned,
            "significant": None if options is None else options.first,
            "significant held out": None if options is None else options.second,
            "again": None if options is None else options.again,
            "contrary": None if options is None else options.contrary,
        }
        return [row]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asked:
    """What is ordered: the table without gaps, the score on either part, and the rules for costs."""

    table: Results
    scores: tuple[str, str]
    alpha: float
    seed: int
    higher_is_better: bool | None = None

    def both(self, **options: Any) -> list[Ordering]:
        """Order on the validation folds and on the held-out part by the same choices."""
        shared: dict[str, Any] = {"alpha": self.alpha, "seed": self.seed, **options}
        shared["higher_is_better"] = self.higher_is_better
        return [order(self.table, score=name, **shared) for name in self.scores]

    def errors(self) -> list[FloatArray]:
        """Return the mean scores of both parts, (data sets, algorithms), turned so that lower is better."""
        result = []
        for name in self.scores:
            higher, means = directions(self.table, name, self.higher_is_better)[0], self.table.means(name)
            result.append(np.where(higher[:, None], -means, means))
        return result


def per_set(options: Asked, cost: str, test: str, adjust: str) -> Way:
    """Run MultiTest on every data set, on both parts; what is tested over them is not used."""
    orderings = options.both(cost=cost, rule="multi2test", pairwise=test, inner_adjust=adjust, posthoc="nemenyi")
    decisions = [decided_inside(ordering, options.alpha) for ordering in orderings]
    name = f"MultiTest, {test}, {'uncorrected' if adjust == 'none' else adjust}"
    about = {"over": PER_SET, "name": name, "cost": cost, "tied": _tied(orderings), "test": test}
    return _way(options, [ordering.ranks for ordering in orderings], told=told_apart(*decisions), **about)


def over_sets(options: Asked, cost: str) -> Iterator[Way]:
    """Order over data sets: by places as published, and by scores."""
    ways = [(f"Multi2Test by places, {year}", {"variant": year}) for year in VARIANTS]
    if len(options.table.algorithms) > MOST_INNER:  # beyond them the variant of 2012 cannot be computed
        ways[-1] = ("Multi2Test by places, shaffer", {"inner_adjust": "shaffer"})
    for name, chosen in [*ways, ("by scores", {"rule": "multitest"})]:
        orderings = options.both(cost=cost, **chosen)
        places = [
            np.array([[1.0 + ordering.order.index(one) for one in ordering.algorithms]]) for ordering in orderings
        ]
        apart = told_apart(*(ordering.better for ordering in orderings))
        yield _way(options, places, over=OVER_SETS, name=name, cost=cost, told=apart, tied=_tied(orderings))


def without_cost(options: Asked) -> Iterator[Way]:
    """Order by the mean score of each data set, by the mean over data sets, and by mean ranks; nothing is tested."""
    errors = options.errors()
    ranks = [rank_rows(error) for error in errors]
    yield _way(options, ranks, over=PER_SET, name="mean score", cost="")
    if len(options.table.datasets) > 1:
        means = [rank_rows(error.mean(axis=0, keepdims=True)) for error in errors]
        yield _way(options, means, over=OVER_SETS, name="mean score", cost="")
        of_ranks = [rank_rows(rank.mean(axis=0, keepdims=True)) for rank in ranks]
        yield _way(options, of_ranks, over=OVER_SETS, name="mean rank", cost="")


def _tied(orderings: Sequence[Ordering]) -> bool:
    return any(ordering.tied_costs for ordering in orderings)


def _way(options: Asked, places: Sequence[FloatArray], **about: Any) -> Way:
    first, second = places
    return Way(changes=Changes(first=first, second=second, algorithms=options.table.algorithms), **about)


FAR = 0.5
"""An algorithm that moves by so many places on average is named."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ValidationStudy(StudyResult):
    """What `validation_study` found: every way of ordering, with the places on both parts; prints as a row of tables.

    Of a way, `changes.first` are the places on the validation folds and `changes.second` those on the held-out part,
    (orders, algorithms); orders are those of `datasets`, or the one over all of them.
    """

    STUDY = "validation"
    SETTINGS = ("score", "held_out", "costs", "alpha", "datasets", "algorithms")

    ways: tuple[Way, ...]
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    score: str
    held_out: str
    costs: tuple[str, ...]
    alpha: float

    def title(self) -> str:
        """Say in one line what was held against what."""
        return (
            f"Orders of {len(self.algorithms)} algorithms by {self.score} on validation folds beside {self.held_out},"
            f" {len(self.datasets)} data set(s), alpha {self.alpha:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row per way and cost."""
        return [row for way in self.ways for row in way.rows()]

    def way(self, label: str) -> Way:
        """Return a way by its label, such as "MultiTest, 5x2cv-f, uncorrected; train_time": of each data set first."""
        return next(way for way in self.ways if way.label == label)

    def measured(self) -> dict[str, Any]:
        """Return every way of ordering, with the places on both parts."""
        return {"title": self.title(), "ways": [_way_dict(way) for way in self.ways]}

    # ---- what is printed

    def document(self) -> Document:
        """Return the conclusion, then the tables under their captions, with how to read them."""
        counted = f"{len(self.ways)} ways of ordering, each on the validation folds and on the held-out part:"
        tables = Document(title=counted, tables=tuple(self._tables()), caveats=self.caveats)
        return Document(title=self.title(), said=tuple(self._said()), tables=(), papers=("ulas2012",), more=(tables,))

    def _said(self) -> Iterator[str]:
        """Say it of the first test, which is the usual one, with its last correction, and of the mean score."""
        sets, count = [way for way in self.ways if way.over == PER_SET], len(self.datasets)
        usual = {way.cost: way for way in sets if way.told is not None and way.test == sets[0].test}
        for way in usual.values():
            options = way.told
            assert options is not None  # so they were chosen
            yield (
                f"{way.name}, with {way.cost}: {way.changes.equal} of {count} data sets are ordered alike on both"
                f" parts, an algorithm moves {way.changes.mean_size:.2f} places on average, and {_again(options)}."
            )
        plain = next(way for way in sets if not way.cost)
        yield (
            f"By mean score alone {plain.changes.equal} of {count} are ordered alike, and an algorithm moves"
            f" {plain.changes.mean_size:.2f} places."
        )
        moved = list(zip(self.algorithms, plain.changes.moved.mean(axis=0).tolist(), strict=True))
        back = sorted((item for item in moved if item[1] >= FAR), key=lambda entry: -entry[1])
        if back:
            named = ", ".join(f"{name} {change:.1f}" for name, change in back)
            yield f"Further back on the held-out part by mean score, in places on average: {named}."

    def _tables(self) -> Iterator[Table]:
        yield _counts("Orders of each data set", [way for way in self.ways if way.over == PER_SET])
        yield self._moved()
        over = [way for way in self.ways if way.over == OVER_SETS]
        if over:
            yield _counts("Orders over all data sets", over)
            yield self._orders(over)

    def _moved(self) -> Table:
        """Ways down, algorithms across."""
        body = tuple(
            (way.name, way.cost, *(f"{value:+.2f}" for value in way.changes.moved.mean(axis=0)))
            for way in self.ways
            if way.over == PER_SET
        )
        caption = "Mean change of place on a data set: + is further back on the held-out part"
        return Table(caption=caption, header=("ordered by", "cost", *self.algorithms), body=body, left=2)

    def _orders(self, over: Sequence[Way]) -> Table:
        body = tuple(
            (way.name, way.cost, part, order_text(places[0], self.algorithms))
            for way in over
            for part, places in (("validation", way.changes.first), ("held out", way.changes.second))
        )
        header = ("ordered by", "cost", "part", "order")
        return Table(caption="The orders over all data sets", header=header, body=body, left=4)


def order_text(places: FloatArray, algorithms: Sequence[str]) -> str:
    """Write places as an order; what shares a place is joined by an equals sign."""
    ordered = sorted(range(len(algorithms)), key=lambda i: (float(places[i]), algorithms[i]))
    parts = [algorithms[ordered[0]]]
    for before, i in pairwise(ordered):
        parts += [" = " if abs(places[i] - places[before]) < EQUAL else " > ", algorithms[i]]
    return "".join(parts)


def _counts(caption: str, ways: Sequence[Way]) -> Table:
    header = ("ordered by", "cost", "alike", "first", "moved", "farthest", "turned", "significant", "again", "contrary")
    body = []
    for way in ways:
        changes, options = way.changes, way.told
        decided = ("", "", "")
        if options is not None:
            decided = (f"{options.first}, {options.second}", str(options.again), str(options.contrary))
        body.append(
            (
                way.name,
                way.cost,
                _of(changes.equal, changes.orders),
                _of(changes.same_first, changes.orders),
                f"{changes.mean_size:.2f}",
                f"{changes.largest:g}",
                f"{changes.turned:.1%}",
                *decided,
            )
        )
    return Table(caption=caption, header=header, body=tuple(body), left=2)


def _of(count: int, orders: int) -> str:
    """Write a count of orders; of a single one only whether."""
    return f"{count} of {orders}" if orders > 1 else "yes" if count else "no"


def _way_dict(way: Way) -> dict[str, Any]:
    """`places` are in the order of the algorithms, one row for each data set or the one order over all."""
    changes = way.changes
    return {
        **{name.replace(" ", "_"): value for name, value in way.rows()[0].items()},
        "algorithms": [{name.replace(" ", "_"): value for name, value in row.items()} for row in changes.rows()],
        "places": {"validation": changes.first.tolist(), "held_out": changes.second.tolist()},
    }


def _again(options: Told) -> str:
    """Where nothing differs significantly, orders agree by cost alone, which is no success."""
    if not options.first:
        return "no pair differs significantly on the validation folds: there cost alone orders them"
    return (
        f"of {options.first} pairs that differ significantly on the validation folds {options.again} do so again,"
        f" {options.contrary} the other way round"
    )


HELD_OUT = "test_"
"""What stands before the name of a score on the held-out part, as the lab writes it."""
SECOND = ("space", "model_bytes", "predict_time")
"""The cost beside training time, the first of these that there is: the papers have the space that a model takes."""
MOST_EXACT = 11
"""Up to so many algorithms p-values inside a data set are corrected by Bergmann and Hommel's rule, as `order` does."""
Say = Callable[[str], object]


@as_came_in
def validation_study(
    results: Any,
    *,
    score: str = "accuracy",
    held_out: str | None = None,
    costs: Sequence[str] | None = None,
    tests: Sequence[str] | None = None,
    inner_adjust: Sequence[str] | None = None,
    missing: str = "drop-datasets",
    alpha: float = 0.05,
    seed: int = 0,
    higher_is_better: bool | None = None,
    progress: Say | None = None,
    **reading: Any,
) -> ValidationStudy:
    """Hold the order found on validation folds against the order found on the held-out part, for each way of ordering.

    Hypothesis: none is tested; it is counted what comes out again.

    Formula: on each data set MultiTest orders the algorithms by the score on the validation folds, and once more by the
    score of the same models on the part that was held out, with the same test, correction and cost; so does the mean
    score without a test. Over data sets: Multi2Test by places in both published variants, the order by scores, the mean
    score and the mean rank. The change of an algorithm is its place on the held-out part less its place on the
    validation folds. An order comes out alike where no algorithm changes its place.

    Assumptions: the models of all folds are scored on the same held-out part, as the lab does. Tests there see how
    training varies, not how the part does.
    When not to use it: to choose among ways of ordering by agreement alone. Cost is the same on both parts, so a way
    that finds no difference agrees with itself everywhere.

    Parameters
    ----------
    results : Results, store or path
        Whatever `tiebreak.as_results` takes and holds the score on both parts, fold by fold, and costs.
    score : str, default "accuracy"
        The score on the validation folds.
    held_out : str, optional
        The score on the held-out part; by default that of the same name with `test_` in front.
    costs : sequence of str, optional
        By default train_time, and the first of space, model_bytes and predict_time that there is.
    tests : sequence of str, optional
        Tests of pairs inside a data set; by default the one that fits the resampling, in the papers "5x2cv-f".
    inner_adjust : sequence of str, optional
        Corrections inside a data set; by default "none", as in the report of 2008, and "bergmann-hommel", as in the
        paper of 2012 ("shaffer" for more than 11 algorithms).
    missing : {"drop-datasets", "drop-algorithms", "drop-folds"}
        What is left out where a score is missing on either part; for costs the first two.
    alpha : float, default 0.05
    seed : int, default 0
        Passed on to `tiebreak.order`; nothing here is drawn.
    higher_is_better : bool, optional
        Of both scores; needed where their names do not tell.
    progress : callable, optional
        Called with a line of text before each step.
    **reading : optional
        How to read what is no Results yet; see `tiebreak.as_results`.

    Returns
    -------
    ValidationStudy

    References
    ----------
    ulas2012
    Its section 4.7 makes this comparison with MultiTest.
    ulas2008

    Examples
    --------
    >>> import numpy as np
    >>> rng, sets, names = np.random.default_rng(0), [f"d{i}" for i in range(4)], ["a", "b", "c"]
    >>> rows = [(s, n, r, f) for s in sets for n in names for r in range(5) for f in range(2)]
    >>> table = dict(zip(("dataset", "algorithm", "replication", "fold"), map(list, zip(*rows))))
    >>> level = np.array([{"a": 0.7, "b": 0.8, "c": 0.81}[row[1]] for row in rows])
    >>> table |= {"accuracy": (level + rng.normal(0, 0.01, 120)).tolist()}
    >>> table |= {"test_accuracy": (level + rng.normal(0, 0.01, 120)).tolist()}
    >>> table |= {"train_time": [{"a": 1.0, "b": 2.0, "c": 3.0}[row[1]] for row in rows]}
    >>> result = validation_study(table, tests=["5x2cv-f"], inner_adjust=["none"])
    >>> [(way.name, way.changes.equal) for way in result.ways if way.over == "each data set"]
    [('MultiTest, 5x2cv-f, uncorrected', 3), ('mean score', 3)]
    """
    level, say = check_alpha(alpha), progress or (lambda _: None)
    names = (score, held_out or f"{HELD_OUT}{score}")
    _check_two(*names)
    check_choice("policy for missing scores", missing, DROPPING)
    check_choices("test of folds", tests or (), TESTS)
    check_choices("inner correction", inner_adjust or (), CORRECTIONS)
    table = _both_parts(results, names, costs, reading)
    chosen = _costs(table, costs)
    table, notes = _whole(table, names, chosen, missing)
    adjusts = list(inner_adjust or ("none", "bergmann-hommel" if len(table.algorithms) <= MOST_EXACT else "shaffer"))
    options = Asked(table=table, scores=names, alpha=level, seed=seed, higher_is_better=higher_is_better)
    ways = tuple(_ways(options, chosen, list(tests or _fitting(table, score)), adjusts, say))
    return ValidationStudy(
        ways=ways,
        datasets=table.datasets,
        algorithms=table.algorithms,
        score=names[0],
        held_out=names[1],
        costs=tuple(chosen),
        alpha=level,
        caveats=distinct([*table.caveats, *notes, *_said(ways)]),
    )


def _fitting(table: Results, score: str) -> list[str]:
    """Return the test that fits the folds; `order` says what one score for each data set and algorithm lacks."""
    return [fitting_test(*table.cube(score).shape[2:]) or "5x2cv-f"]


def _check_two(score: str, held_out: str) -> None:
    """A score beside itself always agrees, and would be read as good news."""
    if score == held_out:
        raise OptionError(
            f"The score of both parts is {score!r}.",
            why="An order is compared with the one on held-out data, not with itself.",
            mend=f"Use {option(held_out=f'{HELD_OUT}{score}')}.",
        )


def _both_parts(results: Any, names: tuple[str, str], costs: Sequence[str] | None, reading: dict[str, Any]) -> Results:
    """A table that holds one part alone is refused with the line of a plan that keeps the other."""
    if isinstance(results, Results):
        result = results
    else:
        wanted = list(names) if costs is not None else None  # without names every cost is read, and every score
        result = as_results(results, scores=wanted, costs=costs, verb="study validation", **reading)
    absent = [name for name in names if name not in result.scores]
    if absent:
        raise InputError(
            f"The results hold no {absent[0]!r}; their scores are {quoted(result.scores)}.",
            why="The study compares a score on the validation folds with the same score on a part that was held out.",
            mend="Run a plan that holds a part out, resampling = {scheme = '5x2cv', test = 0.3333}, or name the scores:"
            f" {option(score='accuracy', held_out='test_accuracy')}.",
        )
    return result


def _costs(table: Results, named: Sequence[str] | None) -> list[str]:
    """Take the costs that were named, or training time and what stands beside it in the papers."""
    if named:
        check_choices("cost", [name for name in named if name not in table.values], table.costs)
        return list(dict.fromkeys(named))
    second = next((name for name in SECOND if name in table.costs), None)
    names = [name for name in ("train_time", second) if name in table.costs]
    if not names:
        raise OptionError(
            f"The results hold neither train_time nor {', '.join(SECOND)}.",
            why="Where no difference is significant, a cost orders them.",
            mend=f"Name a cost: {either('costs=[...]', '--cost NAME')}; there are {quoted(table.costs) or 'none'}.",
        )
    return [str(name) for name in names]


def _whole(table: Results, names: tuple[str, str], costs: Sequence[str], policy: str) -> tuple[Results, list[Caveat]]:
    """Drop what has gaps for both parts at once: the two orders must be of the same algorithms and data sets."""
    notes: list[Caveat] = []
    for name in names:
        table, more = settled(table, name, policy=policy, verb="order")
        notes += more
    results, more = settled_costs(table, costs, policy="drop-datasets" if policy == "drop-folds" else policy)
    check_left(results, dropped=bool(notes or more), verb="order", least_sets=1)
    return results, [*notes, *more]


def _ways(
    options: Asked, costs: Sequence[str], tests: Sequence[str], adjusts: Sequence[str], say: Say
) -> Iterator[Way]:
    """Every data set by itself first, then all of them together."""
    several = len(options.table.datasets) > 1
    for cost in costs:
        for test in tests:
            for adjust in adjusts:
                say(f"MultiTest, {test}, {adjust}, {cost}")
                yield per_set(options, cost, test, adjust)
    yield from without_cost(options)
    for cost in costs if several else ():
        say(f"over data sets, {cost}")
        yield from over_sets(options, cost)


def _said(ways: Sequence[Way]) -> Caveats:
    """Say what agreement does not mean, and which ways decide nothing."""
    idle = [way.name for way in ways if way.told is not None and not way.told.first and not way.told.second]
    nothing = f" No difference was significant by {'; '.join(dict.fromkeys(idle))}." if idle else ""
    tied = "Where costs tie, the better mean score comes first, then the name."
    return (
        Caveat(
            "how-to-read",
            "alike: orders that are the same on both parts; first: orders with the same first algorithm; moved,"
            " farthest: mean and largest change of an algorithm's place; turned: share of pairs in the opposite order;"
            " significant: pairs with a significant difference on the validation folds, and on the held-out part;"
            " again, contrary: pairs significant on both, in the same or the opposite direction.",
        ),
        Caveat(
            "how-to-read",
            "Cost is the same on both parts, so an order that rests on it comes out again by itself: ways that find"
            f" few differences agree most and know least.{nothing}",
        ),
        Caveat(
            "dependent-blocks",
            "All models of a data set are scored on one held-out part: tests there see how training varies, not how"
            " another part would, and are no tests on new data.",
        ),
        *([Caveat("tied-costs", tied)] if any(way.tied for way in ways) else []),
    )
