"""A leaderboard: entries with place, tier, score and cost, what changed, and the folder of files it becomes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak import __version__
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import Caveats, codes_of
from tiebreak.comparison.on_items import share_intervals
from tiebreak.documents import Document, Framed, Row, Shown
from tiebreak.documents.parts import SAVES, Point
from tiebreak.documents.words import finite
from tiebreak.errors import unknown_name
from tiebreak.evals.battles import ELO, ELO_ANCHOR, Battles
from tiebreak.evals.board.previous import FORMAT, MARK, Before, Changes, Passing, Previous, changes_since, read_previous
from tiebreak.figures import Figure, figure_of
from tiebreak.ordering import Ordering
from tiebreak.wording import Brief, held

if TYPE_CHECKING:
    from tiebreak.comparison.trade import ScoreScale


MOST_BUILDS = 50
"""So many builds are remembered."""
BOARD = "board.json"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BoardEntry(Framed):
    """One algorithm of a board.

    `first_place` and `last_place` say between which places by score it lies, as far as the tests tell; `loss` by
    how much it scores worse than the best-scoring one; `ratio` is that of its cost to that one's, `worth` by how much
    it lies behind the first. `front` says that no other is as good in score and cost and better in one. `beats` and
    `beaten_by` are those that a test shows to be worse and better. What is not known is None. `organisation` and `link`
    are those of columns of the table that are called so.
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
    organisation: str = ""
    link: str = ""


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
        count = max(entry.tier for entry in self.entries)
        return tuple(
            tuple(entry.algorithm for entry in self.entries if entry.tier == tier) for tier in range(1, count + 1)
        )

    @property
    def id(self) -> str:
        """A digest of what was asked and found: the same results give the same, whatever title and date."""
        options = {"asked": self.asked, "entries": [_core(entry) for entry in self.entries]}
        text = json.dumps(options, sort_keys=True, allow_nan=False)
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]

    @property
    def asked(self) -> dict[str, Any]:
        """The settings: score, direction, cost, level, rule, trades."""
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
            {name: value for name, value in held(entry).items() if not isinstance(value, tuple)}
            for entry in self.entries
        ]

    def explain(self, a: str, b: str) -> str:
        """Say why one of two stands before the other, with the numbers."""
        return self.found.explain(a, b)

    def explanations(self, first: int | None = None) -> tuple[str, ...]:
        """Return what `explain` says of every pair, or of those among the first: first with second, with third ..."""
        return explanations_of(self.found, first)

    def entry(self, name: str) -> BoardEntry:
        """Return what the board shows of one algorithm."""
        entries = next((entry for entry in self.entries if entry.algorithm == name), None)
        if entries is None:
            raise unknown_name("algorithm", name, [entry.algorithm for entry in self.entries])
        return entries

    def since(self, previous: Previous | str | Path) -> Board:
        """Return the board with what changed since an earlier build: that build, or its `board.json`.

        A build of the same results keeps what the earlier one told, so that building again changes no file.
        """
        base = previous if isinstance(previous, Previous) else read_previous(previous)
        if base.id == self.id:
            remaining = None if base.changes is None else _changes_of(base.changes)
            return replace(self, changes=remaining, history=base.history, compared=True).framed(self.frame_kind)
        now = [
            Before(algorithm=e.algorithm, place=e.place, tier=e.tier, cost=e.cost, beats=frozenset(e.beats))
            for e in self.entries
        ]
        changes = changes_since(base, now, self.asked)
        options = replace(self, changes=changes, history=self._remembered(base.history, changes), compared=True)
        return options.framed(self.frame_kind)

    def _remembered(self, older: tuple[Mapping[str, Any], ...], changes: Changes) -> tuple[Mapping[str, Any], ...]:
        current = {"id": self.id, "date": self.date or None, "sentences": list(changes.sentences())}
        return (current, *(item for item in older if item["id"] != self.id))[:MOST_BUILDS]

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
        from tiebreak.evals.board.page import document

        return document(self)

    def to_html(self) -> str:
        """Return the page: self-contained, light and dark, for phone and keyboard."""
        from tiebreak.evals.board.page import to_html

        return to_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the board as plain data, the content of `board.json`."""
        facts, builds = self.facts, self if self.history else self.begun()
        return {
            "generator": MARK,
            "format": FORMAT,
            "version": __version__,
            "id": self.id,
            "answer": None if self.found.answer is None else self.found.answer.to_dict(),
            "title": self.name,
            "subject": self.found.title(),
            "date": self.date or None,
            "asked": self.asked,
            "best_score": facts.names[facts.best],
            "order": [entry.algorithm for entry in self.entries],
            "tiers": [list(names) for names in self.tiers],
            "entries": [_plain(entry, facts.unit) for entry in self.entries],
            "changes": None if self.changes is None else self.changes.to_dict(),
            "history": [dict(item) for item in builds.history],
            "conclusion": [f"{point.label}: {point.text}" for point in facts.points],
            "caveats": [str(caveat) for caveat in self.caveats],
            "caveat_codes": codes_of(self.caveats),
        }

    def files(self) -> dict[str, str]:
        """Return every file of the board by its name inside the folder."""
        from tiebreak.evals.board.files import FOLDER, badge, feed
        from tiebreak.evals.board.page import METHOD, method_html, to_html

        builds = self if self.history else self.begun()
        count = len(self.tiers)
        return {
            "index.html": f"{to_html(builds, apart=True)}\n",
            METHOD: f"{method_html(builds)}\n",
            BOARD: _json(builds.to_dict()),
            "feed.json": _json(feed(builds)),
            **{f"{FOLDER}/{e.badge}": badge(self.name, e.tier, count, name=e.algorithm) for e in self.entries},
        }

    def save(self, folder: str | Path, *, anew: bool = False) -> Board:
        """Write page, feed and badges into a folder, and return the board with what changed since its last build.

        The last build is that in the folder, unless the board was compared with another already; with `anew` there is
        none. Files that are not ours are left alone: a board that would write over one is refused.
        """
        from tiebreak.evals.board.files import is_ours, write

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


def _changes_of(options: Mapping[str, Any]) -> Changes:
    passings = tuple(Passing(**item) for item in options["passings"])
    return Changes(**{**options, "passings": passings})


def known(value: float) -> float | None:
    """Return a number, or None for one that is not known."""
    out: float | None = finite(float(value))
    return out


Found = Ordering | Battles
"""What can be put on a board."""
UNKEPT = {"weak-correction"}
"""Codes of caveats by which the tests do not keep the chance of any false difference at alpha."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Facts(Brief):
    """What a board shows, in arrays over `names`; what is not known is NaN.

    `better[i, j]` says that j is significantly better than i. `loss` is by how much each scores worse than the
    `best`-scoring one; `scale` writes it, None for points of Elo. `kept` says whether the tests keep the chance of any
    false difference at alpha, `front` whom nobody beats in both score and cost; `ratio` is the cost beside that of the
    best-scoring one, `worth` how far each lies behind the first in worth, `several` that there are several data sets.
    """

    names: tuple[str, ...]
    noun: str
    better: BoolArray
    score: str
    scale: ScoreScale | None
    higher_is_better: bool
    over: str
    alpha: float
    kept: bool
    best: int
    values: FloatArray
    low: FloatArray
    high: FloatArray
    loss: FloatArray
    loss_low: FloatArray
    loss_high: FloatArray
    cost: str
    unit: str
    paid: FloatArray
    ratio: FloatArray
    worth: FloatArray
    front: BoolArray
    several: bool
    points: tuple[Point, ...]
    figures: tuple[tuple[str, Figure], ...]


def facts_of(result: Found) -> Facts:
    """Gather what a board shows of an order."""
    return _of_order(result) if isinstance(result, Ordering) else _of_votes(result)


def _of_order(ordering: Ordering) -> Facts:
    value, count = ordering.valuation, len(ordering.algorithms)
    unknown = np.full(count, np.nan)
    tested = ordering.item_tests
    shares = None if tested is None else share_intervals(ordering.table.items, tested)
    ends = np.full((count, 2), np.nan) if shares is None else shares
    front, figures = _plane(ordering)
    lead = 0 if value is None else value.lead
    name = ordering.plan.costs[lead] if ordering.costs else ""
    paid, ratio = unknown, unknown
    if value is not None and name:
        hidden = ordering.table.unpriced
        shown = np.ones(count, dtype=bool) if hidden is None else ~hidden
        paid, ratio = (np.where(shown, part[lead], np.nan) for part in (value.paid, value.relative))
    return Facts(
        names=ordering.algorithms,
        noun="algorithm" if tested is None else "model",
        better=ordering.better,
        score=ordering.score.name,
        scale=None if value is None else value.scale,
        higher_is_better=bool(ordering.score.higher_is_better),
        over=ordering.over,
        alpha=ordering.plan.alpha,
        kept=not UNKEPT & set(codes_of(ordering.caveats)),
        best=0 if value is None else value.losses.best,
        values=np.nanmean(ordering.scores, axis=0) if value is None else value.scores,
        low=ends[:, 0],
        high=ends[:, 1],
        loss=unknown if value is None else value.losses.value,
        loss_low=unknown if value is None else _finite(value.losses.low),
        loss_high=unknown if value is None else _finite(value.losses.high),
        cost=name,
        unit=ordering.units.get(name, ""),
        paid=paid,
        ratio=ratio,
        worth=unknown if value is None or ordering.rule != "worth" or not name else value.values - value.values.max(),
        front=front,
        several=len(ordering.datasets) > 1,
        points=tuple(point for point in ordering.document().points if ordering.costs or point.label != SAVES),
        figures=figures,
    )


def _finite(ends: FloatArray) -> FloatArray:
    return np.where(np.isfinite(ends), ends, np.nan)


def _plane(ordering: Ordering) -> tuple[BoolArray, tuple[tuple[str, Figure], ...]]:
    """Draw score against cost, and say who is on the Pareto front; nothing without a cost."""
    value = ordering.valuation
    if value is None or not ordering.frontier:
        return np.zeros(len(ordering.algorithms), dtype=bool), ()
    front = _front(value.sample.mean_scores, value.combined)
    return front, (("Score against cost", replace(figure_of(ordering, "frontier"), caveats=())),)


def _of_votes(battles: Battles) -> Facts:
    value, count = battles.valuation, len(battles.algorithms)
    unknown, ends = np.full(count, np.nan), battles.intervals
    elo, low, high = battles.elo, *(ELO_ANCHOR + ELO * ends[:, side] for side in (0, 1))
    best = battles.index(battles.by_strength[0])
    paid = unknown if battles.prices is None else np.asarray(battles.prices, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = _finite(paid / paid[best])
    return Facts(
        names=battles.algorithms,
        noun="model",
        better=battles.better,
        score="Elo",
        scale=None if value is None else value.scale,
        higher_is_better=True,
        over="votes",
        alpha=battles.plan.alpha,
        kept=not UNKEPT & set(codes_of(battles.caveats)),
        best=best,
        values=elo,
        low=low,
        high=high,
        loss=elo[best] - elo if value is None else value.losses.value,
        loss_low=unknown if value is None else _finite(value.losses.low),
        loss_high=unknown if value is None else _finite(value.losses.high),
        cost=battles.plan.cost or "",
        unit=battles.price_unit,
        paid=paid,
        ratio=ratio,
        worth=unknown if value is None else value.values - value.values.max(),
        front=_front(elo, paid),
        several=False,
        points=battles.document().points,
        figures=(("Strengths", figure_of(battles, "strengths")),),
    )


def _front(values: FloatArray, paid: FloatArray) -> BoolArray:
    """Mark those with a price whom no other equals in both and beats in one."""
    known = np.isfinite(paid)
    at_least = (values[None, :] >= values[:, None]) & (paid[None, :] <= paid[:, None])
    more = (values[None, :] > values[:, None]) | (paid[None, :] < paid[:, None])
    beaten = np.asarray((at_least & more).any(axis=1))
    return known & ~beaten


def explanations_of(result: Found, first: int | None = None) -> tuple[str, ...]:
    """Explain every pair, or those among the first, by places, in the words of the order or of battles."""
    names = result.order[:first]
    return tuple(result.explain(a, b) for k, a in enumerate(names) for b in names[k + 1 :])


def reasons_of(result: Found) -> dict[str, tuple[str, str]]:
    """Return for each name by what it has its place, and why; of votes without prices there is nothing to say."""
    return {reason.algorithm: (reason.by, reason.text) for reason in result.reasons}


def asked_of(result: Found, facts: Facts) -> dict[str, Any]:
    """Return what was asked: builds that were asked otherwise cannot be compared."""
    trades = result.plan.trades if isinstance(result, Ordering) else ()
    return {
        "score": facts.score,
        "higher_is_better": facts.higher_is_better,
        "cost": facts.cost or None,
        "over": facts.over,
        "alpha": facts.alpha,
        "rule": result.rule if isinstance(result, Ordering) else "votes",
        "trades": [str(trade) for trade in trades],
    }
