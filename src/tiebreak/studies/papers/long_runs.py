"""Values that take minutes, or data that do not ship: what a recorded run gave, with its command and seed."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def long_runs() -> dict[str, dict[str, Any]]:
    """Return every recorded run by the paper and the row it belongs to."""
    text = (files("tiebreak.studies.papers") / "long_runs.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


def long_run(row: str) -> Any:
    """Return the value that was recorded for a row."""
    return long_runs()[row]["ours"]
