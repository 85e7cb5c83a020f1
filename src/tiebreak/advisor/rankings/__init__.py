"""Rankings of algorithms from past results: by accuracy and time, by ranks, by wins, by Multi2Test."""

from tiebreak.advisor.rankings.by_name import RANKING_METHODS, Scorer, rank_by, scorer
from tiebreak.advisor.rankings.normalise import NormalisedTimes, floor_times, normalise_times
from tiebreak.advisor.rankings.places import rank_by_mean_rank, rank_by_multitest, rank_by_wins
from tiebreak.advisor.rankings.ranking import Ranking
from tiebreak.advisor.rankings.ratios import rank_by_a3r, rank_by_arr, rank_by_srr
from tiebreak.advisor.rankings.trade import accd_from, accd_sentence, power_from

__all__ = [
    "RANKING_METHODS",
    "NormalisedTimes",
    "Ranking",
    "Scorer",
    "accd_from",
    "accd_sentence",
    "floor_times",
    "normalise_times",
    "power_from",
    "rank_by",
    "rank_by_a3r",
    "rank_by_arr",
    "rank_by_mean_rank",
    "rank_by_multitest",
    "rank_by_srr",
    "rank_by_wins",
    "scorer",
]
