"""What past results say about new data: meta-attributes, neighbours, rankings, advice, and whether to follow it.

How neighbours are found: `neighbours`. What makes data sets alike: `attributes`. How algorithms are ranked on the
neighbours: `rankings`, one file per family of methods. What following it is worth, and which way to follow: `worth`.
How long algorithms will take: `times`; what to try within a budget: `schedules`; what to try next, once something was
tried: `trials`. How far rankings agree with the ideal ones: `evaluation`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor._advisor import Advisor as Advisor
    from tiebreak.advisor._knowledge import Knowledge as Knowledge
    from tiebreak.advisor._landmark_worth import landmark_worth as landmark_worth
    from tiebreak.advisor._merge_knowledge import merge_knowledge as merge_knowledge
    from tiebreak.advisor._meta_files import ALIASES as ALIASES, read_meta as read_meta, read_origins as read_origins
    from tiebreak.advisor._meta_table import MetaTable as MetaTable
    from tiebreak.advisor._read_knowledge import read_knowledge as read_knowledge, store_knowledge as store_knowledge
    from tiebreak.advisor._recommendation import Recommendation as Recommendation
    from tiebreak.advisor._shipped import (
        SHIPPED as SHIPPED,
        knowledge_text as knowledge_text,
        open_base as open_base,
        shipped_knowledge as shipped_knowledge,
    )
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_advisor": "Advisor",
            "_knowledge": "Knowledge",
            "_landmark_worth": "landmark_worth",
            "_merge_knowledge": "merge_knowledge",
            "_meta_files": "ALIASES read_meta read_origins",
            "_meta_table": "MetaTable",
            "_read_knowledge": "read_knowledge store_knowledge",
            "_recommendation": "Recommendation",
            "_shipped": "SHIPPED knowledge_text open_base shipped_knowledge",
        },
    )
