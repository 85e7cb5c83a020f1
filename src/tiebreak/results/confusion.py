"""Measures from confusion matrices: rates, precision and recall, F, error, Matthews' correlation; on plain arrays.

Rows of a matrix are the true classes, columns the predicted ones. What a matrix cannot define has a stated answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, check_choice, check_choices, check_names
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import Row, Shown, as_came_in, listed
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.arrays import Arrays, present_mean
from tiebreak.results.metrics import metric_named
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
