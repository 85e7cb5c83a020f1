"""Which files are logs, and of which tool: told by what they hold, not by their names alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tiebreak.errors import InputError
from tiebreak.readers.logs import _aider, _helm, _inspect, _lm_eval, _openai_evals, _promptfoo, _swe_bench
from tiebreak.readers.logs._logs import Log
from tiebreak.readers.logs._opening import head_of

Reader = Callable[[Path, str], list[Log]]
ENDINGS = (".eval", ".json", ".jsonl", ".yml", ".yaml", ".csv")
"""What is looked at; each may be packed by gzip."""
READERS: dict[str, Reader] = {
    "inspect": _inspect.read,
    "lm-eval samples": _lm_eval.read_samples,
    "lm-eval results": _lm_eval.read_results,
    "promptfoo": _promptfoo.read,
    "swe-bench": _swe_bench.read_report,
    "swe-bench submission": _swe_bench.read_submission,
    "swe-bench details": _swe_bench.read_details,
    "helm": _helm.read,
    "openai": _openai_evals.read,
    "aider": _aider.read,
}
INSTANCE = "swe-bench instance"
"""A report of one instance, which is read with all others of its model."""
BESIDE = re.compile(
    r"run_spec|scenario(?:_state)?|instances|stats|display_requests|predictions|costs|schema|patch|metadata"
    r"|resolved_by_(?:repo|time)|eval-set|logs|package(?:-lock)?|summary|groups.*|run_specs|runs|general_information",
    re.I,
)
"""Files that tools write beside their logs, and that are passed over without a word."""


def kind_of(path: Path) -> str | None:
    """Say of which tool a file is a log; None where it is none.

    Examples
    --------
    >>> kind_of(Path("results.csv")) is None
    True
    """
    name = path.name.lower().removesuffix(".gz")
    ending = next((each for each in ENDINGS if name.endswith(each)), None)
    if ending is None or not path.is_file():
        return None
    head = head_of(path)
    if ending == ".eval":
        return "inspect" if head.startswith(b"PK") or _has(head, "version", "eval") else None
    if ending == ".jsonl":
        return _of_lines(head)
    if ending == ".csv":
        return "promptfoo" if re.match(rb"[^\n]*\[[^\n]*,Status,Score,", head[:4096]) else None
    if ending in (".yml", ".yaml"):
        return "aider" if re.search(rb"(?m)^- ?\s*\w+:", head) and b"pass_rate_1:" in head else None
    return _of_json(head, name)


def _has(head: bytes, *keys: str) -> bool:
    return all(f'"{key}"'.encode() in head for key in keys)


def _of_lines(head: bytes) -> str | None:
    if re.match(rb'\s*\{\s*"spec"\s*:', head):
        return "openai"
    if _has(head, "doc_id", "doc") or _has(head, "doc_id", "resps"):
        return "lm-eval samples"
    return "promptfoo" if _has(head, "testCase", "success") or _has(head, "promptIdx", "testIdx") else None


def _of_json(head: bytes, name: str) -> str | None:
    """Tell JSON by keys that no two tools share, of which the first stands near the beginning."""
    if re.match(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:', head) and _has(head, "eval"):
        return "inspect"
    if re.match(rb'\s*\{\s*"results"\s*:\s*\{\s*"version"\s*:\s*\d', head):  # promptfoo before it numbered evaluations
        return "promptfoo"
    if _has(head, "results", "evalId") or (_has(head, "results", "promptIdx") and _has(head, "prompt")):
        return "promptfoo"
    if _has(head, "resolved_ids") or _has(head, "submitted_instances"):
        return "swe-bench"
    if _has(head, "instance_id", "stats") and re.match(rb"\s*\[\s*\{", head):
        return "helm" if "stats" in name or name.startswith("display_predictions") else None
    if re.match(rb'\s*\{\s*"results"\s*:\s*\{', head) and (
        re.search(rb'"[\w@%./-]+,[\w-]+"\s*:', head) or _has(head, "alias")
    ):
        return "lm-eval results"
    if re.match(rb'\s*\{\s*"no_generation"\s*:', head) or (_has(head, "resolved", "no_logs")):
        return "swe-bench submission"
    if re.match(rb'\s*\{\s*"[\w.-]+__[\w.-]+"\s*:\s*\{', head) and _has(head, "resolved"):
        return INSTANCE if _has(head, "patch_successfully_applied") or name == "report.json" else "swe-bench details"
    return None


def holds_logs(path: str | Path) -> bool:
    """Say whether a path is a log of an evaluation, or a folder with one; nothing is read but how files begin.

    Examples
    --------
    >>> holds_logs("results.csv")
    False
    """
    place = Path(path)
    try:
        if place.is_dir():
            return any(kind_of(each) for each in _files(place))
        return kind_of(place) is not None
    except (OSError, ValueError):  # a text that is no path
        return False


def _files(folder: Path) -> Iterator[Path]:
    """Yield what lies in a folder, sorted, without what is hidden."""
    for each in sorted(folder.rglob("*")):
        if each.is_file() and not any(part.startswith(".") for part in each.relative_to(folder).parts):
            yield each


def found_in(path: Path) -> tuple[list[tuple[Path, str, str]], list[str]]:
    """Return the logs at a path, each with its kind and what to call it, and the names of files that are none."""
    if not path.exists():
        raise InputError(f"{path} is not there.", why="Logs come from files.", mend="Check the path.")
    if not path.is_dir():
        kind = kind_of(path)
        return ([(path, kind, path.name)], []) if kind else ([], [path.name])
    logs, others = [], []
    for each in _files(path):
        name = each.relative_to(path).as_posix()
        if (kind := kind_of(each)) is not None:
            logs.append((each, kind, name))
        elif not BESIDE.fullmatch(each.name.partition(".")[0]) or not each.name.endswith((".json", ".gz")):
            others.append(name)
    return _whole_runs(logs), others


def _whole_runs(logs: list[tuple[Path, str, str]]) -> list[tuple[Path, str, str]]:
    """Leave out what tells the same again: predictions of HELM beside statistics, promptfoo's other forms of output."""
    held = {each.parent for each, kind, _ in logs if kind == "helm" and "per_instance" in each.name}
    whole = {each.with_suffix("") for each, kind, _ in logs if kind == "promptfoo" and each.suffix == ".json"}
    again = {
        each for each, kind, _ in logs if kind == "helm" and "per_instance" not in each.name and each.parent in held
    }
    again |= {
        each
        for each, kind, _ in logs
        if kind == "promptfoo" and each.suffix != ".json" and each.with_suffix("") in whole
    }
    return [log for log in logs if log[0] not in again]
