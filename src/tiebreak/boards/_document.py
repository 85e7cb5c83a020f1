"""What a board says in words: the answer, what tiers mean, what changed, the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tiebreak.documents import Document, Point, Table, amount, listed, number

if TYPE_CHECKING:
    from tiebreak.boards._board import Board, Entry

MOST_LISTED = 8
PAPERS = ("mogstad2024",)


def document(board: Board) -> Document:
    """Put all parts together; methods and papers are those of the order."""
    own = board.found.document()
    changed = () if board.changes is None else board.changes.sentences()
    return replace(
        own,
        title=f"{board.name}: {board.found.title()}",
        heading=board.name,
        points=points(board),
        said=(*changed, *own.said),
        tables=(_table(board), _reasons(board)) if board.found.reasons else (_table(board),),
        notes=meaning(board),
        caveats=board.caveats,
        papers=(*own.papers, *PAPERS),
    )


def points(board: Board) -> tuple[Point, ...]:
    """Answer what a reader of a board asks first: what to use, who scores best, how many are told apart."""
    facts, first = board.facts, board.tiers[0]
    best = board.entry(facts.names[facts.best])
    price = f", {paid(best, board)}" if best.price is not None else ""
    about = f"{best.algorithm}: {facts.score} {score(best)}{price}"
    others = [name for name in first if name != best.algorithm]
    if best.tier == 1:
        alike = f"No test shows {listed(others, most=MOST_LISTED)} to be worse than another." if others else ""
        about += f". {alike}" if alike else ". Tests show all others to be worse than another."
    return (*facts.points, Point(label="Best score", text=about if about.endswith(".") else f"{about}."))


def meaning(board: Board) -> tuple[str, ...]:
    """Say what tiers and ranges of places mean, and what they do not."""
    facts, noun = board.facts, board.facts.noun
    sure = (
        f"with {1 - facts.alpha:.0%} confidence all of this holds at once"
        if facts.kept
        else "the tests do not keep the chance of any false difference at their level, so that some of it may be chance"
    )
    said = [
        f"Tier 1 holds the {noun}s that no test shows to be worse than another; tier 2 those of whom that holds when tier 1"
        " is taken away, and so on.",
        f"Whoever stands in a tier below is shown to be worse than at least one of the tier above, not than all of them:"
        f" {sure}.",
        f"{noun.capitalize()}s that share a tier are not told apart by these data. That does not make them equal: more"
        " data may part them.",
        f"Places by score: how many {noun}s are shown to be better, and how many worse, leave it between these places.",
        "The place is that of the order: a test decides where it tells two apart, and where none does"
        f" the one with the lower {facts.cost} stands first. So one of a lower tier can stand before a costlier one of a higher tier."
        if facts.cost
        else "The place is that of the order: a test decides where it tells two apart, and where none does the mean score"
        " does, which shows nothing.",
    ]
    return tuple(said)


def score(entry: Entry) -> str:
    """Write a score with its interval."""
    return with_ends(entry.score, entry.low, entry.high, 4)


def behind(entry: Entry) -> str:
    """Write by how much it scores worse than the best-scoring one."""
    if not entry.behind and not entry.behind_low and not entry.behind_high:
        return "0" if entry.behind == 0 else "-"
    return with_ends(entry.behind, entry.behind_low, entry.behind_high, 2)


def with_ends(value: float | None, low: float | None, high: float | None, digits: int) -> str:
    """Write a number with an interval, where there is one."""
    if value is None:
        return "-"
    span = f" ({number(low, min(digits, 3))} to {number(high, min(digits, 3))})" if low is not None and high is not None else ""
    return f"{number(value, digits)}{span}"


def paid(entry: Entry, board: Board) -> str:
    """Write what it costs, with the unit."""
    unit = board.facts.unit
    return "-" if entry.price is None else f"{amount(entry.price)}{f' {unit}' if unit else ''}"


def by_score(entry: Entry) -> str:
    """Write between which places by score it lies."""
    if entry.first_place == entry.last_place:
        return str(entry.first_place)
    return f"{entry.first_place} to {entry.last_place}"


def columns(board: Board) -> dict[str, list[str]]:
    """Return the columns of the board beside place, tier and name, as they are printed."""
    facts, entries = board.facts, board.entries
    found = {facts.score: [score(each) for each in entries]}
    if any(each.behind is not None for each in entries):
        found["behind the best"] = [behind(each) for each in entries]
    if facts.cost:
        unit = f", {facts.unit}" if facts.unit else ""
        found[f"{facts.cost}{unit}"] = ["-" if each.price is None else amount(each.price) for each in entries]
        found["times best's"] = ["-" if each.ratio is None else number(each.ratio, 2) for each in entries]
    found["places by score"] = [by_score(each) for each in entries]
    return found


def _table(board: Board) -> Table:
    told = columns(board)
    return Table(
        header=("place", "tier", board.facts.noun, *told),
        body=tuple(
            (str(each.place), str(each.tier), each.algorithm, *(column[k] for column in told.values()))
            for k, each in enumerate(board.entries)
        ),
        texts=frozenset({2}),
        caption="The board",
        first=True,
    )


def _reasons(board: Board) -> Table:
    return Table(
        header=("place", board.facts.noun, "reason"),
        body=tuple((str(each.place), each.algorithm, each.reason) for each in board.entries),
        texts=frozenset({1, 2}),
        caption="Reasons",
    )
