"""What must be said before anything is decided: all that is missing in one message, whichever interface asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tiebreak.deciding.gaps import may_be_completed, refusal
from tiebreak.errors import MissingScores, NotSaid
from tiebreak.methods.policies import AUTO
from tiebreak.tables import Results
from tiebreak.wording import either


def check_said(
    results: Results,
    score: str | Sequence[str] | None,
    *check: Callable[[], object],
    missing: str,
    verb: str,
) -> None:
    """Run the checks that a verb makes of what it was told, and raise what they miss as one error.

    Gaps are looked for only where something else is missing: that takes a look at every cell, and alone they are
    refused where they are settled.
    """
    lacking: list[NotSaid | MissingScores] = []
    for each in check:
        try:
            each()
        except NotSaid as error:
            lacking.append(error)
    if not lacking:
        return
    names = results.scores if score is None else (score,) if isinstance(score, str) else tuple(score)
    names = tuple(name for name in names if missing != AUTO or not may_be_completed(results, name))
    if missing in (AUTO, "refuse") and (score is not None or len(results.scores) == 1):
        gaps = (refusal(found, name, verb=verb) for name in names if (found := results.gaps(name)))
        lacking += [*gaps][:1]  # other scores mostly lack the same cells
    if len(lacking) == 1:
        raise lacking[0]
    lines = [f"{number}. {error.what} {error.mend}" for number, error in enumerate(lacking, 1)]
    raise NotSaid("\n".join([f"{len(lacking)} {either('arguments', 'options')} are missing:", *lines]))
