"""How `tiebreak run` shows what is under way: a line that moves, lines now and then, or JSON lines for programs."""

from __future__ import annotations

import json
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
    from tiebreak.lab.progress import Event, Progress, RunSummary

_EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal."""
_FIRST = 2.0
"""Seconds before the first such line."""
_REDRAW = 0.1
"""Seconds between two drawings on a terminal."""
_NOW = 2
"""So many of the cells that run now are named."""


class Shower:
    """Passes the events of a run on to whoever shows them, from the command line's words for it.

    Parameters
    ----------
    form : str
        "auto", "none", "jsonl" (on standard error), or the name of a file for JSON lines.
    """

    def __init__(self, form: str) -> None:
        self._open = ExitStack()
        self.meter = Meter() if form not in ("none", "jsonl") else None
        self.lines: JsonLines | None = None
        if form == "jsonl":
            self.lines = JsonLines(sys.stderr)
        elif form not in ("auto", "none"):
            self.lines = JsonLines(self._open.enter_context(_file(form)))

    def __call__(self, event: Event) -> None:
        """Show an event."""
        if self.lines is not None:
            self.lines(event)
        if self.meter is not None:
            self.meter(event)

    def trial(self, line: str, data: dict[str, object]) -> None:
        """Say what came of a trial of a recommended algorithm; programs get all of it."""
        if self.lines is not None:
            self.lines.write({"event": "trial"} | data)
        if self.meter is not None:
            self.meter.end()
            print(line, file=sys.stderr, flush=True)

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
        mend = "Use auto, none, jsonl, or a file whose name ends in .jsonl, such as --progress run.jsonl."
        raise OptionError(f"--progress is {form!r}.", mend=mend)
    try:
        return Path(form).open("w", encoding="utf-8")
    except OSError as problem:
        raise OptionError(f"{form} cannot be written ({problem.strerror}).", mend="Name another file.") from None


class JsonLines:
    """Writes one JSON object per event, with the seconds since 1970, each on a line of its own."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.time) -> None:
        self._stream, self._clock = stream, clock

    def __call__(self, event: Event) -> None:
        """Write an event."""
        self.write(event.to_dict())

    def end(self, summary: RunSummary) -> None:
        """Write how the run ended."""
        options = summary.to_dict()
        names = "plan store ran cells counts seconds complete ended caveats caveat_codes".split()
        self.write({"event": "end"} | {name: options[name] for name in names})

    def write(self, options: dict[str, object]) -> None:
        """Write an object."""
        text = json.dumps({"time": self._clock()} | _finite(options), ensure_ascii=False, allow_nan=False)
        print(text, file=self._stream, flush=True)


def _finite(options: dict[str, object]) -> dict[str, object]:
    """JSON has no NaN; the mean of no score is null."""
    return json.loads(json.dumps(options, default=str), parse_constant=lambda _: None)  # type: ignore[no-any-return]


class Meter:
    """Shows progress on standard error: a line that moves on a terminal, a line now and then elsewhere."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.terminal = sys.stderr.isatty()
        self._clock = clock
        self._said = clock() - (_REDRAW if self.terminal else _EVERY - _FIRST)
        self._estimated = False
        self._last: Progress | None = None

    def __call__(self, told: Event | Progress) -> None:
        """Show how far the run is, if it is time to."""
        from tiebreak.lab.progress import Event

        event = told if isinstance(told, Event) else Event(kind="finished", progress=told)
        now, last = event.progress, self._last
        if last is not None and event.kind in ("started", "finished"):  # these do not tell what else runs
            now = replace(now, current=last.current)
        self._last = now
        if self.terminal:
            if self._clock() - self._said >= _REDRAW or event.kind == "dataset" or now.done == now.total:
                self._said = self._clock()
                print(f"\r{_bar(now, width=_columns())}\x1b[K", end="", file=sys.stderr, flush=True)
        elif event.kind != "started":
            self._line(now, whole=event.kind == "finished" and now.done == now.total)

    def _line(self, now: Progress, *, whole: bool) -> None:
        """The first estimate is shown as soon as there is one, and the end when it comes; the rest in its time."""
        first = now.done > 0 and now.remaining is not None and not self._estimated and not whole
        if whole or first or self._clock() - self._said >= _EVERY:
            self._said = self._clock()
            self._estimated = self._estimated or first
            print(_words(now) + _running(now), file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line empty."""
        if self.terminal and self._last is not None:
            print("\r\x1b[J", end="", file=sys.stderr, flush=True)


def _bar(now: Progress, *, width: int) -> str:
    """Return the line for a terminal, not wider than it: a line that wraps could not be drawn over."""
    full = int(20 * now.done / max(now.total, 1))
    line = f"[{'#' * full}{'.' * (20 - full)}] {_words(now)}{_running(now)}"
    return line if len(line) < width else line[: width - 4] + "..."


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
        left = _duration(now.remaining)
        notes.append(f"the budget ends in {left}" if budget else f"about {left} to go")
    return f"{now.done} of {now.total} cells" + (f" ({', '.join(notes)})" if notes else "")


def _running(now: Progress) -> str:
    """Name what runs now, the longest first."""
    if now.done >= now.total or not now.current:
        return ""
    shown = now.current[:_NOW]
    named = [f"{one_line(cell.algorithm)} on {one_line(cell.dataset)} {_duration(cell.seconds)}" for cell in shown]
    rest = len(now.current) - _NOW
    return ", now " + ", ".join(named) + (f" and {rest} more" if rest > 0 else "")


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
