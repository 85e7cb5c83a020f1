"""Run a recommendation on the data in the lab: from the data and what is known to the answer."""

from __future__ import annotations

import time as clocks
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.advisor import Advisor, Knowledge, shipped_knowledge
from tiebreak.advisor.advisor import loaded
from tiebreak.advisor.new_data import duplicates_together
from tiebreak.advisor.pilot.fits import JudgedBy, fit_seconds, race_of
from tiebreak.advisor.pilot.loop import Bench, Loop
from tiebreak.advisor.pilot.recommend import Installed, answer_fields, installed
from tiebreak.advisor.pilot.tried_out import Trial, TriedOut, unfinished
from tiebreak.budgets import Budget, budget_from
from tiebreak.caveats import Caveat, Caveats, caveats_of, distinct
from tiebreak.datasets import DataSet
from tiebreak.datasets.references import DataReference
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError, quoted
from tiebreak.lab.engines import LocalEngine
from tiebreak.lab.progress import Event
from tiebreak.lab.resampling import Resampling
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.stores import Store


def others(exclude: str | Iterable[str], known: Knowledge, data: DataSet) -> list[str]:
    """Return what is to be left out; the data themselves are left out already."""
    names = [exclude] if isinstance(exclude, str) else [str(item) for item in exclude]
    return [name for name in names if name != data.name or name in known.datasets]


def clock_budget(time: str | float | Budget) -> Budget:
    """Read the time that trials may take; it is by the clock."""
    try:
        budget = budget_from(time)
    except OptionError:
        budget = None
    if budget is None or budget.kind == "cpu":
        raise OptionError(
            f"The time is {time!r}.",
            why="Trials end by the clock: a time has its unit, s, min or h.",
            mend=f"Use {time}s, {time}min or {time}h." if str(time).isdigit() else "Use 90s, 10min or 2h.",
        )
    return budget


def check_loss(stop_below: float) -> None:
    """Refuse an expected loss that no answer could have."""
    good = isinstance(stop_below, int | float) and not isinstance(stop_below, bool) and 0 <= stop_below < 1
    if not good:
        raise OptionError(
            f"{option('stop_below')} is {stop_below!r}.",
            why="It is the expected loss of accuracy, or of relative_rmse, below which a run ends.",
            mend=f"Use a number from 0 (try all) to below 1: {option(stop_below=0.001)}.",
        )


def address(store: str | Path | Store) -> str | Path:
    """Return the address of a store, open or not."""
    return store if isinstance(store, (str, Path)) else store.engine.url.render_as_string(hide_password=False)


MANY_VALUES = 1_000_000
"""From so many values (rows x attributes) on a data set is split twice instead of five times."""


def usual_splits(data: DataSet) -> Resampling:
    """Return how a data set is split for trials: 5x2cv without test part, 2x2cv of large data.

    Two folds, because the known results are of two folds: what was seen is compared with what is known. Five
    replications give the 5x2cv F test its folds. From a million values (rows x attributes) on, two: folds of many rows
    differ little, and four fits cost two fifths of ten. Both share their first replications.

    Examples
    --------
    >>> from tiebreak.datasets import load
    >>> usual_splits(load("builtin:iris")).replications
    5
    """
    large = data.n_rows * data.n_attributes >= MANY_VALUES
    return Resampling(replications=2 if large else 5, folds=2, test=0.0)


_ALONE = "No results on other data are known there"


def known_beside(
    data: DataSet, read: Callable[[], Knowledge], store: str | Path | Store | None = None
) -> tuple[Knowledge, Caveats]:
    """Return what is known of other data sets: what `read` gives, or the shipped base where that is nothing.

    The results of the data themselves are left out, so that a run that is taken up again decides as it would have
    without the pause. `store`, if it is what is read, may be empty or not there yet.
    """
    if store is not None and not holds_results(store, but=_marks(data)):
        empty = not holds_results(store, least=1)
        return _shipped(data, f"{store} holds no results yet" if empty else _ALONE)
    result = _others(read(), data)
    return _shipped(data, _ALONE) if result is None else (result, ())


def _others(known: Knowledge, data: DataSet) -> Knowledge | None:
    """Leave out what is known of the data themselves; None where that is all."""
    marks = _marks(data)
    places = np.flatnonzero([mark not in marks for mark in known.fingerprints])
    if not len(places):
        return None
    return known if len(places) == len(known.datasets) else known.datasets_at(places)


def _marks(data: DataSet) -> frozenset[str]:
    """Return the fingerprints under which results of the data are kept: as they are, and with copies in one group."""
    return frozenset({data.fingerprint, duplicates_together(data).fingerprint})


def _shipped(data: DataSet, why: str) -> tuple[Knowledge, Caveats]:
    base = shipped_knowledge(data.kind)
    note = Caveat("shipped-base", f"{why}: the base that ships with the package says what to try.")
    return _others(base, data) or base, (note,)


def holds_results(store: str | Path | Store, *, but: Collection[str] = (), least: int = 2) -> bool:
    """Tell whether a store can be learned from: some data set, `but` these, has results of `least` algorithms.

    Only what was run here counts. Imported results have no data that could be like others, and often another score.

    Examples
    --------
    >>> holds_results("not-there.db")
    False
    """
    from tiebreak.stores import open_store
    from tiebreak.stores.errors import NoStore

    if not isinstance(store, (str, Path)):
        return _has(store, but, least)
    try:
        with open_store(store, create=False) as opened:
            return _has(opened, but, least)
    except NoStore:
        return False


def _has(store: Store, but: Collection[str], least: int) -> bool:
    from tiebreak.stores.records import LAB

    result: dict[str, set[str]] = {}
    for item in store.tally():
        if item.status == "ok" and item.origin == LAB and item.dataset not in but:
            result.setdefault(item.dataset, set()).add(item.algorithm)
    return any(len(algorithms) >= least for algorithms in result.values())


STORE = "results.db"
"""Where results go unless told otherwise, as with `tiebreak run`."""
STOP_BELOW = 0.001
"""A run ends when its answer is expected to lose less than a tenth of a point against the best of the list."""
_COLUMNS = ("symbolic", "drop", "keep")
"""What may be said of the columns of the data, where they are read."""


@as_came_in
def try_out(
    advisor: Advisor | Knowledge | str | Path | None,
    X: DataSet | str | Path | Any,
    y: Sequence[object] | None = None,
    *,
    time: str | float | Budget = "10min",
    store: str | Path | None = None,
    stop_below: float = STOP_BELOW,
    jobs: int | None = None,
    seed: int = 0,
    learners: Mapping[str, Any] | None = None,
    events: Callable[[Event], None] | None = None,
    progress: Callable[[Trial], None] | None = None,
    target: str | None = None,
    name: str | None = None,
    kind: str | None = None,
    source: DataReference | None = None,
    **options: Any,
) -> TriedOut:
    """Run the recommended algorithms on new data in the lab, within a time, learning from every result.

    This is the race of a pilot (see `recommend`) over the whole list, on all rows. The first of the list is fitted
    first, on the folds of one replication; then comes what promises most per second, on one replication if it was not
    fitted yet, on all others if it was. The three best, when they have all folds or the defaults are settled, bring
    variants of their settings into the race. It ends when the answer is expected to lose less than `stop_below`, when
    the time is over, or when all have all folds. What is finished is in the store: the same call goes on from there,
    repeats nothing, and with more time continues.

    Formula: that of `tiebreak.advisor.pilot.Race`; the answer has the largest posterior mean, as after a pilot.

    Assumptions: those of `recommend`. The score of the best of many is a little too good.
    When not to use it: where rows depend on each other (time series, several rows of one patient) and the data do not
    say so by groups; the folds would be too easy, for every algorithm.

    Parameters
    ----------
    advisor : Advisor, Knowledge, path or None
        What to learn from; None: the base that ships with the package.
    X, y
        The data, as in `Advisor.recommend`; meta-attributes alone cannot be learned from.
    time : str, float or Budget, default "10min"
        The most it may take by the clock, from the call on: 90s, 10min, 2h. What runs at its end is cut, and named;
        what was finished of it is kept. On a busy machine helpers may take more than half of it to start: then it is
        longer by the rest of that. While others wait no algorithm gets more than half of what is left, or ten seconds.
    store : str or Path, optional
        Where results go: by default the store that the advisor learns from, or "results.db".
    stop_below : float, default 0.001
        The expected loss, against the best of the list, at which it ends; 0 fits all that the time allows.
    jobs : int, optional
        Cells at a time; by default one per core.
    seed : int, default 0
        Of splits and learners.
    learners : mapping, optional
        What names of the base stand for, where the lab has no learner of the name: whatever a plan takes.
    events, progress : callable, optional
        Called with every `Event` of the lab, and with every `Trial` when it has ended.
    target, name, kind
        As in `Advisor.recommend`.
    source : DataReference, optional
        Where a `DataSet` was read from, so that the code can read it again.
    **options
        Further options of `Advisor.recommend`, such as accd, method or without.

    Returns
    -------
    TriedOut

    References
    ----------
    frazier2009

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = try_out(None, "builtin:iris", time="1min", store=f"{folder}/iris.db", algorithms=["lda", "nb"],
    ...                     exclude=["iris"], jobs=1, stop_below=0)
    >>> result.best, [trial.status for trial in result.trials], result.stopped
    ('lda', ['ok', 'ok'], 'list-through')
    """
    began = clocks.monotonic()
    allowed = clock_budget(time)
    check_loss(stop_below)
    current = advisor if isinstance(advisor, Advisor) else Advisor(advisor)
    columns = {key: options.pop(key) for key in _COLUMNS if key in options}
    data, read_from = loaded(X, y, {"target": target, "name": name, "kind": kind, **columns})
    held = current.store
    known, notes = known_beside(data, lambda: current.knowledge(data.kind), held)
    recommend = Advisor(known).recommend(data, exclude=others(options.pop("exclude", ()), known, data), **options)
    there = _runnable(recommend.algorithms, data, learners)
    data = duplicates_together(data)
    splits = usual_splits(data)
    engine = LocalEngine(jobs=jobs)
    with engine:
        bench = Bench(
            data=data,
            splits=splits,
            seed=seed,
            store=store if store is not None else STORE if held is None else address(held),
            engine=engine,
            judged=JudgedBy.of(data, known.score),
            events=events,
        )
        names, rows, accd = tuple(there.specs), data.n_rows, float(options.get("accd") or 0.0)
        tested = rows // 2
        seconds = fit_seconds(recommend, known, names, rows - tested)
        folds = len(bench.cells)
        race = race_of(
            recommend, known, names, judged=bench.judged, rows=tested, folds=folds, seconds=seconds.copy(), accd=accd
        )
        race.listed = tuple(range(len(names)))
        loop = Loop(
            bench=bench,
            race=race,
            names=names,
            specs=dict(there.specs),
            judged=bench.judged,
            trivial=(bench.judged.trivial,) * folds,
            predicted=tuple(seconds.tolist()),
            known=len(known.datasets),
            seed=seed,
            seconds=seconds.tolist(),
            end=began + allowed.seconds,
            grace=allowed.seconds / 2,
            stop_below=stop_below,
            progress=progress or (lambda _: None),
        )
        loop.go()
    failed = (
        Caveat("run-failed", f"{name} failed: {reason or 'without a reason'}") for name, reason in loop.failed.items()
    )
    notes = (*notes, *_strange(there.strange), *failed, *unfinished(loop.cut, folds, loop.late), *recommend.caveats)
    return TriedOut(
        **answer_fields(loop, recommend, there, data, source=source or read_from),
        held_out_rows=0,
        measured_rows=rows,
        n_rows=rows,
        seconds=clocks.monotonic() - began,
        budget=allowed.seconds,
        trials=tuple(loop.trials.values()),
        stopped=loop.stopped,
        left=tuple(loop.left),
        resampling=f"{splits.replications}x2cv",
        store=str(bench.store) if "://" not in str(bench.store) else "the store",
        caveats=distinct(notes),
    )


def _runnable(names: Sequence[str], data: DataSet, learners: Mapping[str, Any] | None) -> Installed:
    """Return the learners that can be run here, at least one."""
    result = installed(names, data, learners)
    if not result.specs:
        raise OptionError(
            f"None of the recommended algorithms can be run here: {quoted(names)}.",
            why="Those of the catalogue can, whose libraries are installed.",
            mend=result.install
            or either(
                "Say what the names stand for, learners={name: estimator}, or take the shipped base: Advisor().",
                "Take another base, such as the shipped one.",
            ),
        )
    return result


def _strange(names: Sequence[str]) -> Caveats:
    mend = either(" Say what they stand for: learners={name: estimator}.", "")
    text = f"Not tried, as the lab has no learner of the name: {quoted(names)}.{mend}"
    return caveats_of((names, "algorithms-left-out", text))
