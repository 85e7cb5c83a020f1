"""What is said of a table that was read: one line on what was inferred, and scores far outside their range."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import Caveat
from tiebreak.results import Results
from tiebreak.results.items import FOLD, ITEM
from tiebreak.results.metrics import Metric
from tiebreak.wording import either, option

CODE = "inferred"
_TURNED = re.compile(r"(.*[_./])?neg_(?!.*likelihood_ratio)\w+", re.IGNORECASE)

MANY_FOLDS = 100
"""Nobody resamples one data set so often; ten times ten folds are the most that is usual."""


def as_items(results: Results) -> Results:
    """Take very many folds of one data set for items, in whose place they stand."""
    one = len(results.datasets) == 1 == len(results.replications)
    if results.unit != FOLD or not one or len(results.folds) <= MANY_FOLDS:
        return results
    return inferred(replace(results, unit=ITEM), ["so many folds of one data set are items"])


def inferred(results: Results, facts: Sequence[str]) -> Results:
    """Note what was inferred; `accounted` makes one line of all such notes of a table."""
    new = tuple(Caveat(CODE, fact) for fact in facts)
    return replace(results, caveats=(*results.caveats, *new)) if new else results


def upward(results: Results, names: Collection[str]) -> Results:
    """Take scores of unknown direction for better when higher, as scikit-learn turns every score so."""
    metrics = tuple(
        replace(metric, higher_is_better=True, by_convention=True)
        if metric.name in names and metric.higher_is_better is None and not metric.is_cost
        else metric
        for metric in results.metrics
    )
    return results if metrics == results.metrics else replace(results, metrics=metrics)


def _turned(results: Results) -> Results:
    """Take a score that scikit-learn's mark of a turned loss precedes for better when higher."""
    marked = [name for name in results.scores if _TURNED.match(name)]
    result = upward(results, marked)
    return results if result is results else inferred(result, ["neg_ marks a loss whose sign is turned"])


def accounted(results: Results, source: str = "") -> Results:
    """Put one line in place of the notes on what was inferred: what the table holds, why, and what changes it.

    Examples
    --------
    >>> table = Results.from_dict({"one": {"svm": [0.9, 0.8], "tree": [0.7, 0.6]}}, scores="accuracy")
    >>> print(accounted(inferred(table, ["accuracy is test_accuracy"])).caveats[0])
    Read as: 2 models, 2 folds of one data set (one); accuracy is test_accuracy; higher accuracy is better.
    """
    results = _turned(results)
    facts = list(dict.fromkeys(str(note) for note in results.caveats if note.code == CODE))
    if not facts or facts[0].startswith("Read as: "):
        return results
    parts = [_size(results), *[fact for fact in facts if fact][:6]]
    costs = [metric.name for metric in results.metrics if metric.is_cost]
    parts += [f"cost{'s' if len(costs) > 1 else ''} {', '.join(costs)}"] if 0 < len(costs) < 4 else []
    known = [metric for metric in results.metrics if not metric.is_cost and metric.higher_is_better is not None]
    if len(known) == len(results.scores) == 1:
        parts.append(f"{'higher' if known[0].higher_is_better else 'lower'} {known[0].name} is better")
    text = f"Read as: {'; '.join(parts)}."
    if source:
        text += f" Change it: {either(f'tiebreak.readers.explain({source!r})', f'`tiebreak read {source}`')}."
    others = tuple(note for note in results.caveats if note.code != CODE)
    return replace(results, caveats=(Caveat(CODE, text), *others))


def _size(results: Results) -> str:
    """Say how many models, and how many data sets, folds or items."""
    models = f"{len(results.algorithms)} model{'' if len(results.algorithms) == 1 else 's'}"
    folds = len(results.replications) * len(results.folds)
    if results.unit == ITEM:
        return f"{models}, {len(results.folds):,} items" + (
            f" of {len(results.datasets)} benchmarks" if len(results.datasets) > 1 else ""
        )
    unit = "fold" if len(results.replications) == 1 else "run"
    if len(results.datasets) == 1:
        inside = f"{folds} {unit}s of " if folds > 1 else ""
        named = "" if results.datasets[0] == "one data set" else f" ({results.datasets[0]})"
        return f"{models}, {inside}one data set{named}"
    return f"{models}, {len(results.datasets)} data sets" + (f" of up to {folds} {unit}s" if folds > 1 else "")


_NEAR = 0.1  # so little below 0 (or a few times that above 1) is noise, as simulated scores have it, and no slip
_PERCENT = 5.0  # what is larger may be a percentage among shares
_FEW = 0.2  # at most this share of the values of a table can be slips
_SHOWN = 5


def checked_ranges(results: Results, source: str) -> Results:
    """Name the scores that are far outside the range of the others, and ask where the named score cannot have them.

    Costs are not looked at, nor scores that have no range or differ from data set to data set.

    Examples
    --------
    >>> from tiebreak.results import Results
    >>> scores = {"a": {"x": 90.1, "y": 80.2}, "b": {"x": 70.3, "y": 0.6}, "c": {"x": 50, "y": 40}}
    >>> table = Results.from_dict(scores, scores="accuracy")
    >>> print(checked_ranges(table, "t.csv").caveats[0])
    t.csv: 1 value of accuracy is far outside the range of the others: 0.6 ('y' on 'b'). It is read as it stands.
    """
    if results.unit != FOLD or results.dataset_metrics:
        return results
    notes = list[Caveat]()
    for name in results.scores:
        metric, values = results.metric(name), results.values[name]
        known = metric.higher_is_better is not None and not metric.is_general
        low, high = (float(find.reduce(values)) if len(values) else 0.0 for find in (np.fmin, np.fmax))
        if (known and not metric.is_share) or (low >= 0 and (high <= 1 or (low >= 1 and high <= 100))):
            continue  # most tables are cleared by their least and largest value
        odd = odd_values(values, metric)
        slip = (values > 0) & (values < 1)  # a share among percentages
        if metric.is_share and (odd & ~slip).any():
            raise _impossible(results, name, odd & ~slip, source)
        codes = results.codes["dataset"]
        odd &= (np.bincount(codes, weights=odd) / np.bincount(codes))[codes] <= 0.5  # a data set may have its own scale
        if odd.any():
            one, shown = np.count_nonzero(odd) == 1, _places(results, name, odd)
            count = f"1 value of {name} is" if one else f"{np.count_nonzero(odd)} values of {name} are"
            stand = "It is read as it stands." if one else "They are read as they stand."
            more = " ..." if len(shown) > _SHOWN else "."
            text = f"{count} far outside the range of the others: {'; '.join(shown[:_SHOWN])}{more} {stand}"
            notes.append(Caveat("outside-its-range", f"{source}: {text}"))
    return replace(results, caveats=(*results.caveats, *notes)) if notes else results


def odd_values(values: FloatArray, metric: Metric) -> BoolArray:
    """Mark the values outside 0 to 1 among shares, and those below 1 or beyond 100 among percentages.

    The larger part of a table says which it holds. Where so many values lie a little outside 0 to 1 that no slip
    explains it, the score is no share whatever its name. Of a score without a known range only a sign, or percent
    among shares, is a slip.

    Examples
    --------
    >>> from tiebreak.results.metrics import metric_named
    >>> accuracy = metric_named("accuracy")
    >>> odd_values(np.array([0.91, 0.85, 85.0, 0.93, 0.88, -0.9]), accuracy).tolist()
    [False, False, True, False, False, True]
    >>> odd_values(np.array([50.9, 0.7, 46.2]), accuracy).tolist()
    [False, True, False]
    >>> odd_values(np.array([0.3, -1.2, 1.7, 0.4, -0.8, -0.3, 1.2]), accuracy).any()
    np.False_
    """
    there, none = np.isfinite(values), np.zeros(values.shape, dtype=bool)
    top = 1 + 5 * _NEAR if metric.is_share else _PERCENT
    above, below = there & (values > top), there & (values < -_NEAR)
    most, odd = there.sum(), above | below
    if 2 * above.sum() > most:  # percentages
        slips = there & (values > 0) & (values < 1) & (values * 100 >= values[above].min() / 2)
        return below | (there & (values > 100)) | slips if metric.is_share else none
    few = odd.sum() <= _FEW * most
    if metric.is_share:
        few = few or float(np.abs(values[there]).max()) >= _PERCENT
    elif few and most > 2:
        few = float(values[there & ~odd].max()) <= 1
    return odd if few and most > 2 else none


def _places(results: Results, name: str, odd: BoolArray) -> list[str]:
    out = []
    for row in np.flatnonzero(odd).tolist():
        where = (results.algorithms[results.codes["algorithm"][row]], results.datasets[results.codes["dataset"][row]])
        out.append(f"{results.values[name][row]:g} ({where[0]!r} on {where[1]!r})")
    return list(dict.fromkeys(out))


def _impossible(results: Results, name: str, odd: BoolArray, source: str) -> Exception:
    from tiebreak.readers.understanding.notes import problem  # not loaded for plain tables

    values, one = results.values[name], odd.sum() == 1
    top = 1 if float(np.nanmedian(values)) <= 1.0 else 100
    limits = [f"{name} >= 0"] * bool((values[odd] < 0).any()) + [f"{name} <= {top}"] * bool((values[odd] > top).any())
    them = "it" if one else "them"
    return problem(
        f"A value of {source} cannot be {name}: {{place}}.",
        f"{{count}} values of {source} cannot be {name}: {{places}}.",
        _places(results, name, odd),
        why=f"The other values of {name} lie between 0 and {top}.",
        mend="If these are percentages, divide them by 100." if top == 1 and values[odd].min() > 1 else "Correct them.",
        ways={
            f"To read {them} as {'it stands' if one else 'they stand'}": option(plain=True),
            f"To leave {them} out, in long form": option(where=limits[0] if len(limits) == 1 else limits),
        },
    )
