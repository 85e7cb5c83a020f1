"""Logs for programs: one line of JSON per event, with times, routes and statuses, and nothing of anybody's data."""

from __future__ import annotations

import json
import sys
import time
from typing import IO, Any

ALLOWED = frozenset(
    "time event method route status ms bytes verb code type where seconds host port state runs workers version".split()
)
"""What a line may hold; anything else would be a mistake, and is left out."""


class Log:
    """Writes events to a stream.

    Examples
    --------
    >>> import sys
    >>> Log(sys.stdout, clock=lambda: 0.0)("request", route="/api/compare", status=200, name="secret.csv")
    {"time": 0.0, "event": "request", "route": "/api/compare", "status": 200}
    """

    def __init__(self, stream: IO[str] | None = None, *, clock: Any = time.time) -> None:
        self._stream, self._clock = stream, clock

    def __call__(self, event: str, **told: Any) -> None:
        """Write one event; the route is the pattern of the path, never the path itself."""
        kept = {name: value for name, value in told.items() if name in ALLOWED}
        line = json.dumps({"time": round(self._clock(), 3), "event": event} | kept)
        print(line, file=self._stream or sys.stderr, flush=True)
