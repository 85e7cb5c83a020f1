"""What a run tells while it is under way: how far it is, what runs now, when it will be through, who leads."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from tiebreak.documents import Framed, Row

_FIRST = 5
"""So many cells must be done before the remaining time is estimated from their rate alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellNow:
    """A cell that runs now, and for how many seconds it has."""

    dataset: str
    algorithm: str
    replication: int
    fold: int
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the cell as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Place(Framed):
    """One algorithm in the standing: the means of its ranks and of its scores over the complete data sets."""

    algorithm: str
    mean_rank: float
    mean_score: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Standing(Framed):
    """How algorithms stand on the data sets that all of them have finished, best first; nothing is tested here.

    `complete` of `datasets` data sets are behind it.
    """

    score: str
    complete: int
    datasets: int
    places: tuple[Place, ...]

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first."""
        return [row for each in self.places for row in each.rows()]

    def to_dict(self) -> dict[str, Any]:
        """Return the standing as plain data."""
        places = [{name: getattr(each, name) for name in each.__slots__} for each in self.places]
        return {"score": self.score, "complete": self.complete, "datasets": self.datasets, "places": places}


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is: cells to do in this run, those done, the seconds since its start and since its first result.

    `estimate` is the time to go by what each algorithm was measured to take, in this run and before it; `budget_left`
    is the rest of a budget by the clock. `current` are the cells that run now, longest first, and `standing` is who
    leads so far: both are told by the events "tick" and "dataset" of a run.

    Examples
    --------
    >>> now = Progress(total=100, done=21, failed=1, seconds=12.0, running=10.0)
    >>> now.rate, now.remaining
    (2.0, 39.5)
    """

    total: int
    done: int
    failed: int
    seconds: float
    running: float = 0.0
    estimate: float | None = None
    current: tuple[CellNow, ...] = ()
    standing: Standing | None = None
    budget_left: float | None = None

    @property
    def rate(self) -> float:
        """Cells per second since the first result, so that starting up does not count."""
        return (self.done - 1) / self.running if self.running > 0 else 0.0

    @property
    def remaining(self) -> float | None:
        """Seconds to go: the estimate, or what the rate gives, and no more than the budget has left.

        None before the first few cells are done, unless there is a budget.
        """
        found = self.estimate
        if found is None and self.done >= _FIRST and self.rate > 0:
            found = (self.total - self.done) / self.rate
        return found if self.budget_left is None else min(self.budget_left, math.inf if found is None else found)

    def to_dict(self) -> dict[str, Any]:
        """Return the progress as plain data."""
        told = {name: getattr(self, name) for name in ("total", "done", "failed", "seconds")}
        return told | {"eta": self.remaining}


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a run, with the progress at that moment.

    `kind` is "started" or "finished" (a `cell`, then with its `status`), "dataset" (all algorithms have finished the
    data set `dataset`), or "tick" (nothing; about twice a second).
    """

    kind: Literal["started", "finished", "dataset", "tick"]
    progress: Progress
    cell: CellNow | None = None
    status: str = ""
    dataset: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the event as plain data, one JSON line of `tiebreak run --progress jsonl`."""
        now = self.progress
        told: dict[str, Any] = {"event": self.kind}
        told |= {} if self.cell is None else {"cell": self.cell.to_dict()}
        told |= {name: getattr(self, name) for name in ("status", "dataset") if getattr(self, name)}
        if self.kind == "tick":
            told["running"] = [each.to_dict() for each in now.current]
        if self.kind == "dataset" and now.standing is not None:
            told["standing"] = now.standing.to_dict()
        return told | {"progress": now.to_dict()}
