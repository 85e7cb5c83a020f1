"""One call from estimators and data to an answer: the lab in memory, then an order or a comparison."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak._checks import check_choice, check_choices
from tiebreak.comparison import Comparison, compare
from tiebreak.comparison.gaps import settled
from tiebreak.datasets import DataSet
from tiebreak.datasets.building import from_frame, from_xy
from tiebreak.datasets.references import DataReference
from tiebreak.datasets.targets import TargetKind
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, MissingScores, OptionError
from tiebreak.lab.driver import Progress, RunSummary, run
from tiebreak.lab.plans import Plan
from tiebreak.lab.prepared import predicts
from tiebreak.lab.scores import NUMBER_SCORES
from tiebreak.ordering import Ordering, order
from tiebreak.readers import read_store
from tiebreak.readers.taking import one_score
from tiebreak.results import Results, metric_named

_SCORES = ("accuracy", "error", "log_loss", "auc", *NUMBER_SCORES)
_DEFAULT = {"classes": "accuracy", "number": "relative_rmse"}
_COSTS = """
    train_time predict_time train_wall predict_wall cell_cpu cell_wall peak_memory model_bytes model_parameters
    model_nodes support_vectors
""".split()
"""What a cell of the lab measures; see `tiebreak.lab.one_cell`."""
_LEFT_OUT = (
    "Say missing='drop-algorithms' to leave out what failed, or 'drop-datasets', 'drop-folds' or 'worst-rank'; or keep"
    " the table, with its gaps, from tiebreak.run_estimators, and give it to tiebreak.order or tiebreak.compare."
)
_MOST_NUMBERS = 20
"""More different numbers than these may be a quantity."""
_MEND = "Pass X and y, a list or dictionary of (X, y) pairs, or references such as 'builtin:monks1'."


@as_came_in
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
    scores: str | None = None,
    **options: Any,
) -> Ordering | Comparison:
    """Run estimators on data in the lab and say which to use: an order by worth, or a comparison.

    Every estimator sees the same splits, each cell runs in a process of its own and is timed there, and nothing is left
    on disk. On one data set the folds are tested (5x2cv by default: the 5x2 cv F test); over several, their scores.

    Parameters
    ----------
    estimators : mapping or sequence
        {name: estimator}, or estimators that go by the name of their class, or pairs (name, estimator). An estimator is
        a scikit-learn classifier or regressor, a name of `tiebreak.lab.catalogue()`, or whatever else a plan takes. It
        is given an array of numbers: attributes are scaled, and symbolic ones encoded.
    X : array, frame, DataSet, reference, or a mapping or sequence of data sets
        The attributes where `y` is given. Otherwise data sets: {name: (X, y)}, {name: a Bunch of scikit-learn}, or a
        list of such pairs, of `tiebreak.DataSet`, or of references such as "builtin:monks1".
    y : array or str, optional
        The class of each row of X, or its number where the estimators are regressors; or the column of X that holds
        it. Names alone leave it to the values of `y`, see `tiebreak.datasets.read_data`.
    score : str, optional
        Of classes: accuracy (default), error, log_loss or auc. Of numbers: relative_rmse (default), rmse, mae,
        median_absolute_error, r2, pinball_0.1, pinball_0.5 or pinball_0.9. With `test_` in front: on the test part.
    cost : str or sequence of str, optional
        What ten times more of must buy the trade, "train_time" by default; None compares without cost, over several
        data sets.
    resampling : str, Resampling or mapping, default "5x2cv"
        As in a plan: "10x10cv", "10cv", "30 x holdout", ...
    seed, jobs, limits, engine, progress
        As in `tiebreak.run` and `tiebreak.Plan.of`.
    scores : str, optional
        The same as `score`.
    **options
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
    score, cost = _checked(one_score(score, {"scores": scores}), cost)
    ordered = cost is not None or "prior" in options
    _check_options(options, order if ordered else compare)
    algorithms, datasets = _given(estimators, X, y)
    one = len(datasets) == 1 and not isinstance(datasets[0], str)
    _check_enough(algorithms, one=one, ordered=ordered)
    plan = {"resampling": resampling, "seed": seed, "limits": limits}
    results = _run(algorithms, datasets, plan, {"engine": engine, "jobs": jobs, "progress": progress})
    score = score or _DEFAULT["classes" if "accuracy" in results.values else "number"]
    try:
        if ordered:
            settled(results, score, policy=options.get("missing", "refuse"), verb="order")  # a failure is no answer
            return order(results, score=score, cost=None if "prior" in options else cost, **options)
        return compare(results, score=score, **options)
    except MissingScores as error:
        raise MissingScores(error.what, why=error.why, mend=_LEFT_OUT) from None


def _checked(score: str | None, cost: str | Sequence[str] | None) -> tuple[str | None, str | list[str] | None]:
    """Checked before anything runs: a slip of the pen found an hour later would have cost that hour."""
    name = None if score is None else _known_score(score)
    if cost is None:
        return name, None
    check_choices("cost", [cost] if isinstance(cost, str) else cost, _COSTS)
    return name, cost if isinstance(cost, str) else list(cost)


def _known_score(score: str) -> str:
    part, name = ("test_", score.removeprefix("test_")) if score.startswith("test_") else ("", score)
    key = name if name in _SCORES else metric_named(name).key
    if key not in _SCORES:
        check_choice("score", score, [*_SCORES, *(f"test_{text}" for text in _SCORES)])
    return part + key


def _check_options(options: Mapping[str, Any], verb: Callable[..., object]) -> None:
    """Refuse what the verb would refuse after the run."""
    known = {*signature(verb).parameters, "where", "datasets", "algorithms"} - {"results", "reading"}
    for name in options:
        if name not in known:
            raise TypeError(f"compare_estimators() got an unexpected keyword argument {name!r}")


def _check_enough(algorithms: Sequence[Any], *, one: bool, ordered: bool) -> None:
    if len(algorithms) < 2:
        raise OptionError(
            f"There {'is one estimator' if algorithms else 'are no estimators'}.",
            why="An answer is about which of several to use.",
            mend='Give two or more: {"rf": RandomForestClassifier(), "nb": GaussianNB()}; for the scores of one use'
            " tiebreak.run_estimators.",
        )
    if one and not ordered:
        raise OptionError(
            "There is one data set, and no cost was named.",
            why="A comparison without cost is over data sets; the folds of one are not independent of each other.",
            mend='Say cost="train_time" to order by the folds of this one, or give several data sets.',
        )


@as_came_in
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
    plan = {"resampling": resampling, "seed": seed, "limits": limits}
    return _run(*_given(estimators, X, y), plan, {"engine": engine, "jobs": jobs, "progress": progress})


def _run(algorithms: Sequence[Any], datasets: Sequence[Any], plan: dict[str, Any], how: dict[str, Any]) -> Results:
    """Run in a folder that is gone afterwards."""
    made = Plan.of(datasets=datasets, algorithms=algorithms, name="estimators", **plan)
    with tempfile.TemporaryDirectory(prefix="tiebreak-") as folder:
        store = Path(folder) / "results.db"
        done = run(made, store=store, **how)
        if done.interrupted:
            raise KeyboardInterrupt
        if not done.counts["ok"]:
            raise _all_failed(done)
        results = read_store(store)
    caveats = [note for note in done.caveats if note.code != "failed-cells-kept"]  # no store to run them again in
    return replace(results, caveats=(*caveats, *results.caveats))


def _all_failed(done: RunSummary) -> InputError:
    reasons = "; ".join(f"{row['algorithm']!r} on {row['dataset']!r}: {row['reason']}" for row in done.failures[:3])
    return InputError(
        f"All {done.cells} runs failed.", why="There is nothing to compare.", mend=f"The first reasons: {reasons}."
    )


def _given(estimators: Mapping[str, Any] | Sequence[Any], X: Any, y: Any) -> tuple[list[Any], list[Any]]:
    """Return algorithms and data sets as a plan takes them.

    What estimators predict is told by those that are objects: targets are then read so, without a guess.
    """
    algorithms = _algorithms(estimators)
    objects = [item.get("object") if isinstance(item, Mapping) else item for item in algorithms]
    kinds = {predicts(item) for item in objects if hasattr(item, "fit")} - {None}
    kind = kinds.pop() if len(kinds) == 1 else None
    if y is not None:
        return algorithms, [_pair(X, y, "data", kind)]
    if isinstance(X, Mapping) and not _is_bunch(X):
        return algorithms, [_one(item, str(name), kind) for name, item in X.items()]
    if isinstance(X, list | tuple):
        return algorithms, [_one(item, f"data set {place}", kind) for place, item in enumerate(X, start=1)]
    return algorithms, [_one(X, "data", kind)]


def _algorithms(estimators: Mapping[str, Any] | Sequence[Any]) -> list[Any]:
    """Names stay those of the mapping; a learner of the catalogue under another name keeps that name too."""
    if isinstance(estimators, Mapping):
        return [_named(str(name), estimator) for name, estimator in estimators.items()]
    if isinstance(estimators, str) or not isinstance(estimators, Sequence):
        return [estimators]
    pairs = [isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str) for item in estimators]
    result = [_named(*item) if pair else item for item, pair in zip(estimators, pairs, strict=True)]
    names = [type(item).__name__ for item in result if not isinstance(item, str | Mapping)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(
            f"Two estimators are called {twice!r}.",
            why="A list goes by the names of classes, and results are kept by name.",
            mend=f'Name them: {{"first": {twice}(...), "second": {twice}(...)}}.',
        )
    return result


def _named(name: str, item: Any) -> Any:
    if isinstance(item, str):
        return {"algorithm": item, "name": name}
    return {**item, "name": name} if isinstance(item, Mapping) else {"object": item, "name": name}


def _one(item: Any, name: str, kind: TargetKind | None) -> Any:
    """Return one data set; a pair or a Bunch of scikit-learn is made into one, what a plan knows stays as it is."""
    if isinstance(item, DataSet):
        return item if name.startswith("data set ") or name == "data" else replace(item, name=name)
    if isinstance(item, (str, Path, DataReference)):
        return item
    if _is_bunch(item):
        return _pair(item["data"], item["target"], name, kind)
    if isinstance(item, (list, tuple)) and len(item) == 2:
        return _pair(item[0], item[1], name, kind)
    raise OptionError(
        f"{name!r} is a {type(item).__name__} without classes.",
        why="A data set is attributes and the class of each row.",
        mend=_MEND,
    )


def _is_bunch(value: Any) -> bool:
    return isinstance(value, Mapping) and "data" in value and "target" in value


def _pair(X: Any, y: Any, name: str, kind: TargetKind | None) -> DataSet:
    """Text stays classes whatever the estimators predict, so that the plan can name both."""
    held = X[y] if isinstance(y, str) else y
    _check_target(held, name, kind)
    options = kind if kind != "number" or np.asarray(held).dtype.kind in "iuf" else None
    if isinstance(y, str):
        return from_frame(X, target=y, name=name, kind=options, keep="all")
    return from_xy(X, y, name=name, kind=options)


def _check_target(y: Any, name: str, kind: TargetKind | None) -> None:
    """Refuse what is no target of each row: several columns, and a quantity given to classifiers."""
    held = np.asarray(y)
    if held.ndim > 1 and held.shape[1] > 1:
        raise OptionError(
            f"The target of {name!r} has {held.shape[1]} columns.",
            why="Each row must have one class or number; multi-output targets are not supported.",
            mend="Pass one column.",
        )
    if held.dtype.kind not in "iuf" or kind != "classes":
        return
    distinct = np.unique(held[np.isfinite(held)])
    broken = bool((distinct % 1 != 0).any())
    if len(distinct) > _MOST_NUMBERS and (broken or 4 * len(distinct) > len(held)):
        raise OptionError(
            f"The classes of {name!r} are {len(distinct)} different numbers in {len(held)} rows.",
            why="They look like a quantity, and the estimators are classifiers.",
            mend="Give regressors, or cut it into classes; if each number is a class, write them as text:"
            " y.astype(str).",
        )
