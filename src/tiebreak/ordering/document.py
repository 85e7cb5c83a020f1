"""What an ordering says: the short answer, the document behind it, why one stands before another, plain data."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tiebreak._checks import IntArray
from tiebreak.caveats import codes_of
from tiebreak.comparison.groups import letters, too_many_letters
from tiebreak.comparison.on_items import evidence, item_facts
from tiebreak.comparison.trade import USUAL, two_digits
from tiebreak.documents import Document, Table, listed, number, p_is, table_of_verb
from tiebreak.documents.parts import Picture, published_in, with_data
from tiebreak.documents.shown import Answer, Figure
from tiebreak.documents.words import amount, chance, confidence, finite, pvalue, relative_cost, with_article
from tiebreak.errors import TiebreakError
from tiebreak.methods import Method, choices, find, papers_of
from tiebreak.ordering.multitest import decisions_of, order_rows
from tiebreak.ordering.options import (
    MULTI2TEST,
    MULTITEST,
    RULES,
    VARIANTS,
    WORTH,
    OrderPlan,
    usual_posthoc,
    usual_test,
)
from tiebreak.ordering.valuation import charged, cost_relation, other_trades, relation, score_relation, valued, wide
from tiebreak.wording import either, held, option, shell

if TYPE_CHECKING:
    from tiebreak.ordering.result import Ordering
    from tiebreak.ordering.valuation import Valuation
    from tiebreak.stats import ItemPairs

MOST_INNER = 20_000
"""Multi2Test is tried for comparison up to so many pairs on data sets."""
MOST_TESTS = 60
"""A table of tests has so many rows."""
NAMED = {WORTH: "worth", MULTITEST: "MultiTest", MULTI2TEST: "Multi2Test"}
PAPERS = {MULTITEST: "Yildiz and Alpaydin 2006", MULTI2TEST: "Ulas, Yildiz and Alpaydin 2012"}


# ---- the answer


def answer(ordering: Ordering) -> Answer:
    """Return the answer of an ordering."""
    value = ordering.valuation
    first = ordering.algorithms.index(ordering.order[0])
    others = other_rules_line(ordering)
    return Answer(
        headline=headline(ordering),
        use=ordering.order[0],
        saves="" if value is None else _saves(ordering, value, first),
        loses="" if value is None else _loses(ordering, value, first),
        sure=_sure(ordering),
        next_best=_next_best(ordering),
        rests_on=rule_line(ordering),
        figures=() if value is None else _figures(ordering, value, first),
        table=places(ordering),
        facts=(*facts(ordering), *([others] if others else [])),
        notes=tuple(short_caveats(ordering)),
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
    span = interval(value, first)
    sure = f" ({confidence(ordering.plan.alpha)} CI {span})" if span else ""
    loss = value.scale.difference(float(value.losses.value[first]))
    return f"{loss}{sure} against {ordering.algorithms[value.losses.best]}."


def _sure(ordering: Ordering) -> str:
    value = ordering.valuation
    if value is None or ordering.rule != WORTH:
        return ""
    line = sure_line(ordering, value).removeprefix("Sure: ")
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
    over = f"{'geometric mean' if scale.logarithmic else 'mean'} of {units(ordering)}"
    figures = [Figure(value=scale.value(float(value.scores[first])), text=f"{scale.label}, {over}")]
    if len(ordering.order) > 1:
        second = ordering.algorithms.index(ordering.order[1])
        i, text = first, f"behind {ordering.algorithms[losses.best]}, which scores best"
        if first == losses.best:
            i, text = second, f"ahead of {ordering.order[1]}, the next"
        span = interval(value, i)
        lost = scale.difference(float(losses.value[i]))
        figures.append(Figure(value=lost, text=f"{text} ({span})" if span else text))
    if value.sure is not None and ordering.rule == WORTH:
        regret = f"expected regret {scale.regret(value.regret or 0.0)}"
        if value.probability is None:
            figures.append(Figure(value=scale.regret(value.regret or 0.0), text="expected regret"))
        else:
            figures.append(Figure(value=chance(value.probability), text=f"sure; {regret}"))
    return tuple(figures)


def headline(ordering: Ordering) -> str:
    """Say what to use, and what it gains or loses beside the best-scoring one."""
    value = ordering.valuation
    if value is None:
        return f"Use {ordering.order[0]}: first of {len(ordering.order)} by {NAMED[ordering.rule]}."
    first, best = ordering.algorithms.index(ordering.order[0]), value.losses.best
    name, count = ordering.order[0], len(ordering.order)
    score = f"{value.scale.value(float(value.scores[first]))} {value.scale.label}"
    if count == 1:
        return f"Use {name}: {score}, the only one."
    scores = value.sample.mean_scores
    if float(np.ptp(scores)) <= 1e-12 * max(1.0, float(np.abs(scores).max())):
        paid = [value.combined[first] < other for i, other in enumerate(value.combined) if i != first]
        cheap = ", and it is the cheapest" if ordering.costs and ordering.rule == WORTH and all(paid) else ""
        return f"Use {name}: {'both' if count == 2 else f'all {count}'} have the same {ordering.score.name}{cheap}."
    if first == best or scores[first] >= scores[best]:
        return f"Use {name}: {score}, the best of {count}. {_runner_up(ordering, value)}".strip()
    lost, other = float(scores[best] - scores[first]), ordering.algorithms[best]
    behind = _worse(value, lost)
    if not ordering.costs:
        return f"Use {name}: {score}, {behind} {other}, which scores best."
    cost = ordering.plan.costs[value.lead]
    ratio = float(value.relative[value.lead, first])
    at = f" at {relative_cost(ratio)} of the {cost}" if ratio < 1 else f" at {relative_cost(ratio)} times the {cost}"
    if ordering.rule != WORTH:
        return f"{NAMED[ordering.rule]} puts {name} first: {score}, {behind} {other}{at}."
    return f"Use {name}: {score}, {behind} {other}{at}. {_only_if(value, first, best, other, cost)}"


def _worse(value: Valuation, lost: float) -> str:
    shown = value.scale.difference(lost)
    if value.scale.logarithmic:
        return f"{shown} than"
    return f"{shown} {'below' if value.scale.upward else 'worse than'}"


def _only_if(value: Valuation, first: int, best: int, other: str, cost: str) -> str:
    """Turn the comparison with the best-scoring one into the price at which it would be the choice."""
    apart = float(value.combined[best] - value.combined[first])
    if apart <= 0:
        return ""
    size = float(value.sample.mean_scores[best] - value.sample.mean_scores[first]) / apart
    words = value.scale.price(size)
    justify = f"justif{'y' if words.endswith('points') else 'ies'} ten times the {cost}"
    together = ", with the other trades in proportion" if len(value.counted) > 1 else ""
    return f"Choose {other} only if {words} {justify}{together}."


def _runner_up(ordering: Ordering, value: Valuation) -> str:
    """Name the next one, with what it saves and loses."""
    second = ordering.order[1]
    i, first = ordering.algorithms.index(second), ordering.algorithms.index(ordering.order[0])
    worse = score_relation(value, i, first)
    if not ordering.costs:
        return f"Next: {second}, {worse}."
    saved = cost_relation(value, i, first)
    return (
        f"{second} is {saved} but {worse}."
        if value.combined[i] < value.combined[first] - 0.002
        else f"Next: {second}, {worse}, {saved}."
    )


def facts(ordering: Ordering) -> list[str]:
    """Say what the order rests on: trade, frontier, certainty."""
    value = ordering.valuation
    by_trade = ordering.rule == WORTH and ordering.valuation is not None and ordering.costs
    lines = [rule_line(ordering).removesuffix(".") + (f"; change it with {option('trade')}." if by_trade else ".")]
    if value is not None and ordering.rule == WORTH:
        lines += [frontier_line(ordering, value), sure_line(ordering, value)]
    return [line for line in lines if line]


def rule_line(ordering: Ordering) -> str:
    """Name the rule, and the trade where there is one."""
    value = ordering.valuation
    if ordering.rule != WORTH:
        named, paper = NAMED[ordering.rule], paper_of(ordering)
        cost = " and ".join(ordering.costs) or "given order"
        cost = f"mean {cost} share" if _by_shares(ordering) else cost
        untested = ordering.over == "places" and ordering.inner is None
        inside = "; no pair was tested inside the data sets, which have no folds" if untested else ""
        charge = ""
        if value is not None and value.trades.any():
            charge = f" by more than {value.scale.price(value.in_force)} for ten times the cost"
        ahead = f"a later one moves ahead only if significantly better{charge}{inside}"
        return f"{named} ({paper}): sorted by {cost}; {ahead}."
    if value is None or not ordering.costs:
        used = "" if value is None else value.scale.used_words
        return f"No cost: ordered by {f'the mean of {used}' if used else f'mean {ordering.score.name}'}."
    first, *more = (
        f"ten times the {name}{'' if place else ' must buy'} {_given(value, place)}"
        for place, name in enumerate(ordering.plan.costs)
    )
    return f"{', '.join([first.capitalize()[:1] + first[1:], *more])}."


def _is_of_2008(plan: OrderPlan) -> bool:
    return plan.rule == MULTI2TEST and (plan.inner_adjust, plan.posthoc) == VARIANTS["2008"]


def paper_of(ordering: Ordering) -> str:
    """Name the publication of a rule; the report of 2008 has other corrections than the article."""
    return PAPERS[ordering.rule].replace("2012", "2008" if _is_of_2008(ordering.plan) else "2012")


def _given(value: Valuation, place: int) -> str:
    trade, size = value.given[place], float(value.trades[place])
    words = value.scale.price(size)
    if value.scale.logarithmic:
        return f"{words} ({value.scale.used_words} is averaged)"
    if not trade.relative or value.scale.kind == "other":
        return words
    if value.capped(place):
        return f"{words}, a tenth of what is missing"
    of = f" of {value.scale.used_words}" if value.scale.used_words else ""
    return f"{trade}{of} ({words})"


def frontier_line(ordering: Ordering, value: Valuation) -> str:
    """Say who is first for which trade."""
    segments = value.frontier
    if not segments:
        return "The costs do not differ." if ordering.costs and len(ordering.order) > 1 else ""
    if len(segments) == 1:
        return f"{segments[0].algorithm} is first at every trade."
    shown = wide(segments, value.in_force)
    best = float(value.sample.mean_scores.max())
    others = other_trades(
        shown, value.in_force, lambda size: value.scale.price_share(size, best), len(segments) - len(shown)
    )
    last = shown[-1]
    if not last.holds(value.in_force):
        loss = value.scale.difference(float(value.losses.value[ordering.algorithms.index(last.algorithm)]))
        loss += " less" if value.scale.has_points or value.scale.kind == "other" else ""
        at = f"at {relative_cost(last.relative_cost)} of the {ordering.plan.costs[value.lead]}"
        others += f": {loss} {at}" if len(shown) == 2 else f" ({loss} {at})"
    if len(value.counted) > 1:
        others = others.replace(",", " and the other trades grow in proportion,", 1)
        return f"If ten times the {ordering.plan.costs[value.lead]} must buy {others}."
    return f"If it must buy {others}."


def _together(ordering: Ordering, value: Valuation) -> str:
    """Say in what several trades that grow together are counted."""
    cost = ordering.plan.costs[value.lead]
    return f" (all trades in proportion, that of {cost} shown)" if len(value.counted) > 1 else ""


def sure_line(ordering: Ordering, value: Valuation) -> str:
    """Say how sure the first place is: the expected regret, and the probability where enough is known."""
    if value.sure is None:
        return "How sure is unknown: nothing shows how the scores vary." if len(ordering.order) > 1 else ""
    size = value.scale.regret(value.regret or 0.0)
    most = value.sample.inflation > 1 and not size.startswith("under")  # measured: conservative on folds of a data set
    regret = f"expected regret {'at most about ' if most else ''}{size}"
    rests = rests_on(ordering)
    if value.probability is None:
        why = " No probability: folds share training data." if value.sample.inflation > 1 else ""
        return f"{regret[0].upper()}{regret[1:]} {rests}.{why}"
    return f"Sure: {chance(value.probability)} {rests}; {regret}."


def rests_on(ordering: Ordering) -> str:
    """Say for what the certainty holds."""
    table = ordering.table
    if table.on_items:
        return f"on items like these {_items(ordering).replace(' items', '', 1).replace(' item', '', 1)}"
    if len(ordering.datasets) == 1:
        return "on this data set"
    return f"on data sets like these {len(ordering.datasets)}"


def _items(ordering: Ordering) -> str:
    items, totals = ordering.table.items, ordering.table.totals
    if items is not None:
        return evidence(len(items), items.n_clusters, len(items.benchmarks))
    assert totals is not None
    return evidence(int(totals[1].min()), 0, 1, most=int(totals[1].max()))


def other_rules(ordering: Ordering) -> dict[str, str]:
    """Return who is first by each of the other rules that apply, with the same trade."""
    firsts = dict[str, str]()
    for rule in RULES:
        if rule != ordering.rule:
            with suppress(TiebreakError):  # a rule that does not fit the table
                if (sequence := _by_rule(ordering, rule)) is not None:
                    firsts[rule] = ordering.algorithms[sequence[0]]
    return firsts


def _by_rule(ordering: Ordering, rule: str) -> IntArray | None:
    """Order by another rule; None where it does not apply, or takes too long."""
    plan, table, value, count = ordering.plan, ordering.table, ordering.valuation, len(ordering.algorithms)
    many = len(table.datasets) > 1 and not table.on_items
    if rule == WORTH:
        if value is None or not table.paid:
            return None
        if not value.trades.any():
            value = valued(table, ordering.score, replace(plan, trades=(USUAL,) * len(plan.costs)))
        return value.sequence
    if table.measures is not None or (len(table.paid) != 1 and plan.prior is None):
        return None
    over = "places" if rule == MULTI2TEST else "scores" if many else plan.over
    if rule == MULTI2TEST and (not many or comb(count, 2) * len(table.datasets) > MOST_INNER):
        return None
    if over != plan.over:
        test = usual_test(over, table)
        plan = replace(plan, over=over, pairwise=test, own_test=None, posthoc=usual_posthoc(over, count))
    if value is not None and table.paid and value.trades.any() and not plan.trades[0].default:
        table = charged(table, plan, value, ordering.score)
    elif over == ordering.over:
        return np.asarray(order_rows(ordering.better[None], ordering.prior_places[None])[0])
    return decisions_of(table, plan, ordering.score).sequence


def other_rules_line(ordering: Ordering) -> str:
    """Name the rules that put another algorithm first."""
    rules: dict[str, list[str]] = {}
    for rule, first in ordering.other_rules.items():
        if first != ordering.order[0]:
            untested = rule == MULTI2TEST and ordering.table.errors[0, 0].size == 1
            rules.setdefault(first, []).append(f"{option(rule=rule)}{' (no folds)' if untested else ''}")
    named = "; ".join(f"with {' or '.join(by)}, {first} comes first" for first, by in rules.items())
    return f"{named[:1].upper()}{named[1:]}." if named else ""


def short_caveats(ordering: Ordering) -> list[str]:
    """Return the caveats that a short answer shows: those that name what was left out or replaced."""
    shown = "costs- zero-costs large-trade on-these-datasets gaps- scales-differ unfinished-left-out clusters-ignored"
    shown += " answers-missing only-cost-decided maybe-items failures-worst outside-its-range inferred"
    if ordering.rule != WORTH:
        shown += " tied-costs least-pvalue"
    elif ordering.valuation is None or ordering.valuation.sure is None:
        shown += " least-pvalue"
    return [str(note) for note in ordering.caveats if note.code.startswith(tuple(shown.split()))]


# ---- tables


def places(ordering: Ordering) -> Table:
    """Return the table of places: the quantities that the order is made of, so that it can be recomputed by hand."""
    names, value = ordering.order, ordering.valuation
    index = [ordering.algorithms.index(name) for name in names]
    cells: dict[str, Sequence[str]] = {"place": [str(place) for place in range(1, len(names) + 1)], "algorithm": names}
    shares = value is None or _by_shares(ordering)
    if ordering.rule != WORTH and len(ordering.datasets) > 1:
        ranked = "mean worth rank" if value is not None and value.trades.any() else "mean_rank"
        cells[ranked] = [f"{ordering.mean_ranks[i]:.2f}" for i in index]
    if shares:
        costs = ordering.costs.items()
        cells |= {f"cost {name}": [f"{number(100 * float(cost[i]), 3)}%" for i in index] for name, cost in costs}
    if value is None:
        return table_of_verb("order", cells, caption="Places, best first", first=True)
    cells[f"mean {value.scale.heading}"] = [value.scale.value(float(value.scores[i])) for i in index]
    cells["loss"] = [_loss(value, i) for i in index]
    held = any(interval(value, i) for i in index if i != value.losses.best)
    units = {"loss": f"{confidence(ordering.plan.alpha)} CI"} if held else {}
    for place, name in enumerate(() if shares else ordering.plan.costs):
        cells[f"relative {name}"] = [relative_cost(float(value.relative[place, i])) for i in index]
    if ordering.rule != WORTH:
        by = {reason.algorithm: reason.by for reason in ordering.reasons}
        cells["by"] = [by[name] for name in names]
    elif ordering.costs:
        top = float(value.values[index[0]])
        units["worth"] = "log pts" if value.scale.logarithmic else ""
        cells["worth"] = [value.scale.worth(float(value.values[i]) - top) for i in index]
    return table_of_verb("order", cells, units=units, caption="Places, best first", first=True)


def _by_shares(ordering: Ordering) -> bool:
    """Whether costs count as mean shares of the largest of each data set, as in the published rules."""
    return ordering.rule != WORTH and bool(ordering.costs) and len(ordering.datasets) > 1


def _loss(value: Valuation, i: int) -> str:
    if i == value.losses.best:
        return "-"
    shown, span = value.scale.number(float(value.losses.value[i])), interval(value, i)
    return f"{shown} ({span})" if span else shown


def interval(value: Valuation, i: int) -> str:
    """Write the interval of the loss; empty where nothing shows how scores vary."""
    low, high = float(value.losses.low[i]), float(value.losses.high[i])
    return f"{value.scale.number(low)} to {value.scale.number(high)}" if np.isfinite(low) else ""


def frontier_table(ordering: Ordering) -> list[Table]:
    """Return who is first for which trade, with probability and regret."""
    value = ordering.valuation
    if value is None or not value.frontier:
        return []
    factor, parts = value.scale.factor, value.frontier
    cells = {
        "algorithm": [part.algorithm for part in parts],
        "from": [two_digits(factor * part.low) for part in parts],
        "to": ["" if part.high == float("inf") else two_digits(factor * part.high) for part in parts],
        f"mean {value.scale.heading}": [value.scale.value(part.score) for part in parts],
        f"relative {ordering.plan.costs[value.lead]}": [relative_cost(part.relative_cost) for part in parts],
        "sure": ["" if part.probability is None else chance(part.probability) for part in parts],
    }
    caption = f"Who is first for which trade{_together(ordering, value)}"
    return [table_of_verb("order", cells, full=True, units={"from": value.scale.unit}, caption=caption, first=True)]


# ---- the document


def document(ordering: Ordering) -> Document:
    """Put together everything an ordering says."""
    costs = " and ".join(ordering.costs)
    short = ordering.answer
    sentences = (short.headline, *short.facts)
    variant = ["ulas2008"] if _is_of_2008(ordering.plan) else []
    return Document(
        title=ordering.title(),
        heading=f"Order by {ordering.score.name}{f' and {costs}' if costs else ''}{_where(ordering)}",
        points=short.points(),
        lay=lay(ordering),
        said=sentences,
        answer=(f"From best to worst: {listed(ordering.order, most=25)}.", headline(ordering)),
        tables=(places(ordering), *frontier_table(ordering), _reasons(ordering), *_tests(ordering), *_groups(ordering)),
        notes=tuple(notes(ordering)),
        pictures=tuple(_pictures(ordering)),
        decided=(*sentences, *method_sentences(ordering)),
        limits=("No significant difference does not mean that two algorithms are equal.",),
        papers=with_data(papers_of(methods(ordering)), (*ordering.data_papers, *variant)),
        caveats=ordering.caveats,
        method=(method_of(ordering), *published_in(ordering.data_papers), *method_sentences(ordering)),
    )


def _where(ordering: Ordering) -> str:
    rule = "" if ordering.rule == WORTH else f", {NAMED[ordering.rule]}"
    return f" on {ordering.datasets[0]}{rule}" if len(ordering.datasets) == 1 else rule


def lay(ordering: Ordering) -> tuple[str, ...]:
    """Explain the columns to a reader without statistics."""
    value = ordering.valuation
    if value is None:
        return ()
    lines = (
        f"Loss vs best: how much {ordering.score.name} is lost against the best mean score, with its interval.",
        "Shares of a cost: that of the costliest of each data set is 100%; the mean over them sorts the algorithms."
        if _by_shares(ordering)
        else "Costs are geometric means beside the best-scoring algorithm: 1/18 is eighteen times cheaper.",
        f"Worth: the {'logarithm of the loss' if value.scale.logarithmic else 'score'} less the trade for every tenfold"
        " of cost, beside the first.",
        "Expected regret: what the first is likely to fall short of the truly best choice, on average.",
    )
    return lines[: 1 if not ordering.costs else 2 if ordering.rule != WORTH else 4]


def notes(ordering: Ordering) -> list[str]:
    """Say what the columns mean that a reader would otherwise have to guess."""
    value = ordering.valuation
    if value is None:
        return []
    kind = {"loss": "geometric mean", "unexplained": "from the geometric mean of 1 - R2"}.get(value.scale.kind, "mean")
    lines = [f"{ordering.score.name}: {kind} over {units(ordering)}; intervals hold for each row."]
    if _by_shares(ordering):
        of = "mean of the costs as shares of the largest of each data set"
        return [*lines, *(f"{name} share: {of}." for name in ordering.costs)]
    for place, (name, unit) in enumerate(ordering.units.items()):
        paid = amount(float(value.paid[place, value.losses.best]))
        best = ordering.algorithms[value.losses.best]
        lines.append(f"{name}: geometric mean, beside {best}'s {paid}{f' {unit}' if unit else ''}.")
    return lines


def units(ordering: Ordering) -> str:
    """Say over what the scores are averaged."""
    if ordering.table.on_items:
        return _items(ordering)
    return f"{len(ordering.datasets)} data sets" if len(ordering.datasets) > 1 else "the folds"


def _reasons(ordering: Ordering) -> Table:
    names, shown = ordering.algorithms, len(ordering.groups) > 1 and not too_many_letters(ordering.groups)
    marks = letters([[names.index(name) for name in group] for group in ordering.groups], len(names)) if shown else []
    cells: dict[str, Sequence[str]] = {
        "place": [str(reason.place) for reason in ordering.reasons],
        "algorithm": [reason.algorithm for reason in ordering.reasons],
        "reason": [reason.text for reason in ordering.reasons],
    }
    if marks:
        cells["group"] = [marks[names.index(name)] for name in cells["algorithm"]]
    after = "No significant difference between algorithms that share a letter." if marks else ""
    return table_of_verb("order", cells, full=True, caption="Reasons", after=after, first=True)


def _tests(ordering: Ordering) -> list[Table]:
    """Lay out the tests of pairs."""
    tests, names, better = ordering.tests, ordering.algorithms, ordering.better
    if not len(tests.a) or (ordering.inner is None and ordering.over == "folds"):
        return []
    pairs = zip(tests.a.tolist(), tests.b.tolist(), tests.pvalue, tests.adjusted, strict=True)
    rows = [
        (names[a], names[b], names[b] if better[a, b] else names[a] if better[b, a] else "-", pvalue(p), pvalue(q))
        for a, b, p, q in sorted(pairs, key=lambda pair: (pair[3], names[pair[0]], names[pair[1]]))
    ]
    more = len(rows) > MOST_TESTS
    cut = f", the {MOST_TESTS} with the smallest p-values of {len(rows)} (JSON has all)" if more else ""
    cells = dict(zip(("a", "b", "better", "pvalue", "adjusted"), zip(*rows[:MOST_TESTS], strict=True), strict=True))
    return [table_of_verb("order", cells, full=True, caption=f"Tests of pairs: {tests.method}{cut}")]


def _groups(ordering: Ordering) -> list[Table]:
    parts = sorted(ordering.by_group.items())
    body = tuple((group, ", ".join(part.order), str(len(part.datasets))) for group, part in parts)
    header = ("group", "order", "data sets")
    return [Table(caption="Orders of the groups", header=header, body=body, left=2, first=True)] if body else []


def _pictures(ordering: Ordering) -> list[Picture]:
    plane = [Picture(name="Score against cost", kind="frontier", first=True)] if ordering.frontier else []
    if ordering.rule == WORTH:
        return plane
    places = [Picture(name="Mean places", kind="cd")] if ordering.over == "places" else []
    return [*plane, *places, Picture(name="Order graph", kind="order")]


def method_of(ordering: Ordering) -> str:
    """Write the sentence of a paper that says how the order was made."""
    what = f"We ordered {len(ordering.algorithms)} algorithms on {units(ordering)} by {ordering.score.name}"
    costs = " and ".join(ordering.costs)
    if ordering.rule == WORTH:
        less = " less the trade times the mean log10 " + costs if costs else ""
        return f"{what}: by the mean score{less}. {rule_line(ordering)}"
    return f"{what} and {costs or 'a given order'} by {NAMED[ordering.rule]} ({paper_of(ordering)})."


def method_sentences(ordering: Ordering) -> list[str]:
    """Say by which tests pairs were compared, and what came out."""
    lines = []
    tests = ordering.tests
    if ordering.inner is not None and len(ordering.datasets) > 1:
        lines.append(f"Inside the data sets pairs were tested by {with_article(ordering.inner.method)}.")
        if ordering.table.measures is not None:
            dominates = "no mean worse, one better"
            lines.append(f"One is preferred where it differs and dominates ({dominates}); elsewhere cost decides.")
    elif ordering.over == "places":
        lines.append("The data sets were ranked by mean score, without tests inside them.")
    if ordering.omnibus is not None:
        omnibus = ordering.omnibus
        df = f"({', '.join(f'{d:g}' for d in omnibus.df)})" if omnibus.df else ""
        shown = number(omnibus.statistic) if np.isfinite(omnibus.statistic) else "infinity"
        verdict = "The algorithms differ" if ordering.rejected else "No significant difference between the algorithms"
        lines.append(f"{verdict} ({omnibus.method}: {omnibus.symbol}{df} = {shown}, {p_is(omnibus.pvalue)}).")
    if ordering.gated:
        return [*lines, f"So the order is that of {ordering.standing.words.prior}."]
    here = ", on these data sets" if "on-these-datasets" in codes_of(ordering.caveats) else ""
    count, pairs = int(ordering.better.sum()), len(tests.a)
    if pairs == 0:
        return lines
    if ordering.inner is None and len(ordering.datasets) == 1 and ordering.item_tests is None:
        return [*lines, "No pair was tested: there is one score of each algorithm."]
    return [*lines, f"{count} of {pairs} pairs differ significantly{here} ({tests.method})."]


def methods(ordering: Ordering) -> list[Method]:
    """Name the rule and every test that was used."""
    plan, table = ordering.plan, ordering.table
    used = [find(ordering.rule, "ordering")]
    if len(ordering.algorithms) == 1:
        return used
    if ordering.rule == MULTI2TEST:
        used.insert(0, find(MULTITEST, "ordering"))
    if table.on_items:
        used += [find(plan.pairwise, "items"), find(plan.posthoc, "correction")]
    elif plan.over == "scores":
        used += [find(plan.pairwise, "pairs", verb="compare")] if plan.pairwise in choices("pairs") else []
        used += [find("folds-together", "folds")] if plan.pairwise == "folds" else []
        used += [find(plan.posthoc, "correction"), find(plan.omnibus, "omnibus")]
    else:
        if ordering.inner is not None:
            used += [find(plan.pairwise, "folds")] if plan.pairwise in choices("folds") else []
            used += [find(plan.inner_adjust, "correction")]
        if ordering.omnibus is not None:
            used += [find(plan.omnibus, "omnibus"), find(plan.posthoc, "posthoc", "correction")]
    return [method for method in used if method.name != "none"]


# ---- why one stands before another


def explained(ordering: Ordering, i: int, j: int) -> str:
    """Say why one of two algorithms stands before the other, with the numbers."""
    names = ordering.algorithms
    first, second = (i, j) if ordering.order.index(names[i]) < ordering.order.index(names[j]) else (j, i)
    value = ordering.valuation
    if ordering.rule != WORTH or value is None:
        lines = [ordering.standing.explain(first, second)]
        if ordering.gated:
            lines.append(f"The omnibus test does not reject, so {ordering.standing.words.prior} decides every place.")
        gap = 0.0 if value is None else float(value.sample.mean_scores[first] - value.sample.mean_scores[second])
        if value is not None and gap:
            lines.append(f"Mean {ordering.score.name}: {score_relation(value, first, second)}.")
        return " ".join([*lines, _test(ordering, first, second)])
    lines = [f"{names[first]} stands before {names[second]}: {relation(value, first, second)}."]
    if ordering.costs:
        ahead = float(value.values[first] - value.values[second])
        prices = " and ".join(value.scale.price(float(value.trades[cost])) for cost in value.counted)
        gain, turn = value.scale.worth_with_unit(ahead), _turn(ordering, value, first, second)
        lines.append(f"At {prices} for ten times the cost it is worth {gain} more.{turn}")
    return " ".join([*lines, _test(ordering, first, second)])


def _turn(ordering: Ordering, value: Valuation, first: int, second: int) -> str:
    """Say at which trade the two would change places."""
    if len(value.counted) > 1:
        return ""
    gap = float(value.sample.mean_scores[first] - value.sample.mean_scores[second])
    apart = float(value.combined[first] - value.combined[second])
    if gap * apart <= 0:
        return " No trade changes that."
    side = "Above" if gap > 0 else "Below"
    return f" {side} {value.scale.price(gap / apart)} {ordering.algorithms[second]} comes first."


def _test(ordering: Ordering, i: int, j: int) -> str:
    """Give the test of the pair, before and after its correction."""
    if ordering.inner is None and len(ordering.datasets) == 1 and ordering.item_tests is None:
        return "No test was made."
    tests = ordering.tests
    at = int(np.flatnonzero(((tests.a == i) & (tests.b == j)) | ((tests.a == j) & (tests.b == i)))[0])
    unlike = ordering.standing.differ  # several scores: a difference in which neither dominates
    differ = bool(ordering.better[i, j] or ordering.better[j, i] or (unlike is not None and unlike[i, j]))
    what = "places" if ordering.over == "places" else "scores"
    here = " on these data sets" if "on-these-datasets" in codes_of(ordering.caveats) else ""
    verdict = f"a significant difference of their {what}" if differ else f"no significant difference of their {what}"
    return f"Test{here}: {verdict} ({p_is(float(tests.pvalue[at]))}, corrected {p_is(float(tests.adjusted[at]))})."


# ---- plain data


def as_dict(ordering: Ordering) -> dict[str, Any]:
    """Return the ordering as plain data; its fields are a contract for other programs."""
    names, value, worth = ordering.algorithms, ordering.valuation, ordering.rule == WORTH
    nodes, edges = ordering.graph()
    tested, short = ordering.item_tests, ordering.answer
    return {
        "answer": short.to_dict(),
        "order": list(ordering.order),
        "rule": ordering.rule,
        **_worth_fields(ordering, value),
        "other_rules": ordering.other_rules,
        "headline": short.headline,
        "prior": None if worth else list(ordering.prior),
        "ranks": None if worth else _ranks(ordering),
        "mean_ranks": dict(zip(names, ordering.mean_ranks.tolist(), strict=True)),
        "omnibus": _omnibus(ordering),
        "pairs": _pairs(ordering),
        "reasons": [
            {name: list(part) if isinstance(part, tuple) else part for name, part in held(reason).items()}
            for reason in ordering.reasons
        ],
        "groups": [list(group) for group in ordering.groups],
        "costs": {name: dict(zip(names, cost.tolist(), strict=True)) for name, cost in ordering.costs.items()},
        "graph": None if worth else {"nodes": list(nodes), "edges": [held(edge) for edge in edges]},
        "reversed": [list(pair) for pair in ordering.reversed],
        "by_group": {name: list(part.order) for name, part in ordering.by_group.items()},
        "items": None if tested is None else item_facts(ordering.table.items, tested),
        "method": _method(ordering),
        "conclusion": [short.headline, *short.facts, *method_sentences(ordering)],
        "data_papers": list(ordering.data_papers),
        "caveats": list(ordering.caveats),
        "caveat_codes": codes_of(ordering.caveats),
    }


def _worth_fields(ordering: Ordering, value: Valuation | None) -> dict[str, Any]:
    if value is None:
        empty: dict[str, Any] = {"trade": None, "trades": {}, "worth": {}, "probability": None, "regret": None}
        return {**empty, "frontier": [], "loss": {}, "cost": {}}
    names, costs, losses = ordering.algorithms, ordering.plan.costs, value.losses
    remaining = ("score", "relative_cost", "probability", "regret")
    sides = {"value": losses.value, "low": losses.low, "high": losses.high}
    unit = ordering.units[costs[0]] if costs else ""
    priced = [(name, i) for i, name in enumerate(names) if costs]
    return {
        "trade": value.in_force if costs else None,
        "trades": dict(zip(costs, value.trades.tolist(), strict=True)),
        "worth": dict(zip(names, value.values.tolist(), strict=True)),
        "probability": value.probability,
        "regret": value.regret,
        "frontier": [
            {"algorithm": part.algorithm, "from": part.low, "to": finite(part.high)}
            | {name: getattr(part, name) for name in remaining}
            for part in value.frontier
        ],
        "loss": {
            name: {side: finite(float(array[i])) for side, array in sides.items()} for i, name in enumerate(names)
        },
        "cost": {
            name: {"value": float(value.paid[0, i]), "unit": unit, "relative": float(value.relative[0, i])}
            for name, i in priced
        },
    }


def _ranks(ordering: Ordering) -> dict[str, dict[str, float | int]]:
    """Ranks without ties are whole numbers, and JSON should say 3 rather than 3.0."""
    rows = [[int(rank) if rank.is_integer() else rank for rank in row] for row in ordering.ranks.tolist()]
    named = [dict(zip(ordering.algorithms, row, strict=True)) for row in rows]
    return dict(zip(ordering.datasets, named, strict=True))


def _omnibus(ordering: Ordering) -> dict[str, Any]:
    if ordering.omnibus is None:
        return {"method": "none", "statistic": None, "pvalue": None, "df": None}
    return ordering.omnibus.to_dict() | {"rejected": ordering.rejected}


def _pairs(ordering: Ordering) -> list[dict[str, Any]]:
    """In `better` the row is the loser and the column the winner."""
    tests, tested = ordering.tests, ordering.item_tests
    rows: list[dict[str, Any]] = tests.pair_rows(
        statistic=map(finite, tests.statistic.tolist()), pvalue=tests.pvalue, adjusted=tests.adjusted
    )
    for at, (row, a, b) in enumerate(zip(rows, tests.a, tests.b, strict=True)):
        row["better"] = row["b"] if ordering.better[a, b] else row["a"] if ordering.better[b, a] else None
        if tested is not None:
            fields = ("difference", "low", "high", "low_together", "high_together")
            row |= {name: finite(float(getattr(tested, name)[at])) for name in fields}
        if tested is not None and ordering.table.items is not None:
            on_items = cast("ItemPairs", tested)
            row |= {"items": int(on_items.n_items[at]), "units": int(on_items.n_units[at]), "how": on_items.how[at]}
    return rows


def _method(ordering: Ordering) -> dict[str, Any]:
    plan, text = ordering.plan, "rule over omnibus pairwise inner_adjust alpha missing missing_costs"
    return {name: getattr(plan, name) for name in text.split()} | {
        "inner": None if ordering.inner is None else ordering.inner.method,
        "posthoc": ordering.tests.method,
        "score": ordering.score.name,
        "higher_is_better": ordering.score.higher_is_better,
        "costs": list(plan.costs),
        "trades": list(map(str, plan.trades)),
    }
