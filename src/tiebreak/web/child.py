"""What a child does: run one verb on files in one folder, and say what came of it."""

from __future__ import annotations

import io
import os
import resource
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from tiebreak.errors import TiebreakError
from tiebreak.web.files import check_kind, make_harmless
from tiebreak.web.questions import problem_of, verb_of
from tiebreak.web.view import run_verb

_RESERVED = 2_000_000_000
"""Addresses that libraries may reserve without using them."""


def answer(options: dict[str, Any]) -> dict[str, Any]:
    """Run a job and return its output, or what is wrong; `last` says that this child should not be used again."""
    try:
        os.chdir(options["folder"])
        _allow(options["limits"]["seconds"])
        for name in options["files"]:
            check_kind(Path(name))
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            out = run_verb(options["verb"], dict(options["values"]), options.get("form", "json"))
        for name in options.get("harmless", ()):
            make_harmless(Path(name))
        return {"out": out + "\n"}
    except TiebreakError as error:
        return problem_of(error, verb_of(options["verb"])).to_dict()
    except ModuleNotFoundError as error:
        return {"error": {"code": "not-installed", "what": f"{error.name} is not installed on the server."}}
    except MemoryError:
        return {"error": {"code": "memory"}, "last": True}
    except Exception as error:
        return {"error": {"code": "not-understood", "type": type(error).__name__, "where": _where(error)}, "last": True}
    finally:
        os.chdir("/")


def _where(error: BaseException) -> str:
    """Return the place in the code that an unforeseen error came from; nothing of the data."""
    frames = traceback.extract_tb(error.__traceback__)
    summaries = [frame for frame in frames if f"{os.sep}tiebreak{os.sep}" in frame.filename] or list(frames)
    return f"{Path(summaries[-1].filename).name}:{summaries[-1].lineno}" if summaries else ""


def _allow(seconds: float) -> None:
    """Let this process have so many more seconds of the processor; beyond them the system ends it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def limit_memory(more: int) -> None:
    """Let this process have so much more memory than it has now, write no large file, and leave no image of itself.

    What counts is memory that can be written. Addresses are limited far above that: libraries reserve many of them.
    """
    with open("/proc/self/status", encoding="ascii") as stream:
        held = dict(line.split(":", 1) for line in stream)
    data, addresses = (1024 * int(held[name].split()[0]) for name in ("VmData", "VmSize"))
    resource.setrlimit(resource.RLIMIT_DATA, (data + more, data + more))
    resource.setrlimit(resource.RLIMIT_AS, (addresses + 2 * more + _RESERVED, addresses + 2 * more + _RESERVED))
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000_000, 200_000_000))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))


def memory_held() -> int:
    """Return how many bytes of its own this process holds: what files share with others is not among them."""
    with open("/proc/self/status", encoding="ascii") as stream:
        return next((1024 * int(line.split()[1]) for line in stream if line.startswith("RssAnon")), 0)


def warm_up(folder: Path) -> None:
    """Do once what most requests do, so that what they import and cache is there for every child.

    No data set is read from a file: that starts threads of polars, and a child forked from them would wait forever.
    """
    limits = {"seconds": 600}
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
        ("recommend", {"data": "builtin:iris", "page": "page.html"}),
        ("recommend", {"data": "builtin:iris", "trade": "1% for 10x", "budget": "10min"}),
        ("store", {"store": "missing.db"}),
    ):
        answer({"verb": verb, "values": values, "folder": str(folder), "files": [], "limits": limits})
    sys.stdout.flush()
