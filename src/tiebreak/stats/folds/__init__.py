"""Two algorithms on one data set: `_fold_tests` from the scores of its folds, `_predictions` from predictions.

All pairs on all data sets at once: `fold_pairs`; on the folds of all of them together: `folds_together`. Which test
fits a resampling: `fitting_test`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.folds._fold_pairs import FoldPairsResult as FoldPairsResult, fold_pairs as fold_pairs
    from tiebreak.stats.folds._fold_tests import (
        corrected_resampled_t as corrected_resampled_t,
        five_by_two_f as five_by_two_f,
        five_by_two_t as five_by_two_t,
        kfold_t as kfold_t,
    )
    from tiebreak.stats.folds._folds_together import FoldsTogether as FoldsTogether, folds_together as folds_together
    from tiebreak.stats.folds._predictions import (
        McNemarResult as McNemarResult,
        ProportionsResult as ProportionsResult,
        mcnemar as mcnemar,
        mcnemar_from_predictions as mcnemar_from_predictions,
        two_proportions as two_proportions,
    )
    from tiebreak.stats.folds._shared import FoldResult as FoldResult
    from tiebreak.stats.folds.fitting import fitting_test as fitting_test
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_fold_pairs": "FoldPairsResult fold_pairs",
            "_fold_tests": "corrected_resampled_t five_by_two_f five_by_two_t kfold_t",
            "_folds_together": "FoldsTogether folds_together",
            "_predictions": "McNemarResult ProportionsResult mcnemar mcnemar_from_predictions two_proportions",
            "_shared": "FoldResult",
            "fitting": "fitting_test",
        },
    )
