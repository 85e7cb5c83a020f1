"""What a data set looks like: the meta-attributes of Brazdil, Soares and Costa, and a wider set."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.attributes._catalogue import *
    from tiebreak.advisor.attributes._characterise import *
    from tiebreak.advisor.attributes._meta_attributes import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_catalogue": "ATTRIBUTES Attribute COUNTS DEFAULT_MEASURES GROUPS META_VERSION NUMBER_MEASURES"
            " NUMBER_META_VERSION PAPER_MEASURES default_measures groups_of spelled_out",
            "_characterise": "characterise",
            "_meta_attributes": "MetaAttributes spent_on",
        },
    )
