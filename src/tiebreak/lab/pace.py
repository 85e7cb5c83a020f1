"""How long cells take: measured where that has been done, else by the size of the data and the algorithm's own pace."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiebreak._checks import FloatArray


class Pace:
    """Seconds per cell of every data set (row) and algorithm (column), learned while cells finish.

    A pair that was measured has its own mean. Elsewhere an algorithm is taken to need the same time for each of the
    rows x attributes values as on the data sets where it was measured; one that never was, as the middle of the others.

    Examples
    --------
    >>> pace = Pace([100, 300], 2)
    >>> pace.add(0, 0, 2.0)
    >>> pace.estimates().tolist()
    [[2.0, 2.0], [6.0, 6.0]]
    """

    def __init__(self, sizes: Sequence[float], algorithms: int) -> None:
        self.sizes = np.maximum(np.asarray(sizes, dtype=float), 1.0)
        self._seconds = np.zeros((len(self.sizes), algorithms))
        self._cells = np.zeros_like(self._seconds)
        self._other_seconds, self._other_values = np.zeros(algorithms), np.zeros(algorithms)

    def add(self, dataset: int, algorithm: int, seconds: float, cells: int = 1) -> None:
        """Count cells that took so many seconds each."""
        self._seconds[dataset, algorithm] += seconds * cells
        self._cells[dataset, algorithm] += cells

    def add_elsewhere(self, algorithm: int, seconds: float, size: float, cells: int) -> None:
        """Count cells on a data set that is not of this plan, of so many rows x attributes."""
        if size > 0:
            self._other_seconds[algorithm] += seconds * cells
            self._other_values[algorithm] += size * cells

    def mean(self, dataset: int, algorithm: int) -> float:
        """Return the seconds per cell of a pair that was measured, 0 for one that was not."""
        cells = self._cells[dataset, algorithm]
        return float(self._seconds[dataset, algorithm] / cells) if cells else 0.0

    def quickest(self) -> float:
        """Return the seconds per cell of the quickest pair that was measured, 0 where none was."""
        measured = self._cells > 0
        return float((self._seconds[measured] / self._cells[measured]).min()) if measured.any() else 0.0

    def known(self) -> FloatArray:
        """Return, for every algorithm, the seconds per value; NaN where it was never measured."""
        seconds = self._seconds.sum(axis=0) + self._other_seconds
        values = self.sizes @ self._cells + self._other_values
        return np.asarray(np.divide(seconds, values, out=np.full(len(values), np.nan), where=values > 0))

    def estimates(self) -> FloatArray:
        """Return the seconds per cell of every pair; NaN everywhere before the first measurement."""
        known = self.known()
        if np.isnan(known).all():
            return np.full(self._cells.shape, np.nan)
        rates = np.where(np.isnan(known), np.nanmedian(known), known)
        guessed = np.outer(self.sizes, rates)
        return np.asarray(np.divide(self._seconds, self._cells, out=guessed, where=self._cells > 0))
