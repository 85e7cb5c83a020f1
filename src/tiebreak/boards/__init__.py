"""A leaderboard as a folder of files: an order with reasons, tiers, prices, every pair explained, and what changed."""

from tiebreak.boards._asking import board
from tiebreak.boards._board import Board

__all__ = ["Board", "board"]
