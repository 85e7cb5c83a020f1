"""The arithmetic of all pairs of models on items: sums over cells, statistics, p-values, intervals, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.errors import InputError
from tiebreak.stats.items import flips
from tiebreak.stats.items._proportions import paired_ends, z_of
from tiebreak.stats.items.units import Estimate, Layout, cell_sums, estimated, laid_out
from tiebreak.stats.numeric.tails import floor_pvalue, half_binomial_lower, t_two_sided

MCNEMAR, MIDP, FLIPS, DRAWN, CLUSTER_T = "mcnemar", "mcnemar-midp", "sign-flip", "sign-flip-drawn", "cluster-t"
TESTS = {
    MCNEMAR: "McNemar's test, exact",
    MIDP: "McNemar's test, mid-p",
    FLIPS: "Sign-flip permutation test",
    DRAWN: "Sign-flip permutation test, drawn",
    CLUSTER_T: "Paired t test",
}
BLOCK = 1_000_000
"""So many differences are held at once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asked:
    """What every pair is asked."""

    test: str
    level: float
    newcombe: bool
    clusters: IntArray | None
    strata: IntArray | None
    pairs: tuple[IntArray, IntArray]
    upward: bool
    rng: int | np.random.Generator
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """Numbers of pairs, in the order of the pairs."""

    statistic: FloatArray
    pvalue: FloatArray
    difference: FloatArray
    error: FloatArray
    df: FloatArray
    ends: FloatArray
    n_items: IntArray
    n_units: IntArray
    ahead_a: IntArray
    ahead_b: IntArray
    how: tuple[str, ...]
    n_strata: int
    crossing: bool
    largest: float
    both: FloatArray


def tested_pairs(matrix: FloatArray, there: BoolArray, asked: Asked) -> Found:
    """Test and estimate all pairs, each on the items that both answered."""
    return _complete(matrix, asked) if there.all() else _with_gaps(matrix, there, asked)


def _complete(matrix: FloatArray, asked: Asked) -> Found:
    """Compute all pairs in blocks; sums over cells are made once for each model."""
    layout = laid_out(len(matrix), asked.clusters, asked.strata)
    rows = np.ascontiguousarray(matrix.T)
    sums, both = cell_sums(rows, layout), rows @ rows.T if asked.newcombe else None
    a, b = asked.pairs
    step = max(1, BLOCK // max(1, sums.shape[1]))
    parts = [
        _block(rows, sums, layout, both, (a[start : start + step], b[start : start + step]), asked)
        for start in range(0, len(a), step)
    ]
    return _joined(parts)


def _with_gaps(matrix: FloatArray, there: BoolArray, asked: Asked) -> Found:
    """Compute every pair on the items that both answered."""
    parts = []
    for i, j in zip(asked.pairs[0].tolist(), asked.pairs[1].tolist(), strict=True):
        common = there[:, i] & there[:, j]
        if not common.any():
            raise InputError(
                f"{asked.names[i]!r} and {asked.names[j]!r} have no item in common.",
                why="Models are compared on items that both answered.",
                mend="Leave one of them out, or give their totals (passed and n) to compare them unpaired.",
            )
        own = replace(
            asked,
            clusters=None if asked.clusters is None else asked.clusters[common],
            strata=None if asked.strata is None else asked.strata[common],
            pairs=(np.array([0]), np.array([1])),
        )
        parts.append(_complete(np.ascontiguousarray(matrix[common][:, [i, j]]), own))
    return _joined(parts)


def _block(
    rows: FloatArray,
    sums: FloatArray,
    layout: Layout,
    both: FloatArray | None,
    pairs: tuple[IntArray, IntArray],
    asked: Asked,
) -> Found:
    """Compute some pairs."""
    a, b = pairs
    n_items = rows.shape[1]
    if both is None:
        more_a, more_b = _ahead(rows, a, b)
        found = estimated(_gaps(sums, a, b), layout)
    else:
        passed = np.diagonal(both)
        more_a, more_b = passed[a] - both[a, b], passed[b] - both[a, b]
        counted = asked.test in (MCNEMAR, MIDP, CLUSTER_T)
        found = _counted(more_a, more_b, n_items) if counted else estimated(_gaps(sums, a, b), layout)
    statistic, pvalue, how = _tested(found, more_a, more_b, asked)
    ends = [_ends(found, both, (a, b), (more_a, more_b), n_items, level) for level in _levels(asked)]
    toward_b = -statistic if asked.upward else statistic
    return Found(
        statistic=toward_b + 0.0,
        pvalue=pvalue,
        difference=found.difference + 0.0,
        error=found.error,
        df=found.df,
        ends=np.concatenate(ends),
        n_items=np.full(len(a), n_items, dtype=np.int64),
        n_units=np.full(len(a), found.n_units, dtype=np.int64),
        ahead_a=(more_a if asked.upward else more_b).astype(np.int64),
        ahead_b=(more_b if asked.upward else more_a).astype(np.int64),
        how=tuple(how),
        n_strata=len(layout.n_items),
        crossing=layout.crossing,
        largest=float((layout.sizes * layout.weights).max()) if layout.cluster is not None else 0.0,
        both=np.zeros(len(a)) if both is None else both[a, b],
    )


def _gaps(sums: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """Return the differences of each pair over cells, (pairs, cells), without the noise of rounding."""
    gaps = sums[a] - sums[b]
    gaps[np.abs(gaps) <= 1e-13 * np.abs(sums).max()] = 0.0
    return np.asarray(gaps)


def _counted(more_a: FloatArray, more_b: FloatArray, n_items: int) -> Estimate:
    """Estimate differences of right and wrong answers from counts: those of single items are -1, 0 or 1."""
    n, gap = float(n_items), more_a - more_b
    squares = more_a + more_b - np.square(gap) / n
    error = np.sqrt(np.maximum(squares, 0.0) * n / (n - 1.0)) / n if n_items > 1 else np.full(len(gap), np.inf)
    df = np.full(len(gap), max(n - 1.0, 1.0))
    return Estimate(difference=gap / n, error=error, df=df, parts=np.empty((len(gap), 0)), n_units=n_items)


def _levels(asked: Asked) -> tuple[float, float]:
    """Each interval by itself, and all together."""
    pairs = (
        len(asked.names) - 1 if len(np.unique(asked.pairs[0])) == 1 else len(asked.names) * (len(asked.names) - 1) // 2
    )
    return asked.level, 1.0 - (1.0 - asked.level) / max(1, pairs)


def _ahead(rows: FloatArray, a: IntArray, b: IntArray) -> tuple[FloatArray, FloatArray]:
    """Count the items on which each has the higher score."""
    counts = [
        (np.count_nonzero(rows[i] > rows[j]), np.count_nonzero(rows[j] > rows[i]))
        for i, j in zip(a.tolist(), b.tolist(), strict=True)
    ]
    found = np.array(counts, dtype=np.float64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _tested(
    found: Estimate, more_a: FloatArray, more_b: FloatArray, asked: Asked
) -> tuple[FloatArray, FloatArray, list[str]]:
    """Return the statistic, positive where a has the higher scores, the p-value, and how it was found."""
    count = len(more_a)
    if asked.test == CLUSTER_T:
        known = (found.error > 0) & np.isfinite(found.error)
        t = np.divide(found.difference, found.error, out=np.zeros(count), where=known)
        t = np.where((found.error == 0) & (found.difference != 0), np.copysign(np.inf, found.difference), t)
        return t, np.where(np.isfinite(found.error), t_two_sided(t, found.df), 1.0), ["t"] * count
    if asked.test in (MCNEMAR, MIDP):
        z = (more_a - more_b) / np.sqrt(np.maximum(more_a + more_b, 1.0))
        return z, floor_pvalue(mcnemar_pvalues(more_a, more_b, midp=asked.test == MIDP)), [flips.EXACT] * count
    spread = np.sqrt(np.square(found.parts).sum(axis=1))
    z = np.divide(found.parts.sum(axis=1), spread, out=np.zeros(count), where=spread > 0)
    if asked.test == DRAWN:
        return z, flips.drawn_pvalues(found.parts, asked.rng), [flips.DRAWN] * count
    return z, *flips.flip_pvalues(found.parts)


def mcnemar_pvalues(only_a: FloatArray, only_b: FloatArray, *, midp: bool = False) -> FloatArray:
    """Return the two-sided p-values of counts: binomial with one half, all of the outcome seen, or half of it."""
    n, smaller = only_a + only_b, np.minimum(only_a, only_b)
    upto = half_binomial_lower(smaller, n)
    if not midp:
        return np.minimum(2.0 * upto, 1.0)
    below = np.where(smaller > 0, half_binomial_lower(np.maximum(smaller - 1.0, 0.0), n), 0.0)
    return np.where(only_a == only_b, 1.0, below + upto)


def _ends(
    found: Estimate,
    both: FloatArray | None,
    pairs: tuple[IntArray, IntArray],
    ahead: tuple[FloatArray, FloatArray],
    n_items: int,
    level: float,
) -> FloatArray:
    """Return the ends of the intervals, (2, pairs): Newcombe's for right and wrong, else those of t."""
    if both is not None:
        return np.stack(paired_ends(both[pairs], *ahead, np.full(len(ahead[0]), float(n_items)), z_of(level)))
    reach = special.stdtrit(found.df, (1.0 + level) / 2.0)
    width = np.where(np.isfinite(found.error), reach * found.error, np.inf)
    return np.stack([found.difference - width, found.difference + width])


def _joined(parts: Sequence[Found]) -> Found:
    """Put blocks of pairs behind one another."""
    first = parts[0]
    if len(parts) == 1:
        return first
    names = ("statistic", "pvalue", "difference", "error", "df", "n_items", "n_units", "ahead_a", "ahead_b", "both")
    return replace(
        first,
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in names},
        ends=np.concatenate([part.ends for part in parts], axis=1),
        how=tuple(each for part in parts for each in part.how),
        n_strata=max(part.n_strata for part in parts),
        crossing=any(part.crossing for part in parts),
        largest=max(part.largest for part in parts),
    )
