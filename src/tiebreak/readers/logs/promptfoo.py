"""Output of promptfoo: `promptfoo eval -o output.json` (or .jsonl), a row per test, prompt and provider."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from os.path import commonprefix
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.errors import quoted
from tiebreak.readers.logs.common import (
    MISSING,
    Lines,
    Reader,
    Run,
    amount_of,
    digest_of,
    json_at,
    mapping_at,
    mappings_at,
    number_of,
    run_of,
    text_of,
    unreadable,
)

TOOL = "promptfoo"
PASS, SCORE = "pass", "score"
_CLUSTERS = ("cluster", "document", "conversationId", "conversation_id", "repository", "repo")
_ERROR = 2  # of `failureReason`: the provider failed, not the answer
_UNNAMED = "file"
"""The setting of a benchmark that no description names; it is the file."""


def reader_of(name: str, head: bytes) -> Reader | None:
    """Return the reader of an evaluation."""
    keys = ('"testCase"', '"success"') if name.endswith(".jsonl") else ('"results"', '"evalId"')
    return read if name.endswith((".json", ".jsonl")) and all(key.encode() in head for key in keys) else None


def read(path: Path, source: str) -> list[Run]:
    """Read what an evaluation gave."""
    if ".jsonl" in path.name.lower():
        lines = Lines(path)
        rows, content, notes = list(lines), {}, lines.notes
    else:
        content, notes = json_at(path), ()
        rows = mappings_at(content, "results", "results")
    groups = _groups(rows)
    if not groups:
        raise unreadable(source, "it holds no results")
    benchmark, stem = text_of(mapping_at(content, "config").get("description")), path.name.partition(".")[0]
    about: dict[str, Any] = {
        "tool": TOOL, "source": source, "benchmark": benchmark or stem,
        "when": text_of(mapping_at(content, "results").get("timestamp")),
        "task_settings": {} if benchmark else {_UNNAMED: stem}, "higher": {PASS: True, SCORE: True},
    }  # fmt: skip
    return [
        run_of(_answers(group), **about, model=model, settings={"prompt": prompt},
               notes=(*notes, *_notes(group, source, f"{model} ({prompt})" if prompt else model)))
        for (model, prompt), group in groups.items()
    ]  # fmt: skip


def settle(runs: list[Run]) -> tuple[list[Run], list[Caveat]]:
    """Put files that no description names on one benchmark where they ask the same: one was written for each model.

    It is called as a file with a description that asks the same, else by what the names of the files have in common.
    """
    described: dict[frozenset[str], str] = {}
    stems: dict[frozenset[str], list[str]] = {}
    for run in runs:
        if run.tool == TOOL and _UNNAMED in run.task_settings:
            stems.setdefault(frozenset(run.digests), []).append(run.benchmark)
        elif run.tool == TOOL:
            described.setdefault(frozenset(run.digests), run.benchmark)
    out = []
    for run in runs:
        if run.tool == TOOL and _UNNAMED in run.task_settings:
            tests = frozenset(run.digests)
            common = commonprefix(stems[tests]).strip("-_. ")  # noqa: RUF071 - of letters, not of folders
            name = described.get(tests) or common or TOOL
            run = replace(run, benchmark=name, task_settings={})
        out.append(run)
    return out, []


def _groups(rows: list[dict[str, Any]]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Part rows by provider and prompt; the prompt is named only where there are several."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    numbers: dict[str, int] = {}
    for row in rows:
        if "success" in row:
            provider = row.get("provider")
            held = mapping_at(provider)
            model = text_of(held.get("label")) or text_of(held.get("id")) or text_of(provider) or "?"
            groups.setdefault((model, _prompt(row, numbers)), []).append(row)
    if len({prompt for _, prompt in groups}) > 1:
        return groups
    return {(model, ""): group for (model, _), group in groups.items()}


def _prompt(row: dict[str, Any], numbers: dict[str, int]) -> str:
    """Name a prompt: by its label where that is short, else by a number."""
    label = text_of(mapping_at(row, "prompt").get("label"))
    key = text_of(row.get("promptId")) or label
    return label if 0 < len(label) <= _LONGEST else f"prompt {numbers.setdefault(key, len(numbers) + 1)}"


_LONGEST = 40


def _is_failed(row: dict[str, Any]) -> bool:
    return number_of(row.get("failureReason")) == _ERROR or (bool(row.get("error")) and not row.get("gradingResult"))


def _is_cached(row: dict[str, Any]) -> bool:
    """Say whether an answer came from promptfoo's own cache: nothing was sent then, and no cost is known."""
    return bool(mapping_at(row, "response").get("cached"))


def _notes(rows: list[dict[str, Any]], source: str, model: str) -> Iterator[Caveat]:
    failed, cached = sum(map(_is_failed, rows)), sum(map(_is_cached, rows))
    named = list(dict.fromkeys(str(name) for row in rows for name in mapping_at(row, "namedScores")))
    if failed:
        text = f"{source}: {failed} answer(s) of {model} ended with an error and count as failed, as in promptfoo"
        text += f"; {quoted(named, limit=3)} {'has' if len(named) == 1 else 'have'} none of them." if named else "."
        yield Caveat("answers-failed", text)
    if cached:
        text = f"{source}: {cached} answer(s) of {model} came from promptfoo's cache: their price and time are not"
        yield Caveat("costs-missing", f"{text} known. Run it without the cache.")


def _answers(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Return answers. With --repeat the tool counts every repetition as another test.

    So tests with the same variables and description are one item, named by its first.
    """
    first: dict[str, str] = {}
    named = dict.fromkeys(str(name) for row in rows for name in mapping_at(row, "namedScores"))
    clusters = [_cluster(mapping_at(row, "testCase", "metadata")) for row in rows]
    parted = len(set(clusters)) > 1
    for row, cluster in zip(rows, clusters, strict=True):
        failed, scores = _is_failed(row), mapping_at(row, "namedScores")
        variables = mapping_at(row, "vars") or mapping_at(row, "testCase", "vars")
        description = text_of(mapping_at(row, "testCase").get("description"))
        digest = digest_of(sorted(map(str, variables.items())))
        place = number_of(row.get("testIdx"))
        item = description or (f"test {place:g}" if place == place else digest)
        yield {
            "item": first.setdefault(f"{description} {digest}", item), "digest": digest,
            "cluster": cluster if parted else "",
            "scores": {
                PASS: 0.0 if failed else number_of(row.get("success")),
                SCORE: 0.0 if failed else number_of(row.get("score")),
                **{name: number_of(scores.get(name)) for name in named},
            },
            "usage": {} if failed or _is_cached(row) else _used(row),
        }  # fmt: skip


def _cluster(held: dict[str, Any]) -> str:
    return next((text for name in _CLUSTERS if (text := text_of(held.get(name)))), "")


def _used(row: dict[str, Any]) -> dict[str, float]:
    usage = mapping_at(row, "response", "tokenUsage")
    sent, given = amount_of(usage.get("prompt")), amount_of(usage.get("completion"))
    if not sent + given > 0:  # zeros stand for what a provider does not tell
        sent = given = MISSING
    details = mapping_at(usage, "completionDetails")
    cached = amount_of(details.get("cacheReadInputTokens"))  # a part of the prompt, and of the input all the same
    cached = min(cached, sent) if cached >= 0 else 0.0
    return {
        "tokens_in": sent - cached, "tokens_out": given, "tokens_cached": cached if sent == sent else MISSING,
        "tokens_reasoning": amount_of(details.get("reasoning")),
        "price": amount_of(row.get("cost")) or MISSING, "seconds": amount_of(row.get("latencyMs")) / 1000,
    }  # fmt: skip
