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
