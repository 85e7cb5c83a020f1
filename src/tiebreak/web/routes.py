"""The table of routes: each line is a route, what it takes and gives, and its place in the description of the API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tiebreak.web.api import runs, stores, uploads, verbs
from tiebreak.web.offers import OFFERS, Offer
from tiebreak.web.server import Server
from tiebreak.web.verbs import Verb, verb_of

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


def _of_verb(offer: Offer) -> Route:
    async def handle(server: Server, request: Request) -> Response:
        return await verbs.run_verb(server, request, offer.verb)

    return Route(
        name=offer.verb,
        method="POST",
        path=f"/api/{offer.verb}",
        text=offer.text,
        tag="answers",
        handle=handle,
        verb=offer.offered,
        own=offer.own,
        answer="Answer",
        problems=(400, 404, 408, 413, 415, 422, 503),
        needs=offer.needs,
        example=offer.example,
    )


_BODY = (400, 404, 408, 413, 415, 422, 503)
ROUTES: tuple[Route, ...] = (
    *map(_of_verb, OFFERS.values()),
    Route(name="keepUpload", method="POST", path="/api/uploads", tag="uploads", status=201, answer="Upload",
          text="Keep a file for several requests.", handle=uploads.keep, own=("file", "text"), changes=True,
          problems=_BODY),
    Route(name="dropUpload", method="DELETE", path="/api/uploads/{key}", tag="uploads", status=204, answer="",
          text="Remove a kept file.", handle=uploads.drop, changes=True, problems=(404,)),
    Route(name="listRuns", method="GET", path="/api/runs", tag="runs", answer="Runs",
          text="Every background run, the newest first.", handle=runs.listing),
    Route(name="beginRun", method="POST", path="/api/runs", tag="runs", status=201, answer="Run",
          text="Try a recommendation out in the background; results go into the store as they come.",
          handle=runs.begin, verb=runs.runnable, own=("file", "text", "learn_from"), changes=True, problems=_BODY),
    Route(name="lookAtRun", method="GET", path="/api/runs/{run}", tag="runs", answer="Run",
          text="How far a run is: what was tried, what comes next by all that was learned, and its answer.",
          handle=runs.look, problems=(404,)),
    Route(name="cancelRun", method="POST", path="/api/runs/{run}/cancel", tag="runs", status=202, answer="Run",
          text="End a run; what is finished stays in the store.", handle=runs.cancel, changes=True, problems=(404,)),
    Route(name="resumeRun", method="POST", path="/api/runs/{run}/resume", tag="runs", status=202, answer="Run",
          text="Go on with a run that ended before its time.", handle=runs.again, changes=True, problems=(404, 409)),
    Route(name="forgetRun", method="DELETE", path="/api/runs/{run}", tag="runs", status=204, answer="",
          text="Forget a run that is over, with its data.", handle=runs.forget, changes=True, problems=(404, 409)),
    Route(name="store", method="GET", path="/api/store", tag="store", problems=(422, 503),
          text="What the store holds: the JSON of `tiebreak store`.", handle=stores.contents),
    Route(name="standingOrder", method="GET", path="/api/store/order", tag="store", answer="Answer",
          text="The order of the algorithms of the store as it is now; options of `order` in the address.",
          handle=stores.standing, verb=OFFERS["order"].offered, own=("format", "figure"),
          problems=(400, 422, 503)),
    Route(name="importTable", method="POST", path="/api/store/import", tag="store", changes=True, problems=_BODY,
          text="Put a table beside the results of the store, under the name of whose it is.", handle=stores.take_in,
          verb=partial(verb_of, "store"), own=("file", "text")),
    Route(name="exportStore", method="GET", path="/api/store/export", tag="store", answer="csv", problems=(422, 503),
          text="Every cell of the store as csv.", handle=stores.export),
    Route(name="storePart", method="GET", path="/api/store/{part}", tag="store", problems=(404, 422, 503),
          text="One part of it.", handle=stores.part, parameters={"part": list(stores.PARTS)}),
)  # fmt: skip
"""Every route of the API; those that can stand for others come after them."""
