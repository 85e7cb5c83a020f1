"""What past results say about new data: meta-attributes, neighbours, rankings, advice, and whether to follow it."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.advising import Advisor as Advisor
    from tiebreak.advisor.attributes import (
        ATTRIBUTES as ATTRIBUTES,
        DEFAULT_MEASURES as DEFAULT_MEASURES,
        GROUPS as GROUPS,
        META_VERSION as META_VERSION,
        PAPER_MEASURES as PAPER_MEASURES,
        Attribute as Attribute,
        MetaAttributes as MetaAttributes,
        characterise as characterise,
    )
    from tiebreak.advisor.choosing_measures import choose_measures as choose_measures
    from tiebreak.advisor.evaluation import (
        AccdCurve as AccdCurve,
        AttributeAgainstRank as AttributeAgainstRank,
        Ceiling as Ceiling,
        CharacteristicsByBest as CharacteristicsByBest,
        Evaluation as Evaluation,
        RankerComparison as RankerComparison,
        Reduction as Reduction,
        TopN as TopN,
        attribute_against_rank as attribute_against_rank,
        ceiling as ceiling,
        characteristics_by_best as characteristics_by_best,
        compare_rankers as compare_rankers,
        evaluate as evaluate,
        ideal_rankings as ideal_rankings,
        leave_one_out as leave_one_out,
        neighbour_weights as neighbour_weights,
        over_accd as over_accd,
        rank_penalty as rank_penalty,
        reduce_ranking as reduce_ranking,
        spearman as spearman,
        top_n as top_n,
        weighted_rank_correlation as weighted_rank_correlation,
    )
    from tiebreak.advisor.knowledge import Knowledge as Knowledge
    from tiebreak.advisor.merging import merge_knowledge as merge_knowledge
    from tiebreak.advisor.metatable import MetaTable as MetaTable
    from tiebreak.advisor.neighbours import (
        Neighbours as Neighbours,
        nearest as nearest,
        select_measures as select_measures,
    )
    from tiebreak.advisor.rankings import (
        RANKING_METHODS as RANKING_METHODS,
        NormalisedTimes as NormalisedTimes,
        Ranking as Ranking,
        accd_from as accd_from,
        accd_sentence as accd_sentence,
        floor_times as floor_times,
        normalise_times as normalise_times,
        power_from as power_from,
        rank_by as rank_by,
        rank_by_a3r as rank_by_a3r,
        rank_by_arr as rank_by_arr,
        rank_by_mean_rank as rank_by_mean_rank,
        rank_by_multitest as rank_by_multitest,
        rank_by_srr as rank_by_srr,
        rank_by_wins as rank_by_wins,
    )
    from tiebreak.advisor.recommendation import Recommendation as Recommendation
    from tiebreak.advisor.shipped import (
        knowledge_from_text as knowledge_from_text,
        knowledge_text as knowledge_text,
        shipped_knowledge as shipped_knowledge,
    )
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "advising": "Advisor",
            "attributes": ""
            "ATTRIBUTES Attribute DEFAULT_MEASURES GROUPS META_VERSION MetaAttributes PAPER_MEASURES characterise",
            "choosing_measures": "choose_measures",
            "evaluation": ""
            "AccdCurve AttributeAgainstRank Ceiling CharacteristicsByBest Evaluation RankerComparison Reduction "
            "TopN attribute_against_rank ceiling characteristics_by_best compare_rankers evaluate ideal_rankings "
            "leave_one_out neighbour_weights over_accd rank_penalty reduce_ranking spearman top_n "
            "weighted_rank_correlation",
            "knowledge": "Knowledge",
            "merging": "merge_knowledge",
            "metatable": "MetaTable",
            "neighbours": "Neighbours nearest select_measures",
            "rankings": "NormalisedTimes RANKING_METHODS Ranking accd_from accd_sentence floor_times normalise_times "
            "power_from rank_by rank_by_a3r rank_by_arr rank_by_mean_rank rank_by_multitest rank_by_srr "
            "rank_by_wins",
            "recommendation": "Recommendation",
            "shipped": "knowledge_from_text knowledge_text shipped_knowledge",
        },
    )
