"""What a run did, and how its plan stands in the store after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import Caveat, Caveats, codes_of
from tiebreak.documents import Row, Shown
from tiebreak.errors import quoted
from tiebreak.store.records import FAILED
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.lab.early_stopping import Settled
    from tiebreak.lab.under_way import UnderWay


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RunSummary(Shown):
    """What a run did: `ran` cells now, and how the cells of the plan stand in the store after it.

    `failures` counts the failed cells by data set, algorithm and status, with the first reason of each. `complete` are
    the data sets that every algorithm has finished, `budget` is what the run was allowed, and `ended` says why it ended
    before its plan: "ctrl-c", "budget", "settled", or nothing. `settled` is what was settled, where that was asked for.
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
    settled: Settled | None = None

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
        left = self.counts["waiting"] + self.counts["running"]
        if self.settled is not None and self.ended == "settled":
            return (
                f"{self.plan}: {self.ran} cell(s) run in {self.seconds:.1f} s, stored in {self.store}; {left} of"
                f" {self.cells} cells ({left / self.cells:.0%}) need not be run: {self.settled.title()}"
            )
        if self.ran:
            return f"{self.plan}: {self.ran} cell(s) run in {self.seconds:.1f} s, stored in {self.store}"
        if left:
            return f"{self.plan}: nothing to do here; another runner has the rest of {self.store}"
        return f"{self.plan}: nothing to do; all {self.cells} cells are in {self.store}"

    def rows(self) -> list[Row]:
        """Return one row per status that occurs."""
        return [{"status": status, "cells": count} for status, count in self.counts.items() if count]

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain data, the content of `tiebreak run --json`."""
        told = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "frame_kind"}
        lists: dict[str, Any] = {
            "failures": list(self.failures),
            "caveats": list(self.caveats),
            "complete": list(self.complete),
        }
        lists["settled"] = None if self.settled is None else self.settled.to_dict()
        return told | lists | {"caveat_codes": codes_of(self.caveats)}


def summary_of(work: UnderWay, seconds: float, *, ended: str) -> RunSummary:
    """Sum up a run; cells still open after an undisturbed one can only be in the hands of another runner."""
    ready, store, digest = work.ready, work.store, work.ready.plan.digest()
    counts = store.counts(plan=digest)
    left = counts["waiting"] + counts["running"]
    settled = None if work.until is None else work.until.found()
    bad = [status for status in FAILED if counts[status]]
    notes = [*ready.caveats, *(() if settled is None else settled.caveats)]
    if left:
        work.recount()
    whole = work.tally.complete()
    complete = tuple(name for row, name in enumerate(work.tally.datasets) if whole[row] or not left)
    if left and ended == "budget":
        notes.append(_budget_over(work, left, complete))
    elif left and not ended:
        text = f"{left} cell(s) are being run by another runner; if it dies, run the same command again."
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
        settled=settled,
    )


def _budget_over(work: UnderWay, left: int, complete: tuple[str, ...]) -> Caveat:
    """Say what can be compared already, and what was cut."""
    names, algorithms = work.tally.datasets, len(work.tally.algorithms)
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
