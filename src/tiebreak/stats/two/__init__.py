"""Two algorithms over many data sets: signed ranks, wins, or mean differences.

Each test in a file of its name, of one pair and of all pairs; `signed_rank` holds the arithmetic of signed ranks,
`evidence` the bets of tests that may be looked at any time.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.two._anytime import (
        AnytimePairs as AnytimePairs,
        AnytimeResult as AnytimeResult,
        anytime_pairs as anytime_pairs,
        anytime_test as anytime_test,
    )
    from tiebreak.stats.two._non_inferiority import (
        NonInferiorityPairs as NonInferiorityPairs,
        non_inferiority_pairs as non_inferiority_pairs,
    )
    from tiebreak.stats.two._paired_t import (
        PairedTPairs as PairedTPairs,
        PairedTResult as PairedTResult,
        paired_t as paired_t,
        paired_t_pairs as paired_t_pairs,
    )
    from tiebreak.stats.two._sign import (
        SignPairs as SignPairs,
        SignResult as SignResult,
        sign_pairs as sign_pairs,
        sign_test as sign_test,
    )
    from tiebreak.stats.two._significant_wins import significant_win_pairs as significant_win_pairs
    from tiebreak.stats.two._wilcoxon import (
        SignedRankPairs as SignedRankPairs,
        WilcoxonResult as WilcoxonResult,
        wilcoxon as wilcoxon,
        wilcoxon_pairs as wilcoxon_pairs,
    )
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
