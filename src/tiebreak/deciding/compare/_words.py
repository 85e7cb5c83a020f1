"""A comparison in words: text, Markdown, LaTeX, HTML and plain data, all from the same sentences."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from tiebreak import _show
from tiebreak.deciding.compare._comparison import Comparison, Pair
from tiebreak.deciding.compare._references import papers
from tiebreak.stats import FriedmanResult, RepeatedMeasuresResult

MOST_PAIRS = 45
"""Texts list so many pairs (all of ten algorithms); larger comparisons name the way to the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How names are escaped and symbols written in one kind of output."""

    quote: Callable[[object], str]
    p: str = "p"
    alpha: str = "alpha"
    chi2: str = "chi2"


TEXT = Style(quote=_show.one_line)
MARKDOWN = Style(quote=_show.markdown)
LATEX = Style(quote=_show.latex, p="$p$", alpha=r"$\alpha$", chi2=r"$\chi^2$")


def sentences(found: Comparison, style: Style = TEXT) -> list[str]:
    """Say what can be concluded and what cannot, in the words a paper would use."""
    said = [_omnibus_sentence(found, style)]
    if not found.rejected:
        said.append("The data do not show that the algorithms differ; this is not evidence that they are equal.")
    elif len(found.algorithms) == 2:
        said.append(_two_sentence(found, style))
    elif found.control is not None:
        said += _control_sentences(found, style)
    else:
        said += _pair_sentences(found, style)
    return said


def _omnibus_sentence(found: Comparison, style: Style) -> str:
    verdict = "is rejected" if found.rejected else "is not rejected"
    many = "both" if len(found.algorithms) == 2 else f"all {len(found.algorithms)}"
    alike = "expected" if found.plan.omnibus == "rm-anova" else "expected rank of"
    if found.plan.omnibus == "none":
        alike = "expected" if found.plan.pairwise == "paired-t" else "distribution of"
    return (
        f"{_omnibus_name(found)}, {_statistic(found, style)}, over {len(found.datasets)} data sets: the hypothesis that"
        f" {many} algorithms have the same {alike} {style.quote(found.score.name)} {verdict} at"
        f" {style.alpha} = {found.alpha:g}."
    )


def _omnibus_name(found: Comparison) -> str:
    """Name the omnibus test: 'The Friedman test (Iman-Davenport F, corrected for ties)'."""
    head, comma, rest = found.omnibus.method.partition(", ")
    name = f"{head} ({rest})" if comma and "(" not in found.omnibus.method else found.omnibus.method
    named = with_article(name)
    return named[0].upper() + named[1:]


def _statistic(found: Comparison, style: Style) -> str:
    df = found.omnibus.df
    symbol = {2: "F", 1: style.chi2}.get(len(df), "t" if found.plan.pairwise == "paired-t" else "z")
    if found.plan.pairwise == "sign" and not df:
        symbol = "wins less losses"
    inside = f"({', '.join(_show.number(d) for d in df)})" if df else ""
    return f"{symbol}{inside} = {_show.number(found.omnibus.statistic)}, {_p(found.omnibus.pvalue, style)}"


def _p(p: float, style: Style) -> str:
    shown = _show.pvalue(p)
    return f"{style.p} {shown}" if shown.startswith("<") else f"{style.p} = {shown}"


def _two_sentence(found: Comparison, style: Style) -> str:
    pair = next(found.iter_pairs())
    if pair.better is None:
        return "The pair itself is not told apart; this is not evidence that the two are equal."
    worse = pair.a if pair.better == pair.b else pair.b
    return f"{style.quote(pair.better)} is significantly better than {style.quote(worse)}."


def _pair_sentences(found: Comparison, style: Style) -> list[str]:
    how = f"By {_method(found)}"
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
        said.append(
            f"{style.quote(best)} has the best {found.location_name} and differs significantly from every other"
            " algorithm."
        )
    else:
        said.append(
            f"{style.quote(best)} has the best {found.location_name} and differs significantly from {beaten} of the"
            f" {len(found.algorithms) - 1} others; a difference from {_listed(tied, style)} cannot be concluded."
        )
    if any(len(group) > 1 for group in found.groups) and len(with_best) < len(found.algorithms):
        said.append("Algorithms that share a group letter were not told apart, which does not make them equal.")
    return said


def _tied(found: Comparison, best: str, name: str) -> bool:
    """Say whether `name` is another algorithm that was not told apart from the best."""
    if name == best:
        return False
    return any(best in group and name in group for group in found.groups)


def _control_sentences(found: Comparison, style: Style) -> list[str]:
    how = f"By {_method(found)}"
    control = str(found.control)
    better = [pair.b for pair in found.iter_pairs() if pair.better == pair.b]
    worse = [pair.b for pair in found.iter_pairs() if pair.better == control]
    open_ = [name for name in found.groups[0] if name != control]
    said = [f"{how}, with {style.quote(control)} as control."]
    if better:
        said.append(f"Significantly better than the control: {_listed(better, style)}.")
    if worse:
        said.append(f"Significantly worse than the control: {_listed(worse, style)}.")
    if open_:
        said.append(f"No difference from the control can be concluded for {_listed(open_, style)}.")
    return [" ".join(said)]


def _method(found: Comparison) -> str:
    """Name the post hoc test as it stands after 'by', with its critical difference where it has one."""
    name, cd = with_article(found.tests.method), found.critical_difference
    if cd is None:
        return name
    inside = f"critical difference {cd:.3f}"
    return f"{name[:-1]}; {inside})" if name.endswith(")") else f"{name} ({inside})"


def with_article(name: str) -> str:
    """Put 'the' before a name unless a person owns it, and lower its first letter unless it is a person's."""
    if name.split(" ")[0].endswith("'s"):
        return name
    common = name.startswith(("Smallest", "Paired", "Sign", "Repeated"))
    return f"the {name[0].lower() + name[1:] if common else name}"


def _listed(names: Sequence[str], style: Style) -> str:
    shown = [style.quote(name) for name in names[:12]]
    if len(names) > 12:
        return f"{', '.join(shown)} and {len(names) - 12} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def algorithm_table(found: Comparison) -> tuple[list[str], list[list[str]]]:
    """Return header and body of the table of algorithms; with a control, who was not told apart from it."""
    header = [
        "algorithm",
        "mean rank",
        f"mean {found.score.name}",
        *([found.location_name] if _extra_location(found) else []),
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
            *([f"{location:.3f}"] if _extra_location(found) else []),
            mark,
        ]
        for row, mark, location in zip(found.rows(), marks, found.locations.tolist(), strict=True)
    ]
    return header, body


def _extra_location(found: Comparison) -> bool:
    """Say whether the tests compare something that the table does not show yet."""
    return found.location_name not in ("mean rank", "mean score")


def pair_table(found: Comparison) -> tuple[list[str], list[list[str]], str]:
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
    return ["a", "b", "statistic", "p", "adjusted p", "better"], body, note


def _verdict(pair: Pair) -> str:
    return pair.better if pair.better is not None else "-"


def as_text(found: Comparison) -> str:
    """Lay the comparison out for a terminal."""
    header, body = algorithm_table(found)
    parts = [found.title(), "", *sentences(found), "", _show.text_table(header, body)]
    if found.rejected:
        pair_header, pair_body, note = pair_table(found)
        parts += ["", note or _show.text_table(pair_header, pair_body, left=2)]
    parts += ["", "How the tests were chosen:", *(f"- {step}" for step in found.plan.path)]
    parts += ["", "References:", *(f"- {paper}" for paper in papers(found.plan))]
    if found.caveats:
        parts += ["", "Caveats:", *(f"- {_show.one_line(caveat)}" for caveat in found.caveats)]
    return "\n".join(parts)


def as_markdown(found: Comparison) -> str:
    """Lay the comparison out in Markdown."""
    header, body = algorithm_table(found)
    parts = [f"## {_show.markdown(found.title())}", "", " ".join(sentences(found, MARKDOWN)), ""]
    parts.append(_show.markdown_table(header, body))
    if found.rejected:
        pair_header, pair_body, note = pair_table(found)
        parts += ["", note or _show.markdown_table(pair_header, pair_body, left=2)]
    parts += ["", "How the tests were chosen:", "", *(f"- {_show.markdown(step)}" for step in found.plan.path)]
    parts += ["", "References:", "", *(f"- {_show.markdown(paper)}" for paper in papers(found.plan))]
    if found.caveats:
        parts += ["", "Caveats:", "", *(f"- {_show.markdown(caveat)}" for caveat in found.caveats)]
    return "\n".join(parts)


def as_latex(found: Comparison) -> str:
    """Lay the comparison out for LaTeX with the package booktabs."""
    header, body = algorithm_table(found)
    said = " ".join(sentences(found, LATEX))
    parts = [r"% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}", said, ""]
    parts += [_show.latex_table(header, body)]
    if found.rejected:
        pair_header, pair_body, note = pair_table(found)
        parts += ["", f"% {note}" if note else _show.latex_table(pair_header, pair_body, left=2)]
    parts += [f"% {_show.one_line(note)}" for note in (*papers(found.plan), *found.caveats)]
    return "\n".join(parts)


def as_html(found: Comparison) -> str:
    """Lay the comparison out as a fragment of HTML, escaped."""
    header, body = algorithm_table(found)
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
                "statistic": _finite(pair.statistic),
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
            "missing": found.plan.missing,
            "datasets": len(found.datasets),
            "choices": {
                "omnibus": found.plan.omnibus,
                "pairwise": found.plan.pairwise,
                "posthoc": found.plan.posthoc,
            },
        },
        "path": list(found.plan.path),
        "conclusion": sentences(found),
        "references": list(papers(found.plan)),
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
    extras: tuple[str, ...] = ()
    if isinstance(omnibus, FriedmanResult):
        extras = _FRIEDMAN
    elif isinstance(omnibus, RepeatedMeasuresResult):
        extras = _ANOVA
    return out | {name: _finite(float(getattr(omnibus, name))) for name in extras}


_FRIEDMAN = ("chi2", "chi2_pvalue", "f", "f_pvalue", "tie_factor")
_ANOVA = ("uncorrected_pvalue", "gg_epsilon", "gg_pvalue", "hf_epsilon", "hf_pvalue", "mauchly_w", "mauchly_pvalue")


def _finite(value: float) -> float | None:
    """JSON has neither infinity nor NaN: such a statistic is null there."""
    return value if isfinite(value) else None
