"""From results to a comparison: gaps settled, tests chosen and run, groups, caveats."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import numpy as np

from tiebreak._checks import check_alpha, readonly
from tiebreak.caveats import Caveat, distinct
from tiebreak.comparison.gaps import (
    check_left,
    check_measured,
    check_policy,
    check_said,
    completed,
    score_of_totals,
    settled,
)
from tiebreak.comparison.groups import MOST_GROUPS, hidden_pairs, promise_caveats, too_many_letters
from tiebreak.comparison.result import Comparison
from tiebreak.comparison.scales import Scaled, scaled
from tiebreak.comparison.testing import (
    VERB,
    WINS,
    Given,
    Plan,
    against_the_order,
    best_first,
    check_asked,
    choose,
    groups_of,
    run_omnibus,
    run_pairs,
    significant_pairs,
    stand_in,
    too_few_caveat,
)
from tiebreak.errors import OptionError, unknown_name
from tiebreak.readers.taking import ReadingOne, one_score, taken
from tiebreak.results import Metric, Results, directions
from tiebreak.results.items import FOLD, TOTAL
from tiebreak.results.metrics import Told
from tiebreak.results.roles import check_one_host
from tiebreak.stats import PairwiseResult
from tiebreak.wording import either, option


def compare(
    results: Any,
    *,
    score: str | None = None,
    omnibus: str | None = None,
    pairwise: str | None = None,
    posthoc: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    missing: str = "auto",
    tie_correction: bool | None = None,
    scale: str = "auto",
    higher_is_better: Told = None,
    over: str | None = None,
    test_share: float | None = None,
    **reading: Unpack[ReadingOne],
) -> Comparison:
    """Compare algorithms over many data sets, or on the folds of one: who differs from whom.

    Hypothesis: of the omnibus test (by default Friedman's) that the scores of all algorithms are exchangeable on every
    data set; of each pair (by default Wilcoxon's signed ranks) that the differences of the two are symmetric about 0.

    Formula: folds are averaged; then the omnibus test, the tests of pairs and their correction, as asked for or by the
    rules at the head of `comparison/testing.py`, which are printed with the result. For ranks, means that agree to
    13 significant digits count as tied.

    Assumptions:

    1. The data sets are independent of each other.
    2. Each score is a fair estimate on its data set; folds are averaged first and play no further part.
    3. Differences of scores mean the same on every data set. Where metrics or scales differ, distances from the median
       algorithm are compared instead, see `tiebreak.comparison.scales.scaled`.

    On one data set each pair is tested on its folds instead, which share training data, by the test that fits them
    (`tiebreak.stats.fitting_test`: the corrected resampled t test, or the 5x2 cv F test); the answer holds for that
    data set. Items (a column `item`) are compared by tests of their own.

    When not to use it: where the algorithms were scored on different data sets, or on different folds.

    Pairs that are tested on their own scores and corrected for their number stand by themselves. For tests on mean
    ranks or pooled means the omnibus test comes first: if it does not reject, no pair is called different, and a caveat
    says so.

    Parameters
    ----------
    results : Results, path, frame, mapping or array
        Whatever holds scores by data set and algorithm; see `tiebreak.as_results`.
    score : str, optional
        The score to compare; needed where there are several.
    omnibus : str, optional
        friedman (decided by Iman and Davenport's F), friedman-chi2, friedman-exact (few data sets), aligned-ranks,
        quade, skillings-mack, rm-anova, or none.
    pairwise : str, optional
        What a pair is tested by: wilcoxon (the default), sign, wins (ties left out; McNemar's exact test for scores of
        0 and 1), significant-wins (a data set whose folds show nothing is a tie), paired-t or anytime (wins, valid
        however often the table is tested as it grows) on its own scores; ranks (z on the ranks of the omnibus
        test), conover or exact-ranks (few data sets) on its ranks among all algorithms.
    posthoc : str, optional
        A correction: bergmann-hommel, shaffer, holm, hochberg, hommel, holland, rom, finner, li, bonferroni, sidak,
        benjamini-hochberg, benjamini-yekutieli or none; or a test that brings its own: nemenyi, bonferroni-dunn or dunn
        on mean ranks, tukey or dunnett on mean scores.
    control : str, optional
        Compare this algorithm with all others instead of all pairs.
    alpha : float, default 0.05
    missing : str, default "auto"
        What to do about gaps: "auto" compares what is complete while at least 80 % of the data sets remain, and counts
        failed runs as the worst score of their data set; else refuse, drop-datasets, drop-algorithms, drop-folds,
        worst-rank or skillings-mack.
    tie_correction : bool, optional
        Whether ties enter the variance of ranks. By default they do, except with the post hoc tests nemenyi and
        bonferroni-dunn, where all tests are as in Demsar (2006).
    scale : {"auto", "as-is", "distance"}
        How scores of different data sets are compared; see `tiebreak.comparison.scales.scaled`.
    higher_is_better : bool or mapping, optional
        Needed where the name of the score does not tell; by the name of a metric where there are several.
    over : {"items", "scores"}, optional
        For a table of items (a column `item`, or totals `passed` and `n`): compare models on the items of these
        benchmarks, the default, or take each benchmark for a data set and its mean for a score. On items `pairwise` is
        mcnemar, mcnemar-midp, sign-flip or cluster-t, of totals fisher or score-test.
    test_share : float, optional
        Of the folds of one data set: the share of the examples that each of them tests. By default 1/k of k folds;
        repeated hold-out, with one fold in each replication, needs it.
    **reading : optional
        How to read what is no Results yet, such as columns, where, algorithms or transpose; see `tiebreak.as_results`.

    Returns
    -------
    Comparison

    References
    ----------
    demsar2006
    garcia2008
    benavoli2016

    Examples
    --------
    >>> from tiebreak.readers import published
    >>> comparison = compare(published.ulas2012(), score="accuracy")
    >>> comparison.algorithms[0], comparison.rejected, int(comparison.significant.sum())
    ('svr', True, 10)
    """
    plan = Plan(
        omnibus=omnibus or "",
        pairwise=pairwise or "",
        posthoc=posthoc or "",
        control=control,
        missing="refuse" if missing == "auto" else missing,
        tie_correction=tie_correction,
    )
    score = one_score(score, reading)
    results = taken(results, VERB, reading, scores=score, directed=higher_is_better is not None)
    check_policy(missing, VERB)
    if results.unit != FOLD or over is not None:
        from tiebreak.comparison.on_items import check_over

        check_over(over, results)
    over = "scores" if over is None and results.unit == TOTAL and len(results.datasets) > 1 else over
    if results.unit != FOLD and over != "scores":
        return _on_items(results, score, higher_is_better, plan, alpha)
    if results.unit != FOLD:
        from tiebreak.comparison.on_items import of_means

        results = of_means(results, _directed(results, score, higher_is_better), ())
    name = score if score is not None else results.only_score()
    alone = len(results.datasets) == 1
    if alone:
        from tiebreak.comparison.folds import check_asked_of_folds, compare_folds

        check_asked_of_folds(plan)
    else:
        check_asked(plan)
    if test_share is not None and not alone:
        raise OptionError(
            f"{option('test_share')} was given, and there are {len(results.datasets)} data sets.", mend="Leave it out."
        )
    check_one_host(results, [name])
    policy = "skillings-mack" if omnibus == "skillings-mack" and missing in ("auto", "refuse") else missing
    # wrong arguments are named before anything is done about gaps
    check_said(results, name, partial(directions, results, name, higher_is_better), missing=policy, verb=VERB)
    results, policy = completed(results, [name], policy=policy, verb=VERB, told=higher_is_better)
    plan = replace(plan, missing=policy)
    level = check_alpha(alpha)
    if not alone:
        return _over_datasets(results, name, plan, level, higher_is_better, scale)
    if scale != "auto":
        raise OptionError(f"{option('scale')} is for several data sets, and there is one.", mend="Leave it out.")
    directed = _directed(results, name, higher_is_better)
    return compare_folds(results, directed, plan, alpha=level, test_share=test_share).framed(results.frame_kind)


def _on_items(results: Results, score: str | None, options: Told, plan: Plan, alpha: float) -> Comparison:
    """Compare models on items; what belongs to data sets is refused."""
    from tiebreak.comparison.items import compare_items
    from tiebreak.comparison.on_items import refuse_of_folds

    refuse_of_folds(
        omnibus=plan.omnibus if plan.omnibus not in ("", "none") else None,
        pairwise=WINS if plan.pairwise == WINS else None,
        missing=None if plan.missing == "refuse" else plan.missing,
    )
    comparison = compare_items(
        results,
        _directed(results, score, options),
        pairwise=plan.pairwise or None,
        posthoc=plan.posthoc or None,
        control=plan.control,
        alpha=check_alpha(alpha),
    )
    return replace(comparison, data_papers=results.data_papers).framed(results.frame_kind)


def _directed(results: Results, score: str | None, options: Told) -> Metric:
    """Return the one score, by default the share of totals, with its direction."""
    from tiebreak.comparison.on_items import directed_score

    named = score_of_totals(results, score)
    name = named if isinstance(named, str) else results.only_score()
    return directed_score(results, name, options)


def _over_datasets(results: Results, score: str, options: Plan, alpha: float, settings: Told, scale: str) -> Comparison:
    """Settle the gaps, average the folds, make scores comparable, test, and put everything in the order best first."""
    remaining, notes = settled(results, score, policy=options.missing, verb=VERB)
    check_left(remaining, dropped=remaining is not results, verb=VERB, least_sets=2)
    scores = remaining.means(score)
    check_measured(scores, remaining.algorithms, score)
    # rounding noise of a mean grows with the size of what was averaged, not with that of the mean
    sizes = replace(remaining, values={score: np.abs(remaining.values[score])}).means(score, partial=True)
    sizes = np.nan_to_num(sizes)
    scaling = scaled(remaining, score, higher_is_better=settings, scale=scale, scores=scores, sizes=sizes)
    if options.control is not None and options.control not in remaining.algorithms:
        raise unknown_name("algorithm (for the control)", options.control, remaining.algorithms)
    as_is = scaling.kind == "as they are"
    as_given = as_is and scaling.one_way
    given = Given(
        scores=scores if as_given else scaling.errors,
        size=sizes if as_is else np.nan_to_num(np.abs(scaling.errors)),
        algorithms=remaining.algorithms,
        higher_is_better=as_given and bool(scaling.metric.higher_is_better),
        within=None if as_is else scaling.plain,
        folds=scaling.turned(remaining.cube(score)) if options.pairwise == WINS else None,
    )
    plan = choose(given.scores, options, distances=not as_is)
    first = run_omnibus(given, plan)
    locations = given.mean_ranks(plan) if first is None else first.locations
    order = best_first(locations, given.algorithms)
    given = given.reordered(order)
    tests, mean_ranks = run_pairs(given, plan, alpha), given.mean_ranks(plan)
    omnibus = first or stand_in(tests, mean_ranks, letter=plan.test.symbol, n_datasets=len(given.scores))
    significant = significant_pairs(tests, omnibus.pvalue, plan, alpha)
    decided = np.where(significant, np.sign(tests.statistic), 0.0)  # -1 where a is better, 1 where b is
    groups, complete = groups_of(tests, significant, plan.control)
    locations, location_name = readonly(locations[order]), omnibus.location_name
    if location_name == "mean score" and scaling.kind == "distances":  # not the mean of the scores that tables show
        location_name = "mean distance"
    other = scaling.metric.name != score
    made = Comparison(
        algorithms=tests.algorithms,
        mean_ranks=readonly(mean_ranks),
        groups=groups,
        omnibus=omnibus,
        tests=tests,
        significant=readonly(significant),
        alpha=alpha,
        score=scaling.metric,
        higher_is_better=bool(scaling.metric.higher_is_better),
        datasets=remaining.datasets,
        scores=readonly(scaling.shown[:, order]),
        compared=readonly(-given.scores if given.higher_is_better else given.scores),
        turned=readonly(given.turned),
        scale=scaling.kind,
        given=readonly(scores[:, order]) if other else None,
        given_name=score if other else "",
        dataset_metrics=tuple(metric.name for metric in remaining.dataset_metrics),
        plan=plan,
        critical_difference=_critical_difference(plan, given.scores.shape, alpha, given.tie_factor),
        locations=locations,
        location_name=location_name,
        averaged=len(remaining) > len(remaining.datasets) * len(remaining.algorithms),
        caveats=distinct([
            *results.caveats, *notes, *scaling.caveats(by_size=plan.reads_sizes), *omnibus.caveats,
            *_pair_caveats(omnibus.pvalue, tests, plan, alpha, len(remaining.datasets), scaling),
            *_group_caveats(groups, complete=complete),
            *against_the_order(tests, decided, locations, location_name),
        ]),
        data_papers=results.data_papers,
    )  # fmt: skip
    return made.framed(results.frame_kind)


def _critical_difference(plan: Plan, shape: tuple[int, ...], alpha: float, tie_factor: float) -> float | None:
    """Return the one difference from which pairs differ, where the post hoc test has such."""
    if not plan.test.critical_difference:
        return None
    from tiebreak import stats

    compute = getattr(stats, plan.test.critical_difference)
    factor = tie_factor if plan.corrects_ties else 1.0
    return float(compute(n_algorithms=shape[1], n_datasets=shape[0], alpha=alpha, tie_factor=factor))


# ---- what a reader of the p-values alone would get wrong


def _pair_caveats(
    omnibus_p: float, tests: PairwiseResult, plan: Plan, alpha: float, n_datasets: int, scaling: Scaled
) -> list[Caveat]:
    notes, pairs, two = list[Caveat](), len(tests.a), len(tests.algorithms) == 2
    if plan.gated(pairs):
        notes += hidden_pairs(tests.adjusted, omnibus_p, alpha)
    if two and plan.test.takes == "ranks":
        text = "Two algorithms: on ranks this is a sign test, which ignores how large the differences are."
        notes.append(Caveat("ranks-and-scores-disagree", text))
    notes += promise_caveats(plan.correction, pairs)
    few = too_few_caveat(plan, n_datasets, pairs, alpha)
    notes += [*few, *(caveat for caveat in tests.caveats if not few or caveat.code != "least-pvalue")]
    if two and scaling.kind == "distances" and plan.reads_sizes:
        text = (
            "Two algorithms lie equally far from their middle on every data set: this is a sign test, which ignores how"
            " large the differences are."
        )
        notes.append(Caveat("ranks-and-scores-disagree", text))
    return notes


def _group_caveats(groups: tuple[tuple[str, ...], ...], *, complete: bool) -> list[Caveat]:
    """Pairs on their own scores do not follow a line, so that many algorithms can form very many groups."""
    notes = []
    if not complete:
        notes.append(Caveat("groups-cut", f"There are more than {MOST_GROUPS} groups; only the first are listed."))
    if too_many_letters(groups):
        text = (
            f"{len(groups):,} groups are too many for letters: the table counts the algorithms from which each does not"
            f" differ significantly; {either('`comparison.groups`', '--json')} lists them."
        )
        notes.append(Caveat("groups-cut", text))
    return notes
