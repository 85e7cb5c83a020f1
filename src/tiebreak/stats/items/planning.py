"""How many items show a difference, or that a candidate is good enough, and how small a difference so many show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf, log, sqrt
from typing import Any

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray, check_alpha, check_within
from tiebreak.caveats import caveats_of
from tiebreak.documents import Row
from tiebreak.errors import OptionError
from tiebreak.stats.items.anytime import BetPair
from tiebreak.stats.items.flips import tilted_tail
from tiebreak.stats.items.non_inferiority import CountedPair, MarginPair, TotalsPair, UnitPair
from tiebreak.stats.items.proportions import Border, PairedCounts, largest_tail
from tiebreak.stats.numeric.basics import check_count, half_binomial_lower
from tiebreak.stats.results import Told
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
    options = _asked(difference, 0.8, discordant, sd, alpha, pairs, design_effect, cluster_size)
    return options.power(abs(difference), check_count("n_items", n_items))


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
    options = _asked(difference, power, discordant, sd, alpha, pairs, design_effect, cluster_size)
    if difference == 0:
        raise OptionError(
            f"{option('difference')} is 0.",
            mend=f"Name the smallest difference that would matter, such as {option(difference=0.01)}.",
        )

    count = first_count(lambda n: options.power(abs(difference), n) >= options.target)
    if count is None:
        raise OptionError(f"More than {MOST:,} items would be needed.", mend="Ask for a larger difference.")
    return options.plan(abs(difference), count)


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
    options = _asked(0.0, power, discordant, sd, alpha, pairs, design_effect, cluster_size)
    count = check_count("n_items", n_items)
    low, high = 0.0, options.most
    if options.power(high, count) < options.target:
        return options.plan(inf, count)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if options.power(middle, count) >= options.target else (middle, high)
    return options.plan(high, count)


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
            mend=f"For right and wrong answers give {option(discordant=0.2)}, for other scores {option(sd=0.4)}.",
        )
    if sd is not None:
        return check_within(option("sd"), sd, 0.0, inf, mend=f"Use {option(sd=0.4)}.")
    assert discordant is not None
    mend = f"Use {option(discordant=0.2)}, or a smaller difference."
    low, top = abs(difference), 1.0 + 1e-12
    return sqrt(check_within(option("discordant"), discordant, max(low, 1e-12) - 1e-12, top, mend=mend))


def _asked(
    difference: float, power: float, discordant: float | None, sd: float | None, alpha: float, pairs: int, *spread: Any
) -> _Asked:
    """Check what a plan is made for; `spread` is the design effect and the size of clusters."""
    effect, size = spread
    target = check_within(option("power"), power, 0.0, 1.0, mend=f"Use {option(power=0.8)}.")
    effect = check_within(option("design_effect"), effect, 0.0, inf, mend="Use 1 without clusters.")
    if size is not None:
        size = check_within("cluster_size", size, 0.0, inf, mend="Leave it out without clusters.")
    return _Asked(
        discordant=discordant,
        sd=_spread(difference, discordant, sd),
        target=target,
        alpha=check_alpha(alpha),
        pairs=check_count("pairs", pairs, usual=1),
        design_effect=effect,
        cluster_size=size,
    )


SMALL = 2_000
"""Up to so many items the critical value of the exact test is found, beyond it is the normal one."""


def items_to_show(
    pair: MarginPair | BetPair, margin: float, *, alpha: float = 0.05, power: float = 0.8, truth: float = 0.0
) -> float:
    """Return how many items show with some power that a candidate is worse by less than a margin.

    `truth` is by how much it is taken to be worse, below the margin: not at all unless told. Answers are taken to
    differ as often, and clusters to hang together, as they were seen to. Infinite where more than a billion would be
    needed.

    Examples
    --------
    >>> items_to_show(CountedPair(lost=20, won=10, n=300, reference=0.7), 0.02)
    1594
    """
    if isinstance(pair, CountedPair):
        return _counted(pair, margin, alpha, power, truth)
    if isinstance(pair, TotalsPair):
        share = (pair.passed + pair.own) / (pair.n + pair.n_own)
        spread = max(share * (1.0 - share), 1.0 / pair.n_items)
        return ceil(2.0 * spread * _sum_of_quantiles(alpha, power) ** 2 / (margin - truth) ** 2)
    enough = _bets_reach if isinstance(pair, BetPair) else _tail_reaches
    held = pair.n_units / pair.n_items

    def reached(count: int) -> bool:
        return enough(pair, margin, count * held, alpha, power, truth)  # type: ignore[arg-type]

    number = first_count(reached)
    return inf if number is None else number


def _sum_of_quantiles(alpha: float, power: float) -> float:
    return float(-special.ndtri(alpha) - special.ndtri(1.0 - power))


def _counted(pair: CountedPair, margin: float, alpha: float, power: float, truth: float) -> float:
    """Begin with the normal approximation, and go on until the exact power is reached."""
    share = max((pair.lost + pair.won) / pair.n, truth)
    lost, won = (share + truth) / 2.0, (share - truth) / 2.0
    count = max(
        ceil(log(alpha) / log(1.0 - min(margin, 0.999))),  # even where nothing ever differs
        ceil(share * _sum_of_quantiles(alpha, power) ** 2 / (margin - truth) ** 2),
    )
    while count <= 10 * SMALL and chance_to_show(count, lost, won, margin, alpha) < power:
        count = ceil(count * 1.03 + 1)
    return count


def chance_to_show(n: int, lost: float, won: float, margin: float, alpha: float) -> float:
    """Return the power of the exact test where items are lost and won with such chances."""
    counts = PairedCounts(n=n, margin=margin)
    upto = float(special.ndtri(alpha))
    if n <= SMALL and largest_tail(counts, upto) > alpha:
        low, high = upto - 0.5, upto
        for _ in range(6):
            middle = (low + high) / 2.0
            low, high = (middle, high) if largest_tail(counts, middle) <= alpha else (low, middle)
        upto = low
    return float(Border.of(counts, upto).chance(np.array([won]), np.array([lost]))[0])


def _tail_reaches(pair: UnitPair, margin: float, draws: float, alpha: float, power: float, truth: float) -> bool:
    """Say whether a sample as unlucky as the power allows shows it; its units are those seen, made equal in mean."""
    if draws < 2:
        return False
    level = pair.gains + (pair.shortfall - truth) * pair.sizes
    spread = float(np.std(level))
    unlucky = -float(special.ndtri(power)) * spread / sqrt(draws)
    parts = level + margin * pair.sizes + unlucky * pair.sizes / float(pair.sizes.mean())
    shrink = len(pair.gains) / draws  # more units make each, and half a step, weigh less
    tail = tilted_tail(parts, worst=pair.worst(margin), half=pair.step / 2.0 * shrink, draws=draws)
    return tail <= alpha


def _bets_reach(pair: BetPair, margin: float, draws: float, alpha: float, power: float, truth: float) -> bool:
    """Say the same of bets: what each share of the stake makes of an unlucky sample."""
    level = pair.gains + (pair.shortfall - truth) * pair.sizes
    stakes = pair.stakes(margin)
    logs = np.log1p(np.outer(stakes, np.maximum(level + margin * pair.sizes, -0.999 / stakes.max())))
    typical = draws * logs.mean(axis=1) + float(special.ndtri(1.0 - power)) * np.sqrt(draws) * logs.std(axis=1)
    return bool(special.logsumexp(typical) - np.log(len(stakes)) >= -log(alpha))


def drop_caught(pair: MarginPair, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest drop that the items call worse with some power; infinite where there is none.

    Answers that are not part of the drop are taken to differ as often as they were seen to.

    Examples
    --------
    >>> round(drop_caught(CountedPair(lost=15, won=15, n=300, reference=0.7)), 3)
    0.068
    """

    def reached(drop: float) -> bool:
        return _catches(pair, drop, alpha) >= power

    low, high = 0.0, pair.span
    if not reached(high):
        return inf
    for _ in range(25):
        middle = (low + high) / 2.0
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def _catches(pair: MarginPair, drop: float, alpha: float) -> float:
    """Return the power of the two-sided test of no difference."""
    critical = float(special.ndtri(alpha / 2.0))
    if isinstance(pair, CountedPair):
        share = (pair.lost + pair.won - max(pair.lost - pair.won, 0)) / pair.n  # without the drop that was seen
        if pair.n * (share + drop) < 3000:
            return power_of_items(drop, n_items=pair.n, discordant=min(1.0, share + drop), alpha=alpha)
        variance = (share + drop) / pair.n
    elif isinstance(pair, TotalsPair):
        base = pair.passed / pair.n
        lower = max(base - drop, 0.0)
        variance = base * (1.0 - base) / pair.n + lower * (1.0 - lower) / pair.n_own
    else:
        rest = pair.gains + pair.shortfall * pair.sizes
        count, moved = max(pair.n_units - 1.0, 1.0), float(np.abs(rest).sum())
        # a drop comes in pieces as large as the differences that were seen, whole clusters where these move together
        piece = float(np.square(rest).sum()) / moved if moved > 0 else pair.span * pair.largest
        variance = float(np.square(rest).sum()) * pair.n_units / count + drop * piece
        squares = np.square(pair.sizes)
        df = max(1.0, float(squares.sum() ** 2 / np.square(squares).sum()) - 1.0)
        critical = float(special.stdtrit(df, alpha / 2.0))
    if variance <= 0.0:
        return 0.0
    return float(special.ndtr(drop / sqrt(variance) + critical))
