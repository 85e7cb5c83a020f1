"""What answers the routes: verbs, uploads that are kept, background runs, and the store."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from tiebreak.budgets import budget_from
from tiebreak.errors import TiebreakError
from tiebreak.web.commands import command_of, python_of
from tiebreak.web.downloads import as_field
from tiebreak.web.messages import Problem, problem_of
from tiebreak.web.options import OFFERS, verb_of
from tiebreak.web.pool import Job
from tiebreak.web.requests import Call, call_of, read_body
from tiebreak.web.safety import KEPT_POLICY
from tiebreak.web.server import Server
from tiebreak.wording import shell


async def keep(server: Server, request: Request) -> Response:
    """Keep one file, or a pasted text, and return the key under which other requests name it."""
    with server.folder.job() as folder:
        body = await read_body(request, folder, server.settings.limits, slots={"file"})
        files = body.files.get("file", [])
        if len(files) != 1 or body.fields:
            raise Problem(
                422,
                "no-source",
                "An upload is one file, or one pasted text, and nothing else.",
                mend="Send it in the field 'file', or as 'text'.",
            )
        held = server.folder.keep(files[0])
    options = {"upload": f"upload:{held.key}", "name": held.file.name, "bytes": held.file.size}
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
        headers["Content-Disposition"] = f'attachment; filename="{held.file.name}"'
    return HTMLResponse(held.file.path.read_text(encoding="utf-8"), headers=headers)


async def run_verb(server: Server, request: Request, name: str) -> Response:
    """Answer a request to one verb; the JSON of the verb is passed on as it was written."""
    verb, offer = verb_of(name, without=OFFERS[name].without), OFFERS[name]
    with server.folder.job(at_need=True) as folder:
        body = await read_body(request, folder, server.settings.limits, slots={"file", *verb.slots})
        call = call_of(verb, body, folder, server.folder, server.settings.store, fields=offer.fields)
        answer = await server.answers.get(call, folder)
    out = server.settings.without_places(answer.out) if call.store else answer.out
    result = out.strip() if call.form in ("json", "page") else json.dumps(out, ensure_ascii=False)
    store = server.settings.store_name
    page = next((name for name in answer.files if name in ("page.html", "report.html")), None)
    more = {
        "command": command_of(call, store=store),
        "python": python_of(call, store=store),
        "page": page and f"/kept/{server.folder.keep_page(answer.files[page]).key}",
        "files": [as_field(name, data) for name, data in answer.files.items() if name != page],
    }
    text = json.dumps(more, ensure_ascii=False)
    return Response(f'{{"result": {result}, {text[1:]}', media_type="application/json")


NOT_IN_RUNS = ("jobs", "known", "budget")
"""Options of `recommend` that a run of this server does not take: the server says how many cells run at a time."""
_OF_DATA = ("target", "kind", "drop", "keep")
"""Options that say how the data are read."""
_USUAL = "10min"


async def begin(server: Server, request: Request) -> Response:
    """Begin a run on an uploaded or built-in data set; its results go into the store of the server."""
    verb, settings = verb_of("recommend", without=NOT_IN_RUNS), server.settings
    with server.folder.job() as folder:
        body = await read_body(request, folder, settings.limits, slots={"file", *verb.slots})
        fields = ("file", "learn_from")
        call = call_of(verb, body, folder, server.folder, settings.store, fields=fields, anything=False)
        files = call.sources.get("file", [])
        if len(files) != 1:
            raise Problem(422, "no-source", "A run needs one data set.", mend="Send it in the field 'file'.")
        if files[0].name.lower().endswith(".toml"):
            return await _begin_plan(server, folder, files[0].name)
        call = replace(call, options={**call.options, "run": _time(call, settings.limits.run_seconds)})
        if files[0].digest:  # a limited child reads the data first: a run has no such limits
            options = {name: value for name, value in call.options.items() if name in _OF_DATA}
            await server.answers.get(Call(verb=verb, options=options, sources={"file": files}), folder)
        key = server.runs.begin(folder, _description(call, server))
    return JSONResponse(server.runs.state(key), status_code=201, headers={"Location": f"/api/runs/{key}"})


async def _begin_plan(server: Server, folder: Path, plan: str) -> Response:
    """Run a plan: a program, so that only whoever has this machine may have it run."""
    settings = server.settings
    if not settings.local:
        raise Problem(
            403,
            "plan",
            "Plans are not run on a server for others.",
            why="A plan may import and run any code that it names.",
            mend=f"Run it yourself: tiebreak run {plan}.",
        )
    values = {"plan": plan, "store": settings.store}
    await server.pool.run(Job(verb="run", values=values | {"dry_run": True}, folder=folder))
    time = f"{settings.limits.run_seconds / 60:g}min"
    jobs = [f"--jobs={settings.jobs}"] if settings.jobs else []
    argv = ["run", plan, f"--store={settings.store}", *jobs, f"--budget={time}", "--progress=progress.jsonl"]
    command = f"tiebreak run {shell(plan)} --store {settings.store_name}"
    run = {"argv": argv, "shipped": False, "data": plan, "time": time, "command": command}
    return JSONResponse(server.runs.state(server.runs.begin(folder, run)), status_code=201)


def _time(call: Call, most: float) -> str:
    """Return how long a run may take; longer than is let in is refused."""
    time = str(call.options.get("run", _USUAL))
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
    return time


def _description(call: Call, server: Server) -> dict[str, object]:
    """Return what is written down of a run; the store of the server is always the one that it writes to."""
    settings, shipped = server.settings, call.learn_from != ("store",)
    jobs = [f"--jobs={settings.jobs}"] if settings.jobs else []
    files = [f"--store={settings.store}", *jobs, "--progress=progress.jsonl", "--out=result.json"]
    shown = replace(call, store=settings.store, learn_from=("shipped",) if shipped else ())
    return {
        "argv": ["recommend", *call.argv(), *files],
        "shipped": shipped,
        "data": call.sources["file"][0].name,
        "time": call.options["run"],
        "command": command_of(shown, store=settings.store_name),
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


async def contents(server: Server, _: Request) -> Response:
    """Return what `tiebreak store URL --json` says."""
    with server.folder.job() as folder:
        text = await server.pool.run(Job(verb="store", values={"store": server.settings.store}, folder=folder))
    return Response(server.settings.without_places(text), media_type="application/json")


async def import_table(server: Server, request: Request) -> Response:
    """Import a table into the store, under the name of whose it is."""
    verb, store = verb_of("store"), server.settings.store
    with server.folder.job() as folder:
        body = await read_body(request, folder, server.settings.limits, slots={"file"})
        call = call_of(verb, body, folder, server.folder, store, fields=("file",), anything=False)
        sources = call.sources.get("file", [])
        if len(sources) != 1:
            raise Problem(422, "no-source", "One table is imported at a time.", mend="Send it in the field 'file'.")
        values = {**call.options, "store": store, "import": sources[0].name}
        text = await server.pool.run(Job(verb="store", values=values, folder=folder))
    return Response(server.settings.without_places(text), media_type="application/json")


async def export(server: Server, _: Request) -> Response:
    """Give out every cell of the store as csv, with harmless cells."""
    with server.folder.job() as folder:
        values = {"store": server.settings.store, "export": "store.csv"}
        await server.pool.run(Job(verb="store", values=values, folder=folder, harmless=["store.csv"]))
        data = (folder / "store.csv").read_bytes()
    headers = {"Content-Disposition": 'attachment; filename="store.csv"'}
    return Response(data, media_type="text/csv; charset=utf-8", headers=headers)
