"""What was asked for: which way to order, by which tests, which costs, which given order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tiebreak._checks import IntArray, check_choice
from tiebreak.deciding.order._dominance import SEVERAL_TEST
from tiebreak.deciding.order._inner_tests import PairTest
from tiebreak.deciding.order._over_scores import own_score_tests
from tiebreak.errors import NotSaid, OptionError, quoted, unknown_name
from tiebreak.methods import choices
from tiebreak.tables import Results
from tiebreak.wording import either, option

VERB = "order"
WAYS = ("scores", "places")
VARIANTS = {"2008": ("none", "nemenyi"), "2012": ("bergmann-hommel", "bergmann-hommel")}
"""The published variants of Multi2Test: correction inside the data sets, post hoc test over them."""


def way(
    over: str | None,
    *,
    variant: str | None,
    inner_adjust: str | None,
    pairwise: str | PairTest | None,
    posthoc: str | None,
    margin: object,
    n_scores: int,
) -> str:
    """Decide between scores and places: what belongs to the published procedure asks for places."""
    fold_tests = [name for name in choices("folds", verb=VERB) if name not in own_score_tests()]
    asking = {
        "the variant": variant is not None,
        "the inner correction": inner_adjust is not None,
        "several scores": n_scores > 1,
        f"the pairwise test {pairwise}": isinstance(pairwise, str) and pairwise in fold_tests,
        f"the post hoc test {posthoc}": posthoc in choices("posthoc", verb=VERB),
    }
    reasons = [what for what, there in asking.items() if there]
    if over is None:
        chosen = "places" if reasons or callable(pairwise) else "scores"
    else:
        chosen = check_choice("way to order", over, WAYS)
    if chosen == "scores" and reasons:
        raise OptionError(
            f"An order by scores was asked for, with {reasons[0]}.",
            why="That belongs to the order by places, which tests inside every data set and then over their places.",
            mend=f"Leave it out, or use {option(over='places')}.",
        )
    if chosen == "places" and margin is not None:
        what = f"{reasons[0]} asks" if reasons else f"{option('over')} asks"
        raise OptionError(
            f"A margin was given, and {what} for an order by places.",
            why="A margin is one of scores; places have none.",
            mend=f"Use {option(over='scores')} with one score, or leave the margin out.",
        )
    return chosen


def pair_test(pairwise: str | PairTest | None, n_scores: int) -> str | PairTest | None:
    """Check the named test; None leaves the choice to the resampling; several scores have one of their own."""
    if n_scores == 1:
        if pairwise is None or callable(pairwise):
            return pairwise
        single = [name for name in choices("folds", verb=VERB) if name != SEVERAL_TEST]
        return check_choice("pairwise test", pairwise, list(dict.fromkeys([*single, *own_score_tests()])))
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
            raise NotSaid(
                f"The table holds {len(results.costs)} costs: {quoted(results.costs)}."
                if results.costs
                else "The table holds no column with the known name of a cost.",
                why="Where no test tells algorithms apart, a cost must, and the choice matters.",
                mend=f"Say {option(cost=_first_of(results.costs))}, read costs from a second"
                f" {either('table (`tiebreak.with_costs`)', 'file (--costs FILE)')}, or give the prior order yourself"
                f" ({option(prior=[...])}).",
            )
        names = results.costs
    for name in names:
        if name in scores:
            raise OptionError(
                f"{name!r} was named as the score and as a cost.",
                why="What decides where the score does not must be something else.",
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
