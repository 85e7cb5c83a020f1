"""What an ordering says: sentences, the table of places, checks, and plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.caveats import codes_of
from tiebreak.deciding.order._costs import TIE_WORDS
from tiebreak.deciding.promises import enough_check
from tiebreak.documents import Check, Document, Picture, Table, finite, number, p_is, with_article
from tiebreak.methods import Method, choices, find, papers_of

if TYPE_CHECKING:
    from tiebreak.deciding.order._ordering import Ordering

_EQUAL = "Algorithms that were not told apart are not thereby equal: more data sets might tell them apart."
_EQUAL_ON_ONE = "Algorithms that were not told apart are not thereby equal; and other data may order them otherwise."


def document(found: Ordering) -> Document:
    """Put together what an ordering says."""
    costs = " and ".join(found.costs) or "a given order"
    sets = f"{len(found.datasets)} data sets" if len(found.datasets) > 1 else "one data set"
    said = tuple(sentences(found))
    shares = ("Costs are means of shares of the largest on each data set.",) if found.costs else ()
    return Document(
        title=found.title(),
        heading=f"Order by {found.score.name} and {costs}",
        said=said,
        answer=(f"From best to worst: {', '.join(found.order)}.", outcome_sentences(found)[-1]),
        tables=(_places(found), *([_groups(found)] if found.by_group else [])),
        notes=shares,
        pictures=(
            Picture(name="Order graph", kind="order"),
            *(Picture(name=f"Cost plane, {name}", kind="costs", options={"cost": name}) for name in found.costs),
        ),
        decided=said,
        limits=(_EQUAL if len(found.datasets) > 1 else _EQUAL_ON_ONE,),
        checks=ordering_checks(found),
        papers=papers_of(_methods(found)),
        caveats=found.caveats,
        method=(
            f"We ordered {len(found.algorithms)} algorithms on {sets} by {found.score.name}; where no test decided,"
            f" {costs} did.",
            *method_sentences(found),
        ),
    )


def _methods(found: Ordering) -> list[Method]:
    """Name the procedure and every test that it used."""
    plan = found.plan
    used = [find("multitest", "ordering")]
    if found.inner is not None:
        own = plan.pairwise in choices("folds")  # not so a test of the user's own
        used += [find(plan.pairwise, "folds")] if own else []
        used += [find(plan.inner_adjust, "correction")]
    if found.omnibus is not None:
        used += [find("multi2test", "ordering"), find(plan.omnibus, "omnibus")]
        used += [find(plan.posthoc, "posthoc", "correction")] if found.rejected else []
    return [each for each in used if each.name != "none"]


def sentences(found: Ordering) -> list[str]:
    """Say how the order was decided, and what came out."""
    return [*method_sentences(found), *outcome_sentences(found)]


def method_sentences(found: Ordering) -> list[str]:
    """Say by which costs and tests the order was made."""
    said = _cost_sentences(found)
    if found.inner is not None:
        where = "Inside the data sets" if len(found.datasets) > 1 else "On the folds"
        said.append(f"{where} pairs were tested by {with_article(found.inner.method)}.")
    if found.omnibus is not None:
        said.append(_omnibus_sentence(found))
        if found.rejected:
            said.append(f"Pairs of mean places were then tested by {with_article(found.tests.method)}.")
    return said


def _omnibus_sentence(found: Ordering) -> str:
    omnibus = found.omnibus
    assert omnibus is not None  # asked for only with several data sets
    verdict = "rejected" if found.rejected else "not rejected"
    df = f"({', '.join(f'{d:g}' for d in omnibus.df)})" if omnibus.df else ""
    return (
        f"The {omnibus.method.replace(', ', ' (', 1)}) on the places, {omnibus.symbol}{df} ="
        f" {number(omnibus.statistic)}, {p_is(omnibus.pvalue)}: that all algorithms have the same expected place is"
        f" {verdict} at alpha = {found.plan.alpha:g}."
    )


def outcome_sentences(found: Ordering) -> list[str]:
    """Say what the tests found and which algorithm is best."""
    words = found.words
    if not found.rejected:
        return [f"So no test moves an algorithm, and the order is that of {words.prior}."]
    edges = found.graph()[1]
    none = f"No algorithm {words.costlier} is significantly {words.better} than one {words.cheaper}"
    if found.costs:
        none = f"No costlier algorithm is significantly {words.better} than a cheaper one"
    moved = (
        f"In {len(edges)} of them the one {words.costlier} is the {words.better} one, and {words.prior} was overridden."
        if edges
        else f"{none}: the order is that of {words.prior}."
    )
    count = f"{int(found.better.sum())} of {len(found.tests.a)} pairs differ significantly."
    return [count, moved, f"Best: {found.best().text}"]


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
    if choice.equal_within:
        said.append(f"Costs within a share of {choice.equal_within:g} of the least of their level count as equal.")
    if found.tied_costs:
        said.append(f"Costs that tie were told apart by {TIE_WORDS[choice.ties]}.")
    return said


def _places(found: Ordering) -> Table:
    """The columns of words at the end are aligned to the left; all between name and reason are numbers."""
    header = ("place", "algorithm", "mean rank", f"mean {found.score.name}", *found.costs, "by", "reason")
    body = tuple(
        (
            str(row["place"]),
            str(row["algorithm"]),
            f"{row['mean_rank']:.2f}",
            number(row[f"mean {found.score.name}"]),
            *(number(row[f"cost {name}"], 3) for name in found.costs),
            str(row["by"]),
            str(row["reason"]),
        )
        for row in found.rows()
    )
    texts = frozenset({1, len(header) - 2, len(header) - 1})
    return Table(caption="Places, best first, each with its reason", header=header, body=body, texts=texts)


def _groups(found: Ordering) -> Table:
    body = tuple(
        (group, ", ".join(each.order), str(len(each.datasets))) for group, each in sorted(found.by_group.items())
    )
    return Table(caption="Orders of the groups", header=("group", "order", "data sets"), body=body, left=2)


def ordering_checks(found: Ordering) -> tuple[Check, ...]:
    """Check an ordering; the numbers go on where those of a comparison end."""
    one = len(found.datasets) == 1
    evidence = (
        Check(number=11, kind="tip", text="One data set: the order says nothing about other data.")
        if one
        else enough_check(11, len(found.datasets))
    )
    kind, text = "passed", "No two algorithms cost the same."
    if not found.costs:
        kind, text = "tip", "The prior order was given, not measured."
    elif found.tied_costs:
        kind, text = "tip", f"Costs tie; they were told apart by {TIE_WORDS[found.plan.choice.ties]}."
    ties = Check(number=12, kind=kind, text=text)
    kind, text = "passed", "Differences were tested on the folds."
    if found.inner is None:
        kind, text = "issue", "Inside the data sets nothing was tested: places are those of the mean scores."
    elif found.plan.inner_adjust == "none":
        kind, text = "tip", "The tests on the folds are not corrected for their number."
    return evidence, ties, Check(number=13, kind=kind, text=text)


def as_dict(found: Ordering) -> dict[str, Any]:
    """Return the ordering as plain data; its fields are a contract for other programs."""
    nodes, edges = found.graph()
    best = found.best()
    return {
        "order": list(found.order),
        "prior": list(found.prior),
        "ranks": {
            name: dict(zip(found.algorithms, _whole(row), strict=True))
            for name, row in zip(found.datasets, found.ranks, strict=True)
        },
        "mean_ranks": dict(zip(found.algorithms, found.mean_ranks.tolist(), strict=True)),
        "omnibus": _omnibus(found),
        "pairs": _pairs(found),
        "reasons": [
            {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(reason).items()}
            for reason in found.reasons
        ],
        "best": {"algorithm": best.algorithm, "text": best.text},
        "groups": [list(group) for group in found.groups],
        "costs": {name: dict(zip(found.algorithms, cost.tolist(), strict=True)) for name, cost in found.costs.items()},
        "graph": {"nodes": list(nodes), "edges": [asdict(edge) for edge in edges]},
        "by_group": {name: list(ordering.order) for name, ordering in found.by_group.items()},
        "method": _method(found),
        "conclusion": sentences(found),
        "caveats": list(found.caveats),
        "caveat_codes": codes_of(found.caveats),
    }


def _whole(row: np.ndarray[Any, np.dtype[np.float64]]) -> list[float | int]:
    """Ranks without ties are whole numbers, and JSON should say 3 rather than 3.0."""
    return [int(value) if float(value).is_integer() else float(value) for value in row]


def _omnibus(found: Ordering) -> dict[str, Any]:
    """One data set has no omnibus test; its numbers stay, empty, and nothing is said to be rejected."""
    omnibus = found.omnibus
    if omnibus is None:
        return {"method": "none: one data set, MultiTest", "statistic": None, "pvalue": None, "df": None}
    return omnibus.to_dict() | {"rejected": found.rejected}


def _pairs(found: Ordering) -> list[dict[str, Any]]:
    """In `better` the row is the loser and the column the winner."""
    tests, names = found.tests, found.algorithms
    out = []
    for a, b, statistic, p, adjusted in zip(
        tests.a, tests.b, tests.statistic, tests.pvalue, tests.adjusted, strict=True
    ):
        better = names[b] if found.better[a, b] else names[a] if found.better[b, a] else None
        out.append(
            {
                "a": names[a],
                "b": names[b],
                "statistic": finite(float(statistic)),
                "pvalue": float(p),
                "adjusted": float(adjusted),
                "better": better,
            }
        )
    return out


def _method(found: Ordering) -> dict[str, Any]:
    plan = found.plan
    return {
        "inner": None if found.inner is None else found.inner.method,
        "omnibus": plan.omnibus,
        "posthoc": found.tests.method,
        "pairwise": plan.pairwise,
        "inner_adjust": plan.inner_adjust,
        "alpha": plan.alpha,
        "score": found.score.name,
        "higher_is_better": found.score.higher_is_better,
        "costs": list(plan.choice.names),
        "cost_rule": plan.choice.rule,
        "cost_weights": list(plan.choice.weights),
        "equal_within": plan.choice.equal_within,
        "ties": plan.choice.ties,
        "missing": plan.missing,
        "missing_costs": plan.missing_costs,
    }
