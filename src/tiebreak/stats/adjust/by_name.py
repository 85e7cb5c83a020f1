"""Every correction by its name, from the records of `tiebreak.methods`."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.methods import of_kind

CORRECTIONS: MappingProxyType[str, Callable[[npt.ArrayLike], FloatArray]] = MappingProxyType(
    {each.name: each.function() for each in of_kind("correction")}
)
"""Every correction by its name on the command line."""

ALL_PAIRS = frozenset(each.name for each in of_kind("correction") if each.control == "never")
"""Those that use the logic of all pairs and make no sense against a control."""
