"""A comparison by several measures in words: text, Markdown, LaTeX, HTML and plain data."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from typing import Any

from tiebreak import _show
from tiebreak.deciding.compare._words import MOST_PAIRS
from tiebreak.deciding.multivariate._comparison import MultivariateComparison
from tiebreak.deciding.multivariate._one_set import JointOmnibus, JointPair, JointSet
from tiebreak.deciding.order._dominance import listed
from tiebreak.stats.multivariate import LearnedMeasures
from tiebreak.stats.pairwise import correction_name

Quote = Callable[[object], str]
PAPERS = (
    "Yildiz, O. T. and Alpaydin, E. (2014). Multivariate comparison of classification algorithms."
    " doi:10.48550/arXiv.1409.4566",
    "Hotelling, H. (1931). doi:10.1214/aoms/1177732979",
    "Wilks, S. S. (1932). doi:10.1093/biomet/24.3-4.471",
    "Mardia, K. V. (1970). doi:10.1093/biomet/57.3.519",
)


MOST_SETS = 20
"""Sets that one measure does not tell apart which the text lists; all are in the plain data."""


def sentences(found: MultivariateComparison, quote: Quote = _show.one_line) -> list[str]:
    """Say what can be concluded and what cannot."""
    omnibus, names = found.omnibus, listed([str(quote(each.name)) for each in found.measures])
    verdict = "is rejected" if found.rejected else "is not rejected"
    many = "both" if len(found.algorithms) == 2 else f"all {len(found.algorithms)}"
    df = f"({', '.join(_show.number(d) for d in omnibus.df)})" if omnibus.df else ""
    said = [
        f"{quote(omnibus.method)}: statistic{df} = {_show.number(omnibus.statistic)}, Wilks' lambda"
        f" {_show.number(omnibus.wilks)}, {p_is(omnibus.pvalue)}. The hypothesis that {many} algorithms"
        f" have the same expected {names} {verdict} at alpha = {found.alpha:g}."
    ]
    if not found.rejected:
        return [*said, "The data do not show that the algorithms differ; this is not evidence that they are equal."]
    differ = [pair for pair in found.pairs if pair.differs]
    won = [pair for pair in differ if pair.better]
    said.append(
        f"{len(differ)} of {len(found.pairs)} pair(s) differ"
        + ("" if len(found.pairs) == 1 else f" {correction_name(found.adjust)}")
        + f"; in {len(won)} of them one dominates ({_rule(found)})."
    )
    if found.learned.eigenvalues.size and found.learned.eigenvalues[0] > 0:
        said.append(_learned_sentence(found, quote))
    return said


def _rule(found: MultivariateComparison) -> str:
    rule = "no mean worse, one better"
    return rule if len(found.sets) == 1 else f"{rule}, on more than half of the data sets on which the two differ"


def _learned_sentence(found: MultivariateComparison, quote: Quote) -> str:
    learned = found.learned
    weights = " ".join(
        f"{'-' if w < 0 else '+'} {_show.number(abs(float(w)), 3)} {quote(name)}"
        for name, w in zip(learned.measures, learned.standardised[:, 0], strict=True)
    ).removeprefix("+ ")
    return (
        f"The learned measure that separates them best is {weights} (standardised); it holds"
        f" {float(learned.shares[0]):.0%} of what the learned measures separate."
    )


def p_is(p: float) -> str:
    """Write a p-value as an equation, or as the bound that it is below.

    Examples
    --------
    >>> p_is(0.0312), p_is(0.0)
    ('p = 0.0312', 'p < 2.3e-308')
    """
    shown = _show.pvalue(p)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def pair_table(found: MultivariateComparison) -> tuple[list[str], list[list[str]]]:
    """Return header and cells of the pairs, the most different first."""
    many = len(found.sets) > 1
    header = ["a", "b", "better", "statistic", "p", "adjusted p", *(["data sets"] if many else [])]
    pairs = sorted(found.pairs, key=lambda pair: (pair.adjusted, pair.pvalue))[:MOST_PAIRS]
    body = [
        [
            pair.a,
            pair.b,
            pair.better or ("neither dominates" if pair.differs else "no difference found"),
            _show.number(pair.statistic),
            _show.pvalue(pair.pvalue),
            _show.pvalue(pair.adjusted),
            *([f"{pair.sets} of {len(found.sets)}"] if many else []),
        ]
        for pair in pairs
    ]
    return header, body


def measure_orders(each: JointSet) -> list[str]:
    """Write the order by every measure by itself, best first, groups without a difference in brackets."""
    per = each.per_measure
    lines = []
    for j, name in enumerate(per.measures):
        groups = measure_groups(each, j)
        shown = " | ".join(", ".join(group) for group in groups[:MOST_SETS])
        if len(groups) > MOST_SETS:
            shown += f" | and {len(groups) - MOST_SETS:,} more sets: --json, or `to_dict()`"
        lines.append(
            f"{name}: F = {_show.number(float(per.statistic[j]))}, adjusted {p_is(float(per.adjusted[j]))}; {shown}"
        )
    return lines


def measure_groups(each: JointSet, measure: int) -> tuple[tuple[str, ...], ...]:
    """Return the sets that one measure alone does not tell apart, members best first."""
    import numpy as np

    from tiebreak.deciding.compare.cliques import maximal_cliques

    per = each.per_measure
    count = len(per.algorithms)
    differs = per.rejected_pairs(alpha=each.alpha)[measure]
    alike = np.ones((count, count), dtype=bool)
    alike[per.a[differs], per.b[differs]] = alike[per.b[differs], per.a[differs]] = False
    order = per.order[measure]
    cliques, _ = maximal_cliques(alike[np.ix_(order, order)])
    return tuple(tuple(per.algorithms[order[i]] for i in clique) for clique in cliques)


def as_text(found: MultivariateComparison) -> str:
    """Write the comparison for a terminal."""
    header, body, left = found.printed()
    pair_header, pairs = pair_table(found)
    parts = [_show.one_line(found.title()), _show.text_table(header, body, left=left)]
    parts += ["", *sentences(found), "", _show.text_table(pair_header, pairs, left=3)]
    if len(found.pairs) > MOST_PAIRS:
        parts.append(f"{len(found.pairs) - MOST_PAIRS} more pairs: --json, or `found.pairs`.")
    if len(found.sets) == 1:
        parts += ["", "By each measure alone (sets that it does not tell apart, best first):"]
        parts += [f"  {_show.one_line(line)}" for line in measure_orders(found.sets[0])]
    if found.order is not None:
        parts += ["", str(found.order)]
    return "\n".join([*parts, *_notes(found)])


def _notes(found: MultivariateComparison) -> list[str]:
    return ["", "Caveats:", *(f"- {_show.one_line(note)}" for note in found.caveats)] if found.caveats else []


def as_markdown(found: MultivariateComparison) -> str:
    """Write the comparison as Markdown."""
    header, body, left = found.printed()
    pair_header, pairs = pair_table(found)
    parts = [_show.markdown(found.title()), "", _show.markdown_table(header, body, left=left), ""]
    parts += [*sentences(found, _show.markdown), "", _show.markdown_table(pair_header, pairs, left=3), ""]
    if found.order is not None:
        parts += [found.order.to_markdown(), ""]
    parts += [f"- {_show.markdown(note)}" for note in found.caveats]
    return "\n".join([*parts, "", *(f"- {_show.markdown(paper)}" for paper in PAPERS)])


def as_latex(found: MultivariateComparison) -> str:
    """Write the comparison as LaTeX: two tables with booktabs rules and the sentences for the paper."""
    header, body, left = found.printed()
    pair_header, pairs = pair_table(found)
    parts = [f"% {_show.one_line(found.title())}", _show.latex_table(header, body, left=left), ""]
    parts += [*sentences(found, _show.latex), "", _show.latex_table(pair_header, pairs, left=3)]
    if found.order is not None:
        parts += ["", found.order.to_latex()]
    return "\n".join([*parts, *(f"% {_show.one_line(note)}" for note in found.caveats)])


def as_html(found: MultivariateComparison) -> str:
    """Write the comparison as a piece of HTML."""
    header, body, _ = found.printed()
    said = "".join(f"<p>{html.escape(_show.one_line(line))}</p>" for line in sentences(found))
    notes = "".join(f"<li>{html.escape(_show.one_line(note))}</li>" for note in found.caveats)
    title = html.escape(_show.one_line(found.title()))
    pairs = _show.html_table(*pair_table(found))
    order = "" if found.order is None else found.order._repr_html_()
    return f"<p>{title}</p>{_show.html_table(header, body)}{said}{pairs}{order}<ul>{notes}</ul>"


def _finite(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _omnibus_dict(omnibus: JointOmnibus) -> dict[str, Any]:
    return {
        "wilks": omnibus.wilks,
        "statistic": _finite(omnibus.statistic),
        "df": list(omnibus.df),
        "pvalue": omnibus.pvalue,
        "method": omnibus.method,
        "others": [{key: _finite(value) for key, value in row.items()} for row in omnibus.others],
    }


def _pair_dict(pair: JointPair) -> dict[str, Any]:
    plain = {
        "a": pair.a,
        "b": pair.b,
        "statistic": _finite(pair.statistic),
        "pvalue": pair.pvalue,
        "adjusted": pair.adjusted,
        "better": pair.better,
        "differs": pair.differs,
    }
    if pair.t2 is not None:
        plain["t2"] = _finite(pair.t2)
    if pair.sets is None or pair.dominates is None:
        return plain
    return plain | {"datasets": pair.sets, "dominates": dict(zip((pair.a, pair.b), pair.dominates, strict=True))}


def _learned_list(found: LearnedMeasures) -> list[dict[str, Any]]:
    return [
        {
            "eigenvalue": _finite(float(found.eigenvalues[i])),
            "share": float(found.shares[i]),
            "weights": dict(zip(found.measures, found.weights[:, i].tolist(), strict=True)),
            "standardised": dict(zip(found.measures, found.standardised[:, i].tolist(), strict=True)),
            "chi2": _finite(float(found.chi2[i])),
            "pvalue": float(found.chi2_pvalue[i]),
        }
        for i in range(len(found.eigenvalues))
    ]


def _set_dict(each: JointSet) -> dict[str, Any]:
    per = each.per_measure
    said: dict[str, Any] = {
        "omnibus": _omnibus_dict(each.omnibus),
        "pairs": [_pair_dict(pair) for pair in each.pairs],
        "cliques": [list(clique) for clique in each.cliques],
        "learned": _learned_list(each.learned),
        "measures": [
            {
                "score": name,
                "statistic": _finite(float(per.statistic[j])),
                "df": per.df[j].tolist(),
                "pvalue": float(per.pvalue[j]),
                "adjusted": float(per.adjusted[j]),
                "order": [per.algorithms[i] for i in per.order[j]],
                "groups": [list(group) for group in measure_groups(each, j)],
            }
            for j, name in enumerate(per.measures)
        ],
        "decided_by": each.decided_by,
        "caveats": list(each.caveats),
    }
    if each.two is not None:
        said["difference"] = _show.finite_rows(each.two.rows())
    return said


def as_dict(found: MultivariateComparison) -> dict[str, Any]:
    """Return the comparison as plain data, fit for JSON."""
    out: dict[str, Any] = {
        "omnibus": _omnibus_dict(found.omnibus),
        "pairs": [_pair_dict(pair) for pair in found.pairs],
        "cliques": [list(clique) for clique in found.cliques],
        "learned": _learned_list(found.learned),
        "normality": _show.finite_rows(list(found.normality)),
        "means": {row["algorithm"]: {m.name: row[m.name] for m in found.measures} for row in found.rows()},
        "scores": [{"name": m.name, "higher_is_better": m.higher_is_better} for m in found.measures],
        "datasets": {each.dataset: _set_dict(each) for each in found.sets},
        "alpha": found.alpha,
        "adjust": found.adjust,
        "caveats": list(found.caveats),
    }
    return out if found.order is None else out | {"order": found.order.to_dict()}


def references(_: MultivariateComparison) -> Sequence[str]:
    """Return what to cite."""
    return PAPERS
