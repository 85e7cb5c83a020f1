"""How long each algorithm will take on new data: a curve per algorithm, predictions with their range, their errors."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.times._left_out import leave_out_times as leave_out_times
    from tiebreak.advisor.times._model import TimeModel as TimeModel, fit_times as fit_times
    from tiebreak.advisor.times._predicted import PredictedTimes as PredictedTimes
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_left_out": "leave_out_times",
            "_model": "TimeModel fit_times",
            "_predicted": "PredictedTimes",
        },
    )
