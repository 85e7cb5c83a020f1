"""The clocks by which a child tells what its learner cost: the CPU seconds of its whole process tree, and the wall.

The account of the tree is this process, its children that were waited for, and all processes below it that are there
now. A helper adds what it saw of processes that ended with nobody waiting for them (`TreeWatch`), through a page of
memory it shares with the child.
"""

from __future__ import annotations

import math
import mmap
import os
import struct
import time
from collections.abc import Mapping
from dataclasses import dataclass
from os import getpid as _getpid
from time import perf_counter as _wall

from tiebreak.lab.processes import operating_system

_NOTE = struct.Struct("dd")


_pages: list[mmap.mmap] = []
"""The page on which the helper notes what it saw, in a forked child."""


def share_page(page: mmap.mmap) -> None:
    """Read from now on what the helper notes on this page."""
    _pages[:] = [page]


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


def read() -> Reading:
    """Read all clocks, those of this process last: four microseconds where it has no children."""
    below = _below()
    cpu = operating_system.own_and_reaped() + below
    return Reading(cpu=_with_notes(cpu), wall=_wall())


def since(start: Reading) -> tuple[float, float]:
    """Return the CPU seconds of the tree and the seconds on the clock since a reading; neither is ever negative.

    Here the clocks of this process are read first: to look at others takes milliseconds where there is no /proc.
    """
    wall, own = _wall() - start.wall, operating_system.own_and_reaped()
    return max(0.0, _with_notes(own + _below()) - start.cpu), max(0.0, wall)


def _below() -> float:
    """Return the CPU seconds of what lives below; read again when a process came or went meanwhile."""
    if not operating_system.has_children():
        return 0.0
    cpu, below = 0.0, operating_system.descendants(_getpid())
    for _ in range(3):
        before, cpu = below, sum(sum(operating_system.cpu_of(pid)) for pid in below)
        below = operating_system.descendants(_getpid())
        if below == before:
            break
    return cpu


def _with_notes(cpu: float) -> float:
    """What the helper has seen was used, even if it was lost since."""
    if not _pages:
        return cpu
    seen, lost = _NOTE.unpack_from(_pages[0], 0)
    return float(max(cpu + lost, seen))


REST = 10.0
"""After a look the helper rests ten times as long as it took: sizes of large trees take the kernel a while."""
READINGS = 3
"""So often all are read again where a process was waited for in the middle of a look."""
TICK = 0.01
"""The unit of what a process waited for, in user and in system time: two of them may be missing and not be lost."""


@dataclass(slots=True)
class _Seen:
    """A process as it was at the last look; `first` is what it had waited for when it was seen first."""

    parent: int
    own: float
    reaped: float
    first: float
    owed: float = 0.0

    @property
    def lost(self) -> float:
        """What ended below this process less what it waited for."""
        return max(0.0, self.owed - (self.reaped - self.first) - 2 * TICK)


class TreeWatch:
    """The tree of one child, look by look.

    When a process ends, its CPU seconds move to the parent that waits for it. Where the parent ignores SIGCHLD they
    vanish: what was seen of the process at the last look and never turned up at its parent is `lost`.

    Parameters
    ----------
    root : int
        The child.
    """

    def __init__(self, root: int) -> None:
        self.root = root
        self.lost = 0.0
        self.cpu = 0.0
        self._gone = 0.0
        self._seen: dict[int, _Seen] = {}
        self._next = 0.0

    def due(self) -> bool:
        """Tell whether enough time has passed since the last look."""
        return time.monotonic() >= self._next

    def look(self) -> int:
        """Look at every process of the tree; returns the bytes they hold together, pages shared after a fork once."""
        start = time.monotonic()
        parents = {self.root: 0} | operating_system.descendants(self.root)
        now = _readings(list(parents))
        self._settle(now)
        for pid, (own, reaped) in now.items():
            old = self._seen.get(pid)
            first, owed = (reaped, 0.0) if old is None else (old.first, old.owed)
            self._seen[pid] = _Seen(parents[pid], own, reaped, first, owed)
        self.lost = max(self.lost, self._gone + sum(seen.lost for seen in self._seen.values()))
        self.cpu = max(self.cpu, sum(map(sum, now.values())) + self.lost)
        below = parents.keys() - {self.root}
        memory = (operating_system.held(self.root) or 0) + sum(map(operating_system.held_alone, below))
        took = time.monotonic() - start
        self._next = start + took * (1 + REST)
        return memory

    def _settle(self, now: dict[int, tuple[float, float]]) -> None:
        """Charge what ended to its nearest ancestor that is still there; a number used again is another process."""
        ended = {pid: seen for pid, seen in self._seen.items() if now.get(pid, (-1.0, 0.0))[0] < seen.own}
        for pid, seen in ended.items():
            del self._seen[pid]
            self._gone += seen.lost
        for seen in ended.values():
            heir = seen.parent
            while heir in ended:
                heir = ended[heir].parent
            if heir in self._seen:
                self._seen[heir].owed += seen.own + seen.reaped


def _readings(pids: list[int]) -> dict[int, tuple[float, float]]:
    """Read the CPU seconds of processes, parents first, and those they waited for.

    One that is gone when its turn comes was waited for after its parent was read: it would look lost. Then all that
    are left are read again.
    """
    now: dict[int, tuple[float, float]] = {}
    for _ in range(READINGS):
        now = {pid: operating_system.cpu_of(pid) for pid in pids}
        pids = [pid for pid in pids if now[pid] != (0.0, 0.0)]
        if len(pids) == len(now):
            break
    return now


# ---- costs that a child told, held against what its helper saw: a learner shares the process that tells them


COSTS = ("train_time", "predict_time", "train_wall", "predict_wall", "cell_cpu", "cell_wall", "peak_memory")
SLACK = 0.25
SHARE = 0.2
"""Told and seen may differ by so many seconds and this share: the two do not look at the same moment."""


def doubt(values: Mapping[str, float], *, cpu: float | None, wall: float) -> str:
    """Return why the costs of a cell cannot be true, an empty text if they can.

    Parameters
    ----------
    values : mapping of str to float
        What the child told; costs that are not there are not missed.
    cpu : float, optional
        The CPU seconds of the child itself during the cell, from outside; None where the system does not tell.
    wall : float
        The seconds from the order to the report.

    Examples
    --------
    >>> doubt({"cell_wall": 1.0, "cell_cpu": 0.9, "train_time": 0.8}, cpu=0.9, wall=1.01)
    ''
    >>> doubt({"cell_wall": 1.0, "cell_cpu": 0.9, "train_time": -3.0}, cpu=0.9, wall=1.01)
    'train_time is -3'
    """
    told = {name: values[name] for name in COSTS if name in values}
    for name, value in told.items():
        if not (math.isfinite(value) and value >= 0):
            return f"{name} is {value:g}"
    zero = dict.fromkeys(COSTS, 0.0) | told
    cores = os.cpu_count() or 1
    most = {
        "cell_wall": (zero["cell_wall"], wall, "seconds passed outside"),
        "cell_cpu": (zero["cell_cpu"], cores * wall, f"CPU seconds are what {cores} cores have in that time"),
        "train_wall and predict_wall": (zero["train_wall"] + zero["predict_wall"], zero["cell_wall"], "is cell_wall"),
        "train_time and predict_time": (zero["train_time"] + zero["predict_time"], zero["cell_cpu"], "is cell_cpu"),
    }
    for name, (value, bound, words) in most.items():
        if value > bound * (1 + SHARE) + SLACK:
            return f"{name} is {value:g}, and {bound:g} {words}"
    if cpu is not None and "cell_cpu" in told and cpu > told["cell_cpu"] * (1 + SHARE) + SLACK:
        return f"cell_cpu is {told['cell_cpu']:g}, and {cpu:g} CPU seconds were seen from outside"
    return ""
