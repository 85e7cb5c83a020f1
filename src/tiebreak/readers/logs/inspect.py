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
    Log,
    Run,
    Total,
    amount_of,
    digest_of,
    flat_settings,
    json_at,
    list_of,
    mapping_at,
    mapping_of,
    mappings_at,
    mappings_of,
    number_of,
    run_of,
    score_of,
    text_of,
    unreadable,
)

TOOL = "Inspect"
CLUSTERS = ("cluster", "document", "document_id", "repo", "repository", "conversation", "conversation_id")
"""Metadata of samples that name what several of them belong to, where no standard error names another."""
_SUMS = ("mean", "accuracy")


def read(path: Path, source: str) -> list[Log]:
    """Read one log."""
    if path.suffix.lower() != ".eval":
        content = mapping_of(json_at(path))
        return [_log(content, list_of(content.get("samples")), content.get("reductions"), source)]
    archive = Archive(path)
    try:
        header, samples, reductions = _parts(archive)
        return [_log(header, samples, reductions, source)]
    finally:
        archive.close()


def _parts(archive: Archive) -> tuple[dict[str, Any], list[Any], Any]:
    """Return header, samples and reductions; of a run that was broken off, what its journal holds."""
    names = archive.names
    head = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
    if head is None:
        raise unreadable(archive.path.name, "it has neither header.json nor _journal/start.json")
    header = mapping_of(archive.json(head))
    if "summaries.json" in names:
        samples = list_of(archive.json("summaries.json"))
    else:
        journal = [archive.json(name) for name in names if name.startswith("_journal/summaries/")]
        samples = [sample for part in journal for sample in (part if isinstance(part, list) else [part])]
    if not samples:
        samples = [archive.json(name) for name in names if re.fullmatch(r"samples/.*\.json", name)]
    reductions = archive.json("reductions.json") if not samples and "reductions.json" in names else None
    return header, samples, reductions


def _log(content: dict[str, Any], samples: list[Any], reductions: Any, source: str) -> Log:
    rows = [sample for sample in samples if isinstance(sample, dict)]
    spec = mapping_of(content.get("eval"))
    model = text_of(spec.get("model"))
    if not model or not spec.get("task"):
        raise unreadable(source, "it names no model or no task")
    config = {**mapping_at(content, "plan", "config"), **mapping_of(spec.get("model_generate_config"))}
    about: dict[str, Any] = {
        "tool": TOOL, "source": source, "model": model,
        "benchmark": text_of(spec["task"]).removeprefix("inspect_evals/"), "when": text_of(spec.get("created")),
        "settings": {**flat_settings(spec.get("model_args")), **flat_settings(config), **_solver(spec, content)},
        "task_settings": flat_settings(spec.get("task_args") or spec.get("task_args_passed")),
    }  # fmt: skip
    about["notes"] = tuple(_notes(content, spec, rows, model, source))
    scored = [row for row in rows if mapping_at(row, "scores")]
    if scored:
        return _run(scored, spec, content, about)
    if reductions and (items := _reduced(reductions)):
        return run_of(items, **about, higher=_ways(content))
    return _total(content, model, about)


def _solver(spec: dict[str, Any], content: dict[str, Any]) -> dict[str, str]:
    """Name the solver: the one that was asked for, or the last step of the plan that is no plain generation."""
    steps = [text_of(step.get("solver")) for step in mappings_at(content, "plan", "steps")]
    text = text_of(spec.get("solver")) or "+".join(step for step in steps if step and step != "generate")
    return {"solver": text} if text else {}


def _notes(
    content: dict[str, Any], spec: dict[str, Any], rows: list[dict[str, Any]], model: str, source: str
) -> Iterator[Caveat]:
    """Say where a run did not end well, where epochs are reduced otherwise, what failed, and what others used."""
    status = text_of(content.get("status")) or "started"
    if status != "success" or content.get("invalidated"):
        what = "was marked invalid" if status == "success" else f"ended with status {status!r}"
        yield Caveat("runs-unfinished", f"{source} {what}: only what it holds is read.")
    config = mapping_at(spec, "config")
    reducers = [text_of(item) for item in list_of(config.get("epochs_reducer"))]
    if reducers and "mean" not in reducers and number_of(config.get("epochs")) > 1:
        text = f"Inspect reduces epochs by {quoted(reducers, limit=3)}; here the answers to an item are averaged."
        yield Caveat("epochs-averaged", f"{source}: {text}")
    failed = [str(row.get("id")) for row in rows if row.get("error") and not mapping_at(row, "scores")]
    if failed:
        names = quoted(dict.fromkeys(failed), limit=3)
        text = f"{len(failed)} sample(s) ended with an error and are left out, as Inspect does: {names}."
        yield Caveat("rows-left-out", f"{source}: {text}")
    paid = {name for row in rows if mapping_at(row, "scores") for name in mapping_at(row, "model_usage")}
    if model in paid and len(paid) > 1:
        text = f"tokens of {quoted(sorted(paid - {model}), limit=3)} are not counted as those of {model}."
        yield Caveat("costs-missing", f"{source}: {text}")


def _ways(content: dict[str, Any]) -> dict[str, bool]:
    """Return which way is better: an accuracy says it, a mean does not."""
    scores = mappings_at(content, "results", "scores")
    return {_scorer(score): True for score in scores if "accuracy" in mapping_at(score, "metrics")}


def _scorer(entry: dict[str, Any]) -> str:
    """Name a score as the samples do: by its scorer, and by its key where the scorer gives several."""
    name, scorer = text_of(entry.get("name")), text_of(entry.get("scorer"))
    return name if name == scorer or not scorer else f"{scorer}/{name}"


def _run(rows: list[dict[str, Any]], spec: dict[str, Any], content: dict[str, Any], about: dict[str, Any]) -> Run:
    """Read samples with scores; those that ended with an error have none and, as in Inspect, do not count."""
    values = [dict(_values(mapping_of(row["scores"]))) for row in rows]
    names = dict.fromkeys(name for record in values for name in record)
    headline = text_of(mapping_at(content, "results", "headline").get("scorer"))
    names = dict.fromkeys(sorted(names, key=lambda name: name.partition("/")[0] != headline))
    letters = {name for name in names if any(isinstance(record.get(name), str) for record in values)}
    cluster = _cluster(spec, rows)
    answers = [
        {
            "item": str(row.get("id")), "epoch": _epoch(row), "digest": digest_of(*_asked(row.get("input"))),
            "cluster": text_of(mapping_of(row.get("metadata")).get(cluster)),
            "scores": {name: score_of(settings.get(name)) for name in names},
            "usage": {**_tokens(mapping_of(row.get("model_usage")), about["model"]), "seconds": _seconds(row)},
        }
        for row, settings in zip(rows, values, strict=True)
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
            held = mapping_of(part)
            text = held.get("text") if held else part
            yield text[:_LONGEST] if isinstance(text, str) else f"({text_of(held.get('type')).capitalize()})"


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
    texts = [text_of(mapping_at(metric, "options").get("cluster")) for metric in metrics]
    held = [mapping_of(row.get("metadata")) for row in rows]
    values = {name: {text_of(record.get(name)) for record in held} for name in (*texts, *CLUSTERS) if name}
    return next((name for name, value in values.items() if any(value) and (name in texts or len(value) > 1)), "")


def _seconds(row: dict[str, Any]) -> float:
    """Return the time that the model worked, without waiting for others where the log tells it."""
    return next(
        (amount for name in ("working_time", "total_time") if (amount := amount_of(row.get(name))) >= 0), MISSING
    )


def _tokens(usage: dict[str, Any], model: str) -> dict[str, float]:
    """Return the tokens of the model, or of all where none has its name; those written to a cache were sent too."""
    mappings = [mapping_of(usage[model])] if model in usage else [mapping_of(item) for item in usage.values()]
    if not mappings:
        return {}

    def total(*names: str) -> float:
        parts = [amount_of(record.get(name)) for record in mappings for name in names]
        return sum(part for part in parts if part >= 0)

    price = [amount_of(record.get("total_cost")) for record in mappings]
    return {
        "tokens_in": total("input_tokens", "input_tokens_cache_write"), "tokens_out": total("output_tokens"),
        "tokens_cached": total("input_tokens_cache_read"), "tokens_reasoning": total("reasoning_tokens"),
        "price": sum(price),
    }  # fmt: skip


def _reduced(reductions: Any) -> list[dict[str, Any]]:
    """Return the scores of items over their epochs, where the samples themselves were not logged."""
    result: dict[str, dict[str, float]] = {}
    for part in mappings_of(reductions):
        for row in mappings_at(part, "samples"):
            if row.get("sample_id") is not None:
                for name, value in _values({text_of(part.get("scorer")): row}):
                    result.setdefault(str(row["sample_id"]), {})[name] = score_of(value)
    return [{"item": item, "scores": scores} for item, scores in result.items()]


def _total(content: dict[str, Any], model: str, about: dict[str, Any]) -> Total:
    """Read the results that were summed up, where there are no samples."""
    results = mapping_of(content.get("results"))
    scores: dict[str, float] = {}
    for entry in mappings_at(results, "scores"):
        metrics = mapping_at(entry, "metrics")
        name = next((text for text in _SUMS if text in metrics), next(iter(metrics), ""))
        value = number_of(mapping_at(metrics, name).get("value"))
        if value == value:
            scores[_scorer(entry)] = value
    if not scores:
        raise unreadable(about["source"], "it holds neither scored samples nor results")
    epochs = amount_of(mapping_at(content, "eval", "config").get("epochs"))
    count = amount_of(results.get("completed_samples")) / (epochs if epochs >= 1 else 1.0)
    usage = _tokens(mapping_at(content, "stats", "model_usage"), model)
    known = {name: value for name, value in usage.items() if value == value}
    return Total(**about, scores=scores, n=round(count) if count > 0 else None, higher=_ways(content), usage=known)
