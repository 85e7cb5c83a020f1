"""Every way of ordering, on validation folds and on the held-out part: places of both, and what the tests decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import Caveat
from tiebreak.documents import Framed, Row
from tiebreak.errors import InputError
from tiebreak.methods import choices
from tiebreak.ordering import Ordering, order
from tiebreak.results import Results, directions
from tiebreak.stats import rank_rows
from tiebreak.studies._order_changes import Changes, Told, told_apart

PER_SET, OVER_SETS = "each data set", "all data sets"
ALONE = ("score", "hotelling")
"""Not among the tests of folds here: the one makes no test, the other takes several scores."""
VARIANTS = ("2008", "2012")
MOST_INNER = 14
"""Up to so many algorithms Bergmann and Hommel's correction, and so the variant of 2012, goes inside a data set."""


def fold_tests() -> tuple[str, ...]:
    """Return the tests that MultiTest can be run with on the folds of one data set.

    Examples
    --------
    >>> fold_tests()[:2]
    ('5x2cv-f', '5x2cv-t')
    """
    return tuple(name for name in choices("folds", verb="order") if name not in ALONE)


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
        changes, told = self.changes, self.told
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
            "significant": None if told is None else told.first,
            "significant held out": None if told is None else told.second,
            "again": None if told is None else told.again,
            "contrary": None if told is None else told.contrary,
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

    def both(self, **told: Any) -> list[Ordering]:
        """Order on the validation folds and on the held-out part by the same choices."""
        shared: dict[str, Any] = {"alpha": self.alpha, "seed": self.seed, **told}
        shared["higher_is_better"] = self.higher_is_better
        return [order(self.table, score=name, **shared) for name in self.scores]

    def errors(self) -> list[FloatArray]:
        """Return the mean scores of both parts, (data sets, algorithms), turned so that lower is better."""
        found = []
        for name in self.scores:
            higher, means = directions(self.table, name, self.higher_is_better)[0], self.table.means(name)
            found.append(np.where(higher[:, None], -means, means))
        return found


def per_set(asked: Asked, cost: str, test: str, adjust: str) -> Way:
    """Run MultiTest on every data set, on both parts; what is tested over them is not used."""
    found = asked.both(cost=cost, rule="multi2test", pairwise=test, inner_adjust=adjust, posthoc="nemenyi")
    decisions = [_inner(each, asked.alpha) for each in found]
    name = f"MultiTest, {test}, {'uncorrected' if adjust == 'none' else adjust}"
    about = {"over": PER_SET, "name": name, "cost": cost, "tied": _tied(found), "test": test}
    return _way(asked, [each.ranks for each in found], told=told_apart(*decisions), **about)


def _inner(found: Ordering, alpha: float) -> BoolArray:
    assert found.inner is not None  # a test of the folds was named
    return found.inner.better(alpha)


def over_sets(asked: Asked, cost: str) -> Iterator[Way]:
    """Order over data sets: by places as published, and by scores."""
    ways = [(f"Multi2Test by places, {year}", {"variant": year}) for year in VARIANTS]
    if len(asked.table.algorithms) > MOST_INNER:  # beyond them the variant of 2012 cannot be computed
        ways[-1] = ("Multi2Test by places, shaffer", {"inner_adjust": "shaffer"})
    for name, chosen in [*ways, ("by scores", {"rule": "multitest"})]:
        found = asked.both(cost=cost, **chosen)
        places = [np.array([[1.0 + each.order.index(one) for one in each.algorithms]]) for each in found]
        told = told_apart(*(each.better for each in found))
        yield _way(asked, places, over=OVER_SETS, name=name, cost=cost, told=told, tied=_tied(found))


def without_cost(asked: Asked) -> Iterator[Way]:
    """Order by the mean score of each data set, by the mean over data sets, and by mean ranks; nothing is tested."""
    errors = asked.errors()
    ranks = [rank_rows(each) for each in errors]
    yield _way(asked, ranks, over=PER_SET, name="mean score", cost="")
    if len(asked.table.datasets) > 1:
        means = [rank_rows(each.mean(axis=0, keepdims=True)) for each in errors]
        yield _way(asked, means, over=OVER_SETS, name="mean score", cost="")
        of_ranks = [rank_rows(each.mean(axis=0, keepdims=True)) for each in ranks]
        yield _way(asked, of_ranks, over=OVER_SETS, name="mean rank", cost="")


def _tied(found: Sequence[Ordering]) -> bool:
    return any(each.tied_costs for each in found)


def _way(asked: Asked, places: Sequence[FloatArray], **about: Any) -> Way:
    first, second = places
    return Way(changes=Changes(first=first, second=second, algorithms=asked.table.algorithms), **about)


def usable_tests(asked: Asked, cost: str, adjust: str) -> tuple[list[str], list[Caveat]]:
    """Return the tests that the resampling allows, and say which it does not, and why."""
    kept: list[str] = []
    refused: dict[str, list[str]] = {}
    asked.errors()  # what is wrong with the scores themselves is refused here, and not taken for a test's fault
    for test in fold_tests():
        try:
            order(
                asked.table,
                score=asked.scores[0],
                cost=cost,
                rule="multi2test",
                pairwise=test,
                inner_adjust=adjust,
                higher_is_better=asked.higher_is_better,
            )
        except InputError as error:
            refused.setdefault(error.what, []).append(test)
        else:
            kept.append(test)
    notes = [f"MultiTest is left out with {', '.join(tests)}: {why}" for why, tests in refused.items()]
    return kept, [Caveat("method-left-out", note) for note in notes]
