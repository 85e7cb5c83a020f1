"""What past results say about new data: meta-attributes, neighbours, rankings, advice, and whether to follow it.

How neighbours are found: `neighbours`. What makes data sets alike: `attributes`. How algorithms are ranked on the
neighbours: `rankings`, one file per family of methods. What following it is worth, and which way to follow: `worth`.
How long algorithms will take: `times`; what to try within a budget: `schedules`; what to try next, once something was
tried: `trials`. How far rankings agree with the ideal ones: `evaluation`. Whose results are learned from: `bases`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_rooms

if TYPE_CHECKING:
    from tiebreak.advisor._advisor import *
    from tiebreak.advisor._following import *
    from tiebreak.advisor._knowledge import *
    from tiebreak.advisor._landmark_worth import *
    from tiebreak.advisor._measure_selection import *
    from tiebreak.advisor._merge_knowledge import *
    from tiebreak.advisor._meta_files import *
    from tiebreak.advisor._meta_table import *
    from tiebreak.advisor._read_knowledge import *
    from tiebreak.advisor._recommendation import *
    from tiebreak.advisor._shipped import *
    from tiebreak.advisor._success_rates import *
    from tiebreak.advisor.attributes import *
    from tiebreak.advisor.bases import *
    from tiebreak.advisor.evaluation import *
    from tiebreak.advisor.neighbours import *
    from tiebreak.advisor.rankings import *
    from tiebreak.advisor.schedules import *
    from tiebreak.advisor.times import *
    from tiebreak.advisor.trials import *
    from tiebreak.advisor.worth import *
else:
    __getattr__, __dir__, __all__ = lazy_rooms(
        __name__,
        ("attributes", "bases", "rankings", "evaluation", "schedules", "times", "trials", "worth"),
        _advisor="Advisor",
        _following="PUBLISHED",
        _knowledge="Knowledge",
        _measure_selection="choose_measures select_measures",
        _merge_knowledge="merge_knowledge",
        _meta_files="ALIASES read_meta read_origins",
        _meta_table="MetaTable",
        _read_knowledge="open_knowledge read_knowledge store_knowledge",
        _recommendation="Recommendation",
        _shipped="SHIPPED knowledge_from_text knowledge_text shipped_knowledge",
        _success_rates="success_rates",
        _landmark_worth="LandmarkWorth landmark_worth",
        neighbours="Neighbours SCALINGS WEIGHTINGS nearest",
    )
