"""A leaderboard as a folder of files: an order with reasons, tiers, prices, every pair explained, and what changed."""

from tiebreak.boards._asking import board
from tiebreak.boards._board import Board, BoardEntry
from tiebreak.boards._changes import Changes, Passing
from tiebreak.boards._previous import Previous, read_previous
from tiebreak.boards._tiers import place_ranges, tiers_of

__all__ = [
    "Board",
    "BoardEntry",
    "Changes",
    "Passing",
    "Previous",
    "board",
    "place_ranges",
    "read_previous",
    "tiers_of",
]
