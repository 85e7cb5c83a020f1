"""Verbs of the command line over HTTP: the same options, the same JSON, with the command and the call that give it."""

from __future__ import annotations

import base64
import json
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
from tiebreak.web.problems import Problem
from tiebreak.web.server import Server
from tiebreak.web.verbs import Verb, verb_of

OWN = {
    "read": ("file", "clean", "long"),
    "compare": ("file", "store", "format", "figure"),
    "order": ("file", "store", "format", "figure"),
    "multivariate": ("file", "store", "format", "figure", "page"),
    "report": ("file", "store"),
    "recommend": ("file", "learn_from", "format", "page"),
}
"""The fields of each verb beside its options and further files."""
OF_RUNS = ("run", "splits", "stop_below", "jobs", "retry")
"""Options of `recommend` that start work in the background, which has a route of its own."""
TYPES = {
    "svg": "image/svg+xml",
    "tex": "application/x-tex",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "html": "text/html",
}
_TEXTS = ("svg", "tex", "csv")


def offered(name: str) -> Verb:
    """Return a verb as its route offers it."""
    verb = verb_of(name)
    if name == "recommend":
        return replace(verb, options={key: each for key, each in verb.options.items() if key not in OF_RUNS})
    return verb


async def run_verb(server: Server, request: Request, name: str) -> Response:
    """Answer a request to one verb."""
    verb, own = offered(name), frozenset(OWN[name])
    with server.folder.job() as folder:
        body = await read_body(request, folder, server.settings.limits, slots=frozenset({"file", *verb.slots}))
        return await answered(server, body, folder, verb, own)


async def answered(server: Server, body: Body, folder: Path, verb: Verb, own: frozenset[str]) -> Response:
    """Check, compute, and write the answer."""
    extra: dict[str, Any] = {name: body.fields.pop(name, None) for name in ("clean", "long", "page") if name in own}
    told = asked(verb, body, folder, server.folder, server.settings, own=own)
    _check_source(told)
    wanted, more = _wanted(told, extra)
    found = await server.answers.get(replace(told, more=tuple(more)), folder, wanted=wanted)
    return _response(server, told, found)


def _check_source(told: Asked) -> None:
    """Refuse a request that brings nothing to read, in the words of a page rather than of the command line."""
    if not told.sources.get("file") and not told.store and "known" not in told.options:
        raise Problem(
            422,
            "no-source",
            "The request brings no table." if told.verb.name != "recommend" else "The request brings no data set.",
            mend="Send a file in the field 'file', a pasted table in 'text', or name one in 'file'.",
        )
    if told.verb.name in ("read", "recommend") and len(told.sources.get("file", [])) > 1:
        raise Problem(422, "option", f"{told.verb.name} takes one file.", mend="Send one.")


def _wanted(told: Asked, extra: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the files that the verb is to write, and the options that say so."""
    wanted = [f"figure.{told.figure}"] if told.figure else []
    more = []
    if told.verb.name == "report":
        wanted, more = [*wanted, "report.html"], ["--out=report.html"]
    if extra.get("page") in (True, "true", "1"):
        wanted, more = [*wanted, "page.html"], ["--html=page.html"]
    if extra.get("clean") is not None:
        if extra["clean"] not in ("csv", "parquet"):
            raise Problem(422, "option", "The field 'clean' names neither csv nor parquet.", mend="Use csv or parquet.")
        wanted, more = [*wanted, f"clean.{extra['clean']}"], [f"--out=clean.{extra['clean']}"]
        more += ["--long"] if extra.get("long") in (True, "true", "1") else []
    return wanted, more


def _response(server: Server, told: Asked, found: Answer) -> Response:
    """Put the answer together; the JSON of the verb is passed on as it was written."""
    out = server.settings.without_places(found.out) if told.store else found.out
    result = out.strip() if told.form == "json" else json.dumps(out, ensure_ascii=False)
    store = server.settings.store_name
    more = {
        "command": command_of(told, store=store),
        "python": python_of(told, store=store),
        "page": _kept_page(server, found),
        "files": [_file(name, data) for name, data in found.files.items() if not name.endswith(".html")],
    }
    text = json.dumps(more, ensure_ascii=False)
    return Response(f'{{"result": {result}, {text[1:]}', media_type="application/json")


def _kept_page(server: Server, found: Answer) -> str | None:
    """Keep a written page for a while, under an address of its own."""
    pages = [data for name, data in found.files.items() if name.endswith(".html")]
    return f"/kept/{server.folder.keep_page(pages[0]).key}" if pages else None


def _file(name: str, data: bytes) -> dict[str, str]:
    """Return a written file as JSON: texts as they are, others in base64."""
    ending = name.rpartition(".")[2]
    told = {"name": name, "type": TYPES[ending]}
    if ending in _TEXTS:
        return told | {"text": data.decode("utf-8")}
    return told | {"base64": base64.b64encode(data).decode("ascii")}
