"""Measures from the counts that a results table holds: fold by fold, added as scores with their direction."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_choice, check_choices
from tiebreak.caveats import Caveat, distinct
from tiebreak.documents import listed
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results import confusion
from tiebreak.results.arrays import Arrays
from tiebreak.results.metrics import metric_named
from tiebreak.results.table import Results
from tiebreak.wording import either, option

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
        held = [name for name in names if name in results.values and name in confusion.MEASURES and name not in COUNTS]
        if not held:
            return made
        there, new = (listed(part, most=len(confusion.MEASURES)) for part in (held, absent))
        text = f"{there} stand(s) in the table as such; {new} made from its counts."
        return replace(made, caveats=(*made.caveats, Caveat("read-as", text)))
    check_choice("average", average, confusion.AVERAGES)
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
    known = (*results.values, *(name for name in confusion.MEASURES if counts and name not in results.values))
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
    check_choice("average", average, confusion.AVERAGES)
    check_choice("undefined", undefined, confusion.UNDEFINED)
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
        confusion.refuse_undefined(chosen, at)
    added = {prefix + name: chosen.values[name] for name in names}
    metrics = [metric for metric in results.metrics if metric.name in kept]
    metrics += [replace(metric_named(name), name=prefix + name) for name in names]
    return replace(
        results,
        metrics=tuple(sorted(metrics, key=lambda metric: metric.name)),
        values=Arrays({**kept, **added}),
        caveats=distinct([*results.caveats, *note, *held, *confusion.undefined_notes(chosen, at)]),
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
) -> confusion.Derived:
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
    return confusion.derive_binary(*arrays, undefined=undefined)


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
) -> tuple[confusion.Derived, list[Caveat]]:
    """Compute the measures data set by data set, for each has its own classes."""
    for name in cells.values():
        _check_column(results, name, results.values[name])
    merged, notes = confusion.Derived.blank(len(results)), []
    for number, dataset in enumerate(results.datasets):
        rows = np.flatnonzero(results.codes["dataset"] == number)
        classes = _classes_of(results, cells, rows, dataset)
        told = positive.get(dataset) if isinstance(positive, Mapping) else positive
        place = confusion.positive_place(told, classes, average)
        matrices = np.stack(
            [np.stack([results.values[cells[t, p]][rows] for p in classes], axis=-1) for t in classes], axis=-2
        )
        merged.put(rows, confusion.derive(matrices, place, undefined))
        notes.append((len(classes), "" if place is None else classes[place]))
    return merged, [Caveat("read-as", _said(average, notes))]


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


def _said(average: str, notes: Sequence[tuple[int, str]]) -> str:
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
        held = [prefix + name for name in confusion.MEASURES if prefix + name in kept and name not in COUNTS]
        text = f"Not computed from the counts, for the table held them already: {quoted(held)}."
        note = [Caveat("read-as", text)] if held else []
        return [name for name in confusion.MEASURES if prefix + name not in kept], note
    names = [measures] if isinstance(measures, str) else list(dict.fromkeys(measures))
    for name in names:
        check_choice("measure", name, confusion.MEASURES)
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
