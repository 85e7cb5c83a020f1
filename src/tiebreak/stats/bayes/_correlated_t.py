"""One data set, how probable is it that one algorithm is better? The Bayesian correlated t comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, as_floats, check_finite, check_names, check_within
from tiebreak.caveats import Caveats
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.numeric.differences import ULPS, check_rope, paired_columns
from tiebreak.stats.numeric.scale import check_squares, deviation
from tiebreak.stats.pairwise import pair_indices
from tiebreak.stats.telling import OverDatasets, caveats_of, frozen


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BayesianTResult(OverDatasets):
    """Posterior of the mean difference on each data set: arrays have shape (data sets, pairs).

    `a_better`, `equivalent` and `b_better` are the probabilities that the mean difference favours `a` by more
    than the rope, lies within it, and favours `b` by more than it. The posterior itself is a Student t with
    `df` degrees of freedom, located at `mean` (positive where `b` is better) with scale `scale`.
    """

    COLUMNS = ("a_better", "equivalent", "b_better", "mean", "scale")

    a_better: FloatArray
    equivalent: FloatArray
    b_better: FloatArray
    mean: FloatArray
    scale: FloatArray
    df: int
    rho: float
    rope: float

    def title(self) -> str:
        """Say in one line what was computed."""
        return (
            f"{self.method}: {len(self.datasets)} data set(s), {len(self.a)} pair(s), df {self.df},"
            f" correlation {self.rho:.4g}, rope {self.rope:g}"
        )


@as_came_in
def bayesian_correlated_t(a: npt.ArrayLike, b: npt.ArrayLike, **options: Any) -> BayesianTResult:
    """Give the probability that one algorithm is better on one data set, from its fold scores.

    Hypothesis: see `bayesian_correlated_t_pairs`, of which this is the case of two vectors of fold scores.
    Formula: as there. Assumptions: as there. When not to use it: as there. It takes the same options.

    References
    ----------
    corani2015

    Examples
    --------
    >>> result = bayesian_correlated_t([0.10, 0.12, 0.15, 0.11], [0.14, 0.15, 0.16, 0.15], rope=0.01)
    >>> float(result.a_better[0, 0].round(4))
    0.9194
    """
    return bayesian_correlated_t_pairs(paired_columns(a, b), **options)


@as_came_in
def bayesian_correlated_t_pairs(
    scores: npt.ArrayLike,
    *,
    rope: float = 0.0,
    runs: int = 1,
    rho: float | None = None,
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> BayesianTResult:
    """Give, on each data set and for each pair, the probability that one algorithm is better.

    Hypothesis: three are weighed, not one tested: the mean difference on this data set favours a by more than
    the rope, lies within it, or favours b by more than it.

    Formula: with n fold differences of mean m and variance v, the posterior of the mean difference is a
    Student t with n - 1 degrees of freedom, location m and squared scale (1/n + rho/(1 - rho)) v; the three
    probabilities are exact areas under it. rho is the correlation between folds that share training data,
    by Nadeau and Bengio's heuristic the share of the data that is tested, 1/k for k-fold cross-validation.

    Assumptions:

    1. The fold differences are jointly normal with equal variances and equal correlation rho.
    2. rho is known (it cannot be estimated from one experiment).
    3. The prior is flat in the mean and in the logarithm of the variance.

    When not to use it: on one score per data set (`bayesian_signed_rank_pairs`).

    Zero variance: the posterior is a point at the mean; a point on the edge of the rope counts half to either
    side, so identical algorithms get probability 1 for the rope or, without a rope, 1/2 for each algorithm.

    Parameters
    ----------
    scores : array_like, shape (folds, algorithms) or (data sets, folds, algorithms)
        All folds of all repetitions, complete and finite, in the same folds for all algorithms.
    rope : float, default 0
        Region of practical equivalence: largest difference that does not matter, in the unit of the scores.
    runs : int, default 1
        Repetitions of cross-validation; gives rho = runs / folds.
    rho : float, optional
        The correlation itself, 0 <= rho < 1, for other schemes than cross-validation; `runs` is then not
        used.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs.
    higher_is_better : bool, default False
    algorithms, datasets : sequence of str, optional

    Returns
    -------
    BayesianTResult

    References
    ----------
    corani2015
    nadeau2003

    Examples
    --------
    >>> folds = [[0.10, 0.14, 0.30], [0.12, 0.15, 0.31], [0.15, 0.16, 0.33], [0.11, 0.15, 0.29]]
    >>> bayesian_correlated_t_pairs(folds, rope=0.01).a_better.round(3)
    array([[0.919, 1.   , 1.   ]])
    """
    cube = check_cube(scores)
    fields = fold_fields(cube, (algorithms, datasets), control, rope, check_rho(rho, runs, cube.shape[1]))
    a, b, df = fields["a"], fields["b"], cube.shape[1] - 1
    differences = (cube[:, :, b] - cube[:, :, a]) * (1.0 if higher_is_better else -1.0)
    noise = ULPS * np.abs(cube).max(axis=1)
    noise = np.maximum(noise[:, a], noise[:, b])
    mean, scale = _posterior(differences, noise, fields["rho"])
    below, within, above = _areas(mean, scale, noise, df, fields["rope"])
    return BayesianTResult(
        **fields,
        **frozen(a_better=below, equivalent=within, b_better=above, mean=mean, scale=scale),
        df=df,
        method="Bayesian correlated t test",
        caveats=_caveats(scale, fields["rho"]),
    )


def fold_fields(
    cube: FloatArray,
    names: tuple[Sequence[str] | None, Sequence[str] | None],
    control: int | None,
    rope: float,
    rho: float,
) -> dict[str, Any]:
    """Return what results on fold scores hold of them, checked: pairs, names of algorithms and data sets, rope, rho."""
    algorithms = check_names(names[0], cube.shape[2], kind="algorithm")
    datasets = check_names(names[1], len(cube), kind="data set")
    fields = {"algorithms": algorithms, "datasets": datasets, "rope": check_rope(rope), "rho": rho}
    a, b = pair_indices(cube.shape[2], control)
    return {**frozen(a=a, b=b), **fields}


def check_cube(scores: npt.ArrayLike) -> FloatArray:
    """Return a complete data sets x folds x algorithms array of floats."""
    cube = as_floats(scores, what="scores")
    cube = cube[None] if cube.ndim == 2 else cube
    if cube.ndim != 3 or cube.shape[0] < 1 or cube.shape[1] < 2 or cube.shape[2] < 2:
        raise InputError(
            f"scores has shape {np.shape(scores)}.",
            why="At least two folds of at least two algorithms are needed.",
            mend="Pass an array of shape (folds, algorithms) or (data sets, folds, algorithms).",
        )
    check_finite(cube, what="scores")
    check_squares(cube, what="scores")
    return cube


def check_rho(rho: float | None, runs: int, n_folds: int) -> float:
    """Return the correlation between folds, from the repetitions unless it is given."""
    if rho is None:
        if isinstance(runs, bool) or not isinstance(runs, (int, np.integer)) or runs < 1 or n_folds % runs:
            raise OptionError(
                f"runs is {runs!r} for {n_folds} fold scores.",
                why="It counts the repetitions of cross-validation, each with the same number of folds.",
                mend="Use runs=10 for ten times ten-fold cross-validation, or pass rho.",
            )
        rho = runs / n_folds
    why = "The correlation between folds is at least 0 and below 1; one run needs two folds or more."
    mend = "Use rho=0.1 for ten-fold cross-validation."
    return check_within("rho", rho, 0.0, 1.0, from_low=True, why=why, mend=mend)


def _posterior(differences: FloatArray, noise: FloatArray, rho: float) -> tuple[FloatArray, FloatArray]:
    """Location and scale of the posterior; a spread that is rounding noise is no spread."""
    n_folds = differences.shape[1]
    mean = differences.mean(axis=1)
    spread = np.where(np.ptp(differences, axis=1) <= noise, 0.0, deviation(differences, axis=1))
    factor = 1 / n_folds + rho / (1 - rho)  # Corani and Benavoli 2015
    return mean, np.asarray(spread * np.sqrt(factor))


def _areas(mean: FloatArray, scale: FloatArray, noise: FloatArray, df: int, rope: float) -> FloatArray:
    """Areas below, within and above the rope, each from the tail that does not cancel."""
    safe = np.where(scale > 0, scale, 1.0)
    low, high = (-rope - mean) / safe, (rope - mean) / safe
    below, above = special.stdtr(df, low), special.stdtr(df, -high)
    flip = low > 0
    within = special.stdtr(df, np.where(flip, -low, high)) - special.stdtr(df, np.where(flip, -high, low))
    point_below, point_above = _half_step(-rope - mean, noise), _half_step(mean - rope, noise)
    point = np.stack([point_below, 1 - point_below - point_above, point_above])
    return np.where(scale > 0, np.stack([below, within, above]), point)


def _half_step(x: FloatArray, noise: FloatArray) -> FloatArray:
    """Say 1 above zero, 1/2 at zero, 0 below it."""
    return np.asarray(0.5 * (x > noise) + 0.5 * (x >= -noise))


def _caveats(scale: FloatArray, rho: float) -> Caveats:
    """A point as posterior is certain of everything, and so is one that takes folds for independent."""
    flat = int((scale == 0).sum())
    point = f"{flat} comparison(s) with the same difference on every fold: the posterior is a point."
    narrow = "rho = 0 takes the folds for independent: the posterior is then too narrow."
    return caveats_of((flat, "constant-difference", point), (rho == 0.0, "folds-share-training-data", narrow))
