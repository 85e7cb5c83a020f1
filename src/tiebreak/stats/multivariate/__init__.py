"""Several measures at once, on plain arrays of folds x algorithms x measures; right when measures depend on each other.

Two algorithms: `hotelling`; all pairs: `hotelling_pairs`; all at once: `manova`; the combinations of measures that
separate the algorithms best: `learned_measures`. With `test_share` they allow for the training data that folds share;
for five replications of two folds: `five_by_two_pairs` and `five_by_two_manova`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from tiebreak.stats.multivariate.five_by_two import (
        FiveByTwoPairsResult as FiveByTwoPairsResult, five_by_two_manova as five_by_two_manova,
        five_by_two_pairs as five_by_two_pairs,
    )
    from tiebreak.stats.multivariate.hotelling_tests import (
        HotellingPairsResult as HotellingPairsResult, HotellingResult as HotellingResult, hotelling as hotelling,
        hotelling_pairs as hotelling_pairs,
    )
    from tiebreak.stats.multivariate.manova_tests import (
        LearnedMeasures as LearnedMeasures, MANOVA_STATISTICS as MANOVA_STATISTICS, ManovaResult as ManovaResult,
        ManovaTest as ManovaTest, learned_measures as learned_measures, manova as manova,
    )
    from tiebreak.stats.multivariate.normality import (
        MardiaResult as MardiaResult, OutlierResult as OutlierResult, mardia as mardia,
        multivariate_outliers as multivariate_outliers,
    )
    from tiebreak.stats.multivariate.over_datasets import (
        COMBINATIONS as COMBINATIONS, CombinedResult as CombinedResult, combine_datasets as combine_datasets,
    )
    from tiebreak.stats.multivariate.per_measure import (
        PerMeasureResult as PerMeasureResult, anova_per_measure as anova_per_measure,
    )
    from tiebreak.stats.multivariate.permutations import (
        PermutedGroupsResult as PermutedGroupsResult, PermutedPairsResult as PermutedPairsResult,
        permuted_manova as permuted_manova, permuted_pairs as permuted_pairs, rank_manova as rank_manova,
    )
    # isort: on
    # fmt: on
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "five_by_two": "FiveByTwoPairsResult five_by_two_manova five_by_two_pairs",
            "hotelling_tests": "HotellingPairsResult HotellingResult hotelling hotelling_pairs",
            "manova_tests": "LearnedMeasures MANOVA_STATISTICS ManovaResult ManovaTest learned_measures manova",
            "normality": "MardiaResult OutlierResult mardia multivariate_outliers",
            "over_datasets": "COMBINATIONS CombinedResult combine_datasets",
            "per_measure": "PerMeasureResult anova_per_measure",
            "permutations": "PermutedGroupsResult PermutedPairsResult permuted_manova permuted_pairs rank_manova",
        },
    )
