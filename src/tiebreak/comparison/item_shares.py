"""The share of items that each model got right, with an interval, where one can be given."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.results.items import ItemTable
from tiebreak.stats import ItemPairs, ProportionPairs
from tiebreak.stats.items.proportions import wilson_interval


def share_intervals(items: ItemTable | None, tests: ItemPairs | ProportionPairs) -> FloatArray | None:
    """Return the ends of Wilson's interval for each model, (models, 2); None where it would not hold.

    It holds for right and wrong answers to independent items of one benchmark, and for totals.
    """
    if not isinstance(tests, ItemPairs):
        return np.stack([tests.share_low, tests.share_high], axis=1)
    if items is None or not items.is_binary or items.clusters is not None or len(items.benchmarks) > 1:
        return None
    there = items.there
    return wilson_interval(np.nansum(items.scores, axis=0), there.sum(axis=0), level=tests.level)
