"""What every omnibus test answers: one statistic, one p-value, and where the algorithms lie."""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma
from typing import Any, ClassVar

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.documents import Row
from tiebreak.documents.words import finite
from tiebreak.stats.numeric.tails import floor_pvalue
from tiebreak.stats.results import Told

ALL_TIED = ("no-difference", "Every data set ties all algorithms: nothing distinguishes them.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OmnibusResult(Told):
    """The result of a test of whether any algorithm differs; each test adds what it alone knows.

    `mean_ranks` are the ranks that the test compares, 1 the best, in the order of `algorithms`. `locations` are what
    the test compares, ranks or not, lower the better, and `location_name` says what they are.
    """

    RANK_NAME: ClassVar[str] = "mean_rank"
    EXTRAS: ClassVar[tuple[str, ...]] = ()  # what the test alone knows and plain data show

    statistic: float
    pvalue: float
    df: tuple[float, ...]
    mean_ranks: FloatArray
    algorithms: tuple[str, ...]
    n_datasets: int

    @property
    def locations(self) -> FloatArray:
        """Return what the test compares, lower the better."""
        return self.mean_ranks

    @property
    def location_name(self) -> str:
        """Say what the locations are."""
        return self.RANK_NAME.replace("_", " ")

    @property
    def symbol(self) -> str:
        """The letter of the statistic, as a sentence writes it."""
        return "F" if len(self.df) == 2 else "chi2"

    def to_dict(self) -> dict[str, Any]:
        """Return the test as plain data; numbers that are not finite are None."""
        plain = {"method": self.method, "statistic": self.statistic, "pvalue": self.pvalue, "df": list(self.df)}
        return {key: finite(value) for key, value in plain.items()} | {
            name: finite(float(getattr(self, name))) for name in self.EXTRAS
        }

    def title(self) -> str:
        """Say in one line which statistic was computed and what it is."""
        df = ", ".join(f"{d:.5g}" for d in self.df)
        return f"{self.method}: statistic {self.statistic:.5g}, df ({df}), p = {self.pvalue:.4g}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first."""
        order = np.argsort(self.mean_ranks, kind="stable")
        return [{"algorithm": self.algorithms[i], self.RANK_NAME: float(self.mean_ranks[i])} for i in order]


def tie_label(tie_correction: bool) -> str:
    """Say whether a test was corrected for ties."""
    return f"{'' if tie_correction else 'not '}corrected for ties"


def few_datasets(count: int, approximation: str) -> tuple[bool, str, str]:
    """Say whether an approximation is rough because there are fewer than ten data sets."""
    return count < 10, "few-datasets", f"{count} data sets: the {approximation} approximation is rough below ten."


def agreement_pvalue(row: FloatArray, n_datasets: int) -> float:
    """Return the probability that all data sets agree on the order of this row.

    A row with groups of t ties has L! / product of t! distinct orders, all as likely; the F of perfect agreement is
    infinite, and its p-value would be 0 though such a table can arise by chance.
    """
    groups = np.unique(row, return_counts=True)[1]
    log_orders = lgamma(len(row) + 1) - sum(lgamma(size + 1) for size in groups)
    return float(floor_pvalue(np.exp(-(n_datasets - 1) * log_orders)))
