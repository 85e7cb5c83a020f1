"""The warm-up before the first cell of a process: imports, first calls and worker processes are no learner's cost.

It never lasts: a small fit is broken off after half a second outside imports, together with its process, and the next
process only imports what that one had imported. So a slow learner is not run twice.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import random
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.lab.processes import costs
from tiebreak.lab.processes.settings import FIT, IMPORTS, MOST_MODULES, Warmth
from tiebreak.lab.tasks import AlgorithmSpec

_Answer = TypeVar("_Answer")


def timed(call: Callable[[], _Answer]) -> tuple[_Answer, float, float]:
    """Return the answer of a call, the CPU seconds of this process and all below it, and its seconds on the clock.

    CPU seconds are what costs are compared by: on a busy machine the clock runs for the others too.
    """
    start = costs.read()
    answer = call()
    return answer, *costs.since(start)


SHORT = 0.01
"""What takes fewer CPU seconds is timed again: a disturbance of a millisecond would else count for much."""
SHORT_WALL = 0.1
KNOWN = 0.05
"""The mean is known where its standard error is at most this share of it."""


def repeated(prepare: Callable[[], Callable[[], object]], cpu: float, wall: float) -> tuple[list[float], list[float]]:
    """Time a call again that took so long, until its mean is known; returns the CPU seconds and those on the clock.

    At least three times, and no longer than twice `SHORT` of CPU or of `SHORT_WALL` by the clock; not at all where the
    first call was not short. `prepare` makes what is called, outside the clocks. What fails is not timed further.
    """
    times: list[float] = []
    walls: list[float] = []
    with contextlib.suppress(Exception):
        while cpu < SHORT and wall < SHORT_WALL and (len(times) < 3 or standard_error(times) > KNOWN):
            _, *one = timed(prepare())
            times.append(one[0])
            walls.append(one[1])
            if sum(times) >= 2 * SHORT or sum(walls) >= 2 * SHORT_WALL:
                break
    return times, walls


def standard_error(times: Sequence[float]) -> float:
    """Return the standard error of the mean of some times as a share of the mean.

    Examples
    --------
    >>> round(standard_error([1.0, 1.2, 0.8, 1.0]), 3)
    0.082
    """
    mean = float(np.mean(times))
    return float(np.std(times, ddof=1) / np.sqrt(len(times))) / mean if mean > 0 else 0.0


@contextmanager
def seeded_globals(seed: int) -> Iterator[None]:
    """Seed the global generators for learners that draw from them, and put them back."""
    numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002
    np.random.seed(seed % 2**32)  # noqa: NPY002
    random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(numpy_state)  # noqa: NPY002
        random.setstate(python_state)


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Collect the distinct warnings of a block as short texts instead of printing them."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)  # comes when garbage is collected, whoever left it
        yield texts
    found = ((each.category.__name__, " ".join(str(each.message).split())) for each in caught)
    texts += dict.fromkeys(f"{kind}: {message[:200]}" for kind, message in found)


Tell = Callable[..., None]
SECONDS = 0.5
"""So long the small fits may take, imports not counted; more is nothing that could be called warming up."""
POOL_SECONDS = 60.0
QUICK = 0.1
"""A small fit up to this long is done in every process; a longer one only where the second took half as long."""
STEP = 0.05
_WARM_ROWS = 3
_LIGHT = {"n_estimators": 2, "max_iter": 2, "iterations": 2, "epochs": 2, "max_epochs": 2}
_THREADED = ("sklearn.ensemble._forest", "sklearn.neighbors", "xgboost", "lightgbm", "catboost")
"""Their `n_jobs` are threads of the same process, which need no start worth speaking of."""
_IN_WORKERS = ("sklearn.model_selection", "sklearn.ensemble", "sklearn.pipeline")
_warm: dict[tuple[str, ...], Any] = {}
_found: list[Any] = [-1, None]
"""The number of modules when libraries were last looked for, and what limits the threads of those found."""


def warmed_up(estimator: Any, rows: FloatArray, codes: Any, spec: AlgorithmSpec) -> Any:
    """Warm up for a learner once per process; returns what limits the threads of the libraries then loaded."""
    key = _key(spec)
    if key not in _warm:
        _fit_once(_light(estimator), rows, codes)
        _note_warm(key)
    return _warm[key]


def _key(spec: AlgorithmSpec) -> tuple[str, ...]:
    return spec.source, spec.path or spec.name, hashlib.sha256(spec.payload).hexdigest()


def _note_warm(key: tuple[str, ...]) -> None:
    """One learner at a time, so that a long life does not fill the memory."""
    _warm.clear()
    _warm[key] = thread_limits()


def thread_limits() -> Any:
    """Return what limits the threads of the libraries loaded now; to look for them takes 3 ms, so only if need be."""
    from threadpoolctl import ThreadpoolController

    if _found[0] != len(sys.modules):
        _found[:] = len(sys.modules), ThreadpoolController()
    return _found[1]


def warm_up(make: Callable[[], tuple[Any, FloatArray, Any]], spec: AlgorithmSpec, warmth: Warmth, tell: Tell) -> Warmth:
    """Warm up in a child before its first cell, as far as `warmth` says; returns what the next child should do.

    `make` builds the learner and returns it with the rows and classes it will learn from; what goes wrong here will go
    wrong again where it is recorded. `tell` sends word to the helper, which ends a child that is silent for long.
    """
    with _bounded(warmth, tell) as watch:
        for name in warmth.modules:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        found = warmth
        with contextlib.suppress(BaseException):
            estimator, rows, codes = make()
            light, size = _light(estimator), _pool_size(estimator)
            if size > 1:
                with watch.patient():
                    _ask_workers(size, (*_IN_WORKERS, *warmth.modules), light)
            if warmth.level == FIT:
                found = _fitted(light, rows, codes, warmth)
            if size > 1 and found.level == FIT:
                with watch.patient():
                    _ask_workers(size, (), light, rows, codes)
    _note_warm(_key(spec))
    return replace(found, modules=watch.imported() if found.level < FIT else (), known=True)


def _fitted(light: Any, rows: FloatArray, codes: Any, warmth: Warmth) -> Warmth:
    """Fit the small copy; where that is not quick, and nobody knows yet, find out whether the second time is."""
    first = _fit_once(light, rows, codes)
    if warmth.known or first < QUICK:
        return warmth
    pays = _fit_once(light, rows, codes) < first / 2
    return warmth if pays else replace(warmth, level=IMPORTS)


def _fit_once(light: Any, rows: FloatArray, codes: Any) -> float:
    """Fit and ask the small copy once; returns its seconds, those not counted that it stood in line for a core."""
    few = _few_rows(codes)
    start = _own_time()
    with contextlib.suppress(Exception), warnings.catch_warnings(), thread_limits().limit(limits=1), seeded_globals(0):
        warnings.simplefilter("ignore")
        light.fit(rows[few], codes[few]).predict(rows[few])
    return _own_time() - start


def _few_rows(targets: Any) -> IntArray:
    """Return the places of three rows per class; of numbers, the first rows will do."""
    if np.asarray(targets).dtype.kind == "f":
        return np.arange(min(len(targets), 4 * _WARM_ROWS))
    return np.concatenate([np.flatnonzero(targets == code)[:_WARM_ROWS] for code in np.unique(targets)])


def _light(estimator: Any) -> Any:
    """Return a copy of what a search fits again and again, cut down to two trees or iterations; None if that fails."""
    from sklearn.base import clone

    with contextlib.suppress(Exception):
        light = clone(_innermost(estimator))
        steps = [(name, part) for name, part in light.get_params(deep=True).items() if "__" not in name]
        light.set_params(**{name: _innermost(part) for name, part in steps if _searches(part)})
        names = light.get_params(deep=True)
        last = {name: name.rpartition("__")[2] for name, value in names.items() if isinstance(value, int)}
        return light.set_params(**{name: _LIGHT[own] for name, own in last.items() if own in _LIGHT})
    return None


def _innermost(estimator: Any) -> Any:
    """Return what a search or a calibration by inner cross-validation fits again and again."""
    while _searches(estimator):
        estimator = estimator.estimator
    return estimator


def _searches(part: Any) -> bool:
    return hasattr(part, "get_params") and hasattr(part, "estimator") and "cv" in part.get_params(deep=False)


def _pool_size(estimator: Any) -> int:
    """Return how many worker processes the learner will ask joblib for, by its own `n_jobs` and those inside it."""
    from joblib import effective_n_jobs

    parts = estimator.get_params(deep=True) | {"": estimator}
    sizes = [1]
    for name, value in parts.items():
        owner, _, last = name.rpartition("__")
        home = type(parts.get(owner)).__module__
        if last == "n_jobs" and isinstance(value, int) and value != 0 and not home.startswith(_THREADED):
            sizes.append(effective_n_jobs(value))
    return max(sizes)


def _ask_workers(size: int, modules: tuple[str, ...], light: Any, *data: Any) -> None:
    """Start joblib's workers and warm up in each; who takes a call is open, so they are asked until all did."""
    from joblib import Parallel, delayed

    seen: set[int] = set()
    for _ in range(20):
        calls = (delayed(_in_worker)(modules, light, *data) for _ in range(size))
        seen.update(Parallel(n_jobs=size, batch_size=1)(calls))
        if len(seen) >= size:
            return


def _in_worker(modules: tuple[str, ...], light: Any, *data: Any) -> int:
    for name in modules:
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    if data:
        _fit_once(light, *data)
    time.sleep(0.02)  # so that no worker takes two calls while another still starts
    return os.getpid()


class _Watch:
    """Looks at a warm-up twenty times a second: imports may take their time, the rest may not."""

    def __init__(self, warmth: Warmth, tell: Tell) -> None:
        self._tell = tell
        self._known = warmth.modules
        self._before = set(sys.modules)
        self._left = SECONDS
        self._patient = False
        self._last = _own_time()

    @contextlib.contextmanager
    def patient(self) -> Iterator[None]:
        """Give worker processes the time they need."""
        left, self._left, self._patient = self._left, POOL_SECONDS, True
        yield
        self._left, self._patient, self._last = left, False, _own_time()

    def imported(self) -> tuple[str, ...]:
        """Return what was imported since the beginning, in that order."""
        fresh = [name for name in list(sys.modules) if name not in self._before and isinstance(name, str)]
        return tuple(dict.fromkeys([*self._known, *fresh]))[:MOST_MODULES]

    def ring(self, _: int, frame: FrameType | None) -> None:
        """Break off by ending the process: nothing that a fit left half done may reach a measured one."""
        now, importing = _own_time(), _importing(frame)
        if not importing:
            self._left -= now - self._last
        self._last = now
        if self._left <= 0:
            self._tell("cold", self.imported())
            os._exit(0)
        if importing or self._patient:
            self._tell("warming")


def _own_time() -> float:
    """Return the clock less the time this process stood in line for a core: others' work is no reason to break off."""
    waited = 0.0
    with contextlib.suppress(OSError, ValueError, IndexError):
        waited = int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9
    return time.perf_counter() - waited


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def _bounded(warmth: Warmth, tell: Tell) -> Iterator[_Watch]:
    """Let the system ring twenty times a second; where it cannot (Windows), the helper alone keeps the bound."""
    watch = _Watch(warmth, tell)
    if not hasattr(signal, "setitimer"):
        yield watch
        return
    before = signal.signal(signal.SIGALRM, watch.ring)
    signal.setitimer(signal.ITIMER_REAL, STEP, STEP)
    try:
        yield watch
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
