from tiebreak.stats.multivariate.five_by_two import (
    FiveByTwoPairsResult as FiveByTwoPairsResult,
    five_by_two_manova as five_by_two_manova,
    five_by_two_pairs as five_by_two_pairs,
)
from tiebreak.stats.multivariate.hotelling_tests import (
    HotellingPairsResult as HotellingPairsResult,
    HotellingResult as HotellingResult,
    hotelling as hotelling,
    hotelling_pairs as hotelling_pairs,
)
from tiebreak.stats.multivariate.manova_tests import (
    MANOVA_STATISTICS as MANOVA_STATISTICS,
    LearnedMeasures as LearnedMeasures,
    ManovaResult as ManovaResult,
    ManovaTest as ManovaTest,
    learned_measures as learned_measures,
    manova as manova,
)
from tiebreak.stats.multivariate.normality import MardiaResult as MardiaResult, mardia as mardia
from tiebreak.stats.multivariate.over_datasets import (
    CombinedResult as CombinedResult,
    combine_datasets as combine_datasets,
)
from tiebreak.stats.multivariate.per_measure import (
    PerMeasureResult as PerMeasureResult,
    anova_per_measure as anova_per_measure,
)
from tiebreak.stats.multivariate.permutations import (
    PermutedGroupsResult as PermutedGroupsResult,
    PermutedPairsResult as PermutedPairsResult,
    permuted_manova as permuted_manova,
    permuted_pairs as permuted_pairs,
)
