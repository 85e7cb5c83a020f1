"""What a score or a cost is: its name, which direction is better, and its unit."""

from __future__ import annotations

from dataclasses import dataclass

from tiebreak.errors import OptionError

_HIGHER = frozenset(
    """
    accuracy balanced_accuracy acc auc roc_auc auroc auc_roc pr_auc average_precision f1 f1_macro f1_micro
    f1_weighted f1_score f_measure fscore f_score precision precision_macro precision_micro precision_weighted recall
    recall_macro recall_micro recall_weighted sensitivity specificity tpr tnr ppv npv true_positive_rate
    true_negative_rate positive_predictive_value negative_predictive_value true_positives true_negatives mcc
    matthews_corrcoef matthews_correlation kappa cohen_kappa g_mean jaccard r2 explained_variance ndcg top_k_accuracy
    success_rate tp tn
    """.split()
)
_LOWER = frozenset(
    """
    error error_rate err misclassification_rate balanced_error rmse mse mae mape mean_squared_error
    mean_absolute_error root_mean_squared_error median_absolute_error max_error log_loss logloss cross_entropy
    brier brier_score loss hinge_loss zero_one_loss fpr fnr fp fn fdr false_positive_rate false_negative_rate
    false_discovery_rate false_positives false_negatives rank mean_rank
    """.split()
)
_UNITS = {
    "s": "train_time training_time fit_time test_time predict_time score_time inference_time time runtime duration"
    " cpu_time wall_time train_wall predict_wall cell_cpu cell_wall",
    "bytes": "memory model_size size peak_memory model_bytes",
    "J": "energy",
    "": "space model_parameters model_nodes support_vectors cost price",
}
_COSTS = {name: unit for unit, names in _UNITS.items() for name in names.split()}
_PARTS = ("test_", "validation_", "val_", "train_")
"""A score on a part of the data has the direction of the score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One column of numbers: a score or a cost.

    Parameters
    ----------
    name : str
        As the table spells it.
    higher_is_better : bool or None
        None where nobody has said; such a score cannot be compared.
    unit : str
        Empty where there is none.
    is_cost : bool
        Costs are always better when lower.

    Examples
    --------
    >>> metric_named("accuracy").higher_is_better, metric_named("train_time").unit
    (True, 's')
    >>> metric_named("neg_log_loss").higher_is_better  # scikit-learn's sign convention
    True
    >>> metric_named("test_error").higher_is_better  # on the test part
    False
    >>> metric_named("zeal").higher_is_better is None
    True
    """

    name: str
    higher_is_better: bool | None = None
    unit: str = ""
    is_cost: bool = False

    def direction(self, told: bool | None = None) -> bool:
        """Return whether higher is better: as told now, or as known, or an error."""
        if told is not None and self.higher_is_better is not None and told != self.higher_is_better:
            known = "higher" if self.higher_is_better else "lower"
            raise OptionError(
                f"{self.name!r} was said to be better when {'higher' if told else 'lower'}.",
                why=f"It is known as a measure where {known} is better.",
                mend=f"Drop the option, or rename the column if it is not {self.name!r}.",
            )
        answer = self.higher_is_better if told is None else told
        if answer is None:
            raise OptionError(
                f"Nothing says whether a higher {self.name!r} is better.",
                why="The best algorithm would come out as the worst if it were guessed wrongly.",
                mend="Say higher_is_better=True or False (--higher-is-better, --lower-is-better on the command"
                " line), or name the score by a known word (--score accuracy).",
            )
        return answer


def metric_named(name: str, *, is_cost: bool = False) -> Metric:
    """Look up what is known about a name; see `Metric` for examples."""
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    if key in _COSTS or is_cost:
        return Metric(name=name, higher_is_better=False, unit=_COSTS.get(key, ""), is_cost=True)
    if key.startswith("neg_") and key.removeprefix("neg_") in _LOWER:
        return Metric(name=name, higher_is_better=True)
    part = next((key.removeprefix(prefix) for prefix in _PARTS if key.startswith(prefix)), key)
    known = True if part in _HIGHER else False if part in _LOWER else None
    return Metric(name=name, higher_is_better=known)
