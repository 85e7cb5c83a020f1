"""A table of results in a few lines: what it holds, and the mean of every column."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from tiebreak.documents import Row
from tiebreak.results.arrays import present_mean
from tiebreak.results.columns import ListColumn
from tiebreak.results.directions import directions, mean_ranks
from tiebreak.results.item_columns import ITEM
from tiebreak.results.metric_column import METRIC
from tiebreak.results.metrics import Metric

if TYPE_CHECKING:
    from tiebreak.results.table import Results

_WITH_SD = ", with its standard deviation"
_SAID = {True: "higher is better", False: "lower is better", None: "direction unknown"}


def title_of(results: Results) -> str:
    """Say in one line what a table holds."""
    per = sorted(set(results._pairs()[1].tolist()) - {0})
    count = str(per[0]) if len(per) == 1 else f"{per[0]} to {per[-1]}" if per else "0"
    sets = "data set" if len(results.datasets) == 1 else "data sets"
    size = f"{len(results.datasets)} {sets} x {len(results.algorithms)} algorithms"
    what = "answer" if results.unit == ITEM else "score"
    return f"{size}, {count} {what}{'' if count == '1' else 's'} per cell: {_columns_said(results)}"


def _columns_said(results: Results) -> str:
    """List the scores and costs, each with its direction or with the metrics that a column names."""
    spreads = set(results.spreads)
    parts = [
        f"{each.name} ({_about(results, each)}{_WITH_SD if f'{each.name}_sd' in spreads else ''})"
        for each in results.metrics
        if each.is_cost or each.name in results.scores
    ]
    return ", ".join(parts)


def _about(results: Results, metric: Metric) -> str:
    if not results.dataset_metrics or results.metrics_on(metric.name) is not results.dataset_metrics:
        return _SAID[metric.higher_is_better]
    counts = Counter(each.name for each in results.dataset_metrics)
    return ", ".join(f"{name} on {number}" for name, number in counts.most_common())


def mean_rows(results: Results) -> list[Row]:
    """Return the mean of every column for each algorithm; mean ranks for scores by different metrics.

    Such scores are never averaged; where it is not known which way is better, not even ranks are given.

    Examples
    --------
    >>> from tiebreak import Results
    >>> print(Results.from_dict({"dataset": ["iris", "iris", "cars", "cars"], "algorithm": ["svm", "tree"] * 2,
    ...                          "metric": ["auc", "auc", "rmse", "rmse"], "score": [0.9, 0.8, 1200.0, 1300.0]}))
    2 data sets x 2 algorithms, 1 score per cell: score (rmse on 1, auc on 1)
    algorithm  mean rank by score
    svm                         1
    tree                        2
    """
    columns: dict[str, list[float]] = {}
    for own in results.metrics:
        if own.name in results.spreads:  # a mean of standard deviations says nothing
            continue
        table, metrics = results.means(own.name, partial=True), results.metrics_on(own.name)
        if len({metric.key for metric in metrics}) <= 1:
            columns[own.name] = [present_mean(column) for column in table.T]
        elif own.higher_is_better is not None or all(each.higher_is_better is not None for each in metrics):
            columns[f"mean rank by {own.name}"] = mean_ranks(table, directions(results, own.name)[0])
    return [
        {"algorithm": name, **{key: column[i] for key, column in columns.items()}}
        for i, name in enumerate(results.algorithms)
    ]


def key_lists(results: Results) -> dict[str, ListColumn]:
    """Write out the names of all rows, and the metric of each where data sets have their own."""
    names = dict(results.names)
    if results.dataset_metrics:
        names[METRIC] = tuple(metric.name for metric in results.dataset_metrics)
    codes = {**results.codes, METRIC: results.codes["dataset"]}
    return {role: ListColumn(np.array(known, dtype=object)[codes[role]].tolist()) for role, known in names.items()}
