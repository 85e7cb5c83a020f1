"""The table of routes: each line is a route, what it takes and gives; and the description of the API from it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tiebreak import __version__
from tiebreak.web import handlers
from tiebreak.web.questions import OFFERS, Verb, offered, schema_of, verb_of
from tiebreak.web.safety import TOKEN
from tiebreak.web.server import Server

Handler = Callable[[Server, Request], Awaitable[Response]]

FIELDS: dict[str, dict[str, Any]] = {
    "file": {
        "description": "What to read: files of a form, or names: upload:KEY, published:NAME, builtin:NAME.",
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "maxItems": 20}],
        "examples": ["published:ulas2012", "published:demsar2006"],
    },
    "text": {
        "description": "A pasted table, in place of a file; or several.",
        "anyOf": [
            {"type": "string", "minLength": 1},
            {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1, "maxItems": 20},
        ],
        "examples": ["dataset,svm,tree\niris,0.95,0.93\nwine,0.97,0.9\nzoo,0.96,0.95\n"],
    },
    "store": {"type": "boolean", "description": "Read the store of the server in place of a file."},
    "format": {
        "enum": ["json", "text", "markdown", "latex", "page"],
        "default": "json",
        "description": "How to write it; page is what the pages of the server lay out, and may change.",
    },
    "figure": {"enum": ["svg", "tex", "pdf", "png"], "description": "Also draw a figure."},
    "page": {"type": "boolean", "description": "Also write a page, kept for a while at the address in 'page'."},
    "clean": {"enum": ["csv", "parquet"], "description": "Also write the table anew, clean."},
    "long": {"type": "boolean", "description": "With 'clean': one row per run."},
    "learn_from": {
        "type": "array",
        "items": {"enum": ["shipped", "store"]},
        "maxItems": 2,
        "description": "What to learn from; the shipped base if left out.",
    },
}
"""The fields of requests that are no options of the command line."""
_SLOT = {"type": "string", "description": "A further file: upload:KEY, or a file of a form."}


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One route.

    Parameters
    ----------
    name, method, path, text, tag
        What it is called, where it is, what it does, and with which others it stands.
    handle : callable
        What answers.
    verb : callable, optional
        Gives the verb whose options the body (or, of a GET, the address) may have.
    own : tuple of str
        Fields beside options.
    changes : bool
        Whether it changes something, and so needs the token of changes.
    answer : str
        The schema of its answer.
    status : int
        Of an answer.
    problems : tuple of int
        Statuses beside those that every route can have.
    needs : tuple of str
        Options that are described as required, beside those that the parser requires.
    example : mapping
        A body that is answered.
    """

    name: str
    method: str
    path: str
    text: str
    tag: str
    handle: Handler
    verb: Callable[[], Verb] | None = None
    own: tuple[str, ...] = ()
    changes: bool = False
    answer: str = "Object"
    status: int = 200
    problems: tuple[int, ...] = ()
    parameters: dict[str, list[str]] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict)


def _of_verb(name: str) -> Route:
    offer = OFFERS[name]

    async def handle(server: Server, request: Request) -> Response:
        return await handlers.run_verb(server, request, name)

    return Route(
        name=name,
        method="POST",
        path=f"/api/{name}",
        text=offer.text,
        tag="answers",
        handle=handle,
        verb=partial(offered, name),
        own=offer.fields,
        answer="Answer",
        problems=(400, 404, 408, 413, 415, 422, 503),
        needs=offer.needs,
        example=offer.example,
    )


_BODY = (400, 404, 408, 413, 415, 422, 503)
ROUTES: tuple[Route, ...] = (
    *map(_of_verb, OFFERS),
    Route(name="keepUpload", method="POST", path="/api/uploads", tag="uploads", status=201, answer="Upload",
          text="Keep a file for several requests.", handle=handlers.keep, own=("file", "text"), changes=True,
          problems=_BODY),
    Route(name="dropUpload", method="DELETE", path="/api/uploads/{key}", tag="uploads", status=204, answer="",
          text="Remove a kept file.", handle=handlers.drop, changes=True, problems=(404,)),
    Route(name="listRuns", method="GET", path="/api/runs", tag="runs", answer="Runs",
          text="Every background run, the newest first.", handle=handlers.listing),
    Route(name="beginRun", method="POST", path="/api/runs", tag="runs", status=201, answer="Run",
          text="Try a recommendation out in the background; results go into the store as they come.",
          handle=handlers.begin, verb=handlers.runnable, own=("file", "text", "learn_from"),
          changes=True, problems=_BODY),
    Route(name="lookAtRun", method="GET", path="/api/runs/{run}", tag="runs", answer="Run",
          text="How far a run is: what was tried, what comes next by all that was learned, and its answer.",
          handle=handlers.look, problems=(404,)),
    Route(name="cancelRun", method="POST", path="/api/runs/{run}/cancel", tag="runs", status=202, answer="Run",
          text="End a run; what is finished stays in the store.", handle=handlers.cancel,
          changes=True, problems=(404,)),
    Route(name="resumeRun", method="POST", path="/api/runs/{run}/resume", tag="runs", status=202, answer="Run",
          text="Go on with a run that ended before its time.", handle=handlers.again,
          changes=True, problems=(404, 409)),
    Route(name="forgetRun", method="DELETE", path="/api/runs/{run}", tag="runs", status=204, answer="",
          text="Forget a run that is over, with its data.", handle=handlers.forget, changes=True, problems=(404, 409)),
    Route(name="store", method="GET", path="/api/store", tag="store", problems=(422, 503),
          text="What the store holds: the JSON of `tiebreak store`.", handle=handlers.contents),
    Route(name="standingOrder", method="GET", path="/api/store/order", tag="store", answer="Answer",
          text="The order of the algorithms of the store as it is now; options of `order` in the address.",
          handle=handlers.standing, verb=partial(offered, "order"), own=("format", "figure"),
          problems=(400, 422, 503)),
    Route(name="importTable", method="POST", path="/api/store/import", tag="store", changes=True, problems=_BODY,
          text="Put a table beside the results of the store, under the name of whose it is.", handle=handlers.take_in,
          verb=partial(verb_of, "store"), own=("file", "text")),
    Route(name="exportStore", method="GET", path="/api/store/export", tag="store", answer="csv", problems=(422, 503),
          text="Every cell of the store as csv.", handle=handlers.export),
    Route(name="storePart", method="GET", path="/api/store/{part}", tag="store", problems=(404, 422, 503),
          text="One part of it.", handle=handlers.part, parameters={"part": list(handlers.PARTS)}),
)  # fmt: skip
"""Every route of the API; those that can stand for others come after them."""


_TEXT = {"type": "string"}
_KEY = "$response.body#/upload"
_LINKS: dict[str, Any] = {
    **{verb: {"operationId": verb, "requestBody": {"file": _KEY}} for verb in OFFERS},
    "dropUpload": {"operationId": "dropUpload", "parameters": {"key": _KEY}},
}
"""What the key of an upload is for."""
_PROBLEMS = {
    400: "The request cannot be read.",
    401: "The token is missing.",
    403: "It comes from another site, or does not show the token of changes.",
    404: "There is no such thing.",
    405: "Not in this way.",
    408: "The upload stopped on its way.",
    409: "Not now.",
    413: "It is larger than what is let in.",
    415: "It is neither JSON nor a form.",
    421: "The server is asked for under a name that is not its own.",
    422: "An option or a file is invalid; the message is that of the command line.",
    503: "The server has as much to do as it takes on; Retry-After says when to come again.",
}
_ALWAYS = (401, 403, 421)
SCHEMAS: dict[str, dict[str, Any]] = {
    "Object": {"type": "object", "description": "The JSON of the command line."},
    "Answer": {
        "type": "object",
        "required": ["result", "command", "python", "page", "files"],
        "properties": {
            "result": {"type": ["object", "string"], "description": "What the verb prints: with --json, or as text."},
            "command": _TEXT | {"description": "The command that does the same."},
            "python": _TEXT | {"description": "The Python call that does the same."},
            "page": {"type": ["string", "null"], "description": "The address of a written page."},
            "files": {"type": "array", "items": {"$ref": "#/components/schemas/File"}},
        },
    },
    "File": {
        "type": "object",
        "required": ["name", "type"],
        "properties": {"name": _TEXT, "type": _TEXT, "text": _TEXT, "base64": _TEXT},
    },
    "Upload": {
        "type": "object",
        "required": ["upload", "name", "bytes", "seconds"],
        "properties": {
            "upload": _TEXT | {"description": "How other requests name it."},
            "name": _TEXT,
            "bytes": {"type": "integer"},
            "seconds": {"type": "number", "description": "How long it is kept without being used."},
        },
    },
    "Run": {
        "type": "object",
        "required": ["run", "state", "created", "data", "time", "command", "tried"],
        "properties": {
            "run": _TEXT,
            "state": {"enum": ["waiting", "running", "done", "cancelled", "interrupted", "failed"]},
            "created": {"type": "number"},
            "ended": {"type": ["number", "null"]},
            "data": _TEXT,
            "time": _TEXT,
            "command": _TEXT,
            "tried": {"type": "integer"},
            "best": {"type": ["object", "null"]},
            "error": {"type": ["string", "null"]},
            "trials": {"type": "array", "items": {"type": "object"}},
            "next": {"type": "array", "items": _TEXT},
            "progress": {"type": ["object", "null"]},
            "result": {"type": ["object", "null"]},
        },
    },
    "Runs": {
        "type": "object",
        "required": ["runs"],
        "properties": {"runs": {"type": "array", "items": {"$ref": "#/components/schemas/Run"}}},
    },
    "Problem": {
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {
                "type": "object",
                "required": ["code", "what", "why", "mend", "text", "options"],
                "properties": {
                    **dict.fromkeys(("code", "what", "why", "mend", "text"), _TEXT),
                    "options": {"type": "array", "items": {"type": "object"}},
                    "page": {"type": "object", "description": "Its sentences in the words of pages."},
                },
            }
        },
    },
}


def description() -> dict[str, Any]:
    """Describe every route.

    Examples
    --------
    >>> result = description()
    >>> result["openapi"], sorted(result["paths"])[:3]
    ('3.1.0', ['/api/battles', '/api/board', '/api/compare'])
    """
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    paths["/health"] = {"get": _plain("health", "Whether the server lives, and how much it has to do.")}
    paths["/api/openapi.json"] = {"get": _plain("openapi", "This description.")}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tiebreak",
            "version": __version__,
            "description": "The verbs of the command line over HTTP, with the same options and the same JSON.",
        },
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "change": {"type": "apiKey", "in": "header", "name": TOKEN},
            },
        },
    }


def _plain(name: str, text: str) -> dict[str, Any]:
    answer = {"description": "The answer.", "content": _json("Object")}
    return {"operationId": name, "summary": text, "responses": {"200": answer} | _refusals((421,))}


def _operation(route: Route) -> dict[str, Any]:
    result: dict[str, Any] = {"operationId": route.name, "summary": route.text, "tags": [route.tag]}
    if parameters := _parameters(route):
        result["parameters"] = parameters
    if route.method == "POST" and (route.verb or route.own):
        result["requestBody"] = {"required": True, "content": _bodies(route)}
    if route.changes:
        result["security"] = [{"change": []}]
    content = {"csv": {"text/csv": {"schema": _TEXT}}, "": {}}.get(route.answer, _json(route.answer or "Object"))
    answer = {"description": "The answer."} | ({"content": content} if content else {})
    answer |= {"links": _LINKS} if route.answer == "Upload" else {}
    return result | {"responses": {str(route.status): answer} | _refusals((*_ALWAYS, *route.problems))}


def _json(schema: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _refusals(statuses: tuple[int, ...]) -> dict[str, Any]:
    return {
        str(status): {"description": _PROBLEMS[status], "content": _json("Problem")} for status in sorted(set(statuses))
    }


def _parameters(route: Route) -> list[dict[str, Any]]:
    """Describe what stands in the path, and the options that a GET takes in its address."""
    held = re.findall(r"{(\w+)}", route.path)
    result: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": _TEXT | _known(route.parameters.get(name))}
        for name in held
    ]
    if route.method == "GET" and route.verb is not None:
        schemas = {name: schema_of(option) for name, option in route.verb().options.items()}
        schemas |= {name: FIELDS[name] for name in route.own}
        result += [{"name": name, "in": "query", "schema": _short(schema)} for name, schema in schemas.items()]
    return result


def _short(schema: dict[str, Any]) -> dict[str, Any]:
    """An address holds less than a body."""
    if schema.get("type") == "array":
        return schema | {"items": _TEXT | {"maxLength": 200}, "maxItems": 20}
    return schema | {"maxLength": 500} if "string" in schema.get("type", ()) else schema


def _known(values: list[str] | None) -> dict[str, Any]:
    return {"enum": values} if values else {}


def _bodies(route: Route) -> dict[str, Any]:
    """Describe a body in both its forms; in a form the files are files."""
    verb = route.verb() if route.verb else None
    options = {name: schema_of(option) for name, option in verb.options.items()} if verb else {}
    slots = dict.fromkeys(verb.slots if verb else (), _SLOT)
    fields = {name: FIELDS[name] for name in route.own} | ({"text": FIELDS["text"]} if "file" in route.own else {})
    needed = [key for key, option in verb.options.items() if option.required or key in route.needs] if verb else []
    shape = {"type": "object", "additionalProperties": False} | ({"required": needed} if needed else {})
    binary = {"type": "array", "items": {"type": "string", "contentMediaType": "application/octet-stream"}}
    files = {name: binary for name in (*slots, "file") if name in (*slots, *fields)}
    example = {"example": dict(route.example)} if route.example else {}
    return {
        "application/json": {"schema": shape | {"properties": fields | slots | options}} | example,
        "multipart/form-data": {"schema": shape | {"properties": fields | slots | options | files}},
    }
