"""What a request can be answered with instead of an answer: a status, a word for programs, and sentences for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Problem(Exception):
    """An answer that is no answer: what is wrong, why it matters, and what mends it, with the status of HTTP.

    Examples
    --------
    >>> Problem(404, "not-found", "There is no run 'x'.").to_dict()["error"]["text"]
    "There is no run 'x'."
    """

    def __init__(
        self, status: int, code: str, what: str, *, why: str = "", mend: str = "", retry: int | None = None
    ) -> None:
        super().__init__(what)
        self.status, self.code, self.retry = status, code, retry
        self.what, self.why, self.mend = what, why, mend
        self.options: list[dict[str, Any]] = []
        self.page: dict[str, str] = {}

    @classmethod
    def of(cls, error: dict[str, Any]) -> Problem:
        """Make it of its JSON, as children send it."""
        texts = {name: error.get(name, "") for name in ("code", "what", "why", "mend")}
        problem = cls(422, **texts)
        problem.options, problem.page = error.get("options", []), error.get("page", {})
        return problem

    def said(self, way: Callable[[str], str]) -> Problem:
        """Say each part of it in another way."""
        self.what, self.why, self.mend = way(self.what), way(self.why), way(self.mend)
        self.page = {name: way(text) for name, text in self.page.items()}
        return self

    @property
    def text(self) -> str:
        """All of it, as sentences."""
        return " ".join(part for part in (self.what, self.why, self.mend) if part)

    @property
    def headers(self) -> dict[str, str]:
        """Say when to come again, where that helps; what was not read to the end cannot be followed by more."""
        options = {} if self.retry is None else {"Retry-After": str(self.retry)}
        return options | ({"Connection": "close"} if self.status in (408, 413) else {})

    def to_dict(self) -> dict[str, Any]:
        """Return it as the JSON of the API has it: `options` mend it, `page` are its sentences as pages word them."""
        options = {"code": self.code, "what": self.what, "why": self.why, "mend": self.mend, "text": self.text}
        return {"error": {**options, "options": self.options} | ({"page": self.page} if self.page else {})}


def too_large(limit: int) -> Problem:
    """Make the problem of a body that is larger than what is let in."""
    return Problem(
        413,
        "too-large",
        f"The upload is larger than {limit / 1e6:.6g} MB.",
        why="So much is let in, and not more.",
        mend="Leave rows or columns out, start the server with --limit upload=200MB, or use the command line.",
    )


def busy(seconds: int = 2) -> Problem:
    """Make the problem of a server that has as much to do as it takes on."""
    return Problem(
        503,
        "busy",
        "The server has as many requests as it takes on at a time.",
        mend="Try again in a few seconds.",
        retry=seconds,
    )


def bad_request(what: str, *, mend: str = "", code: str = "bad-request") -> Problem:
    """Make the problem of a request that cannot be read."""
    return Problem(400, code, what, mend=mend)
