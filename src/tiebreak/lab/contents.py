"""What a store holds: said, as `tiebreak store` says it; tables and other stores into it, its cells out of it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Unpack

from tiebreak.caveats import Caveats, codes_of
from tiebreak.documents import Row, Shown, one_line, table_of_verb
from tiebreak.documents.layout import narrow, screen, wrapped
from tiebreak.documents.parts import Table
from tiebreak.errors import OptionError
from tiebreak.lab import provenance
from tiebreak.readers import as_results
from tiebreak.readers.taking import Reading
from tiebreak.results import Results
from tiebreak.stores import open_store
from tiebreak.stores.records import STATUSES, kernels
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tiebreak.stores import Store
    from tiebreak.stores.exchange import Merge
    from tiebreak.stores.reading import Counted

_SHOWN = 6
"""Algorithms in the table that is printed; JSON lists all."""
_LONGEST = 156
"""Signs of a line about anything else: two lines of a screen."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class StoreContents(Shown):
    """What a store holds: data sets, algorithms, plans, cells by status, failures, hosts; and what was just done.

    `held` is all of it as plain data; `imported` and `exported` count cells.
    """

    held: dict[str, Any]
    source: Any = None
    imported: int | None = None
    exported: int | None = None
    export: str | None = None
    merged: Merge | None = None
    caveats: Caveats = ()

    def title(self) -> str:
        """Say which store it is, and how many cells it has."""
        return text_of(self.held).splitlines()[0]

    def rows(self) -> list[Row]:
        """Return a row per algorithm: its cells, and how many of them are ok."""
        return [{name: row[name] for name in ("name", "cells", "ok")} for row in self.held["algorithms"]]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as `tiebreak store --json` prints it."""
        more: dict[str, Any] = {"imported": self.imported, "exported": self.exported}
        if self.merged is not None:
            more |= {"conflicts": list(self.merged.conflicts), "renamed": list(self.merged.renamed)}
        return self.held | more | {"caveats": list(self.caveats), "caveat_codes": codes_of(self.caveats)}

    def __str__(self) -> str:
        parts = [] if self.imported is None else [f"{self.imported} cell(s) imported from {self.source}"]
        parts += [] if self.merged is None else [wrapped([text]) for text in self.merged.sentences()]
        parts += ["Caveats:", *(f"- {note}" for note in self.caveats), ""] if self.caveats else []
        parts += [] if self.exported is None else [f"{self.exported} cell(s) written to {self.export}"]
        return "\n".join([*parts, text_of(self.held)])


def store(
    store: str | Path,
    *,
    source: Any = None,
    origin: str | None = None,
    score: str | list[str] | None = None,
    calibrate: bool = False,
    export: str | None = None,
    coverage: bool = False,
    **reading: Unpack[Reading],
) -> StoreContents:
    """Say what a store holds; before that, import results into it or export its cells.

    Parameters
    ----------
    store : str or Path
        "results.db" or an address such as "postgresql://host/database"; made where there is none and something is
        imported. `tiebreak.open_store` opens it for more than this.
    source : path, frame, dictionary, Results or address of another store, optional
        What to import.
    origin : str, optional
        Whose results are imported, such as "Demsar 2006"; a table needs it.
    score : str or list of str, optional
        The scores of a table to import; by default all.
    calibrate : bool
        Measure how fast this host is, so that its times can be put on one scale with those of others.
    export : str, optional
        A .parquet or .csv file, to which every cell is written.
    coverage : bool
        Also list how many cells every algorithm has on every data set.
    **reading : optional
        How a table is read: `columns`, `where` and others, as `tiebreak.read` takes them.

    Returns
    -------
    StoreContents

    Examples
    --------
    >>> import tempfile, tiebreak as tb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = tb.store(f"{folder}/results.db", source=tb.published.demsar2006(), origin="Demsar 2006")
    >>> result.imported, result.rows()[0]
    (56, {'name': 'C4.5', 'cells': 14, 'ok': 14})
    """
    check_import(source, origin, reading=bool(reading))
    table, imported, exported, merged = None, None, None, None
    if source is not None and not is_store(source):  # read before the store is touched
        ready = isinstance(source, Results) and not reading
        table = source if ready else as_results(source, scores=score, **reading)
    with open_store(store, create=source is not None) as opened:
        if table is not None:
            imported = opened.import_results(table, origin=str(origin))
        elif source is not None:
            with open_store(source, create=False) as other:  # one that does not exist is not made
                merged = opened.import_store(other, origin=origin)
            imported = merged.cells
        if calibrate:
            calibration = provenance.calibrated()
            if calibration is None:
                raise OptionError("The calibration did not run.", mend="Try by hand: python -m tiebreak.lab.provenance")
            opened.calibrate(calibration)
        if export is not None:
            exported = opened.export(export)
        held = contents(opened) | ({"coverage": coverage_of(opened)} if coverage else {})
    return StoreContents(
        held=held,
        source=source if isinstance(source, str | Path) else "the table",
        imported=imported,
        exported=exported,
        export=export,
        merged=merged,
        caveats=() if table is None else table.caveats,
    )


def is_store(source: Any) -> bool:
    """Say whether a source is another store: an address, or a file of SQLite."""
    named = str(source) if isinstance(source, str | Path) else ""
    return "://" in named or named.lower().endswith((".db", ".sqlite", ".sqlite3"))


def check_import(source: Any, origin: str | None, *, reading: bool) -> None:
    """Results of others must say whose they are; another store says so itself."""
    of_table = source is not None and not is_store(source)
    if of_table and origin is None:
        raise OptionError(
            f"{option('source')} was given without {option('origin')}.",
            why="Imported results stand beside those run here, and must say whose they are.",
            mend=f"Add {option(origin='Demsar 2006')}; for another store, give its address or its .db file.",
        )
    if not of_table and (reading or (source is None and origin is not None)):
        what = f"{option('where')} was given without a table to import"
        if not reading:
            what = f"{option(origin=origin)} was given without {option('source')}"
        elif source is not None:
            what = f"{source} has settings, and is no table of results"
        raise OptionError(
            f"{what}.",
            why="It is about imported results.",
            mend=f"Add {option(source='results.csv')}, or leave it out.",
        )


def contents(store: Store) -> dict[str, Any]:
    """Return what a store holds as plain data, the content of `tiebreak store --json`."""
    tally = store.tally()
    schemes = _tallied(tally, lambda entry: (entry.resampling, entry.seed, entry.origin))
    sets, learners = _tallied(tally, lambda entry: entry.dataset), _tallied(tally, lambda entry: entry.algorithm)
    return {
        "store": store.shown,
        "counts": store.counts(),
        "measures": store.measures(),
        "costs": store.costs(),
        "datasets": [
            {"name": item.name, "rows": item.rows, "attributes": item.attributes, "classes": len(item.classes) or None}
            | {"fingerprint": item.fingerprint, **sets.get(item.fingerprint, _NONE)}
            for item in store.data_sets()
        ],
        "algorithms": [
            {"name": item.name, "fingerprint": item.fingerprint, "settings": str(item.spec.get("text", ""))}
            | learners.get(item.fingerprint, _NONE)
            for item in store.algorithms()
        ],
        "resamplings": [
            {"resampling": resampling, "seed": seed, "origin": origin} | cells
            for (resampling, seed, origin), cells in sorted(schemes.items())
        ],
        "plans": [
            {"name": _plan_name(plan.text), "digest": plan.digest, "created": plan.created}
            | store.counts(plan=plan.digest)
            for plan in store.plans()
        ],
        "failures": store.failures(),
    } | _places(store)


_NONE = {"cells": 0, "ok": 0}


def _tallied(tally: Iterable[Counted], key: Callable[[Counted], Any]) -> dict[Any, dict[str, int]]:
    """Count cells, and those that are ok, by a key."""
    result: dict[Any, dict[str, int]] = {}
    for entry in tally:
        counts = result.setdefault(key(entry), dict(_NONE))
        counts["cells"] += entry.cells
        counts["ok"] += entry.cells if entry.status == "ok" else 0
    return result


def coverage_of(store: Store) -> list[dict[str, Any]]:
    """Return the cells of every pair of data set and algorithm that has any: how many, and how many are ok."""
    names = {item.fingerprint: item.name for item in store.data_sets()}
    names |= {algorithm.fingerprint: algorithm.name for algorithm in store.algorithms()}
    pairs = _tallied(store.tally(), lambda entry: (entry.dataset, entry.algorithm))
    rows = [{"dataset": names[d], "algorithm": names[a], **cells} for (d, a), cells in pairs.items()]
    return sorted(rows, key=lambda row: (row["dataset"], row["algorithm"]))


def _plan_name(text: str) -> str:
    try:
        return str(json.loads(text)["name"])
    except (ValueError, KeyError, TypeError):  # another program's plan
        return ""


def text_of(result: dict[str, Any]) -> str:
    """Say on one screen what a store holds: a table of the algorithms, and a few lines about all else."""
    counts, rows = _counts_in_words(result["counts"]), result["algorithms"]
    headline = f"{result['store']}: {sum(result['counts'].values())} cells{f' ({counts})' if counts else ''}"
    cells = {name: [one_line(row[name]) for row in rows[:_SHOWN]] for name in ("name", "cells", "ok")}
    libraries = [row["library"] for row in result["versions"]]
    facts = {
        "More algorithms": [row["name"] for row in rows[_SHOWN:]],
        "Data sets": [f"{row['name']} ({row['rows'] or '?'} rows)" for row in result["datasets"]],
        "Resamplings": [
            f"{row['resampling']}, seed {row['seed']}, {row['origin']} ({row['ok']} of {row['cells']} ok)"
            for row in result["resamplings"]
        ],
        "Plans": [f"{row['name']} of {row['created'][:10]} ({_counts_in_words(row)})" for row in result["plans"]],
        "Failed": [
            f"{row['algorithm']} on {row['dataset']}: {row['cells']} {row['status']}: {row['reason']}"
            for row in result["failures"]
        ],
        "Hosts": [
            f"{row['host']} ({row['cpu']}, {row['cores']} cores, {row['cells']} cells{_speed(row['kernel'])})"
            for row in result["hosts"]
        ],
        "Versions that differ": [
            f"{row['library']} {row['version']} ({row['cells']} cells)"
            for row in result["versions"]
            if libraries.count(row["library"]) > 1
        ],
        "Measures": result["measures"],
    }
    lines = [
        shorten(f"{title}: {', '.join(one_line(item)[:_LONGEST] for item in items)}", _LONGEST, placeholder=" ...")
        for title, items in facts.items()
        if items
    ]
    pairs = [tuple(str(value) for value in row.values()) for row in result.get("coverage", ())]
    coverage = Table(header=("dataset", "algorithm", "cells", "ok"), body=tuple(pairs), left=2)
    text = screen(headline, table_of_verb("store", cells), lines, [], [f"All of it: {either('`to_dict()`', '--json')}"])
    return "\n\n".join([text, *([narrow(coverage)[0]] if pairs else [])])


def _speed(kernel: float | None) -> str:
    return "" if kernel is None else f", {kernel:.3g} s for the fixed work of a calibration"


def _counts_in_words(counts: dict[str, Any]) -> str:
    """Leave out counts of nothing; the JSON has them all."""
    return ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])


def _places(store: Store) -> dict[str, Any]:
    """Return hosts and versions of libraries of a store as plain data."""
    known, cells, measured = store.environments(), store.cells_by_environment(), store.calibrations()
    speeds = kernels(measured)
    hosts: Counter[tuple[str, str, int | None]] = Counter()
    versions: Counter[tuple[str, str]] = Counter()
    for key, entry in known.items():
        hosts[entry.host, entry.cpu, entry.cores] += cells.get(key, 0)
        for current in {**entry.versions, "python": entry.python}.items():
            versions[current] += cells.get(key, 0)
    return {
        "hosts": [
            {"host": host, "cpu": cpu, "cores": cores, "cells": count, "kernel": speeds.get(host)}
            | {"measured": sum(item.environment.host == host for item in measured)}
            for (host, cpu, cores), count in sorted(hosts.items(), key=str)
        ],
        "versions": [
            {"library": name, "version": text, "cells": count}
            for (name, text), count in sorted(versions.items())
            if count
        ],
        "unknown_place": cells.get(-1, 0),
    }
