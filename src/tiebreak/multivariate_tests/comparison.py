"""From results to a comparison by several measures: measures, tests, cliques, learned measures, an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from tiebreak._checks import FloatArray, check_alpha, check_choice
from tiebreak.caveats import Caveat, Caveats, distinct, few
from tiebreak.comparison.gaps import check_left, check_said, completed, score_metrics, settled
from tiebreak.comparison.groups import letters, too_many_letters
from tiebreak.documents import Answer, Document, Row, Shown
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.methods import choices
from tiebreak.multivariate_tests.one_set import (
    CORRECTIONS,
    Asked,
    MeasuresOmnibus,
    MeasuresPair,
    SetComparison,
    best_first,
    check_enough,
    clique_notes,
    cliques_of,
    compare_set,
    resampling_notes,
    resampling_of,
)
from tiebreak.ordering import Ordering, order
from tiebreak.readers.taking import ReadingSeveral, taken
from tiebreak.results import Metric, Results
from tiebreak.results.confusion import with_scores
from tiebreak.results.roles import check_one_host
from tiebreak.stats.multivariate.manova_tests import MANOVA_STATISTICS, LearnedMeasures, learned_measures
from tiebreak.stats.multivariate.measured import check_permutations
from tiebreak.stats.multivariate.over_datasets import combine_datasets
from tiebreak.stats.numeric.basics import check_count
from tiebreak.stats.results import pair_indices
from tiebreak.wording import option

_MOST_NAMED = 10
"""Cliques that a `repr` names."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MultivariateComparison(Shown):
    """The comparison of algorithms by several measures at once; `sets` holds every data set by itself.

    `algorithms` stand by their mean rank over measures and data sets, which is for reading, not a test. With one data
    set `omnibus`, `pairs`, `cliques` and `learned` are its own; with several the p-values are combined. `cliques` are
    the maximal sets in which no two differ significantly; they may overlap. `order` is there where a cost was named.
    """

    algorithms: tuple[str, ...]
    measures: tuple[Metric, ...]
    omnibus: MeasuresOmnibus
    pairs: tuple[MeasuresPair, ...]
    cliques: tuple[tuple[str, ...], ...]
    learned: LearnedMeasures
    normality: tuple[Row, ...]
    sets: tuple[SetComparison, ...]
    alpha: float
    adjust: str
    statistic: str
    order: Ordering | None = None
    caveats: Caveats = ()
    data_papers: tuple[str, ...] = ()

    @property
    def datasets(self) -> tuple[str, ...]:
        """The names of the data sets."""
        return tuple(comparison.dataset for comparison in self.sets)

    @property
    def rejected(self) -> bool:
        """Whether the test of all algorithms and measures rejects."""
        return self.omnibus.pvalue <= self.alpha

    def on(self, dataset: str) -> SetComparison:
        """Return the comparison on one data set."""
        if dataset not in self.datasets:
            raise unknown_name("data set", dataset, self.datasets)
        return self.sets[self.datasets.index(dataset)]

    def letters(self) -> list[str]:
        """Return the cliques of each algorithm as letters, or how many where those would be too many."""
        if too_many_letters(self.cliques):
            counts = Counter(name for clique in self.cliques for name in clique)
            return [str(counts[name]) for name in self.algorithms]
        place = {name: i for i, name in enumerate(self.algorithms)}
        return letters([[place[name] for name in clique] for clique in self.cliques], len(self.algorithms))

    def rows(self) -> list[Row]:
        """Return one row per algorithm: its mean measures over folds and data sets, and its cliques."""
        stacked = np.mean([comparison.in_order(self.algorithms).mean(axis=0) for comparison in self.sets], axis=0)
        return [
            {
                "algorithm": name,
                **{measure.name: float(value) for measure, value in zip(self.measures, means, strict=True)},
                "clique": letter,
            }
            for name, means, letter in zip(self.algorithms, stacked, self.letters(), strict=True)
        ]

    def title(self) -> str:
        """Say in one line what was compared."""
        sets = f"data set {self.datasets[0]!r}" if len(self.sets) == 1 else f"{len(self.sets)} data sets"
        names = ", ".join(f"{m.name} ({'higher' if m.higher_is_better else 'lower'} is better)" for m in self.measures)
        return f"{len(self.algorithms)} algorithms on {sets} by {names}"

    def brief(self) -> str:
        """Say whether the algorithms differ, and between which there is no significant difference."""
        text = "they differ" if self.rejected else "no difference found"
        some = ", ".join("{" + ", ".join(clique) + "}" for clique in self.cliques[:_MOST_NAMED])
        more = len(self.cliques) - _MOST_NAMED
        return f"{text}; no significant difference: {some}{f' and {more} more' if more > 0 else ''}"

    @property
    def answer(self) -> Answer:
        """Who dominates whom, and how sure that is."""
        from tiebreak.multivariate_tests.document import answer

        return answer(self)

    def document(self) -> Document:
        """Return what the comparison says: for text, Markdown, LaTeX, HTML and the report."""
        from tiebreak.multivariate_tests.document import document

        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data, the content of `tiebreak multivariate --json`."""
        from tiebreak.multivariate_tests.document import as_dict

        return as_dict(self)


VERB = "multivariate"
TESTS = ("normal", "permutation")
"""What decides."""


def multivariate(
    results: Any,
    *,
    scores: Sequence[str] | str | None = None,
    dataset: str | None = None,
    test: str = "normal",
    blocked: bool | None = None,
    statistic: str = "bartlett",
    adjust: str = "holm",
    cost: str | Sequence[str] | None = None,
    prior: Sequence[str] | None = None,
    positive: str | Mapping[str, str] | None = None,
    average: str = "binary",
    alpha: float = 0.05,
    missing: str = "auto",
    higher_is_better: bool | Mapping[str, bool] | None = None,
    n_permutations: int = 9999,
    seed: int = 0,
    resampling_correction: str = "auto",
    test_share: float | None = None,
    **reading: Unpack[ReadingSeveral],
) -> MultivariateComparison:
    """Compare algorithms by several measures at once, such as (tpr, fpr) or (precision, recall).

    Hypothesis: on each data set, all algorithms have the same expected vector of measures; then for each pair, the two
    have. Over data sets: that this holds on all of them.

    Formula: two algorithms, Hotelling's paired T2 over the folds; more, Wilks' lambda by Bartlett's chi-squared (or
    another statistic), the means of folds taken off, then Hotelling's T2 for each pair, corrected over the pairs. Folds
    of one data set share training data, so the variance of a mean over K folds is taken as (1 / K + n_test / n_train)
    s2; five replications of two folds have the 5x2 cv F test for several measures instead. A pair is called different
    where its corrected p-value and that of the test of all algorithms are at most alpha; one is better where, besides,
    it dominates: no mean worse, one better. Over data sets the p-values are combined by Fisher's method, and one is
    better where it dominates on more than half of the data sets on which the two differ. See
    `tiebreak.stats.multivariate`.

    Assumptions:

    1. Any two folds of a data set are correlated by the share of it that is tested on, a rule of thumb; with
       resampling_correction="none", they are independent, and since they are not, differences are found too often.
    2. For normal theory, the measures are normal together, with one covariance; Mardia's tests look at the first.
    3. Over data sets, the data sets are independent.

    When not to use it: with as many measures as folds; to learn who is better from a single number (use
    `tiebreak.compare`): two algorithms may differ while neither dominates.

    Parameters
    ----------
    results : Results, path, frame or mapping
        With the measures as scores, or with the counts tp, fp, tn, fn (or a confusion matrix), from which any known
        measure is made; see `tiebreak.results.confusion.with_scores`.
    scores : sequence of str
        The measures. One is allowed: then this is the paired t test or the analysis of variance.
    dataset : str, optional
        Only this data set.
    test : {"normal", "permutation"}
        What decides. Permutations take folds for independent; with shared training data their statistic is corrected,
        and they are not exact.
    blocked : bool, optional
        Whether the test of all algorithms removes what is common to a fold, as the tests of pairs always do. By default
        it does, since all algorithms saw the same folds. The published analysis is one-way and gives that away: False,
        and the default with resampling_correction="none". 5x2 cv is always compared within folds.
    statistic : {"bartlett", "wilks", "pillai", "hotelling-lawley", "roy"}
        "wilks" is by Rao's F. All are in the result.
    adjust : str, default "holm"
        The correction over pairs.
    cost, prior : optional
        As in `tiebreak.order`: adds a cost-conscious order in which one algorithm is preferred on a data set where
        Hotelling's test rejects and it dominates.
    positive : str or mapping, optional
        The positive class, or {data set: class}, where measures are made from a confusion matrix.
    average : {"binary", "macro"}
        How measures are made from a confusion matrix.
    alpha : float, default 0.05
    missing : {"auto", "refuse", "drop-datasets", "drop-algorithms", "drop-folds"}
    higher_is_better : bool or mapping, optional
        Needed where the names of the measures do not tell.
    n_permutations, seed : int
        For permutations; the same seed gives the same p-values, whatever the order of the rows.
    resampling_correction : {"auto", "none"}
        "auto" takes the tests that fit the replications and folds of each data set; "none" takes folds for independent.
    test_share : float, optional
        Share of the examples in the test part. It is 1 / folds where there are two or more folds in a replication, and
        must be given for repeated hold-out.
    **reading : optional
        How to read what is no Results yet, such as columns, where, algorithms or transpose; see `tiebreak.as_results`.

    Returns
    -------
    MultivariateComparison

    References
    ----------
    yildiz2014
    hotelling1931
    nadeau2003

    Examples
    --------
    >>> import numpy as np
    >>> folds = np.random.default_rng(1).normal(0.8, 0.03, size=(10, 3, 2)) + [[0, 0], [0, 0], [0.1, 0.1]]
    >>> rows = [{"dataset": "iris", "algorithm": name, "fold": k, "tpr": folds[k, i, 0], "tnr": folds[k, i, 1]}
    ...         for k in range(10) for i, name in enumerate(["tree", "svm", "knn"])]
    >>> import polars
    >>> comparison = multivariate(Results.from_frame(polars.DataFrame(rows)), scores=["tpr", "tnr"])
    >>> comparison.rejected, comparison.cliques
    (True, (('knn',), ('svm', 'tree')))
    """
    check_permutations(n_permutations)
    check_count("seed", seed, least=0, usual=0)
    scores = reading.pop("score", None) if scores is None else scores
    if scores is None:
        raise OptionError("No measures were named.", mend=f"Say {option(scores=['tpr', 'fpr'])}.")
    held = taken(results, VERB, reading, scores=None if isinstance(results, Results) else scores, costs=cost)
    scores = (scores,) if isinstance(scores, str) else tuple(scores)
    table = with_scores(held, scores, positive=positive, average=average)
    remaining = table if dataset is None else table.only(datasets=[dataset])
    check_said(remaining, scores, lambda: score_metrics(table, scores, higher_is_better), missing=missing, verb=VERB)
    metrics = score_metrics(table, scores, higher_is_better)
    check_one_host(table, [item.name for item in metrics])
    names = [metric.name for metric in metrics]
    complete, missing = completed(remaining, names, policy=missing, verb=VERB, told=higher_is_better)
    check_choice("statistic", statistic, MANOVA_STATISTICS)
    check_choice("test", test, TESTS)
    check_choice("correction", adjust, choices("correction", verb=VERB))
    check_choice("correction for resampling", resampling_correction, CORRECTIONS)
    level = check_alpha(alpha)
    notes = list(complete.caveats)
    before, remaining = remaining, complete
    for metric in metrics:
        remaining, more = settled(remaining, metric.name, policy=missing, verb=VERB)
        notes += more
    check_left(remaining, dropped=remaining is not before, verb="compare", least_sets=1)
    options = Asked(
        metrics=metrics,
        algorithms=remaining.algorithms,
        blocked=blocked,
        statistic=statistic,
        adjust=adjust,
        test=test,
        alpha=level,
        seed=seed,
        n_permutations=n_permutations,
        correction=resampling_correction,
        test_share=test_share,
    )
    sets = [_on(remaining, name, options) for name in remaining.datasets]
    comparison = replace(_together(sets, options, notes), data_papers=held.data_papers)
    if cost is not None or prior is not None:
        settings: dict[str, Any] = {"cost": cost, "prior": prior, "higher_is_better": higher_is_better}
        made = order(remaining, score=options.measures, inner_adjust=adjust, alpha=level, **settings)
        comparison = replace(comparison, order=made)
    return comparison.framed(held.frame_kind)


def _on(results: Results, name: str, options: Asked) -> SetComparison:
    """Compare on one data set; an error says on which."""
    one = results.only(datasets=[name])
    stacked = np.stack([one.cube(metric.name)[0] for metric in options.metrics], axis=-1)
    there = ~np.isnan(stacked).all(axis=(0, 3))  # (replications, folds)
    cube: FloatArray = stacked[:, there].transpose(1, 0, 2)
    check_enough(cube, name)
    try:
        made = resampling_of(there, options.correction, options.test_share)
        return compare_set(name, np.ascontiguousarray(cube), options, made)
    except InputError as error:
        raise InputError(f"Data set {name!r}: {error.what}", why=error.why, mend=error.mend) from None


def _together(sets: Sequence[SetComparison], options: Asked, notes: Sequence[Caveat]) -> MultivariateComparison:
    """One data set keeps its own tests untouched; only several are combined."""
    names = _overall_order(sets, options)
    one = sets[0]
    omnibus = one.omnibus if len(sets) == 1 else _combined_omnibus(sets)
    pairs, cliques = (one.pairs, one.cliques) if len(sets) == 1 else _combined_pairs(sets, names, omnibus, options)
    learned = _pooled_learned(sets, names, options)
    caveats = [
        *notes,
        *few(_gathered(sets), 8),
        *clique_notes(cliques),
        *learned.caveats,
        *resampling_notes([comparison.resampling for comparison in sets]),
    ]
    return MultivariateComparison(
        algorithms=names,
        measures=options.metrics,
        omnibus=omnibus,
        pairs=pairs,
        cliques=cliques,
        learned=learned,
        normality=_normality_rows(sets),
        sets=tuple(sets),
        alpha=options.alpha,
        adjust=options.adjust,
        statistic=options.statistic,
        caveats=distinct(caveats),
    )


# ---- many data sets: the tests of each, counted and combined


def _overall_order(sets: Sequence[SetComparison], options: Asked) -> tuple[str, ...]:
    """Order algorithms by their mean rank over measures and data sets, equal ones by name."""
    if len(sets) == 1:
        return sets[0].algorithms
    means = np.concatenate([comparison.in_order(options.algorithms).mean(axis=0) for comparison in sets], axis=1)
    # the means of all data sets stand side by side, so every measure comes once for each of them
    repeated = replace(options, metrics=options.metrics * len(sets))
    return tuple(options.algorithms[i] for i in best_first(means, repeated))


def _combined_omnibus(sets: Sequence[SetComparison]) -> MeasuresOmnibus:
    """Combine the tests of all algorithms by Fisher's method; Wilks' lambda is the geometric mean."""
    combined = combine_datasets([[comparison.omnibus.pvalue] for comparison in sets])
    lambdas = np.array([comparison.omnibus.wilks for comparison in sets])
    counts = Counter(comparison.omnibus.method for comparison in sets)
    shown = "; ".join(f"{method} on {count}" for method, count in sorted(counts.items()))
    shown = f"{sets[0].omnibus.method} on each" if len(counts) == 1 else shown
    return MeasuresOmnibus(
        method=f"Fisher's combination over {len(sets)} data sets ({shown})",
        statistic=abs(float(combined.statistic[0])),  # -0 where every p is 1
        df=(2.0 * len(sets),),
        pvalue=float(combined.pvalue[0]),
        wilks=float(np.exp(np.log(lambdas).mean())) if lambdas.all() else 0.0,
    )


def _combined_pairs(
    sets: Sequence[SetComparison], names: tuple[str, ...], omnibus: MeasuresOmnibus, options: Asked
) -> tuple[tuple[MeasuresPair, ...], tuple[tuple[str, ...], ...]]:
    """Combine the p-values of every pair over the data sets, count where it differs, and find who dominates.

    One is better over the data sets where it dominates on more than half of those on which the pair differs.
    """
    a, b = pair_indices(len(names))
    keys = [(names[i], names[j]) for i, j in zip(a, b, strict=True)]
    known = [{frozenset((pair.a, pair.b)): pair for pair in comparison.pairs} for comparison in sets]
    raw = [[table[frozenset(key)].pvalue for key in keys] for table in known]
    combined = combine_datasets(raw, adjust=options.adjust)
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


def _pooled_learned(sets: Sequence[SetComparison], names: tuple[str, ...], options: Asked) -> LearnedMeasures:
    """Learn measures from the folds of all data sets, each a block of its own, so that data sets do not matter."""
    if len(sets) == 1:
        return sets[0].learned
    return learned_measures(
        np.concatenate([comparison.in_order(names) for comparison in sets]),
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


def _normality_rows(sets: Sequence[SetComparison]) -> tuple[Row, ...]:
    """Return Mardia's tests of every algorithm on every data set, and with two of their difference."""
    columns = ("skewness", "skewness_pvalue", "kurtosis", "kurtosis_pvalue")
    return tuple(
        ({} if len(sets) == 1 else {"dataset": comparison.dataset})
        | {"algorithm": row["algorithm"], **{name: row[name] for name in columns}}
        for comparison in sets
        if comparison.normality is not None
        for row in comparison.normality.rows()
    )


def _gathered(sets: Sequence[SetComparison]) -> list[Caveat]:
    """Return the notes of the data sets, those that many share written once with their number."""
    where: dict[Caveat, list[str]] = {}
    for comparison in sets:
        for note in comparison.caveats:
            where.setdefault(note, []).append(comparison.dataset)
    if len(sets) == 1:
        return list(where)
    prefixes = {
        note: f"Data set {names[0]!r}: "
        if len(names) == 1
        else f"On {'all' if len(names) == len(sets) else f'{len(names)} of'} {len(sets)} data sets: "
        for note, names in where.items()
    }
    shared_first = sorted(where, key=lambda note: len(where[note]) == 1)
    return [note.prefixed(prefixes[note]) for note in shared_first]
