"""How many items would show that a candidate is good enough, and how small a drop so many items catch."""

from __future__ import annotations

from math import ceil, inf, log, sqrt

import numpy as np
from scipy import special

from tiebreak.stats.items._planning import first_count, power_of_items
from tiebreak.stats.items.bets import BetPair
from tiebreak.stats.items.exact_margins import Border, PairedCounts, largest_tail
from tiebreak.stats.items.margins import CountedPair, MarginPair, TotalsPair, UnitPair
from tiebreak.stats.items.tilted import tilted_tail

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

    found = first_count(reached)
    return inf if found is None else found


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
    level = pair.units.gains + (pair.shortfall - truth) * pair.units.sizes
    stakes = pair.gains(margin)[1]
    logs = np.log1p(np.outer(stakes, np.maximum(level + margin * pair.units.sizes, -0.999 / stakes.max())))
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
