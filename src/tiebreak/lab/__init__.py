"""The lab: a plan becomes a table of results, fair, timed, complete and resumable."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.lab.algorithms import catalogue as catalogue
    from tiebreak.lab.plans import Plan as Plan, read_plan as read_plan
    from tiebreak.lab.preparing import Prepared as Prepared, prepare as prepare
    from tiebreak.lab.running import Progress as Progress, RunSummary as RunSummary, dry_run as dry_run, run as run
    from tiebreak.lab.splits import split as split
    from tiebreak.lab.tasks import Limits as Limits, Resampling as Resampling
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "algorithms": "catalogue",
            "plans": "Plan read_plan",
            "preparing": "Prepared prepare",
            "running": "Progress RunSummary dry_run run",
            "splits": "split",
            "tasks": "Limits Resampling",
        },
    )
