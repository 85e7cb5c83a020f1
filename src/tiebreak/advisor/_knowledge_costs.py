"""What results cost: seconds and sizes of models from a table of results, as a knowledge base keeps them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor._meta_table import names_of
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results import Results
from tiebreak.results.hosts import check_one_host
from tiebreak.wording import option

TIMES = (("train_time", "predict_time"), ("fit_time", "score_time"), ("training_time", "inference_time"))
"""Pairs of times that are added up where both were measured and nobody named a time."""
SIZE = "model_bytes"
"""The measure of the lab that says how large a model is."""


def seconds_of(results: Results, time: str | Sequence[str] | None) -> tuple[FloatArray | None, Caveats]:
    """Return the times as a cube, several added up, and say which."""
    names = _time_names(results) if time is None else names_of(time)
    if not names:
        return None, ()
    check_one_host(results, names, on_each=True)  # what all algorithms of a data set share cancels out
    cube = np.sum([results.cube(name) for name in names], axis=0)
    if (cube < 0).any():
        d, a = (int(i) for i in np.argwhere(cube < 0)[0][:2])
        raise InputError(
            f"The time of {results.algorithms[a]!r} on data set {results.datasets[d]!r} is negative.",
            why="Times are weighed by their ratios.",
            mend=f"Correct it, or name another column ({option(time=...)}).",
        )
    said = caveats_of((time is None or len(names) > 1, "read-as", f"Time is {' + '.join(names)}."))
    return np.asarray(cube), said


def _time_names(results: Results) -> tuple[str, ...]:
    """Choose what was spent on training and predicting together, else the only time there is."""
    for pair in TIMES:
        if set(pair) <= set(results.costs):
            return pair
    known = tuple(metric.name for metric in results.metrics if metric.is_cost and metric.unit == "s")
    if len(known) > 1 and "train_time" not in known:
        raise OptionError(
            f"The table holds {len(known)} times: {quoted(known)}.",
            why="One of them is weighed against accuracy, and the choice matters.",
            mend=f"Say {option(time=known[0])}; several are added up: {option(time=list(known[:2]))}.",
        )
    return ("train_time",) if "train_time" in known else known


def sizes_of(results: Results, name: str | None) -> FloatArray | None:
    """Return the sizes of the models as a cube: the column named, or that of the lab where the table has it."""
    if name is None and SIZE not in results.costs:
        return None
    return np.asarray(results.cube(name or SIZE))
