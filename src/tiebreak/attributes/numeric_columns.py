"""Arithmetic on numeric columns: ranks and moments, scatter within classes, the linear fit of a number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.attributes.catalogue import NotApplicable
from tiebreak.datasets import DataSet

OUTLIER_RATIO = 0.7
"""An attribute has outliers when trimming leaves less than this share of its standard deviation."""

_BLOCK = 1 << 18  # numbers held at a time: 2 MB
_SAFE = (1e-100, 1e100)  # magnitudes whose squares and sums neither overflow nor vanish


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What is known of the numeric attributes, one entry each; `places` are their columns in the data set."""

    places: IntArray
    present: IntArray
    mean: FloatArray
    sd: FloatArray
    trimmed_ratio: FloatArray
    exponent: IntArray

    @property
    def varying(self) -> BoolArray:
        """Whether the attribute has at least two different values."""
        return self.sd > 0

    @property
    def outliers(self) -> BoolArray:
        """Whether the attribute has outliers by the rule of trimmed standard deviations."""
        return self.trimmed_ratio < OUTLIER_RATIO


def numeric_columns(values: FloatArray, symbolic: BoolArray) -> Columns:
    """Summarise the numeric columns of a matrix, some at a time so that memory stays bounded.

    Mean and standard deviation are those of the values times 2^-exponent; the exponent is 0 unless the magnitude of
    the values would overflow or vanish when squared.
    """
    places = np.flatnonzero(~symbolic).astype(np.int64)
    parts = [_summaries(values, block) for block in _blocks(places, len(values))]
    present, mean, sd, ratio, exponent = np.concatenate(parts, axis=1) if parts else np.empty((5, 0))
    return Columns(
        places=places,
        present=present.astype(np.int64),
        mean=mean,
        sd=sd,
        trimmed_ratio=ratio,
        exponent=exponent.astype(np.int64),
    )


def kept_ranks(count: int) -> tuple[int, int]:
    """Return the first and last place (from 0) of the sorted values that trimming keeps.

    With v = 0.05 n an integer, ranks v + 1 to n - v stay; otherwise v = ceil(0.05 n) and ranks v to n - v + 1 stay.

    Examples
    --------
    >>> kept_ranks(20), kept_ranks(21), kept_ranks(5)
    ((1, 18), (1, 19), (0, 4))
    """
    cut = count // 20  # where 0.05 n is no integer, rank ceil(0.05 n) is the place floor(0.05 n) counted from 0
    return cut, count - cut - 1


def scaled(block: FloatArray, exponent: IntArray, *, axis: int) -> FloatArray:
    """Return columns times 2^-exponent; the block itself where there is nothing to scale."""
    if not exponent.any():
        return block
    return np.ldexp(block, -np.expand_dims(exponent, axis).astype(np.int32))


def as_slice(places: IntArray) -> slice | IntArray:
    """Return neighbouring places as a slice, which spares a copy; others as they are."""
    if len(places) and places[-1] - places[0] == len(places) - 1:  # places are sorted
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def _blocks(places: IntArray, n_rows: int) -> Iterator[IntArray]:
    width = max(8, _BLOCK // max(n_rows, 1))  # eight neighbouring numbers share a line of the cache
    for start in range(0, len(places), width):
        yield places[start : start + width]


def _summaries(values: FloatArray, places: IntArray) -> FloatArray:
    """Return count, mean, sd, trimmed ratio and exponent of some columns."""
    block = np.array(values[:, as_slice(places)].T, order="C")
    missing = np.isnan(block)
    gaps = missing.sum(axis=1) if missing.any() else np.zeros(len(block), dtype=np.int64)
    array = np.zeros((5, len(block)))
    array[3] = 1.0
    whole = np.flatnonzero(gaps == 0)
    if len(values):
        array[:, whole] = _summarise(block if len(whole) == len(block) else block[whole])
    for place in np.flatnonzero(gaps):
        column = block[place][~missing[place]]
        if len(column):
            array[:, place] = _summarise(column[None, :])[:, 0]
    return array


def _summarise(block: FloatArray) -> FloatArray:
    """Summarise the rows of a matrix without gaps, which is used up on the way."""
    count = block.shape[1]
    low, high = block.min(axis=1), block.max(axis=1)
    exponent = safe_exponents(np.maximum(np.abs(low), np.abs(high)))
    block = scaled(block, exponent, axis=1)
    mean = block.mean(axis=1)
    block -= mean[:, None]
    sd = _deviation(block)
    sd[low == high] = 0.0
    first, last = kept_ranks(count)
    block.partition(last, axis=1)
    if first > 0:
        block[:, :last].partition(first, axis=1)
    trimmed = _deviation(block[:, first : last + 1])
    ratio = np.divide(trimmed, sd, out=np.ones_like(sd), where=sd > 0)
    return np.stack([np.full(len(block), float(count)), mean, sd, ratio, exponent.astype(np.float64)])


def safe_exponents(magnitude: FloatArray) -> IntArray:
    """Return the powers of two that bring magnitudes beyond the safe range to about 1, and 0 for the others."""
    unsafe = (magnitude > _SAFE[1]) | ((magnitude < _SAFE[0]) & (magnitude > 0))
    return np.where(unsafe, np.frexp(magnitude)[1], 0).astype(np.int64)


def _deviation(block: FloatArray) -> FloatArray:
    """Return the standard deviation (n - 1) of rows whose mean is near 0."""
    count = block.shape[1]
    if count < 2:
        return np.zeros(len(block))
    squares = np.einsum("ij,ij->i", block, block)
    values: FloatArray = np.sqrt(np.maximum(squares - block.sum(axis=1) ** 2 / count, 0.0) / (count - 1))
    return values


_SCATTER_BLOCK = 1 << 16  # numbers held at a time: half a megabyte stays in the cache
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
    height = max(256, _SCATTER_BLOCK // max(width, 1))
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
    values, starts = np.unique(codes[order], return_index=True)
    sums[values] = np.add.reduceat(part[order], starts, axis=0)
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
    values: FloatArray = np.sqrt(np.clip(squares[:most], 0.0, 1.0))
    return values


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
    mask = roots > _tolerance(summed, roots)
    projected: FloatArray = (vectors[:, mask].T @ between) / np.sqrt(roots[mask])[:, None]
    return projected


def _projected_wide(summed: Scatter) -> FloatArray:
    """Do the same from the products of rows, where there are more attributes than rows."""
    roots, vectors = np.linalg.eigh(summed.total)
    mask = roots > _tolerance(summed, roots)
    sums = _class_sums(vectors[:, mask], summed.target, len(summed.class_counts))
    projected: FloatArray = (sums / np.sqrt(summed.class_counts)[:, None]).T
    return projected


def _tolerance(summed: Scatter, roots: FloatArray) -> float:
    """Below this an eigenvalue is rounding: the rule of matrix rank, as in numpy."""
    size = max(summed.n_rows, summed.class_sums.shape[1])
    return float(size * np.finfo(np.float64).eps * roots[-1])


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
    result: list[tuple[int, int, float]] = []
    for place in np.flatnonzero(data.symbolic).tolist():
        column = data.values[:, place]
        counts = np.bincount(column[~np.isnan(column)].astype(np.int64))
        common = np.argsort(-counts, kind="stable")[:MOST_INDICATORS].tolist()
        result += [(place, code, counts[code] / data.n_rows) for code in common if 0 < counts[code] < data.n_rows]
    width = len(numeric) + len(result)
    levels = np.unique(np.linspace(0, width - 1, min(width, MOST_COLUMNS)).astype(np.int64)) if width else np.arange(0)
    others = [result[i - len(numeric)] for i in levels if i >= len(numeric)]
    return _Design(
        numeric=numeric[levels[levels < len(numeric)]],
        places=np.array([place for place, _, _ in others], dtype=np.int64),
        codes=np.array([code for _, code, _ in others], dtype=np.float64),
        shares=np.array([share for _, _, share in others], dtype=np.float64),
    )
