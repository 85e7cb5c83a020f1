"""Is active testing worth it? What is lost after so many trials, and after so much time, beside fixed orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray, readonly
from tiebreak.advisor._knowledge import Knowledge
from tiebreak.advisor.trials._expected_gains import STOP_BELOW, expected_gains
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.results import rows_of

_ACTIVE, _RATED, _PORTFOLIO, _RANKS, _RANDOM = (
    "active testing",
    "active testing, by gain per second",
    "greedy portfolio",
    "mean ranks",
    "random",
)
"""The orders that are compared: the first two change with what is seen, the others are fixed before."""
_TRIALS = (1, 2, 3, 5, 8)
_SHARES = (0.05, 0.1, 0.2, 0.4)
"""Shares of the time of running all, at which losses are told."""
_DRAWS = 20
"""So many random orders are averaged."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TrialLosses(Shown):
    """The loss of the best algorithm tried so far; arrays are (orders, data sets, trials).

    `loss` is the best success rate of the data set less the best of the tried ones, `share` the part of the time of
    running all that was spent (NaN without times), `promised` what the most promising of the rest was expected to add
    before each trial of active testing, `gained` what the trial added. `stops` are the trials after which the rule
    would have ended it, by data set.
    """

    orders: tuple[str, ...]
    datasets: tuple[str, ...]
    loss: FloatArray
    share: FloatArray
    promised: FloatArray
    gained: FloatArray
    stops: IntArray
    stop_below: float
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        stopped = [self.loss[0, i, n - 1] for i, n in enumerate(self.stops)]
        return (
            f"Loss of the best algorithm tried, means over {len(self.datasets)} data sets; below a gain"
            f" of {self.stop_below:g} {_ACTIVE} stops after {np.mean(self.stops):.1f} of {self.loss.shape[2]} trials"
            f" with a loss of {np.mean(stopped):.4f}"
        )

    def rows(self) -> list[Row]:
        """Return one row per order: mean losses after so many trials, and after so much of the time of all."""
        ends = [n for n in _TRIALS if n <= self.loss.shape[2]]
        columns: dict[str, Any] = {"order": self.orders}
        columns |= {f"after {n}": [float(each[:, n - 1].mean()) for each in self.loss] for n in ends}
        if np.isfinite(self.share).any():
            columns |= {f"at {share:.0%} of the time": self._at(share) for share in _SHARES}
        return rows_of(**columns)

    def _at(self, share: float) -> list[float]:
        """Before the first trial has ended there is nothing to use: that counts as the worst of the data set."""
        out = []
        for loss, spent in zip(self.loss, self.share, strict=True):
            done = (spent <= share).sum(axis=1)
            ended = np.where(done > 0, loss[np.arange(len(loss)), np.maximum(done, 1) - 1], self.loss.max(axis=(0, 2)))
            out.append(float(ended.mean()))
        return out

    def calibration(self, edges: Sequence[float] = (0.0005, 0.002, 0.01)) -> list[Row]:
        """Return what was promised beside what came, for trials grouped by what was promised."""
        promised, gained = self.promised[:, 1:].ravel(), self.gained[:, 1:].ravel()
        bounds = [0.0, *edges, np.inf]
        parts = [(promised >= a) & (promised < b) for a, b in pairwise(bounds)]
        return [
            {"trials": int(part.sum()), "promised": float(promised[part].mean()), "gained": float(gained[part].mean())}
            for part in parts
            if part.any()
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Case:
    """One data set as if it were new, and what is known without its origin."""

    success: FloatArray
    time: FloatArray | None
    own: FloatArray
    about: dict[str, Any] = field(default_factory=dict)

    def gains(self, tried: Sequence[int]) -> FloatArray:
        """Return what the untried algorithms are expected to add."""
        seen = np.full(len(self.own), np.nan)
        seen[list(tried)] = self.own[list(tried)]
        return expected_gains(self.success, seen, **self.about).gain

    def seconds(self) -> FloatArray:
        """Return the geometric mean time of every algorithm on the known data sets."""
        if self.time is None:
            return np.ones(len(self.own))
        return np.asarray(np.exp(np.log(np.maximum(self.time, 1e-6)).mean(axis=0)))


@as_came_in
def trial_losses(
    base: Knowledge,
    *,
    measures: Sequence[str] | None = None,
    stop_below: float = STOP_BELOW,
    seed: int = 0,
    **kernels: float,
) -> TrialLosses:
    """Leave out every data set with its origin, try algorithms on it one by one, and count what is lost.

    Formula: after n trials, loss = best success rate of the data set - best of the n tried. The first trial of active
    testing is that of the portfolio; then the algorithm with the largest `expected_gains` follows, or the largest gain
    per second of its geometric mean time elsewhere. The portfolio adds the algorithm that raises the mean best success
    rate most; the mean ranks are over the other data sets; random orders are averaged over 20 draws.

    Assumptions: success rates are compared as they were measured, so the best of many is a little too good, for every
    order alike.
    When not to use it: on data sets with gaps; those with results of all algorithms take part.

    Parameters
    ----------
    base : Knowledge
    measures : sequence of str, optional
        The meta-attributes of the distance, as in `Knowledge.distances`.
    stop_below : float
        Where active testing would stop.
    seed : int, default 0
        Of the random orders.
    **kernels : float
        `width` and `reach` of `expected_gains`.

    Returns
    -------
    TrialLosses

    References
    ----------
    leite2012

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> found = trial_losses(shipped_knowledge())
    >>> [row["order"] for row in found.rows()][:2], found.loss.shape[1] == len(found.datasets)
    (['active testing', 'active testing, by gain per second'], True)
    """
    whole = np.flatnonzero(base.measured(timed=False).all(axis=1))
    if len({base.origins[i] for i in whole}) < 2:
        raise InputError(
            f"{len(whole)} data set(s) of the base have results of every algorithm.",
            why="A data set is judged by what is known of those of other origins.",
            mend="Take a base with more of them, or fewer algorithms: base.only(algorithms=[...]).",
        )
    kept = base.datasets_at(whole)
    cases = _cases(kept, kept.distances(measures), kernels)
    rng = np.random.default_rng(seed)
    orders = {_ACTIVE: _active, _RATED: _rated, _PORTFOLIO: _portfolio, _RANKS: _ranks}
    if kept.time is None:
        del orders[_RATED]
    walks = {name: [make(case) for case in cases] for name, make in orders.items()}
    times = kept.means()[1]
    parts = [_followed(walk, cases, times) for walk in walks.values()]
    drawn = [[rng.permutation(len(case.own)).tolist() for case in cases] for _ in range(_DRAWS)]
    chance = [_followed(walk, cases, times) for walk in drawn]
    parts.append((np.mean([loss for loss, _ in chance], axis=0), np.mean([share for _, share in chance], axis=0)))
    promised = np.array([_promised(case, walk) for case, walk in zip(cases, walks[_ACTIVE], strict=True)])
    loss = np.array([part[0] for part in parts])
    few = promised < stop_below
    few[:, :2] = False  # two are tried in any case, so that there is something to compare
    lost = len(base.datasets) - len(whole)
    return TrialLosses(
        orders=(*walks, _RANDOM),
        datasets=kept.datasets,
        loss=readonly(loss),
        share=readonly(np.array([part[1] for part in parts])),
        promised=readonly(promised),
        gained=readonly(-np.diff(loss[0], axis=1, prepend=loss[0][:, :1])),
        stops=readonly(np.where(few.any(axis=1), few.argmax(axis=1), few.shape[1])),
        stop_below=stop_below,
        caveats=caveats_of((lost, "datasets-left-out", f"{lost} data set(s) without results of all are left out.")),
    )


def _cases(base: Knowledge, distances: FloatArray, kernels: dict[str, float]) -> list[_Case]:
    success, times = base.means()
    labels = np.array(base.origins)
    out = []
    for i, own in enumerate(success):
        others = np.flatnonzero(labels != labels[i])
        about = {"distance": distances[i, others], "origins": labels[others].tolist(), **kernels}
        out.append(_Case(success=success[others], time=None if times is None else times[others], own=own, about=about))
    return out


def _portfolio(case: _Case) -> list[int]:
    """Add, again and again, the algorithm that raises the mean of the best most; the better on average of equals."""
    best, order = np.zeros(len(case.success)), list[int]()
    means = case.success.mean(axis=0)
    while len(order) < len(case.own):
        left = [j for j in range(len(case.own)) if j not in order]
        raised = [(np.maximum(best, case.success[:, j]).mean(), means[j]) for j in left]
        order.append(left[max(range(len(left)), key=raised.__getitem__)])
        best = np.maximum(best, case.success[:, order[-1]])
    return order


def _ranks(case: _Case) -> list[int]:
    places = (-case.success).argsort(axis=1).argsort(axis=1)
    return [int(j) for j in places.mean(axis=0).argsort(kind="stable")]


def _active(case: _Case) -> list[int]:
    return _walk(case, lambda gains: gains)


def _rated(case: _Case) -> list[int]:
    seconds = case.seconds()
    return _walk(case, lambda gains: gains / seconds)


def _walk(case: _Case, value: Callable[[FloatArray], FloatArray]) -> list[int]:
    """Follow the largest value; where all are equal, the order of the portfolio."""
    fixed = _portfolio(case)
    place = np.argsort(fixed)
    order = [fixed[0]]
    while len(order) < len(case.own):
        found = np.nan_to_num(value(case.gains(order)), nan=-1.0)
        left = [j for j in range(len(case.own)) if j not in order]
        order.append(max(left, key=lambda j: (found[j], -place[j])))
    return order


def _promised(case: _Case, order: list[int]) -> FloatArray:
    """Return what the best of the rest was expected to add before every trial; before the first, nothing is known."""
    return np.array([np.inf, *(np.nanmax(case.gains(order[:n])) for n in range(1, len(order)))])


def _followed(
    walk: Sequence[Sequence[int]], cases: Sequence[_Case], times: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    """Return losses and shares of time along the order of every data set."""
    loss = [
        case.own.max() - np.maximum.accumulate(case.own[list(order)]) for case, order in zip(cases, walk, strict=True)
    ]
    if times is None:
        return np.array(loss), np.full(np.shape(loss), np.nan)
    spent = [np.cumsum(row[list(order)]) / row.sum() for row, order in zip(times, walk, strict=True)]
    return np.array(loss), np.array(spent)
