"""Runs of HELM: `per_instance_stats.json` with `run_spec.json` beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.readers.logs.common import (
    MISSING,
    Log,
    Run,
    json_at,
    mapping_at,
    mapping_of,
    mappings_at,
    mappings_of,
    number_of,
    run_of,
    text_of,
    unreadable,
)

TOOL = "HELM"
FIRST = (
    "exact_match quasi_exact_match prefix_exact_match quasi_prefix_exact_match math_equiv_chain_of_thought"
    " math_equiv final_number_exact_match code_eval_acc f1_score ifeval_strict_accuracy chain_of_thought_correctness"
    " omni_math_accuracy wildbench_score_rescaled safety_score air_score execution_accuracy program_accuracy"
    " bleu_4 rouge_l rouge_2 NDCG@10 RR@10"
).split()
"""Which metric is taken, where nobody names one: HELM's own tables choose from these, by the scenario."""
_SHARES = re.compile(r".+_(?:accuracy|exact_match|correctness)")
"""Names of further such metrics, one for each scenario."""
_LOWER = ("bits_per_byte", "toxic_frac", "wer", "wer_score")
MAIN = "test"
"""The split that HELM's tables are on where a run has several."""
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
    match = re.search(r"\bmodel=([^,]+)", name)
    model = text_of(adapter.get("model")) or (match[1].replace("_", "/", 1) if match else "")
    if not model:
        raise unreadable(source, "neither run_spec.json beside it nor its folder names the model")
    entries = mappings_of(json_at(path))
    plain = [record for record in entries if text_of(record.get("instance_id")) and not record.get("perturbation")]
    perturbed = {text_of(record.get("instance_id")) for record in entries if record.get("perturbation")}
    text = f"{source}: perturbed versions of {len(perturbed)} instance(s) are left out."
    notes = [Caveat("rows-left-out", text)] if perturbed else []
    plain, others = _of_main_split(plain)
    if others:
        text = f"{source}: {others} instance(s) of other splits than {MAIN!r} are left out, as in HELM's tables."
        notes.append(Caveat("rows-left-out", text))
    rows: dict[tuple[str, int], dict[str, float]] = {}
    for entry in plain:
        trial = number_of(entry.get("train_trial_index"))
        key = text_of(entry["instance_id"]), int(trial) + 1 if 0 <= trial < 1e9 else 1
        rows.setdefault(key, {}).update(_stats(entry))
    if not rows:
        raise unreadable(source, "it holds no instance")
    benchmark = _MODEL.sub("", name).strip(",:") or name
    about: dict[str, Any] = {"tool": TOOL, "source": source, "model": model, "benchmark": benchmark.replace(":,", ":")}
    return [_run(rows, {**about, "notes": tuple(notes)})]


def _of_main_split(entries: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """Keep the instances of the test split where a run was evaluated on others too, and count the rest."""
    splits = {text_of(entry["instance_id"]): split for entry in entries for stat in mappings_at(entry, "stats")
              if (split := text_of(mapping_at(stat, "name").get("split")))}  # fmt: skip
    others = {name for name, split in splits.items() if split != MAIN}
    if len(others) == len(splits):
        return entries, 0
    return [entry for entry in entries if text_of(entry["instance_id"]) not in others], len(others)


def _spec(path: Path) -> dict[str, Any]:
    beside = path.parent / ("run_spec.json" + (".gz" if path.suffix == ".gz" else ""))
    return mapping_of(json_at(beside)) if beside.is_file() else {}


def _stats(entry: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield names and means of statistics.

    Their `sub_split` (toxic or not, the task of a suite) sorts instances by the hundred: it is no cluster.
    """
    for stat in mappings_at(entry, "stats"):
        name = mapping_at(stat, "name")
        if not name.get("perturbation"):
            yield text_of(name.get("name")), number_of(stat.get("mean", stat.get("sum")))


def _run(rows: dict[tuple[str, int], dict[str, float]], about: dict[str, Any]) -> Run:
    names = dict.fromkeys(name for row in rows.values() for name in row)
    first = {name: place for place, name in enumerate(FIRST)}
    scores = sorted(
        (name for name in names if not _NO_SCORES.fullmatch(name)),
        key=lambda name: first.get(name, len(first) + (_SHARES.fullmatch(name) is None)),
    )
    answers = [
        {"item": item, "epoch": trial, "scores": {name: row.get(name, MISSING) for name in scores},
         "usage": {_USAGE[name]: value for name, value in row.items() if name in _USAGE}}
        for (item, trial), row in rows.items()
    ]  # fmt: skip
    known = [name for name in scores if name in first or name in _LOWER or _SHARES.fullmatch(name)]
    return run_of(answers, **about, higher={name: name not in _LOWER for name in known})
