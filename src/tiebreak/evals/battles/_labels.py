"""What the cells of the winner column mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import IntArray, check_choice
from tiebreak.errors import InputError
from tiebreak.evals.battles._columns import plain
from tiebreak.results.columns import Names
from tiebreak.stats.votes.counts import LEFT, RIGHT, TIE
from tiebreak.wording import option

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcomes:
    """How every row ended (`LEFT`, `TIE`, `RIGHT`, or `NO_VOTE` for rows to leave out), and how many were both bad."""

    ended: IntArray
    both_bad: int


def outcomes(
    winner: Names,
    left: tuple[str, IntArray],
    right: tuple[str, IntArray],
    names: tuple[str, ...],
    *,
    told: Mapping[str, str],
    both_bad: str,
    source: str,
) -> Outcomes:
    """Read the winner column; `left` and `right` are the header and the codes of who met.

    A label is what was told of it, the header or name of one side, or one of the usual words.
    """
    check_choice("rule for both bad", both_bad, ("tie", "drop"))
    for label, meaning in told.items():
        check_choice(f"meaning of {label!r}", meaning, MEANINGS)
    named = {name: place for place, name in enumerate(names)}
    codes = np.array([_code(each, told, named, (left[0], right[0])) for each in winner.names] + [NO_VOTE])
    ended = codes[winner.codes]
    place = np.array([named.get(each, -2) for each in winner.names] + [-2])[winner.codes]
    by_name = ended == BY_NAME
    ended = np.where(by_name & (place == left[1]), LEFT, np.where(by_name & (place == right[1]), RIGHT, ended))
    _check_known(winner, ended, source)
    bad = int((ended == BOTH_BAD).sum())
    return Outcomes(ended=np.where(ended == BOTH_BAD, TIE if both_bad == "tie" else NO_VOTE, ended), both_bad=bad)


def _code(label: str, told: Mapping[str, str], named: Mapping[str, int], headers: tuple[str, str]) -> int:
    if label in told:
        return MEANINGS[told[label]]
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
    told = ", ".join(f"{name!r} ({count:,})" for count, name in shown[:8])
    more = f" and {len(shown) - 8} more" if len(shown) > 8 else ""
    raise InputError(
        f"The winner column of {source} holds what is no known outcome, nor the name of one of the two that met:"
        f" {told}{more}.",
        why="Which one a vote is for must not be guessed.",
        mend=f"Say what each means (left, right, tie, both-bad or drop): {option(labels={shown[0][1]: 'left'})}.",
    )
