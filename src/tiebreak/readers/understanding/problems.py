"""All that is wrong with a table, in one message, in the words of the interface that was used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tiebreak.errors import InputError

MOST = 12
"""So many places are named in a group of problems; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way out: when it is right, and what to say then."""

    when: str
    say: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One kind of problem: what is wrong where, why it matters, what mends it, and ways to say what is meant."""

    one: str
    many: str
    places: tuple[str, ...]
    why: str
    mend: str = ""
    ways: tuple[Way, ...] = ()

    def what(self, source: str) -> str:
        """Say what is wrong, with the places."""
        if len(self.places) == 1:
            place, _, value = self.places[0].partition(": ")
            return self.one.format(source=source, place=self.places[0], cell=place, value=value)
        shown = "; ".join(self.places[:MOST])
        rest = len(self.places) - MOST
        more = f" and {rest} more" if rest > 0 else ""
        return self.many.format(source=source, count=len(self.places), places=f"{shown}{more}")

    def mended(self) -> str:
        """Say what to do."""
        ways = [f"{way.when}: {way.say}." for way in self.ways]
        return " ".join(part for part in (self.mend, *ways) if part)


class UnclearTable(InputError):
    """A table that cannot be read, or can be read in two ways.

    `unnamed` says that its score has no name, which a comparison will need next.
    """

    unnamed = False


def unclear(source: str, problems: Sequence[Problem]) -> UnclearTable:
    """Make one error of all problems."""
    if len(problems) == 1:
        [only] = problems
        return UnclearTable(only.what(source), why=only.why, mend=only.mended())
    head = f"{source} cannot be read as it stands, for {len(problems)} reasons:"
    return UnclearTable("\n".join([head, *(f"{i}. {_line(each, source)}" for i, each in enumerate(problems, 1))]))


def _line(problem: Problem, source: str) -> str:
    return " ".join(part for part in (problem.what(source), problem.why, problem.mended()) if part)


def cell_problem(kind: str, places: Iterable[str], *, why: str, mend: str = "", ways: tuple[Way, ...] = ()) -> Problem:
    """Make a problem of cells: `kind` is what they are, such as 'is not a number'."""
    found = tuple(places)
    plural = (
        kind.replace("is not a number", "are not numbers").replace("is ", "are ", 1) if kind.startswith("is ") else kind
    )
    return Problem(
        one="{cell} of {source}: {value} " + kind + ".",
        many="{count} cells of {source} " + plural + ": {places}.",
        places=found,
        why=why,
        mend=mend,
        ways=ways,
    )
