"""Scores and costs in, an order out, every place with its reason."""

from tiebreak.deciding.order._asked import cost_and_trades
from tiebreak.deciding.order._costs import log_costs
from tiebreak.deciding.order._dominance import dominance, few, score_metrics
from tiebreak.deciding.order._multitest import multitest, places_of
from tiebreak.deciding.order._order import order
from tiebreak.deciding.order._ordering import Ordering
from tiebreak.deciding.order._procedure import decided
from tiebreak.deciding.order._reasons import Reason, Standing, words_for
from tiebreak.deciding.order.frontier import Segment
from tiebreak.deciding.order.scoring import ScoreScale
from tiebreak.deciding.order.valuation import Valuation, value_of
from tiebreak.deciding.order.worth import Sample, Trade, certainty, read_accd, read_trade

__all__ = [
    "Ordering",
    "Reason",
    "Sample",
    "ScoreScale",
    "Segment",
    "Standing",
    "Trade",
    "Valuation",
    "certainty",
    "cost_and_trades",
    "decided",
    "dominance",
    "few",
    "log_costs",
    "multitest",
    "order",
    "places_of",
    "read_accd",
    "read_trade",
    "score_metrics",
    "value_of",
    "words_for",
]
