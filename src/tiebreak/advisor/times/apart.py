"""Times of data sets that are left out together, as advice is judged: predicted from all the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor.times._left_out import times_left_out

if TYPE_CHECKING:
    from tiebreak.advisor._knowledge import Knowledge


def predicted_apart(known: Knowledge, apart: Sequence[str]) -> FloatArray:
    """Return the seconds (data sets, algorithms) that are predicted from the data sets with another label.

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> known = shipped_knowledge()
    >>> found = predicted_apart(known, ["odd" if i % 2 else "even" for i in range(len(known.datasets))])
    >>> found.shape == (len(known.datasets), len(known.algorithms))
    True
    """
    return times_left_out(known, np.unique(np.array(apart), return_inverse=True)[1])["predicted"]
