"""What may be put side by side over data sets: scores as they are, distances, shares of the way to the best, or wins.

A mean over data sets, and a test that ranks the sizes of differences over data sets, need scores in one unit. Where
metrics differ (a column says so), or scales do (told by their size), other numbers stand in for the scores:

- pairs are tested on distances: scores in units of how far an algorithm typically lies from the median one on that
  data set. The unit treats better and worse alike. One made from the best does not: an algorithm that varies much
  stretches it where it wins and not where it loses, and equal algorithms of unequal spread differ too often.
  The sign test needs no unit, but finds less, often by a third (docs/results.md has the numbers);
- tables and figures show normalised scores: 0 for the median algorithm, 1 for the best.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_choice, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import listed, number
from tiebreak.results import Metric, Results, directions
from tiebreak.results.metrics import Told
from tiebreak.stats.numeric.basics import snap
from tiebreak.wording import option

SCALES = ("auto", "as-is", "distance")
"""How scores of different data sets may be compared."""
LOWEST = -1.0
"""No normalised score is below: a failed run would else decide every mean."""

Kind = Literal["as they are", "distances"]
_TESTED = "are tested on distances, in units of how far an algorithm typically lies from the median one there."
_SHOWN = (
    f"Normalised scores are 0 for the median algorithm on a data set, 1 for the best there, and never below {LOWEST:g}."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scaled:
    """The scores of a table, made comparable over data sets as far as they are.

    Parameters
    ----------
    kind : {"as they are", "distances"}
        What `errors` hold: turned scores, or distances from the median algorithm in typical ones.
    errors : ndarray, shape (data sets, algorithms)
        What pairs are tested on, lower the better; NaN where there is no score.
    shown : ndarray, shape (data sets, algorithms)
        What tables and figures show, and what may be averaged over data sets; its direction is that of `metric`.
    metric : Metric
        The name and direction of what is shown.
    higher : ndarray of bool, shape (data sets,)
        Whether a higher score of the table is better on a data set.
    plain : ndarray, shape (data sets, algorithms)
        The scores turned so that lower is better: ranks and wins within data sets are those of these.
    reason : str
        Why means of the scores themselves say nothing: metrics or scales differ; empty where they do not.
    code : str
        The code of the caveat that gives this reason.
    hint : str
        How to tell metrics that scores of different sizes may belong to.
    notes : tuple of Caveat
        What is to be said besides: of directions, and of units of what is predicted.
    """

    kind: Kind
    errors: FloatArray
    shown: FloatArray
    metric: Metric
    higher: BoolArray
    plain: FloatArray
    reason: str
    code: str
    hint: str
    notes: Caveats = ()

    @property
    def one_way(self) -> bool:
        """Whether the direction of better is the same on every data set."""
        return _one_way(self.higher)

    def caveats(self, *, by_size: bool = True) -> Caveats:
        """Say what was done and why; `by_size` says that some test compares sizes of differences over data sets."""
        as_is = self.kind == "as they are"
        if as_is and not self.reason:
            return self.notes
        if not by_size:
            text = "The tests compare algorithms within each data set, which takes no common unit"
            text += "; means over data sets say nothing here." if as_is else "."
        elif as_is:
            text = "They are compared as they are, as told: data sets with large numbers decide."
        else:
            why = "Differences of such scores have no common unit, so pairs" if self.reason else "As told, pairs"
            text = f"{why} {_TESTED}"
        sentences = [self.reason, text, "" if as_is else _SHOWN, self.hint]
        return (Caveat(self.code, " ".join(filter(None, sentences))), *self.notes)

    def turned(self, scores: FloatArray) -> FloatArray:
        """Turn scores, data sets first, such as those of folds, so that lower is better on every data set."""
        return np.where(self.higher.reshape(-1, *[1] * (scores.ndim - 1)), -scores, scores)


def scaled(
    results: Results,
    score: str,
    *,
    higher_is_better: Told = None,
    scale: str = "auto",
    scores: FloatArray | None = None,
    sizes: FloatArray | None = None,
) -> Scaled:
    """Make the scores of a table comparable over data sets, as far as they are.

    Formula: with e the scores of a data set turned so that lower is better and m their median, the distance is
    (e - m) / u, where u is the median of those |e - m| that are not 0; 0 where all are. With e_1 the least, the
    normalised score is max(-1, (m - e) / (m - e_1)); where m = e_1 nothing is better than the median, and what equals
    it has 0, what is worse -1. Gaps stay gaps.

    Assumptions: scores of one data set are by one metric, so that they may be compared with each other.
    When not to use it: inside one data set, where scores are compared as they are.

    Parameters
    ----------
    results : Results
    score : str
    higher_is_better : bool or mapping, optional
        For the whole column, or by the name of a metric; see `tiebreak.results.metrics`.
    scale : {"auto", "as-is", "distance"}
        What pairs are tested on. "auto" takes scores as they are where they lie on one scale, and "distance" where
        metrics or scales differ. "as-is" takes them so wherever they lie.
    scores : ndarray, shape (data sets, algorithms), optional
        What to use for the means over folds of `results`, such as those over the folds that are there.
    sizes : ndarray, shape (data sets, algorithms), optional
        The size of what the scores were averaged from; differences below its rounding error are none.

    Returns
    -------
    Scaled

    Examples
    --------
    >>> table = Results.from_dict({"dataset": ["iris"] * 3 + ["cars"] * 3, "algorithm": ["net", "svm", "tree"] * 2,
    ...                            "metric": ["auc"] * 3 + ["rmse"] * 3, "score": [0.9, 0.7, 0.75, 12, 90, 14]})
    >>> result = scaled(table, "score")
    >>> result.kind, result.errors.round(4).tolist()
    ('distances', [[-0.0513, 1.9487, 0.0], [-1.5, 0.5, 0.0]])
    >>> result.metric.name, result.shown.round(4).tolist()
    ('normalised score', [[1.0, -1.0, 0.0], [1.0, -0.3333, 0.0]])
    """
    check_choice("scale", scale, SCALES)
    values = results.means(score) if scores is None else scores
    higher, notes = directions(results, score, higher_is_better)
    plain = np.where(higher[:, None], -values, values)
    of_targets = all(metric.of_targets for metric in results.metrics_on(score))
    code, reason = _reason(results, score, values, higher)
    kind: Kind = "distances" if scale == "distance" or (scale == "auto" and reason) else "as they are"
    if kind == "as they are":
        shown = values if _one_way(higher) else -plain
        if of_targets and scale == "auto" and len(results.datasets) > 1:
            notes = (*notes, _target_units(score))
    else:
        plain = snap(plain, size=sizes)
        middle = _median(plain)
        shown = shares(plain, middle[:, None], (middle - _least(plain))[:, None])
    hint = f"A column that names the metric of each data set is told by {option(columns={'metric': 'HEADER'})}."
    return Scaled(
        kind=kind,
        errors=readonly(distances(plain) if kind == "distances" else plain),
        shown=readonly(shown),
        metric=_metric(results.metric(score), kind, higher),
        higher=readonly(higher),
        plain=readonly(plain),
        reason=reason,
        code=code,
        hint=hint if code == "scales-differ" and not of_targets else "",
        notes=notes,
    )


def distances(errors: FloatArray) -> FloatArray:
    """Return how far each algorithm lies behind the median one on its data set, in typical distances from it.

    Examples
    --------
    >>> distances(np.array([[1.0, 2.0, 4.0], [1.0, 1.0, 3.0], [5.0, 5.0, np.nan]])).round(4).tolist()
    [[-0.6667, 0.0, 1.3333], [0.0, 0.0, 1.0], [0.0, 0.0, nan]]
    """
    away = errors - _median(errors)[:, None]
    apart = np.where(away == 0, np.nan, np.abs(away))
    typical = _median(apart)[:, None]
    with np.errstate(divide="ignore", over="ignore"):
        return np.where(np.isnan(typical), away, away / typical)


def shares(errors: FloatArray, centre: FloatArray, unit: FloatArray) -> FloatArray:
    """Return normalised scores: the share of the way from the centre to the best, never below -1.

    Examples
    --------
    >>> errors = np.array([[1.0, 2.0, 4.0], [1.0, 1.0, 3.0]])
    >>> shares(errors, centre=np.array([[2.0], [1.0]]), unit=np.array([[1.0], [0.0]])).tolist()
    [[1.0, 0.0, -1.0], [0.0, 0.0, -1.0]]
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        share = (centre - errors) / unit
    none = np.where(errors > centre, LOWEST, 0.0)
    settled = np.where(unit > 0, share, none)
    return np.where(np.isnan(errors), np.nan, np.maximum(settled, LOWEST)) + 0.0  # no negative zero


def _least(errors: FloatArray) -> FloatArray:
    least = np.where(np.isnan(errors), np.inf, errors).min(axis=1)
    return np.where(np.isinf(least), np.nan, least)


def _median(errors: FloatArray) -> FloatArray:
    """Return the median of each data set, NaN without a warning where nothing is."""
    empty = np.asarray(np.isnan(errors).all(axis=1))
    return np.where(empty, np.nan, np.nanmedian(np.where(empty[:, None], 0.0, errors), axis=1))


def _reason(results: Results, score: str, values: FloatArray, higher: BoolArray) -> tuple[str, str]:
    """Return why scores have no common unit, the metrics of a column or sizes, after the code of the caveat."""
    metrics = results.metrics_on(score)
    if len({metric.key for metric in set(metrics)}) > 1:  # most tables have one metric, on every data set
        counts = Counter(metric.name for metric in metrics).most_common()
        text = listed([f"{name} on {number}" for name, number in counts])
        return "metrics-differ", f"The scores are {text} of {len(metrics)} data sets."
    apart = levels_apart(values, metrics[0], higher_is_better=bool(higher[0])) if metrics else None
    return ("other-unit", "") if apart is None else ("scales-differ", apart.said(results.datasets, score))


def _one_way(higher: BoolArray) -> bool:
    return bool(higher.all() or not higher.any())


def _metric(metric: Metric, kind: Kind, higher: BoolArray) -> Metric:
    """Describe what is shown; losses among scores are shown with a minus where all stand as they are."""
    if kind != "as they are":
        return Metric(name="normalised score", higher_is_better=True)
    if _one_way(higher):
        return Metric(name=metric.name, higher_is_better=bool(higher.all()), unit=metric.unit)
    return Metric(name=f"{metric.name} (losses negative)", higher_is_better=True)


def _target_units(score: str) -> Caveat:
    text = (
        f"{score} has the unit of what is predicted: in means and signed ranks data sets with larger numbers count for"
        f" more. For a common unit use {option(scale='distance')}, or a score without a unit (relative_rmse, r2)."
    )
    return Caveat("metrics-differ", text)


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
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
        current = float(middle[first]), float(middle[second])
        return Apart(small=int(there[first]), large=int(there[second]), levels=current, why=why)

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
    values: FloatArray = np.nanmedian(scores, axis=1) if np.isnan(scores).any() else np.median(scores, axis=1)
    return values


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
