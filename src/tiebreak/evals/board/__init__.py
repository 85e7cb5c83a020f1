"""A leaderboard as a folder of files: an order with reasons, tiers, prices, every pair explained, and what changed."""

from tiebreak.evals.board.entries import board
from tiebreak.evals.board.result import Board

__all__ = ["Board", "board"]
