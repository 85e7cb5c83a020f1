"""What advice is worth: recipes for a recommendation, judged by leaving data sets out, and the choice among them."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.worth._worth import Worth as Worth
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_worth": "Worth",
        },
    )
