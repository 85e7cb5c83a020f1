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

_LOST = struct.Struct("d")
_SLACK = 0.002
"""The group's account is taken where it is this much above the sum of accounts: less is the noise of reading."""


@dataclass(slots=True)
class Surroundings:
    """What a helper gave this process to account with."""

    group: CpuGroup | None = None
    page: mmap.mmap | None = None


_around = Surroundings()


def stand_in(group: CpuGroup | None, page: mmap.mmap | None) -> None:
    """Say which group this process runs in, and on which page the helper notes what was lost."""
    _around.group, _around.page = group, page


def new_page() -> mmap.mmap:
    """Return a page that a forked child shares with its helper."""
    return mmap.mmap(-1, _LOST.size)


def note_lost(page: mmap.mmap, seconds: float) -> None:
    """Write down, in the helper, the CPU seconds of processes that nobody waited for."""
    _LOST.pack_into(page, 0, seconds)


@dataclass(frozen=True, slots=True)
class Reading:
    """The clocks at one moment."""

    wall: float
    cpu: float
    group: float | None


def read() -> Reading:
    """Read all clocks: three microseconds where this process has no children."""
    cpu = process_tree.own_and_reaped()
    if process_tree.has_children():
        cpu = _with_descendants()
    if _around.page is not None:
        cpu += _LOST.unpack_from(_around.page, 0)[0]
    group = None if _around.group is None else _around.group.seconds()
    return Reading(_wall(), cpu, group)


def _with_descendants() -> float:
    """Add what lives below; read again when a process came or went meanwhile, as it may be counted twice or not."""
    cpu, below = 0.0, process_tree.descendants(_getpid())
    for _ in range(3):
        before, cpu = below, process_tree.own_and_reaped() + sum(sum(process_tree.cpu_of(pid)) for pid in below)
        below = process_tree.descendants(_getpid())
        if below == before:
            break
    return cpu


def since(start: Reading) -> tuple[float, float]:
    """Return the CPU seconds of the tree and the seconds on the clock since a reading; neither is ever negative."""
    now = read()
    cpu, wall = now.cpu - start.cpu, now.wall - start.wall
    if now.group is not None and start.group is not None and now.group - start.group > cpu + _SLACK:
        cpu = now.group - start.group
    return max(0.0, cpu), max(0.0, wall)
