"""Whether the scores of a table lie on one scale: told by their size, where no column says it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.documents import number
from tiebreak.results import Metric

APART = 100.0
"""Levels of unknown scores that differ by more than this factor lie on different scales."""
TARGETS_APART = 10.0
"""The same for errors in the unit of what is predicted, which is nowhere the same."""
PERCENT = 100.0
"""Up to here an unknown score may be a percentage, and an error of 0.1 % lies on one scale with one of 40 %."""
RANGES_APART = 10.0
"""Scores in a larger unit also lie further apart; where they do not, data sets differ in level and not in unit."""
SHARE_NOT = 2.0
"""Numbers that are drawn about an accuracy pass 1; no share passes this."""
PERCENT_LEAST = 10.0
"""Unknown scores that are percentages where others are shares lie above."""
SHARE_MIDDLE = 0.3
"""Shares of which higher is better lie above in the middle; what lies closer to 0 may be anything near 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """Two data sets whose scores lie on different scales: their places, the level of each, and what tells it."""

    small: int
    large: int
    levels: tuple[float, float]
    why: str

    def said(self, datasets: tuple[str, ...], score: str) -> str:
        """Name both with the middle of their scores."""
        first, second = (
            f"{number(level)} on {datasets[place]!r}"
            for place, level in zip((self.small, self.large), self.levels, strict=True)
        )
        return f"The middle {score} is {first} and {second}: {self.why}"


def levels_apart(scores: FloatArray, metric: Metric, *, higher_is_better: bool) -> Apart | None:
    """Return two data sets on different scales, or None where all may lie on one.

    The level of a data set is the median size of its scores, its range how far they lie apart. What is known of the
    metric decides first:

    - errors in the unit of the target (rmse, mae): levels more than 10 times apart;
    - shares (accuracy, auc), all from 0 to 100: even the best is at most 1 on one data set and even the worst above 2
      on another, as where shares stand beside percentages;
    - other known metrics (log_loss, brier, mcc, r2): never, as they have one unit and may come near 0;
    - times and other costs: levels more than 100 times apart;
    - names that say nothing, and shares beyond 100: levels more than 100 times apart and beyond what percentages can
      be, with ranges that grow with the levels, as a unit makes both; or scores of one sign on every data set, those
      of one sign shares and some of the other beyond; or, where higher is better, every level at most 1 or at least
      10, and some of each.

    Examples
    --------
    >>> from tiebreak.results import metric_named
    >>> levels_apart(np.array([[0.9, 0.8], [0.001, 0.4]]), metric_named("error"), higher_is_better=False)
    >>> levels_apart(np.array([[0.75, 0.25], [1200.0, 900.0]]), metric_named("score"), higher_is_better=False).levels
    (0.5, 1050.0)
    """
    there = np.flatnonzero(~np.isnan(scores).all(axis=1))
    known = scores[there]
    middle, level = _medians(known), _medians(np.abs(known))
    if not (level > 0).any():
        return None
    small = int(np.argmin(np.where(level > 0, level, np.inf)))
    large = int(np.argmax(level))
    ratio = float(level[large] / level[small])

    def apart(first: int, second: int, why: str) -> Apart:
        own = float(middle[first]), float(middle[second])
        return Apart(small=int(there[first]), large=int(there[second]), levels=own, why=why)

    if metric.of_targets:
        return apart(small, large, "their units differ.") if ratio > TARGETS_APART else None
    shares = metric.is_share and float(np.nanmax(known)) <= PERCENT
    unknown = metric.is_general or metric.higher_is_better is None or (metric.is_share and not shares)
    if unknown and ratio > APART and level[large] > PERCENT and _ranges_grow(known, level):
        return apart(small, large, "their sizes are orders of magnitude apart.")
    if metric.is_cost and ratio > APART:
        return apart(small, large, "their sizes are orders of magnitude apart.")
    if unknown and (pair := _signs(known, level)):
        return apart(*pair, "the scores of one are positive, those of the other negative.")
    beyond = SHARE_NOT if shares else None if not (unknown and higher_is_better) else PERCENT_LEAST
    if beyond is not None and (pair := _shares(known, level, beyond)):
        return apart(*pair, "all scores of the second are above 1, none of the first is.")
    return None


def _medians(scores: FloatArray) -> FloatArray:
    """Return the median of each row; on small tables the one that allows for gaps takes fifty times as long."""
    found: FloatArray = np.nanmedian(scores, axis=1) if np.isnan(scores).any() else np.median(scores, axis=1)
    return found


def _ranges_grow(scores: FloatArray, level: FloatArray) -> bool:
    """Ask whether large scores also lie further apart; a shift alone, large on some data sets, is no unit."""
    positive = np.log(np.where(level > 0, level, 1.0))
    above = positive > (positive[level > 0].min() + positive.max()) / 2
    ranges = np.nanmax(scores, axis=1) - np.nanmin(scores, axis=1)
    below = ~above & (level > 0)
    return float(np.median(ranges[above])) > RANGES_APART * float(np.median(ranges[below]))


def _signs(scores: FloatArray, level: FloatArray) -> tuple[int, int] | None:
    """Find a data set with positive scores and one with negative, where every data set is of one sign.

    Scores whose sign also changes within data sets have their zero somewhere on one scale. So have those that merely
    lie on both sides of it; only where one side looks like shares and the other does not are they of two kinds.
    """
    positive, negative = np.nanmin(scores, axis=1) >= 0, np.nanmax(scores, axis=1) <= 0
    if not (positive.any() and negative.any() and (positive | negative).all()):
        return None
    like = [_like_shares(level[side & (level > 0)]) for side in (positive, negative)]
    if like[0] == like[1] or not bool((level > 1).any()):
        return None
    return _largest(negative, level), _largest(positive, level)


def _like_shares(level: FloatArray) -> bool:
    return len(level) > 0 and bool((level <= 1).all()) and float(np.median(level)) > SHARE_MIDDLE


def _shares(scores: FloatArray, level: FloatArray, beyond: float) -> tuple[int, int] | None:
    """Find a data set on which no algorithm scores more than 1, and one on which all do, where all may be percentages.

    Numbers below 0 or above 100 are neither shares nor percentages, whatever they are called. Where nothing says that
    they are shares, all must lie on one side or the other.
    """
    if np.nanmin(scores) < 0 or np.nanmax(scores) > PERCENT:
        return None
    best, worst = np.nanmax(scores, axis=1), np.nanmin(scores, axis=1)
    within, large = (best <= 1) & (best > 0), (worst > 1) & (level > beyond)
    if beyond == PERCENT_LEAST and not (within | large | (best == 0)).all():
        return None
    return (_largest(within, best), _largest(large, best)) if within.any() and large.any() else None


def _largest(among: BoolArray, level: FloatArray) -> int:
    return int(np.argmax(np.where(among, level, -np.inf)))
