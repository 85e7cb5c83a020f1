"""From a plan to a full store: what is missing is run, stored as it finishes, and counted."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak._checks import check_choices
from tiebreak.caveats import Caveat, Caveats, codes_of
from tiebreak.documents import Row, Shown
from tiebreak.errors import OptionError
from tiebreak.lab.plans import Plan, plan_from, read_plan
from tiebreak.lab.prepared import Prepared, check_plan, enter, standing
from tiebreak.lab.tasks import Cell, Engine, Task
from tiebreak.store.records import FAILED

if TYPE_CHECKING:
    from tiebreak.store import ClaimedCell, Runner, Store

MOST_TOGETHER = 10
"""So many cells of one data set and algorithm share a child at the most."""
_FIRST = 5
"""So many cells must be done before the remaining time is estimated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is: cells to do in this run, those done, the seconds since its start and since its first result.

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

    @property
    def rate(self) -> float:
        """Cells per second since the first result, so that starting up does not count."""
        return (self.done - 1) / self.running if self.running > 0 else 0.0

    @property
    def remaining(self) -> float | None:
        """Seconds to go at this rate; None before the first few cells are done."""
        return (self.total - self.done) / self.rate if self.done >= _FIRST and self.rate > 0 else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RunSummary(Shown):
    """What a run did: `ran` cells now, and how the cells of the plan stand in the store after it.

    `failures` counts the failed cells by data set, algorithm and status, with the first reason of each.
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

    def title(self) -> str:
        """Say in one line what was done."""
        if self.interrupted:
            return (
                f"{self.plan}: stopped after {self.ran} cell(s); what is finished is in {self.store}."
                " Run the same command to go on"
            )
        if self.ran:
            return f"{self.plan}: {self.ran} cell(s) run in {self.seconds:.1f} s, stored in {self.store}"
        if self.counts["waiting"] + self.counts["running"]:
            return f"{self.plan}: nothing to do here; another runner has the rest of {self.store}"
        return f"{self.plan}: nothing to do; all {self.cells} cells are in {self.store}"

    def rows(self) -> list[Row]:
        """Return one row per status that occurs."""
        return [{"status": status, "cells": count} for status, count in self.counts.items() if count]

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain data, the content of `tiebreak run --json`."""
        told = {each.name: getattr(self, each.name) for each in fields(self)}
        lists = {"failures": list(self.failures), "caveats": list(self.caveats)}
        return told | lists | {"caveat_codes": codes_of(self.caveats)}


def run(
    plan: Plan | Mapping[str, Any] | str | Path,
    *,
    store: str | Path = "results.db",
    engine: str | Engine = "local",
    jobs: int | None = None,
    retry: Sequence[str] = (),
    progress: Callable[[Progress], None] | None = None,
) -> RunSummary:
    """Run what a plan names and a store lacks; the same call again runs only what is missing.

    Every cell (data set x algorithm x replication x fold) runs in a child process and is stored when it finishes, with
    its scores and costs or with the reason why it failed. All algorithms see the same splits; scores depend on the
    seed alone, not on jobs, engine or order. Ctrl-C ends the run early: what is finished is kept.

    Parameters
    ----------
    plan : Plan, mapping, str or Path
        A plan, its content, or the path of a TOML file.
    store : str or Path, default "results.db"
        A SQLite file or a URL; see `tiebreak.store.open_store`. A SQLite store has one runner at a time; any number of
        runners may share the work of a plan through one PostgreSQL store.
    engine : str or Engine, default "local"
        "local", or "dask://HOST:PORT" for a Dask cluster.
    jobs : int, optional
        How many cells run at a time on this machine; by default one per core.
    retry : sequence of str
        Statuses (error, timeout, memory, crash) whose cells are run again.
    progress : callable, optional
        Called with a `Progress` after every finished cell.

    Returns
    -------
    RunSummary

    Examples
    --------
    >>> import tempfile
    >>> plan = Plan.of(datasets=["builtin:monks1"], algorithms=["nb", "5nn"], resampling="1x2cv")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first = run(plan, store=Path(folder) / "results.db", jobs=1)
    ...     again = run(plan, store=Path(folder) / "results.db", jobs=1)
    >>> first.ran, dict(first.counts)["ok"], again.ran
    (4, 4, 0)
    """
    from tiebreak.lab.engines import engine_from
    from tiebreak.store import open_store

    again = [retry] if isinstance(retry, str) else list(retry)
    check_choices("status to retry", again, FAILED)
    machine = engine_from(engine, jobs) if isinstance(engine, str) else engine
    checked = check_plan(as_plan(plan))
    with open_store(store) as opened:
        with opened.runner() as runner:
            ready = enter(checked, opened)
            if again:
                opened.retry(again, plan=ready.plan.digest())
            started = time.perf_counter()
            ran, stopped = _run_missing(ready, opened, runner, machine, progress)
        return _summary(ready, opened, ran, time.perf_counter() - started, stopped=stopped)


def dry_run(plan: Plan | Mapping[str, Any] | str | Path, *, store: str | Path = "results.db") -> Prepared:
    """Check a plan whole and count what is left to run, without writing to the store or making one.

    Examples
    --------
    >>> plan = {"datasets": ["builtin:monks1"], "algorithms": ["nb", "5nn"], "name": "small"}
    >>> dry_run(plan, store="nowhere.db").title()
    'small: 1 data set x 2 algorithms x 5 replications of 2 folds = 20 cells: 0 done, 0 failed, 20 to run'
    """
    from tiebreak.store import NoStore, open_store

    ready = check_plan(as_plan(plan))
    try:
        with open_store(store, create=False) as opened:
            return standing(ready, opened)
    except NoStore:
        return ready


def as_plan(plan: Plan | Mapping[str, Any] | str | Path) -> Plan:
    """Return a plan from whatever names one."""
    if isinstance(plan, Plan):
        return plan
    if isinstance(plan, Mapping):
        return plan_from(plan)
    if isinstance(plan, str | Path):
        return read_plan(plan)
    raise OptionError(
        f"The plan is {plan!r}.",
        why="A plan is a Plan, a mapping, or the path of a TOML file.",
        mend='Use run({"datasets": ["builtin:*"], "algorithms": ["c45", "5nn"]}).',
    )


def _run_missing(
    ready: Prepared, store: Store, runner: Runner, machine: Engine, progress: Callable[[Progress], None] | None
) -> tuple[int, bool]:
    """Stream the waiting cells through the engine; returns how many ended, and whether Ctrl-C stopped it."""
    counts = store.counts(plan=ready.plan.digest())
    total = counts["waiting"] + counts["running"]
    if not total:
        return 0, False
    width = getattr(machine, "jobs", None) or 8
    done = failed = 0
    started = time.perf_counter()
    first = 0.0
    outcomes = machine.stream(_tasks(ready, runner, total, width), ready.data)
    try:
        for outcome in outcomes:
            with ctrl_c_waits():
                store.finish([outcome])
                done, failed = done + 1, failed + (outcome.status != "ok")
            now = time.perf_counter()
            first = first or now
            if progress is not None:
                spans = {"seconds": now - started, "running": now - first}
                progress(Progress(total=max(total, done), done=done, failed=failed, **spans))
    except KeyboardInterrupt:
        return done, True
    finally:
        with ctrl_c_waits():
            getattr(outcomes, "close", lambda: None)()  # of a generator; another engine's iterator need not have one
    return done, False


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Hold Ctrl-C back until the block is through: struck inside a transaction, it can leave the database locked."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread only
        return
    struck: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: struck.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if struck:
            signal.raise_signal(signal.SIGINT)


def _tasks(ready: Prepared, runner: Runner, total: int, width: int) -> Iterator[Task]:
    """Claim cells a few at a time and pack those of one data set and algorithm together."""
    together = max(1, min(MOST_TOGETHER, total // (8 * width)))  # small enough that the last tasks end side by side
    digest = ready.plan.digest()
    while True:
        with ctrl_c_waits():
            claimed = runner.claim(2 * width * together, plan=digest)
        if not claimed:
            return
        groups: dict[tuple[str, str], list[ClaimedCell]] = {}
        for cell in claimed:
            groups.setdefault((cell.dataset, cell.algorithm), []).append(cell)
        for (mark, algorithm), cells in groups.items():
            for start in range(0, len(cells), together):
                yield _task(ready, mark, algorithm, cells[start : start + together])


def _task(ready: Prepared, mark: str, algorithm: str, cells: Sequence[ClaimedCell]) -> Task:
    return Task(
        data=mark,
        algorithm=ready.specs[algorithm],
        resampling=ready.plan.resampling,
        seed=ready.plan.seed,
        cells=tuple(Cell(id=cell.id, replication=int(cell.replication), fold=int(cell.fold)) for cell in cells),
        limits=ready.plan.limits,
    )


def _summary(ready: Prepared, store: Store, ran: int, seconds: float, *, stopped: bool) -> RunSummary:
    """Cells still waiting or running after an undisturbed run can only be in the hands of another runner."""
    counts = store.counts(plan=ready.plan.digest())
    left = counts["waiting"] + counts["running"]
    bad = [status for status in FAILED if counts[status]]
    notes = list(ready.caveats)
    if left and not stopped:
        text = f"{left} cell(s) are being run by another runner; if it dies, run the same command again."
        notes.append(Caveat("other-runner", text))
    if bad:
        text = f"Failed cells are kept as they are; to run them again: --retry {' --retry '.join(bad)}"
        notes.append(Caveat("failed-cells-kept", text))
    return RunSummary(
        plan=ready.plan.name,
        store=store.shown,
        ran=ran,
        cells=sum(counts.values()),
        counts=counts,
        failures=tuple(store.failures(plan=ready.plan.digest())) if bad else (),
        seconds=seconds,
        interrupted=stopped,
        kind=ready.kind,
        caveats=tuple(notes),
    )
