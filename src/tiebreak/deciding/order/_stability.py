"""How firm an order is: how often it, and each place in it, survives resampling of data sets or of folds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import FloatArray, IntArray, readonly
from tiebreak.caveats import Caveats, codes_of
from tiebreak.deciding.order._costs import prior_keys, prior_places
from tiebreak.deciding.order._draws import adjusted_rows, good_rows, pair_differences, sign_draws, signed_rank_draws
from tiebreak.deciding.order._family import ALL, shown_better, shown_by
from tiebreak.deciding.order._multi2test import Multi2Test
from tiebreak.deciding.order._multitest import order_rows, places_of
from tiebreak.deciding.order._over_items import OverItems
from tiebreak.deciding.order._over_scores import OverScores, ahead_of, moved
from tiebreak.deciding.order._procedure import Procedure, decided
from tiebreak.deciding.order._trade import mostly_tied
from tiebreak.documents import Row, Shown
from tiebreak.errors import OptionError
from tiebreak.stats.pairwise import pair_indices
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.deciding.order._ordering import Ordering
    from tiebreak.deciding.order._table import FoldTable

USUAL_DRAWS, FEWEST_DRAWS = 1000, 200
MOST_PAIRS = 50_000_000
"""Who stands before whom is counted up to so many draws times pairs."""
USUAL_WORK = 10_000_000
"""Draws are made unasked up to so many signed ranks: about a third of a second on one core of 2020."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Stability(Shown):
    """How often each place and order came out; algorithms stand in the order that was found.

    `places[i, p]` is the share of resamples in which algorithm i stands at place p + 1; `low` and `high` hold its place
    in 95 per cent of them; `before[i, j]` is the share in which i stands before j; `survived` is the share in which
    the whole order came out again.
    """

    algorithms: tuple[str, ...]
    places: FloatArray
    low: IntArray
    high: IntArray
    survived: float
    orders: tuple[tuple[tuple[str, ...], float], ...]
    repetitions: int
    method: str
    before: FloatArray | None = None
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was resampled and how often the order survived."""
        return f"{self.method}, {self.repetitions} times: the order came out again in {self.survived:.1%}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm."""
        return [
            {
                "algorithm": name,
                "place": i + 1,
                "same_place": float(self.places[i, i]),
                "low": int(self.low[i]),
                "high": int(self.high[i]),
            }
            for i, name in enumerate(self.algorithms)
        ]


def stability(
    found: Ordering, *, datasets: int = 1000, folds: int = 0, rng: int | np.random.Generator = 0
) -> Stability:
    """Resample and order again, by the same choices.

    Parameters
    ----------
    found : Ordering
    datasets : int, default 1000
        How often to draw as many data sets, with replacement.
    folds : int, default 0
        If not 0, how often to draw replications (folds, where there is one replication) inside every data set instead;
        the tests inside the data sets are then made again.
    rng : int or Generator, default 0

    Returns
    -------
    Stability
    """
    for count in (datasets, folds):
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0 or datasets + folds == 0:
            raise OptionError(
                f"datasets is {datasets} and folds is {folds}.",
                why="They say how often to draw.",
                mend=f"Use {_draw_sets()}, or {_draw_folds()} to draw replications instead.",
            )
    generator = np.random.default_rng(rng)
    procedure = found.procedure
    if isinstance(procedure, OverItems):
        raise OptionError(
            "This order is on items.",
            why="Data sets or folds are drawn again; how firm differences on items are, their intervals tell.",
            mend=f"Leave it out, or order over benchmarks ({option(over='scores')}) where there are enough of them.",
        )
    if procedure.plan.choice.ties == "refuse":  # a draw may tie costs that differ in the whole
        by_name = replace(procedure.plan.choice, ties="name")
        procedure = replace(procedure, plan=replace(procedure.plan, choice=by_name))
    if folds:
        return _summary(found, *_fold_orders(found, procedure, folds, generator))
    if len(found.datasets) < 2:
        raise OptionError(
            "There is one data set.",
            why="Data sets cannot be resampled.",
            mend=f"Use {_draw_folds()}.",
        )
    if isinstance(procedure, OverScores) and _quick(procedure, found):
        return _summary(found, _score_orders(found, procedure, datasets, rng), "Data sets resampled")
    return _summary(found, _data_set_orders(found, procedure, datasets, generator), "Data sets resampled")


def _draw_sets() -> str:
    return either("stability(datasets=1000)", "--stability 1000")


def _draw_folds() -> str:
    return either("stability(folds=200)", "--stability-folds 200")


def usual_draws(found: Ordering) -> int:
    """Return how many draws are made unasked: as many as are quick, none where fewer would say too little."""
    asked = found.plan.draws if len(found.datasets) > 1 else 0
    procedure = found.procedure
    if isinstance(procedure, OverItems):
        return 0
    if asked is not None or not isinstance(procedure, OverScores) or not _quick(procedure, found):
        return asked or 0
    if "only-cost-decided" in codes_of(found.caveats):  # the costs come out again and again: that is not firmness
        return 0
    pairs = len(found.tests.a) * (1 if found.plan.margin is None else 3)
    draws = min(USUAL_DRAWS, USUAL_WORK // (pairs * len(found.datasets)))
    return draws if draws >= FEWEST_DRAWS else 0


def _quick(procedure: OverScores, found: Ordering) -> bool:
    """Say whether all draws can be tested at once: signed ranks, with a correction that takes rows."""
    quick = found.plan.posthoc in ("bergmann-hommel", "shaffer", "holm", "none")
    if found.plan.margin is not None and mostly_tied(found.table.compared):  # ranks of ties would all show good enough
        return False
    return quick and procedure.pairwise in ("wilcoxon", "sign") and not procedure.on_folds(found.table)


def _score_orders(found: Ordering, procedure: OverScores, draws: int, rng: int | np.random.Generator) -> IntArray:
    """Order by scores in every draw; a draw is a count for each data set."""
    table, plan, sets = found.table, procedure.plan, len(found.datasets)
    small = isinstance(rng, int) and draws * sets <= _KEPT_COUNTS
    counts = (_known_counts if small else _drawn_counts)(sets, draws, rng)
    a, b = pair_indices(len(table.algorithms))
    differences = pair_differences(table.compared, a, b)
    signs = procedure.pairwise == "sign"
    z, p = sign_draws(differences, counts) if signs else signed_rank_draws(differences, counts, sides=2)
    adjusted = adjusted_rows(p, len(table.algorithms), plan.posthoc)
    better = decided(a, b, adjusted <= plan.alpha, z, len(table.algorithms))
    prior = _drawn_priors(procedure, table, counts)
    good = None
    if plan.margin is not None:
        good = good_rows(table.compared, counts, prior, plan.margin, plan.alpha)
    shown = better if plan.family == ALL else shown_better(a, b, p, z, better, plan.alpha)
    ahead = decided(a, b, np.ones(z.shape, dtype=bool), z, len(table.algorithms)) if good is not None else None
    return order_rows(moved(shown, good, prior, undecided=plan.undecided, ahead=ahead), prior)


_KEPT_COUNTS = 50_000
"""Draws of so many counts are worth remembering, by their seed."""


def _drawn_counts(sets: int, draws: int, rng: int | np.random.Generator) -> FloatArray:
    """Draw how often each data set is drawn."""
    generator = np.random.default_rng(rng)
    return readonly(generator.multinomial(sets, np.full(sets, 1.0 / sets), size=draws).astype(np.float64))


_known_counts = lru_cache(maxsize=8)(_drawn_counts)


def _drawn_priors(procedure: OverScores, table: FoldTable, counts: FloatArray) -> IntArray:
    """Place the algorithms by the mean cost of each draw; ties of a draw are broken as in the whole."""
    if procedure.given is not None:
        return np.broadcast_to(procedure.given, (len(counts), len(procedure.given)))
    means = tuple(counts @ cost / len(table.datasets) for cost in table.costs)
    breakers = [np.broadcast_to(each, means[0].shape) for each in procedure.breakers(table, 1)]
    keys = prior_keys(means, procedure.plan.choice, procedure.apart(table))
    return prior_places(keys, breakers, names=table.algorithms, rows=[])[0]


def _order(procedure: Multi2Test, table: FoldTable, ranks: FloatArray) -> IntArray:
    """Decide over the data sets of a draw and order."""
    better = procedure.outer(table, None, ranks)[2]
    ordered: IntArray = order_rows(better[None], procedure.overall_prior(table)[0][None])[0]
    return ordered


def _data_set_orders(found: Ordering, procedure: Procedure, draws: int, generator: np.random.Generator) -> IntArray:
    """Ranks inside a data set do not change with the draw, so the inner tests are not made again."""
    count = len(found.datasets)
    picks = np.sort(generator.integers(count, size=(draws, count)), axis=1)
    if isinstance(procedure, OverScores):
        return np.array([_by_tests(procedure, found.table.take(pick)) for pick in picks])
    assert isinstance(procedure, Multi2Test)  # there is no third way
    return np.array([_order(procedure, found.table.take(pick), found.ranks[pick]) for pick in picks])


def _by_tests(procedure: OverScores, table: FoldTable) -> IntArray:
    """Make the tests of one draw and order."""
    prior = procedure.overall_prior(table)[0]
    tests = procedure.tests(table)[0]
    better = decided(tests.a, tests.b, tests.adjusted <= procedure.plan.alpha, tests.statistic, len(prior))
    good = procedure.good(table, prior)
    shown = shown_by(tests, better, procedure.plan.family, procedure.plan.alpha)
    moves = moved(shown, good, prior, undecided=procedure.plan.undecided, ahead=ahead_of(tests))
    ordered: IntArray = order_rows(moves[None], prior[None])[0]
    return ordered


def _fold_orders(
    found: Ordering, procedure: Procedure, draws: int, generator: np.random.Generator
) -> tuple[IntArray, str]:
    """Draw replications, or folds where there is one replication, and run everything again."""
    if not isinstance(procedure, Multi2Test) or found.inner is None:
        raise OptionError(
            "No test inside the data sets was made.",
            why="Folds are resampled to repeat a test of the folds.",
            mend=f"Use {_draw_sets()}, or order by places ({option(over='places')}).",
        )
    sets, _, replications, folds = found.table.errors.shape
    axis, what = (2, "Replications") if replications > 1 else (3, "Folds")
    size = replications if replications > 1 else folds
    orders = []
    for _ in range(draws):
        pick = generator.integers(size, size=(sets, size))
        where = pick[:, None, :, None] if axis == 2 else pick[:, None, None, :]
        measures = found.table.measures
        table = replace(
            found.table,
            errors=np.take_along_axis(found.table.errors, where, axis=axis),
            measures=None if measures is None else np.take_along_axis(measures, where[..., None], axis=axis),
        )
        inner, ranks, _tied = procedure.places(table)
        better = procedure.outer(table, inner, ranks)[2]
        orders.append(order_rows(better[None], found.prior_places[None])[0])
    return np.array(orders), f"{what} resampled inside the data sets"


def _summary(found: Ordering, orders: IntArray, method: str) -> Stability:
    names = found.order
    index = np.array([found.algorithms.index(name) for name in names])
    places = places_of(orders)[:, index]  # draws, algorithms in the order found
    shares = np.stack([(places == p + 1).mean(axis=0) for p in range(len(names))], axis=1)
    low, high = np.quantile(places, [0.025, 0.975], axis=0, method="inverted_cdf")
    before = (places[:, :, None] < places[:, None, :]).mean(axis=0) if places.size * len(names) <= MOST_PAIRS else None
    different = Counter(map(tuple, orders.tolist()))
    counted = Counter({tuple(found.algorithms[i] for i in each): count for each, count in different.items()})
    common = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:10]
    return Stability(
        algorithms=names,
        places=readonly(shares),
        low=readonly(low.astype(np.int64)),
        high=readonly(high.astype(np.int64)),
        survived=counted[names] / len(orders),
        orders=tuple((each, count / len(orders)) for each, count in common),
        repetitions=len(orders),
        method=method,
        before=None if before is None else readonly(before),
    )
