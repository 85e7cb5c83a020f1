"""Two algorithms over many data sets: signed ranks, wins, or mean differences.

Each test in a file of its name, of one pair and of all pairs; `signed_rank` holds the arithmetic of signed ranks,
`evidence` the bets of tests that may be looked at any time.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.two._anytime import *
    from tiebreak.stats.two._non_inferiority import *
    from tiebreak.stats.two._paired_t import *
    from tiebreak.stats.two._sign import *
    from tiebreak.stats.two._significant_wins import *
    from tiebreak.stats.two._wilcoxon import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_anytime": "AnytimePairs AnytimeResult anytime_pairs anytime_test",
            "_non_inferiority": "NonInferiorityPairs non_inferiority_pairs",
            "_paired_t": "PairedTPairs PairedTResult paired_t paired_t_pairs",
            "_sign": "SignPairs SignResult sign_pairs sign_test",
            "_significant_wins": "significant_win_pairs",
            "_wilcoxon": "SignedRankPairs WilcoxonResult wilcoxon wilcoxon_pairs",
        },
    )
