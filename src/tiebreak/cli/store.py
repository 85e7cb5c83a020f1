"""`tiebreak store`: what a store holds; tables out of it and into it."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import codes_of
from tiebreak.cli import options
from tiebreak.cli.helping import READ, WRITE, add_verb, group
from tiebreak.cli.reading import OPTIONS, add_reading, reading
from tiebreak.cli.store_places import calibrate, places, shown_places
from tiebreak.documents import one_line
from tiebreak.documents.layout import text_table
from tiebreak.errors import OptionError

if TYPE_CHECKING:
    from tiebreak.store import Store
    from tiebreak.store.merging import Merge
    from tiebreak.tables import Results

BRING = "what to bring in"
_KINDS = ("results", "store", "mlflow", "openml")
_SHOWN = 20
"""Rows of a table that are printed; --json lists all."""


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "store",
        help="say what a store holds; export it, or import the results of others",
        description="Say what a store holds: data sets, algorithms, plans, cells by status, and what failed.",
        takes="URL",
        titles=(READ, BRING, WRITE),
        examples=[
            "results.db --import examples/demsar2006.csv --origin Demsar --score auc",
            "results.db --export all.csv",
        ],
    )
    group(verb, READ).add_argument("store", metavar="URL", help="results.db, sqlite:///..., postgresql://...")
    add = group(verb, BRING).add_argument
    into = "put results beside those of the store: a table, another store (other.db), or published:NAME"
    add("--import", dest="source", metavar="FILE", help=into)
    add("--origin", metavar="NAME", help="whose results are imported, such as 'Demsar 2006'")
    add(
        "--kind",
        choices=_KINDS,
        default="results",
        help="what is imported: a table as for compare (default), a store or its export, MLflow's csv of runs,"
        " or OpenML's JSON of evaluations",
    )
    add("--score", action="append", metavar="NAME", help="import this score only; may be repeated")
    add("--column", action="append", default=[], metavar="ROLE=HEADER", help="as for compare")
    options.add_where(group(verb, BRING))
    add_reading(group(verb, BRING))
    add("--suffix", default="", metavar="TEXT", help="added to the names of imported algorithms")
    fast = "measure how fast this host is, so that its times can be put on one scale with those of others"
    group(verb, BRING).add_argument("--calibrate", action="store_true", help=fast)
    to = "write every cell to a .parquet or .csv file"
    group(verb, WRITE).add_argument("--export", metavar="FILE", help=to)
    cover = "also list how many cells every algorithm has on every data set, and how many of them are ok"
    group(verb, WRITE).add_argument("--coverage", action="store_true", help=cover)
    anew = "write the store anew without gaps, so that its file is as small and complete as it can be"
    group(verb, WRITE).add_argument("--compact", action="store_true", help=anew)
    options.add_formats(verb, documents=False)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Import, export, then say what is there."""
    from tiebreak.store import open_store

    options.stdout_utf8()
    imported, exported = None, None
    merged: Merge | None = None
    if arguments.source is not None and _is_store(arguments.source):
        arguments.kind = "store"
    _check(arguments)
    table = _table(arguments)
    with open_store(arguments.store, create=arguments.source is not None) as store:
        if arguments.source is not None:
            merged = _merge(store, arguments) if _is_store(arguments.source) else None
            imported = _import(store, table, arguments) if merged is None else merged.cells
        if arguments.calibrate:
            calibrate(store)
        if arguments.export is not None:
            exported = store.export(arguments.export)
        sizes = store.compact() if arguments.compact else None
        found = contents(store) | ({"coverage": coverage(store)} if arguments.coverage else {})
    said = () if table is None else table.caveats
    if arguments.json:
        more: dict[str, Any] = {"imported": imported, "exported": exported, "compacted": sizes}
        if merged is not None:
            more |= {"conflicts": list(merged.conflicts), "renamed": list(merged.renamed)}
        more |= {"caveats": list(said), "caveat_codes": codes_of(said)}
        print(options.as_json(found | more))
        return
    parts = [] if imported is None else [f"{imported} cell(s) imported from {arguments.source}"]
    parts += [] if merged is None else merged.sentences()
    parts += ["Caveats:", *(f"- {note}" for note in said), ""] if said else []
    parts += [] if exported is None else [f"{exported} cell(s) written to {arguments.export}"]
    parts += [] if sizes is None else [f"compacted: {sizes[0] / 1e6:.1f} MB before, {sizes[1] / 1e6:.1f} MB now"]
    print("\n".join([*parts, _text(found)]))


def _check(arguments: argparse.Namespace) -> None:
    """Results of others must say whose they are; another store's export says so itself."""
    if arguments.source is None and arguments.origin is not None:
        raise OptionError(
            f"--origin {arguments.origin!r} was given without --import.",
            why="It says whose results are imported.",
            mend="Add --import FILE, or leave it out.",
        )
    if arguments.source is not None and arguments.origin is None and arguments.kind != "store":
        raise OptionError(
            "--import was given without --origin.",
            why="Imported results stand beside those run here, and must say whose they are.",
            mend="Add --origin 'Demsar 2006'; for the export of another store, --kind store.",
        )
    _check_reading(arguments)


def _check_reading(arguments: argparse.Namespace) -> None:
    """Refuse to pass over options that say how a table is read, where none is."""
    told = [name for name in ("where", *OPTIONS) if getattr(arguments, name) not in (None, False, [])]
    if told and (arguments.source is None or arguments.kind != "results"):
        raise OptionError(
            f"--{told[0].replace('_', '-')} was given without a table to import.",
            why="It says how a table of results is read.",
            mend="Add --import FILE without another --kind, or leave it out.",
        )


def _table(arguments: argparse.Namespace) -> Results | None:
    """Read what is to be imported, before the store is touched; None for the export of a store."""
    if arguments.source is None or arguments.kind == "store":
        return None
    from tiebreak.reading import from_mlflow, from_openml_runs, read

    columns = options.roles(arguments.column)
    if arguments.kind == "mlflow":
        return from_mlflow(arguments.source, scores=arguments.score, columns=columns)
    if arguments.kind == "openml":
        return from_openml_runs(arguments.source, scores=arguments.score)
    how = {**reading(arguments), "where": arguments.where}
    return read(arguments.source, scores=arguments.score, columns=columns, **how)


def _is_store(source: str) -> bool:
    return "://" in source or source.lower().endswith((".db", ".sqlite", ".sqlite3"))


def _merge(store: Store, arguments: argparse.Namespace) -> Merge:
    """Read another store into this one; what is not there is not made."""
    from tiebreak.store import open_store

    with open_store(arguments.source, create=False) as other:
        return store.import_store(other, origin=arguments.origin)


def _import(store: Store, table: Results | None, arguments: argparse.Namespace) -> int:
    if table is None:
        return store.import_rows(arguments.source, origin=arguments.origin)
    return store.import_results(table, origin=arguments.origin, suffix=arguments.suffix)


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
    rows = [{"dataset": names[d], "algorithm": names[a], **_pair(tally)} for (d, a), tally in found.items()]
    return sorted(rows, key=lambda row: (row["dataset"], row["algorithm"]))


def _pair(tally: Counter[str]) -> dict[str, Any]:
    return {"cells": tally["cells"], "ok": tally["ok"]}


def _plan_name(text: str) -> str:
    try:
        return str(json.loads(text)["name"])
    except (ValueError, KeyError, TypeError):  # another program's plan
        return ""


def _counted(tally: Counter[tuple[str, ...]], *key: str) -> dict[str, int]:
    return {"cells": tally[(*key, "cells")], "ok": tally[(*key, "ok")]}


def _text(found: dict[str, Any]) -> str:
    """Counts of nothing are left out of the headline; the JSON has them all."""
    counts = ", ".join(f"{count} {status}" for status, count in found["counts"].items() if count)
    parts = [f"{found['store']}: {sum(found['counts'].values())} cells{f' ({counts})' if counts else ''}"]
    for title, key, names, left in (
        ("Data sets", "datasets", ("name", "rows", "attributes", "classes", "cells", "ok"), 1),
        ("Algorithms", "algorithms", ("name", "cells", "ok"), 1),
        ("Resamplings", "resamplings", ("resampling", "seed", "origin", "cells", "ok"), 1),
        ("Plans", "plans", ("name", "created", "ok", "waiting", "running", "error", "timeout", "memory", "crash"), 2),
        ("Coverage", "coverage", ("dataset", "algorithm", "cells", "ok"), 2),
        ("Failures", "failures", ("dataset", "algorithm", "status", "cells", "reason"), 3),
        *shown_places(found),
    ):
        parts += _section(title, found.get(key, []), names, left)
    parts += ["", "Measures: " + ", ".join(map(one_line, found["measures"]))] if found["measures"] else []
    return "\n".join(parts)


def _section(title: str, rows: list[dict[str, Any]], names: tuple[str, ...], left: int) -> list[str]:
    """Names from a store may hold anything, so each cell is made one line and cut."""
    if not rows:
        return []
    body = [["-" if row[name] is None else one_line(row[name])[:100] for name in names] for row in rows[:_SHOWN]]
    rest = [f"... and {len(rows) - _SHOWN} more: --json lists all."] if len(rows) > _SHOWN else []
    return ["", title, text_table(list(names), body, left=left), *rest]
