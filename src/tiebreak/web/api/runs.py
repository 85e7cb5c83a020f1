"""Background runs over HTTP: begin, look, cancel, go on, forget."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tiebreak.budgets import budget_from
from tiebreak.errors import TiebreakError
from tiebreak.web.asked import Asked
from tiebreak.web.asking import asked
from tiebreak.web.bodies import read_body
from tiebreak.web.calls import command_of
from tiebreak.web.problems import Problem
from tiebreak.web.server import Server
from tiebreak.web.verbs import Verb, verb_of

_LEFT_OUT = ("jobs", "known", "budget")
"""Options of `recommend` that a run of this server does not take: the server says how many cells run at a time."""
_OF_DATA = ("target", "kind", "drop", "keep")
"""Options that say how the data are read."""
_USUAL = "10min"


def runnable() -> Verb:
    """Return `recommend` with the options of a run."""
    verb = verb_of("recommend")
    return replace(verb, options={name: each for name, each in verb.options.items() if name not in _LEFT_OUT})


async def begin(server: Server, request: Request) -> Response:
    """Begin a run on an uploaded or built-in data set; its results go into the store of the server."""
    verb = runnable()
    with server.folder.job() as folder:
        body = await read_body(request, folder, server.settings.limits, slots=frozenset({"file", *verb.slots}))
        own = frozenset({"file", "learn_from"})
        told = asked(verb, body, folder, server.folder, server.settings, own=own)
        if len(told.sources.get("file", [])) != 1:
            raise Problem(422, "no-source", "A run needs one data set.", mend="Send it in the field 'file'.")
        told = _within(told, server.settings.limits.run_seconds)
        await _check_data(server, told, folder)
        key = server.runs.begin(folder, _to_keep(told, server))
    return JSONResponse(server.runs.state(key), status_code=201, headers={"Location": f"/api/runs/{key}"})


async def _check_data(server: Server, told: Asked, folder: Path) -> None:
    """Let a limited child read the data first: a run has no such limits, and would fail only after a while."""
    options = {name: value for name, value in told.options.items() if name in _OF_DATA}
    if told.sources["file"][0].is_file:
        await server.answers.get(Asked(verb=told.verb, options=options, sources={"file": told.sources["file"]}), folder)


def _within(told: Asked, most: float) -> Asked:
    """Refuse a run that may take longer than is let in; ten minutes where nothing is said."""
    time = str(told.options.get("run", _USUAL))
    try:
        budget = budget_from(time)
    except TiebreakError as error:
        raise Problem.of(error, code="option") from None
    if budget is None or budget.seconds > most:
        raise Problem(
            422,
            "too-long",
            f"A run of {time[:40]} is too long.",
            why=f"A run may take {most / 60:.6g} minutes here.",
            mend="Ask for less; what is finished is stored, and the run can go on afterwards.",
        )
    return replace(told, options=told.options | {"run": time})


def _to_keep(told: Asked, server: Server) -> dict[str, object]:
    """Return what is written down of a run; the store of the server is always the one that it writes to."""
    source = told.sources["file"][0]
    jobs = [f"--jobs={server.settings.jobs}"] if server.settings.jobs else []
    shipped = "store" not in told.bases or "shipped" in told.bases
    more = [f"--store={server.settings.store}", *jobs, "--progress=progress.jsonl", "--out=result.json"]
    argv = [*replace(told, store="", bases=()).argv(), *more]
    shown = replace(told, store=server.settings.store, bases=("shipped",) if shipped else ())
    return {
        "argv": ["recommend", *argv],
        "shipped": shipped,
        "data": source.label,
        "time": told.options["run"],
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
