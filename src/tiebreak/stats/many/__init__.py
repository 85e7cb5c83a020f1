"""More than two algorithms over many data sets: do they differ, and which?

Do they differ: Friedman, aligned ranks, Quade, Skillings-Mack (gaps), repeated-measures ANOVA, each in a file of its
name. Which: on ranks (`_rank_tests`) the z tests of `rank_tests`, Nemenyi, Bonferroni-Dunn, Conover, Dunn; on means
(`_mean_tests`) Tukey and Dunnett. `from_ranks` is for those who have ranks already.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.many._aligned_ranks import (
        AlignedRanksResult as AlignedRanksResult,
        aligned_pairs as aligned_pairs,
        aligned_ranks as aligned_ranks,
    )
    from tiebreak.stats.many._anderson_darling import (
        NormalityResult as NormalityResult,
        anderson_darling as anderson_darling,
    )
    from tiebreak.stats.many._exact_rank_tests import exact_rank_tests as exact_rank_tests
    from tiebreak.stats.many._friedman import FriedmanResult as FriedmanResult, friedman as friedman
    from tiebreak.stats.many._friedman_exact import friedman_exact as friedman_exact
    from tiebreak.stats.many._mean_tests import dunnett_control as dunnett_control, tukey_pairs as tukey_pairs
    from tiebreak.stats.many._omnibus import OmnibusResult as OmnibusResult
    from tiebreak.stats.many._quade import QuadeResult as QuadeResult, quade as quade, quade_pairs as quade_pairs
    from tiebreak.stats.many._rank_tests import (
        bonferroni_dunn as bonferroni_dunn,
        bonferroni_dunn_cd as bonferroni_dunn_cd,
        conover_pairs as conover_pairs,
        dunn_pairs as dunn_pairs,
        nemenyi as nemenyi,
        nemenyi_cd as nemenyi_cd,
        rank_tests as rank_tests,
    )
    from tiebreak.stats.many._rm_anova import RepeatedMeasuresResult as RepeatedMeasuresResult, rm_anova as rm_anova
    from tiebreak.stats.many._skillings_mack import (
        SkillingsMackResult as SkillingsMackResult,
        skillings_mack as skillings_mack,
        skillings_mack_pairs as skillings_mack_pairs,
    )
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
