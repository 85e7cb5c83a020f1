"""Is a recommendation worth following? Agreement with the truth, baselines, significance, and what it costs."""

from tiebreak.advisor.evaluation.agreement import rank_penalty, spearman, weighted_rank_correlation
from tiebreak.advisor.evaluation.baselines import Ceiling, ceiling
from tiebreak.advisor.evaluation.characteristics import (
    AttributeAgainstRank,
    CharacteristicsByBest,
    attribute_against_rank,
    characteristics_by_best,
)
from tiebreak.advisor.evaluation.ideal import ideal_rankings
from tiebreak.advisor.evaluation.leave_out import Evaluation, evaluate, leave_one_out, neighbour_weights
from tiebreak.advisor.evaluation.reduction import Reduction, reduce_ranking
from tiebreak.advisor.evaluation.significance import RankerComparison, compare_rankers
from tiebreak.advisor.evaluation.top_places import AccdCurve, TopN, over_accd, top_n

__all__ = [
    "AccdCurve",
    "AttributeAgainstRank",
    "Ceiling",
    "CharacteristicsByBest",
    "Evaluation",
    "RankerComparison",
    "Reduction",
    "TopN",
    "attribute_against_rank",
    "ceiling",
    "characteristics_by_best",
    "compare_rankers",
    "evaluate",
    "ideal_rankings",
    "leave_one_out",
    "neighbour_weights",
    "over_accd",
    "rank_penalty",
    "reduce_ranking",
    "spearman",
    "top_n",
    "weighted_rank_correlation",
]
