"""One cell: a learner is fitted on the training rows of a fold and measured on rows it has not seen."""

from __future__ import annotations

import hashlib
import random
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.datasets import DataSet
from tiebreak.errors import InputError, quoted
from tiebreak.lab._model_space import model_space
from tiebreak.lab._scores import class_probabilities, class_scores, scores_of
from tiebreak.lab.algorithms.specs import build
from tiebreak.lab.tasks import AlgorithmSpec, Fold, Split

_Answer = TypeVar("_Answer")
_WARM_ROWS = 3
_LIGHT = {"n_estimators": 2, "max_iter": 2}


def measure_cell(
    data: DataSet, split: Split, fold: Fold, spec: AlgorithmSpec, *, seed: int
) -> tuple[dict[str, float], dict[str, object]]:
    """Fit a learner on the training rows of a fold; measure it on the validation rows and on the test part.

    Everything that is learned, encoding included, is learned from `fold.train` alone. The learner sees the classes
    of those rows numbered 0, 1, ... Numerical libraries are held to one thread.

    Before a learner is timed for the first time in a process, a copy of it, cut down to two trees or two
    iterations, is fitted on three training rows per class, so that imports and first calls are not charged to it;
    if that fails, it is skipped. Nothing of it reaches the measured fit.

    Parameters
    ----------
    data : DataSet
        All rows.
    split : Split
        Its `test` rows are measured too, where there are any.
    fold : Fold
        The rows to learn on and to validate on.
    spec : AlgorithmSpec
        The learner.
    seed : int
        Of this cell; it fixes every random choice of the learner, those from the global generators included.

    Returns
    -------
    values : dict of str to float
        accuracy; error; log_loss, natural, where the learner gives probabilities (each clipped at 1e-15 from below,
        a class without training rows having probability 0); auc, where it gives probabilities or margins: of the
        last class against the first, or the mean over classes of each against the rest, over the classes that have
        rows both inside and outside (a class never learned counts 0.5); the same with the prefix test_; train_time
        and predict_time in CPU seconds, train_wall and predict_wall on the clock, prediction being that of
        the validation rows' classes; model_bytes, the length of the fitted pipeline's pickle; and, where the
        learner tells, model_parameters, model_nodes, support_vectors. What is undefined has no key.
    details : dict
        confusion and test_confusion (rows the truth, columns the prediction, in the order of `data.classes`), and
        warnings, the distinct ones the learner gave.

    Raises
    ------
    InputError
        Where the learner's answers are not answers: labels that were never taught, probabilities that are NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from tiebreak.datasets import DataSet
    >>> from tiebreak.lab.tasks import AlgorithmSpec, Fold, Split
    >>> data = DataSet.from_arrays([[i % 2 + 0.01 * i] for i in range(40)], [i % 2 for i in range(40)])
    >>> fold = Fold(replication=1, fold=1, train=np.arange(20), validation=np.arange(20, 40))
    >>> split = Split(folds=(fold,), test=np.arange(0))
    >>> values, details = measure_cell(data, split, fold, AlgorithmSpec(name="c45"), seed=1)
    >>> values["accuracy"], details["confusion"]
    (1.0, [[10, 0], [0, 10]])
    """
    _check_rows(data, split, fold)
    estimator = build(spec, data, seed=seed)
    known, codes = np.unique(data.target[fold.train], return_inverse=True)
    rows = _own_rows(data, fold.train)
    threads = _warmed_up(estimator, rows, codes, spec)
    with threads.limit(limits=1), _seeded_globals(seed), _collected_warnings() as texts:
        fitted, train_time, train_wall = _timed(lambda: estimator.fit(rows, codes))
        fitted = estimator if fitted is None else fitted
        told = _told(data, fold.validation, fitted, known, spec)
        values = {**told.values, "train_time": train_time, "train_wall": train_wall}
        values |= {"predict_time": told.cpu, "predict_wall": told.wall}
        details: dict[str, object] = {"confusion": told.confusion}
        if split.test.size:
            test = _told(data, split.test, fitted, known, spec)
            values |= {f"test_{name}": value for name, value in test.values.items()}
            details["test_confusion"] = test.confusion
        values |= model_space(fitted)
    if texts:
        details["warnings"] = texts
    return values, details


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Told:
    values: dict[str, float]
    confusion: list[list[int]]
    cpu: float
    wall: float


def _told(data: DataSet, places: IntArray, fitted: Any, known: IntArray, spec: AlgorithmSpec) -> _Told:
    """Predict some rows and hold the answers against the truth."""
    rows, truth = _own_rows(data, places), data.target[places]
    answers, cpu, wall = _timed(lambda: fitted.predict(rows))
    predicted = _classes_of(answers, rows.shape[0], known, spec)
    k = len(data.classes)
    confusion = np.bincount(truth * k + predicted, minlength=k * k).reshape(k, k)
    shares = class_probabilities(fitted, rows, known, k, name=spec.name)
    margins: FloatArray | None = class_scores(fitted, rows, known, k, name=spec.name) if shares is None else shares
    values = scores_of(truth, predicted, shares, margins)
    return _Told(values=values, confusion=confusion.tolist(), cpu=cpu, wall=wall)


def _own_rows(data: DataSet, places: IntArray) -> FloatArray:
    """Copy rows into an array of ours: one that came by pickle carries a type object that makes models larger."""
    rows = np.empty((places.size, data.n_attributes))
    rows[...] = data.values[places]
    return rows


def _classes_of(answers: Any, count: int, known: IntArray, spec: AlgorithmSpec) -> IntArray:
    found = np.asarray(answers)
    if found.shape == (count, 1):
        found = found[:, 0]
    if found.shape != (count,):
        raise InputError(
            f"{spec.name!r} predicted an array of shape {found.shape} for {count} rows.",
            why="Every row needs one class.",
            mend="Correct its predict method.",
        )
    strange = dict.fromkeys(str(label) for label in found.tolist() if label not in range(known.size))
    if strange:
        raise InputError(
            f"{spec.name!r} predicted {quoted(strange)}, which no training row has as its class.",
            why=f"The classes it was taught are 0 to {known.size - 1}.",
            mend="Use a classifier: its predict returns labels it was fitted on.",
        )
    return np.asarray(known[found.astype(np.int64)])


def _timed(call: Callable[[], _Answer]) -> tuple[_Answer, float, float]:
    """Return the answer of a call, its CPU seconds and its seconds on the clock."""
    wall, cpu = time.perf_counter(), time.process_time()
    answer = call()
    return answer, time.process_time() - cpu, time.perf_counter() - wall


_warm: dict[tuple[str, ...], Any] = {}


def _warmed_up(estimator: Any, rows: FloatArray, codes: IntArray, spec: AlgorithmSpec) -> Any:
    """Warm up for a learner once per process; returns what limits the threads of the libraries then loaded."""
    from threadpoolctl import ThreadpoolController, threadpool_limits

    key = (spec.source, spec.path or spec.name, hashlib.sha256(spec.payload).hexdigest())
    if key not in _warm:
        with threadpool_limits(1), _seeded_globals(0):
            _warm_up(estimator, rows, codes)
        _warm.clear()  # one learner at a time, so that a long life does not fill the memory
        _warm[key] = ThreadpoolController()
    return _warm[key]


def _warm_up(estimator: Any, rows: FloatArray, codes: IntArray) -> None:
    """Fit and ask a light copy of the learner once; what goes wrong here will go wrong again where it is recorded."""
    from sklearn.base import clone

    few = np.concatenate([np.flatnonzero(codes == code)[:_WARM_ROWS] for code in range(int(codes.max()) + 1)])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            light = clone(_innermost(estimator))
            names = light.get_params(deep=True)
            light.set_params(**{name: _LIGHT[name.rpartition("__")[2]] for name in names if _is_light(name, names)})
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


def _is_light(name: str, values: dict[str, Any]) -> bool:
    return name.rpartition("__")[2] in _LIGHT and isinstance(values[name], int)


@contextmanager
def _seeded_globals(seed: int) -> Iterator[None]:
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
def _collected_warnings() -> Iterator[list[str]]:
    """Collect the distinct warnings of a block as short texts instead of printing them."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield texts
    for warning in caught:
        first = " ".join(str(warning.message).split())
        text = f"{warning.category.__name__}: {first[:200]}"
        if text not in texts:
            texts.append(text)


def _check_rows(data: DataSet, split: Split, fold: Fold) -> None:
    for kind, places in (("training", fold.train), ("validation", fold.validation)):
        if places.size == 0:
            raise InputError(
                f"Fold {fold.fold} of replication {fold.replication} of data set {data.name!r} has no {kind} rows.",
                why="There is nothing to learn from or nothing to measure on.",
                mend="Use fewer folds, or leave the data set out.",
            )
    seen = np.intersect1d(fold.train, np.concatenate([fold.validation, split.test]))
    if seen.size:
        raise InputError(
            f"{seen.size} row(s) of data set {data.name!r} are both learned from and measured on.",
            why="The score would be too good.",
            mend="Split the rows with tiebreak.lab's resampling, which keeps the parts apart.",
        )
