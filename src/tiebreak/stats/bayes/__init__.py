"""How probable is it that one algorithm is better? Bayesian tests.

On one data set: `_correlated_t`; over many, by wins or by sizes: `_over_datasets`; from their folds: `_hierarchical`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.bayes._correlated_t import (
        BayesianTResult as BayesianTResult,
        bayesian_correlated_t as bayesian_correlated_t,
        bayesian_correlated_t_pairs as bayesian_correlated_t_pairs,
    )
    from tiebreak.stats.bayes._hierarchical import (
        HierarchicalResult as HierarchicalResult,
        bayesian_hierarchical as bayesian_hierarchical,
        bayesian_hierarchical_pairs as bayesian_hierarchical_pairs,
    )
    from tiebreak.stats.bayes._over_datasets import (
        BayesianResult as BayesianResult,
        bayesian_sign as bayesian_sign,
        bayesian_sign_pairs as bayesian_sign_pairs,
        bayesian_signed_rank as bayesian_signed_rank,
        bayesian_signed_rank_pairs as bayesian_signed_rank_pairs,
    )
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_correlated_t": "BayesianTResult bayesian_correlated_t bayesian_correlated_t_pairs",
            "_hierarchical": "HierarchicalResult bayesian_hierarchical bayesian_hierarchical_pairs",
            "_over_datasets": "BayesianResult bayesian_sign bayesian_sign_pairs bayesian_signed_rank"
            " bayesian_signed_rank_pairs",
        },
    )
