"""The lab: a plan becomes a table of results, fair, timed, complete and resumable.

The way of a cell: `plans` reads a plan, `prepared` checks it and enters its cells into a store, `driver` claims them
and hands them, packed into tasks, to one of the `engines`, which run them in the helpers and children of `processes`.
In a child `one_cell` fits the learner that `algorithms` builds, on the rows that `splits` dealt; `warm_up` prepares
for it and times it.

Where to look: a new learner is an entry in `algorithms/learners.py`; a new engine has the method `stream` of
`tasks.Engine` and a name in `engines.py`; a child is watched, and killed, in `processes/task_supervisor.py`.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.lab.driver import dry_run as dry_run, run as run
    from tiebreak.lab.estimators import compare_estimators as compare_estimators, run_estimators as run_estimators
    from tiebreak.lab.fitting import fit_learner as fit_learner
    from tiebreak.lab.plans import Plan as Plan, read_plan as read_plan
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "plans": "Plan read_plan",
            "driver": "dry_run run",
            "estimators": "compare_estimators run_estimators",
            "fitting": "fit_learner",
        },
    )
