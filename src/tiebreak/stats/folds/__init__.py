"""Two algorithms on the folds or predictions of one data set."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.folds._fold_pairs import FoldPairsResult as FoldPairsResult, fold_pairs as fold_pairs
    from tiebreak.stats.folds._fold_tests import (
        FoldResult as FoldResult,
        corrected_resampled_t as corrected_resampled_t,
        five_by_two_f as five_by_two_f,
        five_by_two_t as five_by_two_t,
        kfold_t as kfold_t,
    )
    from tiebreak.stats.folds._predictions import (
        McNemarResult as McNemarResult,
        ProportionsResult as ProportionsResult,
        mcnemar as mcnemar,
        mcnemar_from_predictions as mcnemar_from_predictions,
        two_proportions as two_proportions,
    )
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_fold_pairs": "FoldPairsResult fold_pairs",
            "_fold_tests": "FoldResult corrected_resampled_t five_by_two_f five_by_two_t kfold_t",
            "_predictions": "McNemarResult ProportionsResult mcnemar mcnemar_from_predictions two_proportions",
        },
    )
