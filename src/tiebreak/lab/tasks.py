"""What travels between the driver, the engines and the child processes: tasks down, outcomes up.

An outcome is the store's own `CellOutcome`: what a child reports is written as it is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from tiebreak.datasets import DataSet
from tiebreak.lab.resampling import Resampling
from tiebreak.stores.records import CellOutcome
from tiebreak.wording import Brief

__all__ = ["AlgorithmSpec", "Cell", "CellOutcome", "Engine", "Limits", "Settings", "Source", "Status", "Task", "Watch"]

Status = Literal["ok", "error", "timeout", "memory", "crash", "killed"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Source(Brief):
    """What a learner that is no library's is made of: the local modules it needs, and the packages they import.

    `digest` changes with what the modules do, not with comments; `files` are the modules with a digest of each, `raw`
    the same of their bytes, by which a child sees at once that nothing has changed. Empty for a learner of a library.
    """

    digest: str = ""
    files: tuple[tuple[str, str], ...] = ()
    raw: tuple[tuple[str, str], ...] = ()
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AlgorithmSpec(Brief):
    """An algorithm by name, by import path or as a pickled estimator, and the settings that make it what it is.

    `source` is "named" (a learner of `tiebreak.lab.algorithms`), "import" (`path` is "package.module:Class") or
    "object" (`payload` is a cloudpickle of the estimator, made by this process and never read from a store or file).
    `code` is what an imported learner or an object is made of, as found when the plan was made.
    `kind` says what it is to predict, which the data of a plan decide: a name stands for another learner of numbers.
    """

    name: str
    source: Literal["named", "import", "object"] = "named"
    path: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    payload: bytes = b""
    kind: Literal["classes", "number"] = "classes"
    code: Source = field(default_factory=Source)


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


# ---- how helpers and children work: the function that runs a cell, forking, what is loaded beforehand


WORK = "tiebreak.lab.one_cell:run_cell"
_SKLEARN = (
    "calibration compose discriminant_analysis ensemble impute linear_model metrics model_selection neighbors "
    "neural_network pipeline preprocessing svm tree"
)
PRELOAD = (
    *("cloudpickle", "numpy", "scipy.special", "threadpoolctl"),
    *(f"sklearn.{module}" for module in _SKLEARN.split()),
    *("tiebreak.lab.algorithms.*", "tiebreak.lab.one_cell", "tiebreak.lab.splits"),
)
"""What every learner of the catalogue needs: loaded once per helper, before the first fork, so that no cell pays it."""
_LIBRARIES = "OMP_NUM OPENBLAS_NUM MKL_NUM BLIS_NUM VECLIB_MAXIMUM NUMEXPR_NUM POLARS_MAX"
THREAD_COUNTS = (*(f"{library}_THREADS" for library in _LIBRARIES.split()), "LOKY_MAX_CPU_COUNT")
CALIBRATE_AFTER = 50.0
"""A helper works so many seconds before it measures how fast its host is, which takes one: a short run pays nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How helpers work.

    Parameters
    ----------
    work : str
        The function that runs one cell, "package.module:function": `work(data, task, cell) -> (values, details)`.
    fork : bool
        Whether a child is forked from its helper, or a fresh interpreter; None: forked where that machine can.
    preload : tuple of str
        The modules loaded before the first cell; "package.*" for all of a package.
    calibrate_after : float
        Seconds of work before a helper measures how fast its host is.
    """

    work: str = WORK
    fork: bool | None = None
    preload: tuple[str, ...] = PRELOAD
    calibrate_after: float = CALIBRATE_AFTER

    @property
    def forks(self) -> bool:
        """Whether children are forked on this machine: by default not on Windows, nor on macOS, which forbids it.

        A fork costs milliseconds, a fresh interpreter with the learners' libraries a second or two.
        """
        able = hasattr(os, "fork") and sys.platform not in ("win32", "darwin")
        return able if self.fork is None else self.fork


class Watch(Protocol):
    """Whoever wants to know what an engine does before it has an outcome to show.

    An engine with the attribute `watch` tells it which cell begins, and wakes it twice a second or so; what a watch
    raises ends the stream.
    """

    def begun(self, cell: int) -> None:
        """Hear that a cell has begun."""
        ...

    def tick(self) -> None:
        """Look at the clock."""
        ...


class Engine(Protocol):
    """Runs tasks somewhere; outcomes come back one by one, as cells finish, in any order."""

    def stream(self, tasks: Iterator[Task], data: Mapping[str, DataSet]) -> Iterator[CellOutcome]:
        """Yield one outcome per cell; takes a bounded number of tasks ahead of the outcomes."""
        ...
