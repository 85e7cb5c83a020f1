"""Numeric attributes and the class: canonical correlations and principal components from one scatter matrix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.attributes.numeric_columns import Columns, as_slice, scaled

_BLOCK = 1 << 16  # numbers held at a time: half a megabyte stays in the cache
_SMALLEST_PIVOT = 1e-7


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """The standardised numeric attributes that vary, summed up.

    `total` is the attributes x attributes scatter, or, where there are more attributes than rows (`wide`), the
    rows x rows matrix of products, which has the same eigenvalues. `class_sums` is classes x attributes.
    """

    total: FloatArray
    class_sums: FloatArray
    class_counts: IntArray
    target: IntArray
    wide: bool

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.target)


def standardised(values: FloatArray, columns: Columns, rows: slice | IntArray, places: IntArray) -> FloatArray:
    """Return rows of the attributes at `places` of `columns`, centred, in units of their sd, gaps at the mean (0)."""
    part = values[rows][:, as_slice(columns.places[places])]
    part = scaled(part, columns.exponent[places], axis=0)
    part = part - columns.mean[places]
    part /= columns.sd[places]
    if (columns.present[places] < len(values)).any():
        part[np.isnan(part)] = 0.0
    return part


def row_blocks(n_rows: int, width: int) -> Iterator[slice]:
    """Cut the rows into blocks of a bounded number of values."""
    height = max(256, _BLOCK // max(width, 1))
    for start in range(0, n_rows, height):
        yield slice(start, min(start + height, n_rows))


def summed_scatter(values: FloatArray, columns: Columns, target: IntArray, class_counts: IntArray) -> Scatter:
    """Sum up the numeric attributes that vary, block by block."""
    places = np.flatnonzero(columns.varying).astype(np.int64)
    codes, counts = _occurring(target, class_counts)
    wide = len(places) > len(values)
    sums = np.zeros((len(counts), len(places)))
    total = np.zeros((len(values),) * 2 if wide else (len(places),) * 2)
    if wide:
        for cut in row_blocks(len(places), len(values)):
            part = standardised(values, columns, slice(None), places[cut])
            total += part @ part.T
            sums[:, cut] = _class_sums(part, codes, len(counts))
    else:
        for rows in row_blocks(len(values), max(len(places), len(counts))):
            part = standardised(values, columns, rows, places)
            total += part.T @ part
            sums += _class_sums(part, codes[rows], len(counts))
    return Scatter(total=total, class_sums=sums, class_counts=counts, target=codes, wide=wide)


def _occurring(target: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    """Number the classes anew without those that have no row."""
    if counts.all():
        return target, counts
    return (np.cumsum(counts > 0) - 1)[target], counts[counts > 0]


def _class_sums(part: FloatArray, codes: IntArray, n_classes: int) -> FloatArray:
    """Sum rows by class: by a product where classes are few, which is faster, else by sorting."""
    if n_classes <= 64:
        return np.eye(n_classes)[:, codes] @ part
    sums = np.zeros((n_classes, part.shape[1]))
    order = np.argsort(codes, kind="stable")
    found, starts = np.unique(codes[order], return_index=True)
    sums[found] = np.add.reduceat(part[order], starts, axis=0)
    return sums


def canonical_correlations(summed: Scatter) -> FloatArray:
    """Return the canonical correlations of attributes and class, the largest first, at most classes - 1 of them.

    They are the square roots of the eigenvalues of T^-1 B (T total, B between-class scatter), which are
    l / (1 + l) for the eigenvalues l of W^-1 B. T, unlike the within-class scatter W, is singular only where
    attributes are linearly dependent; then its estimable subspace is used. Where W is singular l is infinite and the
    correlation 1.
    """
    projected = _projected_wide(summed) if summed.wide else _projected(summed)
    few = projected @ projected.T if len(projected) <= projected.shape[1] else projected.T @ projected
    squares = np.linalg.eigvalsh(few)[::-1] if few.size else np.empty(0)
    most = min(len(summed.class_counts) - 1, len(projected))
    found: FloatArray = np.sqrt(np.clip(squares[:most], 0.0, 1.0))
    return found


def principal_variances(summed: Scatter) -> FloatArray:
    """Return the variances of the principal components as shares of their sum, the largest first."""
    variances = np.clip(np.linalg.eigvalsh(summed.total)[::-1], 0.0, None)
    shares: FloatArray = variances / variances.sum()
    return shares


def _projected(summed: Scatter) -> FloatArray:
    """Return the class means in the coordinates in which the total scatter is the identity."""
    between = (summed.class_sums / np.sqrt(summed.class_counts)[:, None]).T
    scale = np.sqrt(np.diag(summed.total))
    correlation = summed.total / scale / scale[:, None]
    between = between / scale[:, None]
    try:
        factor = np.linalg.cholesky(correlation)
        if float(np.diag(factor).min()) ** 2 > _SMALLEST_PIVOT:
            return np.linalg.solve(factor, between)
    except np.linalg.LinAlgError:
        pass  # linearly dependent attributes: the eigenvectors show which directions are left
    roots, vectors = np.linalg.eigh(correlation)
    kept = roots > _tolerance(summed, roots)
    projected: FloatArray = (vectors[:, kept].T @ between) / np.sqrt(roots[kept])[:, None]
    return projected


def _projected_wide(summed: Scatter) -> FloatArray:
    """Do the same from the products of rows, where there are more attributes than rows."""
    roots, vectors = np.linalg.eigh(summed.total)
    kept = roots > _tolerance(summed, roots)
    sums = _class_sums(vectors[:, kept], summed.target, len(summed.class_counts))
    projected: FloatArray = (sums / np.sqrt(summed.class_counts)[:, None]).T
    return projected


def _tolerance(summed: Scatter, roots: FloatArray) -> float:
    """Below this an eigenvalue is rounding: the rule of matrix rank, as in numpy."""
    size = max(summed.n_rows, summed.class_sums.shape[1])
    return float(size * np.finfo(np.float64).eps * roots[-1])
