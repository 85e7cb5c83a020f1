"""What scikit-learn returns, as results: the dictionaries of `cross_validate` and `cv_results_`.

Nothing of scikit-learn is imported: both are plain dictionaries of arrays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tiebreak._checks import check_names
from tiebreak.errors import InputError, OptionError
from tiebreak.tables import Results
from tiebreak.tables.build import score_names
from tiebreak.tables.objects import record_columns

_TIMES = {"fit_time": "train_time", "score_time": "test_time"}


def from_cross_validate(
    runs: Mapping[str, Mapping[str, Mapping[str, Any]]],
    *,
    score: str | None = None,
    replications: int = 1,
    scores: str | None = None,
) -> Results:
    """Read {data set: {algorithm: dictionary of cross_validate}}.

    Parameters
    ----------
    runs : mapping
        Every innermost value is what `sklearn.model_selection.cross_validate` returned.
    score : str, optional
        What `test_score` measures when `scoring` named a single score; several scores carry their own names.
    replications : int, default 1
        How many replications the splits consist of, such as 5 for RepeatedKFold(n_splits=2, n_repeats=5).
    scores : str, optional
        The same as `score`.

    Returns
    -------
    Results
        With one row per split, the scores, and the costs train_time and test_time.

    Examples
    --------
    >>> run = {"fit_time": [0.1, 0.2], "score_time": [0.01, 0.01], "test_accuracy": [0.9, 0.8]}
    >>> table = from_cross_validate({"iris": {"svm": run}})
    >>> table.scores, table.costs
    (('accuracy',), ('test_time', 'train_time'))
    """
    name = _one(score, scores)
    rows: list[dict[str, Any]] = []
    for dataset, by_algorithm in runs.items():
        for algorithm, run in by_algorithm.items():
            measured = {_score_name(key, name): run[key] for key in run if str(key).startswith("test_")}
            if not measured:
                raise _not_sklearn(f"The run of {algorithm!r} on {dataset!r}", "test_score", "cross_validate returned")
            columns = {cost: run[key] for key, cost in _TIMES.items() if key in run} | measured
            rows += _split_rows(str(dataset), str(algorithm), columns, replications)
    return Results.from_columns(record_columns(rows), source="the cross_validate results")


def from_cv_results(
    results: Mapping[str, Any],
    *,
    dataset: str,
    score: str | None = None,
    algorithms: Sequence[str] | None = None,
    replications: int = 1,
    scores: str | None = None,
) -> Results:
    """Read the `cv_results_` of a scikit-learn search on one data set; every candidate is an algorithm.

    Parameters
    ----------
    results : mapping
        The attribute `cv_results_` of GridSearchCV or a kin.
    dataset : str
        The name of the data set searched on.
    score : str, optional
        What the score measures when the search had a single one.
    algorithms : sequence of str, optional
        Names of the candidates; by default their parameters, written out.
    replications : int, default 1
        How many replications the splits consist of.
    scores : str, optional
        The same as `score`.

    Returns
    -------
    Results
        With one row per candidate and split. Times are the mean over the splits, as scikit-learn keeps no others.

    Examples
    --------
    >>> table = from_cv_results({"params": [{"C": 1}, {"C": 10}], "mean_fit_time": [0.1, 0.2],
    ...     "split0_test_score": [0.9, 0.8], "split1_test_score": [0.7, 0.8]}, dataset="iris", score="accuracy")
    >>> table.algorithms, table.means("accuracy").round(3)
    (('C=1', 'C=10'), array([[0.8, 0.8]]))
    """
    score = _one(score, scores)
    found: dict[str, dict[int, Any]] = {}
    for key in results:
        match = re.fullmatch(r"split(\d+)_(test_.+)", key)
        if match:
            found.setdefault(_score_name(match[2], score), {})[int(match[1])] = results[key]
    if not found or "params" not in results:
        missing = "params" if "params" not in results else "split0_test_score"
        raise _not_sklearn("The dictionary", missing, "a fitted search keeps as cv_results_")
    given = [_written(params) for params in results["params"]] if algorithms is None else algorithms
    names = check_names(given, len(results["params"]), kind="algorithm")
    rows: list[dict[str, Any]] = []
    for number, name in enumerate(names):
        columns = {each: [splits[i][number] for i in sorted(splits)] for each, splits in found.items()}
        length = len(next(iter(columns.values()), []))
        for key, cost in _TIMES.items():
            if f"mean_{key}" in results:
                columns[cost] = [results[f"mean_{key}"][number]] * length
        rows += _split_rows(dataset, name, columns, replications)
    return Results.from_columns(record_columns(rows), source="cv_results_")


def _one(score: str | None, scores: str | None) -> str | None:
    names = score_names(scores, score)
    return names[0] if names else None


def _not_sklearn(what: str, key: str, whence: str) -> InputError:
    return InputError(
        f"{what} holds no {key!r}.",
        why="Without it there are no scores of the splits.",
        mend=f"Pass the dictionary that {whence}.",
    )


def _score_name(key: str, score: str | None) -> str:
    """The key is "test_score" where only one scorer was given, and that says nothing."""
    name = key.removeprefix("test_")
    return score if name == "score" and score is not None else name


def _written(params: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in params.items()) or "default"


def _split_rows(dataset: str, algorithm: str, columns: Mapping[str, Any], replications: int) -> list[dict[str, Any]]:
    """scikit-learn lists the splits of all repeats one after the other; only the caller knows how many there were."""
    if not isinstance(replications, (int, np.integer)) or replications < 1:
        raise OptionError(
            f"replications is {replications!r}.",
            why="The splits consist of one replication or more.",
            mend="Use replications=5 for RepeatedKFold(n_repeats=5).",
        )
    lengths = {len(np.atleast_1d(column)) for column in columns.values()}
    count = max(lengths)
    if len(lengths) != 1 or count % replications:
        raise InputError(
            f"The splits of {algorithm!r} on {dataset!r} do not divide into {replications} replication(s).",
            why="Every replication has the same number of folds.",
            mend="Give the number of replications of the splitter.",
        )
    per = count // replications
    return [
        {
            "dataset": dataset,
            "algorithm": algorithm,
            "replication": i // per + 1,
            "fold": i % per + 1,
            **{name: float(column[i]) for name, column in columns.items()},
        }
        for i in range(count)
    ]
