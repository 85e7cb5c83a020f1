"""The names of scores and costs that are known: one table, `known_names.csv`, with a source for each.

A name is found as it stands there, or in another spelling of it: "ROC AUC", "test_accuracy", "f1_score", "acc,none" of
lm-evaluation-harness, "hit@10", "mean_accuracy", "latency_ms", "Time (s)", "accuracy (%)". Every other name is unknown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType

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
    "gluonts": "https://ts.gluon.ai/stable/api/gluonts/gluonts.evaluation.html",
}
"""Whose word a name is, by the short form that the table uses."""

PARTS = tuple(f"{part}_" for part in "test testing validation valid val train training dev holdout cv oof oob".split())
"""A score on a part of the data has the direction of the score; a cost has not: test_size is no cost."""
PART = re.compile(rf"^(?:mean_|split\d+_)?(?:{'|'.join(PARTS)})")
"""A part, also as `cv_results_` of scikit-learn writes it: mean_test_, split0_test_."""
_BEHIND = tuple(f"_{part.removesuffix('_')}" for part in PARTS)
_MEANS = ("mean_", "average_", "avg_", "median_", "total_", "overall_", "macro_", "micro_", "weighted_")
"""A mean of a score or a cost has its direction."""
_KINDS = ("_macro", "_micro", "_weighted", "_samples", "_ovr", "_ovo", "_mean", "_avg", "_median")
_TASKS = ("classif.", "regr.", "metrics.", "metrics/", "eval_", "eval/")
"""What mlr3, MLflow and trainers of neural networks put before the name."""
_MLR = re.compile(r"[_.](test|train)[_.](mean|median|aggr)$")
"""What mlr puts behind the name: acc.test.mean."""
_AT = re.compile(r"(@|\^|_at_)_?(k|\.?\d[\d.:_]*k?(tpr)?)$")
"""At which k, which overlap, which rate: ndcg@10, pass^8, mAP@[.5:.95], fpr@95tpr."""
_RANKS = ("rank", "mean_rank", "average_rank", "avg_rank")
_NO_SCORES = (*_RANKS, "regret", "error", "err", "loss")
"""What a score made of them would mean is open: a rank score, an error score."""
_AVERAGED = re.compile(r"[_.](mean|avg|average|median)\d*$")
"""What a table of means puts behind the name: time_mean, train_s_mean10."""
_TIMED = frozenset("train training fit infer inference predict prediction pred eval wall build elapsed".split())
"""What is timed where only a unit of time follows: train_s, infer_ms."""
_UNITS = {
    **dict.fromkeys("s sec secs seconds".split(), "s"),
    **dict.fromkeys("ms msec millis milliseconds".split(), "ms"),
    **dict.fromkeys("min mins minutes".split(), "min"),
    **dict.fromkeys("h hr hrs hours".split(), "h"),
    **dict.fromkeys("usd $ dollars".split(), "usd"),
    **{unit.lower(): unit for unit in "bytes kB MB GB kWh Wh J".split()},
}
"""Units that may follow the name of a cost, as in latency_ms or "Time (s)"."""
_TIMES = ("s", "ms", "min", "h")
_COUNTS = {"k": "k", "m": "M", "million": "M", "b": "B", "billion": "B", "g": "G", "t": "T"}
"""In what parameters and operations are counted: "params (M)", "FLOPs (G)"."""
_POWER = re.compile(r"1e\d{1,2}")
"""A power of ten, as in "FLOPs (1E21)"."""
_DIRECTIONS = str.maketrans("", "", "↑↓⬆⬇\ufe0f")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a name: `key` is one for all its spellings.

    The kind is share, rate (of errors), target, general, cost or empty.
    """

    name: str
    higher_is_better: bool | None
    kind: str
    unit: str
    key: str
    source: str


@cache
def known_names() -> Mapping[str, Known]:
    """Return the table.

    Examples
    --------
    >>> known_names()["wer"].higher_is_better, known_names()["wer"].source
    (False, 'hf-evaluate')
    """
    lines = Path(__file__).with_suffix(".csv").read_text(encoding="utf-8").splitlines()[1:]
    found = {}
    for name, better, kind, unit, key, source in (line.split(",") for line in lines):
        higher = better == "higher" if better else None
        found[name] = Known(name, higher, kind, unit, key or name, source)
    return MappingProxyType(found)


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """Write a name as the table does: small letters, one underscore between words, no percent sign, no arrow.

    A minus before the name turns its sign, as neg_ does; before a logarithm it may be part of the name.

    Examples
    --------
    >>> plain("ROC-AUC (%)"), plain("Time (s)"), plain("FID ↓"), plain("R²"), plain("#params"), plain("-RMSE")
    ('roc_auc', 'time_s', 'fid', 'r2', 'n_params', 'neg_rmse')
    """
    text = unicodedata.normalize("NFKC", name).strip().lower().translate(_DIRECTIONS).replace("%", " ")
    text = re.sub(r"[\u2010-\u2015\u2212]", "-", text)
    text = re.sub(r"^-\s*(?=[a-z])", lambda _: "minus_" if re.match(r"-\s*log", text) else "neg_", text)
    text = re.sub(rf"^({'|'.join(part.removesuffix('_') for part in PARTS)})[/.](?=\w)", r"\1_", text)
    text = re.sub(r"^#\s*(?=[a-z])", "n_", re.sub(r"['’`´]|\.(?=[\s_]|$)", "", text))
    return re.sub(r"[\s_\-()\[\]]+", "_", text).strip("_.")


@lru_cache(maxsize=4096)
def look_up(name: str) -> Known | None:
    """Return what is known of a name, in whatever spelling; None where nothing is.

    Examples
    --------
    >>> look_up("Hits@10").name, look_up("acc,none").key, look_up("latency_ms").unit, look_up("acc_stderr,none")
    ('hits', 'accuracy', 'ms', None)
    >>> look_up("trainTime").name, look_up("latency_score")
    ('train_time', None)
    """
    found = _found(plain(name))
    if found is None and (words := re.sub(r"(?<=[a-z][a-z\d])(?=[A-Z])", "_", name)) != name:
        found = _found(plain(words))
    if found is None and "." in (key := plain(name)):  # R writes dots between words
        found = _found(key.replace(".", "_"))
    return found


def _found(key: str) -> Known | None:
    """Find a name as it stands, then in other spellings, then by what has its direction, then with its unit."""
    for form in (*spellings(key), *_kin(key)):
        found = known_names().get(form)
        if found is not None and (form == key or _may_stand_for(found, key)):
            return found
    return _with_unit(key) or _with_unit(_AVERAGED.sub("", key))


def _may_stand_for(found: Known, key: str) -> bool:
    """Say whether a name may stand for a longer one.

    A size is a cost and a test size none; a latency score may be better when higher; rank@1 is a share of hits.
    """
    scored = key.endswith("_score")
    if found.kind != "cost":
        return not (scored and found.name in _NO_SCORES) and not (found.name in _RANKS and _AT.search(key))
    before = PART.match(key) and not PART.match(found.name)
    behind = key.endswith(_BEHIND) and not found.name.endswith(_BEHIND)
    return not (scored or before or behind)


def spellings(key: str) -> Iterator[str]:
    """Return the name, and the names that mean the very same by another convention."""
    bare = _without(_MLR.sub("", key.partition(",")[0]), _TASKS)
    bare = PART.sub("", bare)
    for form in dict.fromkeys(
        (key, bare, next((bare.removesuffix(part) for part in _BEHIND if bare.endswith(part)), bare))
    ):
        yield form
        yield form.removesuffix("_score")


def _kin(key: str) -> Iterator[str]:
    """Return the names of what has the same direction: the same at another k, or averaged in another way."""
    for form in spellings(key):
        bare = _AT.sub("", form)
        yield bare
        yield next((bare.removesuffix(kind) for kind in _KINDS if bare.endswith(kind)), bare)
        bare = re.sub(r"^p\d\d_|_p\d\d$|(?<=_mean)\d+$|(?<=_median)\d+$", "", _without(bare, _MEANS))
        yield bare
        bare = next((bare.removesuffix(kind) for kind in _KINDS if bare.endswith(kind)), bare)
        yield bare
        yield bare.removesuffix("_score")


def _with_unit(key: str) -> Known | None:
    """Find a cost whose name ends with its unit; tokens and operations by the second are no cost but a speed."""
    name, _, written = key.rpartition("_")
    unit = _UNITS.get(written) or _COUNTS.get(written) or (written if _POWER.fullmatch(written) else None)
    if not name or unit is None:
        return None
    found = next((known_names()[form] for form in (name, *_kin(name)) if form in known_names()), None)
    if found is None and name in _TIMED and unit in _TIMES:
        return Known(key, False, "cost", unit, key, "common")
    if found is None or found.kind != "cost" or not (found.name == name or _may_stand_for(found, name)):
        return None
    counted = found.unit in ("", "tokens") or found.name == "model_size"  # of a language model: parameters
    if (unit in _TIMES and counted and not found.name.endswith("cost")) or (written in _COUNTS and not counted):
        return None
    return Known(key, False, "cost", unit, key, found.source)


def _without(text: str, prefixes: tuple[str, ...]) -> str:
    return next((text.removeprefix(prefix) for prefix in prefixes if text.startswith(prefix)), text)
