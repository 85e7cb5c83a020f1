"""What a score or a cost is: its name, which direction is better, and its unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    false_discovery_rate false_positives false_negatives rank mean_rank metric_error
    """.split()
)
_GENERAL = frozenset("score scores value result metric_value performance error err metric_error loss".split())
"""Names that do not say by which metric a score is: a column of metrics can say it."""
_OF_TARGETS = frozenset(
    """
    rmse mse mae mean_squared_error mean_absolute_error root_mean_squared_error median_absolute_error max_error
    """.split()
)
"""Metrics in the unit of what is predicted, which is another one on every data set."""
_SHARES = frozenset(
    """
    accuracy balanced_accuracy acc auc roc_auc auroc auc_roc pr_auc average_precision f1 f1_macro f1_micro f1_weighted
    f1_score f_measure fscore f_score precision precision_macro precision_micro precision_weighted recall recall_macro
    recall_micro recall_weighted sensitivity specificity tpr tnr ppv npv g_mean jaccard ndcg top_k_accuracy
    """.split()
)
"""Metrics between 0 and 1, or 0 and 100 percent, of which the best algorithm is nowhere near 0."""
_SPELLINGS = {
    **dict.fromkeys("auc roc_auc auroc auc_roc".split(), "auc"),
    **dict.fromkeys("accuracy acc".split(), "accuracy"),
    **dict.fromkeys("log_loss logloss cross_entropy".split(), "log_loss"),
    **dict.fromkeys("rmse root_mean_squared_error".split(), "rmse"),
    **dict.fromkeys("mse mean_squared_error".split(), "mse"),
    **dict.fromkeys("mae mean_absolute_error".split(), "mae"),
    **dict.fromkeys("error error_rate err misclassification_rate zero_one_loss".split(), "error"),
}
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

    @property
    def key(self) -> str:
        """The metric whatever its spelling: 'ROC AUC' and 'auc' are one."""
        plain = _plain(self.name)
        sign = "neg_" if plain.startswith("neg_") else ""
        bare = _whole(plain.removeprefix("neg_"))
        return sign + _SPELLINGS.get(bare, bare)

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1, or 0 and 100 percent, and is good near the top."""
        return _whole(_plain(self.name)) in _SHARES

    @property
    def of_targets(self) -> bool:
        """Whether it has the unit of what is predicted, which differs from data set to data set."""
        return _whole(_plain(self.name).removeprefix("neg_")) in _OF_TARGETS

    @property
    def is_general(self) -> bool:
        """Whether the name leaves open by which metric the scores are."""
        return _whole(_plain(self.name)) in _GENERAL

    def direction(self, told: bool | Mapping[str, bool] | None = None) -> bool:
        """Return whether higher is better: as told now, for all or by name, or as known, or an error."""
        if isinstance(told, Mapping):
            told = told.get(self.name)
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
    key = _plain(name)
    if key in _COSTS or is_cost:
        return Metric(name=name, higher_is_better=False, unit=_COSTS.get(key, ""), is_cost=True)
    if key.startswith("neg_") and key.removeprefix("neg_") in _LOWER:
        return Metric(name=name, higher_is_better=True)
    part = _whole(key)
    known = True if part in _HIGHER else False if part in _LOWER else None
    return Metric(name=name, higher_is_better=known)


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def _whole(key: str) -> str:
    """Return the score whose value on a part of the data this is."""
    return next((key.removeprefix(prefix) for prefix in _PARTS if key.startswith(prefix)), key)


def described(metrics: Iterable[Metric]) -> frozenset[str]:
    """Return the scores that a column of metrics speaks of: those of a general name, else those of an unknown one.

    Examples
    --------
    >>> sorted(described(map(metric_named, ["result", "accuracy", "seed", "train_time"])))
    ['result']
    >>> sorted(described(map(metric_named, ["zeal", "accuracy", "train_time"])))
    ['zeal']
    """
    scores = [metric for metric in metrics if not metric.is_cost]
    general = frozenset(metric.name for metric in scores if metric.is_general)
    return general or frozenset(metric.name for metric in scores if metric.higher_is_better is None)
