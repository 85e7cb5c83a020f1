"""How much of a number a linear fit explains: one pass over the rows, whatever their number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.attributes.catalogue import NotApplicable
from tiebreak.attributes.numeric_columns import Columns
from tiebreak.attributes.scatter import row_blocks, standardised
from tiebreak.datasets import DataSet

PENALTY = 1e-3
"""The weight of the squared coefficients, per row: a column counts as if a thousandth of its variance were noise."""
MOST_INDICATORS = 10
MOST_COLUMNS = 300
"""Of more columns so many are taken, evenly spaced."""
_ONE_THREAD = 200_000  # products of numbers that a library of linear algebra does in one thread
_NO_COLUMN = NotApplicable(reason="every attribute is constant or empty")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Design:
    """The columns of the fit: numeric attributes, then values of symbolic ones with their share of the rows."""

    numeric: IntArray
    places: IntArray
    codes: FloatArray
    shares: FloatArray

    def rows(self, data: DataSet, columns: Columns, rows: IntArray) -> FloatArray:
        """Return standardised columns of some rows."""
        numbers = standardised(data.values, columns, rows, self.numeric)
        ones = (data.values[rows][:, self.places] == self.codes) - self.shares
        return np.concatenate([numbers, ones / np.sqrt(self.shares * (1 - self.shares))], axis=1)


def linear_r2(data: DataSet, columns: Columns, rows: IntArray, away: FloatArray) -> float | NotApplicable:
    """Return the adjusted R2 of a ridge fit of the target `away` on some rows; the catalogue has the formula."""
    design = _design(data, columns)
    width = len(design.numeric) + len(design.places)
    if not width:
        return _NO_COLUMN
    gram, sums, products = np.zeros((width, width)), np.zeros(width), np.zeros(width)
    for cut in row_blocks(len(rows), width):
        part = design.rows(data, columns, rows[cut])
        gram += _products(part)
        sums += part.sum(axis=0)
        products += part.T @ away[cut]
    gram -= np.outer(sums, sums) / len(rows)
    total = float(np.sum((away - away.mean()) ** 2))
    return _adjusted(gram, products - sums * away.mean(), total, len(rows))


def _products(part: FloatArray) -> FloatArray:
    """Return the products of columns in pieces too small for several threads, which wait for each other on a busy host.

    That is the longest part of it otherwise: seconds instead of hundredths where every core is taken.
    """
    height = max(16, _ONE_THREAD // part.shape[1] ** 2)
    whole = len(part) // height * height
    stacked, rest = part[:whole].reshape(-1, height, part.shape[1]), part[whole:]
    return np.asarray(np.matmul(stacked.transpose(0, 2, 1), stacked).sum(axis=0) + rest.T @ rest)


def _adjusted(gram: FloatArray, products: FloatArray, total: float, rows: int) -> float | NotApplicable:
    """Solve in the eigenvectors, which give the coefficients and the degrees of freedom at once."""
    if not total > 0:
        return NotApplicable(reason="the target is constant on the rows looked at")
    roots, vectors = np.linalg.eigh(gram)
    roots = np.maximum(roots, 0.0)
    along = vectors.T @ products
    weights = along / (roots + PENALTY * rows)
    rest = max(total - 2 * float(along @ weights) + float(roots @ weights**2), 0.0)
    freedom = rows - 1 - float((roots / (roots + PENALTY * rows)).sum())
    if freedom < 1:
        return NotApplicable(reason="as many columns as rows: a linear fit explains any target")
    return float(np.clip(1.0 - (rest / freedom) / (total / (rows - 1)), 0.0, 1.0))


def _design(data: DataSet, columns: Columns) -> _Design:
    """Take the numeric attributes that vary and the most frequent values of the symbolic ones, none that all have."""
    numeric = np.flatnonzero(columns.varying).astype(np.int64)
    found: list[tuple[int, int, float]] = []
    for place in np.flatnonzero(data.symbolic).tolist():
        column = data.values[:, place]
        counts = np.bincount(column[~np.isnan(column)].astype(np.int64))
        common = np.argsort(-counts, kind="stable")[:MOST_INDICATORS].tolist()
        found += [(place, code, counts[code] / data.n_rows) for code in common if 0 < counts[code] < data.n_rows]
    width = len(numeric) + len(found)
    kept = np.unique(np.linspace(0, width - 1, min(width, MOST_COLUMNS)).astype(np.int64)) if width else np.arange(0)
    others = [found[i - len(numeric)] for i in kept if i >= len(numeric)]
    return _Design(
        numeric=numeric[kept[kept < len(numeric)]],
        places=np.array([place for place, _, _ in others], dtype=np.int64),
        codes=np.array([code for _, code, _ in others], dtype=np.float64),
        shares=np.array([share for _, _, share in others], dtype=np.float64),
    )
