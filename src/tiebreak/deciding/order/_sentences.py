"""The sentences of an ordering: how it was decided, and what came out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from tiebreak.deciding.order._costs import TIE_WORDS
from tiebreak.deciding.order._family import OWN, family_sentences
from tiebreak.deciding.order._item_words import headline_of, is_on_items, method_sentences_of
from tiebreak.deciding.order._margins import UNDECIDED_WORDS
from tiebreak.documents import listed, number, p_is, with_article
from tiebreak.stats.folds import FoldsTogether
from tiebreak.stats.pairwise import correction_name

if TYPE_CHECKING:
    from tiebreak.deciding.order._ordering import Ordering


def sentences(found: Ordering) -> list[str]:
    """Say how the order was decided, and what came out."""
    first = headline_of(found)
    return [*([first] if first else []), *method_sentences(found), *outcome_sentences(found)]


def method_sentences(found: Ordering) -> list[str]:
    """Say by which costs and tests the order was made."""
    said = _cost_sentences(found)
    if is_on_items(found):
        return [*said, *method_sentences_of(found)]
    if found.over == "scores":
        asked = [f"The question: {found.question}"] if found.question else []
        return [*said, *asked, *_score_sentences(found)]
    if found.inner is not None:
        where = "Inside the data sets" if len(found.datasets) > 1 else "On the folds"
        said.append(f"{where} pairs were tested by {with_article(found.inner.method)}.")
    if found.omnibus is not None:
        said.append(_omnibus_sentence(found, "the places", "all algorithms have the same expected place"))
        if found.rejected:
            said.append(f"Pairs of mean places were then tested by {with_article(found.tests.method)}.")
    return said


def _score_sentences(found: Ordering) -> list[str]:
    """Name the test of the pairs; the test of all algorithms stands beside it and decides nothing."""
    on = f", on {found.table.tested_on}," if found.table.tested_on else ""
    said = [f"Pairs were tested over data sets{on} by {with_article(found.tests.method)}."]
    if isinstance(found.tests, FoldsTogether):
        each = listed(sorted(set(found.tests.tests)))
        said = [
            f"Pairs were tested on the folds of these data sets together (Stouffer's sum over data sets of the {each})"
            f" {correction_name(found.plan.posthoc)}."
        ]
    if found.plan.margin is not None:
        rule = UNDECIDED_WORDS[found.plan.undecided]
        said.append(
            f"A cheaper algorithm is good enough where it is shown to be worse by less than {_margin_words(found)}"
            f" (one-sided signed ranks with Holm's correction); where nothing is shown, {rule} stands first."
        )
    said += family_sentences(found.plan.family, found.plan.posthoc, len(found.algorithms), found.plan.alpha)
    said.append(_omnibus_sentence(found, "the scores", "the scores are exchangeable between algorithms"))
    return said


def _margin_words(found: Ordering) -> str:
    """Write the margin with its unit, where that is not the one of the score."""
    return f"{found.plan.margin} {found.table.margin_unit}".strip()


def _omnibus_sentence(found: Ordering, where: str, hypothesis: str) -> str:
    omnibus = found.omnibus
    assert omnibus is not None  # asked for only with several data sets
    verdict = "rejected" if found.rejected else "not rejected"
    df = f"({', '.join(f'{d:g}' for d in omnibus.df)})" if omnibus.df else ""
    value = number(omnibus.statistic) if np.isfinite(omnibus.statistic) else "infinity"
    return (
        f"The {omnibus.method.replace(', ', ' (', 1)}) on {where}, {omnibus.symbol}{df} ="
        f" {value}, {p_is(omnibus.pvalue)}: that {hypothesis} is {verdict} at alpha ="
        f" {found.plan.alpha:g}."
    )


def outcome_sentences(found: Ordering) -> list[str]:
    """Say what the tests found and which algorithm is best."""
    words = found.words
    if found.gated:
        return [f"So no test moves an algorithm, and the order is that of {words.prior}."]
    best = f"Best: {found.best().text}"
    if found.over == "folds" and found.inner is None:
        return [f"No pair was tested, so the order is that of {words.prior}.", best]
    edges, own = found.graph()[1], _own(found)
    none = f"No algorithm {words.costlier} is significantly {words.better} than one {words.cheaper}"
    if found.costs:
        none = f"No costlier algorithm is significantly {words.better} than a cheaper one"
    later = "the costlier one" if found.costs else f"the one {words.costlier}"
    moved = (
        f"In {len(edges)} of {'these' if own else 'them'} {later} is the {words.better} one, and {words.prior} was"
        " overridden."
        if edges
        else f"{none}: the order is {'that of cost' if found.costs else words.prior}."
    )
    where = " in their mean places" if found.over == "places" else ""
    count = f"{int(found.better.sum())} of {len(found.tests.a)} pairs differ significantly{where}{own}."
    shown = _margin_sentences(found, len(edges))
    return [count, *(shown or [moved]), *_may_be(found), best]


def _own(found: Ordering) -> str:
    """Count the pairs that are told apart where the comparisons of each algorithm are counted."""
    shown, others = int(found.standing.shown.sum()), len(found.algorithms) - 1
    if shown == int(found.better.sum()):
        return ""
    return f", and with the {others} comparisons of each alone counted {shown} do"


def _may_be(found: Ordering) -> list[str]:
    """Name those that may be the best, where that takes the comparisons of each alone."""
    may, count = found.may_be_best, len(found.algorithms)
    if found.plan.family != OWN or count < 3 or not 0 < len(may) < count:
        return []
    rest = count - len(may)
    others = "the other one is shown not to be" if rest == 1 else f"the other {rest} are shown not to be"
    return [f"{len(may)} of {count} may be the best ({listed(may, most=5)}); {others}."]


def _margin_sentences(found: Ordering, edges: int) -> list[str]:
    """With a margin, count the verdicts: what is shown, and what is only not refuted."""
    if found.plan.margin is None:
        return []
    counts = Counter(each.verdict for each in found.verdicts)
    turned = f"; cost was overridden in {edges} pairs" if edges else ""
    return [
        f"Of {len(found.tests.a)} pairs the costlier one is better in {counts['better']}, the cheaper one is shown good"
        f" enough in {counts['good enough']}, and {counts['undecided']} are undecided{turned}."
    ]


def _cost_sentences(found: Ordering) -> list[str]:
    """Say by what rule several costs, or costs that are nearly equal, became one prior order."""
    choice, said = found.plan.choice, []
    if choice.rule == "weighted":
        weights = ", ".join(f"{name} {weight:g}" for name, weight in zip(choice.names, choice.weights, strict=True))
        said.append(f"Costs were added with these weights: {weights}.")
    elif len(choice.names) > 1 and choice.rule == "pareto":
        said.append(f"Costs were ordered by layers that nobody else beats on all of them, then by {choice.names[0]}.")
    elif len(choice.names) > 1:
        said.append(f"Costs decide in this order: {', '.join(choice.names)}.")
    if choice.by_noise:
        said.append(
            "Costs that differ by no more than noise (t test of log ratios with Holm's correction) count as equal."
        )
    elif choice.equal_within:
        said.append(f"Costs within a share of {choice.equal_within:g} of the least of their level count as equal.")
    if found.tied_costs:
        said.append(f"Costs that tie were told apart by {TIE_WORDS[choice.ties]}.")
    return said
