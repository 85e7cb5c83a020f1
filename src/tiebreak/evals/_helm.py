"""Runs of HELM: `per_instance_stats.json` (or `display_predictions.json`) with `run_spec.json` beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.evals._logs import MISSING, Log, Run
from tiebreak.evals._opening import json_at, unreadable
from tiebreak.evals._values import list_of, mapping_of, number_of, text_of

TOOL = "HELM"
FIRST = (
    "exact_match quasi_exact_match prefix_exact_match quasi_prefix_exact_match math_equiv_chain_of_thought"
    " math_equiv final_number_exact_match code_eval_acc f1_score ifeval_strict_accuracy chain_of_thought_correctness"
    " bleu_4 rouge_l rouge_2 NDCG@10 RR@10"
).split()
"""Which metric is taken, where nobody names one: HELM's own tables choose from these, by the scenario."""
_USAGE = {"num_prompt_tokens": "tokens_in", "num_completion_tokens": "tokens_out", "num_output_tokens": "tokens_out",
          "inference_runtime": "seconds"}  # fmt: skip
_NO_SCORES = re.compile(
    r"num_.*|.*(?:runtime|cost|co2|bytes|logprob|perplexity)|batch_size|finish_reason_.*|prompt_truncated|max_prob"
    r"|predicted_index|training_.*|inference_.*|logprob.*"
)
"""What stands among the statistics and is no score."""
_MODEL = re.compile(r",?\bmodel(?:_deployment)?=[^,]+")


def read(path: Path, source: str) -> list[Log]:
    """Read one run; perturbed instances are left out, training trials are epochs."""
    spec = _spec(path)
    adapter = mapping_of(spec.get("adapter_spec"))
    name = text_of(spec.get("name")) or path.resolve().parent.name
    told = re.search(r"\bmodel=([^,]+)", name)
    model = text_of(adapter.get("model")) or (told[1].replace("_", "/", 1) if told else "")
    if not model:
        raise unreadable(source, "neither run_spec.json beside it nor its folder names the model")
    rows: dict[tuple[str, int], dict[str, float]] = {}
    perturbed: set[str] = set()
    for entry in map(mapping_of, list_of(json_at(path))):
        item = text_of(entry.get("instance_id"))
        if entry.get("perturbation"):
            perturbed.add(item)
        elif item:
            trial = number_of(entry.get("train_trial_index"))
            own = rows.setdefault((item, int(trial) + 1 if 0 <= trial < 1e9 else 1), {})
            own.update(_stats(entry.get("stats")))
    if not rows:
        raise unreadable(source, "it holds no instance")
    benchmark = _MODEL.sub("", name).strip(",:") or name
    text = f"{source}: perturbed versions of {len(perturbed)} instance(s) are left out."
    return [
        Run(tool=TOOL, source=source, model=model, benchmark=benchmark.replace(":,", ":"), **_columns(rows),
            notes=(Caveat("answers-left-out", text),) if perturbed else ()),
    ]  # fmt: skip


def _spec(path: Path) -> dict[str, Any]:
    beside = path.parent / ("run_spec.json" + (".gz" if path.suffix == ".gz" else ""))
    return mapping_of(json_at(beside)) if beside.is_file() else {}


def _stats(stats: Any) -> Iterator[tuple[str, float]]:
    """Yield names and means of statistics; those of predictions are a plain dictionary.

    Their `sub_split` (toxic or not, the task of a suite) sorts instances by the hundred: it is no cluster.
    """
    if isinstance(stats, dict):
        yield from ((str(name), number_of(value)) for name, value in stats.items())
    for stat in map(mapping_of, list_of(stats)):
        name = mapping_of(stat.get("name"))
        value = stat.get("mean", stat.get("sum"))
        if not name.get("perturbation"):
            yield text_of(name.get("name")), number_of(value)


def _columns(rows: dict[tuple[str, int], dict[str, float]]) -> dict[str, Any]:
    names = list(dict.fromkeys(name for own in rows.values() for name in own))
    first = {name: place for place, name in enumerate(FIRST)}
    scores = sorted(
        (name for name in names if not _NO_SCORES.fullmatch(name)), key=lambda name: first.get(name, len(first))
    )
    usage = {_USAGE[name]: [own.get(name, MISSING) for own in rows.values()] for name in names if name in _USAGE}
    return {
        "items": [item for item, _ in rows],
        "epochs": [trial for _, trial in rows],
        "scores": {name: [own.get(name, MISSING) for own in rows.values()] for name in scores},
        "usage": usage,
        "higher": {name: True for name in scores if name in first},
    }
