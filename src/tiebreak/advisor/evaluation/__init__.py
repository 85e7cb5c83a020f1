"""Is a recommendation worth following? Agreement with the truth, baselines, significance, and what it costs."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.evaluation._ceiling import *
    from tiebreak.advisor.evaluation._compare_rankers import *
    from tiebreak.advisor.evaluation._leave_one_out import *
    from tiebreak.advisor.evaluation._measures_against_ranks import *
    from tiebreak.advisor.evaluation._rank_agreement import *
    from tiebreak.advisor.evaluation._reduce_ranking import *
    from tiebreak.advisor.evaluation._top_n import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_ceiling": "Ceiling ceiling",
            "_compare_rankers": "RankerComparison compare_blocks compare_rankers complete_blocks",
            "_leave_one_out": "Evaluation RANDOM evaluate leave_one_out neighbour_weights",
            "_measures_against_ranks": "AttributeAgainstRank CharacteristicsByBest attribute_against_rank "
            "characteristics_by_best characteristics_by_ranking_method",
            "_rank_agreement": "ideal_rankings rank_penalty spearman weighted_rank_correlation",
            "_reduce_ranking": "Reduction reduce_ranking",
            "_top_n": "AccdCurve SINGLE_BEST TopN over_accd top_n",
        },
    )
