"""Records of OpenAI's evals: a line with the specification, one per event, and one with the final report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.readers.logs.common import (
    MISSING,
    SEED,
    Lines,
    Log,
    Run,
    Total,
    amount_of,
    list_of,
    mapping_of,
    number_of,
    text_of,
    unreadable,
)

TOOL = "OpenAI evals"
MATCH = "correct"


def read(path: Path, source: str) -> list[Log]:
    """Read one record."""
    record = _Record()
    lines = Lines(path)
    for line in lines:
        record.add(line)
    spec = record.spec
    names = [text_of(each) for each in list_of(spec.get("completion_fns"))] or [text_of(spec.get("model_name"))]
    benchmark = text_of(spec.get("eval_name")) or text_of(spec.get("base_eval"))
    model = ", ".join(each for each in names if each)
    if not model or not benchmark:
        raise unreadable(source, "it names no completion function or no eval")
    cut = [Caveat("rows-left-out", f"{source}: line {lines.cut} breaks off and is left out.")] if lines.cut else []
    about: dict[str, Any] = {"tool": TOOL, "source": source, "model": model, "benchmark": benchmark,
                             "when": text_of(spec.get("created_at")), "settings": _seed(spec),
                             "notes": (*cut, *record.failed(source))}  # fmt: skip
    if record.scores:
        return [Run(**about, **record.columns(), higher={MATCH: True})]
    scores = {name: number for name, value in record.report.items() if (number := number_of(value)) == number}
    if not scores:
        raise unreadable(source, "no event of it is a match or has metrics, and there is no final report")
    return [Total(**about, scores=scores)]


def _seed(spec: dict[str, Any]) -> dict[str, str]:
    told = text_of(mapping_of(spec.get("run_config")).get("seed"))
    return {SEED: told} if told else {}


class _Record:
    """Events as they come: a match or metrics of a sample is a score of it, a second one another epoch."""

    def __init__(self) -> None:
        self.spec: dict[str, Any] = {}
        self.report: dict[str, Any] = {}
        self.scores: dict[str, dict[tuple[str, int], float]] = {}
        self._tokens: dict[str, list[float]] = {}
        self._errors: set[str] = set()
        self._samples: set[str] = set()

    def add(self, line: dict[str, Any]) -> None:
        """Take one line."""
        self.spec = mapping_of(line.get("spec")) or self.spec
        self.report = mapping_of(line.get("final_report")) or self.report
        kind, sample, data = line.get("type"), str(line.get("sample_id")), mapping_of(line.get("data"))
        if kind is None:
            return
        self._samples.add(sample)
        if kind == "match":
            self._score(MATCH, sample, number_of(data.get("correct")))
        elif kind == "metrics":
            for name, value in data.items():
                if (number := number_of(value)) == number and not isinstance(value, str):
                    self._score(str(name), sample, number)
        elif kind == "error":
            self._errors.add(sample)
        elif kind == "sampling":
            self._use(sample, mapping_of(data.get("usage")))

    def _score(self, name: str, sample: str, value: float) -> None:
        own = self.scores.setdefault(name, {})
        epoch = 1
        while (sample, epoch) in own:
            epoch += 1
        own[sample, epoch] = value

    def _use(self, sample: str, usage: dict[str, Any]) -> None:
        """Add up the tokens of every call that a sample made."""
        if not usage:
            return
        cached = amount_of(mapping_of(usage.get("prompt_tokens_details")).get("cached_tokens"))
        cached = cached if cached >= 0 else 0.0
        found = amount_of(usage.get("prompt_tokens")) - cached, amount_of(usage.get("completion_tokens")), cached
        before = self._tokens.get(sample, [0.0, 0.0, 0.0])
        self._tokens[sample] = [one + other for one, other in zip(before, found, strict=True)]

    def failed(self, source: str) -> tuple[Caveat, ...]:
        """Say how many samples have no score; the tool does not count them either."""
        scored = {sample for own in self.scores.values() for sample, _ in own}
        without = self._samples - scored
        if not without or not scored:
            return ()
        text = f"{source}: {len(without)} sample(s) without a match or metrics are left out, as the tool does."
        return (Caveat("rows-left-out", text),)

    def columns(self) -> dict[str, Any]:
        """Return what was taken as columns."""
        keys = list(dict.fromkeys(key for own in self.scores.values() for key in own))
        calls = {sample: 0 for sample, _ in keys}
        for sample, _ in keys:
            calls[sample] += 1
        names = ("tokens_in", "tokens_out", "tokens_cached")
        each = {
            sample: [value / calls[sample] for value in used]
            for sample, used in self._tokens.items()
            if sample in calls
        }
        gone = [MISSING] * 3
        return {
            "items": [sample for sample, _ in keys],
            "epochs": [epoch for _, epoch in keys],
            "scores": {name: [own.get(key, MISSING) for key in keys] for name, own in self.scores.items()},
            "usage": {name: [each.get(key[0], gone)[i] for key in keys] for i, name in enumerate(names)}
            if each
            else {},
        }
