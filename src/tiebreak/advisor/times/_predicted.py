"""Predicted times: seconds of every algorithm on one data set, with their range."""

from __future__ import annotations

from dataclasses import dataclass

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, Shown
from tiebreak.stats.results import rows_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PredictedTimes(Shown):
    """What every algorithm is expected to take on one data set.

    Parameters
    ----------
    algorithms : tuple of str
    seconds : FloatArray
        Training once on `share` of the rows and predicting as many, NaN where no time of the algorithm is known.
    low, high : FloatArray
        The range that holds nine of ten times.
    beyond : tuple of str
        Of rows, columns and classes those outside all that was measured.
    sized : bool
        Whether the size of the data had a part; otherwise seconds are middle values of the base.
    share : float
        Of the rows that are trained on.
    measured : tuple of str
        What was measured, in words: the range of rows, columns and classes.
    caveats : tuple of Caveat

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> from tiebreak.advisor.times import fit_times
    >>> found = fit_times(shipped_knowledge()).predict({"n_examples": 1e6, "n_attributes": 11, "n_classes": 2})
    >>> found.beyond, bool((found.seconds > 1).all())
    (('rows',), False)
    """

    algorithms: tuple[str, ...]
    seconds: FloatArray
    low: FloatArray
    high: FloatArray
    beyond: tuple[str, ...] = ()
    sized: bool = True
    share: float = 1.0
    measured: tuple[str, ...] = ()
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what is predicted."""
        rows = "all rows" if self.share == 1 else f"{self.share:.3g} of the rows"
        return f"Predicted seconds of {len(self.algorithms)} algorithms, each trained once on {rows}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm."""
        columns = {"predicted seconds": self.seconds, "low": self.low, "high": self.high}
        return rows_of(algorithm=self.algorithms, **columns)

    def of(self, algorithm: str) -> tuple[float, float, float]:
        """Return seconds, low and high of one algorithm; NaN where it is not among them."""
        if algorithm not in self.algorithms:
            return (float("nan"),) * 3
        j = self.algorithms.index(algorithm)
        return float(self.seconds[j]), float(self.low[j]), float(self.high[j])
