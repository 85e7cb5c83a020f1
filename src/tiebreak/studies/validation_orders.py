"""The study of orders on validation folds: do they come out again on data that was held out?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tiebreak._checks import check_alpha, check_choice, check_choices
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.comparison.gaps import check_left, settled, settled_costs
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.methods.policies import DROPPING
from tiebreak.readers import as_results
from tiebreak.results import Results
from tiebreak.stats import CORRECTIONS
from tiebreak.studies._validation_study import ValidationStudy
from tiebreak.studies._validation_ways import Asked, Way, fold_tests, over_sets, per_set, usable_tests, without_cost
from tiebreak.wording import either, option

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
        The score on the held-out part; by default that of the same name with "test_" in front.
    costs : sequence of str, optional
        By default train_time, and the first of space, model_bytes and predict_time that there is.
    tests : sequence of str, optional
        Tests of pairs inside a data set; by default all that the resampling allows.
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
    >>> found = validation_study(table, tests=["5x2cv-f"], inner_adjust=["none"])
    >>> [(way.name, way.changes.equal) for way in found.ways if way.over == "each data set"]
    [('MultiTest, 5x2cv-f, uncorrected', 3), ('mean score', 3)]
    """
    level, say = check_alpha(alpha), progress or (lambda _: None)
    names = (score, held_out or f"{HELD_OUT}{score}")
    _check_two(*names)
    check_choice("policy for missing scores", missing, DROPPING)
    check_choices("test of folds", tests or (), fold_tests())
    check_choices("inner correction", inner_adjust or (), CORRECTIONS)
    table = _both_parts(results, names, costs, reading)
    chosen = _costs(table, costs)
    table, notes = _whole(table, names, chosen, missing)
    adjusts = list(inner_adjust or ("none", "bergmann-hommel" if len(table.algorithms) <= MOST_EXACT else "shaffer"))
    asked = Asked(table=table, scores=names, alpha=level, seed=seed, higher_is_better=higher_is_better)
    usable, left = (list(tests), []) if tests else usable_tests(asked, chosen[0], adjusts[0])
    ways = tuple(_ways(asked, chosen, usable, adjusts, say))
    return ValidationStudy(
        ways=ways,
        datasets=table.datasets,
        algorithms=table.algorithms,
        score=names[0],
        held_out=names[1],
        costs=tuple(chosen),
        alpha=level,
        caveats=distinct([*table.caveats, *notes, *left, *_said(ways)]),
    )


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
        found = results
    else:
        wanted = list(names) if costs is not None else None  # without names every cost is read, and every score
        found = as_results(results, scores=wanted, costs=costs, verb="study validation", **reading)
    absent = [name for name in names if name not in found.scores]
    if absent:
        raise InputError(
            f"The results hold no {absent[0]!r}; their scores are {quoted(found.scores)}.",
            why="The study compares a score on the validation folds with the same score on a part that was held out.",
            mend="Run a plan that holds a part out, resampling = {scheme = '5x2cv', test = 0.3333}, or name the scores:"
            f" {option(score='accuracy', held_out='test_accuracy')}.",
        )
    return found


def _costs(table: Results, named: Sequence[str] | None) -> list[str]:
    """Take the costs that were named, or training time and what stands beside it in the papers."""
    if named:
        check_choices("cost", [name for name in named if name not in table.values], table.costs)
        return list(dict.fromkeys(named))
    second = next((name for name in SECOND if name in table.costs), None)
    found = [name for name in ("train_time", second) if name in table.costs]
    if not found:
        raise OptionError(
            f"The results hold neither train_time nor {', '.join(SECOND)}.",
            why="Where no difference is significant, a cost orders them.",
            mend=f"Name a cost: {either('costs=[...]', '--cost NAME')}; there are {quoted(table.costs) or 'none'}.",
        )
    return [str(name) for name in found]


def _whole(table: Results, names: tuple[str, str], costs: Sequence[str], policy: str) -> tuple[Results, list[Caveat]]:
    """Drop what has gaps for both parts at once: the two orders must be of the same algorithms and data sets."""
    notes: list[Caveat] = []
    for name in names:
        table, more = settled(table, name, policy=policy, verb="order")
        notes += more
    kept, more = settled_costs(table, costs, policy="drop-datasets" if policy == "drop-folds" else policy)
    check_left(kept, dropped=bool(notes or more), verb="order", least_sets=1)
    return kept, [*notes, *more]


def _ways(asked: Asked, costs: Sequence[str], tests: Sequence[str], adjusts: Sequence[str], say: Say) -> Iterator[Way]:
    """Every data set by itself first, then all of them together."""
    several = len(asked.table.datasets) > 1
    for cost in costs:
        for test in tests:
            for adjust in adjusts:
                say(f"MultiTest, {test}, {adjust}, {cost}")
                yield per_set(asked, cost, test, adjust)
    yield from without_cost(asked)
    for cost in costs if several else ():
        say(f"over data sets, {cost}")
        yield from over_sets(asked, cost)


def _said(ways: Sequence[Way]) -> Caveats:
    """Say what agreement does not mean, and which ways decide nothing."""
    idle = [way.name for way in ways if way.told is not None and not way.told.first and not way.told.second]
    nothing = f" No difference was significant by {'; '.join(dict.fromkeys(idle))}." if idle else ""
    tied = "Where costs tie, the better mean score comes first, then the name."
    return (
        Caveat(
            "how-to-read",
            "alike: orders in which every algorithm keeps its place; first: orders that begin with the same one; moved,"
            " farthest: places that an algorithm moves, on average and at most; turned: share of pairs that stand the"
            " other way round; significant: pairs with a significant difference on the validation folds, and on the"
            " held-out part; again, contrary: of the first, those that the held-out part decides alike, or the"
            " other way round.",
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
