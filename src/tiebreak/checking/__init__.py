"""Checking: the tables of a document, what they claim, and what their numbers support.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.checking.claims import DocumentCheck as DocumentCheck
    from tiebreak.checking.document import check as check
    from tiebreak.checking.reading import is_document as is_document
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "document": "check",
            "reading": "is_document",
            "claims": "DocumentCheck",
        },
    )
