"""A report as Markdown."""

from __future__ import annotations

from tiebreak.documents.layout import markdown_table
from tiebreak.documents.words import markdown
from tiebreak.documents.writing import DECIDED, code_markdown
from tiebreak.papers import bibtex
from tiebreak.reporting._parts import LIMITS, Part
from tiebreak.reporting._report import Report


def to_markdown(report: Report, *, figures: str = "") -> str:
    """Write the report; figures are referred to as SVG files whose names start with `figures`."""
    lines = [f"# {markdown(report.name)}", ""]
    lines += ["## The answer", "", *_points(report.lead), ""]
    drawn = 0
    for part in report.parts:
        lines += _part(part, figures, drawn)
        drawn += len(part.pictures)
    papers = report.references()
    lines += ["## Papers to cite", "", *(f"- {markdown(paper)}" for paper in papers), ""]
    lines += ["```bibtex", bibtex(report.papers()), "```", ""]
    made = ", ".join(f"{name} {version}" for name, version in report.versions)
    return "\n".join([*lines, f"Made with {made}." + ("" if report.seed is None else f" Seed {report.seed}.")])


def _points(part: Part) -> list[str]:
    """The answer in plain words, question by question; all sentences where there are no such points."""
    if not part.points:
        return [f"> {markdown(sentence)}" for sentence in part.answer]
    return [f"- **{markdown(point.label)}:** {markdown(point.text)}" for point in part.points]


def _part(part: Part, figures: str, drawn: int) -> list[str]:
    lines = [f"## {markdown(part.heading)}", "", markdown(part.subject), ""]
    lines += [*_points(part), ""]
    for number, picture in enumerate(part.pictures, start=drawn + 1):
        shown = f"![{markdown(picture.name)}](<{figures}-{number}.svg>)" if figures else f"*{markdown(picture.name)}*"
        lines += [shown, "", markdown(picture.caption), ""]
    for table in part.tables:
        lines += [markdown(table.caption), "", markdown_table(table.header, table.body, texts=table.words), ""]
    lines += [line for note in part.document.notes for line in (markdown(note), "")]
    lines += [*code_markdown(part.document), ""] if part.document.code else []
    for heading, items in (
        (DECIDED, part.decided),
        (LIMITS, part.limits),
    ):
        lines += [f"### {heading}", "", *(f"- {markdown(item)}" for item in items), ""]
    return [*lines, "### Method, for a paper", "", *(markdown(sentence) for sentence in part.method), ""]
