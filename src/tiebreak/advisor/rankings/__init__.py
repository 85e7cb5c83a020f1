"""Rankings of algorithms from past results: by accuracy and time, by ranks, by wins, by tests, as portfolios.

`RANKING_METHODS` holds every method; a new one is a function in a file of its own, a record in `tiebreak.methods`, and
how it is prepared, in `_methods`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.rankings._arr_a3r_srr import (
        accd_from as accd_from,
        accd_sentence as accd_sentence,
        power_from as power_from,
        rank_by_a3r as rank_by_a3r,
        rank_by_arr as rank_by_arr,
        rank_by_srr as rank_by_srr,
    )
    from tiebreak.advisor.rankings._by_scores import rank_by_scores as rank_by_scores
    from tiebreak.advisor.rankings._mean_ranks import rank_by_mean_rank as rank_by_mean_rank
    from tiebreak.advisor.rankings._methods import (
        RANKING_METHODS as RANKING_METHODS,
        Scorer as Scorer,
        rank_by as rank_by,
        scorer as scorer,
    )
    from tiebreak.advisor.rankings._multitest import rank_by_multitest as rank_by_multitest
    from tiebreak.advisor.rankings._ranking import Ranking as Ranking
    from tiebreak.advisor.rankings._times import floor_times as floor_times
    from tiebreak.advisor.rankings.portfolios import (
        rank_by_portfolio as rank_by_portfolio,
        rank_by_timed_portfolio as rank_by_timed_portfolio,
    )
    from tiebreak.advisor.rankings.significant_wins import rank_by_wins as rank_by_wins
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_arr_a3r_srr": "accd_from accd_sentence power_from rank_by_a3r rank_by_arr rank_by_srr",
            "_by_scores": "rank_by_scores",
            "_mean_ranks": "rank_by_mean_rank",
            "_methods": "RANKING_METHODS Scorer rank_by scorer",
            "_multitest": "rank_by_multitest",
            "portfolios": "rank_by_portfolio rank_by_timed_portfolio",
            "_ranking": "Ranking",
            "_times": "floor_times",
            "significant_wins": "rank_by_wins",
        },
    )
