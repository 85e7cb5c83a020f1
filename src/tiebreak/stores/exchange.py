"""Tables out of a store and into one: a store's own export, and the results of others.

An exported table has one row per cell: data set, algorithm, replication, fold, one column per measure, and what
identifies a cell (fingerprints, resampling, seed) or says how it ended. `tiebreak.read(file, scores="error")` reads
it too.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.errors import InputError, OptionError
from tiebreak.results import Results
from tiebreak.results.table import split_by_metric
from tiebreak.stores import reading, records, writing
from tiebreak.stores.records import (
    COLUMNS,
    FAILED,
    LAB,
    OPEN,
    AlgorithmRow,
    CellKey,
    CellOutcome,
    CellRow,
    DataSetRow,
    check_measures,
    check_name,
)
from tiebreak.wording import Brief, option

if TYPE_CHECKING:
    import polars as pl

    from tiebreak.stores.storage import Store


BY_NAME = "name:"
"""Begins the fingerprint of a data set that is known by its name only."""
_KEY = ("dataset_fingerprint", "algorithm_fingerprint", "resampling", "seed", "replication", "fold")


def export_cells(store: Store, path: Path) -> int:
    """Write every cell to a .parquet or .csv file, a part at a time; the file appears only when it is complete."""
    kind = _kind(path)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        count = _write_csv(store, draft) if kind == ".csv" else _write_parquet(store, draft)
        os.replace(draft, path)
    except OSError as error:  # what fails names the file, not the draft
        raise InputError(
            f"{path} cannot be written: {error.strerror or type(error).__name__}.",
            why="The export goes there.",
            mend="Choose another path.",
        ) from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    return count


def _write_csv(store: Store, draft: Path) -> int:
    count = 0
    with open(draft, "wb") as file:
        for number, frame in enumerate(_frames(store)):
            frame.write_csv(file, include_header=number == 0)
            count += frame.height
    return count


def _write_parquet(store: Store, draft: Path) -> int:
    """One file from many: a parquet file cannot be added to."""
    import polars as pl

    count = 0
    draft.touch()  # an error names the file before an hour's work is lost
    with tempfile.TemporaryDirectory(prefix="tiebreak-export-") as folder:
        for number, frame in enumerate(_frames(store)):
            frame.write_parquet(Path(folder) / f"{number:06d}.parquet")
            count += frame.height
        pl.scan_parquet(Path(folder) / "*.parquet", low_memory=True).sink_parquet(draft, row_group_size=20_000)
    return count


def _frames(store: Store) -> Iterator[pl.DataFrame]:
    """Yield the cells in the order of their numbers, some ten thousand at a time; one empty frame for no cells."""
    import polars as pl

    measures = store.measures()
    kinds = _kinds([*COLUMNS[:4], *measures, *COLUMNS[4:]])
    last, known = 0, None
    while True:
        with store.reads() as connection:
            known = reading.names(connection) if known is None else known
            columns, values = reading.part(connection, last, known)
        ids = columns.pop("id")
        if not ids and last:
            return
        places = np.searchsorted(ids, values["cell"])
        for key, name in known["measure"]["name"].items():
            mine, wide = values["measure"] == key, np.full(len(ids), np.nan)
            wide[places[mine]] = values["value"][mine]
            columns[name] = pl.Series(wide).fill_nan(None)
        yield pl.DataFrame({name: pl.Series(name, columns[name], dtype=kind) for name, kind in kinds.items()})
        if not ids:
            return
        last = ids[-1]


def _kinds(names: Iterable[str]) -> dict[str, Any]:
    """Return the type of every column: what is not one of ours is a measure."""
    import polars as pl

    ours: dict[str, Any] = dict.fromkeys(COLUMNS, pl.String) | {"seed": pl.Int64, "attempts": pl.Int64}
    ours |= {"host_load": pl.Float64, "host_kernel": pl.Float64}
    return {name: ours.get(name, pl.Float64) for name in names}


def _kind(path: Path) -> str:
    if path.suffix.lower() not in (".parquet", ".csv"):
        raise OptionError(
            f"{path.name} has an ending that is not known.",
            why="The ending tells how to write or read a file.",
            mend="Use .parquet or .csv.",
        )
    return path.suffix.lower()


def import_table(store: Store, results: Results, *, origin: str, suffix: str = "") -> int:
    """Put the results of others (published tables, searches, trackers) beside our own.

    Their data sets are known by name only: a comparison with our own results says so. A row without any score is
    stored as an error. Importing the same again changes nothing; importing other values under one origin is refused.
    Where a column names the metric of each data set, every metric becomes a measure of its own, such as 'score (auc)'.

    Parameters
    ----------
    store : Store
        Where to put them.
    results : Results
        From `tiebreak.read`, `published` or any other source.
    origin : str
        Whose results they are, such as "Ulas 2012"; not "lab".
    suffix : str, optional
        Added to the names of the algorithms, to tell them from our own, such as " (Ulas 2012)".

    Returns
    -------
    int
        How many cells were new.
    """
    if check_name("origin", origin) == LAB:
        raise OptionError(
            "Imported results cannot have the origin 'lab'.",
            why="That word marks what was run here.",
            mend=f"Say {option(origin=...)} to name whose results they are.",
        )
    results = split_by_metric(results)
    check_measures(metric.name for metric in results.metrics)
    for name in results.datasets:
        store.add_data_set(DataSetRow(name=name, fingerprint=BY_NAME + name))
    for name in results.algorithms:
        store.add_algorithm(AlgorithmRow(name=name + suffix, fingerprint=f"{origin}:{name}"))
    with store.writes() as connection:
        writing.measure_ids(connection, [metric.name for metric in results.metrics], results.costs)
    ids = store.add_cells(_imported_keys(results, origin), origin=origin)
    columns = {name: column.tolist() for name, column in results.values.items()}
    given = [{name: column[i] for name, column in columns.items() if column[i] == column[i]} for i in range(len(ids))]
    outcomes = [
        CellOutcome(cell=cell, status="ok", values=values)
        if values
        else CellOutcome(cell=cell, status="error", reason=f"{origin} gives no score")
        for cell, values in zip(ids, given, strict=True)
    ]
    written = set(store.finish(outcomes))
    _check_same(store, {cell: values for cell, values in zip(ids, given, strict=True) if cell not in written}, origin)
    return len(written)


def _imported_keys(results: Results, origin: str) -> list[CellKey]:
    """Published results have no fingerprint and no seed: name and origin stand for them."""
    names = {role: [known[code] for code in results.codes[role].tolist()] for role, known in results.names.items()}
    resampling = f"imported from {origin}"
    return [
        CellKey(BY_NAME + dataset, f"{origin}:{algorithm}", resampling, 0, replication, fold)
        for dataset, algorithm, replication, fold in zip(*names.values(), strict=True)
    ]


def _check_same(store: Store, given: Mapping[int, Mapping[str, float]], origin: str) -> None:
    """Refuse to keep quiet about values that differ from those imported before."""
    if not given:
        return
    for row in store.rows(statuses=("ok",)):
        if row.id in given and dict(row.values) != dict(given[row.id]):
            raise InputError(
                f"{row.algorithm!r} on data set {row.dataset!r} (replication {row.replication}, fold {row.fold}) was"
                f" imported from {origin!r} before, with other values.",
                why="A stored result is never overwritten.",
                mend="Import the new table under another origin.",
            )


# ---- one store read into another: results with where they came from, and what the two disagree on


MOST_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Merge(Brief):
    """What became of another store's cells.

    `cells` were new or newly finished; `conflicts` name the cells that both stores finished with other scores (those
    of this store stay), and `renamed` what bears another name there.
    """

    cells: int
    conflicts: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()

    def sentences(self) -> list[str]:
        """Name the first few renamed entries and conflicts."""
        out = [f"{name}." for name in self.renamed[:MOST_NAMED]]
        if self.conflicts:
            more = len(self.conflicts) - MOST_NAMED
            named = "; ".join([*self.conflicts[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])
            count = len(self.conflicts)
            cells = "1 cell has" if count == 1 else f"{count} cells have"
            out.append(f"{cells} other scores there; those of this store were kept: {named}.")
        return out


def merge(store: Store, other: Store, *, origin: str | None = None) -> Merge:
    """Put the finished and failed cells of another store into this one; cells that are ok here stay as they are.

    Every cell keeps its origin (or gets the one that is named), the environment and host that it was run on, and when
    it ended; settings of algorithms, sizes of data sets, plans and calibrations come along.
    """
    renamed = _add_named(store, other)
    rows = [row for row in other.rows() if row.status not in OPEN]
    here = {_key(row): row.values for row in store.rows(statuses=("ok",))}
    costs = {*store.costs(), *other.costs()}
    conflicts = [text for row in rows if (text := _conflict(row, here.get(_key(row)), costs))]
    ids: dict[CellKey, int] = {}
    for name in sorted({origin or row.origin for row in rows}):
        keys = [_key(row) for row in rows if (origin or row.origin) == name]
        ids |= zip(keys, store.add_cells(keys, origin=name), strict=True)
    for plan in other.plans():
        store.add_plan(plan.digest, plan.text)
        run = [_key(row) for row in other.rows(plan=plan.digest) if row.status not in OPEN]
        store.add_cells(run, plan=plan.digest)
    known = store.calibrations()
    store.calibrate(*(calibration for calibration in other.calibrations() if calibration not in known))
    failed = {_key(row) for row in store.rows(statuses=FAILED)}
    new = [row for row in rows if _key(row) not in here and not (row.status in FAILED and _key(row) in failed)]
    outcomes = [_merged_outcome(ids[_key(row)], row) for row in new]
    written = store.finish(outcomes)
    return Merge(cells=len(written), conflicts=tuple(conflicts), renamed=tuple(renamed))


def _key(row: CellRow) -> CellKey:
    return CellKey(
        row.dataset_fingerprint, row.algorithm_fingerprint, row.resampling, row.seed, row.replication, row.fold
    )


def _add_named(store: Store, other: Store) -> list[str]:
    """Add data sets and algorithms: what has one fingerprint is the same, and keeps the name that it has here."""
    renamed = []
    sets = {row.fingerprint: row.name for row in store.data_sets()}
    learners = {algorithm.fingerprint: algorithm.name for algorithm in store.algorithms()}
    data_row: DataSetRow
    for data_row in other.data_sets():
        here = sets.get(data_row.fingerprint, data_row.name)
        renamed += [f"Data set {data_row.name!r} is {here!r} here"] if here != data_row.name else []
        store.add_data_set(replace(data_row, name=here))
    learner: AlgorithmRow
    for learner in other.algorithms():
        here = learners.get(learner.fingerprint, learner.name)
        renamed += [f"Algorithm {learner.name!r} is {here!r} here"] if here != learner.name else []
        store.add_algorithm(replace(learner, name=here))
    return renamed


def _conflict(row: CellRow, here: Mapping[str, float] | None, costs: set[str]) -> str:
    """Name a cell that both finished with other scores; times always differ."""
    if row.status != "ok" or here is None:
        return ""
    for name in sorted({*here, *row.values} - costs):
        mine, theirs = here.get(name), row.values.get(name)
        if mine is not None and theirs is not None and mine != theirs:
            where = f"{row.algorithm} on {row.dataset}, replication {row.replication}, fold {row.fold}"
            return f"{where} ({name} {theirs:.6g}, here {mine:.6g})"
    return ""


def _merged_outcome(cell: int, row: CellRow) -> CellOutcome:
    return CellOutcome(
        cell=cell,
        status=row.status,
        reason=row.reason,
        values=row.values,
        details=row.details,
        finished=row.finished,
        environment=records.from_plain(row.environment) if row.environment else None,
        load=row.host_load,
    )
