"""`tiebreak run`: from a plan to a store full of results."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tiebreak.caveats import codes_of
from tiebreak.cli import options
from tiebreak.cli.helping import READ, WRITE, add_verb, group
from tiebreak.documents import one_line, text_table

if TYPE_CHECKING:
    from tiebreak.lab import Plan, Progress, RunSummary

RUN = "how to run"
_EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal."""
_FIRST = 2.0
"""Seconds before the first such line."""
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
        titles=(READ, RUN, WRITE),
        examples=["examples/plan.toml --dry-run", "examples/plan.toml --store results.db --jobs 2"],
    )
    read, how = group(verb, READ), group(verb, RUN)
    read.add_argument("plan", metavar="PLAN.toml", help="what to run; see docs/lab.md")
    read.add_argument("--seed", type=int, metavar="N", help="in place of the plan's seed")
    how.add_argument("--engine", default="local", metavar="NAME", help="local (default) or dask://HOST:PORT")
    how.add_argument("--jobs", type=int, metavar="N", help="cells at a time on this machine; default: the cores")
    how.add_argument("--dry-run", action="store_true", help="check the plan and say what would run")
    again = "run failed cells again: error, timeout, memory, crash"
    how.add_argument("--retry", action="append", default=[], metavar="STATUS", help=again)
    to = "default results.db; or postgresql://..."
    group(verb, WRITE).add_argument("--store", default="results.db", metavar="URL", help=to)
    verb.add_argument("--alpha", type=float, help=argparse.SUPPRESS)  # every verb takes it; nothing is tested here
    options.add_formats(verb, documents=False)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int | None:
    """Run the plan, or say what would run."""
    from tiebreak.lab import run as run_plan

    options.stdout_utf8()
    plan = _plan(arguments)
    if arguments.dry_run:
        _dry(plan, arguments)
        return None
    meter = Meter()
    chosen = {name: getattr(arguments, name) for name in ("store", "engine", "jobs", "retry")}
    try:
        summary = run_plan(plan, **chosen, progress=meter)
    finally:
        meter.end()
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

    ready = dry_run(plan, store=arguments.store)
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
    if summary.counts["ok"] and not summary.interrupted:
        shown = store if "://" not in store else "URL"  # an address may hold a password
        score = "error" if summary.kind == "classes" else "relative_rmse"
        parts += ["", f"Next: tiebreak order --store {shown} --score {score} --cost train_time{_pairwise(plan)}"]
    return "\n".join(parts)


def _pairwise(plan: Plan) -> str:
    """Return the option with which `tiebreak order` tests the folds of this resampling, if it needs one."""
    scheme = plan.resampling
    if scheme.kind == "holdout":
        return " --pairwise score"
    return "" if (scheme.replications, scheme.folds) == (5, 2) else " --pairwise corrected-t"


class Meter:
    """Shows progress on standard error: a bar on a terminal, a line now and then elsewhere."""

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()
        self.said = time.monotonic() - (_EVERY - _FIRST)
        self.estimated = False

    def __call__(self, now: Progress) -> None:
        """Show how far the run is, if it is time to."""
        first = now.remaining is not None and not self.estimated  # the estimate is shown as soon as there is one
        due = 0.1 if self.terminal else _EVERY
        if time.monotonic() - self.said < due and now.done < now.total and not first:
            return
        self.said = time.monotonic()
        self.estimated = self.estimated or first
        text = _words(now)
        if self.terminal:
            full = int(20 * now.done / max(now.total, 1))
            print(f"\r[{'#' * full}{'.' * (20 - full)}] {text}\x1b[K", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line of the bar."""
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _words(now: Progress) -> str:
    """The rest of the time is left out until it can be told, and at the end."""
    notes = [f"{now.rate:.1f} a second"] if now.rate else []
    notes += [f"{now.failed} failed"] if now.failed else []
    if now.remaining is not None and now.done < now.total:
        notes.append(f"about {_duration(now.remaining)} to go")
    return f"{now.done} of {now.total} cells" + (f" ({', '.join(notes)})" if notes else "")


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
