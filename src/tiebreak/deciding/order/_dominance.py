"""Several scores at once inside a data set: who dominates whom, by Hotelling's test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.deciding.order._inner_tests import Inner
from tiebreak.documents import listed
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.stats.multivariate.fitting import fitting_pairs
from tiebreak.stats.numeric.ranks import snap
from tiebreak.stats.pairwise import pair_indices
from tiebreak.tables import Metric, Results
from tiebreak.tables.confusion import MEASURES
from tiebreak.tables.confusion_table import has_counts
from tiebreak.tables.directions import directions, open_directions
from tiebreak.wording import either, option

SEVERAL_TEST = "hotelling"
"""The pairwise test of several scores."""
DOMINANCE = Caveat(
    "dominance",
    "One algorithm is preferred on a data set where Hotelling's test rejects and it dominates (no mean worse, one"
    " better); where neither dominates, cost decides.",
)


def score_metrics(
    results: Results, score: str | Sequence[str] | None, higher_is_better: bool | Mapping[str, bool] | None
) -> tuple[Metric, ...]:
    """Return the metrics that were named, each with its direction.

    Of one score that has a metric of its own on each data set the direction is left open: it may differ.
    """
    names = (results.only_score(),) if score is None else (score,) if isinstance(score, str) else tuple(score)
    if not names or len(set(names)) != len(names):
        raise OptionError(
            "No score was named." if not names else f"A score was named twice: {', '.join(names)}.",
            why="Each measure counts once.",
            mend=f"Name each score once, such as {option(score=['tpr', 'fpr'])}.",
        )
    told: Mapping[str, bool] = higher_is_better if isinstance(higher_is_better, Mapping) else {}
    for name in told if len(names) > 1 else ():
        if name not in names:
            raise unknown_name(f"score (in {either('higher_is_better', '--direction')})", str(name), names)
    out, unknown = [], []
    for name in names:
        if name not in results.values and name in MEASURES and has_counts(results):
            raise unknown_name(
                "score",
                name,
                results.values,
                mend="It can be made from the counts: tiebreak.tables.with_measures(results).",
            )
        metric = results.metric(name)
        if len(names) == 1:  # its direction may differ between data sets
            return (metric,)
        said = told.get(name) if isinstance(higher_is_better, Mapping) else higher_is_better
        known = metric.higher_is_better is not None
        if not known and said is None:
            unknown.append(name)
            continue
        direction = metric.direction(None if known and not told else said)
        out.append(Metric(name=name, higher_is_better=direction, unit=metric.unit))
    if unknown:
        raise open_directions(unknown, "measures")
    return tuple(out)


def directed_metrics(
    results: Results, score: str | Sequence[str] | None, higher_is_better: bool | Mapping[str, bool] | None
) -> tuple[Metric, ...]:
    """Return the metrics that were named; that the direction of each is known has been seen to."""
    metrics = score_metrics(results, score, higher_is_better)
    if len(metrics) == 1:
        directions(results, metrics[0].name, higher_is_better)
    return metrics


def place_metric(metrics: Sequence[Metric]) -> Metric:
    """Return what an order by several scores goes by: the place on each data set."""
    return Metric(name=f"place in {listed([each.name for each in metrics])}", higher_is_better=False)


def dominance(means: FloatArray) -> FloatArray:
    """Return for all pairs of the first axis who dominates: -1 the first, 1 the second, 0 neither.

    `means` is (algorithms, measures), lower the better; noise of rounding makes no difference. One dominates where it
    is nowhere worse and somewhere better.

    Examples
    --------
    >>> import numpy as np
    >>> dominance(np.array([[0.1, 0.2], [0.1, 0.3], [0.0, 0.9]]))
    array([-1.,  0.,  0.])
    """
    a, b = pair_indices(len(means))
    levels = np.stack([snap(column) for column in means.T], axis=1)
    difference = np.sign(levels[a] - levels[b])
    first = (difference <= 0).all(axis=1) & (difference < 0).any(axis=1)
    second = (difference >= 0).all(axis=1) & (difference > 0).any(axis=1)
    return np.asarray(second.astype(np.float64) - first.astype(np.float64))


def dominance_tests(
    measures: FloatArray, *, adjust: str, datasets: Sequence[str], names: Sequence[str], test_share: float | None = None
) -> Inner:
    """Test all pairs on every data set; `measures` is (data sets, algorithms, replications, folds, measures).

    The `difference` of a pair is its dominance, so that no decision is made where neither dominates. Data sets may
    have different numbers of folds: one that a data set lacks is NaN throughout.
    """
    sets, algorithms, replications, folds, count = measures.shape
    full = measures.transpose(0, 2, 3, 1, 4).reshape(sets, replications * folds, algorithms, count)
    there = [~np.isnan(each).all(axis=(1, 2)) for each in full]
    cells = [each[rows] for each, rows in zip(full, there, strict=True)]
    replication: IntArray = np.repeat(np.arange(replications), folds)
    test = partial(fitting_pairs, adjust=adjust, algorithms=tuple(names), test_share=test_share)
    found = []
    for name, each, rows in zip(datasets, cells, there, strict=True):
        try:
            found.append(test(each, replication[rows]))
        except InputError as error:
            raise InputError(f"Data set {name!r}: {error.what}", why=error.why, mend=error.mend) from None
    a, b = pair_indices(algorithms)
    sides = np.array([dominance(each.mean(axis=0)) for each in cells])
    notes = [
        note.prefixed(f"Data set {name!r}: ")
        for name, each in zip(datasets, found, strict=True)
        for note in each.caveats
    ]
    return Inner(
        a=a,
        b=b,
        statistic=np.array([each.statistic for each in found]),
        pvalue=np.array([each.pvalue for each in found]),
        adjusted=np.array([each.adjusted for each in found]),
        difference=sides,
        method=found[0].method,
        caveats=(DOMINANCE, *few(notes)),
    )


def few(notes: Sequence[Caveat], most: int = 5) -> list[Caveat]:
    """Keep the first of many notes, and say how many there are."""
    rest = len(notes) - most
    if rest <= 0:
        return list(notes)
    return [*notes[:most], Caveat("more-of-this-kind", f"... and {rest} more notes of this kind.")]
