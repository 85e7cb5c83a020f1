"""`tiebreak store`: where its cells were run, with which versions, and which learners have changed under their name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tiebreak.errors import OptionError

if TYPE_CHECKING:
    from tiebreak.store import Store

HOSTS = ("host", "cpu", "cores", "cells", "kernel", "measured")


def places(store: Store) -> dict[str, Any]:
    """Return hosts, versions of libraries and changed learners of a store as plain data."""
    from tiebreak.lab.identity import versions_of_one
    from tiebreak.store.environments import kernels

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
    from tiebreak.lab.environment import calibrated

    found = calibrated()
    if found is None:
        raise OptionError(
            "The calibrating kernel did not run.",
            why="It does about a second of fixed work in a process of its own.",
            mend="Try it by hand: python -m tiebreak.lab.calibration",
        )
    store.calibrate(found)
