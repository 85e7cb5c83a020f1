"""One call from estimators and data to an answer: the lab in memory, then an order or a comparison."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import check_choice, check_choices
from tiebreak.deciding.compare import Comparison, compare
from tiebreak.deciding.order import Ordering, order
from tiebreak.errors import OptionError
from tiebreak.lab.driver import Progress, run
from tiebreak.lab.kinds import predicts
from tiebreak.lab.number_scores import NUMBER_SCORES
from tiebreak.lab.plans import Plan
from tiebreak.tables import Results

if TYPE_CHECKING:
    from tiebreak.datasets import DataSet
    from tiebreak.datasets.targets import TargetKind

_SCORES = ("accuracy", "error", "log_loss", "auc")
_DEFAULT = {"classes": "accuracy", "number": "relative_rmse"}
_COSTS = """
    train_time predict_time train_wall predict_wall cell_cpu cell_wall peak_memory model_bytes model_parameters
    model_nodes support_vectors
""".split()
"""What a cell of the lab measures; see `tiebreak.lab.one_cell`."""
_MEND = "Pass X and y, a list or dictionary of (X, y) pairs, or references such as 'builtin:monks1'."


def compare_estimators(
    estimators: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    score: str | None = None,
    cost: str | Sequence[str] | None = "train_time",
    resampling: Any = "5x2cv",
    seed: int = 0,
    jobs: int | None = None,
    limits: Any = None,
    engine: str = "local",
    progress: Callable[[Progress], None] | None = None,
    **asked: Any,
) -> Ordering | Comparison:
    """Run estimators on data in the lab and say which to use: an order by error and cost, or a comparison.

    Every estimator sees the same splits, each cell runs in a process of its own and is timed there, and nothing is left
    on disk. On one data set the folds are tested (5x2cv by default: the 5x2 cv F test); over several, their scores.

    Parameters
    ----------
    estimators : mapping or sequence
        {name: estimator}, or estimators that go by the name of their class. An estimator is a scikit-learn classifier
        or regressor, a name of `tiebreak.lab.catalogue()`, or whatever else a plan takes.
    X : array, frame, DataSet, reference, or a mapping or sequence of data sets
        The attributes where `y` is given. Otherwise data sets: {name: (X, y)}, {name: a Bunch of scikit-learn}, or a
        list of such pairs, of `tiebreak.DataSet`, or of references such as "builtin:monks1".
    y : array, optional
        The class of each row of X, or its number where the estimators are regressors. Names alone leave it to the
        values of `y`, see `tiebreak.datasets.read_data`.
    score : str, optional
        Of classes: accuracy (default), error, log_loss or auc. Of numbers: relative_rmse (default), rmse, mae,
        median_absolute_error, r2, pinball_0.1, pinball_0.5 or pinball_0.9. With test_ in front: on the test part.
    cost : str or sequence of str, optional
        What decides where no test does, "train_time" by default; None compares without cost, over several data sets.
    resampling : str, Resampling or mapping, default "5x2cv"
        As in a plan: "10x10cv", "10cv", "30 x holdout", ...
    seed, jobs, limits, engine, progress
        As in `tiebreak.run` and `tiebreak.Plan.of`.
    **asked
        Further options of `tiebreak.order`, or of `tiebreak.compare` where there is no cost.

    Returns
    -------
    Ordering or Comparison

    See Also
    --------
    run_estimators : the table of results alone.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.dummy import DummyClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> compare_estimators({"bayes": GaussianNB(), "majority": DummyClassifier()}, X, y, jobs=1).order
    ('bayes', 'majority')
    """
    _check_asked(score, cost)
    told = {"resampling": resampling, "seed": seed, "jobs": jobs, "limits": limits}
    results = run_estimators(estimators, X, y, **told, engine=engine, progress=progress)
    score = score or _DEFAULT["classes" if "accuracy" in results.values else "number"]
    if cost is not None or "prior" in asked:
        return order(results, score=score, cost=None if "prior" in asked else cost, **asked)
    if len(results.datasets) < 2:
        raise OptionError(
            "There is one data set, and no cost was named.",
            why="A comparison without cost is over data sets; the folds of one are not independent of each other.",
            mend='Say cost="train_time" to order by the folds of this one, or give several data sets.',
        )
    return compare(results, score=score, **asked)


def _check_asked(score: str | None, cost: str | Sequence[str] | None) -> None:
    """Checked before anything runs: a slip of the pen found an hour later would have cost that hour."""
    known = (*_SCORES, *NUMBER_SCORES)
    if score is not None:
        check_choice("score", score, [*known, *(f"test_{name}" for name in known)])
    check_choices("cost", [cost] if isinstance(cost, str) else cost or (), _COSTS)


def run_estimators(
    estimators: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    resampling: Any = "5x2cv",
    seed: int = 0,
    jobs: int | None = None,
    limits: Any = None,
    engine: str = "local",
    progress: Callable[[Progress], None] | None = None,
) -> Results:
    """Run estimators on data in the lab and return the table of results; see `compare_estimators`.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> X, y = [[0.0], [1.0], [0.0], [1.0]] * 5, ["a", "b"] * 10
    >>> run_estimators([DummyClassifier()], X, y, resampling="1x2cv", jobs=1).algorithms
    ('DummyClassifier',)
    """
    from tiebreak.reading import read_store

    plan = Plan.of(
        datasets=list(_datasets(X, y, _predicted(estimators))),
        algorithms=_algorithms(estimators),
        resampling=resampling,
        seed=seed,
        limits=limits,
        name="estimators",
    )
    with tempfile.TemporaryDirectory(prefix="tiebreak-") as folder:
        store = Path(folder) / "results.db"
        done = run(plan, store=store, engine=engine, jobs=jobs, progress=progress)
        if done.interrupted:
            raise KeyboardInterrupt
        found = read_store(store)
    kept = [note for note in done.caveats if note.code != "failed-cells-kept"]  # there is no store to run them again in
    return replace(found, caveats=(*kept, *found.caveats))


def _algorithms(estimators: Mapping[str, Any] | Sequence[Any]) -> list[Any]:
    """Names stay those of the mapping; a learner of the catalogue under another name keeps that name too."""
    if isinstance(estimators, Mapping):
        return [_named(str(name), each) for name, each in estimators.items()]
    if isinstance(estimators, Sequence) and not isinstance(estimators, str):
        return list(estimators)
    return [estimators]


def _named(name: str, each: Any) -> Any:
    if isinstance(each, str):
        return {"algorithm": each, "name": name}
    return {**each, "name": name} if isinstance(each, Mapping) else {"object": each, "name": name}


def _predicted(estimators: Mapping[str, Any] | Sequence[Any]) -> TargetKind | None:
    """Say what estimators predict where one is an object that tells: targets are then read so, without a guess."""
    given = _algorithms(estimators)
    objects = [each["object"] if isinstance(each, Mapping) and "object" in each else each for each in given]
    found = {predicts(each) for each in objects if hasattr(each, "fit")} - {None}
    return found.pop() if len(found) == 1 else None


def _datasets(X: Any, y: Any, kind: TargetKind | None) -> Iterable[Any]:
    """Return the data sets that were given in whatever way, each with a name."""
    if y is not None:
        yield _pair(X, y, "data", kind)
    elif isinstance(X, Mapping) and not _is_bunch(X):
        yield from (_one(each, str(name), kind) for name, each in X.items())
    elif isinstance(X, (list, tuple)):
        yield from (_one(each, f"data set {place}", kind) for place, each in enumerate(X, start=1))
    else:
        yield _one(X, "data", kind)


def _one(each: Any, name: str, kind: TargetKind | None) -> Any:
    """Return one data set; a pair or a Bunch of scikit-learn is made into one, what a plan knows stays as it is."""
    from tiebreak.datasets import DataReference, DataSet

    if isinstance(each, DataSet):
        return each if name.startswith("data set ") or name == "data" else replace(each, name=name)
    if isinstance(each, (str, Path, DataReference)):
        return each
    if _is_bunch(each):
        return _pair(each["data"], each["target"], name, kind)
    if isinstance(each, (list, tuple)) and len(each) == 2:
        return _pair(each[0], each[1], name, kind)
    raise OptionError(
        f"{name!r} is a {type(each).__name__} without classes.",
        why="A data set is attributes and the class of each row.",
        mend=_MEND,
    )


def _is_bunch(value: Any) -> bool:
    return isinstance(value, Mapping) and "data" in value and "target" in value


def _pair(X: Any, y: Any, name: str, kind: TargetKind | None) -> DataSet:
    """Text stays classes whatever the estimators predict, so that the plan can name both."""
    from tiebreak.datasets.frames import from_xy

    numbers = kind != "number" or np.asarray(y).dtype.kind in "iuf"
    return from_xy(X, y, name=name, kind=kind if numbers else None)
