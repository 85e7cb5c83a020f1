"""Many data sets: how probable is it that one algorithm is better? Bayesian sign and signed ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tiebreak.stats.bayes._correlated_t import (
    BayesianTResult,
    bayesian_correlated_t,
    bayesian_correlated_t_pairs,
)
from tiebreak.stats.bayes._posterior import largest_share, sample_shares, signed_rank_shares
from tiebreak.stats.bayes._result import (
    PLACES,
    BayesianResult,
    binomial_error,
    check_pairs,
    check_prior,
    result,
)
from tiebreak.stats.numeric.differences import (
    advantages,
    check_count,
    check_rope,
    paired_columns,
    rounding_noise,
)

__all__ = [
    "BayesianResult",
    "BayesianTResult",
    "bayesian_correlated_t",
    "bayesian_correlated_t_pairs",
    "bayesian_sign",
    "bayesian_sign_pairs",
    "bayesian_signed_rank",
    "bayesian_signed_rank_pairs",
]


def bayesian_sign(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    rope: float = 0.0,
    prior: float = 1.0,
    prior_at: str = "rope",
    higher_is_better: bool = False,
    keep_samples: bool = False,
    n_samples: int = 50_000,
    rng: int | np.random.Generator = 0,
) -> BayesianResult:
    """Give the probability that one algorithm wins on most data sets, or that they mostly tie.

    Hypothesis: see `bayesian_sign_pairs`, of which this is the case of two vectors of paired scores.
    Formula: as there. Assumptions: as there. When not to use it: as there.

    References
    ----------
    Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). JMLR 18(77).
    https://jmlr.org/papers/v18/16-305.html (no DOI)

    Examples
    --------
    >>> print(bayesian_sign([1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 6], rope=0.5))
    Bayesian sign test: 1 pair(s), 6 data sets, rope 0.5, prior strength 1 at rope
    a            b            a_better  equivalent  b_better  standard_error
    algorithm 1  algorithm 2    0.8906      0.1094         0               0
    """
    return bayesian_sign_pairs(
        paired_columns(a, b),
        rope=rope,
        prior=prior,
        prior_at=prior_at,
        higher_is_better=higher_is_better,
        keep_samples=keep_samples,
        n_samples=n_samples,
        rng=rng,
    )


def bayesian_sign_pairs(
    scores: npt.ArrayLike,
    *,
    rope: float = 0.0,
    prior: float = 1.0,
    prior_at: str = "rope",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
    keep_samples: bool = False,
    n_samples: int = 50_000,
    rng: int | np.random.Generator = 0,
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
    data sets, nor on which other pairs are computed; `rng` matters to the kept samples only.

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
    keep_samples : bool, default False
        Also draw `n_samples` from each posterior, for plotting.
    n_samples : int, default 50000
    rng : int or numpy.random.Generator, default 0

    Returns
    -------
    BayesianResult

    References
    ----------
    Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). Time for a change: a tutorial for comparing
    multiple classifiers through Bayesian analysis. JMLR 18(77).
    https://jmlr.org/papers/v18/16-305.html (no DOI)

    Examples
    --------
    >>> errors = [[0.10, 0.12, 0.30], [0.20, 0.21, 0.29], [0.15, 0.15, 0.28], [0.30, 0.33, 0.41]]
    >>> bayesian_sign_pairs(errors, rope=0.01).a_better.round(3)
    array([0.312, 0.938, 0.938])
    """
    matrix, a, b, names = check_pairs(scores, control, algorithms)
    rope, prior = check_rope(rope), check_prior(prior, prior_at)
    check_count("n_samples", n_samples, usual=50_000)
    differences = advantages(matrix, a, b, higher_is_better=higher_is_better)
    limit = (rope + rounding_noise(matrix, a, b))[:, None]
    wins_a, wins_b = (differences < -limit).sum(axis=1), (differences > limit).sum(axis=1)
    alpha = np.stack([wins_a, len(matrix) - wins_a - wins_b, wins_b], axis=1).astype(np.float64)
    alpha[:, PLACES[prior_at]] += prior
    probabilities = largest_share(alpha)
    seed = int(np.random.default_rng(rng).integers(2**63)) if keep_samples else 0
    return result(
        (matrix, a, b, names),
        probabilities,
        np.zeros_like(probabilities),
        rope=rope,
        prior=(prior, prior_at),
        method="Bayesian sign test",
        n_samples=n_samples if keep_samples else 0,
        samples=sample_shares(alpha, n_samples, seed) if keep_samples else None,
    )


def bayesian_signed_rank(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    rope: float = 0.0,
    prior: float = 0.5,
    prior_at: str = "rope",
    higher_is_better: bool = False,
    keep_samples: bool = False,
    n_samples: int = 50_000,
    rng: int | np.random.Generator = 0,
) -> BayesianResult:
    """Give the probability that one algorithm is better over many data sets, by sizes of differences.

    Hypothesis: see `bayesian_signed_rank_pairs`, of which this is the case of two vectors of paired scores.
    Formula: as there. Assumptions: as there. When not to use it: as there.

    References
    ----------
    Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). JMLR 18(77).
    https://jmlr.org/papers/v18/16-305.html (no DOI)

    Examples
    --------
    >>> result = bayesian_signed_rank([1, 2, 3, 4, 5, 6], [2, 4, 6, 5, 4, 9], rope=0.5, rng=1)
    >>> bool(result.a_better[0] > 0.9)
    True
    """
    return bayesian_signed_rank_pairs(
        paired_columns(a, b),
        rope=rope,
        prior=prior,
        prior_at=prior_at,
        higher_is_better=higher_is_better,
        keep_samples=keep_samples,
        n_samples=n_samples,
        rng=rng,
    )


def bayesian_signed_rank_pairs(
    scores: npt.ArrayLike,
    *,
    rope: float = 0.0,
    prior: float = 0.5,
    prior_at: str = "rope",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
    keep_samples: bool = False,
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
    keep_samples : bool, default False
        Keep the simulated shares in the result, for plotting.
    n_samples : int, default 50000
    rng : int or numpy.random.Generator, default 0

    Returns
    -------
    BayesianResult

    References
    ----------
    Benavoli, A., Mangili, F., Corani, G., Zaffalon, M. and Ruggeri, F. (2014). A Bayesian Wilcoxon
    signed-rank test based on the Dirichlet process. ICML, PMLR 32(2).
    https://proceedings.mlr.press/v32/benavoli14.html (no DOI)
    Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). JMLR 18(77).
    https://jmlr.org/papers/v18/16-305.html (no DOI)

    Examples
    --------
    >>> errors = [[0.10, 0.12, 0.30], [0.20, 0.21, 0.29], [0.15, 0.15, 0.28], [0.30, 0.33, 0.41]]
    >>> result = bayesian_signed_rank_pairs(errors, rope=0.01)
    >>> [bool(p > 0.95) for p in result.a_better]
    [False, True, True]
    """
    matrix, a, b, names = check_pairs(scores, control, algorithms)
    rope, prior = check_rope(rope), check_prior(prior, prior_at)
    differences = advantages(matrix, a, b, higher_is_better=higher_is_better)
    noise = rounding_noise(matrix, a, b)
    counts, samples = signed_rank_shares(
        differences,
        noise,
        rope=rope,
        prior=prior,
        place=(-np.inf, 0.0, np.inf)[PLACES[prior_at]],
        n_samples=check_count("n_samples", n_samples, usual=50_000),
        rng=np.random.default_rng(rng),
        keep=keep_samples,
    )
    probabilities = counts / n_samples
    if rope == 0.0 and prior_at == "rope":
        probabilities[(np.abs(differences) <= noise[:, None]).all(axis=1)] = (0.5, 0.0, 0.5)
    return result(
        (matrix, a, b, names),
        probabilities,
        binomial_error(counts, n_samples),
        rope=rope,
        prior=(prior, prior_at),
        method="Bayesian signed-rank test",
        n_samples=n_samples,
        samples=samples,
    )
