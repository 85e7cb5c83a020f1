"""`tiebreak recommend --run`: the recommended algorithms are tried out, and the answer is printed under the list."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import distinct
from tiebreak.cli import options
from tiebreak.cli.run_progress import Shower
from tiebreak.documents import one_line

if TYPE_CHECKING:
    from tiebreak.advisor import Knowledge
    from tiebreak.datasets.references import DataReference
    from tiebreak.lab.progress import Event
    from tiebreak.trying import Trial, TriedOut


_TOLD = (
    *("algorithm", "status", "score", "score_name", "rmse", "seconds", "best_so_far", "expected_gain_left"),
    *("folds", "stored", "reason", "then"),
)
"""What programs are told of a trial."""


def try_out(
    arguments: argparse.Namespace, reference: DataReference, read: Callable[[str], Knowledge], choices: dict[str, Any]
) -> int | None:
    """Try the list out and print what came of it; an interrupted run has an answer too, and says so by its code."""
    from tiebreak import trying
    from tiebreak.advisor.trials import STOP_BELOW

    options.stdout_utf8()
    data = reference.load()
    others = (arguments.results, arguments.shipped, arguments.base)
    alone = arguments.store is not None and not any(others)
    known, said = trying.known_beside(data, lambda: read(data.kind), arguments.store if alone else None)
    shower = _Shower(arguments.progress)
    try:
        found = trying.try_out(
            known,
            data,
            source=reference,
            time=arguments.run_for,
            store=arguments.store or "results.db",
            resampling=arguments.splits,
            stop_below=STOP_BELOW if arguments.stop_below is None else arguments.stop_below,
            jobs=arguments.jobs,
            seed=arguments.seed,
            alpha=arguments.alpha,
            retry=arguments.retry,
            events=shower.event,
            progress=shower.trial,
            **choices,
        )
    finally:
        shower.shower.end()
    found = replace(found, caveats=distinct((*said, *found.caveats)))
    if arguments.html:
        options.emit(found.report().to_html(), arguments.html)
    options.emit(_text(found, arguments), arguments.out)
    return 130 if found.stopped == "interrupted" else None


def _text(found: TriedOut, arguments: argparse.Namespace) -> str:
    """The list comes first: what stands at the end is what is seen on a terminal."""
    if arguments.json:
        return options.as_json(found.to_dict())
    return "\n\n".join(options.written(each, arguments) for each in (found.recommendation, found))


class _Shower:
    """Shows the cells of the trial that runs as a run does, and a line for every trial that has ended."""

    def __init__(self, form: str) -> None:
        self.shower = Shower(form, live=False)
        self._silent = form in ("none", "jsonl")

    def event(self, event: Event) -> None:
        """Show an event of the lab."""
        self.shower(event)

    def trial(self, trial: Trial) -> None:
        """Say what came of a trial; programs get all of it, with what is left in the order of what it promises now."""
        if self.shower.lines is not None:
            self.shower.lines.trial({name: getattr(trial, name) for name in _TOLD})
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
    kept = ", from the store" if trial.stored else f" in {trial.seconds:.1f} s"
    best = "the best so far" if trial.score == trial.best_so_far else f"best so far {trial.best_so_far:.4f}"
    left = f"the next is expected to gain {trial.expected_gain_left:.4f}"
    return f"{name}: {trial.score_name} {trial.score:.4f}{kept}, {best}; {left}"
