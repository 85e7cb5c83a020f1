"""Which header plays which role, and which scores were asked for by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from tiebreak._checks import check_choice
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import OptionError, quoted
from tiebreak.results.item_columns import ITEM_ROLES, with_item_roles
from tiebreak.results.metric_column import METRIC
from tiebreak.wording import option

ROLES = ("dataset", "algorithm", "replication", "fold")
SYNONYMS = {
    "dataset": "dataset, data_set, data set, dataset_name, data, task, problem".split(", "),
    "algorithm": "algorithm, algorithm_name, classifier, classifier_name, learner, method, model, framework".split(
        ", "
    ),
    "replication": "replication repetition repeat rep".split(),
    "fold": "fold split".split(),
}
WIDE_SCORE = "score"
"""The name of the one score of a wide table when nobody named it."""
FRAME = "the frame"
"""What a data frame is called in messages."""


def find_roles(
    columns: Iterable[str], told: Mapping[str, str], source: str, *, word: Callable[[str], str] = str.strip
) -> tuple[dict[str, str], Caveats]:
    """Find which header plays which role: as told, by its own name, or by a synonym; `word` is what of it counts."""
    headers = list(columns)
    found: dict[str, str] = {}
    for role, header in told.items():
        check_choice("role", role, (*ROLES, *ITEM_ROLES, METRIC))
        found[role] = check_choice(f"column (for the {role})", header, headers)
    found, more = with_item_roles(found, headers, told, word)
    notes = list(more)
    for role in ROLES:
        if role in found:
            continue
        free = [header for header in headers if header not in found.values()]
        matches = [header for header in free if word(header).lower() in SYNONYMS[role]]
        exact = [header for header in matches if header == role]
        if not exact and len(matches) > 1:
            raise OptionError(
                f"Columns {quoted(matches)} of {source} could all name the {role}.",
                why="Only one can, and guessing would mix up results.",
                mend=f"Say which: {option(columns={role: matches[0]})}.",
            )
        if matches:
            found[role] = (exact or matches)[0]
            if found[role] != role:
                notes.append(Caveat("read-as", f"Column {found[role]!r} was read as the {role}."))
    return found, tuple(notes)


def score_names(scores: str | Sequence[str] | None, score: str | None = None) -> list[str] | None:
    """Return the scores asked for as a list, None where all are; `score` is the same for one."""
    if score is not None and scores is not None and ([scores] if isinstance(scores, str) else list(scores)) != [score]:
        raise OptionError(
            f"score={score!r} and scores={scores!r} were both given.",
            why="They are two spellings of one option.",
            mend="Give one of them.",
        )
    scores = score if scores is None else scores
    names = [scores] if isinstance(scores, str) else None if scores is None else list(scores)
    for name in names or ():
        if not isinstance(name, str) or name in ROLES:
            raise OptionError(
                f"A score cannot be named {name!r}.",
                why=f"A name is text, and {quoted(ROLES)} are the keys of the table.",
                mend=f"Use a name such as {option(scores='accuracy')}.",
            )
    return names


def one_name(score: str | None, scores: str | Sequence[str] | None = None) -> str | None:
    """Return the one score asked for, whichever way it was spelled; None where none was named."""
    names = score_names(scores, score)
    if names is not None and len(names) != 1:
        raise OptionError(
            f"{len(names)} scores were named: {quoted(names)}.",
            why="One score is compared at a time.",
            mend=f"Name one (score={names[0]!r}), or use tiebreak.multivariate for several together."
            if names
            else "Name one.",
        )
    return names[0] if names else None
