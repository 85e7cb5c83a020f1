"""An ordering in words and as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np

from tiebreak import _show
from tiebreak.deciding.compare._words import with_article
from tiebreak.deciding.order._costs import TIE_WORDS
from tiebreak.deciding.order._ordering import Ordering


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
    df = ", ".join(f"{d:g}" for d in omnibus.df)
    symbol = "F" if len(omnibus.df) == 2 else "chi2"
    shown = _show.pvalue(omnibus.pvalue)
    sign = "" if shown.startswith("<") else "= "
    return (
        f"The {omnibus.method.replace(', ', ' (', 1)}) on the places, {symbol}({df}) ="
        f" {_show.number(omnibus.statistic)}, p {sign}{shown}: that all algorithms have the same expected place is"
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
    plan, said = found.plan, []
    if plan.cost_rule == "weighted":
        weights = ", ".join(f"{name} {weight:g}" for name, weight in zip(plan.costs, plan.cost_weights, strict=True))
        said.append(f"Costs were added with these weights: {weights}.")
    elif len(plan.costs) > 1 and plan.cost_rule == "pareto":
        said.append(f"Costs were ordered by layers that nobody else beats on all of them, then by {plan.costs[0]}.")
    elif len(plan.costs) > 1:
        said.append(f"Costs decide in this order: {', '.join(plan.costs)}.")
    if plan.equal_within:
        said.append(f"Costs within a share of {plan.equal_within:g} of the least of their level count as equal.")
    if found.tied_costs:
        said.append(f"Costs that tie were told apart by {TIE_WORDS[plan.ties]}.")
    return said


def _cells(found: Ordering) -> tuple[list[str], list[list[str]]]:
    """Return the table of places: names and reasons first, numbers after."""
    costs = list(found.costs)
    header = ["algorithm", "reason", "by", "place", "mean rank", f"mean {found.score.name}", *costs]
    body = [
        [
            str(row["algorithm"]),
            str(row["reason"]),
            str(row["by"]),
            str(row["place"]),
            f"{row['mean_rank']:.2f}",
            _show.number(row[f"mean {found.score.name}"]),
            *(_show.number(row[f"cost {name}"], 3) for name in costs),
        ]
        for row in found.rows()
    ]
    return header, body


def _group_sentences(found: Ordering) -> list[str]:
    return [
        f"Group {group} ({len(ordering.datasets)} data sets): {', '.join(ordering.order)}."
        for group, ordering in found.by_group.items()
    ]


def as_markdown(found: Ordering) -> str:
    """Lay the ordering out in Markdown."""
    said = [_show.markdown(sentence) for sentence in (*sentences(found), *_group_sentences(found))]
    parts = [
        f"## {_show.markdown(found.title())}",
        "",
        " ".join(said),
        "",
        _show.markdown_table(*_cells(found), left=3),
    ]
    if found.caveats:
        parts += ["", "Caveats:", "", *(f"- {_show.markdown(caveat)}" for caveat in found.caveats)]
    return "\n".join(parts)


def as_latex(found: Ordering) -> str:
    """Lay the ordering out for LaTeX with the package booktabs."""
    said = [_show.latex(sentence) for sentence in (*sentences(found), *_group_sentences(found))]
    parts = [r"% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}", " ".join(said), ""]
    parts += [_show.latex_table(*_cells(found), left=3)]
    return "\n".join([*parts, *(f"% {_show.one_line(caveat)}" for caveat in found.caveats)])


def as_text(found: Ordering) -> str:
    """Lay the ordering out for a terminal."""
    costs = list(found.costs)
    header = ["place", "algorithm", "mean rank", f"mean {found.score.name}", *costs, "by", "reason"]
    body = [
        [
            str(row["place"]),
            str(row["algorithm"]),
            f"{row['mean_rank']:.2f}",
            _show.number(row[f"mean {found.score.name}"]),
            *(_show.number(row[f"cost {name}"], 3) for name in costs),
            str(row["by"]),
            str(row["reason"]),
        ]
        for row in found.rows()
    ]
    parts = [found.title(), "", *sentences(found), "", _table(header, body)]
    if found.by_group:
        parts += ["", *(_show.one_line(sentence) for sentence in _group_sentences(found))]
    if costs:
        parts += ["", "Costs are means of shares of the largest on each data set."]
    if found.caveats:
        parts += ["", "Caveats:", *(f"- {_show.one_line(caveat)}" for caveat in found.caveats)]
    return "\n".join(parts)


def _table(header: list[str], body: list[list[str]]) -> str:
    """Align numbers to the right and words to the left; the reason runs on at the end."""
    rows = [[_show.one_line(cell) for cell in row] for row in (header, *body)]
    widths = [max(_show.width(row[i]) for row in rows) for i in range(len(header))]
    words = {1, len(header) - 1, len(header) - 2}
    lines = []
    for row in rows:
        cells = []
        for i, cell in enumerate(row):
            pad = " " * (widths[i] - _show.width(cell))
            cells.append(cell + pad if i in words else pad + cell)
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


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
            {
                "algorithm": reason.algorithm,
                "place": reason.place,
                "by": reason.by,
                "text": reason.text,
                "ahead_of": list(reason.ahead_of),
                "behind": list(reason.behind),
                "beats": list(reason.beats),
                "beaten_by": list(reason.beaten_by),
            }
            for reason in found.reasons
        ],
        "best": {"algorithm": best.algorithm, "text": best.text},
        "groups": [list(group) for group in found.groups],
        "costs": {name: dict(zip(found.algorithms, cost.tolist(), strict=True)) for name, cost in found.costs.items()},
        "graph": {
            "nodes": list(nodes),
            "edges": [
                {"cheaper": edge.cheaper, "costlier": edge.costlier, "adjusted": edge.adjusted} for edge in edges
            ],
        },
        "by_group": {name: list(ordering.order) for name, ordering in found.by_group.items()},
        "method": _method(found),
        "conclusion": sentences(found),
        "caveats": list(found.caveats),
    }


def _whole(row: np.ndarray[Any, np.dtype[np.float64]]) -> list[float | int]:
    return [int(value) if float(value).is_integer() else float(value) for value in row]


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _omnibus(found: Ordering) -> dict[str, Any]:
    omnibus = found.omnibus
    if omnibus is None:
        return {"method": "none: one data set, MultiTest", "statistic": None, "pvalue": None, "df": None}
    return {
        "method": omnibus.method,
        "statistic": _finite(omnibus.statistic),
        "pvalue": omnibus.pvalue,
        "df": list(omnibus.df),
        "rejected": found.rejected,
    }


def _pairs(found: Ordering) -> list[dict[str, Any]]:
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
                "statistic": _finite(statistic),
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
        "costs": list(plan.costs),
        "cost_rule": plan.cost_rule,
        "cost_weights": list(plan.cost_weights),
        "equal_within": plan.equal_within,
        "ties": plan.ties,
        "missing": plan.missing,
    }
