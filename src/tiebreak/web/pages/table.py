"""The table of pages: each line is a page, its template, and what its template is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route as At

from tiebreak import __version__
from tiebreak.web.bodies import read_body
from tiebreak.web.pages.contents import COMPARING, comparing, gating, recommending, start, storing
from tiebreak.web.pages.labels import label_of, spoken
from tiebreak.web.problems import Problem
from tiebreak.web.safety import COOKIE, same
from tiebreak.web.server import Server

ASSETS = Path(__file__).parent.parent / "assets"
SHARED_STYLE = ASSETS.parent.parent / "documents" / "style.css"
"""The style that reports and boards have, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page: its address, its name in the menu, its template, what more that is given, and the verbs it speaks of."""

    path: str
    name: str
    template: str
    more: Callable[[Server], dict[str, Any]] = field(default=lambda _: {})
    verbs: tuple[str, ...] = ()


PAGES: tuple[Page, ...] = (
    Page(path="/", name="Start", template="start.html", more=start),
    Page(path="/compare", name="Compare", template="compare.html", more=comparing, verbs=COMPARING),
    Page(path="/gate", name="Gate", template="gate.html", more=gating, verbs=("gate", "read")),
    Page(path="/recommend", name="Recommend", template="recommend.html", more=recommending, verbs=("recommend",)),
    Page(path="/store", name="Store", template="store.html", more=storing, verbs=("order", "store")),
)
"""Every page, in the order of the menu."""


@cache
def templates() -> Environment:
    """Return the templates: whatever is put into one is escaped; a name that it was not given is an error."""
    found = Environment(loader=PackageLoader("tiebreak.web"), autoescape=True, undefined=StrictUndefined)
    found.globals |= {"label": label_of, "spoken": spoken}
    return found


def written(server: Server, page: Page | None, template: str, **more: Any) -> str:
    """Write a template; every one is given the menu, the page it is, and the token of changes."""
    told = {
        "pages": PAGES,
        "page": page,
        "version": __version__,
        "root": "/",
        "alone": False,
        "token": server.settings.change_token,
    }
    return templates().get_template(template).render(told | more)


async def _shown(server: Server, _: Request, page: Page) -> Response:
    return HTMLResponse(written(server, page, page.template, **page.more(server)))


async def _shared_style(_: Request) -> Response:
    return FileResponse(SHARED_STYLE, media_type="text/css")


async def _signin(server: Server, request: Request) -> Response:
    return _asking(server, wanted=request.query_params.get("to", "/"))


def _asking(server: Server, *, wanted: str, problem: str = "", status: int = 200) -> Response:
    """Ask for the token. Without a referrer a browser would send its form as if from nowhere (Origin: null)."""
    text = written(server, None, "signin.html", token="", wanted=_inside(wanted), problem=problem)
    return HTMLResponse(text, status_code=status, headers={"Referrer-Policy": "same-origin"})


def _inside(wanted: str) -> str:
    """Return the address of a page of ours; the start for anything that could lead elsewhere.

    Examples
    --------
    >>> _inside("/compare?score=auc"), _inside("//elsewhere.org/compare"), _inside("https://elsewhere.org/compare")
    ('/compare?score=auc', '/', '/')
    """
    try:
        found = urlsplit(wanted)
    except ValueError:
        return "/"
    ours = not found.scheme and not found.netloc and found.path in [each.path for each in PAGES]
    return urlunsplit(("", "", found.path, found.query, "")) if ours else "/"


async def _signed(server: Server, request: Request) -> Response:
    """Give the cookie to whoever knows the token."""
    with server.folder.job() as folder:
        body = await read_body(request, folder, server.settings.limits, slots=frozenset())
    wanted = str(body.fields.get("to", "/"))
    if not server.settings.token or not same(str(body.fields.get("token", "")), server.settings.token):
        said = "This is not the token. It is the one that the server was started with."
        return _asking(server, wanted=wanted, problem=said, status=401)
    response = RedirectResponse(_inside(wanted), status_code=303)
    response.set_cookie(COOKIE, server.settings.token, httponly=True, samesite="strict")
    return response


def page_routes(endpoint: Callable[..., Any]) -> list[BaseRoute]:
    """Make the routes of all pages."""
    shown = [At(each.path, endpoint(each.path, partial(_shown, page=each)), methods=["GET"]) for each in PAGES]
    signin = [
        At("/signin", endpoint("/signin", _signin), methods=["GET"]),
        At("/signin", endpoint("/signin", _signed), methods=["POST"]),
    ]
    return [*shown, *signin, At("/assets/shared.css", _shared_style, methods=["GET"])]


def problem_page(request: Request, problem: Problem, headers: dict[str, str]) -> Response:
    """Say on a page what is wrong; whoever has not signed in gets no token with it."""
    server: Server = request.app.state.server
    text = written(server, None, "problem.html", problem=problem, token="")
    return HTMLResponse(text, status_code=problem.status, headers=headers)
