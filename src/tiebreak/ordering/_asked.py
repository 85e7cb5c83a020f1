"""What was asked for: which way to order, by which tests, which costs, which given order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tiebreak._checks import IntArray, check_choice
from tiebreak.caveats import Caveat
from tiebreak.documents import listed
from tiebreak.errors import NotSaid, OptionError, quoted, unknown_name
from tiebreak.methods import choices
from tiebreak.ordering._dominance import SEVERAL_TEST
from tiebreak.ordering._inner_tests import PairTest
from tiebreak.ordering._over_scores import TOGETHER, own_score_tests
from tiebreak.ordering.worth import Trade, read_accd, read_trade
from tiebreak.tables import Results
from tiebreak.wording import either, option

VERB = "order"
WORTH, MULTITEST, MULTI2TEST = RULES = ("worth", "multitest", "multi2test")
VARIANTS = {"2008": ("none", "nemenyi"), "2012": ("bergmann-hommel", "bergmann-hommel")}
"""The published variants of Multi2Test: correction inside the data sets, post hoc test over them."""


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
    """Decide on the rule: what belongs to a published one implies it."""
    fold_tests = [name for name in choices("folds", verb=VERB) if name not in own_score_tests()]
    of_folds = callable(pairwise) or (isinstance(pairwise, str) and pairwise in fold_tests)
    asking = {
        option("variant"): variant is not None,
        option("inner_adjust"): inner_adjust is not None,
        "several scores": n_scores > 1,
        f"{option('pairwise')} {pairwise}": of_folds and not one and not (callable(pairwise) and rule is not None),
        f"{option('posthoc')} {posthoc}": posthoc in choices("posthoc", verb=VERB),
    }
    reasons = [what for what, there in asking.items() if there]
    if rule is None:
        if reasons:
            return MULTITEST if one and variant is None else MULTI2TEST
        return MULTITEST if prior is not None or pairwise == TOGETHER else WORTH
    chosen = check_choice("rule", rule, RULES)
    if chosen != MULTI2TEST and reasons and not (one and chosen == MULTITEST):
        raise OptionError(
            f"{option(rule=chosen)} was given with {reasons[0]}.",
            why="That belongs to Multi2Test, which tests inside every data set and then over their places.",
            mend=f"Leave it out, or use {option(rule=MULTI2TEST)}.",
        )
    if chosen == WORTH and prior is not None:
        raise OptionError(
            "A prior order was given for an order by worth.",
            why="Worth weighs scores against costs, and an order has no sizes.",
            mend=f"Use {option(rule=MULTITEST)}, or name a cost.",
        )
    return chosen


def cost_and_trades(
    cost: str | Sequence[str] | Mapping[str, str] | None,
) -> tuple[str | list[str] | None, dict[str, str]]:
    """Split costs from the trades that follow them, as in "price=1%"."""
    if cost is None:
        return None, {}
    if isinstance(cost, Mapping):
        return list(cost), {name: trade for name, trade in cost.items() if trade is not None}
    names, trades = [], {}
    for text in [cost] if isinstance(cost, str) else cost:
        name, sign, trade = str(text).rpartition("=")
        if sign and trade.strip() and trade.strip()[0] in "0123456789.":
            trades[name] = trade
            names.append(name)
        else:
            names.append(str(text))
    return (names[0] if isinstance(cost, str) else names), trades


def trades_of(
    names: tuple[str, ...], own: Mapping[str, str], trade: str | None, accd: float | None, *, rule: str
) -> tuple[Trade, ...]:
    """Return the trade of each cost: its own, or the one for all; the published rules have none unless given."""
    if trade is not None and accd is not None:
        raise OptionError(
            f"Both {option('trade')} and {option('accd')} were given.",
            why="They mean the same.",
            mend="Give one of them.",
        )
    usual = read_accd(accd) if accd is not None else read_trade(trade)
    if usual.default and rule != WORTH:
        usual = Trade(size=0.0)
    return tuple(read_trade(own[name]) if name in own else usual for name in names)


def with_costs_known(results: Results, names: Sequence[str]) -> Results:
    """Leave out, and name, the algorithms of which no cost is known; the others can be ordered."""
    for name in names:
        unknown = np.isnan(results.means(name, partial=True)).all(axis=0)
        if unknown.any() and not unknown.all():
            gone = [results.algorithms[i] for i in np.flatnonzero(unknown)]
            text = f"No {name} is known for {listed(gone)}: not in the order."
            results = results.without(algorithms=gone)
            results = replace(results, caveats=(*results.caveats, Caveat("costs-unknown", text)))
    return results


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


def corrections(variant: str | None, inner: str | None, outer: str | None) -> tuple[str | None, str | None]:
    """A variant sets both corrections; naming it beside one of them could mean two things."""
    if variant is None:
        return inner, outer
    known = VARIANTS[check_choice("variant", variant, VARIANTS)]
    if inner is not None or outer is not None:
        raise OptionError(
            f"The variant {variant} and a correction were both asked for.",
            why="A variant stands for its corrections.",
            mend=f"Name the variant, or {option('inner_adjust')} and {option('posthoc')}.",
        )
    return known


def _first_of(costs: Sequence[str]) -> Any:
    """Name a cost to begin with: what is paid, where that is known."""
    return next((name for name in costs if name == "price"), costs[0] if costs else ...)


def cost_names(
    results: Results,
    scores: Sequence[str],
    cost: str | Sequence[str] | None,
    prior: Sequence[str] | None,
    *,
    rule: str,
) -> tuple[str, ...]:
    """Return the costs; one is inferred only where the table holds exactly one, and worth can do without any."""
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
        if rule == WORTH and not results.costs:
            return ()
        if len(results.costs) != 1:
            raise NotSaid(
                f"The table holds {len(results.costs)} costs: {quoted(results.costs)}."
                if results.costs
                else "The table holds no column with the known name of a cost.",
                why="Which cost counts changes the order.",
                mend=f"Say {option(cost=_first_of(results.costs))}, read costs from a second"
                f" {either('table (`tiebreak.with_costs`)', 'file (--costs FILE)')}, or give the prior order yourself"
                f" ({option(prior=[...])}).",
            )
        names = results.costs
    if len(names) > 1 and rule != WORTH:
        raise OptionError(
            f"{len(names)} costs were named for {option(rule=rule)}.",
            why="The published rules sort by one cost.",
            mend=f"Name one, or leave {option('rule')} out to weigh them all.",
        )
    for name in names:
        if name in scores:
            raise OptionError(
                f"{name!r} was named as the score and as a cost.",
                why="A cost must be something else than the score.",
                mend="Name another cost.",
            )
        if name not in results.values:
            raise unknown_name("cost", name, results.costs or results.values)
        if results.metric(name).higher_is_better and not results.metric(name).is_cost:
            raise OptionError(
                f"{name!r} was named as a cost.",
                why="It is known as a measure where higher is better, and a cost is better when lower.",
                mend="Name a cost, such as a time.",
            )
    return names


def given_places(prior: Sequence[str] | None, known: tuple[str, ...], algorithms: tuple[str, ...]) -> IntArray | None:
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
