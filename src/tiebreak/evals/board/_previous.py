"""An earlier build, read from its `board.json`: checked before anything of it is believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tiebreak._brief import Brief
from tiebreak.errors import InputError
from tiebreak.results.text import TooDeep, json_of
from tiebreak.wording import either

MARK = "tiebreak board"
"""What the first lines of every file of a board hold: by it a file is known to be ours."""
FORMAT = 1
"""The version of `board.json`; a later one may hold what this program does not know."""
MOST_BYTES = 100_000_000
MOST_TEXT = 10_000
LARGEST = 1e300


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Before(Brief):
    """What an earlier build said of one algorithm; `beats` are those that a test showed to be worse."""

    algorithm: str
    place: int
    tier: int
    cost: float | None = None
    beats: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Previous(Brief):
    """An earlier build: its id, date, what was asked, its entries, and what it said of builds before it."""

    id: str
    date: str
    asked: Mapping[str, Any]
    entries: tuple[Before, ...]
    changes: Mapping[str, Any] | None = None
    history: tuple[Mapping[str, Any], ...] = field(default=())


class _Wrong(Exception):
    """What makes a file no board, in words."""


def read_previous(path: str | Path) -> Previous:
    """Read the `board.json` of an earlier build, or say in words why that cannot be.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Previous

    Examples
    --------
    >>> read_previous("nowhere/board.json")
    Traceback (most recent call last):
        ...
    tiebreak.errors.InputError: nowhere/board.json cannot be read: No such file or directory. What changed is told \
against it. Give the board.json of another build, or leave since out.
    """
    target = Path(path)
    try:
        if target.stat().st_size > MOST_BYTES:
            raise _Wrong(f"it has more than {MOST_BYTES // 1_000_000} MB")
        content = json_of(target.read_bytes().decode("utf-8"))
        return _checked(content)
    except OSError as error:
        raise _refused(target, f"cannot be read: {error.strerror}") from None
    except TooDeep as error:
        raise _refused(target, f"is no board: {error}") from None
    except _Wrong as error:
        raise _refused(target, f"is no board: {error}") from None
    except UnicodeDecodeError:
        raise _refused(target, "is no board: it is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise _refused(target, f"is not JSON: {error}") from None


def _refused(target: Path, what: str) -> InputError:
    mend = either(
        "Give the board.json of another build, or leave since out.",
        "Give the board.json of another build with --since FILE, or start without one: --since none.",
    )
    return InputError(f"{target} {what}.", why="What changed is told against it.", mend=mend)


def _checked(content: Any) -> Previous:
    """Take what is needed, each of the kind that it must have; what is unknown is passed over."""
    _need(isinstance(content, dict) and content.get("generator") == MARK, f"it does not say that {MARK!r} made it")
    version = content.get("format")
    _need(version == FORMAT, f"its format is {version!r}, and this program knows {FORMAT}")
    entries = content.get("entries")
    _need(isinstance(entries, list) and bool(entries), "it has no entries")
    found = tuple(_entry(each) for each in entries)
    names = [each.algorithm for each in found]
    _need(len(set(names)) == len(names), "a name stands twice in its entries")
    asked = content.get("asked")
    _need(isinstance(asked, dict), "it does not say what was asked")
    history = content.get("history") or []
    _need(isinstance(history, list), "its history is no list")
    changes = content.get("changes")
    return Previous(
        id=_text(content, "id"),
        date=_text(content, "date", empty=True),
        asked={str(key): value for key, value in asked.items()},
        entries=found,
        changes=None if changes is None else _changes(changes),
        history=tuple(_told(each) for each in history),
    )


def _need(condition: bool, words: str) -> None:
    if not condition:
        raise _Wrong(words)


def _text(record: Mapping[str, Any], key: str, *, empty: bool = False) -> str:
    value = record.get(key)
    if value is None and empty:
        return ""
    _need(_is_text(value), f"{key!r} is no text")
    return str(value)


def _is_text(value: Any) -> bool:
    """Whether it is a text that a file can hold: JSON can write halves of characters, which no file can."""
    if not isinstance(value, str) or len(value) > MOST_TEXT:
        return False
    return not any("\ud800" <= each <= "\udfff" for each in value)


def _whole(record: Mapping[str, Any], key: str, least: int = 0) -> int:
    value = record.get(key)
    _need(isinstance(value, int) and not isinstance(value, bool) and value >= least, f"{key!r} is no count")
    return int(value or 0)


def _number(record: Mapping[str, Any], key: str) -> float | None:
    value = record.get(key)
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    _need(value is None or (plain and -LARGEST < value < LARGEST), f"{key!r} is no number")  # nor is NaN
    return None if value is None else float(value)


def _names(record: Mapping[str, Any], key: str) -> list[str]:
    value = record.get(key)
    _need(isinstance(value, list) and all(map(_is_text, value)), f"{key!r} holds no names")
    return list(value or ())


def _records(record: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = record.get(key)
    _need(isinstance(value, list) and all(isinstance(each, dict) for each in value), f"{key!r} holds no records")
    return list(value or ())


def _entry(record: Any) -> Before:
    _need(isinstance(record, dict), "an entry is no record")
    cost = record.get("cost")
    return Before(
        algorithm=_text(record, "algorithm"),
        place=_whole(record, "place", 1),
        tier=_whole(record, "tier", 1),
        cost=_number(cost, "value") if isinstance(cost, dict) else None,
        beats=frozenset(_names(record, "beats")),
    )


def _told(record: Any) -> dict[str, Any]:
    """Take one build of the history."""
    _need(isinstance(record, dict), "a build of its history is no record")
    return {
        "id": _text(record, "id"),
        "date": _text(record, "date", empty=True) or None,
        "sentences": _names(record, "sentences"),
    }


def _changes(record: Any) -> dict[str, Any]:
    """Take what an earlier build said of changes, as the arguments of `Changes` have it."""
    _need(isinstance(record, dict), "its changes are no record")
    moves = {key: _records(record, key) for key in ("passings", "tiers", "costs")}
    return {
        "since": _text(record, "since"),
        "date": _text(record, "date", empty=True),
        "otherwise": _text(record, "otherwise", empty=True),
        "new": tuple(_names(record, "new")),
        "gone": tuple(_names(record, "gone")),
        "passings": tuple(
            {key: _text(each, key) for key in ("algorithm", "passed", "known")} for each in moves["passings"]
        ),
        "count": _whole(record, "count"),
        "real": _whole(record, "real"),
        "tiers": tuple(
            (_text(each, "algorithm"), _whole(each, "before"), _whole(each, "now")) for each in moves["tiers"]
        ),
        "costs": tuple(
            (_text(each, "algorithm"), _number(each, "before"), _number(each, "now")) for each in moves["costs"]
        ),
        "newly": _whole(record, "newly" if "newly" in record else "told_apart"),  # earlier boards
        "no_longer": _whole(record, "no_longer"),
    }
