"""The parts under the engines: messages in pieces, texts of errors, memory, seeds, and the default work."""

from __future__ import annotations

import math
import mmap
import os
import socket
import sys
from collections.abc import Callable
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError
from tiebreak.lab import helper_pool
from tiebreak.lab.engines import LocalEngine, engine_from
from tiebreak.lab.helper_pool import HelperProcess
from tiebreak.lab.one_cell import cell_seed, run_cell
from tiebreak.lab.processes import child_program, messages, operating_system
from tiebreak.lab.processes.child_process import KEPT_STDERR, ChildProcess
from tiebreak.lab.processes.task_supervisor import START_TRIES, TaskSupervisor
from tiebreak.lab.resampling import Resampling
from tiebreak.lab.splits import split
from tiebreak.lab.tasks import PRELOAD, AlgorithmSpec, Cell, Settings, Task

RNG = np.random.default_rng(11)
DATA = DataSet.from_arrays(RNG.normal(size=(60, 3)), ["a", "b", "c"] * 20, name="noise")


def task(count: int = 3) -> Task:
    return Task(
        data=DATA.fingerprint,
        algorithm=AlgorithmSpec(name="nb"),
        resampling=Resampling(),
        seed=5,
        cells=tuple(Cell(id=i, replication=1 + i // 2, fold=1 + i % 2) for i in range(count)),
    )


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.lists(st.binary(max_size=50), max_size=8), st.integers(1, 20))
def test_messages_arrive_whole_whatever_the_pieces(texts: list[bytes], piece: int) -> None:
    ours, theirs = socket.socketpair()
    channel, result = messages.Channel(ours), []
    stream = b"".join(messages.HEADER.pack(len(message)) + message for message in texts)
    with theirs:
        for start in range(0, len(stream), piece):
            theirs.sendall(stream[start : start + piece])
            result += channel.take()
        assert not channel.ended
    assert (result + channel.take(), channel.ended) == (texts, True)
    channel.close()


def test_a_long_message_leaves_as_the_other_side_reads() -> None:
    left, right = map(messages.Channel, socket.socketpair())
    message = bytes(range(256)) * 20_000
    left.post(message)
    assert left.pending
    pieces: list[bytes] = []
    while not pieces:
        left.flush()
        pieces = right.take()
    assert pieces == [message] and not left.pending
    left.close()
    assert right.take() == [] and right.ended
    right.post(b"to nobody")
    assert not right.pending
    right.close()


def test_a_message_longer_than_agreed_ends_the_connection() -> None:
    ours, theirs = socket.socketpair()
    channel = messages.Channel(ours, longest=10)
    with theirs:
        messages.send_whole(theirs, b"x" * 11)
        assert channel.take() == [] and channel.ended
    channel.close()


def test_waiting_for_a_message() -> None:
    left, right = socket.socketpair()
    with left, right:
        messages.send_whole(left, b"word")
        assert messages.receive_whole(right) == b"word"
        left.sendall(messages.HEADER.pack(9) + b"half")
        left.close()
        assert messages.receive_whole(right) is None


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.dictionaries(st.text(max_size=5), st.floats()))
def test_numbers_come_up_to_the_bit(values: dict[str, float]) -> None:
    (_, result) = messages.unpack_report(messages.pack_report("done", values))
    assert result.keys() == values.keys()
    for name, value in values.items():
        assert result[name] == value or (math.isnan(result[name]) and math.isnan(value))


def test_arrays_become_lists_and_nothing_else_does() -> None:
    packed = messages.pack_report("x", np.eye(2), np.float64(0.5))
    assert messages.unpack_report(packed) == ["x", [[1.0, 0.0], [0.0, 1.0]], 0.5]
    with pytest.raises(TypeError, match="'set' is nothing that JSON knows"):
        messages.pack_report("x", {1})


def test_the_text_of_an_exception_is_one_short_line() -> None:
    assert child_program.describe(ValueError()) == "ValueError"
    assert child_program.one_line("x" * 3000) == "x" * 500 + " ... (3000 characters)"
    try:
        raise KeyError("name")
    except KeyError as problem:
        describe = child_program.describe(problem)
    assert describe.startswith("KeyError: 'name' (test_processes.py:") and describe.endswith("in " + _name() + ")")


def _name() -> str:
    return "test_the_text_of_an_exception_is_one_short_line"


def test_modules_that_are_missing_are_passed_over() -> None:
    child_program.load(("nowhere.at.all", "json.*", "nowhere.*"))
    assert "json.tool" in sys.modules
    assert "tiebreak.lab.algorithms.*" in PRELOAD


@pytest.mark.skipif(not operating_system.LINUX, reason="peaks are reset through /proc, which only Linux has")
def test_the_peak_starts_again_and_counts_what_was_held_meanwhile() -> None:
    operating_system.reset_peak()
    before = operating_system.held(os.getpid())
    with mmap.mmap(-1, 50 << 20) as block:  # no freed memory of this process serves it
        for _ in range(50):
            block.write(b"1" * (1 << 20))
    peak = operating_system.peak_memory()
    assert before is not None and peak is not None
    assert 45e6 < peak - before < 80e6
    operating_system.reset_peak()
    again = operating_system.peak_memory()
    assert again is not None and again < peak - 40e6


def test_a_process_that_is_gone_holds_no_memory() -> None:
    assert operating_system.held(2**22 + 1) is None


def test_when_no_child_can_be_made_each_cell_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_) -> ChildProcess:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("tiebreak.lab.processes.task_supervisor.START_PAUSE", 0.0)
    run, result, turns = TaskSupervisor(task(2), refuse), [], 0
    while not run.over:
        result += list(run.advance())
        turns += 1
    assert turns == 2 * START_TRIES
    assert {(outcome.cell, outcome.status, outcome.reason) for outcome in result} == {
        (i, "crash", "No child process could be made: [Errno 11] Resource temporarily unavailable.") for i in (0, 1)
    }


class Twofold:
    """The connection to a child that tells every result twice: its learner forked, and the copy went on too."""

    ended = False

    def __init__(self) -> None:
        self.reports = [messages.pack_report("ready", 0, 0.0, False)]

    def take(self) -> list[bytes]:
        reports, self.reports = self.reports, []
        return reports

    def post(self, message: bytes) -> None:
        _, cell = messages.unpack_order(message)
        for number in (max(0, cell - 1), cell):
            values = {"score": float(number), "cell_wall": 0.0}
            self.reports.append(messages.pack_report("done", number, "ok", "", values, {}, 0.0, False))


def test_a_result_told_twice_is_not_taken_for_that_of_the_next_cell() -> None:
    made = Mock(spec=ChildProcess, pid=0, channel=Twofold())
    made.ended.return_value = None
    run, result = TaskSupervisor(task(3), lambda _: made), []
    while not run.over:
        result += list(run.advance())
    assert [(outcome.cell, outcome.values["score"]) for outcome in result] == [(0, 0.0), (1, 1.0), (2, 2.0)]


@pytest.mark.skipif(sys.platform == "win32", reason="needs /dev/zero")
def test_a_learner_that_never_stops_writing_is_not_waited_for() -> None:
    ours, theirs = socket.socketpair()
    endless = os.open("/dev/zero", os.O_RDONLY)
    made = ChildProcess(os.getpid(), ours, stderr=endless, process=None)
    made.read_stderr()
    assert made.wrote("\0" * KEPT_STDERR)
    made.close()
    theirs.close()


def test_a_helper_ends_when_its_connection_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself: here nobody loses patience with one that has only begun to start."""
    monkeypatch.setattr(helper_pool, "STOP_SECONDS", 600.0)
    helper = HelperProcess(Settings(preload=()))
    helper.release()
    assert helper.bury() == "" and helper._process.returncode == 0


def test_the_seed_of_a_cell_is_the_same_everywhere() -> None:
    # sha256 of "tiebreak cell 1 00ff 2 3", first four bytes: printf '...' | sha256sum
    assert cell_seed(1, "00ff", 2, 3) == 1118233061
    seeds = {cell_seed(s, d, r, f) for s in (1, 2) for d in ("00", "01") for r in range(5) for f in range(2)}
    assert len(seeds) == 40


def test_the_default_work_fits_and_measures_the_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    options: list[tuple[object, ...]] = []

    def measure(data, parts, fold, spec, *, seed):
        options.append((data, fold.replication, fold.fold, fold.train.tolist(), spec.name, seed))
        return {"error": 0.5}, {}

    monkeypatch.setattr("tiebreak.lab.one_cell.measure_cell", measure)
    whole = task()
    for cell in whole.cells:
        assert run_cell(DATA, whole, cell) == ({"error": 0.5}, {})
    parts = split(DATA, whole.resampling, seed=5)
    assert options == [
        (DATA, fold.replication, fold.fold, fold.train.tolist(), "nb", cell_seed(5, DATA.fingerprint, *place))
        for fold, place in zip(parts.folds, [(1, 1), (1, 2), (2, 1)], strict=False)
    ]
    with pytest.raises(LookupError, match="no fold 9 in replication 1"):
        run_cell(DATA, whole, Cell(id=0, replication=1, fold=9))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: engine_from("spark://a:1"),
            "There is no engine 'spark://a:1'. Cells run on this machine or on a Dask cluster. Use 'local', or the "
            "address of a Dask scheduler as 'dask://HOST:PORT'.",
        ),
        (
            lambda: engine_from("local", 0),
            "jobs is 0. At least one is needed to run anything, and it is a whole number. Use 1, or leave it out.",
        ),
        (
            lambda: engine_from("dask://a:1", 2),
            "jobs is 2 and the engine is 'dask://a:1'. On a cluster the workers say how many cells run at a time. "
            "Leave jobs out, or use the engine 'local'.",
        ),
    ],
)
def test_engines_that_cannot_be_made(call: Callable[[], object], text: str) -> None:
    with pytest.raises(OptionError) as caught:
        call()
    assert str(caught.value) == text


def test_engines_by_name() -> None:
    assert isinstance(engine_from("local"), LocalEngine)
    assert engine_from("local").jobs >= 1
    assert engine_from("tls://a:1").address == "tls://a:1"
