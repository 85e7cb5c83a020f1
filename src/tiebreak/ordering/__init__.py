"""Scores and costs in, an order out, every place with its reason."""

from tiebreak.ordering.multitest import multitest
from tiebreak.ordering.options import OrderPlan, cost_and_trades
from tiebreak.ordering.ordering import order
from tiebreak.ordering.result import Edge, Ordering
from tiebreak.ordering.valuation import Segment, Valuation
from tiebreak.ordering.worth import Trade

__all__ = [
    "Edge",
    "OrderPlan",
    "Ordering",
    "Segment",
    "Trade",
    "Valuation",
    "cost_and_trades",
    "multitest",
    "order",
]
