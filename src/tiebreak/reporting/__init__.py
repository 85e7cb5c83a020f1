"""One page, from what results say: HTML, Markdown, LaTeX and JSON."""

from tiebreak.reporting._report import Drawn, Part, Report, other_orders, report

__all__ = ["Drawn", "Part", "Report", "other_orders", "report"]
