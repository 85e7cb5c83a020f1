"""What to try within a budget of time: a greedy schedule, what it is expected to lose, and what cannot finish.

The expected loss of having tried a set of algorithms is the weighted mean over known data sets of the least loss of
the set there. It falls less with every algorithm that is added, so a greedy choice by gain per second is near the best
(Khuller, Moss and Naor 1999). What takes less than a hundredth of the budget counts as a hundredth: nobody waits for
less, and a schedule for ten minutes would otherwise begin with whatever takes a millisecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.advisor.meta_table import Described
from tiebreak.advisor.rankings.ranking import check_weights
from tiebreak.advisor.times import TimeModel, fit_times
from tiebreak.budgets import Budget, budget_from
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, Shown, Table, as_came_in, listed
from tiebreak.documents.parts import table_of
from tiebreak.documents.words import finite_rows
from tiebreak.errors import OptionError, quoted
from tiebreak.stats.results import frozen, rows_of
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.advisor.knowledge import Knowledge

FITS = 5
"""A trial is a cross-validation in five folds."""
UNNOTICED = 0.01
"""The share of a budget that nobody waits for."""
CLEAR = 0.001
"""A difference of mean losses that is worth waiting for."""
PARTS = 10
"""The origins are left out in so many parts at the most."""


def seconds_of(budget: Budget | str | float) -> float:
    """Return a budget in seconds; a text that is a plain number is seconds too.

    Examples
    --------
    >>> seconds_of("10min"), seconds_of("90"), seconds_of(5)
    (600.0, 90.0, 5.0)
    """
    plain = isinstance(budget, str) and budget.strip().replace(".", "", 1).isdigit()
    result = budget_from(float(budget) if plain else budget)  # type: ignore[arg-type]
    if result is None or result.kind == "cpu":
        raise OptionError(
            f"{option('budget')} is {budget!r}.", why="Trials are planned by the clock.", mend="Use 90s, 10min or 2h."
        )
    return result.seconds


def duration(seconds: float) -> str:
    """Write seconds as people say them.

    Examples
    --------
    >>> duration(0.0123), duration(75), duration(5400), duration(3e5)
    ('0.012 s', '75 s', '90 min', '3.5 days')
    """
    for unit, size in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{_short(seconds / size)} {unit}"
    return f"{_short(seconds)} s"


def _short(amount: float) -> str:
    """Two digits are enough, and none is written as a power of ten for it."""
    return f"{amount:.2g}" if amount < 99.5 else f"{amount:.0f}"


def scheduled(loss: FloatArray, weight: FloatArray, cost: FloatArray, seconds: float) -> list[int]:
    """Return which algorithms to try, in order, such that their costs fit into the seconds.

    `loss` is (data sets, algorithms). Each next algorithm lowers the mean loss of the best most per second; or most,
    where that ends lower: then something cheap would keep the best from fitting.

    Examples
    --------
    >>> loss = np.array([[0.0, 0.02, 0.3], [0.2, 0.0, 0.3]])
    >>> scheduled(loss, np.array([0.5, 0.5]), np.array([5.0, 1.0, 1.0]), 60.0)
    [1, 0]
    """
    ways = [_filled(loss, weight, cost, seconds, felt) for felt in (UNNOTICED * seconds, np.inf)]
    ends = [float(weight @ np.minimum(1e9, loss[:, way].min(axis=1, initial=np.inf))) for way in ways]
    return ways[1] if ends[1] < ends[0] - CLEAR else ways[0]


def _filled(loss: FloatArray, weight: FloatArray, cost: FloatArray, left: float, least_cost: float) -> list[int]:
    """Add what gains most for its cost as long as something fits; before anything a set loses the largest loss."""
    least = np.where(np.isfinite(loss), loss, -np.inf).max(axis=1)
    felt = np.ones_like(cost) if np.isinf(least_cost) else np.maximum(cost, least_cost)
    order: list[int] = []
    while True:
        gain = weight @ np.maximum(least[:, None] - loss, 0.0)
        gain[order] = 0.0
        may = (cost <= left) & (gain > 1e-12)
        if not may.any():
            return order
        best = int(np.where(may, gain / felt, -np.inf).argmax())
        order.append(best)
        least, left = np.minimum(least, loss[:, best]), left - float(cost[best])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BudgetPlan(Shown):
    """Which algorithms to try within a budget, in what order and until when.

    Parameters
    ----------
    seconds : float
        The budget.
    algorithms : tuple of str
        In the order in which they are tried, each by cross-validation in five folds.
    starts, ends : FloatArray
        Predicted seconds from the beginning.
    expected_loss : FloatArray
        When each trial ends: the mean on data sets whose origin was left out of the schedule. NaN for one origin.
    cannot_finish : tuple of (str, float)
        Algorithms of which one trial takes longer than the budget, with its predicted seconds.
    not_worth : tuple of str
        Algorithms that would fit but lower the loss on no known data set, or for which no time was left.
    caveats : tuple of Caveat
    """

    seconds: float
    algorithms: tuple[str, ...]
    starts: FloatArray
    ends: FloatArray
    expected_loss: FloatArray
    cannot_finish: tuple[tuple[str, float], ...]
    not_worth: tuple[str, ...]
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what to try within the budget."""
        allowed = str(Budget(seconds=self.seconds))
        if not self.algorithms:
            return f"Within {allowed}: no algorithm can finish a trial (5-fold cross-validation)"
        until = duration(float(self.ends[-1]))
        return f"Within {allowed}: {listed(self.algorithms)}, done after {until} (a trial is 5-fold cross-validation)"

    def sentences(self) -> tuple[str, ...]:
        """Say what to try and what cannot finish."""
        late = [f"{name} ({duration(time)})" for name, time in self.cannot_finish]
        return (f"{self.title()}.", *([f"Cannot finish in time: {listed(late, most=8)}."] if late else []))

    def rows(self) -> list[Row]:
        """Return one row per trial."""
        columns = {"starts": self.starts, "ends": self.ends, "expected_loss": self.expected_loss}
        return rows_of(algorithm=self.algorithms, **columns)

    def table(self) -> Table:
        """Return the table with the units in its header."""
        return table_of(
            rows_of(
                **{
                    "algorithm": self.algorithms,
                    "starts (s)": self.starts,
                    "ends (s)": self.ends,
                    "loss of the best so far": [
                        f"{100 * loss:.1f}" if loss == loss else "-" for loss in self.expected_loss
                    ],
                }
            ),
            left=1,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain data, the part "budget" of `tiebreak recommend --json`."""
        return {
            "seconds": self.seconds,
            "schedule": finite_rows(self.rows()),
            "cannot_finish": [{"algorithm": name, "predicted_seconds": time} for name, time in self.cannot_finish],
            "not_worth": list(self.not_worth),
        }


@as_came_in
def plan_budget(
    known: Knowledge,
    meta: Described,
    budget: Budget | str | float,
    *,
    weights: npt.ArrayLike | None = None,
    model: TimeModel | None = None,
) -> BudgetPlan:
    """Plan which algorithms to try on a data set within a budget of time.

    Formula: L(S) = weighted mean over known data sets d of min over a in S of (best success rate on d - that of a).
    The cost of a trial of a is five times the seconds predicted for a fit (`fit_times`) on four fifths of the rows.
    Each next trial is the one that fits into the time left and lowers L most per second, or most, where that ends lower
    by more than 0.001. What takes less than a hundredth of the budget counts as a hundredth, so that with ample time
    the order is that of the greedy portfolio.
    The expected loss is that on origins left out, a tenth at a time, by the schedules that the others make.

    Assumptions: trials run one after another on a machine as fast as that of the base. Losses on the known data sets
    stand for those on the new one. The best of what was tried is kept.

    When not to use it: where a trial can be cut short and still tells something, as a pilot does.

    Documented answers. An algorithm without a result on a data set lowers no loss there. An algorithm without any time
    is never planned, with a caveat.

    Parameters
    ----------
    known : Knowledge
    meta : mapping
        The meta-attributes of the data set, as `TimeModel.predict` takes them.
    budget : str, float or Budget
        "10min", "90s", "2h", or seconds.
    weights : array_like, optional
        One per known data set; by default every origin counts alike.
    model : TimeModel, optional
        Of `known`, where it was fitted before.

    Returns
    -------
    BudgetPlan

    References
    ----------
    khuller1999

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> plan = plan_budget(shipped_knowledge(), {"n_examples": 1e6, "n_attributes": 11, "n_classes": 2}, "10min")
    >>> bool(plan.ends[-1] <= 600), sorted(name for name, _ in plan.cannot_finish if name.startswith("sv"))
    (True, ['sv2', 'svl', 'svr'])
    """
    allowed = seconds_of(budget)
    seconds = (model or fit_times(known)).predict(meta, share=(FITS - 1) / FITS)
    cost = np.where(np.isnan(seconds.seconds), np.inf, FITS * seconds.seconds)
    success = known.means()[0]
    loss = np.where(np.isfinite(success), np.nanmax(success, axis=1, keepdims=True) - success, np.inf)
    labels = np.unique(np.array(known.origins), return_inverse=True)[1]
    weight = check_weights(1.0 / np.bincount(labels)[labels] if weights is None else weights, len(success))
    chosen = scheduled(loss, weight, cost, allowed)
    ends = np.cumsum(cost[chosen])
    gone = [name for name, time in zip(known.algorithms, seconds.seconds, strict=True) if np.isnan(time)]
    unknown = caveats_of((gone, "costs-missing", f"Not planned, as no time of them is known: {quoted(gone, limit=5)}."))
    never = [j for j in np.argsort(cost) if allowed < cost[j] < np.inf]
    rest = [j for j in range(len(cost)) if j not in chosen and cost[j] <= allowed]
    return BudgetPlan(
        seconds=allowed,
        algorithms=tuple(known.algorithms[j] for j in chosen),
        **frozen(starts=ends - cost[chosen], ends=ends, expected_loss=_left_out(loss, weight, labels, cost, chosen)),
        cannot_finish=tuple((known.algorithms[j], float(cost[j])) for j in never),
        not_worth=tuple(known.algorithms[j] for j in rest),
        caveats=(*seconds.caveats, *unknown),
    )


def _left_out(
    loss: FloatArray, weight: FloatArray, labels: npt.NDArray[np.intp], cost: FloatArray, chosen: Sequence[int]
) -> FloatArray:
    """Return what schedules made without an origin lose on it at the ends of the trials of the schedule."""
    ends = np.cumsum(cost[list(chosen)])
    used = weight > 0
    loss, weight, labels = loss[used], weight[used], np.unique(labels[used], return_inverse=True)[1]
    if not len(ends) or labels.max() == 0:
        return np.full(len(ends), np.nan)
    total = np.zeros(len(ends))
    for part in range(min(PARTS, int(labels.max()) + 1)):
        out = labels % PARTS == part
        order = scheduled(loss[~out], weight[~out], cost, float(ends[-1]))
        done = np.searchsorted(np.cumsum(cost[order]), ends * (1 + 1e-12), side="right")
        worst = np.where(np.isfinite(loss[out]), loss[out], -np.inf).max(axis=1)
        after = [np.minimum(worst, loss[out][:, order[:n]].min(axis=1, initial=np.inf)) for n in range(len(order) + 1)]
        total += np.array([weight[out] @ after[n] for n in done])
    return np.asarray(total / weight.sum())
