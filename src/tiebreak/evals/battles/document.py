"""What battles say, in sentences and tables."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.comparison.groups import letters, too_many_letters
from tiebreak.documents import Answer, Document, Table, listed, number, p_is
from tiebreak.documents.parts import Picture
from tiebreak.documents.words import chance, confidence, costing, pvalue, relative_cost, times
from tiebreak.evals.battles.testing import relation
from tiebreak.methods import find
from tiebreak.ordering.valuation import wide
from tiebreak.stats.results import correction_name
from tiebreak.stats.votes import preferred
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.evals.battles.result import Battles
    from tiebreak.ordering import Valuation
    from tiebreak.ordering.valuation import Segment


TOO_FEW = "too-few-clusters"
MOST_PAIRS = 45
"""So many pairs are printed; more are counted."""
TIES = {
    "davidson": "Davidson's model of ties",
    "rao-kupper": "Rao and Kupper's model of ties",
    "half": "Bradley and Terry's model, ties as half a win for either",
}
_WORDS = {"dataset": "data set"}
_RULE_PAPERS = {"worth": ["brazdil2003"], "multitest": ["yildiz2006"]}
_PAPERS = {"davidson": "davidson1970", "rao-kupper": "rao1967"}


def document(found: Battles) -> Document:
    """Put all parts together."""
    said = sentences(found)
    return Document(
        title=found.title(),
        heading="Battles",
        points=answer(found).points(),
        said=tuple(said),
        answer=(" > ".join(found.order),),
        tables=tuple(each for each in (_strengths(found), _reasons(found), _pairs(found)) if each is not None),
        notes=tuple(_notes(found)),
        limits=("Who beats whom need not be transitive; one number for each algorithm says that it is on the whole.",),
        pictures=(Picture(name="strengths", kind="strengths", first=True),),
        method=tuple(_method_sentences(found)),
        papers=_papers(found),
        caveats=tuple(each for each in found.caveats if each.code != TOO_FEW),  # a sentence of the answer
    )


def _papers(found: Battles) -> tuple[str, ...]:
    named = ["bradley1952", *([_PAPERS[found.fitted]] if found.fitted in _PAPERS else [])]
    named += ["cameron2011"] if len(found.plan.cluster) > 1 else []
    named += ["bell2002", "carter2017"] if found.plan.cluster else []
    named += [] if found.plan.adjust == "none" else list(find(found.plan.adjust, "correction").papers)
    return tuple(dict.fromkeys([*named, *(_RULE_PAPERS[found.plan.rule] if found.prior else [])]))


# ---- sentences


def sentences(found: Battles) -> list[str]:
    """Say what to use, what differs, and how strengths were fitted."""
    return [headline(found), *_outcome(found), *_method_sentences(found)]


def _method_sentences(found: Battles) -> list[str]:
    """Say by which model and with which clusters."""
    hang = [f"{count:,} {_WORDS.get(name, name)}{'s' * (count != 1)}" for name, count in found.clusters.items()]
    by = " and ".join(hang) if found.plan.cluster else "votes alone, counted as independent"
    ties = float(found.ties.sum() / 2)
    share = f" ({ties / found.n_votes:.0%} of the votes are ties)" if ties else ""
    first = f"Strengths were fitted by {TIES[found.fitted]}{share}; errors are clustered by {by}."
    if not found.plan.cluster:
        first = first.replace("errors are clustered by", "errors rest on")
    corrected = "" if found.plan.adjust == "none" else f", {correction_name(found.plan.adjust)}"
    if found.plan.pseudo_votes:
        first += f" {found.plan.pseudo_votes:g} pseudo votes for every algorithm and as many against it were added."
    said = [first, f"Pairs were tested by t tests of the difference of strengths{corrected}."]
    if found.plan.fixed:
        said.append(f"The tests hold{_on_these(found)}; they are no evidence about other {_fixed(found)}.")
    if found.valuation is not None:
        said.append(_trade_line(found, found.valuation))
    return said


def _fixed(found: Battles) -> str:
    return " and ".join(f"{_WORDS.get(name, name)}s" for name in found.plan.fixed)


def _on_these(found: Battles) -> str:
    """Say on what alone a difference is significant, in the same sentence."""
    where = "with" if found.plan.fixed[:1] == ("voter",) else "on"
    return f" {where} these {_fixed(found)}" if found.plan.fixed else ""


def _points(size: float) -> str:
    shown = f"{100 * size:.2g}"
    return f"{shown} point{'' if shown == '1' else 's'}"


def _trade_line(found: Battles, value: Valuation) -> str:
    """Say what ten times the price must buy."""
    given, size = value.given[0], float(value.trades[0])
    words = _points(size)
    if given.relative:
        capped = value.capped(0)
        words = f"{words}, a tenth of what is missing" if capped else f"{given} of the best win rate ({words})"
    return f"Ten times the {found.plan.cost} must buy {words}; change it with {option('trade')}."


def _frontier_line(found: Battles, value: Valuation) -> list[str]:
    """Say who is first for which trade."""
    parts = value.frontier
    if not parts:
        return [f"All have the same {found.plan.cost}."]
    if len(parts) == 1:
        return [f"{parts[0].algorithm} is first at every trade."]
    shown = _three(wide(parts, float(value.trades[0])), float(value.trades[0]))
    hidden = f" ({len(parts) - len(shown)} more between)" if len(parts) > len(shown) else ""
    upto = ", ".join(f"{part.algorithm} up to {_points(part.high)}" for part in shown[:-1])
    return [f"First for ten times the {found.plan.cost}: {upto}{hidden}, then {shown[-1].algorithm}."]


def _three(parts: list[Segment], trade: float) -> list[Segment]:
    """Keep the ends and the one in force, or else the widest: at most three names can be read in a sentence."""
    inner = parts[1:-1]
    kept = [part for part in inner if part.holds(trade)] or sorted(inner, key=lambda part: part.low / part.high)[:1]
    return [parts[0], *kept[:1], parts[-1]]


def _sure_line(found: Battles, value: Valuation) -> str:
    """Say how sure the first place is, for prompts and voters like these."""
    if value.regret is None:
        return "How sure the first place is, nothing shows."
    shown = 100 * value.regret
    regret = f"expected regret {'under 0.1' if shown < 0.1 else f'{shown:.1f}'} points"
    if found.plan.cluster:
        rests = "with " + " and ".join(f"{_WORDS.get(name, name)}s" for name in found.plan.cluster) + " like these"
    else:
        rests = "with votes like these"
    rests += f" and these {_fixed(found)}" if found.plan.fixed else ""
    if value.probability is None:
        return f"{regret[0].upper()}{regret[1:]} {rests}."
    return f"Sure: {chance(value.probability)} {rests}; {regret}."


def _worth_lines(found: Battles) -> list[str]:
    value = found.valuation
    if value is None:
        return []
    said = [*_frontier_line(found, value), _sure_line(found, value)]
    other = {rule: name for rule, name in found.other_rules.items() if name != found.order[0]}
    return said + [f"Other rules: {name} first by {option(rule=rule)}." for rule, name in other.items()]


def _outcome(found: Battles) -> list[str]:
    """Count the pairs that differ, and say for which trade who is first."""
    pairs, differ = len(found.tests.a), int(found.better.sum())
    many = f"{differ:,} of {pairs:,} pair{'s' * (pairs != 1)}"
    said = [f"{many} differ{'s' * (differ == 1)} significantly{_on_these(found)}."]
    said += [str(each) for each in found.caveats if each.code == TOO_FEW]
    if found.standing is not None:
        over = int((found.better & (found.standing.prior[:, None] < found.standing.prior[None, :])).sum())
        are = f"In {over:,} of them the costlier one is the stronger one, and {found.plan.cost} was overridden."
        said += [are] if over else [f"In none of them the costlier one is the stronger one: {found.plan.cost} decides."]
    return [*said, *_worth_lines(found)]


def headline(found: Battles) -> str:
    """Give the answer in one sentence: the first beside the strongest, what the votes tell, at which price."""
    if found.valuation is not None:
        return _by_worth(found, found.valuation)
    first, best = found.order[0], found.by_strength[0]
    many = f"{found.n_votes:,} {'votes' if found.unit == 'vote' else 'battles'}"
    if first == best:
        rivals = int(found.better[:, found.index(first)].sum())
        others = len(found.order) - 1
        if not rivals:
            equal = float(np.ptp(found.strengths)) < _SAME
            what = "nobody is stronger than another" if equal else f"{first} is the strongest by its estimate alone"
            rest = "the other" if others == 1 else "any other"
            which = "" if equal else f": no significant difference from {rest}"
            said = f"{what}{which} in {many}{_on_these(found)}{_cost_of(found)}."
            return said[0].upper() + said[1:] if equal else said
        told = "the other" if others == 1 else "all others" if rivals == others else f"{rivals} of the {others} others"
        against = f"significantly so against {told}"
        return f"{first} is the strongest, {against}{_on_these(found)}, in {many}{_cost_of(found)}."
    i, j = found.index(first), found.index(best)
    as_good = f"no significant difference from {best}, the strongest,{_hidden(found, i, j)}"
    if found.better[i, j]:
        as_good = f"significantly weaker than {best}, the strongest, but before it"
    said = f"{as_good} in {many}{_on_these(found)}{_loses(found, i, j)}{_ratio(found, i, j)}"
    return f"MultiTest puts {first} first: {said}."


def _by_worth(found: Battles, value: Valuation) -> str:
    """Say what to use, and what it gains or loses beside the one with the best win rate."""
    first, best = found.index(found.order[0]), value.losses.best
    rate = f"a win rate of {value.scores[first]:.0%} against the average opponent"
    if float(np.ptp(value.scores)) < _SAME:
        return f"Use {found.order[0]}: all have the same win rate, and it is the cheapest."
    if first == best or value.scores[first] >= value.scores[best]:
        second = found.order[1]
        next_one = relation(value, found.index(second), first)
        return f"Use {found.order[0]}: {rate}, the best of {len(found.order)}. Next: {second}, {next_one}."
    logs, other = value.sample.mean_logs[0], found.algorithms[best]
    lost = float(value.scores[best] - value.scores[first])
    at = f"{relative_cost(float(value.relative[0, first]))} of the {found.plan.cost}"
    size = _points(lost / float(logs[best] - logs[first]))
    justify = "justify" if size.endswith("s") else "justifies"
    only = f"Choose {other} only if {size} {justify} ten times the {found.plan.cost}."
    return f"Use {found.order[0]}: {rate}, {value.scale.difference(lost)} below {other} at {at}. {only}"


def _hidden(found: Battles, i: int, j: int) -> str:
    """Give the p-value of the two alone, where the correction makes it no significant difference."""
    p = float(found.tests.pvalue[_at(found, i, j)])
    if p > found.plan.alpha or len(found.algorithms) < 3:
        return ""
    return f" corrected for {len(found.tests.a):,} pairs (alone {p_is(p)}),"


def _loses(found: Battles, i: int, j: int) -> str:
    """Say how often the strongest is preferred all the same."""
    share, low, high = preferred(found.fitted, np.array(found.difference(j, i)), found.tie)
    span = f", {low:.0%} to {high:.0%}" if isfinite(float(low + high)) else ""
    return f" ({found.algorithms[j]} is preferred in {share:.0%} of battles{span})"


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
    told = bool(found.better[j, i] or found.better[i, j])
    value = found.valuation
    if value is not None:
        behind = value.scale.difference(float(value.values[i] - value.values[j]))
        said = [f"{x} stands before {y}: {relation(value, i, j)}; it is worth {behind} more."]
    elif found.standing is not None:
        said = [found.standing.explain(i, j)]
    else:
        how = "significantly stronger" if told else "stronger, but not significantly"
        said = [f"{x} stands before {y}: {how}{_on_these(found)}."]
    return " ".join([*said, _test(found, i, j), _chances(found, i, j), _fought(found, i, j)])


def _test(found: Battles, i: int, j: int) -> str:
    tests, at = found.tests, _at(found, i, j)
    plain = p_is(float(tests.pvalue[at]))
    corrected = "" if found.plan.adjust == "none" else f", corrected {p_is(float(tests.adjusted[at]))}"
    return f"The test of their strengths{_on_these(found)}: {plain}{corrected}."


def _at(found: Battles, i: int, j: int) -> int:
    """Return where a pair stands among the tests."""
    tests = found.tests
    return int(np.flatnonzero(((tests.a == i) & (tests.b == j)) | ((tests.a == j) & (tests.b == i)))[0])


def _chances(found: Battles, i: int, j: int) -> str:
    """Say how often the first is expected to be preferred, with the interval of the difference."""
    ends = np.array(found.difference(i, j))
    shares = preferred(found.fitted, ends, found.tie)
    if not isfinite(float(shares.sum())):
        return ""
    x, y, level = found.algorithms[i], found.algorithms[j], 1 - found.plan.alpha
    return (
        f"{x} is expected to be preferred to {y} in {shares[0]:.0%} of battles ({shares[1]:.0%} to {shares[2]:.0%},"
        f" {confidence(1 - level)} interval; a tie counts half)."
    )


def _fought(found: Battles, i: int, j: int) -> str:
    """Count the battles of the two themselves; without any, the strengths speak through others."""
    won, tied, lost = int(found.wins[i, j]), int(found.ties[i, j]), int(found.wins[j, i])
    x, y = found.algorithms[i], found.algorithms[j]
    if won + tied + lost == 0:
        return "They never met: what is known of them comes through others."
    return f"They met {won + tied + lost:,} times: {won:,} for {x}, {lost:,} for {y}, {tied:,} ties."


# ---- the short answer


def answer(battles: Battles) -> Answer:
    """Return what to use, what that saves and loses, one table, and what it rests on."""
    value, names = battles.valuation, battles.order
    text = headline(battles)
    facts = _worth_facts(battles, value) if value is not None else _strength_facts(battles)
    saves, loses = _saves_and_loses(battles)
    tables = _worths(battles, value, short=True) if value is not None else _strengths(battles, short=True)
    why = either(f".explain({names[0]!r}, {names[1]!r})", f'--explain "{names[0]},{names[1]}"')
    return Answer(
        headline=text[:1].upper() + text[1:] if text.startswith("nobody") else text,
        use=names[0],
        saves=saves,
        loses=loses,
        sure=_sure(battles),
        rests_on=_rests_on(battles),
        table=tables,
        facts=(*facts, _rests_on(battles)),
        notes=tuple(str(each) for each in battles.caveats if each.code not in _LESS),
        more=(
            f"More: {either('.document()', '--full')}",
            f"Why: {why}",
            f"Diagram: {either('.figure()', '--figure strengths.svg')}",
        ),
    )


_LESS = ("read-as", "inferred", "duplicates-settled", "groups-cut", "tied-costs")
"""Caveats that the short answer leaves out: they do not change how it is used."""


def _worth_facts(battles: Battles, value: Valuation) -> list[str]:
    return [_trade_line(battles, value), *_worth_lines(battles)]


def _strength_facts(battles: Battles) -> list[str]:
    same = f"No significant difference{_on_these(battles)} between algorithms that share a letter."
    return [*([same] if _letters(battles) else []), *_outcome(battles)[:1]]


def _rests_on(battles: Battles) -> str:
    """Say how many votes, in which clusters, and by which model and correction."""
    unit = "votes" if battles.unit == "vote" else "battles"
    within = " and ".join(
        f"{battles.clusters[name]:,} {_WORDS.get(name, name)}s"
        for name in battles.plan.cluster
        if name in battles.clusters
    )
    model = {"davidson": "Davidson model", "rao-kupper": "Rao-Kupper model"}.get(battles.fitted, "Bradley-Terry model")
    corrected = "" if battles.plan.adjust == "none" else f", {battles.plan.adjust.capitalize()} correction"
    return f"{battles.n_votes:,} {unit}{f' in {within}' if within else ''}; {model}{corrected}."


def _saves_and_loses(battles: Battles) -> tuple[str, str]:
    """Say what the first costs beside the strongest, and how often that is preferred."""
    first, best = battles.order[0], battles.by_strength[0]
    if battles.prices is None or first == best:
        return "", ""
    i, j = battles.index(first), battles.index(best)
    share, low, high = preferred(battles.fitted, np.array(battles.difference(j, i)), battles.tie)
    span = f"{low:.0%} to {high:.0%}, {confidence(battles.plan.alpha)} interval"
    saves = f"Its {battles.plan.cost} is {_money(battles, i)} beside {_money(battles, j)} of {best}."
    return saves, f"{best} is preferred to it in {share:.0%} of battles ({span})."


def _money(battles: Battles, i: int) -> str:
    assert battles.prices is not None
    return costing(float(battles.prices[i]), str(battles.plan.cost), battles.price_unit)


def _sure(found: Battles) -> str:
    if found.valuation is not None:
        return _sure_line(found, found.valuation)
    group = next((each for each in found.groups if found.order[0] in each), (found.order[0],))
    others = [name for name in group if name != found.order[0]]
    if not others:
        return f"{found.order[0]} differs significantly from every other{_on_these(found)}."
    return f"No significant difference from {listed(others, most=6)}{_on_these(found)}."


# ---- tables


def _strengths(found: Battles, *, short: bool = False) -> Table:
    """One row for each algorithm, in order; the short table leaves out the counts."""
    if found.valuation is not None:
        return _worths(found, found.valuation)
    rows = found.rows()
    priced = found.prices is not None
    group = _letters(found)
    cost = found.plan.cost or ""
    header = ["place", "algorithm", "Elo", f"{confidence(found.plan.alpha)} interval", "share won"]
    header += [] if short else ["battles", "W/T/L"]
    header += ["group"] if group else []
    header += [cost, "by"] if priced else []
    body = []
    for row in rows:
        name = str(row["algorithm"])
        cells = [str(row["place"]), name, f"{row['elo']:.0f}", _between(row["elo_low"], row["elo_high"])]
        cells += [f"{row['win_rate']:.0%}"]
        cells += [] if short else [f"{row['votes']:,}", f"{row['wins']}/{row['ties']}/{row['losses']}"]
        cells += [group[name]] if group else []
        if priced:
            assert found.prices is not None
            cells += [_money(found, found.index(name)), found.reasons[int(str(row["place"])) - 1].by]
        body.append(tuple(cells))
    texts = frozenset({1, *([len(header) - 1] if priced else []), *([header.index("group")] if group else [])})
    return Table(caption="Strengths", header=tuple(header), body=tuple(body), texts=texts, first=True)


def _worths(found: Battles, value: Valuation, *, short: bool = False) -> Table:
    """Show what the order is made of, so that it can be recomputed by hand; the short table leaves out the counts."""
    group, level = _letters(found), confidence(found.plan.alpha)
    header = ["place", "algorithm", "win rate", f"loss vs best ({level} CI)", str(found.plan.cost), "worth", "Elo"]
    header += [*([] if short else ["W/T/L"]), *(["group"] if group else [])]
    body = []
    for row in found.rows():
        name = str(row["algorithm"])
        i = found.index(name)
        cells = [str(row["place"]), name, f"{100 * value.scores[i]:.1f}", _loss(value, i)]
        cells += [relative_cost(float(value.relative[0, i])), f"{100 * float(str(row['worth'])) + 0.0:.1f}"]
        cells += [
            f"{row['elo']:.0f}",
            *([] if short else [f"{row['wins']}/{row['ties']}/{row['losses']}"]),
            *([group[name]] if group else []),
        ]
        body.append(tuple(cells))
    texts = frozenset({1, *([len(header) - 1] if group else [])})
    return Table(caption="Places, best first", header=tuple(header), body=tuple(body), texts=texts, first=True)


def _loss(value: Valuation, i: int) -> str:
    lost = value.losses
    if i == lost.best:
        return "-"
    shown = value.scale.number(float(lost.value[i]))
    ends = [float(lost.low[i]), float(lost.high[i])]
    span = " to ".join(value.scale.number(end) for end in ends)
    return f"{shown} ({span})" if isfinite(sum(ends)) else shown


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
    tests, names, wins = found.tests, found.algorithms, found.win_probabilities
    header = ("stronger", "weaker", "preferred", "W/T/L", "p", "corrected p", "differ")
    caption = "Pairs"
    if len(tests.a) > MOST_PAIRS:
        where = either("to_dict()['pairs']", "--json")
        explain = either("explain(a, b)", "--explain A,B")
        note = f"{len(tests.a):,} pairs were tested; {where} holds them, {explain} explains one."
        return Table(caption=caption, header=header, body=(), note=note)
    body = []
    for k in np.argsort(tests.pvalue, kind="stable"):
        a, b = (int(tests.a[k]), int(tests.b[k]))
        i, j = (a, b) if found.strengths[a] >= found.strengths[b] else (b, a)
        fought = f"{found.wins[i, j]:.0f}/{found.ties[i, j]:.0f}/{found.wins[j, i]:.0f}"
        told = "yes" if found.better[a, b] or found.better[b, a] else "no"
        p, corrected = pvalue(float(tests.pvalue[k])), pvalue(float(tests.adjusted[k]))
        body.append((names[i], names[j], f"{wins[i, j]:.0%}", fought, p, corrected, told))
    return Table(caption=caption, header=header, body=tuple(body), texts=frozenset({0, 1, 6}))


def _notes(found: Battles) -> list[str]:
    """Say what the columns mean."""
    anchor = "the mean of all" if found.plan.anchor is None else found.plan.anchor
    said = [
        f"Elo: 400 points are odds of ten to one{' among votes that are no ties' * (found.fitted != 'half')}; {anchor}"
        " has 1000. Intervals are against that anchor; whether two differ, the tests show.",
    ]
    if found.valuation is None:
        said.append("share won: the plain share of its votes, a tie as half, whoever it met.")
    else:
        cost = f"{found.plan.cost}: relative to that of the best win rate."
        said.append(
            f"win rate: expected against the average opponent, a tie as half. {cost} Intervals hold for each row."
        )
    if isfinite(found.tie):
        name = "nu" if found.fitted == "davidson" else "theta"
        equal = 1 - 2 * _win_of_equals(found)
        said.append(
            f"Two of equal strength tie in {equal:.0%} of battles ({name} = {number(float(np.exp(found.tie)), 3)})."
        )
    if _letters(found):
        said.append(f"group: no significant difference{_on_these(found)} between algorithms that share a letter.")
    return said


def _win_of_equals(found: Battles) -> float:
    from tiebreak.stats.votes import MODELS

    return float(np.exp(MODELS[found.fitted](np.zeros(1), found.tie).logp[0, 0]))
