"""From results to a comparison: gaps settled, tests chosen and run, groups, caveats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Unpack

import numpy as np

from tiebreak._checks import FloatArray, check_alpha, readonly
from tiebreak.caveats import Caveats, distinct
from tiebreak.comparison._best_first import best_first, groups_of, reordered
from tiebreak.comparison._comparison import Comparison
from tiebreak.comparison._judging import against_the_order, ranks_and_scores, significant_pairs, verdicts
from tiebreak.comparison._leave_one_out import check_leaving_out, upset_by
from tiebreak.comparison._notes import group_caveats, pair_caveats, two_on_a_scale
from tiebreak.comparison._plan import VERB, WINS, Plan, check_asked, choose, with_scale, with_wins
from tiebreak.comparison._testing import Given, run_tests
from tiebreak.comparison.gaps import check_left, check_measured, check_policy, completed, settled
from tiebreak.comparison.said import check_said
from tiebreak.comparison.scales import Kind, Scaled, scaled
from tiebreak.errors import OptionError, unknown_name
from tiebreak.readers.taking import ReadingOne, one_score, taken
from tiebreak.results import Metric, Results, directions
from tiebreak.results.hosts import check_one_host
from tiebreak.results.items import FOLD, TOTAL
from tiebreak.results.metrics import Told
from tiebreak.wording import option

ON_SCALE: dict[Kind, str] = {
    "as they are": "its own scores",
    "distances": "its distances from the median algorithm",
    "normalised": "normalised scores",
    "signs": "who is better on each data set",
}
"""What a pair is tested on, in words."""


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
    baseline: str | None = None,
    higher_is_better: Told = None,
    leave_one_out: bool = False,
    win_test: str | None = None,
    win_ties: str | None = None,
    over: str | None = None,
    test_share: float | None = None,
    **reading: Unpack[ReadingOne],
) -> Comparison:
    """Compare algorithms over many data sets, or on the folds of one: who differs from whom.

    Hypothesis: of the omnibus test (by default Friedman's) that the scores of all algorithms are exchangeable on every
    data set; of each pair (by default Wilcoxon's signed ranks) that the differences of the two are symmetric about 0.

    Formula: folds are averaged; then the omnibus test, the tests of pairs and their correction, as asked for or by the
    rules at the head of `deciding/compare/_plan.py`, which are printed with the result. For ranks, means that agree to
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
        Whether ties enter the variance of ranks. By default they do, except in the tests nemenyi and bonferroni-dunn,
        which decide as in Demsar (2006); False reproduces his Friedman test as well.
    scale : {"auto", "as-is", "distance", "normalised", "sign"}
        How scores of different data sets are compared; see `tiebreak.comparison.scales.scaled`.
    baseline : str, optional
        The algorithm whose normalised score is 0; by default the median one.
    higher_is_better : bool or mapping, optional
        Needed where the name of the score does not tell; by the name of a metric where there are several.
    leave_one_out : bool, default False
        Judge every pair anew without each of the other algorithms, and name those without which the verdict changes.
    win_test : {"auto", "5x2cv-f", "5x2cv-t", "corrected-t", "kfold-t"}, optional
        With pairwise "sign" or "wins": count only wins that this test of the folds calls significant, which is
        pairwise "significant-wins"; "auto" takes the test that fits the folds.
    win_ties : {"split", "drop"}, optional
        What becomes of ties where wins are counted; by default they are split with "sign" and dropped otherwise.
    over : {"items", "scores"}, optional
        For a table of items (a column `item`, or totals `passed` and `n`): compare models on the items of these
        benchmarks, the default, or take each benchmark for a data set and its mean for a score. On items `pairwise` is
        mcnemar, mcnemar-midp, sign-flip, sign-flip-drawn or cluster-t, of totals fisher or score-test.
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
    >>> found = compare(published.ulas2012(), score="accuracy")
    >>> found.algorithms[0], found.rejected, int(found.significant.sum())
    ('svr', True, 10)
    """
    asked = Plan(
        omnibus=omnibus or "",
        pairwise=pairwise or "",
        posthoc=posthoc or "",
        control=control,
        missing="refuse" if missing == "auto" else missing,
        tie_correction=tie_correction,
    )
    asked = with_wins(asked, win_test, win_ties)
    score = one_score(score, reading)
    results = taken(results, VERB, reading, scores=score, directed=higher_is_better is not None)
    check_policy(missing, VERB)
    if results.unit != FOLD or over is not None:
        from tiebreak.comparison.on_items import check_over

        check_over(over, results)
    over = "scores" if over is None and results.unit == TOTAL and len(results.datasets) > 1 else over
    if results.unit != FOLD and over != "scores":
        return _on_items(results, score, higher_is_better, asked, alpha)
    if results.unit != FOLD:
        from tiebreak.comparison.on_items import of_means

        results = of_means(results, _directed(results, score, higher_is_better), ())
    name = score if score is not None else results.only_score()
    alone = len(results.datasets) == 1
    if alone:
        from tiebreak.comparison._fold_comparison import check_asked_of_folds, compare_folds

        check_asked_of_folds(asked)
    else:
        check_asked(asked)
    if test_share is not None and not alone:
        raise OptionError(
            f"{option('test_share')} was given, and there are {len(results.datasets)} data sets.",
            why="It belongs to the test of the folds of one data set.",
            mend="Leave it out.",
        )
    check_one_host(results, [name])
    policy = "skillings-mack" if omnibus == "skillings-mack" and missing in ("auto", "refuse") else missing
    # what was told wrongly is said before anything is done about gaps
    check_said(results, name, partial(directions, results, name, higher_is_better), missing=policy, verb=VERB)
    results, policy = completed(results, [name], policy=policy, verb=VERB, told=higher_is_better)
    asked = replace(asked, missing=policy)
    level = check_alpha(alpha)
    if alone:
        if leave_one_out or scale != "auto" or baseline is not None:
            given = "leave_one_out" if leave_one_out else "scale" if scale != "auto" else "baseline"
            raise OptionError(f"{option(given)} is for several data sets, and there is one.", mend="Leave it out.")
        directed = _directed(results, name, higher_is_better)
        on_folds = compare_folds(results, directed, asked, alpha=level, test_share=test_share)
        return on_folds.framed(results.frame_kind)
    table = _table(
        results,
        name,
        policy,
        partial(scaled, higher_is_better=higher_is_better, scale=scale, baseline=baseline),
        folds=asked.pairwise == WINS,
    )
    asked = with_scale(asked, table.scaled)
    if control is not None and control not in table.given.algorithms:
        raise unknown_name("algorithm (for the control)", control, table.given.algorithms)
    plan = choose(table.given.scores, asked, on=ON_SCALE[table.scaled.kind])
    if not plan.reads_sizes:
        table = replace(table, scaled=table.scaled.without_sizes())
    if leave_one_out:
        check_leaving_out(plan)
    found = _comparison(table, plan, level, leave_one_out=leave_one_out)
    return replace(found, data_papers=results.data_papers).framed(results.frame_kind)


def _on_items(results: Results, score: str | None, told: Told, asked: Plan, alpha: float) -> Comparison:
    """Compare models on items; what belongs to data sets is refused."""
    from tiebreak.comparison._item_comparison import compare_items
    from tiebreak.comparison.on_items import refuse_of_folds

    refuse_of_folds(
        omnibus=asked.omnibus if asked.omnibus not in ("", "none") else None,
        win_test=asked.win_test or ("auto" if asked.pairwise == WINS else None),
        missing=None if asked.missing == "refuse" else asked.missing,
    )
    metric = _directed(results, score, told)
    found = compare_items(
        results,
        metric,
        pairwise=asked.pairwise or None,
        posthoc=asked.posthoc or None,
        control=asked.control,
        alpha=check_alpha(alpha),
    )
    return replace(found, data_papers=results.data_papers).framed(results.frame_kind)


def _directed(results: Results, score: str | None, told: Told) -> Metric:
    """Return the one score, by default the share of totals, with the direction that is known or told."""
    from tiebreak.comparison.on_items import directed_score, score_of_totals

    named = score_of_totals(results, score)
    name = named if isinstance(named, str) else results.only_score()
    return directed_score(results, name, told)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Table:
    """The matrix that is tested, and what was done to get it."""

    given: Given
    scaled: Scaled
    datasets: tuple[str, ...]
    averaged: bool
    caveats: Caveats
    own: FloatArray | None = None
    own_name: str = ""
    dataset_metrics: tuple[str, ...] = ()


def _table(results: Results, score: str, missing: str, scale: Callable[..., Scaled], *, folds: bool) -> _Table:
    """Settle the gaps by the chosen policy, average the folds, and make scores comparable over data sets."""
    kept, notes = settled(results, score, policy=missing, verb=VERB)
    check_left(kept, dropped=kept is not results, verb=VERB, least_sets=2)
    scores = kept.means(score)
    check_measured(scores, kept.algorithms, score)
    # rounding noise of a mean grows with the size of what was averaged, not with that of the mean
    sizes = replace(kept, values={score: np.abs(kept.values[score])}).means(score, partial=True)
    sizes = np.nan_to_num(sizes)
    found = scale(kept, score, scores=scores, sizes=sizes)
    as_given = found.kind == "as they are" and found.one_way
    return _Table(
        given=Given(
            scores=scores if as_given else found.errors,
            size=sizes if as_given or found.kind == "as they are" else np.nan_to_num(np.abs(found.errors)),
            algorithms=kept.algorithms,
            higher_is_better=as_given and bool(found.metric.higher_is_better),
            usual_test=found.test,
            within=None if found.kind == "as they are" else found.plain,
            rescale=None if found.kind == "as they are" else found.tested_on,
            folds=found.turned(kept.cube(score)) if folds else None,
        ),
        scaled=found,
        datasets=kept.datasets,
        averaged=len(kept) > len(kept.datasets) * len(kept.algorithms),
        caveats=(*results.caveats, *notes),
        own=None if found.metric.name == score else scores,
        own_name="" if found.metric.name == score else score,
        dataset_metrics=tuple(metric.name for metric in kept.dataset_metrics),
    )


def _comparison(table: _Table, plan: Plan, alpha: float, *, leave_one_out: bool) -> Comparison:
    """Test, and put everything in the order best first."""
    tested = run_tests(table.given, plan, alpha)
    found = tested.omnibus
    order = best_first(found.locations, table.given.algorithms)
    given = table.given.columns(order)
    tests = reordered(tested.tests, order, control=plan.control is not None)
    significant = significant_pairs(tests, found.pvalue, plan, alpha)
    decided = verdicts(tests, significant)
    groups, complete = groups_of(tests, significant, plan.control)
    locations, named = readonly(found.locations[order]), _location_name(found.location_name, table.scaled)
    notes = [
        *pair_caveats(found.pvalue, tests, plan, alpha, len(table.datasets)),
        *two_on_a_scale(table.scaled, plan, len(order)),
        *group_caveats(groups, complete=complete),
        *against_the_order(tests, decided, locations, named),
        *ranks_and_scores(given, plan, decided, alpha),
    ]
    return Comparison(
        algorithms=tests.algorithms,
        mean_ranks=readonly(tested.mean_ranks[order]),
        groups=groups,
        omnibus=found,
        tests=tests,
        significant=readonly(significant),
        alpha=alpha,
        score=table.scaled.metric,
        higher_is_better=bool(table.scaled.metric.higher_is_better),
        datasets=table.datasets,
        scores=readonly(table.scaled.shown[:, order]),
        compared=readonly(-given.scores if given.higher_is_better else given.scores),
        turned=readonly(_turned(given)),
        scale=table.scaled.kind,
        given=None if table.own is None else readonly(table.own[:, order]),
        given_name=table.own_name,
        dataset_metrics=table.dataset_metrics,
        plan=plan,
        critical_difference=_critical_difference(plan, given.scores.shape, alpha, tested.tie_factor),
        locations=locations,
        location_name=named,
        averaged=table.averaged,
        upset_by=upset_by(given, plan, tests, decided, alpha) if leave_one_out else None,
        caveats=distinct([*table.caveats, *table.scaled.caveats, *found.caveats, *notes]),
    )


def _location_name(name: str, found: Scaled) -> str:
    """Means of distances are not those of the scores that tables show, so they have their own name and column."""
    return "mean distance" if name == "mean score" and found.kind == "distances" else name


def _turned(given: Given) -> FloatArray:
    """Return the scores, lower the better, before they were made comparable over data sets."""
    if given.within is not None:
        return given.within
    return -given.scores if given.higher_is_better else given.scores


def _critical_difference(plan: Plan, shape: tuple[int, ...], alpha: float, tie_factor: float) -> float | None:
    """Return the one difference from which pairs differ, where the post hoc test has such."""
    if not plan.test.critical_difference:
        return None
    from tiebreak import stats

    compute = getattr(stats, plan.test.critical_difference)
    factor = tie_factor if plan.corrects_ties else 1.0
    return float(compute(n_algorithms=shape[1], n_datasets=shape[0], alpha=alpha, tie_factor=factor))
