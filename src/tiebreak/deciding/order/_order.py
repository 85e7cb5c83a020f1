"""From results to an order: MultiTest on one data set, Multi2Test on many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_alpha, check_choice
from tiebreak.deciding.compare import MOST_EXACT
from tiebreak.deciding.gaps import (
    check_measured,
    check_policy,
    check_results,
    filled_costs,
    settled,
    settled_costs,
)
from tiebreak.deciding.order._costs import CostChoice, check_costs, normalised
from tiebreak.deciding.order._dominance import SEVERAL_TEST, place_metric, score_metrics
from tiebreak.deciding.order._inner_tests import USUAL_INNER, PairTest
from tiebreak.deciding.order._multi2test import FoldTable, Multi2Test
from tiebreak.deciding.order._ordering import Ordering, OrderPlan
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.methods import choices
from tiebreak.tables import Metric, Results

VERB = "order"
VARIANTS = {"2008": ("none", "nemenyi"), "2012": ("bergmann-hommel", "bergmann-hommel")}
"""The published variants of Multi2Test: correction inside the data sets, post hoc test over them."""


def order(
    results: Results,
    *,
    score: str | Sequence[str] | None = None,
    cost: str | Sequence[str] | None = None,
    prior: Sequence[str] | None = None,
    variant: str | None = None,
    pairwise: str | PairTest | None = None,
    inner_adjust: str | None = None,
    posthoc: str | None = None,
    omnibus: str = "friedman",
    dataset: str | None = None,
    groups: Mapping[str, str] | None = None,
    cost_rule: str = "lexicographic",
    cost_weights: Sequence[float] = (),
    equal_within: float = 0.0,
    ties: str = "refuse",
    alpha: float = 0.05,
    missing: str = "refuse",
    missing_costs: str = "refuse",
    higher_is_better: bool | Mapping[str, bool] | None = None,
) -> Ordering:
    """Order algorithms from best to worst: by error where a test finds a difference, by cost where it does not.

    Hypothesis: on one data set, for each pair that the cheaper one has no higher error; over data sets, that all
    algorithms have the same expected place, then for each pair that the two have.

    Formula: MultiTest on every data set gives places; the Friedman test on the places; if it does not reject, the
    order is that of mean normalised cost; if it does, the post hoc test on the mean places, and MultiTest once more
    with those decisions and the mean normalised cost as prior. With one data set its MultiTest is the answer. Costs
    are divided by the largest of their data set before they are averaged.

    Assumptions: those of the pairwise test inside the data sets, and of the Friedman test over them.
    When not to use it: where cost does not matter; then use `tiebreak.compare`.

    Parameters
    ----------
    results : Results
    score : str or sequence of str, optional
        The score to order by; needed where there are several. Several names: inside a data set the pairwise test is
        Hotelling's on all of them at once, and one algorithm is preferred where the test rejects and it dominates: no
        mean worse, one better. Where the test rejects and neither dominates, cost decides, as where it does not.
    cost : str or sequence of str, optional
        The cost that decides where no test does, or several, the most important first. Needed unless `prior` is given
        or the table holds one cost.
    prior : sequence of str, optional
        The order to use instead of costs, cheapest or simplest first.
    variant : {"2008", "2012"}, optional
        The published variants: no inner correction and Nemenyi, or Bergmann-Hommel for both (the default).
    pairwise : str or callable, optional
        The test inside a data set, by default 5x2cv-f: 5x2cv-f, 5x2cv-t, corrected-t, kfold-t, wilcoxon, sign; or
        score, to rank by the mean score without a test; or a function of two vectors of fold scores, turned so that
        lower is better, that returns a p-value. With several scores hotelling, and no other.
    inner_adjust : str, optional
        The correction inside each data set. By default bergmann-hommel up to 11 algorithms, shaffer beyond;
        bergmann-hommel can be asked for up to 14.
    posthoc : str, optional
        The post hoc test over data sets: nemenyi or a correction. By default bergmann-hommel up to 100 algorithms.
    omnibus : {"friedman", "friedman-chi2", "friedman-exact"}
    dataset : str, optional
        Order on this data set alone.
    groups : mapping, optional
        From data set to the name of its group: an order for each group, beside the overall one.
    cost_rule, cost_weights, equal_within, ties
        See `tiebreak.deciding.order.CostChoice`.
    alpha : float, default 0.05
    missing : {"refuse", "drop-datasets", "drop-algorithms", "drop-folds", "worst-rank"}
        "worst-rank": a failed run (no complete score) takes the last place on its data set.
    missing_costs : {"refuse", "drop-datasets", "drop-algorithms", "costliest"}
        "costliest": a missing cost counts as the largest of its data set.
    higher_is_better : bool or mapping, optional
        Needed where the name of the score does not tell; from name to bool where there are several.

    Returns
    -------
    Ordering

    References
    ----------
    ulas2012
    yildiz2006

    Examples
    --------
    >>> from tiebreak.reading import published
    >>> results = published.ulas2012()
    >>> order(results, score="accuracy", cost="train_time").order
    ('5nn', 'c45', 'lnp', 'mlp', 'mdt', 'svl', 'sv2', 'svr')
    >>> found = order(results, score="accuracy", cost="train_time", dataset="optdigits", inner_adjust="none")
    >>> found.order
    ('svr', 'svl', 'sv2', '5nn', 'mlp', 'lnp', 'mdt', 'c45')
    >>> found.explain("svr", "5nn")
    'svr stands before 5nn: it is costlier but significantly better.'
    """
    check_results(results, VERB)
    check_policy(missing, VERB)
    metrics = score_metrics(results, score, higher_is_better)
    test = _pair_test(pairwise, len(metrics))
    inner, outer = _variant(variant, inner_adjust, posthoc)
    choice = CostChoice(
        names=_cost_names(results, [each.name for each in metrics], cost, prior),
        rule=cost_rule,
        weights=tuple(cost_weights),
        equal_within=equal_within,
        ties=ties,
    )
    choice.check()
    kept = results if dataset is None else results.only(datasets=[dataset])
    table = _table(kept, metrics, missing, missing_costs, choice)
    plan = OrderPlan(
        pairwise=test if isinstance(test, str) else getattr(test, "__name__", "own test"),
        inner_adjust=inner or ("bergmann-hommel" if len(table.algorithms) <= USUAL_INNER else "shaffer"),
        posthoc=outer or ("bergmann-hommel" if len(table.algorithms) <= MOST_EXACT else "shaffer"),
        omnibus=check_choice("omnibus test", omnibus, choices("omnibus", verb=VERB)),
        choice=choice,
        missing=missing,
        missing_costs=missing_costs,
        alpha=check_alpha(alpha),
    )
    _check_plan(plan)
    procedure = Multi2Test(
        plan=plan,
        metric=metrics[0] if len(metrics) == 1 else place_metric(metrics),
        pairwise=test,
        given=_given(prior, results.algorithms, table.algorithms),
    )
    whole = procedure.ordering(table)
    return whole if groups is None else replace(whole, by_group=_by_group(procedure, table, groups, results.datasets))


def _pair_test(pairwise: str | PairTest | None, n_scores: int) -> str | PairTest:
    """Return the test inside the data sets; several scores have one of their own."""
    if n_scores == 1:
        if pairwise is None or callable(pairwise):
            return pairwise or "5x2cv-f"
        single = [name for name in choices("folds", verb=VERB) if name != SEVERAL_TEST]
        return check_choice("pairwise test", pairwise, single)
    if pairwise not in (None, SEVERAL_TEST):
        raise OptionError(
            f"{n_scores} scores were named, and the pairwise test {pairwise!r}.",
            why="Several scores at once are tested by Hotelling's test; this one takes a single score.",
            mend=f"Leave pairwise out, or say pairwise={SEVERAL_TEST!r}, or name one score.",
        )
    return SEVERAL_TEST


def _variant(variant: str | None, inner: str | None, outer: str | None) -> tuple[str | None, str | None]:
    """A variant sets both corrections; naming it beside one of them could mean two things."""
    if variant is None:
        return inner, outer
    known = VARIANTS[check_choice("variant", variant, VARIANTS)]
    if inner is not None or outer is not None:
        raise OptionError(
            f"The variant {variant} and a correction were both asked for.",
            why="A variant stands for its corrections.",
            mend="Name the variant, or inner_adjust and posthoc.",
        )
    return known


def _check_plan(plan: OrderPlan) -> None:
    check_choice("inner correction", plan.inner_adjust, choices("correction", verb=VERB))
    check_choice("post hoc test", plan.posthoc, choices("posthoc", "correction", verb=VERB))


def _cost_names(
    results: Results, scores: Sequence[str], cost: str | Sequence[str] | None, prior: Sequence[str] | None
) -> tuple[str, ...]:
    """A cost is guessed only where the table holds exactly one: it decides the order of all that is not told apart."""
    if prior is not None:
        if cost is not None:
            raise OptionError(
                "Both a cost and a prior order were given.",
                why="The prior order stands for the cost.",
                mend="Give one of them.",
            )
        return ()
    names = (cost,) if isinstance(cost, str) else tuple(cost or ())
    if not names:
        if len(results.costs) != 1:
            raise OptionError(
                f"The table holds {len(results.costs)} costs: {', '.join(map(repr, results.costs)) or 'none'}.",
                why="Where no test tells algorithms apart, a cost must, and the choice matters.",
                mend="Say cost='train_time' (--cost train_time), read costs from a second file (--costs FILE), or give"
                " the prior order yourself (prior=[...], --prior a,b,c).",
            )
        names = results.costs
    for name in names:
        if name in scores:
            raise OptionError(
                f"{name!r} was named as the score and as a cost.",
                why="What decides where the score does not must be something else.",
                mend="Name another cost.",
            )
        if results.metric(name).higher_is_better and not results.metric(name).is_cost:
            raise OptionError(
                f"{name!r} was named as a cost.",
                why="It is known as a measure where higher is better, and a cost is better when lower.",
                mend="Name a cost, such as a time.",
            )
    return names


def _given(prior: Sequence[str] | None, known: tuple[str, ...], algorithms: tuple[str, ...]) -> IntArray | None:
    """Turn a given prior order into places; algorithms that a policy for gaps dropped leave it too."""
    if prior is None:
        return None
    names = [str(name) for name in prior]
    for name in names:
        if name not in known:
            raise unknown_name("algorithm (in the prior order)", name, known)
    names = [name for name in names if name in algorithms]
    absent = [name for name in algorithms if name not in names]
    if absent or len(set(names)) != len(names):
        raise OptionError(
            f"The prior order {'lacks ' + repr(absent[0]) if absent else 'names an algorithm twice'}.",
            why="Every algorithm needs exactly one place in it.",
            mend="Name each algorithm once, cheapest first.",
        )
    return np.array([names.index(name) for name in algorithms], dtype=np.int64)


def _table(
    results: Results, metrics: Sequence[Metric], missing: str, missing_costs: str, choice: CostChoice
) -> FoldTable:
    """Settle the gaps of scores and costs, and lay out what is ordered."""
    kept, notes = settled_costs(results, choice.names, policy=missing_costs)
    notes = [*results.caveats, *notes]
    for metric in metrics:
        kept, more = settled(kept, metric.name, policy=missing, verb=VERB)
        notes += more
    if len(kept.algorithms) < 2 or not kept.datasets:
        raise InputError(
            f"There are {len(kept.algorithms)} algorithm(s) on {len(kept.datasets)} data set(s) to order.",
            why="An order needs two algorithms and a data set.",
            mend="Add results, or choose another policy for gaps or for missing costs.",
        )
    turned = [-kept.cube(each.name) if each.higher_is_better else kept.cube(each.name) for each in metrics]
    costs = [kept.means(name, partial=True) for name in choice.names]
    if missing_costs == "costliest":
        costs = [filled_costs(cost) for cost in costs]
    return FoldTable(
        errors=turned[0],
        measures=np.stack(turned, axis=-1) if len(turned) > 1 else None,
        scores=_means(kept, metrics),
        costs=tuple(
            normalised(check_costs(cost, name, kept.datasets, kept.algorithms))
            for name, cost in zip(choice.names, costs, strict=True)
        ),
        datasets=kept.datasets,
        algorithms=kept.algorithms,
        caveats=tuple(notes),
    )


def _means(kept: Results, metrics: Sequence[Metric]) -> FloatArray:
    """Return the mean of the first score, NaN where any score is incomplete; refuse an algorithm without any."""
    means = kept.means(metrics[0].name)
    for metric in metrics[1:]:
        means = np.where(np.isnan(kept.means(metric.name)), np.nan, means)
    check_measured(means, kept.algorithms, metrics[0].name)
    return means


def _by_group(
    procedure: Multi2Test, table: FoldTable, groups: Mapping[str, str], known: tuple[str, ...]
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
            out[group] = procedure.ordering(table.take(rows))
        except InputError as error:
            raise InputError(f"Group {group!r}: {error.what}", why=error.why, mend=error.mend) from None
    return MappingProxyType(out)
