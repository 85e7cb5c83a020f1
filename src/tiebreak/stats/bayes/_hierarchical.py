"""Many data sets with fold scores: how probable is it that one algorithm is better on the next data set?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, readonly
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.bayes._correlated_t import check_cube, check_rho, fold_fields
from tiebreak.stats.bayes._gibbs import Evidence, simulate
from tiebreak.stats.bayes._over_datasets import Weighed, shares
from tiebreak.stats.numeric.differences import ULPS, check_count, same_shape
from tiebreak.stats.numeric.scale import deviation, rescaled
from tiebreak.stats.telling import caveats_of, frozen

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

    Hypothesis: see `bayesian_hierarchical_pairs`, of which this is the case of two tables of shape
    (data sets, folds).
    Formula: as there. Assumptions: as there. When not to use it: as there. It takes the same options.

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
    found: list[_Pair] = []
    caveats: list[tuple[object, str, str]] = []
    for i, j in zip(fields["a"], fields["b"], strict=True):
        spread, flat = _spread(cube[:, :, [i, j]], names[i], names[j])
        text = f"{names[i]!r} and {names[j]!r} differ by the same amount on every fold of {flat} data set(s)."
        caveats.append((flat, "constant-difference", text))
        difference = flips * (cube[:, :, j] - cube[:, :, i])
        found.append(_one_pair(difference, spread, fields["rho"], fields["rope"], np.random.default_rng(seed), sizes))
    return HierarchicalResult(
        **_summary(found, keep_samples=keep_samples),
        **fields,
        method="Bayesian hierarchical correlated t test",
        caveats=caveats_of(*caveats, *_doubts(len(cube), found)),
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


def _summary(found: list[_Pair], *, keep_samples: bool) -> dict[str, Any]:
    """Sum up the chains of all pairs; the error of simulation is that of the mean over independent chains."""
    wins = np.stack([pair.areas.argmax(axis=2)[..., None] == np.arange(3) for pair in found])
    per_chain = wins.mean(axis=2)  # (pairs, chains, 3)
    hyper = np.stack([pair.hyper for pair in found])
    chains, draws = hyper.shape[1:3]
    return {
        **shares(per_chain.mean(axis=1)),
        **frozen(**dict(zip(("centre", "scale", "nu"), hyper.mean(axis=(1, 2)).T, strict=True))),
        **frozen(**{name: np.stack([getattr(pair, name) for pair in found]) for name in ("shrunken", "observed")}),
        **frozen(standard_error=per_chain.std(axis=1, ddof=1) / np.sqrt(chains), r_hat=_r_hat(found)),
        "n_samples": chains * draws,
        "samples": readonly(np.stack([pair.areas.reshape(-1, 3) for pair in found])) if keep_samples else None,
    }


def _r_hat(found: list[_Pair]) -> FloatArray:
    """Gelman and Rubin's ratio of spreads, the worst of d_0, log s_0 and log nu; 1 where all chains agree."""
    hyper = np.stack([pair.hyper for pair in found])
    values, draws = np.concatenate([hyper[..., :1], np.log(hyper[..., 1:])], axis=3), hyper.shape[2]
    (values,), _ = rescaled(values, axis=(1, 2))
    within = values.var(axis=2, ddof=1).mean(axis=1)
    between = values.mean(axis=2).var(axis=1, ddof=1)
    return np.asarray(np.sqrt((draws - 1) / draws + between / within).max(axis=1))  # Gelman and Rubin 1992


def _doubts(n_datasets: int, found: list[_Pair]) -> list[tuple[object, str, str]]:
    """An r_hat of 1.1 is the customary limit; fewer than five data sets hardly move the priors."""
    worst = float(_r_hat(found).max())
    apart = f"The chains do not yet agree (r_hat {worst:.2f}): raise warmup and draws."
    few = f"{n_datasets} data sets: the priors have much to say in the result."
    return [(n_datasets < 5, "few-datasets", few), (worst > 1.1, "chains-disagree", apart)]
