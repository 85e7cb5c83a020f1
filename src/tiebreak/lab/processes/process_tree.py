"""The processes below a process: who they are, the CPU seconds they used and the memory they hold.

The functions of the system are taken when this module is loaded, before any learner is: one that puts its own functions
into `time`, `os` or `resource` changes no account.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable
from functools import cache
from os import close as _close, getpid as _getpid, listdir as _listdir, open as _open, read as _read
from pathlib import Path
from time import process_time as _process_time

LINUX = sys.platform.startswith("linux")
_clock = getattr(time, "clock_gettime", None)
_waitid = getattr(os, "waitid", None) if LINUX else None
_ANY_CHILD = getattr(os, "P_ALL", 0)
_LOOK_ONLY = sum(getattr(os, name, 0) for name in ("WEXITED", "WNOHANG", "WNOWAIT")) | 0x40000000
"""Whichever child there is, at once and without taking it away; the last bit, __WALL, is for unusual clones."""
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
if sys.platform != "win32":
    from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage as _getrusage


def own_and_reaped() -> float:
    """Return the CPU seconds of this process and of its children that ended and were waited for."""
    if sys.platform == "win32":
        return _process_time()
    return sum(use.ru_utime + use.ru_stime for use in map(_getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def has_children() -> bool:
    """Tell whether this process has a child, running or a zombie: on Linux in a microsecond, without /proc."""
    if _waitid is None:
        return bool(descendants(_getpid()))
    try:
        _waitid(_ANY_CHILD, 0, _LOOK_ONLY)
    except ChildProcessError:
        return False
    except OSError:
        return True
    return True


def descendants(pid: int) -> dict[int, int]:
    """Return the processes below a process, zombies too, each with its parent; parents come first."""
    found: dict[int, int] = {}
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        for child in _children_of(parent):
            if child not in found and child != pid:
                found[child] = parent
                waiting.append(child)
    return found


def _children_of(pid: int) -> Iterable[int]:
    """Every thread has its own list of the children it made."""
    if not _has_lists():
        return _by_psutil(pid)
    try:
        threads = _listdir(f"/proc/{pid}/task")
    except OSError:
        return ()
    return [int(word) for thread in threads for word in _text(f"/proc/{pid}/task/{thread}/children").split()]


@cache
def _has_lists() -> bool:
    """A kernel may be built without them, and only Linux has them at all."""
    return LINUX and Path(f"/proc/self/task/{_getpid()}/children").exists()


def _by_psutil(pid: int) -> list[int]:
    with contextlib.suppress(ImportError):
        import psutil

        with contextlib.suppress(psutil.Error):
            return [child.pid for child in psutil.Process(pid).children()]
    return []


def cpu_of(pid: int) -> tuple[float, float]:
    """Return the CPU seconds of a process, with all its threads, and those of its children that it waited for.

    Its own come from its CPU clock, to the nanosecond and of a zombie too; /proc would tell hundredths. Nothing of a
    process that is gone.
    """
    if not LINUX:
        return _cpu_by_psutil(pid)
    try:
        own = cpu_clock(pid)
        reaped = sum(map(int, _text(f"/proc/{pid}/stat").rpartition(")")[2].split()[13:15])) / _TICKS
    except (OSError, ValueError):
        return 0.0, 0.0
    return own, reaped


def is_zombie(pid: int) -> bool:
    """Tell whether a process has ended and only waits to be asked how; False where the system does not tell."""
    return LINUX and _text(f"/proc/{pid}/stat").rpartition(")")[2].split()[:1] == ["Z"]


def tidies_up(pid: int) -> bool:
    """Tell whether a process is the one that takes files and semaphores away once those that used them are gone.

    Python's own and that of joblib: killed with the others, they would leave shared memory behind for good.
    """
    return LINUX and "resource_tracker" in _text(f"/proc/{pid}/cmdline")


def cpu_clock(pid: int) -> float:
    """Return what the CPU clock of a process shows; OSError where it has none or is gone."""
    if not LINUX or _clock is None:
        raise OSError("no CPU clocks of other processes")
    return float(
        _clock(~pid << 3 | 2)
    )  # how the kernel writes "the CPU clock of this process", see clock_getcpuclockid


def _cpu_by_psutil(pid: int) -> tuple[float, float]:
    with contextlib.suppress(ImportError):
        import psutil

        with contextlib.suppress(psutil.Error):
            times = psutil.Process(pid).cpu_times()
            return times.user + times.system, times.children_user + times.children_system
    return 0.0, 0.0


def held_alone(pid: int) -> int:
    """Return the bytes that a process shares with no other: what it still shares with its parent counts there.

    Where the system does not tell: its resident size less what is mapped from files.
    """
    if LINUX:
        lines = [line.split() for line in _text(f"/proc/{pid}/smaps_rollup").splitlines()]
        sizes = {words[0]: int(words[1]) for words in lines if words[-1] == "kB"}
        if "Private_Dirty:" in sizes:
            return (sizes["Private_Dirty:"] + sizes.get("Private_Hugetlb:", 0) + sizes.get("Swap:", 0)) * 1024
    return held(pid) or 0


def held(pid: int) -> int | None:
    """Return the bytes a process holds (mapped libraries not counted); None when it is gone.

    Where there is no /proc: its resident size, by psutil; None without psutil.
    """
    if LINUX:
        sizes = _text(f"/proc/{pid}/statm").split()[1:3]
        return (int(sizes[0]) - int(sizes[1])) * _PAGE if len(sizes) == 2 else None
    with contextlib.suppress(ImportError):
        import psutil

        with contextlib.suppress(psutil.Error):
            return int(psutil.Process(pid).memory_info().rss)
    return None


def _text(path: str) -> str:
    """Read a file of /proc, which is gone when its process is; half the time of `open`."""
    try:
        file = _open(path, os.O_RDONLY)
    except OSError:
        return ""
    try:
        parts = []
        while part := _read(file, 1 << 16):
            parts.append(part)
        return b"".join(parts).decode(errors="replace")
    except OSError:
        return ""
    finally:
        _close(file)
