"""Many data sets, many algorithms, from fold scores: every pair on every data set at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, check_choice, check_names, readonly
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.stats.folds._fold_tests import five_by_two_f_outcome, five_by_two_t_outcome
from tiebreak.stats.folds._shared import FOLD_TESTS, cube_folds, degrees_of_freedom, fold_caveats, plain_df
from tiebreak.stats.folds.fitting import size_ratio
from tiebreak.stats.numeric.pair_sums import Kernel, Outcome, every_pair, mean_outcome
from tiebreak.stats.numeric.scale import rescaled
from tiebreak.stats.pairwise import pair_indices
from tiebreak.stats.telling import OverDatasets

Sizes = tuple[float | None, float | None, float | None]
"""The share of the test part, or the sizes of the training and of the test part."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldPairsResult(OverDatasets):
    """Tests of every pair of algorithms on every data set; arrays are (data sets, pairs).

    `a` and `b` index `algorithms`; `mean_difference` is that of `a` minus `b`.
    """

    COLUMNS = ("statistic", "pvalue", "mean_difference")

    statistic: FloatArray
    pvalue: FloatArray
    mean_difference: FloatArray
    df: tuple[int, ...]
    n_folds: int

    def title(self) -> str:
        """Say in one line what was computed."""
        shape = f"{len(self.datasets)} data set(s), {len(self.a)} pair(s)"
        return f"{self.method}: {shape}, df {plain_df(self.df)}"


@as_came_in
def fold_pairs(
    scores: npt.ArrayLike,
    *,
    method: str = "5x2cv-f",
    test_share: float | None = None,
    train_size: float | None = None,
    test_size: float | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> FoldPairsResult:
    """Test every pair of algorithms on every data set from the fold scores.

    Hypothesis: for each data set and pair, the two algorithms have the same expected score on it.
    Formula, assumptions and when not to use it: those of the chosen test: `five_by_two_f`, `five_by_two_t`,
    `kfold_t` or `corrected_resampled_t`. The p-values are two-sided and not corrected for their number.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms, folds) or (data sets, algorithms, repetitions, folds)
        For the 5x2 cv tests ten folds on the last axis, or 5 and 2 on the last two.
    method : {"5x2cv-f", "5x2cv-t", "kfold-t", "corrected-t"}
    test_share, train_size, test_size : float
        For "corrected-t" only, as in `corrected_resampled_t`.
    algorithms, datasets : sequence of str, optional

    Returns
    -------
    FoldPairsResult
        Pairs are in the order of `np.triu_indices(algorithms, 1)`.

    References
    ----------
    alpaydin1999
    dietterich1998
    nadeau2003

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> result = fold_pairs(rng.normal(0.8, 0.05, size=(7, 4, 10)))
    >>> result.pvalue.shape, result.method
    ((7, 6), '5x2 cv F test')
    """
    check_choice("method", method, FOLD_TESTS)
    sizes = (test_share, train_size, test_size)
    x = cube_folds(scores, method=method)
    algorithm_names = check_names(algorithms, x.shape[2], kind="algorithm")
    dataset_names = check_names(datasets, x.shape[1], kind="data set")
    a, b = pair_indices(x.shape[2])
    outcome = tested_pairs(x, a, b, method=method, sizes=sizes)
    return FoldPairsResult(
        a=readonly(a),
        b=readonly(b),
        statistic=readonly(outcome.statistic),
        pvalue=readonly(outcome.pvalue),
        mean_difference=readonly(outcome.mean),
        df=degrees_of_freedom(method, len(x)),
        algorithms=algorithm_names,
        datasets=dataset_names,
        n_folds=len(x),
        method=FOLD_TESTS[method],
        caveats=fold_caveats(outcome, method),
    )


def tested_pairs(x: FloatArray, a: IntArray, b: IntArray, *, method: str, sizes: Sizes) -> Outcome:
    """Run a test on pairs of algorithms; `x` is (folds, data sets, algorithms), the outcome (data sets, pairs)."""
    kernel = _kernel(method, len(x), sizes)
    # Each data set has its own scale, so that huge scores on one cannot drown the others.
    (near,), exponent = rescaled(x, axis=(0, 2))
    outcome = every_pair(near, a, b, kernel)
    return replace(outcome, mean=np.ldexp(outcome.mean, exponent[0]))


def _kernel(method: str, n_folds: int, sizes: Sizes) -> Kernel:
    """Choose the test; sizes of the parts given to a test that ignores them are a mistake, and are refused."""
    if method == "corrected-t":
        return partial(mean_outcome, factor=1 / n_folds + size_ratio(*sizes))
    if any(size is not None for size in sizes):
        raise OptionError(
            f"The sizes of the test and training parts are given for method={method!r}.",
            why="Only the corrected resampled t test uses them.",
            mend="Leave them out, or use method='corrected-t'.",
        )
    if method == "kfold-t":
        return partial(mean_outcome, factor=1 / n_folds)
    return five_by_two_f_outcome if method == "5x2cv-f" else five_by_two_t_outcome
