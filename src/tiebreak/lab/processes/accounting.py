"""CPU time and memory of a process, as the system accounts for them, and the limits the system itself enforces."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from pathlib import Path

LINUX = sys.platform.startswith("linux")
HEADROOM = 1 << 30
PR_SET_PDEATHSIG = 1


def cpu_seconds() -> float:
    """Return the CPU time this process and its own finished children have used."""
    if sys.platform == "win32":
        return time.process_time()
    import resource

    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(use.ru_utime + use.ru_stime for use in map(resource.getrusage, kinds))


def private_memory(pid: int) -> int | None:
    """Return the bytes a process holds for itself (mapped libraries not counted); None when it is gone.

    Where there is no /proc: its resident size, by psutil; None without psutil.
    """
    if LINUX:
        try:
            resident, shared = Path(f"/proc/{pid}/statm").read_text().split()[1:3]
        except (OSError, ValueError):
            return None
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    try:
        import psutil
    except ImportError:
        return None
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return None


def reset_peak() -> None:
    """Let the peak of this process start again from what it holds now (Linux; elsewhere the peak only grows)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak_memory() -> int | None:
    """Return the most bytes this process held since `reset_peak`, mapped libraries not counted."""
    if LINUX:
        with contextlib.suppress(OSError, KeyError, ValueError):
            lines = Path("/proc/self/status").read_text().splitlines()
            sizes = {name: rest for name, _, rest in (line.partition(":") for line in lines)}
            return (int(sizes["VmHWM"].split()[0]) - int(sizes["RssFile"].split()[0])) * 1024
    if sys.platform == "win32":
        return private_memory(os.getpid())
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def limit_address_space(memory: int | None) -> None:
    """Let the system refuse what is far beyond the limit, in case the helper's watch comes too late."""
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if memory is None or not LINUX:
        return
    now = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, ValueError):
        most = now + memory + max(memory, HEADROOM)
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def die_with(parent: int) -> None:
    """End this process when its parent ends, however that ends."""
    if sys.platform == "win32":
        return
    if LINUX:
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    else:
        threading.Thread(target=_watch_parent, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os._exit(1)


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def kill_group(pid: int) -> None:
    """Kill a child and everything it started that stayed in its session."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM)
        return
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
