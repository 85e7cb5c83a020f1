"""Two algorithms over many data sets."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.two._all_pairs import (
        PairedTPairs as PairedTPairs,
        SignedRankPairs as SignedRankPairs,
        SignPairs as SignPairs,
        paired_t_pairs as paired_t_pairs,
        sign_pairs as sign_pairs,
        wilcoxon_pairs as wilcoxon_pairs,
    )
    from tiebreak.stats.two._tests import (
        PairedTResult as PairedTResult,
        SignResult as SignResult,
        WilcoxonResult as WilcoxonResult,
        paired_t as paired_t,
        sign_test as sign_test,
        wilcoxon as wilcoxon,
    )
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_all_pairs": "PairedTPairs SignPairs SignedRankPairs paired_t_pairs sign_pairs wilcoxon_pairs",
            "_tests": "PairedTResult SignResult WilcoxonResult paired_t sign_test wilcoxon",
        },
    )
