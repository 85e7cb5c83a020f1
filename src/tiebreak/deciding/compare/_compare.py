"""From results to a comparison: gaps settled, tests chosen and run, groups, caveats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Unpack

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_alpha, readonly
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.deciding.compare._comparison import Comparison
from tiebreak.deciding.compare._item_comparison import compare_items
from tiebreak.deciding.compare._judging import (
    against_the_order,
    ranks_and_scores,
    significant_pairs,
    too_few_caveat,
    verdicts,
)
from tiebreak.deciding.compare._leave_one_out import check_leaving_out, upset_by
from tiebreak.deciding.compare._plan import VERB, WINS, Plan, check_asked, choose, with_scale, with_wins
from tiebreak.deciding.compare._testing import Given, run_tests
from tiebreak.deciding.gaps import check_left, check_measured, check_policy, settled
from tiebreak.deciding.groups import MOST_GROUPS, maximal_cliques, too_many_letters
from tiebreak.deciding.on_items import check_over, directed_score, of_means, refuse_of_folds, score_of_totals
from tiebreak.deciding.promises import promise_caveats
from tiebreak.deciding.said import check_said
from tiebreak.deciding.scales import Kind, Scaled, scaled
from tiebreak.errors import unknown_name
from tiebreak.reading.taking import ReadingOne, one_score, taken
from tiebreak.stats import PairwiseResult
from tiebreak.stats.numeric.ranks import snap
from tiebreak.tables import Metric, Results, Told, directions
from tiebreak.tables.hosts import check_one_host
from tiebreak.tables.item_columns import FOLD, TOTAL
from tiebreak.wording import either

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
    missing: str = "refuse",
    tie_correction: bool = True,
    scale: str = "auto",
    baseline: str | None = None,
    higher_is_better: Told = None,
    leave_one_out: bool = False,
    win_test: str | None = None,
    win_ties: str | None = None,
    over: str | None = None,
    **reading: Unpack[ReadingOne],
) -> Comparison:
    """Compare algorithms over many data sets: who differs from whom.

    Hypothesis: of the omnibus test (by default Friedman's) that the scores of all algorithms are exchangeable on every
    data set; of each pair (by default Wilcoxon's signed ranks) that the differences of the two are symmetric about 0.

    Formula: folds are averaged; then the omnibus test, the tests of pairs and their correction, as asked for or by the
    rules at the head of `deciding/compare/_plan.py`, which are printed with the result. For ranks, means that agree to
    13 significant digits count as tied.

    Assumptions:

    1. The data sets are independent of each other.
    2. Each score is a fair estimate on its data set; folds are averaged first and play no further part.
    3. Differences of scores mean the same on every data set. Where metrics or scales differ, distances from the median
       algorithm are compared instead, see `tiebreak.deciding.scales.scaled`.

    When not to use it: on one data set (its folds are not independent data sets).

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
    missing : str, default "refuse"
        What to do about gaps: refuse, drop-datasets, drop-algorithms, drop-folds, worst-rank or skillings-mack.
    tie_correction : bool, default True
        Whether ties enter the variance of ranks; False reproduces Demsar (2006).
    scale : {"auto", "as-is", "distance", "normalised", "sign"}
        How scores of different data sets are compared; see `tiebreak.deciding.scales.scaled`.
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
    >>> from tiebreak.reading import published
    >>> found = compare(published.ulas2012(), score="accuracy")
    >>> found.algorithms[0], found.rejected, int(found.significant.sum())
    ('svr', True, 10)
    """
    asked = Plan(
        omnibus=omnibus or "",
        pairwise=pairwise or "",
        posthoc=posthoc or "",
        control=control,
        missing=missing,
        tie_correction=tie_correction,
    )
    asked = with_wins(asked, win_test, win_ties)
    score = one_score(score, reading)
    results = taken(results, VERB, reading, scores=score, directed=higher_is_better is not None)
    check_policy(missing, VERB)
    if results.unit != FOLD or over is not None:
        check_over(over, results)
    over = "scores" if over is None and results.unit == TOTAL and len(results.datasets) > 1 else over
    if results.unit != FOLD and over != "scores":
        return _on_items(results, score, higher_is_better, asked, alpha)
    if results.unit != FOLD:
        results = of_means(results, _directed(results, score, higher_is_better), ())
    check_asked(asked)
    name = score if score is not None else results.only_score()
    check_one_host(results, [name])
    policy = "skillings-mack" if omnibus == "skillings-mack" and missing == "refuse" else missing
    # what was told wrongly is said before anything is done about gaps
    check_said(results, name, partial(directions, results, name, higher_is_better), missing=policy, verb=VERB)
    level = check_alpha(alpha)
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
    refuse_of_folds(
        omnibus=asked.omnibus if asked.omnibus not in ("", "none") else None,
        win_test=asked.win_test,
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


def _best_first(locations: FloatArray, names: tuple[str, ...]) -> list[int]:
    """Order by location; equal ones by name."""
    settled = snap(locations)
    return sorted(range(len(names)), key=lambda i: (settled[i], names[i]))


def _reordered(tests: PairwiseResult, order: list[int], *, control: bool) -> PairwiseResult:
    """Put algorithms, and the pairs with them, into the order best first; a control stays the first of its pairs."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    a, b = place[tests.a], place[tests.b]
    swap = (a > b) & (not control)
    sequence = np.lexsort((np.where(swap, a, b), np.where(swap, b, a)))
    moved: dict[str, Any] = {"a": np.where(swap, b, a), "b": np.where(swap, a, b)}
    for name in (each.name for each in fields(tests) if each.name not in ("a", "b", "positions")):
        if isinstance(value := getattr(tests, name), np.ndarray):  # every test brings its own numbers of each pair
            turned = -value if name in _SIGNED else getattr(tests, _MIRRORED.get(name, name))
            moved[name] = np.where(swap, turned, value) + (0.0 if name in _SIGNED else False)  # no minus zero
    ordered: dict[str, Any] = {name: readonly(array[sequence]) for name, array in moved.items()}
    return replace(
        tests,
        **ordered,
        positions=None if tests.positions is None else readonly(tests.positions[order]),
        algorithms=tuple(tests.algorithms[i] for i in order),
    )


_SIGNED = ("statistic", "mean_difference")
_MIRRORED = {"wins_a": "wins_b", "wins_b": "wins_a", "r_plus": "r_minus", "r_minus": "r_plus"}
"""Numbers of a pair that change their sign, or trade places, where its two change places."""


def _comparison(table: _Table, plan: Plan, alpha: float, *, leave_one_out: bool) -> Comparison:
    """Test, and put everything in the order best first."""
    tested = run_tests(table.given, plan, alpha)
    found = tested.omnibus
    order = _best_first(found.locations, table.given.algorithms)
    given = table.given.columns(order)
    tests = _reordered(tested.tests, order, control=plan.control is not None)
    significant = significant_pairs(tests, found.pvalue, plan, alpha)
    decided = verdicts(tests, significant)
    groups, complete = _groups(tests, significant, plan.control)
    locations, named = readonly(found.locations[order]), _location_name(found.location_name, table.scaled)
    notes = [
        *_caveats(found.pvalue, tests, plan, alpha, len(table.datasets)),
        *_two_on_a_scale(table.scaled, plan, len(order)),
        *_group_caveats(groups, complete=complete),
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


def _two_on_a_scale(found: Scaled, plan: Plan, n_algorithms: int) -> list[Caveat]:
    """Two scores lie equally far from their middle, so that nothing but who is better is left of them."""
    halves = found.kind == "distances" or (found.kind == "normalised" and found.baseline is None)
    if n_algorithms > 2 or not halves or not plan.reads_sizes:
        return []
    text = (
        "Two algorithms lie equally far from their middle on every data set: this is a sign test, which ignores how"
        " large the differences are."
    )
    return [Caveat("ranks-of-two", text)]


def _critical_difference(plan: Plan, shape: tuple[int, ...], alpha: float, tie_factor: float) -> float | None:
    """Return the one difference from which pairs differ, where the post hoc test has such."""
    if not plan.test.critical_difference:
        return None
    from tiebreak import stats

    compute = getattr(stats, plan.test.critical_difference)
    factor = tie_factor if plan.tie_correction else 1.0
    return float(compute(n_algorithms=shape[1], n_datasets=shape[0], alpha=alpha, tie_factor=factor))


def _groups(
    tests: PairwiseResult, significant: BoolArray, control: str | None
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Against a control there is one group, those not told apart from it; the others were never compared."""
    names = tests.algorithms
    if control is not None:
        different = {names[b] for b in tests.b[significant]}
        return (tuple(name for name in names if name not in different),), True
    alike = np.ones((len(names), len(names)), dtype=bool)
    a, b = tests.a[significant], tests.b[significant]
    alike[a, b] = alike[b, a] = False
    cliques, complete = maximal_cliques(alike)
    return tuple(tuple(names[i] for i in clique) for clique in cliques), complete


def _group_caveats(groups: tuple[tuple[str, ...], ...], *, complete: bool) -> list[Caveat]:
    """Pairs on their own scores do not follow a line, so that many algorithms can form very many groups."""
    notes = []
    if not complete:
        notes.append(Caveat("groups-cut", f"There are more than {MOST_GROUPS} groups; only the first are listed."))
    if too_many_letters(groups):
        text = (
            f"{len(groups):,} groups are too many for letters: the table says from how many others each algorithm was"
            f" not told apart; {either('`found.groups`', '--json')} lists them."
        )
        notes.append(Caveat("many-groups", text))
    return notes


def _caveats(omnibus_p: float, tests: PairwiseResult, plan: Plan, alpha: float, n_datasets: int) -> list[Caveat]:
    """Say what a reader of the adjusted p-values alone would get wrong."""
    notes, pairs = [], len(tests.a)
    hidden = int((tests.adjusted <= alpha).sum()) if omnibus_p > alpha and plan.gated(pairs) else 0
    if hidden:
        text = (
            f"The omnibus test does not reject, so no pair is called different, although {hidden} adjusted p-value(s)"
            " lie at or below alpha."
        )
        notes.append(Caveat("omnibus-hides-pairs", text))
    if len(tests.algorithms) == 2 and plan.test.takes == "ranks":
        text = "Two algorithms: on ranks this is a sign test, which ignores how large the differences are."
        notes.append(Caveat("ranks-of-two", text))
    notes += promise_caveats(plan.correction, pairs)
    few = too_few_caveat(plan, n_datasets, pairs, alpha)
    return [*notes, *few, *(each for each in tests.caveats if not few or each.code != "least-pvalue")]
