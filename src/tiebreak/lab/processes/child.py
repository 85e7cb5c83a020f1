"""The child: runs the cells its helper names, one after the other, and reports each one at once."""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import socket
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tiebreak.lab.processes import accounting, wire

if TYPE_CHECKING:
    from tiebreak.datasets import DataSet
    from tiebreak.lab.tasks import Cell, Status, Task

    Answer = tuple[Mapping[str, float], Mapping[str, object]]
    Work = Callable[[DataSet, Task, Cell], Answer]
    Verdict = tuple[Status, str, dict[str, float], Mapping[str, object]]

LONGEST_REASON = 500


def serve(sock: socket.socket, data: DataSet, task: Task, work: str) -> None:
    """Run cells until the helper closes the connection.

    Reports `ready` with what the process held before its first cell, then `done` for every cell: memory is counted
    from there, so it depends neither on what else the helper keeps nor on how many libraries are loaded.
    """
    accounting.limit_address_space(task.limits.memory)
    held = accounting.private_memory(os.getpid()) or 0
    wire.send_whole(sock, wire.pack_report("ready", held, accounting.cpu_seconds()))
    cells = {cell.id: cell for cell in task.cells}
    while (order := wire.receive_whole(sock)) is not None:
        _, number = wire.unpack_order(order)
        wire.send_whole(sock, _report(work, data, task, cells[number], held))


def _report(work: str, data: DataSet, task: Task, cell: Cell, held: int) -> bytes:
    """Run one cell and return its report; one that cannot be written as JSON is an error of the learner."""
    accounting.reset_peak()
    cpu, wall = accounting.cpu_seconds(), time.perf_counter()
    status, reason, values, details = _attempt(work, data, task, cell)
    values["cell_wall"] = time.perf_counter() - wall
    total = accounting.cpu_seconds()
    values["cell_cpu"] = total - cpu
    peak = accounting.peak_memory()
    if peak is not None:
        values["peak_memory"] = float(max(0, peak - held))
    try:
        return wire.pack_report("done", cell.id, status, reason, values, details, total)
    except (TypeError, ValueError, RecursionError) as problem:
        own = {name: values[name] for name in ("cell_wall", "cell_cpu", "peak_memory") if name in values}
        reason = f"The details of the cell cannot be kept: {one_line(problem)}."
        return wire.pack_report("done", cell.id, "error", reason, own, {}, total)


def _attempt(work: str, data: DataSet, task: Task, cell: Cell) -> Verdict:
    try:
        values, details = find_work(work)(data, task, cell)
        return "ok", "", {str(name): float(value) for name, value in values.items()}, dict(details)
    except MemoryError as problem:
        return "memory", describe(problem), {}, {}
    except SystemExit as problem:
        return "crash", f"The learner called sys.exit({one_line(problem.code)}).", {}, {}
    except BaseException as problem:
        return "error", describe(problem), {}, {}


def find_work(path: str) -> Work:
    """Return the function that runs one cell, named "package.module:function"."""
    module, _, name = path.partition(":")
    work: Work = getattr(importlib.import_module(module), name)
    return work


def describe(problem: BaseException) -> str:
    """Return kind, message and place of an exception as one short line.

    Examples
    --------
    >>> describe(ValueError("two" + chr(10) + "lines"))
    'ValueError: two lines'
    """
    text = one_line(problem)
    kind = type(problem).__name__
    return (f"{kind}: {text}" if text else kind) + _place(problem)


def _place(problem: BaseException) -> str:
    frames = traceback.extract_tb(problem.__traceback__, limit=-1)
    return f" ({Path(frames[-1].filename).name}:{frames[-1].lineno}, in {frames[-1].name})" if frames else ""


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
    """Be the child of one task as a fresh interpreter: `python -m tiebreak.lab.processes.child SOCKET PARENT`."""
    import faulthandler

    faulthandler.enable()
    accounting.die_with(parent)
    sock = wire.adopt_socket(word)
    sock.setblocking(True)
    first = wire.receive_whole(sock)
    if first is None:
        return
    _, path, preload, data, task, work = wire.unpack_order(first)
    sys.path[:] = path
    load(preload)
    serve(sock, data, task, work)
    sys.stderr.flush()
    os._exit(0)


def load(modules: tuple[str, ...]) -> None:
    """Import what the cells will need, "package.*" with all its modules; what is missing the cell itself finds out."""
    for name in modules:
        package = name.removesuffix(".*")
        with contextlib.suppress(Exception):
            found = importlib.import_module(package)
            if package != name:
                load(tuple(f"{package}.{part.name}" for part in pkgutil.iter_modules(found.__path__)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
