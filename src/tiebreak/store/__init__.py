"""The store: what was run, on what, and what came of it; SQLite by default, PostgreSQL by URL.

Rows in, rows out, no statistics. Everything is kept as text and numbers: nothing in a store is ever executed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names
from tiebreak.store.opening import open_store
from tiebreak.store.problems import NoStore, StoreError
from tiebreak.store.records import (
    FAILED,
    STATUSES,
    AlgorithmRow,
    CellKey,
    CellOutcome,
    CellRow,
    ClaimedCell,
    DataSetRow,
    PlanRow,
)

if TYPE_CHECKING:
    from tiebreak.store.claims import Runner
    from tiebreak.store.storage import Store

__all__ = [
    "FAILED",
    "STATUSES",
    "AlgorithmRow",
    "CellKey",
    "CellOutcome",
    "CellRow",
    "ClaimedCell",
    "DataSetRow",
    "NoStore",
    "PlanRow",
    "Runner",
    "Store",
    "StoreError",
    "open_store",
]

_HOMES = {"Store": "tiebreak.store.storage", "Runner": "tiebreak.store.claims"}  # these need SQLAlchemy
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
