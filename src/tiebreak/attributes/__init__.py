"""What a data set looks like: the meta-attributes of Brazdil, Soares and Costa, and a wider set."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.attributes._characterise import characterise as characterise
    from tiebreak.attributes._meta_attributes import spent_on as spent_on
    from tiebreak.attributes.catalogue import ATTRIBUTES as ATTRIBUTES
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "catalogue": "ATTRIBUTES",
            "_characterise": "characterise",
            "_meta_attributes": "spent_on",
        },
    )
