"""What every generated data set needs: numbers from a seed that are the same everywhere, and a DataSet of names."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.datasets.building import assemble
from tiebreak.datasets.columns import Column, coded_names
from tiebreak.datasets.dataset import DataSet
from tiebreak.errors import OptionError

DECIMALS = 6
"""Drawn values lie on a grid of six decimals, so that the last bit of a logarithm changes nothing."""


class Drawer:
    """Draws from the raw bits of one generator only, so that every version of every library draws the same."""

    def __init__(self, name: str, seed: int) -> None:
        digest = hashlib.sha256(f"tiebreak generated|{name}|{seed}".encode()).digest()
        self._bits = np.random.PCG64(np.random.SeedSequence(int.from_bytes(digest[:16], "little")))

    def uniform(self, *shape: int) -> FloatArray:
        """Return numbers strictly between 0 and 1."""
        raw = self._bits.random_raw(int(np.prod(shape)))
        return ((np.asarray(raw, dtype=np.uint64) >> np.uint64(11)).astype(np.float64) + 0.5).reshape(shape) / 2.0**53

    def normal(self, *shape: int) -> FloatArray:
        """Return standard normal numbers, by inversion."""
        from scipy.special import ndtri

        return np.asarray(ndtri(self.uniform(*shape)), dtype=np.float64)

    def integers(self, high: int, *shape: int) -> FloatArray:
        """Return whole numbers from 0 to below `high`, as floats."""
        return np.floor(self.uniform(*shape) * high)


def check_rows(rows: int, *, least: int) -> int:
    """Return the number of rows to draw."""
    if isinstance(rows, bool) or not isinstance(rows, (int, np.integer)) or rows < least:
        raise OptionError(
            f"rows is {rows!r}.", why=f"At least {least} rows are drawn.", mend="Leave it out for the usual number."
        )
    return int(rows)


def of_names(name: str, attributes: Sequence[str], rows: Sequence[Sequence[str]], classes: Sequence[str]) -> DataSet:
    """Return a data set of symbolic attributes."""
    columns: dict[str, Column] = {
        header: coded_names([row[place] for row in rows]) for place, header in enumerate(attributes)
    }
    return assemble(columns, coded_names(classes), name=name, source=f"the generated set {name!r}")


def of_numbers(name: str, values: FloatArray, classes: Sequence[str], *, letter: str = "x") -> DataSet:
    """Return a data set of numeric attributes on the grid of six decimals."""
    columns: dict[str, Column] = {
        f"{letter}{place + 1}": column for place, column in enumerate(np.round(values, DECIMALS).T)
    }
    return assemble(columns, coded_names(classes), name=name, source=f"the generated set {name!r}")
