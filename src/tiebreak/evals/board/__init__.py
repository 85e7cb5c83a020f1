"""A leaderboard as a folder of files: an order with reasons, tiers, prices, every pair explained, and what changed."""

from tiebreak.evals.board._asking import board
from tiebreak.evals.board._board import Board

__all__ = ["Board", "board"]
