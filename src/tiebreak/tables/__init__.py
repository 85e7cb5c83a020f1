"""The results table and what its numbers mean."""

from tiebreak.tables.confusion import MEASURES, ConfusionMeasures, binary_measures, measures_of
from tiebreak.tables.confusion_table import with_measures
from tiebreak.tables.gaps import POLICIES, Gap, refusal
from tiebreak.tables.join import stack, with_costs
from tiebreak.tables.metrics import Metric, metric_named
from tiebreak.tables.table import Results

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
