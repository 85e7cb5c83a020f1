"""A leaderboard: entries with place, tier, score and cost, what changed, and the folder of files it becomes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tiebreak import __version__
from tiebreak._brief import held
from tiebreak.caveats import Caveats, codes_of
from tiebreak.documents import Document, Framed, Row, Shown
from tiebreak.documents.words import finite
from tiebreak.errors import unknown_name
from tiebreak.evals.board._changes import Changes, Passing, changes_since
from tiebreak.evals.board._facts import Facts, Found, asked_of, explanations_of
from tiebreak.evals.board._previous import FORMAT, MARK, Before, Previous, read_previous
from tiebreak.ordering import Ordering

MOST_BUILDS = 50
"""So many builds are remembered."""
BOARD = "board.json"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BoardEntry(Framed):
    """One algorithm of a board.

    `first_place` and `last_place` say between which places by score it lies, as far as the tests tell; `loss` by
    how much it scores worse than the best-scoring one; `ratio` is that of its cost to that one's, `worth` by how much
    it lies behind the first. `front` says that no other is as good in score and cost and better in one. `beats` and
    `beaten_by` are those that a test shows to be worse and better. What is not known is None.
    """

    algorithm: str
    place: int
    tier: int
    first_place: int
    last_place: int
    score: float | None
    low: float | None
    high: float | None
    loss: float | None
    loss_low: float | None
    loss_high: float | None
    cost: float | None
    ratio: float | None
    front: bool
    by: str
    reason: str
    badge: str
    beats: tuple[str, ...] = ()
    beaten_by: tuple[str, ...] = ()
    worth: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Board(Shown):
    """A leaderboard, best first; write it with `save("site")`.

    `found` is the order it shows and `facts` what was taken from it. `changes` are those since an earlier build, None
    where there is none; `history` tells of earlier builds, the newest first. `compared` says that an earlier build was
    looked at; `also` are orders by the other rules, which the page can switch to.
    """

    name: str
    entries: tuple[BoardEntry, ...]
    found: Found
    facts: Facts
    date: str = ""
    changes: Changes | None = None
    history: tuple[Mapping[str, Any], ...] = ()
    compared: bool = False
    also: tuple[Ordering, ...] = ()
    caveats: Caveats = ()

    @property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """The names of each tier, the first tier first, by their places."""
        count = max(each.tier for each in self.entries)
        return tuple(
            tuple(each.algorithm for each in self.entries if each.tier == tier) for tier in range(1, count + 1)
        )

    @property
    def id(self) -> str:
        """A digest of what was asked and found: the same results give the same, whatever title and date."""
        told = {"asked": self.asked, "entries": [_core(each) for each in self.entries]}
        text = json.dumps(told, sort_keys=True, allow_nan=False)
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]

    @property
    def asked(self) -> dict[str, Any]:
        """What was asked: score, direction, cost, level, rule, trades."""
        return asked_of(self.found, self.facts)

    def title(self) -> str:
        """Say in one line what the board shows."""
        return self.name

    def brief(self) -> str:
        """Give the first of it."""
        return f"{self.entries[0].algorithm} first of {len(self.entries)}, {len(self.tiers)} tiers"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first."""
        return [
            {name: value for name, value in held(each).items() if not isinstance(value, tuple)} for each in self.entries
        ]

    def explain(self, a: str, b: str) -> str:
        """Say why one of two stands before the other, with the numbers."""
        return self.found.explain(a, b)

    def explanations(self, first: int | None = None) -> tuple[str, ...]:
        """Return what `explain` says of every pair, or of those among the first: first with second, with third ..."""
        return explanations_of(self.found, first)

    def entry(self, name: str) -> BoardEntry:
        """Return what the board shows of one algorithm."""
        found = next((each for each in self.entries if each.algorithm == name), None)
        if found is None:
            raise unknown_name("algorithm", name, [each.algorithm for each in self.entries])
        return found

    def since(self, previous: Previous | str | Path) -> Board:
        """Return the board with what changed since an earlier build: that build, or its `board.json`.

        A build of the same results keeps what the earlier one told, so that building again changes no file.
        """
        base = previous if isinstance(previous, Previous) else read_previous(previous)
        if base.id == self.id:
            kept = None if base.changes is None else _changes_of(base.changes)
            return replace(self, changes=kept, history=base.history, compared=True).framed(self.frame_kind)
        now = [
            Before(algorithm=e.algorithm, place=e.place, tier=e.tier, cost=e.cost, beats=frozenset(e.beats))
            for e in self.entries
        ]
        changes = changes_since(base, now, self.asked)
        told = replace(self, changes=changes, history=self._remembered(base.history, changes), compared=True)
        return told.framed(self.frame_kind)

    def _remembered(self, older: tuple[Mapping[str, Any], ...], changes: Changes) -> tuple[Mapping[str, Any], ...]:
        own = {"id": self.id, "date": self.date or None, "sentences": list(changes.sentences())}
        return (own, *(each for each in older if each["id"] != self.id))[:MOST_BUILDS]

    def begun(self) -> Board:
        """Return the board as the first of its builds."""
        count = len(self.tiers)
        first = f"The first build: {len(self.entries)} {self.facts.noun}s in {count} tier{'s' * (count != 1)}."
        return replace(
            self,
            changes=None,
            history=({"id": self.id, "date": self.date or None, "sentences": [first]},),
            compared=True,
        )

    def document(self) -> Document:
        """Return what the board says: for text, Markdown, LaTeX and HTML."""
        from tiebreak.evals.board._document import document

        return document(self)

    def to_html(self) -> str:
        """Return the page: self-contained, light and dark, for phone and keyboard."""
        from tiebreak.evals.board._page import to_html

        return to_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the board as plain data, the content of `board.json`."""
        facts, builds = self.facts, self if self.history else self.begun()
        return {
            "generator": MARK,
            "format": FORMAT,
            "version": __version__,
            "id": self.id,
            "title": self.name,
            "subject": self.found.title(),
            "date": self.date or None,
            "asked": self.asked,
            "best_score": facts.names[facts.best],
            "order": [each.algorithm for each in self.entries],
            "tiers": [list(names) for names in self.tiers],
            "entries": [_plain(each, facts.unit) for each in self.entries],
            "changes": None if self.changes is None else self.changes.to_dict(),
            "history": [dict(each) for each in builds.history],
            "conclusion": [f"{point.label}: {point.text}" for point in facts.points],
            "caveats": [str(each) for each in self.caveats],
            "caveat_codes": codes_of(self.caveats),
        }

    def files(self) -> dict[str, str]:
        """Return every file of the board by its name inside the folder."""
        from tiebreak.evals.board._badges import FOLDER, badge
        from tiebreak.evals.board._feed import feed

        builds = self if self.history else self.begun()
        count = len(self.tiers)
        return {
            "index.html": f"{builds.to_html()}\n",
            BOARD: _json(builds.to_dict()),
            "feed.json": _json(feed(builds)),
            **{f"{FOLDER}/{e.badge}": badge(self.name, e.tier, count, name=e.algorithm) for e in self.entries},
        }

    def save(self, folder: str | Path, *, anew: bool = False) -> Board:
        """Write page, feed and badges into a folder, and return the board with what changed since its last build.

        The last build is that in the folder, unless the board was compared with another already; with `anew` there is
        none. Files that are not ours are left alone: a board that would write over one is refused.
        """
        from tiebreak.evals.board._folder import is_ours, write

        target, last = Path(folder), Path(folder) / BOARD
        builds = self
        if not self.compared:
            builds = self.begun() if anew or not is_ours(last) else self.since(last)
        write(target, builds.files())
        return builds


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _plain(entry: BoardEntry, unit: str) -> dict[str, Any]:
    """Return an entry as `board.json` has it."""
    return {
        "algorithm": entry.algorithm,
        "place": entry.place,
        "tier": entry.tier,
        "places_by_score": [entry.first_place, entry.last_place],
        "score": {"value": entry.score, "low": entry.low, "high": entry.high},
        "loss": {"value": entry.loss, "low": entry.loss_low, "high": entry.loss_high},
        "cost": {"value": entry.cost, "unit": unit, "ratio": entry.ratio},
        "front": entry.front,
        "by": entry.by,
        "reason": entry.reason,
        "badge": f"badges/{entry.badge}",
        "beats": list(entry.beats),
        "beaten_by": list(entry.beaten_by),
    }


def _core(entry: BoardEntry) -> dict[str, Any]:
    """Return what makes two builds different: numbers and decisions, no words."""
    return {name: value for name, value in _plain(entry, "").items() if name not in ("reason", "badge")}


def _changes_of(told: Mapping[str, Any]) -> Changes:
    passings = tuple(Passing(**each) for each in told["passings"])
    return Changes(**{**told, "passings": passings})


def known(value: float) -> float | None:
    """Return a number, or None for one that is not known."""
    out: float | None = finite(float(value))
    return out
