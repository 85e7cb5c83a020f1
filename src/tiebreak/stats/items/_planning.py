"""How many items it takes to see a difference, and how small a difference so many items can show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf, sqrt

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray, check_alpha, check_within
from tiebreak.documents import Row
from tiebreak.errors import OptionError
from tiebreak.stats.numeric.differences import check_count
from tiebreak.stats.numeric.tails import half_binomial_lower
from tiebreak.stats.telling import Told, caveats_of
from tiebreak.wording import option

EXACT_UPTO = 4000
"""Up to so many expected items on which two models differ the power of McNemar's exact test is summed up."""
MOST = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemPlan(Told):
    """So many items show a difference with some power; `target` is the power asked for, `power` what is reached.

    `sd` is the standard deviation of the difference of the two on an item, `pairs` how many pairs are tested at once.
    """

    COLUMNS = ("difference", "n_items", "power", "target", "sd", "alpha", "pairs")

    difference: float
    n_items: int
    power: float
    target: float
    sd: float
    alpha: float
    pairs: int

    def title(self) -> str:
        """Say in one line what was asked and what the answer is."""
        return (
            f"{self.method}: {self.n_items:,} items show a difference of {self.difference:.4g} with power"
            f" {self.power:.2f} at alpha {self.alpha:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row: the difference, the number of items and the power."""
        return [self.columns()]


def power_of_items(
    difference: float,
    *,
    n_items: int,
    discordant: float | None = None,
    sd: float | None = None,
    alpha: float = 0.05,
    pairs: int = 1,
    design_effect: float = 1.0,
    cluster_size: float | None = None,
) -> float:
    """Return the probability that so many items show a difference of two models.

    Hypothesis: the power is that of a two-sided test of no difference.

    Formula: right and wrong answers, `discordant` the share q of items that exactly one of two models gets right: of m
    such items, binomial(n, q), the better one is right on binomial(m, (q + d) / 2q), and McNemar's exact test rejects;
    all added up to 4,000 expected m, by the normal distribution beyond. Other scores, `sd` the standard deviation s
    of their difference on an item: Phi(d sqrt(n) / s - z). With clusters n is divided by the design effect; where
    `cluster_size` k is told, the noncentral t distribution with n / k - 1 degrees of freedom takes the place of the
    normal one, since few clusters do not tell well how far they vary.

    Assumptions: items are independent but for the design effect, over whose clusters the difference is spread evenly;
    alpha is divided by `pairs`, as the smallest p-value is under Holm's correction.
    When not to use it: with the difference that was observed, to explain why a test did not reject.

    Parameters
    ----------
    difference : float
        Of the mean scores.
    n_items : int
    discordant : float, optional
        The share of items on which the answers of the two differ; it is at least `difference`.
    sd : float, optional
        For scores other than 0 and 1: the standard deviation of the difference of the two on an item.
    alpha : float, default 0.05
    pairs : int, default 1
        How many pairs are tested at once.
    design_effect : float, default 1
        The variance of the mean difference with clusters over that without.
    cluster_size : float, optional
        The number of items over that of clusters, counting as many as clusters of like size would be worth.

    Returns
    -------
    float

    References
    ----------
    connor1987, carter2017

    Examples
    --------
    >>> round(power_of_items(0.04, n_items=1000, discordant=0.2), 3)
    0.792
    """
    asked = _Asked.checked(difference, discordant, sd, 0.8, alpha, pairs, design_effect, cluster_size)
    return asked.power(abs(difference), check_count("n_items", n_items))


def items_needed(
    difference: float,
    *,
    discordant: float | None = None,
    sd: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    pairs: int = 1,
    design_effect: float = 1.0,
    cluster_size: float | None = None,
) -> ItemPlan:
    """Return how many items it takes to see a difference of two models.

    Hypothesis: as for `power_of_items`. Formula: the smallest number with which its power is reached.

    Assumptions and when not to use it: as for `power_of_items`.

    Parameters
    ----------
    difference, discordant, sd, alpha, pairs, design_effect, cluster_size
        As for `power_of_items`.
    power : float, default 0.8

    Returns
    -------
    ItemPlan

    References
    ----------
    connor1987

    Examples
    --------
    >>> items_needed(0.01, discordant=0.1).n_items
    8032
    """
    asked = _Asked.checked(difference, discordant, sd, power, alpha, pairs, design_effect, cluster_size)
    if difference == 0:
        raise OptionError(
            f"{option('difference')} is 0.",
            why="No number of items shows a difference that is not there.",
            mend=f"Name the smallest difference that would matter, such as {option(difference=0.01)}.",
        )

    count = first_count(lambda n: asked.power(abs(difference), n) >= asked.target)
    if count is None:
        raise OptionError(
            f"More than {MOST:,} items would be needed.",
            why="The difference is too small to be shown by items.",
            mend="Ask for a larger difference.",
        )
    return asked.plan(abs(difference), count)


def detectable_difference(
    n_items: int,
    *,
    discordant: float | None = None,
    sd: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    pairs: int = 1,
    design_effect: float = 1.0,
    cluster_size: float | None = None,
) -> ItemPlan:
    """Return the smallest difference of two models that so many items can show.

    Hypothesis: as for `power_of_items`. Formula: the difference at which its power is reached, by bisection; not above
    `discordant`, the most that so many items on which the two differ can make.

    Assumptions and when not to use it: as for `power_of_items`.

    Parameters
    ----------
    n_items, discordant, sd, alpha, pairs, design_effect, cluster_size
        As for `power_of_items`.
    power : float, default 0.8

    Returns
    -------
    ItemPlan
        Its difference is infinite where no difference can be shown.

    References
    ----------
    connor1987

    Examples
    --------
    >>> round(detectable_difference(500, discordant=0.2).difference, 4)
    0.0574
    """
    asked = _Asked.checked(0.0, discordant, sd, power, alpha, pairs, design_effect, cluster_size)
    count = check_count("n_items", n_items)
    low, high = 0.0, asked.most
    if asked.power(high, count) < asked.target:
        return asked.plan(inf, count)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if asked.power(middle, count) >= asked.target else (middle, high)
    return asked.plan(high, count)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What a plan is made for, checked: how far answers differ, and the test."""

    discordant: float | None
    sd: float
    target: float
    alpha: float
    pairs: int
    design_effect: float
    cluster_size: float | None

    @classmethod
    def checked(
        cls,
        difference: float,
        discordant: float | None,
        sd: float | None,
        power: float,
        alpha: float,
        pairs: int,
        design_effect: float,
        cluster_size: float | None,
    ) -> _Asked:
        return cls(
            discordant=discordant,
            sd=_spread(difference, discordant, sd),
            target=_check_power(power),
            alpha=check_alpha(alpha),
            pairs=check_count("pairs", pairs, usual=1),
            design_effect=_effect(design_effect),
            cluster_size=cluster_size if cluster_size is None else _size(cluster_size),
        )

    @property
    def most(self) -> float:
        """The largest difference that is looked for."""
        wide = 20.0 * self.sd * max(1.0, sqrt(self.design_effect))
        return wide if self.discordant is None else float(self.discordant)

    def power(self, difference: float, count: int) -> float:
        """Return the power that so many items have to show a difference."""
        level = self.alpha / self.pairs
        if self.cluster_size is not None:
            shift = difference * sqrt(count / self.design_effect) / self.sd
            return _power_by_t(shift, count / self.cluster_size - 1.0, level)
        return _power(difference, count, self.discordant, self.sd, level, self.design_effect)

    def plan(self, difference: float, count: int) -> ItemPlan:
        """Write the plan; an infinite difference means that none can be shown."""
        none = f"{count} items cannot show any difference with power {self.target:g}, however large."
        clusters = "" if self.design_effect == 1.0 else f", design effect {self.design_effect:.3g}"
        return ItemPlan(
            difference=difference,
            n_items=count,
            power=self.power(min(difference, self.most), count),
            target=self.target,
            sd=self.sd,
            alpha=self.alpha,
            pairs=self.pairs,
            method=("Paired test of items" if self.discordant is None else "McNemar's exact test") + clusters,
            caveats=caveats_of((difference == inf, "few-items", none)),
        )


def first_count(reached: Callable[[int], bool]) -> int | None:
    """Return the smallest number for which something holds that goes on to hold; None beyond a billion."""
    high = 1
    while not reached(high):
        high *= 2
        if high > MOST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def _power(
    difference: float, count: int, discordant: float | None, sd: float, alpha: float, design_effect: float
) -> float:
    """Return the power; clusters leave as many items as their number over the design effect is worth."""
    n = count / design_effect
    if discordant is not None and n * discordant <= EXACT_UPTO:
        return _exact_power(difference, max(1, int(n)), discordant, alpha)
    spread = sqrt(max(sd**2 - difference**2, 0.0)) if discordant is not None else sd
    z = float(-special.ndtri(alpha / 2.0)) * sd  # under the hypothesis the variance is the share itself (Connor 1987)
    if spread == 0.0:
        return float(difference * sqrt(n) > z)
    return float(special.ndtr((difference * sqrt(n) - z) / spread))


def _power_by_t(shift: float, df: float, alpha: float) -> float:
    """Return the power of a two-sided t test; the noncentral t by the normal (Abramowitz and Stegun, 26.7.10)."""
    if df < 1.0:
        return 0.0
    t = float(special.stdtrit(df, 1.0 - alpha / 2.0))
    return float(special.ndtr((shift - t * (1.0 - 1.0 / (4.0 * df))) / sqrt(1.0 + t**2 / (2.0 * df))))


def _exact_power(difference: float, n: int, discordant: float, alpha: float) -> float:
    """Add up over the numbers m of items on which the two differ."""
    middle, reach = n * discordant, 8.0 * sqrt(n * discordant * (1.0 - discordant)) + 2.0
    m = np.arange(max(0, int(middle - reach)), min(n, ceil(middle + reach)) + 1.0)
    logs = special.gammaln(n + 1.0) - special.gammaln(m + 1.0) - special.gammaln(n - m + 1.0)
    logs = logs + special.xlogy(m, discordant) + special.xlog1py(n - m, -discordant)
    better = min(1.0, (discordant + difference) / (2.0 * discordant)) if discordant > 0 else 0.5
    most = _critical(m, alpha)  # so few of the m for one side, or fewer, reject
    rejects = _at_most(most, m, 1.0 - better) + _at_most(most, m, better)
    return float(min(1.0, (np.exp(logs) * rejects).sum()))


def _at_most(k: FloatArray, m: FloatArray, share: float) -> FloatArray:
    """P(X <= k) for X binomial(m, share); 0 where k is negative."""
    inside = special.betainc(np.maximum(m - k, 1.0), np.maximum(k, 0.0) + 1.0, 1.0 - share)
    return np.where(k < 0, 0.0, np.where(k >= m, 1.0, inside))


def _critical(m: FloatArray, alpha: float) -> FloatArray:
    """Return the largest k with 2 P(X <= k) <= alpha for X binomial(m, 1/2); -1 where there is none."""
    k = np.floor(m / 2.0 + special.ndtri(alpha / 2.0) * np.sqrt(np.maximum(m, 1.0)) / 2.0) + 2.0
    k = np.minimum(k, np.floor(m / 2.0))
    for _ in range(8):
        over = (k >= 0) & (2.0 * half_binomial_lower(np.maximum(k, 0.0), m) > alpha)
        k = np.where(over, k - 1.0, k)
    return np.where((k >= 0) & (2.0 * half_binomial_lower(np.maximum(k, 0.0), m) <= alpha), k, -1.0)


def _spread(difference: float, discordant: float | None, sd: float | None) -> float:
    """Return the standard deviation of the difference on an item under the hypothesis."""
    if (discordant is None) == (sd is None):
        raise OptionError(
            f"{'Neither discordant nor sd was' if sd is None else 'Both discordant and sd were'} given.",
            why="How far answers of two models differ decides how many items it takes.",
            mend=f"For right and wrong answers give {option(discordant=0.2)}, for other scores {option(sd=0.4)}.",
        )
    if sd is not None:
        why = "It is the standard deviation of the difference of two models on an item."
        return check_within(option("sd"), sd, 0.0, inf, why=why, mend=f"Use {option(sd=0.4)}.")
    assert discordant is not None
    why = "It is the share of items that exactly one of two models gets right, at least the difference."
    mend = f"Use {option(discordant=0.2)}, or a smaller difference."
    low, top = abs(difference), 1.0 + 1e-12
    return sqrt(check_within(option("discordant"), discordant, max(low, 1e-12) - 1e-12, top, why=why, mend=mend))


def _check_power(power: float) -> float:
    why = "It is the probability to see the difference, strictly between 0 and 1."
    return check_within(option("power"), power, 0.0, 1.0, why=why, mend=f"Use {option(power=0.8)}.")


def _effect(design_effect: float) -> float:
    why = "It is the variance with clusters over that of independent items."
    return check_within(option("design_effect"), design_effect, 0.0, inf, why=why, mend="Use 1 without clusters.")


def _size(cluster_size: float) -> float:
    why = "It is the number of items over that of clusters."
    return check_within("cluster_size", cluster_size, 0.0, inf, why=why, mend="Leave it out without clusters.")
