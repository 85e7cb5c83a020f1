from tiebreak.stats.adjust.bergmann_hommel import (
    bergmann_hommel as bergmann_hommel,
    bergmann_hommel_rows as bergmann_hommel_rows,
    closed_evalues as closed_evalues,
    shaffer as shaffer,
)
from tiebreak.stats.adjust.stepwise import (
    benjamini_hochberg as benjamini_hochberg,
    benjamini_yekutieli as benjamini_yekutieli,
    bonferroni as bonferroni,
    finner as finner,
    hochberg as hochberg,
    holland as holland,
    holm as holm,
    hommel as hommel,
    li as li,
    rom as rom,
    rom_critical_values as rom_critical_values,
    sidak as sidak,
    unadjusted as unadjusted,
)
from tiebreak.stats.bayes.from_folds import (
    BayesianTResult as BayesianTResult,
    HierarchicalResult as HierarchicalResult,
    bayesian_correlated_t as bayesian_correlated_t,
    bayesian_correlated_t_pairs as bayesian_correlated_t_pairs,
    bayesian_hierarchical as bayesian_hierarchical,
    bayesian_hierarchical_pairs as bayesian_hierarchical_pairs,
)
from tiebreak.stats.bayes.over_datasets import (
    BayesianResult as BayesianResult,
    bayesian_sign as bayesian_sign,
    bayesian_sign_pairs as bayesian_sign_pairs,
    bayesian_signed_rank as bayesian_signed_rank,
    bayesian_signed_rank_pairs as bayesian_signed_rank_pairs,
)
from tiebreak.stats.effect.intervals import (
    DifferenceIntervals as DifferenceIntervals,
    difference_interval as difference_interval,
    difference_intervals as difference_intervals,
    simultaneous_intervals as simultaneous_intervals,
)
from tiebreak.stats.effect.power import (
    SampleSize as SampleSize,
    datasets_needed as datasets_needed,
    detectable_effect as detectable_effect,
    power_of_test as power_of_test,
)
from tiebreak.stats.effect.sizes import (
    EffectSizes as EffectSizes,
    WinTieLoss as WinTieLoss,
    effect_size as effect_size,
    effect_sizes as effect_sizes,
    win_tie_loss as win_tie_loss,
)
from tiebreak.stats.folds.fold_tests import (
    FoldPairsResult as FoldPairsResult,
    FoldResult as FoldResult,
    corrected_resampled_t as corrected_resampled_t,
    fitting_test as fitting_test,
    five_by_two_f as five_by_two_f,
    five_by_two_t as five_by_two_t,
    fold_pairs as fold_pairs,
    kfold_t as kfold_t,
)
from tiebreak.stats.folds.predictions import (
    McNemarResult as McNemarResult,
    mcnemar as mcnemar,
    mcnemar_from_predictions as mcnemar_from_predictions,
)
from tiebreak.stats.folds.together import FoldsTogether as FoldsTogether, folds_together as folds_together
from tiebreak.stats.items.anytime import AnytimeItems as AnytimeItems, anytime_items as anytime_items
from tiebreak.stats.items.non_inferiority import (
    ItemNonInferiority as ItemNonInferiority,
    item_non_inferiority as item_non_inferiority,
    total_non_inferiority as total_non_inferiority,
)
from tiebreak.stats.items.pairs import ItemPairs as ItemPairs, item_pairs as item_pairs
from tiebreak.stats.items.planning import (
    ItemPlan as ItemPlan,
    detectable_difference as detectable_difference,
    items_needed as items_needed,
    power_of_items as power_of_items,
)
from tiebreak.stats.items.proportions import (
    ProportionPairs as ProportionPairs,
    paired_interval as paired_interval,
    proportion_pairs as proportion_pairs,
    unpaired_interval as unpaired_interval,
    wilson_interval as wilson_interval,
)
from tiebreak.stats.many.aligned_ranks import (
    AlignedRanksResult as AlignedRanksResult,
    aligned_pairs as aligned_pairs,
    aligned_ranks as aligned_ranks,
)
from tiebreak.stats.many.friedman import (
    FriedmanResult as FriedmanResult,
    friedman as friedman,
    friedman_exact as friedman_exact,
)
from tiebreak.stats.many.quade import QuadeResult as QuadeResult, quade as quade, quade_pairs as quade_pairs
from tiebreak.stats.many.rank_tests import (
    bonferroni_dunn as bonferroni_dunn,
    bonferroni_dunn_cd as bonferroni_dunn_cd,
    conover_pairs as conover_pairs,
    dunn_pairs as dunn_pairs,
    exact_rank_tests as exact_rank_tests,
    nemenyi as nemenyi,
    nemenyi_cd as nemenyi_cd,
    rank_tests as rank_tests,
)
from tiebreak.stats.many.rm_anova import (
    NormalityResult as NormalityResult,
    RepeatedMeasuresResult as RepeatedMeasuresResult,
    anderson_darling as anderson_darling,
    dunnett_control as dunnett_control,
    rm_anova as rm_anova,
    tukey_pairs as tukey_pairs,
)
from tiebreak.stats.many.skillings_mack import (
    SkillingsMackResult as SkillingsMackResult,
    skillings_mack as skillings_mack,
    skillings_mack_pairs as skillings_mack_pairs,
)
from tiebreak.stats.numeric.basics import rank_rows as rank_rows
from tiebreak.stats.numeric.studentized_range import (
    dunnett_upper as dunnett_upper,
    range_quantile as range_quantile,
    range_upper as range_upper,
    studentized_range_upper as studentized_range_upper,
)
from tiebreak.stats.results import (
    CORRECTIONS as CORRECTIONS,
    OmnibusResult as OmnibusResult,
    PairwiseResult as PairwiseResult,
)
from tiebreak.stats.two.anytime import (
    AnytimePairs as AnytimePairs,
    AnytimeResult as AnytimeResult,
    anytime_pairs as anytime_pairs,
    anytime_test as anytime_test,
)
from tiebreak.stats.two.non_inferiority import (
    NonInferiorityPairs as NonInferiorityPairs,
    non_inferiority_pairs as non_inferiority_pairs,
)
from tiebreak.stats.two.paired_t import (
    PairedTPairs as PairedTPairs,
    PairedTResult as PairedTResult,
    paired_t as paired_t,
    paired_t_pairs as paired_t_pairs,
)
from tiebreak.stats.two.sign import (
    SignPairs as SignPairs,
    SignResult as SignResult,
    sign_pairs as sign_pairs,
    sign_test as sign_test,
    significant_win_pairs as significant_win_pairs,
)
from tiebreak.stats.two.wilcoxon import (
    SignedRankPairs as SignedRankPairs,
    WilcoxonResult as WilcoxonResult,
    wilcoxon as wilcoxon,
    wilcoxon_pairs as wilcoxon_pairs,
)
