"""How large differences are, how sure that is, and how many data sets it takes to see them."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.effect._effect_sizes import *
    from tiebreak.stats.effect._intervals import *
    from tiebreak.stats.effect._power import *
    from tiebreak.stats.effect._power_ranks import *
    from tiebreak.stats.effect._simultaneous import *
    from tiebreak.stats.effect._who_is_ahead import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_effect_sizes": "EffectSizes effect_size effect_sizes",
            "_intervals": "DifferenceIntervals difference_interval difference_intervals",
            "_power": "SampleSize datasets_needed detectable_effect power_of_test",
            "_power_ranks": "RankPower RankSampleSize datasets_needed_by_simulation power_by_simulation",
            "_simultaneous": "simultaneous_intervals",
            "_who_is_ahead": "ContrastResult WinTieLoss contrast_estimation win_tie_loss",
        },
    )
