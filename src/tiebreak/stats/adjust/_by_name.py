"""Every correction by its name."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.stats.adjust._against_control import finner, holland, li, rom
from tiebreak.stats.adjust._bergmann_hommel import bergmann_hommel
from tiebreak.stats.adjust._false_discovery import benjamini_hochberg, benjamini_yekutieli
from tiebreak.stats.adjust._shaffer import shaffer
from tiebreak.stats.adjust._single_step import bonferroni, sidak, unadjusted
from tiebreak.stats.adjust._stepwise import hochberg, holm, hommel

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
