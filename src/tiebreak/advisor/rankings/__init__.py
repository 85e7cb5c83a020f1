"""Rankings of algorithms from past results: by accuracy and time, by ranks, by wins, as portfolios.

`RANKING_METHODS` holds every method; a new one is a function, a record in `tiebreak.methods`, and how it is prepared,
in `methods`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.rankings.by_tests import rank_by_wins as rank_by_wins
    from tiebreak.advisor.rankings.methods import (
        RANKING_METHODS as RANKING_METHODS,
        Scorer as Scorer,
        rank_by as rank_by,
        scorer as scorer,
    )
    from tiebreak.advisor.rankings.pairwise import (
        accd_from as accd_from,
        accd_sentence as accd_sentence,
        power_from as power_from,
        rank_by_a3r as rank_by_a3r,
        rank_by_arr as rank_by_arr,
        rank_by_mean_rank as rank_by_mean_rank,
        rank_by_srr as rank_by_srr,
    )
    from tiebreak.advisor.rankings.portfolios import (
        rank_by_portfolio as rank_by_portfolio,
        rank_by_timed_portfolio as rank_by_timed_portfolio,
    )
    from tiebreak.advisor.rankings.ranking import Ranking as Ranking
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "by_tests": "rank_by_wins",
            "methods": "RANKING_METHODS Scorer rank_by scorer",
            "pairwise": "accd_from accd_sentence power_from rank_by_a3r rank_by_arr rank_by_mean_rank rank_by_srr",
            "portfolios": "rank_by_portfolio rank_by_timed_portfolio",
            "ranking": "Ranking",
        },
    )
