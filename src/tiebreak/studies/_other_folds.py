"""Losses without the luck of the maximum: what is best is chosen by some folds and counted on the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak import advisor
from tiebreak._checks import FloatArray, IntArray
from tiebreak.advisor.worth.losses import first_of

PASSED_OVER = 0.02
"""The share of results that may be in some replications only. Where a first choice is passed over, the second takes its
place, and the second of a portfolio is not meant to stand alone."""


class OtherFolds:
    """Losses of orders where the best of all, and the best of the first N, are both found without the folds that count.

    The best of twenty by its own folds is partly lucky: nobody would have known that it is the best. Here one
    replication (one fold where there is but one replication) is kept for counting; what a choice by the others scores
    there is lost to what the best of all by the others scores there. Means over all replications.

    What was not measured in every replication is passed over, here as advice and as the best of all.

    Parameters
    ----------
    accuracy : FloatArray
        (data sets, algorithms, replications, folds).
    """

    def __init__(self, accuracy: FloatArray) -> None:
        parts = accuracy.mean(axis=3) if accuracy.shape[2] > 1 else accuracy[:, :, 0, :]
        self._there = np.asarray(np.isfinite(parts).all(axis=2))
        self._counted = np.moveaxis(np.where(self._there[:, :, None], parts, 0.0), 2, 0)
        others = (self._counted.sum(axis=0) - self._counted) / (parts.shape[2] - 1)
        self._known = np.where(self._there, np.round(others, 12), -np.inf)

    @classmethod
    def of(cls, known: advisor.Knowledge) -> OtherFolds | None:
        """Prepare a base; None where there is one fold only, or where too much would be passed over to be fair."""
        shape = known.accuracy.shape
        if shape[2] * shape[3] < 2:
            return None
        made = cls(known.accuracy)
        partly = np.isfinite(known.accuracy).any(axis=(2, 3)) & ~made._there
        return made if partly.mean() <= PASSED_OVER and made._there.sum(axis=1).min() > 1 else None

    def losses(self, orders: Sequence[IntArray], most: int) -> FloatArray:
        """Return (data sets, N) of orders, one for each round; the mean over the rounds."""
        return np.asarray(np.mean([self._lost(order, most) for order in orders], axis=0))

    def _lost(self, order: IntArray, most: int) -> FloatArray:
        there = np.take_along_axis(self._there, order, axis=1)
        order = np.take_along_axis(order, np.argsort(~there, axis=1, kind="stable"), axis=1)
        out = np.zeros((len(order), most))
        for known, counted in zip(self._known, self._counted, strict=True):
            seen = np.take_along_axis(known, order, axis=1)
            top = _at(counted, known.argmax(axis=1))
            for n in range(1, most + 1):
                out[:, n - 1] += top - _at(counted, _at(order, seen[:, :n].argmax(axis=1)))
        return np.asarray(out / len(self._known))

    def chance(self, most: int) -> FloatArray:
        """Return (data sets, N) of N algorithms drawn at random, exactly."""
        best_first = np.argsort(-self._known, axis=2, kind="stable")
        counted = np.take_along_axis(self._counted, best_first, axis=2)
        out = np.empty((counted.shape[1], most))
        for row, total in enumerate(self._there.sum(axis=1)):
            weights = np.array([first_of(total, min(n, total)) for n in range(1, most + 1)])
            out[row] = (counted[:, row, :1] - counted[:, row, :total] @ weights.T).mean(axis=0)
        return out


def _at(values: npt.NDArray[Any], places: IntArray) -> npt.NDArray[Any]:
    return np.asarray(np.take_along_axis(values, places[:, None], axis=1)[:, 0])
