"""What is answered instead of an answer: problems for programs and people, and the words of pages for options."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tiebreak.errors import InputError, NotSaid, OptionError, TiebreakError
from tiebreak.wording import Choice, reworded


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

    def reworded(self, way: Callable[[str], str]) -> Problem:
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


def place_of(error: BaseException) -> str:
    """Return the place in the code that an unforeseen error came from; nothing of the data."""
    frames = traceback.extract_tb(error.__traceback__)
    of_package = [frame for frame in frames if "tiebreak" in Path(frame.filename).parts] or list(frames)
    return f"{Path(of_package[-1].filename).name}:{of_package[-1].lineno}" if of_package else ""


# ---- the words of pages

LABELS = {
    "missing": "Gaps",
    "sd": "Standard deviation",
    "kind": "Its kind",
    "accd": "Accuracy against time",
    "budget": "Time to try in",
    "run": "Time to run",
    "base": "Name of the base",
    "candidate": "Name of the candidate",
    "costs": "File of costs",
    "prices": "File of prices",
    "column": "Role of a column",
}
"""Options whose field is not called as they are."""


def label_of(name: str) -> str:
    """Return what a page calls an option, or the file of an option.

    Examples
    --------
    >>> label_of("missing"), label_of("missing_costs")
    ('Gaps', 'Missing costs')
    """
    return LABELS.get(name, name.replace("_", " ").capitalize())


CLICKS = {
    ("transpose", True): "rows are algorithms",
    ("transpose", False): "rows are data sets",
    ("column", "dataset=#"): "number the rows as data sets",
    ("column", "fold=#"): "number the rows as folds",
}
"""Choices that have words of their own."""


def words_of(choice: Choice) -> str:
    """Return what a page calls a choice.

    Examples
    --------
    >>> words_of(Choice("missing", ("drop-datasets", "drop-folds"))), words_of(Choice("transpose", (False,)))
    ('Gaps: drop-datasets or drop-folds', 'rows are data sets')
    """
    label, values = label_of(choice.option), choice.values or ((choice.part,) if choice.part else ())
    if len(values) == 1 and (choice.option, values[0]) in CLICKS:
        return CLICKS[choice.option, values[0]]
    *most, last = map(str, values or ("",))
    listed = f"{', '.join(most)} or {last}" if most else last
    return label if not values or True in values else f"not {label}" if False in values else f"{label}: {listed}"


def for_page(texts: Any, meanings: Mapping[str, Choice]) -> Any:
    """Return texts, alone or in lists and dictionaries, in the words of pages."""
    if isinstance(texts, str):
        return reworded(texts, meanings, lambda _, choice: f"“{words_of(choice)}”")
    if isinstance(texts, dict):
        return {key: for_page(value, meanings) for key, value in texts.items()}
    return [for_page(value, meanings) for value in texts] if isinstance(texts, list | tuple) else texts


_CODES = ((NotSaid, "not-said"), (OptionError, "option"), (InputError, "input"))


def problem_of(error: TiebreakError, known: Sequence[str] = ()) -> Problem:
    """Make a problem of an error of the package, with those of the `known` options that mend it."""
    code = next((word for kind, word in _CODES if isinstance(error, kind)), "refused")
    problem = Problem(422, code, error.what, why=error.why, mend=error.mend)
    if known:
        named = [choice for choice in error.choices if choice.option in known]
        problem.options = [{"option": choice.option, "values": list(choice.values)} for choice in named]
        meanings = {piece: choice for piece, choice in error.meanings.items() if choice.option in known}
        texts = {"what": error.what, "why": error.why, "mend": error.mend}
        problem.page = {name: for_page(text, meanings) for name, text in texts.items()}
    return problem
