"""A store in: the results that the lab ran, or that were imported, as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_choices
from tiebreak.caveats import Caveat, validation_scores
from tiebreak.errors import InputError, NothingFinished, OptionError, quoted, unknown_name
from tiebreak.readers.store_cells import derived_scores, hosts_of, is_derived, place_notes, run_there, with_kinds
from tiebreak.results import Results, metric_named
from tiebreak.results.cells import cell_places, order_cells
from tiebreak.results.columns import Names, as_conditions
from tiebreak.results.roles import is_time, score_names
from tiebreak.wording import either, option, run_a_plan, setting

if TYPE_CHECKING:
    from tiebreak.stores import Store
    from tiebreak.stores.reading import StoreColumns


_SHORTEST = 8  # characters of a fingerprint that name it
UNFINISHED = ("leave-out", "gaps", "drop")
"""What may become of data sets on which not every cell has been run yet."""
_SHOWN = 8  # caveats about failures before the rest is counted


def read_store(
    store: str | Path | Store,
    *,
    scores: str | Sequence[str] | None = None,
    datasets: str | Sequence[str] | None = None,
    algorithms: str | Sequence[str] | None = None,
    resampling: str | Sequence[str] | None = None,
    seed: int | None = None,
    origin: str | Sequence[str] | None = None,
    positive: str | None = None,
    where: str | Sequence[str] | None = None,
    unfinished: str = "leave-out",
    score: str | None = None,
) -> Results:
    """Read the results in a store.

    A cell that failed (error, timeout, memory, crash, killed) is a gap, so comparisons name it; its reason is a caveat.
    Data sets on which some algorithm has not been run to the end yet are left out, and named in a caveat. Results that
    differ in more than data set, algorithm, replication and fold are never mixed silently: a store with two
    resamplings, two seeds, two kinds of targets, or two versions of one algorithm or data set is refused until one is
    chosen.

    Parameters
    ----------
    store : str, Path or Store
        An open store, or its address.
    scores : str or sequence of str, optional
        What to read; by default everything measured. Measures of the confusion matrix (tp, fp, tn, fn, tpr, fpr,
        precision, recall, f1, mcc, ...) that were not stored are computed, on the test part with `test_` in front.
        `score` is the same.
    datasets, algorithms : str or sequence of str, optional
        Names, or the first 8 characters or more of fingerprints; all by default. Versions that are chosen by
        fingerprint and share a name get it in brackets.
    resampling : str or sequence of str, optional
        Which way of splitting. Several may be named, and then a caveat says that their folds are not the same rows.
    seed : int, optional
        Which seed of the splits; imported results have none and stay.
    origin : str or sequence of str, optional
        "lab" for what was run here, or the origins of imported results; all by default.
    positive : str, optional
        The positive class of computed measures. By default it is the last class by name where there are two, and
        measures are averaged over the classes where there are more.
    where : str or sequence of str, optional
        Conditions that a cell must meet: on where it was run (host, cpu, cores, system, python) and with what (the name
        of a library, such as "scikit-learn == 1.8.0"), or on the table.
    unfinished : {"leave-out", "gaps", "drop"}
        What becomes of data sets with cells that have not been run yet. "leave-out": they are left out for all
        algorithms; where that would leave none, only the replications that are not finished are. "gaps": the cells are
        gaps, as they are if no replication is finished at all. "drop": the cells that have not been run are left out,
        and these alone.

    Returns
    -------
    Results

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from tiebreak.readers import published
    >>> from tiebreak.stores import open_store
    >>> folder = tempfile.TemporaryDirectory()
    >>> with open_store(pathlib.Path(folder.name) / "results.db") as store:
    ...     _ = store.import_results(published.demsar2006(), origin="Demsar 2006")
    ...     print(len(read_store(store).datasets))
    14
    >>> folder.cleanup()
    """
    check_choice("way with unfinished data sets", unfinished, UNFINISHED)
    if isinstance(store, (str, Path)):
        from tiebreak.stores import open_store

        with open_store(store, create=False) as opened:
            return read_store(
                opened, scores=scores, score=score, datasets=datasets, algorithms=algorithms, resampling=resampling,
                seed=seed, origin=origin, positive=positive, where=where, unfinished=unfinished,
            )  # fmt: skip
    options, stored = score_names(scores, score), store.measures()
    computed = [name for name in options or () if name not in stored]  # only when asked for, as it reads every matrix
    strange = [name for name in computed if not is_derived(name)]
    check_choices("score", strange, stored, mend=f"It was asked for from the store {store.shown}.")
    table = store.columns(measures=None if options is None else [name for name in options if name in stored])
    keep, others, caveats = run_there(table, as_conditions(where), store.shown)
    keep &= _is_one_of(table.origin, origin, "origin") & _is_one_of(table.resampling, resampling, "resampling")
    if seed is not None:
        keep &= (table.seed == seed) | ~_is_one_of(table.origin, "lab")
    labels = {
        role: _labels(role, {key: known[key] for key in np.unique(codes[keep]).tolist()}, names)
        for role, codes, known, names in (
            ("dataset", table.dataset, table.datasets, datasets),
            ("algorithm", table.algorithm, table.algorithms, algorithms),
        )
    }
    for role, names in labels.items():
        keep &= np.isin(getattr(table, role), list(names))
    notes: list[Caveat] = []
    if unfinished == "drop":
        keep &= ~_is_one_of(table.status, OPEN)
    elif unfinished == "leave-out":
        keep, left_out = _finished(table, keep, labels["dataset"])
        notes += left_out
    rows = np.flatnonzero(keep)
    if not len(rows):
        raise InputError(
            f"The store {store.shown} holds no cells of this kind.",
            why="There is nothing to compare.",
            mend=f"Run a plan into it first ({run_a_plan()}), or ask for less.",
        )
    _check_alike(table, rows, named=resampling is not None)
    keys = {role: _labelled(getattr(table, role)[rows], labels[role]) for role in labels}
    keys |= {"replication": table.replication.take(rows), "fold": table.fold.take(rows)}
    _check_distinct(table, rows, keys)
    if unfinished != "drop":
        check_one_kind(store, table, rows)
    values = _values(table, rows)
    timed = any(map(_is_time, values))
    notes = [*caveats, *_failures(table, rows, keys), *notes, *_notes(table, rows, labels["dataset"]),
             *place_notes(table, rows, times=timed)]  # fmt: skip
    if computed:
        result, more = derived_scores(store, table, rows, computed, positive)
        values, notes = {**values, **result}, [*notes, *more]
    if not values:
        raise NothingFinished(
            f"The store {store.shown} holds no finished result among the {len(rows)} cells chosen.",
            why="There is nothing to compare.",
            mend=f"Run the plan first: {run_a_plan()}; the reasons of failures are listed by"
            + either(
                " `store.rows(statuses=('error', 'timeout', 'memory', 'crash', 'killed'))`.",
                f" `tiebreak store {store.shown}`.",
            ),
        )
    costs = [name for name, is_cost in table.measures.values() if is_cost]
    if any(name not in costs and not name.startswith("test_") for name in values):
        notes += searched_on_validation(store, table, rows)
    hosts = hosts_of(table, rows) if timed else None
    cells = replace(order_cells(keys, values, hosts=hosts), notes=tuple(notes))
    return with_kinds(Results.from_cells(cells, costs=costs), table, rows).where(*others)


def _is_time(name: str) -> bool:
    return is_time(metric_named(name))


def _finished(table: StoreColumns, keep: BoolArray, names: Mapping[int, str]) -> tuple[BoolArray, tuple[Caveat, ...]]:
    """Leave out data sets with cells that have not been run: what is left can be compared as if it were all.

    A run that ends early has drawn its data sets at random: this is no choice by result, as leaving out failures is.
    """
    waiting = keep & _is_one_of(table.status, OPEN)
    if not waiting.any():
        return keep, ()
    whole = keep & ~np.isin(table.dataset, table.dataset[waiting])
    if whole.any():
        gone = sorted({names[key] for key in np.unique(table.dataset[waiting]).tolist()})
        text = (
            f"{len(gone)} of {len(np.unique(table.dataset[keep]))} data sets are left out, as not every algorithm has"
        )
        text += f" been run on them to the end: {quoted(gone)}. `tiebreak run` goes on with them."
        return whole, (Caveat("unfinished-left-out", text),)
    blocks = table.dataset * (table.replication.codes.max() + 1) + table.replication.codes
    whole = keep & ~np.isin(blocks, blocks[waiting])
    if not whole.any():
        return keep, ()
    text = "No data set is finished by every algorithm; only the replications that all of them have finished are used."
    return whole, (Caveat("unfinished-left-out", text),)


def _is_one_of(column: Names, names: str | Sequence[str] | None, kind: str = "") -> BoolArray:
    """Mark the rows with one of the texts, all rows for None; an unknown text is an error where `kind` names it."""
    if names is None:
        return np.ones(len(column.codes), dtype=bool)
    names = [names] if isinstance(names, str) else names
    if kind:
        check_choices(kind, names, sorted(column.names))
    return np.isin(column.codes, [place for place, name in enumerate(column.names) if name in names])


def _labels(role: str, there: Mapping[int, tuple[str, str]], names: str | Sequence[str] | None) -> dict[int, str]:
    """Name the data sets or algorithms that are wanted; refuse one name for two, unless chosen by fingerprint."""
    from tiebreak.stores.exchange import BY_NAME

    kind = "data set" if role == "dataset" else role
    picked: dict[int, bool] = dict.fromkeys(there, False) if names is None else {}
    for name in [names] if isinstance(names, str) else names or ():
        by_name = [key for key, (known, _) in there.items() if known == name]
        by_print = [key for key, (_, mark) in there.items() if len(name) >= _SHORTEST and mark.startswith(name)]
        if not by_name and not by_print:
            raise unknown_name(kind, name, sorted({known for known, _ in there.values()}))
        picked |= dict.fromkeys(by_name, False) if by_name else dict.fromkeys(by_print, True)
    versions: dict[str, list[int]] = {}
    for key in picked:
        if not there[key][1].startswith(BY_NAME):
            versions.setdefault(there[key][0], []).append(key)
    for name, keys in versions.items():
        if len(keys) > 1 and not all(picked[key] for key in keys):
            raise _several(kind, role, name, sorted(there[key][1] for key in keys))
    return {
        key: f"{name} [{mark[:_SHORTEST]}]" if len(versions.get(name, ())) > 1 else name
        for key, (name, mark) in there.items()
        if key in picked
    }


def _several(kind: str, role: str, name: str, marks: Sequence[str]) -> OptionError:
    """The mending is written out with one of the fingerprints, cut to what is enough to type."""
    return OptionError(
        f"The store holds {len(marks)} versions of the {kind} {name!r}: {quoted(marks)}.",
        why="They share a name but differ in what was run; mixing them would compare unlike things.",
        mend=f"Name every {kind} that you mean, this one by its fingerprint:"
        f" {option(**{f'{role}s': [marks[-1][:12], ...]})}"
        + (f"; or choose whose results with {option(origin='lab')}." if role == "algorithm" else "."),
    )


def _check_alike(table: StoreColumns, rows: IntArray, *, named: bool) -> None:
    """Refuse two resamplings unless both were named, and two seeds of one resampling."""
    counts = Counter(table.resampling.codes[rows].tolist())
    if len(counts) > 1 and not named:
        listed = {table.resampling.names[code]: count for code, count in counts.items()}
        text = ", ".join(f"{name!r} ({listed[name]} cells)" for name in sorted(listed))
        origins = table.origin.take(rows).names
        raise OptionError(
            f"The store holds results of {len(listed)} resamplings: {text}.",
            why="Scores from different splits are not measured on the same rows.",
            mend=f"Choose with {_each('resampling', listed)}{either(' (several in a list)', '')}"
            + (f", or by {_each('origin', origins)}." if len(origins) > 1 else "."),
        )
    for code in counts:
        seeds = np.unique(table.seed[rows][table.resampling.codes[rows] == code]).tolist()
        if len(seeds) > 1:
            raise OptionError(
                f"The store holds results of {len(seeds)} seeds: {', '.join(map(str, seeds[:8]))}.",
                why="Every seed splits the data anew, so folds of different seeds are not the same rows.",
                mend=f"Choose with {setting('seed', seeds[0])}.",
            )


def _each(name: str, values: Iterable[str], most: int = 3) -> str:
    """Word an option with each of the first values, so that every one of them can be taken as it stands."""
    return " or ".join(option(**{name: value}) for value in sorted(values)[:most])


def _labelled(keys: IntArray, labels: Mapping[int, str]) -> Names:
    """Name the numbers that occur; two may share a name."""
    there, values = np.unique(keys, return_inverse=True)
    names = Names.of(labels[key] for key in there.tolist())
    return Names(codes=names.codes[values], names=names.names)


def _check_distinct(table: StoreColumns, rows: IntArray, keys: Mapping[str, Names]) -> None:
    """Refuse two results for one cell of the table, which differ in what the table does not show."""
    place = cell_places(keys)
    _, first, counts = np.unique(place, return_index=True, return_counts=True)
    if (counts > 1).any():
        row = int(first[np.argmax(counts > 1)])
        twins = rows[place == place[row]]
        origins, splits = (sorted(column.take(twins).names) for column in (table.origin, table.resampling))
        algorithm, dataset = keys["algorithm"].at(row), keys["dataset"].at(row)
        raise OptionError(
            f"The store holds {len(twins)} results of {algorithm!r} on data set {dataset!r} for one fold: of the"
            f" origins {quoted(origins)} and the resamplings {quoted(splits)}.",
            why="Only one of them can stand in the table.",
            mend=f"Choose with {option(origin=origins[0])} or {option(resampling=splits[0])}.",
        )


def _values(table: StoreColumns, rows: IntArray) -> dict[str, FloatArray]:
    """Lay the values of ok cells out by measure, NaN where there is none."""
    ok, ids = _is_one_of(table.status, "ok")[rows], table.id[rows]
    if not len(table.values):
        return {}
    row = np.minimum(np.searchsorted(ids, table.values["cell"]), len(ids) - 1)
    there = (ids[row] == table.values["cell"]) & ok[row]
    row, measure, value = row[there], table.values["measure"][there], table.values["value"][there]
    result = {}
    for key, (name, _) in table.measures.items():
        mine = measure == key
        if mine.any():
            result[name] = np.full(len(ids), np.nan)
            result[name][row[mine]] = value[mine]
    return result


def _notes(table: StoreColumns, rows: IntArray, labels: Mapping[int, str]) -> Iterator[Caveat]:
    """Say what is missing, and what is not quite alike."""
    from tiebreak.stores.exchange import BY_NAME

    open_cells = int(_is_one_of(table.status, OPEN)[rows].sum())
    if open_cells:
        text = f"{open_cells} of {len(rows)} cells have not been run yet; they are gaps."
        yield Caveat("runs-unfinished", text)
    if len(table.resampling.take(rows).names) > 1:
        text = "Results of several resamplings stand side by side: their folds are not the same rows."
        yield Caveat("resamplings-mixed", text)
    imported = {name for key, name in labels.items() if table.datasets[key][1].startswith(BY_NAME)}
    ours = {name for key, name in labels.items() if not table.datasets[key][1].startswith(BY_NAME)}
    if imported & ours:
        text = "Imported results are taken to be on our data sets of the same name, unchecked"
        yield Caveat("matched-by-name", f"{text}: {quoted(sorted(imported & ours))}.")


def _failures(table: StoreColumns, rows: IntArray, keys: Mapping[str, Names]) -> Iterator[Caveat]:
    """Name what failed, with the reason, most frequent first."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    failed = np.isin(table.id[rows], list(table.reasons))
    for row in np.flatnonzero(failed).tolist():
        place = rows[row]
        reason = table.reasons[int(table.id[place])].strip().partition("\n")[0]
        counts[keys["algorithm"].at(row), keys["dataset"].at(row), table.status.at(place), reason] += 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    yield from (_failure(*key, count) for key, count in ordered[:_SHOWN])
    rest = ordered[_SHOWN:]
    if rest:
        count = sum(number for _, number in rest)
        yield Caveat("run-failed", f"{count} further cells failed, for {len(rest)} other reasons or places.")


def _failure(algorithm: str, dataset: str, status: str, reason: str, count: int) -> Caveat:
    text = f"{algorithm!r} failed on {dataset!r}: {count} cell{'s' if count > 1 else ''} ended with {status}"
    text += f" ({reason})." if reason else "."
    if status == "killed":  # by the system or an operator: the algorithm is not to blame
        text += f" Run the plan again with {option(retry=['killed'])}."
    return Caveat("run-failed", text)


OPEN = ["waiting", "running"]
"""The statuses of cells that have not been run to their end."""
_ON_VALIDATION = "\"on\": 'validation'"  # as the text of an algorithm has it


def searched_on_validation(store: Store, table: StoreColumns, rows: IntArray) -> Iterator[Caveat]:
    """Name the algorithms whose settings were chosen on the rows that their scores are from."""
    marks = {row.fingerprint for row in store.algorithms() if _ON_VALIDATION in str(row.spec.get("text", ""))}
    there = {table.algorithms[key] for key in np.unique(table.algorithm[rows]).tolist()} if marks else set()
    names = sorted(name for name, mark in there if mark in marks)
    if names:
        yield validation_scores(names)


def check_one_kind(store: Store, table: StoreColumns, rows: IntArray) -> None:
    """Refuse data sets with classes beside those with a number to predict: no score and no learner is for both."""
    from tiebreak.stores.records import NUMBER_TARGET

    there = {table.datasets[key][1] for key in np.unique(table.dataset[rows]).tolist()}
    known = [row for row in store.data_sets() if row.fingerprint in there]
    numbers = [row.name for row in known if NUMBER_TARGET in row.meta]
    classes = [row.name for row in known if row.classes]
    if numbers and classes:
        raise OptionError(
            f"The store {store.shown} holds data sets of two kinds: {len(classes)} with classes ({quoted(classes)}) and"
            f" {len(numbers)} with a number to predict ({quoted(numbers)}).",
            why="No score is measured on both kinds, and no learner is run on both: nothing can be compared over them.",
            mend=f"Choose one kind: {option(datasets=classes)}, or the others.",
        )
