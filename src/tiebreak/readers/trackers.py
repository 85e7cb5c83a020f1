"""What experiment trackers export, as results: MLflow's table of runs and OpenML's list of evaluations.

Nothing of either program is imported, and nothing is downloaded: both are read from a file or a frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.readers.loading import load_columns
from tiebreak.readers.raw_tables import kept
from tiebreak.results import Results
from tiebreak.results.cells import record_columns
from tiebreak.results.columns import Column, Columns, ListColumn, Where
from tiebreak.results.frames import frame_columns
from tiebreak.results.roles import FRAME, ROLES, WIDE_SCORE, find_roles, score_names
from tiebreak.results.text import json_of, unreadable

_OPENML = {
    "predictive_accuracy": ("accuracy", 1.0),
    "area_under_roc_curve": ("auc", 1.0),
    "f_measure": ("f_measure", 1.0),
    "kappa": ("kappa", 1.0),
    "matthews_correlation_coefficient": ("mcc", 1.0),
    "usercpu_time_millis_training": ("train_time", 0.001),
    "usercpu_time_millis_testing": ("test_time", 0.001),
}
"""OpenML's names of measures, ours, and the factor between their units (milliseconds to seconds)."""


def from_mlflow(
    runs: Any,
    *,
    scores: str | Sequence[str] | None = None,
    columns: Mapping[str, str] | None = None,
    where: str | Sequence[str] | None = None,
    score: str | None = None,
) -> Results:
    """Read MLflow's table of runs: what `mlflow.search_runs()` returns, or its csv file.

    Parameters
    ----------
    runs : frame, str or Path
        With columns such as run_id, status, params.model, tags.dataset and metrics.accuracy.
    scores : str or sequence of str, optional
        Which metrics, without "metrics."; all by default.
    columns : mapping, optional
        Which column plays which role, such as {"dataset": "tags.data", "replication": "run_id"}. By default the
        parameter or tag that is named dataset, algorithm (model, ...), replication or fold.
    where : str or sequence of str, optional
        Conditions that a run must meet, such as "tags.stage == final".
    score : str, optional
        The same as `scores`, for one.

    Returns
    -------
    Results
        Runs that did not end well are gaps, and counted in a caveat.

    Examples
    --------
    >>> import polars as pl
    >>> table = from_mlflow(pl.DataFrame({"run_id": ["x", "y"], "params.dataset": ["iris", "iris"],
    ...     "params.model": ["svm", "tree"], "metrics.accuracy": [0.97, 0.94]}))
    >>> table.algorithms, table.means("accuracy")
    (('svm', 'tree'), array([[0.97, 0.94]]))
    """
    raw, source = _columns(runs)
    raw, _, notes = kept(raw, None, where, source=source, roles={}, asked=raw)
    roles = _mlflow_roles(raw, columns or {}, source)
    metrics = {name.removeprefix("metrics."): column for name, column in raw.items() if name.startswith("metrics.")}
    if not metrics:
        raise InputError(
            f"{source} has no column that begins with 'metrics.'.",
            why="That is how MLflow names what was measured.",
            mend="Pass what mlflow.search_runs() returns, or a csv file of it.",
        )
    failed = _failed(raw)
    own: dict[str, Column] = {role: raw[header] for role, header in roles.items()}
    own |= {name: _without(column, failed, name) if failed else column for name, column in metrics.items()}
    asked = score_names(scores, score)
    if asked is None and "run_id" in raw and "run_id" not in roles.values():
        asked = list(metrics)
        own["run_id"] = raw["run_id"]
    results = Results.from_columns(own, scores=asked, source=source)
    if not failed:
        return replace(results, caveats=(*notes, *results.caveats)) if notes else results
    text = f"{len(failed)} run(s) of {len(raw[next(iter(raw))])} did not finish; they are gaps."
    return replace(results, caveats=(*notes, *results.caveats, Caveat("runs-unfinished", text)))


def _columns(runs: Any) -> tuple[Columns, str]:
    """Return the columns of a frame or a csv file, and what to call it."""
    if not isinstance(runs, (str, Path)):
        return frame_columns(runs)[0], FRAME
    return load_columns(Path(runs), score=WIDE_SCORE)[0], Path(runs).name


def _mlflow_roles(raw: Mapping[str, Column], told: Mapping[str, str], source: str) -> dict[str, str]:
    """Told columns are checked first: a misspelt one would else fall back on guessing."""
    for role, header in told.items():
        if header not in raw:
            raise OptionError(
                f"There is no column {header!r} in {source} for the {role}.",
                why=f"The columns are {quoted(raw)}.",
                mend="Correct columns={...}.",
            )
    roles, _ = find_roles(raw, told, source, word=_parameter)
    for role in ("dataset", "algorithm"):
        if role not in roles:
            raise InputError(
                f"No parameter or tag in {source} names the {role}.",
                why="A score belongs to an algorithm on a data set.",
                mend=f"Say which column does: columns={{{role!r}: 'params....'}}; the columns are {quoted(raw)}.",
            )
    return roles


def _parameter(header: str) -> str:
    """Return the name of a parameter or tag; other columns of MLflow tell no role."""
    kind, _, name = header.partition(".")
    return name if kind in ("params", "tags") else ""


def _failed(raw: Mapping[str, Column]) -> list[int]:
    """Return the rows of runs that did not end well."""
    if "status" not in raw:
        return []
    status = raw["status"].as_names(Where(column="status"))
    return [row for row, code in enumerate(status.codes.tolist()) if status.names[code] != "FINISHED"]


def _without(column: Column, rows: Sequence[int], name: str) -> Column:
    """The metrics of a run that did not finish are those of half a training: gaps, not scores."""
    numbers = column.as_numbers(Where(column=f"metrics.{name}")).copy()
    numbers[list(rows)] = float("nan")
    return ListColumn(numbers)


def from_openml_runs(
    evaluations: Any,
    *,
    scores: str | Sequence[str] | None = None,
    tasks: Sequence[int] | None = None,
    score: str | None = None,
) -> Results:
    """Read OpenML's list of evaluations: the JSON of its server, or the frame of `openml.evaluations.list_evaluations`.

    An algorithm is a flow; with several settings of one flow in the list, the flow and the number of its setup. Scores
    per fold are read where they are there (`per_fold=True`). Runs of the same setup on the same task are
    replications, in the order of their numbers. Measures that have a common name get it: predictive_accuracy is
    accuracy, area_under_roc_curve is auc, usercpu_time_millis_training is train_time in seconds.

    Parameters
    ----------
    evaluations : frame, str, Path, or list of dict
        A path is read as JSON.
    scores : str or sequence of str, optional
        Which measures, by our name or OpenML's; all by default.
    tasks : sequence of int, optional
        Which tasks; needed where one data set has several, as they split it differently.
    score : str, optional
        The same as `scores`, for one.

    Returns
    -------
    Results

    Examples
    --------
    >>> rows = [{"run_id": 1, "task_id": 59, "setup_id": 7, "flow_name": "weka.J48(1)", "data_name": "iris",
    ...          "function": "predictive_accuracy", "value": 0.95}]
    >>> from_openml_runs(rows).algorithms
    ('weka.J48(1)',)
    """
    rows = [row for row in _evaluations(evaluations) if tasks is None or int(row["task_id"]) in tasks]
    if not rows:
        raise InputError("The list holds no evaluations.", why="There is nothing to compare.", mend="Ask for others.")
    _check_tasks(rows)
    wanted = {_openml_name(name)[0] for name in score_names(scores, score) or ()}
    cells: dict[tuple[str, str, str, str], dict[str, float | None]] = {}
    named, replications = _flow_names(rows), _replications(rows)
    for row in rows:
        name, factor = _openml_name(row["function"])
        if wanted and name not in wanted:
            continue
        for fold, value in enumerate(_fold_values(row), start=1):
            where = str(row["data_name"]), named[int(row["setup_id"])], replications[int(row["run_id"])], str(fold)
            cells.setdefault(where, {})[name] = None if value is None else float(value) * factor
    return _openml_results(cells, max(map(int, replications.values())) > 1)


def _openml_results(cells: Mapping[tuple[str, str, str, str], Mapping[str, float | None]], repeated: bool) -> Results:
    """Taking runs for replications is our reading and not OpenML's, so it is told."""
    if not cells:
        raise InputError(
            "The list holds none of the scores asked for.", why="There is nothing to compare.", mend="Ask for others."
        )
    rows = [{**dict(zip(ROLES, key, strict=True)), **values} for key, values in cells.items()]
    results = Results.from_columns(record_columns(rows), source="the evaluations")
    note = Caveat("read-as", "Several runs of one setup on one task are read as replications.")
    return replace(results, caveats=(*results.caveats, note)) if repeated else results


def _evaluations(source: Any) -> list[Mapping[str, Any]]:
    """Return the evaluations as dictionaries, and check that they are some."""
    if isinstance(source, (str, Path)):
        source = _json(Path(source))
    if isinstance(source, Mapping):
        source = source.get("evaluations", source).get("evaluation", [])
    if not isinstance(source, list):
        import narwhals as nw

        try:
            source = nw.from_native(source, eager_only=True).rows(named=True)
        except TypeError:
            raise InputError(
                f"A {type(source).__name__} is no list of evaluations.",
                why="Read are OpenML's JSON, a list of dictionaries, or a frame.",
                mend="Pass OpenML's list of evaluations as it came.",
            ) from None
    needed = ("run_id", "task_id", "setup_id", "flow_name", "data_name", "function")
    for row in source:
        missing = [key for key in needed if key not in row]
        if missing:
            raise InputError(
                f"An evaluation has no {quoted(missing)}.",
                why="Without it nobody knows what was run on what.",
                mend="Pass OpenML's list of evaluations as it came.",
            )
    return list(source)


def _json(path: Path) -> Any:
    try:
        return json_of(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise unreadable(path, error, f"it is not JSON ({error})", why="Evaluations come from a JSON file.") from None


def _check_tasks(rows: Sequence[Mapping[str, Any]]) -> None:
    """Refuse two tasks on one data set: each splits it in its own way."""
    found: dict[str, set[int]] = {}
    for row in rows:
        found.setdefault(str(row["data_name"]), set()).add(int(row["task_id"]))
    for name, tasks in found.items():
        if len(tasks) > 1:
            raise OptionError(
                f"Data set {name!r} has {len(tasks)} tasks in the list: {', '.join(map(str, sorted(tasks)))}.",
                why="Tasks split the data differently, so their scores are not measured on the same rows.",
                mend=f"Choose one per data set: tasks=[{min(tasks)}, ...].",
            )


def _flow_names(rows: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Name every setup: by its flow, and by its number too where the flow has several."""
    setups: dict[str, set[int]] = {}
    for row in rows:
        setups.setdefault(str(row["flow_name"]), set()).add(int(row["setup_id"]))
    return {
        setup: flow if len(numbers) == 1 else f"{flow} [setup {setup}]"
        for flow, numbers in setups.items()
        for setup in numbers
    }


def _replications(rows: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Number the runs of every setup on every task."""
    runs: dict[tuple[int, int], set[int]] = {}
    for row in rows:
        runs.setdefault((int(row["task_id"]), int(row["setup_id"])), set()).add(int(row["run_id"]))
    return {run: str(number) for group in runs.values() for number, run in enumerate(sorted(group), start=1)}


def _fold_values(row: Mapping[str, Any]) -> list[Any]:
    """Return the scores per fold, or the one score of the run."""
    values = row.get("values")
    if isinstance(values, str):
        values = json_of(values)
    if isinstance(values, Sequence) and len(values):
        return list(values)
    value = row.get("value")
    return [None if value is None or value != value else value]


def _openml_name(function: str) -> tuple[str, float]:
    return _OPENML.get(function, (function, 1.0))
