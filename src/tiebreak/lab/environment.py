"""Where a cell runs and with what: host, processor, load, versions of the libraries; said by whoever runs it.

The helper that makes the children says it, not the driver: a helper may run on another machine.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import socket
import subprocess
import sys
import time
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tiebreak.lab.processes.settings import CALIBRATE_AFTER, THREAD_COUNTS
from tiebreak.store.records import Calibration, Environment

LIBRARIES = ("tiebreak", "numpy", "scipy", "scikit-learn")
"""What takes part in every cell; the packages of a learner come beside them."""
EVERY = 300.0
"""Seconds between two such measurements of a helper."""
KERNEL = "tiebreak.lab.calibration"
_PATIENCE = 60.0
_OTHER_NAMES = {"sklearn": "scikit-learn", "cv2": "opencv-python", "PIL": "pillow", "yaml": "pyyaml"}


@lru_cache(maxsize=256)
def environment(packages: tuple[str, ...] = ()) -> Environment:
    """Return this machine and the versions of what runs on it.

    Parameters
    ----------
    packages : tuple of str
        The packages a learner comes from, as they are imported.

    Returns
    -------
    Environment

    Examples
    --------
    >>> sorted(environment(("sklearn",)).versions)[:2]
    ['numpy', 'scikit-learn']
    """
    names = dict.fromkeys([*LIBRARIES, *(_OTHER_NAMES.get(name, name) for name in packages)])
    found = {name: _version(name) for name in names}
    return Environment(
        host=socket.gethostname(),
        cpu=_processor(),
        cores=os.cpu_count(),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        versions={name: text for name, text in sorted(found.items()) if text},
    )


def _version(name: str) -> str:
    """The name of a package on an index is mostly that by which it is imported; where it is not, it is looked up."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version(name)
    with contextlib.suppress(ValueError, ImportError):
        if find_spec(name) is None:
            return ""
    for other in metadata.packages_distributions().get(name, ()):
        with contextlib.suppress(metadata.PackageNotFoundError):
            return metadata.version(other)
    return str(getattr(sys.modules.get(name), "__version__", ""))


@lru_cache(maxsize=1)
def _processor() -> str:
    """Python itself knows the family of a processor at best."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() in ("model name", "Hardware", "cpu model") and value.strip():
                return " ".join(value.split())
    if sys.platform == "darwin":
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
            return subprocess.run(asked, capture_output=True, text=True, timeout=5, check=True).stdout.strip()
    return platform.processor() or platform.machine()


def host_load() -> float | None:
    """Return how many processes wanted to run, on average over the last minute; None where the system does not say."""
    try:
        return os.getloadavg()[0]
    except (OSError, AttributeError):
        return None


def calibrated() -> Calibration | None:
    """Measure how fast this machine is now, in a process of its own; None where that fails.

    About a second of fixed work on one thread: see `tiebreak.lab.calibration`.
    """
    surroundings = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | dict.fromkeys(THREAD_COUNTS, "1")
    load = host_load()
    try:
        done = subprocess.run(
            [sys.executable, "-m", KERNEL],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=True,
            env=surroundings,
        )
        cpu, wall = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return Calibration(environment=environment(), cpu=float(cpu), wall=float(wall), load=load)


class Surroundings:
    """What a helper says beside an outcome: where it runs, how busy the host is, and now and then how fast.

    Parameters
    ----------
    first, every : float
        Seconds of work before the host is measured, and between two measurements.
    """

    def __init__(self, first: float = CALIBRATE_AFTER, every: float = EVERY) -> None:
        self._due = time.monotonic() + first
        self._every = every
        self._found: Calibration | None = None

    def look(self) -> None:
        """Measure the host, if it is time; to be called where no cell runs."""
        if time.monotonic() >= self._due:
            self._found = calibrated()
            self._due = time.monotonic() + self._every

    def told(self, packages: tuple[str, ...]) -> list[object]:
        """Return what goes with one outcome, as plain data."""
        found, self._found = self._found, None
        fast = None if found is None else [found.cpu, found.wall, found.load]
        return [_plain(packages), host_load(), fast]


@lru_cache(maxsize=256)
def _plain(packages: tuple[str, ...]) -> dict[str, object]:
    from tiebreak.store.environments import plain

    return plain(environment(packages))


@lru_cache(maxsize=256)
def _heard(text: str) -> Environment | None:
    from tiebreak.store.environments import from_plain

    return from_plain(json.loads(text))


def heard(told: list[Any]) -> dict[str, Any]:
    """Return what `Surroundings.told` says as fields of an outcome; one environment is one object, made once."""
    place, load, fast = told
    where = _heard(json.dumps(place))
    found: dict[str, Any] = {"environment": where, "load": load}
    if where is not None and isinstance(fast, list):
        found["calibration"] = Calibration(environment=where, cpu=fast[0], wall=fast[1], load=fast[2])
    return found
