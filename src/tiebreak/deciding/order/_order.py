"""From results to an order: by worth, by MultiTest or by Multi2Test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Unpack

import numpy as np

from tiebreak._checks import IntArray, check_alpha
from tiebreak.caveats import Caveat
from tiebreak.deciding.gaps import check_policy, completed
from tiebreak.deciding.on_items import (
    directed_score,
    of_means,
    refuse_of_folds,
    score_of_totals,
)
from tiebreak.deciding.order._asked import (
    MULTI2TEST,
    VERB,
    WORTH,
    corrections,
    cost_and_trades,
    cost_names,
    given_places,
    pair_test,
    rule_of,
    trades_of,
    with_costs_known,
)
from tiebreak.deciding.order._by_worth import ordered
from tiebreak.deciding.order._dominance import directed_metrics
from tiebreak.deciding.order._inner_tests import PairTest
from tiebreak.deciding.order._laid_out import Settling, laid_out
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
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.methods import choices
from tiebreak.reading.taking import ReadingOne, taken
from tiebreak.tables import Metric, Results
from tiebreak.tables.hosts import check_one_host
from tiebreak.tables.item_columns import FOLD, TOTAL
from tiebreak.wording import option


def order(
    results: Any,
    *,
    score: str | Sequence[str] | None = None,
    cost: str | Sequence[str] | Mapping[str, str] | None = None,
    trade: str | None = None,
    accd: float | None = None,
    rule: str | None = None,
    variant: str | None = None,
    prior: Sequence[str] | None = None,
    pairwise: str | PairTest | None = None,
    inner_adjust: str | None = None,
    posthoc: str | None = None,
    omnibus: str = "friedman",
    dataset: str | None = None,
    groups: Mapping[str, str] | None = None,
    alpha: float = 0.05,
    missing: str = "auto",
    missing_costs: str = "refuse",
    scale: str = "auto",
    baseline: str | None = None,
    test_share: float | None = None,
    seed: int = 0,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    **reading: Unpack[ReadingOne],
) -> Ordering:
    """Order algorithms from best to worst: by score where the difference is worth its cost, by cost where it is not.

    Hypothesis: none by default; worth decides, and the tests of `tiebreak.compare` stand beside it as evidence. With
    `rule="multitest"`, for each pair that the costlier one is better by no more than the trade.

    Formula: worth is the mean score less the trade times the mean log10 cost. The trade is what ten times the cost must
    buy: 1 % of the best mean score by default, at most a tenth of what is missing to a perfect score, and 10 % less
    loss for losses. MultiTest puts the cheaper first unless a costlier one is significantly better; Multi2Test applies
    it to every data set and then to the places.

    Assumptions: data sets (or items) are independent of each other, and like those one cares about.
    When not to use it: where cost does not matter; then use `tiebreak.compare`.

    Parameters
    ----------
    results : Results, path, frame, mapping or array
        Whatever holds scores and costs by data set and algorithm; see `tiebreak.as_results`.
    score : str or sequence of str, optional
        The score to order by; needed where there are several. Several names: Hotelling's test on all of them decides
        inside a data set, by Multi2Test.
    cost : str, sequence of str or mapping, optional
        The cost, or several; a trade of its own may follow a name, as in "price=1%". Needed where the table holds
        several costs; without any, algorithms are ordered by score.
    trade : str, optional
        What ten times the cost must buy: "1%" of the best mean score, or "0.5pt". With `rule="multitest"` a costlier
        algorithm must be significantly better by more than the trade, 0 by default.
    accd : float, optional
        The same in the notation of Brazdil, Soares and Costa: 0.01 is "1%".
    rule : {"worth", "multitest", "multi2test"}, optional
        Worth by default. `variant`, `inner_adjust` and several scores imply Multi2Test, `prior` implies MultiTest.
    variant : {"2008", "2012"}, optional
        The published variants of Multi2Test: no inner correction and Nemenyi, or Bergmann-Hommel for both.
    prior : sequence of str, optional
        For the published rules: the order to use instead of costs, cheapest or simplest first.
    pairwise : str or callable, optional
        The test of pairs: over data sets wilcoxon, sign, wins, paired-t, anytime, or folds (the folds of these data
        sets together); inside a data set 5x2cv-f, 5x2cv-t, corrected-t, kfold-t, wilcoxon, sign or score (no test). Or
        a function of two vectors of scores, turned so that lower is better, that returns a p-value.
    inner_adjust : str, optional
        The correction inside each data set. By default bergmann-hommel up to 11 algorithms, shaffer beyond.
    posthoc : str, optional
        The correction over data sets; for Multi2Test also nemenyi.
    omnibus : {"friedman", "friedman-chi2", "friedman-exact"}
        For Multi2Test it must reject before any pair may differ; elsewhere it decides nothing.
    dataset : str, optional
        Order on this data set alone.
    groups : mapping, optional
        From data set to the name of its group: an order for each group, beside the overall one.
    alpha : float, default 0.05
    missing : {"auto", "refuse", "drop-datasets", "drop-algorithms", "drop-folds", "worst-rank"}
        "auto": what is complete is ordered while at least 80 % of the data sets remain, and failed runs count as the
        worst score of their data set. "worst-rank": every gap counts so.
    missing_costs : {"refuse", "drop-datasets", "drop-algorithms", "costliest"}
        "costliest": a missing cost counts as the largest of its data set. By worth, algorithms without any cost are
        left out and named.
    scale : {"auto", "as-is", "distance", "normalised", "sign"}
        How scores of different data sets are compared; see `tiebreak.deciding.scales.scaled`.
    baseline : str, optional
        The algorithm whose normalised score is 0; by default the median one.
    test_share : float, optional
        For hold-out splits: the share of the examples that is tested on.
    seed : int, default 0
        Of the draws behind probability, regret and intervals.
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
    brazdil2003

    Examples
    --------
    >>> from tiebreak.reading import published
    >>> results = published.ulas2012()
    >>> ordering = order(results, score="accuracy", cost="train_time")
    >>> ordering.order
    ('svr', 'svl', 'lnp', 'mlp', '5nn', 'mdt', 'c45', 'sv2')
    >>> [(part.algorithm, round(part.high, 2)) for part in ordering.frontier]
    [('svr', 2.61), ('5nn', inf)]
    >>> order(results, score="accuracy", cost="train_time", rule="multitest").order
    ('svl', 'svr', '5nn', 'c45', 'lnp', 'mlp', 'mdt', 'sv2')
    >>> order(results, score="accuracy", cost="train_time", variant="2012").order  # Multi2Test as published
    ('5nn', 'c45', 'lnp', 'mlp', 'mdt', 'svl', 'sv2', 'svr')
    >>> order(results, score="accuracy", cost="train_time", dataset="optdigits", inner_adjust="none").order
    ('svr', 'svl', 'sv2', '5nn', 'mlp', 'lnp', 'mdt', 'c45')
    """
    score = reading.pop("scores", None) if score is None else score
    cost, own_trades = cost_and_trades(cost)
    results = taken(results, VERB, reading, scores=score, costs=cost, directed=higher_is_better is not None)
    check_policy(missing, VERB)
    score = score_of_totals(results, score)
    kept = results if dataset is None else results.only(datasets=[dataset])
    scores = 1 if score is None or isinstance(score, str) else len(score)
    chosen_rule = rule_of(
        rule,
        variant=variant,
        inner_adjust=inner_adjust,
        prior=prior,
        pairwise=pairwise,
        posthoc=posthoc,
        n_scores=scores,
        one=len(kept.datasets) == 1,
    )
    metrics = _said_metrics(results, kept, score, higher_is_better, cost, prior, missing, rule=chosen_rule)
    many, named_test = len(metrics), pairwise
    names = cost_names(results, [each.name for each in metrics], cost, prior, rule=chosen_rule)
    given = trades_of(names, own_trades, trade, accd, rule=chosen_rule)
    if chosen_rule == WORTH:
        results, kept = with_costs_known(results, names), with_costs_known(kept, names)
    of_folds = {"variant": variant, "inner_adjust": inner_adjust, "groups": groups, "test_share": test_share}
    on_items = _is_on_items(kept, posthoc, alpha, missing, **of_folds, scores=many > 1 or None)
    if on_items:
        pairwise = None
    elif kept.unit != FOLD:
        results = kept = of_means(kept, metrics[0], names)
    chosen = "places" if chosen_rule == MULTI2TEST else "scores"
    if on_items and chosen_rule == MULTI2TEST:
        raise _no_multi2test()
    test = pair_test(pairwise, many)
    inner, outer = corrections(variant, inner_adjust, posthoc)
    check_one_host(results, [*names, *(each.name for each in metrics)])
    complete, missing = completed(
        kept, [metric.name for metric in metrics], policy=missing, verb=VERB, told=higher_is_better, costs=names
    )
    results, kept = (complete, complete) if kept is results else (results, complete)
    settling = Settling(missing=missing, missing_costs=missing_costs, scale=scale, baseline=baseline, over=chosen)
    if on_items:
        metric = directed_score(kept, metrics[0].name, higher_is_better)
        chosen, table = ITEMS, laid_out_items(kept, metric, names, missing_costs)
        test = item_test(named_test, table)
    else:
        table, metric = laid_out(kept, metrics, higher_is_better, names, settling)
        if len(table.datasets) == 1:
            chosen, table = "folds", _with_idle(table, posthoc)
    told: dict[str, Any] = {"costs": names, "missing": missing, "missing_costs": missing_costs}
    told |= {"omnibus": omnibus, "alpha": alpha, "test_share": test_share, "seed": seed, "trades": given}
    plan = plan_of(table, rule=chosen_rule, over=chosen, test=test, inner=inner, outer=outer, **told)
    places = given_places(prior, results.algorithms, table.algorithms)
    procedure = _procedure(plan, metric, test, places)
    whole = ordered(procedure, table)
    if groups is not None and not isinstance(procedure, OverItems):
        whole = replace(whole, by_group=_by_group(procedure, table, groups, results.datasets))
    return _of(results, whole)


def _no_multi2test() -> OptionError:
    return OptionError(
        "Multi2Test was asked for on items.",
        why="It orders by the places on many data sets, each with its folds.",
        mend=f"Use {option(rule='multitest')} or leave the rule out.",
    )


def _said_metrics(
    results: Results,
    kept: Results,
    score: str | Sequence[str] | None,
    told: bool | Mapping[str, bool] | None,
    cost: str | Sequence[str] | None,
    prior: Sequence[str] | None,
    missing: str,
    *,
    rule: str,
) -> tuple[Metric, ...]:
    """Return the scores with their directions; what was not said of score, direction and cost is asked for at once."""
    metrics = partial(directed_metrics, results, score, told)
    costs = partial(cost_names, results, (), cost, prior, rule=rule)
    check_said(kept, score, metrics, costs, missing=missing, verb=VERB)
    return metrics()


def _is_on_items(kept: Results, posthoc: str | None, alpha: float, missing: str, **of_folds: Any) -> bool:
    """Say whether items or totals are ordered as such; of them, what belongs to folds is refused either way."""
    if kept.unit == FOLD:
        return False
    on_items = way_of(kept, None, posthoc, check_alpha(alpha)) == ITEMS
    if kept.unit == TOTAL and len(kept.datasets) > 1:  # totals of one benchmark at a time
        on_items = False
    refuse_of_folds(**of_folds, missing=missing if on_items and missing not in ("auto", "refuse") else None)
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
        return ordered(procedure, table)
    folds = table.folds_of(0)
    alone = table if folds is None else replace(table, errors=folds[None])
    own = procedure.pairwise
    if not callable(own) and (not procedure.named or own not in choices("folds", verb=VERB)):
        own = usual_test(None, "folds", alone)
    name = procedure.plan.pairwise if callable(own) else own
    plan = replace(procedure.plan, over="folds", pairwise=name)
    return ordered(Multi2Test(plan=plan, metric=procedure.metric, given=procedure.given, pairwise=own), alone)


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
