"""The results table and what its numbers mean."""

from tiebreak.tables.confusion import MEASURES, ConfusionMeasures, binary_measures, measures_of
from tiebreak.tables.confusion_table import has_counts, with_measures, with_scores
from tiebreak.tables.directions import Told, directions
from tiebreak.tables.gaps import Gap
from tiebreak.tables.item_table import ItemTable, item_table, item_table_of
from tiebreak.tables.join import split_by_metric, stack, with_costs
from tiebreak.tables.metrics import Metric, metric_named
from tiebreak.tables.table import Results

__all__ = [
    "MEASURES",
    "ConfusionMeasures",
    "Gap",
    "ItemTable",
    "Metric",
    "Results",
    "Told",
    "binary_measures",
    "directions",
    "has_counts",
    "item_table",
    "item_table_of",
    "measures_of",
    "metric_named",
    "split_by_metric",
    "stack",
    "with_costs",
    "with_measures",
    "with_scores",
]
