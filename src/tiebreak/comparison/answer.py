"""The answer of a comparison: who is significantly better than whom, one table, and the tests behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tiebreak.comparison import _document as full
from tiebreak.comparison._words import all_equal, by_how_much, sure, too_few_words, use
from tiebreak.comparison.groups import too_many_letters
from tiebreak.documents import listed
from tiebreak.documents.answer import Answer
from tiebreak.documents.words import with_article
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.comparison._comparison import Comparison
    from tiebreak.comparison._item_comparison import ItemComparison

MOST_NAMED = 4
"""Algorithms that a headline names before it counts them."""


def on_datasets(comparison: Comparison) -> Answer:
    """Return the answer of a comparison over data sets."""
    facts = _facts(comparison)
    return Answer(
        headline=headline(comparison),
        use="" if comparison.control is not None or all_equal(comparison) else use(comparison),
        sure=sure(comparison),
        next_best=by_how_much(comparison),
        rests_on=next(fact for fact in facts if " data sets" in fact),
        table=full._algorithms(comparison),
        facts=tuple(facts),
        notes=tuple(map(str, comparison.caveats)),
        more=_more(comparison.control is None),
    )


def on_items(comparison: ItemComparison) -> Answer:
    """Return the answer of a comparison of models on items."""
    from tiebreak.comparison._item_document import _models

    two = len(comparison.algorithms) == 2
    method = with_article(_plain(comparison.pairs_tested.method))
    facts = [
        *([] if two else [comparison.headline]),
        *_letters(comparison),
        f"{comparison.evidence()}; tested by {method}.",
    ]
    return Answer(
        headline=comparison.headline if two else headline(comparison),
        use="" if comparison.control is not None or all_equal(comparison) else use(comparison),
        sure=f"It rests on {comparison.evidence()} and holds for other items like these; others may differ.",
        next_best="" if two else comparison.headline,
        rests_on=facts[-1],
        table=_models(comparison),
        facts=tuple(facts),
        notes=tuple(map(str, comparison.caveats)),
        more=_more(diagram=False),
    )


def headline(comparison: Comparison) -> str:
    """Say who is significantly better than whom; never that no significant difference means equal."""
    if all_equal(comparison):
        return f"All {len(comparison.algorithms)} have the same {comparison.score.name} everywhere."
    if not comparison.significant.any():
        return _nothing(comparison)
    if comparison.control is not None:
        return _beside_control(comparison)
    return _all_pairs(comparison) or _first(comparison)


def _nothing(comparison: Comparison) -> str:
    names = comparison.algorithms
    reason = too_few_words(comparison) if comparison.location_name != "mean score" else ""
    why = f": {reason}" if reason else ""
    if comparison.control is not None:
        return f"No algorithm differs significantly from {comparison.control}{why}."
    who = f"between {names[0]} and {names[1]}" if len(names) == 2 else f"among the {len(names)} algorithms"
    return f"No significant difference {who}{why}."


def _beside_control(comparison: Comparison) -> str:
    pairs, control = list(comparison.iter_pairs()), comparison.control
    better = [pair.b for pair in pairs if pair.better == pair.b]
    worse = [pair.b for pair in pairs if pair.better == control]
    parts = [
        f"{_named(names)} {_is(names)} significantly {word} than {control}"
        for names, word in ((better, "better"), (worse, "worse"))
        if names
    ]
    rest = len(pairs) - len(better) - len(worse)
    return "; ".join([*parts, *(["no other differs"] if rest else [])]) + "."


def _all_pairs(comparison: Comparison) -> str:
    """Name every significant pair in one sentence; empty where that takes more than one set of beaten algorithms."""
    beaten: dict[str, set[str]] = {}
    for pair in comparison.iter_pairs():
        if pair.better is not None:
            beaten.setdefault(pair.better, set()).add(pair.a if pair.better == pair.b else pair.b)
    sets = list(beaten.values())
    if any(each != sets[0] for each in sets):
        return ""
    winners = [name for name in comparison.algorithms if name in beaten]
    losers = [name for name in comparison.algorithms if name in sets[0]]
    others = len(comparison.algorithms) - len(winners) - len(losers)
    whole = not others and len(winners) == len(losers) == 1
    rest = "" if whole or (len(winners) == 1 and not others and len(losers) < 2) else "; nothing else differs"
    all_others = len(winners) == 1 and not others and len(losers) > 1
    whom = f"all {len(losers)} others" if all_others and len(losers) > MOST_NAMED else _named(losers)
    return f"{_named(winners)} {_is(winners)} significantly better than {whom}{rest}."


def _first(comparison: Comparison) -> str:
    """Say whom the first one beats, and from whom it does not differ."""
    best, others = comparison.algorithms[0], len(comparison.algorithms) - 1
    pairs = [pair for pair in comparison.iter_pairs() if pair.a == best]
    won = sum(pair.better == best for pair in pairs)
    lost = [pair.b for pair in pairs if pair.better == pair.b]
    tied = [pair.b for pair in pairs if pair.better is None]
    if won == others:
        whom = _named(comparison.algorithms[1:]) if others <= MOST_NAMED else f"all {others} others"
        return f"{best} is significantly better than {whom}."
    beats = f"significantly better than {won} of the {others} others" if won else "significantly better than none"
    alike = f"; no significant difference from {_named(tied)}" if tied else ""
    text = f"{best} has the best {comparison.location_name}, {beats}{alike}."
    if lost:
        text += f" On the scores of the pair alone, {_named(lost)} {_is(lost)} significantly better than {best}."
    return text


def _facts(comparison: Comparison) -> list[str]:
    """Return the lines under the table: how to read the groups, the tests, and the test of all together."""
    method = _plain(comparison.tests.method)
    critical = comparison.critical_difference
    distance = f"; critical difference {critical:.3f}" if critical is not None else ""
    level = f"{100 * comparison.alpha:.4g}% level"
    two = len(comparison.algorithms) == 2
    omnibus = comparison.omnibus
    if two:
        return [f"{len(comparison.datasets)} data sets; {method}: {full._statistic(comparison)}, {level}."]
    facts = [*_letters(comparison), f"{len(comparison.datasets)} data sets; {method}, {level}{distance}."]
    if comparison.plan.omnibus != "none":
        name = _plain(omnibus.method).split(",")[0]
        facts.append(f"{name[0].upper()}{name[1:]}: {full._statistic(comparison)}.")
    if comparison.significant.any() and not comparison.rejected:
        facts.append("The test of all algorithms at once does not reject; the pairs are corrected on their own.")
    return [*facts, *full._upset_sentence(comparison)]


def _letters(comparison: Comparison) -> Sequence[str]:
    """Explain the letters where some algorithms share one."""
    if comparison.control is not None:
        return ["= marks no significant difference from the control."]
    shared = any(len(group) > 1 for group in comparison.groups)
    if len(comparison.algorithms) == 2 or not shared or too_many_letters(comparison.groups):
        return []
    return ["No significant difference between algorithms that share a letter."]


def _more(diagram: bool) -> tuple[str, ...]:
    return (
        f"More: {either('.document()', '--full')}",
        *([f"Diagram: {either('.figure()', '--figure cd.svg')}"] if diagram else []),
        f"For a paper: {either('.to_latex()', '--latex')}",
    )


def _plain(method: str) -> str:
    """Shorten the name of a method: no details in brackets, "Holm correction" for "with Holm's correction"."""
    bare = re.sub(r"\s*\([^)]*\)", "", method)
    return re.sub(r" with (.+)'s correction", r", \1 correction", bare).replace(
        "Bergmann and Hommel", "Bergmann-Hommel"
    )


def _named(names: Sequence[str]) -> str:
    return listed(names, most=MOST_NAMED)


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"
