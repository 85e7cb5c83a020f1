"""What is known of algorithms beyond their times: how fast some kinds of learners grow with the rows.

Easy and small data hide it: a kernel machine with few support vectors looks all but linear. So the power of rows that
such a kind has in general is what its curve is drawn to, and the least with which it goes on beyond the measured rows.
The kind is told by the name; an algorithm that no pattern knows grows with the rows, at least, as all rows are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import FloatArray

ANY_POWER, LEAST_POWER = 1.0, 1.0
"""The power of rows that curves are drawn to, and the least beyond what was measured, of all other algorithms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A kind of learners: the pattern of its names, the usual power of rows, and the least beyond what was measured."""

    pattern: str
    usual: float
    least: float


FAMILIES = (
    Family(pattern=r"linear.?sv|l-?svm|liblinear|sgd", usual=1.2, least=1.0),
    Family(pattern=r"gauss\w*[ _-]?process|\bgpc?\b", usual=2.5, least=2.5),
    Family(pattern=r"svm|svc|\bsmo\b|(?<![a-z])sv[rl2](?![a-z0-9])|kernel[ _-]?(ridge|machine)", usual=2.0, least=2.0),
    Family(pattern=r"(\d-?|k-?)nn(?![a-z])|ibk|neighbou?r", usual=1.5, least=1.0),
)
"""The first that matches counts; of kernel machines see Chang and Lin (2011), section 4."""


def row_powers(algorithms: tuple[str, ...]) -> tuple[FloatArray, FloatArray]:
    """Return for every algorithm the usual power of rows, and the least beyond what was measured.

    Examples
    --------
    >>> usual, least = row_powers(("rf", "svr", "linearsvc", "5nn"))
    >>> usual.tolist(), least.tolist()
    ([1.0, 2.0, 1.2, 1.5], [1.0, 2.0, 1.0, 1.0])
    """
    found = [_family(name.casefold()) for name in algorithms]
    return np.array([each.usual for each in found]), np.array([each.least for each in found])


def _family(name: str) -> Family:
    other = Family(pattern="", usual=ANY_POWER, least=LEAST_POWER)
    return next((each for each in FAMILIES if re.search(each.pattern, name)), other)
