"""Worth: mean score less the trade times mean log10 cost; the scale of a score, and how sure the first place is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import exp, isfinite, sqrt
from typing import Literal

import numpy as np
from scipy import special

from tiebreak._brief import Brief
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.documents import number
from tiebreak.errors import OptionError
from tiebreak.tables import Metric
from tiebreak.wording import either, option

DEFAULT_TRADE = 0.01
"""Ten times the cost must buy one per cent: the balanced setting of Brazdil, Soares and Costa (2003)."""
LOSS_TRADE = 0.10
"""For losses without a maximum ten times the cost must buy 10 % less loss."""
MOST_OF_THE_REST = 0.1
"""Near a perfect score the default trade is at most this share of what is missing."""
DRAWS = 4000
FEWEST_FOR_PROBABILITY = 5
"""With fewer data sets only the expected regret is stated."""
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


Kind = Literal["bounded", "error", "loss", "unexplained", "elo", "normalised", "other"]
_ERRORS = frozenset(
    "error error_rate misclassification_rate zero_one_loss hamming_loss balanced_error fpr fnr fdr"
    " false_positive_rate false_negative_rate false_discovery_rate brier".split()
)
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

    def size(self, trade: Trade, best: float) -> float:
        """Return what ten times the cost must buy, in units of what is averaged; `best` is the best mean."""
        if trade.size == 0:
            return 0.0
        if not trade.relative:
            return trade.size / self.factor
        if self.kind in ("loss", "unexplained"):
            return LOSS_TRADE if trade.default else trade.size
        if self.kind == "normalised":
            return trade.size
        if best <= 0:
            raise OptionError(
                f"The best mean {self.name} is {number(best)}, and {trade} of it is no price.",
                why="A percentage needs a score above zero.",
                mend=f"Give the trade in units of the score: {option(trade='1pt')}.",
            )
        size = trade.size * best
        if trade.default and self.maximum is not None:
            size = min(DEFAULT_TRADE * best, MOST_OF_THE_REST * max(self.maximum - best, 0.0))
        return size

    def capped(self, trade: Trade, best: float) -> bool:
        """Whether the default trade is smaller than 1 % because the best score is nearly perfect."""
        known = trade.default and self.maximum is not None and self.kind not in ("loss", "unexplained", "normalised")
        return known and self.size(trade, best) < DEFAULT_TRADE * best * (1 - 1e-9)

    def number(self, value: float, digits: int = 1) -> str:
        """Write a difference without its unit: points, per cent of loss, or units of the score."""
        if self.kind in ("loss", "unexplained"):
            return f"{_rounded(100 * (exp(value) - 1), digits)}%"
        if self.kind == "other":
            return number(float(value), 3)
        return _rounded(self.factor * value, digits)

    def difference(self, value: float, digits: int = 1) -> str:
        """Write a difference with its unit."""
        shown = self.number(value, digits)
        if self.kind in ("loss", "unexplained"):
            return f"{shown} {'more loss' if self.kind == 'loss' else 'more unexplained variance'}"
        if self.kind == "other":
            return f"{shown} in {self.name}"
        return f"{shown} point{'' if shown == '1.0' else 's'}"

    def value(self, value: float) -> str:
        """Write a mean score as tables show it, in the unit in which its differences are written."""
        if self.has_points:
            return f"{self.factor * value:.1f}"
        return number(float(value), 4)

    @property
    def heading(self) -> str:
        """The heading of a column of mean scores."""
        return f"{self.name} (%)" if self.has_points and self.factor == 100.0 else self.name


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
    >>> from tiebreak.tables import metric_named
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
    if not upward and within and (share or key in _ERRORS) and bool((errors >= 0).all()):
        return ScoreScale(kind="error", name=name, maximum=top, upward=False)
    if metric.key.startswith("neg_") and upward and bool((errors >= 0).all()):
        return ScoreScale(kind="loss", name=name)  # scikit-learn's sign: the errors are the losses
    if not upward and bool((errors >= 0).all()) and bool((errors > 0).any()):
        return ScoreScale(kind="loss", name=name, upward=False)
    return ScoreScale(kind="other", name=name, upward=upward)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Moments(Brief):
    """Means, centred, with the covariance of their errors; `groups` are the independent units behind them."""

    means: FloatArray
    covariance: FloatArray
    groups: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Sample(Brief):
    """What an order by worth rests on.

    `scores` is (units, algorithms), higher is better; units are data sets, items or folds. `logs` is (costs, units or
    1, algorithms): log10 of the costs. Items have `clusters` and `weights` where benchmarks count alike. `inflation`
    multiplies the variance of a mean of folds, which share training data (Nadeau and Bengio 2003). `covariance` is
    given where only means are known: totals of items, or strengths from votes; `scores` then has one row.
    """

    scores: FloatArray
    logs: FloatArray
    clusters: IntArray | None = None
    weights: FloatArray | None = None
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
        means = weights @ centred
        errors = (centred - means) * weights[:, None]
        groups = units
        if self.clusters is not None:
            groups = int(self.clusters.max()) + 1
            summed = np.zeros((groups, errors.shape[1]))
            np.add.at(summed, self.clusters, errors)
            errors = summed
            if groups < 2:
                return None
        covariance = errors.T @ errors * (groups / (groups - 1)) * self.inflation
        return Moments(means=means, covariance=covariance, groups=groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class Certainty:
    """The probability that the first has the highest expected worth, and the expected regret of choosing it."""

    probability: float
    regret: float


def certainty(moments: Moments | None, *, first: int, seed: int = 0) -> Certainty | None:
    """Say how sure a first place is: normal errors, contenders shrunk a little towards their mean.

    Formula: rivals within two standard errors of the first are the contenders; their means shrink by the factor
    (2 + max(0, 1 - noise / variance)) / 3 towards their common mean, their errors by its square root; then the share
    of draws in which the first stays first, and the mean of what it falls short of the best.

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
    errors = _draws(covariance, seed)
    scale = np.where(contenders, sqrt(factor), 1.0)
    drawn = np.where(contenders, centre + factor * (means - centre), means) + scale * errors
    best = drawn.max(axis=1)
    return Certainty(probability=float((drawn[:, first] >= best).mean()), regret=float((best - drawn[:, first]).mean()))


def _contenders(moments: Moments, first: int) -> BoolArray:
    behind = moments.means[first] - moments.means
    return np.asarray(behind <= 2 * standard_errors(moments.covariance, first))


def standard_errors(covariance: FloatArray, first: int) -> FloatArray:
    """Return the standard error of the difference of every mean to one of them."""
    spread = covariance[first, first] + np.diag(covariance) - 2 * covariance[first]
    return np.asarray(np.sqrt(np.maximum(spread, 0.0)))


def _shrinkage(means: FloatArray, covariance: FloatArray, contenders: BoolArray) -> tuple[float, float]:
    count, own = int(contenders.sum()), means[contenders]
    if count < 2:
        return 1.0, float(own.mean())
    among = covariance[np.ix_(contenders, contenders)]
    noise = (np.trace(among) - among.sum() / count) / (count - 1)
    spread = float(own.var(ddof=1))
    kept = max(0.0, 1.0 - float(noise) / spread) if spread > 0 else 0.0
    return (2.0 + kept) / 3.0, float(own.mean())


def _draws(covariance: FloatArray, seed: int) -> FloatArray:
    """Draw errors; the symmetric root of the covariance is unique, so that no machine draws others."""
    values, vectors = np.linalg.eigh(covariance)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return np.asarray(np.random.default_rng(seed).standard_normal((DRAWS, len(covariance))) @ root)


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
    best = best_of(means)
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
        drawn = _draws(moments.covariance, seed)
        shift = (drawn - drawn[:, [best]])[:, rivals] / errors[rivals]
        chi = np.random.default_rng(seed + 1).chisquare(df, DRAWS)
        largest = np.abs(shift).max(axis=1) / np.sqrt(chi / df)
        width = max(width, float(np.quantile(largest, 1 - alpha)))
    half = width * errors
    return Losses(best=best, value=value, low=np.maximum(value - half, 0.0), high=value + half)


def best_of(means: FloatArray) -> int:
    """Return the best mean; noise of rounding decides nothing, the first by name does."""
    top = float(means.max())
    return int(np.argmax(means >= top - 1e-12 * max(1.0, abs(top))))


def ranked(values: FloatArray, scores: FloatArray, logs: FloatArray, names: tuple[str, ...]) -> IntArray:
    """Order by worth; equal worth by score, then by cost, then by name."""
    paid = logs.sum(axis=0) if len(logs) else np.zeros(len(names))
    size = max(1.0, float(np.abs(values).max(initial=0.0)))
    alphabet = np.argsort(np.argsort(np.array(names, dtype=object)))
    keys = [-np.round(values / size, 12), -np.round(scores / size, 12), np.round(paid, 12), alphabet]
    return np.asarray(np.lexsort(list(reversed(keys))), dtype=np.int64)
