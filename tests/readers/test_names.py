"""The names of scores and costs: scikit-learn's own list against its own signs, and the names of others."""

from __future__ import annotations

import inspect

import pytest

import tiebreak as tb
from tiebreak.results import metric_named
from tiebreak.results.metrics import known_names, look_up, plain

from ..every import every

sklearn_metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
SOURCES = {
    "common": "in general use, with one meaning",
    "tiebreak": "the lab of this package",
    "scikit-learn": "https://scikit-learn.org/stable/modules/model_evaluation.html",
    "amlb": "https://openml.github.io/automlbenchmark/",
    "tabarena": "https://github.com/autogluon/tabarena",
    "autogluon": "https://auto.gluon.ai/stable/api/autogluon.tabular.TabularPredictor.leaderboard.html",
    "pycaret": "https://pycaret.readthedocs.io/en/latest/api/classification.html",
    "openml": "https://www.openml.org/search?type=measure",
    "weka": "https://waikato.github.io/weka-wiki/experimenter/",
    "mlr3": "https://mlr3measures.mlr-org.com/reference/",
    "caret": "https://topepo.github.io/caret/measuring-performance.html",
    "yardstick": "https://yardstick.tidymodels.org/reference/",
    "lm-eval": "https://github.com/EleutherAI/lm-evaluation-harness",
    "helm": "https://crfm.stanford.edu/helm/",
    "human-eval": "https://github.com/openai/human-eval",
    "swe-bench": "https://www.swebench.com/",
    "alpaca-eval": "https://github.com/tatsu-lab/alpaca_eval",
    "arena": "https://lmarena.ai/",
    "sacrebleu": "https://github.com/mjpost/sacrebleu",
    "hf-evaluate": "https://huggingface.co/evaluate-metric",
    "torchmetrics": "https://lightning.ai/docs/torchmetrics/stable/",
    "coco": "https://cocodataset.org/#detection-eval",
    "beir": "https://github.com/beir-cellar/beir",
    "codecarbon": "https://mlco2.github.io/codecarbon/output.html",
    "h2o": "https://docs.h2o.ai/h2o/latest-stable/h2o-docs/automl.html",
    "xgboost": "https://xgboost.readthedocs.io/en/stable/parameter.html",
    "lightgbm": "https://lightgbm.readthedocs.io/en/stable/Parameters.html",
    "keras": "https://keras.io/api/metrics/",
    "timm": "https://github.com/huggingface/pytorch-image-models/tree/main/results",
    "transformers": "https://huggingface.co/docs/transformers/main_classes/trainer",
    "spark": "https://spark.apache.org/docs/latest/mllib-evaluation-metrics.html",
    "ragas": "https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/",
    "deepeval": "https://deepeval.com/docs/metrics-introduction",
    "sktime": "https://www.sktime.net/en/stable/api_reference/performance_metrics.html",
    "gluonts": "https://ts.gluon.ai/stable/api/gluonts/gluonts.evaluation.html",
}
"""Whose word a name is, by the short form that the table uses."""


@every("name", sklearn_metrics.get_scorer_names())
def test_every_scorer_of_scikit_learn_is_known_with_its_sign(name: str) -> None:
    """A scorer is always better when higher; its sign says whether the metric beneath it is."""
    scorer = sklearn_metrics.get_scorer(name)
    metric = metric_named(name)
    assert metric.higher_is_better is True
    assert not metric.is_cost
    bare = name.removeprefix("neg_")
    assert (bare != name) == (scorer._sign < 0)
    assert metric_named(bare).higher_is_better is (scorer._sign > 0)
    assert metric_named(f"test_{name}").higher_is_better is True  # as cross_validate writes it


@every("name", sklearn_metrics.get_scorer_names())
def test_the_function_behind_a_scorer_has_the_direction_that_its_sign_tells(name: str) -> None:
    scorer = sklearn_metrics.get_scorer(name)
    assert metric_named(scorer._score_func.__name__).higher_is_better is (scorer._sign > 0)


def test_no_function_of_scikit_learn_named_a_loss_or_error_is_taken_for_a_score() -> None:
    names = [
        name for name, value in inspect.getmembers(sklearn_metrics, callable) if name.endswith(("_loss", "_error"))
    ]
    assert len(names) > 10
    assert [name for name in names if metric_named(name).higher_is_better is not False] == []


HIGHER = """
    acc_norm exact_match pass@1 pass@k pass^8 pass_rate win_rate resolved bleu bleu-4 rouge rouge1 rougeL ROUGE-2
    macro_f1 F1-macro chrf chrF++ mrr MRR@10 map
    mAP@50 hit@10 Hits@1 recall@20 ndcg@10 nDCG_at_5 iou mIoU dice psnr ssim
    length_controlled_winrate elo acc,none exact_match,strict-match acc_norm,none top1_acc Top-5_accuracy
    predictive_accuracy area_under_roc_curve Percent_correct classif.acc classif.auc regr.rsq
    f1_score accuracy_score roc_auc_score mean_accuracy eval_accuracy eval/accuracy metrics.accuracy neg_logloss
    test_neg_log_loss throughput tokens_per_second c_index mean_test_accuracy split0_test_neg_log_loss f1_val auc_test
    val/acc test.accuracy testAccuracy f1Score areaUnderROC rocAuc mAP@0.5 mAP@[.5:.95] R^2 R² -RMSE \N{MINUS SIGN}MSE
    F1\N{EN DASH}score tokens/s log_likelihood neg_mean_squared_error_mean
""".split()
HIGHER += ["Cohen's kappa", "Bal. Acc.", "Adj. R²", "accuracy (test)", "Throughput (img/s)"]
LOWER = """
    wer cer perplexity word_perplexity bits_per_byte metric_error nll fid FID@10k ter lpips ece crps smape mase
    eval_loss val_loss classif.ce classif.logloss regr.rmse Percent_incorrect balanced_error test_error mean_rank
    error_test loss_val fid_score wer_score neg_log_likelihood fpr@95tpr top1_err multi_logloss training_loss
""".split()
COSTS = {
    "total_cost": "",
    "price": "",
    "latency": "s",
    "latency_ms": "ms",
    "p95_latency_ms": "ms",
    "mean_latency": "s",
    "Time (s)": "s",
    "TT (Sec)": "s",
    "tokens": "tokens",
    "total_tokens": "tokens",
    "time_train_s": "s",
    "time_infer_s": "s",
    "duration": "s",
    "training_duration": "s",
    "mean_fit_time": "s",
    "params": "",
    "num_params": "",
    "flops": "",
    "emissions": "kg CO2eq",
    "kwh": "kWh",
    "energy_kWh": "kWh",
    "cost_usd": "usd",
    "Cost ($)": "usd",
    "peak_memory_mb": "MB",
    "usercpu_time_millis_training": "ms",
    "train_time": "s",
    "trainTime": "s",
    "train_time_mean": "s",
    "runtime (min)": "min",
    "#params": "",
    "params (M)": "M",
    "FLOPs (G)": "G",
    "GPU mem (GB)": "GB",
}
UNKNOWN = [
    "zeal",
    "acc_stderr",
    "acc_stderr,none",
    "std_accuracy",
    "n_features",
    "year",
    "test_size",
    "size_test",
    "mean_test_size",
    "rank_test_accuracy",
    "rank@1",  # a share of hits in some fields: taken for a rank, the best would come out as the worst
    "rank_score",
    "latency_score",
    "cost_score",
    "error_score",
    "tokens_s",  # tokens a second, perhaps
    "flops_s",
    "-log loss",  # a log loss turned around, or the loss -log p
    "-accuracy",
    "1 - accuracy",
    "gap",
    "gain",
    "attack success rate",
    "accuracy drop",
    "#inst",
    "seed",
    "@",
    "%",
    "",
]


@pytest.mark.parametrize(("names", "higher"), [(HIGHER, True), (LOWER, False)])
def test_names_of_harnesses_and_leaderboards(names: list[str], higher: bool) -> None:
    assert [name for name in names if metric_named(name).higher_is_better is not higher] == []
    assert [name for name in names if metric_named(name).is_cost] == []


@every(("name", "unit"), COSTS.items())
def test_costs_are_known_with_their_unit(name: str, unit: str) -> None:
    metric = metric_named(name)
    assert (metric.is_cost, metric.higher_is_better, metric.unit) == (True, False, unit)


@every("name", UNKNOWN)
def test_every_other_name_is_unknown(name: str) -> None:
    metric = metric_named(name)
    assert metric.higher_is_better is None
    assert not metric.is_cost


def test_an_unknown_name_still_refuses() -> None:
    table = tb.Results.from_dict({"iris": {"a": 1.0, "b": 2.0}, "wine": {"a": 2.0, "b": 1.0}}, scores="zeal")
    with pytest.raises(tb.OptionError, match="Nothing says whether a higher 'zeal' is better"):
        tb.compare(table)


def test_an_arrow_tells_the_direction_and_never_turns_a_known_one() -> None:
    assert metric_named("zeal ↑").higher_is_better is True
    assert metric_named("zeal ⬇️").higher_is_better is False
    assert metric_named("FID ↓").higher_is_better is False
    assert metric_named("accuracy ↓").higher_is_better is None  # one of the two is wrong: refused, not guessed


def test_spellings_of_one_metric_have_one_key() -> None:
    assert {metric_named(name).key for name in ("AUC", "roc_auc", "test_auroc", "roc_auc_score")} == {"auc"}
    assert metric_named("neg_log_loss").key == "neg_log_loss"
    assert metric_named("f1_macro").key == metric_named("macro_f1").key != metric_named("f1").key
    assert metric_named("zeal").key == "zeal"


def test_the_table_is_sound() -> None:
    table = known_names()
    assert {known.source for known in table.values()} == set(SOURCES)
    assert {known.kind for known in table.values()} == {"", "share", "rate", "target", "general", "cost"}
    for name, known in table.items():
        assert plain(name) == name, f"{name} would never be found"
        assert look_up(name) is known
        other = table.get(known.key)
        assert other is None or other.higher_is_better is known.higher_is_better, name
        assert known.higher_is_better is False or known.kind != "cost"
        assert known.higher_is_better is not None or known.kind == "general"
