"""Ranks, tails of distributions and scaling: what the tests compute with."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.numeric.multivariate_t import *
    from tiebreak.stats.numeric.ranks import *
    from tiebreak.stats.numeric.studentized_range import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "multivariate_t": "dunnett_upper studentized_range_upper",
            "ranks": "rank_rows",
            "studentized_range": "range_quantile range_upper",
        },
    )
