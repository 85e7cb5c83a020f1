"""A table with a row per run whose cells are not plain: its columns, as the detection of roles takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.errors import InputError
from tiebreak.readers.detect import Detected, detect
from tiebreak.readers.settings import Settings
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.layout import (
    EMPTY,
    FAILURE,
    GAP,
    NUMBER,
    Item,
    Layout,
    Style,
    is_numeric,
    style_of,
)
from tiebreak.readers.understanding.notes import Failure, LeftOut, Notes, Understood, unclear
from tiebreak.results.columns import (
    Column,
    Columns,
    ListColumn,
    Names,
    TextColumn,
    Where,
    check_headers,
    take,
    to_number,
)
from tiebreak.results.roles import METRIC
from tiebreak.wording import option


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


def cell_columns(layout: Layout, decimal: str | None) -> dict[str, Column]:
    """Return the columns of a table by their headers."""
    held = {header: layout.column(place) for place, header in enumerate(layout.headers)}
    numeric = {header: is_numeric(column) and any(i.kind == NUMBER for i in column) for header, column in held.items()}
    style = style_of([column for header, column in held.items() if numeric[header]], decimal)
    return {
        header: CellColumn(column, style) if numeric[header] else TextColumn([item.text for item in column])
        for header, column in held.items()
    }


def read_long(
    layout: Layout,
    roles: Mapping[str, int],
    settings: Settings,
    notes: Notes,
    *,
    complete: bool,
    every_score: bool = False,
) -> Understood | None:
    """Read a table with a row per run; `roles` are the keys that its headers name.

    Where these are not `complete` the rest must be inferred, else it is None.
    """
    headers = layout.headers
    check_headers([header for header in headers if header], layout.grid.source)
    layout = replace(layout, body=tuple(filled(layout, roles, notes)))
    columns = cell_columns(layout, settings.decimal)
    options = {role: headers[place] for role, place in roles.items()}
    if every_score and complete and settings.scores is None:
        for header in [header for header in columns if words.is_description(header) and header not in options.values()]:
            del columns[header]
        return _made(layout, columns, options, None, settings, notes)
    try:
        detected = detect(columns, settings, source=layout.grid.source)
    except InputError:
        if complete:
            raise
        return None  # a cell that is named where the table is understood without it
    if detected is None and not complete:
        return None
    if detected is not None and not complete and ("algorithm" not in detected.roles or "item" in detected.roles):
        return None
    known = dict(detected.roles) if detected else options
    return _made(layout, detected.columns if detected else columns, known, detected, settings, notes)


def _made(
    layout: Layout,
    columns: Columns,
    roles: Mapping[str, str],
    detected: Detected | None,
    settings: Settings,
    notes: Notes,
) -> Understood:
    """Check the cells that are read, and put numbers in their place."""
    columns = _without_summaries(columns, roles, settings, notes)
    cells = {h: c for h, c in columns.items() if isinstance(c, CellColumn) and h not in roles.values()}
    for header, column in columns.items():
        if header not in (*cells, *roles.values()) and not column.is_number() and header.lower() not in _BESIDE:
            place = layout.headers.index(header) if header in layout.headers else 0
            keep = f"{option(columns={'replication': header})} if it distinguishes runs"
            why = "text, no known key"
            notes.left.append(LeftOut(what="column", name=header, place=layout.place(place), why=why, keep=keep))
            columns = {name: item for name, item in columns.items() if name != header}
    items = [item for column in cells.values() for item in column.values]
    placed = [(i, f"column {h!r}, {notes.at(i.cell.line)}") for h, column in cells.items() for i in column.values]
    style = next((column.style for column in cells.values()), Style(mark=None))
    notes.cells(placed, style)
    for header, column in cells.items():
        notes.units(column.values, header)
    names = {role: columns[roles[role]].coded() for role in ("dataset", "algorithm") if role in roles}
    for role, current in names.items():
        notes.same_names(current.names, "data sets" if role == "dataset" else "algorithms", settings)
    if notes.problems:
        raise unclear(layout.grid.source, notes.problems)
    pairs = [
        tuple(names[role].at(row) if role in names else "" for role in ("dataset", "algorithm"))
        for row in range(len(next(iter(columns.values()), ())))
    ]
    lost = [(pairs[row], i.text) for c in cells.values() for row, i in enumerate(c.values) if i.kind == FAILURE]
    bold = [pairs[row] for c in cells.values() for row, item in enumerate(c.values) if item.parsed.bold]
    notes.numbers(items, style)
    lines = [item.cell.line for item in next(iter(cells.values())).values] if cells else []
    return notes.understood(
        layout,
        form="long",
        columns=_with_deviations(columns, cells),
        line_of=None if notes.kind == "json" else lambda row: lines[row],
        roles=roles,
        failures=tuple(Failure(dataset=d, algorithm=a, word=word) for (d, a), word in lost),
        best=tuple(dict.fromkeys((d, a) for d, a in bold)),
        order={role: tuple(dict.fromkeys(pair[place] for pair in pairs)) for place, role in enumerate(names)},
        detected=detected,
    )


_BESIDE = ("host", "cluster", METRIC)


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


def _without_summaries(columns: Columns, roles: Mapping[str, str], settings: Settings, notes: Notes) -> Columns:
    """Leave out rows that sum up others, such as the mean of the folds."""
    if settings.keep_rows:
        return columns
    for role in ("dataset", "fold", "replication"):
        coded = columns[roles[role]].coded() if role in roles else Names.of(())
        sums = [words.is_summary(name) and not settings.named(name) for name in coded.names]
        if len(sums) > 1 and any(sums) and not all(sums):
            gone = np.array([*sums, False])[coded.codes]
            column = columns[next(iter(columns))]
            cell = next((c.values for c in columns.values() if isinstance(c, CellColumn)), None)
            for row in np.flatnonzero(gone).tolist():
                line = notes.at(cell[row].cell.line if cell else row + 1)
                keep = option(keep_rows=True)
                notes.left.append(
                    LeftOut(what="row", name=coded.at(row), place=line, why="summary of the others", keep=keep)
                )
            columns = take(columns, np.flatnonzero(~gone[: len(column)]))
    return columns


def filled(layout: Layout, roles: Mapping[str, int], notes: Notes) -> list[tuple[Item, ...]]:
    """Fill names down where every row then is a run of its own; elsewhere a missing name stays an error."""
    rows = [list(row) for row in layout.body]
    for role in ("dataset", "algorithm"):
        if role not in roles or not rows or rows[0][roles[role]].empty:
            continue
        place, last = roles[role], rows[0][roles[role]]
        trial = []
        for row in rows:
            last = last if row[place].empty else row[place]
            trial.append([*row[:place], last, *row[place + 1 :]])
        keys = {tuple(row[other].text for other in roles.values()) for row in trial}
        if len(keys) == len(trial) and any(row[place].empty for row in rows):
            rows = trial
            text = f"{notes.source}: empty cells of the {role} were filled with the name above them."
            notes.said.append(Caveat("read-as", text))
    return [tuple(row) for row in rows]
