"""The clocks by which a child tells what its learner cost: the CPU seconds of its whole process tree, and the wall.

The account of the tree is this process, its children that were waited for, and all processes below it that are there
now. A helper adds what it saw of processes that ended with nobody waiting for them (`TreeWatch`), through a page of
memory it shares with the child; where there is a control group, its account stands above all others.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from os import getpid as _getpid
from time import perf_counter as _wall

from tiebreak.lab.processes import process_tree
from tiebreak.lab.processes.cpu_group import CpuGroup

_NOTE = struct.Struct("dd")
_SLACK = 0.002
"""The group's account is taken where it is this much above the sum of accounts: less is the noise of reading."""


@dataclass(slots=True)
class Surroundings:
    """What a helper gave this process to account with."""

    group: CpuGroup | None = None
    page: mmap.mmap | None = None


_around = Surroundings()


def stand_in(group: CpuGroup | None, page: mmap.mmap | None) -> None:
    """Say which group this process runs in, and on which page the helper notes what it saw."""
    _around.group, _around.page = group, page


def new_page() -> mmap.mmap:
    """Return a page that a forked child shares with its helper."""
    return mmap.mmap(-1, _NOTE.size)


def note(page: mmap.mmap, *, seen: float, lost: float) -> None:
    """Write down, in the helper, the CPU seconds of the tree it has seen, and of processes that nobody waited for."""
    _NOTE.pack_into(page, 0, seen, lost)


@dataclass(frozen=True, slots=True)
class Reading:
    """The clocks at one moment."""

    wall: float
    cpu: float
    group: float | None


def read() -> Reading:
    """Read all clocks, those of this process last: four microseconds where it has no children."""
    below = _below()
    cpu = process_tree.own_and_reaped() + below
    return Reading(cpu=_with_notes(cpu), group=_by_group(), wall=_wall())


def since(start: Reading) -> tuple[float, float]:
    """Return the CPU seconds of the tree and the seconds on the clock since a reading; neither is ever negative.

    Here the clocks of this process are read first: to look at others takes milliseconds where there is no /proc.
    """
    wall, own = _wall() - start.wall, process_tree.own_and_reaped()
    cpu, group = _with_notes(own + _below()) - start.cpu, _by_group()
    if group is not None and start.group is not None and group - start.group > cpu + _SLACK:
        cpu = group - start.group
    return max(0.0, cpu), max(0.0, wall)


def _below() -> float:
    """Return the CPU seconds of what lives below; read again when a process came or went meanwhile."""
    if not process_tree.has_children():
        return 0.0
    cpu, below = 0.0, process_tree.descendants(_getpid())
    for _ in range(3):
        before, cpu = below, sum(sum(process_tree.cpu_of(pid)) for pid in below)
        below = process_tree.descendants(_getpid())
        if below == before:
            break
    return cpu


def _with_notes(cpu: float) -> float:
    """What the helper has seen was used, even if it was lost since."""
    if _around.page is None:
        return cpu
    seen, lost = _NOTE.unpack_from(_around.page, 0)
    return float(max(cpu + lost, seen))


def _by_group() -> float | None:
    return None if _around.group is None else _around.group.seconds()
