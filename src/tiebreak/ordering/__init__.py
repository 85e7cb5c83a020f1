"""Scores and costs in, an order out, every place with its reason.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak.ordering.multitest import multitest
from tiebreak.ordering.options import OrderPlan
from tiebreak.ordering.ordering import order
from tiebreak.ordering.result import Edge, Ordering
from tiebreak.ordering.valuation import Segment, Valuation

__all__ = ["Edge", "OrderPlan", "Ordering", "Segment", "Valuation", "multitest", "order"]
