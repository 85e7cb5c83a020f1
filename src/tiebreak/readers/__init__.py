"""Ways in: files, stores, published tables, what Python holds, and what other packages return and export.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.readers import published as published
    from tiebreak.readers.files import read as read
    from tiebreak.readers.sklearn import (
        from_cross_validate as from_cross_validate,
    )
    from tiebreak.readers.stores import read_store as read_store
    from tiebreak.readers.taking import as_results as as_results
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "": "published",
            "files": "read",
            "sklearn": "from_cross_validate",
            "stores": "read_store",
            "taking": "as_results",
        },
    )
