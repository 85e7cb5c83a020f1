"""Several measures at once, on plain arrays of folds x algorithms x measures; right when measures depend on each other.

Two algorithms: `hotelling`; all pairs: `hotelling_pairs`; all at once: `manova`; the combinations of measures that
separate the algorithms best: `learned_measures`. With `test_share` they allow for the training data that folds share;
for five replications of two folds: `five_by_two_pairs` and `five_by_two_manova`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.multivariate._anova_per_measure import (
        PerMeasureResult as PerMeasureResult,
        anova_per_measure as anova_per_measure,
    )
    from tiebreak.stats.multivariate._combine_datasets import (
        COMBINATIONS as COMBINATIONS,
        CombinedResult as CombinedResult,
        combine_datasets as combine_datasets,
    )
    from tiebreak.stats.multivariate._five_by_two import (
        FiveByTwoPairsResult as FiveByTwoPairsResult,
        five_by_two_manova as five_by_two_manova,
        five_by_two_pairs as five_by_two_pairs,
    )
    from tiebreak.stats.multivariate._hotelling import HotellingResult as HotellingResult, hotelling as hotelling
    from tiebreak.stats.multivariate._hotelling_pairs import (
        HotellingPairsResult as HotellingPairsResult,
        hotelling_pairs as hotelling_pairs,
    )
    from tiebreak.stats.multivariate._learned_measures import (
        LearnedMeasures as LearnedMeasures,
        learned_measures as learned_measures,
    )
    from tiebreak.stats.multivariate._manova import (
        MANOVA_STATISTICS as MANOVA_STATISTICS,
        ManovaResult as ManovaResult,
        ManovaTest as ManovaTest,
        manova as manova,
    )
    from tiebreak.stats.multivariate._mardia import (
        MardiaResult as MardiaResult,
        OutlierResult as OutlierResult,
        mardia as mardia,
        multivariate_outliers as multivariate_outliers,
    )
    from tiebreak.stats.multivariate._permuted import (
        PermutedGroupsResult as PermutedGroupsResult,
        PermutedPairsResult as PermutedPairsResult,
        permuted_manova as permuted_manova,
        permuted_pairs as permuted_pairs,
        rank_manova as rank_manova,
    )
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_anova_per_measure": "PerMeasureResult anova_per_measure",
            "_combine_datasets": "COMBINATIONS CombinedResult combine_datasets",
            "_five_by_two": "FiveByTwoPairsResult five_by_two_manova five_by_two_pairs",
            "_hotelling": "HotellingResult hotelling",
            "_hotelling_pairs": "HotellingPairsResult hotelling_pairs",
            "_learned_measures": "LearnedMeasures learned_measures",
            "_manova": "MANOVA_STATISTICS ManovaResult ManovaTest manova",
            "_mardia": "MardiaResult OutlierResult mardia multivariate_outliers",
            "_permuted": "PermutedGroupsResult permuted_manova rank_manova PermutedPairsResult permuted_pairs",
        },
    )
