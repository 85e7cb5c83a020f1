"""What scikit-learn and skore return: `cross_validate`, searches and reports; neither is imported."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tiebreak.errors import InputError, OptionError, quoted, unknown_name
from tiebreak.results import Results
from tiebreak.results.cells import record_columns
from tiebreak.results.metrics import look_up
from tiebreak.results.roles import ROLES, score_names

ONE_DATA_SET = "one data set"
"""The name of the data set where nothing names it."""
_TIMES = {"fit_time": "train_time", "score_time": "test_time"}


def from_cross_validate(
    runs: Any,
    *,
    score: str | None = None,
    replications: int = 1,
    scores: str | Sequence[str] | None = None,
    own: Sequence[str] = (),
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
    own : sequence of str, optional
        Times that keep the name that scikit-learn gives them.

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
    names = score_names(scores, score)
    if _is_run(runs) or not isinstance(runs, Mapping):
        raise InputError(
            "What cross_validate returned was given without the names of algorithms.",
            mend='Name it: {"svm": cross_validate(...), ...}.',
        )
    rows: list[dict[str, Any]] = []
    for dataset, by_algorithm in ({ONE_DATA_SET: runs} if all(map(_is_run, runs.values())) else runs).items():
        for algorithm, run in by_algorithm.items():
            if not _is_run(run):
                raise InputError(
                    f"The run of {algorithm!r} on {dataset!r} holds no 'test_score'.",
                    mend="Pass the dictionary that cross_validate returned.",
                )
            columns = {key if key in own else cost: run[key] for key, cost in _TIMES.items() if key in run}
            columns |= {_score_name(key, names): run[key] for key in run if str(key).startswith("test_")}
            rows += _split_rows(str(dataset), str(algorithm), columns, replications)
    return Results.from_columns(record_columns(rows), source="the cross_validate results")


def _score_name(key: str, names: Sequence[str] | None) -> str:
    """The key is "test_score" where only one scorer was given, and that says nothing."""
    name = key.removeprefix("test_")
    if name != "score" or not names:
        return name
    if len(names) > 1:
        raise OptionError(
            f"{len(names)} scores were named: {quoted(names)}.",
            mend=f"Name it (score={names[0]!r}), or run with scoring={list(names)!r}.",
        )
    return names[0]


def _split_rows(dataset: str, algorithm: str, columns: Mapping[str, Any], replications: int) -> list[dict[str, Any]]:
    """scikit-learn lists the splits of all repeats one after the other; only the caller knows how many there were."""
    if not isinstance(replications, (int, np.integer)) or replications < 1:
        raise OptionError(
            f"replications is {replications!r}.", mend="Use replications=5 for RepeatedKFold(n_repeats=5)."
        )
    lengths = {len(np.atleast_1d(column)) for column in columns.values()}
    count = max(lengths)
    if len(lengths) != 1 or count % replications:
        raise InputError(
            f"The splits of {algorithm!r} on {dataset!r} cannot be divided evenly into {replications} replication(s).",
            mend="Give the number of replications of the splitter.",
        )
    per = count // replications
    keys = {"dataset": dataset, "algorithm": algorithm}
    return [
        {**keys, "replication": i // per + 1, "fold": i % per + 1}
        | {name: float(column[i]) for name, column in columns.items()}
        for i in range(count)
    ]


def _is_run(value: Any) -> bool:
    return isinstance(value, Mapping) and any(str(key).startswith("test_") for key in value)


def _is_bare(value: Any) -> bool:
    """A run has times, and nothing but what `cross_validate` writes: columns may hold the same names among others."""
    current = ("fit_time", "score_time", "estimator", "indices")
    return (
        _is_run(value) and "fit_time" in value and all(k in current or str(k)[:5] in ("test_", "train") for k in value)
    )


def holds_runs(value: Any) -> bool:
    """Say whether something is made of what `cross_validate` returned, however deep: one run, some, or by data set."""
    if not isinstance(value, Mapping) or not value:
        return False
    if _is_bare(value) or all(map(_is_bare, value.values())):
        return True
    inner = [run for item in value.values() if isinstance(item, Mapping) for run in item.values()]
    return bool(inner) and all(map(_is_run, inner))


def searched_columns(value: Any) -> dict[str, list[Any]] | None:
    """Return the `cv_results_` of a search, or of searches by data set, as columns; None where it is something else."""
    by_dataset = isinstance(value, Mapping) and bool(value) and not _is_search(value)
    searches = {str(name): search for name, search in value.items()} if by_dataset else {"": value}
    if not all(map(_is_search, searches.values())):
        return None
    out: dict[str, list[Any]] = {"dataset": []}
    held = {name: getattr(search, "cv_results_", search) for name, search in searches.items()}
    keys = [key for key in next(iter(held.values())) if not str(key).startswith("param_")]
    for name, results in held.items():
        out["dataset"] += [name or ONE_DATA_SET] * len(results["params"])
        for key in keys:
            out.setdefault(str(key), []).extend(results[key])
    return out


def _is_search(value: Any) -> bool:
    if hasattr(value, "cv_results_"):
        return True
    framed = type(value).__module__.partition(".")[0] == "pandas" and hasattr(value, "columns")
    keys = list(value) if framed or isinstance(value, Mapping) else []  # the keys of a frame are its headers
    return "params" in keys and any(re.fullmatch(r"split\d+_test_.+", str(key)) for key in keys)


def is_report(value: Any) -> bool:
    """Say whether something is a report of skore, or reports by data set and algorithm."""
    if isinstance(value, Mapping):
        return bool(value) and all(map(is_report, value.values()))
    return hasattr(value, "reports_") or hasattr(getattr(value, "metrics", None), "summarize")


def read_reports(value: Any, texts: Sequence[str] | None) -> Results:
    """Read reports of skore: a ComparisonReport, {algorithm: CrossValidationReport}, or either by data set.

    There is one row per split, with the costs train_time and predict_time; by default all metrics of known names are
    read, without those of single classes.
    """
    several = isinstance(value, Mapping) and all(
        isinstance(e, Mapping) or hasattr(e, "reports_") for e in value.values()
    )
    rows: list[dict[str, Any]] = []
    for dataset, held in (value if several else {ONE_DATA_SET: value}).items():
        parts = held if isinstance(held, Mapping) else getattr(held, "reports_", {type(held).__name__: held})
        named = parts if isinstance(parts, Mapping) else {part.estimator_name_: part for part in parts}
        for algorithm, report in named.items():
            for fold, values in enumerate(_splits(report, dataset), start=1):
                wanted = {name: number for name, number in values.items() if _is_wanted(name, texts)}
                rows.append({"dataset": str(dataset), "algorithm": str(algorithm), "fold": fold, **wanted})
    known = dict.fromkeys(name for row in rows for name in row if name not in (*ROLES, "train_time", "predict_time"))
    for name in texts or ():
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
            mend="Pass skore's CrossValidationReport, or a ComparisonReport of them.",
        ) from None
    names = [_skore_name(name) for name in frame.index]
    return [dict(zip(names, values, strict=True)) for values in splits.values()]


def _skore_name(name: Any) -> str:
    """A metric by class or average is a tuple in some versions, and one name in others."""
    parts = [str(part) for part in name if str(part) not in ("", "nan")] if isinstance(name, tuple) else [str(name)]
    text = "_".join(parts).lower().replace(" ", "_").replace("_avg_", "_").removesuffix("_(s)")
    return "train_time" if text == "fit_time" else text


def _is_wanted(name: str, texts: Sequence[str] | None) -> bool:
    known = look_up(name)
    if known is not None and known.kind == "cost":
        return True
    return name in texts if texts is not None else known is not None and known.higher_is_better is not None
