"""A leaderboard as a folder of files: an order with reasons, tiers, prices, every pair explained, and what changed.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak.evals.board.entries import board
from tiebreak.evals.board.result import Board

__all__ = ["Board", "board"]
