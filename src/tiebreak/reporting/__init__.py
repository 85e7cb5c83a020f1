"""One page, from what results say: HTML, Markdown, LaTeX and JSON."""

from tiebreak.reporting._asking import by_other_rules, other_orders, report
from tiebreak.reporting._parts import Drawn
from tiebreak.reporting._report import Report

__all__ = ["Drawn", "Report", "by_other_rules", "other_orders", "report"]
