"""Files and folders of logs in, one frozen table of answers out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.readers.logs import _promptfoo, _swe_bench
from tiebreak.readers.logs._choosing import (
    broken_off,
    chosen_metrics,
    latest,
    seeds_as_epochs,
    told_apart,
    without_items_twice,
)
from tiebreak.readers.logs._finding import INSTANCE, READERS, found_in
from tiebreak.readers.logs._joining import Joined
from tiebreak.readers.logs._logs import MISSING, Log, Run, Total
from tiebreak.readers.logs._opening import Unreadable
from tiebreak.readers.logs._prices import Price, prices_of, read_prices
from tiebreak.readers.logs._result import EvalRuns, Summary
from tiebreak.results.metrics import metric_named
from tiebreak.wording import option

_TOOLS = "Inspect, lm-evaluation-harness, promptfoo, SWE-bench, Aider, HELM and OpenAI evals"
_SHOWN = 3
"""So many notes of one kind are told; the rest is counted."""


def read_runs(
    path: str | Path | Sequence[str | Path],
    *,
    metric: str | None = None,
    prices: str | Path | None = None,
    seeds_apart: bool = False,
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
    seeds_apart : bool, default False
        Whether runs that differ in their seed alone are models of their own.

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
    >>> found = read_runs(folder)
    >>> found.models, found.benchmarks, found.clusters
    (('large', 'small'), ('SWE-bench',), ('django/django',))
    >>> [(each.model, each.passed, each.n) for each in found.summaries()]
    [('large', 3.0, 4), ('small', 1.0, 4)]
    """
    paths = [path] if isinstance(path, (str, Path)) else list(path)
    logs, notes = _logs([Path(each) for each in paths])
    tools = tuple(dict.fromkeys(each.tool for each in logs))
    runs, inferred = _swe_bench.settle(_promptfoo.settle([each for each in logs if isinstance(each, Run)]))
    written = [each for each in logs if isinstance(each, Total)]
    runs, totals = without_items_twice(runs, written, metric)
    logs, seeded = ([*runs, *totals], []) if seeds_apart else seeds_as_epochs([*runs, *totals])
    kept, repeated = latest(told_apart(logs))
    notes += [*inferred, *seeded, *repeated]
    chosen, others = chosen_metrics(kept, metric)
    lacking = sorted({each.benchmark for each in kept} - set(chosen))
    kept = [each for each in kept if chosen.get(each.benchmark) in getattr(each, "scores", {})]
    notes += [note for each in kept for note in each.notes]
    notes += [*_lacking(lacking, written, metric), *_metrics_said(chosen, others, metric)]
    table = None if prices is None else _prices(kept, prices)
    joined = Joined(models=sorted({each.model for each in kept}), benchmarks=sorted({each.benchmark for each in kept}))
    for each in kept:
        if isinstance(each, Run):
            joined.add(each, chosen[each.benchmark], (table or {}).get(each.written))
    sums = [
        _summary(each, chosen[each.benchmark], (table or {}).get(each.written))
        for each in kept
        if isinstance(each, Total)
    ]
    _check_some(joined, sums)
    notes = [*_broken_benchmarks(kept, joined.benchmarks), *notes]
    ways = {name: _way(name, chosen[name], kept) for name in joined.benchmarks}
    return EvalRuns(
        **joined.columns(),
        totals=tuple(sums),
        metrics={name: chosen[name] for name in joined.benchmarks},
        other_metrics={name: others[name] for name in joined.benchmarks},
        higher_is_better=ways,
        tools=tools,
        caveats=few([*notes, *joined.notes()]),
    )


def _logs(paths: Sequence[Path]) -> tuple[list[Log], list[Caveat]]:
    """Read every log; in a folder what is broken or is none is named, alone it is an error."""
    logs: list[Log] = []
    others: list[str] = []
    broken: list[Unreadable] = []
    for path in paths:
        found, unknown = found_in(path)
        if unknown and not path.is_dir():
            raise _no_log(path)
        others += unknown
        for file, kind, name in [each for each in found if each[1] != INSTANCE]:
            try:
                logs += READERS[kind](file, name)
            except Unreadable as error:
                if not path.is_dir():
                    raise
                broken.append(error)
        logs += _instances([each for each in found if each[1] == INSTANCE])
    if not logs:
        raise broken[0] if broken else _nothing(paths)
    return logs, [
        *_passed_over(others),
        *(Caveat("sources-left-out", f"{each.what} It is left out.") for each in broken),
    ]


def _no_log(path: Path) -> InputError:
    return InputError(
        f"{path.name} is no log of an evaluation.",
        why=f"Read are those of {_TOOLS}.",
        mend="Read tables of results with tiebreak.read.",
    )


def _nothing(paths: Sequence[Path]) -> InputError:
    return InputError(
        f"{' and '.join(map(str, paths))} holds no log of an evaluation.",
        why=f"Read are those of {_TOOLS}.",
        mend="Name the folder that the tool wrote its logs to.",
    )


def _instances(found: Iterable[tuple[Path, str, str]]) -> list[Log]:
    """Put reports of instances together by model: logs/run_evaluation/RUN/MODEL/INSTANCE/report.json."""
    groups: dict[Path, list[Path]] = {}
    for file, _, _ in found:
        groups.setdefault(file.resolve().parent.parent, []).append(file)
    logs: list[Log] = []
    for folder, files in groups.items():
        source = f"{folder.name}/*/report.json"
        logs += _swe_bench.read_instances(files, folder.name, folder.parent.name, source)
    return logs


def _passed_over(names: Sequence[str]) -> list[Caveat]:
    if not names:
        return []
    text = f"{len(names)} file(s) are no logs that are known and were passed over: {quoted(names, limit=_SHOWN)}."
    return [Caveat("sources-left-out", text)]


def _lacking(names: Sequence[str], sums: Sequence[Total], asked: str | None) -> list[Caveat]:
    """Say which benchmarks lack what was asked for, or anything with a number per item."""
    if not names:
        return []
    listed = f"{quoted(names, limit=_SHOWN)} {'has' if len(names) == 1 else 'have'} no"
    if asked is not None:
        return [Caveat("read-as", f"{listed} metric {asked!r} and {_left(names)}.")]
    held = next((name for each in sums if each.benchmark in names for name in each.scores), None)
    more = "" if held is None else f" Means of whole runs are compared by {option(metric=held)}."
    return [Caveat("read-as", f"{listed} metric with a number per item and {_left(names)}.{more}")]


def _broken_benchmarks(logs: Sequence[Log], benchmarks: Sequence[str]) -> list[Caveat]:
    """Ask whether benchmarks of which no run ended well are to count as much as the others."""
    sound = {each.benchmark for each in logs if not broken_off(each)}
    broken = [name for name in benchmarks if name not in sound]
    if not broken or not sound:
        return []
    rest = option(datasets=[name for name in benchmarks if name in sound])
    text = (
        f"No run on {quoted(broken, limit=_SHOWN)} ended well, and {'it counts' if len(broken) == 1 else 'they count'}"
    )
    return [Caveat("runs-unfinished", f"{text} as much as every other benchmark. Without: {rest}.")]


def _left(names: Sequence[str]) -> str:
    return "is left out" if len(names) == 1 else "are left out"


def _metrics_said(chosen: Mapping[str, str], others: Mapping[str, tuple[str, ...]], asked: str | None) -> list[Caveat]:
    """Say what was taken where there was a choice."""
    said = []
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name, metric in chosen.items():
        if others[name] and asked is None:
            groups.setdefault((metric, others[name]), []).append(name)
    for (metric, rest), names in groups.items():
        there = "there is" if len(rest) == 1 else "there are"
        text = f"On {quoted(sorted(names), limit=_SHOWN)} the metric is {metric!r}; {there} also"
        said.append(Caveat("read-as", f"{text} {quoted(rest, limit=5)}: {option(metric=rest[0])}."))
    return said


def _prices(logs: Sequence[Log], path: str | Path) -> dict[str, Price]:
    """Find the price of every model whose tokens are known."""
    held = {each.written for each in logs if _has_tokens(each)}
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


def _check_some(joined: Joined, sums: Sequence[Summary]) -> None:
    if not joined.count and not sums:
        raise InputError(
            "No answer in the logs has a score.",
            why="There is nothing to compare.",
            mend=f"Name another metric: {option(metric=...)}.",
        )


def _way(benchmark: str, metric: str, logs: Sequence[Log]) -> bool | None:
    """Return which way is better: as the logs say, else as the name of the metric does."""
    told = {each.higher[metric] for each in logs if each.benchmark == benchmark and metric in each.higher}
    if told:
        return told.pop() if len(told) == 1 else None
    return metric_named(metric.partition(",")[0]).higher_is_better


def few(notes: Iterable[Caveat]) -> Caveats:
    """Keep the first notes of each kind, and count the rest."""
    kept: dict[str, list[Caveat]] = {}
    for note in distinct(notes):
        kept.setdefault(note.code, []).append(note)
    out = []
    for code, own in kept.items():
        more = f" {len(own) - _SHOWN} more notes of this kind." if len(own) > _SHOWN else ""
        shown = own[:_SHOWN]
        out += [*shown[:-1], Caveat(code, f"{shown[-1]}{more}")]
    return tuple(out)
