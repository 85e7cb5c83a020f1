"""What trials are judged by: accuracy where classes are predicted, relative_rmse where numbers are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tiebreak.advisor.target_kinds import SCORES
from tiebreak.datasets import DataSet
from tiebreak.documents import Framed

ERROR = "rmse"
"""What stands beside the score of numbers: an error in the unit of the target."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JudgedBy(Framed):
    """The score of trials, and what the trivial answer scores, which every algorithm should beat.

    `trivial` is the share of the most frequent class, or 1: relative_rmse is a share of the error of the mean. Beside
    it `trivial_error` is that error in the unit of the target, None for classes.
    """

    kind: str = "classes"
    trivial: float = 0.0
    trivial_error: float | None = None

    @classmethod
    def of(cls, data: DataSet) -> JudgedBy:
        """Say what trials on a data set are judged by."""
        if data.kind == "classes":
            return cls(trivial=float(data.class_counts.max() / data.n_rows))
        return cls(kind="number", trivial=1.0, trivial_error=float(np.std(data.target)))

    @property
    def score(self) -> str:
        """The name of the score in the store."""
        return SCORES[self.kind]

    @property
    def measures(self) -> tuple[str, ...]:
        """What is read of a cell: the score first."""
        return (self.score,) if self.kind == "classes" else (self.score, ERROR)

    @property
    def answer(self) -> str:
        """The trivial answer in words."""
        return "always answering the most frequent class" if self.kind == "classes" else "always predicting the mean"

    def success(self, score: float) -> float:
        """Return the success rate that a score stands for, as a base has it: higher is better, at least 0."""
        return score if self.kind == "classes" else max(0.0, 1.0 - score)

    def score_of(self, success: float) -> float:
        """Return the score that a success rate stands for."""
        return success if self.kind == "classes" else 1.0 - success

    def ahead(self, one: float, other: float) -> float:
        """Return by how much one score is better than another."""
        return one - other if self.kind == "classes" else other - one

    def best(self, scores: Mapping[str, float]) -> str | None:
        """Return the algorithm with the best score, the first of equals; None without any."""
        return max(scores, key=lambda name: self.ahead(scores[name], 0.0), default=None)

    def beaten(self, score: float) -> bool:
        """Tell whether a score is better than the trivial answer."""
        return self.ahead(score, self.trivial) > 0

    def lost(self, loss: float, most: float) -> str:
        """Say what an answer may lose against the best of the list."""
        unit, sign = ("points", "") if self.kind == "classes" else ("of the error of the mean", "%")
        mean, high = (f"{100 * each:.1f}{sign}" for each in (loss, most))
        return f"Expected loss against the best of the list: at most about {mean} {unit} (90%: {high})."

    def beside_trivial(self, score: float, error: float | None) -> str:
        """Say how a score stands beside the trivial answer."""
        if self.kind == "classes":
            above = score - self.trivial
            way = "above" if above >= 0 else "below"
            return f"{self.score} {score:.4f}, {abs(above):.3f} {way} {self.answer} ({self.trivial:.4f})"
        said = f"{self.score} {score:.4f}, an error {abs(1 - score):.0%} {'below' if score <= 1 else 'above'}"
        if error is None or self.trivial_error is None:
            return f"{said} that of {self.answer}"
        return f"{said} that of {self.answer} (rmse {_amount(error)} against {_amount(self.trivial_error)})"


def _amount(value: float) -> str:
    """Write an error in the unit of the target: three digits, large ones whole."""
    return f"{value:,.0f}" if 100 <= value < 1e9 else f"{value:.3g}"
