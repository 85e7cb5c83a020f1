"""What battles say, in sentences and tables."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.deciding.battles._models import preferred
from tiebreak.deciding.groups import letters, too_many_letters
from tiebreak.deciding.order import OWN, family_sentences, own_adjusted
from tiebreak.documents import (
    SAVES,
    USE,
    Document,
    Picture,
    Point,
    Table,
    amount,
    confidence,
    listed,
    number,
    p_is,
    pvalue,
    times,
)
from tiebreak.methods import find
from tiebreak.stats.pairwise import correction_name
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.deciding.battles._result import Battles

MOST_PAIRS = 45
"""So many pairs are printed; more are counted."""
TIES = {
    "davidson": "Davidson's model of ties",
    "rao-kupper": "Rao and Kupper's model of ties",
    "half": "Bradley and Terry's model, ties as half a win for either",
}
_WORDS = {"dataset": "data set"}
_PAPERS = {"davidson": "davidson1970", "rao-kupper": "rao1967"}


def document(found: Battles) -> Document:
    """Put all parts together."""
    said = sentences(found)
    return Document(
        title=found.title(),
        heading="Battles",
        points=points(found),
        said=tuple(said),
        answer=(" > ".join(found.order),),
        tables=tuple(each for each in (_strengths(found), _reasons(found), _pairs(found)) if each is not None),
        notes=tuple(_notes(found)),
        limits=("Who beats whom need not be transitive; one number for each algorithm says that it is on the whole.",),
        pictures=(
            Picture(name="strengths", kind="strengths", first=True),
            Picture(name="win probabilities", kind="win-probabilities"),
        ),
        method=tuple(_method_sentences(found)),
        papers=_papers(found),
        caveats=found.caveats,
    )


def _papers(found: Battles) -> tuple[str, ...]:
    named = ["bradley1952", *([_PAPERS[found.fitted]] if found.fitted in _PAPERS else [])]
    named += ["cameron2011"] if len(found.plan.cluster) > 1 else []
    named += ["bell2002", "carter2017"] if found.plan.cluster else []
    named += list(find("own-comparisons", "ordering").papers) if _counts_own(found) else []
    named += [] if found.plan.adjust == "none" else list(find(found.plan.adjust, "correction").papers)
    return tuple(dict.fromkeys([*named, *(["yildiz2006"] if found.prior else [])]))


# ---- sentences


def sentences(found: Battles) -> list[str]:
    """Say how strengths were told, what differs, and what to use."""
    return [*_method_sentences(found), *_outcome(found), headline(found)]


def _counts_own(found: Battles) -> bool:
    return found.standing is not None and found.plan.family == OWN and len(found.algorithms) > 2


def _method_sentences(found: Battles) -> list[str]:
    """Say by which model and with which clusters."""
    hang = [f"{count:,} {_WORDS.get(name, name)}{'s' * (count != 1)}" for name, count in found.clusters.items()]
    by = " and ".join(hang) if found.plan.cluster else "votes alone, taken for independent"
    ties = float(found.ties.sum() / 2)
    share = f" ({ties / found.n_votes:.0%} of the votes are ties)" if ties else ""
    first = f"Strengths were fitted by {TIES[found.fitted]}{share}; errors are clustered by {by}."
    if not found.plan.cluster:
        first = first.replace("errors are clustered by", "errors rest on")
    corrected = "" if found.plan.adjust == "none" else f", {correction_name(found.plan.adjust)}"
    said = [first, f"Pairs were tested by t tests of the difference of strengths{corrected}."]
    if found.standing is None:
        return said
    return [*said, *family_sentences(found.plan.family, found.plan.adjust, len(found.algorithms), found.plan.alpha)]


def _outcome(found: Battles) -> list[str]:
    """Count the pairs that differ, and those in which price was overridden."""
    pairs, differ = len(found.tests.a), int(found.better.sum())
    own = int(found.shown.sum())
    more = f", and with the {len(found.algorithms) - 1} comparisons of each alone counted {own:,} do"
    more = more if own > differ and found.standing is not None else ""  # without prices strength alone orders
    said = [f"{differ:,} of {pairs:,} pair{'s' * (pairs != 1)} differ{'s' * (differ == 1)} significantly{more}."]
    if found.standing is not None:
        over = found.standing.moves & (found.standing.prior[:, None] < found.standing.prior[None, :])
        many = int(over.sum())
        of = "these" if more else "them"
        are = f"In {many:,} of {of} the costlier one is the stronger one, and {found.plan.cost} was overridden."
        said += [are] if many else [f"In none of them the costlier one is the stronger one: {found.plan.cost} decides."]
    return said


def headline(found: Battles) -> str:
    """Give the answer in one sentence: the first beside the strongest, what the votes tell, at which price."""
    first, best = found.order[0], found.by_strength[0]
    many = f"{found.n_votes:,} {'votes' if found.unit == 'vote' else 'battles'}"
    if first == best:
        rivals = int(found.better[:, found.index(first)].sum())
        others = len(found.order) - 1
        if not rivals:
            equal = float(np.ptp(found.strengths)) < _SAME
            what = "nobody is stronger than another" if equal else f"{first} is the strongest by its estimate alone"
            which = "" if equal else f": no test tells it from {'the other' if others == 1 else 'any other'}"
            said = f"{what}{which} as far as {many} tell{_cost_of(found)}."
            return said[0].upper() + said[1:] if equal else said
        told = "the other" if others == 1 else "all others" if rivals == others else f"{rivals} of the {others} others"
        return f"{first} is the strongest, significantly so against {told}, as far as {many} tell{_cost_of(found)}."
    i, j = found.index(first), found.index(best)
    good = found.standing is not None and found.standing.good is not None and bool(found.standing.good[i, j])
    as_good = f"not told apart from {best}, the strongest,{_hidden(found, i, j)}"
    if good and found.plan.margin is not None:
        as_good = f"as good as {best} within {100 * found.plan.margin:g} points of preference"
    elif found.shown[i, j]:
        as_good = f"weaker than {best}, the strongest, but before it"
    return f"{first}: {as_good} as far as {many} tell{_given_up(found, i, j)}{_ratio(found, i, j)}."


def _hidden(found: Battles, i: int, j: int) -> str:
    """Say what a test of the two alone would show, where the comparisons that are counted hide it."""
    p = float(found.tests.pvalue[_at(found, i, j)])
    if p > found.plan.alpha or len(found.algorithms) < 3:
        return ""
    own = found.plan.family == OWN
    counted = f"its {len(found.algorithms) - 1} comparisons" if own else f"{len(found.tests.a):,} pairs"
    return f" once {counted} are counted (alone {p_is(p)}),"


def _given_up(found: Battles, i: int, j: int) -> str:
    """Say how often the strongest is preferred all the same: not told apart is not the same."""
    chance, low, high = preferred(found.fitted, np.array(found.difference(j, i)), found.tie)
    span = f", {low:.0%} to {high:.0%}" if isfinite(float(low + high)) else ""
    return f" ({found.algorithms[j]} is preferred in {chance:.0%} of battles{span})"


def _cost_of(found: Battles) -> str:
    """Say whether the strongest, which stands first, is the cheapest too."""
    if found.prices is None:
        return ""
    if found.prior[0] == found.order[0]:
        return f", and has the least {found.plan.cost}"
    i, j = found.index(found.order[0]), found.index(found.prior[0])
    if found.prices[j] > 0:
        return f", at {times(float(found.prices[i] / found.prices[j]))} times the {found.plan.cost} of the cheapest"
    return ""


def _ratio(found: Battles, i: int, j: int) -> str:
    if found.prices is None or not found.prices[j] > 0:
        return ""
    share = float(found.prices[i] / found.prices[j])
    percent = f"{100 * share:.0f}" if share >= 0.095 else f"{100 * share:.1g}"
    return f", at {percent} % of its {found.plan.cost}"


def explained(found: Battles, i: int, j: int) -> str:
    """Say why one of two stands before the other: what decided, the test, how often each is preferred, the votes."""
    ahead = {name: place for place, name in enumerate(found.order)}
    i, j = (i, j) if ahead[found.algorithms[i]] < ahead[found.algorithms[j]] else (j, i)
    x, y = found.algorithms[i], found.algorithms[j]
    told, shown = bool(found.better[j, i] or found.better[i, j]), found.shown
    if found.standing is not None:
        said = [found.standing.explain(i, j)]
    else:
        said = [f"{x} stands before {y}: {'significantly stronger' if told else 'stronger, but not significantly'}."]
    own = [f"{_own(found, i, j)}"] if not told and (shown[i, j] or shown[j, i]) else []
    return " ".join([*said, _test(found, i, j), *own, _chances(found, i, j), _fought(found, i, j)])


def _test(found: Battles, i: int, j: int) -> str:
    tests, at = found.tests, _at(found, i, j)
    plain = p_is(float(tests.pvalue[at]))
    corrected = "" if found.plan.adjust == "none" else f", corrected {p_is(float(tests.adjusted[at]))}"
    return f"The test of their strengths: {plain}{corrected}."


def _own(found: Battles, i: int, j: int) -> str:
    """Give the p-value with the comparisons of one counted, where only that tells the two apart."""
    weaker = i if found.shown[i, j] else j
    p = own_adjusted(found.tests.pvalue[_at(found, i, j)], len(found.algorithms))
    others = len(found.algorithms) - 1
    return f"With the {others} comparisons of {found.algorithms[weaker]} alone counted {p_is(float(p))}."


def _at(found: Battles, i: int, j: int) -> int:
    """Return where a pair stands among the tests."""
    tests = found.tests
    return int(np.flatnonzero(((tests.a == i) & (tests.b == j)) | ((tests.a == j) & (tests.b == i)))[0])


def _chances(found: Battles, i: int, j: int) -> str:
    """Say how often the first is expected to be preferred, with the interval of the difference."""
    ends = np.array(found.difference(i, j))
    chance = preferred(found.fitted, ends, found.tie)
    if not isfinite(float(chance.sum())):
        return ""
    x, y, level = found.algorithms[i], found.algorithms[j], 1 - found.plan.alpha
    return (
        f"{x} is expected to be preferred to {y} in {chance[0]:.0%} of battles ({chance[1]:.0%} to {chance[2]:.0%},"
        f" {confidence(1 - level)} interval; a tie counts half)."
    )


def _fought(found: Battles, i: int, j: int) -> str:
    """Count the battles of the two themselves; without any, the strengths speak through others."""
    won, tied, lost = int(found.wins[i, j]), int(found.ties[i, j]), int(found.wins[j, i])
    x, y = found.algorithms[i], found.algorithms[j]
    if won + tied + lost == 0:
        return "They never met: what is known of them comes through others."
    return f"They met {won + tied + lost:,} times: {won:,} for {x}, {lost:,} for {y}, {tied:,} ties."


# ---- points


def points(found: Battles) -> tuple[Point, ...]:
    """Answer the questions of somebody who has to choose."""
    first, best = found.order[0], found.by_strength[0]
    said = [(USE, headline(found))]
    if found.prices is not None and first != best:
        i, j = found.index(first), found.index(best)
        said.append((SAVES, f"Its {found.plan.cost} is {_money(found, i)} beside {_money(found, j)} of {best}."))
        chance, low, high = preferred(found.fitted, np.array(found.difference(j, i)), found.tie)
        span = f"{low:.0%} to {high:.0%}, {confidence(found.plan.alpha)} interval"
        said.append(("What it gives up", f"{best} is preferred to it in {chance:.0%} of battles ({span})."))
    sure = _sure(found)
    return tuple(Point(label=label, text=text) for label, text in [*said, ("How sure", sure)])


def _money(found: Battles, i: int) -> str:
    assert found.prices is not None
    return f"{amount(float(found.prices[i]))}{' ' + found.price_unit if found.price_unit else ''}"


def _sure(found: Battles) -> str:
    group = next((each for each in found.groups if found.order[0] in each), (found.order[0],))
    others = [name for name in group if name != found.order[0]]
    if not others:
        return f"{found.order[0]} is told apart from every other."
    return f"No test tells it apart from {listed(others, most=6)}."


# ---- tables


def _strengths(found: Battles) -> Table:
    """One row for each algorithm, in order."""
    rows = found.rows()
    priced = found.prices is not None
    group = _letters(found)
    cost = found.plan.cost or ""
    unit = f", {found.price_unit}" if found.price_unit else ""
    header = ["place", "algorithm", "Elo", f"{confidence(found.plan.alpha)} interval", "win rate", "battles", "W/T/L"]
    header += ["group"] if group else []
    header += [f"{cost}{unit}", "by"] if priced else []
    body = []
    for row in rows:
        name = str(row["algorithm"])
        cells = [str(row["place"]), name, f"{row['elo']:.0f}", _between(row["elo_low"], row["elo_high"])]
        cells += [f"{row['win_rate']:.0%}", f"{row['votes']:,}", f"{row['wins']}/{row['ties']}/{row['losses']}"]
        cells += [group[name]] if group else []
        if priced:
            assert found.prices is not None
            cells += [amount(float(found.prices[found.index(name)])), found.reasons[int(str(row["place"])) - 1].by]
        body.append(tuple(cells))
    texts = frozenset({1, len(header) - 1, *([7] if group else [])}) if priced or group else frozenset({1})
    return Table(caption="Strengths", header=tuple(header), body=tuple(body), texts=texts, first=True)


_SAME = 1e-9
"""Strengths that differ by less are equal."""


def _between(low: Any, high: Any) -> str:
    """Write an interval; one without width, or without ends, is none."""
    return f"{low:.0f} to {high:.0f}" if isfinite(low + high) and high - low > _SAME else "-"


def _letters(found: Battles) -> dict[str, str]:
    """Return the letters of each algorithm's groups; empty where nobody would read them."""
    if len(found.groups) < 2 or too_many_letters(found.groups) or len(found.groups) > 26:
        return {}
    names = list(found.algorithms)
    told = letters([[names.index(name) for name in group] for group in found.groups], len(names))
    return dict(zip(names, told, strict=True))


def _reasons(found: Battles) -> Table | None:
    if not found.reasons:
        return None
    body = tuple((str(each.place), each.algorithm, each.text) for each in found.reasons)
    return Table(caption="Reasons", header=("place", "algorithm", "reason"), body=body, texts=frozenset({1, 2}))


def _pairs(found: Battles) -> Table:
    """Print the pairs where they are few; otherwise say where they are."""
    tests, names, chance = found.tests, found.algorithms, found.win_probabilities
    header = ("stronger", "weaker", "preferred", "W/T/L", "p", "corrected p", "differ")
    caption = "Pairs"
    if len(tests.a) > MOST_PAIRS:
        where = either("to_dict()['pairs']", "--json")
        explain = either("explain(a, b)", "--explain A,B")
        note = f"{len(tests.a):,} pairs were tested; {where} holds them, {explain} tells of one."
        return Table(caption=caption, header=header, body=(), note=note)
    body = []
    for k in np.argsort(tests.pvalue, kind="stable"):
        a, b = (int(tests.a[k]), int(tests.b[k]))
        i, j = (a, b) if found.strengths[a] >= found.strengths[b] else (b, a)
        fought = f"{found.wins[i, j]:.0f}/{found.ties[i, j]:.0f}/{found.wins[j, i]:.0f}"
        told = "yes" if found.better[a, b] or found.better[b, a] else "no"
        p, corrected = pvalue(float(tests.pvalue[k])), pvalue(float(tests.adjusted[k]))
        body.append((names[i], names[j], f"{chance[i, j]:.0%}", fought, p, corrected, told))
    return Table(caption=caption, header=header, body=tuple(body), texts=frozenset({0, 1, 6}))


def _notes(found: Battles) -> list[str]:
    """Say what the columns mean."""
    anchor = "the mean of all" if found.plan.anchor is None else found.plan.anchor
    said = [
        f"Elo: 400 points are odds of ten to one{' among votes that are no ties' * (found.fitted != 'half')}; {anchor}"
        " has 1000. Each interval stands for itself and is against that anchor: whether two differ the tests say.",
        "win rate: the plain share of its votes, a tie as half; it does not ask against whom.",
    ]
    if isfinite(found.tie):
        name = "nu" if found.fitted == "davidson" else "theta"
        equal = 1 - 2 * _win_of_equals(found)
        said.append(
            f"Two of equal strength tie in {equal:.0%} of battles ({name} = {number(float(np.exp(found.tie)), 3)})."
        )
    if _letters(found):
        said.append("group: who shares a letter is not told apart.")
    return said


def _win_of_equals(found: Battles) -> float:
    from tiebreak.deciding.battles._models import MODELS

    return float(np.exp(MODELS[found.fitted](np.zeros(1), found.tie).logp[0, 0]))
