"""One page, from one context: HTML, Markdown, LaTeX and JSON."""

from tiebreak.reporting.build import report
from tiebreak.reporting.context import Check, Part, Picture, Report, Table

__all__ = ["Check", "Part", "Picture", "Report", "Table", "report"]
