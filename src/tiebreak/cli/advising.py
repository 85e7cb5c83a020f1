"""`tiebreak recommend`: what to learn from, and the trial runs as they go."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from tiebreak.cli.answering import Answer, emit
from tiebreak.cli.progress import Shower
from tiebreak.cli.sources import OF_STORES, arguments_of, direction, names_of, roles, settings_of
from tiebreak.documents import one_line
from tiebreak.errors import OptionError
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.advisor import Knowledge
    from tiebreak.advisor.pilot import Trial
    from tiebreak.lab.progress import Event

_TRIAL = (
    *("algorithm", "status", "score", "score_name", "rmse", "seconds", "best_so_far", "expected_loss"),
    *("folds", "stored", "reason", "then"),
)
"""What programs get of a trial."""


def recommend(values: Namespace) -> Answer:
    """Learn, recommend; with a time, try it out too."""
    from tiebreak.advisor.pilot.recommend import recommend as function

    _check(values)
    options = arguments_of(values, base=_bases(values))
    if values.neighbours.lstrip("-").isdigit():
        options["neighbours"] = int(values.neighbours)
    if values.results or (values.store and values.run is None):
        options.pop("score", None)
    if values.run is None:
        return _answer(function(values.data, **options), values)
    shower = _Shower(values.progress)
    if values.store is not None:
        options["store"] = settings_of(values.store, OF_STORES)[0]
    try:
        recommendation = function(values.data, events=shower.event, progress=shower.trial, **options)
    finally:
        shower.shower.end()
    return _answer(recommendation, values, code=130 if getattr(recommendation, "stopped", "") == "interrupted" else 0)


def _answer(result: Any, values: Namespace, code: int = 0) -> Answer:
    """Write the code that fits the answer where it is wanted, and show the answer."""
    lines = getattr(result, "code", None)
    if values.code and lines is not None:
        emit(lines.text, values.code)
    return Answer(text=str(result.document()) if values.full else None, shown=(result,), code=code)


def _check(values: Namespace) -> None:
    """Checked before anything is loaded, which may take long."""
    if bool(values.data) == bool(values.known):
        raise OptionError(
            "Data and a known data set were named." if values.data else "No data were named.",
            why="A recommendation is for one data set.",
            mend=f"Give a file, such as data.csv, or {option(known=...)} for one of the known data sets.",
        )
    given = [name for name in ("jobs", "stop_below") if getattr(values, name) is not None]
    if values.run is None and given:
        raise OptionError(
            f"{option(given[0])} was given without {option('run')}.",
            why="It says how the list is tried out.",
            mend=f"Add {option(run='10min')}, or leave it out.",
        )
    if values.meta and not (values.results or values.store):
        raise OptionError(
            f"{option('meta')} was given without {option('results')}.",
            why="It describes the data sets of a table of results.",
            mend=f"Add {option(results=...)}.",
        )


def _bases(values: Namespace) -> list[Any]:
    """Return what to learn from: bases by address, tables, a store; without any, what ships."""
    kind = values.kind
    if kind is None and values.data and (values.base or values.store):
        kind = _kind(values)
    bases: list[Any] = [_opened(item, kind) for item in values.base]
    if values.results:
        bases.append(from_files(values))
    if values.store and values.run is not None and not (bases or values.results):
        return [] if values.score else [settings_of(values.store, OF_STORES)[0]]  # which may be empty or not there yet
    if values.store:
        bases.append(from_store(values, alone=not values.results, kind=kind))
    return bases


def _kind(values: Namespace) -> str:
    from tiebreak.datasets.references import DataReference

    options = {"source": values.data} | ({"target": values.target} if values.target else {})
    return DataReference.of(options).load().kind


def _opened(address: str, kind: str | None) -> Knowledge:
    from tiebreak.advisor import open_base

    return open_base(address, kind=kind)


def from_files(values: Namespace) -> Knowledge:
    """Read tables of results and what describes their data sets."""
    from tiebreak.advisor import read_knowledge

    return read_knowledge(
        values.results,
        meta=values.meta,
        score=values.score,
        time=times_of(values.time),
        higher_is_better=direction(values),
        columns=roles(values.column),
        where=values.where,
    )


def from_store(values: Namespace, *, alone: bool = True, **which: Any) -> Knowledge:
    """Read a store; beside files (not `alone`) the options about columns are theirs."""
    from tiebreak.advisor import read_meta, store_knowledge

    address, settings = settings_of(values.store, OF_STORES)
    if alone:
        settings |= {"meta": read_meta(values.meta)[0] if values.meta else None, "where": values.where}
        settings |= {"score": values.score, "time": times_of(values.time)}
    return store_knowledge(address, **settings, **which)


def times_of(text: str | None) -> list[str] | None:
    """The word none means no times at all; without the option the usual columns are taken."""
    return [] if text == "none" else names_of(text)


class _Shower:
    """Shows the cells of the trial that runs as a run does, and a line for every trial that has ended."""

    def __init__(self, form: str) -> None:
        self.shower = Shower(form)
        self._silent = form in ("none", "jsonl")

    def event(self, event: Event) -> None:
        """Show an event of the lab."""
        self.shower(event)

    def trial(self, trial: Trial) -> None:
        """Say what came of a trial; programs get all of it, with what is left in the order of what it promises now."""
        if self.shower.lines is not None:
            self.shower.lines.trial({name: getattr(trial, name) for name in _TRIAL})
        if self._silent:
            return
        if self.shower.meter is not None:
            self.shower.meter.end()
        print(_line(trial), file=sys.stderr, flush=True)


def _line(trial: Trial) -> str:
    name = one_line(trial.algorithm)
    if trial.status != "ok" or trial.score is None:
        why = f" ({one_line(trial.reason.partition(chr(10))[0])[:100]})" if trial.reason else ""
        return f"{name}: {trial.status} after {trial.folds} fold(s){why}"
    text = ", from the store" if trial.stored else f" in {trial.seconds:.1f} s"
    best = "the best so far" if trial.score == trial.best_so_far else f"best so far {trial.best_so_far:.4f}"
    loss = f"expected loss of the best {trial.expected_loss:.4f}"
    return f"{name}: {trial.score_name} {trial.score:.4f} on {trial.folds} fold(s){text}, {best}; {loss}"
