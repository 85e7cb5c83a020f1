"""Uploads that are kept for several requests, and the pages that were written for clients."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from tiebreak.web.bodies import read_body
from tiebreak.web.problems import Problem
from tiebreak.web.safety import KEPT_POLICY
from tiebreak.web.server import Server


async def keep(server: Server, request: Request) -> Response:
    """Keep one file, or a pasted text, and return the key under which other requests name it."""
    with server.folder.job() as folder:
        body = await read_body(request, folder, server.settings.limits, slots=frozenset({"file"}))
        files = body.files.get("file", [])
        if len(files) != 1 or body.fields:
            raise Problem(
                422,
                "no-source",
                "An upload is one file, or one pasted text, and nothing else.",
                mend="Send it in the field 'file', or as 'text'.",
            )
        held = server.folder.keep(files[0])
    told = {"upload": f"upload:{held.key}", "name": held.file.label, "bytes": held.file.size}
    return JSONResponse(told | {"seconds": server.settings.limits.kept_seconds}, status_code=201)


async def drop(server: Server, request: Request) -> Response:
    """Remove a kept upload."""
    key = str(request.path_params["key"]).removeprefix("upload:")
    server.folder.find(key)
    server.folder.drop(key)
    return Response(status_code=204)


async def kept_page(server: Server, request: Request) -> Response:
    """Give out a written page; it has no origin, so that its scripts can ask this server nothing."""
    held = server.folder.find(str(request.path_params["key"]), "page")
    headers = {"Content-Security-Policy": KEPT_POLICY}
    if request.query_params.get("download"):
        headers["Content-Disposition"] = f'attachment; filename="{held.file.label}"'
    return HTMLResponse(held.file.path.read_text(encoding="utf-8"), headers=headers)
