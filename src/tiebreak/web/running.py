"""One verb run on checked values: what a child of the server does, and the page without a server."""

from __future__ import annotations

from typing import Any

from tiebreak.cli import source_of
from tiebreak.cli.answering import emit, runner, values_of
from tiebreak.verbs import verb_of
from tiebreak.wording import on_the_command_line


def run_verb(verb: str, values: dict[str, Any], form: str) -> str:
    """Run a verb on checked values, and write its answer; a page is written beside it where one is wanted."""
    page = values.pop("page", None)
    made = values_of(verb, values)
    if verb == "recommend":
        made.pilot = "0"  # a page is answered at once: fits run in the background alone
    with on_the_command_line(verb, source=source_of(made)):
        found = runner(verb_of(verb))(made)
        assert found is not None
        if page:
            emit(found.in_form("html"), page)
        return found.in_form(form, indent=None)
