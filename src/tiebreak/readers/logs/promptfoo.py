"""Output of promptfoo: `promptfoo eval -o output.json` (or .jsonl), a row per test, prompt and provider."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.errors import quoted
from tiebreak.readers.logs.common import (
    MISSING,
    Lines,
    Log,
    Run,
    amount_of,
    bytes_of,
    digest_of,
    json_at,
    list_of,
    mapping_at,
    mapping_of,
    number_of,
    run_of,
    text_of,
    unreadable,
)

TOOL = "promptfoo"
PASS, SCORE = "pass", "score"
_CLUSTERS = ("cluster", "document", "conversationId", "conversation_id", "repository", "repo")
_STATUS = ("PASS", "FAIL", "ERROR")
_ERROR = 2  # of `failureReason`: the provider failed, not the answer


def read(path: Path, source: str) -> list[Log]:
    """Read what an evaluation gave."""
    when, config = "", {}
    notes: tuple[Caveat, ...] = ()
    if ".csv" in path.name.lower():
        rows: list[Any] = _csv_rows(path, source)
    elif ".jsonl" in path.name.lower():
        lines = Lines(path)
        rows, notes = list(lines), lines.notes(source)
    else:
        content = mapping_of(json_at(path))
        results = mapping_at(content, "results")
        rows, config = list_of(results.get("results")), mapping_at(content, "config")
        when = text_of(results.get("timestamp"))
    benchmark = text_of(config.get("description"))
    groups = _groups([row for row in rows if isinstance(row, dict)])
    if not groups:
        raise unreadable(source, "it holds no results")
    return [
        run_of(_answers(group), tool=TOOL, source=source, model=model, benchmark=benchmark or _stem(source), when=when,
            task_settings={} if benchmark else {_UNTOLD: _stem(source)},
            settings={"prompt": prompt} if prompt else {}, notes=(*notes, *_said(group, source, model, prompt)),
            higher={PASS: True, SCORE: True})
        for (model, prompt), group in groups.items()
    ]  # fmt: skip


_UNTOLD = "file"


def _stem(source: str) -> str:
    return source.rpartition("/")[2].partition(".")[0]


def settle(runs: list[Run]) -> list[Run]:
    """Put files that ask the same on one benchmark, where no description names it: one was written for each model.

    Files are the same where half of the tests of either are tests of the other; they are called by what their names
    have in common.
    """
    options: dict[str, set[str]] = {}
    for item in runs:
        if item.tool == TOOL and _UNTOLD in item.task_settings:
            options.setdefault(item.benchmark, set()).update(item.digests)
    groups: list[list[str]] = []
    for name, names in options.items():
        same = next((group for group in groups if _alike(options[group[0]], names)), None)
        groups.append([name]) if same is None else same.append(name)
    called = {name: _common(group) for group in groups for name in group}
    return [
        replace(entry, benchmark=called.get(entry.benchmark, entry.benchmark), task_settings={})
        if entry.tool == TOOL and _UNTOLD in entry.task_settings
        else entry
        for entry in runs
    ]


def _alike(one: set[str], other: set[str]) -> bool:
    return 2 * len(one & other) >= max(len(one), len(other))


def _common(names: list[str]) -> str:
    """Name a benchmark by how its files begin."""
    if len(names) == 1:
        return names[0]
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in alike).strip("-_. ") or TOOL


def _csv_rows(path: Path, source: str) -> list[dict[str, Any]]:
    """Read the table that `-o output.csv` writes: an answer, Status and Score for every provider and prompt."""
    try:
        lines = list(csv.reader(io.StringIO(bytes_of(path).decode("utf-8-sig"))))
    except (UnicodeDecodeError, csv.Error) as error:
        raise unreadable(source, f"it is no sound csv ({error})") from None
    header = lines[0]
    places = [i for i in range(len(header) - 2) if header[i + 1 : i + 3] == ["Status", "Score"]]
    names = [re.match(r"\[(?P<model>[^\]]+)\] ?(?P<prompt>.*)", header[i], re.S) for i in places]
    variables = [i for i in range(min(places, default=0)) if header[i] != "Description"]
    index = header.index("Description") if "Description" in header[: min(places, default=0)] else None
    rows = []
    for number, line in enumerate(lines[1:]):
        test = {"vars": {header[i]: line[i] for i in variables}, "description": "" if index is None else line[index]}
        for i, name in zip(places, names, strict=True):
            if name is not None and i + 2 < len(line) and line[i + 1] in _STATUS:
                reason = _ERROR if line[i + 1] == "ERROR" else 0
                rows.append({"provider": name["model"], "prompt": {"label": name["prompt"]}, "testCase": test,
                             "testIdx": number, "success": line[i + 1] == "PASS", "score": line[i + 2],
                             "failureReason": reason})  # fmt: skip
    return rows


def _groups(rows: list[dict[str, Any]]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Part rows by provider and prompt; the prompt is named only where there are several."""
    result: dict[tuple[str, str], list[dict[str, Any]]] = {}
    numbers: dict[str, int] = {}
    for row in rows:
        if "success" in row or "score" in row:
            result.setdefault((_provider(row), _prompt(row, numbers)), []).append(row)
    prompts = {prompt for _, prompt in result}
    return result if len(prompts) > 1 else {(model, ""): current for (model, _), current in result.items()}


def _provider(row: dict[str, Any]) -> str:
    provider = row.get("provider")
    if isinstance(provider, dict):
        return text_of(provider.get("label")) or text_of(provider.get("id")) or "?"
    return text_of(provider) or "?"


def _prompt(row: dict[str, Any], numbers: dict[str, int]) -> str:
    """Name a prompt: by its label where that is short, else by a number."""
    prompt = mapping_of(row.get("prompt"))
    label = text_of(prompt.get("label"))
    key = text_of(row.get("promptId")) or label
    return label if 0 < len(label) <= _LONGEST else f"prompt {numbers.setdefault(key, len(numbers) + 1)}"


_LONGEST = 40


def _failed(row: dict[str, Any]) -> bool:
    return number_of(row.get("failureReason")) == _ERROR or (bool(row.get("error")) and not row.get("gradingResult"))


def _is_cached(row: dict[str, Any]) -> bool:
    """Say whether an answer came from promptfoo's own cache: nothing was sent then, and no cost is known."""
    return bool(mapping_at(row, "response").get("cached"))


def _said(rows: list[dict[str, Any]], source: str, model: str, prompt: str) -> Iterable[Caveat]:
    model = f"{model} ({prompt})" if prompt else model
    failed, cached = sum(map(_failed, rows)), sum(map(_is_cached, rows))
    named = list(dict.fromkeys(str(name) for row in rows for name in mapping_of(row.get("namedScores"))))
    if failed:
        text = f"{source}: {failed} answer(s) of {model} ended with an error and count as failed, as in promptfoo"
        text += f"; {quoted(named, limit=3)} {'has' if len(named) == 1 else 'have'} none of them." if named else "."
        yield Caveat("answers-failed", text)
    if cached:
        text = (
            f"{source}: {cached} answer(s) of {model} came from promptfoo's cache: their price and time are not known."
        )
        yield Caveat("costs-missing", text + " Run it without the cache.")


def _answers(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Return answers. With --repeat the tool counts every repetition as another test.

    So tests with the same variables and description are one item, named by its first.
    """
    first: dict[str, str] = {}
    named = dict.fromkeys(str(name) for row in rows for name in mapping_of(row.get("namedScores")))
    clusters = [_cluster(mapping_of(row.get("testCase"))) for row in rows]
    parted = len(set(clusters)) > 1
    for row, cluster in zip(rows, clusters, strict=True):
        test, failed, settings = mapping_of(row.get("testCase")), _failed(row), mapping_of(row.get("namedScores"))
        variables = mapping_of(row.get("vars")) or mapping_of(test.get("vars"))
        digest, description = digest_of(sorted(map(str, variables.items()))), text_of(test.get("description"))
        place, repeat = number_of(row.get("testIdx")), number_of(row.get("repeatIndex"))
        item = description or (f"test {place:g}" if place == place else digest)
        yield {
            "item": first.setdefault(f"{description} {digest}", item), "digest": digest,
            "epoch": int(repeat) + 1 if 0 <= repeat < 1e6 else 1,
            "cluster": cluster if parted else "",
            "scores": {
                PASS: 0.0 if failed else number_of(row.get("success")),
                SCORE: 0.0 if failed else number_of(row.get("score")),
                **{name: number_of(settings.get(name)) for name in named},
            },
            "usage": _used(row),
        }  # fmt: skip


def _cluster(test: dict[str, Any]) -> str:
    held = mapping_at(test, "metadata")
    return next((text for name in _CLUSTERS if (text := text_of(held.get(name)))), "")


def _used(row: dict[str, Any]) -> dict[str, float]:
    if _is_cached(row) or _failed(row):
        return {}
    response = mapping_of(row.get("response"))
    usage = mapping_at(response, "tokenUsage") or mapping_at(row, "tokenUsage")
    sent, given = amount_of(usage.get("prompt")), amount_of(usage.get("completion"))
    if not sent + given > 0:  # zeros stand for what a provider does not tell
        sent = given = MISSING
    details = mapping_of(usage.get("completionDetails"))
    cached = amount_of(details.get("cacheReadInputTokens"))  # a part of the prompt, and of the input all the same
    cached = min(cached, sent) if cached >= 0 else 0.0
    price = amount_of(row.get("cost"))
    price = price if price > 0 else amount_of(response.get("cost"))
    return {
        "tokens_in": sent - cached, "tokens_out": given, "tokens_cached": cached if sent == sent else MISSING,
        "tokens_reasoning": amount_of(details.get("reasoning")),
        "price": price if price > 0 else MISSING, "seconds": amount_of(row.get("latencyMs")) / 1000,
    }  # fmt: skip
