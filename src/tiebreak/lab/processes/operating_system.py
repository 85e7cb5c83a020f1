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
from pathlib import Path
from typing import Any

from tiebreak.lab.processes import process_tree
from tiebreak.lab.processes.process_tree import LINUX

_setitimer = getattr(signal, "setitimer", None)
HEADROOM = 1 << 30
"""Added to the limit of the address space: libraries reserve far more than they ever touch."""
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
        return process_tree.held(os.getpid())
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


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
    """For systems that do not kill orphans; `os._exit`, as an exception would end this thread alone."""
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
    for below in process_tree.descendants(pid):
        if but_tidy and process_tree.tidies_up(below):
            continue
        with contextlib.suppress(OSError):
            os.kill(below, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)


def kill_orphans() -> None:
    """Kill and bury every child of this process, and what then becomes its child; for helpers that keep orphans.

    A helper has one child at a time: once that is gone, whatever else is there was left behind by its learner.
    """
    start = time.monotonic()
    while process_tree.has_children() and time.monotonic() < start + KILL_SECONDS:
        kill_below(os.getpid(), but_tidy=time.monotonic() < start + TIDY_SECONDS)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if process_tree.has_children():
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
