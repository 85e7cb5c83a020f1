"""The description of the API (OpenAPI), made from the table of routes and the records of the verbs."""

from __future__ import annotations

import re
from typing import Any

from tiebreak import __version__
from tiebreak.web.options import FIELDS, OFFERS, schema_of, verb_of
from tiebreak.web.routes import ROUTES, Route
from tiebreak.web.safety import TOKEN

_TEXT = {"type": "string"}
_SOURCES: dict[str, dict[str, Any]] = {
    "file": {
        "description": "What to read: files of a form, or names: upload:KEY, published:NAME, builtin:NAME.",
        "anyOf": [_TEXT, {"type": "array", "items": _TEXT, "maxItems": 20}],
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
}
_SLOT = _TEXT | {"description": "A further file: upload:KEY, or a file of a form."}
_KEY = "$response.body#/upload"
_LINKS: dict[str, Any] = {
    **{verb: {"operationId": verb, "requestBody": {"file": _KEY}} for verb in OFFERS},
    "dropUpload": {"operationId": "dropUpload", "parameters": {"key": _KEY}},
}
"""What the key of an upload is for."""
_PROBLEM = (
    "What is wrong, with the message of the command line. 400: the request cannot be read; 401, 403: a token is"
    " missing, or it comes from another site; 404: there is no such thing; 408: the upload stopped; 409: not now; 413:"
    " too large; 415: neither JSON nor a form; 421: not a name of this server; 422: an option or a file"
    " is invalid; 503: busy, Retry-After says when to come again."
)


def _record(needed: str, **properties: str | dict[str, Any]) -> dict[str, Any]:
    """Describe an object by the types of its properties; those that are `needed` are always there."""
    kinds = {name: {"type": kind.split()} if isinstance(kind, str) else kind for name, kind in properties.items()}
    return {"type": "object", "required": needed.split(), "properties": kinds}


SCHEMAS: dict[str, dict[str, Any]] = {
    "Object": {"type": "object", "description": "The JSON of the command line."},
    "Answer": _record(
        "result command python page files",
        result={"type": ["object", "string"], "description": "What the verb prints: with --json, or as text."},
        command=_TEXT | {"description": "The command that does the same."},
        python=_TEXT | {"description": "The Python call that does the same."},
        page={"type": ["string", "null"], "description": "The address of a written page."},
        files={"type": "array", "items": {"$ref": "#/components/schemas/File"}},
    ),
    "File": _record("name type", name="string", type="string", text="string", base64="string"),
    "Upload": _record(
        "upload name bytes seconds",
        upload=_TEXT | {"description": "How other requests name it."},
        name="string",
        bytes="integer",
        seconds={"type": "number", "description": "How long it is kept without being used."},
    ),
    "Run": _record(
        "run state created data time command tried",
        state={"enum": ["waiting", "running", "done", "cancelled", "interrupted", "failed"]},
        **dict.fromkeys(("run", "data", "time", "command"), "string"),
        **dict.fromkeys(("best", "progress", "result"), "object null"),
        **dict.fromkeys(("trials", "next"), "array"),
        created="number", ended="number null", tried="integer", cells="integer null", error="string null",
    ),
    "Runs": _record("runs", runs={"type": "array", "items": {"$ref": "#/components/schemas/Run"}}),
    "Problem": _record(
        "error",
        error=_record(
            "code what why mend text options",
            **dict.fromkeys(("code", "what", "why", "mend", "text"), "string"),
            options="array",
            page={"type": "object", "description": "Its sentences in the words of pages."},
        ),
    ),
}  # fmt: skip


def description() -> dict[str, Any]:
    """Describe every route.

    Examples
    --------
    >>> result = description()
    >>> result["openapi"], sorted(result["paths"])[:3]
    ('3.1.0', ['/api/battles', '/api/board', '/api/check'])
    """
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    for path, text in (
        ("/health", "Whether the server lives, and how much it has to do."),
        ("/api/openapi.json", "This description."),
    ):
        paths[path] = {
            "get": {"operationId": path[1:], "summary": text, "responses": _responses("200", _json("Object"))}
        }
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


def _operation(route: Route) -> dict[str, Any]:
    result: dict[str, Any] = {"operationId": route.name, "summary": route.text, "tags": [route.tag]}
    if names := re.findall(r"{(\w+)}", route.path):
        result["parameters"] = [{"name": name, "in": "path", "required": True, "schema": _TEXT} for name in names]
    if route.method == "POST" and (route.verb or route.fields):
        result["requestBody"] = {"required": True, "content": _bodies(route)}
    if route.changes:
        result["security"] = [{"change": []}]
    content = {"csv": {"text/csv": {"schema": _TEXT}}, "": {}}.get(route.answer) or _json(route.answer)
    links = {"links": _LINKS} if route.answer == "Upload" else {}
    return result | {"responses": _responses(str(route.status), content if route.answer else {}, **links)}


def _responses(status: str, content: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Describe an answer, and problems, which come with any other status."""
    answer = {"description": "The answer."} | ({"content": content} if content else {}) | more
    return {status: answer, "default": {"description": _PROBLEM, "content": _json("Problem")}}


def _json(schema: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _bodies(route: Route) -> dict[str, Any]:
    """Describe a body in both its forms; in a form the files are files."""
    verb, offer = verb_of(route.verb, without=route.without) if route.verb else None, OFFERS.get(route.name)
    options = {name: schema_of(option) for name, option in verb.options.items()} if verb else {}
    slots = dict.fromkeys(verb.slots if verb else (), _SLOT)
    sources = _SOURCES if "file" in route.fields else {}
    properties = sources | {name: schema_of(FIELDS[name]) for name in route.fields if name in FIELDS} | slots | options
    needs = offer.needs if offer else ()
    needed = [key for key, option in verb.options.items() if option.required or key in needs] if verb else []
    shape = {"type": "object", "additionalProperties": False} | ({"required": needed} if needed else {})
    binary = {"type": "array", "items": {"type": "string", "contentMediaType": "application/octet-stream"}}
    files = {name: binary for name in (*slots, "file") if name in properties}
    example = {"example": dict(offer.example)} if offer and offer.example else {}
    return {
        "application/json": {"schema": shape | {"properties": properties}} | example,
        "multipart/form-data": {"schema": shape | {"properties": properties | files}},
    }
