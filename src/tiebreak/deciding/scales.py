"""What may be put side by side over data sets: scores as they are, shares of the way to the best, or who wins.

A mean over data sets, and a test that ranks the sizes of differences over data sets, need scores in one unit. Where
metrics differ (a column says so), or scales do (told by their size), other numbers stand in for the scores:

- pairs are tested by who is better on each data set, the sign test, by default. It is the only one of the ways whose
  answer on two algorithms does not depend on the others in the table, and it keeps its error everywhere;
- tables and figures show normalised scores, 0 for a baseline or the median algorithm and 1 for the best.

Normalised scores can be tested too, by signed ranks. That finds more, but the unit of a data set is then made from the
scores that are tested: an algorithm that varies much stretches it where it wins and not where it loses, so that equal
algorithms of unequal spread are told apart too often (docs/results.md has the numbers).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_choice, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.deciding.levels import levels_apart
from tiebreak.documents import listed
from tiebreak.errors import OptionError, unknown_name
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.tables import Metric, Results, Told, directions

SCALES = ("auto", "as-is", "normalised", "sign")
"""How scores of different data sets may be compared."""
LOWEST = -1.0
"""No normalised score is below: a failed run would else decide every mean, and by its size a test."""

Kind = Literal["as they are", "normalised", "signs"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scaled:
    """The scores of a table, made comparable over data sets as far as they are.

    Parameters
    ----------
    kind : {"as they are", "normalised", "signs"}
        What `errors` hold: turned scores, normalised scores, or ranks within each data set.
    errors : ndarray, shape (data sets, algorithms)
        What pairs are tested on, lower the better; NaN where there is no score. Ranks may only be compared within a
        data set: by the sign test, or by tests on ranks.
    test : {"wilcoxon", "sign"}
        The test of pairs that goes with them.
    shown : ndarray, shape (data sets, algorithms)
        What tables and figures show, and what may be averaged over data sets; its direction is that of `metric`.
    metric : Metric
        The name and direction of what is shown.
    higher : ndarray of bool, shape (data sets,)
        Whether a higher score of the table is better on a data set.
    mixed : bool
        Whether metrics or scales differ, so that means of the scores themselves say nothing.
    words : str
        A sentence on what was done and why; empty where nothing was.
    centre, unit : ndarray, shape (data sets,)
        The turned score of the baseline, and its distance to the best.
    baseline : str or None
        The algorithm whose normalised score is 0; None for the median algorithm.
    caveats : tuple of Caveat
    """

    kind: Kind
    errors: FloatArray
    test: Literal["wilcoxon", "sign"]
    shown: FloatArray
    metric: Metric
    higher: BoolArray
    mixed: bool
    words: str
    centre: FloatArray
    unit: FloatArray
    baseline: str | None = None
    caveats: Caveats = ()

    @property
    def comparable(self) -> bool:
        """Whether sizes of differences of `errors` may be compared over data sets."""
        return self.kind != "signs"

    def turned(self, scores: FloatArray) -> FloatArray:
        """Turn scores, data sets first, such as those of folds, so that lower is better on every data set."""
        return np.where(self.higher.reshape(-1, *[1] * (scores.ndim - 1)), -scores, scores)

    def normalised(self, scores: FloatArray) -> FloatArray:
        """Normalise other scores of the same data sets, data sets first, such as those of folds."""
        shape = (-1, *[1] * (scores.ndim - 1))
        return shares(self.turned(scores), self.centre.reshape(shape), self.unit.reshape(shape))


def scaled(
    results: Results,
    score: str,
    *,
    higher_is_better: Told = None,
    scale: str = "auto",
    baseline: str | None = None,
    scores: FloatArray | None = None,
    sizes: FloatArray | None = None,
) -> Scaled:
    """Make the scores of a table comparable over data sets, as far as they are.

    Formula: with e the scores turned so that lower is better, e_0 that of the baseline and e_1 the least on a data
    set, the normalised score is max(-1, (e_0 - e) / (e_0 - e_1)). Where e_0 = e_1 nothing is better than the baseline:
    what equals it has 0, what is worse -1. The median algorithm is the median of the scores that are there.

    Assumptions: scores of one data set are by one metric, so that they may be compared with each other.
    When not to use it: inside one data set, where scores are compared as they are.

    Parameters
    ----------
    results : Results
    score : str
    higher_is_better : bool or mapping, optional
        For the whole column, or by the name of a metric; see `tiebreak.tables.directions`.
    scale : {"auto", "as-is", "normalised", "sign"}
        "auto" takes scores as they are where they lie on one scale, and "sign" where metrics or scales differ. "as-is"
        takes them so wherever they lie.
    baseline : str, optional
        The algorithm whose normalised score is 0, such as one that predicts a constant; by default the median one.
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
    >>> found = scaled(table, "score")
    >>> found.kind, found.test, found.errors.tolist()
    ('signs', 'sign', [[1.0, 3.0, 2.0], [1.0, 3.0, 2.0]])
    >>> found.metric.name, found.shown.round(4).tolist()
    ('normalised score', [[1.0, -1.0, 0.0], [1.0, -0.3333, 0.0]])
    """
    check_choice("scale", scale, SCALES)
    values = results.means(score) if scores is None else scores
    higher, notes = directions(results, score, higher_is_better)
    plain = np.where(higher[:, None], -values, values)
    errors = snap(plain, size=sizes)
    reason = _reason(results, score, values, higher)
    kind = _kind(scale, mixed=reason is not None)
    centre, missing = _baseline(errors, results.algorithms, baseline)
    unit = centre - _least(errors)
    one_way = bool(higher.all() or not higher.any())
    metric = _metric(results.metric(score), kind, higher=higher, one_way=one_way)
    share = shares(errors, centre[:, None], unit[:, None])
    raw = values if one_way else np.where(higher[:, None], values, -values)
    words = _words(kind, reason, scale, baseline)
    more = _notes(reason, words, results.datasets, missing=missing, unit=unit, kind=kind)
    return Scaled(
        kind=kind,
        errors=readonly({"as they are": plain, "normalised": -share, "signs": _ranks(errors)}[kind]),
        test="sign" if kind == "signs" else "wilcoxon",
        shown=readonly(raw if kind == "as they are" else share),
        metric=metric,
        higher=readonly(higher),
        mixed=reason is not None,
        words=words,
        centre=readonly(centre),
        unit=readonly(unit),
        baseline=baseline,
        caveats=(*notes, *more),
    )


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


def _ranks(errors: FloatArray) -> FloatArray:
    """Rank within data sets; what has no score has no rank."""
    there = ~np.isnan(errors)
    return np.where(there, average_ranks(np.where(there, errors, np.inf)), np.nan)


def _least(errors: FloatArray) -> FloatArray:
    least = np.where(np.isnan(errors), np.inf, errors).min(axis=1)
    return np.where(np.isinf(least), np.nan, least)


def _median(errors: FloatArray) -> FloatArray:
    """Return the median of each data set, NaN without a warning where nothing is."""
    empty = np.asarray(np.isnan(errors).all(axis=1))
    return np.where(empty, np.nan, np.nanmedian(np.where(empty[:, None], 0.0, errors), axis=1))


def _baseline(errors: FloatArray, algorithms: Sequence[str], baseline: str | None) -> tuple[FloatArray, Sequence[int]]:
    """Return the turned score of the baseline on each data set, and where the median stands in for it."""
    if baseline is None:
        return _median(errors), ()
    if baseline not in algorithms:
        raise unknown_name("algorithm (for the baseline)", baseline, algorithms)
    own = errors[:, list(algorithms).index(baseline)]
    missing = np.isnan(own) & ~np.isnan(errors).all(axis=1)
    if np.isnan(own).all():
        raise OptionError(
            f"The baseline {baseline!r} has a score on no data set.",
            why="Normalised scores are 0 where it is.",
            mend="Name another one, or leave it out: the median algorithm is the baseline then.",
        )
    return np.where(missing, _median(errors), own), np.flatnonzero(missing).tolist()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reason:
    """Why scores are not compared as they are: the metrics of a column, or sizes that were found."""

    text: str
    told: bool


def _reason(results: Results, score: str, values: FloatArray, higher: BoolArray) -> _Reason | None:
    metrics = results.metrics_on(score)
    if len({metric.key for metric in metrics}) > 1:
        counts = Counter(metric.name for metric in metrics).most_common()
        said = listed([f"{name} on {number}" for name, number in counts])
        return _Reason(text=f"The scores are {said} of {len(metrics)} data sets.", told=True)
    apart = levels_apart(values, metrics[0], higher_is_better=bool(higher[0])) if metrics else None
    return None if apart is None else _Reason(text=apart.said(results.datasets, score), told=False)


def _kind(scale: str, *, mixed: bool) -> Kind:
    if scale == "normalised":
        return "normalised"
    return "signs" if scale == "sign" or (scale == "auto" and mixed) else "as they are"


def _metric(own: Metric, kind: Kind, *, higher: BoolArray, one_way: bool) -> Metric:
    """Describe what is shown; losses among scores are shown with a minus where all stand as they are."""
    if kind != "as they are":
        return Metric(name=f"normalised {own.name}", higher_is_better=True)
    if one_way:
        return Metric(name=own.name, higher_is_better=bool(higher.all()), unit=own.unit)
    return Metric(name=f"{own.name} (losses negative)", higher_is_better=True)


def _words(kind: Kind, reason: _Reason | None, scale: str, baseline: str | None) -> str:
    """Say what was done and why, for people who read no options."""
    zero = f"{baseline!r}" if baseline else "the median algorithm"
    share = f"0 is {zero} on a data set, 1 the best there, and nothing counts as less than -1"
    if kind == "as they are":
        if reason is None:
            return ""
        return f"{reason.text} They are compared as they are, as told: data sets with large numbers decide."
    start = f"{reason.text} " if reason else ""
    if kind == "normalised":
        return f"{start}Pairs are tested on normalised scores, as told: {share}."
    why = "Sizes of differences cannot be compared over data sets, so pairs" if scale == "auto" else "Pairs"
    return f"{start}{why} are tested by who is better on each (sign test). Shown are normalised scores: {share}."


def _notes(
    reason: _Reason | None,
    words: str,
    datasets: Sequence[str],
    *,
    missing: Sequence[int],
    unit: FloatArray,
    kind: Kind,
) -> Caveats:
    """Caveats on what was done; on the baseline only where normalised scores are used."""
    notes = []
    if reason is not None:
        notes.append(Caveat("metrics-differ" if reason.told else "scales-differ", words))
    elif words:
        notes.append(Caveat("scales-as-told", words))
    if kind == "as they are":
        return tuple(notes)
    if missing:
        names = listed([datasets[i] for i in missing], most=3)
        text = f"The baseline has no score on {len(missing)} data set(s) ({names}): the median algorithm stands in."
        notes.append(Caveat("baseline-missing", text))
    flat = np.flatnonzero(unit == 0).tolist()
    if flat:
        names = listed([datasets[i] for i in flat], most=3)
        text = (
            f"On {len(flat)} data set(s) ({names}) nothing is better than the baseline: normalised scores are 0 there"
            " for what equals it and -1 for what is worse."
        )
        notes.append(Caveat("no-distance", text))
    return tuple(notes)
