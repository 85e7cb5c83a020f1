"""A race of algorithms on new data: the prior from past results, what to fit next, which one is best, how surely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtr

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.advisor.rankings.portfolios import filled
from tiebreak.wording import Brief

WORST = 0.10
"""Losses count up to ten points: how far behind a hopeless algorithm is says nothing about the others."""
MOST = 8
"""So many algorithms are piloted."""
LEAST_SECONDS = 0.05
"""A fit takes at least so long, whatever is predicted: starting it costs that much."""
LEAST_SPREAD = 0.005
"""A variant of an algorithm may be so far from it at least, however alike two algorithms of the base are."""
NEAR = 20
"""Data sets beyond the twentieth neighbour have no weight of their own."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Prior(Brief):
    """Expected score of every algorithm relative to the best one, and the covariance."""

    mean: FloatArray
    covariance: FloatArray


def charge(accd: float, seconds: FloatArray | float) -> FloatArray:
    """Return what seconds cost in score by a trade: AccD log10(seconds), of `LEAST_SECONDS` at least.

    Examples
    --------
    >>> charge(0.01, np.array([0.1, 100.0])).tolist()
    [-0.01, 0.02]
    """
    return np.asarray(accd * np.log10(np.maximum(seconds, LEAST_SECONDS)))


def distance_weights(distance: FloatArray) -> FloatArray:
    """Return the weight of every data set: half of it equal for all, half by nearness; the weights sum to 1.

    w_d = 1/(2n) + k_d / (2 sum k), k_d = max(0, 1 - (distance_d / distance of the 20th)^2) + 0.001. Without finite
    distances all count alike.

    Examples
    --------
    >>> distance_weights(np.array([0.0, 1.0])).round(3).tolist()
    [0.75, 0.25]
    """
    if not np.isfinite(distance).all():
        return np.full(len(distance), 1 / len(distance))
    radius = np.sort(distance)[min(NEAR, len(distance)) - 1]
    near = np.maximum(0.0, 1.0 - (distance / radius) ** 2) if radius > 0 else np.ones(len(distance))
    kernel = near + 0.001
    return np.asarray(0.5 / len(distance) + 0.5 * kernel / kernel.sum())


def losses(scores: FloatArray) -> FloatArray:
    """Return how far every algorithm lies behind the best of its data set, at most ten points; gaps filled."""
    whole = filled(scores)
    return np.asarray(np.maximum(whole - whole.max(axis=1, keepdims=True), -WORST))


def prior_from(scores: FloatArray, weights: FloatArray) -> Prior:
    """Return the prior of scores (data sets, algorithms), higher is better, NaN where one is missing.

    m = sum w D; S = weighted covariance of D with half of its off-diagonal part, which keeps chance correlations of few
    data sets from speaking for algorithms that were not fitted.

    Examples
    --------
    >>> result = prior_from(np.array([[0.9, 0.8], [0.7, 0.75]]), np.array([0.5, 0.5]))
    >>> result.mean.round(3).tolist(), result.covariance.round(6).tolist()
    ([-0.025, -0.05], [[0.000625, -0.000625], [-0.000625, 0.0025]])
    """
    behind = losses(scores)
    mean = weights @ behind
    apart = behind - mean
    covariance = (weights[:, None] * apart).T @ apart
    return Prior(mean=mean, covariance=covariance / 2 + np.diag(np.diag(covariance)) / 2)


def greedy_list(scores: FloatArray, weights: FloatArray, may: BoolArray, most: int = MOST) -> tuple[int, ...]:
    """Return the places of algorithms to pilot: each next one adds most to the best of those before it.

    Only algorithms that `may` be fitted are listed. The losses are those of the prior, so that they count up to ten
    points. Of equals the better one on average comes first, then the earlier.

    Examples
    --------
    >>> scores = np.array([[0.90, 0.89, 0.80], [0.90, 0.88, 0.81], [0.80, 0.81, 0.89]])
    >>> greedy_list(scores, np.full(3, 1 / 3), np.ones(3, dtype=bool))
    (0, 2, 1)
    """
    behind = losses(scores)
    mean, best = weights @ behind, np.full(len(behind), -np.inf)
    chosen: list[int] = []
    left = [int(place) for place in np.flatnonzero(may)]
    while left and len(chosen) < most:
        worth = {place: round(float(weights @ np.maximum(best, behind[:, place])), 12) for place in left}
        place = max(left, key=lambda item: (worth[item], round(float(mean[item]), 12), -item))
        best = np.maximum(best, behind[:, place])
        chosen.append(place)
        left.remove(place)
    return tuple(chosen)


def fit_noise(folds: FloatArray) -> float:
    """Return the median over data sets of the variance of a fold's score beyond algorithm and fold.

    `folds` is (data sets, algorithms, folds); a data set counts with the algorithms measured on all folds that any was
    measured on. NaN where no data set has two of each.

    Examples
    --------
    >>> fit_noise(np.array([[[0.9, 0.8], [0.7, 0.7]]])).__round__(6)
    0.0025
    """
    result = []
    for table in folds:
        table = table[:, np.isfinite(table).any(axis=0)]
        table = table[np.isfinite(table).all(axis=1)]
        if min(table.shape) < 2:
            continue
        rest = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
        result.append(float((rest**2).sum() / ((table.shape[0] - 1) * (table.shape[1] - 1))))
    return float(np.median(result)) if result else float("nan")


def auc_variance(area: float, rows: int, share: float) -> float:
    """Return the variance of an AUC on so many rows, a `share` of them in the smaller class: Hanley and McNeil 1982.

    Examples
    --------
    >>> round(auc_variance(0.5, 100, 0.5) ** 0.5, 3), round(auc_variance(0.95, 100, 0.5) ** 0.5, 3)
    (0.058, 0.023)
    """
    ups = max(1.0, rows * share)
    downs = max(1.0, rows - ups)
    one, other = area / (2 - area), 2 * area**2 / (1 + area)  # two of the one outrank one of the other, and vice versa
    pairs = area * (1 - area) + (ups - 1) * (one - area**2) + (downs - 1) * (other - area**2)
    return pairs / (ups * downs)


FOLDS = 5
"""Folds of a pilot: no algorithm is fitted on more."""
DRAWS = 4000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Posterior(Brief):
    """What is believed of the algorithms after some fits.

    `mean` and `covariance` are of (algorithms..., folds..., level): scores relative to the best algorithm, effects of
    folds, and the score of the best. `noise` is the variance of one fold's score. Before the first fit (`started` is
    false) nothing is known of the level, and its entries are 0.
    """

    mean: FloatArray
    covariance: FloatArray
    noise: float
    algorithms: int
    started: bool

    @property
    def relative(self) -> FloatArray:
        """The expected score of every algorithm relative to the best one."""
        return self.mean[: self.algorithms]

    def score(self) -> FloatArray:
        """Return the expected score of every algorithm on these data; NaN before the first fit.

        One that lies far behind is expected `WORST` behind: `Race.expected` has what was measured in its place.
        """
        return self.relative + self.mean[-1] if self.started else np.full(self.algorithms, np.nan)

    def best(self, among: tuple[int, ...]) -> int:
        """Return the algorithm with the largest expected score; the earlier of equals."""
        return max(among, key=lambda place: (round(float(self.mean[place]), 12), -among.index(place)))

    def loss(self, chosen: int, among: tuple[int, ...], seed: int = 0) -> tuple[float, float]:
        """Return the expected loss of an algorithm against the best of `among`, and its 90 % point (or the mean)."""
        places = list(dict.fromkeys((chosen, *among)))
        covariance = self.covariance[np.ix_(places, places)]
        values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        drawn = self.mean[places] + np.random.default_rng(seed).standard_normal((DRAWS, len(places))) @ root.T
        lost = drawn.max(axis=1) - drawn[:, 0]
        mean = float(lost.mean())
        return mean, max(mean, float(np.quantile(lost, 0.9)))

    def gains(self, place: int, fold: int, among: tuple[int, ...]) -> float:
        """Return the knowledge gradient of one more fit: by how much it is expected to raise the best expected score.

        E max_j(mu_j + s_j Z) - max_j mu_j with Z standard normal, and s the covariance of mu with the score that the
        fit will have, over its standard deviation.
        """
        if not self.started:
            return 0.0
        row = self.covariance[place] + self.covariance[self.algorithms + fold] + self.covariance[-1]
        variance = row[place] + row[self.algorithms + fold] + row[-1] + self.noise
        if variance <= 0:
            return 0.0
        names = list(among)
        return _expected_rise(self.mean[names], row[names] / np.sqrt(variance))


def _expected_rise(height: FloatArray, slope: FloatArray) -> float:
    """Return E max_j (height_j + slope_j Z) - max_j height_j, Z standard normal, exactly.

    Of the upper envelope of the lines each corner c adds (change of slope) x (phi(c) - |c| Phi(-|c|)): Frazier, Powell
    and Dayanik 2009, section 4.

    Examples
    --------
    >>> round(_expected_rise(np.array([0.0, 0.0]), np.array([0.0, 1.0])), 6)
    0.398942
    """
    order = np.lexsort((height, slope))
    lines: list[int] = []
    corners: list[float] = []
    for item in order.tolist():
        while lines:
            last = lines[-1]
            steeper = slope[item] - slope[last]
            at = float((height[last] - height[item]) / steeper) if steeper > 0 else -np.inf  # the later is not lower
            if at > (corners[-1] if corners else -np.inf):
                corners.append(at)
                break
            lines.pop()
            if corners:
                corners.pop()
        lines.append(item)
    c = np.abs(np.array(corners))
    density = np.exp(-0.5 * c**2) / np.sqrt(2 * np.pi)
    return float(np.diff(slope[lines]) @ (density - c * ndtr(-c)))


@dataclass(slots=True, kw_only=True)
class Race:
    """The state of a pilot.

    Model of the score of algorithm a on fold f: y(a, f) = level + mu_a + g_f + e, with mu ~ N(prior), level flat,
    g_f ~ N(0, s0) and e ~ N(0, s2). For accuracy s0 = 0.7 p (1 - p) / rows of a fold, p the mean pilot accuracy; for
    an AUC 0.7 of its variance at p (`auc_variance`); for other measures `noise` is s0.
    s2 = (10 s0 + RSS) / (10 + df) from the residuals of algorithm + fold.

    With a trade `accd`, y is score - AccD log10(seconds), with the seconds that the fit took, and the prior is of the
    same (see `charge`); nothing else changes.

    Parameters
    ----------
    prior : Prior
        Of all algorithms that are ranked.
    listed : tuple of int
        The algorithms to pilot, the first one first.
    seconds : FloatArray
        The predicted seconds of one fit of every algorithm.
    rows : int
        Rows that a fold is measured on.
    noise : float, optional
        The variance of one fold's score where it is neither accuracy nor AUC.
    share : float, optional
        Of an AUC: the share of the rows in the smaller of the two classes, or in the mean one of several.
    accd : float, default 0
        The score that is traded for ten times the speed.

    References
    ----------
    frazier2009
    hanley1982
    """

    prior: Prior
    listed: tuple[int, ...]
    seconds: FloatArray
    rows: int = 100
    noise: float | None = None
    share: float | None = None
    folds: int = FOLDS
    accd: float = 0.0
    measured: list[tuple[int, int, float]] = field(default_factory=list)
    failed: set[int] = field(default_factory=set)
    charged: dict[tuple[int, int], float] = field(default_factory=dict)
    variants: dict[int, int] = field(default_factory=dict)
    _held: tuple[int, Posterior] | None = None

    def enter(self, place: int, seconds: float) -> None:
        """Take up a variant of an algorithm, of which past results say nothing, after all others.

        Its score is that of the algorithm + N(0, s2): it enters with the algorithm's posterior mean. s2 is the variance
        in the base of the difference to the algorithm most like it; of the covariance `prior_from` keeps half.
        """
        covariance, grown = self.prior.covariance, [*range(len(self.prior.mean)), place]
        diagonal = covariance.diagonal()
        others = [item for item in grown if item != place and item not in self.variants]
        apart = (diagonal[place] + diagonal - 4 * covariance[place])[others]
        covariance = covariance[np.ix_(grown, grown)]
        covariance[-1, -1] += max(LEAST_SPREAD**2, apart.min(initial=WORST**2))
        self.prior = Prior(mean=self.prior.mean[grown], covariance=covariance)
        self.seconds = np.append(self.seconds, seconds)
        self.variants[len(grown) - 1] = place
        self.listed += (len(grown) - 1,)
        self._held = None

    def add(self, place: int, fold: int, score: float, seconds: float | None = None) -> None:
        """Take up the score of a finished fit, and with a trade the seconds that it took."""
        if self.accd and seconds is not None:
            self.charged[place, fold] = float(charge(self.accd, seconds))
            score -= self.charged[place, fold]
        self.measured.append((place, fold, score))

    def charges(self) -> FloatArray:
        """Return what every algorithm's time costs in score: its measured seconds, else the predicted ones."""
        out = charge(self.accd, self.seconds)
        for place in self.fitted:
            out[place] = np.mean([self.charged.get((p, fold), 0.0) for p, fold, _ in self.measured if p == place])
        return out

    def replace(self, place: int, scores: Mapping[int, float], seconds: float | None = None) -> None:
        """Take the scores of an algorithm by fold, and the seconds of each fit, in place of those before."""
        self.measured = [item for item in self.measured if item[0] != place]
        for fold, score in scores.items():
            self.add(place, fold, score, seconds)
        self._held = None

    def fail(self, place: int) -> None:
        """Leave an algorithm out that could not be fitted; its finished folds go with it."""
        self.failed.add(place)
        self.measured = [item for item in self.measured if item[0] != place]
        self._held = None

    def scores(self) -> FloatArray:
        """Return the measured scores, at most `WORST` behind the best: the prior knows no larger losses."""
        values = np.array([score for _, _, score in self.measured])
        return np.maximum(values, values.max() - WORST) if len(values) else values

    def expected(self) -> FloatArray:
        """Return the expected score of every algorithm; of one that lies farther behind than `WORST` the measured."""
        value = self.posterior().score()
        for place in self.fitted:
            mean = float(np.mean([score for item, _, score in self.measured if item == place]))
            value[place] = mean if mean < np.nanmax(value) - WORST else value[place]
        return np.asarray(np.minimum(value + self.charges(), 1.0))

    def loss(self, chosen: int) -> tuple[float, float]:
        """Return the expected loss of an algorithm against the best of the list, and its 90 % point.

        No success rate is above 1: without a trade at most what is missing to that is lost, by as many rows as it was
        measured on, with one more row right and one more wrong.
        """
        mean, most = self.posterior().loss(chosen, self.alive)
        folds = sum(place == chosen for place, _, _ in self.measured)
        if not folds or self.accd:
            return mean, most
        count = folds * self.rows
        missing = 1.0 - (float(self.expected()[chosen]) * count + 1) / (count + 2)
        return min(mean, max(missing, 0.0)), min(most, max(missing, 0.0))

    @property
    def alive(self) -> tuple[int, ...]:
        """The algorithms of the list that did not fail."""
        return tuple(place for place in self.listed if place not in self.failed)

    @property
    def fitted(self) -> tuple[int, ...]:
        """The algorithms with a finished fold, in the order of the list."""
        done = {place for place, _, _ in self.measured}
        return tuple(place for place in self.listed if place in done)

    def next_fold(self, place: int) -> int:
        """Return the first fold that an algorithm was not fitted on; all take them in the same order."""
        done = {fold for item, fold, _ in self.measured if item == place}
        return next((fold for fold in range(self.folds) if fold not in done), self.folds)

    def next_fit(self, most: float = np.inf) -> tuple[int, int] | None:
        """Return the algorithm and fold to fit next, of those that take at most so many seconds; None when done.

        The first of the list comes first; then the largest knowledge gradient per predicted second. Of equals the
        earlier in the list.
        """
        rate = {p: item for p, item in self.rates().items() if max(self.seconds[p], LEAST_SECONDS) <= most}
        if not rate:
            return None
        best = max(rate.values())
        place = next(p for p in rate if rate[p] >= best * (1 - 1e-9))
        return place, self.next_fold(place)

    def rates(self) -> dict[int, float]:
        """Return the knowledge gradient per second of one more fit of every algorithm with folds left; 0 at first."""
        now, left = self.posterior(), [p for p in self.alive if self.next_fold(p) < self.folds]
        took = np.maximum(self.seconds, LEAST_SECONDS)
        return {p: now.gains(p, self.next_fold(p), self.alive) / float(took[p]) for p in left}

    def variances(self) -> tuple[float, float]:
        """Return the variances of fold effects and of single scores: s0 and s2."""
        scores = self.scores()
        if self.noise is not None:
            base = self.noise
        else:  # shrunk a little from 0 and 1, where a few rows would promise certainty
            time = np.mean([self.charged.get((place, fold), 0.0) for place, fold, _ in self.measured] or [0.0])
            p = ((scores.mean() + time) * self.rows + 1) / (self.rows + 2) if len(scores) else 0.5
            one = p * (1 - p) / self.rows if self.share is None else auc_variance(float(p), self.rows, self.share)
            base = 0.7 * one
        if not len(scores):
            return base, base
        places = sorted({place for place, _, _ in self.measured})
        folds = sorted({fold for _, fold, _ in self.measured})
        design = np.zeros((len(scores), len(places) + len(folds)))
        for i, (place, fold, _) in enumerate(self.measured):
            design[i, places.index(place)] = design[i, len(places) + folds.index(fold)] = 1.0
        fit, _, rank, _ = np.linalg.lstsq(design, scores, rcond=None)
        df = len(scores) - int(rank)
        rss = float(((scores - design @ fit) ** 2).sum())
        return base, (10 * base + rss) / (10 + df)

    def posterior(self) -> Posterior:
        """Return what is believed now: universal kriging of the scores, with an unknown level."""
        if self._held is not None and self._held[0] == len(self.measured):
            return self._held[1]
        count, folds = len(self.prior.mean), self.folds
        fold_variance, noise = self.variances()
        before = np.zeros((count + folds, count + folds))
        before[:count, :count] = self.prior.covariance
        before[count:, count:] = fold_variance * np.eye(folds)
        mean = np.concatenate([self.prior.mean, np.zeros(folds + 1)])
        covariance = np.zeros((count + folds + 1,) * 2)
        covariance[:-1, :-1] = before
        if self.measured:
            mean, covariance = self._conditioned(mean[:-1], before, noise)
        posterior = Posterior(
            mean=mean, covariance=covariance, noise=noise, algorithms=count, started=bool(self.measured)
        )
        self._held = len(self.measured), posterior
        return posterior

    def _conditioned(self, mean: FloatArray, before: FloatArray, noise: float) -> tuple[FloatArray, FloatArray]:
        """Condition on the scores; the level, flat, is estimated by generalised least squares and comes last."""
        count = len(self.prior.mean)
        rows = np.arange(len(self.measured))
        design = np.zeros((len(rows), len(mean)))
        design[rows, [place for place, _, _ in self.measured]] = 1.0
        design[rows, [count + fold for _, fold, _ in self.measured]] = 1.0
        scores = self.scores()
        cross = before @ design.T
        gram = design @ cross + noise * np.eye(len(rows))
        ones = np.ones(len(rows))
        solved = np.linalg.solve(gram, np.column_stack([ones, scores - design @ mean, cross.T]))
        weight = float(ones @ solved[:, 0])
        level = float(ones @ solved[:, 1]) / weight
        current = mean + cross @ (solved[:, 1] - level * solved[:, 0])
        lever = cross @ solved[:, 0]
        covariance = np.empty((len(mean) + 1,) * 2)
        covariance[:-1, :-1] = before - cross @ solved[:, 2:] + np.outer(lever, lever) / weight
        covariance[-1, :-1] = covariance[:-1, -1] = -lever / weight
        covariance[-1, -1] = 1 / weight
        return np.append(current, level), covariance


ENOUGH = 0.01
"""A pilot ends as soon as the expected loss is below one point."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Answer(Brief):
    """The answer at one moment of a race: the algorithm, its stated loss (mean and 90 % point), seconds and fits."""

    place: int
    loss: float
    most: float
    seconds: float
    fits: int


def replay(
    race: Race, folds: FloatArray, seconds: FloatArray, budgets: Sequence[float], *, enough: float = ENOUGH
) -> list[Answer]:
    """Race on stored folds (algorithms, folds) with their seconds, and return the answer at every budget.

    A fit that would end after the budget does not count. The race ends early when the expected loss is below `enough`.

    Examples
    --------
    >>> from tiebreak.advisor.pilot.race import Prior
    >>> prior = Prior(mean=np.array([-0.02, -0.03]), covariance=np.diag([0.0009, 0.0009]))
    >>> race = Race(prior=prior, listed=(0, 1), seconds=np.array([1.0, 1.0]), rows=500)
    >>> folds = np.array([[0.80, 0.81], [0.90, 0.91]])
    >>> [item.place for item in replay(race, folds, np.ones((2, 2)), [0, 1, 2])]
    [0, 0, 1]
    """
    spent, out = 0.0, []
    for budget in sorted(budgets):
        while True:
            now = race.posterior()
            if race.measured and race.loss(now.best(race.alive))[0] < enough:
                break
            following = race.next_fit()
            if following is None or following[1] >= folds.shape[1]:
                break
            place, fold = following
            if not np.isfinite(folds[place, fold]):
                race.fail(place)
                continue
            if spent + seconds[place, fold] > budget:
                break
            spent += float(seconds[place, fold])
            race.add(place, fold, float(folds[place, fold]))
        now = race.posterior()
        best = now.best(race.alive)
        mean, most = race.loss(best)
        out.append(Answer(place=best, loss=mean, most=most, seconds=spent, fits=len(race.measured)))
    return out
