"""One page, from what results say: HTML, Markdown, LaTeX and JSON."""

from tiebreak.reporting._report import Drawn, Part, Report, report

__all__ = ["Drawn", "Part", "Report", "report"]
