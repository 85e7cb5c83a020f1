"""Tests of all pairs by several measures, chosen by how the folds were made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.stats.folds.fitting import fitting_test, known_share
from tiebreak.stats.multivariate._five_by_two import FiveByTwoPairsResult, five_by_two_pairs
from tiebreak.stats.multivariate._hotelling_pairs import HotellingPairsResult, hotelling_pairs


def fitting_pairs(
    cube: FloatArray,
    replication: IntArray,
    *,
    test_share: float | None = None,
    adjust: str = "none",
    algorithms: Sequence[str] | None = None,
) -> HotellingPairsResult | FiveByTwoPairsResult:
    """Test all pairs on (folds, algorithms, measures) by what fits the resampling; `replication` is that of each fold.

    Five replications of two folds, in that order, have the 5x2 cv test; all else Hotelling's with corrected variance,
    whose share is 1 / folds unless it is given. With one measure these are the 5x2 cv F and the corrected resampled t.
    """
    counts = np.unique(replication, return_counts=True)[1]
    most = int(counts.max(initial=1))
    five = fitting_test(max(len(counts), 1), most) == "5x2cv-f" and len(cube) == 10 and test_share is None
    if five:
        return five_by_two_pairs(cube, adjust=adjust, algorithms=algorithms)
    return hotelling_pairs(cube, test_share=known_share(most, test_share), adjust=adjust, algorithms=algorithms)
