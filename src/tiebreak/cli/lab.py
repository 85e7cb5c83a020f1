"""`tiebreak run` and `tiebreak store`: from a plan to a store full of results; what a store holds, and what goes in."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import codes_of
from tiebreak.cli.answering import Answer
from tiebreak.cli.progress import Shower
from tiebreak.cli.sources import OF_FILES, on_one_scale, part_of, roles, settings_of
from tiebreak.cli.stored import calibrate, contents, coverage, text_of
from tiebreak.documents import one_line
from tiebreak.documents.layout import text_table
from tiebreak.errors import OptionError
from tiebreak.verbs import verb_of

if TYPE_CHECKING:
    from tiebreak.lab import Plan
    from tiebreak.lab.progress import RunSummary
    from tiebreak.results import Results
    from tiebreak.store import Store
    from tiebreak.store.exchange import Merge

_SHOWN = 20
"""Kinds of failures that are printed; --json lists all."""


def run(values: Namespace) -> Answer:
    """Run the plan, or say what would run."""
    from tiebreak.lab import run as run_plan

    plan = _plan(values)
    if values.dry_run:
        return _dry(plan, values)
    chosen = {each.name: getattr(values, each.key) for each in verb_of("run").flags if each.argument}
    shower, summary = Shower(values.progress), None
    try:
        summary = run_plan(plan, **chosen, events=shower)
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

    chosen = {name: getattr(values, name) for name in ("store", "changed", "mix_versions", "shard")}
    ready = dry_run(plan, **chosen)
    algorithms = [each.name for each in ready.specs.values()]
    unchecked = [each.path for each in ready.specs.values() if each.source == "import"]
    data = {"title": ready.title(), "cells": ready.cells, "done": ready.done, "failed": ready.failed}
    data |= {"datasets": ready.rows(), "algorithms": algorithms}
    data |= {"caveats": list(ready.caveats), "caveat_codes": codes_of(ready.caveats)}
    lines = [str(ready), f"Algorithms: {', '.join(map(one_line, algorithms))}"]
    lines += [f"Not imported, and so not checked: {', '.join(map(one_line, unchecked))}"] if unchecked else []
    return Answer(data=lambda: data, text="\n".join(lines))


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
        return f' --where "algorithm in {",".join(left)}"'
    return " --pairwise anytime"


def store(values: Namespace) -> Answer:
    """Import, export, then say what is there."""
    from tiebreak.store import open_store

    values.source = vars(values)["import"]
    imported, exported, merged = None, None, None
    if values.source is not None and _is_store(values.source):
        values.kind = "store"
    _check(values)
    table = _table(values)
    with open_store(values.store, create=values.source is not None) as opened:
        if values.source is not None:
            merged = _merge(opened, values) if _is_store(values.source) else None
            imported = _import(opened, table, values) if merged is None else merged.cells
        if values.calibrate:
            calibrate(opened)
        if values.export is not None:
            exported = opened.export(values.export)
        sizes = opened.compact() if values.compact else None
        found = contents(opened) | ({"coverage": coverage(opened)} if values.coverage else {})
    caveats = () if table is None else table.caveats
    more: dict[str, Any] = {"imported": imported, "exported": exported, "compacted": sizes}
    if merged is not None:
        more |= {"conflicts": list(merged.conflicts), "renamed": list(merged.renamed)}
    more |= {"caveats": list(caveats), "caveat_codes": codes_of(caveats)}
    parts = [] if imported is None else [f"{imported} cell(s) imported from {values.source}"]
    parts += [] if merged is None else merged.sentences()
    parts += ["Caveats:", *(f"- {note}" for note in caveats), ""] if caveats else []
    parts += [] if exported is None else [f"{exported} cell(s) written to {values.export}"]
    parts += [] if sizes is None else [f"compacted: {sizes[0] / 1e6:.1f} MB before, {sizes[1] / 1e6:.1f} MB now"]
    return Answer(data=lambda: found | more, text="\n".join([*parts, text_of(dict(found))]))


def _check(values: Namespace) -> None:
    """Results of others must say whose they are; another store's export says so itself."""
    if values.source is None and values.origin is not None:
        raise OptionError(
            f"--origin {values.origin!r} was given without --import.",
            why="It says whose results are imported.",
            mend="Add --import FILE, or leave it out.",
        )
    if values.source is not None and values.origin is None and values.kind != "store":
        raise OptionError(
            "--import was given without --origin.",
            why="Imported results stand beside those run here, and must say whose they are.",
            mend="Add --origin 'Demsar 2006'; for the export of another store, --kind store.",
        )
    if (values.where or "?" in str(values.source)) and (values.source is None or values.kind != "results"):
        raise OptionError(
            "--where was given without a table to import."
            if values.where
            else f"{values.source} has settings, and is no table of results.",
            why="It says how a table of results is read.",
            mend="Add --import FILE without another --kind, or leave it out.",
        )


def _table(values: Namespace) -> Results | None:
    """Read what is to be imported, before the store is touched; None for the export of a store."""
    if values.source is None or values.kind == "store":
        return None
    from tiebreak.readers import read

    columns = roles(values.column)
    path, how = settings_of(values.source, OF_FILES)
    part, where = part_of(values.where)
    scale = how.pop("normalise_cost", None)
    table = read(path, scores=values.score or None, columns=columns, where=where, **part, **how)
    return on_one_scale(table, scale)


def _is_store(source: str) -> bool:
    return "://" in source or source.lower().endswith((".db", ".sqlite", ".sqlite3"))


def _merge(opened: Store, values: Namespace) -> Merge:
    """Read another store into this one; a store that does not exist is not created."""
    from tiebreak.store import open_store

    with open_store(values.source, create=False) as other:
        return opened.import_store(other, origin=values.origin)


def _import(opened: Store, table: Results | None, values: Namespace) -> int:
    if table is None:
        return opened.import_rows(values.source, origin=values.origin)
    return opened.import_results(table, origin=values.origin)
