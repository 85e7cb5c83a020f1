"""What a run tells while it is under way: how far it is, what runs now, when it will be through."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from tiebreak.caveats import Caveat, Caveats, codes_of
from tiebreak.documents import Row, Shown
from tiebreak.errors import quoted
from tiebreak.stores.records import FAILED
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.lab.under_way import UnderWay


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is: cells to do in this run, those done, the seconds since its start and since its first result.

    `estimate` is the time to go by what each algorithm was measured to take, in this run and before it; `budget_left`
    is the rest of a budget by the clock. `current` are the cells that run now, longest first, in the events "tick" and
    "dataset" of a run.

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
        estimate = self.estimate
        if estimate is None and self.done >= _FIRST and self.rate > 0:
            estimate = (self.total - self.done) / self.rate
        return (
            estimate if self.budget_left is None else min(self.budget_left, math.inf if estimate is None else estimate)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the progress as plain data."""
        options = {name: getattr(self, name) for name in ("total", "done", "failed", "seconds")}
        return options | {"eta": self.remaining}


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
        options: dict[str, Any] = {"event": self.kind}
        options |= {} if self.cell is None else {"cell": self.cell.to_dict()}
        options |= {name: getattr(self, name) for name in ("status", "dataset") if getattr(self, name)}
        if self.kind == "tick":
            options["running"] = [cell_now.to_dict() for cell_now in now.current]
        return options | {"progress": now.to_dict()}


# ---- what a run did, and how its plan stands in the store after it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RunSummary(Shown):
    """What a run did: `ran` cells now, and how the cells of the plan stand in the store after it.

    `failures` counts the failed cells by data set, algorithm and status, with the first reason of each. `complete` are
    the data sets that every algorithm has finished, `budget` is what the run was allowed, and `ended` says why it ended
    before its plan: "ctrl-c", "budget", or nothing.
    """

    plan: str
    store: str
    ran: int
    cells: int
    counts: Mapping[str, int]
    failures: tuple[Row, ...]
    seconds: float
    interrupted: bool = False
    kind: str = "classes"
    caveats: Caveats = ()
    complete: tuple[str, ...] = ()
    budget: str = ""
    ended: str = ""

    @property
    def left(self) -> int:
        """How many cells of the plan have not been run to their end."""
        return self.counts["waiting"] + self.counts["running"]

    @property
    def exit_code(self) -> int:
        """0 where nothing is left to do, 130 after Ctrl-C, 3 where work is left."""
        if self.interrupted:
            return 130
        return 3 if self.left else 0

    def title(self) -> str:
        """Say in one line what was done."""
        if self.interrupted:
            return (
                f"{self.plan}: stopped after {self.ran} cell(s); what is finished is in {self.store}."
                " Run the same command to go on"
            )
        if self.ended == "budget":
            return (
                f"{self.plan}: the budget of {self.budget} is used up after {self.ran} cell(s); what is finished is in"
                f" {self.store}. Run the same command to go on"
            )
        left = self.left
        if left:
            return f"{self.plan}: {self.ran} cell(s) run; {left} of {self.cells} are left to do in {self.store}"
        if self.ran:
            return f"{self.plan}: {self.ran} cell(s) run in {self.seconds:.1f} s, stored in {self.store}"
        return f"{self.plan}: nothing to do; all {self.cells} cells are in {self.store}"

    def rows(self) -> list[Row]:
        """Return one row per status that occurs."""
        return [{"status": status, "cells": count} for status, count in self.counts.items() if count]

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain data, the content of `tiebreak run --json`."""
        options = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "frame_kind"}
        lists: dict[str, Any] = {
            "failures": list(self.failures),
            "caveats": list(self.caveats),
            "complete": list(self.complete),
        }
        return options | lists | {"caveat_codes": codes_of(self.caveats)}


def summary_of(work: UnderWay, seconds: float, *, ended: str) -> RunSummary:
    """Sum up a run; cells still open after an undisturbed one can only be in the hands of another runner."""
    ready, store, digest = work.ready, work.store, work.ready.plan.digest()
    counts = store.counts(plan=digest)
    left = counts["waiting"] + counts["running"]
    bad = [status for status in FAILED if counts[status]]
    notes = [*ready.caveats]
    if left:
        work.recount()
    complete = work.complete() if left or ready.shard != (1, 1) else tuple(item.name for item in ready.data.values())
    if left and ended == "budget":
        notes.append(_budget_over(work, left, complete))
    elif left and not ended:
        text = f"{left} cell(s) of the plan are left, in the hands of another runner that finishes none. Run the same"
        text += " command again when it is done or dead."
        notes.append(Caveat("other-runner", text))
    if bad:
        text = f"Failed cells are kept as they are; to run them again: {option(retry=bad)}"
        notes.append(Caveat("failed-cells-kept", text))
    return RunSummary(
        plan=ready.plan.name,
        store=store.shown,
        ran=work.done,
        cells=sum(counts.values()),
        counts=counts,
        failures=tuple(store.failures(plan=digest)) if bad else (),
        seconds=seconds,
        interrupted=ended == "ctrl-c",
        kind=ready.kind,
        caveats=tuple(notes),
        complete=complete,
        budget="" if work.budget is None else str(work.budget),
        ended=ended if left else "",
    )


def _budget_over(work: UnderWay, left: int, complete: tuple[str, ...]) -> Caveat:
    """Say what can be compared already, and what was cut."""
    names, algorithms = work.ready.data, len(work.ready.specs)
    text = f"The budget ended the run before its plan: {left} cell(s) are left. "
    if complete:
        text += f"{len(complete)} of {len(names)} data sets are complete for all {algorithms} algorithms"
        text += f" ({quoted(complete)}); comparisons use these and leave out the others."
    else:
        text += f"None of {len(names)} data sets is complete for all {algorithms} algorithms yet."
    if work.cut:
        text += f" {work.cut} cell(s) still ran {work.budget.grace if work.budget else 0:g} s later; they were stopped"
        text += " and will run again."
    if not work.done:
        text += " No cell ended within the budget: give it more time."
    return Caveat("budget-over", text)
