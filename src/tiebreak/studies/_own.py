"""Settings that only some procedures are made for: what a file that brings some has to say."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tiebreak._checks import BoolArray
from tiebreak.studies._procedures import Key

Setting = str | tuple[str, str]
"""The name of a setting in which nothing differs; or its name and its truth: "null", "partial" or "different"."""


def none_or_all(setting: Setting, hypotheses: int) -> BoolArray:
    """Mark the hypotheses that are false: all of them where the truth is "different", else none."""
    return np.full(hypotheses, name_and_truth(setting)[1] == "different")


def name_and_truth(setting: Setting) -> tuple[str, str]:
    """Return what a setting is called and what is true in it.

    Examples
    --------
    >>> name_and_truth("few data sets"), name_and_truth(("many", "different"))
    (('few data sets', 'null'), ('many', 'different'))
    """
    return (setting, "null") if isinstance(setting, str) else setting


class Own(NamedTuple):
    """Settings, what is rejected in one of them (repetitions, hypotheses), and which hypotheses are false there."""

    settings: tuple[Setting, ...]
    rejections: Callable[..., dict[Key, BoolArray]]
    real: Callable[[Setting, int], BoolArray] = none_or_all
