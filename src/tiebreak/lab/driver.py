"""From a plan to a full store: what is missing is run, stored as it finishes, and counted."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak._checks import check_choice, check_choices
from tiebreak.budgets import Budget, budget_from
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.lab.early_stopping import UNTIL
from tiebreak.lab.plans import Plan, plan_from, read_plan
from tiebreak.lab.prepared import Prepared, check_plan, enter, standing
from tiebreak.lab.progress import Event, Progress, RunSummary, summary_of
from tiebreak.lab.tasks import Engine
from tiebreak.lab.under_way import BudgetOver, UnderWay
from tiebreak.lab.work_order import SETS, Storing, WorkOrder, ctrl_c_struck, ctrl_c_waits
from tiebreak.results.roles import one_name
from tiebreak.stores.errors import PATIENCE
from tiebreak.stores.records import FAILED
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.stores import Store
    from tiebreak.stores.claims import Runner

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
    sets: str | None = None,
    until: str | None = None,
    score: str | None = None,
    alpha: float = 0.05,
    scores: str | None = None,
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
        seconds); loading the data does not count. Cells then run data set by data set over all algorithms, so that
        what is finished can be compared. When it is used up no cell begins; those that run have a tenth of it, 1 s to
        60 s, to finish, and are not stored otherwise.
    sets : {"listed", "random"}, optional
        The order of the data sets: as in the plan, or drawn by its seed. By default random with a
        budget, so that the finished ones are a fair sample, else as listed.
    until : {"settled", "best"}, optional
        Stop running an algorithm as soon as its place is settled, "best": as soon as another is better, by tests that
        may be looked at after every data set (`tiebreak.stats.anytime_test`). Data sets are taken in random order.
    score : str, optional
        What the algorithms are judged by in the standing that events tell, and for `until`; by default "error", or
        "rmse" where that is measured. `scores` is the same.
    alpha : float, default 0.05
        The probability of any false difference by `until`, over all pairs and all looks.

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
    from tiebreak.stores import open_store

    again = [retry] if isinstance(retry, str) else list(retry)
    check_choices("status to retry", again, FAILED)
    allowed = budget_from(budget)
    sets = _order_of_sets(sets, until, allowed)
    if shard is not None and until is not None:
        raise OptionError(
            f"A shard was to be run until {until!r}.",
            why="What is settled follows from all algorithms on a data set, and a shard has a part of each.",
            mend=f"Leave {option('until')} or {option('shard')} out.",
        )
    machine = engine_from(engine, jobs) if isinstance(engine, str) else engine
    checked = check_plan(as_plan(plan), shard=shard)
    options: dict[str, Any] = {
        "progress": progress,
        "events": events,
        "score": one_name(score, scores),
        "budget": allowed,
    }
    with open_store(store) as opened:
        with opened.runner() as runner:
            ready = enter(checked, opened, mix_versions=mix_versions)
            if again:
                opened.retry(again, plan=ready.plan.digest())
            opened.note_stopped({}, plan=ready.plan.digest())  # what this run stops it will say itself
            started, opened.patience, opened.give_up = time.perf_counter(), PATIENCE, ctrl_c_struck
            work = _work(ready, opened, **options)
            order = _order(work, runner, machine, sets)
            if until is not None:
                work.go_on_until(until, [work.rows[mark] for mark in order.order()], alpha)
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
    from tiebreak.stores import open_store
    from tiebreak.stores.errors import NoStore

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


def _work(ready: Prepared, store: Store, **options: Any) -> UnderWay:
    """Open the accounts of a run."""
    counts = store.counts(plan=ready.plan.digest())
    return UnderWay(ready, store, counts["waiting"] + counts["running"], **options)


def _order(work: UnderWay, runner: Runner, machine: Engine, sets: str | None) -> WorkOrder:
    """An engine of somebody else need not say how many cells it runs at a time."""
    shrinking = getattr(machine, "shrinking", False)
    return WorkOrder(work, runner, width=lambda: getattr(machine, "jobs", None) or 8, sets=sets, shrinking=shrinking)


def _order_of_sets(sets: str | None, until: str | None, budget: Budget | None) -> str | None:
    """Whoever may end early takes a random sample of the data sets, unless told otherwise."""
    if until is not None:
        check_choice("until", until, UNTIL)
        if sets not in (None, "random"):
            raise OptionError(
                f"The data sets were to be taken in the order {sets!r}, until {until!r}.",
                why="Early decisions are valid only if data sets come in random order.",
                mend=f"Leave {option('sets')} out, or use {option(sets='random')}.",
            )
    if sets is None:
        return None if until is None and budget is None else "random"
    return check_choice("order of data sets", sets, SETS)


def _run_missing(work: UnderWay, order: WorkOrder, machine: Engine) -> str:
    """Run what waits, and what other runners leave behind; returns what ended the run early, if anything did.

    The last runner of a plan does not leave before the others: their cells become its own when they die.
    """
    if not work.total:
        return "" if work.until is None else "settled"
    while True:
        ended = _stream_waiting(work, order, machine)
        if ended or (work.until is not None and work.until.over):
            break
        try:
            if not _wait_for_others(work, order):
                break
        except KeyboardInterrupt:
            return "ctrl-c"
        except BudgetOver:
            return "budget"
    return ended or ("" if work.until is None else "settled")


def _wait_for_others(work: UnderWay, order: WorkOrder) -> int:
    """Wait until cells can be claimed or nobody runs any; gives up on runners that finish nothing for long."""
    before, since, true = -1, time.monotonic(), False
    while True:
        waiting, others = order.open_cells()
        if waiting or not others:
            return waiting
        if others != before:
            before, since = others, time.monotonic()
        if time.monotonic() - since > PATIENCE:
            return 0
        if not true:
            _log.warning("%d cell(s) are being run by another runner; waiting for them.", others)
            true = True
        time.sleep(WAIT)
        work.tick()


def _stream_waiting(work: UnderWay, order: WorkOrder, machine: Engine) -> str:
    """Stream the waiting cells through the engine."""
    outcomes, storing = (
        machine.stream(order.tasks(), work.ready.data),
        Storing(order.runner, work.finished, clock=work.clock),
    )
    work.look, work.store_all, work.begin = storing.look, storing.flush, order.runner.begin
    watched = hasattr(machine, "watch")  # an engine of somebody else need not tell what begins
    if watched:
        machine.watch = work  # type: ignore[attr-defined]
    try:
        for outcome in outcomes:
            storing.add(outcome)
            work.tell()
        storing.flush()
        work.tell()
    except KeyboardInterrupt:
        work.store.patience = 0.0  # whoever wants to end it does not want to wait for a database either
        return "ctrl-c"
    except BudgetOver:
        return "budget"
    finally:
        with ctrl_c_waits():
            storing.flush()
            getattr(outcomes, "close", lambda: None)()  # of a generator; another engine's iterator need not have one
            if watched:
                machine.watch = None  # type: ignore[attr-defined]
    return "budget" if work.used_up() else ""
