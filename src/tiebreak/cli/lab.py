"""`tiebreak run` and `tiebreak store`: from a plan to a store full of results; what a store holds, and what goes in."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import codes_of
from tiebreak.cli.answering import Answer
from tiebreak.cli.progress import Shower
from tiebreak.cli.sources import OF_FILES, arguments_of, part_of, roles, settings_of
from tiebreak.documents import one_line
from tiebreak.documents.layout import text_table
from tiebreak.errors import OptionError
from tiebreak.stores.records import FAILED, OPEN

if TYPE_CHECKING:
    from tiebreak.lab import Plan
    from tiebreak.lab.progress import RunSummary
    from tiebreak.results import Results
    from tiebreak.stores import Store
    from tiebreak.stores.exchange import Merge

_SHOWN = 20
"""Rows of a table that are printed; --json lists all."""


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
    from tiebreak.stores import open_store

    values.source = vars(values)["import"]
    imported, exported, merged = None, None, None
    _check(values)
    table = _table(values)
    with open_store(values.store, create=values.source is not None) as opened:
        if table is not None:
            imported = opened.import_results(table, origin=values.origin)
        elif values.source is not None:
            merged = _merge(opened, values)
            imported = merged.cells
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
    """Results of others must say whose they are; another store says so itself."""
    if values.source is None and values.origin is not None:
        raise OptionError(
            f"--origin {values.origin!r} was given without --import.",
            why="It says whose results are imported.",
            mend="Add --import FILE, or leave it out.",
        )
    of_table = values.source is not None and not _is_store(values.source)
    if of_table and values.origin is None:
        raise OptionError(
            "--import was given without --origin.",
            why="Imported results stand beside those run here, and must say whose they are.",
            mend="Add --origin 'Demsar 2006'; for another store, give its address or its .db file.",
        )
    if (values.where or "?" in str(values.source)) and not of_table:
        raise OptionError(
            "--where was given without a table to import."
            if values.where
            else f"{values.source} has settings, and is no table of results.",
            why="It says how a table of results is read.",
            mend="Add --import FILE, or leave it out.",
        )


def _table(values: Namespace) -> Results | None:
    """Read what is to be imported, before the store is touched; None for a store."""
    if values.source is None or _is_store(values.source):
        return None
    from tiebreak.readers import read
    from tiebreak.results.hosts import on_one_scale

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
    from tiebreak.stores import open_store

    with open_store(values.source, create=False) as other:
        return opened.import_store(other, origin=values.origin)


# ---- what a store holds


def contents(store: Store) -> dict[str, Any]:
    """Return what a store holds as plain data, the content of `tiebreak store --json`."""
    tally: Counter[tuple[str, ...]] = Counter()
    for each in store.tally():
        scheme = ("resampling", each.resampling, str(each.seed), each.origin)
        for key in (("dataset", each.dataset), ("algorithm", each.algorithm), scheme):
            tally[(*key, "cells")] += each.cells
            tally[(*key, "ok")] += each.cells if each.status == "ok" else 0
    found: dict[str, Any] = {
        "store": store.shown,
        "counts": store.counts(),
        "measures": store.measures(),
        "costs": store.costs(),
        "datasets": [
            {"name": each.name, "rows": each.rows, "attributes": each.attributes, "classes": len(each.classes) or None}
            | {"fingerprint": each.fingerprint}
            | _counted(tally, "dataset", each.fingerprint)
            for each in store.data_sets()
        ],
        "algorithms": [
            {"name": each.name, "fingerprint": each.fingerprint, "settings": str(each.spec.get("text", ""))}
            | _counted(tally, "algorithm", each.fingerprint)
            for each in store.algorithms()
        ],
        "resamplings": [
            {"resampling": key[1], "seed": int(key[2]), "origin": key[3]} | _counted(tally, *key[:-1])
            for key in sorted(tally)
            if key[0] == "resampling" and key[-1] == "cells"
        ],
        "plans": [
            {"name": _plan_name(each.text), "digest": each.digest, "created": each.created}
            | store.counts(plan=each.digest)
            for each in store.plans()
        ],
        "failures": store.failures(),
    }
    return found | places(store)


def coverage(store: Store) -> list[dict[str, Any]]:
    """Return the cells of every pair of data set and algorithm that has any: how many, and how many are ok."""
    names = {each.fingerprint: each.name for each in store.data_sets()}
    names |= {each.fingerprint: each.name for each in store.algorithms()}
    found: dict[tuple[str, str], Counter[str]] = {}
    for each in store.tally():
        tally = found.setdefault((each.dataset, each.algorithm), Counter())
        tally["cells"] += each.cells
        tally["ok"] += each.cells if each.status == "ok" else 0
    rows = [{"dataset": names[d], "algorithm": names[a]} | dict(tally) for (d, a), tally in found.items()]
    return sorted(rows, key=lambda row: (row["dataset"], row["algorithm"]))


def _plan_name(text: str) -> str:
    try:
        return str(json.loads(text)["name"])
    except (ValueError, KeyError, TypeError):  # another program's plan
        return ""


def _counted(tally: Counter[tuple[str, ...]], *key: str) -> dict[str, int]:
    return {"cells": tally[(*key, "cells")], "ok": tally[(*key, "ok")]}


def text_of(found: dict[str, Any]) -> str:
    """Counts of nothing are left out of the headline, and versions that do not differ; the JSON has them all."""
    names = [row["library"] for row in found["versions"]]
    found["mixed"] = [row for row in found["versions"] if names.count(row["library"]) > 1]
    counts = ", ".join(f"{count} {status}" for status, count in found["counts"].items() if count)
    parts = [f"{found['store']}: {sum(found['counts'].values())} cells{f' ({counts})' if counts else ''}"]
    for title, key, columns, left in (
        ("Data sets", "datasets", ("name", "rows", "attributes", "classes", "cells", "ok"), 1),
        ("Algorithms", "algorithms", ("name", "cells", "ok"), 1),
        ("Resamplings", "resamplings", ("resampling", "seed", "origin", "cells", "ok"), 1),
        ("Plans", "plans", ("name", "created", "ok", *OPEN, *FAILED), 2),
        ("Coverage", "coverage", ("dataset", "algorithm", "cells", "ok"), 2),
        ("Failures", "failures", ("dataset", "algorithm", "status", "cells", "reason"), 3),
        ("Hosts", "hosts", ("host", "cpu", "cores", "cells", "kernel", "measured"), 2),
        ("Versions that differ", "mixed", ("library", "version", "cells"), 2),
    ):
        parts += _section(title, found.get(key, []), columns, left)
    parts += ["", "Measures: " + ", ".join(map(one_line, found["measures"]))] if found["measures"] else []
    return "\n".join(parts)


def _section(title: str, rows: list[dict[str, Any]], names: tuple[str, ...], left: int) -> list[str]:
    """Names from a store may hold anything, so each cell is made one line and cut."""
    if not rows:
        return []
    body = [[_cell(row[name]) for name in names] for row in rows[:_SHOWN]]
    rest = [f"... and {len(rows) - _SHOWN} more: --json lists all."] if len(rows) > _SHOWN else []
    return ["", title, text_table(list(names), body, left=left), *rest]


def _cell(value: object) -> str:
    return "-" if value is None else f"{value:.3g}" if isinstance(value, float) else one_line(value)[:100]


def places(store: Store) -> dict[str, Any]:
    """Return hosts and versions of libraries of a store as plain data."""
    from tiebreak.stores.writing import kernels

    known, cells, measured = store.environments(), store.cells_by_environment(), store.calibrations()
    speeds = kernels(measured)
    hosts: Counter[tuple[str, str, int | None]] = Counter()
    versions: Counter[tuple[str, str]] = Counter()
    for key, each in known.items():
        hosts[each.host, each.cpu, each.cores] += cells.get(key, 0)
        for own in {**each.versions, "python": each.python}.items():
            versions[own] += cells.get(key, 0)
    return {
        "hosts": [
            {"host": host, "cpu": cpu, "cores": cores, "cells": count, "kernel": speeds.get(host)}
            | {"measured": sum(each.environment.host == host for each in measured)}
            for (host, cpu, cores), count in sorted(hosts.items(), key=str)
        ],
        "versions": [
            {"library": name, "version": text, "cells": count}
            for (name, text), count in sorted(versions.items())
            if count
        ],
        "unknown_place": cells.get(-1, 0),
    }


def calibrate(store: Store) -> None:
    """Measure how fast this host is and store it."""
    from tiebreak.lab.provenance import calibrated

    found = calibrated()
    if found is None:
        raise OptionError(
            "The calibrating kernel did not run.",
            why="It does about a second of fixed work in a process of its own.",
            mend="Try it by hand: python -m tiebreak.lab.provenance",
        )
    store.calibrate(found)
