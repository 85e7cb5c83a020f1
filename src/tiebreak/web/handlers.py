"""What answers the routes: verbs, uploads that are kept, background runs, and the store."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from tiebreak.budgets import budget_from
from tiebreak.errors import TiebreakError
from tiebreak.web.bodies import Body, asked, read_body
from tiebreak.web.calls import command_of, python_of
from tiebreak.web.files import TYPES, as_field
from tiebreak.web.pool import Job
from tiebreak.web.problems import Problem
from tiebreak.web.questions import OFFERS, Asked, Verb, offered, problem_of, verb_of
from tiebreak.web.safety import KEPT_POLICY
from tiebreak.web.server import Answer, Server


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
    options = {"upload": f"upload:{held.key}", "name": held.file.label, "bytes": held.file.size}
    return JSONResponse(options | {"seconds": server.settings.limits.kept_seconds}, status_code=201)


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


BOARD = "site/index.html"
PAGE = "page.html"
"""The page of an answer, which a child writes beside it."""
_LINKS = re.compile(rb'href="([a-z]+\.json|method\.html|badges/[A-Za-z0-9._-]+\.svg)"')
"""What the page of a board links to in its folder."""


async def run_verb(server: Server, request: Request, name: str) -> Response:
    """Answer a request to one verb."""
    verb, current = offered(name), frozenset(OFFERS[name].fields)
    with server.folder.job(at_need=True) as folder:
        body = await read_body(request, folder, server.settings.limits, slots=frozenset({"file", *verb.slots}))
        return await answered(server, body, folder, verb, current)


async def answered(server: Server, body: Body, folder: Path, verb: Verb, texts: frozenset[str]) -> Response:
    """Check, compute, and write the answer."""
    extra: dict[str, Any] = {name: body.fields.pop(name, None) for name in ("clean", "long", "page") if name in texts}
    _check_sides(body, verb)
    options = asked(verb, body, folder, server.folder, server.settings, own=texts)
    _check_source(options)
    wanted, more = _wanted(options, extra)
    answer = await server.answers.get(replace(options, more=more), folder, wanted=wanted)
    return _response(server, options, answer)


def _check_sides(body: Body, verb: Verb) -> None:
    """Refuse a file and a name together where order counts: nothing says which of them came first."""
    if OFFERS[verb.name].sides and body.files.get("file") and body.fields.get("file"):
        raise Problem(
            422,
            "option",
            "One side is a file of the request, the other is named.",
            why="Which is the base and which the candidate is told by their order.",
            mend="Send both as files, both in 'text', or keep both as uploads and name both in 'file'.",
        )


def _check_source(options: Asked) -> None:
    """Refuse a request that brings nothing to read, in the words of a page rather than of the command line."""
    files, offer = options.sources.get("file", []), OFFERS[options.verb.name]
    if not files and not options.store and not set(offer.unless) & set(options.options):
        stead = f"; or say {' or '.join(offer.unless)}" if offer.unless else ""
        raise Problem(
            422,
            "no-source",
            f"The request brings no {offer.brings}.",
            mend=f"Send a file in the field 'file', a pasted table in 'text', or name one in 'file'{stead}.",
        )
    if len(files) > offer.most:
        raise Problem(422, "option", f"{options.verb.name} takes {_count(offer.most)}.", mend="Send fewer.")


def _count(most: int) -> str:
    return "one file" if most == 1 else f"{most} files at most"


def _wanted(options: Asked, extra: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Return the files that the verb is to write, and the values that say so."""
    wanted = [f"figure.{options.figure}"] if options.figure else []
    more: dict[str, Any] = {}
    if always := OFFERS[options.verb.name].writes:
        wanted, more = [*wanted, *always.values()], OFFERS[options.verb.name].writing()
    if extra.get("page") in (True, "true", "1"):
        wanted, more = [*wanted, PAGE], {"page": PAGE}
    if extra.get("clean") is not None:
        if extra["clean"] not in ("csv", "parquet"):
            raise Problem(422, "option", "The field 'clean' names neither csv nor parquet.", mend="Use csv or parquet.")
        wanted, more = [*wanted, f"clean.{extra['clean']}"], {"out": f"clean.{extra['clean']}"}
        more |= {"long": True} if extra.get("long") in (True, "true", "1") else {}
    return wanted, more


def _response(server: Server, options: Asked, answer: Answer) -> Response:
    """Put the answer together; the JSON of the verb is passed on as it was written."""
    out = server.settings.without_places(answer.out) if options.store else answer.out
    result = out.strip() if options.form in ("json", "page") else json.dumps(out, ensure_ascii=False)
    store = server.settings.store_name
    more = {
        "command": command_of(options, store=store),
        "python": python_of(options, store=store),
        "page": _kept_page(server, answer),
        "files": [as_field(name, data) for name, data in answer.files.items() if _given(name)],
    }
    text = json.dumps(more, ensure_ascii=False)
    return Response(f'{{"result": {result}, {text[1:]}', media_type="application/json")


def _kept_page(server: Server, answer: Answer) -> str | None:
    """Keep a written page for a while, under an address of its own."""
    if BOARD in answer.files:
        return f"/kept/{server.folder.keep_page(_with_files(answer.files), 'index.html').key}"
    pages = [data for name, data in answer.files.items() if name.endswith(".html")]
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


_LEFT_OUT = ("jobs", "known", "budget")
"""Options of `recommend` that a run of this server does not take: the server says how many cells run at a time."""
_OF_DATA = ("target", "kind", "drop", "keep")
"""Options that say how the data are read."""
_USUAL = "10min"


def runnable() -> Verb:
    """Return `recommend` with the options of a run."""
    verb = verb_of("recommend")
    return replace(verb, options={name: option for name, option in verb.options.items() if name not in _LEFT_OUT})


async def begin(server: Server, request: Request) -> Response:
    """Begin a run on an uploaded or built-in data set; its results go into the store of the server."""
    verb = runnable()
    with server.folder.job() as folder:
        body = await read_body(request, folder, server.settings.limits, slots=frozenset({"file", *verb.slots}))
        current = frozenset({"file", "learn_from"})
        within = asked(verb, body, folder, server.folder, server.settings, own=current)
        if len(within.sources.get("file", [])) != 1:
            raise Problem(422, "no-source", "A run needs one data set.", mend="Send it in the field 'file'.")
        within = _within(within, server.settings.limits.run_seconds)
        await _check_data(server, within, folder)
        key = server.runs.begin(folder, _to_keep(within, server))
    return JSONResponse(server.runs.state(key), status_code=201, headers={"Location": f"/api/runs/{key}"})


async def _check_data(server: Server, settings: Asked, folder: Path) -> None:
    """Let a limited child read the data first: a run has no such limits, and would fail only after a while."""
    options = {name: value for name, value in settings.options.items() if name in _OF_DATA}
    if settings.sources["file"][0].is_file:
        await server.answers.get(
            Asked(verb=settings.verb, options=options, sources={"file": settings.sources["file"]}), folder
        )


def _within(options: Asked, most: float) -> Asked:
    """Refuse a run that may take longer than is let in; ten minutes where nothing is said."""
    time = str(options.options.get("run", _USUAL))
    try:
        budget = budget_from(time)
    except TiebreakError as error:
        raise problem_of(error) from None
    if budget is None or budget.seconds > most:
        raise Problem(
            422,
            "too-long",
            f"A run of {time[:40]} is too long.",
            why=f"A run may take {most / 60:.6g} minutes here.",
            mend="Ask for less; what is finished is stored, and the run can go on afterwards.",
        )
    return replace(options, options=options.options | {"run": time})


def _to_keep(options: Asked, server: Server) -> dict[str, object]:
    """Return what is written down of a run; the store of the server is always the one that it writes to."""
    source = options.sources["file"][0]
    jobs = [f"--jobs={server.settings.jobs}"] if server.settings.jobs else []
    shipped = "store" not in options.bases or "shipped" in options.bases
    more = [f"--store={server.settings.store}", *jobs, "--progress=progress.jsonl", "--out=result.json"]
    argv = [*replace(options, store="", bases=()).argv(), *more]
    shown = replace(options, store=server.settings.store, bases=("shipped",) if shipped else ())
    return {
        "argv": ["recommend", *argv],
        "shipped": shipped,
        "data": source.label,
        "time": options.options["run"],
        "command": command_of(shown, store=server.settings.store_name),
    }


async def listing(server: Server, _: Request) -> Response:
    """Return every run, the newest first, in short."""
    return JSONResponse({"runs": [server.runs.state(key, whole=False) for key in server.runs.known()]})


async def look(server: Server, request: Request) -> Response:
    """Return one run in full."""
    return JSONResponse(server.runs.state(str(request.path_params["run"])))


async def cancel(server: Server, request: Request) -> Response:
    """End a run."""
    key = str(request.path_params["run"])
    server.runs.cancel(key)
    return JSONResponse(server.runs.state(key), status_code=202)


async def again(server: Server, request: Request) -> Response:
    """Go on with a run that ended before its time."""
    key = str(request.path_params["run"])
    server.runs.again(key)
    return JSONResponse(server.runs.state(key), status_code=202)


async def forget(server: Server, request: Request) -> Response:
    """Forget a run that is over."""
    server.runs.delete(str(request.path_params["run"]))
    return Response(status_code=204)


PARTS = {
    "datasets": ("datasets",),
    "algorithms": ("algorithms",),
    "resamplings": ("resamplings", "plans"),
    "failures": ("failures",),
    "coverage": ("coverage",),
    "hosts": ("hosts", "versions"),
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
    data = json.loads(await _said(server, coverage=name == "coverage"))
    return JSONResponse({key: data[key] for key in ("store", "counts", *PARTS[name])})


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
        return await answered(server, body, folder, offered("order"), frozenset(OFFERS["order"].fields) - {"file"})


async def take_in(server: Server, request: Request) -> Response:
    """Import a table into the store, under the name of whose it is."""
    verb = verb_of("store")
    with server.folder.job() as folder:
        body = await read_body(request, folder, server.settings.limits, slots=frozenset({"file"}))
        options = asked(verb, body, folder, server.folder, server.settings, own=frozenset({"file"}))
        sources = options.sources.get("file", [])
        if len(sources) != 1:
            raise Problem(422, "no-source", "One table is imported at a time.", mend="Send it in the field 'file'.")
        more = {"store": server.settings.store, "import": sources[0].argument}
        job = replace(options, sources={}, more=more)
        files = [source.argument for source in sources if source.is_file]
        text = await server.pool.run(Job(verb="store", values=job.values(), folder=folder, files=files))
    return Response(server.settings.without_places(text), media_type="application/json")


async def export(server: Server, _: Request) -> Response:
    """Give out every cell of the store as csv, with harmless cells."""
    with server.folder.job() as folder:
        values = {"store": server.settings.store, "export": "store.csv"}
        await server.pool.run(Job(verb="store", values=values, folder=folder, harmless=["store.csv"]))
        data = (folder / "store.csv").read_bytes()
    headers = {"Content-Disposition": 'attachment; filename="store.csv"'}
    return Response(data, media_type="text/csv; charset=utf-8", headers=headers)
