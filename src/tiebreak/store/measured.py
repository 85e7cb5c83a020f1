"""What a runner asks of a store while it works: what waits, what has ended, and what was measured, by pairs.

A pair is a data set and an algorithm; both are named by their fingerprints.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec, TypeVar

import sqlalchemy as sa

from tiebreak.store import schema
from tiebreak.store.patience import patiently
from tiebreak.store.writing import of_plan

if TYPE_CHECKING:
    from tiebreak.store.storage import Store

_P = ParamSpec("_P")
_R = TypeVar("_R")


class WaitingCell(NamedTuple):
    """A cell that nobody has claimed."""

    id: int
    algorithm: str
    replication: int
    fold: int


class Measured(NamedTuple):
    """The mean of a measure over the ok cells of one pair; `size` is rows x attributes, 0 where it is not known."""

    dataset: str
    algorithm: str
    cells: int
    mean: float
    size: int


def _patient(function: Callable[Concatenate[Store, _P], _R]) -> Callable[Concatenate[Store, _P], _R]:
    """A run asks these too while it works, and its store may be away for a while."""

    @functools.wraps(function)
    def repeated(store: Store, /, *given: _P.args, **named: _P.kwargs) -> _R:
        return patiently(lambda: function(store, *given, **named), store.patience, store.give_up)

    return repeated


@_patient
def waiting_cells(store: Store, *, plan: str, dataset: str) -> list[WaitingCell]:
    """List the cells of one data set of a plan that wait, oldest first."""
    cell = schema.cells.c
    query = sa.select(cell.id, schema.algorithms.c.fingerprint, cell.replication, cell.fold)
    joined = schema.cells.join(schema.datasets).join(schema.algorithms)
    with store.reads() as connection:
        mine = of_plan(store.plan_id(connection, plan))
        wanted = query.select_from(joined).where(
            schema.datasets.c.fingerprint == dataset, cell.status == "waiting", mine
        )
        rows = connection.execute(wanted.order_by(cell.id)).all()
    return [WaitingCell(key, mark, int(replication), int(fold)) for key, mark, replication, fold in rows]


@_patient
def ended_cells(store: Store, *, plan: str) -> list[tuple[str, str, str, int]]:
    """Count the cells of a plan by data set, algorithm and status; those not ended are left out."""
    names = (schema.datasets.c.fingerprint, schema.algorithms.c.fingerprint, schema.cells.c.status)
    query = sa.select(*names, sa.func.count()).select_from(schema.cells.join(schema.datasets).join(schema.algorithms))
    with store.reads() as connection:
        mine = of_plan(store.plan_id(connection, plan))
        ended = query.where(mine, schema.cells.c.status.not_in(("waiting", "running"))).group_by(*names)
        return [(dataset, algorithm, status, int(count)) for dataset, algorithm, status, count in
                connection.execute(ended)]  # fmt: skip


@_patient
def means(
    store: Store, measure: str, *, plan: str | None = None, algorithms: Sequence[str] | None = None
) -> list[Measured]:
    """Return the mean of a measure over the ok cells of every pair, of a plan and of some algorithms or of all."""
    marks = (schema.datasets.c.fingerprint, schema.algorithms.c.fingerprint)
    size = schema.datasets.c.n_rows * schema.datasets.c.n_attributes
    joined = schema.values.join(schema.measures).join(schema.cells).join(schema.datasets).join(schema.algorithms)
    query = sa.select(*marks, sa.func.count(), sa.func.avg(schema.values.c.value), size).select_from(joined)
    query = query.where(schema.measures.c.name == measure, schema.cells.c.status == "ok")
    if algorithms is not None:
        query = query.where(schema.algorithms.c.fingerprint.in_(algorithms))
    with store.reads() as connection:
        mine = query.where(of_plan(store.plan_id(connection, plan))).group_by(*marks, size)
        found = connection.execute(mine).all()
    return [Measured(mark, own, int(count), float(mean), int(size or 0)) for mark, own, count, mean, size in found]
