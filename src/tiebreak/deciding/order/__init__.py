"""Comparison and costs in, an order out, every place with its reason."""

from tiebreak.deciding.order._best import Best, best_of_groups
from tiebreak.deciding.order._costs import CostChoice
from tiebreak.deciding.order._dominance import dominance, few, score_metrics
from tiebreak.deciding.order._multitest import multitest
from tiebreak.deciding.order._order import order
from tiebreak.deciding.order._ordering import Edge, Ordering, OrderPlan
from tiebreak.deciding.order._reasons import Reason
from tiebreak.deciding.order._settings import decisions_at_settings
from tiebreak.deciding.order._stability import Stability

__all__ = [
    "Best",
    "CostChoice",
    "Edge",
    "OrderPlan",
    "Ordering",
    "Reason",
    "Stability",
    "best_of_groups",
    "decisions_at_settings",
    "dominance",
    "few",
    "multitest",
    "order",
    "score_metrics",
]
