"""Checking: the tables of a document, what they claim, and what their numbers support."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.checking._check import check as check
    from tiebreak.checking._files import is_document as is_document
    from tiebreak.checking._found import DocumentCheck as DocumentCheck
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_check": "check",
            "_files": "is_document",
            "_found": "DocumentCheck",
        },
    )
