"""Times of calls, and the warm-up before the first cell of a child: imports and first calls are no learner's cost.

A warm-up that lasts is broken off by the supervisor with its process, and the learner is not warmed up for again.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.lab.processes import operating_system

_Answer = TypeVar("_Answer")


def timed(call: Callable[[], _Answer]) -> tuple[_Answer, float, float]:
    """Return the answer of a call, the CPU seconds of this process and all below it, and its seconds on the clock.

    CPU seconds are what costs are compared by: on a busy machine the clock runs for the others too.
    """
    start = operating_system.spent()
    answer = call()
    return answer, *operating_system.spent_since(start)


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
    rng = ((message.category.__name__, " ".join(str(message.message).split())) for message in caught)
    texts += dict.fromkeys(f"{kind}: {message[:200]}" for kind, message in rng)


_WARM_ROWS = 3
_LIGHT = {"n_estimators": 2, "max_iter": 2, "iterations": 2, "epochs": 2, "max_epochs": 2}
_THREADED = ("sklearn.ensemble._forest", "sklearn.neighbors", "xgboost", "lightgbm", "catboost")
"""Their `n_jobs` are threads of the same process, which need no start worth speaking of."""
_found: list[Any] = [-1, None]
"""The number of modules when libraries were last looked for, and what limits the threads of those found."""


def thread_limits() -> Any:
    """Return what limits the threads of the libraries loaded now; to look for them takes 3 ms, so only if need be."""
    from threadpoolctl import ThreadpoolController

    if _found[0] != len(sys.modules):
        _found[:] = len(sys.modules), ThreadpoolController()
    return _found[1]


def warm_up(estimator: Any, rows: FloatArray, codes: Any) -> None:
    """Fit a copy of the learner, cut down to two trees or iterations, on three rows per class; also in its workers.

    What goes wrong here will go wrong again where it is recorded.
    """
    with contextlib.suppress(Exception):
        light, size = _light(estimator), _pool_size(estimator)
        _fit_light(light, rows, codes)
        if size > 1:
            _fit_in_workers(size, light, rows, codes)


def _fit_light(light: Any, rows: FloatArray, codes: Any) -> None:
    few = _few_rows(codes)
    with contextlib.suppress(Exception), warnings.catch_warnings(), thread_limits().limit(limits=1), seeded_globals(0):
        warnings.simplefilter("ignore")
        light.fit(rows[few], codes[few]).predict(rows[few])


def _few_rows(targets: Any) -> IntArray:
    """Return the places of three rows per class; of numbers, the first rows will do."""
    if np.asarray(targets).dtype.kind == "f":
        return np.arange(min(len(targets), 4 * _WARM_ROWS))
    return np.concatenate([np.flatnonzero(targets == code)[:_WARM_ROWS] for code in np.unique(targets)])


def _light(estimator: Any) -> Any:
    """Return a copy of what a search fits again and again, cut down to two trees or iterations."""
    from sklearn.base import clone

    light = clone(_innermost(estimator))
    steps = [(name, part) for name, part in light.get_params(deep=True).items() if "__" not in name]
    light.set_params(**{name: _innermost(part) for name, part in steps if _searches(part)})
    names = light.get_params(deep=True)
    last = {name: name.rpartition("__")[2] for name, value in names.items() if isinstance(value, int)}
    return light.set_params(**{name: _LIGHT[current] for name, current in last.items() if current in _LIGHT})


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


def _fit_in_workers(size: int, light: Any, rows: FloatArray, codes: Any) -> None:
    """Start joblib's workers and warm up in each; who takes a call is open, so they are asked until all did."""
    from joblib import Parallel, delayed

    seen: set[int] = set()
    for _ in range(20):
        calls = (delayed(_in_worker)(light, rows, codes) for _ in range(size))
        seen.update(Parallel(n_jobs=size, batch_size=1)(calls))
        if len(seen) >= size:
            return


def _in_worker(light: Any, rows: FloatArray, codes: Any) -> int:
    import sklearn.model_selection  # noqa: F401 - where a search finds the functions that its workers call

    _fit_light(light, rows, codes)
    time.sleep(0.02)  # so that no worker takes two calls while another still starts
    return os.getpid()
