r"""The cells of a grid and where its parts lie: numbers, gaps and failures; titles, the header, columns of names.

Read are percent signs, thousands marks, decimal commas, minus signs of all kinds, `mean ± sd` in its spellings, stars
and daggers, ranks in brackets and intervals. What a cell leaves open (1,234) is settled by the other cells of its
table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import pairwise

from tiebreak.readers.grids import Cell, Grid
from tiebreak.readers.understanding import words

_LONG = 100  # characters; no number is written so long, and patterns are not tried on it
NUMBER, GAP, FAILURE, TEXT = "number", "gap", "failure", "text"

_MINUS = str.maketrans(
    {"−": "-", "–": "-", "—": "-", "﹣": "-", "－": "-", "‐": "-", "‑": "-", "＋": "+", "٫": ",", "％": "%"}
)
_SPACES = re.compile(r"[\s\u00a0\u2007\u2009\u200a\u202f\u200b\ufeff]+")
_MARKS = re.compile(
    r"^[*_†‡§¶#•●○◦★☆▲▼△▽↑↓✓✔🏆🥇🥈🥉^~\s]*(?P<rest>.*?)(?:(?:[\s^]*[*_†‡§¶•●○◦★☆▲▼△▽↑↓✓✔🏆🥇🥈🥉¹²³⁴-⁹⁰⁺⁻]|\sv|\s?(?<![A-Za-z])[a-c]{1,3})*)\s*$",
    re.DOTALL,
)
_AROUND = re.compile(r"\((.*)\)\s?%")
_AROUND_WORDS = re.compile(r"[()\[\]%$±*†‡§¶^]|\+/-|\+-")
_INFINITE = re.compile(r"[-+]?(inf|infinity|∞)", re.IGNORECASE)
_POWER = re.compile(r"\s?[x×·*]\s?10\s?\^?\s?([-+]?\d+)\s?")
_FOOTNOTE = re.compile(r"(\d*[.,]\d+\s?%?)\^\(?\d{1,2}\)?$")
_UNIT = re.compile(
    r"([-+.,\d].*?[\d)])\s?(ms|s|secs?\.?|seconds?|mins?\.?|minutes?|h|hrs?\.?|hours?|d|days?|dB|[kMG]i?B|pp|pts?\.?|x|×)"
)
_DIGITS = r"[-+]?(?:\d(?:\d|[.,'’ ](?=\d))*[.,]?|[.,]\d+)(?:[eE][-+]?\d+)?"
_WHOLE = re.compile(
    rf"""(?P<value>{_DIGITS})\s?(?P<percent>%)?
    (?:\s?(?:±|\+/-|\+-|∓)\s?\(?(?P<sd>{_DIGITS})\)?\s?(?P<percent2>%)?)?
    (?:\s?[(\[](?P<paren>{_DIGITS})\s?(?P<percent3>%)?[)\]])?
    (?:\s?[\[(]\s?{_DIGITS}\s?%?\s?[,;–-]\s?{_DIGITS}\s?%?\s?[\])])?
    (?P<outer>\s?%)?""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a cell says: `kind`, its number as it is written, its standard deviation.

    `paren` is a number in brackets, a standard deviation or a rank: the table says which. `unit` is what stands behind
    the number, such as ms, and `text` is what was read.
    """

    kind: str
    text: str
    value: str = ""
    sd: str = ""
    paren: str = ""
    percent: bool = False
    unit: str = ""


@lru_cache(maxsize=65536)
def parse(text: str) -> Parsed:
    """Read one cell, which has no marks of Markdown, HTML or LaTeX any more.

    Examples
    --------
    >>> cell = parse("72.65 ± 2.27")
    >>> cell.kind, cell.value, cell.sd
    ('number', '72.65', '2.27')
    >>> parse("OOM").kind, parse("—").kind, parse("85,2 %").percent, parse("red").kind
    ('failure', 'gap', True, 'text')
    """
    plain = _SPACES.sub(" ", text).strip()
    if (lacking := _lacking(plain.lower())) is not None:
        return Parsed(kind=lacking, text=plain)
    if len(plain) > _LONG:
        only = plain.isascii() and plain.isdigit()  # a number of so many figures has nothing around it
        return Parsed(kind=NUMBER if only else TEXT, text=plain, value=plain if only else "")
    number = plain.replace("$", "")
    if number.startswith("("):
        number = _AROUND.sub(r"\1%", number)
    number = _POWER.sub(r"e\1", number.translate(_MINUS))
    if number.startswith(("±", "+/-")):  # an sd in a column of its own
        number = number.lstrip("±+/- ")
    marked = _MARKS.fullmatch(number)
    rest = marked["rest"].strip() if marked else number
    if _INFINITE.fullmatch(rest):
        return Parsed(kind=NUMBER, text=plain, value=rest.replace("∞", "inf"))
    rest = _FOOTNOTE.sub(r"\1", rest)
    measured = _UNIT.fullmatch(rest)
    rest, unit = measured.groups() if measured else (rest, "")
    match = _WHOLE.fullmatch(rest[1:-1] if rest[:1] + rest[-1:] == "()" and "±" in rest else rest)
    if match is None or not all(readings(match[name]) for name in ("value", "sd", "paren") if match[name]):
        return Parsed(kind=TEXT, text=plain)
    percent = any(match[name] for name in ("percent", "percent2", "percent3", "outer"))
    parts = {name: (match[name] or "").strip() for name in ("value", "sd", "paren")}
    return Parsed(kind=NUMBER, text=plain, percent=percent, unit=unit, **parts)


def _lacking(small: str) -> str | None:
    """Say whether a cell is a gap or a failure, also with a deviation, brackets or marks, as in 'nan ± nan' or '-*'."""
    for text in (small, " ".join(_AROUND_WORDS.sub(" ", small[:_LONG]).split())):
        if text in words.GAPS and (text or not small):
            return GAP
        if text in words.FAILURES or words.FAILED.fullmatch(text):
            return FAILURE
    parts = text.split()
    if len(parts) == 2 and set(parts) <= words.GAPS:
        return GAP
    return FAILURE if len(parts) == 2 and set(parts) <= words.FAILURES else None


def readings(number: str) -> dict[str, Decimal]:
    """Return what a number can mean: with a decimal point ('.') and with a decimal comma (',').

    Examples
    --------
    >>> readings("1,234")
    {'.': Decimal('1234'), ',': Decimal('1.234')}
    >>> readings("0,5"), readings("1.234,5")
    ({',': Decimal('0.5')}, {',': Decimal('1234.5')})
    """
    text = number.strip().replace("'", "").replace("’", "")
    if _INFINITE.fullmatch(text):
        return {".": Decimal(text), ",": Decimal(text)}
    if " " in text:
        if not re.fullmatch(r"[-+]?\d{1,3}( \d{3})+([.,]\d+)?", text):
            return {}
        text = text.replace(" ", "")
    if re.fullmatch(r"[-+]?\d+([eE][-+]?\d+)?", text):
        return {".": Decimal(text), ",": Decimal(text)}
    decimals = {}
    for mark, other in ((".", ","), (",", ".")):
        whole = r"\d*" if "e" in text.lower() else rf"(\d*|[1-9]\d{{0,2}}(\{other}\d{{3}})+)"
        if re.fullmatch(rf"[-+]?{whole}(\{mark}\d*)?([eE][-+]?\d+)?", text) and re.search(r"\d", text):
            try:
                decimals[mark] = Decimal(text.replace(other, "").replace(mark, "."))
            except InvalidOperation:
                continue
    return decimals


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a table writes numbers: its decimal mark ('.', ',' or None where nothing tells), ranks in brackets or not."""

    mark: str | None
    mixed: bool = False
    ranks: bool = False

    def number(self, text: str) -> Decimal | None:
        """Return a number, None where it can be read in two ways."""
        decimals = readings(text)
        if len(set(decimals.values())) == 1:
            return next(iter(decimals.values()))
        if self.mark is not None:
            return decimals[self.mark]
        return decimals["."] if "," not in text and not self.mixed else None

    def is_open(self, parsed: Parsed) -> bool:
        """Say whether a cell can be read in two ways."""
        return any(text and self.number(text) is None for text in (parsed.value, parsed.sd, parsed.paren))

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
                if text and len(decimals := readings(text)) == 1:
                    marks.update(decimals)
    mark = decimal or (next(iter(marks)) if len(marks) == 1 else None)
    style = Style(mark=mark, mixed=len(marks) > 1)
    return Style(mark=style.mark, mixed=style.mixed, ranks=_are_ranks(rows, style))


def _are_ranks(rows: Sequence[Sequence[Item]], style: Style) -> bool:
    """Numbers in brackets are ranks where they put every row in order, one way round for all rows."""
    ways = {1, -1}
    seen = False
    for row in rows:
        held = [item.parsed for item in row if item.parsed.paren]
        ranked = sorted((style.number(p.paren) or 0, style.number(p.value) or 0) for p in held)
        if any(not 1 <= rank <= len(row) or rank * 2 % 1 for rank, _ in ranked):
            return False
        seen = seen or bool(ranked)
        steps = [after[1] - before[1] for before, after in pairwise(ranked) if before[0] != after[0]]
        ways &= {way for way in (1, -1) if all(step * way >= 0 for step in steps)}
    return seen and bool(ways)


_EMPTY_SIGNS = frozenset(("", "±", "+/-", "↑", "↓", "|"))
"""A column of nothing but these, without a header, says nothing of its own: lm-eval prints two of them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Item:
    """A cell with what it says."""

    cell: Cell
    parsed: Parsed

    @property
    def text(self) -> str:
        """What it holds, without marks."""
        return self.parsed.text

    @property
    def kind(self) -> str:
        """What it is: number, gap, failure or text."""
        return self.parsed.kind

    @property
    def empty(self) -> bool:
        """Whether nothing stands there."""
        return not self.parsed.text


EMPTY = Item(cell=Cell(text=""), parsed=Parsed(kind=GAP, text=""))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """A grid in parts: `levels` are the rows of the header, `body` the rest."""

    grid: Grid
    levels: tuple[tuple[str, ...], ...]
    body: tuple[tuple[Item, ...], ...]
    headless: bool = False

    @property
    def headers(self) -> tuple[str, ...]:
        """The lowest name of each column."""
        return tuple(next((text for text in reversed(column) if text), "") for column in zip(*self.levels, strict=True))

    @property
    def numeric(self) -> list[bool]:
        """Whether each column holds numbers."""
        return [is_numeric(self.column(place)) for place in range(len(self.headers))]

    def column(self, place: int) -> list[Item]:
        """Return one column of the body."""
        return [row[place] for row in self.body]

    def only(self, places: Sequence[int]) -> Layout:
        """Return the table with some of its columns."""
        return replace(
            self,
            levels=tuple(tuple(row[place] for place in places) for row in self.levels),
            body=tuple(tuple(row[place] for place in places) for row in self.body),
        )

    def place(self, place: int) -> str:
        """Name a column by its place in the file."""
        cell = self.body[0][place].cell if self.body else self.grid.rows[0][0]
        return f"column {cell.column or place + 1}"


def lay_out(grid: Grid) -> Layout:
    """Tell the header from the body; empty rows and columns are dropped, as they say nothing."""
    rows = [[Item(cell=cell, parsed=parse(cell.text)) for cell in row] for row in grid.rows]
    rows = [row for row in rows if any(not item.empty for item in row)]
    used = [
        place
        for place in range(len(rows[0]) if rows else 0)
        if any(row[place].text not in _EMPTY_SIGNS for row in rows)
    ]
    rows = [[row[place] for place in used] for row in rows if used]
    columns = grid.kind == "json"  # which have one header whatever it holds
    rows = rows if columns else rows[_first(rows) :]
    count = min(len(rows), 1) if columns else _header_rows(rows)
    levels = tuple(tuple(item.text for item in row) for row in rows[:count])
    return Layout(
        grid=grid,
        levels=levels,
        body=tuple(map(tuple, rows[count:])),
        headless=bool(rows) and count == 0,
    )


def _first(rows: Sequence[Sequence[Item]]) -> int:
    """Count the titles above a table: rows of one cell, in the first column or over all, before a row of several."""
    for place, row in enumerate(rows):
        if len({item.text for item in row} - {""}) > 1 or row[0].empty or len(row) < 3:
            return place
    return 0


def _header_rows(rows: Sequence[Sequence[Item]]) -> int:
    """Count the rows of the header: one, and those under it that hold no numbers either."""
    if not rows:
        return 0
    count = int(_is_header(rows[0], rows[1:]))
    while 0 < count < len(rows) - 1 and _is_more(rows[count], rows[:count]):
        count += 1
    return count


def _is_header(row: Sequence[Item], rest: Sequence[Sequence[Item]]) -> bool:
    """A row of numbers is a header only where they are whole and different, as names are, and what is below is not."""
    numbers = [item for item in row[1:] if item.kind == NUMBER]
    if len(numbers) * 2 <= len([item for item in row[1:] if not item.empty]):
        return True
    texts = [item.text for item in numbers]
    whole = all(text.isdigit() for text in texts) and len(set(texts)) == len(texts)
    below = [item.text for other in rest for item in other[1:] if item.kind == NUMBER]
    return whole and bool(below) and not all(text.isdigit() for text in below)


def _is_more(row: Sequence[Item], above: Sequence[Sequence[Item]]) -> bool:
    """Say whether a row continues the header: no numbers, no gaps, and no name of its own in the first column."""
    if any(item.kind in (NUMBER, FAILURE) or (item.kind == GAP and not item.empty) for item in row[1:]):
        return False
    corner = next((line[0].text for line in reversed(above) if not line[0].empty), "")
    if all(item.empty for item in row[1:]):  # where pandas writes the name of the index
        title, over = words.titled(row[0].text), words.titled(corner)
        return title is not None and (not corner or (over is not None and over != title))
    return (
        row[0].empty
        or row[0].text == corner
        or row[0].text.lower() in ("unit", "units")
        or ((not corner or _names_level(corner)) and _names_level(row[0].text))
    )


def _names_level(text: str) -> bool:
    """Say whether a cell is the name of a level of the header, as pandas writes it in the first column."""
    return words.titled(text) is not None or text.strip().lower() in ("metric", "metrics", "measure")


def spread(level: Sequence[str]) -> tuple[str, ...]:
    """Fill the cells that a merged header left empty from the left, but never from the first column."""
    out: list[str] = []
    for place, text in enumerate(level):
        out.append(text or (out[-1] if place > 1 else ""))
    return tuple(out)


def is_numeric(column: Sequence[Item]) -> bool:
    """Say whether a column holds numbers, perhaps with a few cells that cannot be read; one of gaps alone does too."""
    numbers = sum(item.kind in (NUMBER, FAILURE) for item in column)
    texts = sum(item.kind == TEXT for item in column)
    return numbers > texts if texts else True


def holds_results(header: str, column: Sequence[Item]) -> bool:
    """Say whether a column beside the names is one of results: text among its numbers is then a mistake to be named.

    One of nothing but text is a description, unless its header is that of an algorithm or there is hardly a row to
    judge by.
    """
    numbers = sum(item.kind in (NUMBER, FAILURE) for item in column)
    texts = sum(item.kind == TEXT for item in column)
    if words.is_description(header) and not words.is_weak(header) and texts >= numbers:
        return not texts
    if not numbers and texts:
        return words.known_as(header) == "algorithm" or len(column) < 3
    return numbers * 4 >= texts


def is_numbering(column: Sequence[Item]) -> bool:
    """Say whether a column counts the rows, from 0 or from 1."""
    texts = [item.text.rstrip(".") for item in column if not item.empty]  # an average below is not numbered
    first = texts[0] if texts else ""
    return first in ("0", "1") and texts == [str(i + int(first)) for i in range(len(texts))]
