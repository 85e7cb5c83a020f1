"""Tables that tools write in a shape of their own, put into long form: one row per run, one column per score."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from tiebreak.readers.detect.columns import (
    cells_of,
    codes_of,
    count,
    groups_of,
    is_written,
    like,
)
from tiebreak.readers.understanding import words
from tiebreak.results.columns import Column, Columns, ListColumn, TextColumn, Where, take
from tiebreak.results.metrics import look_up, metric_named
from tiebreak.results.roles import word

Shaped = tuple[dict[str, Column], tuple[str, ...]]
"""The columns in long form, and what was made of them."""

_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_VALUES = ("score_test", "test_score", *words.VALUES, "score_val", "score_holdout")
_TIDY = frozenset({"std_err", "stderr", "estimator", "n", "config", "preprocessor"})


def reshaped(columns: Columns) -> Shaped | None:
    """Return a table of a tool in long form; None where it has no shape of its own."""
    shapes = (searched, resampled, _of_autogluon, _of_pycaret, _in_columns, _of_caret)
    for shape in shapes:
        if (result := shape(columns)) is not None:
            return result
    return None


def _in_columns(columns: Columns) -> Shaped | None:
    """Read folds or seeds in columns: seed_0, seed_1, or fold1, fold2, mean; or 0, 1, 2, as those of aeon."""
    first, *rest = columns
    runs = {header: run for header in columns if (run := _fold_of(header)) is not None and columns[header].is_number()}
    counted = word(first) in ("resamples", "folds", "splits") and rest == [str(place) for place in range(len(rest))]
    runs = {header: ("fold", str(int(header) + 1)) for header in rest} if counted else runs
    keys = [header for header, column in columns.items() if header not in runs and not column.is_number()]
    others = [header for header in columns if header not in (*runs, *keys) and not words.is_summary(header)]
    named = counted or "algorithm" in map(words.role_of, keys)
    if len(runs) < 2 or not named or others or len({role for role, _ in runs.values()}) > 1:
        return None
    head = next(iter(runs))
    out: dict[str, Column] = {
        "dataset" if counted else key: TextColumn([str(cell) for _ in runs for cell in cells_of(columns[key])])
        for key in keys
    }
    out[runs[head][0]] = TextColumn([number for _, number in runs.values() for _ in range(len(columns[head]))])
    out["score"] = like(columns[head], [cell for header in runs for cell in cells_of(columns[header])])
    return out, (f"columns such as {head} are {runs[head][0]}s",)


_FOLD = re.compile(r"(?:(fold|split|cv)|(?:run|rep|repeat|repetition|replication|seed|trial))[ _\-.#]*(\d+)", re.I)


def _fold_of(header: str) -> tuple[str, str] | None:
    """Return the role and the number of a column such as 'fold 3' or 'seed2'; None where it is none.

    Examples
    --------
    >>> _fold_of("fold 3"), _fold_of("Run_12"), _fold_of("RF2")
    (('fold', '3'), ('replication', '12'), None)
    """
    match = _FOLD.fullmatch(header.strip())
    return ("fold" if match[1] else "replication", match[2]) if match else None


def _of_caret(columns: Columns) -> Shaped | None:
    """Read the results of `train` of caret: a row per setting, Accuracy with AccuracySD beside it."""
    metrics = [header for header in columns if f"{header}SD" in columns]
    first = next(iter(metrics), "")
    params = [h for h in [*columns][: [*columns].index(first)] if not _numbers_rows(h)] if metrics else []
    if len(metrics) < 2 or not params or "algorithm" in map(words.role_of, columns):
        return None
    cells = zip(*(cells_of(columns[header]) for header in params), strict=True)
    names = _written([dict(zip(params, row, strict=True)) for row in cells])
    return {"algorithm": TextColumn(names), **{h: columns[h] for h in metrics}}, ("every setting is a model",)


_DURATION = re.compile(r"(?:(\d+) days? )?(\d+):(\d\d):(\d\d(?:\.\d+)?)")


def in_seconds(columns: Columns) -> dict[str, Column]:
    """Write durations such as `0 days 00:01:30.5`, as pandas writes them, in seconds where the column is a cost."""
    out = dict(columns)
    for header, column in columns.items():
        if column.is_number() or not metric_named(header).is_cost:
            continue
        parts = [_DURATION.fullmatch(name.strip()) for name in column.coded().names]
        if parts and all(parts):
            weights = (86400, 3600, 60, 1)
            totals = [
                sum(w * float(p or 0) for w, p in zip(weights, part.groups(), strict=True)) for part in parts if part
            ]
            out[header] = ListColumn(np.array([*totals, np.nan])[column.coded().codes])
    return out


def _of_autogluon(columns: Columns) -> Shaped | None:
    """Boards whose data sets have different metrics: AutoGluon turns every score so that higher is better."""
    names = cells_of(columns["eval_metric"]) if "eval_metric" in columns else []
    value = next((header for header in ("score_test", "score_val") if header in columns), "")
    if len(set(names)) < 2 or not value:
        return None
    turned = [f"neg_{name}" if metric_named(str(name)).higher_is_better is False else str(name) for name in names]
    out: dict[str, Column] = {h: c for h, c in columns.items() if not h.startswith(("score_", "eval_metric"))}
    return out | {"metric": TextColumn(turned), "score": columns[value]}, (f"score is {value}",)


def is_of_pycaret(columns: Columns) -> bool:
    """Say whether a table is what PyCaret's `pull` returned."""
    return {"TT (Sec)", "AUC"} <= set(columns)


def _of_pycaret(columns: Columns) -> Shaped | None:
    """PyCaret writes an AUC of 0 for a model without probabilities: it is none."""
    if not is_of_pycaret(columns) or not columns["AUC"].is_number():
        return None
    values = columns["AUC"].as_numbers(Where(column="AUC"))
    if not (values == 0).any():
        return None
    return {**columns, "AUC": ListColumn(np.where(values == 0, np.nan, values))}, ("an AUC of 0 is none",)


def is_of_sklearn(columns: Columns) -> bool:
    """Say whether a table is what `cross_validate` or a search of scikit-learn returned, where higher is better."""
    timed = {"fit_time", "score_time"} <= set(columns) or {"mean_fit_time", "mean_score_time"} <= set(columns)
    ranked = "rank_test_score" in columns or "params" in columns
    return any(header == "mean_test_score" and ranked for header in columns) or (
        timed and any(re.match(r"((mean|split\d+)_)?test_", header) for header in columns)
    )


def searched(columns: Columns) -> Shaped | None:
    """Read `cv_results_` of scikit-learn as it is written to a file: candidates are algorithms, splits folds."""
    splits: dict[str, dict[str, str]] = {}
    for header in columns:
        if match := _SPLIT.fullmatch(header):
            splits.setdefault(match[2], {})[match[1]] = header
    params = [header for header in columns if header.startswith("param_")]
    if not splits:  # only the means were kept
        means = {header.removeprefix("mean_test_"): header for header in columns if header.startswith("mean_test_")}
        splits = {metric: {"0": header} for metric, header in means.items()}
    if not splits or not ("params" in columns or params):
        return None
    length = len(next(iter(columns.values())))
    names = _candidates(columns, params)
    folds = next(iter(splits.values()))
    out: dict[str, Column] = {}
    for header, column in columns.items():
        if words.role_of(header) in ("dataset", "algorithm") and not header.startswith("param_"):
            out[header] = ListColumn([cell for cell in cells_of(column) for _ in folds])
    name = "algorithm" if not any(words.role_of(text) == "algorithm" for text in out) else "candidate"
    out[name] = TextColumn([text for text in names for _ in folds])
    if len(folds) > 1:
        out["fold"] = TextColumn([str(int(fold) + 1) for _ in range(length) for fold in folds])
    for metric, held in splits.items():
        parts = [cells_of(columns[held[fold]]) if fold in held else [None] * length for fold in folds]
        out[metric] = like(
            columns[next(iter(held.values()))], [cell for row in zip(*parts, strict=True) for cell in row]
        )
    for cost in ("fit_time", "score_time"):
        if f"mean_{cost}" in columns:
            column = columns[f"mean_{cost}"]
            out[cost] = like(column, [cell for cell in cells_of(column) for _ in folds])
    return out, (f"the candidates of a search are the models{', its splits the folds' if len(folds) > 1 else ''}",)


def _candidates(columns: Columns, params: Sequence[str]) -> list[str]:
    """Name candidates by their parameters, those that are the same for all left out."""
    if "params" in columns:
        rows = [_parameters(cell) for cell in cells_of(columns["params"])]
        if all(row is not None for row in rows):
            return _written([row or {} for row in rows])
        return [str(cell) for cell in cells_of(columns["params"])]
    held = {header.removeprefix("param_"): cells_of(columns[header]) for header in params}
    return _written([dict(zip(held, row, strict=True)) for row in zip(*held.values(), strict=True)])


def _parameters(cell: Any) -> Mapping[str, Any] | None:
    if isinstance(cell, Mapping):
        return cell
    for read in (ast.literal_eval, json.loads):
        try:
            result = read(str(cell))
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
        if isinstance(result, dict):
            return result
    return None


def _written(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name settings by what differs between them."""
    keys = dict.fromkeys(key for row in rows for key in row)
    telling = [key for key in keys if len({str(row.get(key)) for row in rows}) > 1] or list(keys)
    names: dict[str, str] = {}
    for row in rows:
        name = ", ".join(f"{key}={row[key]}" for key in telling if _is_set(row.get(key))) or "default"
        names.setdefault(str(row), f"{name} ({len(names) + 1})" if name in names.values() else name)
    return [names[str(row)] for row in rows]


def _is_set(value: Any) -> bool:
    return value is not None and value != "" and value == value


def resampled(columns: Columns) -> Shaped | None:
    """Read the values of `resamples` of caret: columns such as rf~Accuracy, a row per resample."""
    pairs = {header: header.split("~") for header in columns if header.count("~") == 1}
    rest = [header for header in columns if header not in pairs]
    if len(pairs) < 2 or any(columns[header].is_number() and not _numbers_rows(header) for header in rest):
        return None
    models = list(dict.fromkeys(model for model, _ in pairs.values()))
    metrics = list(dict.fromkeys(metric for _, metric in pairs.values()))
    if {tuple(pair) for pair in pairs.values()} != {(model, metric) for model in models for metric in metrics}:
        return None
    length = len(next(iter(columns.values())))
    named = next((header for header in rest if not columns[header].is_number()), None)
    folds = cells_of(columns[named]) if named is not None else [str(i + 1) for i in range(length)]
    out: dict[str, Column] = {
        "algorithm": TextColumn([model for model in models for _ in folds]),
        "fold": TextColumn([str(fold) for _ in models for fold in folds]),
    }
    for metric in metrics:
        out[metric] = like(
            columns[f"{models[0]}~{metric}"],
            [cell for model in models for cell in cells_of(columns[f"{model}~{metric}"])],
        )
    return out, (f"columns such as {next(iter(pairs))} are a model and its score, rows are folds",)


def _numbers_rows(header: str) -> bool:
    return header.strip() == "" or header.startswith("Unnamed") or word(header) in ("rowname", "index")


def one_column_per_metric(columns: Columns, options: Sequence[str]) -> Shaped | None:
    """Give every metric a column where one column names it and another holds the values.

    Where every data set has one metric, as in benchmarks of mixed tasks, the table is left as it is.
    """
    texts = [header for header in columns if _names_metrics(header, columns[header])]
    numbers = [h for h in columns if (word(h) in _VALUES) and (columns[h].is_number() or is_written(columns[h]))]
    if len(texts) != 1 or not numbers or any(name in columns and columns[name].is_number() for name in options):
        return None
    header, value = texts[0], min(numbers, key=lambda item: _VALUES.index(word(item)))
    metrics = columns[header].coded()
    keys = {name: _filled(column) for name, column in columns.items() if _is_key(name, column, header, value)}
    if len(metrics.names) == 1:
        name = metrics.names[0]
        if name in columns:
            return None
        if word(header) == "eval_metric" and metric_named(name).higher_is_better is False:
            name = f"neg_{name}"  # AutoGluon turns every score so that higher is better
        renamed = {name if text == value else text: column for text, column in columns.items() if text != header}
        return renamed, (f"{name} is {value}",)
    if not keys:
        return None
    group = groups_of(list(keys.values()))
    codes = codes_of(columns[header])
    pair = group * (int(codes.max()) + 1) + codes
    if count(pair) < len(pair) or count(group) == len(pair):
        return None
    _, first = np.unique(group, return_index=True)
    remaining: dict[str, Column] = dict(take(keys, first.astype(np.int64)))
    cells = cells_of(columns[value])
    for code, name in enumerate(metrics.names, start=1):
        values: list[Any] = [None] * len(first)
        for row in np.flatnonzero(codes == code).tolist():
            values[int(group[row])] = cells[row]
        remaining[name] = like(columns[value], values)
    return remaining, (f"every {word(header)} is a column of its own",)


def _filled(column: Column) -> Column:
    """Write a name beside every metric of it where it stands beside the first alone, as lm-eval prints it."""
    cells = cells_of(column) if column.is_number() is False else []
    if not cells or not str(cells[0] or "").strip() or all(str(cell or "").strip() for cell in cells):
        return column
    return TextColumn(list(accumulate(cells, lambda above, cell: cell if str(cell or "").strip() else above)))


def _names_metrics(header: str, column: Column) -> bool:
    """Say whether a column names metrics; OpenML calls it function, which elsewhere is what is optimised."""
    if column.is_number() or word(header) not in (*words.METRICS, "function"):
        return False
    return word(header) in words.METRICS or all(look_up(name) is not None for name in column.coded().names)


def _is_key(name: str, column: Column, header: str, value: str) -> bool:
    if name in (header, value) or word(name) in (*_TIDY, *_VALUES):
        return False
    return (
        not column.is_number()
        or words.role_of(name) is not None
        or word(name) in ("seed", "run", "trial", "iter", "iteration", "id")
    )


def benchmarks_below(
    columns: Columns, model: str, benchmarks: Sequence[str], costs: Iterable[str], score: str
) -> dict[str, Column]:
    """Put the columns of a leaderboard under one another: each is a data set, each row a model."""
    names = cells_of(columns[model])
    out: dict[str, Column] = {
        "dataset": TextColumn([name for name in benchmarks for _ in names]),
        "algorithm": ListColumn([str(cell) for _ in benchmarks for cell in names]),
    }
    out[score] = like(columns[benchmarks[0]], [cell for name in benchmarks for cell in cells_of(columns[name])])
    for cost in costs:
        out[cost] = like(columns[cost], cells_of(columns[cost]) * len(benchmarks))
    return out
