"""What travels between the driver, the engines and the child processes: folds, tasks and outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from tiebreak._checks import IntArray
from tiebreak.datasets import DataSet

Status = Literal["ok", "error", "timeout", "memory", "crash"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How a data set is split: `replications` x `folds`, after `test` of the rows were set aside.

    `kind` is "cv" (r x k-fold; 5x2cv is the default) or "holdout" (`holdout` of the rows, `replications` times).
    """

    kind: Literal["cv", "holdout"] = "cv"
    replications: int = 5
    folds: int = 2
    test: float = 1 / 3
    holdout: float = 1 / 3
    stratified: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fold:
    """The rows of one fold: learn on `train`, measure on `validation`."""

    replication: int
    fold: int
    train: IntArray
    validation: IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """Every fold of one data set, and the rows kept apart as the test part (none: an empty array)."""

    folds: tuple[Fold, ...]
    test: IntArray
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AlgorithmSpec:
    """An algorithm by name, by import path or as a pickled estimator, and the settings that make it what it is.

    `source` is "named" (a learner of `tiebreak.lab.algorithms`), "import" (`path` is "package.module:Class") or
    "object" (`payload` is a cloudpickle of the estimator, made by this process and never read from a store or file).
    """

    name: str
    source: Literal["named", "import", "object"] = "named"
    path: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    payload: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most one cell may take; None: no limit."""

    seconds: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One fit: `id` is its key in the store."""

    id: int
    replication: int
    fold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Cells of one data set and one algorithm that may share a child process; `data` is a fingerprint."""

    data: str
    algorithm: AlgorithmSpec
    resampling: Resampling
    seed: int
    cells: tuple[Cell, ...]
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one cell: its numbers, or the reason why there are none.

    `details` holds what is not one number (confusion matrices as lists of lists), ready for JSON.
    """

    cell: int
    status: Status
    reason: str = ""
    values: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, object] = field(default_factory=dict)


class Engine(Protocol):
    """Runs tasks somewhere; outcomes come back one by one, as cells finish, in any order."""

    def stream(self, tasks: Iterator[Task], data: Mapping[str, DataSet]) -> Iterator[Outcome]:
        """Yield one outcome per cell; takes a bounded number of tasks ahead of the outcomes."""
        ...
