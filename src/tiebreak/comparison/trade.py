"""The trade: what ten times the cost must buy, as it is given and in units of the score."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from tiebreak.comparison.score_scale import ScoreScale
from tiebreak.documents import number
from tiebreak.errors import OptionError
from tiebreak.wording import either, option

DEFAULT_TRADE = 0.01
"""Ten times the cost must buy one per cent: the balanced setting of Brazdil, Soares and Costa (2003)."""
LOSS_TRADE = 0.10
"""For losses without a maximum ten times the cost must buy 10 % less loss."""
MOST_OF_THE_REST = 0.1
"""Near a perfect score the default trade is at most this share of what is missing."""
_TRADE = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*(%|pt|pts|points?)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trade:
    """What ten times the cost must buy: a share of the best mean score (`relative`), or points of the score."""

    size: float
    relative: bool = True
    default: bool = False

    def __str__(self) -> str:
        return f"{100 * self.size:g}%" if self.relative else f"{self.size:g}pt"


USUAL = Trade(size=DEFAULT_TRADE, default=True)


def read_trade(value: object) -> Trade:
    """Return the trade that was given: "1%" or "0.5pt"; a bare number could mean either.

    Examples
    --------
    >>> str(read_trade("1%")), str(read_trade("0.5 points")), read_trade(None).default
    ('1%', '0.5pt', True)
    """
    if value is None:
        return USUAL
    if isinstance(value, Trade):
        return value
    parts = _TRADE.fullmatch(value) if isinstance(value, str) else None
    if parts is None or not isfinite(float(parts[1])):
        bare = value if _is_number(value) else 1
        raise OptionError(
            f"The trade {value!r} has no unit.",
            why="It is what ten times the cost must buy: a percentage of the score, or points of it.",
            mend=f"Use {option(trade=f'{bare}%')} or {option(trade=f'{bare}pt')}.",
        )
    size = float(parts[1])
    return Trade(size=size / 100, relative=True) if parts[2] == "%" else Trade(size=size, relative=False)


def read_accd(value: float) -> Trade:
    """Return the trade in the notation of Brazdil, Soares and Costa: AccD = 0.01 is 1 %."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise OptionError(
            f"AccD is {value!r}.",
            why="It is the share of accuracy that ten times the time must buy.",
            mend=f"Use a number such as {either('accd=0.01', '--accd 0.01')}, which equals {option(trade='1%')}.",
        )
    return Trade(size=float(value), relative=True)


def _is_number(value: object) -> bool:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return isfinite(number) and number >= 0


def trade_size(scale: ScoreScale, trade: Trade, best: float) -> float:
    """Return what ten times the cost must buy, in units of what is averaged; `best` is the best mean."""
    if trade.size == 0:
        return 0.0
    if not trade.relative:
        return trade.size / scale.factor
    if scale.logarithmic:
        return LOSS_TRADE if trade.default else trade.size
    if scale.kind == "normalised":
        return trade.size
    if best <= 0:
        raise OptionError(
            f"The best mean {scale.name} is {number(best)}, and {trade} of it is no price.",
            why="A percentage needs a score above zero.",
            mend=f"Give the trade in units of the score: {option(trade='1pt')}.",
        )
    size = trade.size * best
    if trade.default and scale.maximum is not None:
        size = min(size, MOST_OF_THE_REST * max(scale.maximum - best, 0.0))
    return size


def cost_and_trades(
    cost: str | Sequence[str] | Mapping[str, str] | None,
) -> tuple[str | list[str] | None, dict[str, str]]:
    """Split costs from the trades that follow them, as in "price=1%"."""
    if cost is None:
        return None, {}
    if isinstance(cost, Mapping):
        return list(cost), {name: trade for name, trade in cost.items() if trade is not None}
    names, trades = [], dict[str, str]()
    for text in [cost] if isinstance(cost, str) else cost:
        name, _, trade = str(text).rpartition("=")
        own = bool(name) and trade.strip()[:1] in set("0123456789.")
        names.append(name if own else str(text))
        trades |= {name: trade} if own else {}
    return (names[0] if isinstance(cost, str) else names), trades
