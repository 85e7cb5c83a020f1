"""The lab: a plan becomes a table of results, fair, timed, complete and resumable.

The way of a cell: `plans` reads a plan, `prepared` checks it and enters its cells into a store, `driver` claims them
and hands them, packed into tasks, to one of the `engines`, which run them in the helpers and children of `processes`.
In a child `one_cell` fits the learner that `algorithms` builds, on the rows that `splits` dealt; `_warm_up` prepares
for it and `_timing` times it.

Where to look: a new learner is an entry in `algorithms/learners.py`; a new engine has the method `stream` of
`tasks.Engine` and a name in `engines/__init__.py`; a child is watched, and killed, in `processes/task_supervisor.py`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.lab.algorithms import *
    from tiebreak.lab.budgets import *
    from tiebreak.lab.driver import *
    from tiebreak.lab.estimators import *
    from tiebreak.lab.plans import *
    from tiebreak.lab.prepared import *
    from tiebreak.lab.progress import *
    from tiebreak.lab.resampling import *
    from tiebreak.lab.run_summary import *
    from tiebreak.lab.splits import *
    from tiebreak.lab.tasks import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "algorithms": "catalogue",
            "plans": "Plan read_plan",
            "prepared": "Prepared load_data prepare",
            "budgets": "Budget",
            "progress": "CellNow Event Place Progress Standing",
            "run_summary": "RunSummary",
            "driver": "dry_run run",
            "estimators": "compare_estimators run_estimators",
            "splits": "split",
            "resampling": "Resampling",
            "tasks": "Limits",
        },
    )
