"""Corrections for testing many hypotheses at once.

Each takes p-values in any order and returns the adjusted ones in that order: reject where adjusted <= alpha.
"""

from collections.abc import Callable
from types import MappingProxyType

import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.stats.adjust.bergmann_hommel import bergmann_hommel, bergmann_hommel_rows
from tiebreak.stats.adjust.control import finner, holland, li, rom, rom_critical_values
from tiebreak.stats.adjust.discovery import benjamini_hochberg, benjamini_yekutieli
from tiebreak.stats.adjust.shaffer import shaffer
from tiebreak.stats.adjust.single import bonferroni, sidak, unadjusted
from tiebreak.stats.adjust.stepwise import hochberg, holm, hommel

CORRECTIONS: MappingProxyType[str, Callable[[npt.ArrayLike], FloatArray]] = MappingProxyType(
    {
        "none": unadjusted,
        "bonferroni": bonferroni,
        "sidak": sidak,
        "holm": holm,
        "hochberg": hochberg,
        "hommel": hommel,
        "holland": holland,
        "rom": rom,
        "finner": finner,
        "li": li,
        "benjamini-hochberg": benjamini_hochberg,
        "benjamini-yekutieli": benjamini_yekutieli,
        "shaffer": shaffer,
        "bergmann-hommel": bergmann_hommel,
    }
)
"""Every correction by its name on the command line."""

ALL_PAIRS = frozenset({"shaffer", "bergmann-hommel"})
"""Those that use the logic of all pairs and make no sense against a control."""

__all__ = [
    "ALL_PAIRS",
    "CORRECTIONS",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "bergmann_hommel",
    "bergmann_hommel_rows",
    "bonferroni",
    "finner",
    "hochberg",
    "holland",
    "holm",
    "hommel",
    "li",
    "rom",
    "rom_critical_values",
    "shaffer",
    "sidak",
    "unadjusted",
]
