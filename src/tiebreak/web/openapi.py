"""The description of the API, in OpenAPI 3.1, made from the table of routes."""

from __future__ import annotations

import re
from typing import Any

from tiebreak import __version__
from tiebreak.web.checking import schema_of
from tiebreak.web.routes import FIELDS, ROUTES, Route
from tiebreak.web.safety import TOKEN

_TEXT = {"type": "string"}
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
    422: "An option or a file is refused, with the sentence of the command line.",
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
                },
            }
        },
    },
}


def description() -> dict[str, Any]:
    """Describe every route.

    Examples
    --------
    >>> found = description()
    >>> found["openapi"], sorted(found["paths"])[:3]
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
    found: dict[str, Any] = {"operationId": route.name, "summary": route.text, "tags": [route.tag]}
    if parameters := _parameters(route):
        found["parameters"] = parameters
    if route.method == "POST" and (route.verb or route.own):
        found["requestBody"] = {"required": True, "content": _bodies(route)}
    if route.changes:
        found["security"] = [{"change": []}]
    content = {"csv": {"text/csv": {"schema": _TEXT}}, "": {}}.get(route.answer, _json(route.answer or "Object"))
    answer = {"description": "The answer."} | ({"content": content} if content else {})
    return found | {"responses": {str(route.status): answer} | _refusals((*_ALWAYS, *route.problems))}


def _json(schema: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _refusals(statuses: tuple[int, ...]) -> dict[str, Any]:
    return {str(each): {"description": _PROBLEMS[each], "content": _json("Problem")} for each in sorted(set(statuses))}


def _parameters(route: Route) -> list[dict[str, Any]]:
    """Describe what stands in the path, and the options that a GET takes in its address."""
    held = re.findall(r"{(\w+)}", route.path)
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": _TEXT | _known(route.parameters.get(name))}
        for name in held
    ]
    if route.method == "GET" and route.verb is not None:
        schemas = {name: schema_of(each) for name, each in route.verb().options.items()}
        schemas |= {name: FIELDS[name] for name in route.own}
        found += [{"name": name, "in": "query", "schema": _short(each)} for name, each in schemas.items()]
    return found


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
    options = {name: schema_of(each) for name, each in verb.options.items()} if verb else {}
    slots = dict.fromkeys(verb.slots if verb else (), FIELDS["file"])
    own = {name: FIELDS[name] for name in route.own} | ({"text": FIELDS["text"]} if "file" in route.own else {})
    needed = [each.name for each in verb.options.values() if each.required or each.name in route.needs] if verb else []
    shape = {"type": "object", "additionalProperties": False} | ({"required": needed} if needed else {})
    binary = {"type": "array", "items": {"type": "string", "contentMediaType": "application/octet-stream"}}
    files = {name: binary for name in (*slots, "file") if name in (*slots, *own)}
    example = {"example": dict(route.example)} if route.example else {}
    return {
        "application/json": {"schema": shape | {"properties": own | slots | options}} | example,
        "multipart/form-data": {"schema": shape | {"properties": own | slots | options | files}},
    }
