"""What a store says of how its results came about: the share of rows that folds train on, libraries, host, date."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiebreak.store import Store
    from tiebreak.store.records import Environment

_SPLIT = re.compile(r"(cv\|folds|holdout\|share)=([\d.]+)\|test=([\d.]+)\|")


def train_share_of(resampling: str) -> float | None:
    """Return the share of all rows that a fold trains on, from the text by which a store names a resampling.

    Examples
    --------
    >>> train_share_of("cv|folds=2|test=0.0|stratified"), train_share_of("holdout|share=0.25|test=0.2|stratified")
    (0.5, 0.6000000000000001)
    >>> train_share_of("as imported") is None
    True
    """
    found = _SPLIT.match(resampling)
    if found is None:
        return None
    cut, test = float(found[2]), float(found[3])
    return (1 - test) * ((cut - 1) / cut if found[1].startswith("cv") else 1 - cut)


def made_in(store: Store, resampling: str, seed: int | None) -> dict[str, str]:
    """Say with which libraries, on which machine and when (the day of the last plan) results were run."""
    counts = store.cells_by_environment()
    used = [each for key, each in store.environments().items() if counts.get(key)]
    told = {
        "with": _with(used),
        "host": _distinct(_host(each) for each in used),
        "on": max((plan.created for plan in store.plans()), default="")[:10],
        "resampling": resampling + ("" if seed is None else f", seed {seed}"),
        "time": "CPU seconds of training and prediction" if used else "",
    }
    return {key: text for key, text in told.items() if text}


def _with(used: list[Environment]) -> str:
    """Name Python and every library; where several versions were used, all of them."""
    names = sorted({name for each in used for name in each.versions})
    python = _distinct(each.python for each in used)
    parts = [f"{name} {_distinct(each.versions.get(name, '') for each in used)}" for name in names]
    return ", ".join([*([f"Python {python}"] if python else []), *parts])


def _host(each: Environment) -> str:
    """The name of a host says nothing to others: what it is made of does."""
    cores = f"{each.cores} core{'s' * (each.cores != 1)}" if each.cores else ""
    return ", ".join(part for part in (each.cpu, cores, each.system) if part)


def _distinct(texts: Iterable[str]) -> str:
    return " and ".join(dict.fromkeys(text for text in texts if text))
