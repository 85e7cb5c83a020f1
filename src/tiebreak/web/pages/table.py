"""The table of pages: each line is a page, its template, and what its template is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route as At

from tiebreak import __version__
from tiebreak.reading.published_tables import TABLES
from tiebreak.web.bodies import read_body
from tiebreak.web.problems import Problem
from tiebreak.web.safety import COOKIE, same
from tiebreak.web.server import Server

ASSETS = Path(__file__).parent.parent / "assets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page: its address, its name in the menu, its template, and what more the template is given."""

    path: str
    name: str
    template: str
    more: Callable[[Server], dict[str, Any]] = field(default=lambda _: {})


def _examples(_: Server) -> dict[str, Any]:
    return {"tables": [{"file": each.reference, "holds": each.holds} for each in TABLES]}


PAGES: tuple[Page, ...] = (Page(path="/", name="Start", template="start.html", more=_examples),)
"""Every page, in the order of the menu."""


@cache
def _templates() -> Environment:
    """Whatever is put into a template is escaped; a name that it was not given is an error."""
    return Environment(loader=PackageLoader("tiebreak.web"), autoescape=True, undefined=StrictUndefined)


def written(server: Server, page: Page | None, template: str, **more: Any) -> str:
    """Write a template; every one is given the menu, the page it is, and the token of changes."""
    told = {"pages": PAGES, "page": page, "version": __version__, "token": server.settings.change_token}
    return _templates().get_template(template).render(told | more)


async def _shown(server: Server, _: Request, page: Page) -> Response:
    return HTMLResponse(written(server, page, page.template, **page.more(server)))


async def _signin(server: Server, _: Request) -> Response:
    return HTMLResponse(written(server, None, "signin.html", token=""))


async def _signed(server: Server, request: Request) -> Response:
    """Give the cookie to whoever knows the token."""
    with server.folder.job() as folder:
        body = await read_body(request, folder, server.settings.limits, slots=frozenset())
    if not server.settings.token or not same(str(body.fields.get("token", "")), server.settings.token):
        raise Problem(401, "no-token", "This is not the token.", mend="It was printed when the server started.")
    response = RedirectResponse("/", status_code=303)
    response.set_cookie(COOKIE, server.settings.token, httponly=True, samesite="strict")
    return response


def page_routes(endpoint: Callable[..., Any]) -> list[BaseRoute]:
    """Make the routes of all pages."""
    shown = [At(each.path, endpoint(each.path, partial(_shown, page=each)), methods=["GET"]) for each in PAGES]
    signin = [
        At("/signin", endpoint("/signin", _signin), methods=["GET"]),
        At("/signin", endpoint("/signin", _signed), methods=["POST"]),
    ]
    return [*shown, *signin]


def problem_page(request: Request, problem: Problem, headers: dict[str, str]) -> Response:
    """Say on a page what is wrong; whoever has not signed in gets no token with it."""
    server: Server = request.app.state.server
    text = written(server, None, "problem.html", problem=problem, token="")
    return HTMLResponse(text, status_code=problem.status, headers=headers)
