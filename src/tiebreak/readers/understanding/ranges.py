"""Values far outside the range of their score: named in a caveat, and an error only where they are impossible."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.readers.understanding.notes import Problem, Way, unclear
from tiebreak.results import Results
from tiebreak.results.items import FOLD
from tiebreak.results.metrics import Metric
from tiebreak.wording import option

_NEAR = 0.1  # so little below 0 (or a few times that above 1) is noise, as simulated scores have it, and no slip
_MANY = 5  # slips are fewer
_PERCENT = 5.0  # what is larger may be a percentage among shares
_FEW = 0.2  # at most this share of the values of a table can be slips
_SHOWN = 5


def checked_ranges(results: Results, source: str) -> Results:
    """Name the scores that are far outside the range of the others, and ask where the named score cannot have them.

    Costs are not looked at, nor scores that differ from data set to data set.

    Examples
    --------
    >>> from tiebreak.results import Results
    >>> scores = {"a": {"x": 0.9, "y": 0.8}, "b": {"x": 0.7, "y": -0.6}, "c": {"x": 0.5, "y": 0.4}}
    >>> table = Results.from_dict(scores, scores="zeal")
    >>> print(checked_ranges(table, "t.csv").caveats[0])
    t.csv: 1 value of zeal is far outside the range of the others: -0.6 ('y' on 'b'). It is read as it stands.
    """
    if results.unit != FOLD or results.dataset_metrics:
        return results
    notes = list[Caveat]()
    for name in results.scores:
        metric, values = results.metric(name), results.values[name]
        if not _may_be_odd(values, metric):
            continue
        if is_no_share(values, metric):
            text = f"{source}: many values of {name!r} lie outside 0 to 1, so that it is no share; they are read as"
            notes.append(Caveat("outside-its-range", f"{text} they stand."))
            continue
        impossible, odd = odd_values(values, metric, results.codes["dataset"].astype(np.int64))
        if impossible.any():
            raise _impossible(results, name, impossible, source)
        if odd.any():
            one = np.count_nonzero(odd) == 1
            count = f"1 value of {name} is" if one else f"{np.count_nonzero(odd)} values of {name} are"
            shown = _places(results, name, odd)
            stand = "It is read as it stands" if one else "They are read as they stand"
            text = f"{source}: {count} far outside the range of the others: {'; '.join(shown[:_SHOWN])}"
            notes.append(Caveat("outside-its-range", f"{text}{' ...' if len(shown) > _SHOWN else '.'} {stand}."))
    return replace(results, caveats=(*results.caveats, *notes)) if notes else results


def _may_be_odd(values: FloatArray, metric: Metric) -> bool:
    """Most tables are cleared by their least and largest value; only the others are looked at value by value."""
    known = metric.higher_is_better is not None and not metric.is_general
    if not len(values) or (known and not metric.is_share):
        return False
    low, high = float(np.fmin.reduce(values)), float(np.fmax.reduce(values))
    top = 100.0 if metric.is_share else np.inf
    return low < 0 or (high > 1 and not (low >= 1 and high <= top))


def _places(results: Results, name: str, odd: BoolArray) -> list[str]:
    out = []
    for row in np.flatnonzero(odd).tolist():
        where = (results.algorithms[results.codes["algorithm"][row]], results.datasets[results.codes["dataset"][row]])
        out.append(f"{results.values[name][row]:g} ({where[0]!r} on {where[1]!r})")
    return list(dict.fromkeys(out))


def _impossible(results: Results, name: str, odd: BoolArray, source: str) -> Exception:
    values = results.values[name]
    above = float(np.nanmedian(values)) <= 1.0 and bool((values[odd] > 1).all())
    many = "{count} values of {source} cannot be " + name + ": {places}."
    one = "A value of {source} cannot be " + name + ": {place}."
    why = f"The other values of {name} lie between 0 and 1." if above else f"{name} is never negative nor above 100 %."
    ways = [
        Way(when="To read it as it stands" if odd.sum() == 1 else "To read them as they stand", say=option(plain=True))
    ]
    limit = f"{name} {'<= 1' if above else '>= 0'}"
    ways.append(
        Way(
            when="To leave it out, in long form" if odd.sum() == 1 else "To leave them out, in long form",
            say=option(where=limit),
        )
    )
    mend = "If these are percentages, divide them by 100." if above else "Correct them."
    problem = Problem(
        one=one, many=many, places=tuple(_places(results, name, odd)), why=why, mend=mend, ways=tuple(ways)
    )
    return unclear(source, [problem])


def odd_values(values: FloatArray, metric: Metric, datasets: IntArray | None = None) -> tuple[BoolArray, BoolArray]:
    """Mark the values that are impossible for a known score, and those that only lie far from the others.

    Without a known metric a data set may have a scale of its own: its values are odd only where others of the same data
    set, numbered by `datasets`, are not.

    Examples
    --------
    >>> from tiebreak.results.metrics import metric_named
    >>> table = np.array([0.91, 0.85, 85.0, 0.93, 0.88, -0.9])
    >>> odd_values(table, metric_named("accuracy"))[0].tolist()
    [False, False, True, False, False, True]
    >>> odd_values(np.array([50.9, 0.7, 46.2]), metric_named("accuracy"))[0].any()
    np.False_
    """
    there = np.isfinite(values)
    none = np.zeros(values.shape, dtype=bool)
    if there.sum() < 3:
        return none, none
    if metric.is_share:
        odd = none if is_no_share(values, metric) else there & _outside_share(values, there)
        low = odd & (values >= 0) & (values <= 1.0)
        return odd & ~low, low
    if metric.higher_is_better is not None and not metric.is_general:
        return none, none
    odd = there & _slips(values, there)
    if datasets is not None and odd.any():
        share = np.bincount(datasets, weights=odd) / np.maximum(np.bincount(datasets, weights=there), 1)
        odd &= (share <= 0.5)[datasets]
    return none, odd


def is_no_share(values: FloatArray, metric: Metric) -> bool:
    """Say whether so many values lie outside 0 to 1, and none so far that it is a percentage, that no slip explains it.

    Examples
    --------
    >>> from tiebreak.results.metrics import metric_named
    >>> is_no_share(np.array([0.3, -1.2, 1.7, 0.4, -0.8, -0.3, 1.2]), metric_named("accuracy"))
    True
    """
    if not metric.is_share or not np.isfinite(values).any():
        return False
    there = values[np.isfinite(values)]
    outside = np.count_nonzero((there < 0) | (there > 1))
    return bool(np.abs(there).max() < _PERCENT and outside >= _MANY and outside > _FEW * len(there))


def _outside_share(values: FloatArray, there: BoolArray) -> BoolArray:
    """Shares lie between 0 and 1, or 0 and 100 for percentages; the larger part of a table says which."""
    below, above = values < -_NEAR, values > 1 + 5 * _NEAR
    inside = there & ~below & ~above
    if not above.any():
        return below
    if inside.sum() >= (there & above).sum():
        return below | above
    slipped = inside & (values > 0) & (values < 1) & (np.median(values[there & above]) > 10)
    low = values[there & above].min()
    return np.asarray(below | (values > 100) | (slipped & (values * 100 >= low / 2)))


def _slips(values: FloatArray, there: BoolArray) -> BoolArray:
    """Without a known range only what a slip of the pen explains: a sign, or percent among shares."""
    out = np.zeros(values.shape, dtype=bool)
    for odd in (there & (values < 0), there & (values > 1), there & (values > 0) & (values < 1)):
        rest = there & ~odd & ~out
        if not odd.any() or odd.sum() > _FEW * there.sum() or rest.sum() < 3:
            continue
        low, high = float(values[rest].min()), float(values[rest].max())
        if low < 0:
            continue
        if (values[odd] < 0).all():
            out |= odd & (-values >= low / 2) & (-values <= high * 1.5)
        elif (values[odd] > 1).all():
            out |= odd & (values >= max(5 * high, 5.0)) if high <= 1 else False
        else:
            out |= odd & (values * 100 >= low / 2) & (values * 100 <= high * 1.5) if low > 10 and high <= 100 else False
    return out
