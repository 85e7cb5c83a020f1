"""The results table and what its numbers mean.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak.results.metrics import Metric, directions, metric_named
from tiebreak.results.table import Results, stack, with_costs

__all__ = ["Metric", "Results", "directions", "metric_named", "stack", "with_costs"]
