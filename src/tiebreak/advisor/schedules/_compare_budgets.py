"""Whether a schedule made for a budget is worth it: beside the recommended list cut off, by leaving origins out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor.rankings import scorer
from tiebreak.advisor.schedules._greedy import Losses, scheduled
from tiebreak.advisor.schedules._plan import known_losses
from tiebreak.advisor.schedules.amounts import LEAST_GAIN, seconds_of
from tiebreak.advisor.times import leave_out_times
from tiebreak.budgets import Budget
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.results import frozen, rows_of

if TYPE_CHECKING:
    from tiebreak.advisor._knowledge import Knowledge

MADE, CUT, SKIPPED, ARR, AVERAGE, SHUFFLED = (
    "made for the budget",
    "portfolio, cut off",
    "portfolio, what cannot finish skipped",
    "arr, cut off",
    "best on average, cut off",
    "random, cut off",
)
WAYS = (MADE, CUT, SKIPPED, ARR, AVERAGE, SHUFFLED)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BudgetComparison(Shown):
    """Loss when the budget is over, (ways, budgets, data sets), and the seconds of trials that finished."""

    ways: tuple[str, ...]
    budgets: tuple[float, ...]
    loss: FloatArray
    spent: FloatArray
    datasets: tuple[str, ...]
    weight: FloatArray
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was compared."""
        return f"Loss when a budget is over, {len(self.ways)} ways to spend it, {len(self.datasets)} data sets left out"

    def rows(self) -> list[Row]:
        """Return one row per budget and way: mean loss, on how many data sets it loses less and more than the first."""
        out: list[Row] = []
        for b, budget in enumerate(self.budgets):
            loss = self.loss[:, b]
            columns = {
                "budget": [str(Budget(seconds=budget))] * len(self.ways),
                "way": self.ways,
                "mean loss": loss @ self.weight,
                "better": (loss < loss[0] - 1e-12).sum(axis=1),
                "worse": (loss > loss[0] + 1e-12).sum(axis=1),
                "mean seconds": self.spent[:, b] @ self.weight,
            }
            out += rows_of(**columns)
        return out


@as_came_in
def compare_budgets(
    known: Knowledge, budgets: Sequence[Budget | str | float], *, least_gain: float = LEAST_GAIN, seed: int = 0
) -> BudgetComparison:
    """Spend budgets on every data set as if it were new, in several ways, and count what is lost.

    Formula: without the origin of a data set, times are predicted and an order is made; then trials run with the
    times that were measured. A trial is the whole resampling of the base. One that is not finished when the budget is
    over gives nothing. The loss is that of the best that finished, to the best of all. "made for the budget" chooses
    anew after each trial among what is predicted to fit (`plan_budget`); the others run a list and are cut off: the
    portfolio that is best without times, ARR on all data, the best on average, a random order.

    Assumptions: those of `plan_budget`. Cells that were not measured are passed over by all.
    When not to use it: with times of several machines on one data set.

    Parameters
    ----------
    known : Knowledge
    budgets : sequence of str or float
    least_gain : float, default 0.001
        As in `plan_budget`.
    seed : int, default 0
        Of the random order.

    Returns
    -------
    BudgetComparison

    References
    ----------
    khuller1999

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> found = compare_budgets(shipped_knowledge(), ["1s"])
    >>> [round(row["mean loss"], 3) for row in found.rows()][0] < 0.05
    True
    """
    allowed = tuple(seconds_of(each) for each in budgets)
    if len(set(known.origins)) < 2:
        raise InputError(
            "All known data sets are of one origin.",
            why="A schedule is made without the origin it is judged on.",
            mend="Add results on other data.",
        )
    sides = _sides(known, seed)
    found = [[_spent(side, each, least_gain) for side in sides] for each in allowed]  # (budgets, data sets, ways, 2)
    loss, spent = np.moveaxis(np.array(found), (3, 2, 0, 1), (0, 1, 2, 3))
    weight = known_losses(known).weight
    return BudgetComparison(
        ways=WAYS, budgets=allowed, **frozen(loss=loss, spent=spent, weight=weight), datasets=known.datasets
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Side:
    """One data set as if it were new: losses of the others, costs predicted and measured, its own losses, the lists."""

    others: Losses
    predicted: FloatArray
    measured: FloatArray
    loss: FloatArray
    start: float
    lists: dict[str, list[int]]


def _sides(known: Knowledge, seed: int) -> list[_Side]:
    """Prepare every data set without its origin."""
    times, losses = leave_out_times(known), known_losses(known)
    codes = np.unique(np.array(known.origins), return_inverse=True)[1]
    away = (codes[:, None] != codes[None, :]).astype(np.float64)
    success, seconds = known.means()
    arr = scorer("arr", success, seconds, floor=1e-3)(away)
    fits = np.isfinite(known.accuracy).any(axis=1).sum(axis=(1, 2))
    rng = np.random.default_rng(seed)
    out = []
    for d, row in enumerate(away):
        others = losses.without(row == 0)
        lists = _lists(others, -arr[d], rng.permutation(len(known.algorithms)).tolist())
        costs = {"predicted": fits[d] * times.predicted[d], "measured": fits[d] * times.seconds[d]}
        out.append(_Side(others=others, **costs, loss=losses.loss[d], start=float(losses.start[d]), lists=lists))
    return out


def _lists(others: Losses, by_arr: FloatArray, shuffled: list[int]) -> dict[str, list[int]]:
    """Return the orders that know nothing of a budget, all algorithms in each."""
    even = np.ones(others.loss.shape[1])
    worst = np.where(np.isfinite(others.loss), others.loss, others.start[:, None])
    average = np.argsort(others.weight @ worst, kind="stable").tolist()
    first = scheduled(others, even, float(len(even)))
    portfolio = [*first, *(j for j in average if j not in first)]
    arr = np.argsort(np.nan_to_num(by_arr, nan=np.inf), kind="stable").tolist()
    return {CUT: portfolio, SKIPPED: portfolio, ARR: arr, AVERAGE: average, SHUFFLED: shuffled}


def _spent(side: _Side, seconds: float, least_gain: float) -> list[tuple[float, float]]:
    """Return loss and seconds of what finished, for every way."""
    out = []
    for way in WAYS:
        done = _made(side, seconds, least_gain) if way == MADE else _cut(side, seconds, way)
        loss = min([side.start, *side.loss[done]])
        out.append((float(loss), float(side.measured[done].sum())))
    return out


def _cut(side: _Side, seconds: float, way: str) -> list[int]:
    """Run a list until the budget is over; return what finished."""
    done, left = [], seconds
    for j in side.lists[way]:
        skipped = way == SKIPPED and not side.predicted[j] <= left
        if skipped or np.isnan(side.measured[j]):
            continue
        left -= float(side.measured[j])
        if left < 0:
            break
        done.append(j)
    return done


def _made(side: _Side, seconds: float, least_gain: float) -> list[int]:
    """Choose anew after each trial, for the time that is left."""
    cost = np.where(np.isfinite(side.measured) & np.isfinite(side.predicted), side.predicted, np.inf)
    done: list[int] = []
    left = seconds
    rate = least_gain / seconds
    while order := scheduled(side.others, cost, left, least_rate=rate, tried=done):
        left -= float(side.measured[order[0]])
        if left < 0:
            break
        done.append(order[0])
        cost[order[0]] = np.inf
    return done
