"""A report as Markdown."""

from __future__ import annotations

from tiebreak._show import markdown, markdown_table
from tiebreak.reporting.bibtex import bibtex
from tiebreak.reporting.context import LIMITS, Part, Report


def to_markdown(report: Report) -> str:
    """Write the report; figures are left to the other formats."""
    lines = [f"# {markdown(report.name)}", ""]
    for part in report.parts:
        lines += _part(part)
    papers = tuple(dict.fromkeys(each for part in report.parts for each in part.references))
    lines += ["## Papers to cite", "", *(f"- {markdown(paper)}" for paper in papers), ""]
    lines += ["```bibtex", bibtex(papers), "```", ""]
    made = ", ".join(f"{name} {version}" for name, version in report.versions)
    return "\n".join([*lines, f"Made with {made}." + ("" if report.seed is None else f" Seed {report.seed}.")])


def _part(part: Part) -> list[str]:
    lines = [f"## {markdown(part.heading)}", "", markdown(part.subject), ""]
    lines += [*(f"> {markdown(sentence)}" for sentence in part.answer), ""]
    for table in part.tables:
        lines += [markdown(table.caption), "", markdown_table(table.header, table.body, left=table.left), ""]
    for heading, items in (
        ("How it was decided", part.decided),
        (LIMITS, part.limits),
    ):
        lines += [f"### {heading}", "", *(f"- {markdown(item)}" for item in items), ""]
    lines += ["### Checks", ""]
    lines += [f"{check.number}. **{check.kind}** {markdown(check.text)}" for check in part.checks]
    return [*lines, "", "### Method, for a paper", "", *(markdown(sentence) for sentence in part.method), ""]
