"""A comparison in words: text, Markdown, LaTeX, HTML and plain data, all from the same sentences."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any

from tiebreak import _show
from tiebreak.comparison.comparison import Comparison, Pair
from tiebreak.stats import FriedmanResult

MOST_PAIRS = 45
"""Texts list so many pairs (all of ten algorithms); larger comparisons name the way to the rest."""

Quote = Callable[[object], str]


def sentences(found: Comparison, quote: Quote = _show.one_line) -> list[str]:
    """Say what can be concluded and what cannot, in the words a paper would use."""
    said = [_omnibus_sentence(found, quote)]
    if not found.rejected:
        said.append(
            "The data do not show that the algorithms differ, so no pair is tested further; this is not evidence that"
            " they are equal."
        )
    elif found.control is not None:
        said += _control_sentences(found, quote)
    else:
        said += _pair_sentences(found, quote)
    return said


def _omnibus_sentence(found: Comparison, quote: Quote) -> str:
    verdict = "is rejected" if found.rejected else "is not rejected"
    return (
        f"The {found.omnibus.method.replace('test, ', 'test (')}), {_statistic(found)}, over {len(found.datasets)} data"
        f" sets: the hypothesis that all {len(found.algorithms)} algorithms have the same expected rank of"
        f" {quote(found.score.name)} {verdict} at alpha = {found.alpha:g}."
    )


def _statistic(found: Comparison) -> str:
    df = ", ".join(str(d) for d in found.omnibus.df)
    symbol = "F" if len(found.omnibus.df) == 2 else "chi2"
    return f"{symbol}({df}) = {_show.number(found.omnibus.statistic)}, {_p(found.omnibus.pvalue)}"


def _p(p: float) -> str:
    return f"p = {_show.pvalue(p)}"


def _pair_sentences(found: Comparison, quote: Quote) -> list[str]:
    how = f"By the {_method(found)}"
    total = len(found.significant)
    count = int(found.significant.sum())
    if not count:
        return [
            f"{how}, no pair differs significantly: the omnibus test says that the algorithms are not all alike, but"
            " there are too few data sets to say which of them differ."
        ]
    best = found.algorithms[0]
    with_best = next(group for group in found.groups if best in group)
    tied = [name for name in found.algorithms if _tied(found, best, name)]
    said = [f"{how}, {count} of {total} pairs differ significantly."]
    beaten = len(found.algorithms) - 1 - len(tied)
    if not tied:
        said.append(f"{quote(best)} has the best mean rank and differs significantly from every other algorithm.")
    else:
        said.append(
            f"{quote(best)} has the best mean rank and differs significantly from {beaten} of the"
            f" {len(found.algorithms) - 1} others; a difference from {_listed(tied, quote)} cannot be concluded."
        )
    if len(with_best) < len(found.algorithms):
        said.append("Algorithms that share a group letter were not told apart, which does not make them equal.")
    return said


def _tied(found: Comparison, best: str, name: str) -> bool:
    """Say whether `name` is another algorithm that was not told apart from the best."""
    if name == best:
        return False
    return any(best in group and name in group for group in found.groups)


def _control_sentences(found: Comparison, quote: Quote) -> list[str]:
    how = f"By the {_method(found)}"
    control = str(found.control)
    better = [pair.b for pair in found.iter_pairs() if pair.better == pair.b]
    worse = [pair.b for pair in found.iter_pairs() if pair.better == control]
    open_ = [name for name in found.groups[0] if name != control]
    said = [f"{how}, with {quote(control)} as control:"]
    if better:
        said.append(f"significantly better than the control: {_listed(better, quote)}.")
    if worse:
        said.append(f"significantly worse than the control: {_listed(worse, quote)}.")
    if open_:
        said.append(f"No difference from the control can be concluded for {_listed(open_, quote)}.")
    return [" ".join(said)]


def _method(found: Comparison) -> str:
    """Name the post hoc test, with its critical difference where it has one."""
    name, cd = found.tests.method, found.critical_difference
    if cd is None:
        return name
    inside = f"critical difference {cd:.3f}"
    return f"{name[:-1]}; {inside})" if name.endswith(")") else f"{name} ({inside})"


def _listed(names: Sequence[str], quote: Quote) -> str:
    shown = [quote(name) for name in names[:12]]
    if len(names) > 12:
        return f"{', '.join(shown)} and {len(names) - 12} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _algorithm_table(found: Comparison) -> tuple[list[str], list[list[str]]]:
    header = [
        "algorithm",
        "mean rank",
        f"mean {found.score.name}",
        "group" if found.control is None else "as control",
    ]
    marks = found.letters()
    if found.control is not None:
        marks = [
            "control" if n == found.control else "=" if m else "" for n, m in zip(found.algorithms, marks, strict=True)
        ]
    body = [
        [
            str(row["algorithm"]),
            f"{row['mean_rank']:.3f}",
            _show.number(row[f"mean {found.score.name}"]),
            mark,
        ]
        for row, mark in zip(found.rows(), marks, strict=True)
    ]
    return header, body


def _pair_table(found: Comparison) -> tuple[list[str], list[list[str]], str]:
    """Return header, body and a note on what was left out."""
    pairs = list(found.iter_pairs()) if len(found.significant) <= MOST_PAIRS else []
    note = "" if pairs else f"{len(found.significant)} pairs were tested; --json lists them all."
    body = [
        [
            pair.a,
            pair.b,
            _show.number(pair.statistic),
            _show.pvalue(pair.pvalue),
            _show.pvalue(pair.adjusted),
            _verdict(pair),
        ]
        for pair in pairs
    ]
    return ["a", "b", "z", "p", "adjusted p", "better"], body, note


def _verdict(pair: Pair) -> str:
    return pair.better if pair.better is not None else "-"


def as_text(found: Comparison) -> str:
    """Lay the comparison out for a terminal."""
    header, body = _algorithm_table(found)
    parts = [found.title(), "", *sentences(found), "", _show.text_table(header, body)]
    if found.rejected:
        pair_header, pair_body, note = _pair_table(found)
        parts += ["", note or _show.text_table(pair_header, pair_body, left=2)]
    if found.caveats:
        parts += ["", "Caveats:", *(f"- {_show.one_line(caveat)}" for caveat in found.caveats)]
    return "\n".join(parts)


def as_markdown(found: Comparison) -> str:
    """Lay the comparison out in Markdown."""
    header, body = _algorithm_table(found)
    parts = [f"## {_show.markdown(found.title())}", "", " ".join(sentences(found, _show.markdown)), ""]
    parts.append(_show.markdown_table(header, body))
    if found.rejected:
        pair_header, pair_body, note = _pair_table(found)
        parts += ["", note or _show.markdown_table(pair_header, pair_body, left=2)]
    if found.caveats:
        parts += ["", *(f"- {_show.markdown(caveat)}" for caveat in found.caveats)]
    return "\n".join(parts)


def as_latex(found: Comparison) -> str:
    """Lay the comparison out for LaTeX with the package booktabs."""
    header, body = _algorithm_table(found)
    said = " ".join(_math(sentence) for sentence in sentences(found, _show.latex))
    parts = [r"% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}", said, ""]
    parts += [_show.latex_table(header, body)]
    if found.rejected:
        pair_header, pair_body, note = _pair_table(found)
        parts += ["", f"% {note}" if note else _show.latex_table(pair_header, pair_body, left=2)]
    parts += [f"% {_show.one_line(caveat)}" for caveat in found.caveats]
    return "\n".join(parts)


def _math(sentence: str) -> str:
    return sentence.replace("chi2(", r"$\chi^2$(").replace("alpha = ", r"$\alpha$ = ").replace("p = ", r"$p$ = ")


def as_html(found: Comparison) -> str:
    """Lay the comparison out as a fragment of HTML, escaped."""
    header, body = _algorithm_table(found)
    said = html.escape(" ".join(sentences(found)))
    notes = "".join(f"<li>{html.escape(_show.one_line(caveat))}</li>" for caveat in found.caveats)
    title = html.escape(_show.one_line(found.title()))
    return f"<h3>{title}</h3><p>{said}</p>{_show.html_table(header, body)}" + (f"<ul>{notes}</ul>" if notes else "")


def as_dict(found: Comparison) -> dict[str, Any]:
    """Return the comparison as plain data; its fields are a contract for other programs."""
    return {
        "algorithms": list(found.algorithms),
        "mean_ranks": dict(zip(found.algorithms, found.mean_ranks.tolist(), strict=True)),
        "omnibus": _omnibus_dict(found),
        "pairs": [
            {
                "a": pair.a,
                "b": pair.b,
                "statistic": pair.statistic,
                "pvalue": pair.pvalue,
                "adjusted": pair.adjusted,
                "better": pair.better,
            }
            for pair in found.iter_pairs()
        ],
        "groups": [list(group) for group in found.groups],
        "critical_difference": found.critical_difference,
        "method": {
            "omnibus": found.omnibus.method,
            "posthoc": found.tests.method,
            "alpha": found.alpha,
            "score": found.score.name,
            "higher_is_better": found.higher_is_better,
            "control": found.control,
            "missing": found.missing,
            "datasets": len(found.datasets),
        },
        "conclusion": sentences(found),
        "caveats": list(found.caveats),
    }


def _omnibus_dict(found: Comparison) -> dict[str, Any]:
    omnibus = found.omnibus
    out: dict[str, Any] = {
        "method": omnibus.method,
        "statistic": _finite(omnibus.statistic),
        "pvalue": omnibus.pvalue,
        "df": list(omnibus.df),
        "rejected": found.rejected,
    }
    if isinstance(omnibus, FriedmanResult):
        out |= {
            "chi2": omnibus.chi2,
            "chi2_pvalue": omnibus.chi2_pvalue,
            "f": _finite(omnibus.f),
            "f_pvalue": omnibus.f_pvalue,
            "tie_factor": omnibus.tie_factor,
        }
    return out


def _finite(value: float) -> float | None:
    """JSON has no infinity: an infinite statistic is null there."""
    return value if abs(value) != float("inf") else None
