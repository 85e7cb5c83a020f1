"""How `tiebreak run` shows what is under way: a line that moves, lines now and then, or JSON lines for programs."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tiebreak.documents import one_line
from tiebreak.errors import OptionError

if TYPE_CHECKING:
    from tiebreak.lab.progress import Event, Progress, RunSummary, Standing

_EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal."""
_FIRST = 2.0
"""Seconds before the first such line."""
_REDRAW = 0.1
"""Seconds between two drawings on a terminal."""
_NOW = 2
"""So many of the cells that run now are named."""
_PLACES = 5
"""So many algorithms of the standing are shown."""


class Shower:
    """Passes the events of a run on to whoever shows them, from the command line's words for it.

    Parameters
    ----------
    form : str
        "auto", "live" (with the standing), "none", "jsonl" (on standard error), or the name of a file for JSON lines.
    """

    def __init__(self, form: str) -> None:
        self._open = ExitStack()
        self.meter = Meter(live=form == "live") if form not in ("none", "jsonl") else None
        self.lines: JsonLines | None = None
        if form == "jsonl":
            self.lines = JsonLines(sys.stderr)
        elif form not in ("auto", "live", "none"):
            self.lines = JsonLines(self._open.enter_context(_file(form)))

    def __call__(self, event: Event) -> None:
        """Show an event."""
        if self.lines is not None:
            self.lines(event)
        if self.meter is not None:
            self.meter(event)

    def end(self, summary: RunSummary | None = None) -> None:
        """Leave the terminal as it was; programs get one last line, unless an error ended the run."""
        if self.meter is not None:
            self.meter.end()
        if self.lines is not None and summary is not None:
            self.lines.end(summary)
        self._open.close()


def _file(form: str) -> TextIO:
    """Open the file for JSON lines; a word that is no form must not become a file of that name."""
    if not form.endswith((".jsonl", ".ndjson", ".json")):
        raise OptionError(
            f"--progress is {form!r}.",
            why="Progress is shown as auto, live, none or jsonl, or goes to a file whose name ends in .jsonl.",
            mend="Use --progress jsonl, or --progress run.jsonl.",
        )
    try:
        return Path(form).open("w", encoding="utf-8")
    except OSError as problem:
        raise OptionError(
            f"{form} cannot be written ({problem.strerror}).",
            why="The events of the run were to go there.",
            mend="Name a file in a folder that can be written to.",
        ) from None


class JsonLines:
    """Writes one JSON object per event, with the seconds since 1970, each on a line of its own."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.time) -> None:
        self._stream, self._clock = stream, clock

    def __call__(self, event: Event) -> None:
        """Write an event."""
        self._write(event.to_dict())

    def end(self, summary: RunSummary) -> None:
        """Write how the run ended."""
        options = summary.to_dict()
        remaining = (
            "plan",
            "store",
            "ran",
            "cells",
            "counts",
            "seconds",
            "complete",
            "ended",
            "caveats",
            "caveat_codes",
        )
        self._write({"event": "end"} | {name: options[name] for name in remaining})

    def trial(self, options: dict[str, object]) -> None:
        """Write what came of a trial of a recommended algorithm."""
        self._write({"event": "trial"} | options)

    def _write(self, options: dict[str, object]) -> None:
        text = json.dumps({"time": self._clock()} | _finite(options), ensure_ascii=False, allow_nan=False)
        print(text, file=self._stream, flush=True)


def _finite(options: dict[str, object]) -> dict[str, object]:
    """JSON has no NaN; the mean of no score is null."""
    return json.loads(json.dumps(options, default=str), parse_constant=lambda _: None)  # type: ignore[no-any-return]


class Meter:
    """Shows progress on standard error: a line that moves on a terminal, a line now and then elsewhere."""

    def __init__(self, *, live: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self.terminal = sys.stderr.isatty()
        self.live = live
        self._clock = clock
        self._said = clock() - (_REDRAW if self.terminal else _EVERY - _FIRST)
        self._estimated = False
        self._last: Progress | None = None
        self._height = 1

    def __call__(self, told: Event | Progress) -> None:
        """Show how far the run is, if it is time to."""
        from tiebreak.lab.progress import Event

        event = told if isinstance(told, Event) else Event(kind="finished", progress=told)
        now, last = event.progress, self._last
        if last is not None and event.kind in ("started", "finished"):  # these do not tell what else runs
            now = replace(now, current=last.current, standing=last.standing)
        self._last = now
        if self.terminal:
            if self._clock() - self._said >= _REDRAW or event.kind == "dataset" or now.done == now.total:
                self._said = self._clock()
                self._draw(_block(now, live=self.live, width=_columns()))
        elif event.kind == "dataset" and self.live and now.standing is not None:
            first, *places = _standing(now.standing)
            self._print(" ".join([first, "; ".join(places)]))
        elif event.kind != "started":
            self._line(now, whole=event.kind == "finished" and now.done == now.total)

    def _line(self, now: Progress, *, whole: bool) -> None:
        """The first estimate is shown as soon as there is one, and the end when it comes; the rest in its time."""
        first = now.done > 0 and now.remaining is not None and not self._estimated and not whole
        if whole or first or self._clock() - self._said >= _EVERY:
            self._said = self._clock()
            self._estimated = self._estimated or first
            self._print(_words(now) + _running(now))

    def _print(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def _draw(self, lines: list[str]) -> None:
        """Draw over what was drawn before."""
        up = f"\x1b[{self._height - 1}A" if self._height > 1 else ""
        drawn = "\n".join(f"{line}\x1b[K" for line in lines)
        print(f"{up}\r{drawn}", end="", file=sys.stderr, flush=True)
        self._height = max(self._height, len(lines))

    def end(self) -> None:
        """Leave the lines empty, and the cursor where it was."""
        if self.terminal and self._last is not None:
            up = f"\x1b[{self._height - 1}A" if self._height > 1 else ""
            print(f"{up}\r\x1b[J", end="", file=sys.stderr, flush=True)


def _block(now: Progress, *, live: bool, width: int) -> list[str]:
    """Return the lines for a terminal, none wider than it: a line that wraps could not be drawn over."""
    full = int(20 * now.done / max(now.total, 1))
    lines = [f"[{'#' * full}{'.' * (20 - full)}] {_words(now)}{_running(now)}"]
    if live and now.standing is not None:
        lines += _standing(now.standing)
        lines += [""] * (_PLACES + 2 - len(lines))  # the height stays, or lines would be left behind
    return [line if len(line) < width else line[: width - 4] + "..." for line in lines]


def _columns() -> int:
    try:
        return max(20, os.get_terminal_size(sys.stderr.fileno()).columns or 80)
    except (OSError, ValueError):
        return 80


def _words(now: Progress) -> str:
    """The rest of the time is left out until it can be told, and at the end."""
    notes = [f"{now.rate:.1f} a second"] if now.rate else []
    notes += [f"{now.failed} failed"] if now.failed else []
    if now.remaining is not None and now.done < now.total:
        budget = now.budget_left is not None and now.remaining >= now.budget_left
        notes.append(
            f"the budget ends in {_duration(now.remaining)}" if budget else f"about {_duration(now.remaining)} to go"
        )
    return f"{now.done} of {now.total} cells" + (f" ({', '.join(notes)})" if notes else "")


def _running(now: Progress) -> str:
    """Name what runs now, the longest first."""
    if now.done >= now.total or not now.current:
        return ""
    named = [
        f"{one_line(cell_now.algorithm)} on {one_line(cell_now.dataset)} {_duration(cell_now.seconds)}"
        for cell_now in now.current[:_NOW]
    ]
    rest = len(now.current) - _NOW
    return ", now " + ", ".join(named) + (f" and {rest} more" if rest > 0 else "")


def _standing(standing: Standing) -> list[str]:
    """Say who leads so far; these are means, and nothing is tested yet."""
    if not standing.places:
        return ["no data set is complete for all algorithms yet"]
    lines = [f"so far, by mean rank of {standing.score} on {standing.complete} of {standing.datasets} data sets:"]
    for place, item in enumerate(standing.places[:_PLACES], start=1):
        mean = "" if math.isnan(item.mean_score) else f", mean {item.mean_score:.4g}"
        lines.append(f"{place}. {one_line(item.algorithm)} {item.mean_rank:.2f}{mean}")
    return lines


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
