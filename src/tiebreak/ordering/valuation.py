"""The worth of every algorithm of a table: the trade, the losses, and the frontier, who is first for which trade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt

import numpy as np

from tiebreak._checks import FloatArray, IntArray, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.comparison.trade import ScoreScale, Trade, logs_of_costs, scale_of, trade_size
from tiebreak.documents import Framed
from tiebreak.documents.words import times
from tiebreak.errors import OptionError
from tiebreak.ordering.options import MULTITEST, OrderPlan
from tiebreak.ordering.table import FoldTable
from tiebreak.results import Metric
from tiebreak.stats.folds.fold_tests import known_share
from tiebreak.stats.selection import (
    FEWEST_FOR_PROBABILITY,
    Certainty,
    Losses,
    Sample,
    best_of,
    certainty,
    losses,
    ranked,
)
from tiebreak.wording import Brief, either, option

NARROW = 1.6
"""Segments narrower than this factor are counted instead of shown."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Segment(Framed):
    """One algorithm is first where ten times the cost must buy `low` to `high`, in units of the score.

    `score` is its mean score, `relative_cost` its cost beside that of the best-scoring one. `probability` and `regret`
    are those at the trade in force where it lies in the segment, in the middle of the segment elsewhere.
    """

    algorithm: str
    low: float
    high: float
    score: float
    relative_cost: float
    probability: float | None = None
    regret: float | None = None

    def holds(self, trade: float) -> bool:
        """Whether this algorithm is first at a trade."""
        return self.low <= trade < self.high

    @property
    def middle(self) -> float:
        """A trade inside the segment."""
        if self.low == 0:
            return 0.0 if self.high == inf else self.high / 3
        return 3 * self.low if self.high == inf else sqrt(self.low * self.high)


def envelope(scores: FloatArray, logs: FloatArray) -> list[tuple[int, float, float]]:
    """Return who is first from which to which trade: the upper concave envelope of mean score over mean log10 cost.

    Examples
    --------
    >>> envelope(np.array([0.9, 0.8, 0.5]), np.array([2.0, 1.0, 0.0]))
    [(0, 0.0, 0.1), (1, 0.1, 0.3), (2, 0.3, inf)]
    """
    size = max(1.0, float(np.abs(scores).max()))
    top = scores >= scores.max() - 1e-12 * size
    current = int(np.flatnonzero(top)[np.argmin(logs[top])])
    out: list[tuple[int, float, float]] = []
    low = 0.0
    while True:
        cheaper = np.flatnonzero(logs < logs[current] - 1e-12)
        if not len(cheaper):
            return [*out, (current, low, inf)]
        slopes = (scores[current] - scores[cheaper]) / (logs[current] - logs[cheaper])
        turn = float(slopes.min())
        at_turn = cheaper[slopes <= turn + 1e-12 * size]
        out.append((current, low, round(turn, 12)))
        current, low = int(at_turn[np.argmin(logs[at_turn])]), round(turn, 12)


def frontier(
    sample: Sample, trades: FloatArray, names: tuple[str, ...], *, shown: FloatArray, probable: bool, seed: int
) -> tuple[Segment, ...]:
    """Return the segments for trades from 0 on: all trades grow together, counted in that of the cost that leads.

    `shown` are the mean scores as tables show them. Without costs, or with costs that are all equal, there is none.
    """
    logs, weights = sample.mean_logs, proportions(trades)
    if not len(logs) or float(np.ptp(weights @ logs)) <= 1e-12:
        return ()
    combined, best = weights @ logs, best_of(sample.mean_scores, logs)
    cost, out = leading(trades), list[Segment]()
    in_force = float(trades[cost])
    for algorithm, low, high in envelope(sample.mean_scores, combined):
        part = Segment(
            algorithm=names[algorithm],
            low=low,
            high=high,
            score=float(shown[algorithm]),
            relative_cost=float(10 ** (logs[cost, algorithm] - logs[cost, best])),
        )
        trade = in_force if part.holds(in_force) else part.middle
        known = certainty(sample.moments(trade * weights), first=algorithm, seed=seed)
        if known is not None:
            chance = known.probability if probable else None
            part = replace(part, probability=chance, regret=known.regret)
        out.append(part)
    return tuple(out)


def proportions(trades: FloatArray) -> FloatArray:
    """Return how the trades of several costs relate to that of the cost that leads; a zero trade stays zero."""
    return trades / trades[leading(trades)] if trades.any() else np.ones(len(trades))


def leading(trades: FloatArray) -> int:
    """Return the first cost that counts: its trade is the one that is varied, the others keep their proportions."""
    return int(np.argmax(trades > 0)) if len(trades) else 0


def wide(segments: tuple[Segment, ...], trade: float) -> list[Segment]:
    """Return the segments to print: the current ones, the first, the last, and all that are not narrow."""
    return [
        part
        for place, part in enumerate(segments)
        if part.holds(trade) or place in (0, len(segments) - 1) or (part.low > 0 and part.high / part.low >= NARROW)
    ]


def beside(parts: Sequence[Segment], trade: float) -> list[Segment]:
    """Return the current segment with its neighbours, or with the next two at an end."""
    here = next(place for place, part in enumerate(parts) if part.holds(trade))
    lower, higher = parts[:here], parts[here + 1 :]
    return [*lower[-1 if higher else -2 :], parts[here], *higher[: 1 if lower else 2]]


def other_trades(shown: Sequence[Segment], trade: float, words: Callable[[float], str]) -> str:
    """Name the trades for which another algorithm is first.

    Examples
    --------
    >>> sides = (("a", 0.0, 1.0), ("b", 1.0, 4.0), ("c", 4.0, float("inf")))
    >>> parts = [Segment(algorithm=name, low=low, high=high, score=1, relative_cost=1) for name, low, high in sides]
    >>> other_trades(beside(parts, 2.0), 2.0, "{} points".format)
    'under 1.0 points, use a; over 4.0 points, use c'
    """
    place = next(place for place, part in enumerate(shown) if part.holds(trade))
    lower = [f"under {words(part.high)}, use {part.algorithm}" for part in shown[:place]]
    higher = [f"over {words(part.low)}, use {part.algorithm}" for part in shown[place + 1 :]]
    return "; ".join([*lower, *higher])


def hidden_trades(count: int) -> str:
    """Say how many other algorithms are first at trades farther off."""
    return f" {count} more: {either('.frontier', '--full')}." if count else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Valuation(Brief):
    """Worth of each algorithm at a trade; arrays run over algorithms.

    `trades` holds, for each cost, what ten times of it must buy in units of `sample`; `given` the same as the
    user gave it. `values` is worth, `sequence` the order by it. `relative` and `paid` are geometric mean costs,
    relative to the best-scoring one and in their own unit, (costs, algorithms). `sure` is None where nothing shows
    how scores vary.
    """

    sample: Sample
    scale: ScoreScale
    given: tuple[Trade, ...]
    trades: FloatArray
    values: FloatArray
    sequence: IntArray
    losses: Losses
    frontier: tuple[Segment, ...]
    sure: Certainty | None
    probable: bool
    costs: tuple[str, ...] = ()
    caveats: Caveats = ()

    @property
    def scores(self) -> FloatArray:
        """Mean scores in the unit of the score."""
        return self.scale.shown(self.sample.mean_scores)

    @property
    def lead(self) -> int:
        """The cost in whose trade the frontier is counted: the first that counts."""
        return leading(self.trades)

    @property
    def in_force(self) -> float:
        """The trade of that cost."""
        return float(self.trades[self.lead]) if len(self.trades) else 0.0

    @property
    def combined(self) -> FloatArray:
        """The mean log10 costs of each algorithm as one, tenfolds of the cost that leads."""
        return np.asarray(proportions(self.trades) @ self.sample.mean_logs)

    @property
    def counted(self) -> list[int]:
        """The costs whose trade is above zero; the one that leads where there is none."""
        return np.flatnonzero(self.trades > 0).tolist() or [self.lead] * bool(len(self.trades))

    def capped(self, place: int) -> bool:
        """Whether the default trade of a cost is smaller than 1 % because the best score is nearly perfect."""
        trade, best = self.given[place], float(self.sample.mean_scores.max())
        return trade.default and self.scale.has_points and self.trades[place] < trade.size * best * (1 - 1e-9)

    @property
    def paid(self) -> FloatArray:
        """Geometric mean costs, (costs, algorithms)."""
        return np.asarray(10.0**self.sample.mean_logs)

    @property
    def relative(self) -> FloatArray:
        """Costs beside those of the best-scoring one, (costs, algorithms)."""
        logs = self.sample.mean_logs
        return np.asarray(10.0 ** (logs - logs[:, [self.losses.best]]))

    @property
    def probability(self) -> float | None:
        """The probability that the first is the best at this trade; None where too little is known to state it."""
        return self.sure.probability if self.sure is not None and self.probable else None

    @property
    def regret(self) -> float | None:
        """The expected loss of worth by choosing the first; None where nothing shows how scores vary."""
        return None if self.sure is None else self.sure.regret


def valued(table: FoldTable, metric: Metric, plan: OrderPlan) -> Valuation:
    """Value the algorithms of a table."""
    scale = replace(scale_of(table.basis or metric, table.valued, share=table.on_items), name=metric.name)
    if table.items is not None and not table.items.in_unit_range and scale.logarithmic:
        scale = ScoreScale(kind="other", name=metric.name, upward=metric.higher_is_better is not False)
    logs, notes = _logs(table, plan.costs)
    sample, probable = _sample(table, scale, logs, plan.test_share)
    return value_of(
        sample,
        scale,
        plan.trades,
        table.algorithms,
        probable=probable,
        alpha=plan.alpha,
        seed=plan.seed,
        costs=plan.costs,
        caveats=tuple(notes),
    )


def value_of(
    sample: Sample,
    scale: ScoreScale,
    given: Sequence[Trade],
    names: tuple[str, ...],
    *,
    probable: bool,
    alpha: float = 0.05,
    seed: int = 0,
    costs: tuple[str, ...] = (),
    caveats: Caveats = (),
) -> Valuation:
    """Value algorithms by a sample of their scores and costs."""
    means = sample.mean_scores
    best, scale = float(means.max()), scale.fitted(means)
    sizes = [0.0 if best <= 0 and _alike(means) else trade_size(scale, trade, best) for trade in given]
    trades = np.array(sizes, dtype=np.float64)  # where all score alike nothing is traded, and cost breaks the tie
    values = sample.values(trades)
    sequence = ranked(values, means, sample.mean_logs, names)
    notes = list(caveats)
    for trade, size in zip(given, trades, strict=True):
        if scale.maximum is not None and not trade.default and size > scale.maximum - best > 0:
            text = (
                f"The trade of {trade} is more than the {scale.difference(scale.maximum - best)} that the best one"
                " leaves: no score could pay for ten times the cost."
            )
            notes.append(Caveat("large-trade", text))
    return Valuation(
        sample=sample,
        scale=scale,
        given=tuple(given),
        trades=readonly(trades),
        values=readonly(values),
        sequence=readonly(sequence),
        losses=losses(sample, alpha=alpha, seed=seed),
        frontier=frontier(sample, trades, names, shown=scale.shown(means), probable=probable, seed=seed),
        sure=certainty(sample.moments(trades), first=int(sequence[0]), seed=seed),
        probable=probable,
        costs=costs,
        caveats=tuple(notes),
    )


def _alike(means: FloatArray) -> bool:
    return float(np.ptp(means)) <= 1e-12 * max(1.0, float(np.abs(means).max()))


def _logs(table: FoldTable, costs: Sequence[str]) -> tuple[FloatArray, list[Caveat]]:
    """Return log10 of the costs, (costs, rows, algorithms); people pay totals of items, so those are averaged first."""
    if not table.paid:
        return np.zeros((0, 1, len(table.algorithms))), []
    means = [paid.mean(axis=0, keepdims=True) if table.on_items else paid for paid in table.paid]
    parts = [logs_of_costs(paid, name) for paid, name in zip(means, costs, strict=True)]
    return np.array([logs for logs, _ in parts]), [note for _, notes in parts for note in notes]


def _sample(table: FoldTable, scale: ScoreScale, logs: FloatArray, test_share: float | None) -> tuple[Sample, bool]:
    """Return what worth rests on, and whether it is enough to state a probability."""
    if table.totals is not None:
        return _of_totals(table, logs), True
    if table.items is not None:
        return _of_items(table, scale, logs)
    if len(table.datasets) > 1:
        enough = len(table.datasets) >= FEWEST_FOR_PROBABILITY
        return Sample(scores=scale.used(table.valued), logs=logs), enough
    return _of_folds(table, scale, logs, test_share), False


def _of_folds(table: FoldTable, scale: ScoreScale, logs: FloatArray, test_share: float | None) -> Sample:
    """Folds share training data: the variance of their mean is (1/K + r) s2 (Nadeau and Bengio 2003)."""
    folds = table.folds_of(0)
    if folds is None or folds.shape[1] * folds.shape[2] < 2 or (folds.shape[2] < 2 and test_share is None):
        return Sample(scores=scale.used(table.valued), logs=logs)
    share = known_share(folds.shape[2], test_share)
    units = folds.reshape(len(folds), -1).T
    ratio = share / (1 - share)
    return Sample(scores=scale.used(units), logs=logs, inflation=1 + len(units) * ratio)


def _of_items(table: FoldTable, scale: ScoreScale, logs: FloatArray) -> tuple[Sample, bool]:
    """Take the items that all answered; every benchmark counts alike."""
    items = table.items
    assert items is not None
    common = items.there.all(axis=1)
    held = np.bincount(items.strata[common], minlength=len(items.benchmarks))
    if not held.all():
        return Sample(scores=scale.used(table.valued), logs=logs), False
    errors = items.scores[common] if not scale.upward else -items.scores[common]
    strata = items.strata[common] if len(items.benchmarks) > 1 else None
    weights = None if strata is None else 1.0 / (len(held) * held[strata])
    clusters = None
    if items.clusters is not None:
        clusters = np.unique(items.clusters[common], return_inverse=True)[1].astype(np.int64)
    sample = Sample(scores=scale.used(errors), logs=logs, weights=weights, strata=strata, clusters=clusters)
    groups = len(errors) if clusters is None else int(clusters.max()) + 1
    return sample, groups >= FEWEST_FOR_PROBABILITY


def _of_totals(table: FoldTable, logs: FloatArray) -> Sample:
    """Only totals are known: models are taken as independent."""
    assert table.totals is not None
    passed, n = table.totals
    shares = passed / n
    nearly = (passed + 1) / (n + 2)  # a share of 0 or 1 is not known without error
    return Sample(scores=shares[None], logs=logs, covariance=np.diag(nearly * (1 - nearly) / n), groups=int(n.min()))


def charged(table: FoldTable, plan: OrderPlan, value: Valuation, metric: Metric) -> FoldTable:
    """Charge the trade: then a costlier algorithm is better only where it is better by more than the trade."""
    if table.totals is not None:
        raise OptionError(
            "A trade was given for MultiTest, and only totals of items are known.",
            mend=f"Leave {option('trade')} out, or order by worth.",
        )
    if value.scale.kind == "normalised" and plan.over == "places":
        raise OptionError(
            "A trade was given for Multi2Test, and the scores are normalised.",
            mend=f"Leave {option('trade')} out, or use {option(rule=MULTITEST)}.",
        )
    if value.scale.logarithmic or value.scale.kind in ("elo", "normalised"):  # tests read what the trade is a price in
        rows = np.moveaxis(table.errors, 1, -1)
        used = value.scale.used(rows.reshape(-1, rows.shape[-1])).reshape(rows.shape)
        used = np.where(np.isnan(rows), np.nan, used)
        values = value.scale.used(table.valued)
        table = replace(table, errors=-np.moveaxis(used, -1, 1), compared=-values, valued=-values)
    paid = np.einsum("c,cra->ra", value.trades, value.sample.logs)
    charge = np.broadcast_to(paid, table.compared.shape)
    items = table.items
    if items is not None:
        sign = 1.0 if metric.higher_is_better else -1.0
        items = replace(items, scores=items.scores - sign * paid.mean(axis=0))
    return replace(
        table,
        errors=table.errors + charge[:, :, None, None],
        compared=table.compared + charge,
        valued=table.valued + charge,
        items=items,
    )


# ---- how two algorithms compare


def relation(value: Valuation, i: int, other: int) -> str:
    """Say how one algorithm compares with another in score and cost."""
    part = score_relation(value, i, other)
    return part if not len(value.trades) else f"{part}, {cost_relation(value, i, other)}"


def score_relation(value: Valuation, i: int, other: int) -> str:
    """Say how the mean score of one compares with that of another."""
    scores = value.sample.mean_scores
    gap = float(scores[i] - scores[other])
    if abs(gap) < 1e-12:
        return "the same score"
    shown = value.scale.difference(abs(gap))
    if value.scale.logarithmic:
        return shown if gap < 0 else f"better: the other has {shown}"
    return f"{shown} {'better' if gap > 0 else 'worse'}"


def cost_relation(value: Valuation, i: int, other: int) -> str:
    """Say how the costs that count of one compare with those of another."""
    logs = value.sample.mean_logs
    parts = [_ratio_words(float(10 ** (logs[cost, i] - logs[cost, other]))) for cost in value.counted]
    if len(parts) == 1:
        return parts[0]
    return " and ".join(f"{part} ({value.costs[cost]})" for part, cost in zip(parts, value.counted, strict=True))


def _ratio_words(ratio: float) -> str:
    if 1 / 1.005 < ratio < 1.005:
        return "same cost"
    if ratio < 1:
        return f"{1 - ratio:.0%} cheaper" if ratio > 0.5 else f"{times(1 / ratio)} times cheaper"
    return f"{ratio - 1:.0%} costlier" if ratio < 2 else f"{times(ratio)} times the cost"
