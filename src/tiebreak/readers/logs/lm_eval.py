"""Files of lm-evaluation-harness: `samples_*.jsonl`, one line per item, and `results_*.json`, which sums them up."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.errors import quoted
from tiebreak.readers.logs.common import (
    SEED,
    Lines,
    Reader,
    Run,
    Unreadable,
    amount_of,
    flat_settings,
    json_at,
    list_of,
    mapping_at,
    number_of,
    run_of,
    sum_of,
    text_of,
    unreadable,
)

TOOL = "lm-evaluation-harness"
_STAMP = r"(?P<when>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)(?P<copy>[ _.-]?\(?\d*\)?)"
_SAMPLES = re.compile(rf"(?P<model>.*?)_?samples_(?P<task>.+?)(?:_{_STAMP})?\.jsonl(?:\.gz)?")
_RESULTS = re.compile(rf"(?P<model>.*?)_?(?:results)?_?{_STAMP}\.json(?:\.gz)?")
"""Files of several models in one folder, as an upload leaves them, carry the model before, or a number behind."""
_KEYS = frozenset(
    "doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash target_hash schema_version"
    " sample_len task_name idx repeats".split()
)
"""What a line holds beside the scores."""
_NAMED_BY = ("peft", "delta", "pretrained", "model", "path", "engine")


def reader_of(name: str, head: bytes) -> Reader | None:
    """Return the reader of samples or of results."""
    if name.endswith(".jsonl"):
        return read_samples if b'"doc_id"' in head and (b'"doc"' in head or b'"resps"' in head) else None
    means = re.search(rb'"[\w@%./-]+,[\w-]+"\s*:', head) or b'"alias"' in head
    return read_results if name.endswith(".json") and means and re.match(rb'\s*\{\s*"results"\s*:\s*\{', head) else None


def read_samples(path: Path, source: str) -> list[Run]:
    """Read the items of one task; the model is that of the results beside them, or of the folder.

    An item has a line for each filter, and a second one for the same filter is an epoch.
    """
    named = _SAMPLES.fullmatch(path.name)
    beside = _beside(path, named)
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    seen, other, lines = Counter[tuple[str, str]](), set[str](), Lines(path, short=_short)
    for line in lines:
        doc, way = str(line.get("doc_id")), text_of(line.get("filter")) or "none"
        seen[way, doc] += 1
        row = rows.setdefault((doc, seen[way, doc]), {"item": doc, "epoch": seen[way, doc], "scores": {}})
        row["digest"] = str(line.get("doc_hash") or "")[:16]
        metrics = [name for name in list_of(line.get("metrics")) if isinstance(name, str)]
        for name in metrics or line.keys() - _KEYS:
            value = line.get(name)
            if isinstance(value, (bool, int, float)):
                row["scores"][f"{name},{way}"] = number_of(value)
            elif isinstance(value, (list, dict)) or name in metrics:
                other.add(name)
    if not rows:
        raise unreadable(source, "no line of it is an item with a score")
    notes = lines.notes
    if other:
        text = f"{source}: {quoted(sorted(other))} of lm-evaluation-harness has no number per item."
        notes += (Caveat("sources-left-out", text),)
    task = named["task"] if named else path.name.partition(".")[0]
    run = run_of(rows.values(), **_about(beside, path, named["model"] if named else ""), source=source, benchmark=task,
                 when=(named and named["when"]) or "", notes=notes, task_settings=_shots(beside, task))  # fmt: skip
    return [replace(run, higher=_ways(beside, task, run.scores))]


_DOC = re.compile(rb'\{"doc_id": (\d{1,18}), "doc": ')
_TAIL = b', "filter": "'


def _short(line: bytes) -> dict[str, Any] | None:
    """Parse the end of a line alone, where the scores stand, as long as it is written as the harness writes it.

    What is asked and answered fills most of a line and is not needed. A quote inside a text has a backslash before it,
    so the mark of the end is found in no text. Found in a nested dictionary, the rest is no JSON, and the
    line is parsed as a whole.
    """
    head, place = _DOC.match(line), line.rfind(_TAIL)
    if head is None or place < 0:
        return None
    try:
        return {**json.loads(b"{" + line[place + 2 :]), "doc_id": int(head[1])}
    except ValueError:
        return None


def read_results(path: Path, source: str) -> list[Run]:
    """Read the means of every task; groups are means of tasks and are left out."""
    content = json_at(path)
    tasks = mapping_at(content, "results")
    groups = {name for name, parts in mapping_at(content, "group_subtasks").items() if parts}
    groups = groups | set(mapping_at(content, "groups")) if len(tasks) > 1 else set()
    named = _RESULTS.fullmatch(path.name)
    about = _about(content, path)
    when = named["when"] if named else text_of(content.get("date"))
    runs = []
    for task, values in tasks.items():
        scores = {
            name if "," in name else f"{name},none": number_of(value)
            for name, value in mapping_at(values).items()
            if name not in _ABOUT_TASK and "_stderr" not in name and number_of(value) == number_of(value)
        }
        if scores and task not in groups:
            count = amount_of(mapping_at(content, "n-samples", task).get("effective"))
            runs.append(sum_of(scores, n=count, **about, source=source, benchmark=str(task), when=when,
                               higher=_ways(content, task, scores), task_settings=_shots(content, task)))  # fmt: skip
    if not runs:
        raise unreadable(source, "it holds no results of a task")
    return runs


_ABOUT_TASK = ("alias", "samples", "sample_len", "name")


def _ways(content: dict[str, Any], task: str, scores: Iterable[str]) -> dict[str, bool]:
    """Return which scores are better when higher, as the results say without naming the filter."""
    ways = mapping_at(content, "higher_is_better", task)
    return {name: ways[bare] for name in scores if isinstance(ways.get(bare := name.split(",")[0]), bool)}


def _about(content: dict[str, Any], path: Path, before: str = "") -> dict[str, Any]:
    """Name the model: as the results do, by its arguments, by the file or the folder, where a slash is written __."""
    config = mapping_at(content, "config")
    given = config.get("model_args")
    pairs = dict(part.split("=", 1) for part in str(given or "").split(",") if "=" in part)
    pairs = given if isinstance(given, dict) else pairs
    names = [text_of(content.get("model_name")), *(text_of(pairs.get(name)) for name in _NAMED_BY)]
    names += [(before or path.resolve().parent.name).replace("__", "/"), text_of(config.get("model"))]
    seeds = [text_of(config.get(f"{name}_seed")) for name in ("random", "numpy", "torch", "fewshot")]
    settings = {
        **flat_settings(pairs, leave=(*_NAMED_BY, "trust_remote_code")),
        **flat_settings(config.get("gen_kwargs")),
    }
    settings |= {SEED: ",".join(seeds)} if any(seeds) else {}
    return {"tool": TOOL, "model": next(filter(None, names), ""), "settings": settings}


def _shots(content: dict[str, Any], task: str) -> dict[str, str]:
    shots = number_of(mapping_at(content, "n-shot").get(task))
    return {"shots": f"{shots:g}"} if shots == shots else {}


def _beside(path: Path, named: re.Match[str] | None) -> dict[str, Any]:
    """Return the results that were written with the samples: of the same time, or the only ones of the folder."""
    held = [(item, match) for item in sorted(path.parent.glob("*results*.json"))
            if (match := _RESULTS.fullmatch(item.name)) is not None]  # fmt: skip
    if named is None or named["when"] is None:
        held = held if len(held) == 1 else []
    else:
        for part in ("when", "model", "copy"):  # several models may have been evaluated at once
            same = [pair for pair in held if pair[1][part] == named[part]]
            held = same if part == "when" or len(held) > 1 else held
    return _content(held[0][0], held[0][0].stat().st_mtime_ns) if held else {}


@lru_cache(maxsize=4)
def _content(path: Path, _changed: int) -> dict[str, Any]:
    """Every task of a run has a file of samples beside the same results."""
    try:
        content = json_at(path)
    except Unreadable:
        return {}
    remaining = ("config", "model_name", "higher_is_better", "n-shot")
    return {name: content[name] for name in remaining if name in content}
