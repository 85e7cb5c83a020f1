"""What the operating system does with processes: starts, accounts for, limits and kills them."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from functools import cache
from os import close as _close, getpid as _getpid, listdir as _listdir, open as _open, read as _read
from pathlib import Path
from time import process_time as _process_time
from typing import Any, TypeVar

# ---- the processes below a process: who they are, the CPU seconds they used and the memory they hold


_Answer = TypeVar("_Answer")
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
    result: dict[int, int] = {}
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        for child in _children_of(parent):
            if child not in result and child != pid:
                result[child] = parent
                waiting.append(child)
    return result


def _children_of(pid: int) -> Iterable[int]:
    """Every thread has its own list of the children it made."""
    if not _has_lists():
        return _by_psutil(pid, lambda process: [child.pid for child in process.children()], [])
    try:
        threads = _listdir(f"/proc/{pid}/task")
    except OSError:
        return ()
    return [int(word) for thread in threads for word in _text(f"/proc/{pid}/task/{thread}/children").split()]


@cache
def _has_lists() -> bool:
    """A kernel may be built without them, and only Linux has them at all."""
    return LINUX and Path(f"/proc/self/task/{_getpid()}/children").exists()


def _by_psutil(pid: int, read: Callable[[Any], _Answer], otherwise: _Answer) -> _Answer:
    """Ask psutil about a process, where the system tells nothing itself; another answer where both are silent."""
    with contextlib.suppress(ImportError):
        import psutil

        with contextlib.suppress(psutil.Error):
            return read(psutil.Process(pid))
    return otherwise


def cpu_of(pid: int) -> tuple[float, float]:
    """Return the CPU seconds of a process, with all its threads, and those of its children that it waited for.

    Its own come from its CPU clock, to the nanosecond and of a zombie too; /proc would tell hundredths. Nothing of a
    process that is gone.
    """
    if not LINUX:
        times = _by_psutil(pid, lambda process: process.cpu_times(), None)
        return (0.0, 0.0) if times is None else (times[0] + times[1], times[2] + times[3])
    try:
        clock = cpu_clock(pid)
        reaped = sum(map(int, _text(f"/proc/{pid}/stat").rpartition(")")[2].split()[13:15])) / _TICKS
    except (OSError, ValueError):
        return 0.0, 0.0
    return clock, reaped


def spent() -> tuple[float, float]:
    """Return the CPU seconds of this process and all below it, and the clock, read last.

    That is this process, its children that were waited for, and all processes below it that are there now: four
    microseconds where there are none.
    """
    below = _spent_below()
    return own_and_reaped() + below, time.perf_counter()


def spent_since(start: tuple[float, float]) -> tuple[float, float]:
    """Return the CPU seconds of the tree and the seconds on the clock since a reading; neither is ever negative.

    Here the clocks of this process are read first: to look at others takes milliseconds where there is no /proc.
    """
    wall, own = time.perf_counter() - start[1], own_and_reaped()
    return max(0.0, own + _spent_below() - start[0]), max(0.0, wall)


def _spent_below() -> float:
    """Return the CPU seconds of what lives below; read again when a process came or went meanwhile."""
    if not has_children():
        return 0.0
    cpu, below = 0.0, descendants(_getpid())
    for _ in range(3):
        before, cpu = below, sum(sum(cpu_of(pid)) for pid in below)
        below = descendants(_getpid())
        if below == before:
            break
    return cpu


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


def stood_in_line(pid: int) -> float:
    """Return the seconds that a process was ready to run and had no core; 0 where the system does not tell."""
    words = _text(f"/proc/{pid}/schedstat").split()
    return int(words[1]) / 1e9 if len(words) > 1 else 0.0


def tree_memory(root: int) -> int:
    """Return the bytes that a process and all below it hold together, pages shared after a fork once."""
    return (held(root) or 0) + sum(map(held_alone, descendants(root)))


def out_of_memory_kills() -> int:
    """Return how many processes the kernel has killed for want of memory since it was started; 0 where it is silent."""
    line = next((line for line in _text("/proc/vmstat").splitlines() if line.startswith("oom_kill ")), "0")
    return int(line.split()[-1])


def held(pid: int) -> int | None:
    """Return the bytes a process holds (mapped libraries not counted); None when it is gone.

    Where there is no /proc: its resident size, by psutil; None without psutil.
    """
    if LINUX:
        sizes = _text(f"/proc/{pid}/statm").split()[1:3]
        return (int(sizes[0]) - int(sizes[1])) * _PAGE if len(sizes) == 2 else None
    return _by_psutil(pid, lambda process: int(process.memory_info().rss), None)


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


_setitimer = getattr(signal, "setitimer", None)
HEADROOM = 4 << 30
"""Added to the limit of the address space: libraries reserve far more than they ever touch, and a program below the
learner that gets no memory may fail without the learner noticing, where the watch would have stopped the cell."""
PR_SET_PDEATHSIG = 1
"""The number by which prctl knows "send me a signal when my parent dies"."""
PR_SET_CHILD_SUBREAPER = 36
"""The number by which prctl knows "processes below me whose parent dies become my children"."""
KILL_SECONDS = 5.0
"""So long a helper goes on killing what a learner left behind, in case it starts new ones as fast."""
TIDY_SECONDS = 3.0
"""So long those may live on that take away shared memory."""


def reset_peak() -> None:
    """Let the peak of this process start again from what it holds now (Linux; elsewhere the peak only grows)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # 5 sets the high-water mark back, see proc(5)


def peak_memory() -> int | None:
    """Return the most bytes this process held since `reset_peak`, mapped libraries not counted."""
    if LINUX:
        with contextlib.suppress(OSError, KeyError, ValueError):
            lines = Path("/proc/self/status").read_text().splitlines()
            sizes = {name: rest for name, _, rest in (line.partition(":") for line in lines)}
            return (int(sizes["VmHWM"].split()[0]) - int(sizes["RssFile"].split()[0])) * 1024
    if sys.platform == "win32":
        return held(os.getpid())
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def peak_below() -> int:
    """Return the most bytes that any one process held which ended below this one and was waited for."""
    if sys.platform == "win32":
        return 0
    return _getrusage(RUSAGE_CHILDREN).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def resident() -> int:
    """Return the bytes of this process in memory, libraries included, which a process forked from it shares."""
    sizes = _text("/proc/self/statm").split()
    return int(sizes[1]) * _PAGE if sizes else held(_getpid()) or 0


def limit_address_space(memory: int | None) -> None:
    """Let the system refuse what is far beyond the limit, in case the helper's watch comes too late."""
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):  # a learner that crashes leaves no core file behind
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if memory is None or not LINUX:
        return
    now = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, ValueError):
        most = now + memory + max(memory, HEADROOM)
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def stop_timers() -> None:
    """Stop the alarm that an earlier cell of this process may have set: it would strike a later one."""
    if _setitimer is not None:
        _setitimer(signal.ITIMER_REAL, 0.0)


def die_with(parent: int) -> None:
    """End this process when its parent ends, however that ends."""
    if sys.platform == "win32":
        return
    if LINUX:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch_parent, args=(parent,), daemon=True).start()
    if os.getppid() != parent:  # it ended before the system was asked
        os._exit(1)


def _prctl(number: int, value: int) -> bool:
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).prctl(number, value, 0, 0, 0) == 0)
    return False


def keep_orphans() -> bool:
    """Let processes below this one stay below it when their parent ends; tells whether the system can (Linux)."""
    return LINUX and _prctl(PR_SET_CHILD_SUBREAPER, 1)


def _watch_parent(parent: int) -> None:
    """For systems that do not kill orphans; `os._exit`, because an exception would end only this thread."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def kill_group(pid: int) -> None:
    """Kill a child and everything it started that stayed in its session."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM)
        return
    for kill in (os.killpg, os.kill):  # one that was just forked leads no group yet
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def kill_below(pid: int, *, but_tidy: bool = False) -> None:
    """Kill what a process started, also outside its session; perhaps but those that tidy up after the others."""
    for below in descendants(pid):
        if but_tidy and tidies_up(below):
            continue
        with contextlib.suppress(OSError):
            os.kill(below, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)


def kill_orphans() -> None:
    """Kill and bury every child of this process, and what then becomes its child; for helpers that keep orphans.

    A helper has one child at a time: once that is gone, whatever else is there was left behind by its learner.
    """
    start = time.monotonic()
    while has_children() and time.monotonic() < start + KILL_SECONDS:
        kill_below(os.getpid(), but_tidy=time.monotonic() < start + TIDY_SECONDS)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if has_children():
            time.sleep(0.001)


def start_interpreter(
    module: str, theirs: socket.socket, *, stderr: int, env: dict[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start `python -m MODULE SOCKET PARENT` in a session of its own, so that Ctrl-C reaches the driver only."""
    more: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": stderr, "env": env}
    command, parent = [sys.executable, "-m", module], str(os.getpid())
    if sys.platform == "win32":  # sockets are not inherited there: this one is handed over through standard input
        more["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
        process = subprocess.Popen([*command, "-", parent], stdin=subprocess.PIPE, **more)
        assert process.stdin is not None
        process.stdin.write(theirs.share(process.pid))
        process.stdin.close()
        return process
    more |= {"stdin": subprocess.DEVNULL, "pass_fds": [theirs.fileno()], "start_new_session": True}
    return subprocess.Popen([*command, str(theirs.fileno()), parent], **more)


def adopt_socket(word: str) -> socket.socket:
    """Return the socket that the process which started this one left for it, named on the command line."""
    if sys.platform == "win32":
        return socket.fromshare(sys.stdin.buffer.read())
    return socket.socket(fileno=int(word))
