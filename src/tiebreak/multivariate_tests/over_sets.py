"""Many data sets: the tests of each, counted and combined; the learned measures of all folds together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat
from tiebreak.documents import Row
from tiebreak.multivariate_tests.one_set import (
    Asked,
    MeasuresOmnibus,
    MeasuresPair,
    SetComparison,
    best_first,
    cliques_of,
)
from tiebreak.stats.multivariate.manova_tests import LearnedMeasures, learned_measures
from tiebreak.stats.multivariate.over_datasets import combine_datasets
from tiebreak.stats.multivariate.per_measure import PerMeasureResult
from tiebreak.stats.results import correction_name, frozen, pair_indices


def overall_order(sets: Sequence[SetComparison], options: Asked) -> tuple[str, ...]:
    """Order algorithms by their mean rank over measures and data sets, equal ones by name."""
    if len(sets) == 1:
        return sets[0].algorithms
    means = np.concatenate([_means(comparison, options.algorithms) for comparison in sets], axis=1)
    return tuple(options.algorithms[i] for i in best_first(means, _repeated(options, len(sets))))


def _repeated(options: Asked, times: int) -> Asked:
    """The means of all data sets stand side by side, so every measure comes once for each of them."""
    return replace(options, metrics=options.metrics * times)


def _means(comparison: SetComparison, names: Sequence[str]) -> FloatArray:
    """Each data set has its own order of algorithms, best first; here they are brought to one."""
    return comparison.means[[comparison.algorithms.index(name) for name in names]]


def combined_omnibus(sets: Sequence[SetComparison], options: Asked) -> MeasuresOmnibus:
    """Combine the tests of all algorithms by Fisher's method; Wilks' lambda is the geometric mean."""
    combined = combine_datasets([[comparison.omnibus.pvalue] for comparison in sets], alpha=options.alpha)
    logs = np.log(np.maximum([comparison.omnibus.wilks for comparison in sets], 1e-300))
    zero = any(comparison.omnibus.wilks == 0 for comparison in sets)
    return MeasuresOmnibus(
        method=f"Fisher's combination over {len(sets)} data sets ({_methods(sets)})",
        statistic=abs(float(combined.statistic[0])),  # -0 where every p is 1
        df=(2.0 * len(sets),),
        pvalue=float(combined.pvalue[0]),
        wilks=0.0 if zero else float(np.exp(logs.mean())),
        others=(
            {"test": "stouffer", "pvalue": float(combined.stouffer[0])},
            {"test": "tippett", "pvalue": float(combined.tippett[0])},
        ),
    )


def _methods(sets: Sequence[SetComparison]) -> str:
    """Name the test of the data sets, or each test with the number of data sets on which it decided."""
    counts = Counter(comparison.omnibus.method for comparison in sets)
    if len(counts) == 1:
        return f"{sets[0].omnibus.method} on each"
    return "; ".join(f"{method} on {count}" for method, count in sorted(counts.items()))


def combined_pairs(
    sets: Sequence[SetComparison], names: tuple[str, ...], omnibus: MeasuresOmnibus, options: Asked
) -> tuple[tuple[MeasuresPair, ...], tuple[tuple[str, ...], ...]]:
    """Combine the p-values of every pair over the data sets, count where it differs, and find who dominates.

    One is better over the data sets where it dominates on more than half of those on which the pair differs.
    """
    a, b = pair_indices(len(names))
    keys = [(names[i], names[j]) for i, j in zip(a, b, strict=True)]
    known = [{frozenset((pair.a, pair.b)): pair for pair in comparison.pairs} for comparison in sets]
    raw = [[table[frozenset(key)].pvalue for key in keys] for table in known]
    combined = combine_datasets(raw, inner_adjust=options.adjust, adjust=options.adjust, alpha=options.alpha)
    differs = (combined.adjusted <= options.alpha) & (omnibus.pvalue <= options.alpha)
    pairs = []
    for k, (first, second) in enumerate(keys):
        there = [table[frozenset((first, second))] for table in known]
        wins = [sum(pair.better == name for pair in there) for name in (first, second)]
        count = sum(pair.differs for pair in there)
        better = first if 2 * wins[0] > count else second if 2 * wins[1] > count else None
        pairs.append(
            MeasuresPair(
                a=first,
                b=second,
                statistic=abs(float(combined.statistic[k])),
                pvalue=float(combined.pvalue[k]),
                adjusted=float(combined.adjusted[k]),
                differs=bool(differs[k]),
                better=better if differs[k] else None,
                sets=count,
                dominates=(wins[0], wins[1]),
            )
        )
    return tuple(pairs), cliques_of(differs, names)


def pooled_learned(sets: Sequence[SetComparison], names: tuple[str, ...], options: Asked) -> LearnedMeasures:
    """Learn measures from the folds of all data sets, each a block of its own, so that data sets do not matter."""
    if len(sets) == 1:
        return sets[0].learned
    cubes = [comparison.cube[:, [comparison.algorithms.index(name) for name in names]] for comparison in sets]
    return learned_measures(
        np.concatenate(cubes),
        blocked=True,
        test_share=_pooled_share(sets),
        algorithms=names,
        measure_names=options.measures,
    )


def _pooled_share(sets: Sequence[SetComparison]) -> float | None:
    """Return the share that gives the folds of all data sets together the mean factor of overlap of each.

    Only folds of one data set share training data, so the factor does not grow with the number of data sets.
    """
    factors = [
        11.0 if comparison.resampling.correction == "5x2cv" else comparison.resampling.overlap for comparison in sets
    ]
    counts = [len(comparison.cube) for comparison in sets]
    ratio = (float(np.average(factors, weights=counts)) - 1.0) / sum(counts)
    return ratio / (1.0 + ratio) if ratio > 0 else None


def combined_per_measure(sets: Sequence[SetComparison], names: tuple[str, ...], adjust: str) -> PerMeasureResult:
    """Combine the tests of every measure over the data sets by Fisher's method; means are over data sets."""
    first = sets[0].per_measure
    if len(sets) == 1:
        return first
    a, b = pair_indices(len(names))
    tables = [comparison.per_measure for comparison in sets]
    raw = np.array([table.pair_pvalue[:, _places(table, names)] for table in tables])  # (data sets, measures, pairs)
    whole = combine_datasets([table.pvalue for table in tables])
    inner = [combine_datasets(raw[:, j], adjust=adjust) for j in range(len(first.measures))]
    means = np.mean([table.means[:, [table.algorithms.index(name) for name in names]] for table in tables], axis=0)
    better = first.higher_is_better
    order = np.argsort(np.where(better, -1.0, 1.0)[:, None] * means, axis=1, kind="stable").astype(np.int64)
    columns = {
        name: np.array([getattr(result, name) for result in inner]) for name in ("statistic", "pvalue", "adjusted")
    }
    return PerMeasureResult(
        **frozen(statistic=np.abs(whole.statistic), pvalue=whole.pvalue, adjusted=whole.adjusted),
        **frozen(df=np.tile([2.0 * len(sets), np.nan], (len(means), 1)), means=means, order=order, a=a, b=b),
        **frozen(**{f"pair_{name}": np.abs(column) for name, column in columns.items()}),
        **frozen(mean_difference=means[:, a] - means[:, b]),
        higher_is_better=better,
        algorithms=names,
        measures=first.measures,
        n_folds=sum(len(comparison.cube) for comparison in sets),
        method=f"Fisher's combination over {len(sets)} data sets per measure with Holm's correction",
        pair_method=f"Fisher's combination {correction_name(adjust)}",
    )


def _places(table: PerMeasureResult, names: tuple[str, ...]) -> list[int]:
    """Return where the pairs of the common order of algorithms stand in the table of one data set."""
    known = {frozenset((int(i), int(j))): k for k, (i, j) in enumerate(zip(table.a, table.b, strict=True))}
    spots = [table.algorithms.index(name) for name in names]
    return [known[frozenset((spots[i], spots[j]))] for i, j in zip(*pair_indices(len(names)), strict=True)]


def normality_rows(sets: Sequence[SetComparison]) -> tuple[Row, ...]:
    """Return Mardia's tests of every algorithm on every data set, and with two of their difference."""
    columns = ("skewness", "skewness_pvalue", "kurtosis", "kurtosis_pvalue")
    return tuple(
        ({} if len(sets) == 1 else {"dataset": comparison.dataset})
        | {"algorithm": row["algorithm"], **{name: row[name] for name in columns}}
        for comparison in sets
        if comparison.normality is not None
        for row in comparison.normality.rows()
    )


def gathered(sets: Sequence[SetComparison]) -> list[Caveat]:
    """Return the notes of the data sets, those that many share written once with their number."""
    where: dict[Caveat, list[str]] = {}
    for comparison in sets:
        for note in comparison.caveats:
            where.setdefault(note, []).append(comparison.dataset)
    if len(sets) == 1:
        return list(where)
    shared = [n.prefixed(f"On {_counted(names, len(sets))}: ") for n, names in where.items() if len(names) > 1]
    return [*shared, *(n.prefixed(f"Data set {names[0]!r}: ") for n, names in where.items() if len(names) == 1)]


def _counted(names: Sequence[str], count: int) -> str:
    return f"all {count} data sets" if len(names) == count else f"{len(names)} of {count} data sets"
