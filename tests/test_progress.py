"""How far a run is: a line that moves on a terminal, a line now and then elsewhere, JSON lines for programs."""

from __future__ import annotations

import io
import json
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tiebreak.cli import main
from tiebreak.cli.progress import JsonLines, Meter
from tiebreak.errors import OptionError
from tiebreak.lab.progress import CellNow, Event, Progress

NOW = (
    CellNow(dataset="waveform", algorithm="svr", replication=1, fold=1, seconds=125.0),
    CellNow(dataset="iris", algorithm="nb", replication=1, fold=2, seconds=3.0),
    CellNow(dataset="iris", algorithm="lda", replication=1, fold=2, seconds=1.0),
)


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
    assert "\r[####################] 10 of 10 cells" in text
    assert "1 failed" in text
    assert text.endswith("\r\x1b[J")


def test_a_file_gets_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(io.StringIO(), monkeypatch).splitlines()
    assert lines[-1].startswith("10 of 10 cells")
    assert "to go" in lines[0]
    assert not any("\r" in line or "\x1b" in line for line in lines)


def test_the_line_says_what_runs_now_and_until_when(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", stream := Terminal())
    monkeypatch.setattr("tiebreak.cli.progress._columns", lambda: 200)
    now = Progress(total=90, done=30, failed=0, seconds=60.0, running=58.0, estimate=400.0, current=NOW)
    Meter()(Event(kind="tick", progress=now))
    assert stream.getvalue() == (
        "\r[######..............] 30 of 90 cells (0.5 a second, about 7 min to go), now svr on waveform 2 min, nb on"
        " iris 3 s and 1 more\x1b[K"
    )


def test_where_the_budget_ends_first_the_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", stream := Terminal())
    Meter()(Event(kind="tick", progress=Progress(total=90, done=0, failed=0, seconds=6.0, budget_left=24.0)))
    assert "0 of 90 cells (the budget ends in 24 s)" in stream.getvalue()


def test_no_line_is_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", stream := Terminal())
    monkeypatch.setattr("tiebreak.cli.progress._columns", lambda: 40)
    Meter()(Event(kind="tick", progress=Progress(total=9, done=3, failed=0, seconds=6.0, current=NOW)))
    assert all(len(line.strip("\r").removesuffix("\x1b[K")) < 40 for line in stream.getvalue().split("\n"))


def test_json_lines_hold_one_object_per_event() -> None:
    stream = io.StringIO()
    lines = JsonLines(stream, clock=lambda: 5.0)
    lines(Event(kind="started", progress=Progress(total=90, done=30, failed=0, seconds=60.0), cell=NOW[1]))
    lines(Event(kind="tick", progress=Progress(total=9, done=3, failed=1, seconds=2.0, current=NOW[:1])))
    lines(Event(kind="dataset", dataset="iris", progress=Progress(total=9, done=3, failed=1, seconds=2.0)))
    started, tick, dataset = map(json.loads, stream.getvalue().splitlines())
    assert started == {
        "time": 5.0,
        "event": "started",
        "cell": {"dataset": "iris", "algorithm": "nb", "replication": 1, "fold": 2, "seconds": 3.0},
        "progress": {"total": 90, "done": 30, "failed": 0, "seconds": 60.0, "eta": None},
    }
    assert [item["algorithm"] for item in tick["running"]] == ["svr"]
    assert dataset["dataset"] == "iris"


def test_a_form_of_progress_that_is_unknown(tmp_path: Path) -> None:
    from tiebreak.cli.progress import Shower

    with pytest.raises(OptionError, match=r"^--progress is 'loud'\. Use auto, none, jsonl, or a file"):
        Shower("loud")
    with pytest.raises(OptionError, match=r"cannot be written \(No such file or directory\)"):
        Shower(str(tmp_path / "none" / "run.jsonl"))


# ---- whole runs

PLAN = 'datasets = ["builtin:iris"]\nresampling = "1x2cv"\nalgorithms = ["nb", {}]\n'
SLOW = '{import = "bad_estimators:Steady", settings = {nap = 2.5}, name = "slow"}'
HERE = Path(__file__).parent


def command(folder: Path, *more: str) -> list[str]:
    (folder / "plan.toml").write_text(PLAN.replace("{}", SLOW))
    store = ["--store", str(folder / "results.db")]
    return [sys.executable, "-m", "tiebreak", "run", str(folder / "plan.toml"), *store, "--jobs", "1", *more]


def surroundings() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(HERE / "lab"), *sys.path])}


def on_terminal(folder: Path, *more: str) -> list[tuple[float, str]]:
    """Run the plan on a terminal; return what it wrote there, piece by piece, with the time of each."""
    pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command(folder, *more), stdout=subprocess.DEVNULL, stderr=theirs, env=surroundings())
    os.close(theirs)
    pieces: list[tuple[float, str]] = []
    try:
        while True:
            if select.select([ours], [], [], 1.0)[0]:
                pieces.append((time.monotonic(), os.read(ours, 65536).decode()))
            elif process.poll() is not None:
                break
    except OSError:  # the other side is closed
        pass
    finally:
        os.close(ours)
        try:
            process.wait(60)
        finally:
            process.kill()
    assert process.returncode == 0
    return pieces


def test_the_line_moves_while_no_cell_finishes(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")
    pieces = on_terminal(tmp_path)
    text = "".join(piece for _, piece in pieces)
    assert len(set(re.findall(r"now slow on iris (\d+) s", text))) >= 2  # a busy machine may leave seconds out
    assert text.rstrip("\n").endswith("\x1b[J")


def test_a_run_tells_programs_what_it_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")
    monkeypatch.syspath_prepend(str(HERE / "lab"))
    assert main(command(tmp_path, "--progress", "jsonl", "--json")[3:]) == 0
    done = capsys.readouterr()
    events = [json.loads(line) for line in done.err.splitlines()]
    kinds = [event["event"] for event in events]
    assert (kinds.count("started"), kinds.count("finished"), kinds.count("dataset"), kinds[-1]) == (4, 4, 1, "end")
    assert {event["running"][0]["algorithm"] for event in events if event.get("running")} >= {"slow"}
    assert events[-1]["counts"]["ok"] == 4
    assert events[-1]["complete"] == ["iris"]
    assert json.loads(done.out)["ran"] == 4
