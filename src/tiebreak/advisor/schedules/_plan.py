"""What to try within a budget: the schedule, until when, what it is expected to lose, and what cannot finish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_within
from tiebreak.advisor._meta_table import Described
from tiebreak.advisor.rankings.measured import check_weights
from tiebreak.advisor.schedules._curve import Curve, curve_left_out
from tiebreak.advisor.schedules._greedy import Losses, scheduled
from tiebreak.advisor.schedules._trials import Trial, trial_from
from tiebreak.advisor.schedules.amounts import LEAST_GAIN, duration, seconds_of
from tiebreak.advisor.times import PredictedTimes, TimeModel, fit_times
from tiebreak.budgets import Budget
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, Shown, as_came_in, listed
from tiebreak.documents.tabling import table_of
from tiebreak.documents.words import finite_rows
from tiebreak.errors import quoted
from tiebreak.stats.results import frozen, rows_of
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.advisor._knowledge import Knowledge


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BudgetPlan(Shown):
    """Which algorithms to try within a budget, in what order and until when.

    Parameters
    ----------
    seconds : float
        The budget.
    trial : Trial
        What trying one algorithm means.
    algorithms : tuple of str
        In the order in which they are tried.
    starts, ends : FloatArray
        Predicted seconds from the beginning.
    low, high : FloatArray
        The range of the end: the sums of the lows and of the highs, as errors of prediction go together.
    expected_loss : FloatArray
        By the curve, when each trial ends.
    gain : FloatArray
        By how much each trial lowers the expected loss on the known data sets.
    curve : Curve
        Expected loss against time, by leaving origins out.
    cannot_finish : tuple of (str, float)
        Algorithms of which one trial takes longer than the budget, with its predicted seconds.
    not_worth : tuple of str
        Algorithms that would fit but gain too little for their time, or for which no time was left.
    stops : str
        Why the schedule ends where it does.
    caveats : tuple of Caveat
    """

    seconds: float
    trial: Trial
    algorithms: tuple[str, ...]
    starts: FloatArray
    ends: FloatArray
    low: FloatArray
    high: FloatArray
    expected_loss: FloatArray
    gain: FloatArray
    curve: Curve
    cannot_finish: tuple[tuple[str, float], ...]
    not_worth: tuple[str, ...]
    stops: str
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what to try within the budget."""
        allowed = str(Budget(seconds=self.seconds))
        if not self.algorithms:
            return f"Within {allowed}: no algorithm can finish a trial ({self.trial})"
        until = duration(float(self.ends[-1]))
        return f"Within {allowed}: {listed(self.algorithms)}, done after {until} (a trial is {self.trial})"

    def sentences(self) -> tuple[str, ...]:
        """Say what to try, why it ends there, and what cannot finish."""
        late = [f"{name} ({duration(time)})" for name, time in self.cannot_finish]
        gone = [f"Cannot finish in time: {listed(late, most=8)}."] if late else []
        return (f"{self.title()}.", self.stops, *gone)

    def rows(self) -> list[Row]:
        """Return one row per trial."""
        columns = {
            "algorithm": self.algorithms,
            "starts": self.starts,
            "ends": self.ends,
            "low": self.low,
            "high": self.high,
            "expected_loss": self.expected_loss,
        }
        return rows_of(**columns)

    def printed(self) -> tuple[list[str], list[list[str]], int]:
        """Return the table with the units in its header."""
        table = table_of(self.rows())
        header = ["algorithm", "starts (s)", "ends (s)", "earliest", "latest", "expected loss"]
        return header, list(map(list, table.body)), 1

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain data, the part "budget" of `tiebreak recommend --json`."""
        return {
            "seconds": self.seconds,
            "trial": str(self.trial),
            "fits_per_trial": self.trial.fits,
            "schedule": finite_rows(self.rows()),
            "cannot_finish": [{"algorithm": name, "predicted_seconds": time} for name, time in self.cannot_finish],
            "not_worth": list(self.not_worth),
            "stops": self.stops,
            "curve": finite_rows(self.curve.rows()),
        }


@as_came_in
def plan_budget(
    known: Knowledge,
    meta: Described,
    budget: Budget | str | float,
    *,
    trial: Trial | str | int = "5-fold",
    least_gain: float = LEAST_GAIN,
    weights: npt.ArrayLike | None = None,
    model: TimeModel | None = None,
) -> BudgetPlan:
    """Plan which algorithms to try on a data set within a budget of time.

    Formula: L(S) = weighted mean over known data sets d of min over a in S of (best success rate on d - that of a).
    The cost of a trial of a is its fits times the seconds predicted for one (`fit_times`) on the share of the rows
    that a fold trains on. A set whose costs fit the budget is chosen greedily by gain per second, or by gain alone
    where that ends better by more than 0.001. Its order is by gain per second, so that a cheap strong algorithm comes
    first; what takes less than a hundredth of the budget counts as a hundredth, so that with ample time the order is
    that of the greedy portfolio. With probability 1 / (origins + 1) the data are unlike all that is known; there s
    algorithms lose a share 1 / s of their mean loss, so that no trial is without hope. The schedule stops when the next
    trial would gain less than `least_gain` times its share of the budget, or when nothing that is left fits into the
    time.

    The curve is what following such a schedule loses, by leaving origins out: for each origin the schedule is made
    from the others, with the times of the new data set, and its losses are those on the origin left out.

    Assumptions: trials run one after another on a machine as fast as that of the base. Losses on the known data sets
    stand for those on the new one. The best of what was tried is kept.

    When not to use it: where a trial can be cut short and still tells something, as by learning curves.

    Documented answers. Before anything is tried the success rate is that of always naming the most frequent class, or 0
    where the shares of classes are not known. An algorithm without a result on a data set lowers no
    loss there. An algorithm without any time is never planned, with a caveat. A base of one origin has no curve.

    Parameters
    ----------
    known : Knowledge
    meta : mapping
        The meta-attributes of the data set, as `TimeModel.predict` takes them.
    budget : str, float or Budget
        "10min", "90s", "2h", or seconds.
    trial : str, int or Trial, default "5-fold"
        What trying an algorithm means; see `trial_from`.
    least_gain : float, default 0.001
        The success rate that the whole budget must be worth; 0 plans whatever gains anything.
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
    allowed, kind = seconds_of(budget), trial_from(trial)
    gain = check_within(
        option("least_gain"),
        least_gain,
        0.0,
        1.0,
        from_low=True,
        why=_WHY_GAIN,
        mend=f"Use {option(least_gain=0.001)}.",
    )
    times = (model or fit_times(known)).predict(meta, share=kind.share)
    cost, low, high = (kind.fits * part for part in (times.seconds, times.low, times.high))
    losses = known_losses(known, weights)
    rate = gain / allowed
    chosen = scheduled(losses, np.where(np.isnan(cost), np.inf, cost), allowed, least_rate=rate)
    ends = np.cumsum(cost[chosen])
    curve = curve_left_out(known, losses, cost, allowed, rate, ends)
    never = [(known.algorithms[j], float(cost[j])) for j in np.argsort(cost) if cost[j] > allowed]
    rest = [j for j in range(len(cost)) if j not in chosen and cost[j] <= allowed]
    gains = [losses.expected(chosen[:i]) - losses.expected(chosen[: i + 1]) for i in range(len(chosen))]
    return BudgetPlan(
        seconds=allowed,
        trial=kind,
        algorithms=tuple(known.algorithms[j] for j in chosen),
        **frozen(starts=ends - cost[chosen], ends=ends, low=np.cumsum(low[chosen]), high=np.cumsum(high[chosen])),
        expected_loss=curve.at(ends),
        gain=np.array(gains),
        curve=curve,
        cannot_finish=tuple(never),
        not_worth=tuple(known.algorithms[j] for j in rest),
        stops=_stops(known, losses, cost, chosen, allowed, gain),
        caveats=(*times.caveats, *_unknown(times)),
    )


_WHY_GAIN = "It is the success rate that the whole budget must be worth."


def known_losses(known: Knowledge, weights: npt.ArrayLike | None = None) -> Losses:
    """Return what every algorithm loses on every known data set to the best there."""
    success = known.means()[0]
    there = np.isfinite(success)
    some = np.asarray(there.any(axis=1))
    best = np.where(there, success, -np.inf).max(axis=1)
    worst = np.where(there, success, np.inf).min(axis=1)
    least = _default_rate(known)
    none = np.where(worst < 0, 2.0 * worst - best, 0.0)  # scores below 0 have no rate of nothing: worse than the worst
    nothing = np.where(np.isnan(least), none, np.minimum(least, best))
    loss = np.where(there, best[:, None] - np.where(there, success, 0.0), np.inf)
    labels = np.unique(np.array(known.origins), return_inverse=True)[1]
    weight = 1.0 / np.bincount(labels)[labels] if weights is None else check_weights(weights, len(success))
    weight = np.where(some, weight, 0.0)
    return Losses(
        loss=np.where(some[:, None], loss, 0.0),
        start=np.where(some, best - nothing, 0.0),
        weight=weight / weight.sum(),
        unlike=1.0 / (len(set(known.origins)) + 1),
    )


def _default_rate(known: Knowledge) -> FloatArray:
    """Return the success rate of always naming the most frequent class, NaN where it is not known."""
    if known.score != "accuracy" or "default_accuracy" not in known.meta.measures:
        return np.full(len(known.datasets), np.nan)
    return known.meta.matrix[:, known.meta.measures.index("default_accuracy")]


def _stops(
    known: Knowledge, losses: Losses, cost: FloatArray, chosen: Sequence[int], seconds: float, least_gain: float
) -> str:
    """Say why the schedule ends: nothing left gains enough for its time, or nothing that would fits into the rest."""
    left = seconds - float(cost[list(chosen)].sum())
    gain = np.where(np.isfinite(cost), losses.gains(chosen), 0.0)
    gain[list(chosen)] = 0.0
    best = int(np.argmax(gain))
    if gain[best] <= 1e-9:
        return "Stops when these are tried: no other is left that could lower the loss."
    too_long = (cost > left) & (gain >= least_gain * np.minimum(cost / seconds, 1.0))
    if too_long.any():
        j = int(np.argmax(np.where(too_long, gain, 0.0)))
        return (
            f"Stops because the time is over: {known.algorithms[j]}, which would gain most ({gain[j]:.2g}), needs"
            f" {duration(float(cost[j]))}, and {duration(left)} are left."
        )
    return (
        f"Stops because the next gains too little for its time: {known.algorithms[best]} would lower the expected loss"
        f" by {gain[best]:.2g} in {duration(float(cost[best]))}; at least {least_gain:g} for the whole budget is asked"
        f" ({option('least_gain')})."
    )


def _unknown(times: PredictedTimes) -> Caveats:
    gone = [name for name, time in zip(times.algorithms, times.seconds, strict=True) if np.isnan(time)]
    return caveats_of((gone, "costs-missing", f"Not planned, as no time of them is known: {quoted(gone, limit=5)}."))
