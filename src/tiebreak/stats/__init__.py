"""Statistics on plain arrays: numbers in, result objects out; knows no tables and no files."""

from tiebreak.stats._tails import TINY
from tiebreak.stats.adjust import bonferroni, hochberg, holm, hommel, sidak
from tiebreak.stats.friedman import FriedmanResult, friedman
from tiebreak.stats.missing import SkillingsMackResult, skillings_mack, skillings_mack_pairs
from tiebreak.stats.posthoc import (
    PairwiseResult,
    bonferroni_dunn,
    bonferroni_dunn_cd,
    nemenyi,
    nemenyi_cd,
    rank_tests,
)
from tiebreak.stats.ranks import rank_rows
from tiebreak.stats.studentized_range import range_quantile, range_upper

__all__ = [
    "TINY",
    "FriedmanResult",
    "PairwiseResult",
    "SkillingsMackResult",
    "bonferroni",
    "bonferroni_dunn",
    "bonferroni_dunn_cd",
    "friedman",
    "hochberg",
    "holm",
    "hommel",
    "nemenyi",
    "nemenyi_cd",
    "range_quantile",
    "range_upper",
    "rank_rows",
    "rank_tests",
    "sidak",
    "skillings_mack",
    "skillings_mack_pairs",
]
