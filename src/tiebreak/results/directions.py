"""Which way is better on each data set, where scores are by different metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_choices
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, NotSaid, UnknownDirection, quoted
from tiebreak.results.arrays import present_mean
from tiebreak.results.metrics import Metric
from tiebreak.wording import either, option, which_way, which_way_of

if TYPE_CHECKING:
    from tiebreak.results.table import Results

Told = bool | Mapping[str, bool] | None
"""What was said about the direction: for all, for some metrics by name, or nothing."""


def directions(results: Results, score: str, told: Told = None) -> tuple[BoolArray, Caveats]:
    """Return for each data set whether a higher score is better there, and what is odd about it.

    What was told for all data sets holds for the column as it stands, whatever its metrics usually are: many tables
    hold 1 - auc beside log loss, or negative log loss beside auc. Otherwise the name of the column decides (an
    'error' is better when lower), and where it says nothing the metric of each data set.

    Examples
    --------
    >>> from tiebreak import Results
    >>> table = Results.from_dict({"dataset": ["iris", "cars"], "algorithm": ["svm", "svm"],
    ...                            "metric": ["auc", "rmse"], "score": [0.9, 1200.0]})
    >>> dict(zip(table.datasets, directions(table, "score")[0].tolist()))
    {'cars': False, 'iris': True}
    """
    own, metrics = results.metric(score), results.metrics_on(score)
    if isinstance(told, Mapping):
        known = {score, *(metric.name for metric in metrics)}
        check_choices(
            f"metric (in {either('higher_is_better', '--direction')})", sorted(set(told) - known), sorted(known)
        )
    if all(metric is own for metric in metrics):
        return np.full(len(metrics), own.direction(told)), ()
    if isinstance(told, bool) or (told is None and own.higher_is_better is not None):
        higher = own.direction(told)
        notes = _odd(results, score, metrics, higher=higher) if own.higher_is_better is None else ()
        return np.full(len(metrics), higher), notes
    found = {metric.name: _one(metric, own, told or {}) for metric in metrics}
    unknown = [name for name, higher in found.items() if higher is None]
    if unknown:
        raise open_directions(unknown, "data sets")
    return np.array([found[metric.name] for metric in metrics], dtype=bool), ()


def open_directions(names: Sequence[str], all_of: str) -> NotSaid:
    """Make the error for metrics of unknown direction; `all_of` is what one answer would be for."""
    return UnknownDirection(
        f"Nothing says whether a higher {names[0]!r} is better" + (f", nor {quoted(names[1:])}." if names[1:] else "."),
        why="The best algorithm would come out as the worst if it were guessed wrongly.",
        mend=f"Say {which_way_of(names[0])}, or {which_way()} for all {all_of}.",
    )


def _one(metric: Metric, own: Metric, told: Mapping[str, bool]) -> bool | None:
    """Return the direction of one metric: as told for it, as told for or known of the column, or as known of it."""
    if metric.name in told:
        return metric.direction(told)
    if own.name in told or own.higher_is_better is not None:
        return own.direction(told)
    return metric.higher_is_better


def _odd(results: Results, score: str, metrics: Sequence[Metric], *, higher: bool) -> Caveats:
    """Refuse a loss that was said to be better when higher unless it is negative, as a loss turned around is."""
    turned = {metric.name for metric in metrics if metric.higher_is_better is (not higher)}
    if higher:
        values, codes = results.values[score], results.codes["dataset"]
        losses = np.array([metric.name in turned for metric in metrics])[codes] & (values > 0)
        if losses.any():
            place = int(codes[int(np.argmax(losses))])
            raise InputError(
                f"Scores were said to be better when higher, but data set {results.datasets[place]!r} is scored by"
                f" {metrics[place].name!r} and its scores are above 0.",
                why="A lower loss is better unless its sign was turned: the best algorithm would come out last.",
                mend="Leave the direction out, so that each metric tells its own, or tell those that are not known:"
                f" {option(higher_is_better={'...': True})}.",
            )
    if not turned:
        return ()
    names, way = quoted(sorted(turned)), "higher" if higher else "lower"
    text = f"Scores by {names} were taken to be better when {way}, as told: {score!r} must hold them turned around."
    return (Caveat("read-as", text),)


def mean_ranks(scores: FloatArray, higher: BoolArray) -> list[float]:
    """Average the ranks of each algorithm over the data sets where it has a score; ties share the mean of their ranks.

    Examples
    --------
    >>> mean_ranks(np.array([[0.9, 0.8, np.nan], [5.0, 2.0, 2.0]]), np.array([True, False]))
    [2.0, 1.75, 1.5]
    """
    errors = np.where(higher[:, None], -scores, scores)
    ranks = np.full(scores.shape, np.nan)
    for row, rank in zip(errors, ranks, strict=True):
        there = np.flatnonzero(~np.isnan(row))
        below = (row[there] < row[there, None]).sum(axis=1)
        tied = (row[there] == row[there, None]).sum(axis=1)
        rank[there] = below + (tied + 1) / 2
    return [present_mean(ranks[:, i]) for i in range(scores.shape[1])]
