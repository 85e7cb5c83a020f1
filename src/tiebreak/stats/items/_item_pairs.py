"""All pairs of models on the same items: tests, differences with intervals, in clusters and over benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_choice, check_names, check_shape, readonly
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.items._proportions import check_level
from tiebreak.stats.items.pair_blocks import FLIPS, MCNEMAR, MIDP, TESTS, Asked, Found, tested_pairs
from tiebreak.stats.items.pair_words import pair_caveats, test_name
from tiebreak.stats.items.units import check_codes
from tiebreak.stats.pairwise import PairwiseResult, check_correction, pair_fields, pair_indices
from tiebreak.stats.telling import frozen


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemPairs(PairwiseResult):
    """Tests of pairs of models on items that both answered; arrays run over the pairs.

    `difference` is the mean score of a less that of b, from `low` to `high` each with `level` by itself, and from
    `low_together` to `high_together` all pairs at once (Bonferroni). `error` and `df` are the standard error and its
    degrees of freedom. `n_items` counts the common items, `n_units` the clusters (items where there are none),
    `ahead_a` and `ahead_b` the items on which one has the better score. `statistic` is z, or t for "cluster-t",
    positive where b is better. `test` is the name of what was computed, `how` how each p-value was found, `intervals`
    the method of the intervals, `n_strata` the number of benchmarks, `both` the items that both got right where the
    intervals are Newcombe's.
    """

    COLUMNS = (*PairwiseResult.COLUMNS, "difference", "low", "high", "n_items", "ahead_a", "ahead_b")

    difference: FloatArray
    low: FloatArray
    high: FloatArray
    low_together: FloatArray
    high_together: FloatArray
    error: FloatArray
    df: FloatArray
    n_items: IntArray
    n_units: IntArray
    ahead_a: IntArray
    ahead_b: IntArray
    level: float
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
    rng: int | np.random.Generator = 0,
) -> ItemPairs:
    """Test every pair of models on the items that both answered, and estimate the differences.

    Hypothesis: for each pair, the difference of the two on an item (on a cluster, where there are clusters) is as
    likely to favour one as the other, by as much; so that the expected difference is zero.

    Formula: the difference is the mean over items, and over several benchmarks (`strata`) the mean of their means, so
    that each counts alike. "mcnemar", for scores of 0 and 1: of the items that only one of the two got right, each is
    as likely the one (binomial, exact); "mcnemar-midp" counts half of the outcome that was seen. "sign-flip": the sum
    of the differences among the sums that other signs of them would give, exact where they lie on a grid or are few,
    else by the saddle point; the signs of a cluster flip together. "sign-flip-drawn": the same by 9,999 random signs.
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
    method : {"auto", "mcnemar", "mcnemar-midp", "sign-flip", "sign-flip-drawn", "cluster-t"}
    adjust : str, default "holm"
        The name of a correction over the pairs.
    control : int, optional
        Compare this model with all others, as `a`.
    higher_is_better : bool, default True
    level : float, default 0.95
        Of the intervals.
    algorithms : sequence of str, optional
    rng : int or numpy.random.Generator, default 0
        For "sign-flip-drawn".

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
    >>> found = item_pairs(right, algorithms=["a", "b", "c"])
    >>> found.pvalue.tolist(), found.difference.tolist()
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
    asked = Asked(
        test=test,
        level=check_level(level),
        newcombe=binary and groups is None and single,
        clusters=groups,
        strata=None if single else blocks,
        pairs=pair_indices(matrix.shape[1], control),
        upward=higher_is_better,
        rng=rng,
        names=names,
    )
    found = tested_pairs(matrix, there, asked)
    return _result(found, asked, adjust)


def _checked(scores: npt.ArrayLike) -> FloatArray:
    matrix = as_floats(scores, what="scores")
    if matrix.ndim != 2:
        raise InputError(
            f"scores has {matrix.ndim} dimension(s).",
            why="One row per item and one column per model are needed.",
            mend="Pass a two-dimensional array.",
        )
    check_shape(max(len(matrix), 1), matrix.shape[1], what="scores", min_rows=1)
    if not len(matrix) or bool(np.isinf(matrix).any()):
        raise InputError(
            "scores holds no item." if not len(matrix) else "scores holds an infinite value.",
            why="Means of items are compared.",
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
            why="It counts the independent items that only one of two models got right.",
            mend="Use method='sign-flip', which is the same test for other scores and for clusters.",
        )
    return method


def _result(found: Found, asked: Asked, adjust: str) -> ItemPairs:
    """Put the result together, with its caveats."""
    low, high, low_together, high_together = found.ends
    arrays = {"difference": found.difference, "low": low, "high": high, "error": found.error, "df": found.df}
    arrays |= {"low_together": low_together, "high_together": high_together}
    arrays |= {"n_items": found.n_items, "n_units": found.n_units, "ahead_a": found.ahead_a, "ahead_b": found.ahead_b}
    return ItemPairs(
        **frozen(**arrays),
        level=asked.level,
        test=asked.test,
        how=found.how,
        intervals="Newcombe" if asked.newcombe else "t",
        n_strata=found.n_strata,
        clustered=asked.clusters is not None,
        both=readonly(found.both) if asked.newcombe else None,
        **pair_fields(
            (*asked.pairs, found.statistic), found.pvalue, method=test_name(found, asked), adjust=adjust,
            algorithms=asked.names, caveats=pair_caveats(found, asked),
        ),
    )  # fmt: skip
