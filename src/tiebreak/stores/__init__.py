"""The store: what was run, on what, and what came of it; SQLite by default, PostgreSQL by URL.

Rows in, rows out, no statistics. Everything is kept as text and numbers: nothing in a store is ever executed.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stores.errors import StoreError as StoreError
    from tiebreak.stores.opening import open_store as open_store
    from tiebreak.stores.storage import Store as Store
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "opening": "open_store",
            "errors": "StoreError",
            "storage": "Store",
        },
    )
