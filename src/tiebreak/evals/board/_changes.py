"""What changed since an earlier build: who is new or gone, who passed whom, and whether that is real."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tiebreak.documents import Framed, listed
from tiebreak.documents.words import amount
from tiebreak.evals.board._previous import Before, Previous

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
        said = [f"{when}: {' and '.join(who) if who else 'the same names'}."]
        if self.otherwise:
            return (*said, f"Places are not compared: {self.otherwise}.")
        return (*said, *self._moves(), *self._decisions())

    def _come_and_gone(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return ("new", self.new), ("gone", self.gone)

    def _moves(self) -> list[str]:
        if not self.count:
            return ["Nobody passed another."]
        pairs = f"{self.count} pair{'s' * (self.count != 1)} changed places"
        if not self.real:
            return [f"{pairs}; no test shows any of that, so that cost, or chance, moved them."]
        shown = [f"{each.algorithm} before {each.passed}" for each in self.passings if each.known == REAL]
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
                {"algorithm": each.algorithm, "passed": each.passed, "known": each.known} for each in self.passings
            ],
            "tiers": [{"algorithm": name, "before": before, "now": now} for name, before, now in self.tiers],
            "costs": [{"algorithm": name, "before": before, "now": now} for name, before, now in self.costs],
            "newly": self.newly,
            "no_longer": self.no_longer,
            "sentences": list(self.sentences()),
        }


def changes_since(previous: Previous, now: Sequence[Before], asked: Mapping[str, Any]) -> Changes:
    """Compare a build with an earlier one."""
    before = {each.algorithm: each for each in previous.entries}
    today = {each.algorithm: each for each in now}
    both = [name for name in today if name in before]
    shared: dict[str, Any] = {
        "since": previous.id,
        "date": previous.date,
        "new": tuple(name for name in today if name not in before),
        "gone": tuple(name for name in before if name not in today),
    }
    if other := _otherwise(previous.asked, asked):
        return Changes(**shared, otherwise=other)
    passings = _passings(both, before, today)
    newly, open_ = _decided(both, before, today)
    return Changes(
        **shared,
        passings=tuple(passings[:MOST_PASSINGS]),
        count=len(passings),
        real=sum(each.known == REAL for each in passings),
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
    told = [
        f"{key.replace('_', ' ')} was {before.get(key)} and is {value}"
        for key, value in now.items()
        if before.get(key) != value
    ]
    return listed(told) if told else ""


def _passings(both: Sequence[str], before: Mapping[str, Before], now: Mapping[str, Before]) -> list[Passing]:
    """Find who stood behind another and stands before it now; the real ones first, then by place."""
    found = []
    by_place = sorted(both, key=lambda name: now[name].place)
    for k, name in enumerate(by_place):
        mine = before[name].place
        for other in by_place[k + 1 :]:
            if before[other].place < mine:
                known = REAL if other in now[name].beats else AGAINST if name in now[other].beats else OPEN
                found.append(Passing(algorithm=name, passed=other, known=known))
    return sorted(found, key=lambda each: each.known != REAL)


def _decided(both: Sequence[str], before: Mapping[str, Before], now: Mapping[str, Before]) -> tuple[int, int]:
    """Count the pairs that differ significantly now and did not before, and the other way round."""
    kept = set(both)
    old = {frozenset((name, other)) for name in both for other in before[name].beats & kept}
    new = {frozenset((name, other)) for name in both for other in now[name].beats & kept}
    return len(new - old), len(old - new)
