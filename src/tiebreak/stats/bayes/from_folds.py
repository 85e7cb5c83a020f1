"""How probable is it that one algorithm is better, from fold scores: on one data set, and on the next of many.

On one data set: the correlated t comparison. On many: the hierarchical model, simulated by many chains at once. On data
set i the n fold differences have mean m_i and sum of squares S_i about it; given the true difference d_i and the spread
s_i they are normal with equal correlation rho, so the likelihood needs m_i and S_i only:

    s_i^-n exp(-(S_i / (1 - rho) + n (m_i - d_i)^2 / (1 + (n - 1) rho)) / (2 s_i^2)).

Above it d_i ~ t(nu) about d_0 with scale s_0, written as a normal with precision l_i / s_0^2 and
l_i ~ Gamma(nu / 2, nu / 2). Each sweep draws s_i; then s_0 with d_0 and all d_i integrated out (so that the
chain does not stick where s_0 is small), then d_0 and d_i; then nu with l_i integrated out, then l_i; then the
two parameters of the prior of nu.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, as_floats, check_finite, check_names, check_within, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.bayes.over_datasets import Weighed, shares
from tiebreak.stats.numeric.basics import (
    ULPS,
    check_count,
    check_rope,
    check_squares,
    deviation,
    paired_columns,
    rescaled,
    same_shape,
)
from tiebreak.stats.results import OverDatasets, frozen, pair_indices


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

    The same as `bayesian_correlated_t_pairs` for two vectors of fold scores, with the same options.
    Hypothesis, Formula, Assumptions and When not to use it: see there.

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


_SHAPES, _RATES = (1.0, 2.0), (0.01, 0.1)  # bounds of the flat priors of the shape and the rate
_STEPS = (1.0, 0.3, 1.0, 0.3)  # widths of the random walks tried in each sweep


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the model needs of the data, in units of the mean spread, and the bounds of its flat priors."""

    means: FloatArray
    squares: FloatArray  # S_i / (1 - rho)
    count: int  # folds n
    factor: float  # (1 + (n - 1) rho) / n: variance of m_i about d_i, in units of s_i^2
    bound_mean: float
    bound_scale: float


@dataclass(slots=True)
class State:
    """One point of every chain: rows are chains."""

    deltas: FloatArray
    centre: FloatArray
    log_scale: FloatArray
    mixing: FloatArray
    log_nu: FloatArray  # logarithm of nu - 1
    shape: FloatArray
    rate: FloatArray


def simulate(
    evidence: Evidence, *, chains: int, warmup: int, draws: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return draws of (d_0, s_0, nu), shape (chains, draws, 3), and the mean of d_i over all of them."""
    state = _start(evidence, chains, rng)
    out = np.empty((chains, draws, 3))
    deltas = np.zeros(len(evidence.means))
    for sweep in range(-warmup, draws):
        _sweep(state, evidence, rng)
        if sweep >= 0:
            out[:, sweep] = np.stack([state.centre, np.exp(state.log_scale), 1 + np.exp(state.log_nu)], axis=1)
            deltas += state.deltas.mean(axis=0) / draws
    return out, deltas


def _start(evidence: Evidence, chains: int, rng: np.random.Generator) -> State:
    """Spread the chains widely about the data."""
    means = evidence.means
    among = max(float(means.std()), 1e-3 * evidence.bound_scale)
    scale = np.minimum(among * np.exp(rng.normal(size=chains)), 0.5 * evidence.bound_scale)
    centre = means.mean() + 0.1 * among * rng.normal(size=chains)
    return State(
        deltas=np.tile(means, (chains, 1)),
        centre=np.clip(centre, -evidence.bound_mean, evidence.bound_mean),
        log_scale=np.log(scale),
        mixing=np.ones((chains, len(means))),
        log_nu=np.log(1.0 + 20.0 * rng.random(chains)),
        shape=rng.uniform(*_SHAPES, size=chains),
        rate=rng.uniform(*_RATES, size=chains),
    )


def _sweep(state: State, evidence: Evidence, rng: np.random.Generator) -> None:
    """Draw every part of the state once, in the order that the heading of this module gives."""
    quadratic = evidence.squares + (evidence.means - state.deltas) ** 2 / evidence.factor
    precision = rng.standard_gamma((evidence.count - 1) / 2, quadratic.shape) / (quadratic / 2)
    noise = evidence.factor / precision  # variance of each m_i about its d_i
    state.log_scale = _walk(
        state.log_scale, partial(_log_scale_density, state=state, evidence=evidence, noise=noise), rng
    )
    _draw_locations(state, evidence, noise, rng)
    state.log_nu = _walk(state.log_nu, partial(_log_nu_density, state=state), rng)
    nu = 1 + np.exp(state.log_nu)[:, None]
    standard = (state.deltas - state.centre[:, None]) ** 2 / np.exp(2 * state.log_scale)[:, None]
    state.mixing = rng.standard_gamma((nu + 1) / 2, standard.shape) / ((nu + standard) / 2)
    _update_hyper(state, rng)


def _weights(log_scale: FloatArray, state: State, noise: FloatArray) -> FloatArray:
    """Precision of each m_i about d_0, with its d_i integrated out."""
    return np.asarray(1 / (noise + np.exp(2 * log_scale)[:, None] / state.mixing))


def _centre_limits(weights: FloatArray, evidence: Evidence) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Mean and standard deviation of d_0, and the probabilities below its two bounds."""
    total = weights.sum(axis=1)
    mean, spread = (weights * evidence.means).sum(axis=1) / total, 1 / np.sqrt(total)
    low = special.ndtr((-evidence.bound_mean - mean) / spread)
    high = special.ndtr((evidence.bound_mean - mean) / spread)
    return mean, spread, np.asarray(low), np.asarray(high)


def _log_scale_density(log_scale: FloatArray, state: State, evidence: Evidence, noise: FloatArray) -> FloatArray:
    """Log density of log s_0, flat in s_0 up to its bound, with d_0 and every d_i integrated out."""
    weights = _weights(log_scale, state, noise)
    mean, spread, low, high = _centre_limits(weights, evidence)
    misfit = (weights * (evidence.means - mean[:, None]) ** 2).sum(axis=1)
    inside = np.log(np.maximum(high - low, 1e-300))
    value = 0.5 * np.log(weights).sum(axis=1) - 0.5 * misfit + np.log(spread) + inside + log_scale
    return np.where(np.exp(log_scale) < evidence.bound_scale, value, -np.inf)


def _walk(point: FloatArray, log_density: Callable[[FloatArray], FloatArray], rng: np.random.Generator) -> FloatArray:
    """Move every chain by random walks of several widths, taking a step as often as its density allows."""
    now = log_density(point)
    for width in _STEPS:
        tried = point + width * rng.normal(size=len(now))
        then = log_density(tried)
        taken = np.log(rng.random(len(now))) < then - now
        point, now = np.where(taken, tried, point), np.where(taken, then, now)
    return point


def _draw_locations(state: State, evidence: Evidence, noise: FloatArray, rng: np.random.Generator) -> None:
    """Draw d_0 within its bounds, then every d_i."""
    mean, spread, low, high = _centre_limits(_weights(state.log_scale, state, noise), evidence)
    inner = special.ndtri(np.clip(low + (high - low) * rng.random(len(mean)), 1e-300, 1 - 1e-16))
    state.centre = np.clip(mean + spread * inner, -evidence.bound_mean, evidence.bound_mean)
    values, shared = 1 / noise, state.mixing / np.exp(2 * state.log_scale)[:, None]
    total = values + shared
    middle = (values * evidence.means + shared * state.centre[:, None]) / total
    state.deltas = middle + rng.normal(size=total.shape) / np.sqrt(total)


def _log_nu_density(log_nu: FloatArray, state: State) -> FloatArray:
    """Log density of log(nu - 1): Student t of the d_i, and the gamma prior of nu - 1."""
    less = np.exp(log_nu)
    nu = 1 + less
    z = (state.deltas - state.centre[:, None]) / np.exp(state.log_scale)[:, None]
    constant = special.gammaln((nu + 1) / 2) - special.gammaln(nu / 2) - 0.5 * np.log(nu)
    tails = (nu + 1) / 2 * np.log1p(z**2 / nu[:, None]).sum(axis=1)
    return np.asarray(z.shape[1] * constant - tails + state.shape * log_nu - state.rate * less)


def _update_hyper(state: State, rng: np.random.Generator) -> None:
    """Propose shape and rate of the gamma prior of nu - 1 from their flat priors."""
    shape = rng.uniform(*_SHAPES, size=len(state.shape))
    rate = rng.uniform(*_RATES, size=len(state.rate))

    def density(a: FloatArray, b: FloatArray) -> FloatArray:
        return np.asarray(a * np.log(b) - special.gammaln(a) + a * state.log_nu - b * np.exp(state.log_nu))

    taken = np.log(rng.random(len(shape))) < density(shape, rate) - density(state.shape, state.rate)
    state.shape, state.rate = np.where(taken, shape, state.shape), np.where(taken, rate, state.rate)


_WIDE = 1000.0  # bound of the prior of s_0, in standard deviations of the data sets' means


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class HierarchicalResult(Weighed):
    """Posterior of the hierarchical model; arrays run over the pairs.

    `a_better`, `equivalent` and `b_better` sum to one: the probabilities that, on the next data set, the most
    probable outcome is that `a` is better by more than the rope, that they differ by less, that `b` is
    better by more. `standard_error` has a column for each of the three: the error of simulation, from the
    spread between chains. `centre`, `scale` and `nu` are posterior means of the distribution of differences
    over data sets; `shrunken`, shape (pairs, data sets), are the estimated differences on each data set,
    drawn towards each other; `observed` are the plain ones. Differences are positive where `b` is better.
    `r_hat` close to 1 says that the chains agree.
    """

    COLUMNS = (*Weighed.COLUMNS, "centre", "scale", "nu", "r_hat")

    standard_error: FloatArray
    centre: FloatArray
    scale: FloatArray
    nu: FloatArray
    shrunken: FloatArray
    observed: FloatArray
    r_hat: FloatArray
    rho: float
    n_samples: int
    datasets: tuple[str, ...]
    samples: FloatArray | None = None

    def title(self) -> str:
        """Say in one line what was computed."""
        return (
            f"{self.method}: {len(self.a)} pair(s), {len(self.datasets)} data sets, correlation {self.rho:.4g},"
            f" rope {self.rope:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        return self.pair_rows(**self.columns(), standard_error=self.standard_error.max(axis=1))


@as_came_in
def bayesian_hierarchical(a: npt.ArrayLike, b: npt.ArrayLike, **options: Any) -> HierarchicalResult:
    """Give the probability that one algorithm is better on the next data set, from fold scores on many.

    The same as `bayesian_hierarchical_pairs` for two tables of shape (data sets, folds), with the same options.
    Hypothesis, Formula, Assumptions and When not to use it: see there.

    References
    ----------
    corani2017

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> errors = rng.normal(0.2, 0.02, size=(12, 10))
    >>> better = errors - 0.03 + rng.normal(0, 0.01, size=(12, 10))
    >>> bool(bayesian_hierarchical(errors, better, rope=0.01, chains=16).b_better[0] > 0.95)
    True
    """
    why = "Both need one row per data set and one column per fold."
    tables = same_shape(a, b, 2, why=why, mend="Pass two tables of the same shape.")
    return bayesian_hierarchical_pairs(np.stack(tables, axis=2), **options)


@as_came_in
def bayesian_hierarchical_pairs(
    scores: npt.ArrayLike,
    *,
    rope: float = 0.0,
    runs: int = 1,
    rho: float | None = None,
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    draws: int = 250,
    warmup: int = 500,
    chains: int = 64,
    keep_samples: bool = False,
    rng: int | np.random.Generator = 0,
) -> HierarchicalResult:
    """Give, for each pair, the probability that one algorithm is better on the next data set.

    Hypothesis: three are weighed, not one tested: on a new data set the most probable outcome is that the
    mean difference favours a by more than the rope, lies within it, or favours b by more than it.

    Formula: on data set i the fold differences are normal about d_i with standard deviation s_i and
    correlation rho; d_i follows a Student t about d_0 with scale s_0 and nu degrees of freedom. Priors: s_i
    flat; d_0 flat within the largest difference seen; s_0 flat up to 1000 standard deviations of the means;
    nu - 1 gamma with shape flat in 1..2 and rate flat in 0.01..0.1. For each draw of (d_0, s_0, nu) the
    areas of that t below, within and above the rope are compared; the result is how often each is the
    largest.

    Assumptions:

    1. The data sets are a random sample of those one wants to speak about, their differences on one scale.
    2. The fold differences are jointly normal with known equal correlation rho.

    When not to use it: with one score per data set (`bayesian_signed_rank_pairs`); with fewer than about
    five data sets, where the priors decide.

    The posterior is simulated in plain numpy: independent chains, Gibbs and Metropolis steps on the mean and
    the spread of each data set, which are all the model needs of the folds. A data set whose differences are
    the same on every fold is given the smallest spread of the others, with a caveat; if all are like that the
    model has nothing to work with and refuses.

    Parameters
    ----------
    scores : array_like, shape (data sets, folds, algorithms)
        Complete and finite, at least two data sets and two folds.
    rope : float, default 0
        Region of practical equivalence: largest difference that does not matter, in the unit of the scores.
    runs : int, default 1
        Repetitions of cross-validation; gives rho = runs / folds.
    rho : float, optional
        The correlation itself, 0 <= rho < 1; `runs` is then not used.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs.
    higher_is_better : bool, default False
    algorithms, datasets : sequence of str, optional
    draws, warmup, chains : int, default 250, 500, 64
        Each of `chains` independent chains throws away `warmup` sweeps and keeps `draws`.
    keep_samples : bool, default False
        Keep the simulated areas, shape (pairs, samples, 3), for plotting.
    rng : int or numpy.random.Generator, default 0
        Every pair starts from the same seed, so a pair's result does not depend on the other pairs.

    Returns
    -------
    HierarchicalResult

    References
    ----------
    corani2017

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> errors = rng.normal([0.2, 0.2, 0.3], 0.02, size=(12, 10, 3))
    >>> result = bayesian_hierarchical_pairs(errors, rope=0.01, chains=16)
    >>> [bool(p > 0.95) for p in result.a_better]
    [False, True, True]
    """
    cube = check_cube(scores)
    fields = fold_fields(cube, (algorithms, datasets), control, rope, check_rho(rho, runs, cube.shape[1]))
    sizes = {"chains": chains, "warmup": warmup, "draws": draws}
    for name, usual in (("chains", 64), ("warmup", 500), ("draws", 250)):
        check_count(name, sizes[name], least=2, usual=usual)
    _check_datasets(len(cube))
    seed = int(np.random.default_rng(rng).integers(2**63))
    names, flips = fields["algorithms"], 1.0 if higher_is_better else -1.0
    pairs: list[_Pair] = []
    caveats: list[tuple[object, str, str]] = []
    for i, j in zip(fields["a"], fields["b"], strict=True):
        spread, flat = _spread(cube[:, :, [i, j]], names[i], names[j])
        text = f"{names[i]!r} and {names[j]!r} differ by the same amount on every fold of {flat} data set(s)."
        caveats.append((flat, "constant-difference", text))
        difference = flips * (cube[:, :, j] - cube[:, :, i])
        pairs.append(_one_pair(difference, spread, fields["rho"], fields["rope"], np.random.default_rng(seed), sizes))
    return HierarchicalResult(
        **_summary(pairs, keep_samples=keep_samples),
        **fields,
        method="Bayesian hierarchical correlated t test",
        caveats=caveats_of(*caveats, *_doubts(len(cube), pairs)),
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    areas: FloatArray  # (chains, draws, 3)
    hyper: FloatArray  # (chains, draws, 3): d_0, s_0, nu
    shrunken: FloatArray
    observed: FloatArray


def _check_datasets(count: int) -> None:
    if count < 2:
        raise InputError(
            f"scores has {count} data set(s).",
            why="The model estimates how differences vary between data sets.",
            mend="Add data sets, or use bayesian_correlated_t on the one.",
        )


def _spread(columns: FloatArray, first: str, second: str) -> tuple[FloatArray, int]:
    """Standard deviation of the fold differences of each data set, and how many had none."""
    difference = columns[:, :, 1] - columns[:, :, 0]
    flat = np.ptp(difference, axis=1) <= ULPS * np.abs(columns).max(axis=(1, 2))
    if flat.all():
        raise InputError(
            f"{first!r} and {second!r} differ by the same amount on every fold of every data set.",
            why="The model needs the spread over folds.",
            mend="Compare the means with bayesian_signed_rank.",
        )
    spread = deviation(difference, axis=1)
    return np.where(flat, spread[~flat].min(), spread), int(flat.sum())


def _one_pair(
    difference: FloatArray,
    spread: FloatArray,
    rho: float,
    rope: float,
    rng: np.random.Generator,
    sizes: dict[str, int],
) -> _Pair:
    """Simulate one pair in units of its mean spread, so that the bounds of the priors fit scores of any size."""
    count, unit = difference.shape[1], float(spread.mean())
    means = difference.mean(axis=1) / unit
    evidence = Evidence(
        means=means,
        squares=(count - 1) * (spread / unit) ** 2 / (1 - rho),  # Corani et al. 2017; written out in `_gibbs`
        count=count,
        factor=(1 + (count - 1) * rho) / count,
        bound_mean=float(np.abs(difference).max()) / unit,
        bound_scale=_WIDE * (float(means.std()) or 1.0),
    )
    hyper, deltas = simulate(evidence, rng=rng, **sizes)
    hyper[..., :2] *= unit
    centre, scale, nu = (hyper[..., k] for k in range(3))
    below = special.stdtr(nu, (-rope - centre) / scale)
    above = special.stdtr(nu, (centre - rope) / scale)
    areas = np.stack([below, np.maximum(1 - below - above, 0.0), above], axis=-1)
    return _Pair(areas=areas, hyper=hyper, shrunken=deltas * unit, observed=means * unit)


def _summary(pairs: list[_Pair], *, keep_samples: bool) -> dict[str, Any]:
    """Sum up the chains of all pairs; the error of simulation is that of the mean over independent chains."""
    wins = np.stack([pair.areas.argmax(axis=2)[..., None] == np.arange(3) for pair in pairs])
    per_chain = wins.mean(axis=2)  # (pairs, chains, 3)
    hyper = np.stack([pair.hyper for pair in pairs])
    chains, draws = hyper.shape[1:3]
    return {
        **shares(per_chain.mean(axis=1)),
        **frozen(**dict(zip(("centre", "scale", "nu"), hyper.mean(axis=(1, 2)).T, strict=True))),
        **frozen(**{name: np.stack([getattr(pair, name) for pair in pairs]) for name in ("shrunken", "observed")}),
        **frozen(standard_error=per_chain.std(axis=1, ddof=1) / np.sqrt(chains), r_hat=_r_hat(pairs)),
        "n_samples": chains * draws,
        "samples": readonly(np.stack([pair.areas.reshape(-1, 3) for pair in pairs])) if keep_samples else None,
    }


def _r_hat(pairs: list[_Pair]) -> FloatArray:
    """Gelman and Rubin's ratio of spreads, the worst of d_0, log s_0 and log nu; 1 where all chains agree."""
    hyper = np.stack([pair.hyper for pair in pairs])
    values, draws = np.concatenate([hyper[..., :1], np.log(hyper[..., 1:])], axis=3), hyper.shape[2]
    (values,), _ = rescaled(values, axis=(1, 2))
    within = values.var(axis=2, ddof=1).mean(axis=1)
    between = values.mean(axis=2).var(axis=1, ddof=1)
    return np.asarray(np.sqrt((draws - 1) / draws + between / within).max(axis=1))  # Gelman and Rubin 1992


def _doubts(n_datasets: int, pairs: list[_Pair]) -> list[tuple[object, str, str]]:
    """An r_hat of 1.1 is the customary limit; fewer than five data sets hardly move the priors."""
    worst = float(_r_hat(pairs).max())
    apart = f"The chains do not yet agree (r_hat {worst:.2f}): raise warmup and draws."
    few = f"{n_datasets} data sets: the priors have much to say in the result."
    return [(n_datasets < 5, "few-datasets", few), (worst > 1.1, "chains-disagree", apart)]
