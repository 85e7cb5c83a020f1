"""Verbs that fit learners or repeat a study: `run`, `store`, `recommend` and `study`."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import codes_of
from tiebreak.cli.answering import Answer, check_figure, check_out, emit, finish, save
from tiebreak.cli.parsing import parser_of
from tiebreak.cli.progress import Meter, Shower
from tiebreak.cli.sources import OF_STORES, arguments_of, bases_of, read_file, read_scores, settings_of, store_or_file
from tiebreak.documents import one_line
from tiebreak.documents.layout import screen, wrapped
from tiebreak.errors import OptionError, unknown_name
from tiebreak.verbs.studies import STUDIES
from tiebreak.wording import on_the_command_line, option

if TYPE_CHECKING:
    from tiebreak.advisor.pilot import Trial
    from tiebreak.lab import Plan
    from tiebreak.lab.progress import RunSummary

# ---- run and store

_SHOWN = 8
"""Rows of a table that are printed; --json lists all."""
_LONGEST = 400
"""Signs of a list of names."""
_FAILURES, _LONGEST_FAILURE = 4, 234
"""Failures that are printed, and the signs of each: three lines."""


def run(values: Namespace) -> Answer:
    """Run the plan, or say what would run."""
    from tiebreak.lab import run as run_plan

    plan = _plan(values)
    if values.dry_run:
        return _dry(plan, values)
    shower, summary = Shower(values.progress), None
    try:
        summary = run_plan(plan, **arguments_of(values), events=shower)
    finally:
        shower.end(summary)
    return Answer(data=summary.to_dict, text=_summary_text(summary, plan, values.store), code=summary.exit_code)


def _plan(values: Namespace) -> Plan:
    """Read the plan; learners given by import path may lie beside it, as with a Python program."""
    from tiebreak.lab import read_plan

    beside = str(Path(values.plan).resolve().parent)
    if beside not in sys.path and not values.dry_run:
        sys.path.insert(0, beside)
    plan = read_plan(values.plan, imports=not values.dry_run)
    return plan if values.seed is None else plan.with_seed(values.seed)


def _dry(plan: Plan, values: Namespace) -> Answer:
    """Check the plan and hold it against the store, if there is one; nothing is written."""
    from tiebreak.lab import dry_run

    ready = dry_run(plan, store=values.store, mix_versions=values.mix_versions, shard=values.shard)
    algorithms = [spec.name for spec in ready.specs.values()]
    unchecked = [spec.path for spec in ready.specs.values() if spec.source == "import"]
    data = {"title": ready.title(), "cells": ready.cells, "done": ready.done, "failed": ready.failed}
    data |= {"datasets": ready.rows(), "algorithms": algorithms}
    data |= {"caveats": list(ready.caveats), "caveat_codes": codes_of(ready.caveats)}
    facts = [f"Algorithms: {', '.join(map(one_line, algorithms))}"]
    facts += [f"Not imported, and so not checked: {', '.join(map(one_line, unchecked))}"] if unchecked else []
    facts = [shorten(fact, _LONGEST, placeholder=" ...") for fact in facts]
    table = ready.printed_table()
    more = [f"{len(table.body) - _SHOWN} more data sets: --json"] if len(table.body) > _SHOWN else []
    names = frozenset(place for place, name in enumerate(table.header) if name in ("dataset", "target"))
    shown = replace(table, body=table.body[:_SHOWN], texts=names)
    return Answer(data=lambda: data, text=screen(ready.title(), shown, facts, ready.caveats, more))


def _summary_text(summary: RunSummary, plan: Plan, store: str) -> str:
    parts = [wrapped([line]) if line.startswith("- ") else line for line in str(summary).splitlines()]
    if summary.failures:
        text = "{algorithm} on {dataset}: {cells} {status}: {reason}"
        failures = [one_line(text.format(**row)) for row in summary.failures[:_FAILURES]]
        parts += ["", wrapped(shorten(failure, _LONGEST_FAILURE, placeholder=" ...") for failure in failures)]
        rest = len(summary.failures) - _FAILURES
        parts += [f"... and {rest} more: --json lists all."] if rest > 0 else []
    if summary.counts["ok"] and not summary.interrupted:
        shown = store if "://" not in store else "URL"  # an address may hold a password
        score = "error" if summary.kind == "classes" else "relative_rmse"
        if any(caveat.code == "validation-scores" for caveat in summary.caveats) and plan.resampling.test > 0:
            score = f"test_{score}"  # those of the folds flatter whoever chose its settings on them
        parts += ["", f"Next: tiebreak order --store {shown} --score {score} --cost train_time{_share(plan)}"]
    return "\n".join(parts)


def _share(plan: Plan) -> str:
    """Return what `tiebreak order` must know of repeated hold-out: how much two splits overlap."""
    scheme = plan.resampling
    return f" --test-share {scheme.holdout:.3g}" if scheme.kind == "holdout" and scheme.replications > 1 else ""


def store(values: Namespace) -> Answer:
    """Import, export, then say what is there."""
    from tiebreak.lab.contents import check_import, is_store, store as function

    source = vars(values)["import"]
    settings = bool(values.where) or "?" in str(source)
    check_import(source, values.origin, reading=settings)
    arguments = arguments_of(values, source=source)
    arguments.pop("score", None)
    if source is not None and not is_store(source):
        arguments["source"] = read_file(values, source)  # before the store is touched
    result = replace(function(values.store, **arguments), source=source)
    return Answer(data=result.to_dict, text=str(result))


# ---- recommend

_TRIAL = "algorithm status score score_name rmse seconds best_so_far expected_loss folds stored reason then".split()
"""What programs get of a trial."""


def recommend(values: Namespace) -> Answer:
    """Learn, recommend; with a time, try it out too."""
    from tiebreak.advisor.pilot.recommend import recommend as function

    _check(values)
    options = arguments_of(values, base=bases_of(values))
    if values.neighbours.lstrip("-").isdigit():
        options["neighbours"] = int(values.neighbours)
    if values.results or (values.store and values.run is None):
        options.pop("score", None)
    if values.run is None:
        return _answer(function(values.data, **options), values)
    shower = Shower(values.progress)

    def show_trial(trial: Trial) -> None:
        shower.trial(_line(trial), {name: getattr(trial, name) for name in _TRIAL})

    if values.store is not None:
        options["store"] = settings_of(values.store, OF_STORES)[0]
    try:
        recommendation = function(values.data, events=shower, progress=show_trial, **options)
    finally:
        shower.end()
    return _answer(recommendation, values, code=130 if getattr(recommendation, "stopped", "") == "interrupted" else 0)


def _answer(result: Any, values: Namespace, code: int = 0) -> Answer:
    """Write the code that fits the answer where it is wanted, and show the answer."""
    lines = getattr(result, "code", None)
    if values.code and lines is not None:
        emit(lines.text, values.code)
    return Answer(shown=(result,), code=code)


def _check(values: Namespace) -> None:
    """Checked before anything is loaded, which may take long."""
    if bool(values.data) == bool(values.known):
        what = "Data and a known data set were named." if values.data else "No data were named."
        raise OptionError(what, mend=f"Give a file, such as data.csv, or {option(known=...)}, a known data set.")
    given = [name for name in ("jobs", "stop_below") if getattr(values, name) is not None]
    if values.run is None and given:
        mend = f"Add {option(run='10min')}, or leave it out."
        raise OptionError(f"{option(given[0])} was given without {option('run')}.", mend=mend)
    if values.meta and not (values.results or values.store):
        mend = f"Add {option(results=...)}."
        raise OptionError(f"{option('meta')} was given without {option('results')}.", mend=mend)


def _line(trial: Trial) -> str:
    name = one_line(trial.algorithm)
    if trial.status != "ok" or trial.score is None:
        why = f" ({one_line(trial.reason.partition(chr(10))[0])[:100]})" if trial.reason else ""
        return f"{name}: {trial.status} after {trial.folds} fold(s){why}"
    text = ", from the store" if trial.stored else f" in {trial.seconds:.1f} s"
    best = "the best so far" if trial.score == trial.best_so_far else f"best so far {trial.best_so_far:.4f}"
    loss = f"expected loss of the best {trial.expected_loss:.4f}"
    return f"{name}: {trial.score_name} {trial.score:.4f} on {trial.folds} fold(s){text}, {best}; {loss}"


# ---- study

_RUNNING = ("measures", "ulas2012")
"""Studies that run learners, and show how far they are as a run does."""


def study(values: Namespace) -> None:
    """Read the options of the study that was named, run it, and print what it found."""
    name = values.name
    if name not in STUDIES:
        raise unknown_name("study", name, STUDIES, limit=len(STUDIES))
    options = parser_of(f"study {name}").parse_args(values.rest)
    options.verb = f"study {name}"
    if getattr(options, "seed", 0) < 0:
        raise OptionError(f"--seed is {options.seed}.", mend="Use --seed 0, or a larger number.")
    check_out(options)
    if hasattr(options, "figure"):
        check_figure(options)
    with on_the_command_line(options.verb):
        result = _run_study(name, options)
        finish(Answer(shown=(result,)), options)


def _run_study(name: str, values: Namespace) -> Any:
    """Run a study with its inputs and options, and draw its figure if one is requested."""
    from tiebreak.studies.result import study as function

    options = arguments_of(values)
    question = options.pop("question", None)
    if options.pop("no_run", False):
        options["run"] = False
    if name == "replicability":
        options.setdefault("jobs", os.cpu_count() or 1)
    meter = Meter() if name in _RUNNING else None
    if name != "wins":
        options["progress"] = meter or _steps(name)
    try:
        about, reading = _about(name, values)
        result = function(name, *about, **options, **reading)
    finally:
        if meter is not None:
            meter.end()
    if getattr(values, "figure", None):
        from tiebreak.studies.replicability_study import SHORT

        drawn = {} if question is None else {"question": dict(zip(SHORT.values(), SHORT, strict=True))[question]}
        save(result.figure(**drawn), values)
    return result


def _steps(what: str) -> Callable[[str], None] | None:
    """Return what reports the steps on standard error, where a terminal is."""
    return (lambda text: print(f"{what}: {text}", file=sys.stderr)) if sys.stderr.isatty() else None


def _about(name: str, values: Namespace) -> tuple[list[Any], dict[str, Any]]:
    """Return what a study is about, and how to read it; without, each takes what the package carries."""
    if name in ("advisor", "advice"):
        from tiebreak.advisor import merge_knowledge, open_base

        return [merge_knowledge(list(map(open_base, values.base)))] if values.base else [], {}
    if name == "ulas2012":
        return [values.folder] if values.folder else [], {}
    if name == "validation":
        return store_or_file(values)
    if name not in ("choices", "wins", "replicability"):
        return [], {}
    if name == "choices":
        names = [path if ":" in path else Path(path).name.split(".")[0] for path in values.results]
        return [{name: _read(values, path) for name, path in zip(names, values.results, strict=True)} or None], {}
    where = {} if values.results or name != "wins" else {"where": values.where}
    return [_read(values)] if values.results else [], where


def _read(values: Namespace, path: str | None = None) -> Any:
    """Read one table, or all that were named."""
    one = Namespace(**{"store": None, "where": [], "column": [], **vars(values)})
    one.results = values.results if path is None else [path]
    cost = getattr(values, "cost", None)
    return read_scores(one, one.score, also=[cost] if cost else ())
