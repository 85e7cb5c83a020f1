"""The answer of an ordering in plain words: what to use, what it saves, what it gives up, how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray
from tiebreak.caveats import codes_of
from tiebreak.deciding.order._item_words import beside_of, headline_of, holds_of, is_on_items
from tiebreak.deciding.order._margins import UNDECIDED_WORDS
from tiebreak.documents import SAVES, SENTENCE, USE, Point, amount, confidence, listed, number, pvalue, times

if TYPE_CHECKING:
    from tiebreak.deciding.order._ordering import Ordering

FIRM, FAIR = 0.9, 0.6
"""From these shares of resamples on a first place is called firm, or fairly firm."""
LITTLE = 0.8
"""A cost above this share of the best-scoring one's is a saving of which somebody may think nothing."""
NEAR = 2.0
"""Up to so many times the cost, one that gives up half as much is named."""
_NEXT = 3
"""So many of those that come next are named."""


def points(found: Ordering) -> tuple[Point, ...]:
    """Answer the four questions of somebody who has to choose."""
    said = [
        (SENTENCE, headline_of(found)),
        (USE, _use(found)),
        (SAVES, _saves(found)),
        ("What it gives up", _gives_up(found)),
        ("How sure", _sure(found)),
    ]
    return tuple(Point(label=label, text=text) for label, text in said if text)


def _first(found: Ordering) -> int:
    return found.algorithms.index(found.order[0])


def all_equal(found: Ordering) -> bool:
    """Whether every algorithm has the same score on every data set, so that there is nothing to tell apart."""
    valued = found.table.valued
    if found.table.tested is not None:
        return bool((found.table.tested.pvalue == 1.0).all()) and bool((found.table.tested.difference == 0.0).all())
    return found.table.measures is None and bool((valued == valued[:, :1]).all()) and _folds_equal(found)


def _folds_equal(found: Ordering) -> bool:
    """On one data set folds are tested, and they may differ where their means do not."""
    errors = found.table.errors
    return found.over != "folds" or bool(((errors == errors[:, :1]) | np.isnan(errors)).all())


def _use(found: Ordering) -> str:
    """Name the first and why, and who comes next."""
    then = listed(found.order[1 : 1 + _NEXT])
    if len(found.order) > 1 + _NEXT:
        then = f"{', '.join(found.order[1 : 1 + _NEXT])} and so on"
    next_ = f". Next come {then}."
    if len(found.order) == 2:  # the reason names the other one already, unless the first scores best
        next_ = f", before {then}." if _first(found) == found.trade.best else "."
    return f"{found.order[0]}{_why(found)}{next_}"


def _why(found: Ordering) -> str:
    """Say how the first stands to the best-scoring one."""
    first, best, name = _first(found), found.trade.best, found.algorithms[found.trade.best]
    if found.table.measures is not None:
        return ""
    if all_equal(found):
        return f": all have the same {found.score.name} on every data set, and it is {found.words.cheapest}"
    if first == best:
        cheapest = ", and is the cheapest" if found.costs and found.prior_places[first] == 0 else ""
        return f": it has the best mean {found.score.name}{cheapest}"
    if _told(found):
        if found.over == "places":
            return f": by its places, in which cost counts; {name} scores significantly better"
        return f": it is good enough beside {name}, which scores best" if _good(found, best) else ""
    return f": no test tells it from {name}, which scores best"


def _told(found: Ordering) -> bool:
    """Whether the best-scoring one is shown to be better in its scores; an order by places names such pairs."""
    if found.over == "places":
        return (found.order[0], found.algorithms[found.trade.best]) in found.reversed
    return bool(found.standing.shown[_first(found), found.trade.best])


def _good(found: Ordering, best: int) -> bool:
    good = found.standing.good
    return good is not None and bool(good[_first(found), best])


def _saves(found: Ordering) -> str:
    """Say what the first costs beside the best-scoring one, or, where it is that one, beside the cheapest."""
    first, best, trade = _first(found), found.trade.best, found.trade
    if trade.ratio is None:
        return "Unknown: a prior order was given, and no costs." if not found.costs else ""
    name = found.plan.choice.names[0]
    if unknown := _unpriced(found, first, best):
        return f"Unknown: the {name} of {listed(unknown)} is not known."
    if all_equal(found):
        second = found.algorithms.index(found.order[1])
        return _beside(found, float(trade.ratio[first] / trade.ratio[second]), second, "the next")
    if first != best:
        ratio = float(trade.ratio[first])
        return f"{_beside(found, ratio, best, 'which scores best')}{_rather_best(found, ratio)}"
    if found.prior_places[first] == 0:
        return f"Nothing is cheaper: it has the least {name} as well."
    cheapest = found.algorithms.index(found.prior[0])
    ratio = float(trade.ratio[cheapest])
    cheaper = found.prior_places < found.prior_places[first]
    worse, count = int(found.standing.shown[cheaper, first].sum()), int(found.prior_places[first])
    how = "significantly" if worse == int(found.better[cheaper, first].sum()) else "shown to be"
    beaten = f"of the {count} cheaper ones {worse or 'none'} {'is' if worse == 1 else 'are'} {how} worse"
    if count == 1:
        beaten = f"the one cheaper algorithm is {'' if worse else 'not '}{how} worse"
    much = f"{_more(1 / ratio, name)}" if 0 < ratio < 1 else f"more {name} than"
    means = _means(found, 1 / ratio, first, cheapest) if ratio > 0 else ""
    return f"Nothing: it takes {much} {found.algorithms[cheapest]}, the cheapest{means}; {beaten}."


def _rather_best(found: Ordering, ratio: float) -> str:
    """Name the best-scoring one as the choice where little is saved beside it, or cheapness depends on the data."""
    first, best, paid = _first(found), found.trade.best, found.trade.paid
    if _told(found) or _good(found, best) or not float(found.trade.given_up[first]) > 0:
        return ""
    turned = paid is not None and (paid[first] - paid[best]) * (ratio - 1) < 0
    if not (turned or LITTLE < ratio <= 1.05):
        return ""
    why = "Which of the two is cheaper depends on the data" if turned else "That is little"
    return f" {why}: where {found.score.name} counts for more, take {found.algorithms[best]}."


def _unpriced(found: Ordering, *which: int) -> list[str]:
    """Name those whose cost is not known and counts as the largest."""
    unpriced = found.table.unpriced
    return [] if unpriced is None else [found.algorithms[i] for i in dict.fromkeys(which) if unpriced[i]]


def _cheaper(found: Ordering, i: int, j: int) -> bool:
    return bool(found.prior_places[i] < found.prior_places[j])


def _beside(found: Ordering, ratio: float, other: int, who: str) -> str:
    """Write a ratio of costs to that of another one; several costs may point different ways."""
    first, name, its = _first(found), found.plan.choice.names[0], found.algorithms[other]
    if not np.isfinite(ratio) or ratio <= 0:
        return f"It has the lower mean share of {name}." if _cheaper(found, first, other) else ""
    means = _means(found, ratio, first, other)
    if ratio > 1.05:
        return f"Nothing: it takes {_more(ratio, name)} {its}, {who}{means}."
    if ratio > 1 / 1.05:
        return f"Next to nothing: its {name} is about that of {its}, {who}{means}."
    less = f"{times(1 / ratio)} times less than" if ratio < 0.5 else f"{1 - ratio:.0%} below"
    return f"Its {name} is {less} that of {its}, {who}{means}."


def _means(found: Ordering, ratio: float, first: int, other: int) -> str:
    """Say what kind of mean the ratio is, with the means that the table shows: who divides those gets another one."""
    paid, name = found.trade.paid, found.plan.choice.names[0]
    if paid is None or len(found.datasets) == 1:
        return ""
    unit = f" {found.units[name]}" if found.units.get(name) else ""
    means = f"{amount(paid[first])} and {amount(paid[other])}{unit}"
    turned = (paid[first] - paid[other]) * (ratio - 1) < 0
    so = f"the means, {means}, stand the other way round" if turned else f"the means are {means}"
    return f" (typical ratio on a data set, a geometric mean; {so})"


def _more(ratio: float, name: str) -> str:
    return f"{times(ratio)} times the {name} of" if ratio >= 2 else f"{ratio - 1:.0%} more {name} than"


def _gives_up(found: Ordering) -> str:
    """Say how much worse the first scores than the best-scoring one, with the interval."""
    if found.table.measures is not None:
        return ""
    first, best, trade = _first(found), found.trade.best, found.trade
    name, other = found.score.name, found.algorithms[best]
    if all_equal(found):
        return f"Nothing: every algorithm has the same {name} on every data set."
    if first == best:
        return f"Nothing: no other has a better mean {name}."
    lost, low, high = (float(each[first]) for each in (trade.given_up, trade.low, trade.high))
    span = (
        f" (from {number(low, 2)} to {number(high, 2)}, {confidence(found.plan.alpha)} interval)"
        if np.isfinite(low)
        else ""
    )
    told = _difference(found) if _told(found) else _open(found, low, high)
    if lost <= 0:
        return f"Nothing that shows: against {other} the estimated loss in {name} is {number(lost, 2)}{span}; {told}."
    return f"{number(lost, 2)} in {name} against {other}{span}: {told}.{_for_a_little_more(found)}"


def _difference(found: Ordering) -> str:
    """Say of a difference that is shown with which comparisons counted it is."""
    if found.over == "places" or found.better[_first(found), found.trade.best]:
        return "a significant difference"
    return f"a difference that is shown once its {len(found.algorithms) - 1} comparisons are counted"


def _for_a_little_more(found: Ordering) -> str:
    """Name one that may be the best and gives up half as much for up to twice the cost: who pays would ask for it."""
    trade, first, choice = found.trade, _first(found), found.plan.choice
    if trade.ratio is None or found.standing.good is not None or found.over == "places":
        return ""
    if len(choice.names) > 1 and choice.rule != "lexicographic":  # the first of them is not what decides
        return ""
    ratio = trade.ratio / trade.ratio[first]
    near = (ratio > 1 / 1.05) & (ratio <= NEAR) & (trade.given_up <= trade.given_up[first] / 2)
    near &= ~found.standing.shown.any(axis=1)
    near[[first, trade.best, *np.flatnonzero(_unknown(found))]] = False
    if not near.any():
        return ""
    one = int(np.argmin(np.where(near, trade.given_up, np.inf)))
    much = f"{times(float(ratio[one]))} times the" if ratio[one] >= 1.05 else "about the same"
    lost = float(trade.given_up[one])
    less = f"gives up {number(lost, 2)}" if lost > 0 else "gives up nothing that shows"
    tell = "no test tells it from the first" if not found.standing.shown[first, one] else "a test shows it to be better"
    return f" For {much} {choice.names[0]}, {found.algorithms[one]} {less}; {tell}."


def _unknown(found: Ordering) -> BoolArray:
    """Say whose cost is not known and counts as the largest."""
    unpriced = found.table.unpriced
    return np.zeros(len(found.algorithms), dtype=bool) if unpriced is None else unpriced


def _open(found: Ordering, low: float, high: float) -> str:
    """Say that a pair is not told apart; where alone it would have been, that the correction is why: who pays asks."""
    pairs, untold = len(found.tests.a), "no test tells the two apart"
    if is_on_items(found):
        two = beside_of(found, _first(found), found.trade.best)
        counted = f"{untold} once {'' if two.own else 'all '}{two.counted} are counted"
        return untold if two.alone is None else f"{counted}, though alone it would (p = {pvalue(two.alone)})"
    if pairs < 2 or not (low > 0 or high < 0):
        return untold
    return f"by this interval alone the two differ; with the correction for {pairs:,} pairs no test tells them apart"


def _sure(found: Ordering) -> str:
    """Say how firm the first place is and what it rests on; nothing is firm where cost alone decided."""
    words = found.words
    better = found.standing.shown
    shown = better if found.standing.good is None else better | found.standing.good
    if all_equal(found):
        alone = f"{words.prior[0].upper()}{words.prior[1:]} alone decides: there is no difference in"
        doubt = "Scores that are all the same are often a mistake in a table."
        return " ".join([f"{alone} {found.score.name} to test. {doubt}", *_holds(found)])
    if not shown.any():
        could = "was made" if found.over == "folds" and found.inner is None else "tells any two apart"
        return " ".join([f"Not at all: no test {could}, and {words.prior} decides every place.", *_holds(found)])
    return " ".join([*_resampled(found), _tested(found), *_holds(found)])


def _resampled(found: Ordering) -> list[str]:
    firm = found.firmness
    if firm is None:
        return []
    share = float(firm.places[0, 0])
    word = "Firm" if share >= FIRM else "Fairly firm" if share >= FAIR else "Not firm"
    return [f"{word}: it stands first in {share:.0%} of {firm.repetitions:,} resampled sets of data sets."]


def _tested(found: Ordering) -> str:
    """Count whom a test shows it to be better than, or good enough beside; cost decides between it and the rest."""
    first, others, better, words = _first(found), len(found.algorithms) - 1, found.standing.shown, found.words
    good = found.standing.good
    shown = better[:, first] if good is None else better[:, first] | good[first]
    count, rest = int(shown.sum()), int((~shown & ~better[first]).sum()) - 1
    sure = "significantly " if bool(found.better[shown, first].all()) else ""
    than = f"{sure}{words.better} than" if good is None else f"{words.better} than, or good enough beside,"
    if others == 1:
        return f"Tests {'show' if count else 'do not show'} it to be {than} the other one."
    whom = f"all {others}" if count == others else f"{count or 'none'} of the {others}"
    left = "one other" if rest == 1 else f"the other {rest}"
    rules = {"costlier": f"the rule of costlier ones first, by {words.prior},", "better": "the mean score"}
    rule = rules.get(found.plan.undecided, words.prior)
    decides = f"; between it and {left} {rule} decides" if rest else ""
    return f"Tests show it to be {than} {whom} others{decides}."


def _holds(found: Ordering) -> list[str]:
    """Say for which data the answer holds, where it is not for data sets at large."""
    if is_on_items(found):
        return [holds_of(found)]
    if len(found.datasets) == 1:
        return ["It holds for this one data set."]
    if "on-these-datasets" in codes_of(found.caveats):
        return ["It holds for these data sets alone: they are too few to speak of others."]
    return [f"It rests on {len(found.datasets)} data sets; data unlike these may order otherwise."]


def lay(found: Ordering) -> tuple[str, ...]:
    """Explain the words of an ordering to a reader without statistics."""
    words = found.words
    over = "data sets" if len(found.datasets) > 1 else "repeated splits of the data set"
    over = "items" if is_on_items(found) else over
    said = [
        f"The list runs from the algorithm to use first to the one to use last. {_rule(found)}",
        f"Significantly {words.better}: over the {over} the difference is so steady that chance would rarely make it."
        f" The level, alpha = {found.plan.alpha:g}, says how rarely: the smaller, the more proof is asked for.",
        "Not told apart: the results do not show which of the two is better. They may differ all the same; they are not"
        " shown to be equal.",
    ]
    if found.table.measures is None:
        said.append(f"Given up: how much {found.score.name} is lost against the algorithm with the best mean score.")
    if found.trade.ratio is not None:
        said.append(
            f"Times best's: how its {found.plan.choice.names[0]} stands to that of the best-scoring one; below 1 is"
            " cheaper."
        )
    if found.firmness is not None:
        said.append(
            "Firm: data sets are drawn again and again from those at hand, and all is ordered anew. The share says how"
            " often an algorithm kept its place."
        )
    if found.plan.margin is not None:
        said.append(
            f"Good enough: shown to be worse by less than the margin ({found.plan.margin}), if at all. Undecided:"
            f" neither that nor a real difference is shown; then {_rather(found)} stands first."
        )
    return tuple(said)


def _rather(found: Ordering) -> str:
    """Say which of an undecided pair stands first."""
    if found.plan.undecided == "better":
        return UNDECIDED_WORDS["better"]
    which = found.words.costlier if found.plan.undecided == "costlier" else found.words.cheaper
    return f"the {which} one" if found.costs else f"the one {which}"


def _rule(found: Ordering) -> str:
    """Say what decides between two algorithms; with a margin there are three cases."""
    cost = " and ".join(found.costs) or "the given order"
    real = f"Scores ({found.score.name}) decide where the difference between two algorithms is real"
    if found.plan.margin is None:
        return f"{real}; where it may be chance, {cost} decides."
    cheaper = f"the one {found.words.cheaper}{f' in {cost}' if found.costs else ''}"
    only = ": the other comes first only where it is shown that little is lost by it"
    return (
        f"{real}, unless {cheaper} is shown to be good enough: then it stands first. Where neither is shown,"
        f" {_rather(found)} stands first{only if found.plan.undecided != 'cheaper' else ''}."
    )
