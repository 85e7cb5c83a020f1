"""More than two algorithms over many data sets: do they differ, and which?

Do they differ: Friedman, aligned ranks, Quade, Skillings-Mack (gaps), repeated-measures ANOVA, each in a file of its
name. Which: on ranks (`_rank_tests`) the z tests of `rank_tests`, Nemenyi, Bonferroni-Dunn, Conover, Dunn; on means
(`_mean_tests`) Tukey and Dunnett. `from_ranks` is for those who have ranks already.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.many._aligned_ranks import *
    from tiebreak.stats.many._anderson_darling import *
    from tiebreak.stats.many._exact_rank_tests import *
    from tiebreak.stats.many._friedman import *
    from tiebreak.stats.many._friedman_exact import *
    from tiebreak.stats.many._mean_tests import *
    from tiebreak.stats.many._omnibus import *
    from tiebreak.stats.many._quade import *
    from tiebreak.stats.many._rank_tests import *
    from tiebreak.stats.many._rm_anova import *
    from tiebreak.stats.many._skillings_mack import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_mean_tests": "dunnett_control tukey_pairs",
            "_rank_tests": "bonferroni_dunn bonferroni_dunn_cd conover_pairs dunn_pairs nemenyi nemenyi_cd rank_tests",
            "_aligned_ranks": "AlignedRanksResult aligned_pairs aligned_ranks",
            "_anderson_darling": "NormalityResult anderson_darling",
            "_exact_rank_tests": "exact_rank_tests",
            "_friedman": "FriedmanResult friedman",
            "_friedman_exact": "friedman_exact",
            "_omnibus": "OmnibusResult",
            "_quade": "QuadeResult quade quade_pairs",
            "_rm_anova": "RepeatedMeasuresResult rm_anova",
            "_skillings_mack": "SkillingsMackResult skillings_mack skillings_mack_pairs",
        },
    )
