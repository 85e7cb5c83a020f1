"""Comparison and costs in, an order out, every place with its reason."""

from tiebreak.deciding.order._best import Best, best_of_groups
from tiebreak.deciding.order._by_score import by_score
from tiebreak.deciding.order._costs import CostChoice
from tiebreak.deciding.order._dominance import dominance, few, score_metrics
from tiebreak.deciding.order._family import (
    ALL,
    FAMILIES,
    OWN,
    family_sentences,
    own_adjusted,
    shown_better,
    shown_by,
    usual_family,
)
from tiebreak.deciding.order._margins import Margin, read_margin
from tiebreak.deciding.order._multitest import multitest, places_of
from tiebreak.deciding.order._order import order
from tiebreak.deciding.order._ordering import Edge, Ordering, OrderPlan
from tiebreak.deciding.order._over_scores import moved
from tiebreak.deciding.order._procedure import decided
from tiebreak.deciding.order._reasons import Reason, Standing, words_for
from tiebreak.deciding.order._settings import decisions_at_settings
from tiebreak.deciding.order._stability import Stability
from tiebreak.deciding.order._trade import known_costs, log_costs, mean_log_ratio

__all__ = [
    "ALL",
    "FAMILIES",
    "OWN",
    "Best",
    "CostChoice",
    "Edge",
    "Margin",
    "OrderPlan",
    "Ordering",
    "Reason",
    "Stability",
    "Standing",
    "best_of_groups",
    "by_score",
    "decided",
    "decisions_at_settings",
    "dominance",
    "family_sentences",
    "few",
    "known_costs",
    "log_costs",
    "mean_log_ratio",
    "moved",
    "multitest",
    "order",
    "own_adjusted",
    "places_of",
    "read_margin",
    "score_metrics",
    "shown_better",
    "shown_by",
    "usual_family",
    "words_for",
]
