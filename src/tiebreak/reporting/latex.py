"""A report as a LaTeX document that compiles by itself; tables and figures can be cut out of it."""

from __future__ import annotations

import re

from tiebreak.documents import Table, one_line
from tiebreak.documents.layout import latex_table
from tiebreak.documents.words import latex
from tiebreak.documents.writing import DECIDED, code_latex
from tiebreak.figures.drawing.sheet import POINTS
from tiebreak.papers import bibtex
from tiebreak.reporting._parts import LIMITS, Drawn, Part
from tiebreak.reporting._report import Report

HEAD = r"""\documentclass{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \usepackage{textcomp,lmodern}
\else
  \usepackage{fontspec}
\fi
\usepackage[margin=2cm]{geometry}
\usepackage{array,booktabs,longtable,graphicx,tikz}
\emergencystretch=3em
\newsavebox{\drawn}
\begin{document}"""
FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Shrinks what is too wide for the page, and nothing else."""
HOLD = r"\begin{lrbox}{\drawn}"
LOWER = (
    r"\end{lrbox}\ifdim\dimexpr\ht\drawn+\dp\drawn>0.76\textheight"
    r"\resizebox{!}{0.76\textheight}{\usebox{\drawn}}\else\usebox{\drawn}\fi"
)
"""Around a figure: one that is too high for the page, beside its caption, shrinks; all others stay as they are."""
HIGH = 180.0
"""Figures are folded to this height in millimetres: the page has room for a caption, and letters do not shrink."""
MOST_ROWS = 35
"""Longer tables do not fit on one page."""
MOST_COLUMNS = 100
"""Wider tables, counted in characters, have to shrink, which a table over several pages cannot."""


def to_latex(report: Report) -> str:
    """Write the document."""
    papers = report.references()
    lines = [HEAD, rf"\title{{{latex(report.name)}}}", r"\date{}", r"\maketitle"]
    lines += [r"\section*{The answer}", *_points(report.lead), ""]
    for part in report.parts:
        lines += _part(part)
    lines += [r"\section*{Papers to cite}", *_items(papers)]
    made = ", ".join(f"{name} {version}" for name, version in report.versions)
    seed = "" if report.seed is None else f" Seed {report.seed}."
    lines += [latex(f"Made with {made}.{seed}"), r"\end{document}", ""]
    return "\n".join([*lines, *(f"% {one_line(line)}" for line in bibtex(report.papers()).split("\n"))])


def _items(items: tuple[str, ...]) -> list[str]:
    r"""The braces after \item keep a text that begins with a bracket from becoming its label."""
    if not items:
        return []
    return [r"\begin{itemize}", *(rf"\item {{}}{latex(item)}" for item in items), r"\end{itemize}"]


def _points(part: Part) -> list[str]:
    """The answer in plain words, question by question; all sentences where there are no such points."""
    if not part.points:
        return [" ".join(latex(sentence) for sentence in part.answer)]
    items = [rf"\item[{{{latex(point.label)}}}] {latex(point.text)}" for point in part.points]
    return [r"\begin{description}", *items, r"\end{description}"]


def _part(part: Part) -> list[str]:
    """Pages are cleared after a part: floats would else drift into the next one."""
    lines = [rf"\section{{{latex(part.heading)}}}", latex(part.subject), ""]
    lines += [*_points(part), ""]
    for picture in part.pictures:
        lines += _figure(picture)
    for table in part.tables:
        lines += _table(table)
    lines += [latex(note) + "\n" for note in part.document.notes]
    lines += code_latex(part.document)
    for heading, items in (
        (DECIDED, part.decided),
        (LIMITS, part.limits),
    ):
        lines += [rf"\subsection*{{{heading}}}", *_items(items)]
    lines.append(r"\subsection*{Method}")
    return [*lines, " ".join(latex(sentence) for sentence in part.method), r"\clearpage"]


def _figure(picture: Drawn) -> list[str]:
    """Lay a figure out for the page, which is as wide as the text; of many algorithms some are folded there."""
    made = picture.figure.no_higher(HIGH * POINTS["mm"], width="page")
    drawn = [r"\begin{figure}[htbp]\centering", HOLD, made.to_tikz(notes=False) + LOWER]
    # the words are those of this layout, which need not be that of the figure elsewhere
    return [*drawn, rf"\caption{{{latex(' '.join(made.notes()))}}}", r"\end{figure}"]


def _table(table: Table) -> list[str]:
    """A long table that is wide as well is cut in pieces: `longtable` cannot be shrunk to the page.

    One that is wide by a column of sentences has them broken into lines: shrunk, nobody could read them.
    """
    wide = _columns(table)
    if sum(wide) > MOST_COLUMNS and _sentences(table, wide) is not None:
        return _long(table, _sentences(table, wide))
    if len(table.body) > MOST_ROWS and sum(wide) <= MOST_COLUMNS:
        return _long(table)
    lines = []
    for start in range(0, max(len(table.body), 1), MOST_ROWS):
        caption = latex(table.caption) + (" (continued)" if start else "")
        body = latex_table(table.header, table.body[start : start + MOST_ROWS], texts=table.words)
        lines += [r"\begin{table}[htbp]\centering", rf"\caption{{{caption}}}", FIT, body + "}", r"\end{table}"]
    return lines


def _sentences(table: Table, wide: list[int]) -> int | None:
    """Return the column that holds sentences, if the others leave it half of the page."""
    longest = max(range(len(wide)), key=wide.__getitem__)
    words = max((len(latex(word)) for row in table.body for word in row[longest].split(" ")), default=0)
    fits = longest in table.words and sum(wide) - wide[longest] <= MOST_COLUMNS / 2
    return longest if fits and words <= MOST_COLUMNS / 4 else None


def _columns(table: Table) -> list[int]:
    """Count the characters across a table as they are printed, a command as one, with two between columns."""
    rows = [
        [len(re.sub(r"\\\w+(\{[^{}]*\})?|\\", "x", latex(cell))) for cell in row] for row in (table.header, *table.body)
    ]
    return [max(column) + 2 for column in zip(*rows, strict=True)]


def _long(table: Table, broken: int | None = None) -> list[str]:
    """Write a table that goes on over the pages, its header on top of each; `broken` is a column of sentences."""
    kinds = ["l" if i in table.words else "r" for i in range(len(table.header))]
    if broken is not None:
        wide = _columns(table)
        share = 0.98 - (sum(wide) - wide[broken]) / (1.12 * MOST_COLUMNS)
        kinds[broken] = rf">{{\raggedright\arraybackslash}}p{{{share:.2f}\linewidth}}"
    spec = "".join(kinds)
    rows = [" & ".join(map(latex, row)) + r" \\" for row in (table.header, *table.body)]
    head = [r"\toprule", rows[0], r"\midrule"]
    return [
        r"{\small\setlength{\tabcolsep}{4pt}%",
        rf"\begin{{longtable}}{{{spec}}}",
        rf"\caption{{{latex(table.caption)}}}\\",
        *head,
        r"\endfirsthead",
        *head,
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *rows[1:],
        r"\end{longtable}}",
    ]
