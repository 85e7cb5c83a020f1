"""From results to an order: MultiTest on the folds of one data set, or on the scores or places of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Unpack

import numpy as np

from tiebreak._checks import IntArray, check_alpha
from tiebreak.caveats import Caveat
from tiebreak.deciding.gaps import check_policy
from tiebreak.deciding.on_items import (
    directed_score,
    of_means,
    refuse_of_folds,
    score_of_totals,
)
from tiebreak.deciding.order._asked import VERB, corrections, cost_names, given_places, pair_test, way
from tiebreak.deciding.order._costs import CostChoice
from tiebreak.deciding.order._dominance import directed_metrics
from tiebreak.deciding.order._family import ALL
from tiebreak.deciding.order._inner_tests import PairTest
from tiebreak.deciding.order._laid_out import Settling, laid_out
from tiebreak.deciding.order._margins import Margin, read_margin
from tiebreak.deciding.order._multi2test import Multi2Test
from tiebreak.deciding.order._ordering import Ordering, OrderPlan
from tiebreak.deciding.order._over_items import (
    ITEMS,
    OverItems,
    item_test,
    laid_out_items,
    way_of,
)
from tiebreak.deciding.order._over_scores import OverScores
from tiebreak.deciding.order._planning import plan_of, usual_test
from tiebreak.deciding.order._table import FoldTable
from tiebreak.deciding.said import check_said
from tiebreak.errors import InputError, unknown_name
from tiebreak.methods import choices
from tiebreak.reading.taking import ReadingOne, taken
from tiebreak.tables import Metric, Results
from tiebreak.tables.hosts import check_one_host
from tiebreak.tables.item_columns import FOLD
from tiebreak.wording import option


def order(
    results: Any,
    *,
    score: str | Sequence[str] | None = None,
    cost: str | Sequence[str] | None = None,
    prior: Sequence[str] | None = None,
    over: str | None = None,
    variant: str | None = None,
    pairwise: str | PairTest | None = None,
    inner_adjust: str | None = None,
    posthoc: str | None = None,
    omnibus: str = "friedman",
    margin: float | str | Margin | None = None,
    undecided: str = "cheaper",
    family: str | None = None,
    dataset: str | None = None,
    groups: Mapping[str, str] | None = None,
    cost_rule: str = "lexicographic",
    cost_weights: Sequence[float] = (),
    equal_within: float | str = 0.0,
    ties: str = "refuse",
    alpha: float = 0.05,
    missing: str = "refuse",
    missing_costs: str = "refuse",
    scale: str = "auto",
    baseline: str | None = None,
    test_share: float | None = None,
    draws: int | None = None,
    seed: int = 0,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    **reading: Unpack[ReadingOne],
) -> Ordering:
    """Order algorithms from best to worst: by error where a test finds a difference, by cost where it does not.

    Hypothesis: for each pair that the two do not differ: over data sets that the differences of their scores are
    symmetric about zero (Wilcoxon), on one data set that they have the same expected error.

    Formula: MultiTest. Draw an edge from i to a costlier j where the test finds j significantly better; then, again and
    again, place the cheapest algorithm that waits for nobody. Over data sets, by scores: pairs are tested on the scores
    of the data sets (folds averaged), corrected by Bergmann and Hommel's rule up to 14 algorithms and by Shaffer's
    beyond, and cost is the mean over data sets of the share of the largest cost there. By places (the published
    Multi2Test): MultiTest on every data set gives places, the Friedman test asks whether they differ, a post hoc test
    which ones, and MultiTest once more makes the order; cost then counts inside the data sets and over them.

    Assumptions: data sets are independent of each other, and those of the test of pairs. With so few data sets that no
    pair could be told apart, the folds of these data sets are tested together, and the answer holds for them alone.
    When not to use it: where cost does not matter; then use `tiebreak.compare`.

    Parameters
    ----------
    results : Results, path, frame, mapping or array
        Whatever holds scores and costs by data set and algorithm; see `tiebreak.as_results`.
    score : str or sequence of str, optional
        The score to order by; needed where there are several. Several names: inside a data set the pairwise test is
        Hotelling's on all of them at once, and one algorithm is preferred where the test rejects and it dominates: no
        mean worse, one better. Where the test rejects and neither dominates, cost decides, as where it does not.
    cost : str or sequence of str, optional
        The cost that decides where no test does, or several, the most important first. Needed unless `prior` is given
        or the table holds one cost.
    prior : sequence of str, optional
        The order to use instead of costs, cheapest or simplest first.
    over : {"scores", "places"}, optional
        What is compared over data sets: their scores (the default), or the places that MultiTest gives on each, as
        published; `variant`, `inner_adjust`, a test of folds and several scores ask for places.
    variant : {"2008", "2012"}, optional
        The published variants: no inner correction and Nemenyi, or Bergmann-Hommel for both.
    pairwise : str or callable, optional
        By scores: wilcoxon, sign, wins, paired-t or anytime. Inside a data set: 5x2cv-f, 5x2cv-t, corrected-t, kfold-t,
        wilcoxon or sign on the folds, by default the one that fits how they were made; or score, to rank by the mean
        score without a test; with several scores hotelling. Or a function of two vectors of scores, turned so that
        lower is better, that returns a p-value.
    inner_adjust : str, optional
        By places and on one data set: the correction inside each data set. By default bergmann-hommel up to 11
        algorithms, shaffer beyond; bergmann-hommel can be asked for up to 14.
    posthoc : str, optional
        The correction over data sets; by places also nemenyi, and bergmann-hommel up to 100 algorithms.
    omnibus : {"friedman", "friedman-chi2", "friedman-exact"}
        By places it must reject before any pair may differ; by scores it is printed and decides nothing.
    margin : float or str, optional
        So much worse is good enough: 0.01 in units of the score, or "1%" of the costlier one's. A cheaper algorithm
        that is shown to be worse by less stands first even where the other is significantly better.
    undecided : {"cheaper", "costlier", "better"}
        With a margin: who stands first where nothing is shown. "better": the one that scores better, so that a cheaper
        one comes first only where it is shown good enough, or scores as well.
    family : {"own", "all"}, optional
        Which comparisons count when an algorithm is put behind a costlier one: its own with the k - 1 others, or all
        k (k - 1) / 2. With "own" another is shown to be better than the best one, wrongly, with a probability of alpha
        at most, with "all" than any one. By default "own" on items, unless `posthoc` does not keep the chance of any
        mistake, and "all" elsewhere; what is called significant is so with all pairs counted either way.
    dataset : str, optional
        Order on this data set alone.
    groups : mapping, optional
        From data set to the name of its group: an order for each group, beside the overall one.
    cost_rule, cost_weights, equal_within, ties
        See `tiebreak.deciding.order.CostChoice`.
    alpha : float, default 0.05
    missing : {"refuse", "drop-datasets", "drop-algorithms", "drop-folds", "worst-rank"}
        "worst-rank": a failed run (no complete score) counts as the worst score of its data set; by places it takes the
        last place there.
    missing_costs : {"refuse", "drop-datasets", "drop-algorithms", "costliest"}
        "costliest": a missing cost counts as the largest of its data set.
    scale : {"auto", "as-is", "distance", "normalised", "sign"}
        How scores of different data sets are compared; see `tiebreak.deciding.scales.scaled`.
    baseline : str, optional
        The algorithm whose normalised score is 0; by default the median one.
    test_share : float, optional
        For hold-out splits: the share of the examples that is tested on.
    draws : int, optional
        How often to resample the data sets for `firmness`; by default as often as is quick, up to 1,000.
    seed : int, default 0
        Of the resampling.
    higher_is_better : bool or mapping, optional
        Needed where the name of the score does not tell; from name to bool where there are several.
    **reading : optional
        How to read what is no Results yet, such as columns, where, algorithms or transpose; see `tiebreak.as_results`.

    Returns
    -------
    Ordering

    References
    ----------
    yildiz2006
    ulas2012
    hsu1984

    Examples
    --------
    >>> from tiebreak.reading import published
    >>> results = published.ulas2012()
    >>> found = order(results, score="accuracy", cost="train_time")
    >>> found.order
    ('svl', 'svr', '5nn', 'c45', 'lnp', 'mlp', 'mdt', 'sv2')
    >>> found.explain("svr", "5nn").split(".")[0]
    'svr stands before 5nn: significantly better, though 200 times costlier'
    >>> order(results, score="accuracy", cost="train_time", variant="2012").order  # as published
    ('5nn', 'c45', 'lnp', 'mlp', 'mdt', 'svl', 'sv2', 'svr')
    >>> order(results, score="accuracy", cost="train_time", dataset="optdigits", inner_adjust="none").order
    ('svr', 'svl', 'sv2', '5nn', 'mlp', 'lnp', 'mdt', 'c45')
    """
    score = reading.pop("scores", None) if score is None else score
    results = taken(results, VERB, reading, scores=score, costs=cost, directed=higher_is_better is not None)
    check_policy(missing, VERB)
    score = score_of_totals(results, score)
    kept = results if dataset is None else results.only(datasets=[dataset])
    metrics = _said_metrics(results, kept, score, higher_is_better, cost, prior, missing)
    within, many, named_test = read_margin(margin), len(metrics), pairwise
    of_folds = {"variant": variant, "inner_adjust": inner_adjust, "groups": groups, "test_share": test_share}
    on_items = _is_on_items(kept, over, posthoc, alpha, missing, **of_folds, scores=many > 1 or None)
    if on_items:
        over, pairwise = "scores", None
    elif kept.unit != FOLD:
        results = kept = of_means(kept, metrics[0], cost_names(results, [metrics[0].name], cost, prior))
    asked: dict[str, Any] = {"variant": variant, "inner_adjust": inner_adjust, "pairwise": pairwise, "posthoc": posthoc}
    chosen = way(over, **asked, margin=within, n_scores=many)
    test = pair_test(pairwise, many)
    inner, outer = corrections(variant, inner_adjust, posthoc)
    names, weights = cost_names(results, [each.name for each in metrics], cost, prior), tuple(cost_weights)
    check_one_host(results, [*names, *(each.name for each in metrics)])
    choice = CostChoice(names=names, rule=cost_rule, weights=weights, equal_within=equal_within, ties=ties).checked()
    settling = Settling(missing=missing, missing_costs=missing_costs, scale=scale, baseline=baseline, over=chosen)
    if on_items:
        metric = directed_score(kept, metrics[0].name, higher_is_better)
        chosen, table = ITEMS, laid_out_items(kept, metric, choice, missing_costs)
        test = item_test(named_test, table)
    else:
        table, metric = laid_out(kept, metrics, higher_is_better, choice, settling)
        if len(table.datasets) == 1:
            chosen, table = "folds", _with_idle(table, posthoc)
    told: dict[str, Any] = {"choice": choice, "missing": missing, "missing_costs": missing_costs, "margin": within}
    told |= {"omnibus": omnibus, "alpha": alpha, "undecided": undecided, "family": family}
    told |= {"test_share": test_share, "draws": draws, "seed": seed}
    plan = plan_of(table, over=chosen, test=test, inner=inner, outer=outer, **told)
    procedure = _procedure(plan, metric, test, given_places(prior, results.algorithms, table.algorithms))
    whole = procedure.ordering(table)
    if groups is not None and not isinstance(procedure, OverItems):
        whole = replace(whole, by_group=_by_group(procedure, table, groups, results.datasets))
    return _of(results, whole)


def _said_metrics(
    results: Results,
    kept: Results,
    score: str | Sequence[str] | None,
    told: bool | Mapping[str, bool] | None,
    cost: str | Sequence[str] | None,
    prior: Sequence[str] | None,
    missing: str,
) -> tuple[Metric, ...]:
    """Return the scores with their directions; what was not said of score, direction and cost is asked for at once."""
    metrics = partial(directed_metrics, results, score, told)
    check_said(kept, score, metrics, partial(cost_names, results, (), cost, prior), missing=missing, verb=VERB)
    return metrics()


def _is_on_items(
    kept: Results, over: str | None, posthoc: str | None, alpha: float, missing: str, **of_folds: Any
) -> bool:
    """Say whether items or totals are ordered as such; of them, what belongs to folds is refused either way."""
    if kept.unit == FOLD:
        return False
    on_items = way_of(kept, over, posthoc, check_alpha(alpha)) == ITEMS
    refuse_of_folds(**of_folds, missing=missing if on_items and missing != "refuse" else None)
    return on_items


def _of(results: Results, found: Ordering) -> Ordering:
    """Keep what kind of frame came in, and, for the orders of groups too, which papers the results are from."""
    papers = results.data_papers
    parts = {name: replace(part, data_papers=papers) for name, part in found.by_group.items()}
    return replace(found, data_papers=papers, by_group=parts).framed(results.frame_kind)


def _procedure(
    plan: OrderPlan, metric: Metric, test: str | PairTest | None, given: IntArray | None
) -> Multi2Test | OverScores | OverItems:
    """Choose the way to order; a test that was named stays, however few the data sets are."""
    own = test if callable(test) else plan.pairwise
    if plan.over == ITEMS:
        return OverItems(plan=plan, metric=metric, given=given, pairwise=None if test is None else str(test))
    if plan.over == "scores":
        return OverScores(plan=plan, metric=metric, given=given, pairwise=own, named=test is not None)
    return Multi2Test(plan=plan, metric=metric, given=given, pairwise=own)


def _with_idle(table: FoldTable, posthoc: str | None) -> FoldTable:
    """Say of a test that was asked for that one data set has no use for it."""
    if posthoc is None:
        return table
    text = (
        f"One data set: {posthoc} corrects tests over data sets and was not used; the tests on the folds are corrected"
        f" by {option('inner_adjust')}."
    )
    return replace(table, caveats=(*table.caveats, Caveat("idle-posthoc", text)))


def _of_group(procedure: Multi2Test | OverScores, table: FoldTable) -> Ordering:
    """A group of one data set is ordered as that data set alone would be: by MultiTest on its folds."""
    if len(table.datasets) > 1 or isinstance(procedure, Multi2Test):
        return procedure.ordering(table)
    folds = table.folds_of(0)
    alone = table if folds is None else replace(table, errors=folds[None])
    own = procedure.pairwise
    if not callable(own) and (not procedure.named or own not in choices("folds", verb=VERB)):
        own = usual_test(None, "folds", alone)
    name = procedure.plan.pairwise if callable(own) else own
    plan = replace(procedure.plan, over="folds", pairwise=name, margin=None, family=ALL)
    return Multi2Test(plan=plan, metric=procedure.metric, given=procedure.given, pairwise=own).ordering(alone)


def _by_group(
    procedure: Multi2Test | OverScores, table: FoldTable, groups: Mapping[str, str], known: tuple[str, ...]
) -> Mapping[str, Ordering]:
    """Groups are checked in both directions: a misspelt data set would else drop out of its group unseen."""
    for name in groups:
        if name not in known:
            raise unknown_name("data set (in the groups)", str(name), known)
    unknown = [name for name in table.datasets if name not in groups]
    if unknown:
        raise InputError(
            f"Data set {unknown[0]!r} is in no group ({len(unknown)} such in all).",
            why="Left out silently, it would be missing from the orders of the groups.",
            mend="Give every data set a group.",
        )
    out = {}
    for group in sorted({str(groups[name]) for name in table.datasets}):
        rows = np.array([str(groups[name]) == group for name in table.datasets])
        try:
            out[group] = _of_group(procedure, table.take(rows))
        except InputError as error:
            raise InputError(f"Group {group!r}: {error.what}", why=error.why, mend=error.mend) from None
    return MappingProxyType(out)
