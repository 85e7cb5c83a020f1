"""Ranks, tails of distributions and scaling: what the tests compute with."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.numeric.multivariate_t import (
        dunnett_upper as dunnett_upper,
        studentized_range_upper as studentized_range_upper,
    )
    from tiebreak.stats.numeric.ranks import rank_rows as rank_rows
    from tiebreak.stats.numeric.studentized_range import range_quantile as range_quantile, range_upper as range_upper
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "multivariate_t": "dunnett_upper studentized_range_upper",
            "ranks": "rank_rows",
            "studentized_range": "range_quantile range_upper",
        },
    )
