"""The results table and what its numbers mean."""

from tiebreak.results.gaps import POLICIES, Gap, refusal
from tiebreak.results.join import stack, with_costs
from tiebreak.results.metrics import Metric, metric_named
from tiebreak.results.table import Results

__all__ = ["POLICIES", "Gap", "Metric", "Results", "metric_named", "refusal", "stack", "with_costs"]
