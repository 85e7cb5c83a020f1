"""Votes on pairs in, strengths with intervals and an order out.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak.evals.battles.columns import ROLES as VOTE_HEADERS, SIDES as VOTE_SIDES
from tiebreak.evals.battles.result import ELO, ELO_ANCHOR, Battles
from tiebreak.evals.battles.standings import battles

__all__ = ["ELO", "ELO_ANCHOR", "VOTE_HEADERS", "VOTE_SIDES", "Battles", "battles"]
