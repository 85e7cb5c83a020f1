"""`tiebreak serve`: pages and an API in a browser's reach, on this machine unless told otherwise."""

from __future__ import annotations

import argparse
import os
import re
from typing import Any

from tiebreak._lazy import late
from tiebreak.cli.helping import READ, add_verb, group
from tiebreak.errors import OptionError

WHERE, LIMITS = "where to listen", "how much is let in"
_UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(|kb|mb|gb)")


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "serve",
        help="pages in a browser: compare, order, gate, recommend, the store; and a REST API",
        description="Start a server with pages and a REST API over the verbs of the command line. It listens on this"
        " machine alone, unless --host says otherwise, which needs a --token. Ctrl-C ends it.",
        titles=(WHERE, READ, LIMITS),
        examples=["--check", "--port 8080 --store results.db --limit-upload 20MB --check"],
    )
    _add_where(verb)
    _add_limits(verb)
    verb.set_defaults(run=run)


def _add_where(verb: argparse.ArgumentParser) -> None:
    where = group(verb, WHERE).add_argument
    where("--host", default="127.0.0.1", metavar="NAME", help="the address to listen on (default 127.0.0.1)")
    where("--port", type=int, default=8000, metavar="N", help="the port (default 8000)")
    token = "what every request must show; needed beyond this machine; or as TIEBREAK_TOKEN in the environment"
    where("--token", default="", metavar="TEXT", help=token)
    named = "a further name under which the server may be asked for; may be repeated"
    where("--allow-host", action="append", default=[], metavar="NAME", help=named)
    static = "instead: write the comparison page as files that need no server (see docs/web.md)"
    where("--static", metavar="DIR", help=static)
    where("--check", action="store_true", help="say what would be started, and end")
    read = group(verb, READ).add_argument
    read("--store", default="results.db", metavar="URL", help="the store that pages show and runs fill")
    read("--folder", metavar="DIR", help="where uploads and runs are kept, private (default: the user's state)")


def _add_limits(verb: argparse.ArgumentParser) -> None:
    add = group(verb, LIMITS).add_argument
    add("--limit-upload", default="50MB", metavar="SIZE", help="bytes of a request (default 50MB)")
    add("--limit-rows", type=int, default=1_000_000, metavar="N", help="rows of a table (default 1000000)")
    add("--limit-columns", type=int, default=10_000, metavar="N", help="columns of a table (default 10000)")
    add("--limit-seconds", type=float, default=30.0, metavar="S", help="seconds of one answer (default 30)")
    add("--limit-memory", default="1.5GB", metavar="SIZE", help="memory of one answer (default 1.5GB)")
    add("--limit-queue", type=int, default=64, metavar="N", help="requests that wait (default 64)")
    add("--limit-run", default="4h", metavar="TIME", help="the longest background run (default 4h)")
    add("--workers", type=int, metavar="N", help="processes that answer; default: the cores")
    add("--jobs", type=int, metavar="N", help="cells at a time of a background run; default: the cores")


def run(arguments: argparse.Namespace) -> None:
    """Start the server, or say what would be started."""
    if arguments.static:
        print(late("tiebreak.web.static", "write_static")(arguments.static))
        return
    settings = late("tiebreak.web.settings", "Settings")(**_told(arguments))
    if arguments.check:
        print(late("tiebreak.web.serving", "checked")(settings))
        return
    late("tiebreak.web.serving", "serve")(settings)


def _told(arguments: argparse.Namespace) -> dict[str, Any]:
    from pathlib import Path

    from tiebreak.budgets import budget_from

    longest = budget_from(arguments.limit_run)
    limits = late("tiebreak.web.settings", "Limits")(
        upload=_bytes(arguments.limit_upload, "--limit-upload"),
        memory=_bytes(arguments.limit_memory, "--limit-memory"),
        rows=arguments.limit_rows,
        columns=arguments.limit_columns,
        seconds=arguments.limit_seconds,
        queue=arguments.limit_queue,
        run_seconds=longest.seconds if longest else 0.0,
    )
    told = {name: getattr(arguments, name) for name in ("host", "port", "token", "store", "jobs")}
    told["token"] = told["token"] or os.environ.get("TIEBREAK_TOKEN", "")
    told |= {"names": tuple(arguments.allow_host), "limits": limits}
    if arguments.folder:
        told["folder"] = Path(arguments.folder).expanduser().resolve()
    return told | ({"workers": arguments.workers} if arguments.workers else {})


def _bytes(text: str, flag: str) -> int:
    """Read a size: 50MB, 1.5GB, or so many bytes."""
    found = _SIZE.fullmatch(text.strip().lower())
    if not found:
        raise OptionError(f"{flag} is {text!r}.", why="It is a size, in bytes, kB, MB or GB.", mend=f"Use {flag} 50MB.")
    return int(float(found.group(1)) * _UNITS[found.group(2)])
