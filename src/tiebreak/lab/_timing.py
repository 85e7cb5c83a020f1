"""What makes the times of one learner comparable with those of another: warmed up, on one thread, by CPU seconds."""

from __future__ import annotations

import hashlib
import random
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.lab.tasks import AlgorithmSpec

_Answer = TypeVar("_Answer")
_WARM_ROWS = 3
_LIGHT = {"n_estimators": 2, "max_iter": 2}


def timed(call: Callable[[], _Answer]) -> tuple[_Answer, float, float]:
    """Return the answer of a call, its CPU seconds and its seconds on the clock.

    CPU seconds are what costs are compared by: on a busy machine the clock runs for the others too.
    """
    wall, cpu = time.perf_counter(), time.process_time()
    answer = call()
    return answer, time.process_time() - cpu, time.perf_counter() - wall


_warm: dict[tuple[str, ...], Any] = {}


def warmed_up(estimator: Any, rows: FloatArray, codes: IntArray | FloatArray, spec: AlgorithmSpec) -> Any:
    """Warm up for a learner once per process; returns what limits the threads of the libraries then loaded."""
    from threadpoolctl import ThreadpoolController, threadpool_limits

    key = (spec.source, spec.path or spec.name, hashlib.sha256(spec.payload).hexdigest())
    if key not in _warm:
        with threadpool_limits(1), seeded_globals(0):
            _warm_up(estimator, rows, codes)
        _warm.clear()  # one learner at a time, so that a long life does not fill the memory
        _warm[key] = ThreadpoolController()
    return _warm[key]


def _warm_up(estimator: Any, rows: FloatArray, codes: IntArray | FloatArray) -> None:
    """Fit and ask a light copy of the learner once; what goes wrong here will go wrong again where it is recorded."""
    from sklearn.base import clone

    if codes.dtype.kind == "f":  # numbers to predict
        few = np.arange(min(2 * _WARM_ROWS, codes.size))
    else:
        few = np.concatenate([np.flatnonzero(codes == code)[:_WARM_ROWS] for code in range(int(codes.max()) + 1)])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            light = clone(_innermost(estimator))
            names = light.get_params(deep=True)
            last = {name: name.rpartition("__")[2] for name, value in names.items() if isinstance(value, int)}
            light.set_params(**{name: _LIGHT[own] for name, own in last.items() if own in _LIGHT})
            light.fit(rows[few], codes[few]).predict(rows[few])
    except MemoryError:
        raise
    except Exception:
        return


def _innermost(estimator: Any) -> Any:
    """Return what a search or a calibration by inner cross-validation fits again and again."""
    while "cv" in estimator.get_params(deep=False) and hasattr(estimator, "estimator"):
        estimator = estimator.estimator
    return estimator


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
        yield texts
    found = ((each.category.__name__, " ".join(str(each.message).split())) for each in caught)
    texts += dict.fromkeys(f"{kind}: {message[:200]}" for kind, message in found)
