"""An earlier build, read from its `board.json`: checked before anything of it is believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tiebreak.documents import Framed, listed
from tiebreak.documents.words import amount
from tiebreak.errors import InputError
from tiebreak.results.text import TooDeep, json_of
from tiebreak.wording import Brief, either, option

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
        f"Give the board.json of another build with {option(since=...)}, or start without one: {option(since='none')}.",
    )
    return InputError(f"{target} {what}.", why="Changes are reported since this board.", mend=mend)


def _checked(content: Any) -> Previous:
    """Take what is needed, each of the kind that it must have; what is unknown is passed over."""
    if not isinstance(content, dict) or content.get("generator") != MARK:
        raise _Wrong(f"it does not say that {MARK!r} made it")
    if (version := content.get("format")) != FORMAT:
        raise _Wrong(f"its format is {version!r}, and this program knows {FORMAT}")
    try:
        earlier = tuple(_entry(record) for record in content.get("entries") or [])
        changes = content.get("changes")
        previous = Previous(
            id=_text(content["id"]),
            date=_text(content.get("date") or ""),
            asked=dict(content["asked"]),
            entries=earlier,
            changes=None if changes is None else _changes(changes),
            history=tuple(
                {
                    "id": _text(build["id"]),
                    "date": _text(build.get("date") or "") or None,
                    "sentences": _names(build["sentences"]),
                }
                for build in content.get("history") or []
            ),
        )
    except KeyError as error:
        raise _Wrong(f"it has no {error}") from None
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise _Wrong(f"a value in it is of another kind ({error})") from None
    if not earlier:
        raise _Wrong("it has no entries")
    if len({before.algorithm for before in earlier}) < len(earlier):
        raise _Wrong("a name stands twice in its entries")
    return previous


def _text(value: Any) -> str:
    """Take a text that a file can hold: JSON can write halves of characters, which no file can."""
    if not isinstance(value, str) or len(value.encode()) > MOST_TEXT:
        raise TypeError(f"{str(value)[:40]!r} is no text")
    return value


def _whole(value: Any, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise TypeError(f"{str(value)[:40]!r} is no count")
    return value


def _number(value: Any) -> float | None:
    if isinstance(value, (bool, str)) or not (value is None or -LARGEST < value < LARGEST):  # nor is NaN
        raise TypeError(f"{str(value)[:40]!r} is no number")
    return None if value is None else float(value)


def _names(values: Any) -> list[str]:
    if not isinstance(values, list):
        raise TypeError("names are no list")
    return [_text(value) for value in values]


def _entry(record: Any) -> Before:
    cost = record.get("cost")
    return Before(
        algorithm=_text(record["algorithm"]),
        place=_whole(record["place"], 1),
        tier=_whole(record["tier"], 1),
        cost=_number(cost["value"]) if isinstance(cost, dict) else None,
        beats=frozenset(_names(record["beats"])),
    )


def _changes(record: Any) -> dict[str, Any]:
    """Take what an earlier build said of changes, as the arguments of `Changes` have it."""
    tiers, costs = record["tiers"], record["costs"]
    return {
        **{key: _text(record.get(key) or "") for key in ("since", "date", "otherwise")},
        **{key: tuple(_names(record[key])) for key in ("new", "gone")},
        **{key: _whole(record[key]) for key in ("count", "real", "no_longer")},
        "newly": _whole(record["newly" if "newly" in record else "told_apart"]),  # earlier boards
        "passings": tuple(
            {key: _text(move[key]) for key in ("algorithm", "passed", "known")} for move in record["passings"]
        ),
        "tiers": tuple((_text(move["algorithm"]), _whole(move["before"]), _whole(move["now"])) for move in tiers),
        "costs": tuple((_text(move["algorithm"]), _number(move["before"]), _number(move["now"])) for move in costs),
    }


MOST_PASSINGS = 200
"""So many passings are kept, the real ones first; all are counted."""
MOST_NAMED = 5
SAME = 0.01
"""Costs that differ by a smaller share are about the same."""
REAL, OPEN, AGAINST = "real", "no significant difference", "against a test"
"""What is known of a passing: a test shows who passed to be better, or tells nothing, or the opposite."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Passing(Framed):
    """`algorithm` stood behind `passed` at the last build and stands before it now.

    `known` is "real" where it is significantly better now, "no significant difference" where neither is, and
    "against a test" where the passed one is significantly better.
    """

    algorithm: str
    passed: str
    known: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Changes(Framed):
    """What changed since the build `since`, of `date` where that is known.

    `otherwise` says why places cannot be compared, where the two were asked different things. `count` are all
    passings, `real` those that are significant; `newly` and `no_longer` count pairs of both builds.
    """

    since: str
    date: str = ""
    otherwise: str = ""
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    passings: tuple[Passing, ...] = ()
    count: int = 0
    real: int = 0
    tiers: tuple[tuple[str, int, int], ...] = ()
    costs: tuple[tuple[str, float | None, float | None], ...] = ()
    newly: int = 0
    no_longer: int = 0

    def sentences(self) -> tuple[str, ...]:
        """Say what changed."""
        when = f"Since the build of {self.date}" if self.date else "Since the last build"
        who = [
            f"{len(names)} {word} ({listed(names, most=MOST_NAMED)})" for word, names in self._come_and_gone() if names
        ]
        sentences = [f"{when}: {' and '.join(who) if who else 'the same names'}."]
        if self.otherwise:
            return (*sentences, f"Places are not compared: {self.otherwise}.")
        return (*sentences, *self._moves(), *self._decisions())

    def _come_and_gone(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return ("new", self.new), ("gone", self.gone)

    def _moves(self) -> list[str]:
        if not self.count:
            return ["Nobody passed another."]
        pairs = f"{self.count} pair{'s' * (self.count != 1)} changed places"
        if not self.real:
            return [f"{pairs}; no test shows any of that, so that cost, or chance, moved them."]
        shown = [f"{item.algorithm} before {item.passed}" for item in self.passings if item.known == REAL]
        rest = self.count - self.real
        left = f" The other {rest} {'is' if rest == 1 else 'are'} not shown by any test." if rest else ""
        return [f"{pairs}, {self.real} of them for real: {listed(shown, most=MOST_NAMED)}.{left}"]

    def _decisions(self) -> list[str]:
        out = []
        counts = ((self.newly, "newly"), (self.no_longer, "no longer"))
        out += [
            f"{n} pair{'s' if n > 1 else ''} {what} differ{'' if n > 1 else 's'} significantly."
            for n, what in counts
            if n
        ]
        if self.tiers:
            moved = [f"{name} from {before} to {now}" for name, before, now in self.tiers]
            out.append(f"Tiers: {listed(moved, most=MOST_NAMED)}.")
        if self.costs:
            moved = [f"{name} from {_amount(before)} to {_amount(now)}" for name, before, now in self.costs]
            out.append(f"Costs: {listed(moved, most=MOST_NAMED)}.")
        return out

    def to_dict(self) -> dict[str, Any]:
        """Return the changes as plain data."""
        return {
            "since": self.since,
            "date": self.date or None,
            "otherwise": self.otherwise or None,
            "new": list(self.new),
            "gone": list(self.gone),
            "count": self.count,
            "real": self.real,
            "passings": [
                {"algorithm": item.algorithm, "passed": item.passed, "known": item.known} for item in self.passings
            ],
            "tiers": [{"algorithm": name, "before": before, "now": now} for name, before, now in self.tiers],
            "costs": [{"algorithm": name, "before": before, "now": now} for name, before, now in self.costs],
            "newly": self.newly,
            "no_longer": self.no_longer,
            "sentences": list(self.sentences()),
        }


def changes_since(previous: Previous, now: Sequence[Before], options: Mapping[str, Any]) -> Changes:
    """Compare a build with an earlier one."""
    before = {entry.algorithm: entry for entry in previous.entries}
    today = {item.algorithm: item for item in now}
    both = [name for name in today if name in before]
    shared: dict[str, Any] = {
        "since": previous.id,
        "date": previous.date,
        "new": tuple(name for name in today if name not in before),
        "gone": tuple(name for name in before if name not in today),
    }
    if other := _otherwise(previous.asked, options):
        return Changes(**shared, otherwise=other)
    passings = _passings(both, before, today)
    newly, open_ = _decided(both, before, today)
    return Changes(
        **shared,
        passings=tuple(passings[:MOST_PASSINGS]),
        count=len(passings),
        real=sum(item.known == REAL for item in passings),
        tiers=tuple((name, b, n) for name in both if (b := before[name].tier) != (n := today[name].tier)),
        costs=tuple(
            (name, before[name].cost, today[name].cost)
            for name in both
            if not _same(before[name].cost, today[name].cost)
        ),
        newly=newly,
        no_longer=open_,
    )


def _same(before: float | None, now: float | None) -> bool:
    """Whether two costs are about the same: times differ a little whenever they are measured."""
    if before is None or now is None:
        return before is now
    return abs(now - before) <= SAME * max(abs(before), abs(now))


def _amount(cost: float | None) -> str:
    return "unknown" if cost is None else amount(cost)


def _otherwise(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Say what was asked otherwise, in a sentence; empty where nothing was."""
    texts = [
        f"{key.replace('_', ' ')} was {before.get(key)} and is {value}"
        for key, value in now.items()
        if before.get(key) != value
    ]
    return listed(texts) if texts else ""


def _passings(both: Sequence[str], before: Mapping[str, Before], now: Mapping[str, Before]) -> list[Passing]:
    """Find who stood behind another and stands before it now; the real ones first, then by place."""
    result = []
    by_place = sorted(both, key=lambda name: now[name].place)
    for k, name in enumerate(by_place):
        mine = before[name].place
        for other in by_place[k + 1 :]:
            if before[other].place < mine:
                known = REAL if other in now[name].beats else AGAINST if name in now[other].beats else OPEN
                result.append(Passing(algorithm=name, passed=other, known=known))
    return sorted(result, key=lambda item: item.known != REAL)


def _decided(both: Sequence[str], before: Mapping[str, Before], now: Mapping[str, Before]) -> tuple[int, int]:
    """Count the pairs that differ significantly now and did not before, and the other way round."""
    names = set(both)
    old = {frozenset((name, other)) for name in both for other in before[name].beats & names}
    new = {frozenset((name, other)) for name in both for other in now[name].beats & names}
    return len(new - old), len(old - new)
