"""Verbs of the command line over HTTP: the same options, the same JSON, with the command and the call that give it."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tiebreak.web.answers import Answer
from tiebreak.web.asked import Asked
from tiebreak.web.asking import asked
from tiebreak.web.bodies import Body, read_body
from tiebreak.web.calls import command_of, python_of
from tiebreak.web.offers import OFFERS, Offer
from tiebreak.web.problems import Problem
from tiebreak.web.server import Server
from tiebreak.web.verbs import Verb

TYPES = {
    "svg": "image/svg+xml",
    "tex": "application/x-tex",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "xml": "application/xml",
}
BOARD = "site/index.html"
PAGE = "page.html"
"""The page of an answer, which a child writes beside it."""
_LINKS = re.compile(rb'href="([a-z]+\.json|badges/[A-Za-z0-9._-]+\.svg)"')
"""What the page of a board links to in its folder."""
_TEXTS = ("svg", "tex", "csv", "json", "md", "xml")


async def run_verb(server: Server, request: Request, name: str) -> Response:
    """Answer a request to one verb."""
    verb, own = OFFERS[name].offered(), frozenset(OFFERS[name].own)
    with server.folder.job(at_need=True) as folder:
        body = await read_body(request, folder, server.settings.limits, slots=frozenset({"file", *verb.slots}))
        return await answered(server, body, folder, verb, own)


async def answered(server: Server, body: Body, folder: Path, verb: Verb, own: frozenset[str]) -> Response:
    """Check, compute, and write the answer."""
    extra: dict[str, Any] = {name: body.fields.pop(name, None) for name in ("clean", "long", "page") if name in own}
    _check_sides(body, OFFERS[verb.name])
    told = asked(verb, body, folder, server.folder, server.settings, own=own)
    _check_source(told, OFFERS[verb.name])
    wanted, more = _wanted(told, extra)
    found = await server.answers.get(replace(told, more=more), folder, wanted=wanted)
    return _response(server, told, found)


def _check_sides(body: Body, offer: Offer) -> None:
    """Refuse a file and a name together where order counts: nothing says which of them came first."""
    if offer.sides and body.files.get("file") and body.fields.get("file"):
        raise Problem(
            422,
            "option",
            "One side is a file of the request, the other is named.",
            why="Which is the base and which the candidate is told by their order.",
            mend="Send both as files, both in 'text', or keep both as uploads and name both in 'file'.",
        )


def _check_source(told: Asked, offer: Offer) -> None:
    """Refuse a request that brings nothing to read, in the words of a page rather than of the command line."""
    files = told.sources.get("file", [])
    if not files and not told.store and not set(offer.unless) & set(told.options):
        stead = f"; or say {' or '.join(offer.unless)}" if offer.unless else ""
        raise Problem(
            422,
            "no-source",
            f"The request brings no {offer.brings}.",
            mend=f"Send a file in the field 'file', a pasted table in 'text', or name one in 'file'{stead}.",
        )
    if len(files) > offer.most:
        raise Problem(422, "option", f"{offer.verb} takes {_count(offer.most)}.", mend="Send fewer.")


def _count(most: int) -> str:
    return "one file" if most == 1 else f"{most} files at most"


def _wanted(told: Asked, extra: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Return the files that the verb is to write, and the values that say so."""
    wanted = [f"figure.{told.figure}"] if told.figure else []
    more: dict[str, Any] = {}
    if always := OFFERS[told.verb.name].writes:
        wanted, more = [*wanted, *always.values()], OFFERS[told.verb.name].writing()
    if extra.get("page") in (True, "true", "1"):
        wanted, more = [*wanted, PAGE], {"page": PAGE}
    if extra.get("clean") is not None:
        if extra["clean"] not in ("csv", "parquet"):
            raise Problem(422, "option", "The field 'clean' names neither csv nor parquet.", mend="Use csv or parquet.")
        wanted, more = [*wanted, f"clean.{extra['clean']}"], {"out": f"clean.{extra['clean']}"}
        more |= {"long": True} if extra.get("long") in (True, "true", "1") else {}
    return wanted, more


def _response(server: Server, told: Asked, found: Answer) -> Response:
    """Put the answer together; the JSON of the verb is passed on as it was written."""
    out = server.settings.without_places(found.out) if told.store else found.out
    result = out.strip() if told.form in ("json", "page") else json.dumps(out, ensure_ascii=False)
    store = server.settings.store_name
    more = {
        "command": command_of(told, store=store),
        "python": python_of(told, store=store),
        "page": _kept_page(server, found),
        "files": [_file(name, data) for name, data in found.files.items() if _given(name)],
    }
    text = json.dumps(more, ensure_ascii=False)
    return Response(f'{{"result": {result}, {text[1:]}', media_type="application/json")


def _kept_page(server: Server, found: Answer) -> str | None:
    """Keep a written page for a while, under an address of its own."""
    if BOARD in found.files:
        return f"/kept/{server.folder.keep_page(_with_files(found.files), 'index.html').key}"
    pages = [data for name, data in found.files.items() if name.endswith(".html")]
    return f"/kept/{server.folder.keep_page(pages[0]).key}" if pages else None


def _with_files(files: Mapping[str, bytes]) -> bytes:
    """Put the files of a board into its page: a page that is kept has no folder around it for its links to lead to."""

    def held(link: re.Match[bytes]) -> bytes:
        name = link[1].decode("ascii")
        data = files.get(f"site/{name}")
        if data is None:
            return link[0]
        url = f"data:{TYPES[name.rpartition('.')[2]]};base64,{base64.b64encode(data).decode('ascii')}"
        return f'href="{url}" download="{name.rpartition("/")[2]}"'.encode()

    return _LINKS.sub(held, files[BOARD])


def _given(name: str) -> bool:
    """Whether a file is given back beside the result: a page is kept, and a board is the result itself."""
    return not name.endswith((".html", "/board.json"))


def _file(name: str, data: bytes) -> dict[str, str]:
    """Return a written file as JSON: texts as they are, others in base64."""
    ending = name.rpartition(".")[2]
    told = {"name": name, "type": TYPES[ending]}
    if ending in _TEXTS:
        return told | {"text": data.decode("utf-8")}
    return told | {"base64": base64.b64encode(data).decode("ascii")}
