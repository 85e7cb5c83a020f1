"""A report as a LaTeX document that compiles by itself; tables and figures can be cut out of it."""

from __future__ import annotations

from tiebreak._show import latex, latex_table, one_line
from tiebreak.reporting.bibtex import bibtex
from tiebreak.reporting.context import LIMITS, Part, Report

HEAD = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern}
\usepackage[margin=2cm]{geometry}
\usepackage{booktabs,longtable,graphicx,tikz}
\begin{document}"""
FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Shrinks what is too wide for the page, and nothing else."""


def to_latex(report: Report) -> str:
    """Write the document."""
    papers = tuple(dict.fromkeys(each for part in report.parts for each in part.references))
    lines = [HEAD, rf"\title{{{latex(report.name)}}}", r"\date{}", r"\maketitle"]
    for part in report.parts:
        lines += _part(part)
    lines += [r"\section*{Papers to cite}", *_items(papers)]
    made = ", ".join(f"{name} {version}" for name, version in report.versions)
    seed = "" if report.seed is None else f" Seed {report.seed}."
    lines += [latex(f"Made with {made}.{seed}"), r"\end{document}", ""]
    return "\n".join([*lines, *(f"% {one_line(line)}" for line in bibtex(papers).split("\n"))])


def _items(items: tuple[str, ...]) -> list[str]:
    if not items:
        return []
    return [r"\begin{itemize}", *(rf"\item {{}}{latex(item)}" for item in items), r"\end{itemize}"]


def _part(part: Part) -> list[str]:
    lines = [rf"\section{{{latex(part.heading)}}}", latex(part.subject), ""]
    lines += [" ".join(latex(sentence) for sentence in part.answer), ""]
    for picture in part.pictures:
        lines += [
            r"\begin{figure}[htbp]\centering",
            FIT,
        ]
        lines += [picture.figure.to_tikz(notes=False), "}", rf"\caption{{{latex(picture.caption)}}}", r"\end{figure}"]
    for table in part.tables:
        lines += [r"\begin{table}[htbp]\centering", rf"\caption{{{latex(table.caption)}}}"]
        lines += [FIT, latex_table(table.header, table.body, left=table.left) + "}", r"\end{table}"]
    for heading, items in (
        ("How it was decided", part.decided),
        (LIMITS, part.limits),
    ):
        lines += [rf"\subsection*{{{heading}}}", *_items(items)]
    checks = tuple(f"{check.number} {check.kind}: {check.text}" for check in part.checks)
    lines += [r"\subsection*{Checks}", *_items(checks), r"\subsection*{Method}"]
    return [*lines, " ".join(latex(sentence) for sentence in part.method), r"\clearpage"]
