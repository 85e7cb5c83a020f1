"""The store: what was run, on what, and what came of it; SQLite by default, PostgreSQL by URL.

Rows in, rows out, no statistics. Everything is kept as text and numbers: nothing in a store is ever executed.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.store.claims import *
    from tiebreak.store.opening import *
    from tiebreak.store.records import *
    from tiebreak.store.storage import *
    from tiebreak.store.store_errors import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "claims": "Runner",
            "opening": "open_store",
            "store_errors": "NoStore StoreError",
            "records": "FAILED STATUSES AlgorithmRow Calibration CellKey CellOutcome CellRow ClaimedCell DataSetRow"
            " Environment PlanRow",
            "storage": "Store",
        },
    )
