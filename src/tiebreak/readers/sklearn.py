"""What scikit-learn and skore return, as results: `cross_validate`, `cv_results_` and reports; neither is imported."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from tiebreak._checks import check_names
from tiebreak.errors import InputError, OptionError, quoted, unknown_name
from tiebreak.results import Results
from tiebreak.results.cells import record_columns
from tiebreak.results.metrics import look_up
from tiebreak.results.roles import ROLES, score_names

ONE_DATA_SET = "one data set"
"""The name of the data set where nothing names it."""
_TIMES = {"fit_time": "train_time", "score_time": "test_time"}
_SPLIT = r"split(\d+)_(test_.+)"


def from_cross_validate(
    runs: Mapping[str, Mapping[str, Mapping[str, Any]]],
    *,
    score: str | None = None,
    replications: int = 1,
    scores: str | Sequence[str] | None = None,
) -> Results:
    """Read {algorithm: dictionary of cross_validate}, or {data set: {algorithm: dictionary of cross_validate}}.

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
    return read_runs(runs, score_names(scores, score), replications=replications)


def read_runs(runs: Any, names: Sequence[str] | None, *, replications: int = 1, own: Sequence[str] = ()) -> Results:
    """Read what `from_cross_validate` reads; the times in `own` keep the name that scikit-learn gives them."""
    times = {key: key if key in own else cost for key, cost in _TIMES.items()}
    rows: list[dict[str, Any]] = []
    for dataset, by_algorithm in _by_dataset(runs).items():
        for algorithm, run in by_algorithm.items():
            if not isinstance(run, Mapping) or not _is_run(run):
                raise _not_sklearn(f"The run of {algorithm!r} on {dataset!r}", "test_score", "cross_validate returned")
            measured = {_score_name(key, names): run[key] for key in run if str(key).startswith("test_")}
            columns = {cost: run[key] for key, cost in times.items() if key in run} | measured
            rows += _split_rows(str(dataset), str(algorithm), columns, replications)
    return Results.from_columns(record_columns(rows), source="the cross_validate results")


def _is_run(value: Any) -> bool:
    return isinstance(value, Mapping) and any(str(key).startswith("test_") for key in value)


def holds_runs(value: Any) -> bool:
    """Say whether something is made of what `cross_validate` returned, however deep: one run, some, or by data set."""
    if not isinstance(value, Mapping) or not value:
        return False
    if _is_bare(value) or all(map(_is_bare, value.values())):
        return True
    inner = [run for each in value.values() if isinstance(each, Mapping) for run in each.values()]
    return bool(inner) and all(map(_is_run, inner))


def _is_bare(value: Any) -> bool:
    """A run has times, and nothing but what `cross_validate` writes: columns may hold the same names among others."""
    own = ("fit_time", "score_time", "estimator", "indices")
    return _is_run(value) and "fit_time" in value and all(k in own or str(k)[:5] in ("test_", "train") for k in value)


def _by_dataset(runs: Any) -> Mapping[str, Mapping[str, Any]]:
    """Return runs by data set and algorithm; runs by algorithm alone are on one data set."""
    parts = list(runs.values()) if isinstance(runs, Mapping) and not _is_run(runs) else []
    if parts and all(isinstance(each, Mapping) and not _is_run(each) for each in parts):
        return cast("Mapping[str, Mapping[str, Any]]", runs)
    if parts and all(map(_is_run, parts)):
        return {ONE_DATA_SET: runs}
    raise InputError(
        "What cross_validate returned was given without the names of algorithms.",
        why="A score belongs to an algorithm.",
        mend='Name it: {"svm": cross_validate(...), ...}.',
    )


def from_cv_results(
    results: Any,
    *,
    dataset: str | None = None,
    score: str | None = None,
    algorithms: Sequence[str] | None = None,
    replications: int = 1,
    scores: str | Sequence[str] | None = None,
) -> Results:
    """Read the `cv_results_` of scikit-learn searches; every candidate is an algorithm.

    Parameters
    ----------
    results : mapping or search
        The attribute `cv_results_` of GridSearchCV or a kin, or the fitted search itself; of several data sets
        {data set: one of these}.
    dataset : str, optional
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
    >>> found = {"params": [{"C": 1}, {"C": 10}], "mean_fit_time": [0.1, 0.2],
    ...          "split0_test_score": [0.9, 0.8], "split1_test_score": [0.7, 0.8]}
    >>> table = from_cv_results(found, dataset="iris", score="accuracy")
    >>> table.algorithms, table.means("accuracy").round(3)
    (('C=1', 'C=10'), array([[0.8, 0.8]]))
    >>> from_cv_results({"iris": found, "wine": found}, score="accuracy").datasets
    ('iris', 'wine')
    """
    return read_searches(results, score_names(scores, score), dataset, algorithms, replications)


def read_searches(
    results: Any,
    names: Sequence[str] | None,
    dataset: str | None = None,
    algorithms: Sequence[str] | None = None,
    replications: int = 1,
    own: Sequence[str] = (),
) -> Results:
    """Read what `from_cv_results` reads; the times in `own` keep the name that scikit-learn gives them."""
    times = {key: key if key in own else cost for key, cost in _TIMES.items()}
    rows: list[dict[str, Any]] = []
    for each, search in _searches(results, dataset).items():
        rows += _candidates(getattr(search, "cv_results_", search), each, names, algorithms, replications, times)
    return Results.from_columns(record_columns(rows), source="cv_results_")


def holds_searches(value: Any) -> bool:
    """Say whether something is a `cv_results_`, also as a frame or by data set, or a search that has one."""
    parts = value.values() if isinstance(value, Mapping) and value and not _is_search(value) else [value]
    return all(map(_is_search, parts))


def _is_search(value: Any) -> bool:
    if hasattr(value, "cv_results_"):
        return True
    framed = type(value).__module__.partition(".")[0] == "pandas" and hasattr(value, "columns")
    keys = list(value) if framed or isinstance(value, Mapping) else []  # the keys of a frame are its headers
    return "params" in keys and any(re.fullmatch(_SPLIT, str(key)) for key in keys)


def _searches(results: Any, dataset: str | None) -> Mapping[str, Any]:
    if dataset is None and isinstance(results, Mapping) and not _is_search(results) and holds_searches(results):
        return {str(name): search for name, search in results.items()}
    return {dataset or ONE_DATA_SET: results}


def _candidates(
    results: Any,
    dataset: str,
    score: Sequence[str] | None,
    algorithms: Sequence[str] | None,
    replications: int,
    times: Mapping[str, str],
) -> list[dict[str, Any]]:
    """Return the rows of one search."""
    found: dict[str, dict[int, Any]] = {}
    held = list(results) if hasattr(results, "__iter__") else []
    for key in held:
        match = re.fullmatch(_SPLIT, str(key))
        if match:
            found.setdefault(_score_name(match[2], score), {})[int(match[1])] = results[key]
    if not found or "params" not in held:
        missing = "params" if "params" not in held else "split0_test_score"
        raise _not_sklearn("The dictionary", missing, "a fitted search keeps as cv_results_")
    given = [_written(params) for params in results["params"]] if algorithms is None else algorithms
    names = check_names(given, len(results["params"]), kind="algorithm")
    rows: list[dict[str, Any]] = []
    for number, name in enumerate(names):
        columns = {each: [splits[i][number] for i in sorted(splits)] for each, splits in found.items()}
        length = len(next(iter(columns.values()), []))
        for key, cost in times.items():
            if f"mean_{key}" in results:
                columns[cost] = [results[f"mean_{key}"][number]] * length
        rows += _split_rows(dataset, name, columns, replications)
    return rows


def _not_sklearn(what: str, key: str, whence: str) -> InputError:
    return InputError(
        f"{what} holds no {key!r}.",
        why="Without it there are no scores of the splits.",
        mend=f"Pass the dictionary that {whence}.",
    )


def _score_name(key: str, names: Sequence[str] | None) -> str:
    """The key is "test_score" where only one scorer was given, and that says nothing."""
    name = key.removeprefix("test_")
    if name != "score" or not names:
        return name
    if len(names) > 1:
        raise OptionError(
            f"{len(names)} scores were named: {quoted(names)}.",
            why="The splits hold one, test_score.",
            mend=f"Name it (score={names[0]!r}), or run with scoring={list(names)!r}.",
        )
    return names[0]


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


def from_skore(
    reports: Mapping[str, Any], *, scores: str | Sequence[str] | None = None, score: str | None = None
) -> Results:
    """Read reports of skore: {data set: ComparisonReport, or {algorithm: CrossValidationReport}}.

    Parameters
    ----------
    reports : mapping
        From the name of a data set to a comparison of cross-validation reports, or to these by name.
    scores : str or sequence of str, optional
        Which metrics; by default all with a known name (accuracy, log_loss, ...), without those of single classes.
    score : str, optional
        The same as `scores`, for one.

    Returns
    -------
    Results
        One row per split, with the costs train_time and predict_time.

    Examples
    --------
    >>> import pandas as pd
    >>> class Report:  # what skore's CrossValidationReport answers
    ...     class metrics:
    ...         @staticmethod
    ...         def summarize(): return Report
    ...     @staticmethod
    ...     def frame(aggregate): return pd.DataFrame({"split_0": [0.9, 0.1], "split_1": [0.8, 0.2]},
    ...                                               index=["accuracy", "fit_time"])
    >>> from_skore({"iris": {"svm": Report()}}).means("accuracy").round(2).tolist()
    [[0.85]]
    """
    asked = score_names(scores, score)
    rows: list[dict[str, Any]] = []
    for dataset, held in reports.items():
        parts = held if isinstance(held, Mapping) else getattr(held, "reports_", {type(held).__name__: held})
        named = parts if isinstance(parts, Mapping) else {each.estimator_name_: each for each in parts}
        for algorithm, report in named.items():
            for fold, values in enumerate(_splits(report, dataset), start=1):
                wanted = {name: value for name, value in values.items() if _is_wanted(name, asked)}
                rows.append({"dataset": str(dataset), "algorithm": str(algorithm), "fold": fold, **wanted})
    known = dict.fromkeys(name for row in rows for name in row if name not in (*ROLES, "train_time", "predict_time"))
    for name in asked or ():
        if name not in known:
            raise unknown_name("score", name, known, mend="Leave it out to read all scores.")
    return Results.from_columns(record_columns(rows), source="the reports")


def _splits(report: Any, dataset: str) -> list[dict[str, float]]:
    """Return the metrics of every split of a cross-validation report."""
    try:
        frame = report.metrics.summarize().frame(aggregate=None)
        splits = {header: frame[header].tolist() for header in frame.columns}  # of one split it is a series
    except (AttributeError, TypeError):
        raise InputError(
            f"What was given for {dataset!r} is a {type(report).__name__} without splits.",
            why="Scores are compared over the splits of a cross-validation.",
            mend="Pass skore's CrossValidationReport, or a ComparisonReport of them.",
        ) from None
    names = [_skore_name(name) for name in frame.index]
    return [dict(zip(names, values, strict=True)) for values in splits.values()]


def _skore_name(name: Any) -> str:
    """A metric by class or average is a tuple in some versions, and one name in others."""
    parts = [str(part) for part in name if str(part) not in ("", "nan")] if isinstance(name, tuple) else [str(name)]
    text = "_".join(parts).lower().replace(" ", "_").replace("_avg_", "_").removesuffix("_(s)")
    return "train_time" if text == "fit_time" else text


def _is_wanted(name: str, asked: list[str] | None) -> bool:
    known = look_up(name)
    if known is not None and known.kind == "cost":
        return True
    return name in asked if asked is not None else known is not None and known.higher_is_better is not None
