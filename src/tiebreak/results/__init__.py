"""The results table and what its numbers mean."""

from tiebreak.results.confusion import MEASURES, ConfusionMeasures, binary_measures, measures_of
from tiebreak.results.confusion_table import with_measures
from tiebreak.results.gaps import POLICIES, Gap, refusal
from tiebreak.results.join import stack, with_costs
from tiebreak.results.metrics import Metric, metric_named
from tiebreak.results.table import Results

__all__ = [
    "MEASURES",
    "POLICIES",
    "ConfusionMeasures",
    "Gap",
    "Metric",
    "Results",
    "binary_measures",
    "measures_of",
    "metric_named",
    "refusal",
    "stack",
    "with_costs",
    "with_measures",
]
