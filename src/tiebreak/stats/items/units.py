"""How items make clusters and benchmarks: sums over clusters, weights of benchmarks, the error of a mean difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray
from tiebreak.errors import InputError

Codes = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """Where items belong: `order` sorts them by benchmark and cluster, into cells (a cluster within a benchmark).

    `starts` are the first items of the cells, `sizes` their numbers of items, `stratum` their benchmarks and `cluster`
    their clusters; `n_items` counts the items of each benchmark. `crossing` says whether a cluster lies in several
    benchmarks. Without clusters every item is a cell.
    """

    order: Codes | None
    starts: Codes | None
    sizes: FloatArray
    stratum: Codes
    cluster: Codes | None
    n_items: FloatArray
    crossing: bool

    @property
    def weights(self) -> FloatArray:
        """What an item of each cell weighs: every benchmark counts alike, every item of one alike."""
        return np.asarray(1.0 / (len(self.n_items) * self.n_items))[self.stratum]


def laid_out(count: int, clusters: IntArray | None, strata: IntArray | None) -> Layout:
    """Sort items by benchmark and cluster."""
    stratum = np.zeros(count, dtype=np.intp) if strata is None else np.unique(strata, return_inverse=True)[1]
    n_items = np.bincount(stratum).astype(np.float64)
    if clusters is None:
        values = np.ones(count)
        return Layout(
            order=None, starts=None, sizes=values, stratum=stratum, cluster=None, n_items=n_items, crossing=False
        )
    cluster = np.unique(clusters, return_inverse=True)[1]
    order = np.lexsort((cluster, stratum))
    changes = (np.diff(stratum[order]) != 0) | (np.diff(cluster[order]) != 0)
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1]).astype(np.intp)
    sizes = np.diff(np.append(starts, count)).astype(np.float64)
    held = cluster[order][starts]
    return Layout(
        order=order,
        starts=starts,
        sizes=sizes,
        stratum=stratum[order][starts],
        cluster=held,
        n_items=n_items,
        crossing=len(np.unique(held)) < len(held),
    )


def cell_sums(values: FloatArray, layout: Layout) -> FloatArray:
    """Return the sums over cells of every row of items, (rows, cells)."""
    if layout.order is None or layout.starts is None:
        return values
    return np.asarray(np.add.reduceat(values[:, layout.order], layout.starts, axis=1))


def _runs(codes: Codes) -> Codes:
    """Return where runs of equal codes begin."""
    return np.concatenate([[0], np.flatnonzero(np.diff(codes)) + 1]).astype(np.intp)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate:
    """The mean difference of every row, its standard error and degrees of freedom, and the parts whose signs flip.

    `parts` are the weighted sums of differences over units (clusters, or items), (rows, units); they add up to
    `difference`.
    """

    difference: FloatArray
    error: FloatArray
    df: FloatArray
    parts: FloatArray
    n_units: int


def estimated(sums: FloatArray, layout: Layout) -> Estimate:
    """Estimate mean differences from their sums over cells, every benchmark with the same weight.

    Within benchmark k the error is that of clusters: sqrt(G / (G - 1) sum over clusters of (sum of d - mean)^2) / n.
    """
    runs, weights = _runs(layout.stratum), layout.weights
    means = np.add.reduceat(sums, runs, axis=1) / layout.n_items
    parts = sums if len(runs) == 1 and not layout.crossing else sums * weights
    scale = float(weights[0]) if parts is sums else 1.0  # with one benchmark all items weigh the same
    share = layout.sizes * (weights / scale)
    rest = means[:, layout.stratum] * -share if len(runs) > 1 else means * -share
    rest += parts
    if layout.crossing and layout.cluster is not None:
        return _crossed(means, by_cluster(parts, layout.cluster), by_cluster(rest, layout.cluster))
    counts = np.bincount(layout.stratum).astype(np.float64)
    np.square(rest, out=rest)
    with np.errstate(divide="ignore", invalid="ignore"):
        variances = np.add.reduceat(rest, runs, axis=1) * (scale**2 * counts / (counts - 1.0))
        variances = np.where(counts > 1, variances, np.inf)
        whole = variances.sum(axis=1)
        df = np.square(whole) / (np.square(variances) / (counts - 1.0)).sum(axis=1)
    df = np.where(np.isfinite(df), df, np.maximum(counts.sum() - len(counts), 1.0))
    return Estimate(difference=means.mean(axis=1), error=np.sqrt(whole), df=df, parts=parts, n_units=parts.shape[1])


def _crossed(means: FloatArray, parts: FloatArray, rest: FloatArray) -> Estimate:
    """Clusters that reach over benchmarks tie these together: they are units of all of them at once."""
    count = parts.shape[1]
    squares = np.square(rest).sum(axis=1)
    error = np.sqrt(squares * count / (count - 1.0)) if count > 1 else np.full(len(parts), np.inf)
    df = np.full(len(parts), max(count - 1.0, 1.0))
    return Estimate(difference=means.mean(axis=1), error=error, df=df, parts=parts, n_units=count)


def by_cluster(cells: FloatArray, cluster: Codes) -> FloatArray:
    """Put the cells of a cluster in several benchmarks together."""
    order = np.argsort(cluster, kind="stable")
    return np.asarray(np.add.reduceat(cells[:, order], _runs(cluster[order]), axis=1))


def check_codes(codes: npt.ArrayLike | None, count: int, *, what: str) -> IntArray | None:
    """Return one whole number per item, numbering names where these were given."""
    if codes is None:
        return None
    given = np.asarray(codes)
    if given.shape != (count,):
        raise InputError(
            f"{what} has shape {given.shape} for {count} item(s).", mend=f"Pass one name or number per item in {what}."
        )
    if given.dtype.kind in "fcO" and bool((given != given).any()):  # NaN alone is not itself
        raise InputError(f"{what} holds NaN.", mend="Name it, or leave the item out.")
    return np.unique(given.astype(str) if given.dtype.kind == "O" else given, return_inverse=True)[1].astype(np.int64)
