"""The answer of a result: made once, and shown by terminal, notebook, page, report, board, comment and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tiebreak._brief import Brief
from tiebreak.documents.parts import LOSES, NEXT, RESTS, SAVES, SURE, USE, Point, Table
from tiebreak.documents.screen import screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One of the few numbers that an answer shows large: `value` with its unit, `text` what it is."""

    value: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Answer(Brief):
    """What somebody needs to know who has to decide.

    `headline` is one sentence that stands alone; `use` is the name to use, empty where nothing decides. `saves`,
    `loses`, `sure`, `next_best` and `rests_on` are sentences, empty where there is nothing to say. `figures` are the
    two or three numbers behind the headline; `table` has only the columns that a decision needs, `facts` are the lines
    under it, `notes` the caveats that change how the answer is used, `more` says where to find the rest.
    """

    headline: str
    use: str = ""
    saves: str = ""
    loses: str = ""
    sure: str = ""
    next_best: str = ""
    rests_on: str = ""
    figures: tuple[Figure, ...] = ()
    table: Table | None = None
    facts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    more: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Lay the answer out for one screen of 80 columns and 24 lines."""
        return screen(self.headline, self.table, self.facts, self.notes, self.more)

    def opening(self) -> tuple[str, str]:
        """Return the headline as a page shows it: what to use, large, and the rest of the sentence under it."""
        start = f"Use {self.use}" if self.headline.startswith(f"Use {self.use}") else self.headline.partition(": ")[0]
        rest = self.headline.removeprefix(start).lstrip(":, ")
        if not self.use or self.use not in start or not rest:
            return self.headline, ""
        return start, rest[:1].upper() + rest[1:]

    def points(self) -> tuple[Point, ...]:
        """Return the answer question by question, as a card or a report shows it."""
        lines = (
            (USE, self.headline),
            (SAVES, self.saves),
            (LOSES, self.loses),
            (SURE, self.sure),
            (NEXT, self.next_best),
            (RESTS, self.rests_on),
        )
        return tuple(Point(label=label, text=text) for label, text in lines if text)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data, the field `answer` of JSON."""
        names = ("headline", "use", "saves", "loses", "sure", "next_best", "rests_on")
        figures = [{"value": figure.value, "text": figure.text} for figure in self.figures]
        return {name: getattr(self, name) for name in names} | {"figures": figures}
