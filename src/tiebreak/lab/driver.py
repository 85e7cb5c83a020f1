"""From a plan to a full store: what is missing is run, stored as it finishes, and counted."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tiebreak._checks import check_choices
from tiebreak.budgets import Budget, budget_from
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.lab.engines import engine_from
from tiebreak.lab.plans import Plan, plan_from, read_plan
from tiebreak.lab.prepared import Prepared, check_plan, enter, standing
from tiebreak.lab.progress import Event, Progress, RunSummary, summary_of
from tiebreak.lab.tasks import Engine
from tiebreak.lab.under_way import BudgetOver, UnderWay, ctrl_c_struck, ctrl_c_waits
from tiebreak.lab.work_order import WorkOrder
from tiebreak.stores import open_store
from tiebreak.stores.errors import PATIENCE, NoStore
from tiebreak.stores.records import FAILED

__all__ = ["Progress", "RunSummary", "as_plan", "dry_run", "run"]

WAIT = 0.5
"""Seconds between two looks at the cells of other runners."""
_log = logging.getLogger("tiebreak.lab")


@as_came_in
def run(
    plan: Plan | Mapping[str, Any] | str | Path,
    *,
    store: str | Path = "results.db",
    engine: str | Engine = "local",
    jobs: int | None = None,
    shard: str | None = None,
    retry: Sequence[str] = (),
    mix_versions: bool = False,
    progress: Callable[[Progress], None] | None = None,
    events: Callable[[Event], None] | None = None,
    budget: Budget | str | float | None = None,
) -> RunSummary:
    """Run what a plan names and a store lacks; the same call again runs only what is missing.

    Every cell (data set x algorithm x replication x fold) runs in a child process and is stored when it finishes, with
    its scores and costs or with the reason why it failed. All algorithms see the same splits; scores depend on the
    seed alone, not on jobs, engine or order. Ctrl-C ends the run early: what is finished is kept. A database that goes
    away while cells run is waited for, up to ten minutes. Where other runners share the plan, the run ends when all of
    its cells are done: the cells of runners that die are taken over, and those that live are waited for as long as
    they finish a cell every ten minutes.

    Parameters
    ----------
    plan : Plan, mapping, str or Path
        A plan, its content, or the path of a TOML file.
    store : str or Path, default "results.db"
        A SQLite file or a URL; see `tiebreak.stores.open_store`. A SQLite store has one runner at a time; any number of
        runners may share the work of a plan through one PostgreSQL store.
    engine : str or Engine, default "local"
        "local", or "dask://HOST:PORT" for a Dask cluster.
    jobs : int, optional
        How many cells run at a time on this machine; by default one per core.
    shard : str, optional
        "2/8" runs the second of eight equal parts of the plan, for machines that share nothing, each with a store of
        its own; `Store.import_store` puts the stores together, in any order, as one run would have filled them.
    retry : sequence of str
        Statuses (error, timeout, memory, crash, killed) whose cells are run again.
    mix_versions : bool, default False
        Run on although cells of these data sets were run with other versions of the libraries; comparisons say so.
    progress : callable, optional
        Called with a `Progress` after every finished cell.
    events : callable, optional
        Called with an `Event` whenever a cell starts or finishes, a data set is complete, and about twice a second.
    budget : str, float or Budget, optional
        The most the cells may take, "30min" by the clock or "30min-cpu" of CPU time (units s, min, h; a number is
        seconds); loading the data does not count. Cells then run data set by data set over all algorithms, the data
        sets in random order, so that what is finished is a fair sample and can be compared. When it is used up no cell
        begins; those that run have a tenth of it, 1 s to 60 s, to finish, and are not stored otherwise.

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
    again = [retry] if isinstance(retry, str) else list(retry)
    check_choices("status to retry", again, FAILED)
    allowed = budget_from(budget)
    machine = engine_from(engine, jobs) if isinstance(engine, str) else engine
    checked = check_plan(as_plan(plan), shard=shard)
    with open_store(store) as opened:
        with opened.runner() as runner:
            ready = enter(checked, opened, mix_versions=mix_versions)
            if again:
                opened.retry(again, plan=ready.plan.digest())
            started, opened.patience, opened.give_up = time.perf_counter(), PATIENCE, ctrl_c_struck
            counts = opened.counts(plan=ready.plan.digest())
            total = counts["waiting"] + counts["running"]
            work = UnderWay(ready, runner, total, progress=progress, events=events, budget=allowed)
            # An engine of somebody else need not say how many cells it runs at a time.
            order = WorkOrder(work, width=lambda: getattr(machine, "jobs", None) or 8)
            ended = _run_missing(work, order, machine)
        opened.checkpoint()
        return summary_of(work, time.perf_counter() - started, ended=ended)


@as_came_in
def dry_run(
    plan: Plan | Mapping[str, Any] | str | Path,
    *,
    store: str | Path = "results.db",
    mix_versions: bool = False,
    shard: str | None = None,
) -> Prepared:
    """Check a plan whole and count what is left to run, without writing to the store or making one.

    Nothing is imported that a plan names by path: learners of others are checked when they are run.

    Examples
    --------
    >>> plan = {"datasets": ["builtin:monks1"], "algorithms": ["nb", "5nn"], "name": "small"}
    >>> dry_run(plan, store="nowhere.db").title()
    'small: 1 data set x 2 algorithms x 5 replications of 2 folds = 20 cells: 0 done, 0 failed, 20 to run'
    """
    ready = check_plan(as_plan(plan, imports=False), shard=shard, imports=False)
    try:
        with open_store(store, create=False) as opened:
            return standing(ready, opened, mix_versions=mix_versions)
    except NoStore:
        return ready


def as_plan(plan: Plan | Mapping[str, Any] | str | Path, *, imports: bool = True) -> Plan:
    """Return a plan from whatever names one."""
    if isinstance(plan, Plan):
        return plan
    if isinstance(plan, Mapping):
        return plan_from(plan, imports=imports)
    if isinstance(plan, str | Path):
        return read_plan(plan, imports=imports)
    raise OptionError(
        f"The plan is {plan!r}.",
        why="A plan is a Plan, a mapping, or the path of a TOML file.",
        mend='Use run({"datasets": ["builtin:*"], "algorithms": ["c45", "5nn"]}).',
    )


def _run_missing(work: UnderWay, order: WorkOrder, machine: Engine) -> str:
    """Run what waits, and what other runners leave behind; returns what ended the run early, if anything did.

    The last runner of a plan does not leave before the others: their cells become its own when they die.
    """
    left = work.total
    try:
        while left:
            _stream_waiting(work, order, machine)
            if work.used_up():
                return "budget"
            left = _wait_for_others(work, order)
    except KeyboardInterrupt:
        return "ctrl-c"
    except BudgetOver:
        return "budget"
    return ""


def _wait_for_others(work: UnderWay, order: WorkOrder) -> int:
    """Wait until cells can be claimed or nobody runs any; gives up on runners that finish nothing for long."""
    before, since = -1, time.monotonic()
    while True:
        waiting, others = work.runner.open_cells(plan=order.digest)
        if waiting or not others:
            return waiting
        if before < 0:
            _log.warning("%d cell(s) are being run by another runner; waiting for them.", others)
        if others != before:
            before, since = others, time.monotonic()
        if time.monotonic() - since > PATIENCE:
            return 0
        time.sleep(WAIT)
        work.tick()


def _stream_waiting(work: UnderWay, order: WorkOrder, machine: Engine) -> None:
    """Stream the waiting cells through the engine; one of somebody else need not tell what begins, nor be closed."""
    outcomes = machine.stream(order.tasks(), work.ready.data)
    if hasattr(machine, "watch"):
        machine.watch = work
    try:
        for outcome in outcomes:
            work.add(outcome)
    except KeyboardInterrupt:
        work.store.patience = 0.0  # whoever wants to end it does not want to wait for a database either
        raise
    finally:
        with ctrl_c_waits():
            work.flush()
            getattr(outcomes, "close", lambda: None)()
            if hasattr(machine, "watch"):
                machine.watch = None
    work.tell()
