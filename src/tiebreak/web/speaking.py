"""Messages as pages word them: where the command line names an option, a page names its field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tiebreak.errors import InputError, NotSaid, OptionError, TiebreakError
from tiebreak.methods.policies import COST_POLICIES, POLICIES
from tiebreak.web.problems import Problem
from tiebreak.web.questions import OFFERS, Verb, verb_of
from tiebreak.wording import Choice, reworded

LABELS = {
    "score": "Score",
    "scores": "Scores",
    "cost": "Cost",
    "trade": "Trade",
    "rule": "Rule",
    "margin": "Margin",
    "max_cost_ratio": "Cost at most",
    "alpha": "Alpha",
    "missing": "Gaps",
    "items": "Items",
    "difference": "Difference",
    "discordant": "Discordant",
    "sd": "Standard deviation",
    "power": "Power",
    "target": "Target",
    "kind": "Its kind",
    "accd": "Accuracy against time",
    "budget": "Time to try in",
    "run": "Time",
    "base": "Name of the base",
    "candidate": "Name of the candidate",
    "costs": "File of costs",
    "prices": "File of prices",
    "column": "role of a column",
}
"""Options whose field is not called as they are."""


def label_of(name: str) -> str:
    """Return what a page calls an option, or the file of an option.

    Examples
    --------
    >>> label_of("missing"), label_of("missing_costs")
    ('Gaps', 'missing costs')
    """
    return LABELS.get(name, name.replace("_", " "))


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


def problem_of(error: TiebreakError, verb: Verb | None = None) -> Problem:
    """Make a problem of an error of the package, with the options of a verb that mend it."""
    code = next((word for kind, word in _CODES if isinstance(error, kind)), "refused")
    problem = Problem(422, code, error.what, why=error.why, mend=error.mend)
    if verb is not None:
        known = {*verb.options, *verb.slots}
        named = [choice for choice in error.choices if choice.option in known]
        problem.options = [{"option": choice.option, "values": list(choice.values)} for choice in named]
        meanings = {piece: choice for piece, choice in error.meanings.items() if choice.option in known}
        texts = {"what": error.what, "why": error.why, "mend": error.mend}
        problem.page = {name: for_page(text, meanings) for name, text in texts.items()}
    return problem


def spoken(verbs: Sequence[str] = ()) -> dict[str, Any]:
    """Return what scripts must know to word choices: names of fields, and what some values do.

    `verbs` are those whose options the page has, by default all.
    """
    held = [verb_of(name) for name in verbs or (*OFFERS, "store")]
    return {
        "labels": {name: label_of(name) for verb in held for name in (*verb.options, *verb.slots)},
        "clicks": {f"{name} {value}".lower(): words for (name, value), words in CLICKS.items()},
        "meanings": {"missing": POLICIES, "missing_costs": COST_POLICIES},
    }
