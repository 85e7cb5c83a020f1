"""Corrections for testing many hypotheses at once.

Each takes p-values in any order and returns the adjusted ones in that order: reject where adjusted <= alpha. Those
that price each by its place are in `stepwise`, the others in files of their names; all are in `CORRECTIONS`.
`closed_evalues` takes e-values instead.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.adjust._bergmann_hommel import (
        bergmann_hommel as bergmann_hommel,
        bergmann_hommel_rows as bergmann_hommel_rows,
    )
    from tiebreak.stats.adjust._closed_evalues import closed_evalues as closed_evalues
    from tiebreak.stats.adjust._hommel_rom import (
        hommel as hommel,
        rom as rom,
        rom_critical_values as rom_critical_values,
    )
    from tiebreak.stats.adjust.all_pairs import shaffer as shaffer
    from tiebreak.stats.adjust.by_name import CORRECTIONS as CORRECTIONS
    from tiebreak.stats.adjust.stepwise import (
        benjamini_hochberg as benjamini_hochberg,
        benjamini_yekutieli as benjamini_yekutieli,
        bonferroni as bonferroni,
        finner as finner,
        hochberg as hochberg,
        holland as holland,
        holm as holm,
        li as li,
        sidak as sidak,
        unadjusted as unadjusted,
    )
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_bergmann_hommel": "bergmann_hommel bergmann_hommel_rows",
            "by_name": "CORRECTIONS",
            "_closed_evalues": "closed_evalues",
            "_hommel_rom": "hommel rom rom_critical_values",
            "all_pairs": "shaffer",
            "stepwise": "benjamini_hochberg benjamini_yekutieli bonferroni finner hochberg holland holm li sidak"
            " unadjusted",
        },
    )
