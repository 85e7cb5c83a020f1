"""Several measures at once, on plain arrays of folds x algorithms x measures; right when measures depend on each other.

Two algorithms: `hotelling`; all pairs: `hotelling_pairs`; all at once: `manova`; the combinations of measures that
separate the algorithms best: `learned_measures`.
"""

from tiebreak.stats.multivariate.all_pairs import HotellingPairsResult, hotelling_pairs
from tiebreak.stats.multivariate.combined import COMBINATIONS, CombinedResult, combine_datasets
from tiebreak.stats.multivariate.learned import LearnedMeasures, learned_measures
from tiebreak.stats.multivariate.manova_groups import MANOVA_STATISTICS, ManovaResult, ManovaTest, manova
from tiebreak.stats.multivariate.mardia_normality import (
    MardiaResult,
    OutlierResult,
    mardia,
    multivariate_outliers,
)
from tiebreak.stats.multivariate.paired_t2 import HotellingResult, hotelling
from tiebreak.stats.multivariate.per_measure import PerMeasureResult, anova_per_measure
from tiebreak.stats.multivariate.permuted import PermutedPairsResult, permuted_pairs
from tiebreak.stats.multivariate.permuted_groups import PermutedGroupsResult, permuted_manova, rank_manova

__all__ = [
    "COMBINATIONS",
    "MANOVA_STATISTICS",
    "CombinedResult",
    "HotellingPairsResult",
    "HotellingResult",
    "LearnedMeasures",
    "ManovaResult",
    "ManovaTest",
    "MardiaResult",
    "OutlierResult",
    "PerMeasureResult",
    "PermutedGroupsResult",
    "PermutedPairsResult",
    "anova_per_measure",
    "combine_datasets",
    "hotelling",
    "hotelling_pairs",
    "learned_measures",
    "manova",
    "mardia",
    "multivariate_outliers",
    "permuted_manova",
    "permuted_pairs",
    "rank_manova",
]
