"""One verb run on checked values: what a child of the server does, and the page without a server."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from tiebreak.cli import source_of
from tiebreak.cli.answering import as_json, emit, runner, values_of
from tiebreak.cli.sources import OF_FILES, chosen_part, roles_of
from tiebreak.errors import TiebreakError
from tiebreak.verbs import verb_of
from tiebreak.web.view import guess, view
from tiebreak.wording import on_the_command_line


def run_verb(verb: str, values: dict[str, Any], form: str) -> str:
    """Run a verb on checked values, and write its answer; a report is written beside it where one is wanted.

    The form "page" is what pages lay out.
    """
    page = values.pop("page", None)
    made = values_of(verb, values)
    if verb == "recommend":
        made.pilot = "0"  # a page is answered at once: fits run in the background alone
    with on_the_command_line(verb, source=source_of(made)):
        if (verb, form) == ("read", "page"):
            return as_json(_opened(made), indent=None)
        found = runner(verb_of(verb))(made)
        assert found is not None
        if page:
            emit(found.in_form("html"), page)
        return as_json(view(found), indent=None) if form == "page" else found.in_form(form, indent=None)


def _opened(values: Namespace) -> dict[str, Any]:
    """Read files each by itself, and tell which question they obviously raise, even where they cannot be read yet."""
    part, where = chosen_part(values)
    how: dict[str, Any] = {name: getattr(values, name) for name in OF_FILES if name != "normalise_cost"} | part
    how |= {"scores": values.score, "columns": roles_of(values) or None, "where": where or None}
    question = guess(values.results, {name: value for name, value in how.items() if value not in (None, False)})
    files = []
    try:
        for file in values.results:
            found = runner(verb_of("read"))(Namespace(**vars(values) | {"results": [file]}))
            assert found is not None and found.data is not None
            files.append(found.data())
    except TiebreakError:
        if question is None or question["verb"] in ("compare", "order"):
            raise
    return {"files": files, "obvious": question}
