"""One line on what was inferred of a table, for the end of every answer that rests on it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from tiebreak.caveats import Caveat
from tiebreak.results import Results
from tiebreak.results.items import FOLD, ITEM
from tiebreak.wording import either

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
    found = upward(results, marked)
    return results if found is results else inferred(found, ["neg_ marks a loss whose sign is turned"])


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
