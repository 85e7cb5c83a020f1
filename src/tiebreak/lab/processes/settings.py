"""How helpers and children work: the function that runs a cell, forking, what is loaded beforehand."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

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
