"""The clocks by which a child tells what its learner cost: the CPU seconds of its whole process tree, and the wall.

The account of the tree is this process, its children that were waited for, and all processes below it that are there
now.
"""

from __future__ import annotations

from os import getpid as _getpid
from time import perf_counter as _wall

from tiebreak.lab.processes import operating_system


def read() -> tuple[float, float]:
    """Return the CPU seconds of the tree and the clock, read last: four microseconds where there are no children."""
    below = _below()
    return operating_system.own_and_reaped() + below, _wall()


def since(start: tuple[float, float]) -> tuple[float, float]:
    """Return the CPU seconds of the tree and the seconds on the clock since a reading; neither is ever negative.

    Here the clocks of this process are read first: to look at others takes milliseconds where there is no /proc.
    """
    wall, value = _wall() - start[1], operating_system.own_and_reaped()
    return max(0.0, value + _below() - start[0]), max(0.0, wall)


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
