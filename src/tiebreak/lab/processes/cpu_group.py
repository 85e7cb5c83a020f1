"""A control group of the system for a helper and all that it starts counts their CPU seconds, whoever waits for them.

Without one the accounts of single processes are added up. They lose one thing: a process that nobody waits for, because
its parent ignores SIGCHLD, takes its account with it when it ends. The group loses nothing, but can be had only where
this user may make one: as root outside a container, or under a systemd that runs for the user.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tiebreak.lab.processes import process_tree

_pread = getattr(os, "pread", None)
PREFIX = "tiebreak-"


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuGroup:
    """A group with one helper in it: its folder, and the name and the open file of its account."""

    folder: Path
    helper: int
    name: str
    account: int

    def seconds(self) -> float | None:
        """Return the CPU seconds of all in the group but the helper.

        Exact when the CPU clocks of those that run now were read just before: the kernel then brings them up to date.
        """
        try:
            helper = process_tree.cpu_clock(self.helper)
            text = b"" if _pread is None else _pread(self.account, 400, 0)
            used = int(text) / 1e9 if self.name == "cpuacct.usage" else int(text.split()[1]) / 1e6
        except (OSError, ValueError, IndexError):  # a learner may have closed the file
            return None
        return used - helper

    def reopened(self) -> CpuGroup | None:
        """Return the group for a fresh interpreter, which has not inherited the open file."""
        try:
            return replace(self, account=os.open(self.folder / self.name, os.O_RDONLY | os.O_CLOEXEC))
        except OSError:
            return None

    def leave(self) -> None:
        """Go back to where the helper came from and take the group away."""
        with contextlib.suppress(OSError):
            (self.folder.parent / "cgroup.procs").write_text(str(os.getpid()))
            self.folder.rmdir()


def enter(kinds: tuple[str, ...] = ("cgroup2", "cgroup")) -> CpuGroup | None:
    """Put this process into a group of its own below the one it is in; None where the system does not let it."""
    if not sys.platform.startswith("linux"):
        return None
    for folder, account in _places(kinds):
        with contextlib.suppress(OSError, ValueError):
            _sweep(folder)
            own = folder / f"{PREFIX}{os.getpid()}"
            own.mkdir(exist_ok=True)
            try:
                file = os.open(own / account, os.O_RDONLY | os.O_CLOEXEC)
                (own / "cgroup.procs").write_text(str(os.getpid()))
            except OSError:
                own.rmdir()
                raise
            return CpuGroup(folder=own, helper=os.getpid(), name=account, account=file)
    return None


def _places(kinds: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """Yield the group this process is in, in the unified hierarchy and in that of CPU accounts alone.

    Never in one that also shares out CPU time (`cpu,cpuacct`): a new group there would change who runs when.
    """
    with contextlib.suppress(OSError, ValueError):
        lines = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
        inside = {names: path for _, names, path in lines}
        for line in Path("/proc/self/mounts").read_text().splitlines():
            _, mount, kind, options = line.split()[:4]
            names = "" if kind == "cgroup2" else "cpuacct"
            alone = kind == "cgroup2" or {"cpu", "cpuacct"} & set(options.split(",")) == {"cpuacct"}
            folder = Path(mount + inside.get(names, "/.."))
            if kind in kinds and alone and names in inside and os.access(folder / "cgroup.procs", os.W_OK):
                yield folder, "cpuacct.usage" if names else "cpu.stat"


def _sweep(folder: Path) -> None:
    """Take away the groups of helpers that were killed; one that still has a process stays."""
    for old in folder.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            old.rmdir()
