"""What past results say about new data: neighbours, rankings, a pilot, and what advice is expected to lose.

How neighbours are found: `neighbours`. How algorithms are ranked on them: `rankings`. What following advice is expected
to lose, and which recipe to follow: `worth`, `judging`. How long algorithms will take: `times`; what to try within a
budget: `budget_plan`. A few fits on the data themselves, and a run in the lab: `pilot`. How far rankings agree with the
ideal ones: `leave_one_out`, `agreement`, `top_n`.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.advisor import Advisor as Advisor
    from tiebreak.advisor.bases import (
        SHIPPED as SHIPPED,
        knowledge_text as knowledge_text,
        merge_knowledge as merge_knowledge,
        open_base as open_base,
        shipped_knowledge as shipped_knowledge,
    )
    from tiebreak.advisor.knowledge import Knowledge as Knowledge
    from tiebreak.advisor.meta_table import (
        MetaTable as MetaTable,
        read_meta as read_meta,
    )
    from tiebreak.advisor.reading import read_knowledge as read_knowledge, store_knowledge as store_knowledge
    from tiebreak.advisor.recommendation import Recommendation as Recommendation
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "advisor": "Advisor",
            "bases": "SHIPPED knowledge_text merge_knowledge open_base shipped_knowledge",
            "knowledge": "Knowledge",
            "meta_table": "MetaTable read_meta",
            "reading": "read_knowledge store_knowledge",
            "recommendation": "Recommendation",
        },
    )
