"""Records of OpenAI's evals: a line with the specification, one per event, and one with the final report."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.readers.logs.common import (
    SEED,
    Lines,
    Log,
    Total,
    amount_of,
    list_of,
    mapping_of,
    number_of,
    run_of,
    text_of,
    unreadable,
)

TOOL = "OpenAI evals"
MATCH = "correct"


def read(path: Path, source: str) -> list[Log]:
    """Read one record: a match or metrics of a sample is a score of it, a second one another epoch."""
    spec: dict[str, Any] = {}
    report: dict[str, Any] = {}
    rows: dict[tuple[str, int], dict[str, float]] = {}
    tokens: dict[str, Counter[str]] = {}
    seen, samples, lines = Counter[tuple[str, str]](), set[str](), Lines(path)
    for line in lines:
        spec = mapping_of(line.get("spec")) or spec
        report = mapping_of(line.get("final_report")) or report
        kind, sample, data = line.get("type"), str(line.get("sample_id")), mapping_of(line.get("data"))
        if kind is not None:
            samples.add(sample)
        for name, value in _scores(kind, data).items():
            seen[sample, name] += 1
            rows.setdefault((sample, seen[sample, name]), {})[name] = value
        if kind == "sampling" and data.get("usage"):
            tokens.setdefault(sample, Counter()).update(_used(mapping_of(data["usage"])))
    names = [text_of(item) for item in list_of(spec.get("completion_fns"))] or [text_of(spec.get("model_name"))]
    benchmark = text_of(spec.get("eval_name")) or text_of(spec.get("base_eval"))
    model = ", ".join(word for word in names if word)
    if not model or not benchmark:
        raise unreadable(source, "it names no completion function or no eval")
    calls = Counter(sample for sample, _ in rows)
    notes, lost = lines.notes(source), len(samples - set(calls))
    if lost and rows:
        text = f"{source}: {lost} sample(s) without a match or metrics are left out, as the tool does."
        notes += (Caveat("rows-left-out", text),)
    seed = text_of(mapping_of(spec.get("run_config")).get("seed"))
    about: dict[str, Any] = {"tool": TOOL, "source": source, "model": model, "benchmark": benchmark, "notes": notes,
                             "when": text_of(spec.get("created_at")),
                             "settings": {SEED: seed} if seed else {}}  # fmt: skip
    if rows:
        answers = [
            {"item": sample, "epoch": epoch, "scores": row,
             "usage": {name: used / calls[sample] for name, used in tokens.get(sample, {}).items()}}
            for (sample, epoch), row in rows.items()
        ]  # fmt: skip
        return [run_of(answers, **about, higher={MATCH: True})]
    scores = {name: number for name, value in report.items() if (number := number_of(value)) == number}
    if not scores:
        raise unreadable(source, "no event of it is a match or has metrics, and there is no final report")
    return [Total(**about, scores=scores)]


def _scores(kind: Any, data: dict[str, Any]) -> dict[str, float]:
    if kind == "match":
        return {MATCH: number_of(data.get("correct"))}
    held = data.items() if kind == "metrics" else ()
    return {
        name: number for name, value in held if not isinstance(value, str) and (number := number_of(value)) == number
    }


def _used(usage: dict[str, Any]) -> dict[str, float]:
    """Return the tokens of one call."""
    cached = amount_of(mapping_of(usage.get("prompt_tokens_details")).get("cached_tokens"))
    cached = cached if cached >= 0 else 0.0
    sent, given = amount_of(usage.get("prompt_tokens")), amount_of(usage.get("completion_tokens"))
    return {"tokens_in": sent - cached, "tokens_out": given, "tokens_cached": cached}
