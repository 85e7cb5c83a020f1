"""The child: runs the cells its helper names, one after the other, and reports each one at once."""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import socket
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.lab.processes import messages, operating_system

if TYPE_CHECKING:
    from tiebreak.datasets import DataSet
    from tiebreak.lab.tasks import Cell, Status, Task

    Answer = tuple[Mapping[str, float], Mapping[str, object]]
    Work = Callable[[DataSet, Task, Cell], Answer]
    Verdict = tuple[Status, str, dict[str, float], Mapping[str, object]]

LONGEST_REASON = 500
"""The most characters of what a learner says that go into the store."""


def serve(sock: socket.socket, data: DataSet, task: Task, work: str, warm: bool) -> None:
    """Warm up if told to, then run cells until the helper closes the connection.

    Reports `warming` before the warm-up, `ready` after it with what the process holds then, and `done` for every cell:
    memory is counted from there, so it depends neither on what else the helper keeps nor on how many libraries are
    loaded. Processes below this one stay below it, so that their CPU seconds are found.
    """
    operating_system.limit_address_space(task.limits.memory)
    operating_system.keep_orphans()

    def tell(kind: str, *content: object) -> None:
        messages.send_whole(sock, messages.pack_report(kind, *content))

    if warm and task.cells:
        tell("warming")
        with contextlib.suppress(Exception):  # what goes wrong here will go wrong again where it is recorded
            companion("before", work)(data, task)
    held = operating_system.held(os.getpid()) or 0
    tell("ready", held, operating_system.spent()[0], operating_system.has_children())
    cells = {cell.id: cell for cell in task.cells}
    while (order := messages.receive_whole(sock)) is not None:
        _, number = messages.unpack_order(order)
        messages.send_whole(sock, _report(work, data, task, cells[number], held))


def _report(work: str, data: DataSet, task: Task, cell: Cell, held: int) -> bytes:
    """Run one cell and return its report; one that cannot be written as JSON is an error of the learner."""
    operating_system.reset_peak()
    operating_system.stop_timers()
    below = operating_system.peak_below()
    start = operating_system.spent()
    status, reason, values, details = _attempt(work, data, task, cell)
    values["cell_cpu"], values["cell_wall"] = operating_system.spent_since(start)
    peak = operating_system.peak_memory()
    if peak is not None:
        values["peak_memory"] = float(max(0, peak - held))
    if operating_system.peak_below() > below:  # a program that came and went between two looks of the helper
        more = float(operating_system.peak_below() - operating_system.resident())
        values["peak_memory"] = max(values.get("peak_memory", 0.0), more)
    account = operating_system.spent()[0], operating_system.has_children()
    try:
        return messages.pack_report("done", cell.id, status, reason, values, details, *account)
    except (TypeError, ValueError, RecursionError) as problem:
        reason = f"The details of the cell cannot be kept: {one_line(problem)}."
        return messages.pack_report("done", cell.id, "error", reason, costs_of(values), {}, *account)


def costs_of(values: Mapping[str, float]) -> dict[str, float]:
    """Return what the cell cost as a whole: known, and kept, even where its scores do not count."""
    return {name: values[name] for name in ("cell_wall", "cell_cpu", "peak_memory") if name in values}


def _attempt(work: str, data: DataSet, task: Task, cell: Cell) -> Verdict:
    try:
        values, details = find_work(work)(data, task, cell)
        return "ok", "", {str(name): float(value) for name, value in values.items()}, dict(details)
    except MemoryError as problem:
        return "memory", describe(problem), {}, {}
    except SystemExit as problem:
        return "crash", f"The learner called sys.exit({one_line(problem.code)}).", {}, {}
    except BaseException as problem:  # a learner may raise anything, KeyboardInterrupt too; the child has to report
        return "error", describe(problem), {}, {}


def find_work(path: str) -> Work:
    """Return the function that runs one cell, named "package.module:function"."""
    module, _, name = path.partition(":")
    work: Work = getattr(importlib.import_module(module), name)
    return work


def companion(kind: str, path: str) -> Callable[..., Any]:
    """Return a function beside that of the cells: `before_NAME` warms up in a child, `load_NAME` loads in a helper."""
    module, _, name = path.partition(":")
    try:
        function: Callable[..., Any] = getattr(importlib.import_module(module), f"{kind}_{name}", _nothing)
    except Exception:  # the cell itself will say what is wrong
        return _nothing
    return function


def _nothing(*_: object) -> None:
    """For work that has no companion."""


def describe(problem: BaseException) -> str:
    """Return kind, message and place of an exception as one short line.

    Examples
    --------
    >>> describe(ValueError("two" + chr(10) + "lines"))
    'ValueError: two lines'
    """
    kind, text = type(problem).__name__, one_line(problem)
    places = [
        f" ({Path(frame.filename).name}:{frame.lineno}, in {frame.name})"
        for frame in traceback.extract_tb(problem.__traceback__, limit=-1)
    ]
    return "".join([f"{kind}: {text}" if text else kind, *places])


def one_line(value: object) -> str:
    """Return a value as one line of printable text of bounded length.

    Examples
    --------
    >>> one_line(" a " + chr(0) + chr(10) + " b ")
    'a b'
    """
    try:
        text = str(value)
    except Exception as problem:
        text = f"(its text cannot be shown: {type(problem).__name__})"
    whole = len(text)
    text = "".join(sign if sign.isprintable() else " " for sign in text[: 4 * LONGEST_REASON])
    text = " ".join(text.split())
    if whole > 4 * LONGEST_REASON or len(text) > LONGEST_REASON:
        return f"{text[:LONGEST_REASON]} ... ({whole} characters)"
    return text


def main(word: str, parent: int) -> None:
    """Be the child of one task as a fresh interpreter, started by `operating_system.start_interpreter`."""
    import faulthandler

    faulthandler.enable()
    operating_system.die_with(parent)
    sock = operating_system.adopt_socket(word)
    sock.setblocking(True)
    first = messages.receive_whole(sock)
    if first is None:
        return
    _, path, settings, data, task, warm = messages.unpack_order(first)
    sys.path[:] = path
    load(settings.preload)
    serve(sock, data, task, settings.work, warm)
    sys.stderr.flush()
    os._exit(0)  # threads and exit handlers of a learner could keep it from ending


def load(modules: tuple[str, ...]) -> None:
    """Import what the cells will need, "package.*" with all its modules; what is missing the cell itself finds out."""
    for name in modules:
        package = name.removesuffix(".*")
        with contextlib.suppress(Exception):
            module = importlib.import_module(package)
            if package != name:
                load(tuple(f"{package}.{part.name}" for part in pkgutil.iter_modules(module.__path__)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
