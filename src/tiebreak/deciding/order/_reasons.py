"""Why an algorithm stands where it does: the test that moved it, or cost alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.deciding.order._costs import mean_log_ratio
from tiebreak.documents import Framed, listed
from tiebreak.documents.words import times

LONGEST_TEXT = 400
"""A reason must stay readable whatever the table calls its algorithms."""
ROOMS = ((40, 3), (24, 2), (12, 1))
"""How long a name, and how many of them in a list: the first that keeps a reason short enough."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Reason(Framed):
    """Why one algorithm has its place.

    `by` is "cost" where its place among all others follows from cost alone, "test" where it stands before a cheaper
    one or behind a costlier one. `ahead_of` are the cheaper ones it stands before, `behind` the costlier ones before
    it, and `beats` and `beaten_by` those among all others that a test tells apart from it.
    """

    algorithm: str
    place: int
    by: str
    text: str
    ahead_of: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    beats: tuple[str, ...] = ()
    beaten_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """How an ordering speaks: of what its tests compare, and of what decides where they do not."""

    better: str = "better"
    worse: str = "worse"
    cheaper: str = "cheaper"
    costlier: str = "costlier"
    cheapest: str = "the cheapest"
    prior: str = "cost"
    open: str = "no significant difference"


def words_for(*, places: bool, given: bool, tested: bool = True) -> Words:
    """Choose the words: scores or places were compared, or nothing; cost decides, or a prior order that was given."""
    placed = " placed" if places else ""
    better, worse = f"better{placed}", f"worse{placed}"
    open_ = "no significant difference" if tested else "not tested"
    if not given:
        return Words(better=better, worse=worse, open=open_)
    return Words(
        better=better,
        worse=worse,
        cheaper="earlier in the given order",
        costlier="later in the given order",
        cheapest="the first in the given order",
        prior="the given order",
        open=open_,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Standing(Brief):
    """Who stands where, and what is known of every pair.

    `better[i, j]` says that j is significantly better than i, which puts it first whatever it costs; `differ[i, j]`
    that a test of several scores rejects and neither is better. `prior` and `place` count from the cheapest and the
    best; `logs` are the logarithms of the costs, (data sets, algorithms), `unpriced` says whose cost is not known and
    counts as the largest. Sentences cut names longer than `longest` and list at the most `most` of them.
    """

    names: tuple[str, ...]
    place: IntArray
    better: BoolArray
    prior: IntArray
    words: Words
    logs: FloatArray | None = None
    unpriced: BoolArray | None = None
    differ: BoolArray | None = None
    longest: int = ROOMS[0][0]
    most: int = ROOMS[0][1]

    def reasons(self) -> tuple[Reason, ...]:
        """Explain every place, the best first."""
        order: IntArray = np.argsort(self.place, kind="stable")
        return tuple(self._reason(int(i), k, order) for k, i in enumerate(order))

    def _reason(self, i: int, at: int, order: IntArray) -> Reason:
        """Whoever stands against the prior order got there by a test; all others stand where cost put them."""
        others = order[order != i]
        cheaper, later = self.prior[others] < self.prior[i], self.place[others] > self.place[i]
        ahead, behind = others[cheaper & later], others[~cheaper & ~later]
        return Reason(
            algorithm=self.names[i],
            place=at + 1,
            by="test" if len(ahead) or len(behind) else "cost",
            text=self._short_text(i, at, order, ahead, behind),
            ahead_of=self._named(ahead),
            behind=self._named(behind),
            beats=self._named(others[self.better[others, i]]),
            beaten_by=self._named(others[self.better[i, others]]),
        )

    def _named(self, which: IntArray) -> tuple[str, ...]:
        return tuple(self.names[j] for j in which)

    def _short_text(self, i: int, at: int, order: IntArray, ahead: IntArray, behind: IntArray) -> str:
        """Cut names and lists only as far as it takes."""
        said = ""
        for longest, most in ROOMS:
            said = replace(self, longest=longest, most=most)._text(i, at, order, ahead, behind)
            if len(said) <= LONGEST_TEXT:
                break
        return said

    def _text(self, i: int, at: int, order: IntArray, ahead: IntArray, behind: IntArray) -> str:
        """Speak of the next and the one before, and of the tests that neither of them tells of."""
        after = [int(order[at + 1])] if at + 1 < len(order) else []
        before = [int(order[at - 1])] if at else []
        passed = [int(j) for j in ahead if self.better[j, i]]
        lost = [int(j) for j in behind if self.better[i, j]]
        waiting = [int(j) for j in ahead if not self.better[j, i]]
        parts = [f"before {self.name(j)}: {self.relation(i, j)}" for j in after]
        parts += [self._behind(j, i) for j in before]
        if waiting and not passed and not lost:  # else a test has been named that moved it
            parts.append(f"before {self._list(waiting)}, {self._waits(waiting, i)}")
        if passed and not set(passed) & set(after):
            parts.append(f"{self.words.costlier} than {self._list(passed)}, but significantly {self.words.better}")
        if lost and not set(lost) & set(before):
            parts.append(f"significantly {self.words.worse} than {self._list(lost)}")
        return "; ".join(parts)

    def _waits(self, waiting: list[int], i: int) -> str:
        """Say for whom the cheaper ones wait that i comes before."""
        if len(waiting) > 1:
            return "which tests hold back"
        return f"which waits behind {self._list(self.held(waiting[0], i))}"

    def _behind(self, i: int, j: int) -> str:
        """Say why j stands right behind i; what is said of i alone must not seem to speak of j."""
        if self.better[j, i]:
            return f"behind {self.name(i)}, which is significantly {self.words.better}"
        return f"behind {self.name(i)}: {self.known(j, i)}, {self.cost_words(j, i)}"

    def known(self, i: int, j: int) -> str:
        """Say what a test shows of i beside j."""
        if self.better[j, i]:
            return f"significantly {self.words.better}"
        if self.better[i, j]:
            return f"significantly {self.words.worse}"
        if self.differ is not None and self.differ[i, j]:
            return "different, but neither better in every score"
        return self.words.open

    def relation(self, i: int, j: int) -> str:
        """Say what puts i before j, where it is no third one."""
        though = "though " if self.prior[i] > self.prior[j] else ""
        return f"{self.known(i, j)}, {though}{self.cost_words(i, j)}"

    def cost_words(self, i: int, j: int) -> str:
        """Say how the cost of i stands to that of j, as a ratio where it points the way that decided."""
        cheaper = bool(self.prior[i] < self.prior[j])
        word = self.words.cheaper if cheaper else self.words.costlier
        if self.unpriced is not None and (self.unpriced[i] or self.unpriced[j]):
            own = "unknown" if self.unpriced[i] else "known"
            return "both of unknown cost" if self.unpriced[i] and self.unpriced[j] else f"its cost is {own}"
        if self.logs is None:
            return word
        log = mean_log_ratio(self.logs, j, i) * (1 if cheaper else -1)
        if not log > 0:  # unknown, or pointing the other way than the mean share that decided
            return word
        return f"hardly {word}" if log < np.log(1.05) else f"{times(exp(log))} times {word}"

    def held(self, waiting: int, placed: int) -> list[int]:
        """Name those for which one algorithm still waited when the other was placed, in the order they were placed."""
        later = self.better[waiting] & (self.prior > self.prior[waiting]) & (self.place > self.place[placed])
        return sorted(np.flatnonzero(later).tolist(), key=lambda k: int(self.place[k]))

    def _list(self, which: list[int]) -> str:
        return listed([self.name(i) for i in which], most=self.most)

    def name(self, i: int) -> str:
        """Return a name that leaves room for the reason."""
        full = self.names[i]
        return full if len(full) <= self.longest else f"{full[: self.longest - 1]}…"

    def explain(self, i: int, j: int) -> str:
        """Say in a sentence why one of two algorithms stands before the other."""
        first, second = (i, j) if self.place[i] < self.place[j] else (j, i)
        x, y = self.name(first), self.name(second)
        if self.prior[first] < self.prior[second] or self.better[second, first]:
            return f"{x} stands before {y}: {self.relation(first, second)}."
        held = self.held(second, first)
        why = f", significantly {self.words.better} than it,"
        cost = self.cost_words(first, second)
        odd = f"there is no significant difference and it is {cost}"
        unlike = self.differ is not None and self.differ[first, second]
        if unlike or self.better[first, second] or self.better[second, first]:
            odd = f"it is {self.known(first, second)} and {cost}"
        return (
            f"{x} stands before {y}, although {odd}: {y} waits behind {self._list(held)}{why} and {x} comes before"
            f" {'that' if len(held) == 1 else 'those'}."
        )

    def beaten_before(self) -> list[tuple[int, int]]:
        """Return the pairs in which the first stands before the second although the second is better."""
        i, j = np.nonzero(self.better & (self.place[:, None] < self.place[None, :]))
        return sorted(zip(i.tolist(), j.tolist(), strict=True), key=lambda p: (self.place[p[0]], self.place[p[1]]))

    def named_pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the names of those pairs."""
        return tuple((self.names[i], self.names[j]) for i, j in self.beaten_before())
