"""The table of routes: each line is a route, what it takes and gives."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from tiebreak.web import handlers
from tiebreak.web.options import OFFERS
from tiebreak.web.server import Server

Handler = Callable[[Server, Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One route.

    Parameters
    ----------
    name, method, path, text, tag
        What it is called, where it is, what it does, and with which others it stands.
    handle : callable
        What answers.
    verb : str
        The verb whose options the body may have.
    without : tuple of str
        Options of the verb that it may not have.
    fields : tuple of str
        Fields beside options.
    changes : bool
        Whether it changes something, and so needs the token of changes.
    answer : str
        The schema of its answer.
    status : int
        Of an answer.
    """

    name: str
    method: str
    path: str
    text: str
    tag: str
    handle: Handler
    verb: str = ""
    without: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    changes: bool = False
    answer: str = "Object"
    status: int = 200


def _of_verb(name: str) -> Route:
    offer = OFFERS[name]
    return Route(name=name, method="POST", path=f"/api/{name}", text=offer.text, tag="answers", answer="Answer",
                 handle=partial(handlers.run_verb, name=name), verb=name, without=offer.without,
                 fields=offer.fields)  # fmt: skip


ROUTES: tuple[Route, ...] = (
    *map(_of_verb, OFFERS),
    Route(name="keepUpload", method="POST", path="/api/uploads", tag="uploads", status=201, answer="Upload",
          text="Keep a file for several requests.", handle=handlers.keep, fields=("file",), changes=True),
    Route(name="dropUpload", method="DELETE", path="/api/uploads/{key}", tag="uploads", status=204, answer="",
          text="Remove a kept file.", handle=handlers.drop, changes=True),
    Route(name="listRuns", method="GET", path="/api/runs", tag="runs", answer="Runs",
          text="Every background run, the newest first.", handle=handlers.listing),
    Route(name="beginRun", method="POST", path="/api/runs", tag="runs", status=201, answer="Run",
          text="Try a recommendation out in the background; results go into the store as they come.",
          handle=handlers.begin, verb="recommend", without=handlers.NOT_IN_RUNS, fields=("file", "learn_from"),
          changes=True),
    Route(name="lookAtRun", method="GET", path="/api/runs/{run}", tag="runs", answer="Run",
          text="How far a run is: what was tried, what comes next by all that was learned, and its answer.",
          handle=handlers.look),
    Route(name="cancelRun", method="POST", path="/api/runs/{run}/cancel", tag="runs", status=202, answer="Run",
          text="End a run; what is finished stays in the store.", handle=handlers.cancel, changes=True),
    Route(name="resumeRun", method="POST", path="/api/runs/{run}/resume", tag="runs", status=202, answer="Run",
          text="Go on with a run that ended before its time.", handle=handlers.again, changes=True),
    Route(name="forgetRun", method="DELETE", path="/api/runs/{run}", tag="runs", status=204, answer="",
          text="Forget a run that is over, with its data.", handle=handlers.forget, changes=True),
    Route(name="store", method="GET", path="/api/store", tag="store",
          text="What the store holds: the JSON of `tiebreak store`.", handle=handlers.contents),
    Route(name="importTable", method="POST", path="/api/store/import", tag="store", changes=True, verb="store",
          text="Put a table beside the results of the store, under the name of whose it is.",
          handle=handlers.import_table, fields=("file",)),
    Route(name="exportStore", method="GET", path="/api/store/export", tag="store", answer="csv",
          text="Every cell of the store as csv.", handle=handlers.export),
)  # fmt: skip
"""Every route of the API."""
