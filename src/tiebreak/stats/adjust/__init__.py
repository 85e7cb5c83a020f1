"""Corrections for testing many hypotheses at once.

Each takes p-values in any order and returns the adjusted ones in that order: reject where adjusted <= alpha.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.adjust._against_control import (
        finner as finner,
        holland as holland,
        li as li,
        rom as rom,
        rom_critical_values as rom_critical_values,
    )
    from tiebreak.stats.adjust._bergmann_hommel import (
        bergmann_hommel as bergmann_hommel,
        bergmann_hommel_rows as bergmann_hommel_rows,
    )
    from tiebreak.stats.adjust._by_name import ALL_PAIRS as ALL_PAIRS, CORRECTIONS as CORRECTIONS
    from tiebreak.stats.adjust._false_discovery import (
        benjamini_hochberg as benjamini_hochberg,
        benjamini_yekutieli as benjamini_yekutieli,
    )
    from tiebreak.stats.adjust._shaffer import shaffer as shaffer
    from tiebreak.stats.adjust._single_step import bonferroni as bonferroni, sidak as sidak, unadjusted as unadjusted
    from tiebreak.stats.adjust._stepwise import hochberg as hochberg, holm as holm, hommel as hommel
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_against_control": "finner holland li rom rom_critical_values",
            "_bergmann_hommel": "bergmann_hommel bergmann_hommel_rows",
            "_by_name": "ALL_PAIRS CORRECTIONS",
            "_false_discovery": "benjamini_hochberg benjamini_yekutieli",
            "_shaffer": "shaffer",
            "_single_step": "bonferroni sidak unadjusted",
            "_stepwise": "hochberg holm hommel",
        },
    )
