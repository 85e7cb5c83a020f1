"""The store: what was run, on what, and what came of it; SQLite by default, PostgreSQL by URL.

Rows in, rows out, no statistics. Everything is kept as text and numbers: nothing in a store is ever executed.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.store.claims import Runner as Runner
    from tiebreak.store.opening import open_store as open_store
    from tiebreak.store.problems import NoStore as NoStore, StoreError as StoreError
    from tiebreak.store.records import (
        FAILED as FAILED,
        STATUSES as STATUSES,
        AlgorithmRow as AlgorithmRow,
        CellKey as CellKey,
        CellOutcome as CellOutcome,
        CellRow as CellRow,
        ClaimedCell as ClaimedCell,
        DataSetRow as DataSetRow,
        PlanRow as PlanRow,
    )
    from tiebreak.store.storage import Store as Store
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "claims": "Runner",
            "opening": "open_store",
            "problems": "NoStore StoreError",
            "records": "FAILED STATUSES AlgorithmRow CellKey CellOutcome CellRow ClaimedCell DataSetRow PlanRow",
            "storage": "Store",
        },
    )
