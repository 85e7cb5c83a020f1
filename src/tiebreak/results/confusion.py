"""Measures from confusion matrices, of arrays and of tables: rates, precision, F, error, Matthews' correlation.

Rows of a matrix are the true classes, columns the predicted ones. What a matrix cannot define has a stated answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_choices
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.documents import listed
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.columns import Arrays
from tiebreak.results.metrics import metric_named
from tiebreak.results.table import Results
from tiebreak.wording import option

MEASURES = tuple("tp fp tn fn tpr fpr tnr fnr precision recall sensitivity specificity f1 error accuracy mcc".split())
"""Every measure by name; their directions are known to `metric_named`."""
AVERAGES = ("binary", "macro")
_REASONS = {
    "no positive examples": ("tpr", "recall", "sensitivity", "fnr"),
    "no negative examples": ("fpr", "tnr", "specificity"),
    "no positive predictions": ("precision",),
    "neither positive examples nor predictions": ("f1",),
    "no examples": ("error", "accuracy"),
    "one class only among the examples or the predictions": ("mcc",),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Derived:
    """Measures with two marks for each: where a convention filled in a value, and where none could be given."""

    values: dict[str, FloatArray]
    filled: dict[str, BoolArray]
    gaps: dict[str, BoolArray]

    @classmethod
    def blank(cls, count: int, names: Sequence[str] = MEASURES) -> Derived:
        """Make room for the measures of so many matrices, which `put` fills: data sets differ in their classes."""
        filled, gaps = ({name: np.zeros(count, dtype=bool) for name in names} for _ in range(2))
        return cls(values={name: np.full(count, np.nan) for name in names}, filled=filled, gaps=gaps)

    def put(self, rows: IntArray, part: Derived) -> None:
        """Take over the measures of some of the matrices."""
        for settings, other in ((self.values, part.values), (self.filled, part.filled), (self.gaps, part.gaps)):
            for name in self.values:
                settings[name][rows] = other[name]

    def only(self, names: Sequence[str], at: tuple[Any, ...] = ()) -> Derived:
        """Return some of the measures, and of these the cells at an index, such as (..., 1) for the second class."""
        parts = ({name: np.asarray(part[name][at]) for name in names} for part in (self.values, self.filled, self.gaps))
        values, filled, gaps = parts
        return Derived(values=values, filled=filled, gaps=gaps)


def positive_place(positive: str | int | None, classes: tuple[str, ...], average: str) -> int | None:
    """Return the position of the positive class, None for "macro"; refuse to guess it."""
    check_choice("average", average, AVERAGES)
    if average == "macro":
        if positive is not None:
            raise OptionError(
                f"{option(positive=positive)} was given with {option(average='macro')}.",
                mend=f"Leave it out, or use {option(average='binary')}.",
            )
        return None
    if positive is None:
        all_of_them = f" For means over all classes say {option(average='macro')}." if len(classes) > 2 else ""
        raise OptionError(
            f"Nothing says which of the classes {quoted(classes)} is the positive one.",
            mend=f"Say {option(positive=classes[-1])}.{all_of_them}",
        )
    return classes.index(check_choice("class", str(positive), classes))


def derive(matrices: FloatArray, positive: int | None = None) -> Derived:
    """Compute the measures of one class, or their macro averages, from matrices that may hold NaN throughout.

    With tp, fp, tn, fn for the positive class: tpr = recall = sensitivity = tp/(tp + fn), fnr = 1 - tpr,
    fpr = fp/(fp + tn), tnr = specificity = 1 - fpr, precision = tp/(tp + fp), f1 = 2 tp/(2 tp + fp + fn),
    error = 1 - accuracy = (fp + fn)/n, mcc = (tp tn - fp fn)/sqrt((tp + fp)(tp + fn)(tn + fp)(tn + fn)).
    Macro averages are means over the classes, each against the rest; error and accuracy are those of the whole matrix
    and mcc is its generalisation to several classes (Gorodkin 2004).

    Not defined are: a rate over no examples (a fold without positives has no recall): always NaN, a gap; precision
    without positive predictions: 0 where there were positives to find, as scikit-learn does; mcc with a zero margin: 0.

    References
    ----------
    matthews1975
    gorodkin2004
    """
    hits = np.diagonal(matrices, axis1=-2, axis2=-1)
    true, predicted = matrices.sum(axis=-1), matrices.sum(axis=-2)
    total = matrices.sum(axis=(-2, -1))
    rest = total[..., None] - true - predicted + hits
    derived = derive_binary(hits, predicted - hits, rest, true - hits)
    if positive is not None:
        return derived.only(MEASURES, (..., positive))
    values = {name: np.asarray(array.mean(axis=-1)) for name, array in derived.values.items()}
    filled = {name: np.asarray(marks.any(axis=-1)) for name, marks in derived.filled.items()}
    values["accuracy"] = _ratio(hits.sum(axis=-1), total)
    values["error"] = _ratio(total - hits.sum(axis=-1), total)
    values["mcc"] = _gorodkin(hits, true, predicted, total)
    return _settle(values, filled, total, zero={"mcc": total > 0})


def derive_binary(tp: FloatArray, fp: FloatArray, tn: FloatArray, fn: FloatArray) -> Derived:
    """Compute all measures from the four counts, which may be NaN together where a fold is missing."""
    positives, negatives, total = tp + fn, fp + tn, tp + fp + tn + fn
    tpr, fpr = _ratio(tp, positives), _ratio(fp, negatives)
    tnr = _ratio(tn, negatives)
    margins = np.sqrt((tp + fp) * positives) * np.sqrt(negatives * (tn + fn))
    values = {
        "tp": tp, "fp": fp, "tn": tn, "fn": fn,
        "tpr": tpr, "fpr": fpr, "tnr": tnr, "fnr": _ratio(fn, positives),
        "precision": _ratio(tp, tp + fp), "recall": tpr, "sensitivity": tpr, "specificity": tnr,
        "f1": _ratio(2 * tp, 2 * tp + fp + fn),
        "error": _ratio(fp + fn, total), "accuracy": _ratio(tp + tn, total),
        "mcc": _ratio(tp * tn - fp * fn, margins),
    }  # fmt: skip
    return _settle(values, {}, total, zero={"precision": positives > 0, "mcc": total > 0})


def undefined_notes(derived: Derived, at: Callable[[int], str]) -> Caveats:
    """Say what was filled in and what was left open; `at` names a cell by its flat index."""
    caveats = []
    kinds = ((derived.filled, "measure-undefined", "set to 0"), (derived.gaps, "measure-undefined", "not defined"))
    for why, names in _REASONS.items():
        for marks, code, sentence in kinds:
            shown = [name for name in names if name in marks and marks[name].any()]
            if shown:
                where = np.flatnonzero(marks[shown[0]])
                verb = "are" if shown[1:] else "is"
                text = f"{listed(shown)} {verb} {sentence} in {len(where)} cell(s), such as {at(int(where[0]))}: {why}."
                caveats.append(Caveat(code, text))
    return tuple(caveats)


def _settle(
    values: dict[str, FloatArray], filled: dict[str, BoolArray], total: FloatArray, *, zero: Mapping[str, BoolArray]
) -> Derived:
    """Fill in zeros where the convention allows, and mark what is still open; missing counts are no gaps."""
    there = ~np.isnan(total)
    marks = {name: filled.get(name, np.zeros_like(there)) for name in values}
    for name, where in zero.items():
        marks[name] = np.asarray(np.isnan(values[name]) & where)
        values[name] = np.where(marks[name], 0.0, values[name])
    gaps = {name: np.asarray(np.isnan(array) & there) for name, array in values.items()}
    return Derived(values=values, filled=marks, gaps=gaps)


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Divide, NaN where there is nothing to divide by."""
    return np.asarray(np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=np.asarray(whole > 0)))


def _gorodkin(hits: FloatArray, true: FloatArray, predicted: FloatArray, total: FloatArray) -> FloatArray:
    """Matthews' correlation for several classes: a correlation of true and predicted class."""
    square = np.square(total)
    covariance = hits.sum(axis=-1) * total - (true * predicted).sum(axis=-1)
    spreads = (square - np.square(array).sum(axis=-1) for array in (true, predicted))
    return _ratio(covariance, np.prod([np.sqrt(np.maximum(spread, 0.0)) for spread in spreads], axis=0))


COUNTS = ("tp", "fp", "tn", "fn")
_CELL = re.compile(r"confusion\[(.*)\]", re.IGNORECASE | re.DOTALL)


def is_count(name: str) -> bool:
    """Say whether a column of this name holds counts of confusion matrices."""
    return name.lower() in COUNTS or name.lower().startswith("confusion[")


def has_counts(results: Results) -> bool:
    """Say whether measures can be made from the counts of the table."""
    texts = {name.lower() for name in results.values if is_count(name)}
    return set(COUNTS) <= texts or bool(texts - set(COUNTS))


def with_scores(
    results: Results, names: Sequence[str], *, positive: str | Mapping[str, str] | None = None, average: str = "binary"
) -> Results:
    """Return the table with the measures that are named, made fold by fold from its counts where it lacks them.

    The counts stand in the columns tp, fp, tn and fn, or, for any number of classes, in one column for each cell of the
    matrix, named confusion[truth,prediction], such as confusion[cat,dog] for cats taken for dogs. Class names hold no
    comma. A data set that lacks a class has nothing in its columns; each data set has the classes that it fills. The
    columns of a matrix are replaced by the measures; all other columns stay.

    Formulas, and what is done where a measure is not defined: see `derive`. Gaps are left for the comparison to
    refuse or to treat by a policy; the caveats of the table name the first and count them.

    Parameters
    ----------
    results : Results
    names : sequence of str
        Scores that the table holds, or measures from `MEASURES`.
    positive : str or mapping, optional
        The positive class, or {data set: class}; for matrices, unless the average is "macro".
    average : {"binary", "macro"}
        The positive class against all others; or means over the classes, not with the columns tp, fp, tn and fn.

    Returns
    -------
    Results

    Examples
    --------
    >>> table = Results.from_dict({"dataset": ["d", "d"], "algorithm": ["svm", "svm"], "fold": [1, 2],
    ...                            "tp": [8, 9], "fp": [2, 1], "tn": [18, 19], "fn": [2, 1]})
    >>> added = with_scores(table, ["tp", "tpr", "fpr"])
    >>> added.means("tpr"), added.metric("fpr").higher_is_better
    (array([[0.85]]), False)
    """
    check_choice("average", average, AVERAGES)
    counts = has_counts(results)
    more = "" if counts else "Measures such as tpr are made where the table holds tp, fp, tn and fn."
    known = (*results.values, *(name for name in MEASURES if counts and name not in results.values))
    check_choices("score", names, known, mend=more)
    absent = [name for name in dict.fromkeys(names) if name not in results.values]
    options = {"positive": positive} if positive is not None else {"average": average} if average != "binary" else {}
    cells = _matrix_columns(results)
    if options and (not absent or not cells):
        raise OptionError(
            f"{option(**options)} was given.",
            why="The table holds the measures, or tp, fp, tn and fn; they were made for some positive class.",
            mend="Leave it out, or give the whole matrices as columns confusion[truth,prediction].",
        )
    if not absent:
        return results
    derived, notes = _from_matrices(results, cells, average, positive) if cells else (_from_counts(results), [])
    held = [name for name in names if name in results.values and name in MEASURES and name not in COUNTS]
    if held:
        there, new = (listed(part, most=len(MEASURES)) for part in (held, absent))
        notes.append(Caveat("read-as", f"{there} stand(s) in the table as such; {new} made from its counts."))
    chosen = derived.only(absent)
    arrays = {name: array for name, array in results.values.items() if name not in cells.values()} | chosen.values
    metrics = [metric for metric in results.metrics if metric.name in arrays] + [metric_named(name) for name in absent]
    return replace(
        results,
        metrics=tuple(sorted(metrics, key=lambda metric: metric.name)),
        values=Arrays(arrays),
        caveats=distinct([*results.caveats, *notes, *undefined_notes(chosen, _place_in(results))]),
    )


def _matrix_columns(results: Results) -> dict[tuple[str, str], str]:
    """Find the columns confusion[truth,prediction]; beside tp, fp, tn and fn nobody could say which of them counts."""
    result: dict[tuple[str, str], str] = {}
    for name in results.values:
        match = _CELL.fullmatch(name)
        parts = [part.strip() for part in match[1].split(",")] if match else []
        if match and (len(parts) != 2 or not all(parts) or (parts[0], parts[1]) in result):
            raise InputError(
                f"The column {name!r} does not name a true and a predicted class, or the same as another column.",
                why="A cell of a confusion matrix is named confusion[truth,prediction], and class names hold no comma.",
                mend="Rename the column, such as confusion[cat,dog] for cats taken for dogs.",
            )
        if match:
            result[parts[0], parts[1]] = name
    if result and any(name.lower() in COUNTS for name in results.values):
        raise InputError(
            f"The table holds {quoted(COUNTS)} and confusion matrices.",
            mend=f"Read only one of them with {option(scores=[...])}.",
        )
    return result


def _from_counts(results: Results) -> Derived:
    columns = {name.lower(): name for name in results.values}
    return derive_binary(*(_counts(results, columns[count]) for count in COUNTS))


def _counts(results: Results, name: str) -> FloatArray:
    """Return a column of counts, none of which is negative."""
    array = results.values[name]
    if (array < 0).any():
        row = int(np.argmax(array < 0))
        raise InputError(
            f"{name} is {array[row]} for {_place_in(results)(row)}.", mend="Give the counts of the confusion matrix."
        )
    return array


def _from_matrices(
    results: Results, cells: Mapping[tuple[str, str], str], average: str, positive: str | Mapping[str, str] | None
) -> tuple[Derived, list[Caveat]]:
    """Compute the measures data set by data set, for each has its own classes."""
    counts = {pair: _counts(results, name) for pair, name in cells.items()}
    merged, sizes, names = Derived.blank(len(results)), set[int](), set[str]()
    for number, dataset in enumerate(results.datasets):
        rows = np.flatnonzero(results.codes["dataset"] == number)
        classes = _classes_of(counts, rows, dataset)
        text = positive.get(dataset) if isinstance(positive, Mapping) else positive
        place = positive_place(text, classes, average)
        matrices = np.stack([np.stack([counts[t, p][rows] for p in classes], axis=-1) for t in classes], axis=-2)
        merged.put(rows, derive(matrices, place))
        sizes.add(len(classes))
        names |= set() if place is None else {classes[place]}
    rest = ", against all others" if max(sizes) > 2 else ""
    many = str(min(sizes)) if len(sizes) == 1 else f"{min(sizes)} to {max(sizes)}"
    sentence = (
        f"The measures are those of the positive class {quoted(sorted(names))}{rest}."
        if names
        else f"The measures are means over the {many} classes, each against the rest."
    )
    return merged, [Caveat("read-as", sentence)]


def _classes_of(counts: Mapping[tuple[str, str], FloatArray], rows: IntArray, dataset: str) -> tuple[str, ...]:
    """List the classes whose columns hold something on these rows; every pair of them needs a column."""
    used = [pair for pair, column in counts.items() if not np.isnan(column[rows]).all()]
    classes = tuple(sorted({name for pair in used for name in pair}))
    missing = [f"confusion[{t},{p}]" for t in classes for p in classes if (t, p) not in counts]
    if missing or len(classes) < 2:
        text = f"lacks the column(s) {quoted(missing)}" if missing else f"has {len(classes)} class(es)"
        raise InputError(f"Data set {dataset!r} {text}.", mend="Add the counts that are missing.")
    return classes


def _place_in(results: Results) -> Callable[[int], str]:
    """Name a row of the table: algorithm, data set, and fold where there are several."""
    keys = results.key_columns

    def at(row: int) -> str:
        more = [f"{role} {keys[role].at(row)!r}" for role in ("replication", "fold") if len(keys[role].names) > 1]
        return ", ".join([f"{keys['algorithm'].at(row)!r} on {keys['dataset'].at(row)!r}", *more])

    return at
