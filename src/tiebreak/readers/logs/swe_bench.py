"""Reports of SWE-bench: of a run, of an instance, and of submissions to its leaderboard."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.readers.logs.common import Reader, Run, amount_of, json_at, list_of, mapping_at, run_of, unreadable

TOOL = "SWE-bench"
METRIC = "resolved"
SETS = {"verified": "SWE-bench Verified", "lite": "SWE-bench Lite", "test": "SWE-bench",
        "multimodal": "SWE-bench Multimodal",
        "multilingual": "SWE-bench Multilingual", "bash-only": "SWE-bench Verified"}  # fmt: skip
"""Folders of submissions, and what they were submitted to; one scaffold for all has a folder of its own."""
_FAILED = {"error": "an error", "empty_patch": "an empty patch", "infra_failure": "a likely failure of the machine"}


def reader_of(name: str, head: bytes) -> Reader | None:
    """Return the reader of a report."""
    if not name.endswith(".json"):
        return None
    if b'"resolved_ids"' in head or b'"submitted_instances"' in head:
        return read_report
    if re.match(rb'\s*\{\s*"no_generation"\s*:', head) or (b'"resolved"' in head and b'"no_logs"' in head):
        return read_submission
    return read_judged if re.match(rb'\s*\{\s*"[\w.-]+__[\w.-]+"\s*:\s*\{', head) and b'"resolved"' in head else None


def repository_of(instance: str) -> str:
    """Return the repository that an instance is from.

    Examples
    --------
    >>> repository_of("scikit-learn__scikit-learn-13439")
    'scikit-learn/scikit-learn'
    """
    return instance.rpartition("-")[0].replace("__", "/") or instance


def _run(resolved: Mapping[str, bool], price: Mapping[str, float] | None = None, **about: Any) -> Run:
    answers = [
        {"item": item, "cluster": repository_of(item), "scores": {METRIC: float(good)},
         "usage": {"price": price[item]} if price else {}}
        for item, good in resolved.items()
    ]  # fmt: skip
    return run_of(answers, tool=TOOL, higher={METRIC: True}, **about)


def read_report(path: Path, source: str) -> list[Run]:
    """Read the report of a run, `MODEL.RUN.json`: everything judged that is not resolved failed.

    Predictions beyond the instances that were asked to be judged (`--instance_ids`) are listed as submitted too.
    """
    content = json_at(path)
    judged = ("resolved", "unresolved", *_FAILED, "completed")
    kinds = {name: _names(content, f"{name}_ids") for name in judged}
    submitted = _names(content, "submitted_ids")
    items = dict.fromkeys(name for names in kinds.values() for name in names)
    if "unresolved_ids" not in content:
        items |= dict.fromkeys(submitted)
    if not items:
        raise unreadable(source, "it lists no instance")
    notes = []
    if failed := " and ".join(f"{len(kinds[kind])} with {name}" for kind, name in _FAILED.items() if kinds[kind]):
        notes.append(Caveat("answers-failed", f"{source}: {failed} count as not resolved, as on the leaderboard."))
    if absent := len({*_names(content, "incomplete_ids"), *submitted} - set(items)):
        text = f"{source}: {absent} instance(s) without a prediction, or whose prediction was not judged, are left out."
        notes.append(Caveat("rows-left-out", text))
    name = path.name.removesuffix(".gz").removesuffix(".json")
    model, _, run = name.rpartition(".")
    return [_run(_resolved(items, kinds["resolved"]), model=(model or name).replace("__", "/"), benchmark=TOOL,
                 source=source, settings={"run": run}, notes=tuple(notes))]  # fmt: skip


def _names(content: dict[str, Any], key: str) -> list[str]:
    return [item for item in list_of(content.get(key)) if isinstance(item, str)]


def _resolved(items: Iterable[str], resolved: Iterable[str]) -> dict[str, bool]:
    good = set(resolved)
    return {item: item in good for item in items}


def read_judged(path: Path, source: str) -> list[Run]:
    """Read which instances were resolved: the details of a submission, with costs, or the report of an instance.

    Reports of instances, RUN/MODEL/INSTANCE/report.json, are put together by `settle`.
    """
    content = json_at(path)
    marks = {name: mapping_at(item).get("resolved") for name, item in content.items()}
    judged = {name: good for name, good in marks.items() if isinstance(good, bool)}
    if not judged:
        raise unreadable(source, "it judges no instance")
    if path.name.removesuffix(".gz") == "report.json":
        folder = path.resolve().parent.parent
        return [_run(judged, source=source, model=folder.name.replace("__", "/"), benchmark=TOOL,
                     settings={"run": folder.parent.name}, task_settings={_PART: ""})]  # fmt: skip
    price = {name: amount_of(content[name].get("cost")) for name in judged}
    return [_run(judged, price, source=source, **_submission(path))]


def read_submission(path: Path, source: str) -> list[Run]:
    """Read `results.json` of a submission, which lists what was resolved and what was not generated.

    The rest is not listed: it is known only as what others resolved, which `settle` fills in.
    """
    content = json_at(path)
    resolved = _names(content, "resolved")
    items = dict.fromkeys([*resolved, *_names(content, "no_generation"), *_names(content, "no_logs")])
    if not items:
        raise unreadable(source, "it lists no instance")
    return [_run(_resolved(items, resolved), source=source, task_settings={_OPEN: ""}, **_submission(path))]


def _submission(path: Path) -> dict[str, Any]:
    """Return model, set and date of a submission, from folders such as evaluation/verified/20240620_model/results."""
    folder = path.resolve().parent
    folder = folder.parent if folder.name in ("results", "logs") else folder
    date, _, name = folder.name.partition("_")
    dated = date.isdigit() and len(date) == 8 and name
    benchmark = SETS.get(folder.parent.name, TOOL)
    return {"model": name if dated else folder.name, "benchmark": benchmark, "when": date if dated else ""}


_OPEN, _PART = "not all listed", "one instance"
"""Settings of runs that are not whole before `settle` has seen the others."""


def settle(runs: list[Run]) -> tuple[list[Run], list[Caveat]]:
    """Put reports of instances together by run, and give every submission the instances that others of its set list.

    Nobody resolved what a submission does not list. Reports of instances whose run has a report of its own tell the
    same again.
    """
    known: dict[str, dict[str, None]] = {}
    parts: dict[tuple[str, str], dict[str, bool]] = {}
    whole = {_key(run) for run in runs if run.tool == TOOL and not {_OPEN, _PART} & run.task_settings.keys()}
    for run in runs:
        if run.tool == TOOL:
            known.setdefault(run.benchmark, {}).update(dict.fromkeys(run.items))
        if _PART in run.task_settings and _key(run) not in whole:
            parts.setdefault(_key(run), {}).update(_scores(run))
    out, opened = [run for run in runs if not {_OPEN, _PART} & run.task_settings.keys()], 0
    for run in runs:
        if _OPEN in run.task_settings:
            good = [item for item, score in _scores(run).items() if score]
            out.append(_run(_resolved(known[run.benchmark], good), source=run.source, model=run.model,
                            benchmark=run.benchmark, when=run.when))  # fmt: skip
            opened += 1
    out += [_run(judged, source=f"{model}/*/report.json", model=model, benchmark=TOOL, settings={"run": name})
            for (model, name), judged in parts.items()]  # fmt: skip
    text = (
        f"{opened} submission(s) to SWE-bench list what was resolved only: every other instance that any of them"
        " lists counts as not resolved. Differences of models are right; levels are too high where none lists all."
    )
    return out, [Caveat("items-differ", text)] if opened else []


def _key(run: Run) -> tuple[str, str]:
    return run.model, run.settings.get("run", "")


def _scores(run: Run) -> dict[str, bool]:
    return {item: score > 0 for item, score in zip(run.items, run.scores[METRIC], strict=True)}
