"""Comparison and costs in, an order out, every place with its reason."""

from tiebreak.ordering.api import order
from tiebreak.ordering.best import Best, best_of_groups
from tiebreak.ordering.costs import CostChoice
from tiebreak.ordering.multitest import multitest
from tiebreak.ordering.ordering import Edge, Ordering, OrderPlan
from tiebreak.ordering.reasons import Reason
from tiebreak.ordering.stability import Stability

__all__ = [
    "Best",
    "CostChoice",
    "Edge",
    "OrderPlan",
    "Ordering",
    "Reason",
    "Stability",
    "best_of_groups",
    "multitest",
    "order",
]
