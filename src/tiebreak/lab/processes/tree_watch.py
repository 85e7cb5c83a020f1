"""What a helper sees of a child's process tree from outside: memory, and CPU seconds that nobody accounts for."""

from __future__ import annotations

import time
from dataclasses import dataclass

from tiebreak.lab.processes import process_tree

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
        parents = {self.root: 0} | process_tree.descendants(self.root)
        now = _readings(list(parents))
        self._settle(now)
        for pid, (own, reaped) in now.items():
            old = self._seen.get(pid)
            first, owed = (reaped, 0.0) if old is None else (old.first, old.owed)
            self._seen[pid] = _Seen(parents[pid], own, reaped, first, owed)
        self.lost = max(self.lost, self._gone + sum(seen.lost for seen in self._seen.values()))
        self.cpu = max(self.cpu, sum(map(sum, now.values())) + self.lost)
        memory = (process_tree.held(self.root) or 0) + sum(map(process_tree.held_alone, parents.keys() - {self.root}))
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
        now = {pid: process_tree.cpu_of(pid) for pid in pids}
        pids = [pid for pid in pids if now[pid] != (0.0, 0.0)]
        if len(pids) == len(now):
            break
    return now
