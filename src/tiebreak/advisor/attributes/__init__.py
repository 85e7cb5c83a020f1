"""What a data set looks like: the meta-attributes of Brazdil, Soares and Costa, and a wider set."""

from __future__ import annotations

from tiebreak.advisor.attributes.catalogue import (
    ATTRIBUTES,
    DEFAULT_MEASURES,
    GROUPS,
    META_VERSION,
    PAPER_MEASURES,
    Attribute,
    spelled_out,
)
from tiebreak.advisor.attributes.characterising import characterise
from tiebreak.advisor.attributes.profile import MetaAttributes

__all__ = [
    "ATTRIBUTES",
    "DEFAULT_MEASURES",
    "GROUPS",
    "META_VERSION",
    "PAPER_MEASURES",
    "Attribute",
    "MetaAttributes",
    "characterise",
    "spelled_out",
]
