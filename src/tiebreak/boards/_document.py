"""What a board says in words: the answer, what tiers mean, what changed, the table."""

from __future__ import annotations

from dataclasses import replace
from math import floor, log10
from typing import TYPE_CHECKING

from tiebreak.documents import Document, Point, Table, amount, confidence, listed, number, times

if TYPE_CHECKING:
    from tiebreak.boards._board import Board, BoardEntry

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
    text = f"{best.algorithm}: {facts.score} {joined(score(best))}{price}. {beside}."
    return (*facts.points, Point(label="Best score", text=text))


def notes(board: Board) -> tuple[str, ...]:
    """Say what the columns mean that a reader would otherwise have to guess."""
    facts, best = board.facts, board.facts.names[board.facts.best]
    said = []
    if any(each.given_up is not None for each in board.entries):
        points = " in points of Elo, of which 400 are odds of ten to one" if facts.over == "votes" else ""
        said.append(f"given up: {facts.score} given up against {best}, the best-scoring one{points}.")
    worse = {name for name, told in zip(facts.names, facts.shown[:, facts.best], strict=True) if told}
    alone = [each for each in board.entries if (each.given_up_low or 0) > 0 and each.algorithm not in worse]
    if alone:
        hold = "1 of them excludes" if len(alone) == 1 else f"{len(alone)} of them exclude"
        said.append(
            f"Each interval stands for itself, without the correction for many pairs: {hold} 0 where the corrected test"
            " tells nothing apart."
        )
    if facts.cost:
        mean = "the mean over data sets; " if facts.several else ""
        ratio = ", a geometric mean over data sets" if facts.several else ""
        if facts.priced != facts.best:
            best = f"{facts.names[facts.priced]}, the best-scoring one whose {facts.cost} is known"
        said.append(f"{facts.cost}: {mean}times best's: the ratio to that of {best}{ratio}.")
    if any(each.firm is not None for each in board.entries):
        said.append("firm: the share of resampled sets of data sets that keep the place.")
    return tuple(said)


def meaning(board: Board) -> tuple[str, ...]:
    """Say what tiers and ranges of places mean, and what they do not."""
    facts, noun = board.facts, board.facts.noun
    sure = (
        f"with {confidence(facts.alpha)} confidence all of this holds at once"
        if facts.kept
        else "the tests do not keep the chance of any false difference at their level, so that some of it may be chance"
    )
    order = "The place is that of the order: a test decides where it tells two apart, and where none does"
    counted = " with all pairs counted" if facts.by_own else ""
    return (
        *(_by_own(board) if facts.by_own else _by_pairs(noun, sure)),
        f"{noun.capitalize()}s that share a tier are not told apart by these data{counted}. That does not make them"
        " equal: more data may part them.",
        f"Places by score: how many {noun}s are shown to be better, and how many worse, leave it between these places"
        f"{';' + counted + ', and nobody below tier 1 is the first' if counted else ''}.",
        f"{order} the one with the lower {facts.cost} stands first. So one of a lower tier can stand before a costlier"
        " one of a higher tier."
        if facts.cost
        else f"{order} the mean score does, which shows nothing.",
        *within_margin(board),
        *(("The tests are of places on data sets, in which cost counts.",) if facts.over == "places" else ()),
    )


def _by_pairs(noun: str, sure: str) -> tuple[str, ...]:
    return (
        f"Tier 1 holds the {noun}s that no test shows to be worse than another; tier 2 those of whom that holds when"
        " tier 1 is taken away, and so on.",
        "Whoever stands in a tier below is shown to be worse than at least one of the tier above, not than all of them:"
        f" {sure}.",
    )


def _by_own(board: Board) -> tuple[str, ...]:
    """Say it where tier 1 counts the comparisons of each, and the tiers below all pairs."""
    facts, sure = board.facts, f"; with {1 - board.facts.alpha:.0%} confidence"
    return (
        f"Tier 1 holds the {facts.noun}s that may be the best: each is compared with the {len(facts.names) - 1} others,"
        f" and whoever is shown to be worse than one of them is out{f'{sure} the best is in' if facts.kept else ''}.",
        "Below it all pairs are counted: whoever stands in tier 3 is shown to be worse than at least one of tier 2, and"
        f" so on{f'{sure} all of that holds at once' if facts.kept else ''}.",
    )


def within_margin(board: Board) -> tuple[str, ...]:
    """Say what a margin does to places; nothing where there is none."""
    margin = board.asked["margin"]
    if margin is None:
        return ()
    return (
        f"One shown to be worse by less than {margin} stands before a costlier one, whatever the tiers of the two.",
    )


Cell = tuple[str, str, float | None]
"""A number as it is printed, its interval, empty where there is none, and the number itself."""


def score(entry: BoardEntry) -> Cell:
    """Write a score with its interval."""
    return _plainly(entry.score, 4), _ends(entry.low, entry.high, 3), entry.score


def given_up(entry: BoardEntry) -> Cell:
    """Write by how much it scores worse than the best-scoring one."""
    ends = (
        "" if not entry.given_up_low and not entry.given_up_high else _ends(entry.given_up_low, entry.given_up_high, 2)
    )
    return _plainly(entry.given_up, 2), ends, entry.given_up


def _ends(low: float | None, high: float | None, digits: int) -> str:
    return "" if low is None or high is None else f"{_plainly(low, digits)} to {_plainly(high, digits)}"


def _plainly(value: float | None, digits: int) -> str:
    """Write a number with so many digits, without a power of ten unless it is tiny: ends of intervals lie near 0."""
    if value is None or not value or not SMALL <= abs(value) < 1e-4:
        return f"{value:.0f}" if value is not None and abs(value) >= 10**digits else number(value, digits)
    return f"{value:.{1 - floor(log10(abs(value)))}f}"


def joined(cell: Cell) -> str:
    """Write a number and its interval on one line."""
    value, ends, _ = cell
    return f"{value} ({ends})" if ends else value


def paid(entry: BoardEntry, board: Board) -> str:
    """Write what it costs, with the unit."""
    unit = board.facts.unit
    return "-" if entry.cost is None else f"{amount(entry.cost)}{f' {unit}' if unit else ''}"


def _times(ratio: float | None) -> str:
    """Write a ratio without powers of ten, however large."""
    return number(ratio, 2) if ratio is None or ratio < 9.95 else times(ratio)


def by_score(entry: BoardEntry) -> str:
    """Write between which places by score it lies."""
    if entry.first_place == entry.last_place:
        return str(entry.first_place)
    return f"{entry.first_place} to {entry.last_place}"


def columns(board: Board) -> dict[str, list[Cell]]:
    """Return the columns of the board beside place, tier and name, as they are printed."""
    facts, entries = board.facts, board.entries
    found = {facts.score: [score(each) for each in entries]}
    if any(each.given_up is not None for each in entries):
        found["given up"] = [given_up(each) for each in entries]
    if facts.cost:
        unit = f", {facts.unit}" if facts.unit else ""
        prices = ["unknown" if each.cost is None else amount(each.cost) for each in entries]
        found[f"{facts.cost}{unit}"] = [(p, "", each.cost) for p, each in zip(prices, entries, strict=True)]
        found["times best's"] = [(_times(each.ratio), "", each.ratio) for each in entries]
    if any(each.firm is not None for each in entries):
        found["firm"] = [("-" if each.firm is None else f"{each.firm:.0%}", "", each.firm) for each in entries]
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
