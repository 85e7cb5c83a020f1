"""Leaderboards and studies of other packages, as results: AutoGluon, PyCaret, Optuna and skore.

Nothing of these packages is imported: their frames and objects are asked for what they hold. Each is about one data
set, so all readers take {name of the data set: what the package returned}.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.errors import InputError, OptionError, quoted, unknown_name
from tiebreak.results import Results, metric_named
from tiebreak.results.cells import record_columns
from tiebreak.results.metrics import look_up
from tiebreak.results.roles import ROLES, score_names

Rows = list[dict[str, Any]]
_PYCARET = {"Prec.": "precision", "TT (Sec)": "train_time"}
_SKORE = {"fit_time": "train_time"}
_GENERAL_SCORE = "score"


def from_autogluon(leaderboards: Mapping[str, Any], *, score: str | None = None, scores: str | None = None) -> Results:
    """Read leaderboards of AutoGluon: {data set: what `predictor.leaderboard(test_data)` returned}.

    AutoGluon turns every score so that higher is better: a root mean squared error comes out negative, and is read as
    neg_root_mean_squared_error. Where data sets are scored by different metrics, a column names the metric of each.

    Parameters
    ----------
    leaderboards : mapping
        From the name of a data set to its leaderboard, a frame with the columns model, score_test or score_val, and
        eval_metric; or to the predictor itself.
    score : str, optional
        The metric, where the frames have no column eval_metric (before version 1.0).
    scores : str, optional
        The same as `score`.

    Returns
    -------
    Results
        Scores on the test data; on the validation data where a leaderboard has no others, which a caveat says. The
        costs are train_time and predict_time, of an ensemble with those of its parts.

    Examples
    --------
    >>> import polars as pl
    >>> board = pl.DataFrame({"model": ["RF", "KNN"], "score_test": [0.9, 0.8], "eval_metric": ["accuracy"] * 2,
    ...                       "fit_time": [1.5, 0.1], "pred_time_test": [0.2, 0.1]})
    >>> table = from_autogluon({"iris": board})
    >>> table.scores, table.costs, table.algorithms
    (('accuracy',), ('predict_time', 'train_time'), ('KNN', 'RF'))
    """
    score = next(iter(score_names(scores, score) or ()), None)
    rows: Rows = []
    validated = []
    for dataset, given in _each(leaderboards, "leaderboard"):
        board = given.leaderboard() if callable(getattr(given, "leaderboard", None)) else given
        records = _records(board, ("model",), "a leaderboard of AutoGluon", dataset)
        part = "test" if "score_test" in records[0] else "val"
        validated += [dataset] if part == "val" else []
        for record in records:
            metric = str(record.get("eval_metric") or score or _GENERAL_SCORE)
            lower = metric_named(metric).higher_is_better is False
            rows.append(
                {
                    "dataset": dataset,
                    "algorithm": record["model"],
                    "metric": f"neg_{metric}" if lower else metric,
                    _GENERAL_SCORE: record.get(f"score_{part}"),
                    "train_time": record.get("fit_time"),
                    "predict_time": record.get(f"pred_time_{part}"),
                }
            )
    found = _one_metric(rows, "the leaderboards")
    text = "Scores are on validation data, by which models were chosen and weighted, and so too good"
    return _noted(found, "validation-scores", f"{text}: {quoted(validated, limit=3)}.") if validated else found


def from_pycaret(
    leaderboards: Mapping[str, Any], *, scores: str | Sequence[str] | None = None, score: str | None = None
) -> Results:
    """Read tables of PyCaret: {data set: what `pull()` returned after `compare_models()`}.

    Parameters
    ----------
    leaderboards : mapping
        From the name of a data set to its table, with the columns Model, Accuracy, AUC, Prec., TT (Sec) and so on.
    scores : str or sequence of str, optional
        Which columns, in any spelling; all by default.
    score : str, optional
        The same as `scores`, for one.

    Returns
    -------
    Results
        Means over the folds, as PyCaret keeps no others; "Prec." is precision, "TT (Sec)" train_time. An AUC of exactly
        0, which PyCaret writes for a model without probabilities, is a gap.

    Examples
    --------
    >>> import polars as pl
    >>> board = pl.DataFrame({"Model": ["Ridge", "Dummy"], "Accuracy": [0.95, 0.63], "TT (Sec)": [0.12, 0.11]})
    >>> from_pycaret({"cancer": board}).costs
    ('train_time',)
    """
    asked = score_names(scores, score)
    keys = None if asked is None else {metric_named(_PYCARET.get(name, name)).key for name in asked}
    rows: Rows = []
    for dataset, board in _each(leaderboards, "table"):
        for record in _records(board, ("Model",), "a table of PyCaret", dataset):
            row = {"dataset": dataset, "algorithm": record.pop("Model")}
            for header, value in record.items():
                name = _PYCARET.get(header, header)
                if keys is None or name == "train_time" or metric_named(name).key in keys:
                    row[name] = None if header == "AUC" and value == 0 else value
            rows.append(row)
    _check_found(asked, rows, of=lambda name: metric_named(_PYCARET.get(name, name)).key)
    empty = {name for name in rows[0] if all(row.get(name) is None for row in rows)}
    return Results.from_columns(record_columns([_without(row, empty) for row in rows]), source="the tables of PyCaret")


def from_optuna(
    studies: Mapping[str, Any],
    *,
    score: str | None = None,
    algorithm: str | None = None,
    higher_is_better: bool | None = None,
    scores: str | None = None,
) -> Results:
    """Read studies of Optuna: the best value that each algorithm reached on each data set.

    Parameters
    ----------
    studies : mapping
        {data set: {algorithm: study}}, several studies of one algorithm in a list as replications; or, with
        `algorithm`, {data set: study}.
    score : str
        What the value of a trial measures; Optuna does not say.
    algorithm : str, optional
        The parameter whose values are the algorithms, such as "classifier": the best trial of each value counts.
    higher_is_better : bool, optional
        Only to check: the direction is that of the studies.
    scores : str, optional
        The same as `score`.

    Returns
    -------
    Results
        With the costs search_time (seconds of all finished trials) and trials. The best of many trials is better by
        chance alone than any of them would be on fresh data; a caveat says so.

    Examples
    --------
    >>> class Trial:
    ...     def __init__(self, value): self.value, self.state, self.params, self.duration = value, None, {}, None
    >>> class Study:
    ...     direction = "StudyDirection.MAXIMIZE"
    ...     trials = [Trial(0.8), Trial(0.9)]
    >>> from_optuna({"iris": {"tpe": Study()}}, score="accuracy").means("accuracy").tolist()
    [[0.9]]
    """
    score = _named_score(score_names(scores, score))
    rows: Rows = []
    directions = set()
    for dataset, held in _each(studies, "study"):
        for name, replication, study in _studies(held, dataset, algorithm):
            maximised = _maximised(study, dataset)
            directions.add(maximised)
            for each, trials in _by_parameter(study, name, algorithm).items():
                values = [trial.value for trial in trials]
                rows.append(
                    {
                        "dataset": dataset,
                        "algorithm": each,
                        "replication": replication,
                        score: max(values) if maximised else min(values),
                        "search_time": sum(_seconds(trial) for trial in trials),
                        "trials": len(trials),
                    }
                )
    if len(directions) != 1 or not rows:
        raise InputError(
            "Some studies maximise and others minimise." if rows else "No trial of the studies is finished.",
            why="The values of all studies are one score." if rows else "There is no value to compare.",
            mend="Pass studies of one objective.",
        )
    found = Results.from_columns(record_columns(rows), source="the studies")
    higher = directions.pop()
    metric_named(score).direction(higher if higher_is_better is None else higher_is_better)
    metrics = [replace(each, higher_is_better=higher) if each.name == score else each for each in found.metrics]
    costs = [replace(each, higher_is_better=False, is_cost=True) if each.name == "trials" else each for each in metrics]
    text = "A value is that of the best of all trials, so the more trials, the better it looks by chance alone."
    return _noted(replace(found, metrics=tuple(costs)), "optimistic", text)


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
    rows: Rows = []
    for dataset, held in _each(reports, "report"):
        parts = held if isinstance(held, Mapping) else getattr(held, "reports_", {type(held).__name__: held})
        named = parts if isinstance(parts, Mapping) else {each.estimator_name_: each for each in parts}
        for algorithm, report in named.items():
            for fold, values in enumerate(_splits(report, dataset), start=1):
                known = {name: value for name, value in values.items() if _is_wanted(name, asked)}
                rows.append({"dataset": dataset, "algorithm": str(algorithm), "fold": fold, **known})
    _check_found(asked, rows)
    return Results.from_columns(record_columns(rows), source="the reports")


def _named_score(names: Sequence[str] | None) -> str:
    if names is None or len(names) != 1:
        raise OptionError(
            "No score was named." if not names else f"{len(names)} scores were named: {quoted(names)}.",
            why="A study does not say what the value of a trial measures.",
            mend='Say score="accuracy".',
        )
    return names[0]


def _check_found(asked: Sequence[str] | None, rows: Rows, *, of: Callable[[str], str] = str) -> None:
    """Refuse a score that no row has; what was asked for and is not there would be missed later, under another name."""
    known = dict.fromkeys(name for row in rows for name in row if name not in (*ROLES, "train_time", "predict_time"))
    for name in asked or ():
        if of(name) not in map(of, known):
            raise unknown_name("score", name, known, mend="Leave it out to read all scores.")


def _each(held: Any, what: str) -> Iterator[tuple[str, Any]]:
    """Go through the data sets; a frame by itself does not say on which one it is."""
    if not isinstance(held, Mapping) or not held:
        raise OptionError(
            f"A {type(held).__name__} was given." if not isinstance(held, Mapping) else "Nothing was given.",
            why=f"Nothing says on which data set the {what} is.",
            mend=f'Name it: {{"iris": the {what}, ...}}.',
        )
    return ((str(name), each) for name, each in held.items())


def _records(frame: Any, needed: Iterable[str], what: str, dataset: str) -> Rows:
    import narwhals as nw

    try:
        rows = nw.from_native(frame, eager_only=True).rows(named=True)
    except TypeError:
        raise InputError(
            f"What was given for {dataset!r} is a {type(frame).__name__}.",
            why=f"{what[0].upper() + what[1:]} is a data frame.",
            mend="Pass the frame as it came.",
        ) from None
    missing = [name for name in needed if not rows or name not in rows[0]]
    if missing:
        raise InputError(
            f"What was given for {dataset!r} has no column {quoted(missing)}, or no rows.",
            why=f"{what[0].upper() + what[1:]} has one row per model.",
            mend="Pass the frame as it came.",
        )
    return [dict(row) for row in rows]


def _one_metric(rows: Rows, source: str) -> Results:
    """Name the score by its metric where there is only one; leave costs out that no row has."""
    metrics = {row["metric"] for row in rows}
    empty = {name for name in rows[0] if all(row[name] is None for row in rows)}
    if len(metrics) > 1:
        return Results.from_columns(record_columns([_without(row, empty) for row in rows]), source=source)
    name = metrics.pop()
    plain = [{name if key == _GENERAL_SCORE else key: row[key] for key in row if key != "metric"} for row in rows]
    return Results.from_columns(record_columns([_without(row, empty) for row in plain]), source=source)


def _without(row: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in names}


def _noted(found: Results, code: str, text: str) -> Results:
    return replace(found, caveats=(*found.caveats, Caveat(code, text)))


def _studies(held: Any, dataset: str, algorithm: str | None) -> Iterator[tuple[str, int, Any]]:
    """Go through the studies of a data set with the name of their algorithm and the number of the replication."""
    if not isinstance(held, Mapping):
        if algorithm is None:
            raise OptionError(
                f"The study of {dataset!r} is not by algorithm.",
                why="Values are compared between algorithms.",
                mend='Pass {data set: {algorithm: study}}, or say which parameter is the algorithm: algorithm="...".',
            )
        held = {"": held}
    for name, given in held.items():
        several = given if isinstance(given, (list, tuple)) else [given]
        yield from ((str(name), number, study) for number, study in enumerate(several, start=1))


def _maximised(study: Any, dataset: str) -> bool:
    """A study of several objectives has no direction of its own, and asking for it is an error of its kind."""
    try:
        told = str(getattr(study.direction, "name", study.direction)).upper()
    except Exception as error:
        raise InputError(
            f"The study of {dataset!r} has no direction ({error}).",
            why="A study of several objectives has no best trial.",
            mend="Pass studies of one objective.",
        ) from None
    return told.endswith("MAXIMIZE")


def _by_parameter(study: Any, name: str, algorithm: str | None) -> dict[str, list[Any]]:
    """Return the finished trials, by the value of the parameter where one is the algorithm."""
    found: dict[str, list[Any]] = {}
    for trial in study.trials:
        if trial.value is None or getattr(trial.state, "name", "COMPLETE") != "COMPLETE":
            continue
        if algorithm is not None and algorithm not in trial.params:
            raise OptionError(
                f"A trial has no parameter {algorithm!r}.",
                why="Its value is the algorithm.",
                mend=f"Name one that every trial has: {quoted(trial.params)}.",
            )
        found.setdefault(name if algorithm is None else str(trial.params[algorithm]), []).append(trial)
    return found


def _seconds(trial: Any) -> float:
    return trial.duration.total_seconds() if trial.duration is not None else float("nan")


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
    return _SKORE.get(text, text)


def _is_wanted(name: str, asked: list[str] | None) -> bool:
    known = look_up(name)
    if known is not None and known.kind == "cost":
        return True
    return name in asked if asked is not None else known is not None and known.higher_is_better is not None
