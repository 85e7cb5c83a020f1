"""Measures from confusion matrices, of arrays and of tables: rates, precision, F, error, Matthews' correlation.

Rows of a matrix are the true classes, columns the predicted ones. What a matrix cannot define has a stated answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, check_choice, check_choices, check_names
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.documents import Row, Shown, as_came_in, listed
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.columns import Arrays, present_mean
from tiebreak.results.metrics import metric_named
from tiebreak.results.table import Results
from tiebreak.wording import either, option

MEASURES = tuple("tp fp tn fn tpr fpr tnr fnr precision recall sensitivity specificity f1 error accuracy mcc".split())
"""Every measure by name; their directions are known to `metric_named`."""
AVERAGES = ("binary", "one-vs-rest", "macro")
UNDEFINED = ("zero", "gap", "refuse")
_REASONS = {
    "no positive examples": ("tpr", "recall", "sensitivity", "fnr"),
    "no negative examples": ("fpr", "tnr", "specificity"),
    "no positive predictions": ("precision",),
    "neither positive examples nor predictions": ("f1",),
    "no examples": ("error", "accuracy"),
    "one class only among the examples or the predictions": ("mcc",),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ConfusionMeasures(Shown):
    """Measures by name, each with the leading axes of the counts; NaN where one is not defined.

    `values["tpr"]` is one of them, `stack("tpr", "fpr")` puts several on a last axis.
    """

    values: Mapping[str, FloatArray]
    average: str
    positive: str | None
    classes: tuple[str, ...]
    undefined: str
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line whose measures these are."""
        return f"Measures of confusion matrices, {_said(self.average, self.positive, self.classes)}"

    def rows(self) -> list[Row]:
        """Return one row per measure: its mean over the matrices that define it, and how many do not."""
        return [
            {
                "measure": name,
                "better": "higher" if metric_named(name).higher_is_better else "lower",
                "mean": present_mean(array),
                "undefined": int(np.isnan(array).sum()),
            }
            for name, array in self.values.items()
        ]

    def stack(self, *names: str) -> FloatArray:
        """Return the named measures on a last axis, such as (folds, algorithms, measures)."""
        check_choices("measure", names, self.values)
        return np.stack([self.values[name] for name in names], axis=-1)


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
        for own, other in ((self.values, part.values), (self.filled, part.filled), (self.gaps, part.gaps)):
            for name in self.values:
                own[name][rows] = other[name]

    def only(self, names: Sequence[str], at: tuple[Any, ...] = ()) -> Derived:
        """Return some of the measures, and of these the cells at an index, such as (..., 1) for the second class."""
        parts = ({name: np.asarray(part[name][at]) for name in names} for part in (self.values, self.filled, self.gaps))
        values, filled, gaps = parts
        return Derived(values=values, filled=filled, gaps=gaps)


@as_came_in
def measures_of(
    counts: npt.ArrayLike,
    *,
    average: str = "binary",
    positive: str | int | None = None,
    classes: Sequence[str] | None = None,
    undefined: str = "zero",
) -> ConfusionMeasures:
    """Compute the measures of confusion matrices: rows are the true classes, columns the predicted ones.

    With tp, fp, tn, fn for the positive class: tpr = recall = sensitivity = tp/(tp + fn), fnr = 1 - tpr,
    fpr = fp/(fp + tn), tnr = specificity = 1 - fpr, precision = tp/(tp + fp), f1 = 2 tp/(2 tp + fp + fn),
    error = 1 - accuracy = (fp + fn)/n, mcc = (tp tn - fp fn)/sqrt((tp + fp)(tp + fn)(tn + fp)(tn + fn)).
    "macro" is the mean over the classes, each against the rest, of the four counts and of every rate; error and
    accuracy are those of the whole matrix and mcc is its generalisation to several classes (Gorodkin 2004).

    Not defined are: a rate over no examples (a fold without positives has no recall): always left as NaN, a gap, with
    a caveat; precision without positive predictions: 0 where there were positives to find, as scikit-learn does;
    mcc with a zero margin: 0. The last two are counted in a caveat; with undefined="gap" they are gaps too, and with
    "refuse" any of these is an error.

    Parameters
    ----------
    counts : array_like, shape (..., classes, classes)
        Such as (folds, algorithms, classes, classes). Not negative; fractions (weights) are allowed.
    average : {"binary", "one-vs-rest", "macro"}
        Two classes; one class against all others; the mean over all classes.
    positive : str or int
        The positive class, by name or, without names, by position; for "binary" and "one-vs-rest", never guessed.
    classes : sequence of str, optional
        Names of rows and columns; "0", "1", ... by default.
    undefined : {"zero", "gap", "refuse"}

    Returns
    -------
    ConfusionMeasures

    References
    ----------
    matthews1975
    gorodkin2004

    Examples
    --------
    >>> found = measures_of([[50, 10], [5, 35]], positive=1)  # 35 of 40 positives found, 10 false alarms
    >>> float(found.values["tpr"]), round(float(found.values["precision"]), 4)
    (0.875, 0.7778)
    """
    check_choice("undefined", undefined, UNDEFINED)
    matrices = check_counts(counts)
    names = check_names(classes or [str(i) for i in range(matrices.shape[-1])], matrices.shape[-1], kind="class")
    place = positive_place(positive, names, average)
    return _measures(
        derive(matrices, place, undefined),
        shape=matrices.shape[:-2],
        average=average,
        positive=None if place is None else names[place],
        classes=names,
        undefined=undefined,
    )


def _measures(derived: Derived, *, shape: tuple[int, ...], undefined: str, **told: Any) -> ConfusionMeasures:
    """Make the result: refuse what is not defined, or say so."""
    at = _cell_of(shape)
    if undefined == "refuse":
        refuse_undefined(derived, at)
    notes = undefined_notes(derived, at)
    return ConfusionMeasures(values=Arrays(derived.values), undefined=undefined, caveats=notes, **told)


@as_came_in
def binary_measures(
    *, tp: npt.ArrayLike, fp: npt.ArrayLike, tn: npt.ArrayLike, fn: npt.ArrayLike, undefined: str = "zero"
) -> ConfusionMeasures:
    """Compute the measures from the four counts of a positive class; see `measures_of`.

    Examples
    --------
    >>> found = binary_measures(tp=[35, 0], fp=[10, 0], tn=[50, 60], fn=[5, 40])
    >>> found.values["precision"].round(4), found.caveats
    (array([0.7778, 0.    ]), ('precision is set to 0 in 1 cell(s), such as counts[1]: no positive predictions.',
     'mcc is set to 0 in 1 cell(s), such as counts[1]: one class only among the examples or the predictions.'))
    """
    check_choice("undefined", undefined, UNDEFINED)
    arrays = [as_floats(value, what=name) for name, value in (("tp", tp), ("fp", fp), ("tn", tn), ("fn", fn))]
    if len({array.shape for array in arrays}) > 1:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise InputError(
            f"tp, fp, tn and fn have the shapes {shapes}.",
            why="They are the four counts of the same matrices.",
            mend="Pass four arrays of one shape.",
        )
    for name, array in zip(("tp", "fp", "tn", "fn"), arrays, strict=True):
        check_not_negative(array, what=name)
    return _measures(
        derive_binary(*arrays, undefined=undefined),
        shape=arrays[0].shape,
        average="binary",
        positive="positive",
        classes=("negative", "positive"),
        undefined=undefined,
    )


def check_counts(counts: npt.ArrayLike) -> FloatArray:
    """Return square matrices of finite counts that are not negative, two or more classes."""
    matrices = as_floats(counts, what="counts")
    if matrices.ndim < 2 or matrices.shape[-1] != matrices.shape[-2] or matrices.shape[-1] < 2:
        raise InputError(
            f"counts has shape {matrices.shape}.",
            why="A confusion matrix has one row per true class and one column per predicted class, two or more.",
            mend="Pass an array of shape (..., classes, classes).",
        )
    check_not_negative(matrices, what="counts")
    return matrices


def check_not_negative(counts: FloatArray, *, what: str) -> None:
    """Refuse counts that are negative or no numbers, naming the first."""
    bad = np.argwhere(~(counts >= 0) | np.isinf(counts))
    if len(bad):
        place = f"[{', '.join(str(int(i)) for i in bad[0])}]" if counts.ndim else ""
        raise InputError(
            f"{what}{place} is {counts[tuple(bad[0])]}.",
            why="A count of examples is a number that is not negative.",
            mend="Pass the counts of the confusion matrices.",
        )


def positive_place(positive: str | int | None, classes: tuple[str, ...], average: str) -> int | None:
    """Return the position of the positive class, None for "macro"; refuse to guess it."""
    check_choice("average", average, AVERAGES)
    if average == "macro":
        if positive is not None:
            raise OptionError(
                f"{option(positive=positive)} was given with {option(average='macro')}.",
                why="The mean over all classes has no positive one.",
                mend=f"Leave it out, or use {option(average='one-vs-rest')}.",
            )
        return None
    if average == "binary" and len(classes) != 2:
        raise OptionError(
            f"There are {len(classes)} classes: {quoted(classes)}.",
            why=f"{option(average='binary')} needs two.",
            mend=f"Use {option(average='macro')}, or {option(average='one-vs-rest', positive=classes[0])}.",
        )
    if positive is None:
        raise OptionError(
            f"Nothing says which of the classes {quoted(classes)} is the positive one.",
            why="tpr and fpr would trade places if it were guessed wrongly.",
            mend=f"Say {option(positive=classes[-1])}.",
        )
    return classes.index(check_choice("class", str(positive), classes))


def derive(matrices: FloatArray, positive: int | None, undefined: str) -> Derived:
    """Compute the measures of one class, or their macro averages, from matrices that may hold NaN throughout."""
    hits = np.diagonal(matrices, axis1=-2, axis2=-1)
    true, predicted = matrices.sum(axis=-1), matrices.sum(axis=-2)
    total = matrices.sum(axis=(-2, -1))
    rest = total[..., None] - true - predicted + hits
    each = derive_binary(hits, predicted - hits, rest, true - hits, undefined=undefined)
    if positive is not None:
        return each.only(MEASURES, (..., positive))
    values = {name: np.asarray(array.mean(axis=-1)) for name, array in each.values.items()}
    filled = {name: np.asarray(marks.any(axis=-1)) for name, marks in each.filled.items()}
    values["accuracy"] = _ratio(hits.sum(axis=-1), total)
    values["error"] = _ratio(total - hits.sum(axis=-1), total)
    values["mcc"] = _gorodkin(hits, true, predicted, total)
    return _settle(values, filled, total, zero={"mcc": total > 0} if undefined == "zero" else {})


def derive_binary(tp: FloatArray, fp: FloatArray, tn: FloatArray, fn: FloatArray, *, undefined: str) -> Derived:
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
    zero = {"precision": positives > 0, "mcc": total > 0} if undefined == "zero" else {}
    return _settle(values, {}, total, zero=zero)


def undefined_notes(derived: Derived, at: Callable[[int], str]) -> Caveats:
    """Say what was filled in and what was left open; `at` names a cell by its flat index."""
    found = []
    kinds = ((derived.filled, "measure-undefined", "set to 0"), (derived.gaps, "measure-undefined", "not defined"))
    for why, names in _REASONS.items():
        for marks, code, said in kinds:
            shown = [name for name in names if name in marks and marks[name].any()]
            if shown:
                where = np.flatnonzero(marks[shown[0]])
                verb = "are" if shown[1:] else "is"
                text = f"{listed(shown)} {verb} {said} in {len(where)} cell(s), such as {at(int(where[0]))}: {why}."
                found.append(Caveat(code, text))
    return tuple(found)


def refuse_undefined(derived: Derived, at: Callable[[int], str]) -> None:
    """Raise for the first measure that is not defined everywhere."""
    for why, names in _REASONS.items():
        for name in names:
            where = np.flatnonzero(derived.gaps.get(name, np.zeros(1, dtype=bool)))
            if len(where):
                raise InputError(
                    f"{name} is not defined in {len(where)} cell(s), such as {at(int(where[0]))}: {why}.",
                    why="A mean over the folds would leave those out.",
                    mend=either(
                        "Use undefined='zero' or 'gap', other measures, or stratified folds.",
                        "Use other measures, or stratified folds.",
                    ),
                )


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


def _cell_of(shape: tuple[int, ...]) -> Callable[[int], str]:
    """Name a cell of the counts by its flat index."""
    if not shape:
        return lambda _: "counts"
    return lambda flat: f"counts[{', '.join(str(int(i)) for i in np.unravel_index(flat, shape))}]"


def _said(average: str, positive: str | None, classes: tuple[str, ...]) -> str:
    if average == "macro":
        return f"mean over {len(classes)} classes, each against the rest"
    rest = f" against the {len(classes) - 1} others" if average == "one-vs-rest" else ""
    return f"positive class {positive!r}{rest}"


COUNTS = ("tp", "fp", "tn", "fn")
_CELL = re.compile(r"confusion\[(.*)\]", re.IGNORECASE | re.DOTALL)


def is_count(name: str) -> bool:
    """Say whether a column of this name holds counts of confusion matrices."""
    return name.lower() in COUNTS or name.lower().startswith("confusion[")


def has_counts(results: Results) -> bool:
    """Say whether measures can be made from the counts of the table."""
    found = {name.lower() for name in results.values if is_count(name)}
    return set(COUNTS) <= found or bool(found - set(COUNTS))


def with_scores(
    results: Results, names: Sequence[str], *, positive: str | Mapping[str, str] | None = None, average: str = "binary"
) -> Results:
    """Return the table with the measures that are named, made from its counts where it lacks them.

    Examples
    --------
    >>> table = Results.from_dict({"dataset": ["d", "d"], "algorithm": ["svm", "svm"], "fold": [1, 2],
    ...                            "tp": [8, 9], "fp": [2, 1], "tn": [18, 19], "fn": [2, 1]})
    >>> with_scores(table, ["tp", "tpr"]).means("tpr")
    array([[0.85]])
    """
    _check_known(results, names)
    absent = [name for name in names if name not in results.values]
    if absent:
        made = with_measures(results, measures=absent, positive=positive, average=average)
        held = [name for name in names if name in results.values and name in MEASURES and name not in COUNTS]
        if not held:
            return made
        there, new = (listed(part, most=len(MEASURES)) for part in (held, absent))
        text = f"{there} stand(s) in the table as such; {new} made from its counts."
        return replace(made, caveats=(*made.caveats, Caveat("read-as", text)))
    check_choice("average", average, AVERAGES)
    if positive is not None:
        raise OptionError(
            f"The positive class {positive!r} was named.",
            why="The table holds the measures already; they were made for some positive class.",
            mend=f"Leave {option('positive')} out, or give the counts instead of the measures.",
        )
    if average != "binary":
        raise OptionError(
            f"{option(average=average)} was given.",
            why="The table holds the measures already; they were averaged over classes, or not, when they were made.",
            mend=f"Leave {option('average')} out, or give the counts instead of the measures.",
        )
    return results


def _check_known(results: Results, names: Sequence[str]) -> None:
    """Refuse a name that is neither in the table nor a measure that its counts give."""
    counts = has_counts(results)
    known = (*results.values, *(name for name in MEASURES if counts and name not in results.values))
    more = "" if counts else "Measures such as tpr are made where the table holds tp, fp, tn and fn."
    check_choices("score", names, known, mend=more)


def with_measures(
    results: Results,
    *,
    measures: Sequence[str] | None = None,
    average: str = "binary",
    positive: str | Mapping[str, str] | None = None,
    undefined: str = "zero",
    prefix: str = "",
) -> Results:
    """Add the measures of the confusion matrices in a table, fold by fold, as scores with their direction.

    The counts stand in the columns tp, fp, tn and fn, or, for any number of classes, in one column for each cell of the
    matrix, named confusion[truth,prediction], such as confusion[cat,dog] for cats taken for dogs. Class names hold no
    comma. A data set that lacks a class has nothing in its columns; each data set has the classes that it fills. The
    columns of a matrix are replaced by the measures, tp, fp, tn and fn among them; all other columns stay.

    Formulas, and what is done where a measure is not defined: see `measures_of`. Gaps are left for the comparison to
    refuse or to treat by a policy; the caveats of the table name the first and count them.

    Parameters
    ----------
    results : Results
    measures : sequence of str, optional
        Which to add, from `MEASURES`. By default all that the table does not hold yet.
    average : {"binary", "one-vs-rest", "macro"}
        With the columns tp, fp, tn and fn only "binary".
    positive : str or mapping, optional
        The positive class, or {data set: class}; for matrices, unless the average is "macro".
    undefined : {"zero", "gap", "refuse"}
    prefix : str, default ""
        What the names of the counts begin with, and those of the measures then too, such as "test_" for test_tp. Add
        costs from a second table before: `with_costs` knows the direction of a score by its plain name only.

    Returns
    -------
    Results

    Examples
    --------
    >>> table = Results.from_dict({"dataset": ["d", "d"], "algorithm": ["svm", "svm"], "fold": [1, 2],
    ...                            "tp": [8, 9], "fp": [2, 1], "tn": [18, 19], "fn": [2, 1]})
    >>> added = with_measures(table, measures=["tpr", "fpr"])
    >>> added.means("tpr"), added.metric("fpr").higher_is_better
    (array([[0.85]]), False)
    """
    check_choice("average", average, AVERAGES)
    check_choice("undefined", undefined, UNDEFINED)
    counts, cells = _count_columns(results, prefix), _matrix_columns(results, prefix)
    _check_columns(counts, cells, prefix)
    if cells:
        derived, note = _from_matrices(results, cells, average, positive, undefined)
    else:
        derived, note = _from_counts(results, counts, average, positive, undefined), []
    kept = {name: array for name, array in results.values.items() if name not in cells.values()}
    names, held = _chosen(measures, prefix, kept)
    chosen = derived.only(names)
    at = _place_in(results)
    if undefined == "refuse":
        refuse_undefined(chosen, at)
    added = {prefix + name: chosen.values[name] for name in names}
    metrics = [metric for metric in results.metrics if metric.name in kept]
    metrics += [replace(metric_named(name), name=prefix + name) for name in names]
    return replace(
        results,
        metrics=tuple(sorted(metrics, key=lambda metric: metric.name)),
        values=Arrays({**kept, **added}),
        caveats=distinct([*results.caveats, *note, *held, *undefined_notes(chosen, at)]),
    )


def _count_columns(results: Results, prefix: str) -> dict[str, str]:
    """Find the columns of tp, fp, tn and fn, in any case; all four or none, and each once."""
    lower: dict[str, str] = {}
    for name in results.values:
        if name.lower() in lower and name.lower().removeprefix(prefix.lower()) in COUNTS:
            raise _twice(lower[name.lower()], name)
        lower[name.lower()] = name
    found = {count: lower[(prefix + count).lower()] for count in COUNTS if (prefix + count).lower() in lower}
    missing = [prefix + count for count in COUNTS if count not in found]
    if found and missing:
        raise InputError(
            f"The table holds {quoted(found.values())} but not {quoted(missing)}.",
            why="A confusion matrix of two classes needs all four counts.",
            mend="Add the missing column(s).",
        )
    return found


def _matrix_columns(results: Results, prefix: str) -> dict[tuple[str, str], str]:
    """Find the columns confusion[truth,prediction]."""
    found: dict[tuple[str, str], str] = {}
    for name in results.values:
        match = _CELL.fullmatch(name.removeprefix(prefix)) if name.startswith(prefix) else None
        if not match:
            continue
        parts = [part.strip() for part in match[1].split(",")]
        if len(parts) != 2 or not all(parts):
            raise InputError(
                f"The column {name!r} does not name a true and a predicted class.",
                why="A cell of a confusion matrix is named confusion[truth,prediction], and class names hold no comma.",
                mend="Rename the column, such as confusion[cat,dog] for cats taken for dogs.",
            )
        if (parts[0], parts[1]) in found:
            raise _twice(found[parts[0], parts[1]], name)
        found[parts[0], parts[1]] = name
    return found


def _twice(first: str, second: str) -> InputError:
    return InputError(
        f"The columns {first!r} and {second!r} name the same count.",
        why="It is not clear which of them counts.",
        mend="Delete or rename one of them.",
    )


def _check_columns(counts: Mapping[str, str], cells: Mapping[tuple[str, str], str], prefix: str) -> None:
    """Counts and matrices together might disagree, and no one could say which was meant."""
    if counts and cells:
        raise InputError(
            f"The table holds {quoted(counts.values())} and confusion matrices.",
            why="It is not clear which of them counts.",
            mend=f"Read only one of them with {option(scores=[...])}.",
        )
    if not counts and not cells:
        wanted = quoted(prefix + count for count in COUNTS)
        raise InputError(
            f"The table holds neither {wanted} nor columns such as '{prefix}confusion[truth,prediction]'.",
            why="The measures are computed from counts.",
            mend=either("Add those columns, or name their common beginning with prefix=....", "Add those columns."),
        )


def _from_counts(
    results: Results, counts: Mapping[str, str], average: str, positive: object, undefined: str
) -> Derived:
    """Four counts speak of one positive class: an average over classes cannot be made of them."""
    if average != "binary" or positive is not None:
        told = f"average={average!r}" if average != "binary" else f"positive={positive!r}"
        raise OptionError(
            f"{told} was given with the counts tp, fp, tn and fn.",
            why="They belong to one positive class already.",
            mend="Leave it out, or give the whole matrices as columns confusion[truth,prediction].",
        )
    arrays = [results.values[counts[count]] for count in COUNTS]
    for count, array in zip(COUNTS, arrays, strict=True):
        _check_column(results, counts[count], array)
    return derive_binary(*arrays, undefined=undefined)


def _check_column(results: Results, name: str, array: FloatArray) -> None:
    bad = np.flatnonzero((array < 0) | np.isinf(array))
    if len(bad):
        raise InputError(
            f"{name} is {array[bad[0]]} for {_place_in(results)(int(bad[0]))}.",
            why="A count of examples is a number that is not negative.",
            mend="Give the counts of the confusion matrix.",
        )


def _from_matrices(
    results: Results,
    cells: Mapping[tuple[str, str], str],
    average: str,
    positive: str | Mapping[str, str] | None,
    undefined: str,
) -> tuple[Derived, list[Caveat]]:
    """Compute the measures data set by data set, for each has its own classes."""
    for name in cells.values():
        _check_column(results, name, results.values[name])
    merged, notes = Derived.blank(len(results)), []
    for number, dataset in enumerate(results.datasets):
        rows = np.flatnonzero(results.codes["dataset"] == number)
        classes = _classes_of(results, cells, rows, dataset)
        told = positive.get(dataset) if isinstance(positive, Mapping) else positive
        place = positive_place(told, classes, average)
        matrices = np.stack(
            [np.stack([results.values[cells[t, p]][rows] for p in classes], axis=-1) for t in classes], axis=-2
        )
        merged.put(rows, derive(matrices, place, undefined))
        notes.append((len(classes), "" if place is None else classes[place]))
    return merged, [Caveat("read-as", _positive_class_note(average, notes))]


def _classes_of(
    results: Results, cells: Mapping[tuple[str, str], str], rows: IntArray, dataset: str
) -> tuple[str, ...]:
    """List the classes whose columns hold something on these rows; every pair of them needs a column."""
    used = [pair for pair, name in cells.items() if not np.isnan(results.values[name][rows]).all()]
    classes = tuple(sorted({name for pair in used for name in pair}))
    missing = [f"confusion[{t},{p}]" for t in classes for p in classes if (t, p) not in cells]
    if missing or len(classes) < 2:
        found = f"lacks the column(s) {quoted(missing)}" if missing else f"has {len(classes)} class(es)"
        raise InputError(
            f"Data set {dataset!r} {found}.",
            why="A confusion matrix has a count, 0 at the least, for each pair of two or more classes.",
            mend="Add the counts that are missing.",
        )
    return classes


def _positive_class_note(average: str, notes: Sequence[tuple[int, str]]) -> str:
    if average == "macro":
        sizes = sorted({size for size, _ in notes})
        many = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        return f"The measures are means over the {many} classes, each against the rest."
    names = sorted({name for _, name in notes})
    rest = ", against all others" if average == "one-vs-rest" else ""
    return f"The measures are those of the positive class {quoted(names)}{rest}."


def _chosen(
    measures: Sequence[str] | None, prefix: str, kept: Mapping[str, FloatArray]
) -> tuple[list[str], list[Caveat]]:
    """Return the measures to add, and a note on those that the table holds already."""
    if measures is None:
        held = [prefix + name for name in MEASURES if prefix + name in kept and name not in COUNTS]
        text = f"Not computed from the counts, for the table held them already: {quoted(held)}."
        note = [Caveat("read-as", text)] if held else []
        return [name for name in MEASURES if prefix + name not in kept], note
    names = [measures] if isinstance(measures, str) else list(dict.fromkeys(measures))
    for name in names:
        check_choice("measure", name, MEASURES)
        if prefix + name in kept and name not in COUNTS:
            raise InputError(
                f"The table holds a column {prefix + name!r} already.",
                why="It is not clear which one counts.",
                mend="Leave that measure out, or read the table without the column.",
            )
    return [name for name in names if prefix + name not in kept], []


def _place_in(results: Results) -> Callable[[int], str]:
    """Name a row of the table: algorithm, data set, and fold where there are several."""
    keys = results.key_columns

    def at(row: int) -> str:
        more = [f"{role} {keys[role].at(row)!r}" for role in ("replication", "fold") if len(keys[role].names) > 1]
        return ", ".join([f"{keys['algorithm'].at(row)!r} on {keys['dataset'].at(row)!r}", *more])

    return at
