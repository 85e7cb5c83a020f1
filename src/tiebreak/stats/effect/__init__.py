"""How large differences are, how sure that is, and how many data sets it takes to see them."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.effect._effect_sizes import (
        EffectSizes as EffectSizes,
        effect_size as effect_size,
        effect_sizes as effect_sizes,
    )
    from tiebreak.stats.effect._intervals import (
        DifferenceIntervals as DifferenceIntervals,
        difference_interval as difference_interval,
        difference_intervals as difference_intervals,
    )
    from tiebreak.stats.effect._power import (
        SampleSize as SampleSize,
        datasets_needed as datasets_needed,
        detectable_effect as detectable_effect,
        power_of_test as power_of_test,
    )
    from tiebreak.stats.effect._power_ranks import (
        RankPower as RankPower,
        RankSampleSize as RankSampleSize,
        datasets_needed_by_simulation as datasets_needed_by_simulation,
        power_by_simulation as power_by_simulation,
    )
    from tiebreak.stats.effect._simultaneous import simultaneous_intervals as simultaneous_intervals
    from tiebreak.stats.effect._who_is_ahead import (
        ContrastResult as ContrastResult,
        WinTieLoss as WinTieLoss,
        contrast_estimation as contrast_estimation,
        win_tie_loss as win_tie_loss,
    )
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
