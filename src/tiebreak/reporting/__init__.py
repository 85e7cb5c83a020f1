"""One page, from what results say: HTML, Markdown and JSON.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak.reporting._asking import by_other_rules, demo, other_orders, report
from tiebreak.reporting._parts import Drawn
from tiebreak.reporting._report import Report

__all__ = ["Drawn", "Report", "by_other_rules", "demo", "other_orders", "report"]
