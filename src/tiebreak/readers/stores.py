"""A store in: the results that the lab ran, or that were imported, as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_choices
from tiebreak.caveats import Caveat, Caveats, distinct, validation_scores
from tiebreak.errors import InputError, NothingFinished, OptionError, quoted, unknown_name
from tiebreak.results import Results, metric_named
from tiebreak.results.cells import cell_places, order_cells
from tiebreak.results.columns import Columns, ListColumn, Names, as_conditions, met
from tiebreak.results.confusion import MEASURES, Derived, derive, undefined_notes
from tiebreak.results.roles import Hosts, is_time, score_names
from tiebreak.wording import either, option, run_a_plan, setting

if TYPE_CHECKING:
    from tiebreak.stores import Store
    from tiebreak.stores.reading import StoreColumns


_SHORTEST = 8  # characters of a fingerprint that name it
UNFINISHED = ("leave-out", "gaps", "drop")
"""What may become of data sets on which not every cell has been run yet."""
OPEN = ("waiting", "running")
"""The statuses of cells that have not been run to their end."""
_SHOWN = 8  # caveats about failures before the rest is counted
_ON_VALIDATION = "\"on\": 'validation'"  # as the text of an algorithm has it
TEST = "test_"
"""Begins the names of scores on the test part."""
MATRIX = "confusion"
"""The key of a confusion matrix in the details of a cell; of the test part with "test_" in front."""


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
    from tiebreak.stores import open_store

    check_choice("way with unfinished data sets", unfinished, UNFINISHED)
    names = score_names(scores, score)
    chosen = {"resampling": resampling, "origin": origin, "dataset": datasets, "algorithm": algorithms}
    with open_store(store, create=False) if isinstance(store, (str, Path)) else nullcontext(store) as opened:
        stored = opened.measures()
        computed = [name for name in names or () if name not in stored]  # only when asked for: it reads every matrix
        strange = [name for name in computed if name.removeprefix(TEST) not in MEASURES]
        check_choices("score", strange, stored, mend=f"It was requested from the store {opened.shown}.")
        table = opened.columns(measures=None if names is None else [name for name in names if name in stored])
        keep, others, notes = _run_there(table, as_conditions(where), opened.shown)
        rows, labels, left_out = _chosen(table, keep, chosen, seed, unfinished, opened.shown)
        keys = {role: _labelled(getattr(table, role)[rows], labels[role]) for role in labels}
        keys |= {"replication": table.replication.take(rows), "fold": table.fold.take(rows)}
        _check_distinct(table, rows, keys)
        if unfinished != "drop":
            _check_one_kind(opened, table, rows)
        values = _values(table, rows)
        hosts = _hosts(table, rows) if any(is_time(metric_named(name)) for name in values) else None
        notes += (*_failures(table, rows, keys), *left_out, *_notes(table, rows, labels["dataset"]))
        notes += tuple(_place_notes(table, rows, times=hosts is not None))
        if computed:
            derived, more = _derived_scores(opened, table, rows, computed, positive)
            values, notes = {**values, **derived}, (*notes, *more)
        if not values:
            raise _nothing_finished(opened.shown, len(rows))
        costs = [name for name, is_cost in table.measures.values() if is_cost]
        if any(name not in costs and not name.startswith(TEST) for name in values):
            notes += tuple(_searched_on_validation(opened, table, rows))
        cells = replace(order_cells(keys, values, hosts=hosts), notes=notes)
        return _with_kinds(Results.from_cells(cells, costs=costs), table, rows).where(*others)


def _nothing_finished(shown: str, count: int) -> NothingFinished:
    return NothingFinished(
        f"The store {shown} holds no finished result among the {count} cells chosen.",
        mend=f"Run the plan first: {run_a_plan()}; the reasons of failures are listed by"
        + either(
            " `store.rows(statuses=('error', 'timeout', 'memory', 'crash', 'killed'))`.", f" `tiebreak store {shown}`."
        ),
    )


# ---- which cells


def _chosen(
    table: StoreColumns, keep: BoolArray, chosen: Mapping[str, Any], seed: int | None, unfinished: str, shown: str
) -> tuple[IntArray, dict[str, dict[int, str]], Caveats]:
    """Return the rows of the cells that are wanted, the names of their data sets and algorithms, and what is left."""
    for kind in ("origin", "resampling"):
        column, names = getattr(table, kind), chosen[kind]
        check_choices(kind, [names] if isinstance(names, str) else names or (), sorted(column.names))
        keep = keep & (True if names is None else _is_one_of(column, names))
    if seed is not None:
        keep &= (table.seed == seed) | ~_is_one_of(table.origin, "lab")
    labels = {
        role: _labels(role, {key: known[key] for key in _numbers(codes[keep])}, chosen[role])
        for role, codes, known in (
            ("dataset", table.dataset, table.datasets),
            ("algorithm", table.algorithm, table.algorithms),
        )
    }
    for role, names in labels.items():
        if chosen[role] is not None:
            keep &= np.isin(getattr(table, role), list(names))
    notes: Caveats = ()
    waiting = keep & _is_one_of(table.status, OPEN)
    if unfinished == "drop":
        keep &= ~waiting
    elif unfinished == "leave-out" and waiting.any():
        keep, notes = _finished(table, keep, waiting, labels["dataset"])
    rows = np.flatnonzero(keep)
    if not len(rows):
        raise InputError(
            f"The store {shown} holds no cells of this kind.",
            mend=f"Run a plan into it first ({run_a_plan()}), or select less.",
        )
    _check_alike(table, rows, named=chosen["resampling"] is not None)
    return rows, labels, notes


def _numbers(keys: IntArray) -> list[int]:
    """Return the numbers that occur, of which there are few, in order."""
    return np.flatnonzero(np.bincount(keys)).tolist()


def _is_one_of(column: Names, names: str | Sequence[str]) -> BoolArray:
    """Mark the rows with one of the texts."""
    names = [names] if isinstance(names, str) else names
    return np.isin(column.codes, [place for place, name in enumerate(column.names) if name in names])


def _finished(
    table: StoreColumns, keep: BoolArray, waiting: BoolArray, names: Mapping[int, str]
) -> tuple[BoolArray, Caveats]:
    """Leave out data sets with cells that have not been run: what is left can be compared as if it were all.

    A run that ends early has drawn its data sets at random: this is no choice by result, as leaving out failures is.
    """
    whole = keep & ~np.isin(table.dataset, table.dataset[waiting])
    if whole.any():
        gone = sorted({names[key] for key in _numbers(table.dataset[waiting])})
        text = f"{len(gone)} of {len(_numbers(table.dataset[keep]))} data sets are left out, as not every algorithm has"
        text += f" been run on them to the end: {quoted(gone)}. `tiebreak run` goes on with them."
        return whole, (Caveat("unfinished-left-out", text),)
    blocks = table.dataset * (table.replication.codes.max() + 1) + table.replication.codes
    whole = keep & ~np.isin(blocks, blocks[waiting])
    if not whole.any():
        return keep, ()
    text = "No data set is finished by every algorithm; only the replications that all of them have finished are used."
    return whole, (Caveat("unfinished-left-out", text),)


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
            marks = sorted(there[key][1] for key in keys)
            mend = f"Name every {kind} that you mean, this one by its fingerprint:"
            mend += f" {option(**{f'{role}s': [marks[-1][:12], ...]})}"
            more = f"; or choose whose results with {option(origin='lab')}." if role == "algorithm" else "."
            raise OptionError(
                f"The store holds {len(marks)} versions of the {kind} {name!r}: {quoted(marks)}.", mend=f"{mend}{more}"
            )
    return {
        key: f"{name} [{mark[:_SHORTEST]}]" if len(versions.get(name, ())) > 1 else name
        for key, (name, mark) in there.items()
        if key in picked
    }


def _check_alike(table: StoreColumns, rows: IntArray, *, named: bool) -> None:
    """Refuse two resamplings unless both were named, and two seeds of one resampling."""
    counts = Counter(table.resampling.codes[rows].tolist())
    if len(counts) > 1 and not named:
        listed = {table.resampling.names[code]: count for code, count in counts.items()}
        text = ", ".join(f"{name!r} ({listed[name]} cells)" for name in sorted(listed))
        origins = table.origin.take(rows).names
        raise OptionError(
            f"The store holds results of {len(listed)} resamplings: {text}.",
            mend=f"Choose with {_each('resampling', listed)}{either(' (several in a list)', '')}"
            + (f", or by {_each('origin', origins)}." if len(origins) > 1 else "."),
        )
    for code in counts:
        seeds = np.unique(table.seed[rows][table.resampling.codes[rows] == code]).tolist()
        if len(seeds) > 1:
            raise OptionError(
                f"The store holds results of {len(seeds)} seeds: {', '.join(map(str, seeds[:8]))}.",
                mend=f"Choose with {setting('seed', seeds[0])}.",
            )


def _each(name: str, values: Iterable[str], most: int = 3) -> str:
    """Word an option with each of the first values, so that every one of them can be taken as it stands."""
    return " or ".join(option(**{name: value}) for value in sorted(values)[:most])


def _labelled(keys: IntArray, labels: Mapping[int, str]) -> Names:
    """Name the numbers that occur; two may share a name."""
    there = _numbers(keys)
    names = Names.of(labels[key] for key in there)
    codes = np.zeros(there[-1] + 1, dtype=np.int32)
    codes[there] = names.codes
    return Names(codes=codes[keys], names=names.names)


def _check_distinct(table: StoreColumns, rows: IntArray, keys: Mapping[str, Names]) -> None:
    """Refuse two results for one cell of the table, which differ in what the table does not show."""
    place = cell_places(keys)
    order = np.argsort(place, kind="stable")
    twice = np.flatnonzero(np.diff(place[order]) == 0)
    if len(twice):
        row = int(order[twice[0]])
        twins = rows[place == place[row]]
        origins, splits = (sorted(column.take(twins).names) for column in (table.origin, table.resampling))
        algorithm, dataset = keys["algorithm"].at(row), keys["dataset"].at(row)
        raise OptionError(
            f"The store holds {len(twins)} results of {algorithm!r} on data set {dataset!r} for one fold: of the"
            f" origins {quoted(origins)} and the resamplings {quoted(splits)}.",
            mend=f"Choose with {option(origin=origins[0])} or {option(resampling=splits[0])}.",
        )


def _check_one_kind(store: Store, table: StoreColumns, rows: IntArray) -> None:
    """Refuse data sets with classes beside those with a number to predict: no score and no learner is for both."""
    from tiebreak.stores.records import NUMBER_TARGET

    there = {table.datasets[key][1] for key in _numbers(table.dataset[rows])}
    known = [row for row in store.data_sets() if row.fingerprint in there]
    numbers = [row.name for row in known if NUMBER_TARGET in row.meta]
    classes = [row.name for row in known if row.classes]
    if numbers and classes:
        raise OptionError(
            f"The store {store.shown} holds data sets of two kinds: {len(classes)} with classes ({quoted(classes)}) and"
            f" {len(numbers)} with a number to predict ({quoted(numbers)}).",
            mend=f"Choose one kind: {option(datasets=classes)}, or the others.",
        )


# ---- their values, and what is missing


def _values(table: StoreColumns, rows: IntArray) -> dict[str, FloatArray]:
    """Lay the values of ok cells out by measure, NaN where there is none."""
    if not len(table.values):
        return {}
    ok, ids = _is_one_of(table.status, "ok")[rows], table.id[rows]
    row = np.minimum(np.searchsorted(ids, table.values["cell"]), len(ids) - 1)
    there = (ids[row] == table.values["cell"]) & ok[row]
    result = {}
    for key, (name, _) in table.measures.items():
        mine = there & (table.values["measure"] == key)
        if mine.any():
            result[name] = np.full(len(ids), np.nan)
            result[name][row[mine]] = table.values["value"][mine]
    return result


def _notes(table: StoreColumns, rows: IntArray, labels: Mapping[int, str]) -> Iterator[Caveat]:
    """Say what is missing, and what is not quite alike."""
    from tiebreak.stores.exchange import BY_NAME

    if waiting := int(_is_one_of(table.status, OPEN)[rows].sum()):
        yield Caveat("runs-unfinished", f"{waiting} of {len(rows)} cells have not been run yet; they are gaps.")
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
    for row in np.flatnonzero(np.isin(table.id[rows], list(table.reasons))).tolist():
        place = rows[row]
        reason = table.reasons[int(table.id[place])].strip().partition("\n")[0]
        counts[keys["algorithm"].at(row), keys["dataset"].at(row), table.status.at(place), reason] += 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    for (algorithm, dataset, status, reason), count in ordered[:_SHOWN]:
        text = f"{algorithm!r} failed on {dataset!r}: {count} cell{'s' if count > 1 else ''} ended with {status}"
        text += f" ({reason})." if reason else "."
        if status == "killed":  # by the system or an operator: the algorithm is not to blame
            text += f" Run the plan again with {option(retry=['killed'])}."
        yield Caveat("run-failed", text)
    if rest := ordered[_SHOWN:]:
        count = sum(number for _, number in rest)
        yield Caveat("run-failed", f"{count} further cells failed, for {len(rest)} other reasons or places.")


def _searched_on_validation(store: Store, table: StoreColumns, rows: IntArray) -> Iterator[Caveat]:
    """Name the algorithms whose settings were chosen on the rows that their scores are from."""
    marks = {row.fingerprint for row in store.algorithms() if _ON_VALIDATION in str(row.spec.get("text", ""))}
    there = {table.algorithms[key] for key in _numbers(table.algorithm[rows])} if marks else set()
    if names := sorted(name for name, mark in there if mark in marks):
        yield validation_scores(names)


# ---- where and how they were run


_FACTS = ("host", "cpu", "cores", "system", "python")
BUSY = 1.25
"""A host is busy where so many processes for each of its cores want to run: the lab itself takes one for each."""
MOST_BUSY = 0.05
"""The share of cells that may have run on a busy host before it is said."""
DRIFT = 0.15
"""The share by which the time of the calibrating kernel may vary on a host before it is said."""
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


def _run_there(table: StoreColumns, where: Sequence[str], shown: str) -> tuple[BoolArray, list[str], Caveats]:
    """Mark the cells that meet the conditions on where they were run; return the other conditions too."""
    keep = np.ones(len(table.id), dtype=bool)
    facts = {
        key: {name: str(getattr(place, name) or "") for name in _FACTS} | dict(place.versions)
        for key, place in table.environments.items()
    }
    known = dict.fromkeys([*_FACTS, *(name for record in facts.values() for name in record)])
    mine = [condition for condition in where if any(_is_about(condition.strip(), name) for name in known)]
    if not mine:
        return keep, list(where), ()
    if not facts:
        raise OptionError(
            f"The condition {mine[0]!r} asks where cells were run, and the store {shown} does not say it.",
            mend="Leave the condition out.",
        )
    columns: Columns = {name: ListColumn([record.get(name, "") for record in facts.values()]) for name in known}
    fine, _ = met(columns, mine, source=f"the store {shown}")
    keep = np.isin(table.environment, np.array(list(facts))[fine])
    text = f"{shown}: {int((~keep).sum())} of {len(keep)} cells left out; kept are those where {' and '.join(mine)}."
    return keep, [name for name in where if name not in mine], (Caveat("rows-filtered", text),)


def _is_about(condition: str, name: str) -> bool:
    """Say whether a condition is about a name, and not about another that begins like it."""
    rest = condition[len(name) :].lstrip() if condition.startswith(name) else ""
    return rest.startswith(("=", "!", "<", ">", "in ", "not "))


def _with_kinds(results: Results, table: StoreColumns, rows: IntArray) -> Results:
    """Say of the costs of the lab how they were measured; those of others may be anything."""
    if table.origin.take(rows).names != ("lab",):
        return results
    return replace(results, metrics=tuple(replace(m, what=KINDS.get(m.name, "")) for m in results.metrics))


def _looked_up(keys: IntArray, known: Mapping[int, int], otherwise: int) -> IntArray:
    """Replace numbers of environments, of which there are few, by what is known of them."""
    values = np.full(max(known, default=0) + 2, otherwise)  # -1, for none, is the last place
    values[list(known)] = list(known.values())
    return np.asarray(values[keys])


def _hosts(table: StoreColumns, rows: IntArray) -> Hosts | None:
    """Return the hosts of cells, with how fast each was found to be; None where none was recorded."""
    from tiebreak.stores.records import kernels

    if not table.environments:
        return None
    names = sorted({environment.host for environment in table.environments.values()})
    place = {key: names.index(environment.host) for key, environment in table.environments.items()}
    seconds = kernels(table.calibrations)
    return Hosts(
        codes=_looked_up(table.environment[rows], place, -1).astype(np.int32),
        names=tuple(names),
        kernels=tuple(seconds.get(name, float("nan")) for name in names),
    )


def _place_notes(table: StoreColumns, rows: IntArray, *, times: bool) -> Iterator[Caveat]:
    """Say which libraries differ among the cells, and of times whether their hosts were busy or changed their speed."""
    done = rows[table.environment[rows] >= 0]
    if not done.size:
        return
    counts = np.bincount(table.environment[done])
    cells = {key: int(counts[key]) for key in np.flatnonzero(counts).tolist()}
    yield from _versions(table, cells)
    if times:
        yield from _busy(table, done, {table.environments[key].host for key in cells})
        if lost := int(((table.environment < 0) & _is_one_of(table.status, "ok"))[rows].sum()):
            text = f"On which host {lost} of {len(rows)} cells were run is not known: their times may be another's."
            yield Caveat("hosts-mixed", text)


def _versions(table: StoreColumns, cells: Mapping[int, int]) -> Iterator[Caveat]:
    held: dict[str, Counter[str]] = {}
    for key, count in cells.items():
        environment = table.environments[key]
        for name, version in ({**environment.versions, "python": environment.python}).items():
            held.setdefault(name, Counter())[version] += count
    mixed = {name: counts for name, counts in sorted(held.items()) if len(counts) > 1 and name != "tiebreak"}
    if mixed:
        versions = "; ".join(
            f"{name} {', '.join(f'{version} in {count} cells' for version, count in sorted(counts.items()))}"
            for name, counts in mixed.items()
        )
        name, counts = next(iter(mixed.items()))
        text = f"Cells were run with different versions of libraries, which may differ in scores and times: {versions}."
        text += f" To keep one: {option(where=f'{name} == {max(counts, key=lambda version: counts[version])}')}."
        yield Caveat("versions-mixed", text)


def _busy(table: StoreColumns, done: IntArray, hosts: Iterable[str]) -> Iterator[Caveat]:
    """A load above the cores is that of others: the lab runs no more cells than there are cores unless told to."""
    cores = {key: environment.cores for key, environment in table.environments.items() if environment.cores}
    indices = _looked_up(table.environment[done], cores, 0)
    load = table.load[done]
    busy = (indices > 0) & (load > BUSY * indices)
    if busy.mean() > MOST_BUSY:
        worst = int(np.argmax(np.where(busy, load / np.maximum(indices, 1), 0.0)))
        host = table.environments[int(table.environment[done][worst])].host
        text = f"{int(busy.sum())} of {len(done)} cells ran while their host had more to do than it has cores (up to a"
        text += f" load of {load[worst]:.1f} on the {indices[worst]} cores of {host!r}): their times may be too long."
        yield Caveat("host-busy", text)
    for host in sorted(hosts):
        seconds = [calibration.cpu for calibration in table.calibrations if calibration.environment.host == host]
        if len(seconds) > 1 and max(seconds) > (1 + DRIFT) * min(seconds):
            text = f"The speed of {host!r} changed while cells ran: a fixed piece of work took from {min(seconds):.3g}"
            text += f" to {max(seconds):.3g} CPU seconds; times that differ by less may be the same."
            yield Caveat("host-busy", text)


# ---- scores that are computed from confusion matrices


def _derived_scores(
    store: Store, table: StoreColumns, rows: IntArray, names: Sequence[str], positive: str | None
) -> tuple[dict[str, FloatArray], Caveats]:
    """Compute the named scores for rows of a store, data set by data set; return them with the caveats they need."""
    details = store.details()
    classes = {row.fingerprint: row.classes for row in store.data_sets()}
    result: dict[str, FloatArray] = {}
    notes: list[Caveat] = []
    for prefix in ("", TEST):
        wanted = [name.removeprefix(prefix) for name in names if name.startswith(TEST) == bool(prefix)]
        matrices = [details.get(cell, {}).get(prefix + MATRIX) for cell in table.id[rows].tolist()] if wanted else []
        there = np.array([matrix is not None for matrix in matrices], dtype=bool)
        if not there.any():
            continue
        derived, kinds = Derived.blank(len(rows), wanted), dict[str, list[str]]()
        for key in _numbers(table.dataset[rows][there]):
            places = np.flatnonzero(there & (table.dataset[rows] == key))
            name, mark = table.datasets[key]
            counts = _stacked([matrices[place] for place in places.tolist()], name)
            place, kind = _positive(classes.get(mark, ()), counts.shape[-1], positive, name)
            kinds.setdefault(kind, []).append(name)
            derived.put(places, derive(counts, place))
        result |= {prefix + name: values for name, values in derived.values.items()}
        for kind, found in kinds.items():  # one sentence for each kind, not for each data set: there may be hundreds
            on = f"on {found[0]!r}" if len(found) == 1 else f"on {len(found)} data sets, such as {found[0]!r},"
            notes.append(Caveat("read-as", f"Measures of the confusion matrix {on} are {kind}."))
        notes += undefined_notes(derived, lambda row: _cell(table, int(rows[row])))
    return result, distinct(notes)


def _stacked(matrices: Sequence[Any], dataset: str) -> FloatArray:
    """Put the matrices of one data set on one axis."""
    try:
        counts = np.array(matrices, dtype=np.float64)
    except (TypeError, ValueError):
        counts = np.empty(0)
    if counts.ndim != 3 or counts.shape[1] != counts.shape[2] or counts.shape[1] < 2 or not (counts >= 0).all():
        raise InputError(
            f"The confusion matrices stored for data set {dataset!r} are not square tables of counts of one size.",
            mend=f"Ask for scores that were stored themselves, such as {option(scores='error')}.",
        )
    return counts


def _positive(classes: tuple[str, ...], count: int, positive: str | None, dataset: str) -> tuple[int | None, str]:
    """Choose the positive class: as told, the last of two, none of several (an average over all)."""
    known = classes if len(classes) == count else tuple(str(place) for place in range(count))
    if positive is not None:
        mend = f"Name the data sets that have it: {option(datasets=[...])}."
        name = check_choice(f"class on data set {dataset!r},", positive, known, mend=mend)
        return known.index(name), f"for the class {positive!r}"
    if count > 2:
        return None, "averaged over the classes"
    why = "the last by name" if known[-1] == max(known) else "the positive one of the data set"
    return 1, f"for the class {known[-1]!r}, {why}; say {option(positive=...)} for another"


def _cell(table: StoreColumns, row: int) -> str:
    algorithm, dataset = table.algorithms[int(table.algorithm[row])][0], table.datasets[int(table.dataset[row])][0]
    return f"{algorithm!r} on {dataset!r} (replication {table.replication.at(row)}, fold {table.fold.at(row)})"
