"""The options of an order: its rule, costs and trades, the prior order, and the plan that they add up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tiebreak._checks import check_alpha, check_choice
from tiebreak.comparison.on_items import (
    MOST_EXACT,
    named_item_tests,
    named_total_tests,
    usual_correction,
    usual_item_test,
)
from tiebreak.comparison.trade import Trade, read_accd, read_trade
from tiebreak.documents import Framed
from tiebreak.errors import NotSaid, OptionError, quoted, unknown_name
from tiebreak.methods import choices, of_kind
from tiebreak.ordering.table import VERB, FoldTable
from tiebreak.results import Results
from tiebreak.stats.folds.fold_tests import fitting_test
from tiebreak.stats.folds.inner import USUAL_INNER, PairTest, own_name
from tiebreak.wording import either, option

WORTH, MULTITEST, MULTI2TEST = RULES = ("worth", "multitest", "multi2test")
VARIANTS = {"2008": ("none", "nemenyi"), "2012": ("bergmann-hommel", "bergmann-hommel")}
"""The published variants of Multi2Test: correction inside the data sets, post hoc test over them."""
TOGETHER = "folds"
"""The test of the folds of these data sets together."""
SEVERAL_TEST = "hotelling"
"""The pairwise test of several scores."""
MOST_ON_A_LINE = 100
"""Up to so many algorithms Bergmann and Hommel's correction is the default for mean places, which lie on a line."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OrderPlan(Framed):
    """Every choice of one ordering.

    `over` is what the last tests read: "scores" or "places" of data sets, "folds" of one data set, or "items".
    `named` says that the pairwise test was named by the user; `own_test` is one of the user's own, and `prior` an order
    that stands for the costs, cheapest first.
    """

    over: str
    pairwise: str
    inner_adjust: str
    posthoc: str
    omnibus: str
    costs: tuple[str, ...]
    missing: str
    missing_costs: str
    alpha: float
    rule: str = MULTITEST
    trades: tuple[Trade, ...] = ()
    test_share: float | None = None
    seed: int = 0
    prior: tuple[str, ...] | None = None
    named: bool = False
    own_test: PairTest | None = None

    @property
    def decider(self) -> str:
        """What decides where no test does."""
        return "cost" if self.prior is None else "the given order"


def plan_of(
    table: FoldTable, *, over: str, test: str | PairTest | None, inner: str | None, outer: str | None, **options: Any
) -> OrderPlan:
    """Complete the choices of an order by what usually fits the table, and check them."""
    count = len(table.algorithms)
    plan = OrderPlan(
        over=over,
        pairwise=own_name(test) if callable(test) else test or _test(over, table, options),
        own_test=test if callable(test) else None,
        named=test is not None,
        inner_adjust=inner or ("bergmann-hommel" if count <= USUAL_INNER else "shaffer"),
        posthoc=outer or usual_posthoc(over, count),
        **options,
    )
    check_alpha(plan.alpha)
    check_choice("omnibus test", plan.omnibus, choices("omnibus", verb=VERB))
    check_choice("inner correction", plan.inner_adjust, choices("correction", verb=VERB))
    by_places = plan.over in ("places", "folds")
    kinds = choices("posthoc", "correction", verb=VERB) if by_places else choices("correction", verb=VERB)
    check_choice("post hoc test", plan.posthoc, kinds)
    return plan


def usual_posthoc(over: str, count: int) -> str:
    """Name the correction of the last tests: Bergmann and Hommel's where it does not take too long."""
    if over == "items":
        return usual_correction(count)
    return "bergmann-hommel" if count <= (MOST_EXACT if over == "scores" else MOST_ON_A_LINE) else "shaffer"


def _test(over: str, table: FoldTable, options: Mapping[str, Any]) -> str:
    """An order by worth needs no test: folds of one data set that no test can read are no reason to refuse it."""
    if over == "folds" and table.measures is None and options.get("rule") == WORTH:
        folds = table.folds_of(0)
        if folds is None or (folds.shape[2] < 2 and options.get("test_share") is None):
            return "score"
    return usual_test(over, table)


def usual_test(over: str, table: FoldTable) -> str:
    """Name the test of pairs that fits: over data sets Wilcoxon's, on folds by how they were made."""
    if over == "items":
        return "fisher" if table.items is None else usual_item_test(table.items)
    if over == "scores":
        return "wilcoxon"
    if table.measures is not None:
        return SEVERAL_TEST
    return fitting_test(*table.errors.shape[2:]) or "score"


def own_score_tests() -> tuple[str, ...]:
    """Name the tests of pairs over data sets that read the pair's own scores and nothing else."""
    known = of_kind("pairs", verb="compare")
    return tuple(
        dict.fromkeys(method.name for method in known if method.on_own_scores and method.takes == "paired scores")
    )


def rule_of(
    rule: str | None,
    *,
    variant: str | None,
    inner_adjust: str | None,
    prior: object,
    pairwise: str | PairTest | None,
    posthoc: str | None,
    n_scores: int,
    one: bool,
) -> str:
    """Decide on the rule: what belongs to a published one implies it; `one` says that there is one data set."""
    fold_tests = set(choices("folds", verb=VERB)) - set(own_score_tests())
    of_folds = rule is None if callable(pairwise) else pairwise in fold_tests
    implied = {
        option("variant"): variant is not None,
        option("inner_adjust"): inner_adjust is not None,
        "several scores": n_scores > 1,
        f"{option('pairwise')} {pairwise}": of_folds and not one,
        f"{option('posthoc')} {posthoc}": posthoc in choices("posthoc", verb=VERB),
    }
    reasons = [what for what, holds in implied.items() if holds]
    if rule is None:
        usual = MULTITEST if prior is not None or pairwise == TOGETHER else WORTH
        return usual if not reasons else MULTITEST if one and variant is None else MULTI2TEST
    check_choice("rule", rule, RULES)
    if rule != MULTI2TEST and reasons and not (one and rule == MULTITEST):
        raise OptionError(
            f"{option(rule=rule)} was given with {reasons[0]}.",
            why="That belongs to Multi2Test, which tests inside every data set and then over their places.",
            mend=f"Leave it out, or use {option(rule=MULTI2TEST)}.",
        )
    if rule == WORTH and prior is not None:
        raise OptionError(
            "A prior order was given for an order by worth.",
            why="Worth weighs scores against costs, and an order has no sizes.",
            mend=f"Use {option(rule=MULTITEST)}, or name a cost.",
        )
    return rule


def pair_test(pairwise: str | PairTest | None, n_scores: int) -> str | PairTest | None:
    """Check the named test; None leaves the choice to the resampling; several scores have one of their own."""
    if n_scores == 1:
        if pairwise is None or callable(pairwise):
            return pairwise
        single = [name for name in choices("folds", verb=VERB) if name != SEVERAL_TEST]
        return check_choice("pairwise test", pairwise, list(dict.fromkeys([*single, *own_score_tests(), TOGETHER])))
    if pairwise not in (None, SEVERAL_TEST):
        raise OptionError(
            f"{n_scores} scores were named, and the pairwise test {pairwise!r}.",
            why="Several scores at once are tested by Hotelling's test; this one takes a single score.",
            mend=f"Leave {option('pairwise')} out, or say {option(pairwise=SEVERAL_TEST)}, or name one score.",
        )
    return SEVERAL_TEST


def item_test(pairwise: str | PairTest | None, table: FoldTable) -> str | None:
    """Check the named test of pairs against those that fit items, or totals."""
    known = named_item_tests() if table.items is not None else named_total_tests()
    if callable(pairwise):
        raise OptionError(
            "A test of the user's own was given for items.",
            why="Tests of items know of clusters and benchmarks, which a function of two vectors does not.",
            mend=f"Use one of {', '.join(known)}, or {option(columns={'fold': 'item'})} to read items as folds.",
        )
    return None if pairwise is None else check_choice("pairwise test", pairwise, known)


def corrections(variant: str | None, inner: str | None, outer: str | None) -> tuple[str | None, str | None]:
    """A variant sets both corrections; naming it beside one of them could mean two things."""
    if variant is None:
        return inner, outer
    check_choice("variant", variant, VARIANTS)
    if inner is not None or outer is not None:
        raise OptionError(
            f"The variant {variant} and a correction were both given.",
            why="A variant stands for its corrections.",
            mend=f"Name the variant, or {option('inner_adjust')} and {option('posthoc')}.",
        )
    return VARIANTS[variant]


# ---- costs


def trades_of(
    names: tuple[str, ...], settings: Mapping[str, str], trade: str | None, accd: float | None, *, rule: str
) -> tuple[Trade, ...]:
    """Return the trade of each cost: its own, or the one for all; the published rules have none unless given."""
    if trade is not None and accd is not None:
        both = f"Both {option('trade')} and {option('accd')} were given."
        raise OptionError(both, why="They mean the same.", mend="Give one of them.")
    if not names and (trade is not None or accd is not None):
        raise OptionError(
            "A trade was given without a cost.",
            why="It is what ten times a cost must buy; a prior order has no sizes.",
            mend=f"Name a cost ({option(cost=...)}), or leave {option('trade')} out.",
        )
    usual = read_accd(accd) if accd is not None else read_trade(trade)
    if usual.default and rule != WORTH:
        usual = Trade(size=0.0)
    return tuple(read_trade(settings[name]) if name in settings else usual for name in names)


def cost_names(
    results: Results,
    scores: Sequence[str],
    cost: str | Sequence[str] | None,
    prior: Sequence[str] | None,
    *,
    rule: str,
) -> tuple[str, ...]:
    """Return the costs; one is inferred only where the table holds exactly one, and worth can do without any."""
    if prior is not None and cost is not None:
        both = "Both a cost and a prior order were given."
        raise OptionError(both, why="The prior order stands for the cost.", mend="Give one of them.")
    if prior is not None:
        return ()
    names = (cost,) if isinstance(cost, str) else tuple(cost or ())
    if not names:
        if len(results.costs) != 1 and (results.costs or rule != WORTH):
            raise _open_cost(results.costs)
        names = results.costs
    if len(names) > 1 and rule != WORTH:
        raise OptionError(
            f"{len(names)} costs were named for {option(rule=rule)}.",
            why="The published rules sort by one cost.",
            mend=f"Name one, or leave {option('rule')} out to weigh them all.",
        )
    for name in names:
        if names.count(name) > 1:
            twice = f"The cost {name!r} was named twice."
            raise OptionError(twice, why="It would be counted twice.", mend="Name it once.")
        if name in scores:
            both = f"{name!r} was named as the score and as a cost."
            raise OptionError(both, why="The cost and the score must be different columns.", mend="Name another cost.")
        if name not in results.values:
            raise unknown_name("cost", name, results.costs or results.values)
        if results.metric(name).higher_is_better and not results.metric(name).is_cost:
            why = "It is known as a measure where higher is better, and a cost is better when lower."
            raise OptionError(f"{name!r} was named as a cost.", why=why, mend="Name a cost, such as a time.")
    return names


def _open_cost(costs: tuple[str, ...]) -> NotSaid:
    """Make the error for a cost that was not named; the one to begin with is what is paid, where that is known."""
    first: Any = "price" if "price" in costs else costs[0] if costs else ...
    return NotSaid(
        f"The table holds {len(costs)} costs: {quoted(costs)}."
        if costs
        else "The table holds no column with the known name of a cost.",
        why="Which cost counts changes the order.",
        mend=f"Say {option(cost=first)}, read costs from a second"
        f" {either('table (`tiebreak.with_costs`)', f'file ({option(costs=...)})')}, or give the prior order yourself"
        f" ({option(prior=[...])}).",
    )


def prior_order(
    prior: Sequence[str] | None, known: tuple[str, ...], algorithms: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Check a prior order: every algorithm once; those that a policy for gaps dropped need no place in it."""
    if prior is None:
        return None
    names = tuple(map(str, prior))
    for name in names:
        if name not in known:
            raise unknown_name("algorithm (in the prior order)", name, known)
    absent = [name for name in algorithms if name not in names]
    if absent or len(set(names)) != len(names):
        raise OptionError(
            f"The prior order {'lacks ' + repr(absent[0]) if absent else 'names an algorithm twice'}.",
            why="Every algorithm needs exactly one place in it.",
            mend="Name each algorithm once, cheapest first.",
        )
    return names
