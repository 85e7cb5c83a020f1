"""All pairs of models on the same items: tests, differences with intervals, in clusters and over benchmarks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import (
    BoolArray,
    FloatArray,
    IntArray,
    as_floats,
    check_choice,
    check_names,
    check_shape,
    readonly,
)
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.folds.predictions import mcnemar_pvalues
from tiebreak.stats.items import flips
from tiebreak.stats.items.proportions import check_level, paired_ends, z_of
from tiebreak.stats.items.units import Estimate, Layout, cell_sums, check_codes, estimated, laid_out
from tiebreak.stats.numeric.basics import floor_pvalue, t_two_sided
from tiebreak.stats.results import DifferencePairs, check_correction, counted_note, frozen, pair_fields, pair_indices

MCNEMAR, MIDP, FLIPS, CLUSTER_T = "mcnemar", "mcnemar-midp", "sign-flip", "cluster-t"
TESTS = {
    MCNEMAR: "McNemar's test, exact",
    MIDP: "McNemar's test, mid-p",
    FLIPS: "Sign-flip permutation test",
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
    names: tuple[str, ...]


ARRAYS = (
    *("statistic", "pvalue", "difference", "error", "df", "low", "high", "low_together", "high_together"),
    *("n_items", "n_units", "ahead_a", "ahead_b", "both"),
)
Found = dict[str, Any]
"""`ARRAYS` over the pairs, `how` each p-value was found, and `n_strata`, `crossing` and `largest` of the layout."""


def tested_pairs(matrix: FloatArray, there: BoolArray, options: Asked) -> Found:
    """Test and estimate all pairs, each on the items that both answered."""
    return _complete(matrix, options) if there.all() else _with_gaps(matrix, there, options)


def _complete(matrix: FloatArray, options: Asked) -> Found:
    """Compute all pairs in blocks; sums over cells are made once for each model."""
    layout = laid_out(len(matrix), options.clusters, options.strata)
    rows = np.ascontiguousarray(matrix.T)
    sums, both = cell_sums(rows, layout), rows @ rows.T if options.newcombe else None
    a, b = options.pairs
    step = max(1, BLOCK // max(1, sums.shape[1]))
    parts = [
        _block(rows, sums, layout, both, (a[start : start + step], b[start : start + step]), options)
        for start in range(0, len(a), step)
    ]
    return _joined(parts)


def _with_gaps(matrix: FloatArray, there: BoolArray, options: Asked) -> Found:
    """Compute every pair on the items that both answered."""
    parts = []
    for i, j in zip(options.pairs[0].tolist(), options.pairs[1].tolist(), strict=True):
        common = there[:, i] & there[:, j]
        if not common.any():
            raise InputError(
                f"{options.names[i]!r} and {options.names[j]!r} have no item in common.",
                mend="Leave one of them out, or give their totals (passed and n) to compare them unpaired.",
            )
        current = replace(
            options,
            clusters=None if options.clusters is None else options.clusters[common],
            strata=None if options.strata is None else options.strata[common],
            pairs=(np.array([0]), np.array([1])),
        )
        parts.append(_complete(np.ascontiguousarray(matrix[common][:, [i, j]]), current))
    return _joined(parts)


def _block(
    rows: FloatArray,
    sums: FloatArray,
    layout: Layout,
    both: FloatArray | None,
    pairs: tuple[IntArray, IntArray],
    options: Asked,
) -> Found:
    """Compute some pairs."""
    a, b = pairs
    n_items = rows.shape[1]
    if both is None:
        more_a, more_b = _ahead(rows, a, b)
        estimate = estimated(_gaps(sums, a, b), layout)
    else:
        passed = np.diagonal(both)
        more_a, more_b = passed[a] - both[a, b], passed[b] - both[a, b]
        counted = options.test in (MCNEMAR, MIDP, CLUSTER_T)
        estimate = _counted(more_a, more_b, n_items) if counted else estimated(_gaps(sums, a, b), layout)
    statistic, pvalue, how = _tested(estimate, more_a, more_b, options)
    ends = [_ends(estimate, both, (a, b), (more_a, more_b), n_items, level) for level in _levels(options)]
    ahead = {"ahead_a": more_a, "ahead_b": more_b} if options.upward else {"ahead_a": more_b, "ahead_b": more_a}
    return {
        "statistic": (-statistic if options.upward else statistic) + 0.0,
        "pvalue": pvalue,
        "difference": estimate.difference + 0.0,
        "error": estimate.error,
        "df": estimate.df,
        **dict(zip(("low", "high", "low_together", "high_together"), np.concatenate(ends), strict=True)),
        "n_items": np.full(len(a), n_items, dtype=np.int64),
        "n_units": np.full(len(a), estimate.n_units, dtype=np.int64),
        **{name: count.astype(np.int64) for name, count in ahead.items()},
        "both": np.zeros(len(a)) if both is None else both[a, b],
        "how": how,
        "n_strata": len(layout.n_items),
        "crossing": layout.crossing,
        "largest": float((layout.sizes * layout.weights).max()) if layout.cluster is not None else 0.0,
    }


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


def _levels(options: Asked) -> tuple[float, float]:
    """Each interval by itself, and all together."""
    pairs = (
        len(options.names) - 1
        if len(np.unique(options.pairs[0])) == 1
        else len(options.names) * (len(options.names) - 1) // 2
    )
    return options.level, 1.0 - (1.0 - options.level) / max(1, pairs)


def _ahead(rows: FloatArray, a: IntArray, b: IntArray) -> tuple[FloatArray, FloatArray]:
    """Count the items on which each has the higher score."""
    counts = [
        (np.count_nonzero(rows[i] > rows[j]), np.count_nonzero(rows[j] > rows[i]))
        for i, j in zip(a.tolist(), b.tolist(), strict=True)
    ]
    values = np.array(counts, dtype=np.float64).reshape(-1, 2)
    return values[:, 0], values[:, 1]


def _tested(
    estimate: Estimate, more_a: FloatArray, more_b: FloatArray, options: Asked
) -> tuple[FloatArray, FloatArray, list[str]]:
    """Return the statistic, positive where a has the higher scores, the p-value, and how it was found."""
    count = len(more_a)
    if options.test == CLUSTER_T:
        known = (estimate.error > 0) & np.isfinite(estimate.error)
        t = np.divide(estimate.difference, estimate.error, out=np.zeros(count), where=known)
        t = np.where((estimate.error == 0) & (estimate.difference != 0), np.copysign(np.inf, estimate.difference), t)
        return t, np.where(np.isfinite(estimate.error), t_two_sided(t, estimate.df), 1.0), ["t"] * count
    if options.test in (MCNEMAR, MIDP):
        z = (more_a - more_b) / np.sqrt(np.maximum(more_a + more_b, 1.0))
        return z, floor_pvalue(mcnemar_pvalues(more_a, more_b, midp=options.test == MIDP)), [flips.EXACT] * count
    spread = np.sqrt(np.square(estimate.parts).sum(axis=1))
    z = np.divide(estimate.parts.sum(axis=1), spread, out=np.zeros(count), where=spread > 0)
    return z, *flips.flip_pvalues(estimate.parts)


def _ends(
    estimate: Estimate,
    both: FloatArray | None,
    pairs: tuple[IntArray, IntArray],
    ahead: tuple[FloatArray, FloatArray],
    n_items: int,
    level: float,
) -> FloatArray:
    """Return the ends of the intervals, (2, pairs): Newcombe's for right and wrong, else those of t."""
    if both is not None:
        return np.stack(paired_ends(both[pairs], *ahead, np.full(len(ahead[0]), float(n_items)), z_of(level)))
    reach = special.stdtrit(estimate.df, (1.0 + level) / 2.0)
    width = np.where(np.isfinite(estimate.error), reach * estimate.error, np.inf)
    return np.stack([estimate.difference - width, estimate.difference + width])


def _joined(parts: Sequence[Found]) -> Found:
    """Put blocks of pairs behind one another."""
    joined = {name: np.concatenate([part[name] for part in parts]) for name in ARRAYS}
    most = {name: max(part[name] for part in parts) for name in ("n_strata", "crossing", "largest")}
    return {**joined, **most, "how": [item for part in parts for item in part["how"]]}


FEW_UNITS = 20
"""With fewer clusters, or items where there are none, the t intervals are rough, and said to be."""


def test_name(result: Found, options: Asked) -> str:
    """Name the test with how its p-values were found, and what its units are."""
    name, clustered = TESTS[options.test], options.clusters is not None
    if options.test == CLUSTER_T and clustered:
        name = "Cluster-robust t test"
    if options.test == FLIPS:
        usual: str = Counter(result["how"]).most_common(1)[0][0]
        name += f", {usual}" if usual == flips.EXACT else f", {usual} approximation"
        name += " by cluster" if clustered else ""
    return name


def pair_caveats(result: Found, options: Asked) -> Caveats:
    """Say what a reader of p-values and intervals alone would get wrong."""
    clustered = options.clusters is not None
    units, word = int(result["n_units"].min()), "clusters" if clustered else "items"
    same = (result["ahead_a"] == 0) & (result["ahead_b"] == 0)
    few_units = 1 < units < FEW_UNITS and (clustered or not options.newcombe)
    spread = sorted({int(n) for n in result["n_items"]})
    ranged = f"{spread[0]:,} to {spread[-1]:,}"
    few = f"{units} {word} are few: intervals by t are rough, and p-values of differences that are not symmetric too."
    one = "There is one cluster: nothing tells how much clusters vary, so that no difference can be shown."
    return caveats_of(
        counted_note(same, "no-difference", "score the same on all items: p = 1."),
        (len(spread) > 1, "items-differ", f"Models do not have the same items: pairs have {ranged} in common."),
        (clustered and units == 1, "one-cluster", one),
        (few_units, "few-clusters" if clustered else "few-items", few),
        (options.newcombe and units < 6, "few-items", f"{units} item(s) can show no difference at the level 0.05."),
        (result["crossing"], "clusters-cross-benchmarks", _CROSSING),
        (units >= FEW_UNITS and result["largest"] > 0.2, "few-clusters", _uneven(result["largest"])),
    )


_CROSSING = (
    "Some clusters lie in several benchmarks: these are not independent of each other, and are tested together. Where"
    " they are only called alike, as when each benchmark numbers its own, give them different names for more power."
)


def _uneven(largest: float) -> str:
    return f"One cluster holds {largest:.0%} of the items: intervals by t, which need many of like size, are rough."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemPairs(DifferencePairs):
    """Tests of pairs of models on items that both answered; arrays run over the pairs.

    `error` and `df` are the standard error and its
    degrees of freedom. `n_items` counts the common items, `n_units` the clusters (items where there are none),
    `ahead_a` and `ahead_b` the items on which one has the better score. `statistic` is z, or t for "cluster-t",
    positive where b is better. `test` is the name of what was computed, `how` how each p-value was found, `intervals`
    the method of the intervals, `n_strata` the number of benchmarks, `both` the items that both got right where the
    intervals are Newcombe's.
    """

    COLUMNS = (*DifferencePairs.COLUMNS, "n_items", "ahead_a", "ahead_b")

    error: FloatArray
    df: FloatArray
    n_items: IntArray
    n_units: IntArray
    ahead_a: IntArray
    ahead_b: IntArray
    test: str
    how: tuple[str, ...]
    intervals: str
    n_strata: int
    clustered: bool
    both: FloatArray | None = None

    def title(self) -> str:
        """Say in one line what was computed."""
        most = int(self.n_items.max(initial=0))
        return f"{self.method}: {len(self.a)} pair(s) on {most:,} items"


@as_came_in
def item_pairs(
    scores: npt.ArrayLike,
    *,
    clusters: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    method: str = "auto",
    adjust: str = "holm",
    control: int | None = None,
    higher_is_better: bool = True,
    level: float = 0.95,
    algorithms: Sequence[str] | None = None,
) -> ItemPairs:
    """Test every pair of models on the items that both answered, and estimate the differences.

    Hypothesis: for each pair, the difference of the two on an item (on a cluster, where there are clusters) is as
    likely to favour one as the other, by as much; so that the expected difference is zero.

    Formula: the difference is the mean over items, and over several benchmarks (`strata`) the mean of their means, so
    that each counts alike. "mcnemar", for scores of 0 and 1: of the items that only one of the two got right, each is
    as likely the one (binomial, exact); "mcnemar-midp" counts half of the outcome that was seen. "sign-flip": the sum
    of the differences among the sums that other signs of them would give, exact where they lie on a grid or are few,
    else by the saddle point; the signs of a cluster flip together.
    "cluster-t": t = d / se with G - 1 degrees of freedom, se = sqrt(G / (G - 1) sum over the G clusters of (sum of
    (d - mean))^2) / n, as squares added over benchmarks. "auto" is mcnemar for scores of 0 and 1 on one benchmark
    without clusters, and sign-flip otherwise. Intervals: Newcombe's method 10 where McNemar's test fits, else d -+ t
    se.

    Assumptions:

    1. Clusters are independent of each other; without clusters, items are.
    2. Items are as good as drawn from those that the answer is meant for. Models are given: their own chance (another
       answer at the next time) is in the scores, and is averaged by repeated answers.
    3. "cluster-t" and the t intervals: about 20 clusters or more, none of which holds most of the items.

    When not to use it: on folds of cross-validation, which share training data; over data sets (use `wilcoxon_pairs`).

    Degenerate input: a pair that agrees on every item gets p = 1. A single cluster gives p = 1 and an interval without
    ends. NaN is no answer: a pair is tested on the items that both have, and refused where there is none.

    Parameters
    ----------
    scores : array_like, shape (items, models)
        Repeated answers averaged within items; NaN where there is none.
    clusters : array_like, shape (items,), optional
        The document, repository or prompt of each item: a name or number.
    strata : array_like, shape (items,), optional
        The benchmark of each item.
    method : {"auto", "mcnemar", "mcnemar-midp", "sign-flip", "cluster-t"}
    adjust : str, default "holm"
        The name of a correction over the pairs.
    control : int, optional
        Compare this model with all others, as `a`.
    higher_is_better : bool, default True
    level : float, default 0.95
        Of the intervals.
    algorithms : sequence of str, optional

    Returns
    -------
    ItemPairs

    References
    ----------
    mcnemar1947
    kolassa2011
    winkler2015
    liang1986
    newcombepaired1998
    miller2024

    Examples
    --------
    >>> right = [[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 0, 0], [1, 0, 1], [1, 0, 0], [1, 0, 0], [0, 0, 0]]
    >>> result = item_pairs(right, algorithms=["a", "b", "c"])
    >>> result.pvalue.tolist(), result.difference.tolist()
    ([0.0625, 0.0625, 1.0], [0.625, 0.625, 0.0])
    >>> item_pairs(right, clusters=[1, 1, 2, 2, 3, 3, 4, 4]).n_units.tolist()
    [4, 4, 4]
    """
    matrix = _checked(scores)
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    check_correction(adjust, control)
    groups, blocks = (
        check_codes(given, len(matrix), what=what) for given, what in ((clusters, "clusters"), (strata, "strata"))
    )
    there = ~np.isnan(matrix)
    binary = bool((~there | (matrix == 0.0) | (matrix == 1.0)).all())
    single = blocks is None or len(np.unique(blocks)) == 1
    test = _test(method, binary=binary, plain=groups is None and single)
    options = Asked(
        test=test,
        level=check_level(level),
        newcombe=binary and groups is None and single,
        clusters=groups,
        strata=None if single else blocks,
        pairs=pair_indices(matrix.shape[1], control),
        upward=higher_is_better,
        names=names,
    )
    pairs = tested_pairs(matrix, there, options)
    return _result(pairs, options, adjust)


def _checked(scores: npt.ArrayLike) -> FloatArray:
    matrix = as_floats(scores, what="scores")
    if matrix.ndim != 2:
        raise InputError(f"scores has {matrix.ndim} dimension(s).", mend="Pass a two-dimensional array.")
    check_shape(max(len(matrix), 1), matrix.shape[1], what="scores", min_rows=1)
    if not len(matrix) or bool(np.isinf(matrix).any()):
        raise InputError(
            "scores holds no item." if not len(matrix) else "scores holds an infinite value.",
            mend="Pass finite scores of at least one item, NaN where there is no answer.",
        )
    return matrix


def _test(method: str, *, binary: bool, plain: bool) -> str:
    """Choose the test, and refuse McNemar's where it does not fit."""
    check_choice("method", method, ("auto", *TESTS))
    if method == "auto":
        return MCNEMAR if binary and plain else FLIPS
    if method in (MCNEMAR, MIDP) and not (binary and plain):
        what = "scores are not all 0 or 1" if not binary else "items come in clusters or from several benchmarks"
        raise InputError(
            f"McNemar's test was asked for, and {what}.",
            mend="Use method='sign-flip', which is the same test for other scores and for clusters.",
        )
    return method


def _result(result: Found, options: Asked, adjust: str) -> ItemPairs:
    """Put the result together, with its caveats."""
    pairs = (*options.pairs, result["statistic"])
    about: dict[str, Any] = {"algorithms": options.names, "caveats": pair_caveats(result, options)}
    return ItemPairs(
        **frozen(**{name: result[name] for name in ARRAYS[2:-1]}),
        **pair_fields(pairs, result["pvalue"], method=test_name(result, options), adjust=adjust, **about),
        level=options.level,
        test=options.test,
        how=tuple(result["how"]),
        intervals="Newcombe" if options.newcombe else "t",
        n_strata=result["n_strata"],
        clustered=options.clusters is not None,
        both=readonly(result["both"]) if options.newcombe else None,
    )
