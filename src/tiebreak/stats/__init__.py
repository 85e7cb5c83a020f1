"""Statistics on plain arrays: numbers in, result objects out; knows no tables and no files.

One data set, two algorithms, from fold scores: `five_by_two_f`, `five_by_two_t`, `kfold_t`, `corrected_resampled_t`,
all pairs by `fold_pairs`, on the folds of several data sets together by `folds_together`; from predictions: `mcnemar`.
Items that models answered: all pairs by `item_pairs`, from totals by `proportion_pairs`, how many
it takes by `items_needed`. Many data sets, two algorithms: `wilcoxon`, `sign_test`, `paired_t`, good enough:
`non_inferiority_pairs`, data sets that come one by one: `anytime_test`. Many algorithms: `friedman`, `aligned_ranks`,
`quade`, `skillings_mack`, `rm_anova`, each with its pairwise tests. Corrections: `CORRECTIONS`, of e-values:
`closed_evalues`. Bayesian: `bayesian_sign` and kin. Effects, intervals, power.
"""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
