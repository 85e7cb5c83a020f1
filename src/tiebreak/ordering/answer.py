"""The answer of an ordering: what to use, what that saves and loses, how sure it is, and what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tiebreak.documents.answer import Answer, Figure
from tiebreak.documents.words import chance, confidence
from tiebreak.ordering import document as words
from tiebreak.ordering.options import WORTH
from tiebreak.ordering.valuation import cost_relation, relation
from tiebreak.wording import either, shell

if TYPE_CHECKING:
    from tiebreak.ordering.result import Ordering
    from tiebreak.ordering.valuation import Valuation


def answer(ordering: Ordering) -> Answer:
    """Return the answer of an ordering."""
    value = ordering.valuation
    first = ordering.algorithms.index(ordering.order[0])
    others = words.other_rules_line(ordering)
    return Answer(
        headline=words.headline(ordering),
        use=ordering.order[0],
        saves="" if value is None else _saves(ordering, value, first),
        loses="" if value is None else _loses(ordering, value, first),
        sure=_sure(ordering),
        next_best=_next_best(ordering),
        rests_on=words.rule_line(ordering),
        figures=() if value is None else _figures(ordering, value, first),
        table=words.places(ordering),
        facts=(*words.facts(ordering), *([others] if others else [])),
        notes=tuple(words.short_caveats(ordering)),
        more=_more(ordering),
    )


def _more(ordering: Ordering) -> tuple[str, ...]:
    more = either("More: .document()   Page: .report()", "More: --full   Page: tiebreak report ... -o page.html")
    if len(ordering.order) > 1:
        a, b = ordering.order[:2]
        why = either(f"Why: .explain({a!r}, {b!r})", f"Why: --explain {shell(f'{a},{b}', always=True)}")
        more = more.replace("   ", f"   {why}   ")
    return (more,)


def _saves(ordering: Ordering, value: Valuation, first: int) -> str:
    if not ordering.costs:
        return ""
    best, cheapest, cost = value.losses.best, int(np.argmin(value.combined)), ordering.plan.costs[value.lead]
    other = best if first != best else cheapest
    if first == other:
        return f"Nothing is cheaper in {cost}."
    saved, name = cost_relation(value, first, other), ordering.algorithms[other]
    if first != best:
        return f"{saved.capitalize()} in {cost}, beside {name}, which scores best."
    return f"Nothing: {saved} in {cost}, beside {name}, the cheapest."


def _loses(ordering: Ordering, value: Valuation, first: int) -> str:
    if first == value.losses.best:
        return f"Nothing: it has the best mean {ordering.score.name}."
    span = words.interval(value, first)
    sure = f" ({confidence(ordering.plan.alpha)} CI {span})" if span else ""
    loss = value.scale.difference(float(value.losses.value[first]))
    return f"{loss}{sure} against {ordering.algorithms[value.losses.best]}."


def _sure(ordering: Ordering) -> str:
    value = ordering.valuation
    if value is None or ordering.rule != WORTH:
        return ""
    line = words.sure_line(ordering, value).removeprefix("Sure: ")
    return f"{line[:1].upper()}{line[1:]}"


def _next_best(ordering: Ordering) -> str:
    """Name the second, and what it would change."""
    if len(ordering.order) < 2:
        return ""
    second, value = ordering.order[1], ordering.valuation
    if value is None:
        return f"{second}."
    return (
        f"{second}: {relation(value, ordering.algorithms.index(second), ordering.algorithms.index(ordering.order[0]))}."
    )


def _figures(ordering: Ordering, value: Valuation, first: int) -> tuple[Figure, ...]:
    """Return the score of the first, how far it is from the best or the next, and how sure that is."""
    losses, scale = value.losses, value.scale
    over = f"{'geometric mean' if scale.logarithmic else 'mean'} of {words.units(ordering)}"
    figures = [Figure(value=scale.value(float(value.scores[first])), text=f"{scale.label}, {over}")]
    if len(ordering.order) > 1:
        second = ordering.algorithms.index(ordering.order[1])
        i, text = first, f"behind {ordering.algorithms[losses.best]}, which scores best"
        if first == losses.best:
            i, text = second, f"ahead of {ordering.order[1]}, the next"
        span = words.interval(value, i)
        lost = scale.difference(float(losses.value[i]))
        figures.append(Figure(value=lost, text=f"{text} ({span})" if span else text))
    if value.sure is not None and ordering.rule == WORTH:
        regret = f"expected regret {scale.regret(value.regret or 0.0)}"
        if value.probability is None:
            figures.append(Figure(value=scale.regret(value.regret or 0.0), text="expected regret"))
        else:
            figures.append(Figure(value=chance(value.probability), text=f"sure; {regret}"))
    return tuple(figures)
