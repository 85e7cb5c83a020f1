"""Corrections for testing many hypotheses at once.

Each takes p-values in any order and returns the adjusted ones in that order: reject where adjusted <= alpha.
"""

from tiebreak.stats.adjust.single import bonferroni, sidak
from tiebreak.stats.adjust.stepwise import hochberg, holm, hommel

__all__ = ["bonferroni", "hochberg", "holm", "hommel", "sidak"]
