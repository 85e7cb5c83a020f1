"""What battles say, in sentences and tables."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.comparison.groups import letters, too_many_letters
from tiebreak.documents import Answer, Document, Table, listed, number, p_is, table_of_verb
from tiebreak.documents.parts import Picture
from tiebreak.documents.words import chance, confidence, costing, pvalue, relative_cost, times
from tiebreak.evals.battles.testing import relation
from tiebreak.methods import find
from tiebreak.ordering.valuation import beside, hidden_trades, other_trades, wide
from tiebreak.stats.results import correction_name
from tiebreak.stats.votes import MODELS, preferred
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.documents import Row
    from tiebreak.evals.battles.result import Battles
    from tiebreak.ordering import Valuation


TOO_FEW = "too-few-clusters"
MOST_PAIRS = 45
"""So many pairs are printed; more are counted."""
TIES = {
    "davidson": "Davidson's model of ties",
    "half": "Bradley and Terry's model, ties as half a win for either",
}
_WORDS = {"dataset": "data set"}
_RULE_PAPERS = {"worth": ["brazdil2003"], "multitest": ["yildiz2006"]}


def document(battles: Battles) -> Document:
    """Put all parts together."""
    lines = sentences(battles)
    return Document(
        title=battles.title(),
        heading="Battles",
        points=answer(battles).points(),
        said=tuple(lines),
        answer=(" > ".join(battles.order),),
        tables=tuple(table for table in (_strengths(battles), _reasons(battles), _pairs(battles)) if table is not None),
        notes=tuple(_notes(battles)),
        limits=("Who beats whom need not be transitive; one number for each algorithm says that it is on the whole.",),
        pictures=(Picture(name="strengths", kind="strengths", first=True),),
        method=tuple(_method_sentences(battles)),
        papers=_papers(battles),
        caveats=tuple(caveat for caveat in battles.caveats if caveat.code != TOO_FEW),  # a sentence of the answer
    )


def _papers(battles: Battles) -> tuple[str, ...]:
    named = ["bradley1952", *(["davidson1970"] if battles.fitted == "davidson" else [])]
    named += ["cameron2011"] if len(battles.plan.cluster) > 1 else []
    named += ["bell2002", "carter2017"] if battles.plan.cluster else []
    named += [] if battles.plan.adjust == "none" else list(find(battles.plan.adjust, "correction").papers)
    return tuple(dict.fromkeys([*named, *(_RULE_PAPERS[battles.plan.rule] if battles.prior else [])]))


# ---- sentences


def sentences(battles: Battles) -> list[str]:
    """Say what to use, what differs, and how strengths were fitted."""
    return [headline(battles), *_outcome(battles), *_method_sentences(battles)]


def _method_sentences(battles: Battles) -> list[str]:
    """Say by which model and with which clusters."""
    hang = [f"{count:,} {_WORDS.get(name, name)}{'s' * (count != 1)}" for name, count in battles.clusters.items()]
    by = " and ".join(hang) if battles.plan.cluster else "votes alone, counted as independent"
    ties = float(battles.ties.sum() / 2)
    share = f" ({ties / battles.n_votes:.0%} of the votes are ties)" if ties else ""
    first = f"Strengths were fitted by {TIES[battles.fitted]}{share}; errors are clustered by {by}."
    if not battles.plan.cluster:
        first = first.replace("errors are clustered by", "errors rest on")
    corrected = "" if battles.plan.adjust == "none" else f", {correction_name(battles.plan.adjust)}"
    if battles.plan.pseudo_votes:
        first += f" {battles.plan.pseudo_votes:g} pseudo votes for every algorithm and as many against it were added."
    lines = [first, f"Pairs were tested by t tests of the difference of strengths{corrected}."]
    if battles.plan.fixed:
        lines.append(f"The tests hold{_on_these(battles)}; they are no evidence about other {_fixed(battles)}.")
    if battles.valuation is not None:
        lines.append(_trade_line(battles, battles.valuation))
    return lines


def _fixed(battles: Battles) -> str:
    return " and ".join(f"{_WORDS.get(name, name)}s" for name in battles.plan.fixed)


def _on_these(battles: Battles) -> str:
    """Say on what alone a difference is significant, in the same sentence."""
    where = "with" if battles.plan.fixed[:1] == ("voter",) else "on"
    return f" {where} these {_fixed(battles)}" if battles.plan.fixed else ""


def _points(size: float) -> str:
    shown = f"{100 * size:.2g}"
    return f"{shown} point{'' if shown == '1' else 's'}"


def _trade_line(battles: Battles, value: Valuation) -> str:
    """Say what ten times the price must buy."""
    given, size = value.given[0], float(value.trades[0])
    words = _points(size)
    if given.relative:
        capped = value.capped(0)
        words = f"{words}, a tenth of what is missing" if capped else f"{given} of the best win rate ({words})"
    return f"Ten times the {battles.plan.cost} must buy {words}; change it with {option('trade')}."


def _frontier_line(battles: Battles, value: Valuation) -> list[str]:
    """Say who is first for which trade."""
    parts = value.frontier
    if not parts:
        return [f"All have the same {battles.plan.cost}."]
    if len(parts) == 1:
        return [f"{parts[0].algorithm} is first at every trade."]
    trade = float(value.trades[0])
    shown = beside(wide(parts, trade), trade)
    return [f"If it must buy {other_trades(shown, trade, _points)}.{hidden_trades(len(parts) - len(shown))}"]


def _sure_line(battles: Battles, value: Valuation) -> str:
    """Say how sure the first place is, for prompts and voters like these."""
    if value.regret is None:
        return "How sure the first place is, nothing shows."
    shown = 100 * value.regret
    regret = f"expected regret {'under 0.1' if shown < 0.1 else f'{shown:.1f}'} points"
    if battles.plan.cluster:
        rests = "with " + " and ".join(f"{_WORDS.get(name, name)}s" for name in battles.plan.cluster) + " like these"
    else:
        rests = "with votes like these"
    rests += f" and these {_fixed(battles)}" if battles.plan.fixed else ""
    if value.probability is None:
        return f"{regret[0].upper()}{regret[1:]} {rests}."
    return f"Sure: {chance(value.probability)} {rests}; {regret}."


def _worth_lines(battles: Battles) -> list[str]:
    value = battles.valuation
    if value is None:
        return []
    lines = [*_frontier_line(battles, value), _sure_line(battles, value)]
    other = {rule: name for rule, name in battles.other_rules.items() if name != battles.order[0]}
    return lines + [f"With {option(rule=rule)}, {name} comes first." for rule, name in other.items()]


def _outcome(battles: Battles) -> list[str]:
    """Count the pairs that differ, and say for which trade who is first."""
    pairs, differ = len(battles.tests.a), int(battles.better.sum())
    many = f"{differ:,} of {pairs:,} pair{'s' * (pairs != 1)}"
    lines = [f"{many} differ{'s' * (differ == 1)} significantly{_on_these(battles)}."]
    lines += [str(caveat) for caveat in battles.caveats if caveat.code == TOO_FEW]
    if battles.standing is not None:
        over = int((battles.better & (battles.standing.prior[:, None] < battles.standing.prior[None, :])).sum())
        are = f"In {over:,} of them the costlier one is the stronger one, and {battles.plan.cost} was overridden."
        lines += (
            [are] if over else [f"In none of them the costlier one is the stronger one: {battles.plan.cost} decides."]
        )
    return [*lines, *_worth_lines(battles)]


def headline(battles: Battles) -> str:
    """Give the answer in one sentence: the first beside the strongest, what the votes tell, at which price."""
    if battles.valuation is not None:
        return _by_worth(battles, battles.valuation)
    first, best = battles.order[0], battles.by_strength[0]
    many = f"{battles.n_votes:,} {'votes' if battles.unit == 'vote' else 'battles'}"
    if first == best:
        rivals = int(battles.better[:, battles.index(first)].sum())
        others = len(battles.order) - 1
        if not rivals:
            equal = float(np.ptp(battles.strengths)) < _SAME
            what = "nobody is stronger than another" if equal else f"{first} is the strongest by its estimate alone"
            rest = "the other" if others == 1 else "any other"
            which = "" if equal else f": no significant difference from {rest}"
            text = f"{what}{which} in {many}{_on_these(battles)}{_cost_of(battles)}."
            return text[0].upper() + text[1:] if equal else text
        value = "the other" if others == 1 else "all others" if rivals == others else f"{rivals} of the {others} others"
        against = f"significantly so against {value}"
        return f"{first} is the strongest, {against}{_on_these(battles)}, in {many}{_cost_of(battles)}."
    i, j = battles.index(first), battles.index(best)
    as_good = f"no significant difference from {best}, the strongest,"
    if battles.better[i, j]:
        as_good = f"significantly weaker than {best}, the strongest, but before it"
    text = f"{as_good} in {many}{_on_these(battles)}{_loses(battles, i, j)}{_ratio(battles, i, j)}"
    return f"MultiTest puts {first} first: {text}."


def _by_worth(battles: Battles, value: Valuation) -> str:
    """Say what to use, and what it gains or loses beside the one with the best win rate."""
    first, best = battles.index(battles.order[0]), value.losses.best
    rate = f"a win rate of {value.scores[first]:.0%} against the average opponent"
    if float(np.ptp(value.scores)) < _SAME:
        return f"Use {battles.order[0]}: all have the same win rate, and it is the cheapest."
    if first == best or value.scores[first] >= value.scores[best]:
        second = battles.order[1]
        next_one = relation(value, battles.index(second), first)
        return f"Use {battles.order[0]}: {rate}, the best of {len(battles.order)}. Next: {second}, {next_one}."
    logs, other = value.sample.mean_logs[0], battles.algorithms[best]
    lost = float(value.scores[best] - value.scores[first])
    at = f"{relative_cost(float(value.relative[0, first]))} of the {battles.plan.cost}"
    size = _points(lost / float(logs[best] - logs[first]))
    justify = "justify" if size.endswith("s") else "justifies"
    only = f"Choose {other} only if {size} {justify} ten times the {battles.plan.cost}."
    return f"Use {battles.order[0]}: {rate}, {value.scale.difference(lost)} below {other} at {at}. {only}"


def _loses(battles: Battles, i: int, j: int) -> str:
    """Say how often the strongest is preferred all the same."""
    share, low, high = preferred(battles.fitted, np.array(battles.difference(j, i)), battles.tie)
    span = f", {low:.0%} to {high:.0%}" if isfinite(float(low + high)) else ""
    return f" ({battles.algorithms[j]} is preferred in {share:.0%} of battles{span})"


def _cost_of(battles: Battles) -> str:
    """Say whether the strongest, which stands first, is the cheapest too."""
    if battles.prices is None:
        return ""
    if battles.prior[0] == battles.order[0]:
        return f", and has the least {battles.plan.cost}"
    i, j = battles.index(battles.order[0]), battles.index(battles.prior[0])
    if battles.prices[j] > 0:
        return (
            f", at {times(float(battles.prices[i] / battles.prices[j]))} times the {battles.plan.cost} of the cheapest"
        )
    return ""


def _ratio(battles: Battles, i: int, j: int) -> str:
    if battles.prices is None or not battles.prices[j] > 0:
        return ""
    share = float(battles.prices[i] / battles.prices[j])
    percent = f"{100 * share:.0f}" if share >= 0.095 else f"{100 * share:.1g}"
    return f", at {percent} % of its {battles.plan.cost}"


def explained(battles: Battles, i: int, j: int) -> str:
    """Say why one of two stands before the other: what decided, the test, how often each is preferred, the votes."""
    ahead = {name: place for place, name in enumerate(battles.order)}
    i, j = (i, j) if ahead[battles.algorithms[i]] < ahead[battles.algorithms[j]] else (j, i)
    x, y = battles.algorithms[i], battles.algorithms[j]
    stated = bool(battles.better[j, i] or battles.better[i, j])
    value = battles.valuation
    if value is not None:
        behind = value.scale.difference(float(value.values[i] - value.values[j]))
        lines = [f"{x} stands before {y}: {relation(value, i, j)}; it is worth {behind} more."]
    elif battles.standing is not None:
        lines = [battles.standing.explain(i, j)]
    else:
        how = "significantly stronger" if stated else "stronger, but not significantly"
        lines = [f"{x} stands before {y}: {how}{_on_these(battles)}."]
    return " ".join([*lines, _test(battles, i, j), _chances(battles, i, j), _fought(battles, i, j)])


def _test(battles: Battles, i: int, j: int) -> str:
    tests, at = battles.tests, _at(battles, i, j)
    plain = p_is(float(tests.pvalue[at]))
    corrected = "" if battles.plan.adjust == "none" else f", corrected {p_is(float(tests.adjusted[at]))}"
    return f"The test of their strengths{_on_these(battles)}: {plain}{corrected}."


def _at(battles: Battles, i: int, j: int) -> int:
    """Return where a pair stands among the tests."""
    tests = battles.tests
    return int(np.flatnonzero(((tests.a == i) & (tests.b == j)) | ((tests.a == j) & (tests.b == i)))[0])


def _chances(battles: Battles, i: int, j: int) -> str:
    """Say how often the first is expected to be preferred, with the interval of the difference."""
    ends = np.array(battles.difference(i, j))
    shares = preferred(battles.fitted, ends, battles.tie)
    if not isfinite(float(shares.sum())):
        return ""
    x, y, level = battles.algorithms[i], battles.algorithms[j], 1 - battles.plan.alpha
    return (
        f"{x} is expected to be preferred to {y} in {shares[0]:.0%} of battles ({shares[1]:.0%} to {shares[2]:.0%},"
        f" {confidence(1 - level)} interval; a tie counts half)."
    )


def _fought(battles: Battles, i: int, j: int) -> str:
    """Count the battles of the two themselves; without any, the strengths speak through others."""
    won, tied, lost = int(battles.wins[i, j]), int(battles.ties[i, j]), int(battles.wins[j, i])
    x, y = battles.algorithms[i], battles.algorithms[j]
    if won + tied + lost == 0:
        return "They never met: what is known of them comes through others."
    return f"They met {won + tied + lost:,} times: {won:,} for {x}, {lost:,} for {y}, {tied:,} ties."


# ---- the short answer


def answer(battles: Battles) -> Answer:
    """Return what to use, what that saves and loses, one table, and what it rests on."""
    value, names = battles.valuation, battles.order
    text = headline(battles)
    facts = [_trade_line(battles, value), *_worth_lines(battles)] if value is not None else _strength_facts(battles)
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
        notes=tuple(str(caveat) for caveat in battles.caveats if caveat.code not in _LESS),
        more=(
            f"More: {either('.document()', '--full')}",
            f"Why: {why}",
            f"Diagram: {either('.figure()', '--figure strengths.svg')}",
        ),
    )


_LESS = ("read-as", "inferred", "duplicates-settled", "groups-cut", "tied-costs")
"""Caveats that the short answer leaves out: they do not change how it is used."""


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
    model = "Davidson model" if battles.fitted == "davidson" else "Bradley-Terry model"
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


def _sure(battles: Battles) -> str:
    if battles.valuation is not None:
        return _sure_line(battles, battles.valuation)
    group = next((names for names in battles.groups if battles.order[0] in names), (battles.order[0],))
    others = [name for name in group if name != battles.order[0]]
    if not others:
        return f"{battles.order[0]} differs significantly from every other{_on_these(battles)}."
    return f"No significant difference from {listed(others, most=6)}{_on_these(battles)}."


# ---- tables


def _strengths(battles: Battles, *, short: bool = False) -> Table:
    """One row for each algorithm, in order; the short table leaves out the counts."""
    if battles.valuation is not None:
        return _worths(battles, battles.valuation)
    rows = battles.rows()
    cells = _common(battles, rows)
    level, cost = confidence(battles.plan.alpha), battles.plan.cost
    cells[f"{level} interval"] = [_between(row["elo_low"], row["elo_high"]) for row in rows]
    cells["win_rate"] = [f"{row['win_rate']:.0%}" for row in rows]
    cells["votes"] = [f"{row['votes']:,}" for row in rows]
    if battles.prices is not None and cost:
        cells[cost] = [_money(battles, battles.index(name)) for name in battles.order]
        cells["by"] = [reason.by for reason in battles.reasons]
    return table_of_verb("battles", cells, full=not short, caption="Strengths", first=True)


def _common(battles: Battles, rows: Sequence[Row]) -> dict[str, Sequence[str]]:
    """Return the cells of both tables."""
    cells: dict[str, Sequence[str]] = {
        "place": [str(row["place"]) for row in rows],
        "algorithm": battles.order,
        "elo": [f"{row['elo']:.0f}" for row in rows],
        "wins": [f"{row['wins']}/{row['ties']}/{row['losses']}" for row in rows],
    }
    group = _letters(battles)
    return cells | ({"group": [group[name] for name in battles.order]} if group else {})


def _worths(battles: Battles, value: Valuation, *, short: bool = False) -> Table:
    """Show what the order is made of, so that it can be recomputed by hand; the short table leaves out the counts."""
    rows, index = battles.rows(), [battles.index(name) for name in battles.order]
    cells = _common(battles, rows) | {
        "expected_win_rate": [f"{100 * value.scores[i]:.1f}" for i in index],
        "loss": [_loss(value, i) for i in index],
        str(battles.plan.cost): [relative_cost(float(value.relative[0, i])) for i in index],
        "worth": [f"{100 * float(str(row['worth'])) + 0.0:.1f}" for row in rows],
    }
    units = {"loss": f"{confidence(battles.plan.alpha)} CI"}
    return table_of_verb("battles", cells, full=not short, units=units, caption="Places, best first", first=True)


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


def _letters(battles: Battles) -> dict[str, str]:
    """Return the letters of each algorithm's groups; empty where nobody would read them."""
    if len(battles.groups) < 2 or too_many_letters(battles.groups) or len(battles.groups) > 26:
        return {}
    names = list(battles.algorithms)
    texts = letters([[names.index(name) for name in group] for group in battles.groups], len(names))
    return dict(zip(names, texts, strict=True))


def _reasons(battles: Battles) -> Table | None:
    if not battles.reasons:
        return None
    cells = {
        "place": [str(reason.place) for reason in battles.reasons],
        "algorithm": [reason.algorithm for reason in battles.reasons],
        "reason": [reason.text for reason in battles.reasons],
    }
    return table_of_verb("battles", cells, full=True, caption="Reasons")


def _pairs(battles: Battles) -> Table:
    """Print the pairs where they are few; otherwise say where they are."""
    tests, names, wins = battles.tests, battles.algorithms, battles.win_probabilities
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
        i, j = (a, b) if battles.strengths[a] >= battles.strengths[b] else (b, a)
        fought = f"{battles.wins[i, j]:.0f}/{battles.ties[i, j]:.0f}/{battles.wins[j, i]:.0f}"
        text = "yes" if battles.better[a, b] or battles.better[b, a] else "no"
        p, corrected = pvalue(float(tests.pvalue[k])), pvalue(float(tests.adjusted[k]))
        body.append((names[i], names[j], f"{wins[i, j]:.0%}", fought, p, corrected, text))
    return Table(caption=caption, header=header, body=tuple(body), texts=frozenset({0, 1, 6}))


def _notes(battles: Battles) -> list[str]:
    """Say what the columns mean."""
    anchor = "the mean of all" if battles.plan.anchor is None else battles.plan.anchor
    lines = [
        f"Elo: 400 points are odds of ten to one{' among votes that are no ties' * (battles.fitted != 'half')};"
        f" {anchor} has 1000. Intervals are against that anchor; whether two differ, the tests show.",
    ]
    if battles.valuation is None:
        lines.append("share won: the plain share of its votes, a tie as half, whoever it met.")
    else:
        cost = f"{battles.plan.cost}: relative to that of the best win rate."
        lines.append(
            f"win rate: expected against the average opponent, a tie as half. {cost} Intervals hold for each row."
        )
    if isfinite(battles.tie):
        name = "nu" if battles.fitted == "davidson" else "theta"
        equal = 1 - 2 * float(np.exp(MODELS[battles.fitted](np.zeros(1), battles.tie).logp[0, 0]))
        lines.append(
            f"Two of equal strength tie in {equal:.0%} of battles ({name} = {number(float(np.exp(battles.tie)), 3)})."
        )
    if _letters(battles):
        lines.append(f"group: no significant difference{_on_these(battles)} between algorithms that share a letter.")
    return lines
