"""One store read into another: results with where they came from, and what the two disagree on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tiebreak._brief import Brief
from tiebreak.store import environments
from tiebreak.store.records import FAILED, OPEN, AlgorithmRow, CellKey, CellOutcome, CellRow, DataSetRow

if TYPE_CHECKING:
    from tiebreak.store.storage import Store

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
        """Say what a reader must know: names and conflicts, the first few."""
        out = [f"{each}." for each in self.renamed[:MOST_NAMED]]
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
    for each in sorted({origin or row.origin for row in rows}):
        keys = [_key(row) for row in rows if (origin or row.origin) == each]
        ids |= zip(keys, store.add_cells(keys, origin=each), strict=True)
    for plan in other.plans():
        store.add_plan(plan.digest, plan.text)
        run = [_key(row) for row in other.rows(plan=plan.digest) if row.status not in OPEN]
        store.add_cells(run, plan=plan.digest)
    known = store.calibrations()
    store.calibrate(*(each for each in other.calibrations() if each not in known))
    failed = {_key(row) for row in store.rows(statuses=FAILED)}
    new = [row for row in rows if _key(row) not in here and not (row.status in FAILED and _key(row) in failed)]
    outcomes = [_outcome(ids[_key(row)], row) for row in new]
    written = store.finish(outcomes)
    return Merge(cells=len(written), conflicts=tuple(conflicts), renamed=tuple(renamed))


def _key(row: CellRow) -> CellKey:
    return CellKey(
        row.dataset_fingerprint, row.algorithm_fingerprint, row.resampling, row.seed, row.replication, row.fold
    )


def _add_named(store: Store, other: Store) -> list[str]:
    """Add data sets and algorithms: what has one fingerprint is the same, and keeps the name that it has here."""
    renamed = []
    sets = {each.fingerprint: each.name for each in store.data_sets()}
    learners = {each.fingerprint: each.name for each in store.algorithms()}
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


def _outcome(cell: int, row: CellRow) -> CellOutcome:
    return CellOutcome(
        cell=cell,
        status=row.status,
        reason=row.reason,
        values=row.values,
        details=row.details,
        finished=row.finished,
        environment=environments.from_plain(row.environment) if row.environment else None,
        load=row.host_load,
    )
