"""What a table of cells is read as: its columns, what was left out, what is wrong, and how its cells were read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, quoted
from tiebreak.readers.detect import Detected
from tiebreak.readers.detect.columns import failure_notes
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.layout import EMPTY, FAILURE, GAP, NUMBER, TEXT, Item, Layout, Style
from tiebreak.results.columns import Column, Columns, LineOf, ListColumn, Names, Where, to_number
from tiebreak.wording import Brief, option


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A row, column or header that was not read: its name, where it stands, why, and what keeps it."""

    what: str
    name: str
    place: str
    why: str
    keep: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A run that failed: of which algorithm on which data set, and the word that stands there."""

    dataset: str
    algorithm: str
    word: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Understood(Brief):
    """A table in long form, ready for `Results.from_columns`, and how it was made.

    `form` is long, wide or transposed; `best` are the cells that were printed in bold, by data set and algorithm.
    """

    form: str
    columns: Columns
    line_of: LineOf | None
    source: str
    roles: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    failures: tuple[Failure, ...] = ()
    best: tuple[tuple[str, str], ...] = ()
    evidence: tuple[str, ...] = ()
    order: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: Caveats = ()
    detected: Detected | None = None


_MOST = 12
"""So many places are named in a problem; the rest is counted."""


class UnclearTable(InputError):
    """A table that cannot be read, or can be read in two ways.

    `unnamed` says that its score has no name, which a comparison will need next.
    """

    unnamed = False


def problem(
    one: str, many: str, places: Sequence[str], *, why: str = "", mend: str = "", ways: Mapping[str, str] | None = None
) -> UnclearTable:
    """Word a problem of one or several places; `ways` says for each meaning what to say then."""
    shown = "; ".join(places[:_MOST]) + (f" and {len(places) - _MOST} more" if len(places) > _MOST else "")
    several = many.replace("{count}", str(len(places))).replace("{places}", shown)
    place, _, value = places[0].partition(": ") if "{value}" in one else (places[0], "", "")
    what = one.replace("{place}", place).replace("{value}", value) if len(places) == 1 else several
    texts = [f"{when}: {say}." for when, say in (ways or {}).items()]
    return UnclearTable(what, why=why, mend=" ".join(part for part in (mend, *texts) if part))


def unclear(source: str, problems: Sequence[UnclearTable]) -> UnclearTable:
    """Make one error of all problems."""
    if len(problems) == 1:
        return problems[0]
    head = f"{source} cannot be read as it stands, for {len(problems)} reasons:"
    return UnclearTable("\n".join([head, *(f"{i}. {item}" for i, item in enumerate(problems, 1))]))


@dataclass(slots=True, kw_only=True, eq=False)
class Notes:
    """Gathers notes on a table."""

    source: str
    kind: str = "csv"
    left: list[LeftOut] = field(default_factory=list)
    problems: list[UnclearTable] = field(default_factory=list)
    said: list[Caveat] = field(default_factory=list)

    def at(self, line: int) -> str:
        """Name a line of a text, or a row of what has none."""
        return f"{'row' if self.kind in ('json', 'sheet') else 'line'} {line}"

    def ask(self, one: str, many: str, places: Sequence[str], **parts: Any) -> None:
        """Note what is wrong, in one place or several."""
        self.problems.append(problem(one, many, places, **parts))

    def leave(self, what: str, name: str, place: str, why: str, keep: str = "") -> None:
        """Note a row, column or header that is not read."""
        self.left.append(LeftOut(what=what, name=name, place=place, why=why, keep=keep))

    def say(self, text: str) -> None:
        """Note how something was read."""
        self.said.append(Caveat("read-as", f"{self.source}: {text}"))

    def cells(self, items: Sequence[Item], style: Style, layout: Layout) -> None:
        """Name the cells that hold text, or numbers that a decimal comma and a thousands mark would make two of."""
        texts = [item for item in items if item.kind == TEXT]
        if texts:
            self.ask(
                f"{{place}} of {self.source}: {{value}} is not a number.",
                f"{{count}} cells of {self.source} are not numbers: {{places}}.",
                self._places(texts, layout),
                why="A score or cost must be one; a missing score is an empty cell, NA, NaN or -, a failed run OOM,"
                " timeout or error.",
                mend="Correct the cell." if len(texts) == 1 else "Correct the cells.",
            )
        unclear = [item for item in items if item.kind == NUMBER and style.is_open(item.parsed)]
        if unclear:
            self.ask(
                f"{{place}} of {self.source}: {{value}} can be read in two ways.",
                f"{{count}} cells of {self.source} can be read in two ways: {{places}}.",
                self._places(unclear, layout),
                ways={
                    "If it is a decimal comma": option(decimal=","),
                    "If it is a thousands mark": option(decimal="."),
                },
            )

    def _places(self, items: Sequence[Item], layout: Layout) -> list[str]:
        """Name cells by their column and line, with what they hold."""
        headers = {item.cell.column: header for item, header in zip(layout.body[0], layout.headers, strict=True)}
        return [
            f"column {headers.get(item.cell.column, '')!r}, {self.at(item.cell.line)}: {item.text!r}" for item in items
        ]

    def units(self, items: Sequence[Item], name: str) -> None:
        """Say that a unit behind the numbers was left out, or ask where there are several."""
        result = {item.parsed.unit: item for item in items if item.kind == NUMBER}
        if set(result) <= {""}:
            return
        if len(result) == 1:
            self.say(f"the unit {next(iter(result))!r} behind numbers is left out.")
            return
        many = f"The numbers of {self.source} have different units: {{places}}."
        places = [f"{unit or 'none'!r} ({item.text!r})" for unit, item in result.items()]
        why = f"Numbers in different units cannot be compared ({name!r})."
        self.ask(many, many, places, why=why, mend="Write them all in one unit.")

    def numbers(self, items: Sequence[Item], style: Style) -> None:
        """Say how numbers were read, where they were not plain."""
        percent = next((item for item in items if item.parsed.percent), None)
        if percent is not None:
            value = style.value(percent.parsed)
            self.say(f"cells with a percent sign are read as shares: {percent.text!r} is {value:.12g}.")
        comma = next((item for item in items if "," in item.parsed.value), None)
        if comma is not None:
            kind = "decimal commas" if "." not in comma.parsed.value and style.mark != "." else "thousands marks"
            self.say(f"commas are read as {kind}: {comma.text!r} is {style.value(comma.parsed):.12g}.")
        spread = next((item for item in items if item.parsed.sd or (item.parsed.paren and not style.ranks)), None)
        if spread is not None:
            self.say(f"{spread.text!r} is read as a score with its standard deviation, which is kept.")
        if style.ranks:
            self.say("numbers in brackets are ranks, which are left out.")


class CellColumn(ListColumn):
    """A column most of whose cells are numbers, perhaps with marks around them."""

    __slots__ = ("style",)
    values: Sequence[Item]

    def __init__(self, cells: Sequence[Item], style: Style) -> None:
        super().__init__(cells)
        self.style = style

    def is_number(self) -> bool:
        """Say yes: cells that cannot be read are named once the column is needed."""
        return True

    def coded(self) -> Names:
        """Name the cells: numbers without their marks, gaps among them as empty."""
        return Names.of(map(self._plain, self.values))

    def _plain(self, cell: Item) -> str:
        if cell.kind != NUMBER or to_number(cell.text) is not None:
            return "" if cell.kind in (GAP, FAILURE) else cell.text
        number = self.style.number(cell.parsed.value)
        return cell.text if number is None else str(number)

    def as_numbers(self, where: Where) -> FloatArray:  # noqa: ARG002
        """Return the numbers; NaN elsewhere."""
        return np.array([self.style.value(cell.parsed) for cell in self.values], dtype=np.float64)

    def take(self, rows: IntArray) -> Column:
        """Return some rows of the column."""
        return self.like([self.values[row] for row in rows.tolist()])

    def like(self, cells: Sequence[Item | None]) -> Column:
        """Make a column of other cells of the same table."""
        return CellColumn([EMPTY if cell is None else cell for cell in cells], self.style)


def account(
    layout: Layout,
    columns: Columns,
    notes: Notes,
    *,
    form: str,
    roles: Mapping[str, str],
    unnamed: bool = False,
    evidence: tuple[str, ...] = (),
    detected: Detected | None = None,
) -> Understood:
    """Check the cells that are read, put numbers in their place, and say how they were read; or raise one error."""
    cells = {h: c for h, c in columns.items() if isinstance(c, CellColumn) and h not in roles.values()}
    items = [item for column in cells.values() for item in column.values]
    style = next((column.style for column in cells.values()), Style(mark=None))
    notes.cells(items, style, layout)
    for header, column in cells.items():
        notes.units(column.values, header)
    if notes.problems:
        error = unclear(layout.grid.source, notes.problems)
        error.unnamed = unnamed
        raise error
    notes.numbers(items, style)
    names = {role: columns[roles[role]].coded() for role in ("dataset", "algorithm") if role in roles}
    length = len(next(iter(columns.values()), ()))
    datasets, algorithms = (
        [names[role].at(row) for row in range(length)] if role in names else [""] * length
        for role in ("dataset", "algorithm")
    )
    held = [row for column in cells.values() for row in zip(datasets, algorithms, column.values, strict=True)]
    failures = dict.fromkeys(Failure(dataset=d, algorithm=a, word=i.text) for d, a, i in held if i.kind == FAILURE)
    lines = [max(item.cell.line for item in row) for row in zip(*(c.values for c in cells.values()), strict=True)]
    said = [*notes.said, *left_out_notes(notes.source, notes.left)]
    said += failure_notes([f"{f.algorithm!r} failed on {f.dataset!r}: {f.word}." for f in failures], notes.source)
    return Understood(
        form=form,
        columns=_with_deviations(columns, cells),
        line_of=None if notes.kind == "json" else lambda row: lines[row],
        source=notes.source,
        roles=roles if form == "long" else {},
        left_out=tuple(notes.left),
        failures=tuple(failures),
        best=tuple(dict.fromkeys((d, a) for d, a, item in held if item.cell.bold and item.kind == NUMBER)),
        evidence=evidence,
        order={"dataset": tuple(dict.fromkeys(datasets)), "algorithm": tuple(dict.fromkeys(algorithms))},
        notes=(*layout.grid.notes, *said),
        detected=detected,
    )


def _with_deviations(columns: Columns, cells: Mapping[str, CellColumn]) -> dict[str, Column]:
    """Put the numbers of every column in the place of its cells, and standard deviations beside them."""
    out = dict(columns)
    for header, column in cells.items():
        out[header] = ListColumn(column.as_numbers(Where(column=header)))
        deviations = np.array([column.style.sd(item.parsed) for item in column.values])
        if not np.isnan(deviations).all():
            out[f"{header}_sd"] = ListColumn(deviations)
    for header in columns:
        base = words.deviation_of(header, columns)
        if base is not None and header in out and header != f"{base}_sd":
            out[f"{base}_sd"] = out.pop(header)
    return out


def left_out_notes(source: str, left: Sequence[LeftOut]) -> Caveats:
    """Say what was left out, in one sentence for each kind and reason."""
    groups: Mapping[tuple[str, str, str], list[LeftOut]] = defaultdict(list)
    for item in left:
        groups[item.what, item.why, item.keep].append(item)
    out = []
    for (what, why, keep), members in groups.items():
        names = quoted([member.name or "(no name)" for member in members])
        many = len(members) > 1
        where = f"{members[0].place}{' ...' if many else ''}"
        text = f"{source}: {what}{'s' if many else ''} {names} ({where}) left out: {why}."
        text += f" To keep {'them' if many else 'it'}: {keep}." if keep else ""
        out.append(Caveat("rows-left-out" if what == "row" else "columns-left-out", text))
    return tuple(out)
