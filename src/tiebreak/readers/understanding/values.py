"""Numbers of a whole table: decimal commas, percent signs and brackets are settled by all of its cells together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from tiebreak.readers.understanding.cells import NUMBER, Parsed, readings
from tiebreak.readers.understanding.layout import Item
from tiebreak.readers.understanding.problems import Problem, Way, cell_problem
from tiebreak.wording import option


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a table writes numbers: its decimal mark ('.', ',' or None where nothing tells), ranks in brackets or not."""

    mark: str | None
    mixed: bool = False
    ranks: bool = False

    def number(self, text: str) -> Decimal | None:
        """Return a number, None where it can be read in two ways."""
        found = readings(text)
        if len(set(found.values())) == 1:
            return next(iter(found.values()))
        if self.mark is not None:
            return found[self.mark]
        return found["."] if "," not in text and not self.mixed else None

    def value(self, parsed: Parsed) -> float:
        """Return the number of a cell, NaN where there is none."""
        return _share(self.number(parsed.value), parsed) if parsed.kind == NUMBER else math.nan

    def sd(self, parsed: Parsed) -> float:
        """Return the standard deviation of a cell, NaN where there is none."""
        text = parsed.sd or ("" if self.ranks else parsed.paren)
        return _share(self.number(text), parsed) if text else math.nan


def _share(number: Decimal | None, parsed: Parsed) -> float:
    if number is None:
        return math.nan
    return float(number / 100 if parsed.percent else number)


def style_of(rows: Sequence[Sequence[Item]], decimal: str | None) -> Style:
    """Learn from all cells how numbers are written; `decimal` is the mark where it was told."""
    marks: set[str] = set()
    for row in rows:
        for item in row:
            for text in (item.parsed.value, item.parsed.sd, item.parsed.paren):
                if text and len(found := readings(text)) == 1:
                    marks.update(found)
    mark = decimal or (next(iter(marks)) if len(marks) == 1 else None)
    style = Style(mark=mark, mixed=len(marks) > 1)
    return Style(mark=style.mark, mixed=style.mixed, ranks=_are_ranks(rows, style))


def _are_ranks(rows: Sequence[Sequence[Item]], style: Style) -> bool:
    """Numbers in brackets are ranks where they put every row in order, one way round for all rows."""
    ways = {1, -1}
    seen = False
    for row in rows:
        pairs = [
            (style.number(item.parsed.value), style.number(item.parsed.paren)) for item in row if item.parsed.paren
        ]
        whole = [(value, rank) for value, rank in pairs if value is not None and rank is not None]
        if not whole:
            continue
        if not all(1 <= rank <= len(row) and (rank * 2) % 1 == 0 for _, rank in whole):
            return False
        seen = True
        ordered = sorted(whole, key=lambda pair: pair[1])
        steps = [second[0] - first[0] for first, second in pairwise(ordered) if first[1] != second[1]]
        ways &= {way for way in (1, -1) if all(step * way >= 0 for step in steps)}
    return seen and bool(ways)


def ambiguous(items: Iterable[tuple[Item, str]], style: Style) -> Problem | None:
    """Name the numbers that a decimal comma and a thousands mark would make two of, such as 1,234."""
    places = [
        f"{place}: {item.text!r}"
        for item, place in items
        if item.kind == NUMBER
        and any(style.number(text) is None for text in (item.parsed.value, item.parsed.sd, item.parsed.paren) if text)
    ]
    if not places:
        return None
    return cell_problem(
        "can be read in two ways",
        places,
        why="A comma can be a decimal point or a thousands mark, and nothing in the table tells which.",
        ways=(
            Way(when="If it is a decimal comma", say=option(decimal=",")),
            Way(when="If it is a thousands mark", say=option(decimal=".")),
        ),
    )


def unreadable(items: Iterable[tuple[Item, str]], *, mend: str = "") -> Problem | None:
    """Name the cells that hold text where a number belongs."""
    places = [f"{place}: {item.text!r}" for item, place in items if item.kind == "text"]
    if not places:
        return None
    return cell_problem(
        "is not a number",
        places,
        why="A score or cost must be one; a missing score is an empty cell, NA, NaN or -, a failed run OOM, timeout or"
        " error.",
        mend=mend or "Correct the cell." if len(places) == 1 else "Correct the cells.",
    )
