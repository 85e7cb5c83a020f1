"""Which column of a file of votes plays which role."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from tiebreak._checks import IntArray, check_choice, check_choices
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import listed
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.columns import Columns, Names
from tiebreak.stats.votes import LEFT, RIGHT, TIE
from tiebreak.wording import option

SIDES = (
    ("left", "right"),
    ("model_a", "model_b"),
    ("left_model", "right_model"),
    ("model_left", "model_right"),
    ("model_1", "model_2"),
    ("model1", "model2"),
    ("player_a", "player_b"),
    ("player_1", "player_2"),
    ("a", "b"),
    ("first", "second"),
    ("model_x", "model_y"),
)
"""Headers of the two that meet; of several such pairs in a file the first here is taken."""
ROLES: Mapping[str, tuple[str, ...]] = {
    "winner": ("winner", "outcome", "preference", "preferred", "result", "choice", "vote", "verdict"),
    "prompt": ("prompt", "prompt_id", "question_id", "question", "item", "item_id", "instruction", "task_id"),
    "voter": ("voter", "voter_id", "worker", "worker_id", "judge", "annotator", "rater", "user", "user_id"),
}
"""Headers of the other roles."""
NAMES = ("left", "right", *ROLES)


def plain(text: str) -> str:
    """Write a header or a label in small letters, with one underscore for whatever is no letter or digit.

    Examples
    --------
    >>> plain(" Model A"), plain("tie (bothbad)")
    ('model_a', 'tie_bothbad')
    """
    return re.sub(r"[\W_]+", "_", text.lower()).strip("_")


def roles_of(columns: Columns, options: Mapping[str, str], source: str) -> tuple[dict[str, str], Caveats]:
    """Return the header of every role that is played, and say which were told by their names alone."""
    _check_told(columns, options, source)
    result = dict(options)
    free = {plain(header): header for header in reversed(list(columns)) if header not in options.values()}
    if not {"left", "right"} <= set(result):
        result |= _sides(free, result)
    for role, headers in ROLES.items():
        match = next(
            (free[header] for header in headers if header in free and free[header] not in result.values()), None
        )
        if role not in result and match is not None:
            result[role] = match
    if not {"left", "right", "winner"} <= set(result):
        raise _lacking(columns, result, source)
    guessed = {
        role: result[role] for role in ROLES if role in result and role not in options and plain(result[role]) != role
    }
    if not guessed:
        return result, ()
    told_so = listed([f"{header!r} for {role}" for role, header in guessed.items()])
    text = (
        f"Columns of {source} were taken by their names: {told_so}."
        f" Say {option(columns={next(iter(guessed)): ...})} to change that."
    )
    return result, (Caveat("read-as", text),)


def _sides(free: Mapping[str, str], result: Mapping[str, str]) -> dict[str, str]:
    """Find the two that meet: both sides of one pair of headers, or a winner and a loser."""
    for left, right in SIDES:
        pair = {"left": result.get("left") or free.get(left), "right": result.get("right") or free.get(right)}
        if all(pair.values()):
            return {role: str(header) for role, header in pair.items()}
    if {"winner", "loser"} <= set(free) and "winner" not in result:
        return {"left": free["winner"], "right": free["loser"], "winner": free["winner"]}
    return {}


def _check_told(columns: Columns, options: Mapping[str, str], source: str) -> None:
    check_choices("role of a column of votes", options, NAMES)
    check_choices(f"column in {source}", options.values(), columns)
    twice = sorted({header for header in options.values() if list(options.values()).count(header) > 1})
    if twice:
        raise OptionError(
            f"The column {twice[0]!r} of {source} was given two roles.",
            mend=f"Name one column for each: {option(columns={'left': ..., 'right': ...})}.",
        )


def _lacking(columns: Columns, result: Mapping[str, str], source: str) -> InputError:
    what = {"left": "who stands left", "right": "who stands right", "winner": "who won"}
    lacking = [role for role in what if role not in result]
    free = [header for header in columns if header not in result.values()]
    guess: dict[str, Any] = dict.fromkeys(lacking, ...) | dict(zip(lacking, free[-len(lacking) :], strict=False))
    return InputError(
        f"{source} has no column that says {listed([what[role] for role in lacking])}; its columns are"
        f" {quoted(columns)}.",
        mend=f"Say which columns they are: {option(columns=guess)}. A table of scores is made"
        f" into battles by {option(score=...)}.",
    )


NO_VOTE, BOTH_BAD, BY_NAME, UNKNOWN = 9, 8, 7, 6
MEANINGS = {"left": LEFT, "right": RIGHT, "tie": TIE, "both-bad": BOTH_BAD, "drop": NO_VOTE}
"""What a label can be said to mean."""
_KNOWN = {
    LEFT: "left a model_a left_wins a_wins model_a_wins left_model first",
    RIGHT: "right b model_b right_wins b_wins model_b_wins right_model second",
    TIE: "tie tied draw equal even same both tie_both_good tie_bothgood both_good bothgood",
    BOTH_BAD: "both_bad bothbad tie_bothbad tie_both_bad neither",
    NO_VOTE: "nan na none null",
}
_MEANING = {word: code for code, words in _KNOWN.items() for word in words.split()} | {"": NO_VOTE}


def outcomes(
    winner: Names,
    left: tuple[str, IntArray],
    right: tuple[str, IntArray],
    names: tuple[str, ...],
    *,
    told: Mapping[str, str],
    both_bad: str,
    source: str,
) -> tuple[IntArray, int]:
    """Read the winner column; `left` and `right` are the header and the codes of who met.

    Return how every row ended (`LEFT`, `TIE`, `RIGHT`, or `NO_VOTE` for rows to leave out), and how many are both bad.

    A label is what was told of it, the header or name of one side, or one of the usual words.
    """
    check_choice("rule for both bad", both_bad, ("tie", "drop"))
    for label, meaning in told.items():
        check_choice(f"meaning of {label!r}", meaning, MEANINGS)
    named = {name: place for place, name in enumerate(names)}
    codes = np.array([_code(name, told, named, (left[0], right[0])) for name in winner.names] + [NO_VOTE])
    ended = codes[winner.codes]
    place = np.array([named.get(name, -2) for name in winner.names] + [-2])[winner.codes]
    by_name = ended == BY_NAME
    ended = np.where(by_name & (place == left[1]), LEFT, np.where(by_name & (place == right[1]), RIGHT, ended))
    _check_known(winner, ended, source)
    bad = int((ended == BOTH_BAD).sum())
    return np.where(ended == BOTH_BAD, TIE if both_bad == "tie" else NO_VOTE, ended), bad


def _code(label: str, options: Mapping[str, str], named: Mapping[str, int], headers: tuple[str, str]) -> int:
    if label in options:
        return MEANINGS[options[label]]
    if label in named:
        return BY_NAME
    if label in headers:
        return LEFT if label == headers[0] else RIGHT
    return _MEANING.get(plain(label), UNKNOWN)


def _check_known(winner: Names, ended: IntArray, source: str) -> None:
    """Refuse what cannot be told, with how often each label stands there."""
    wrong = np.isin(ended, (UNKNOWN, BY_NAME))
    if not wrong.any():
        return
    labels, counts = np.unique(winner.codes[wrong], return_counts=True)
    shown = sorted(zip(counts.tolist(), (winner.names[i] for i in labels), strict=True), reverse=True)
    text = ", ".join(f"{name!r} ({count:,})" for count, name in shown[:8])
    more = f" and {len(shown) - 8} more" if len(shown) > 8 else ""
    raise InputError(
        f"The winner column of {source} has values that are neither a known outcome nor one of the two names:"
        f" {text}{more}.",
        mend=f"Say what each means (left, right, tie, both-bad or drop): {option(labels={shown[0][1]: 'left'})}.",
    )
