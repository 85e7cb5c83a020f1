"""What a board says in words: the answer, what tiers mean, what changed, the table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import floor, log10
from typing import TYPE_CHECKING

from tiebreak.documents import Document, Table, listed, number
from tiebreak.documents.parts import Point
from tiebreak.documents.words import amount, confidence, relative_cost

if TYPE_CHECKING:
    from collections.abc import Callable

    from tiebreak.comparison.score_scale import ScoreScale
    from tiebreak.evals.board._board import Board, BoardEntry
    from tiebreak.evals.board._facts import Facts

MOST_LISTED = 8
SMALL = 1e-6
PAPERS = ("mogstad2024",)


def document(board: Board) -> Document:
    """Put all parts together; methods and papers are those of the order."""
    own = board.found.document()
    changed = () if board.changes is None else board.changes.sentences()
    return replace(
        own,
        title=f"{board.name}: {board.found.title()}",
        heading=board.name,
        pictures=(),
        points=points(board),
        said=(*changed, *own.said),
        tables=(_table(board), _reasons(board)) if board.found.reasons else (_table(board),),
        notes=(*notes(board), *meaning(board)),
        caveats=board.caveats,
        papers=(*own.papers, *PAPERS),
    )


def points(board: Board) -> tuple[Point, ...]:
    """Answer what a reader of a board asks first: what to use, who scores best, and with whom it shares its tier."""
    facts = board.facts
    best = board.entry(facts.names[facts.best])
    price = f", {facts.cost} {paid(best, board)}" if best.cost is not None else ""
    others = [name for name in board.tiers[best.tier - 1] if name != best.algorithm]
    beside = (
        f"In tier {best.tier} with it: {listed(others, most=MOST_LISTED)}" if others else f"Alone in tier {best.tier}"
    )
    text = f"{best.algorithm}: {facts.score} {joined(score(best, facts))}{price}. {beside}."
    return (*facts.points, Point(label="First by score", text=text))


def notes(board: Board) -> tuple[str, ...]:
    """Say what the columns mean that a reader would otherwise have to guess."""
    facts, best = board.facts, board.facts.names[board.facts.best]
    said = []
    if any(each.loss is not None for each in board.entries):
        unit = ", in points" if facts.scale is not None and facts.scale.has_points else ""
        unit = " in points of Elo, of which 400 are odds of ten to one" if facts.scale is None else unit
        lost = "win rate" if facts.over == "votes" and facts.scale is not None else facts.score
        said.append(f"loss vs best: {lost} lost against {best}, the best-scoring one{unit}.")
    if facts.cost:
        mean = ", a geometric mean over data sets" if facts.several else ""
        said.append(f"{facts.cost}: relative cost is the ratio to that of {best}{mean}.")
    return tuple(said)


def meaning(board: Board) -> tuple[str, ...]:
    """Say what tiers and ranges of places mean, and what they do not."""
    facts, noun = board.facts, board.facts.noun
    sure = (
        f"with {confidence(facts.alpha)} confidence all of this holds at once"
        if facts.kept
        else "the tests do not keep the chance of any false difference at their level, so that some of it may be chance"
    )
    order = "The place is that of the order by score"
    return (
        *_by_pairs(noun, sure),
        f"{noun.capitalize()}s that share a tier do not differ significantly. That does not make them equal: more data"
        " may show a difference.",
        f"Places by score: how many {noun}s are significantly better, and how many worse, leave these places.",
        f"{order} and {facts.cost}: one of a lower tier can stand before a costlier one of a higher tier."
        if facts.cost
        else f"{order}.",
    )


def _by_pairs(noun: str, sure: str) -> tuple[str, ...]:
    return (
        f"Tier 1 holds the {noun}s that are not significantly worse than any other; tier 2 those of which that holds"
        " without tier 1, and so on.",
        f"Each {noun} of a lower tier is significantly worse than at least one of the tier above, not than all of them:"
        f" {sure}.",
    )


Cell = tuple[str, str, float | None]
"""A number as it is printed, its interval, empty where there is none, and the number itself."""


def _scale(facts: Facts) -> ScoreScale | None:
    """How scores are written; Elo has no scale of its own."""
    return None if facts.over == "votes" else facts.scale


def score(entry: BoardEntry, facts: Facts) -> Cell:
    """Write a score with its interval, in the unit in which differences are written."""
    scale = _scale(facts)
    write = partial(_plainly, digits=3) if scale is None else scale.value
    value = "-" if entry.score is None else _plainly(entry.score, 4) if scale is None else scale.value(entry.score)
    return value, _ends(entry.low, entry.high, write), entry.score


def loss(entry: BoardEntry, scale: ScoreScale | None) -> Cell:
    """Write by how much it scores worse than the best-scoring one."""
    write = partial(_plainly, digits=2) if scale is None else scale.number
    value = "-" if entry.loss is None else write(entry.loss)
    return value, _ends(entry.loss_low, entry.loss_high, write) if entry.loss_high else "", entry.loss


def _ends(low: float | None, high: float | None, write: Callable[[float], str]) -> str:
    return "" if low is None or high is None else f"{write(low)} to {write(high)}"


def _plainly(value: float, digits: int) -> str:
    """Write a number with so many digits, without a power of ten unless it is tiny: ends of intervals lie near 0."""
    if not value or not SMALL <= abs(value) < 1e-4:
        return f"{value:.0f}" if abs(value) >= 10**digits else number(value, digits)
    return f"{value:.{1 - floor(log10(abs(value)))}f}"


def joined(cell: Cell) -> str:
    """Write a number and its interval on one line."""
    value, ends, _ = cell
    return f"{value} ({ends})" if ends else value


def paid(entry: BoardEntry, board: Board) -> str:
    """Write what it costs, with the unit."""
    unit = board.facts.unit
    return "-" if entry.cost is None else f"{amount(entry.cost)}{f' {unit}' if unit else ''}"


def _relative(ratio: float | None) -> str:
    """Write a cost beside that of the best-scoring one."""
    return "-" if ratio is None else "0" if ratio == 0 else relative_cost(ratio)


def _worth(entry: BoardEntry, facts: Facts) -> str:
    return "-" if entry.worth is None or facts.scale is None else facts.scale.worth(entry.worth)


def by_score(entry: BoardEntry) -> str:
    """Write between which places by score it lies."""
    if entry.first_place == entry.last_place:
        return str(entry.first_place)
    return f"{entry.first_place} to {entry.last_place}"


def columns(board: Board) -> dict[str, list[Cell]]:
    """Return the columns of the board beside place, tier and name, as they are printed."""
    facts, entries = board.facts, board.entries
    scale = _scale(facts)
    found = {facts.score if scale is None else scale.heading: [score(each, facts) for each in entries]}
    if any(each.loss is not None for each in entries):
        found["loss vs best"] = [loss(each, facts.scale) for each in entries]
    if facts.cost:
        unit = f", {facts.unit}" if facts.unit else ""
        prices = ["unknown" if each.cost is None else amount(each.cost) for each in entries]
        found[f"{facts.cost}{unit}"] = [(p, "", each.cost) for p, each in zip(prices, entries, strict=True)]
        found["relative cost"] = [(_relative(each.ratio), "", each.ratio) for each in entries]
    if any(each.worth is not None for each in entries):
        found["worth"] = [(_worth(each, facts), "", each.worth) for each in entries]
    found["places by score"] = [(by_score(each), "", float(each.first_place)) for each in entries]
    return found


def _table(board: Board) -> Table:
    told = columns(board)
    return Table(
        header=("place", "tier", board.facts.noun, *told),
        body=tuple(
            (str(each.place), str(each.tier), each.algorithm, *(joined(column[k]) for column in told.values()))
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
