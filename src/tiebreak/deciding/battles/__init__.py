"""Votes on pairs in, strengths with intervals and an order out."""

from tiebreak.deciding.battles._battles import battles
from tiebreak.deciding.battles._result import ELO, ELO_ANCHOR, BattlePlan, Battles
from tiebreak.deciding.battles._votes import Votes, read_votes

__all__ = ["ELO", "ELO_ANCHOR", "BattlePlan", "Battles", "Votes", "battles", "read_votes"]
