"""The store of the server: what it holds, how far it is, who leads, and tables in and out of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tiebreak.web.api.verbs import answered
from tiebreak.web.asking import asked
from tiebreak.web.bodies import Body, read_body
from tiebreak.web.offers import OFFERS
from tiebreak.web.problems import Problem
from tiebreak.web.server import Server
from tiebreak.web.verbs import verb_of
from tiebreak.web.work.pool import Job

PARTS = {
    "datasets": ("datasets",),
    "algorithms": ("algorithms",),
    "resamplings": ("resamplings", "plans"),
    "failures": ("failures",),
    "coverage": ("coverage",),
    "hosts": ("hosts", "versions", "changed"),
}
"""Parts of what a store holds, by the name of their route."""


async def contents(server: Server, _: Request) -> Response:
    """Return the whole of `tiebreak store URL --json`."""
    return Response(await _said(server), media_type="application/json")


async def part(server: Server, request: Request) -> Response:
    """Return one part of it."""
    name = str(request.path_params["part"])
    if name not in PARTS:
        raise Problem(404, "not-found", f"A store has no part {name[:60]!r}.", mend=f"Use {', '.join(PARTS)}.")
    found = json.loads(await _said(server, coverage=name == "coverage"))
    return JSONResponse({key: found[key] for key in ("store", "counts", *PARTS[name])})


async def _said(server: Server, *, coverage: bool = False) -> str:
    """Let a child look into the store."""
    with server.folder.job() as folder:
        values = {"store": server.settings.store, "coverage": coverage}
        return server.settings.without_places(await server.pool.run(Job(verb="store", values=values, folder=folder)))


async def standing(server: Server, request: Request) -> Response:
    """Order the algorithms of the store as it is now; options stand in the address, so that it can be kept."""
    fields: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        held = fields.get(name)
        fields[name] = value if held is None else [*(held if isinstance(held, list) else [held]), value]
    body = Body(fields=fields | {"store": True})
    with server.folder.job() as folder:
        return await answered(
            server, body, folder, OFFERS["order"].offered(), frozenset(OFFERS["order"].own) - {"file"}
        )


async def take_in(server: Server, request: Request) -> Response:
    """Import a table into the store, under the name of whose it is."""
    verb = verb_of("store")
    with server.folder.job() as folder:
        body = await read_body(request, folder, server.settings.limits, slots=frozenset({"file"}))
        told = asked(verb, body, folder, server.folder, server.settings, own=frozenset({"file"}))
        sources = told.sources.get("file", [])
        if len(sources) != 1:
            raise Problem(422, "no-source", "One table is imported at a time.", mend="Send it in the field 'file'.")
        more = {"store": server.settings.store, "import": sources[0].argument}
        job = replace(told, sources={}, more=more)
        files = [each.argument for each in sources if each.is_file]
        found = await server.pool.run(Job(verb="store", values=job.values(), folder=folder, files=files))
    return Response(server.settings.without_places(found), media_type="application/json")


async def export(server: Server, _: Request) -> Response:
    """Give out every cell of the store as csv, with harmless cells."""
    with server.folder.job() as folder:
        values = {"store": server.settings.store, "export": "store.csv"}
        await server.pool.run(Job(verb="store", values=values, folder=folder, harmless=["store.csv"]))
        data = (folder / "store.csv").read_bytes()
    headers = {"Content-Disposition": 'attachment; filename="store.csv"'}
    return Response(data, media_type="text/csv; charset=utf-8", headers=headers)
