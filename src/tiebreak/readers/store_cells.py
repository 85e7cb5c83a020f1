"""Where and how the cells of a store were run, and scores that are computed from their confusion matrices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.errors import InputError, OptionError
from tiebreak.results.columns import Columns, ListColumn, met
from tiebreak.results.confusion import MEASURES, Derived, derive, positive_place, undefined_notes
from tiebreak.results.roles import Hosts
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.results import Results
    from tiebreak.stores import Store
    from tiebreak.stores.reading import StoreColumns
    from tiebreak.stores.records import Environment


_FACTS = ("host", "cpu", "cores", "system", "python")
BUSY = 1.25
"""A host is busy where so many processes for each of its cores want to run: the lab itself takes one for each."""
MOST_BUSY = 0.05
"""The share of cells that may have run on a busy host before it is said."""
DRIFT = 0.15
"""The share by which the time of the calibrating kernel may vary on a host before it is said."""
_SHOWN = 4
_PROCESSES = "of the process and all that it starts"
KINDS = {
    "train_time": f"CPU seconds of fitting, {_PROCESSES}",
    "predict_time": f"CPU seconds of predicting the validation fold, {_PROCESSES}",
    "train_wall": "seconds of fitting on the clock",
    "predict_wall": "seconds of predicting the validation fold on the clock",
    "cell_cpu": f"CPU seconds of the whole cell, {_PROCESSES}",
    "cell_wall": "seconds of the whole cell on the clock",
    "model_bytes": "bytes of the pickled model",
    "peak_memory": f"bytes held at the most, {_PROCESSES}",
}
"""How the lab measures costs."""


def facts(environment: Environment) -> dict[str, str]:
    """Return what conditions can ask of an environment."""
    settings = {name: getattr(environment, name) for name in _FACTS}
    return {name: "" if value is None else str(value) for name, value in settings.items()} | dict(environment.versions)


def run_there(table: StoreColumns, where: Sequence[str], shown: str) -> tuple[BoolArray, list[str], Caveats]:
    """Mark the cells that meet the conditions on where they were run; return the other conditions too."""
    keep = np.ones(len(table.id), dtype=bool)
    options = {key: facts(environment) for key, environment in table.environments.items()}
    known = dict.fromkeys([*_FACTS, *(name for record in options.values() for name in record)])
    mine = [word for word in where if any(_asks(word.strip(), name) for name in known)]
    if not mine:
        return keep, list(where), ()
    keys = list(options)
    if not keys:
        raise OptionError(
            f"The condition {mine[0]!r} asks where cells were run, and the store {shown} does not say it.",
            why="It holds cells of an older version, or of others, alone.",
            mend="Leave the condition out.",
        )
    columns: Columns = {name: ListColumn([options[key].get(name, "") for key in keys]) for name in known}
    fine, _ = met(columns, mine, source=f"the store {shown}")
    keep = np.isin(table.environment, [key for key, here in zip(keys, fine.tolist(), strict=True) if here])
    left = int((~keep).sum())
    text = f"{shown}: {left} of {len(keep)} cells left out; kept are those where {' and '.join(mine)}."
    others = [name for name in where if name not in mine]
    return keep, others, (Caveat("rows-filtered", text),)


def _asks(condition: str, name: str) -> bool:
    """Say whether a condition is about a name, and not about another that begins like it."""
    rest = condition[len(name) :].lstrip() if condition.startswith(name) else ""
    return rest.startswith(("=", "!", "<", ">", "in ", "not "))


def with_kinds(results: Results, table: StoreColumns, rows: IntArray) -> Results:
    """Say of the costs of the lab how they were measured; those of others may be anything."""
    if table.origin.take(rows).names != ("lab",):
        return results
    metrics = tuple(replace(metric, what=KINDS.get(metric.name, "")) for metric in results.metrics)
    return replace(results, metrics=metrics)


def hosts_of(table: StoreColumns, rows: IntArray) -> Hosts | None:
    """Return the hosts of cells, with how fast each was found to be; None where none was recorded."""
    from tiebreak.stores.records import kernels

    if not table.environments:
        return None
    names = sorted({environment.host for environment in table.environments.values()})
    place = {key: names.index(environment.host) for key, environment in table.environments.items()}
    seconds = kernels(table.calibrations)
    codes = _looked_up(table.environment[rows], place, -1)
    return Hosts(
        codes=codes.astype(np.int32),
        names=tuple(names),
        kernels=tuple(seconds.get(name, float("nan")) for name in names),
    )


def place_notes(table: StoreColumns, rows: IntArray, *, times: bool) -> Iterator[Caveat]:
    """Say which libraries differ among the cells, and of times whether their hosts were busy or changed their speed."""
    done = rows[table.environment[rows] >= 0]
    if not done.size:
        return
    keys, counts = np.unique(table.environment[done], return_counts=True)
    cells = dict(zip(keys.tolist(), counts.tolist(), strict=True))
    yield from _versions(table, cells)
    if times:
        yield from _busy(table, done)
        yield from _drifting(table, cells)
        lost = int(((table.environment[rows] < 0) & _is_ok(table, rows)).sum())
        if lost:
            text = f"On which host {lost} of {len(rows)} cells were run is not known: their times may be another's."
            yield Caveat("hosts-mixed", text)


def _looked_up(keys: IntArray, known: Mapping[int, int], otherwise: int) -> IntArray:
    """Replace numbers of environments, of which there are few, by what is known of them."""
    values = np.full(max(known, default=0) + 2, otherwise)  # -1, for none, is the last place
    values[list(known)] = list(known.values())
    return np.asarray(values[keys])


def _is_ok(table: StoreColumns, rows: IntArray) -> BoolArray:
    names = table.status.names
    return np.asarray(table.status.codes[rows] == (names.index("ok") if "ok" in names else -1))


def _versions(table: StoreColumns, cells: dict[int, int]) -> Iterator[Caveat]:
    result: dict[str, dict[str, int]] = {}
    for key, count in cells.items():
        environment = table.environments[key]
        for name, text in ({**environment.versions, "python": environment.python}).items():
            values = result.setdefault(name, {})
            values[text] = values.get(text, 0) + count
    mixed = {name: settings for name, settings in sorted(result.items()) if len(settings) > 1 and name != "tiebreak"}
    if not mixed:
        return
    names = []
    for name, values in mixed.items():
        several = ", ".join(f"{text} in {count} cells" for text, count in sorted(values.items())[:_SHOWN])
        names.append(f"{name} {several}{' and others' if len(values) > _SHOWN else ''}")
    name, values = next(iter(mixed.items()))
    most = max(values, key=lambda text: values[text])
    versions = "; ".join(names)
    text = f"Cells were run with different versions of libraries, which may differ in scores and times: {versions}."
    yield Caveat("versions-mixed", f"{text} To keep one: {option(where=f'{name} == {most}')}.")


def _busy(table: StoreColumns, done: IntArray) -> Iterator[Caveat]:
    """A load above the cores is that of others: the lab runs no more cells than there are cores unless told to."""
    cores = {key: environment.cores for key, environment in table.environments.items() if environment.cores}
    indices = _looked_up(table.environment[done], cores, 0)
    load = table.load[done]
    busy = (indices > 0) & (load > BUSY * indices)
    if busy.mean() <= MOST_BUSY:
        return
    worst = int(np.argmax(np.where(busy, load / np.maximum(indices, 1), 0.0)))
    host = table.environments[int(table.environment[done][worst])].host
    text = (
        f"{int(busy.sum())} of {len(done)} cells ran while their host had more to do than it has cores (up to a load of"
        f" {load[worst]:.1f} on the {indices[worst]} cores of {host!r}): their times may be too long."
    )
    yield Caveat("host-busy", text)


def _drifting(table: StoreColumns, cells: dict[int, int]) -> Iterator[Caveat]:
    used = {table.environments[key].host for key in cells}
    for host in sorted(used):
        seconds = [calibration.cpu for calibration in table.calibrations if calibration.environment.host == host]
        if len(seconds) > 1 and max(seconds) > (1 + DRIFT) * min(seconds):
            text = (
                f"The speed of {host!r} changed while cells ran: a fixed piece of work took from {min(seconds):.3g} to"
                f" {max(seconds):.3g} CPU seconds; times that differ by less may be the same."
            )
            yield Caveat("host-busy", text)


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
    result: dict[str, FloatArray] = {}
    notes: list[Caveat] = []
    for prefix in ("", TEST):
        removeprefixes = [name.removeprefix(prefix) for name in names if name.startswith(TEST) == bool(prefix)]
        matrices = (
            [details.get(cell, {}).get(prefix + MATRIX) for cell in table.id[rows].tolist()] if removeprefixes else []
        )
        if any(matrix is not None for matrix in matrices):
            derived, kinds = _derived(table, rows, matrices, removeprefixes, classes, positive)
            result |= {prefix + name: values for name, values in derived.values.items()}
            notes += [*_said(kinds), *undefined_notes(derived, lambda row: _cell(table, int(rows[row])))]
    return result, distinct(notes)


def _derived(
    table: StoreColumns,
    rows: IntArray,
    matrices: Sequence[Any],
    names: Sequence[str],
    classes: Mapping[str, tuple[str, ...]],
    positive: str | None,
) -> tuple[Derived, dict[str, list[str]]]:
    """Compute measures data set by data set, as their numbers of classes differ; say which have which kind."""
    derived = Derived.blank(len(rows), names)
    kinds: dict[str, list[str]] = {}
    there = np.array([matrix is not None for matrix in matrices], dtype=bool)
    datasets = table.dataset[rows]
    for key in np.unique(datasets[there]).tolist():
        places = np.flatnonzero(there & (datasets == key))
        name, mark = table.datasets[key]
        counts = _stacked([matrices[place] for place in places.tolist()], name)
        place, kind = _positive(classes.get(mark, ()), counts.shape[-1], positive, name)
        kinds.setdefault(kind, []).append(name)
        derived.put(places, derive(counts, place))
    return derived, kinds


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
        place = positive_place(positive, known, "binary")
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
