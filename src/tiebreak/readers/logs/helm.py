"""Runs of HELM: `per_instance_stats.json` with `run_spec.json` beside it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.readers.logs.common import (
    MISSING,
    Reader,
    Run,
    bytes_of,
    json_at,
    json_in,
    mapping_at,
    mappings_at,
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
_MODEL = re.compile(r",?\bmodel(?:_deployment)?=([^,]+)")


def reader_of(name: str, head: bytes) -> Reader | None:
    """Return the reader of the statistics of instances."""
    held = b'"instance_id"' in head and b'"stats"' in head and re.match(rb"\s*\[\s*\{", head)
    return read if held and "stats" in name and name.endswith(".json") else None


def read(path: Path, source: str) -> list[Run]:
    """Read one run; perturbed instances are left out, training trials are epochs."""
    beside = path.parent / ("run_spec.json" + (".gz" if path.suffix == ".gz" else ""))
    spec = json_at(beside) if beside.is_file() else {}
    name = text_of(spec.get("name")) or path.resolve().parent.name
    match = _MODEL.search(name)
    model = text_of(mapping_at(spec, "adapter_spec").get("model")) or (match[1].replace("_", "/", 1) if match else "")
    if not model:
        raise unreadable(source, "neither run_spec.json beside it nor its folder names the model")
    entries = [row for row in mappings_at(json_in(bytes_of(path), path.name)) if text_of(row.get("instance_id"))]
    splits = {text_of(entry["instance_id"]): split for entry in entries for stat in mappings_at(entry, "stats")
              if (split := text_of(mapping_at(stat, "name").get("split")))}  # fmt: skip
    others = {item for item, split in splits.items() if split != MAIN} if MAIN in splits.values() else set()
    rows: dict[tuple[str, int], dict[str, float]] = {}
    perturbed = set[str]()
    for entry in entries:
        item, trial = text_of(entry["instance_id"]), number_of(entry.get("train_trial_index"))
        if entry.get("perturbation"):
            perturbed.add(item)
        elif item not in others:
            rows.setdefault((item, int(trial) + 1 if 0 <= trial < 1e9 else 1), {}).update(_stats(entry))
    if not rows:
        raise unreadable(source, "it holds no instance")
    notes = [
        Caveat("rows-left-out", f"{source}: {text}")
        for held, text in (
            (perturbed, f"perturbed versions of {len(perturbed)} instance(s) are left out."),
            (others, f"{len(others)} instance(s) of other splits than {MAIN!r} are left out, as in HELM's tables."),
        )
        if held
    ]
    benchmark = (_MODEL.sub("", name).strip(",:") or name).replace(":,", ":")
    return [_run(rows, tool=TOOL, source=source, model=model, benchmark=benchmark, notes=tuple(notes))]


def _stats(entry: dict[str, Any]) -> dict[str, float]:
    """Return the means of statistics by their names.

    Their `sub_split` (toxic or not, the task of a suite) sorts instances by the hundred: it is no cluster.
    """
    named = [(mapping_at(stat, "name"), stat) for stat in mappings_at(entry, "stats")]
    return {text_of(name.get("name")): number_of(stat.get("mean", stat.get("sum")))
            for name, stat in named if not name.get("perturbation")}  # fmt: skip


def _run(rows: dict[tuple[str, int], dict[str, float]], **about: Any) -> Run:
    """Make a run whose scores are in the order in which HELM would choose them."""
    first = {name: place for place, name in enumerate(FIRST)}
    names = dict.fromkeys(name for row in rows.values() for name in row if not _NO_SCORES.fullmatch(name))
    scores = sorted(names, key=lambda name: first.get(name, len(first) + (_SHARES.fullmatch(name) is None)))
    answers = [
        {"item": item, "epoch": trial, "scores": {name: row.get(name, MISSING) for name in scores},
         "usage": {_USAGE[name]: value for name, value in row.items() if name in _USAGE}}
        for (item, trial), row in rows.items()
    ]  # fmt: skip
    known = [name for name in scores if name in first or name in _LOWER or _SHARES.fullmatch(name)]
    return run_of(answers, **about, higher={name: name not in _LOWER for name in known})
