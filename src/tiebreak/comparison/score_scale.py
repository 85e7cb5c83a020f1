"""The scale of a score: what is averaged of it, and how its differences are written."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import Literal

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import FloatArray
from tiebreak.documents import number
from tiebreak.results import Metric

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
    """

    kind: Kind
    name: str
    maximum: float | None = None
    upward: bool = True

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

    def number(self, value: float, digits: int = 1) -> str:
        """Write a difference without its unit: points, per cent of loss, or units of the score."""
        if self.logarithmic:
            return f"{_rounded(100 * (exp(value) - 1), digits)}%"
        if self.kind == "other":
            return number(float(value), 3)
        return _rounded(self.factor * value, digits)

    def worth(self, behind: float) -> str:
        """Write by how much worth lies behind the first: points, hundredths of the logarithm of a loss, or units."""
        if self.kind == "other":
            return number(behind + 0.0, 3)
        shown = f"{self.factor * behind:.1f}"
        return "0.0" if shown == "-0.0" else shown

    def worth_with_unit(self, ahead: float) -> str:
        """Write by how much worth lies ahead of another, with its unit."""
        unit = "" if self.kind == "other" else " log points" if self.logarithmic else " points"
        return f"{self.worth(ahead)}{unit}"

    def difference(self, value: float, digits: int = 1) -> str:
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
        return f"under 0.1{unit}" if shown < 0.1 else f"{shown:.1f}{unit}"

    @property
    def unit(self) -> str:
        """In what trades and regrets are counted."""
        return "points" if self.has_points else self.name if self.kind == "other" else "% of loss"

    def value(self, value: float) -> str:
        """Write a mean score as tables show it, in the unit in which its differences are written."""
        if self.has_points:
            return f"{self.factor * value:.1f}"
        return number(float(value), 4)

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
        return f"{self.label} (%)" if self.has_points and self.factor == 100.0 else self.label

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


def _rounded(value: float, digits: int) -> str:
    """Write a number with so many decimals; a small one that is not zero with two digits."""
    shown = f"{value:.{digits}f}"
    return f"{value:.2g}" if float(shown) == 0 and abs(value) > 1e-9 else shown.replace("-0.0", "0.0")


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
