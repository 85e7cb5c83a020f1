"""The worth of every algorithm of a table: the sample behind it, the trade, the losses, the frontier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import FloatArray, IntArray, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.ordering._table import FoldTable
from tiebreak.ordering.frontier import Segment, frontier
from tiebreak.ordering.scoring import ScoreScale, scale_of
from tiebreak.ordering.worth import (
    FEWEST_FOR_PROBABILITY,
    Certainty,
    Losses,
    Sample,
    Trade,
    certainty,
    losses,
    ranked,
)
from tiebreak.stats.folds.fitting import known_share
from tiebreak.tables import Metric


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Valuation(Brief):
    """Worth of each algorithm at a trade; arrays run over algorithms.

    `trades` holds, for each cost, what ten times of it must buy in units of `sample`; `given` the same as it was given.
    `values` is worth, `sequence` the order by it. `relative` and `paid` are geometric mean costs, beside the
    best-scoring one and in their own unit, (costs, algorithms). `sure` is None where nothing shows how scores vary.
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
    caveats: Caveats = ()

    @property
    def scores(self) -> FloatArray:
        """Mean scores in the unit of the score."""
        return self.scale.shown(self.sample.mean_scores)

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


def valued(
    table: FoldTable,
    metric: Metric,
    given: Sequence[Trade],
    *,
    alpha: float = 0.05,
    test_share: float | None = None,
    seed: int = 0,
) -> Valuation:
    """Value the algorithms of a table; `given` has a trade for each cost."""
    scale = scale_of(metric, table.valued, share=table.items is not None or table.totals is not None)
    if table.items is not None and not table.items.in_unit_range and scale.kind in ("loss", "unexplained"):
        scale = ScoreScale(kind="other", name=metric.name, upward=metric.higher_is_better is not False)
    logs, notes = _logs(table)
    sample, probable = _sample(table, scale, logs, test_share)
    return value_of(
        sample, scale, given, table.algorithms, probable=probable, alpha=alpha, seed=seed, caveats=tuple(notes)
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
    caveats: Caveats = (),
) -> Valuation:
    """Value algorithms by a sample of their scores and costs."""
    means = sample.mean_scores
    best = float(means.max())
    trades = np.array([scale.size(trade, best) for trade in given], dtype=np.float64)
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
        caveats=tuple(notes),
    )


def _logs(table: FoldTable) -> tuple[FloatArray, list[Caveat]]:
    """Return log10 of the costs, (costs, rows, algorithms); people pay totals of items, so those are averaged first."""
    out: list[FloatArray] = []
    notes: list[Caveat] = []
    if not table.paid:
        return np.zeros((0, 1, len(table.algorithms))), notes
    by_items = table.items is not None or table.totals is not None
    for paid, name in zip(table.paid, table.cost_names, strict=True):
        own = paid.mean(axis=0, keepdims=True) if by_items else paid
        positive = own[own > 0]
        if positive.size and positive.size < own.size:
            floor = max(float(positive.min()), float(np.median(positive)) / 1000)
            count = own.size - positive.size
            text = f"{count} {name} of 0 {'counts' if count == 1 else 'count'} as {floor:.3g}: a zero has no ratio."
            notes.append(Caveat("zero-costs", text))
            own = np.maximum(own, floor)
        out.append(np.log10(own) if positive.size else np.zeros_like(own))
    return np.array(out), notes


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
    alone = Sample(scores=scale.used(table.valued), logs=logs)
    if folds is None or folds.shape[1] * folds.shape[2] < 2 or (folds.shape[2] < 2 and test_share is None):
        return alone
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
    weights = None
    if len(items.benchmarks) > 1:
        weights = 1.0 / (len(held) * held[items.strata[common]])
    clusters = None
    if items.clusters is not None:
        clusters = np.unique(items.clusters[common], return_inverse=True)[1].astype(np.int64)
    sample = Sample(scores=scale.used(errors), logs=logs, weights=weights, clusters=clusters)
    groups = len(errors) if clusters is None else int(clusters.max()) + 1
    return sample, groups >= FEWEST_FOR_PROBABILITY


def _of_totals(table: FoldTable, logs: FloatArray) -> Sample:
    """Only totals are known: models are taken as independent."""
    assert table.totals is not None
    passed, n = table.totals
    shares = passed / n
    nearly = (passed + 1) / (n + 2)  # a share of 0 or 1 is not known without error
    return Sample(scores=shares[None], logs=logs, covariance=np.diag(nearly * (1 - nearly) / n), groups=int(n.min()))
