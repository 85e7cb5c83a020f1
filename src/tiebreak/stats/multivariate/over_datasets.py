"""Several measures on many data sets: tests of all pairs on each, who dominates whom, and one p-value over all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, IntArray, check_names, check_pvalues, wrong_shape
from tiebreak.caveats import few
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.folds.fold_tests import fitting_test, known_share
from tiebreak.stats.folds.inner import InnerTests
from tiebreak.stats.multivariate.five_by_two import FiveByTwoPairsResult, five_by_two_pairs
from tiebreak.stats.multivariate.hotelling_tests import HotellingPairsResult, hotelling_pairs
from tiebreak.stats.numeric.basics import floor_pvalue, snap
from tiebreak.stats.results import CORRECTIONS, Told, check_correction, correction_name, frozen, pair_indices, rows_of


def fitting_pairs(
    cube: FloatArray,
    replication: IntArray,
    *,
    test_share: float | None = None,
    adjust: str = "none",
    algorithms: Sequence[str] | None = None,
) -> HotellingPairsResult | FiveByTwoPairsResult:
    """Test all pairs on (folds, algorithms, measures) by what fits the resampling; `replication` is that of each fold.

    Five replications of two folds, in that order, have the 5x2 cv test; all else Hotelling's with corrected variance,
    whose share is 1 / folds unless it is given. With one measure these are the 5x2 cv F and the corrected resampled t.
    """
    counts = np.unique(replication, return_counts=True)[1]
    most = int(counts.max(initial=1))
    five = fitting_test(max(len(counts), 1), most) == "5x2cv-f" and len(cube) == 10 and test_share is None
    if five:
        return five_by_two_pairs(cube, adjust=adjust, algorithms=algorithms)
    return hotelling_pairs(cube, test_share=known_share(most, test_share), adjust=adjust, algorithms=algorithms)


def dominance(means: FloatArray) -> FloatArray:
    """Return for all pairs of the first axis who dominates: -1 the first, 1 the second, 0 neither.

    `means` is (algorithms, measures), lower the better; noise of rounding makes no difference. One dominates where it
    is nowhere worse and somewhere better.

    Examples
    --------
    >>> import numpy as np
    >>> dominance(np.array([[0.1, 0.2], [0.1, 0.3], [0.0, 0.9]]))
    array([-1.,  0.,  0.])
    """
    a, b = pair_indices(len(means))
    levels = np.stack([snap(column) for column in means.T], axis=1)
    difference = np.sign(levels[a] - levels[b])
    first = (difference <= 0).all(axis=1) & (difference < 0).any(axis=1)
    second = (difference >= 0).all(axis=1) & (difference > 0).any(axis=1)
    return np.asarray(second.astype(np.float64) - first.astype(np.float64))


def dominance_tests(
    measures: FloatArray,
    *,
    adjust: str,
    datasets: Sequence[str],
    algorithms: Sequence[str],
    test_share: float | None = None,
) -> InnerTests:
    """Test all pairs on every data set; `measures` is (data sets, algorithms, replications, folds, measures).

    The `difference` of a pair is its dominance, so that no decision is made where neither dominates. Data sets may
    have different numbers of folds: one that a data set lacks is NaN throughout.
    """
    sets, count, replications, folds, scores = measures.shape
    full = measures.transpose(0, 2, 3, 1, 4).reshape(sets, replications * folds, count, scores)
    replication: IntArray = np.repeat(np.arange(replications), folds)
    tests, sides = [], []
    for name, cube in zip(datasets, full, strict=True):
        there = ~np.isnan(cube).all(axis=(1, 2))
        try:
            tests.append(
                fitting_pairs(
                    cube[there], replication[there], adjust=adjust, algorithms=algorithms, test_share=test_share
                )
            )
        except InputError as error:
            raise InputError(f"Data set {name!r}: {error.what}", why=error.why, mend=error.mend) from None
        sides.append(dominance(cube[there].mean(axis=0)))
    notes = [
        note.prefixed(f"Data set {name!r}: ")
        for name, tested in zip(datasets, tests, strict=True)
        for note in tested.caveats
    ]
    a, b = pair_indices(count)
    columns = ("statistic", "pvalue", "adjusted")
    arrays: dict[str, Any] = {name: np.array([getattr(test, name) for test in tests]) for name in columns}
    return InnerTests(
        a=a,
        b=b,
        difference=np.array(sides),
        method=tests[0].method,
        algorithms=tuple(algorithms),
        datasets=tuple(datasets),
        caveats=tuple(few(notes)),
        **arrays,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CombinedResult(Told):
    """What many data sets say about each pair together; arrays run over the pairs.

    `log_pvalue` is the natural logarithm of `pvalue`, which is exact where the number underflows.
    """

    COLUMNS = ("statistic", "pvalue", "adjusted")

    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    log_pvalue: FloatArray
    pairs: tuple[str, ...]
    n_datasets: int

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {len(self.pairs)} pair(s) over {self.n_datasets} data set(s)"

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        return rows_of(pair=self.pairs, **self.columns())


@as_came_in
def combine_datasets(
    pvalues: npt.ArrayLike, *, adjust: str = "holm", pairs: Sequence[str] | None = None
) -> CombinedResult:
    """Combine the p-values of each pair over the data sets by Fisher's method.

    Hypothesis: for each pair, the two algorithms do not differ on any of the data sets.

    Formula, for S data sets with p-values p_s of one pair: -2 sum log p_s is chi-squared with 2 S degrees of freedom.
    It is worked out as a logarithm, so that extreme p-values neither vanish nor round to 1. The p-values are combined
    as given; `adjust` then corrects over the pairs.

    Assumptions:

    1. The data sets are independent.
    2. Under the hypothesis the p-values are uniform, or larger than that.

    When not to use it: to learn which algorithm is better. A multivariate test has no direction, and its p-values
    none either: two data sets that disagree about who is better add to each other here. Over many data sets compare
    mean ranks (`friedman`) for that. It says that the two differ somewhere, not how often.

    Degenerate input: p = 0 is taken as the smallest number written. With one data set the p-values stay as they are.
    NaN is refused.

    Parameters
    ----------
    pvalues : array_like, shape (data sets, pairs)
        Not corrected.
    adjust : str, default "holm"
        The correction over the pairs.
    pairs : sequence of str, optional

    Returns
    -------
    CombinedResult

    References
    ----------
    fisher1932

    Examples
    --------
    >>> combine_datasets([[0.01, 0.5], [0.04, 0.8], [0.20, 0.3]]).pvalue.round(4)
    array([0.0044, 0.6442])
    """
    check_correction(adjust)
    table = check_pvalues(pvalues)
    if table.ndim != 2 or 0 in table.shape:
        raise wrong_shape("pvalues", table, "an array of shape (data sets, pairs); pvalues[:, None] for a single pair")
    half = -np.log(floor_pvalue(table)).sum(axis=0)  # Fisher 1932: half of his chi-squared
    logs = _log_poisson_below(half, len(table))
    p = floor_pvalue(np.exp(logs))
    return CombinedResult(
        **frozen(statistic=2 * half, pvalue=p, adjusted=CORRECTIONS[adjust](p), log_pvalue=logs),
        pairs=check_names(pairs, table.shape[1], kind="pair"),
        n_datasets=len(table),
        method=f"Fisher's combination {correction_name(adjust)} over the pairs",
    )


def _log_poisson_below(x: FloatArray, count: int) -> FloatArray:
    """Logarithm of P(chi-squared with 2 count df >= 2 x) = exp(-x) sum over i < count of x^i / i!."""
    terms = np.arange(count)[:, None]
    logs = special.xlogy(terms, x) - special.gammaln(terms + 1)
    return np.minimum(np.asarray(special.logsumexp(logs, axis=0)) - x, 0.0)
