"""Answers written as words: true and false, yes and no, pass and fail, percentages; as numbers in tables of items."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from tiebreak.caveats import Caveat, Caveats
from tiebreak.results.columns import NO_NUMBER, Columns, ListColumn

WORDS = {
    ("true", "false"), ("yes", "no"), ("y", "n"), ("pass", "fail"), ("passed", "failed"), ("correct", "incorrect"),
    ("right", "wrong"), ("success", "failure"), ("resolved", "unresolved"), ("solved", "unsolved"),
}  # fmt: skip
"""Pairs of words, the first for an answer that is right."""
_PERCENT = re.compile(r"[-+]?\d+(?:\.\d+)?\s*%")


def answers_as_numbers(
    columns: Columns, found: Mapping[str, str], scores: Sequence[str] | None
) -> tuple[Columns, Caveats]:
    """Turn columns that hold one pair of words, or percentages, into numbers; others stay as they are.

    Only the columns that may hold scores are looked at: those that were named, or all that play no role.

    Examples
    --------
    >>> held = {"item": ListColumn(["a", "b"]), "correct": ListColumn(["yes", "no"])}
    >>> from tiebreak.results.columns import Where
    >>> columns, notes = answers_as_numbers(held, {"item": "item"}, None)
    >>> columns["correct"].as_numbers(Where(column="correct")).tolist(), str(notes[0])
    ([1.0, 0.0], "Column 'correct' says yes and no, which was read as 1 and 0.")
    """
    asked = set(columns) if scores is None or "algorithm" not in found else set(scores)
    out, notes = dict(columns), list[Caveat]()
    for header, column in columns.items():
        if header not in asked or header in found.values() or column.is_number():
            continue
        named = column.coded()
        values = _numbers(named.names)
        if values is None:
            continue
        held = np.append(np.array(values), np.nan)[named.codes]  # the last place answers for what is missing
        out[header] = ListColumn(held)
        notes += _said(header, named.names)
    return out, tuple(notes)


def _numbers(names: Sequence[str]) -> list[float] | None:
    """Return what every word stands for, NaN for none; None where some word is of no one pair."""
    words = [name.strip().lower() for name in names]
    there = {word for word in words if word not in NO_NUMBER}
    if there and all(_PERCENT.fullmatch(word) for word in there):
        return [np.nan if word in NO_NUMBER else float(word.rstrip("% ")) / 100.0 for word in words]
    pair = next((pair for pair in WORDS if there and there <= set(pair)), None)
    if pair is None:
        return None
    return [np.nan if word in NO_NUMBER else float(word == pair[0]) for word in words]


def _said(header: str, names: Sequence[str]) -> list[Caveat]:
    words = [name for name in names if name.strip().lower() not in NO_NUMBER]
    if any("%" in word for word in words):
        return [Caveat("read-as", f"Percentages of column {header!r} were read as shares of 1.")]
    if {word.lower() for word in words} <= {"true", "false"}:
        return []
    good = {pair[0] for pair in WORDS}
    told = sorted(words, key=lambda word: word.strip().lower() not in good)
    numbers = " and ".join("1" if word.strip().lower() in good else "0" for word in told)
    return [Caveat("read-as", f"Column {header!r} says {' and '.join(told)}, which was read as {numbers}.")]
