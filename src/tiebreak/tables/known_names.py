"""The names of scores and costs that are known: one table, `known_names.csv`, with a source for each.

A name is found as it stands there, or in another spelling of it: "ROC AUC", "test_accuracy", "f1_score", "acc,none" of
lm-evaluation-harness, "hit@10", "mean_accuracy", "latency_ms", "Time (s)", "accuracy (%)". Every other name is unknown.
"""

from __future__ import annotations

import re
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
}
"""Whose word a name is, by the short form that the table uses."""

PARTS = ("test_", "validation_", "valid_", "val_", "train_", "dev_", "holdout_")
"""A score on a part of the data has the direction of the score; a cost has not: test_size is no cost."""
_MEANS = ("mean_", "average_", "avg_", "median_", "total_", "overall_", "macro_", "micro_", "weighted_")
"""A mean of a score or a cost has its direction."""
_KINDS = ("_macro", "_micro", "_weighted", "_samples", "_ovr", "_ovo", "_mean", "_avg")
_TASKS = ("classif.", "regr.", "metrics.", "metrics/", "eval_", "eval/")
"""What mlr3, MLflow and trainers of neural networks put before the name."""
_UNITS = {
    **dict.fromkeys("s sec secs seconds".split(), "s"),
    **dict.fromkeys("ms msec millis milliseconds".split(), "ms"),
    **dict.fromkeys("h hr hrs hours".split(), "h"),
    **dict.fromkeys("usd $ dollars".split(), "usd"),
    **{unit.lower(): unit for unit in "bytes kB MB GB kWh Wh J".split()},
}
"""Units that may follow the name of a cost, as in latency_ms or "Time (s)"."""
_DIRECTIONS = str.maketrans("", "", "↑↓⬆⬇\ufe0f")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a name: kind is share, target, general or cost, or empty; `key` is one for all its spellings."""

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


def plain(name: str) -> str:
    """Write a name as the table does: small letters, one underscore between words, no percent sign, no arrow.

    Examples
    --------
    >>> plain("ROC-AUC (%)"), plain("Time (s)"), plain("FID ↓")
    ('roc_auc', 'time_s', 'fid')
    """
    text = name.strip().lower().translate(_DIRECTIONS).replace("%", " ")
    return re.sub(r"[\s_\-()\[\]]+", "_", text).strip("_.")


@lru_cache(maxsize=4096)
def look_up(name: str) -> Known | None:
    """Return what is known of a name, in whatever spelling; None where nothing is.

    Examples
    --------
    >>> look_up("Hits@10").name, look_up("acc,none").key, look_up("latency_ms").unit, look_up("acc_stderr,none")
    ('hits', 'accuracy', 'ms', None)
    """
    key = plain(name)
    for form in (*spellings(key), *_kin(key)):
        found = known_names().get(form)
        if found is not None and (found.kind != "cost" or form == key or not key.startswith(PARTS)):
            return found
    return _with_unit(key)


def spellings(key: str) -> Iterator[str]:
    """Return the name, and the names that mean the very same by another convention."""
    bare = _without(_without(key.partition(",")[0], _TASKS), PARTS)
    for form in dict.fromkeys((key, bare)):
        yield form
        yield form.removesuffix("_score")


def _kin(key: str) -> Iterator[str]:
    """Return the names of what has the same direction: the same at another k, or averaged in another way."""
    for form in spellings(key):
        bare = re.sub(r"(@|\^|_at_)(\d+k?|k)$", "", form)
        yield bare
        bare = re.sub(r"^p\d\d_|_p\d\d$", "", _without(bare, _MEANS))
        yield bare
        yield next((bare.removesuffix(kind) for kind in _KINDS if bare.endswith(kind)), bare)


def _with_unit(key: str) -> Known | None:
    """Find a cost whose name ends with its unit."""
    name, _, written = key.rpartition("_")
    if not name or written not in _UNITS:
        return None
    found = next((known_names()[form] for form in (name, *_kin(name)) if form in known_names()), None)
    if found is None or found.kind != "cost" or (found.name != name and name.startswith(PARTS)):
        return None
    return Known(key, False, "cost", _UNITS[written], key, found.source)


def _without(text: str, prefixes: tuple[str, ...]) -> str:
    return next((text.removeprefix(prefix) for prefix in prefixes if text.startswith(prefix)), text)
