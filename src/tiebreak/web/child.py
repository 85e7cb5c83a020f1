"""The fork server: a warm process that forks children, and what a child does.

The server sends the socket of a child over the control socket. The child reads jobs from it, each a line of JSON, and
writes its answers, other lines. The fork server kills the child when the server closes the socket, reports how a
child ended, and ends with its server.
"""

from __future__ import annotations

import gc
import io
import json
import os
import resource
import select
import signal
import socket
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, NoReturn

from tiebreak.errors import TiebreakError
from tiebreak.web.downloads import make_harmless
from tiebreak.web.messages import place_of, problem_of
from tiebreak.web.options import verb_of
from tiebreak.web.view import run_verb

_RESERVED = 2_000_000_000
"""Addresses that libraries may reserve without using them."""
GROWN = 100_000_000
"""Bytes that a child may keep after a job; one that keeps more is replaced."""
_LAST = ("memory", "not-understood")
"""Errors after which a child is not used again."""


def line_of(message: dict[str, Any]) -> bytes:
    """Write a message: one line of JSON."""
    return json.dumps(message).encode() + b"\n"


# ---- a child


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """Run a job and return its output, or what is wrong."""
    try:
        os.chdir(job["folder"])
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            out = run_verb(job["verb"], dict(job["values"]), job.get("form", "json"))
        for name in job.get("harmless", ()):
            make_harmless(Path(name))
        return {"out": out + "\n"}
    except TiebreakError as error:
        verb = verb_of(job["verb"])
        return problem_of(error, (*verb.options, *verb.slots)).to_dict()
    except ModuleNotFoundError as error:
        return {"error": {"code": "not-installed", "what": f"{error.name} is not installed on the server."}}
    except MemoryError:
        return {"error": {"code": "memory"}}
    except Exception as error:
        return {"error": {"code": "not-understood", "type": type(error).__name__, "where": place_of(error)}}
    finally:
        os.chdir("/")


def _run_child(channel: socket.socket, memory: int) -> NoReturn:
    """Answer jobs until no more come, or one went wrong; whatever happens, never return into the fork server's loop."""
    try:
        os.setsid()
        _limit(memory)
        before = _status()["RssAnon"]
        with channel.makefile("rb") as stream:
            for line in stream:
                job = json.loads(line)
                used = resource.getrusage(resource.RUSAGE_SELF)
                soft = int(used.ru_utime + used.ru_stime + job["seconds"]) + 1
                resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))
                result = answer(job)
                again = _status()["RssAnon"] < before + GROWN and result.get("error", {}).get("code") not in _LAST
                channel.sendall(line_of(result | {"again": again}))
                if not again:
                    break
    finally:
        os._exit(0)


def _limit(memory: int) -> None:
    """Limit this process: so much more memory than it has now, no large file, no core dump.

    What counts is memory that can be written. Addresses are limited far above that: libraries reserve many of them.
    """
    held = _status()
    for limit, most in (
        (resource.RLIMIT_DATA, held["VmData"] + memory),
        (resource.RLIMIT_AS, held["VmSize"] + 2 * memory + _RESERVED),
        (resource.RLIMIT_FSIZE, 200_000_000),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 256),
    ):
        resource.setrlimit(limit, (most, most))


def _status() -> dict[str, int]:
    """Return the sizes of this process in bytes, by their names in Linux."""
    with open("/proc/self/status", encoding="ascii") as stream:
        pairs = (line.split(":", 1) for line in stream if line.endswith("kB\n"))
        return {name: 1024 * int(size.split()[0]) for name, size in pairs}


# ---- the fork server


def main() -> None:
    """Warm up, then fork children until the server is gone."""
    control, memory = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with tempfile.TemporaryDirectory() as folder:
        warm_up(Path(folder))
    gc.collect()
    gc.freeze()
    control.send(b"ready")
    _serve(control, memory)


def _serve(control: socket.socket, memory: int) -> NoReturn:
    """Fork a child for every socket that comes, kill those whose socket was closed, and report those that ended."""
    children: dict[int, tuple[int, socket.socket]] = {}  # by the descriptor of the socket of their job
    ends: dict[int, int] = {}  # from descriptors that are readable when a child has ended to that of its socket
    events = select.poll()
    events.register(control, select.POLLIN)
    while True:
        descriptor = events.poll()[0][0]  # one at a time: what is closed for one may be opened anew for another
        if descriptor in ends:
            pid, channel = children.pop(ends.pop(descriptor))
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            events.unregister(descriptor)
            os.close(descriptor)
            with suppress(KeyError):
                events.unregister(channel)
            with suppress(OSError), channel:
                channel.send(line_of({"ended": code}), socket.MSG_DONTWAIT)
        elif descriptor in children:
            _kill(children[descriptor][0])
            events.unregister(descriptor)
        elif sockets := socket.recv_fds(control, 1, 1)[1]:
            channel = socket.socket(fileno=sockets[0])
            if (pid := os.fork()) == 0:
                control.close()
                _run_child(channel, memory)
            end = os.pidfd_open(pid)
            children[channel.fileno()], ends[end] = (pid, channel), channel.fileno()
            events.register(end, select.POLLIN)
            events.register(channel, select.POLLRDHUP)
        else:
            for pid, _ in children.values():
                _kill(pid)
            os._exit(0)


def _kill(pid: int) -> None:
    """End a child and what it started; it is a group of its own as soon as it runs."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError):
            kill(pid, signal.SIGKILL)


def warm_up(folder: Path) -> None:
    """Do once what most requests do, so that what they import and cache is there for every child.

    No data set is read from a file: that starts threads of polars, and a child forked from them would wait forever.
    """
    table = folder / "table.csv"
    rows = [f"d{i},0.{80 + i % 7},0.{70 + 3 * i % 11},0.{60 + 5 * i % 13}" for i in range(8)]
    table.write_text("\n".join(["dataset,a,b,c", *rows, ""]), encoding="utf-8")
    votes, items = folder / "votes.csv", folder / "items.csv"
    votes.write_text(
        "left,right,winner\n" + "a,b,left\nb,c,tie\nc,a,left\na,b,right\nb,c,right\n" * 3, encoding="utf-8"
    )
    answers = [f"{model},{item},{(item + model) % 3 % 2}" for model in range(3) for item in range(12)]
    items.write_text("\n".join(["model,item,accuracy", *answers, ""]), encoding="utf-8")
    table_of = {"results": ["table.csv"], "score": "auc"}
    ulas = {"results": ["published:ulas2012"], "score": "accuracy"}
    for verb, values in (
        ("read", table_of),
        ("compare", table_of),
        ("compare", ulas | {"figure": "figure.svg"}),
        ("order", ulas | {"cost": ["train_time"]}),
        ("report", table_of | {"out": "report.html"}),
        ("battles", {"votes": "votes.csv", "figure": "figure.svg"}),
        ("compare", {"results": ["items.csv"]}),
        ("power", {"results": ["items.csv"]}),
        ("gate", {"results": ["items.csv"], "base": "0", "candidate": "1", "margin": "0.1"}),
        ("board", table_of | {"out": "site"}),
        ("recommend", {"known": "iris", "page": "page.html"}),
        ("recommend", {"known": "iris", "budget": "10min"}),
        ("store", {"store": "missing.db"}),
    ):
        answer({"verb": verb, "values": values, "folder": str(folder)})


if __name__ == "__main__":
    main()
