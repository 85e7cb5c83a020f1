"""Many data sets with fold scores: how probable is it that one algorithm is better on the next data set?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, IntArray, as_floats, check_names, readonly
from tiebreak._show import Row, Shown
from tiebreak.errors import InputError
from tiebreak.stats.bayes._correlated_t import check_cube, check_rho
from tiebreak.stats.bayes._gibbs import Evidence, simulate
from tiebreak.stats.numeric.differences import ULPS, check_count, check_rope, compared_pairs
from tiebreak.stats.numeric.scale import deviation, rescaled

SHAPE_RANGE = (1.0, 2.0)
RATE_RANGE = (0.01, 0.1)
_WIDE = 1000.0  # bound of the prior of s_0, in standard deviations of the data sets' means


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class HierarchicalResult(Shown):
    """Posterior of the hierarchical model; arrays run over the pairs.

    `a_better`, `equivalent` and `b_better` sum to one: the probabilities that, on the next data set, the most
    probable outcome is that `a` is better by more than the rope, that they differ by less, that `b` is
    better by more. `standard_error` has a column for each of the three: the error of simulation, from the
    spread between chains. `centre`, `scale` and `nu` are posterior means of the distribution of differences
    over data sets; `shrunken`, shape (pairs, data sets), are the estimated differences on each data set,
    drawn towards each other; `observed` are the plain ones. Differences are positive where `b` is better.
    `r_hat` close to 1 says that the chains agree.
    """

    a: IntArray
    b: IntArray
    a_better: FloatArray
    equivalent: FloatArray
    b_better: FloatArray
    standard_error: FloatArray
    centre: FloatArray
    scale: FloatArray
    nu: FloatArray
    shrunken: FloatArray
    observed: FloatArray
    r_hat: FloatArray
    rho: float
    rope: float
    n_samples: int
    algorithms: tuple[str, ...]
    datasets: tuple[str, ...]
    method: str
    samples: FloatArray | None = None
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        return (
            f"{self.method}: {len(self.a)} pair(s), {len(self.datasets)} data sets, correlation {self.rho:.4g},"
            f" rope {self.rope:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        columns = ("a_better", "equivalent", "b_better", "centre", "scale", "nu", "r_hat")
        return [
            {"a": self.algorithms[i], "b": self.algorithms[j]}
            | {name: float(getattr(self, name)[k]) for name in columns}
            | {"standard_error": float(self.standard_error[k].max())}
            for k, (i, j) in enumerate(zip(self.a, self.b, strict=True))
        ]


def bayesian_hierarchical(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    rope: float = 0.0,
    runs: int = 1,
    rho: float | None = None,
    higher_is_better: bool = False,
    draws: int = 250,
    warmup: int = 500,
    chains: int = 64,
    rng: int | np.random.Generator = 0,
) -> HierarchicalResult:
    """Give the probability that one algorithm is better on the next data set, from fold scores on many.

    Hypothesis: see `bayesian_hierarchical_pairs`, of which this is the case of two tables of shape
    (data sets, folds).
    Formula: as there. Assumptions: as there. When not to use it: as there.

    References
    ----------
    Corani, G., Benavoli, A., Demsar, J., Mangili, F. and Zaffalon, M. (2017). doi:10.1007/s10994-017-5641-9

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> errors = rng.normal(0.2, 0.02, size=(12, 10))
    >>> better = errors - 0.03 + rng.normal(0, 0.01, size=(12, 10))
    >>> bool(bayesian_hierarchical(errors, better, rope=0.01, chains=16).b_better[0] > 0.95)
    True
    """
    first, second = as_floats(a, what="a"), as_floats(b, what="b")
    if first.ndim != 2 or first.shape != second.shape:
        raise InputError(
            f"a has shape {first.shape} and b has shape {second.shape}.",
            why="Both need one row per data set and one column per fold.",
            mend="Pass two tables of the same shape.",
        )
    return bayesian_hierarchical_pairs(
        np.stack([first, second], axis=2),
        rope=rope,
        runs=runs,
        rho=rho,
        higher_is_better=higher_is_better,
        draws=draws,
        warmup=warmup,
        chains=chains,
        rng=rng,
    )


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
    Corani, G., Benavoli, A., Demsar, J., Mangili, F. and Zaffalon, M. (2017). doi:10.1007/s10994-017-5641-9

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> errors = rng.normal([0.2, 0.2, 0.3], 0.02, size=(12, 10, 3))
    >>> result = bayesian_hierarchical_pairs(errors, rope=0.01, chains=16)
    >>> [bool(p > 0.95) for p in result.a_better]
    [False, True, True]
    """
    cube = check_cube(scores)
    n_datasets, n_folds, n_algorithms = cube.shape
    names = check_names(algorithms, n_algorithms, kind="algorithm")
    sets = check_names(datasets, n_datasets, kind="data set")
    rope, correlation = check_rope(rope), check_rho(rho, runs, n_folds)
    sizes = {"chains": chains, "warmup": warmup, "draws": draws}
    for name, usual in (("chains", 64), ("warmup", 500), ("draws", 250)):
        check_count(name, sizes[name], least=2, usual=usual)
    _check_datasets(n_datasets)
    a, b = compared_pairs(n_algorithms, control)
    seed = int(np.random.default_rng(rng).integers(2**63))
    flips = 1.0 if higher_is_better else -1.0
    found, caveats = [], []
    for i, j in zip(a, b, strict=True):
        spread, flat = _spread(cube[:, :, [i, j]], names[i], names[j])
        if flat:
            caveats.append(
                f"{names[i]!r} and {names[j]!r} differ by the same amount on every fold of {flat} data set(s)."
            )
        difference = flips * (cube[:, :, j] - cube[:, :, i])
        found.append(_one_pair(difference, spread, correlation, rope, np.random.default_rng(seed), sizes))
    return _result(found, a, b, names, sets, rope, correlation, tuple(caveats), keep_samples=keep_samples)


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
            why="The model learns from several data sets how differences vary between them.",
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
    count, unit = difference.shape[1], float(spread.mean())
    means = difference.mean(axis=1) / unit
    evidence = Evidence(
        means=means,
        squares=(count - 1) * (spread / unit) ** 2 / (1 - rho),
        count=count,
        factor=(1 + (count - 1) * rho) / count,
        bound_mean=float(np.abs(difference).max()) / unit,
        bound_scale=_WIDE * (float(means.std()) or 1.0),
        shape_range=SHAPE_RANGE,
        rate_range=RATE_RANGE,
    )
    hyper, deltas = simulate(evidence, rng=rng, **sizes)
    hyper[..., :2] *= unit
    centre, scale, nu = (hyper[..., k] for k in range(3))
    below = special.stdtr(nu, (-rope - centre) / scale)
    above = special.stdtr(nu, (centre - rope) / scale)
    areas = np.stack([below, np.maximum(1 - below - above, 0.0), above], axis=-1)
    return _Pair(areas=areas, hyper=hyper, shrunken=deltas * unit, observed=means * unit)


def _result(
    found: list[_Pair],
    a: IntArray,
    b: IntArray,
    names: tuple[str, ...],
    sets: tuple[str, ...],
    rope: float,
    rho: float,
    caveats: tuple[str, ...],
    *,
    keep_samples: bool,
) -> HierarchicalResult:
    wins = np.stack([pair.areas.argmax(axis=2)[..., None] == np.arange(3) for pair in found])
    per_chain = wins.mean(axis=2)  # (pairs, chains, 3)
    share = per_chain.mean(axis=1)
    hyper = np.stack([pair.hyper for pair in found])
    means = hyper.mean(axis=(1, 2))
    r_hat = _r_hat(np.concatenate([hyper[..., :1], np.log(hyper[..., 1:])], axis=3))
    chains, draws = hyper.shape[1:3]
    kept = np.stack([pair.areas.reshape(-1, 3) for pair in found]) if keep_samples else None
    return HierarchicalResult(
        a=readonly(a),
        b=readonly(b),
        a_better=readonly(share[:, 0]),
        equivalent=readonly(share[:, 1]),
        b_better=readonly(share[:, 2]),
        standard_error=readonly(per_chain.std(axis=1, ddof=1) / np.sqrt(chains)),
        centre=readonly(means[:, 0]),
        scale=readonly(means[:, 1]),
        nu=readonly(means[:, 2]),
        shrunken=readonly(np.stack([pair.shrunken for pair in found])),
        observed=readonly(np.stack([pair.observed for pair in found])),
        r_hat=readonly(r_hat),
        rho=rho,
        rope=rope,
        n_samples=chains * draws,
        algorithms=names,
        datasets=sets,
        method="Bayesian hierarchical correlated t test",
        samples=None if kept is None else readonly(kept),
        caveats=caveats + _doubts(len(sets), r_hat),
    )


def _r_hat(values: FloatArray) -> FloatArray:
    """Gelman and Rubin's ratio of spreads, the worst of the parameters; 1 where all chains agree."""
    draws = values.shape[2]
    (values,), _ = rescaled(values, axis=(1, 2))
    within = values.var(axis=2, ddof=1).mean(axis=1)
    between = values.mean(axis=2).var(axis=1, ddof=1)
    return np.asarray(np.sqrt((draws - 1) / draws + between / within).max(axis=1))


def _doubts(n_datasets: int, r_hat: FloatArray) -> tuple[str, ...]:
    found = []
    if n_datasets < 5:
        found.append(f"{n_datasets} data sets: the priors have much to say in the result.")
    if (r_hat > 1.1).any():
        found.append(f"The chains do not yet agree (r_hat {r_hat.max():.2f}): raise warmup and draws.")
    return tuple(found)
