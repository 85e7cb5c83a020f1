"""Try a recommendation out: from the data and what is known to the answer."""

from __future__ import annotations

import time as clocks
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiebreak.advisor import Advisor, Knowledge, Recommendation
from tiebreak.advisor.data_faults import duplicates_together
from tiebreak.advisor.tryout._asked import address, check_loss, clock_budget, given, others
from tiebreak.advisor.tryout._bench import Bench
from tiebreak.advisor.tryout._beside import known_beside
from tiebreak.advisor.tryout._candidates import candidates
from tiebreak.advisor.tryout._judged_by import JudgedBy
from tiebreak.advisor.tryout._loop import Loop
from tiebreak.advisor.tryout._pilot import fit_seconds, race_of
from tiebreak.advisor.tryout._splits import in_words, usual_splits
from tiebreak.advisor.tryout._tried_out import Trial, TriedOut
from tiebreak.advisor.tryout._verdict import failures, unfinished, verdict
from tiebreak.budgets import Budget
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.datasets import DataSet
from tiebreak.datasets.references import DataReference
from tiebreak.documents import as_came_in
from tiebreak.lab.algorithms.specs import fingerprint
from tiebreak.lab.engines import LocalEngine
from tiebreak.lab.fitting_code import FittingCode, fitting_code
from tiebreak.lab.progress import Event
from tiebreak.lab.resampling import Resampling, resampling_key
from tiebreak.ordering import Ordering, order
from tiebreak.readers import read_store

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
    resampling: Resampling | str | Mapping[str, Any] | None = None,
    stop_below: float = STOP_BELOW,
    jobs: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    learners: Mapping[str, Any] | None = None,
    retry: Sequence[str] = (),
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
    fitted yet, on all others if it was. It ends when the answer is expected to lose less than `stop_below`, when the
    time is over, or when all have all folds. What is finished is in the store: the same call goes on from there,
    repeats nothing, and with more time continues.

    Formula: that of `tiebreak.advisor.pilot.Race`; the order of those with all folds is that of `tiebreak.order`, with
    train_time as cost. The one to use has the largest success / (1 + AccD log10(time ratio)); success is the accuracy,
    or 1 - relative_rmse where a number is predicted: the mean of all folds, or the posterior mean after a few.

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
        The most it may take by the clock: 90s, 10min, 2h. What runs at its end is cut, and named; what was finished of
        it is kept. While others wait no algorithm gets more than half of what is left, or ten seconds.
    store : str or Path, optional
        Where results go: by default the store that the advisor learns from, or "results.db".
    resampling : str, mapping or Resampling, optional
        By default 5x2cv without test part, 2x2cv from a million values (rows x attributes) on; see `usual_splits`.
    stop_below : float, default 0.001
        The expected loss, against the best of the list, at which it ends; 0 fits all that the time allows.
    jobs : int, optional
        Cells at a time; by default one per core.
    seed : int, default 0
        Of splits and learners.
    alpha : float, default 0.05
        Of the tests of the order.
    learners : mapping, optional
        What names of the base stand for, where the lab has no learner of the name: whatever a plan takes.
    retry : sequence of str
        Statuses (error, timeout, memory, crash) whose folds are run again.
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
    ...     found = try_out(None, "builtin:iris", time="1min", store=f"{folder}/iris.db", algorithms=["lda", "nb"],
    ...                     exclude=["iris"], jobs=1)
    >>> found.best, [trial.status for trial in found.trials], found.stopped
    ('lda', ['ok', 'ok'], 'list-through')
    """
    allowed = clock_budget(time)
    check_loss(stop_below)
    own = advisor if isinstance(advisor, Advisor) else Advisor(advisor)
    columns = {key: options.pop(key) for key in _COLUMNS if key in options}
    data, read_from = given(X, y, {"target": target, "name": name, "kind": kind, **columns})
    judged = JudgedBy.of(data)
    held = own.store
    known, said = known_beside(data, lambda: own.knowledge(data.kind), held)
    place = store if store is not None else STORE if held is None else address(held)
    found = Advisor(known).recommend(data, exclude=others(options.pop("exclude", ()), known, data), **options)
    began = clocks.monotonic()
    named = candidates(found.algorithms, data, learners)
    data = duplicates_together(data)
    splits = usual_splits(data, resampling)
    engine = LocalEngine(jobs=jobs)
    with engine:
        bench = Bench(
            data=data,
            splits=splits,
            seed=seed,
            store=place,
            engine=engine,
            judged=judged,
            retry=tuple([retry] if isinstance(retry, str) else retry),
            events=events,
        )
        names, rows = tuple(named.specs), data.n_rows
        tested = rows // splits.folds if splits.kind == "cv" else round(rows * splits.holdout)
        race = race_of(found, known, names, rows=tested, folds=len(bench.cells))
        race.listed = tuple(range(len(names)))
        loop = Loop(
            bench=bench,
            race=race,
            names=names,
            specs=named.specs,
            seconds=fit_seconds(found, known, names, rows - tested).tolist(),
            end=began + allowed.seconds,
            stop_below=stop_below,
            progress=progress or (lambda _: None),
        )
        loop.go()
    spent = clocks.monotonic() - began - loop.starting
    notes = (*said, *named.caveats)
    return _answer(loop, found, source or read_from, alpha=alpha, seconds=spent, budget=allowed.seconds, said=notes)


def _answer(
    loop: Loop,
    found: Recommendation,
    source: DataReference | None,
    *,
    alpha: float,
    seconds: float,
    budget: float,
    said: Caveats,
) -> TriedOut:
    """Put the answer together: the order of those tried, which one to use, and its code."""
    data, bench = loop.bench.data, loop.bench
    accd = float(found.ranking.accd) if isinstance(found.ranking.accd, float | int) else 0.0
    whole = [each.algorithm for each in loop.trials.values() if each.folds == len(bench.cells)]
    ordering = _ordered(loop, whole, alpha, accd) if len(whole) > 1 else None
    errors = {each.algorithm: each.rmse for each in loop.trials.values() if each.rmse is not None}
    said_of = verdict(loop.scores(), ordering, accd=accd, judged=bench.judged, errors=errors)
    loss, most = loop.loss(said_of.best)
    code = (
        None if said_of.best is None else fitting_code(loop.specs[said_of.best], data, source=source, seed=bench.seed)
    )
    notes = [*said, *failures(loop.failed), *unfinished(loop.cut, len(bench.cells), loop.late)]
    return TriedOut(
        recommendation=found,
        trials=tuple(loop.trials.values()),
        stopped=loop.stopped,
        expected_loss=loss,
        loss_at_most=most,
        left=tuple(loop.left),
        ordering=ordering,
        best=said_of.best,
        verdict=said_of.sentences,
        code=code,
        resampling=in_words(bench.splits),
        store=str(bench.store) if "://" not in str(bench.store) else "the store",
        seconds=seconds,
        budget=budget,
        judged=bench.judged,
        caveats=distinct((*notes, *said_of.caveats, *_packages(code))),
    )


def _packages(code: FittingCode | None) -> list[Caveat]:
    if code is None or not code.missing:
        return []
    needs = " ".join(code.missing)
    return [Caveat("package-missing", f"The code needs what is not installed here: pip install {needs}")]


def _ordered(loop: Loop, names: Sequence[str], alpha: float, accd: float) -> Ordering:
    """Order those with all folds by worth, by the folds of these data."""
    bench = loop.bench
    marks = [fingerprint(loop.specs[name]) for name in names]
    results = read_store(
        bench.store,
        scores=[bench.judged.score, "train_time"],
        datasets=[bench.data.fingerprint],
        algorithms=marks,
        resampling=resampling_key(bench.splits),
        seed=bench.seed,
        origin="lab",
        finished_only=True,
        where=[f"replication <= {bench.splits.replications}"],
    )
    kept = replace(results, caveats=tuple(note for note in results.caveats if note.code != "rows-filtered"))
    share = bench.splits.holdout if bench.splits.kind == "holdout" else None
    score = bench.judged.score
    return order(kept, score=score, cost="train_time", accd=accd, alpha=alpha, missing="drop-folds", test_share=share)
