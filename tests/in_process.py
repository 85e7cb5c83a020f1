"""The web application without a socket and without child processes: what these do is done in this process."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from tiebreak.web.child import answer
from tiebreak.web.messages import Problem
from tiebreak.web.pool import Job

from . import event_loop

TOKEN = "a-token-for-the-tests"


class InProcess:
    """Does what child processes do."""

    async def run(self, job: Job) -> str:
        message = {field.name: getattr(job, field.name) for field in fields(job)} | {"folder": str(job.folder)}
        before = Path.cwd()
        try:
            result = answer(message)
        finally:
            os.chdir(before)
        if "error" in result:
            error = result["error"]
            raise Problem(422, error["code"], error.get("what", ""), mend=error.get("mend", ""))
        return str(result["out"])

    async def stop(self) -> None:
        """Nothing was started."""


def form(options: Mapping[str, Any], files: list[tuple[str, str, str]]) -> bytes:
    """Write a form with the mark "mark": options, and files as field, name and text."""
    parts = []
    for key, value in options.items():
        for item in value if isinstance(value, list) else [value]:
            text = str(item).lower() if isinstance(item, bool) else str(item)
            parts.append(f'--mark\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{text}')
    for slot, name, text in files:
        parts.append(f'--mark\r\nContent-Disposition: form-data; name="{slot}"; filename="{name}"\r\n\r\n{text}')
    return "\r\n".join([*parts, "--mark--\r\n"]).encode()


def post(
    app: Any, path: str, options: Mapping[str, Any], files: list[tuple[str, str, str]] | None = None
) -> tuple[int, Any]:
    """Send one request to an application, as JSON or with files as a form, and return its status and JSON."""
    body = form(options, files) if files else json.dumps(options).encode()
    kind = "multipart/form-data; boundary=mark" if files else "application/json"
    sent: list[dict[str, Any]] = []
    given = {"host": "127.0.0.1:8000", "content-type": kind, "x-tiebreak-token": TOKEN}
    headers = [(key.encode(), value.encode()) for key, value in given.items()]
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {"http_version": "1.1", "scheme": "http", "server": ("127.0.0.1", 8000), "client": ("127.0.0.1", 1)}
    scope["headers"] = [*headers, (b"content-length", str(len(body)).encode())]

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    event_loop.run(app(scope, receive, send))
    data = b"".join(item.get("body", b"") for item in sent)
    return int(sent[0]["status"]), json.loads(data)
