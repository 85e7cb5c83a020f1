"""`tiebreak run`: from a plan to a store full of results."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tiebreak.caveats import codes_of
from tiebreak.cli import options
from tiebreak.cli.helping import READ, WRITE, add_verb, group
from tiebreak.cli.run_progress import Shower
from tiebreak.documents import one_line
from tiebreak.documents.layout import text_table

if TYPE_CHECKING:
    from tiebreak.lab import Plan
    from tiebreak.lab.run_summary import RunSummary

RUN, EARLY = "how to run", "when to end"
_PASSED = ("store", "engine", "jobs", "retry", "changed", "mix_versions", "budget", "sets", "until", "score", "alpha")
"""The options that the run itself takes."""
_SHOWN = 20
"""Kinds of failures that are printed; --json lists all."""


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "run",
        help="run algorithms on data sets by a plan; resumable, timed, into a store",
        description="Run a plan: data sets x algorithms x resampling. What the store holds already is not run again.",
        takes="PLAN.toml",
        titles=(READ, RUN, EARLY, WRITE),
        examples=["examples/plan.toml --dry-run", "examples/plan.toml --store results.db --budget 30min --live"],
    )
    read, how = group(verb, READ), group(verb, RUN)
    read.add_argument("plan", metavar="PLAN.toml", help="what to run; see docs/lab.md")
    read.add_argument("--seed", type=int, metavar="N", help="in place of the plan's seed")
    how.add_argument("--engine", default="local", metavar="NAME", help="local (default) or dask://HOST:PORT")
    how.add_argument("--jobs", type=int, metavar="N", help="cells at a time on this machine; default: the cores")
    how.add_argument("--dry-run", action="store_true", help="check the plan and say what would run")
    again = "run failed cells again: error, timeout, memory, crash"
    how.add_argument("--retry", action="append", default=[], metavar="STATUS", help=again)
    other = "a learner that changed under its name: refuse (default), or rename the stored one and run both"
    how.add_argument("--changed", default="refuse", metavar="RULE", help=other)
    mixed = "run on beside cells of other versions of the libraries"
    how.add_argument("--mix-versions", action="store_true", help=mixed)
    _add_early(verb)
    to = "default results.db; or postgresql://..."
    write = group(verb, WRITE)
    write.add_argument("--store", default="results.db", metavar="URL", help=to)
    shown = "auto (default: a line on a terminal, else one now and then), none, jsonl (standard error) or FILE.jsonl"
    write.add_argument("--progress", default="auto", metavar="FORM", help=shown)
    write.add_argument("--live", action="store_true", help="show the standing of the algorithms so far, too")
    options.add_formats(verb, documents=False)
    verb.set_defaults(run=run)


def _add_early(verb: argparse.ArgumentParser) -> None:
    """Add the options of runs that may end before their plan."""
    early = group(verb, EARLY)
    limit = "end after so long: 90s, 30min, 2h by the clock, 30min-cpu of CPU time; what is done can be compared"
    early.add_argument("--budget", metavar="TIME", help=limit)
    order = "order of data sets: listed, random or cheap; default: random with a budget, else listed"
    early.add_argument("--sets", metavar="ORDER", help=order)
    stop = "stop running algorithms that are settled: settled (every pair is decided) or best (those not the best stop)"
    early.add_argument("--until", metavar="WHAT", help=stop)
    early.add_argument("--alpha", type=float, default=0.05, metavar="X", help="significance level of --until")
    early.add_argument("--score", metavar="NAME", help="what is judged by (default error, or rmse)")


def run(arguments: argparse.Namespace) -> int | None:
    """Run the plan, or say what would run."""
    from tiebreak.lab import run as run_plan

    options.stdout_utf8()
    plan = _plan(arguments)
    if arguments.dry_run:
        _dry(plan, arguments)
        return None
    chosen = {name: getattr(arguments, name) for name in _PASSED}
    shower, summary = Shower(arguments.progress, live=arguments.live), None
    try:
        summary = run_plan(plan, **chosen, events=shower)
    finally:
        shower.end(summary)
    print(options.as_json(summary.to_dict()) if arguments.json else _text(summary, plan, arguments.store))
    return 130 if summary.interrupted else None


def _plan(arguments: argparse.Namespace) -> Plan:
    """Read the plan; learners given by import path may lie beside it, as with a Python program."""
    from tiebreak.lab import read_plan

    beside = str(Path(arguments.plan).resolve().parent)
    if beside not in sys.path:
        sys.path.insert(0, beside)
    plan = read_plan(arguments.plan)
    return plan if arguments.seed is None else plan.with_seed(arguments.seed)


def _dry(plan: Plan, arguments: argparse.Namespace) -> None:
    """Check the plan and hold it against the store, if there is one; nothing is written."""
    from tiebreak.lab import dry_run

    chosen = {name: getattr(arguments, name) for name in ("store", "changed", "mix_versions")}
    ready = dry_run(plan, **chosen)
    if arguments.json:
        found = {"title": ready.title(), "cells": ready.cells, "done": ready.done, "failed": ready.failed}
        rows = {"datasets": ready.rows(), "algorithms": [each.name for each in ready.specs.values()]}
        notes = {"caveats": list(ready.caveats), "caveat_codes": codes_of(ready.caveats)}
        print(options.as_json(found | rows | notes))
        return
    print(ready)
    print("Algorithms: " + ", ".join(one_line(each.name) for each in ready.specs.values()))


def _text(summary: RunSummary, plan: Plan, store: str) -> str:
    parts = [str(summary)]
    if summary.failures:
        header = ["data set", "algorithm", "status", "cells", "reason"]
        cells = [[str(value) for value in row.values()] for row in summary.failures[:_SHOWN]]
        parts += ["", text_table(header, [[*row[:4], one_line(row[4])[:100]] for row in cells], left=3)]
        rest = len(summary.failures) - _SHOWN
        parts += [f"... and {rest} more: --json lists all."] if rest > 0 else []
    if summary.settled is not None:
        parts += ["", str(replace(summary.settled, caveats=()))]
    if summary.counts["ok"] and not summary.interrupted:
        shown = store if "://" not in store else "URL"  # an address may hold a password
        score = "error" if summary.kind == "classes" else "relative_rmse"
        if any(each.code == "validation-scores" for each in summary.caveats) and plan.resampling.test > 0:
            score = f"test_{score}"  # those of the folds flatter whoever chose its settings on them
        needed = _share(plan) + _stopped(summary)
        parts += ["", f"Next: tiebreak order --store {shown} --score {score} --cost train_time{needed}"]
    return "\n".join(parts)


def _share(plan: Plan) -> str:
    """Return what `tiebreak order` must know of repeated hold-out: how much two splits overlap."""
    scheme = plan.resampling
    return f" --test-share {scheme.holdout:.3g}" if scheme.kind == "holdout" and scheme.replications > 1 else ""


def _stopped(summary: RunSummary) -> str:
    """Return the option with which `tiebreak order` allows for algorithms that were stopped, where some were."""
    stopped = summary.settled.reasons() if summary.settled is not None and summary.ended else {}
    left = [] if summary.settled is None else [name for name in summary.settled.algorithms if name not in stopped]
    if not stopped:
        return ""
    if len(left) > 1 and not any(set(name) & set(", '\"") for name in left):
        return f" --algorithms {','.join(left)}"
    return " --pairwise anytime"
