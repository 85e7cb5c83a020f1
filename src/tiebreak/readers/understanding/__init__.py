"""Understanding: a grid of text cells as a table of results, with all that was left out said."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.readers.understanding._understand import understand as understand
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_understand": "understand",
        },
    )
