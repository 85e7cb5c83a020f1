"""Records of OpenAI's evals: a line with the specification, one per event, and one with the final report."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.readers.logs.common import (
    SEED,
    Lines,
    Reader,
    Run,
    amount_of,
    list_of,
    mapping_at,
    number_of,
    run_of,
    sum_of,
    text_of,
    unreadable,
)

TOOL = "OpenAI evals"
MATCH = "correct"


def reader_of(name: str, head: bytes) -> Reader | None:
    """Return the reader of a record."""
    return read if name.endswith(".jsonl") and re.match(rb'\s*\{\s*"spec"\s*:', head) else None


def read(path: Path, source: str) -> list[Run]:
    """Read one record: a match or metrics of a sample is a score of it, a second one another epoch."""
    spec: dict[str, Any] = {}
    report: dict[str, Any] = {}
    rows: dict[tuple[str, int], dict[str, float]] = {}
    tokens: dict[str, Counter[str]] = {}
    seen, samples, lines = Counter[tuple[str, str]](), set[str](), Lines(path)
    for line in lines:
        spec = mapping_at(line, "spec") or spec
        report = mapping_at(line, "final_report") or report
        kind, sample, data = line.get("type"), str(line.get("sample_id")), mapping_at(line, "data")
        if kind is not None:
            samples.add(sample)
        scores = {MATCH: data.get("correct")} if kind == "match" else data if kind == "metrics" else {}
        for name, value in _numbers(scores).items():
            seen[sample, name] += 1
            rows.setdefault((sample, seen[sample, name]), {})[name] = value
        if kind == "sampling" and data.get("usage"):
            tokens.setdefault(sample, Counter()).update(_used(mapping_at(data, "usage")))
    names = [text_of(item) for item in list_of(spec.get("completion_fns"))]
    model, benchmark = ", ".join(name for name in names if name), text_of(spec.get("eval_name"))
    if not model or not benchmark:
        raise unreadable(source, "it names no completion function or no eval")
    seed = text_of(mapping_at(spec, "run_config").get("seed"))
    about: dict[str, Any] = {"tool": TOOL, "source": source, "model": model, "benchmark": benchmark,
                             "when": text_of(spec.get("created_at")), "settings": {SEED: seed}}  # fmt: skip
    if not rows:
        if not _numbers(report):
            raise unreadable(source, "no event of it is a match or has metrics, and there is no final report")
        return [sum_of(_numbers(report), notes=lines.notes, **about)]
    calls = Counter(sample for sample, _ in rows)
    notes = lines.notes
    if lost := len(samples - set(calls)):
        text = f"{source}: {lost} sample(s) without a match or metrics are left out, as the tool does."
        notes += (Caveat("rows-left-out", text),)
    answers = [
        {"item": sample, "epoch": epoch, "scores": row,
         "usage": {name: used / calls[sample] for name, used in tokens.get(sample, {}).items()}}
        for (sample, epoch), row in rows.items()
    ]  # fmt: skip
    return [run_of(answers, notes=notes, higher={MATCH: True}, **about)]


def _numbers(values: dict[str, Any]) -> dict[str, float]:
    numbers = {name: number_of(value) for name, value in values.items() if not isinstance(value, str)}
    return {name: number for name, number in numbers.items() if number == number}


def _used(usage: dict[str, Any]) -> dict[str, float]:
    """Return the tokens of one call; those read from a cache are a part of the prompt."""
    cached = amount_of(mapping_at(usage, "prompt_tokens_details").get("cached_tokens"))
    cached = cached if cached >= 0 else 0.0
    sent, given = amount_of(usage.get("prompt_tokens")), amount_of(usage.get("completion_tokens"))
    return {"tokens_in": sent - cached, "tokens_out": given, "tokens_cached": cached}
