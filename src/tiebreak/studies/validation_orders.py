"""Orders by validation folds against orders on the held-out part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, check_alpha, check_choices
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.comparison.gaps import check_left, settled, settled_costs
from tiebreak.documents import Framed, Row, Table, as_came_in
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.methods import choices
from tiebreak.ordering import Ordering, order
from tiebreak.readers import as_results
from tiebreak.results import Results, directions
from tiebreak.stats import CORRECTIONS, fitting_test, rank_rows
from tiebreak.studies.result import StudyResult
from tiebreak.studies.ulas2012 import EQUAL, Changes, Decisions, better_inside, places_of, underscored
from tiebreak.wording import either, option

PER_SET, OVER_SETS = "each data set", "all data sets"
TESTS = tuple(name for name in choices("folds", verb="order") if name not in ("score", "hotelling"))
"""The tests that MultiTest can be run with on the folds of one data set: of the others one makes no test, one takes
several scores."""
VARIANTS = ("2008", "2012")
MOST_EXACT, MOST_INNER = 11, 14
"""Up to so many algorithms p-values inside a data set are corrected by Bergmann and Hommel's rule, as `order` does,
and the variant of 2012 can be computed."""
HELD_OUT = "test_"
"""What stands before the name of a score on the held-out part, as the lab writes it."""
SECOND = ("space", "model_bytes", "predict_time")
"""The cost beside training time, the first of these that there is: the papers have the space that a model takes."""
FAR = 0.5
"""An algorithm that moves by so many places on average is named."""
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Way(Framed):
    """One way of ordering on both parts; `cost` is empty where cost plays no part.

    `over` says what an order is of: "each data set" by itself, or "all data sets" together; `test` names the test of
    MultiTest inside a data set. `decisions` is None where nothing is tested; `tied` says that costs tie.
    """

    over: str
    name: str
    cost: str
    changes: Changes
    decisions: Decisions | None = None
    tied: bool = False
    test: str = ""

    @property
    def label(self) -> str:
        """Name the way with its cost."""
        return f"{self.name}; {self.cost}" if self.cost else self.name

    def rows(self) -> list[Row]:
        """Return one row: what comes out alike on both parts, and how far places move."""
        changes, pairs = self.changes, self.decisions
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
            "significant": None if pairs is None else pairs.first,
            "significant held out": None if pairs is None else pairs.second,
            "again": None if pairs is None else pairs.again,
            "contrary": None if pairs is None else pairs.contrary,
        }
        return [row]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ValidationStudy(StudyResult):
    """Every way of ordering, with the places on both parts.

    Of a way, `changes.first` are the places on the validation folds and `changes.second` those on the held-out part,
    (orders, algorithms); orders are those of `datasets`, or the one over all of them.
    """

    STUDY = "validation"
    SETTINGS = ("score", "held_out", "costs", "alpha", "datasets", "algorithms")
    PAPERS = ("ulas2012",)

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
        """Return every way of ordering, with the places on both parts: a row for each data set, or one over all."""
        ways = [
            row
            | {
                "algorithms": underscored(way.changes.rows()),
                "places": {"validation": way.changes.first.tolist(), "held_out": way.changes.second.tolist()},
            }
            for way in self.ways
            for row in underscored(way.rows())
        ]
        return {"title": self.title(), "ways": ways}

    def conclusions(self) -> Iterator[str]:
        """Conclude by the first test, which is the usual one, with its last correction, and by the mean score."""
        sets, count = [way for way in self.ways if way.over == PER_SET], len(self.datasets)
        usual = {way.cost: way for way in sets if way.cost and way.test == sets[0].test}
        for way in usual.values():
            yield (
                f"{way.name}, with {way.cost}: {way.changes.equal} of {count} data sets are ordered alike on both"
                f" parts, an algorithm moves {way.changes.mean_size:.2f} places on average, and {_again(way)}."
            )
        plain = next(way for way in sets if not way.cost)
        yield (
            f"By mean score alone {plain.changes.equal} of {count} are ordered alike, and an algorithm moves"
            f" {plain.changes.mean_size:.2f} places."
        )
        moved = zip(self.algorithms, plain.changes.moved.mean(axis=0).tolist(), strict=True)
        back = sorted((item for item in moved if item[1] >= FAR), key=lambda entry: -entry[1])
        if back:
            named = ", ".join(f"{name} {change:.1f}" for name, change in back)
            yield f"Further back on the held-out part by mean score, in places on average: {named}."

    def tables(self) -> Iterator[Table]:
        """Return what comes out again on each data set and over all, and the orders."""
        single, over = ([way for way in self.ways if way.over == kind] for kind in (PER_SET, OVER_SETS))
        yield _counts("Orders of each data set", single)
        body = tuple((way.name, way.cost, *(f"{x:+.2f}" for x in way.changes.moved.mean(axis=0))) for way in single)
        caption = "Mean change of place on a data set: + is further back on the held-out part"
        yield Table(caption=caption, header=("ordered by", "cost", *self.algorithms), body=body, left=2)
        if over:
            yield _counts("Orders over all data sets", over)
            body = tuple(
                (way.name, way.cost, part, order_text(places[0], self.algorithms))
                for way in over
                for part, places in (("validation", way.changes.first), ("held out", way.changes.second))
            )
            header = ("ordered by", "cost", "part", "order")
            yield Table(caption="The orders over all data sets", header=header, body=body, left=4)


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
        changes, pairs = way.changes, way.decisions
        alike, first = (
            f"{count} of {changes.orders}" if changes.orders > 1 else "yes" if count else "no"
            for count in (changes.equal, changes.same_first)
        )
        moved = (f"{changes.mean_size:.2f}", f"{changes.largest:g}", f"{changes.turned:.1%}")
        decided = ("", "", "")
        if pairs is not None:
            decided = (f"{pairs.first}, {pairs.second}", str(pairs.again), str(pairs.contrary))
        body.append((way.name, way.cost, alike, first, *moved, *decided))
    return Table(caption=caption, header=header, body=tuple(body), left=2)


def _again(way: Way) -> str:
    """Where nothing differs significantly, orders agree by cost alone, which is no success."""
    if way.decisions is None or not way.decisions.first:
        return "no pair differs significantly on the validation folds: there cost alone orders them"
    return (
        f"of {way.decisions.first} pairs that differ significantly on the validation folds {way.decisions.again} do so"
        f" again, {way.decisions.contrary} the other way round"
    )


@as_came_in
def validation_study(
    results: Any,
    *,
    score: str = "accuracy",
    held_out: str | None = None,
    costs: Sequence[str] | None = None,
    tests: Sequence[str] | None = None,
    inner_adjust: Sequence[str] | None = None,
    alpha: float = 0.05,
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
        Whatever `tiebreak.as_results` takes and holds the score on both parts, fold by fold, and costs. A data set that
        lacks any of them is left out.
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
    alpha : float, default 0.05
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
    level = check_alpha(alpha)
    names = (score, held_out or f"{HELD_OUT}{score}")
    if names[0] == names[1]:  # it always agrees with itself, and would be read as good news
        raise OptionError(
            f"The score of both parts is {score!r}.",
            why="An order is compared with the one on held-out data, not with itself.",
            mend=f"Use {option(held_out=f'{HELD_OUT}{score}')}.",
        )
    check_choices("test of folds", tests or (), TESTS)
    check_choices("inner correction", inner_adjust or (), CORRECTIONS)
    table = _both_parts(results, names, costs, reading)
    chosen = _costs(table, costs)
    table, notes = _whole(table, names, chosen)
    adjusts = inner_adjust or ("none", "bergmann-hommel" if len(table.algorithms) <= MOST_EXACT else "shaffer")
    usual = tests or [fitting_test(*table.cube(score).shape[2:]) or "5x2cv-f"]
    ways = []
    for way in _ways(table, names, chosen, usual, adjusts, level, higher_is_better):
        (progress or (lambda _: None))(f"{way.over}, {way.label}")
        ways.append(way)
    return ValidationStudy(
        ways=tuple(ways),
        datasets=table.datasets,
        algorithms=table.algorithms,
        score=names[0],
        held_out=names[1],
        costs=tuple(chosen),
        alpha=level,
        caveats=distinct([*table.caveats, *notes, *_how_to_read(ways)]),
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


def _whole(table: Results, names: tuple[str, str], costs: Sequence[str]) -> tuple[Results, list[Caveat]]:
    """Drop what has gaps for both parts at once: the two orders must be of the same algorithms and data sets."""
    notes: list[Caveat] = []
    for name in names:
        table, more = settled(table, name, policy="drop-datasets", verb="order")
        notes += more
    results, more = settled_costs(table, costs, policy="drop-datasets")
    check_left(results, dropped=False, verb="order", least_sets=1)
    return results, [*notes, *more]


def _ways(
    table: Results,
    scores: tuple[str, str],
    costs: Sequence[str],
    tests: Sequence[str],
    adjusts: Sequence[str],
    alpha: float,
    higher_is_better: bool | None,
) -> Iterator[Way]:
    """Every data set by itself first, then all of them together."""

    def both(**options: Any) -> list[Ordering]:
        shared: dict[str, Any] = {"alpha": alpha, "higher_is_better": higher_is_better, **options}
        return [order(table, score=name, **shared) for name in scores]

    def way(places: Sequence[FloatArray], orderings: Sequence[Ordering] = (), **about: Any) -> Way:
        changes = Changes(first=places[0], second=places[1], algorithms=table.algorithms)
        return Way(changes=changes, tied=any(ordering.tied_costs for ordering in orderings), **about)

    for cost, test, adjust in product(costs, tests, adjusts):  # what is tested over data sets is not used
        made = both(cost=cost, rule="multi2test", pairwise=test, inner_adjust=adjust, posthoc="nemenyi")
        name = f"MultiTest, {test}, {'uncorrected' if adjust == 'none' else adjust}"
        decisions = Decisions.of(*(better_inside(ordering, alpha) for ordering in made))
        places = [ordering.ranks for ordering in made]
        yield way(places, made, over=PER_SET, name=name, cost=cost, test=test, decisions=decisions)
    errors = []
    for name in scores:
        higher, means = directions(table, name, higher_is_better)[0], table.means(name)
        errors.append(np.where(higher[:, None], -means, means))
    ranks = [rank_rows(error) for error in errors]
    yield way(ranks, over=PER_SET, name="mean score", cost="")
    if len(table.datasets) == 1:
        return
    for name, values in (("mean score", errors), ("mean rank", ranks)):
        places = [rank_rows(value.mean(axis=0, keepdims=True)) for value in values]
        yield way(places, over=OVER_SETS, name=name, cost="")
    rules: list[tuple[str, dict[str, str]]] = [
        (f"Multi2Test by places, {year}", {"variant": year}) for year in VARIANTS
    ]
    if len(table.algorithms) > MOST_INNER:
        rules[-1] = ("Multi2Test by places, shaffer", {"inner_adjust": "shaffer"})
    for cost, (name, chosen) in product(costs, [*rules, ("by scores", {"rule": "multitest"})]):
        made = both(cost=cost, **chosen)
        decisions = Decisions.of(*(ordering.better for ordering in made))
        yield way(list(map(places_of, made)), made, over=OVER_SETS, name=name, cost=cost, decisions=decisions)


def _how_to_read(ways: Sequence[Way]) -> Caveats:
    """Say what agreement does not mean, and which ways decide nothing."""
    idle = [
        way.name for way in ways if way.decisions is not None and not way.decisions.first and not way.decisions.second
    ]
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
