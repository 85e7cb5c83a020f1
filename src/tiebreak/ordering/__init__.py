"""Scores and costs in, an order out, every place with its reason."""

from tiebreak.ordering._asked import cost_and_trades
from tiebreak.ordering._best import Best, best_of_groups
from tiebreak.ordering._costs import log_costs, mean_log_ratio
from tiebreak.ordering._dominance import dominance, few, score_metrics
from tiebreak.ordering._multitest import multitest, places_of
from tiebreak.ordering._order import order
from tiebreak.ordering._ordering import Edge, Ordering, OrderPlan
from tiebreak.ordering._procedure import decided
from tiebreak.ordering._reasons import Reason, Standing, words_for
from tiebreak.ordering.frontier import Segment, envelope, frontier
from tiebreak.ordering.scoring import ScoreScale, scale_of
from tiebreak.ordering.valuation import Valuation, value_of
from tiebreak.ordering.worth import (
    Certainty,
    Losses,
    Sample,
    Trade,
    certainty,
    losses,
    read_accd,
    read_trade,
)

__all__ = [
    "Best",
    "Certainty",
    "Edge",
    "Losses",
    "OrderPlan",
    "Ordering",
    "Reason",
    "Sample",
    "ScoreScale",
    "Segment",
    "Standing",
    "Trade",
    "Valuation",
    "best_of_groups",
    "certainty",
    "cost_and_trades",
    "decided",
    "dominance",
    "envelope",
    "few",
    "frontier",
    "log_costs",
    "losses",
    "mean_log_ratio",
    "multitest",
    "order",
    "places_of",
    "read_accd",
    "read_trade",
    "scale_of",
    "score_metrics",
    "value_of",
    "words_for",
]
