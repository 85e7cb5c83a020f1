"""The lab: a plan becomes a table of results, fair, timed, complete and resumable.

The way of a cell: `plans` reads a plan, `prepared` checks it and enters its cells into a store, `driver` claims them
and hands them, packed into tasks, to one of the `engines`, which run them in the helpers and children of `processes`.
In a child `one_cell` fits the learner that `algorithms` builds, on the rows that `splits` dealt; `warm_up` prepares
for it and times it.

Where to look: a new learner is an entry in `algorithms/learners.py`; a new engine has the method `stream` of
`tasks.Engine` and a name in `engines.py`; a child is watched, and killed, in `processes/task_supervisor.py`.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
