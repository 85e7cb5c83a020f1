"""Find logs of evaluations, recognise their tools by the content of the files, and read them into one table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.readers.logs import aider, helm, inspect, lm_eval, openai_evals, promptfoo, swe_bench
from tiebreak.readers.logs.common import MISSING, Log, Run, Total, Unreadable, head_of
from tiebreak.readers.logs.prices import Price, prices_of, read_prices
from tiebreak.readers.logs.runs import (
    EvalRuns,
    Summary,
    chosen_metrics,
    joined,
    latest,
    seeds_as_epochs,
    told_apart,
    without_items_twice,
)
from tiebreak.results.metrics import metric_named
from tiebreak.wording import option

Reader = Callable[[Path, str], list[Log]]
ENDINGS = (".eval", ".json", ".jsonl", ".yml", ".yaml", ".csv")
"""What is looked at; each may be packed by gzip."""
READERS: dict[str, Reader] = {
    "inspect": inspect.read,
    "lm-eval samples": lm_eval.read_samples,
    "lm-eval results": lm_eval.read_results,
    "promptfoo": promptfoo.read,
    "swe-bench": swe_bench.read_report,
    "swe-bench submission": swe_bench.read_submission,
    "swe-bench details": swe_bench.read_details,
    "helm": helm.read,
    "openai": openai_evals.read,
    "aider": aider.read,
}
INSTANCE = "swe-bench instance"
"""A report of one instance, which is read with all others of its model."""
BESIDE = re.compile(
    r"run_spec|scenario(?:_state)?|instances|stats|display_(?:requests|predictions)|predictions|costs|schema|patch|metadata"
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
    ending = next((text for text in ENDINGS if name.endswith(text)), None)
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
        return "helm" if "stats" in name else None
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
            return any(kind_of(file) for file in _files(place))
        return kind_of(place) is not None
    except (OSError, ValueError):  # a text that is no path
        return False


def _files(folder: Path) -> Iterator[Path]:
    """Yield what lies in a folder, sorted, without what is hidden."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


def found_in(path: Path) -> tuple[list[tuple[Path, str, str]], list[str]]:
    """Return the logs at a path, each with its kind and what to call it, and the names of files that are none."""
    if not path.exists():
        raise InputError(f"{path} is not there.", why="Logs come from files.", mend="Check the path.")
    if not path.is_dir():
        kind = kind_of(path)
        return ([(path, kind, path.name)], []) if kind else ([], [path.name])
    logs, others = [], []
    for file in _files(path):
        name = file.relative_to(path).as_posix()
        if (kind := kind_of(file)) is not None:
            logs.append((file, kind, name))
        elif not BESIDE.fullmatch(file.name.partition(".")[0]) or not file.name.endswith((".json", ".gz")):
            others.append(name)
    return _whole_runs(logs), others


def _whole_runs(logs: list[tuple[Path, str, str]]) -> list[tuple[Path, str, str]]:
    """Leave out promptfoo's other forms of output beside its JSON, which say the same again."""
    whole = {path.with_suffix("") for path, kind, _ in logs if kind == "promptfoo" and path.suffix == ".json"}
    return [
        (path, kind, name)
        for path, kind, name in logs
        if kind != "promptfoo" or path.suffix == ".json" or path.with_suffix("") not in whole
    ]


_TOOLS = "Inspect, lm-evaluation-harness, promptfoo, SWE-bench, Aider, HELM and OpenAI evals"
_SHOWN = 3
"""So many notes of one kind are told; the rest is counted."""


def read_runs(
    path: str | Path | Sequence[str | Path],
    *,
    metric: str | None = None,
    prices: str | Path | None = None,
    benchmarks: Sequence[str] | None = None,
) -> EvalRuns:
    r"""Read logs of evaluations of language models as their tools wrote them: files, a folder, or several of both.

    Read are Inspect (.eval, .json), lm-evaluation-harness (samples_*.jsonl, results_*.json), promptfoo (output.json,
    .jsonl), SWE-bench (reports of runs, of instances and of submissions), Aider (leaderboards in YAML), HELM
    (per_instance_stats.json) and OpenAI evals (.jsonl). Files are told by what they hold.

    An answer that the tool counts as failed counts as failed, one that it leaves out is left out; caveats say which.
    Of several runs of a model on a benchmark with the same settings the latest counts; settings that differ become
    part of the name. Repeated answers within a run are epochs, and so are those of runs that differ in their seed.

    Parameters
    ----------
    path : str or Path, or a sequence of them
        Files, or folders that are searched for logs.
    metric : str, optional
        The metric to take; by default the first of each benchmark that all its runs have. The part before a comma,
        which names a filter of lm-evaluation-harness, is enough.
    prices : str or Path, optional
        A csv of dollars per million tokens: columns model or pattern, input, output and optionally cached and
        reasoning; or the JSON of LiteLLM or OpenRouter, in dollars per token. By default the price is what the log
        says, if anything.
    benchmarks : sequence of str, optional
        Read these alone, as long as all of them are there.

    Returns
    -------
    EvalRuns

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for model, good in (("large", [1, 2, 3]), ("small", [2])):
    ...     names = [f"django__django-{i}" for i in (1, 2, 3, 4)]
    ...     report = {"submitted_ids": names, "resolved_ids": [names[i] for i in good]}
    ...     _ = (folder / f"{model}.run1.json").write_text(json.dumps(report))
    >>> result = read_runs(folder)
    >>> result.models, result.benchmarks, result.clusters
    (('large', 'small'), ('SWE-bench',), ('django/django',))
    >>> [(item.model, item.passed, item.n) for item in result.summaries()]
    [('large', 3.0, 4), ('small', 1.0, 4)]
    """
    paths = [path] if isinstance(path, (str, Path)) else list(path)
    logs, notes = _logs([Path(item) for item in paths])
    tools = tuple(dict.fromkeys(log.tool for log in logs))
    runs, inferred = swe_bench.settle(promptfoo.settle([log for log in logs if isinstance(log, Run)]))
    written = [log for log in logs if isinstance(log, Total)]
    runs, totals = without_items_twice(runs, written, metric)
    logs, seeded = seeds_as_epochs([*runs, *totals])
    remaining, repeated = latest(told_apart(logs))
    if benchmarks is not None and set(benchmarks) <= {log.benchmark for log in remaining}:
        remaining = [log for log in remaining if log.benchmark in benchmarks]
    notes += [*inferred, *seeded, *repeated]
    chosen, others = chosen_metrics(remaining, metric)
    lacking = sorted({log.benchmark for log in remaining} - set(chosen))
    remaining = [log for log in remaining if chosen.get(log.benchmark) in getattr(log, "scores", {})]
    notes += [note for log in remaining for note in log.notes]
    notes += [*_lacking(lacking, written, metric), *_metrics_said(chosen, others, metric)]
    table = {} if prices is None else _prices(remaining, prices)
    models = sorted({log.model for log in remaining})
    chosen = {name: chosen[name] for name in sorted({log.benchmark for log in remaining})}
    columns, joining = joined([log for log in remaining if isinstance(log, Run)], chosen, table, models)
    sums = [_summary(log, chosen[log.benchmark], table.get(log.written)) for log in remaining if isinstance(log, Total)]
    if not len(columns["score"]) and not sums:
        raise InputError(
            "No answer in the logs has a score.",
            why="There is nothing to compare.",
            mend=f"Name another metric: {option(metric=...)}.",
        )
    return EvalRuns(
        **columns, models=tuple(models), benchmarks=tuple(chosen), totals=tuple(sums), metrics=chosen,
        other_metrics={name: others[name] for name in chosen},
        higher_is_better={name: _way(name, metric, remaining) for name, metric in chosen.items()},
        tools=tools, caveats=few([*notes, *joining]),
    )  # fmt: skip


def _logs(paths: Sequence[Path]) -> tuple[list[Log], list[Caveat]]:
    """Read every log; in a folder what is broken or is none is named, alone it is an error."""
    logs: list[Log] = []
    others: list[str] = []
    broken: list[Unreadable] = []
    for path in paths:
        result, unknown = found_in(path)
        if unknown and not path.is_dir():
            raise InputError(
                f"{path.name} is no log of an evaluation.",
                why=f"Read are those of {_TOOLS}.",
                mend="Read tables of results with tiebreak.read.",
            )
        others += unknown
        for file, kind, name in [item for item in result if item[1] != INSTANCE]:
            try:
                logs += READERS[kind](file, name)
            except Unreadable as error:
                if not path.is_dir():
                    raise
                broken.append(error)
        logs += _instances([item for item in result if item[1] == INSTANCE])
    if not logs:
        raise (
            broken[0]
            if broken
            else InputError(
                f"{' and '.join(map(str, paths))} holds no log of an evaluation.",
                why=f"Read are those of {_TOOLS}.",
                mend="Name the folder that the tool wrote its logs to.",
            )
        )
    notes = [f"{unreadable.what} It is left out." for unreadable in broken]
    if others:
        text = f"{len(others)} file(s) are no logs that are known and were passed over"
        notes.insert(0, f"{text}: {quoted(others, limit=_SHOWN)}.")
    return logs, [Caveat("sources-left-out", text) for text in notes]


def _instances(result: Iterable[tuple[Path, str, str]]) -> list[Log]:
    """Put reports of instances together by model: logs/run_evaluation/RUN/MODEL/INSTANCE/report.json."""
    groups: dict[Path, list[Path]] = {}
    for file, _, _ in result:
        groups.setdefault(file.resolve().parent.parent, []).append(file)
    logs: list[Log] = []
    for folder, files in groups.items():
        source = f"{folder.name}/*/report.json"
        logs += swe_bench.read_instances(files, folder.name, folder.parent.name, source)
    return logs


def _lacking(names: Sequence[str], sums: Sequence[Total], text: str | None) -> list[Caveat]:
    """Say which benchmarks lack what was asked for, or anything with a number per item."""
    if not names:
        return []
    listed = f"{quoted(names, limit=_SHOWN)} {'has' if len(names) == 1 else 'have'} no"
    if text is not None:
        return [Caveat("read-as", f"{listed} metric {text!r} and {_left(names)}.")]
    held = next((name for total in sums if total.benchmark in names for name in total.scores), None)
    more = "" if held is None else f" Means of whole runs are compared by {option(metric=held)}."
    return [Caveat("read-as", f"{listed} metric with a number per item and {_left(names)}.{more}")]


def _left(names: Sequence[str]) -> str:
    return "is left out" if len(names) == 1 else "are left out"


def _metrics_said(
    chosen: Mapping[str, str], others: Mapping[str, tuple[str, ...]], options: str | None
) -> list[Caveat]:
    """Say what was taken where there was a choice."""
    caveats = []
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name, metric in chosen.items():
        if others[name] and options is None:
            groups.setdefault((metric, others[name]), []).append(name)
    for (metric, rest), names in groups.items():
        there = "there is" if len(rest) == 1 else "there are"
        text = f"On {quoted(sorted(names), limit=_SHOWN)} the metric is {metric!r}; {there} also"
        caveats.append(Caveat("read-as", f"{text} {quoted(rest, limit=5)}: {option(metric=rest[0])}."))
    return caveats


def _prices(logs: Sequence[Log], path: str | Path) -> dict[str, Price]:
    """Find the price of every model whose tokens are known."""
    held = {log.written for log in logs if _has_tokens(log)}
    if not held:
        raise OptionError(
            f"{option(prices=str(path))} was given, but no log holds tokens.",
            why="Dollars are tokens times their price.",
            mend="Leave it out, or read logs with token usage.",
        )
    return prices_of(sorted(held), read_prices(path), Path(path).name)


def _has_tokens(log: Log) -> bool:
    used: Any = getattr(log, "usage", {}).get("tokens_in", MISSING)
    return bool(np.any(np.asarray(used, dtype=np.float64) >= 0))


def _summary(log: Total, metric: str, price: Price | None) -> Summary:
    """Sum up what the log summed up; seconds stay those of one item."""
    used: dict[str, Any] = {name: float(value) for name, value in log.usage.items()}
    if price is not None and _has_tokens(log):
        gone = dict.fromkeys(("tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning"), MISSING)
        used["price"] = float(price.dollars({**gone, **used}))
    return Summary(
        benchmark=log.benchmark, model=log.model, metric=metric, score=log.scores[metric], n=log.n,
        passed=log.passed.get(metric), source=log.source, **used,
    )  # fmt: skip


def _way(benchmark: str, metric: str, logs: Sequence[Log]) -> bool | None:
    """Return which way is better: as the logs say, else as the name of the metric does."""
    flags = {log.higher[metric] for log in logs if log.benchmark == benchmark and metric in log.higher}
    if flags:
        return flags.pop() if len(flags) == 1 else None
    return metric_named(metric.partition(",")[0]).higher_is_better


def few(notes: Iterable[Caveat]) -> Caveats:
    """Keep the first notes of each kind, and count the rest."""
    caveats: dict[str, list[Caveat]] = {}
    for note in distinct(notes):
        caveats.setdefault(note.code, []).append(note)
    out = []
    for code, current in caveats.items():
        more = f" {len(current) - _SHOWN} more notes of this kind." if len(current) > _SHOWN else ""
        shown = current[:_SHOWN]
        out += [*shown[:-1], Caveat(code, f"{shown[-1]}{more}")]
    return tuple(out)
