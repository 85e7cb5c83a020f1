"""Statistics on plain arrays: numbers in, result objects out; knows no tables and no files.

One data set, two algorithms, from fold scores: `five_by_two_f`, `five_by_two_t`, `kfold_t`, `corrected_resampled_t`,
all pairs by `fold_pairs`, on the folds of several data sets together by `folds_together`; from predictions: `mcnemar`,
`two_proportions`. Items that models answered: all pairs by `item_pairs`, from totals by `proportion_pairs`, how many
it takes by `items_needed`. Many data sets, two algorithms: `wilcoxon`, `sign_test`, `paired_t`, good enough:
`non_inferiority_pairs`, data sets that come one by one: `anytime_test`. Many algorithms: `friedman`, `aligned_ranks`,
`quade`, `skillings_mack`, `rm_anova`, each with its pairwise tests. Corrections: `CORRECTIONS`, of e-values:
`closed_evalues`. Bayesian: `bayesian_sign` and kin. Effects, intervals, power.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from tiebreak.stats.adjust.all_pairs import closed_evalues as closed_evalues, shaffer as shaffer
    from tiebreak.stats.adjust.bergmann_hommel import (
        bergmann_hommel as bergmann_hommel, bergmann_hommel_rows as bergmann_hommel_rows,
    )
    from tiebreak.stats.adjust.stepwise import (
        benjamini_hochberg as benjamini_hochberg, benjamini_yekutieli as benjamini_yekutieli, bonferroni as bonferroni,
        finner as finner, hochberg as hochberg, holland as holland, holm as holm, hommel as hommel, li as li,
        rom as rom, rom_critical_values as rom_critical_values, sidak as sidak, unadjusted as unadjusted,
    )
    from tiebreak.stats.bayes.from_folds import (
        BayesianTResult as BayesianTResult, HierarchicalResult as HierarchicalResult,
        bayesian_correlated_t as bayesian_correlated_t, bayesian_correlated_t_pairs as bayesian_correlated_t_pairs,
        bayesian_hierarchical as bayesian_hierarchical, bayesian_hierarchical_pairs as bayesian_hierarchical_pairs,
    )
    from tiebreak.stats.bayes.over_datasets import (
        BayesianResult as BayesianResult, bayesian_sign as bayesian_sign, bayesian_sign_pairs as bayesian_sign_pairs,
        bayesian_signed_rank as bayesian_signed_rank, bayesian_signed_rank_pairs as bayesian_signed_rank_pairs,
    )
    from tiebreak.stats.effect.intervals import (
        DifferenceIntervals as DifferenceIntervals, difference_interval as difference_interval,
        difference_intervals as difference_intervals, simultaneous_intervals as simultaneous_intervals,
    )
    from tiebreak.stats.effect.power import (
        RankPower as RankPower, RankSampleSize as RankSampleSize, SampleSize as SampleSize,
        datasets_needed as datasets_needed, datasets_needed_by_simulation as datasets_needed_by_simulation,
        detectable_effect as detectable_effect, power_by_simulation as power_by_simulation,
        power_of_test as power_of_test,
    )
    from tiebreak.stats.effect.sizes import (
        ContrastResult as ContrastResult, EffectSizes as EffectSizes, WinTieLoss as WinTieLoss,
        contrast_estimation as contrast_estimation, effect_size as effect_size, effect_sizes as effect_sizes,
        win_tie_loss as win_tie_loss,
    )
    from tiebreak.stats.folds.fold_tests import (
        FoldPairsResult as FoldPairsResult, FoldResult as FoldResult, corrected_resampled_t as corrected_resampled_t,
        fitting_test as fitting_test, five_by_two_f as five_by_two_f, five_by_two_t as five_by_two_t,
        fold_pairs as fold_pairs, kfold_t as kfold_t,
    )
    from tiebreak.stats.folds.predictions import (
        McNemarResult as McNemarResult, ProportionsResult as ProportionsResult, mcnemar as mcnemar,
        mcnemar_from_predictions as mcnemar_from_predictions, two_proportions as two_proportions,
    )
    from tiebreak.stats.folds.together import FoldsTogether as FoldsTogether, folds_together as folds_together
    from tiebreak.stats.items.anytime import AnytimeItems as AnytimeItems, anytime_items as anytime_items
    from tiebreak.stats.items.non_inferiority import (
        ItemNonInferiority as ItemNonInferiority, item_non_inferiority as item_non_inferiority,
        total_non_inferiority as total_non_inferiority,
    )
    from tiebreak.stats.items.pairs import ItemPairs as ItemPairs, item_pairs as item_pairs
    from tiebreak.stats.items.planning import (
        ItemPlan as ItemPlan, detectable_difference as detectable_difference, items_needed as items_needed,
        power_of_items as power_of_items,
    )
    from tiebreak.stats.items.proportions import (
        ProportionPairs as ProportionPairs, paired_interval as paired_interval, proportion_pairs as proportion_pairs,
        unpaired_interval as unpaired_interval, wilson_interval as wilson_interval,
    )
    from tiebreak.stats.many.aligned_ranks import (
        AlignedRanksResult as AlignedRanksResult, aligned_pairs as aligned_pairs, aligned_ranks as aligned_ranks,
    )
    from tiebreak.stats.many.friedman import (
        FriedmanResult as FriedmanResult, friedman as friedman, friedman_exact as friedman_exact,
    )
    from tiebreak.stats.many.omnibus import OmnibusResult as OmnibusResult
    from tiebreak.stats.many.quade import QuadeResult as QuadeResult, quade as quade, quade_pairs as quade_pairs
    from tiebreak.stats.many.rank_tests import (
        bonferroni_dunn as bonferroni_dunn, bonferroni_dunn_cd as bonferroni_dunn_cd, conover_pairs as conover_pairs,
        dunn_pairs as dunn_pairs, exact_rank_tests as exact_rank_tests, nemenyi as nemenyi, nemenyi_cd as nemenyi_cd,
        rank_tests as rank_tests,
    )
    from tiebreak.stats.many.rm_anova import (
        NormalityResult as NormalityResult, RepeatedMeasuresResult as RepeatedMeasuresResult,
        anderson_darling as anderson_darling, dunnett_control as dunnett_control, rm_anova as rm_anova,
        tukey_pairs as tukey_pairs,
    )
    from tiebreak.stats.many.skillings_mack import (
        SkillingsMackResult as SkillingsMackResult, skillings_mack as skillings_mack,
        skillings_mack_pairs as skillings_mack_pairs,
    )
    from tiebreak.stats.numeric.ranks import rank_rows as rank_rows
    from tiebreak.stats.numeric.studentized_range import (
        dunnett_upper as dunnett_upper, range_quantile as range_quantile, range_upper as range_upper,
        studentized_range_upper as studentized_range_upper,
    )
    from tiebreak.stats.results import CORRECTIONS as CORRECTIONS, PairwiseResult as PairwiseResult
    from tiebreak.stats.two.anytime import (
        AnytimePairs as AnytimePairs, AnytimeResult as AnytimeResult, anytime_pairs as anytime_pairs,
        anytime_test as anytime_test,
    )
    from tiebreak.stats.two.non_inferiority import (
        NonInferiorityPairs as NonInferiorityPairs, non_inferiority_pairs as non_inferiority_pairs,
    )
    from tiebreak.stats.two.paired_t import (
        PairedTPairs as PairedTPairs, PairedTResult as PairedTResult, paired_t as paired_t,
        paired_t_pairs as paired_t_pairs,
    )
    from tiebreak.stats.two.sign import (
        SignPairs as SignPairs, SignResult as SignResult, sign_pairs as sign_pairs, sign_test as sign_test,
        significant_win_pairs as significant_win_pairs,
    )
    from tiebreak.stats.two.wilcoxon import (
        SignedRankPairs as SignedRankPairs, WilcoxonResult as WilcoxonResult, wilcoxon as wilcoxon,
        wilcoxon_pairs as wilcoxon_pairs,
    )
    # isort: on
    # fmt: on
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "adjust.all_pairs": "closed_evalues shaffer",
            "adjust.bergmann_hommel": "bergmann_hommel bergmann_hommel_rows",
            "adjust.stepwise": "benjamini_hochberg benjamini_yekutieli bonferroni finner hochberg holland holm"
            " hommel li rom rom_critical_values sidak unadjusted",
            "bayes.from_folds": "BayesianTResult HierarchicalResult bayesian_correlated_t"
            " bayesian_correlated_t_pairs bayesian_hierarchical bayesian_hierarchical_pairs",
            "bayes.over_datasets": "BayesianResult bayesian_sign bayesian_sign_pairs bayesian_signed_rank"
            " bayesian_signed_rank_pairs",
            "effect.intervals": "DifferenceIntervals difference_interval difference_intervals simultaneous_intervals",
            "effect.power": "RankPower RankSampleSize SampleSize datasets_needed datasets_needed_by_simulation"
            " detectable_effect power_by_simulation power_of_test",
            "effect.sizes": "ContrastResult EffectSizes WinTieLoss contrast_estimation effect_size effect_sizes"
            " win_tie_loss",
            "folds.fold_tests": "FoldPairsResult FoldResult corrected_resampled_t fitting_test five_by_two_f"
            " five_by_two_t fold_pairs kfold_t",
            "folds.predictions": "McNemarResult ProportionsResult mcnemar mcnemar_from_predictions two_proportions",
            "folds.together": "FoldsTogether folds_together",
            "items.anytime": "AnytimeItems anytime_items",
            "items.non_inferiority": "ItemNonInferiority item_non_inferiority total_non_inferiority",
            "items.pairs": "ItemPairs item_pairs",
            "items.planning": "ItemPlan detectable_difference items_needed power_of_items",
            "items.proportions": "ProportionPairs paired_interval proportion_pairs unpaired_interval wilson_interval",
            "many.aligned_ranks": "AlignedRanksResult aligned_pairs aligned_ranks",
            "many.friedman": "FriedmanResult friedman friedman_exact",
            "many.omnibus": "OmnibusResult",
            "many.quade": "QuadeResult quade quade_pairs",
            "many.rank_tests": "bonferroni_dunn bonferroni_dunn_cd conover_pairs dunn_pairs exact_rank_tests"
            " nemenyi nemenyi_cd rank_tests",
            "many.rm_anova": "NormalityResult RepeatedMeasuresResult anderson_darling dunnett_control rm_anova"
            " tukey_pairs",
            "many.skillings_mack": "SkillingsMackResult skillings_mack skillings_mack_pairs",
            "numeric.ranks": "rank_rows",
            "numeric.studentized_range": "dunnett_upper range_quantile range_upper studentized_range_upper",
            "results": "CORRECTIONS PairwiseResult",
            "two.anytime": "AnytimePairs AnytimeResult anytime_pairs anytime_test",
            "two.non_inferiority": "NonInferiorityPairs non_inferiority_pairs",
            "two.paired_t": "PairedTPairs PairedTResult paired_t paired_t_pairs",
            "two.sign": "SignPairs SignResult sign_pairs sign_test significant_win_pairs",
            "two.wilcoxon": "SignedRankPairs WilcoxonResult wilcoxon wilcoxon_pairs",
        },
    )
