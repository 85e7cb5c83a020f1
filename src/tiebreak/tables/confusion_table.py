"""Measures from the counts that a results table holds: fold by fold, added as scores with their direction."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_choice
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.tables.arrays import Arrays
from tiebreak.tables.build import ROLES
from tiebreak.tables.confusion import (
    AVERAGES,
    MEASURES,
    UNDEFINED,
    Derived,
    derive,
    derive_binary,
    positive_place,
    refuse_undefined,
    undefined_notes,
)
from tiebreak.tables.metrics import Metric, metric_named
from tiebreak.tables.table import Results

COUNTS = ("tp", "fp", "tn", "fn")
_CELL = re.compile(r"confusion\[(.*)\]", re.IGNORECASE | re.DOTALL)


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
        derived, note = _from_counts(results, counts, average, positive, undefined)
    kept = {name: array for name, array in results.values.items() if name not in cells.values()}
    names, held = _chosen(measures, prefix, kept)
    chosen = _only(derived, names)
    at = _place_in(results)
    if undefined == "refuse":
        refuse_undefined(chosen, at)
    added = {prefix + name: chosen.values[name] for name in names}
    metrics = [metric for metric in results.metrics if metric.name in kept]
    metrics += [replace(metric_named(name), name=prefix + name) for name in names]
    return replace(
        results,
        metrics=tuple(sorted(metrics, key=_by_name)),
        values=Arrays({**kept, **added}),
        caveats=tuple(dict.fromkeys([*results.caveats, *note, *held, *undefined_notes(chosen, at)])),
    )


def _by_name(metric: Metric) -> str:
    return metric.name


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
    if counts and cells:
        raise InputError(
            f"The table holds {quoted(counts.values())} and confusion matrices.",
            why="It is not clear which of them counts.",
            mend="Read only one of them with scores=[...].",
        )
    if not counts and not cells:
        wanted = quoted(prefix + count for count in COUNTS)
        raise InputError(
            f"The table holds neither {wanted} nor columns such as '{prefix}confusion[truth,prediction]'.",
            why="The measures are computed from counts.",
            mend="Add those columns, or name their common beginning with prefix=....",
        )


def _from_counts(
    results: Results, counts: Mapping[str, str], average: str, positive: object, undefined: str
) -> tuple[Derived, list[str]]:
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
    return derive_binary(*arrays, undefined=undefined), []


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
) -> tuple[Derived, list[str]]:
    """Compute the measures data set by data set, for each has its own classes."""
    for name in cells.values():
        _check_column(results, name, results.values[name])
    parts, notes = [], []
    for number, dataset in enumerate(results.datasets):
        rows = np.flatnonzero(results.codes["dataset"] == number)
        classes = _classes_of(results, cells, rows, dataset)
        told = positive.get(dataset) if isinstance(positive, Mapping) else positive
        place = positive_place(told, classes, average)
        matrices = np.stack(
            [np.stack([results.values[cells[t, p]][rows] for p in classes], axis=-1) for t in classes], axis=-2
        )
        parts.append((rows, derive(matrices, place, undefined)))
        notes.append((len(classes), "" if place is None else classes[place]))
    return _merged(parts, len(results)), [_said(average, notes)]


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


def _merged(parts: Sequence[tuple[IntArray, Derived]], count: int) -> Derived:
    """Put the measures of the data sets back into the order of the rows."""
    merged = Derived(
        values={name: np.full(count, np.nan) for name in MEASURES},
        filled={name: np.zeros(count, dtype=bool) for name in MEASURES},
        gaps={name: np.zeros(count, dtype=bool) for name in MEASURES},
    )
    for rows, part in parts:
        for name in MEASURES:
            merged.values[name][rows] = part.values[name]
            merged.gaps[name][rows] = part.gaps[name]
            merged.filled[name][rows] = part.filled.get(name, False)
    return merged


def _said(average: str, notes: Sequence[tuple[int, str]]) -> str:
    if average == "macro":
        sizes = sorted({size for size, _ in notes})
        many = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        return f"The measures are means over the {many} classes, each against the rest."
    names = sorted({name for _, name in notes})
    rest = ", against all others" if average == "one-vs-rest" else ""
    return f"The measures are those of the positive class {quoted(names)}{rest}."


def _chosen(measures: Sequence[str] | None, prefix: str, kept: Mapping[str, FloatArray]) -> tuple[list[str], list[str]]:
    """Return the measures to add, and a note on those that the table holds already."""
    if measures is None:
        held = [prefix + name for name in MEASURES if prefix + name in kept and name not in COUNTS]
        note = f"Not computed from the counts, for the table held them already: {quoted(held)}."
        return [name for name in MEASURES if prefix + name not in kept], [note] if held else []
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


def _only(derived: Derived, names: Sequence[str]) -> Derived:
    return Derived(
        values={name: derived.values[name] for name in names},
        filled={name: derived.filled[name] for name in names if name in derived.filled},
        gaps={name: derived.gaps[name] for name in names},
    )


def _place_in(results: Results) -> Callable[[int], str]:
    """Name a row of the table: algorithm, data set, and fold where there are several."""

    def at(row: int) -> str:
        named = {role: results.names[role][results.codes[role][row]] for role in ROLES}
        more = [f"{role} {named[role]!r}" for role in ("replication", "fold") if len(results.names[role]) > 1]
        return ", ".join([f"{named['algorithm']!r} on {named['dataset']!r}", *more])

    return at
