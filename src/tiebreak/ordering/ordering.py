"""From results to an order: by worth, by MultiTest or by Multi2Test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import comb
from types import MappingProxyType
from typing import Any, Unpack

import numpy as np

from tiebreak._checks import BoolArray, check_alpha, readonly
from tiebreak.caveats import Caveat, distinct
from tiebreak.comparison.gaps import (
    check_policy,
    check_said,
    completed,
    score_metrics,
    score_of_totals,
    with_costs_known,
)
from tiebreak.comparison.groups import MOST_GROUPS, fewest_datasets, named_groups
from tiebreak.comparison.on_items import (
    directed_score,
    of_means,
    refuse_of_folds,
)
from tiebreak.comparison.trade import cost_and_trades
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.methods import choices
from tiebreak.ordering.multitest import (
    Decisions,
    beaten_before,
    beside_scores,
    decisions_of,
    named_pairs,
    places_of,
)
from tiebreak.ordering.options import (
    MULTI2TEST,
    MULTITEST,
    WORTH,
    OrderPlan,
    corrections,
    cost_names,
    item_test,
    pair_test,
    plan_of,
    prior_order,
    rule_of,
    trades_of,
    usual_test,
)
from tiebreak.ordering.result import GIVEN_ORDER, Ordering, Standing, Words, worth_reasons
from tiebreak.ordering.table import VERB, FoldTable, table_of_folds, table_of_items
from tiebreak.ordering.valuation import Valuation, charged, valued
from tiebreak.readers.taking import ReadingOne, taken
from tiebreak.results import Metric, Results, directions
from tiebreak.results.items import FOLD, TOTAL
from tiebreak.results.roles import check_one_host
from tiebreak.stats.folds.inner import PairTest
from tiebreak.wording import option

OF_PUBLISHED_RULES = frozenset(
    "only-cost-decided few-datasets beaten-but-before tied-costs cost-inside-places on-these-datasets".split()
)
"""Caveats of the published rules, which say nothing of an order by worth."""
OF_UNITS = frozenset({"scales-differ", "metrics-differ"})
"""Caveats on units of scores, which ratios of losses do not have."""


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
        "worst-rank": a failed run (no complete score) counts as the worst score of its data set.
    missing_costs : {"refuse", "drop-datasets", "drop-algorithms", "costliest"}
        "costliest": a missing cost counts as the largest of its data set. By worth, algorithms without any cost are
        left out and named.
    scale : {"auto", "as-is", "distance"}
        How scores of different data sets are compared; see `tiebreak.comparison.scales.scaled`.
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
    >>> from tiebreak.readers import published
    >>> results = published.ulas2012()
    >>> ordering = order(results, score="accuracy", cost="train_time")
    >>> ordering.order
    ('svr', 'svl', 'lnp', 'mlp', '5nn', 'mdt', 'c45', 'sv2')
    >>> [(part.algorithm, round(part.high, 2)) for part in ordering.frontier]
    [('svr', 2.6), ('5nn', inf)]
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
    remaining = results if dataset is None else results.only(datasets=[dataset])
    rule = rule_of(
        rule,
        variant=variant,
        inner_adjust=inner_adjust,
        prior=prior,
        pairwise=pairwise,
        posthoc=posthoc,
        n_scores=1 if score is None or isinstance(score, str) else len(score),
        one=len(remaining.datasets) == 1,
    )
    metrics = _directed_metrics(results, remaining, score, higher_is_better, cost, prior, missing, rule=rule)
    names = cost_names(results, [item.name for item in metrics], cost, prior, rule=rule)
    trades = trades_of(names, own_trades, trade, accd, rule=rule)
    if rule == WORTH or missing_costs == "refuse":
        results, remaining = with_costs_known(results, names), with_costs_known(remaining, names)
    current = {"variant": variant, "inner_adjust": inner_adjust, "groups": groups, "test_share": test_share}
    on_items = _is_on_items(
        remaining, rule, posthoc, alpha, missing, **current, scores=True if len(metrics) > 1 else None
    )
    if remaining.unit != FOLD and not on_items:
        results = remaining = of_means(remaining, metrics[0], names)
    wanted = [metric.name for metric in metrics]
    done, missing = completed(remaining, wanted, policy=missing, verb=VERB, told=higher_is_better, costs=names)
    results, remaining = (done, done) if remaining is results else (results, done)
    check_one_host(results, [*names, *wanted])
    settings = {"missing": missing, "missing_costs": missing_costs, "scale": scale}
    table, metric, over = _laid_out(remaining, metrics, higher_is_better, names, rule, posthoc, on_items, **settings)
    inner, outer = corrections(variant, inner_adjust, posthoc)
    plan = plan_of(
        table,
        over=over,
        test=item_test(pairwise, table) if on_items else pair_test(pairwise, len(metrics)),
        inner=inner,
        outer=outer,
        rule=rule,
        prior=prior_order(prior, results.algorithms, table.algorithms),
        costs=names,
        trades=trades,
        missing=missing,
        missing_costs=missing_costs,
        omnibus=omnibus,
        alpha=alpha,
        test_share=test_share,
        seed=seed,
    )
    ordering = ordered(table, plan, metric)
    if groups is not None and not on_items:
        parts = _by_group(table, plan, metric, groups, results.datasets)
        parts = {name: replace(part, data_papers=results.data_papers) for name, part in parts.items()}
        ordering = replace(ordering, by_group=MappingProxyType(parts))
    return replace(ordering, data_papers=results.data_papers).framed(results.frame_kind)


def _directed_metrics(
    results: Results,
    remaining: Results,
    score: str | Sequence[str] | None,
    higher_is_better: bool | Mapping[str, bool] | None,
    cost: str | Sequence[str] | None,
    prior: Sequence[str] | None,
    missing: str,
    *,
    rule: str,
) -> tuple[Metric, ...]:
    """Return the scores with their directions; one error names all that is open of score, direction and cost."""

    def metrics() -> tuple[Metric, ...]:
        named = score_metrics(results, score, higher_is_better)
        if len(named) == 1:
            directions(results, named[0].name, higher_is_better)
        return named

    check_said(
        remaining, score, metrics, partial(cost_names, results, (), cost, prior, rule=rule), missing=missing, verb=VERB
    )
    return metrics()


def _is_on_items(results: Results, rule: str, posthoc: str | None, alpha: float, missing: str, **of_folds: Any) -> bool:
    """Say whether items or totals are ordered as such, and not as benchmarks, where there are enough of these.

    What belongs to folds is refused either way; totals are of one benchmark at a time.
    """
    if results.unit == FOLD:
        return False
    count, pairs = len(results.datasets), comb(len(results.algorithms), 2)
    needed = max(fewest_datasets(pairs, posthoc or "bergmann-hommel", check_alpha(alpha)), 2)
    on_items = count < needed and not (results.unit == TOTAL and count > 1)
    refuse_of_folds(**of_folds, missing=missing if on_items and missing not in ("auto", "refuse") else None)
    if on_items and rule == MULTI2TEST:
        raise OptionError(
            "Multi2Test was named for an order on items.",
            why="It orders by the places on many data sets, each with its folds.",
            mend=f"Use {option(rule=MULTITEST)} or leave the rule out.",
        )
    return on_items


def _laid_out(
    results: Results,
    metrics: tuple[Metric, ...],
    options: bool | Mapping[str, bool] | None,
    costs: tuple[str, ...],
    rule: str,
    posthoc: str | None,
    on_items: bool,
    **settings: Any,
) -> tuple[FoldTable, Metric, str]:
    """Lay out what is ordered; return it with the metric that is shown and what the last tests read."""
    if on_items:
        metric = directed_score(results, metrics[0].name, options)
        return table_of_items(results, metric, costs, settings["missing_costs"]), metric, "items"
    over = "places" if rule == MULTI2TEST else "scores"
    table, metric = table_of_folds(results, metrics, options, costs, **settings, by_size=over == "scores")
    if len(table.datasets) > 1:
        return table, metric, over
    if posthoc is not None:
        text = f"One data set: {posthoc} corrects tests over data sets and was not used; the tests on the folds"
        note = Caveat("idle-posthoc", f"{text} are corrected by {option('inner_adjust')}.")
        table = replace(table, caveats=(*table.caveats, note))
    return table, metric, "folds"


# ---- from a table to its order


def ordered(table: FoldTable, plan: OrderPlan, metric: Metric) -> Ordering:
    """Order a table by the rule of its plan.

    By worth, MultiTest on the same table gives the tests.
    """
    value = None if table.measures is not None else valued(table, metric, plan)
    prior, tested, by_worth = plan.prior, table, plan.rule == WORTH
    if value is not None and by_worth and not table.paid:
        prior = tuple(table.algorithms[i] for i in value.sequence)
    elif value is not None and not by_worth and value.trades.any():
        tested = charged(table, plan, value, metric)
    decisions = decisions_of(tested, replace(plan, prior=prior), metric)
    return _assembled(table, plan, metric, decisions, value, given=prior is not None)


def _assembled(
    table: FoldTable,
    plan: OrderPlan,
    metric: Metric,
    decisions: Decisions,
    value: Valuation | None,
    *,
    given: bool,
) -> Ordering:
    """Put the result together; `given` says that an order stands for the costs."""
    names, sequence, by_worth = table.algorithms, decisions.sequence, plan.rule == WORTH
    standing = _standing(table, plan, decisions, given=given)
    ranks = decisions.ranks.mean(axis=0)
    by_rank = sorted(range(len(names)), key=lambda i: (float(ranks[i]), names[i]))
    groups, complete = named_groups(decisions.better, by_rank, names)
    against = beaten_before(decisions.better, sequence)
    reversed_pairs, beside = beside_scores(table, plan, sequence) if plan.over == "places" else (against, [])
    notes = [*table.caveats, *decisions.notes, *beside]
    if not complete:
        notes.append(Caveat("groups-cut", f"There are more than {MOST_GROUPS} groups; only the first are listed."))
    if against:
        text = (
            f"{len(against)} pair(s) stand against their own test, the second being significantly"
            f" {standing.words.better}: {named_pairs(against, names)}. The decisions are not transitive: the second"
            " waits behind a third, which the first need not."
        )
        notes.append(Caveat("beaten-but-before", text))
    notes += _cost_noise(table, decisions, value, by_worth=by_worth)
    if by_worth and value is not None:
        idle = OF_PUBLISHED_RULES | (OF_UNITS if value.scale.logarithmic else frozenset())
        notes = [note for note in notes if note.code not in idle]
        sequence, reversed_pairs = value.sequence, ()
    return Ordering(
        order=tuple(names[i] for i in sequence),
        prior=tuple(names[i] for i in np.argsort(decisions.prior)) if table.paid or not by_worth else (),
        reasons=worth_reasons(value, names) if by_worth and value is not None else standing.reasons(),
        algorithms=names,
        datasets=table.datasets,
        ranks=readonly(decisions.ranks),
        mean_ranks=readonly(ranks),
        scores=readonly(table.scores if table.measures is None else decisions.ranks),
        costs=MappingProxyType(
            {name: readonly(cost.mean(axis=0)) for name, cost in zip(plan.costs, table.shares, strict=True)}
        ),
        omnibus=decisions.omnibus,
        tests=decisions.tests,
        better=readonly(decisions.better),
        prior_places=readonly(decisions.prior),
        groups=groups,
        inner=decisions.inner,
        score=metric,
        plan=plan,
        table=table,
        standing=standing,
        valuation=value,
        units=MappingProxyType(dict(zip(plan.costs, table.units, strict=True))),
        reversed=tuple((names[i], names[j]) for i, j in reversed_pairs),
        tied_costs=decisions.tied,
        caveats=distinct([*notes, *(() if value is None else value.caveats)]),
    )


_DOUBT = 1.96
"""Two places are open where the difference is fewer standard errors than this."""


def _cost_noise(table: FoldTable, decisions: Decisions, value: Valuation | None, *, by_worth: bool) -> list[Caveat]:
    """Name neighbours in the order that could change places, so much do the times of their folds vary."""
    if not any(noise.any() for noise in table.noise):
        return []
    if by_worth and value is not None:
        sequence, values, decided = value.sequence, value.values, np.zeros_like(decisions.better)
        errors = np.array([trade * noise for trade, noise in zip(value.trades, table.noise, strict=True)])
        squares = (errors**2).sum(axis=(0, 1)) / len(table.datasets) ** 2
    else:  # by the mean share of the largest cost of each data set
        sequence, values, decided = decisions.sequence, table.shares[0].mean(axis=0), decisions.better
        squares = ((np.log(10) * table.shares[0] * table.noise[0]) ** 2).sum(axis=0) / len(table.datasets) ** 2
    pairs = tuple(
        (int(a), int(b))
        for a, b in pairwise(sequence)
        if abs(values[a] - values[b]) < _DOUBT * np.sqrt(squares[a] + squares[b]) and not decided[a, b]
    )
    text = f"Times vary so much over folds that neighbours could change places: {named_pairs(pairs, table.algorithms)}."
    return [Caveat("cost-noise", text)] if pairs else []


def _standing(table: FoldTable, plan: OrderPlan, decisions: Decisions, *, given: bool) -> Standing:
    """Return what explains the places that MultiTest gives."""
    words, tests = GIVEN_ORDER if given else Words(), decisions.tests
    if plan.over == "places":
        words = replace(words, better="better placed", worse="worse placed")
    differ: BoolArray | None = None
    if plan.over == "folds" and decisions.inner is None:
        words = replace(words, open="not tested")
    elif plan.over == "folds" and table.measures is not None:  # pairs that differ although neither dominates
        differ = np.zeros_like(decisions.better)
        differ[tests.a, tests.b] = differ[tests.b, tests.a] = tests.adjusted <= plan.alpha
        differ &= ~decisions.better & ~decisions.better.T
    paid = None
    if table.paid:
        paid = table.paid[0] if table.unpriced is None else np.where(table.unpriced, np.nan, table.paid[0])
    return Standing(
        names=table.algorithms,
        place=places_of(decisions.sequence[None])[0],
        better=decisions.better,
        prior=decisions.prior,
        words=words,
        paid=paid,
        differ=differ,
    )


# ---- groups of data sets


def _of_group(table: FoldTable, plan: OrderPlan, metric: Metric) -> Ordering:
    """A group of one data set is ordered as that data set alone would be: by MultiTest on its folds."""
    if len(table.datasets) > 1 or plan.over != "scores":
        return ordered(table, plan, metric)
    folds = table.folds_of(0)
    table = table if folds is None else replace(table, errors=folds[None])
    test = plan.pairwise
    if plan.own_test is None and not (plan.named and test in choices("folds", verb=VERB)):
        test = usual_test("folds", table)
    return ordered(table, replace(plan, over="folds", pairwise=test), metric)


def _by_group(
    table: FoldTable, plan: OrderPlan, metric: Metric, groups: Mapping[str, str], known: tuple[str, ...]
) -> dict[str, Ordering]:
    """Groups are checked in both directions: a misspelt data set would else drop out of its group unseen."""
    for name in groups:
        if name not in known:
            raise unknown_name("data set (in the groups)", str(name), known)
    unknown = [name for name in table.datasets if name not in groups]
    if unknown:
        raise InputError(
            f"Data set {unknown[0]!r} is in no group ({len(unknown)} in all).",
            why="It would be missing from the orders of all groups.",
            mend="Give every data set a group.",
        )
    out = {}
    for group in sorted({str(groups[name]) for name in table.datasets}):
        rows = np.array([str(groups[name]) == group for name in table.datasets])
        try:
            out[group] = _of_group(table.part(rows), plan, metric)
        except InputError as error:
            raise InputError(f"Group {group!r}: {error.what}", why=error.why, mend=error.mend) from None
    return out
