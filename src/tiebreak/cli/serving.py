"""`tiebreak serve` and `tiebreak mcp`: pages and an API in a browser's reach, and tools for assistants."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from pathlib import Path
from typing import Any

from tiebreak._lazy import late
from tiebreak.budgets import budget_from
from tiebreak.cli.answering import Answer
from tiebreak.errors import OptionError

_UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(|kb|mb|gb)")
LIMITS = ("upload", "rows", "columns", "seconds", "memory", "queue", "run", "workers", "jobs")


def serve(values: Namespace) -> Answer | None:
    """Start the server, or say what would be started."""
    if values.static:
        return Answer(text=str(late("tiebreak.web.pages", "write_static")(values.static)))
    settings = late("tiebreak.web.settings", "Settings")(**_settings(values))
    if values.check:
        return Answer(text=str(late("tiebreak.web.serving", "checked")(settings)))
    late("tiebreak.web.serving", "serve")(settings)
    return None


def _settings(values: Namespace) -> dict[str, Any]:
    given = _limits(values.limit)
    own = {name: given.pop(name) for name in ("workers", "jobs") if name in given}
    found = {name: getattr(values, name) for name in ("host", "port", "store")} | own
    found["token"] = values.token or os.environ.get("TIEBREAK_TOKEN", "")
    found |= {"names": tuple(values.allow_host), "limits": late("tiebreak.web.settings", "Limits")(**given)}
    if values.folder:
        found["folder"] = Path(values.folder).expanduser().resolve()
    return found


def _limits(pairs: list[str]) -> dict[str, Any]:
    """Read the values of --limit."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        if name not in LIMITS or not text:
            raise OptionError(
                f"--limit {pair!r} names no limit, or no value.",
                why="It says how much is let in.",
                mend=f"Use --limit NAME=VALUE with {', '.join(LIMITS[:-1])} or {LIMITS[-1]}.",
            )
        if name == "run":
            budget = budget_from(text)
            found["run_seconds"] = budget.seconds if budget else 0.0
        elif name in ("upload", "memory"):
            found[name] = _bytes(text, name)
        else:
            found[name] = _number(text, name)
    return found


def _number(text: str, name: str) -> float | int:
    try:
        return float(text) if name == "seconds" else int(text)
    except ValueError:
        raise OptionError(
            f"--limit {name}={text} is no number.", why="It is a count.", mend=f"Use --limit {name}=10."
        ) from None


def _bytes(text: str, name: str) -> int:
    """Read a size: 50MB, 1.5GB, or so many bytes."""
    found = _SIZE.fullmatch(text.strip().lower())
    if not found:
        raise OptionError(
            f"--limit {name}={text} is no size.",
            why="It is in bytes, kB, MB or GB.",
            mend=f"Use --limit {name}=50MB.",
        )
    return int(float(found.group(1)) * _UNITS[found.group(2)])


def mcp(values: Namespace) -> Answer | None:
    """Serve, or list the tools."""
    try:
        if values.list:
            text = str(late("tiebreak.web.tools", "listing")(as_json=values.json))
            values.json = False
            return Answer(text=text)
        late("tiebreak.web.tools", "serve_tools")(values.root)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("tiebreak"):
            raise
        raise OptionError(
            f"{error.name} is not installed.",
            why="Tools are served with the official library of the protocol.",
            mend="Install it: pip install 'tiebreak[mcp]'",
        ) from None
    return None
