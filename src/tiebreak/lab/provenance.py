"""What produced a score: whether a learner, or a library, is still the one whose results a store holds."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import random
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.errors import OptionError
from tiebreak.lab.algorithms.specs import spec_text
from tiebreak.lab.tasks import CALIBRATE_AFTER, THREAD_COUNTS, AlgorithmSpec
from tiebreak.stores.records import Calibration, Environment, from_plain, plain
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.stores import Store


# ---- the calibrating kernel: about a second of fixed work, the same on every machine


_ROUNDS = 3


def kernel() -> float:
    """Do the work once; returns a number that depends on all of it, the same everywhere up to rounding.

    Examples
    --------
    >>> round(kernel(), 6) == round(kernel(), 6)
    True
    """
    total = 0.0
    for _ in range(_ROUNDS):
        rng = np.random.default_rng(20_120_101)
        total += _algebra(rng) + _loop() + _memory(rng)
    return total


def _algebra(rng: np.random.Generator) -> float:
    rows = rng.standard_normal((700, 260))
    total = 0.0
    for _ in range(5):
        gram = rows.T @ rows + 10.0 * np.eye(260)
        total += float(np.linalg.eigvalsh(gram)[0]) + float(np.linalg.solve(gram, rows.T).sum())
        total += float((rows[:, None, :40] * rows[None, :120, :40]).sum())
    return total


def _loop() -> float:
    """A tree grown and searched by hand: dictionaries, lists, floats, calls."""
    draw = random.Random(20_120_101)
    result: dict[int, list[float]] = {}
    for place in range(330_000):
        result.setdefault(place * 2_654_435_761 % 4093, []).append(draw.random())
    return sum(min(item) + max(item) for item in result.values())


def _memory(rng: np.random.Generator) -> float:
    values = rng.random(900_000)
    order = np.argsort(values)
    drawn = rng.integers(0, values.size, values.size)
    return float(np.cumsum(values[order])[::1000].sum()) + float(values[drawn].sum())


def main() -> None:
    """Warm up, measure, print."""
    kernel_part = np.random.default_rng(0).standard_normal((50, 50))
    np.linalg.eigvalsh(kernel_part @ kernel_part.T)
    wall, cpu = time.perf_counter(), time.process_time()
    kernel()
    print(json.dumps([time.process_time() - cpu, time.perf_counter() - wall]))


LIBRARIES = ("tiebreak", "numpy", "scipy", "scikit-learn")
"""What takes part in every cell; the packages of a learner come beside them."""
EVERY = 300.0
"""Seconds between two such measurements of a helper."""
KERNEL = "tiebreak.lab.provenance"
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
    versions = {name: _version(name) for name in names}
    return Environment(
        host=socket.gethostname(),
        cpu=_processor(),
        cores=os.cpu_count(),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        versions={name: text for name, text in sorted(versions.items()) if text},
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
            options = ["sysctl", "-n", "machdep.cpu.brand_string"]
            return subprocess.run(options, capture_output=True, text=True, timeout=5, check=True).stdout.strip()
    return platform.processor() or platform.machine()


def host_load() -> float | None:
    """Return how many processes wanted to run, on average over the last minute; None where the system does not say."""
    try:
        return os.getloadavg()[0]
    except (OSError, AttributeError):
        return None


def calibrated() -> Calibration | None:
    """Measure how fast this machine is now, in a process of its own; None where that fails.

    About a second of fixed work on one thread: see `tiebreak.lab.provenance`.
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
        calibration, self._found = self._found, None
        fast = None if calibration is None else [calibration.cpu, calibration.wall, calibration.load]
        return [_plain(packages), host_load(), fast]


@lru_cache(maxsize=256)
def _plain(packages: tuple[str, ...]) -> dict[str, object]:
    return plain(environment(packages))


@lru_cache(maxsize=256)
def _heard(text: str) -> Environment | None:
    return from_plain(json.loads(text))


def heard(options: list[Any]) -> dict[str, Any]:
    """Return what `Surroundings.told` says as fields of an outcome; one environment is one object, made once."""
    place, load, fast = options
    where = _heard(json.dumps(place))
    result: dict[str, Any] = {"environment": where, "load": load}
    if where is not None and isinstance(fast, list):
        result["calibration"] = Calibration(environment=where, cpu=fast[0], wall=fast[1], load=fast[2])
    return result


_RECORDED_ONLY = "tiebreak"
"""Kept with every cell; but an update of the program that runs cells must not stop a plan."""


def described(spec: AlgorithmSpec) -> dict[str, object]:
    """Return what a store keeps of an algorithm: its text, and where it is local the digests of its modules."""
    options: dict[str, object] = {"text": spec_text(spec)}
    return options | ({"source": spec.code.digest, "files": dict(spec.code.files)} if spec.code.digest else {})


def difference(stored: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, str]:
    """Say what differs between two algorithms of one name, as `described`: settings or source, and how.

    Examples
    --------
    >>> difference({"text": "x = named 1 nb {}"}, described(AlgorithmSpec(name="nb")))
    ('settings', 'named 1 nb {} -> named 1 nb {"smoothing": 1.0}')
    """
    before, after = (str(item.get("text", "")).partition(" = ")[2].partition(" source ")[0] for item in (stored, now))
    if before != after or not now.get("source"):
        return "settings", f"{before} -> {after}" if before else ""
    old, new = stored.get("files", {}), now["files"]
    changed = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    return "source", ", ".join(f"{name} {old.get(name, 'none')} -> {new.get(name, 'none')}" for name in changed[:4])


def check_libraries(specs: Mapping[str, AlgorithmSpec], datasets: Sequence[str], store: Store) -> None:
    """Refuse to run cells beside those of other versions of a library; the third number of a version may differ."""
    ours: dict[str, str] = {}
    for spec in specs.values():
        here = environment(spec.code.packages)
        ours |= {**here.versions, "python": here.python}
    unlike = {key: _unlike(item, ours) for key, item in store.environments().items()}
    cells: Counter[tuple[str, str]] = Counter()
    for dataset, _, key, count in store.run_where():
        for pair in unlike.get(key, ()) if dataset in datasets else ():
            cells[pair] += count
    if not cells:
        return
    texts = [f"{name} {text} ({cells[name, text]} cells; here {ours[name]})" for name, text in sorted(cells)]
    back = " ".join(f"'{name}=={text}'" for name, text in sorted(cells) if name != "python")
    raise OptionError(
        f"The store {store.shown} holds results on these data sets that were run with {', '.join(texts)}.",
        why="Scores and times of different versions would stand side by side in one order.",
        mend=(f"Go back (pip install {back}), use" if back else "Use")
        + f" another store, or run on with {option(mix_versions=True)}: comparisons will then say so.",
    )


def _unlike(there: Environment, ours: Mapping[str, str]) -> list[tuple[str, str]]:
    versions = {**there.versions, "python": there.python}
    return [
        (name, text)
        for name, text in versions.items()
        if name != _RECORDED_ONLY and text and ours.get(name) and text.split(".")[:2] != ours[name].split(".")[:2]
    ]


if __name__ == "__main__":
    main()
