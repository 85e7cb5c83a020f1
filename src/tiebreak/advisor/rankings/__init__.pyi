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
from tiebreak.advisor.rankings.portfolios import rank_by_portfolio as rank_by_portfolio
from tiebreak.advisor.rankings.ranking import Ranking as Ranking
