"""Worth: the scale of a score, the trade that was given, in its units, and costs of zero."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, isfinite
from typing import Literal

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import number
from tiebreak.errors import OptionError
from tiebreak.results import Metric
from tiebreak.wording import Brief, either, option

Kind = Literal["bounded", "error", "loss", "unexplained", "elo", "normalised", "other"]
_UP_TO_ONE = frozenset(
    "mcc kappa adjusted_rand rand_score adjusted_mutual_info normalized_mutual_info silhouette spearman pearson"
    " kendall_tau kendall c_index success_rate win_rate pass_rate".split()
)
_UNEXPLAINED = frozenset("r2 explained_variance d2_absolute_error d2_brier d2_log_loss d2_pinball d2_tweedie".split())
_ELO = frozenset("elo elo_rating arena_score arena_elo".split())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScoreScale(Brief):
    """How a score enters worth.

    `kind` says how: bounded scores and errors in their unit (an error as what it leaves of the maximum), losses
    without a maximum and unexplained variance by their logarithm, Elo as the win probability against the average
    opponent, normalised scores where metrics differ. `maximum` is the highest score there is, None where there is none.
    `digits` is with how many decimals points and per cent are written.
    """

    kind: Kind
    name: str
    maximum: float | None = None
    upward: bool = True
    digits: int = 1

    def fitted(self, means: FloatArray) -> ScoreScale:
        """Return the scale with as many decimals, up to three, as show how near-equal means of it differ."""
        behind = np.sort(means.max() - means)[1:]
        typical = 100.0 if not len(behind) else (100.0 if self.logarithmic else self.factor) * float(np.median(behind))
        return replace(self, digits=1 if typical >= 0.1 or typical < 1e-9 else 2 if typical >= 0.01 else 3)

    def used(self, errors: FloatArray) -> FloatArray:
        """Turn errors (lower is better) into what is averaged (higher is better)."""
        if self.kind == "error":
            return np.asarray((self.maximum or 0.0) - errors)
        if self.kind == "loss":
            return -np.log(_floored(errors))
        if self.kind == "unexplained":
            return -np.log(_floored(1.0 + errors))
        if self.kind == "elo":
            return np.asarray(1.0 / (1.0 + 10.0 ** ((errors - errors.mean(axis=1, keepdims=True)) / 400.0)))
        return -errors + 0.0

    def shown(self, means: FloatArray) -> FloatArray:
        """Turn means of what is averaged back into the unit of the score."""
        if self.kind == "error":
            return np.asarray((self.maximum or 0.0) - means)
        if self.kind == "loss":
            return np.exp(-means)
        if self.kind == "unexplained":
            return 1.0 - np.exp(-means)
        return means if self.upward or self.kind in ("elo", "normalised") else -means

    @property
    def factor(self) -> float:
        """How many points one unit of what is averaged is; 1 where the score has a unit of its own."""
        return 1.0 if self.maximum == 100.0 or self.kind == "other" else 100.0

    @property
    def has_points(self) -> bool:
        """Whether differences are points: hundredths of the range of the score."""
        return self.kind not in ("loss", "unexplained", "other")

    def number(self, value: float, digits: int | None = None) -> str:
        """Write a difference without its unit: points, per cent of loss, or units of the score."""
        digits = self.digits if digits is None else digits
        if self.logarithmic:
            return f"{rounded(100 * (exp(value) - 1), digits)}%"
        if self.kind == "other":
            return number(float(value), 3)
        return rounded(self.factor * value, digits)

    def worth(self, behind: float) -> str:
        """Write by how much worth lies behind the first: points, hundredths of the logarithm of a loss, or units."""
        if self.kind == "other":
            return number(behind + 0.0, 3)
        shown = f"{self.factor * behind:.{self.digits}f}"
        return shown if float(shown) else shown.removeprefix("-")

    def worth_with_unit(self, ahead: float) -> str:
        """Write by how much worth lies ahead of another, with its unit."""
        unit = "" if self.kind == "other" else " log points" if self.logarithmic else " points"
        return f"{self.worth(ahead)}{unit}"

    def difference(self, value: float, digits: int | None = None) -> str:
        """Write a difference with its unit."""
        shown = self.number(value, digits)
        if self.logarithmic:
            return f"{shown} {'more loss' if self.kind == 'loss' else 'more unexplained variance'}"
        if self.kind == "other":
            return f"{shown} in {self.name}"
        return f"{shown} point{'' if shown == '1.0' else 's'}"

    def price(self, size: float) -> str:
        """Write a trade: points, per cent of loss, or units of the score."""
        if self.logarithmic:
            return f"{two_digits(100 * size)}% less {'loss' if self.kind == 'loss' else 'unexplained variance'}"
        if self.kind == "other":
            return f"{two_digits(size)} in {self.name}"
        points = two_digits(self.factor * size)
        return f"{points} point{'' if points == '1' else 's'}"

    def price_share(self, size: float, best: float) -> str:
        """Write a trade as a share of the best score, as it may be given."""
        if self.kind == "other":
            return self.price(size)
        return f"{two_digits(100 * size / (best if self.kind in ('bounded', 'error', 'elo') and best > 0 else 1.0))}%"

    def regret(self, size: float) -> str:
        """Write an expected regret no finer than it is known."""
        if self.kind == "other":
            return number(size, 2)
        shown, unit = self.factor * size, "% of the loss" if self.logarithmic else " points"
        least = 10.0**-self.digits
        return f"under {least:g}{unit}" if shown < least else f"{shown:.{self.digits}f}{unit}"

    @property
    def unit(self) -> str:
        """In what trades and regrets are counted."""
        return "points" if self.has_points else self.name if self.kind == "other" else "% of loss"

    def value(self, value: float) -> str:
        """Write a mean score as tables show it, in the unit in which its differences are written."""
        if self.has_points:
            return f"{self.factor * value:.{self.digits}f}"
        return number(float(value), 3 + self.digits)

    @property
    def logarithmic(self) -> bool:
        """Whether ratios of losses are averaged, which need no common unit."""
        return self.kind in ("loss", "unexplained")

    @property
    def used_words(self) -> str:
        """What is averaged, where that is not the score as it is."""
        if self.kind == "error":
            return f"{self.maximum:g} - {self.name}"
        words = {"loss": f"the logarithm of {self.name}", "unexplained": f"the logarithm of 1 - {self.name}"}
        return {**words, "elo": "the win rate against the average opponent"}.get(self.kind, "")

    @property
    def heading(self) -> str:
        """The heading of a column of mean scores."""
        label = "normalised" if self.kind == "normalised" else self.label
        return f"{label} (%)" if self.has_points and self.factor == 100.0 else label

    @property
    def label(self) -> str:
        """What mean scores are: of Elo ratings they are win rates."""
        return f"win rate by {self.name}" if self.kind == "elo" else self.name


def two_digits(value: float) -> str:
    """Write a number with two digits, a large one as a whole number.

    Examples
    --------
    >>> two_digits(0.0123), two_digits(2.6), two_digits(99.7), two_digits(2916.0)
    ('0.012', '2.6', '100', '2,916')
    """
    return f"{value:.2g}" if abs(value) < 99.5 else f"{value:,.0f}"


def rounded(value: float, digits: int) -> str:
    """Write a number with so many decimals; a small one that is not zero with two digits."""
    shown = f"{value:.{digits}f}"
    return f"{value:.2g}" if float(shown) == 0 and abs(value) > 1e-9 else shown if float(shown) else shown.lstrip("-")


def _floored(losses: FloatArray) -> FloatArray:
    """Raise a loss of zero, which has no logarithm, to the least other one of its data set or its median / 1000."""
    if (losses > 0).all():
        return losses
    positive = np.where(losses > 0, losses, np.nan)
    if np.isnan(positive).all():
        return np.ones_like(losses)
    whole = np.nanmax([np.nanmin(positive), np.nanmedian(positive) / 1000])
    empty = np.isnan(positive).all(axis=-1, keepdims=True)
    rows = np.where(empty, whole, positive)
    least = np.maximum(np.nanmin(rows, axis=-1, keepdims=True), np.nanmedian(rows, axis=-1, keepdims=True) / 1000)
    return np.where(losses > 0, losses, least)


def scale_of(metric: Metric, errors: FloatArray, *, share: bool = False) -> ScoreScale:
    """Tell the scale of a score by its name and its range; `errors` are turned so that lower is better.

    `share` says that the scores are answers to items or totals of them, between 0 and 1.

    Examples
    --------
    >>> from tiebreak.results import metric_named
    >>> scale_of(metric_named("accuracy"), -np.array([[0.9, 0.8]])).maximum
    1.0
    >>> scale_of(metric_named("rmse"), np.array([[12.0, 15.0]])).kind
    'loss'
    """
    upward, name = metric.higher_is_better is not False, metric.name
    key = metric.key.removeprefix("neg_")
    size = float(np.nanmax(np.abs(errors), initial=0.0))
    top = 1.0 if size <= 1.0 else 100.0
    within = size <= top
    if name == "normalised score":
        return ScoreScale(kind="normalised", name=name, maximum=1.0)
    if key in _ELO:
        return ScoreScale(kind="elo", name=name, maximum=1.0)
    if key in _UNEXPLAINED and upward and bool((errors >= -1).all()):
        return ScoreScale(kind="unexplained", name=name)
    if upward and within and (share or metric.is_share or key in _UP_TO_ONE):
        return ScoreScale(kind="bounded", name=name, maximum=top)
    bounded = within and (size <= 1.0 or key != "brier")  # of several classes the Brier score may reach 2
    if bounded and ((share and not upward) or metric.is_error_rate) and bool((errors >= 0).all()):
        return ScoreScale(kind="error", name=name, maximum=top, upward=upward)
    if metric.key.startswith("neg_") and upward and bool((errors >= 0).all()):
        return ScoreScale(kind="loss", name=name)  # scikit-learn's sign: the errors are the losses
    if not upward and bool((errors >= 0).all()) and bool((errors > 0).any()):
        return ScoreScale(kind="loss", name=name, upward=False)
    return ScoreScale(kind="other", name=name, upward=upward)


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
            f"The trade {value!r} has no unit.", mend=f"Use {option(trade=f'{bare}%')} or {option(trade=f'{bare}pt')}."
        )
    size = float(parts[1])
    return Trade(size=size / 100, relative=True) if parts[2] == "%" else Trade(size=size, relative=False)


def read_accd(value: float) -> Trade:
    """Return the trade in the notation of Brazdil, Soares and Costa: AccD = 0.01 is 1 %."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise OptionError(
            f"AccD is {value!r}.",
            mend=f"Use a number such as {either('accd=0.01', option(accd=0.01))}, which equals {option(trade='1%')}.",
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
            f"The best mean {scale.name} is {number(best)}, and a trade of {trade} needs a score above zero.",
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
        mask = bool(name) and trade.strip()[:1] in set("0123456789.")
        names.append(name if mask else str(text))
        trades |= {name: trade} if mask else {}
    return (names[0] if isinstance(cost, str) else names), trades


def logs_of_costs(paid: FloatArray, name: str) -> tuple[FloatArray, Caveats]:
    """Return log10 of costs, (rows, algorithms), and what is to be said of those of zero.

    A zero counts as the smallest cost or a thousandth of the median one, whichever is larger, but never as more than
    was paid beside it on its data set. What was measured stays as it is. Where all are zero, none differs.

    Examples
    --------
    >>> logs, notes = logs_of_costs(np.array([[1000.0, 10.0, 0.0], [100.0, 0.1, 0.0]]), "price")
    >>> logs.round(6).tolist(), notes[0]
    ([[3.0, 1.0, -1.0], [2.0, -1.0, -1.0]], '2 price of 0 count as 0.1: a zero has no ratio.')
    """
    positive, zero = paid[paid > 0], paid == 0
    if not positive.size:
        return np.where(zero, 0.0, paid), ()
    if not zero.any():
        return np.log10(paid), ()
    floor = max(float(positive.min()), float(np.median(positive)) / 1000)
    least = np.where(paid > 0, paid, np.inf).min(axis=-1, keepdims=True)
    raised = np.broadcast_to(np.minimum(floor, least), paid.shape)
    low, high = (f"{end:.3g}" for end in (raised[zero].min(), raised[zero].max()))
    count = int(zero.sum())
    counts = f"{'counts' if count == 1 else 'count'} as {low if low == high else f'{low} to {high}'}"
    note = Caveat("zero-costs", f"{count} {name} of 0 {counts}: a zero has no ratio.")
    return np.log10(np.where(zero, raised, paid)), (note,)
