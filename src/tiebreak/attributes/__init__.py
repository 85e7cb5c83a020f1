"""What a data set looks like: the meta-attributes of Brazdil, Soares and Costa, and a wider set."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.attributes.catalogue import ATTRIBUTES as ATTRIBUTES
    from tiebreak.attributes.measuring import characterise as characterise, spent_on as spent_on
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "catalogue": "ATTRIBUTES",
            "measuring": "characterise spent_on",
        },
    )
