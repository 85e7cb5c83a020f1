"""Bases of past results by name: what ships, knowledge files, stores, and the published results of other projects.

What each project is, its licence and its citation stand in `records`; one file per project reads what it publishes.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.bases.opening import open_base as open_base, open_bases as open_bases
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "opening": "open_base open_bases",
        },
    )
