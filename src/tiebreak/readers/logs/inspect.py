"""Logs of Inspect: `.eval` archives and `.json`, with epochs, tokens and the clusters of its standard errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.errors import quoted
from tiebreak.readers.logs.common import (
    MISSING,
    Archive,
    Reader,
    Run,
    amount_of,
    digest_of,
    flat_settings,
    json_at,
    list_of,
    mapping_at,
    mappings_at,
    number_of,
    run_of,
    score_of,
    sum_of,
    text_of,
    unreadable,
)

TOOL = "Inspect"
CLUSTERS = ("cluster", "document", "document_id", "repo", "repository", "conversation", "conversation_id")
"""Metadata of samples that name what several of them belong to, where no standard error names another."""
_SUMS = ("mean", "accuracy")
_BEGINS = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:')


def reader_of(name: str, head: bytes) -> Reader | None:
    """Return the reader of a log."""
    if name.endswith(".eval"):
        return read if head.startswith(b"PK") else None
    return read if name.endswith(".json") and _BEGINS.match(head) and b'"eval"' in head else None


def read(path: Path, source: str) -> list[Run]:
    """Read one log."""
    if path.suffix.lower() != ".eval":
        content = json_at(path)
        return [_run(content, mappings_at(content, "samples"), content.get("reductions"), source)]
    archive = Archive(path)
    try:
        return [_run(*_parts(archive), source)]
    finally:
        archive.close()


def _parts(archive: Archive) -> tuple[dict[str, Any], list[dict[str, Any]], Any]:
    """Return header, samples and reductions; of a run that was broken off, what its journal holds."""
    names = archive.names
    head = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
    if head is None:
        raise unreadable(archive.path.name, "it has neither header.json nor _journal/start.json")
    header = mapping_at(archive.json(head))
    summaries = ["summaries.json"] if "summaries.json" in names else []
    summaries = summaries or [name for name in names if name.startswith("_journal/summaries/")]
    samples = [row for name in summaries for row in mappings_at(archive.json(name))]
    if not samples:
        samples = [mapping_at(archive.json(name)) for name in names if re.fullmatch(r"samples/.*\.json", name)]
    reductions = archive.json("reductions.json") if not samples and "reductions.json" in names else None
    return header, samples, reductions


def _run(content: dict[str, Any], samples: list[dict[str, Any]], reductions: Any, source: str) -> Run:
    spec = mapping_at(content, "eval")
    model = text_of(spec.get("model"))
    if not model or not spec.get("task"):
        raise unreadable(source, "it names no model or no task")
    steps = [text_of(step.get("solver")) for step in mappings_at(content, "plan", "steps")]
    solver = text_of(spec.get("solver")) or "+".join(step for step in steps if step and step != "generate")
    config = {**mapping_at(content, "plan", "config"), **mapping_at(spec, "model_generate_config")}
    about: dict[str, Any] = {
        "tool": TOOL, "source": source, "model": model,
        "benchmark": text_of(spec["task"]).removeprefix("inspect_evals/"), "when": text_of(spec.get("created")),
        "settings": {**flat_settings(spec.get("model_args")), **flat_settings(config), "solver": solver},
        "task_settings": flat_settings(spec.get("task_args") or spec.get("task_args_passed")),
        "notes": tuple(Caveat(code, f"{source}{text}") for code, text in _notes(content, samples, model)),
    }  # fmt: skip
    scored = [row for row in samples if mapping_at(row, "scores")]
    if scored:
        return _of_samples(scored, content, about)
    if items := _reduced(reductions):
        return run_of(items, **about, higher=_ways(content))
    return _of_sums(content, model, about)


def _notes(content: dict[str, Any], samples: list[dict[str, Any]], model: str) -> Iterator[tuple[str, str]]:
    """Say where a run did not end well, where epochs are reduced otherwise, what failed, and what others used."""
    status = text_of(content.get("status")) or "started"
    if status != "success" or content.get("invalidated"):
        what = "was marked invalid" if status == "success" else f"ended with status {status!r}"
        yield "runs-unfinished", f" {what}: only what it holds is read."
    config = mapping_at(content, "eval", "config")
    reducers = [text_of(item) for item in list_of(config.get("epochs_reducer"))]
    if reducers and "mean" not in reducers and number_of(config.get("epochs")) > 1:
        text = f"Inspect reduces epochs by {quoted(reducers, limit=3)}; here the answers to an item are averaged."
        yield "epochs-averaged", f": {text}"
    failed = [str(row.get("id")) for row in samples if row.get("error") and not mapping_at(row, "scores")]
    if failed:
        names = quoted(dict.fromkeys(failed), limit=3)
        yield (
            "rows-left-out",
            f": {len(failed)} sample(s) ended with an error and are left out, as Inspect does: {names}.",
        )
    paid = {name for row in samples if mapping_at(row, "scores") for name in mapping_at(row, "model_usage")}
    if model in paid and len(paid) > 1:
        others = quoted(sorted(paid - {model}), limit=3)
        yield "costs-missing", f": tokens of {others} are not counted as those of {model}."


def _ways(content: dict[str, Any]) -> dict[str, bool]:
    """Return which way is better: an accuracy says it, a mean does not."""
    scores = mappings_at(content, "results", "scores")
    return {_scorer(score): True for score in scores if "accuracy" in mapping_at(score, "metrics")}


def _scorer(entry: dict[str, Any]) -> str:
    """Name a score as the samples do: by its scorer, and by its key where the scorer gives several."""
    name, scorer = text_of(entry.get("name")), text_of(entry.get("scorer"))
    return name if name == scorer or not scorer else f"{scorer}/{name}"


def _of_samples(rows: list[dict[str, Any]], content: dict[str, Any], about: dict[str, Any]) -> Run:
    """Read samples with scores; those that ended with an error have none and, as in Inspect, do not count."""
    values = [dict(_values(mapping_at(row, "scores"))) for row in rows]
    headline = text_of(mapping_at(content, "results", "headline").get("scorer"))
    names = dict.fromkeys(name for record in values for name in record)
    names = dict.fromkeys(sorted(names, key=lambda name: name.partition("/")[0] != headline))
    letters = {name for name in names if any(isinstance(record.get(name), str) for record in values)}
    cluster = _cluster(mapping_at(content, "eval"), rows)
    answers = [
        {
            "item": str(row.get("id")), "epoch": _epoch(row), "digest": digest_of(*_asked(row.get("input"))),
            "cluster": text_of(mapping_at(row, "metadata").get(cluster)),
            "scores": {name: score_of(record.get(name)) for name in names},
            "usage": {**_tokens(mapping_at(row, "model_usage"), about["model"]), "seconds": _seconds(row)},
        }
        for row, record in zip(rows, values, strict=True)
    ]  # fmt: skip
    return run_of(answers, **about, higher={**dict.fromkeys(letters, True), **_ways(content)})


def _values(scores: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values of a sample; one that is a dictionary holds several scores, one that is a list none."""
    for name, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            yield from ((f"{name}/{key}", item) for key, item in value.items())
        else:
            yield str(name), value


def _asked(given: Any) -> Iterator[str]:
    """Yield what a sample asks, as every log of it has it.

    Messages have identifiers that are new in each run, summaries cut texts off and name what is no text, and targets
    follow choices that were shuffled: none of it makes another item.
    """
    for message in given if isinstance(given, list) else [given]:
        content = message.get("content") if isinstance(message, dict) else message
        for part in content if isinstance(content, list) else [content]:
            text = part.get("text") if isinstance(part, dict) else part
            kind = text_of(mapping_at(part).get("type")).capitalize()
            yield text[:_LONGEST] if isinstance(text, str) else f"({kind})"


_LONGEST = 5120
"""Where the summaries of an archive cut texts off."""


def _epoch(row: dict[str, Any]) -> int:
    number = number_of(row.get("epoch"))
    return int(number) if 1 <= number < 1e9 else 1


def _cluster(spec: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """Return which metadata names the clusters: that of a clustered standard error, or one of a known name.

    What is called so and is the same of all samples describes the task and parts nothing.
    """
    metrics = [metric for scorer in mappings_at(spec, "scorers") for metric in mappings_at(scorer, "metrics")]
    names = [text_of(mapping_at(metric, "options").get("cluster")) for metric in metrics]
    values = {name: {text_of(mapping_at(row, "metadata").get(name)) for row in rows} for name in (*names, *CLUSTERS)}
    return next((name for name, value in values.items() if any(value) and (name in names or len(value) > 1)), "")


def _seconds(row: dict[str, Any]) -> float:
    """Return the time that the model worked, without waiting for others where the log tells it."""
    working = amount_of(row.get("working_time"))
    return working if working >= 0 else amount_of(row.get("total_time"))


def _tokens(usage: dict[str, Any], model: str) -> dict[str, float]:
    """Return the tokens of the model, or of all where none has its name; those written to a cache were sent too."""
    rows = [mapping_at(usage, model)] if model in usage else [mapping_at(item) for item in usage.values()]
    if not rows:
        return {}

    def total(*names: str) -> float:
        amounts = [amount_of(row.get(name)) for row in rows for name in names]
        return sum(amount for amount in amounts if amount >= 0)

    return {
        "tokens_in": total("input_tokens", "input_tokens_cache_write"), "tokens_out": total("output_tokens"),
        "tokens_cached": total("input_tokens_cache_read"), "tokens_reasoning": total("reasoning_tokens"),
        "price": sum(amount_of(row.get("total_cost")) for row in rows),
    }  # fmt: skip


def _reduced(reductions: Any) -> list[dict[str, Any]]:
    """Return the scores of items over their epochs, where the samples themselves were not logged."""
    scores: dict[str, dict[str, float]] = {}
    for part in mappings_at(reductions):
        for row in mappings_at(part, "samples"):
            if row.get("sample_id") is not None:
                values = _values({text_of(part.get("scorer")): row})
                scores.setdefault(str(row["sample_id"]), {}).update((name, score_of(value)) for name, value in values)
    return [{"item": item, "scores": record} for item, record in scores.items()]


def _of_sums(content: dict[str, Any], model: str, about: dict[str, Any]) -> Run:
    """Read the results that were summed up, where there are no samples."""
    scores: dict[str, float] = {}
    for entry in mappings_at(content, "results", "scores"):
        metrics = mapping_at(entry, "metrics")
        name = next((text for text in _SUMS if text in metrics), next(iter(metrics), ""))
        scores[_scorer(entry)] = number_of(mapping_at(metrics, name).get("value"))
    if not any(value == value for value in scores.values()):
        raise unreadable(about["source"], "it holds neither scored samples nor results")
    epochs = amount_of(mapping_at(content, "eval", "config").get("epochs"))
    answers = amount_of(mapping_at(content, "results").get("completed_samples")) or MISSING
    usage = _tokens(mapping_at(content, "stats", "model_usage"), model)
    return sum_of(
        scores, n=answers / (epochs if epochs >= 1 else 1.0), higher=_ways(content),
        usage={name: value / answers for name, value in usage.items()}, **about,
    )  # fmt: skip
