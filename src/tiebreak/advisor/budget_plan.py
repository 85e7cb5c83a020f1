"""What to try within a budget of time: a greedy schedule, what it is expected to lose, and what cannot finish.

The expected loss of having tried a set of algorithms is the weighted mean over known data sets of the least loss of
the set there. It falls less with every algorithm that is added (it is submodular), so a greedy choice is near the
best: by gain per second, or by gain alone, whichever ends lower within the budget (Khuller, Moss and Naor 1999). Where
gains per second are compared, what takes less than a hundredth of the budget counts as a hundredth: nobody waits for
less, and a schedule for ten minutes would otherwise begin with whatever takes a millisecond.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from tiebreak._brief import Brief
from tiebreak._checks import BoolArray, FloatArray, IntArray, check_within
from tiebreak.advisor.cache import held
from tiebreak.advisor.meta_table import Described
from tiebreak.advisor.rankings.ranking import check_weights
from tiebreak.advisor.times import PredictedTimes, TimeModel, fit_times
from tiebreak.budgets import Budget, budget_from
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Framed, Row, Shown, as_came_in, listed
from tiebreak.documents.tabling import table_of
from tiebreak.documents.words import finite_rows
from tiebreak.errors import OptionError, quoted
from tiebreak.stats.results import frozen, rows_of
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.advisor.knowledge import Knowledge

LEAST_GAIN = 0.001
"""What the whole budget must be worth in success rate; a trial must gain its share of it."""


def seconds_of(budget: Budget | str | float) -> float:
    """Return a budget in seconds; a text that is a plain number is seconds too.

    Examples
    --------
    >>> seconds_of("10min"), seconds_of("90"), seconds_of(5)
    (600.0, 90.0, 5.0)
    """
    plain = isinstance(budget, str) and budget.strip().replace(".", "", 1).isdigit()
    found = budget_from(float(budget) if plain else budget)  # type: ignore[arg-type]
    if found is None:
        raise OptionError(
            "No budget is given.", why="A schedule is made for one.", mend=f"Use {option(budget='10min')}."
        )
    if found.kind == "cpu":
        raise OptionError(
            f"{option('budget')} is {budget!r}.", why="Trials are planned by the clock.", mend="Use 90s, 10min or 2h."
        )
    return found.seconds


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


_FOLDS = re.compile(r"(?:(\d+)\s*x\s*)?(\d+)\s*-?\s*(?:folds?|cv)")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Trial(Brief):
    """One algorithm tried once: so many fits, each trained on a share of the rows.

    Examples
    --------
    >>> str(trial_from("5-fold")), trial_from("5x2cv").fits, trial_from("fit").share
    ('5-fold cross-validation', 10, 1.0)
    """

    name: str
    fits: int
    share: float

    def __str__(self) -> str:
        return self.name


def trial_from(given: Trial | str | int) -> Trial:
    """Return a trial from what names one: "5-fold", "5x2cv", the number of folds, or "fit" for a single fit.

    Examples
    --------
    >>> trial_from("10-fold")
    Trial(name='10-fold cross-validation', fits=10, share=0.9)
    >>> trial_from(3).fits
    3
    """
    if isinstance(given, Trial):
        return given
    text = f"{given}-fold" if isinstance(given, int) and not isinstance(given, bool) else str(given).strip().lower()
    if text in ("fit", "1-fold", "1"):
        return Trial(name="one fit on all rows", fits=1, share=1.0)
    found = _FOLDS.fullmatch(f"{text}-fold" if text.isdigit() else text)
    times, folds = (int(found[1] or 1), int(found[2])) if found else (0, 0)
    if times < 1 or folds < 2:
        raise OptionError(
            f"{option('trial')} is {given!r}.",
            why="A trial is a resampling of one algorithm, and its fits are what it costs.",
            mend=f"Use {option(trial='5-fold')}, 10-fold, 5x2cv, or fit for a single fit on all rows.",
        )
    name = f"{folds}-fold cross-validation" if times == 1 else f"{times}x{folds} cross-validation"
    return Trial(name=name, fits=times * folds, share=(folds - 1) / folds)


TINY = 1e-12
CLEAR = 0.001
"""A difference of expected losses that is worth waiting for."""
UNNOTICED = 0.01
"""The share of a budget that nobody waits for."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Losses:
    """What is known of losses: (data sets, algorithms), infinite where there is no result; weights sum to 1.

    `start` is the loss of having tried nothing. `unlike` is how probable it is that a data set is unlike all known
    ones. On such a one the algorithms are as good as drawn at random, and the best of s draws is expected to lose a
    share 1 / s of what one loses (as exponential losses do): so there is always something to gain by trying another,
    less the more were tried and the more data sets are known.
    """

    loss: FloatArray
    start: FloatArray
    weight: FloatArray
    unlike: float = 0.0

    def after(self, tried: Sequence[int]) -> FloatArray:
        """Return the least loss of those tried on every data set."""
        return np.minimum(self.start, self.loss[:, list(tried)].min(axis=1)) if len(tried) else self.start

    def expected(self, tried: Sequence[int]) -> float:
        """Return the expected loss of having tried some algorithms."""
        return _Gains(self).expected(tried)

    def gains(self, tried: Sequence[int]) -> FloatArray:
        """Return by how much each algorithm would lower the expected loss."""
        return _Gains(self).gains(tried)

    def means(self) -> FloatArray:
        """Return the mean loss of every algorithm; where it has no result it is no better than nothing."""
        return np.asarray(self.weight @ np.minimum(self.loss, self.start[:, None]))

    def without(self, gone: BoolArray) -> Losses:
        """Return the same with no weight on some data sets."""
        left = np.where(gone, 0.0, self.weight)
        return replace(self, weight=left / left.sum())


class _Gains:
    """Expected losses and gains, where many are asked for: what they share is worked out once, and none twice."""

    def __init__(self, known: Losses) -> None:
        self.known, self.means = known, known.means()
        self._known: dict[tuple[int, ...], FloatArray] = {}

    def expected(self, tried: Sequence[int]) -> float:
        """Return the expected loss of having tried some algorithms."""
        return self._expected(tried, self.known.after(tried))

    def gains(self, tried: Sequence[int]) -> FloatArray:
        """Return by how much each algorithm would lower the expected loss."""
        key = tuple(tried)
        if key not in self._known:
            now = self.known.after(tried)
            then = self.known.weight @ np.minimum(now[:, None], self.known.loss)
            mixed = self._mixed(then, self.means[list(tried)].sum() + self.means, len(tried) + 1)
            self._known[key] = np.asarray(self._expected(tried, now) - mixed)
        return self._known[key]

    def _expected(self, tried: Sequence[int], now: FloatArray) -> float:
        total = float(self.means[list(tried)].sum())
        return float(self._mixed(float(self.known.weight @ now), total, len(tried)))

    def _mixed(self, known: Any, total: Any, count: int) -> Any:
        unlike = total / count**2 if count else float(self.known.weight @ self.known.start)
        return (1.0 - self.known.unlike) * known + self.known.unlike * unlike


def scheduled(
    known: Losses, cost: FloatArray, seconds: float, *, least_rate: float = 0.0, tried: Sequence[int] = ()
) -> list[int]:
    """Return which algorithms to try, in order, such that their costs fit into the seconds.

    The set is chosen greedily by gain per second, or by gain alone where that ends better by more than `CLEAR`: there
    something cheap would have kept the best from fitting. Its order is by gain per second, where no cost counts less
    than `UNNOTICED` of the budget. An algorithm that gains less than `least_rate` per second is not worth its time.
    `tried` have run already.
    """
    felt = np.maximum(cost, UNNOTICED * seconds)
    reckoned = _Gains(known)
    ways = [_filled(reckoned, cost, seconds, least_rate, tried, felt=each) for each in (felt, np.ones_like(cost))]
    first, second = (_ordered(reckoned, cost, way, least_rate, tried, felt=felt) for way in ways)
    ends = [_price(reckoned, cost, order, tried, least_rate) for order in (first, second)]
    return second if ends[1] < ends[0] - CLEAR else first


def _price(known: _Gains, cost: FloatArray, order: Sequence[int], tried: Sequence[int], least_rate: float) -> float:
    """Return the expected loss at the end, with the price of the time until then."""
    return known.expected([*tried, *order]) + least_rate * float(cost[list(order)].sum())


def _filled(
    known: _Gains,
    cost: FloatArray,
    seconds: float,
    least_rate: float,
    tried: Sequence[int],
    *,
    felt: FloatArray,
) -> list[int]:
    """Add what gains most for what its cost is felt as, as long as something fits and is worth its time."""
    chosen: list[int] = []
    while True:
        gain = known.gains([*tried, *chosen])
        left = seconds - float(cost[chosen].sum())
        may = (cost <= left) & (gain > TINY) & (gain >= least_rate * cost)
        may[[*tried, *chosen]] = False
        if not may.any():
            return chosen
        chosen.append(int(np.where(may, gain / felt, -np.inf).argmax()))


def _ordered(
    known: _Gains,
    cost: FloatArray,
    chosen: Sequence[int],
    least_rate: float,
    tried: Sequence[int],
    *,
    felt: FloatArray,
) -> list[int]:
    """Order a set by gain per second; what the others leave too little to gain is dropped."""
    rest = list(chosen)
    out: list[int] = []
    while rest:
        gain = known.gains([*tried, *out])[rest]
        may = (gain > TINY) & (gain >= least_rate * cost[rest])
        if not may.any():
            break
        out.append(rest.pop(int(np.where(may, gain / felt[rest], -np.inf).argmax())))
    return out


POINTS = 40
"""Points of time between the shortest trial and the budget, beside the ends of the trials."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Curve(Framed):
    """The expected loss at points of time: a mean over origins, with its 95 % range; empty for a single origin."""

    seconds: FloatArray
    loss: FloatArray
    low: FloatArray
    high: FloatArray

    def rows(self) -> list[Row]:
        """Return one row per point of time."""
        return rows_of(seconds=self.seconds, expected_loss=self.loss, low=self.low, high=self.high)

    def at(self, seconds: FloatArray) -> FloatArray:
        """Return the expected loss when so many seconds are over; NaN where there is no curve."""
        if not len(self.seconds):
            return np.full(len(seconds), np.nan)
        place = np.searchsorted(self.seconds, seconds * (1 + 1e-12), side="right") - 1
        return np.asarray(self.loss[np.maximum(place, 0)])


def curve_left_out(
    known: Knowledge, losses: Losses, cost: FloatArray, seconds: float, rate: float, ends: FloatArray
) -> Curve:
    """Make a schedule without each origin, with the costs of the new data set, and average what it loses there."""
    labels = np.unique(np.array(known.origins), return_inverse=True)[1]
    count = int(labels.max()) + 1
    if count < 2:
        return Curve(**frozen(**dict.fromkeys(("seconds", "loss", "low", "high"), np.empty(0))))
    own = np.where(np.isnan(cost), np.inf, cost)
    times = _points(own, seconds, ends)
    lines = held(
        _asked(losses, labels, own, seconds, rate, times),
        lambda: np.array([_one(losses, labels == each, own, seconds, rate, times) for each in range(count)]),
    )
    share = np.array([losses.weight[labels == each].sum() for each in range(count)])
    share = share / share.sum()
    mean = share @ lines
    spread = np.sqrt((share[:, None] ** 2 * (lines - mean) ** 2).sum(axis=0) * count / (count - 1))
    reach = stdtrit(count - 1, 0.975) * spread
    return Curve(**frozen(seconds=times, loss=mean, low=np.maximum(mean - reach, 0.0), high=mean + reach))


def _asked(losses: Losses, labels: IntArray, *given: FloatArray | float) -> tuple[object, ...]:
    """Return all that the lines of a curve depend on: a slider that leaves the neighbours alone changes none of it."""
    arrays = (losses.loss, losses.start, losses.weight, labels, *given)
    return ("curve", losses.unlike, *(np.asarray(each).tobytes() for each in arrays))


def _points(cost: FloatArray, seconds: float, ends: FloatArray) -> FloatArray:
    short = float(cost[np.isfinite(cost)].min()) if np.isfinite(cost).any() else seconds
    grid = np.geomspace(min(short, seconds), seconds, POINTS) if short < seconds else np.array([seconds])
    return np.unique(np.concatenate([[0.0], grid, ends]))


def _one(
    losses: Losses, gone: BoolArray, cost: FloatArray, seconds: float, rate: float, times: FloatArray
) -> FloatArray:
    """Return the mean loss on one origin at points of time, by the schedule that the others make."""
    if not losses.weight[~gone].any() or not losses.weight[gone].any():
        return np.full(len(times), float(losses.start[gone].mean()))
    order = scheduled(losses.without(gone), cost, seconds, least_rate=rate)
    done = np.searchsorted(np.cumsum(cost[order]), times * (1 + 1e-12), side="right")
    own = losses.weight[gone] / losses.weight[gone].sum()
    after = np.array([own @ losses.after(order[:n])[gone] for n in range(len(order) + 1)])
    return np.asarray(after[done])


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
