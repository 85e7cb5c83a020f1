"""Pilots on stored folds: what a race would have answered after so many seconds, and how far it stops early."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import FloatArray
from tiebreak.advisor.pilot.race import Race

ENOUGH = 0.01
"""A pilot ends as soon as the expected loss is below one point."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Answer(Brief):
    """The answer at one moment of a race: the algorithm, its stated loss (mean and 90 % point), seconds and fits."""

    place: int
    loss: float
    most: float
    seconds: float
    fits: int


def replay(
    race: Race, folds: FloatArray, seconds: FloatArray, budgets: Sequence[float], *, enough: float = ENOUGH
) -> list[Answer]:
    """Race on stored folds (algorithms, folds) with their seconds, and return the answer at every budget.

    A fit that would end after the budget does not count. The race ends early when the expected loss is below `enough`.

    Examples
    --------
    >>> from tiebreak.advisor.pilot.prior import Prior
    >>> prior = Prior(mean=np.array([-0.02, -0.03]), covariance=np.diag([0.0009, 0.0009]))
    >>> race = Race(prior=prior, listed=(0, 1), seconds=np.array([1.0, 1.0]), rows=500)
    >>> folds = np.array([[0.80, 0.81], [0.90, 0.91]])
    >>> [each.place for each in replay(race, folds, np.ones((2, 2)), [0, 1, 2])]
    [0, 0, 1]
    """
    spent, out = 0.0, []
    for budget in sorted(budgets):
        while True:
            now = race.posterior()
            if race.measured and now.loss(now.best(race.alive), race.alive)[0] < enough:
                break
            following = race.next_fit()
            if following is None or following[1] >= folds.shape[1]:
                break
            place, fold = following
            if not np.isfinite(folds[place, fold]):
                race.fail(place)
                continue
            if spent + seconds[place, fold] > budget:
                break
            spent += float(seconds[place, fold])
            race.add(place, fold, float(folds[place, fold]))
        now = race.posterior()
        best = now.best(race.alive)
        mean, most = now.loss(best, race.alive)
        out.append(Answer(place=best, loss=mean, most=most, seconds=spent, fits=len(race.measured)))
    return out
