"""One cell, as a child runs it: a learner is fitted on a fold's training rows and measured on rows it has not seen."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from importlib import import_module
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.datasets import DataSet
from tiebreak.errors import InputError, quoted
from tiebreak.lab.algorithms.building import build
from tiebreak.lab.algorithms.sources import check_source
from tiebreak.lab.scores import class_probabilities, class_scores, number_scores_of, numbers_of, one_per_row, scores_of
from tiebreak.lab.splits import Fold, Split, split
from tiebreak.lab.tasks import AlgorithmSpec, Cell, Task
from tiebreak.lab.warm_up import (
    collected_warnings,
    repeated,
    seeded_globals,
    standard_error,
    thread_limits,
    timed,
    warm_up,
)

# ---- how much room a fitted model takes: its pickle, and what its parts tell about themselves


_INNER = ("best_estimator_", "estimator_", "estimators_", "model_", "regressor_", "calibrated_classifiers_", "steps")
_MOST_PARTS = 100_000


def model_space(fitted: Any) -> dict[str, float]:
    """Return model_bytes and, where the parts of the model tell, model_parameters, model_nodes, support_vectors.

    Parameters are the numbers in coef_ and intercept_ (of a perceptron: coefs_ and intercepts_); nodes those of all
    trees, leaves included, or the conditions and outcomes of a rule list. Of a search only the winner counts.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> space = model_space(SVC(kernel="rbf").fit([[0.0], [0.2], [0.8], [1.0]], [0, 0, 1, 1]))
    >>> space["support_vectors"], "model_nodes" in space
    (4.0, False)
    """
    model = getattr(fitted, "best_estimator_", fitted)
    result: dict[str, float] = {}
    size = _pickled(model)
    if size is not None:
        result["model_bytes"] = float(size)
    for part in _parts(model):
        for name, counted in _COUNTED.items():
            count = counted(part)
            if count is not None:
                result[name] = result.get(name, 0.0) + count
    return result


def _pickled(model: Any) -> int | None:
    """Return the length of the pickle, of local functions by cloudpickle; a model of open files has no size to tell."""
    for library in ("pickle", "cloudpickle"):
        with suppress(Exception):
            return len(import_module(library).dumps(model, protocol=5))
    return None


def _parts(model: Any) -> Iterator[Any]:
    """Yield the model and the fitted models inside it, each once."""
    waiting: list[Any] = [model]
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_PARTS:
        part = waiting.pop()
        if id(part) in seen or isinstance(part, str | type(None)):
            continue
        seen.add(id(part))
        yield part
        for name in _INNER:
            waiting.extend(_flat(_attribute(part, name)))


def _flat(value: Any) -> list[Any]:
    """Models keep their parts as arrays, lists of lists, or None for a part left out."""
    if value is None:
        return []
    if isinstance(value, np.ndarray):
        return list(value.ravel())
    if isinstance(value, list | tuple):
        return [item for entry in value for item in (_flat(entry) if isinstance(entry, list | tuple) else [entry])]
    return [value]


def _attribute(part: Any, name: str) -> Any:
    """Return an attribute, or None: asking for a property that does not apply may raise anything."""
    with suppress(Exception):
        return getattr(part, name, None)
    return None


def _parameters(part: Any) -> float | None:
    plain = [_attribute(part, name) for name in ("coef_", "intercept_")]
    lists = [_attribute(part, name) for name in ("coefs_", "intercepts_")]
    if plain[0] is not None:  # a sparse matrix has a shape, but np.size takes it for one object
        return float(sum(np.prod(np.shape(value)) for value in plain if value is not None))
    if isinstance(lists[0], list):
        return float(sum(np.size(array) for value in lists if value is not None for array in value))
    return None


def _nodes(part: Any) -> float | None:
    attribute = _attribute(part, "node_count_")
    if attribute is not None:
        return float(attribute)
    tree = _attribute(part, "tree_")
    if tree is not None and hasattr(tree, "node_count"):
        return float(tree.node_count)
    stages = _attribute(part, "_predictors")  # scikit-learn's histogram boosting keeps its trees here
    if isinstance(stages, list) and stages and isinstance(stages[0], list):
        return float(sum(len(getattr(tree, "nodes", ())) for stage in stages for tree in stage))
    return None


def _support_vectors(part: Any) -> float | None:
    """The library counts them class by class; the size of the model is their sum."""
    counts = _attribute(part, "n_support_")
    return None if counts is None else float(np.sum(counts))


_COUNTED = {"model_parameters": _parameters, "model_nodes": _nodes, "support_vectors": _support_vectors}


def run_cell(data: DataSet, task: Task, cell: Cell) -> tuple[Mapping[str, float], Mapping[str, object]]:
    """Fit and measure one cell; returns its numbers and its details.

    The learner's seed comes from the plan's seed, the data and the fold alone, so a score depends neither on the other
    algorithms of the plan nor on where and when the cell runs.
    """
    check_source(task.algorithm)
    parts = _kept_split(data, task.resampling, seed=task.seed)
    seed = cell_seed(task.seed, data.fingerprint, cell.replication, cell.fold)
    return measure_cell(data, parts, _fold_of(parts, cell), task.algorithm, seed=seed)


def before_run_cell(data: DataSet, task: Task) -> None:
    """Warm up for the cells of a task, before their clocks run; a child calls this before its first `run_cell`."""
    fold = _fold_of(_kept_split(data, task.resampling, seed=task.seed), task.cells[0])
    estimator = build(task.algorithm, data, seed=task.seed)
    warm_up(estimator, _own_rows(data, fold.train), _taught(data, fold.train)[1])


def load_run_cell() -> None:
    """Look, in a helper that has loaded everything, for libraries with threads: its children need not look again."""
    thread_limits()


def cell_seed(seed: int, fingerprint: str, replication: int, fold: int) -> int:
    """Return the learner's seed for one fold of one data set, the same for every algorithm, below 2**32.

    Examples
    --------
    >>> cell_seed(1, "00ff", 0, 0) == cell_seed(1, "00ff", 0, 1)
    False
    """
    text = f"tiebreak cell {int(seed)} {fingerprint} {int(replication)} {int(fold)}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _fold_of(parts: Split, cell: Cell) -> Fold:
    wanted = (cell.replication, cell.fold)  # folds are in order: a plan may have thousands of them
    place = bisect_left(parts.folds, wanted, key=lambda fold: (fold.replication, fold.fold))
    for fold in parts.folds[place : place + 1]:
        if (fold.replication, fold.fold) == wanted:
            return fold
    raise LookupError(f"the split has no fold {cell.fold} in replication {cell.replication}")


_kept_split = lru_cache(maxsize=1)(split)
"""A child runs the cells of one task, and they share one split."""


def measure_cell(
    data: DataSet, split: Split, fold: Fold, spec: AlgorithmSpec, *, seed: int
) -> tuple[dict[str, float], dict[str, object]]:
    """Fit a learner on the training rows of a fold; measure it on the validation rows and on the test part.

    Everything that is learned, encoding included, is learned from `fold.train` alone. The learner sees the classes
    of those rows numbered 0, 1, ..., or the numbers as they are. Numerical libraries are held to one thread.

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
        and predict_time in CPU seconds of this process and all that it starts, train_wall and predict_wall on the
        clock, prediction being that of the validation rows' classes, where they are short as the mean of several;
        model_bytes, the length of the fitted pipeline's pickle; and, where the learner tells, model_parameters,
        model_nodes, support_vectors. What is undefined has no key.
        Where the target is a number: the scores of `tiebreak.lab.scores` in place of accuracy, error,
        log_loss and auc.
    details : dict
        confusion and test_confusion (rows the truth, columns the prediction, in the order of `data.classes`; none
        where the target is a number); warnings, the distinct ones the learner gave; and timing, where times were
        so short that they were measured several times: how often, and the relative standard error of the mean.

    Raises
    ------
    InputError
        Where the learner's answers are not answers: labels that were never taught, numbers or probabilities that
        are NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from tiebreak.datasets import DataSet
    >>> from tiebreak.lab.splits import Fold, Split
    >>> from tiebreak.lab.tasks import AlgorithmSpec
    >>> data = DataSet.from_arrays([[i % 2 + 0.01 * i] for i in range(40)], [i % 2 for i in range(40)])
    >>> fold = Fold(replication=1, fold=1, train=np.arange(20), validation=np.arange(20, 40))
    >>> split = Split(folds=(fold,), test=np.arange(0))
    >>> values, details = measure_cell(data, split, fold, AlgorithmSpec(name="c45"), seed=1)
    >>> values["accuracy"], details["confusion"]
    (1.0, [[10, 0], [0, 10]])
    """
    _check_rows(data, split, fold)
    estimator = build(spec, data, seed=seed)
    known, codes = _taught(data, fold.train)
    rows = _own_rows(data, fold.train)
    with thread_limits().limit(limits=1), seeded_globals(seed), collected_warnings() as texts:
        options = _told(estimator, data, fold, known)
        fitted, train_time, train_wall = timed(lambda: estimator.fit(rows, codes, **options))
        fitted = estimator if fitted is None else fitted
        values, details, predict_time, predict_wall = _measured(data, fold.validation, fitted, known, spec)
        values |= {"train_time": train_time, "train_wall": train_wall}
        values |= {"predict_time": predict_time, "predict_wall": predict_wall}
        if split.test.size:
            scores, more, *_ = _measured(data, split.test, fitted, known, spec)
            values |= {f"test_{name}": value for name, value in scores.items()}
            details |= {f"test_{name}": value for name, value in more.items()}
        values |= model_space(fitted)
        if hasattr(fitted, "tuned_"):
            details["tuned"] = fitted.tuned_
        validation, again = _own_rows(data, fold.validation), partial(_seeded_fit, seed, rows, codes, options)
        timing = _average(values, "predict", lambda: partial(fitted.predict, validation))
        timing |= _average(values, "train", lambda: partial(again, build(spec, data, seed=seed)))
    if texts:
        details["warnings"] = texts
    if timing:
        details["timing"] = timing
    return values, details


def _seeded_fit(seed: int, rows: FloatArray, codes: Any, options: Mapping[str, Any], estimator: Any) -> None:
    """Fit once more what was fitted: with the same seed, also where it draws from the global generators."""
    with seeded_globals(seed):
        estimator.fit(rows, codes, **options)


def _average(
    values: dict[str, float], what: str, prepare: Callable[[], Callable[[], object]]
) -> dict[str, dict[str, float]]:
    """Replace a short time by the mean of its repetitions; returns how many there were and how sure the mean is."""
    cpu, wall = repeated(prepare, values[f"{what}_time"], values[f"{what}_wall"])
    if len(cpu) < 2:
        return {}
    values |= {f"{what}_time": float(np.mean(cpu)), f"{what}_wall": float(np.mean(wall))}
    return {what: {"times": len(cpu), "relative_error": round(standard_error(cpu), 4)}}


def _taught(data: DataSet, train: IntArray) -> tuple[Any, Any]:
    """Return the classes of the training rows and their new numbers; for regression, the mean and the targets."""
    if data.kind == "number":
        return float(data.target[train].mean()), data.target[train].copy()
    known, codes = np.unique(data.target[train], return_inverse=True)
    return known, codes


def _told(estimator: Any, data: DataSet, fold: Fold, known: Any) -> dict[str, Any]:
    """Return the arguments of `fit` besides rows and classes: the validation rows, for a search only.

    Rows of a class that was never taught are left out: no settings could get them right.
    """
    if not getattr(estimator, "on_validation", False):
        return {}
    if data.kind == "number":
        return {"validation": (_own_rows(data, fold.validation), data.target[fold.validation])}
    places = fold.validation[np.isin(data.target[fold.validation], known)]
    return {"validation": (_own_rows(data, places), np.searchsorted(known, data.target[places]))}


def _measured(
    data: DataSet, places: IntArray, fitted: Any, known: Any, spec: AlgorithmSpec
) -> tuple[dict[str, float], dict[str, object], float, float]:
    """Predict some rows and hold the answers against the truth; with the CPU and clock seconds of the prediction.

    Only the classes are timed: probabilities, which not every learner has, are asked for afterwards.
    """
    rows, truth = _own_rows(data, places), data.target[places]
    answers, cpu, wall = timed(lambda: fitted.predict(rows))
    if data.kind == "number":
        numbers = numbers_of(answers, rows.shape[0], name=spec.name)
        return number_scores_of(truth, numbers, known), {}, cpu, wall
    predicted = _classes_of(answers, rows.shape[0], known, spec)
    k = len(data.classes)
    confusion = np.bincount(truth * k + predicted, minlength=k * k).reshape(k, k)
    shares = class_probabilities(fitted, rows, known, k, name=spec.name)
    margins = class_scores(fitted, rows, known, k, name=spec.name) if shares is None else shares
    return scores_of(truth, predicted, shares, margins), {"confusion": confusion.tolist()}, cpu, wall


def _own_rows(data: DataSet, places: IntArray) -> FloatArray:
    """Copy rows into an array of ours: one that came by pickle carries a type object that makes models larger."""
    rows = np.empty((places.size, data.n_attributes))
    rows[...] = data.values[places]
    return rows


def _classes_of(answers: Any, count: int, known: IntArray, spec: AlgorithmSpec) -> IntArray:
    """Learners see classes numbered anew in each training part; their answers are turned back here."""
    values = one_per_row(np.asarray(answers), count, name=spec.name)
    strange = dict.fromkeys(str(label)[:40] for label in values.tolist() if not _is_place(label, known.size))
    if strange:
        raise InputError(
            f"{spec.name!r} predicted {quoted(strange)}, which no training row has as its class.",
            why=f"The classes it was taught are 0 to {known.size - 1}.",
            mend="Use a classifier: its predict returns labels it was fitted on.",
        )
    return np.asarray(known[values.astype(np.int64)])


def _is_place(label: object, count: int) -> bool:
    """Some objects cannot even be compared, such as pandas' missing value."""
    try:
        return label in range(count)
    except Exception:
        return False


def _check_rows(data: DataSet, split: Split, fold: Fold) -> None:
    """The last guard against leaking: whoever made the split, no row is both learned from and measured on."""
    seen = np.intersect1d(fold.train, np.concatenate([fold.validation, split.test]))
    if seen.size:
        raise InputError(
            f"{seen.size} row(s) of data set {data.name!r} are both learned from and measured on.",
            why="The score would be too good.",
            mend="Split the rows with tiebreak.lab's resampling, which keeps the parts apart.",
        )
