"""Two algorithms on one data set: `_fold_tests` from the scores of its folds, `_predictions` from predictions.

All pairs on all data sets at once: `fold_pairs`; on the folds of all of them together: `folds_together`. Which test
fits a resampling: `fitting_test`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.folds._fold_pairs import *
    from tiebreak.stats.folds._fold_tests import *
    from tiebreak.stats.folds._folds_together import *
    from tiebreak.stats.folds._predictions import *
    from tiebreak.stats.folds._shared import *
    from tiebreak.stats.folds.fitting import *
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
