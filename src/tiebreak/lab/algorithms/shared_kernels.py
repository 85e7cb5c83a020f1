"""Support vector machines that differ in C alone have one kernel matrix: a search computes it once, not every time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from tiebreak._checks import FloatArray

_KERNELS: dict[str, Callable[..., Any]] = {"linear": linear_kernel, "poly": polynomial_kernel, "rbf": rbf_kernel}
_SHARED = ("learn__C", "learn__gamma")
MOST_BYTES = 2**30
"""A kernel matrix larger than this is not kept: the machine then computes it piece by piece, as usual."""


def shares_kernels(model: Any, names: Any, rows: int) -> bool:
    """Say whether the candidates of a search are machines behind one encoding that differ in C and width alone."""
    parts = dict(model.steps) if isinstance(model, Pipeline) else {}
    machine = parts.get("learn")
    return (
        set(parts) == {"encode", "learn"}
        and isinstance(machine, SVC)
        and machine.kernel in _KERNELS
        and set(names) <= set(_SHARED)
        and 16 * rows * rows <= MOST_BYTES
    )


class SharedKernels:
    """The kernel matrices of one training and one validation part, those of the latest width kept.

    Answers are those of the machine itself, which is taught the matrix instead of the rows.
    """

    def __init__(self, model: Any, rows: Any, classes: Any, asked: Any) -> None:
        encode = clone(model.named_steps["encode"])
        self._taught: FloatArray = encode.fit_transform(rows)
        self._asked: FloatArray = encode.transform(asked)
        self._classes = classes
        self._width: object = None
        self._matrices: tuple[Any, Any] | None = None

    def predict(self, machine: Any) -> Any:
        """Fit a machine with its settings and return its answers on the validation rows."""
        between_taught, to_asked = self._of(machine)
        taught = clone(machine).set_params(kernel="precomputed", gamma="scale")
        return taught.fit(between_taught, self._classes).predict(to_asked)

    def _of(self, machine: Any) -> tuple[Any, Any]:
        if self._matrices is None or machine.gamma != self._width:
            self._matrices = None  # first: two pairs would not fit where one does
            self._width = machine.gamma
            kernel, told = _KERNELS[machine.kernel], self._told(machine)
            self._matrices = kernel(self._taught, **told), kernel(self._asked, self._taught, **told)
        return self._matrices

    def _told(self, machine: Any) -> dict[str, Any]:
        """Return what the kernel depends on; "scale" as scikit-learn defines it."""
        if machine.kernel == "linear":
            return {}
        spread = self._taught.shape[1] * float(np.var(self._taught))
        scale = 1.0 / spread if spread else 1.0
        told = {"gamma": scale if machine.gamma == "scale" else machine.gamma}
        return told | ({"degree": machine.degree, "coef0": machine.coef0} if machine.kernel == "poly" else {})
