"""Votes on pairs in, strengths with intervals and an order out."""

from tiebreak.evals.battles._battles import battles
from tiebreak.evals.battles._columns import ROLES as VOTE_HEADERS, SIDES as VOTE_SIDES
from tiebreak.evals.battles._result import ELO, ELO_ANCHOR, Battles

__all__ = ["ELO", "ELO_ANCHOR", "VOTE_HEADERS", "VOTE_SIDES", "Battles", "battles"]
