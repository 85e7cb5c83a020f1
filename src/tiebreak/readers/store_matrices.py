"""Scores that are computed from the confusion matrices of a store when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_choice
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.errors import InputError
from tiebreak.results.confusion import MEASURES, Derived, derive, positive_place, undefined_notes
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.store import Store
    from tiebreak.store.reading import StoreColumns

TEST = "test_"
"""Begins the names of scores on the test part."""
MATRIX = "confusion"
"""The key of a confusion matrix in the details of a cell; of the test part with "test_" in front."""


def is_derived(name: str) -> bool:
    """Say whether a score can be computed from a confusion matrix.

    Examples
    --------
    >>> is_derived("tpr"), is_derived("test_mcc"), is_derived("zeal")
    (True, True, False)
    """
    return name.removeprefix(TEST) in MEASURES


def derived_scores(
    store: Store, table: StoreColumns, rows: IntArray, names: Sequence[str], positive: Any
) -> tuple[dict[str, FloatArray], Caveats]:
    """Compute the named scores for rows of a store; return them with the caveats they need."""
    details = store.details()
    classes = {row.fingerprint: row.classes for row in store.data_sets()}
    found: dict[str, FloatArray] = {}
    notes: list[Caveat] = []
    for prefix in ("", TEST):
        asked = [name.removeprefix(prefix) for name in names if name.startswith(TEST) == bool(prefix)]
        matrices = [details.get(cell, {}).get(prefix + MATRIX) for cell in table.id[rows].tolist()] if asked else []
        if any(matrix is not None for matrix in matrices):
            derived, kinds = _derived(table, rows, matrices, asked, classes, positive)
            found |= {prefix + name: values for name, values in derived.values.items()}
            notes += [*_said(kinds), *undefined_notes(derived, lambda row: _cell(table, int(rows[row])))]
    return found, distinct(notes)


def _derived(
    table: StoreColumns,
    rows: IntArray,
    matrices: Sequence[Any],
    names: Sequence[str],
    classes: Mapping[str, tuple[str, ...]],
    positive: str | None,
) -> tuple[Derived, dict[str, list[str]]]:
    """Compute measures data set by data set, as their numbers of classes differ; say which have which kind."""
    found = Derived.blank(len(rows), names)
    kinds: dict[str, list[str]] = {}
    there = np.array([matrix is not None for matrix in matrices], dtype=bool)
    datasets = table.dataset[rows]
    for key in np.unique(datasets[there]).tolist():
        places = np.flatnonzero(there & (datasets == key))
        name, mark = table.datasets[key]
        counts = _stacked([matrices[place] for place in places.tolist()], name)
        place, kind = _positive(classes.get(mark, ()), counts.shape[-1], positive, name)
        kinds.setdefault(kind, []).append(name)
        found.put(places, derive(counts, place, "zero"))
    return found, kinds


def _stacked(matrices: Sequence[Any], dataset: str) -> FloatArray:
    """Put the matrices of one data set on one axis."""
    try:
        counts = np.array(matrices, dtype=np.float64)
    except (TypeError, ValueError):
        counts = np.empty(0)
    if counts.ndim != 3 or counts.shape[1] != counts.shape[2] or counts.shape[1] < 2 or not (counts >= 0).all():
        raise InputError(
            f"The confusion matrices stored for data set {dataset!r} are not square tables of counts of one size.",
            why="Rows are the true classes, columns the predicted ones.",
            mend=f"Ask for scores that were stored themselves, such as {option(scores='error')}.",
        )
    return counts


def _positive(classes: tuple[str, ...], count: int, positive: str | None, dataset: str) -> tuple[int | None, str]:
    """Choose the positive class: as told, the last of two, none of several (an average over all)."""
    known = classes if len(classes) == count else tuple(str(place) for place in range(count))
    if positive is not None:
        mend = f"Name the data sets that have it: {option(datasets=[...])}."
        check_choice(f"class on data set {dataset!r},", positive, known, mend=mend)
        place = positive_place(positive, known, "binary" if count == 2 else "one-vs-rest")
        return place, f"for the class {positive!r}"
    if count > 2:
        return None, "averaged over the classes"
    why = "the last by name" if known[-1] == max(known) else "the positive one of the data set"
    return 1, f"for the class {known[-1]!r}, {why}; say {option(positive=...)} for another"


def _said(kinds: Mapping[str, Sequence[str]]) -> Iterator[Caveat]:
    """One sentence for each kind of reading, not for each data set: there may be hundreds."""
    for kind, names in kinds.items():
        where = f"on {names[0]!r}" if len(names) == 1 else f"on {len(names)} data sets, such as {names[0]!r},"
        yield Caveat("read-as", f"Measures of the confusion matrix {where} are {kind}.")


def _cell(table: StoreColumns, row: int) -> str:
    algorithm, dataset = table.algorithms[int(table.algorithm[row])][0], table.datasets[int(table.dataset[row])][0]
    return f"{algorithm!r} on {dataset!r} (replication {table.replication.at(row)}, fold {table.fold.at(row)})"
