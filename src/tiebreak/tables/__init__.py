"""The results table and what its numbers mean."""

from tiebreak.tables.directions import directions
from tiebreak.tables.join import stack, with_costs
from tiebreak.tables.metrics import Metric, metric_named
from tiebreak.tables.table import Results

__all__ = ["Metric", "Results", "directions", "metric_named", "stack", "with_costs"]
