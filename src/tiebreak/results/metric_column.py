"""The column that names the metric of every score: one metric for each data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiebreak.errors import InputError, quoted
from tiebreak.results.columns import NO_NUMBER, Columns, Names, Where
from tiebreak.results.metrics import metric_named
from tiebreak.wording import option

METRIC = "metric"
"""The role of the column, and the header that is recognised by itself."""


def metric_header(columns: Columns, taken: Sequence[str]) -> str | None:
    """Find the column of metrics by its name; one of numbers is a score that happens to be called so.

    Examples
    --------
    >>> from tiebreak.results.columns import TextColumn
    >>> metric_header({"Metric": TextColumn(["auc", "rmse"])}, []), metric_header({"metric": TextColumn(["0.5"])}, [])
    ('Metric', None)
    """
    named = [header for header in columns if header.strip().lower() == METRIC and header not in taken]
    return named[0] if len(named) == 1 and not columns[named[0]].is_number() else None


def metrics_by_dataset(columns: Columns, header: str, datasets: Names, where: Where) -> dict[str, str]:
    """Return the metric of every data set; two on one data set are refused, and a data set without any.

    A cell may be empty, as failed runs often have nothing but their keys.

    Examples
    --------
    >>> from tiebreak.results.columns import TextColumn
    >>> table = {"metric": TextColumn(["auc", "", "rmse"])}
    >>> metrics_by_dataset(table, "metric", Names.of(["iris", "iris", "wine"]), Where(column="metric"))
    {'iris': 'auc', 'wine': 'rmse'}
    """
    found = _one_spelling(columns[header].coded().renamed(_named))
    there = np.flatnonzero(found.codes >= 0)
    metric = np.full(len(datasets.names), -1, dtype=np.int64)
    metric[datasets.codes[there]] = found.codes[there]
    other = there[metric[datasets.codes[there]] != found.codes[there]]
    if len(other):
        raise _several(datasets, found, int(other[0]), where)
    if (metric < 0).any():
        name = datasets.names[int(np.argmax(metric < 0))]
        raise InputError(
            f"Data set {name!r} has no metric: column {header!r} of {where.source or 'the table'} is empty there.",
            why="Nothing says by which metric its scores are, nor whether higher is better.",
            mend="Fill the column in.",
        )
    return {name: found.names[int(code)] for name, code in zip(datasets.names, metric, strict=True)}


def _one_spelling(found: Names) -> Names:
    """Give all spellings of a metric the code of one: 'AUC' and 'roc_auc' on a data set are no two metrics."""
    keys = [metric_named(name).key for name in found.names]
    one = np.array([*(keys.index(key) for key in keys), -1], dtype=found.codes.dtype)  # the last is that of no metric
    return replace(found, codes=one[found.codes])


def _named(text: str) -> str | None:
    return None if text.strip().lower() in NO_NUMBER else text.strip()


def _several(datasets: Names, found: Names, row: int, where: Where) -> InputError:
    """A table with a row for every metric is the usual reason, so the error tells what to do with one."""
    own = found.codes[(datasets.codes == datasets.codes[row]) & (found.codes >= 0)]
    names = [found.names[int(code)] for code in np.unique(own)]
    return InputError(
        f"Data set {datasets.at(row)!r} has {len(names)} metrics in {where.at(row)}: {quoted(names)}.",
        why="Scores of one data set are compared with each other, so they must be by one metric.",
        mend=f"Keep the rows of one metric for each data set, or give every metric a column of its own and name one"
        f" ({option(scores=names[0])}).",
    )


def joined(parts: Sequence[Mapping[str, str]], sources: Sequence[str]) -> dict[str, str]:
    """Put the metrics of several tables into one; all tables must tell them or none, and none another than the rest."""
    telling = [bool(part) for part in parts]
    if any(telling) and not all(telling):
        silent, told = sources[telling.index(False)], sources[telling.index(True)]
        raise InputError(
            f"{told} has a column of metrics, {silent} has none.",
            why="Nothing says by which metric the scores of the second are.",
            mend=f"Add the column to {silent}.",
        )
    out: dict[str, str] = {}
    for part, source in zip(parts, sources, strict=True):
        for name, metric in part.items():
            if metric_named(out.setdefault(name, metric)).key != metric_named(metric).key:
                raise InputError(
                    f"Data set {name!r} has the metric {metric!r} in {source} and {out[name]!r} elsewhere.",
                    why="Scores of one data set are compared with each other, so they must be by one metric.",
                    mend="Correct the column, or give one of the data sets another name.",
                )
    return out
