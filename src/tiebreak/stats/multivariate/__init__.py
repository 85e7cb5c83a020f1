"""Several measures at once, on plain arrays of folds x algorithms x measures; right when measures depend on each other.

Two algorithms: `hotelling`; all pairs: `hotelling_pairs`; all at once: `manova`; the combinations of measures that
separate the algorithms best: `learned_measures`. With `test_share` they allow for the training data that folds share;
for five replications of two folds: `five_by_two_pairs` and `five_by_two_manova`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.multivariate._anova_per_measure import *
    from tiebreak.stats.multivariate._combine_datasets import *
    from tiebreak.stats.multivariate._five_by_two import *
    from tiebreak.stats.multivariate._hotelling import *
    from tiebreak.stats.multivariate._hotelling_pairs import *
    from tiebreak.stats.multivariate._learned_measures import *
    from tiebreak.stats.multivariate._manova import *
    from tiebreak.stats.multivariate._mardia import *
    from tiebreak.stats.multivariate._permuted import *
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
