"""Reports of SWE-bench: of a run, of an instance, and of submissions to its leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.readers.logs.common import Log, Run, amount_of, json_at, list_of, mapping_of, run_of, unreadable

TOOL = "SWE-bench"
METRIC = "resolved"
SETS = {"verified": "SWE-bench Verified", "lite": "SWE-bench Lite", "test": "SWE-bench",
        "multimodal": "SWE-bench Multimodal",
        "multilingual": "SWE-bench Multilingual", "bash-only": "SWE-bench Verified"}  # fmt: skip
"""Folders of submissions, and what they were submitted to; one scaffold for all has a folder of its own."""


def repository_of(instance: str) -> str:
    """Return the repository that an instance is from.

    Examples
    --------
    >>> repository_of("scikit-learn__scikit-learn-13439")
    'scikit-learn/scikit-learn'
    """
    return instance.rpartition("-")[0].replace("__", "/") or instance


def read_report(path: Path, source: str) -> list[Log]:
    """Read the report of a run, `MODEL.RUN.json`: everything judged that is not resolved failed.

    Predictions beyond the instances that were asked to be judged (`--instance_ids`) are listed as submitted too.
    """
    content = mapping_of(json_at(path))
    judged = ("resolved", "unresolved", *_FAILED, "completed")
    kinds = {name: _names(content.get(f"{name}_ids")) for name in judged}
    submitted = _names(content.get("submitted_ids"))
    items = dict.fromkeys(name for names in kinds.values() for name in names)
    if "unresolved_ids" not in content:
        items |= dict.fromkeys(submitted)
    if not items:
        raise unreadable(source, "it lists no instance")
    absent = len({*_names(content.get("incomplete_ids")), *submitted} - set(items))
    notes = []
    if failed := " and ".join(f"{len(kinds[kind])} with {name}" for kind, name in _FAILED.items() if kinds[kind]):
        notes.append(Caveat("answers-failed", f"{source}: {failed} count as not resolved, as on the leaderboard."))
    if absent:
        text = f"{source}: {absent} instance(s) without a prediction, or whose prediction was not judged, are left out."
        notes.append(Caveat("rows-left-out", text))
    name = path.name.removesuffix(".gz").removesuffix(".json")
    model, _, run = name.rpartition(".")
    answers = _by_name(items, kinds["resolved"])
    return [_run(answers, model=(model or name).replace("__", "/"), source=source, notes=tuple(notes), run=run)]


_FAILED = {"error": "an error", "empty_patch": "an empty patch", "infra_failure": "a likely failure of the machine"}


def _names(value: Any) -> list[str]:
    return [item for item in list_of(value) if isinstance(item, str)]


def _by_name(items: Iterable[str], resolved: Iterable[str]) -> dict[str, bool]:
    good = set(resolved)
    return {item: item in good for item in items}


def _run(resolved: Mapping[str, bool], *, run: str = "", price: Mapping[str, float] | None = None, **about: Any) -> Run:
    answers = [
        {"item": item, "cluster": repository_of(item), "scores": {METRIC: float(good)},
         "usage": {"price": price[item]} if price and item in price else {}}
        for item, good in resolved.items()
    ]  # fmt: skip
    about = {"tool": TOOL, "benchmark": TOOL, "settings": {"run": run} if run else {}, **about}
    return run_of(answers, higher={METRIC: True}, **about)


def read_instances(paths: list[Path], model: str, run: str, source: str) -> list[Log]:
    """Read the folder of a model, with a `report.json` for every instance; one that is broken is an error there too."""
    result: dict[str, bool] = {}
    broken = 0
    for path in paths:
        try:
            content = mapping_of(json_at(path))
        except ValueError:
            content = {}
        judged = _judged(content)
        broken += not judged
        result |= judged or {path.parent.name: False}
    text = f"{source}: {broken} report(s) that cannot be read count as not resolved, as in SWE-bench."
    notes = (Caveat("answers-failed", text),) if broken else ()
    return [_run(result, model=model.replace("__", "/"), source=source, notes=notes, run=run)]


def _judged(content: dict[str, Any]) -> dict[str, bool]:
    """Return which instances of a report are resolved, without what says neither."""
    options = {name: mapping_of(item).get("resolved") for name, item in content.items()}
    return {name: good for name, good in options.items() if isinstance(good, bool)}


def read_details(path: Path, source: str) -> list[Log]:
    """Read `per_instance_details.json` of a submission: whether each instance was resolved, and what it cost."""
    content = mapping_of(json_at(path))
    judged = _judged(content)
    if not judged:
        raise unreadable(source, "it judges no instance")
    price = {name: amount_of(content[name].get("cost")) for name in judged}
    return [_run(judged, source=source, price=price, **_submission(path))]


def read_submission(path: Path, source: str) -> list[Log]:
    """Read `results.json` of a submission, which lists what was resolved and what was not generated.

    The rest is not listed: it is known only as what others resolved, which `settle` fills in.
    """
    content = mapping_of(json_at(path))
    resolved = _names(content.get("resolved"))
    items = dict.fromkeys([*resolved, *_names(content.get("no_generation")), *_names(content.get("no_logs"))])
    if not items:
        raise unreadable(source, "it lists no instance")
    return [_run(_by_name(items, resolved), source=source, run=_OPEN, **_submission(path))]


_OPEN = "submission"
_EACH = "/*/report.json"
"""What reports of instances are called together."""


def settle(runs: list[Run]) -> tuple[list[Run], list[Caveat]]:
    """Give every submission the instances that others of the same set list; nobody resolved the remaining ones.

    Reports of instances whose run has a report of its own tell the same again.
    """
    reports = {(item.model, item.settings["run"]) for item in runs if item.tool == TOOL and "run" in item.settings
               and not item.source.endswith(_EACH)}  # fmt: skip
    runs = [
        item for item in runs if not item.source.endswith(_EACH) or (item.model, item.settings["run"]) not in reports
    ]
    opened = [item for item in runs if item.tool == TOOL and item.settings.get("run") == _OPEN]
    if not opened:
        return runs, []
    known: dict[str, dict[str, None]] = {}
    for entry in runs:
        if entry.tool == TOOL:
            known.setdefault(entry.benchmark, {}).update(dict.fromkeys(entry.items))
    out = []
    for entry in runs:
        if entry in opened:
            good = [item for item, score in zip(entry.items, entry.scores[METRIC], strict=True) if score]
            about: dict[str, Any] = {"model": entry.model, "benchmark": entry.benchmark, "when": entry.when}
            entry = _run(_by_name(known[entry.benchmark], good), source=entry.source, **about)
        out.append(entry)
    text = (
        f"{len(opened)} submission(s) to SWE-bench list what was resolved only: every other instance that any of them"
        " lists counts as not resolved. Differences of models are right; levels are too high where none lists all."
    )
    return out, [Caveat("items-differ", text)]


def _submission(path: Path) -> dict[str, Any]:
    """Return model, set and date of a submission, from folders such as evaluation/verified/20240620_model/results."""
    folder = path.resolve().parent
    folder = folder.parent if folder.name in ("results", "logs") else folder
    date, _, name = folder.name.partition("_")
    dated = date.isdigit() and len(date) == 8 and name
    benchmark = SETS.get(folder.parent.name, TOOL)
    return {"model": name if dated else folder.name, "benchmark": benchmark, "when": date if dated else ""}
