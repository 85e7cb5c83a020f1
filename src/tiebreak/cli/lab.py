"""`tiebreak run` and `tiebreak store`: from a plan to a store full of results; what a store holds, and what goes in."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from tiebreak.caveats import codes_of
from tiebreak.cli.answering import Answer
from tiebreak.cli.progress import Shower
from tiebreak.cli.sources import OF_FILES, arguments_of, part_of, roles, settings_of
from tiebreak.documents import one_line
from tiebreak.documents.layout import screen, wrapped

if TYPE_CHECKING:
    from tiebreak.lab import Plan
    from tiebreak.lab.progress import RunSummary
    from tiebreak.results import Results

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
    return Answer(data=summary.to_dict, text=_text(summary, plan, values.store), code=summary.exit_code)


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

    chosen = {name: getattr(values, name) for name in ("store", "mix_versions", "shard")}
    ready = dry_run(plan, **chosen)
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
    shown = replace(table, body=table.body[:_SHOWN])
    return Answer(data=lambda: data, text=screen(ready.title(), shown, facts, ready.caveats, more))


def _text(summary: RunSummary, plan: Plan, store: str) -> str:
    parts = [str(summary)]
    if summary.failures:
        failures = [
            f"{row['algorithm']} on {row['dataset']}: {row['cells']} {row['status']}: {row['reason']}"
            for row in summary.failures[:_FAILURES]
        ]
        parts += ["", wrapped(shorten(one_line(failure), _LONGEST_FAILURE, placeholder=" ...") for failure in failures)]
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
        arguments["source"] = _table(values, source)  # before the store is touched
    result = replace(function(values.store, **arguments), source=source)
    return Answer(data=result.to_dict, text=str(result))


def _table(values: Namespace, source: str) -> Results:
    from tiebreak.readers import read
    from tiebreak.results.roles import on_one_scale

    path, how = settings_of(source, OF_FILES)
    part, where = part_of(values.where)
    scale = how.pop("normalise_cost", None)
    table = read(path, scores=values.score or None, columns=roles(values.column), where=where, **part, **how)
    return on_one_scale(table, scale)
