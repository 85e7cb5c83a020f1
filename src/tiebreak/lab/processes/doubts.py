"""Costs that a child told, held against what its helper saw: a learner shares the process that tells them."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping

COSTS = ("train_time", "predict_time", "train_wall", "predict_wall", "cell_cpu", "cell_wall", "peak_memory")
SLACK = 0.25
SHARE = 0.2
"""Told and seen may differ by so many seconds and this share: the two do not look at the same moment."""


def doubt(values: Mapping[str, float], *, cpu: float | None, wall: float) -> str:
    """Return why the costs of a cell cannot be true, an empty text if they can.

    Parameters
    ----------
    values : mapping of str to float
        What the child told; costs that are not there are not missed.
    cpu : float, optional
        The CPU seconds of the child itself during the cell, from outside; None where the system does not tell.
    wall : float
        The seconds from the order to the report.

    Examples
    --------
    >>> doubt({"cell_wall": 1.0, "cell_cpu": 0.9, "train_time": 0.8}, cpu=0.9, wall=1.01)
    ''
    >>> doubt({"cell_wall": 1.0, "cell_cpu": 0.9, "train_time": -3.0}, cpu=0.9, wall=1.01)
    'train_time is -3'
    """
    told = {name: values[name] for name in COSTS if name in values}
    for name, value in told.items():
        if not (math.isfinite(value) and value >= 0):
            return f"{name} is {value:g}"
    zero = dict.fromkeys(COSTS, 0.0) | told
    cores = os.cpu_count() or 1
    most = {
        "cell_wall": (zero["cell_wall"], wall, "seconds passed outside"),
        "cell_cpu": (zero["cell_cpu"], cores * wall, f"CPU seconds are what {cores} cores have in that time"),
        "train_wall and predict_wall": (zero["train_wall"] + zero["predict_wall"], zero["cell_wall"], "is cell_wall"),
        "train_time and predict_time": (zero["train_time"] + zero["predict_time"], zero["cell_cpu"], "is cell_cpu"),
    }
    for name, (value, bound, words) in most.items():
        if value > bound * (1 + SHARE) + SLACK:
            return f"{name} is {value:g}, and {bound:g} {words}"
    if cpu is not None and "cell_cpu" in told and cpu > told["cell_cpu"] * (1 + SHARE) + SLACK:
        return f"cell_cpu is {told['cell_cpu']:g}, and {cpu:g} CPU seconds were seen from outside"
    return ""
