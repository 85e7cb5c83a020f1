"""The lab: a plan becomes a table of results, fair, timed, complete and resumable."""

from __future__ import annotations

from tiebreak._lazy import lazy_names

_HOMES = {
    "Limits": "tiebreak.lab.tasks",
    "Plan": "tiebreak.lab.plans",
    "Prepared": "tiebreak.lab.preparing",
    "Progress": "tiebreak.lab.running",
    "Resampling": "tiebreak.lab.tasks",
    "RunSummary": "tiebreak.lab.running",
    "catalogue": "tiebreak.lab.algorithms",
    "dry_run": "tiebreak.lab.running",
    "prepare": "tiebreak.lab.preparing",
    "read_plan": "tiebreak.lab.plans",
    "run": "tiebreak.lab.running",
    "split": "tiebreak.lab.splits",
}
__all__ = sorted(_HOMES)
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
