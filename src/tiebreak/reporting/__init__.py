"""One page, from what results say: HTML, Markdown and JSON.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak.reporting.building import by_other_rules, demo, other_orders, report
from tiebreak.reporting.result import Drawn, Report

__all__ = ["Drawn", "Report", "by_other_rules", "demo", "other_orders", "report"]
