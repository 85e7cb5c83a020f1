"""What every omnibus test answers: one statistic, one p-value, and where the algorithms lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak._show import Row, Shown


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OmnibusResult(Shown):
    """The result of a test of whether any algorithm differs; each test adds what it alone knows.

    `mean_ranks` are the ranks that the test compares, lower the better, in the order of `algorithms`.
    """

    RANK_NAME: ClassVar[str] = "mean_rank"

    statistic: float
    pvalue: float
    df: tuple[float, ...]
    mean_ranks: FloatArray
    algorithms: tuple[str, ...]
    n_datasets: int
    method: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line which statistic was computed and what it is."""
        df = ", ".join(f"{d:.5g}" for d in self.df)
        return f"{self.method}: statistic {self.statistic:.5g}, df ({df}), p = {self.pvalue:.4g}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first."""
        order = np.argsort(self.mean_ranks, kind="stable")
        return [{"algorithm": self.algorithms[i], self.RANK_NAME: float(self.mean_ranks[i])} for i in order]
