"""How far a run is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import io

import pytest

from tiebreak.cli.run import Meter
from tiebreak.lab import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    meter = Meter()
    for done in range(1, 11):
        meter(Progress(total=10, done=done, failed=1, seconds=done + 1.0, running=float(done)))
    meter.end()
    return stream.getvalue()


def test_a_terminal_gets_a_bar_that_ends_full(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(Terminal(), monkeypatch)
    assert "\r[####################] 10 of 10 cells" in text and "1 failed" in text
    assert "to go" in text and text.endswith("\x1b[K")


def test_a_file_gets_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(io.StringIO(), monkeypatch).splitlines()
    assert lines[-1].startswith("10 of 10 cells") and not any("\r" in line or "\x1b" in line for line in lines)
