"""How probable is it that one algorithm wins on most data sets, or is better by sizes? Sign and signed ranks.

Signed ranks. Sort the S differences of a pair, z_1 <= ... <= z_S, and let k_i count the j with z_i + z_j
below a limit. The indicator matrix of "below" is a staircase, so its quadratic form in the weights w is
sum_i w_i C(k_i) with the prefix sums C of w: S steps instead of S^2. The weights of the differences are
exchangeable, so they may be dealt out in sorted order; then w and C are the same for every pair, and the
answer cannot depend on the order of the data sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_table, check_within, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, as_came_in
from tiebreak.stats.numeric.basics import (
    advantages,
    check_count,
    check_rope,
    check_squares,
    paired_columns,
    rounding_noise,
)
from tiebreak.stats.results import OverPairs, frozen, pair_indices

_NODES = 257
_TAIL = 1e-18
_BLOCK = 40_000  # weights per block: prefix sums stay in the processor's cache


def largest_share(alpha: FloatArray) -> FloatArray:
    """P(each share of a Dirichlet vector is the largest), for every row of `alpha`.

    With independent gammas G_k, P(G_r is largest) is the integral of f_r(x) times the product of the other
    distribution functions. In log x the integrand decays exponentially on both sides, where the trapezoidal
    rule is accurate to about fourteen digits. A share with alpha 0 is zero and never the largest.
    """
    rows, where = np.unique(alpha, axis=0, return_inverse=True)
    shape = np.where(rows > 0, rows, 1.0)
    low = np.where(rows > 0, special.gammaincinv(shape, _TAIL), 0.0).max(axis=1)
    high = np.where(rows > 0, special.gammainccinv(shape, _TAIL), 0.0).max(axis=1)
    steps = np.linspace(np.log(low), np.log(high), _NODES, axis=1)[:, :, None]
    x, shape = np.exp(steps), shape[:, None, :]
    below = np.where(rows[:, None, :] > 0, special.gammainc(shape, x), 1.0)
    density = np.exp(shape * steps - x - special.gammaln(shape)) * (rows[:, None, :] > 0)
    others = below[..., [1, 0, 0]] * below[..., [2, 2, 1]]
    total = (density * others).sum(axis=1)  # the step cancels below: the three probabilities sum to one
    whole = total[:, [0]] + total[:, [2]] + total[:, [1]]  # the same to the last bit for the mirror image
    return np.asarray((total / whole)[where.reshape(-1)])


@dataclass(frozen=True, slots=True)
class Staircase:
    """One limit of one pair: prefix lengths for each difference, and what the prior's weight adds."""

    short: IntArray
    long: IntArray
    prior_steps: FloatArray  # share of each difference's sum with the prior's place that is below
    prior_prior: float

    def below(self, weights: FloatArray, prefix: FloatArray, prior: FloatArray) -> FloatArray:
        """Weight of the sums below the limit, for every column of weights; a sum at the limit counts half."""
        reached = prefix[self.short]
        if not np.array_equal(self.short, self.long):
            reached = 0.5 * (reached + prefix[self.long])
        values = np.einsum("ij,ij->j", weights, reached)
        mixed = 2.0 * (self.prior_steps @ weights)
        return np.asarray(values + prior * (mixed + prior * self.prior_prior))


def staircase(ordered: FloatArray, limit: float, place: float, noise: float) -> Staircase:
    """Compare all sums z_i + z_j, and those with the prior's place, with a limit."""
    with_prior = ordered + place
    return Staircase(
        short=np.searchsorted(ordered, limit - ordered - noise, side="left").astype(np.int64),
        long=np.searchsorted(ordered, limit - ordered + noise, side="right").astype(np.int64),
        prior_steps=_half_step(with_prior, limit, noise),
        prior_prior=float(_half_step(np.array([2 * place]), limit, noise)[0]),
    )


def _half_step(sums: FloatArray, limit: float, noise: float) -> FloatArray:
    """Say 1 below the limit, 1/2 at it, 0 above: a sum on the edge of the rope belongs to both sides."""
    return np.asarray(0.5 * (sums < limit - noise) + 0.5 * (sums <= limit + noise))


def signed_rank_shares(
    differences: FloatArray,
    noise: FloatArray,
    *,
    rope: float,
    prior: float,
    place: float,
    n_samples: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Count, for each row of differences, how often the region below, within and above the rope weighs most."""
    flipped = _leans_left(differences)
    ordered = np.sort(np.where(flipped[:, None], -differences, differences), axis=1)
    places = np.where(flipped, -place, place)
    stairs = [
        (staircase(z, -2 * rope, at, 2 * eps), staircase(z, 2 * rope, at, 2 * eps))
        for z, at, eps in zip(ordered, places, noise, strict=True)
    ]
    counts = np.zeros((len(stairs), 3))
    size = max(64, _BLOCK // ordered.shape[1])
    for start in range(0, n_samples, size):
        stop = min(start + size, n_samples)
        weights, prefix, pseudo = _weights(ordered.shape[1], stop - start, prior, rng)
        for row, (lower, upper) in enumerate(stairs):
            shares = _three(lower, upper, weights, prefix, pseudo, split=rope == 0.0)
            counts[row] += _largest(shares[::-1] if flipped[row] else shares)
    return counts


def _leans_left(differences: FloatArray) -> BoolArray:
    """Say which rows to mirror, so that a pair and its mirror image use the weights in the same way."""
    ordered = np.sort(differences, axis=1)
    lean = ordered + ordered[:, ::-1]
    first = np.argmax(lean != 0, axis=1)
    return np.asarray(lean[np.arange(len(lean)), first] < 0)


def _weights(
    count: int, n_samples: int, prior: float, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw Dirichlet weights: one column per sample; their prefix sums; and the prior's weight."""
    weights = rng.standard_exponential((count, n_samples))
    pseudo = rng.standard_gamma(prior, n_samples)
    total = weights.sum(axis=0) + pseudo
    weights /= total
    prefix = np.zeros((count + 1, n_samples))
    np.cumsum(weights, axis=0, out=prefix[1:])
    return weights, prefix, pseudo / total


def _three(
    lower: Staircase, upper: Staircase, weights: FloatArray, prefix: FloatArray, pseudo: FloatArray, *, split: bool
) -> FloatArray:
    """Weights below, within and above the rope, one row each; without a rope there is nothing within."""
    below = lower.below(weights, prefix, pseudo)
    if split:
        return np.stack([below, np.zeros_like(below), 1.0 - below])
    not_above = upper.below(weights, prefix, pseudo)
    return np.stack([below, np.maximum(not_above - below, 0.0), 1.0 - not_above])


def _largest(shares: FloatArray) -> FloatArray:
    """Benavoli et al. count the draws in which a region has the most weight; ties go to the first."""
    return np.bincount(np.argmax(shares, axis=0), minlength=3).astype(np.float64)


PLACES = {"a": 0, "rope": 1, "b": 2}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Weighed(OverPairs):
    """Three outcomes weighed for each pair: `a` better by more than the rope, no such difference, `b` better."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("a_better", "equivalent", "b_better")

    a_better: FloatArray
    equivalent: FloatArray
    b_better: FloatArray
    rope: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BayesianResult(Weighed):
    """Posterior probabilities for pairs of algorithms; arrays run over the pairs.

    `a_better`, `equivalent` and `b_better` sum to one: the probabilities that, on data sets like these, the
    most probable outcome is that algorithm `a` is better by more than the rope, that the two differ by less
    than the rope, and that `b` is better by more than the rope. `standard_error` has one column for each of
    the three and is the error of simulation, 0 where nothing was simulated.
    """

    standard_error: FloatArray
    n_datasets: int
    prior: float
    prior_at: str
    n_samples: int

    def title(self) -> str:
        """Say in one line what was computed, with its rope and prior."""
        return (
            f"{self.method}: {len(self.a)} pair(s), {self.n_datasets} data sets, rope {self.rope:g},"
            f" prior strength {self.prior:g} at {self.prior_at}"
        )

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        return self.pair_rows(**self.columns(), standard_error=self.standard_error.max(axis=1))


@as_came_in
def bayesian_sign(a: npt.ArrayLike, b: npt.ArrayLike, **options: Any) -> BayesianResult:
    """Give the probability that one algorithm wins on most data sets, or that they mostly tie.

    The same as `bayesian_sign_pairs` for two vectors of paired scores, with the same options.
    Hypothesis, Formula, Assumptions and When not to use it: see there.

    References
    ----------
    benavoli2017

    Examples
    --------
    >>> print(bayesian_sign([1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 6], rope=0.5))
    Bayesian sign test: 1 pair(s), 6 data sets, rope 0.5, prior strength 1 at rope
    a            b            a_better  equivalent  b_better  standard_error
    algorithm 1  algorithm 2    0.8906      0.1094         0               0
    """
    return bayesian_sign_pairs(paired_columns(a, b), **options)


@as_came_in
def bayesian_sign_pairs(
    scores: npt.ArrayLike,
    *,
    rope: float = 0.0,
    prior: float = 1.0,
    prior_at: str = "rope",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> BayesianResult:
    """Give, for each pair, the probability that one algorithm wins on most data sets, or that they tie.

    Hypothesis: three are weighed, not one tested: on a new data set the most probable outcome is that a is
    better by more than the rope, that the two differ by at most the rope, or that b is better by more.

    Formula: with n_a, n_0, n_b data sets in the three regions, the shares of the regions have posterior
    Dirichlet(n_a, n_0, n_b) with `prior` added to one of the three; the result is P(share r is the
    largest). It is computed by quadrature of gamma distributions, without simulation and its error.

    Assumptions:

    1. The data sets are a random sample of those one wants to speak about.
    2. Only the region a difference falls into matters, not its size.

    When not to use it: where sizes of differences matter (`bayesian_signed_rank_pairs` has more power); on
    the folds of a single data set (`bayesian_correlated_t_pairs`).

    A difference of exactly the rope lies in the rope. With rope=0 the middle outcome is an exact tie.
    Identical algorithms: the middle outcome has probability 1. The result does not depend on the order of the
    data sets, nor on which other pairs are computed.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite, at least two data sets.
    rope : float, default 0
        Region of practical equivalence: largest difference that does not matter, in the unit of the scores.
    prior : float, default 1
        Strength of the prior, in data sets (1 as in Benavoli et al. 2017).
    prior_at : {"rope", "a", "b"}
        The region that holds the prior. Computing with "a" and with "b" bounds what any prior of this
        strength can do.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    BayesianResult

    References
    ----------
    benavoli2017

    Examples
    --------
    >>> errors = [[0.10, 0.12, 0.30], [0.20, 0.21, 0.29], [0.15, 0.15, 0.28], [0.30, 0.33, 0.41]]
    >>> bayesian_sign_pairs(errors, rope=0.01).a_better.round(3)
    array([0.312, 0.938, 0.938])
    """
    options = (rope, prior, prior_at)
    fields, differences, noise = _asked(scores, control, algorithms, options, higher_is_better=higher_is_better)
    limit = (fields["rope"] + noise)[:, None]
    wins_a, wins_b = (differences < -limit).sum(axis=1), (differences > limit).sum(axis=1)
    alpha = np.stack([wins_a, differences.shape[1] - wins_a - wins_b, wins_b], axis=1).astype(np.float64)
    alpha[:, PLACES[prior_at]] += fields["prior"]  # Benavoli et al. 2017: the Dirichlet posterior of the three shares
    probabilities = largest_share(alpha)
    return BayesianResult(
        **fields,
        **shares(probabilities),
        standard_error=readonly(np.zeros_like(probabilities)),
        method="Bayesian sign test",
        n_samples=0,
    )


@as_came_in
def bayesian_signed_rank(a: npt.ArrayLike, b: npt.ArrayLike, **options: Any) -> BayesianResult:
    """Give the probability that one algorithm is better over many data sets, by sizes of differences.

    The same as `bayesian_signed_rank_pairs` for two vectors of paired scores, with the same options.
    Hypothesis, Formula, Assumptions and When not to use it: see there.

    References
    ----------
    benavoli2017

    Examples
    --------
    >>> result = bayesian_signed_rank([1, 2, 3, 4, 5, 6], [2, 4, 6, 5, 4, 9], rope=0.5, rng=1)
    >>> bool(result.a_better[0] > 0.9)
    True
    """
    return bayesian_signed_rank_pairs(paired_columns(a, b), **options)


@as_came_in
def bayesian_signed_rank_pairs(
    scores: npt.ArrayLike,
    *,
    rope: float = 0.0,
    prior: float = 0.5,
    prior_at: str = "rope",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
    n_samples: int = 50_000,
    rng: int | np.random.Generator = 0,
) -> BayesianResult:
    """Give, for each pair, the probability that one algorithm is better, by sizes of differences.

    Hypothesis: three are weighed, not one tested: the mean of two new differences most probably favours a by
    more than the rope, lies within the rope, or favours b by more than the rope.

    Formula: the differences z_1 .. z_S and a pseudo-difference z_0 get weights w ~ Dirichlet(1, .., 1,
    prior); the shares are the sums of w_i w_j over the pairs with (z_i + z_j) / 2 below, within and above
    the rope, a mean on the edge counting half to either side. The result is how often each share is the
    largest, over `n_samples` draws of w, with its binomial standard error.

    Assumptions:

    1. The data sets are a random sample of those one wants to speak about.
    2. Differences on different data sets are on one scale: a point of accuracy counts the same everywhere.

    When not to use it: where differences are not commensurable (`bayesian_sign_pairs`); on the folds of a
    single data set (`bayesian_correlated_t_pairs`).

    Identical algorithms: with a rope the middle outcome has probability 1, without one the two others have
    1/2 each. With the same integer `rng` the result is exactly the same for any order of the data sets, for
    any order of the algorithms, and for a pair alone or among others: all pairs share one set of weights,
    dealt out in the order of the sorted differences.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite, at least two data sets.
    rope : float, default 0
        Region of practical equivalence: largest difference that does not matter, in the unit of the scores.
    prior : float, default 0.5
        Strength of the prior, in data sets (0.5 as in Benavoli et al. 2017).
    prior_at : {"rope", "a", "b"}
        Where the pseudo-difference lies: at zero, or beyond every difference in favour of a or of b.
        Computing with "a" and with "b" bounds what any prior of this strength can do.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional
    n_samples : int, default 50000
    rng : int or numpy.random.Generator, default 0

    Returns
    -------
    BayesianResult

    References
    ----------
    benavoli2014
    benavoli2017

    Examples
    --------
    >>> errors = [[0.10, 0.12, 0.30], [0.20, 0.21, 0.29], [0.15, 0.15, 0.28], [0.30, 0.33, 0.41]]
    >>> result = bayesian_signed_rank_pairs(errors, rope=0.01)
    >>> [bool(p > 0.95) for p in result.a_better]
    [False, True, True]
    """
    options = (rope, prior, prior_at)
    fields, differences, noise = _asked(scores, control, algorithms, options, higher_is_better=higher_is_better)
    counts = signed_rank_shares(
        differences,
        noise,
        rope=fields["rope"],
        prior=fields["prior"],
        place=(-np.inf, 0.0, np.inf)[PLACES[prior_at]],
        n_samples=check_count("n_samples", n_samples, usual=50_000),
        rng=np.random.default_rng(rng),
    )
    probabilities = counts / n_samples
    # Without a rope all sums of a pair without differences lie on the edge: half to either side, by definition.
    if fields["rope"] == 0.0 and prior_at == "rope":
        probabilities[(np.abs(differences) <= noise[:, None]).all(axis=1)] = (0.5, 0.0, 0.5)
    return BayesianResult(
        **fields,
        **shares(probabilities),
        standard_error=readonly(_binomial_error(counts, n_samples)),
        method="Bayesian signed-rank test",
        n_samples=n_samples,
    )


def shares(probabilities: FloatArray) -> dict[str, Any]:
    """Return the three columns of probabilities as fields of a result."""
    return frozen(**dict(zip(Weighed.COLUMNS, probabilities.T, strict=True)))


def _asked(
    scores: npt.ArrayLike,
    control: int | None,
    algorithms: Sequence[str] | None,
    options: tuple[float, float, str],
    *,
    higher_is_better: bool,
) -> tuple[dict[str, Any], FloatArray, FloatArray]:
    """Check what both tests take; return what both results hold, the differences, and what is noise in them."""
    matrix, names = check_table(scores, algorithms)
    check_squares(matrix, what="scores")
    a, b = pair_indices(matrix.shape[1], control)
    rope, prior_at = check_rope(options[0]), check_choice("prior_at", options[2], PLACES)
    prior = check_within("prior", options[1], 0.0, float("inf"), from_low=True, mend="Use prior=0.5.")
    weighed = {"rope": rope, "prior": prior, "prior_at": prior_at, "caveats": _caveats(matrix, a, b, names, prior)}
    fields = {**frozen(a=a, b=b), "algorithms": names, "n_datasets": len(matrix), **weighed}
    return fields, advantages(matrix, a, b, higher_is_better=higher_is_better), rounding_noise(matrix, a, b)


def _binomial_error(counts: FloatArray, n_samples: int) -> FloatArray:
    """Standard error of a share of draws; half a draw is added, so that 0 of n is not taken for certain."""
    share = (counts + 0.5) / (n_samples + 1)
    return np.asarray(np.sqrt(share * (1 - share) / n_samples))


def _caveats(matrix: FloatArray, a: IntArray, b: IntArray, names: tuple[str, ...], prior: float) -> Caveats:
    """Equal scores everywhere leave the prior alone to decide, whatever number comes out."""
    count = len(matrix)
    much = f"{count} data sets: the prior, worth {prior:g} data set(s), has much to say in the result."
    same = (matrix[:, a] == matrix[:, b]).all(axis=0)
    equal = (
        (True, "no-difference", f"{names[i]!r} and {names[j]!r} have the same score on every data set.")
        for i, j in zip(a[same], b[same], strict=True)
    )
    return caveats_of((count < 5, "few-datasets", much), *equal)
