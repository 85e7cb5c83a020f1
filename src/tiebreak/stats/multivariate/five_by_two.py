"""Five replications of two folds, several measures: the 5x2 cv F test for vectors, of pairs and of all algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, wrong_shape
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.multivariate.manova_tests import ManovaResult, manova_result, rao_df, split
from tiebreak.stats.multivariate.measured import Measured, check_measures, estimable, in_units, rank_notes
from tiebreak.stats.numeric.basics import MEAN_NOISE, TINY, f_upper
from tiebreak.stats.results import CORRECTIONS, OverPairs, check_correction, frozen, pair_indices, with_correction

REPLICATIONS, FOLDS = 5, 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FiveByTwoPairsResult(OverPairs):
    """The 5x2 cv test of every pair by several measures; arrays run over the pairs, `a` and `b` index `algorithms`.

    `statistic` is F on `df` (pairs x 2), `mean_difference` (pairs x measures) that of a minus b. `certain` marks pairs
    that differ, in some combination of measures, by the same in both folds of every replication.
    """

    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    wilks: FloatArray
    df: FloatArray
    rank: IntArray
    mean_difference: FloatArray
    certain: BoolArray
    measures: tuple[str, ...]
    n_folds: int

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {len(self.a)} pair(s), {len(self.measures)} measure(s)"

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        df = {"df1": self.df[:, 0], "df2": self.df[:, 1]}
        result = {"statistic": self.statistic, **df, "pvalue": self.pvalue, "adjusted": self.adjusted}
        return self.pair_rows(wilks=self.wilks, **result)


@as_came_in
def five_by_two_pairs(
    measures: npt.ArrayLike,
    *,
    adjust: str = "holm",
    algorithms: Sequence[str] | None = None,
    measure_names: Sequence[str] | None = None,
) -> FiveByTwoPairsResult:
    """Test every pair of algorithms for a difference in several measures, by five replications of two folds.

    Hypothesis: for each pair, the expected difference is zero in every measure.

    Formula: with d_rf the vector of differences in fold f of replication r, N = sum d_rf d_rf' over the ten folds and
    W = sum (d_r1 - d_r2)(d_r1 - d_r2)' / 2 over the replications, Wilks' lambda is ``|W| / |W + N|``, judged by Rao's F
    as if N and W were independent with 10 and 5 degrees of freedom. With one measure it is the combined 5x2 cv F test,
    F = sum d^2 / (2 sum s2), to the last digit: this is that test for vectors. The p-values are then corrected.

    Assumptions:

    1. The differences are normal together with mean zero under the hypothesis.
    2. Replications, and the two folds within one, are close enough to independent. As with one measure the test is
       cautious where they are (it rejects in 1 to 2 % at alpha = 0.05), which leaves room for what they share.

    When not to use it: with any other scheme than 5x2 (use `hotelling_pairs` with `test_share`); with more than three
    or four measures, for W has five degrees of freedom.

    Degenerate input: equal scores give F = 0 and p = 1. Dependent measures count by the directions in which they vary.
    A combination of measures that differs by the same amount in both folds of every replication, not always 0, gives
    an infinite F and the smallest p-value that is reported. More than five measures that do not depend on each other
    are refused.

    Parameters
    ----------
    measures : array_like, shape (10, algorithms, measures) or (5, 2, algorithms, measures)
        All algorithms on the same folds; ten run replication by replication.
    adjust : str, default "holm"
        A correction over the pairs by its name in `tiebreak.stats.CORRECTIONS`.
    algorithms, measure_names : sequence of str, optional

    Returns
    -------
    FiveByTwoPairsResult
        Pairs are in the order of `np.triu_indices(algorithms, 1)`.

    References
    ----------
    alpaydin1999
    wilks1932
    rao1951

    Examples
    --------
    >>> import numpy as np
    >>> folds = np.random.default_rng(1).normal(0.8, 0.03, size=(5, 2, 3, 2))
    >>> folds[:, :, 2] += 0.2
    >>> result = five_by_two_pairs(folds, algorithms=["knn", "svm", "tree"])
    >>> [(row["a"], row["b"]) for row in result.rows() if row["adjusted"] <= 0.05]
    [('knn', 'tree'), ('svm', 'tree')]
    """
    check_correction(adjust)
    measured = check_measures(_ten(measures), algorithms, measure_names)
    x = measured.values
    a, b = pair_indices(len(measured.algorithms))
    d = np.ascontiguousarray((x[:, a] - x[:, b]).transpose(1, 0, 2))
    size = np.square(x).sum(axis=0)
    space = estimable((d[:, 0::2] - d[:, 1::2]) / sqrt(2), MEAN_NOISE * np.sqrt(size[a] + size[b]))
    certain = np.asarray(space.outside(d).any(axis=(1, 2)))
    refused = np.flatnonzero(certain & (space.rank == REPLICATIONS))
    if len(refused):  # W fills all the room that it has, and so says nothing about what lies outside
        raise _too_many(measured, f", as for {measured.algorithms[a[refused[0]]]!r} and"
                        f" {measured.algorithms[b[refused[0]]]!r}")  # fmt: skip
    roots = np.linalg.svd(space.whitened(d), compute_uv=False)
    log_wilks = np.where(certain, -np.inf, -np.log1p(np.square(roots)).sum(axis=1))
    f, df, pvalue = _by_rao(log_wilks, np.asarray(space.rank))
    return FiveByTwoPairsResult(
        **frozen(a=a, b=b, statistic=f, pvalue=pvalue, adjusted=CORRECTIONS[adjust](pvalue), wilks=np.exp(log_wilks)),
        **frozen(df=df, rank=np.asarray(space.rank, dtype=np.int64), certain=certain),
        mean_difference=in_units(d.mean(axis=1), measured.exponent),
        **measured.fields(),
        method=with_correction("5x2 cv multivariate F test", adjust, len(a)),
        caveats=_caveats(np.asarray(space.rank), certain, len(measured.measures)),
    )


@as_came_in
def five_by_two_manova(
    measures: npt.ArrayLike, *, algorithms: Sequence[str] | None = None, measure_names: Sequence[str] | None = None
) -> ManovaResult:
    """Test whether any of several algorithms differs in several measures, by five replications of two folds.

    Hypothesis: all algorithms have the same expected measures.

    Formula: as `five_by_two_pairs`, with c_lrf the measures of algorithm l less the mean of all L in the same fold:
    N = sum c_lrf c_lrf' with 10 (L - 1) degrees of freedom, W = sum (c_lr1 - c_lr2)(c_lr1 - c_lr2)' / 2 with
    5 (L - 1), Wilks' lambda ``|W| / |W + N|`` by Rao's F. With two algorithms it is that test of the pair.

    Assumptions: those of `five_by_two_pairs`, and that all differences of two algorithms have one covariance. Its
    caution shrinks with the number of algorithms: by two measures of really cross-validated equal learners it rejects
    in 2 % of runs with two, 4.5 % with four and 6 % with six of them, while the tests of pairs stay at 2 %.

    When not to use it: as the last word on many algorithms, for the reason above; read the pairs.

    Degenerate input: as for `five_by_two_pairs`.

    Parameters
    ----------
    measures : array_like, shape (10, algorithms, measures) or (5, 2, algorithms, measures)
        All algorithms on the same folds; ten run replication by replication.
    algorithms, measure_names : sequence of str, optional

    Returns
    -------
    ManovaResult
        `hypothesis` is N and `error` is W; Wilks' lambda decides, the other statistics are for reading.

    References
    ----------
    alpaydin1999
    wilks1932
    rao1951

    Examples
    --------
    >>> import numpy as np
    >>> folds = np.random.default_rng(1).normal(0.8, 0.03, size=(10, 3, 2))
    >>> folds[:, 2] += 0.1
    >>> result = five_by_two_manova(folds)
    >>> result.df_hypothesis, result.df_error, result.pvalue <= 0.05
    (20, 10, True)
    """
    measured = check_measures(_ten(measures), algorithms, measure_names)
    x = measured.values - measured.values[:, :1]  # exact where the algorithms of a fold agree
    centred = x - x.mean(axis=1, keepdims=True)
    count, p = len(measured.algorithms) - 1, x.shape[2]
    residuals = ((centred[0::2] - centred[1::2]) / sqrt(2)).reshape(-1, p)
    layout = split(residuals, centred.reshape(-1, p), measured.noise, (FOLDS * count, REPLICATIONS * count))
    if int(layout.space.rank) == layout.df_error and (layout.outside * layout.space.varies).any():
        raise _too_many(measured)
    return manova_result(measured, layout, "wilks", blocked=True, kind="5x2 cv MANOVA")


def _ten(measures: npt.ArrayLike) -> FloatArray:
    """Return (10, algorithms, measures); other schemes are refused."""
    cube = as_floats(measures, what="measures")
    if cube.ndim == 4 and cube.shape[:2] == (REPLICATIONS, 2):
        cube = cube.reshape(FOLDS, *cube.shape[2:])
    if cube.ndim != 3 or len(cube) != FOLDS:
        needed = (
            "an array of shape (10, algorithms, measures); other folds are for hotelling_pairs(..., test_share=...)"
        )
        raise wrong_shape("measures", cube, needed)
    return cube


def _by_rao(log_wilks: FloatArray, rank: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return F, its degrees of freedom and the p-value; rank 0 gives p = 1 unless the difference is certain."""
    f, df = np.zeros(len(rank)), np.empty((len(rank), 2))
    for p in np.unique(rank):
        here = rank == p
        root, df[here] = rao_df(max(int(p), 1), FOLDS, REPLICATIONS)
        f[here] = np.expm1(-log_wilks[here] / root) * df[here, 1] / df[here, 0]
    return f, df, np.where(np.isinf(f), TINY, f_upper(f, df[:, 0], df[:, 1]))


def _too_many(measured: Measured, where: str = "") -> InputError:
    count = len(measured.measures)
    room = REPLICATIONS if where else REPLICATIONS * (len(measured.algorithms) - 1)
    return InputError(
        f"{count} measures are too many for 5x2 cross-validation{where}.",
        mend=f"Use at most {room} measures, or more folds.",
    )


def _caveats(rank: IntArray, certain: BoolArray, count: int) -> Caveats:
    """Pairs are counted, not named: with many algorithms there are hundreds."""
    where = "in both folds of every replication in some combination of measures: F"
    return caveats_of(*rank_notes(rank, certain, count, where))
