"""What a store holds, as plain data and as text: data sets, algorithms, plans, cells, hosts and versions."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from tiebreak.documents import one_line
from tiebreak.documents.layout import text_table
from tiebreak.errors import OptionError
from tiebreak.store.records import FAILED, OPEN

if TYPE_CHECKING:
    from tiebreak.store import Store

_SHOWN = 20
"""Rows of a table that are printed; --json lists all."""
HOSTS = ("host", "cpu", "cores", "cells", "kernel", "measured")


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


def text_of(found: dict[str, Any]) -> str:
    """Counts of nothing are left out of the headline; the JSON has them all."""
    counts = ", ".join(f"{count} {status}" for status, count in found["counts"].items() if count)
    parts = [f"{found['store']}: {sum(found['counts'].values())} cells{f' ({counts})' if counts else ''}"]
    for title, key, names, left in (
        ("Data sets", "datasets", ("name", "rows", "attributes", "classes", "cells", "ok"), 1),
        ("Algorithms", "algorithms", ("name", "cells", "ok"), 1),
        ("Resamplings", "resamplings", ("resampling", "seed", "origin", "cells", "ok"), 1),
        ("Plans", "plans", ("name", "created", "ok", *OPEN, *FAILED), 2),
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


def places(store: Store) -> dict[str, Any]:
    """Return hosts, versions of libraries and changed learners of a store as plain data."""
    from tiebreak.lab.provenance import versions_of_one
    from tiebreak.store.writing import kernels

    known, cells, measured = store.environments(), store.cells_by_environment(), store.calibrations()
    speeds = kernels(measured)
    hosts: dict[tuple[str, str, int | None], int] = {}
    versions: dict[tuple[str, str], int] = {}
    for key, each in known.items():
        count = cells.get(key, 0)
        place = each.host, each.cpu, each.cores
        hosts[place] = hosts.get(place, 0) + count
        for own in {**each.versions, "python": each.python}.items():
            versions[own] = versions.get(own, 0) + count
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
        "changed": versions_of_one(store.algorithms()),
        "unknown_place": cells.get(-1, 0),
    }


def shown_places(found: dict[str, Any]) -> list[tuple[str, str, tuple[str, ...], int]]:
    """Return the tables to print: hosts always, versions only where they differ, and learners that changed."""
    names = [row["library"] for row in found["versions"]]
    mixed = [row for row in found["versions"] if names.count(row["library"]) > 1]
    found["hosts_shown"] = [{**row, "kernel": _seconds(row["kernel"])} for row in found["hosts"]]
    found["versions_shown"] = mixed
    return [
        ("Hosts", "hosts_shown", HOSTS, 2),
        ("Versions that differ", "versions_shown", ("library", "version", "cells"), 2),
        ("Learners that changed", "changed", ("algorithm", "other", "differs", "how"), 4),
    ]


def _seconds(kernel: float | None) -> str:
    """Write the time of the calibrating kernel; a short run does not measure it."""
    return "not measured" if kernel is None else f"{kernel:.3g} s"


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
