"""What past results say about new data: neighbours, rankings, a pilot, and what advice is expected to lose.

How neighbours are found: `neighbours`. How algorithms are ranked on them: `rankings`. What following advice is expected
to lose, and which recipe to follow: `worth`, `judging`. How long algorithms will take: `times`; what to try within a
budget: `budget_plan`. A few fits on the data themselves, and a run in the lab: `pilot`. How far rankings agree with the
ideal ones: `leave_one_out`, `agreement`, `top_n`.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
