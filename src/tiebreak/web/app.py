"""The application: routes of the API, pages and assets, behind what keeps it safe."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route as At
from starlette.staticfiles import StaticFiles

from tiebreak import __version__
from tiebreak.web.handlers import kept_page
from tiebreak.web.messages import Problem, place_of
from tiebreak.web.openapi import description
from tiebreak.web.pages import ASSETS, page_routes, problem_page
from tiebreak.web.routes import ROUTES, Handler, Route
from tiebreak.web.safety import Safety, check_change
from tiebreak.web.server import Server, server_of
from tiebreak.web.settings import Log, Settings

PAGE = "x-tiebreak-page"
"""The header by which a page says that it reads refusals itself."""


def make_app(settings: Settings, *, log: Log | None = None) -> Starlette:
    """Make the application of one server.

    Parameters
    ----------
    settings : Settings
        Where it listens, who may ask, how much is let in.
    log : Log, optional
        Where events go; standard error if left out.

    Returns
    -------
    Starlette
    """
    server = Server(settings, log or Log())
    routes: list[BaseRoute] = [
        At("/health", _endpoint("/health", _health), methods=["GET"]),
        At("/api/openapi.json", _endpoint("/api/openapi.json", _openapi), methods=["GET"]),
        At("/kept/{key}", _endpoint("/kept/{key}", kept_page), methods=["GET"]),
        *map(_at, ROUTES),
        *page_routes(_endpoint),
        Mount("/assets", StaticFiles(directory=ASSETS)),
    ]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Safety, settings=settings)],
        exception_handlers={HTTPException: _refused, Problem: _refused},
        lifespan=server.living,
    )
    app.state.server = server
    return app


def _at(route: Route) -> At:
    return At(route.path, _endpoint(route.path, route.handle, changes=route.changes), methods=[route.method])


def _endpoint(path: str, handle: Handler, *, changes: bool = False) -> Callable[[Request], Awaitable[Response]]:
    """Wrap what answers a route: changes need their token, problems become answers, and every request is logged."""

    async def endpoint(request: Request) -> Response:
        server, began = server_of(request), time.perf_counter()
        try:
            if changes:
                check_change(request.headers, server.settings)
            response = await handle(server, request)
        except Problem as problem:
            response = _refused(request, problem.reworded(server.settings.without_places))
        except Exception as error:
            server.log("unforeseen", route=path, type=type(error).__name__, where=place_of(error))
            response = _refused(request, Problem(500, "unforeseen", "Something went wrong in the server itself."))
        taken = round(1000 * (time.perf_counter() - began), 1)
        status = int(response.headers.get("X-Tiebreak-Status", response.status_code))
        server.log("request", method=request.method, route=path, status=status, ms=taken)
        return response

    return endpoint


def _refused(request: Request, error: Exception) -> Response:
    """Answer with a problem: as JSON, or as a page to whoever asks for one."""
    if isinstance(error, HTTPException):
        texts = {404: "There is no such page.", 405: "This address is not asked in this way."}
        headers = dict(error.headers or {})
        problem = Problem(error.status_code, "not-here", texts.get(error.status_code, str(error.detail)))
    else:
        assert isinstance(error, Problem)
        problem, headers = error, {}
    headers |= problem.headers
    if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
        return problem_page(request, problem, headers)
    if request.headers.get(PAGE):  # a browser logs every status of a refusal; to a page a refusal is an answer
        return JSONResponse(problem.to_dict(), headers=headers | {"X-Tiebreak-Status": str(problem.status)})
    return JSONResponse(problem.to_dict(), status_code=problem.status, headers=headers)


async def _health(server: Server, _: Request) -> Response:
    options: dict[str, Any] = {"status": "ok", "version": __version__}
    return JSONResponse(options | server.pool.state() | {"runs": server.runs.at_work()})


async def _openapi(_: Server, __: Request) -> Response:
    return JSONResponse(description())
