"""The pages: their templates, the fields of their forms, and what else each is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route as At

from tiebreak import __version__
from tiebreak.datasets.references import suite_names
from tiebreak.methods.policies import COST_POLICIES, POLICIES
from tiebreak.papers import paper
from tiebreak.readers.published import TABLES
from tiebreak.verbs import Option
from tiebreak.web.messages import CLICKS, Problem, label_of
from tiebreak.web.options import OFFERS, verb_of
from tiebreak.web.requests import read_body
from tiebreak.web.safety import COOKIE, same
from tiebreak.web.server import Server

_OPEN = ("LENGTH", "SCHEME", "TEXT", "TIME")
"""What stands for values that are free although some are known: these are offered, not asked for."""


def fields_of(verb: str) -> dict[str, list[Option]]:
    """Return the options of a verb under the headings of its help; those that a page shows itself are left out.

    Examples
    --------
    >>> fields = fields_of("order")
    >>> sorted(fields)
    ['how cost counts', 'how to test', 'what to compare', 'what to read', 'what to write']
    >>> [(option.key, entry_of(option)) for option in fields["how cost counts"]][:2]
    [('accd', 'number'), ('variant', 'select')]
    """
    fields: dict[str, list[Option]] = {}
    for key, option in verb_of(verb).options.items():
        if key not in _SHOWN.get(verb, ()):
            fields.setdefault(option.group, []).append(option)
    return fields


def entry_of(option: Option) -> str:
    """Say how an option is entered: check, either (yes, no or open), select, lines, number or text."""
    if option.is_switch:
        return "check" if option.kind == "switch" else "either"
    if option.kind == "texts":
        return "lines"
    if option.strict or (option.words and option.metavar not in _OPEN):
        return "select"
    return "number" if option.kind in ("number", "integer") else "text"


QUESTIONS = {
    "compare": ("Who differs?", "Which algorithms differ, over many data sets."),
    "order": (
        "Which one to use?",
        "From best to worst: by score where the difference is worth its cost, by cost where it is not.",
    ),
    "multivariate": ("Several measures at once", "Who differs by, say, true and false positives together."),
    "battles": (
        "Votes on pairs",
        "Two answers side by side, one preferred: who is stronger, and who is worth its price.",
    ),
    "power": ("How many items?", "Which difference the items can show, or how many a difference takes."),
    "check": ("Is it so?", "Which claims of a paper its tables support."),
}
"""The verbs of the comparison page, as questions."""
COMPARING = ("read", *QUESTIONS, "report")
"""Every verb that it asks."""
_SHOWN = {
    "compare": ("score", "alpha", "missing"),
    "order": ("score", "cost", "trade", "rule", "alpha", "missing"),
    "multivariate": ("scores", "cost", "alpha", "missing"),
    "battles": ("trade", "rule", "alpha"),
    "power": ("score", "difference", "items", "discordant", "sd", "power", "alpha"),
    "check": ("score", "alpha", "missing"),
    "gate": ("score", "cost", "margin", "max_cost_ratio", "base", "candidate", "alpha"),
    "recommend": ("target", "kind", "accd", "budget", "known", "run", "stop_below", "jobs"),
}
"""Options that a page shows by fields of its own."""
_FILES = {
    "costs": (label_of("costs"), "costs of the algorithms, where the table has none"),
    "prices": (label_of("prices"), "of logs of evaluations: model, input and output, in dollars per million tokens"),
}
"""Further files that a question can take, and what they hold."""


def tables() -> list[dict[str, str]]:
    """Return the published tables, as examples."""
    return [
        {
            "file": table.reference,
            "name": table.name,
            "holds": table.holds,
            "paper": f"{paper(table.papers[0]).short.partition(')')[0]})",
            "cost": table.costs[0] if table.costs else "",
        }
        for table in TABLES
    ]


ASSETS = Path(__file__).parent / "assets"
SHARED_STYLE = ASSETS.parent.parent / "documents" / "style.css"
"""The style that reports and boards have, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page: its address, its name in the menu, its template, and the verbs it speaks of."""

    path: str
    name: str
    template: str
    verbs: tuple[str, ...] = ()


PAGES: tuple[Page, ...] = (
    Page(path="/", name="Start", template="start.html"),
    Page(path="/compare", name="Compare", template="compare.html", verbs=COMPARING),
    Page(path="/gate", name="Gate", template="gate.html", verbs=("gate", "read")),
    Page(path="/recommend", name="Recommend", template="recommend.html", verbs=("recommend",)),
    Page(path="/store", name="Store", template="store.html", verbs=("order", "store")),
)
"""Every page, in the order of the menu."""


def spoken(verbs: Sequence[str] = ()) -> dict[str, Any]:
    """Return what scripts must know of the options of some verbs, by default of all.

    How each is sent, which take files, how fields are called, and what some values do.
    """
    held = [verb_of(name) for name in verbs or (*OFFERS, "store")]
    return {
        "kinds": {verb.name: {key: option.kind for key, option in verb.options.items()} for verb in held},
        "slots": {verb.name: list(verb.slots) for verb in held},
        "labels": {name: label_of(name) for verb in held for name in (*verb.options, *verb.slots)},
        "clicks": {f"{name} {value}".lower(): words for (name, value), words in CLICKS.items()},
        "meanings": {"missing": POLICIES, "missing_costs": COST_POLICIES},
    }


@cache
def templates() -> Environment:
    """Return the templates: whatever is put into one is escaped; a name that it was not given is an error."""
    environment = Environment(loader=PackageLoader("tiebreak.web"), autoescape=True, undefined=StrictUndefined)
    environment.globals |= {
        "label": label_of,
        "entry": entry_of,
        "spoken": spoken,
        "fields": fields_of,
        "verb_of": verb_of,
    }
    environment.globals |= {"questions": QUESTIONS, "files": _FILES, "tables": tables(), "datasets": suite_names()}
    environment.globals["spoken"] = spoken
    return environment


def written(server: Server, page: Page | None, template: str, **more: Any) -> str:
    """Write a template; every one is given the menu, the page it is, and the token of changes."""
    options = {
        "pages": PAGES,
        "page": page,
        "version": __version__,
        "token": server.settings.change_token,
        "store": server.settings.store_name,
    }
    return templates().get_template(template).render(options | more)


async def _shown(server: Server, _: Request, page: Page) -> Response:
    return HTMLResponse(written(server, page, page.template))


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
        result = urlsplit(wanted)
    except ValueError:
        return "/"
    ours = not result.scheme and not result.netloc and result.path in [page.path for page in PAGES]
    return urlunsplit(("", "", result.path, result.query, "")) if ours else "/"


async def _signed(server: Server, request: Request) -> Response:
    """Give the cookie to whoever knows the token."""
    with server.folder.job() as folder:
        body = await read_body(request, folder, server.settings.limits, slots=())
    wanted = str(body.fields.get("to", "/"))
    if not server.settings.token or not same(str(body.fields.get("token", "")), server.settings.token):
        text = "This is not the token. It is the one that the server was started with."
        return _asking(server, wanted=wanted, problem=text, status=401)
    response = RedirectResponse(_inside(wanted), status_code=303)
    response.set_cookie(COOKIE, server.settings.token, httponly=True, samesite="strict")
    return response


def page_routes(endpoint: Callable[..., Any]) -> list[BaseRoute]:
    """Make the routes of all pages."""
    shown = [At(page.path, endpoint(page.path, partial(_shown, page=page)), methods=["GET"]) for page in PAGES]
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
