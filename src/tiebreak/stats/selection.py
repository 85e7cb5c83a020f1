"""Selection of the best mean, score less a trade for cost: how sure the choice is, and what the others lose."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.wording import Brief

DRAWS = 4000
MANY = 200
"""So many algorithms are very many."""
FEWEST_FOR_PROBABILITY = 5
"""With fewer data sets only the expected regret is stated."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Moments(Brief):
    """Means, centred, with the covariance of their errors; `groups` are the independent units behind them.

    `root` has one row per unit, and its product with itself is the covariance; None where no unit is known. `estimated`
    says that the covariance is that of independent units, so that errors follow Student's t and not the normal.
    """

    means: FloatArray
    covariance: FloatArray
    groups: int
    estimated: bool = False
    root: FloatArray | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Sample(Brief):
    """What an order by worth rests on.

    `scores` is (units, algorithms), higher is better; units are data sets, items or folds. `logs` is (costs, units or
    1, algorithms): log10 of the costs. Items have `clusters`, and of several benchmarks `strata`, with `weights` by
    which these count alike; scores vary around the means of each. `inflation`
    multiplies the variance of a mean of folds, which share training data (Nadeau and Bengio 2003). `covariance` is
    given where only means are known: totals of items, or strengths from votes; `scores` then has one row.
    """

    scores: FloatArray
    logs: FloatArray
    clusters: IntArray | None = None
    weights: FloatArray | None = None
    strata: IntArray | None = None
    inflation: float = 1.0
    covariance: FloatArray | None = None
    groups: int = 0

    @property
    def mean_scores(self) -> FloatArray:
        """The mean score of each algorithm."""
        return np.asarray(np.average(self.scores, axis=0, weights=self.weights))

    @property
    def mean_logs(self) -> FloatArray:
        """The mean log10 cost, (costs, algorithms)."""
        return np.asarray(self.logs.mean(axis=1))

    def values(self, trades: FloatArray) -> FloatArray:
        """Return the worth of each algorithm at these trades, one per cost."""
        return np.asarray(self.mean_scores - trades @ self.mean_logs)

    def moments(self, trades: FloatArray) -> Moments | None:
        """Return means and covariance of worth at these trades; None where nothing shows how it varies."""
        if self.covariance is not None:
            means = self.values(trades)
            return Moments(means=means - means.mean(), covariance=self.covariance, groups=self.groups)
        units = self.scores.shape[0]
        flat = np.ptp(self.scores, axis=1).max() <= 1e-12 * max(1.0, float(np.abs(self.scores).max()))
        if units < 2 or flat:  # scores that are all the same leave nothing to be sure of
            return None
        worth = self.scores - np.einsum(
            "c,cua->ua", trades, np.broadcast_to(self.logs, (*self.logs.shape[:1], *self.scores.shape))
        )
        centred = worth - worth.mean(axis=1, keepdims=True)
        weights = np.full(units, 1.0 / units) if self.weights is None else self.weights / self.weights.sum()
        strata = np.zeros(units, dtype=np.int64) if self.strata is None else self.strata
        shares = np.bincount(strata, weights=weights)
        centres = _summed(centred * weights[:, None], strata) / shares[:, None]
        errors, stratum = (centred - centres[strata]) * weights[:, None], strata
        if self.clusters is not None:
            count = int(self.clusters.max()) + 1
            errors, stratum = _summed(errors, self.clusters), np.zeros(count, dtype=np.int64)
            stratum[self.clusters] = strata
            if (stratum[self.clusters] != strata).any():  # clusters that reach over benchmarks tie these together
                stratum[:] = 0
        counts = np.bincount(stratum)
        if (counts[counts > 0] < 2).any():
            return None
        errors *= np.sqrt(self.inflation * counts / np.maximum(counts - 1, 1))[stratum][:, None]
        parts = np.bincount(stratum, weights=np.square(errors).sum(axis=1))
        df = float(counts.sum() - len(counts))
        if len(counts) > 1 and parts.any():  # Satterthwaite
            df = parts.sum() ** 2 / (parts**2 / np.maximum(counts - 1, 1)).sum()
        return Moments(
            means=weights @ centred,
            covariance=errors.T @ errors,
            groups=round(df) + 1,
            estimated=self.inflation == 1.0,
            root=errors,
        )


def _summed(rows: FloatArray, codes: IntArray) -> FloatArray:
    """Return the sums of rows that have the same code."""
    out = np.zeros((int(codes.max()) + 1, rows.shape[1]))
    np.add.at(out, codes, rows)
    return out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Certainty:
    """The probability that the first has the highest expected worth, and the expected regret of choosing it."""

    probability: float
    regret: float


def certainty(moments: Moments | None, *, first: int, seed: int = 0) -> Certainty | None:
    """Say how sure a first place is: normal errors, contenders shrunk a little towards their mean.

    Formula: rivals within two standard errors of the first are the contenders; their means shrink by the factor
    (2 + max(0, 1 - noise / variance)) / 3 towards their common mean, their errors by its square root; then the share
    of draws in which the first stays first, and the mean of what it falls short of the best. The regret is that of
    errors that follow Student's t where the covariance is estimated from independent units: with few data sets, normal
    errors state too little of it.

    Examples
    --------
    >>> moments = Moments(means=np.array([1.0, 0.0]), covariance=0.01 * np.eye(2), groups=20)
    >>> certainty(moments, first=0).probability
    1.0
    """
    if moments is None or len(moments.means) < 2:
        return None
    means, covariance = moments.means, moments.covariance
    contenders = _contenders(moments, first)
    factor, centre = _shrinkage(means, covariance, contenders)
    errors = _draws(moments, seed)
    scale = np.where(contenders, sqrt(factor), 1.0)
    centres = np.where(contenders, centre + factor * (means - centre), means)
    drawn = centres + scale * errors
    probability = float((drawn[:, first] >= drawn.max(axis=1)).mean())
    if moments.estimated:
        df = max(moments.groups - 1, 1)
        drawn = centres + scale * errors / np.sqrt(_chi_squared(df, seed) / df)[:, None]
    return Certainty(probability=probability, regret=float((drawn.max(axis=1) - drawn[:, first]).mean()))


def _contenders(moments: Moments, first: int) -> BoolArray:
    behind = moments.means[first] - moments.means
    return np.asarray(behind <= 2 * standard_errors(moments.covariance, first))


def standard_errors(covariance: FloatArray, first: int) -> FloatArray:
    """Return the standard error of the difference of every mean to one of them."""
    spread = covariance[first, first] + np.diag(covariance) - 2 * covariance[first]
    return np.asarray(np.sqrt(np.maximum(spread, 0.0)))


def _shrinkage(means: FloatArray, covariance: FloatArray, contenders: BoolArray) -> tuple[float, float]:
    count, values = int(contenders.sum()), means[contenders]
    if count < 2:
        return 1.0, float(values.mean())
    among = covariance[np.ix_(contenders, contenders)]
    noise = (np.trace(among) - among.sum() / count) / (count - 1)
    spread = float(values.var(ddof=1))
    value = max(0.0, 1.0 - float(noise) / spread) if spread > 0 else 0.0
    return (2.0 + value) / 3.0, float(values.mean())


def _draws(moments: Moments, seed: int) -> FloatArray:
    """Draw errors; the symmetric root of the covariance is unique, so that the order of rows draws no others.

    Of very many algorithms on fewer units the errors of these are combined, which takes a fraction of the time.
    """
    rng, root = np.random.default_rng(seed), moments.root
    if root is None or len(moments.means) < MANY or len(root) > len(moments.means):
        values, vectors = np.linalg.eigh(moments.covariance)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return np.asarray(rng.standard_normal((DRAWS, len(root))) @ root)


def _chi_squared(df: float, seed: int) -> FloatArray:
    return np.random.default_rng(seed + 1).chisquare(df, DRAWS)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Losses(Brief):
    """How much each algorithm scores below the best one, with an interval that holds for each row."""

    best: int
    value: FloatArray
    low: FloatArray
    high: FloatArray


def losses(sample: Sample, *, alpha: float = 0.05, seed: int = 0) -> Losses:
    """Return the loss in score against the best-scoring one; NaN ends where nothing shows how scores vary.

    The best of several is chosen by the same data, which flatters it: among contenders the half-width is that of the
    largest t statistic.
    """
    means = sample.mean_scores
    best = best_of(means, sample.mean_logs)
    value = np.maximum(means[best] - means, 0.0)
    moments = sample.moments(np.zeros(len(sample.logs)))
    if moments is None or len(means) < 2:
        unknown = np.where(np.arange(len(means)) == best, 0.0, np.nan)
        return Losses(best=best, value=value, low=unknown, high=unknown)
    errors = standard_errors(moments.covariance, best)
    df = max(moments.groups - 1, 1)
    width = float(special.stdtrit(df, 1 - alpha / 2))
    rivals = _contenders(moments, best) & (errors > 0)
    if rivals.sum() > 1:
        drawn = _draws(moments, seed)
        shift = (drawn - drawn[:, [best]])[:, rivals] / errors[rivals]
        largest = np.abs(shift).max(axis=1) / np.sqrt(_chi_squared(df, seed) / df)
        width = max(width, float(np.quantile(largest, 1 - alpha)))
    half = width * errors
    return Losses(best=best, value=value, low=np.maximum(value - half, 0.0), high=value + half)


def best_of(means: FloatArray, logs: FloatArray) -> int:
    """Return the best mean; of those that differ by the noise of rounding the cheapest, then the first."""
    top = float(means.max())
    best = np.flatnonzero(means >= top - 1e-12 * max(1.0, abs(top)))
    return int(best[np.argmin(np.round(logs.sum(axis=0)[best], 12))])


def ranked(values: FloatArray, scores: FloatArray, logs: FloatArray, names: tuple[str, ...]) -> IntArray:
    """Order by worth; equal worth by score, then by cost, then by name."""
    paid = logs.sum(axis=0) if len(logs) else np.zeros(len(names))
    size = max(1.0, float(np.abs(values).max(initial=0.0)))
    alphabet = np.argsort(np.argsort(np.array(names, dtype=object)))
    keys = [-np.round(values / size, 12), -np.round(scores / size, 12), np.round(paid, 12), alphabet]
    return np.asarray(np.lexsort(list(reversed(keys))), dtype=np.int64)
