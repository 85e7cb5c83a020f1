"""Rankings of algorithms from past results: by accuracy and time, by ranks, by wins, by tests, as portfolios.

`RANKING_METHODS` holds every method; a new one is a function in a file of its own, a record in `tiebreak.methods`, and
how it is prepared, in `_methods`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.rankings._arr_a3r_srr import *
    from tiebreak.advisor.rankings._by_scores import *
    from tiebreak.advisor.rankings._mean_ranks import *
    from tiebreak.advisor.rankings._methods import *
    from tiebreak.advisor.rankings._multitest import *
    from tiebreak.advisor.rankings._ranking import *
    from tiebreak.advisor.rankings._times import *
    from tiebreak.advisor.rankings.portfolios import *
    from tiebreak.advisor.rankings.significant_wins import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_arr_a3r_srr": "accd_from accd_sentence power_from rank_by_a3r rank_by_arr rank_by_srr",
            "_by_scores": "rank_by_scores",
            "_mean_ranks": "rank_by_mean_rank",
            "_methods": "RANKING_METHODS RankingMethod Scorer rank_by scorer",
            "_multitest": "rank_by_multitest",
            "portfolios": "greedy rank_by_portfolio rank_by_timed_portfolio",
            "_ranking": "Ranking",
            "_times": "NormalisedTimes floor_times normalise_times",
            "significant_wins": "rank_by_wins",
        },
    )
