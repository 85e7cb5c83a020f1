"""A file that is not plain: its grids, the one that holds the results, and the table made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.readers.grids import Cell, Grid, grids_of
from tiebreak.readers.understanding.guard import alike
from tiebreak.readers.understanding.notes import (
    NAMES,
    Problem,
    Told,
    UnclearTable,
    Understood,
    Way,
    alike_problem,
    same_key,
    unclear,
)
from tiebreak.readers.understanding.table import understand
from tiebreak.results import Results
from tiebreak.results.cells import Cells, order_cells
from tiebreak.results.columns import Columns, LineOf
from tiebreak.results.hosts import placed, sortable
from tiebreak.results.items import clustered, sorted_along
from tiebreak.results.roles import ROLES
from tiebreak.results.text import parquet_columns
from tiebreak.wording import option


def check_told(told: Told) -> Told:
    """Refuse options that mean nothing."""
    for name, value, known in (("decimal", told.decimal, (".", ",")), ("names", told.names, NAMES)):
        if value is not None and value not in known:
            raise OptionError(
                f"{name} is {value!r}.",
                why=f"It is one of {quoted(known)}.",
                mend=f"Use {option(**{name: known[0]})}.",
            )
    return told


def grids(source: Any, raw: Columns | None, *, name: str, sheet: str | None) -> list[Grid]:
    """Return the grids of a source; `raw` are its columns where it is no text and was split already."""
    if raw is not None and _is_flat(raw):
        return [grid_of_columns(raw, source=name)]
    if isinstance(source, Path) and source.suffix.lower() in (".parquet", ".pq"):
        return [grid_of_columns(parquet_columns(source, source=name), source=name)]
    return grids_of(source, name=name, sheet=sheet)


def _is_flat(columns: Columns) -> bool:
    """Say whether cells are values: a list of records under one key is a table inside a table."""
    return not any(name.startswith(("{", "[")) for column in columns.values() for name in column.coded().names[:1])


def check_ragged(found: Sequence[Grid], error: InputError) -> None:
    """Refuse all lines with more or fewer cells than the header; titles above it and notes below may be shorter."""
    if len(found) != 1:
        raise error
    rows = found[0].rows
    lengths = [max((i + 1 for i, cell in enumerate(row) if cell.text.strip()), default=0) for row in rows]
    start = next((i for i, length in enumerate(lengths) if length > 1), 0)
    odd = [i for i in range(start + 1, len(rows)) if lengths[i] > 1 and lengths[i] != lengths[start]]
    if len(odd) == 1:
        raise error
    if odd:
        many = (
            "{count} lines of {source} have another number of cells than the header ("
            + f"{lengths[start]}"
            + "): {places}."
        )
        places = tuple(f"line {rows[i][0].line} ({lengths[i]})" for i in odd)
        raise unclear(found[0].source, [Problem(one=many, many=many, places=places, why=error.why, mend=error.mend)])


def understand_one(grids: Sequence[Grid], *, name: str, told: Told, table: int | str | None = None) -> Understood:
    """Understand the table that was named, or the only one that can hold results."""
    if table is not None:
        return understand(_named(grids, table, name), told)
    if len(grids) == 1:
        return understand(grids[0], told)
    found: list[tuple[int, Understood | UnclearTable]] = []
    reasons = []
    for number, grid in enumerate(grids, 1):
        try:
            one = understand(grid, told)
        except UnclearTable as error:
            if len(grid.rows[0]) > 2:
                found.append((number, error))
            else:
                reasons.append(f"{_title(grid, number)}: it has one column of numbers")
        except (InputError, OptionError) as error:  # of these, a condition on a column that this table lacks
            reasons.append(f"{_title(grid, number)}: {error.what}")
        else:
            if all(len(one.order.get(role, ())) > 1 for role in ("dataset", "algorithm")):
                found.append((number, one))
            else:
                reasons.append(f"{_title(grid, number)}: it has fewer than two data sets or algorithms")
    if len(found) == 1:
        number, only = found[0]
        if isinstance(only, UnclearTable):
            raise only
        text = f"{name}: table {number} of {len(grids)} was read, the only one that can hold results."
        return replace(only, notes=(*only.notes, Caveat("sources-left-out", text)))
    raise _several(grids, [number for number, _ in found], reasons, name)


def _title(grid: Grid, number: int) -> str:
    size = f"{len(grid.rows)} x {len(grid.rows[0]) if grid.rows else 0} cells"
    return f"table {number} ({grid.caption + ', ' if grid.caption else ''}{size})"


def _named(grids: Sequence[Grid], table: int | str, name: str) -> Grid:
    text = str(table).strip()
    if text.isdigit() and 1 <= int(text) <= len(grids):
        return grids[int(text) - 1]
    matches = [grid for grid in grids if text and text.lower() in grid.caption.lower()]
    if len(matches) == 1:
        return matches[0]
    raise OptionError(
        f"There is no table {text!r} in {name}." if not matches else f"{len(matches)} tables of {name} match {text!r}.",
        why=f"It holds {', '.join(_title(grid, number) for number, grid in enumerate(grids, 1))}.",
        mend=f"Name one by its number: {option(table=1)}.",
    )


def _several(grids: Sequence[Grid], numbers: Sequence[int], reasons: Sequence[str], name: str) -> UnclearTable:
    if not numbers:
        shown = "; ".join(reasons[:8])
        return UnclearTable(
            f"None of the {len(grids)} tables of {name} holds results that can be read: {shown}.",
            why="There is nothing to compare.",
            mend="Correct one of them.",
        )
    places = tuple(_title(grids[number - 1], number) for number in numbers)
    ways = tuple(Way(when=f"For table {n}", say=option(table=n)) for n in numbers[:8])
    many = "{source} holds {count} tables of results: {places}."
    why = "Each gives its own answer."
    return unclear(name, [Problem(one=many, many=many, places=places, why=why, ways=ways)])


def grid_of_columns(columns: Columns, *, source: str, kind: str = "json", line_of: LineOf | None = None) -> Grid:
    """Turn columns, as frames, parquet and JSON give them, into a grid of text; `line_of` are lines of a text."""
    kind = kind if line_of is None else "csv"
    length = len(next(iter(columns.values()), ()))
    lines = [row + 1 if line_of is None else line_of(row) for row in range(length)]
    header = tuple(Cell(text=str(name), line=0, column=str(i + 1)) for i, name in enumerate(columns))
    body = []
    for i, column in enumerate(columns.values()):
        coded = column.coded()
        names = (*coded.names, "")
        body.append(
            [
                Cell(text=names[code], line=line, column=str(i + 1))
                for line, code in zip(lines, coded.codes.tolist(), strict=True)
            ]
        )
    return Grid(rows=(header, *zip(*body, strict=True)), source=source, kind=kind, header_rows=1)


def results_of(
    found: Understood, *, choose: Callable[[Columns, Mapping[str, str]], list[str] | None], roles: Mapping[str, str]
) -> Results:
    """Make the table; `choose` says which columns to read, given what there is."""
    told = {role: header for role, header in roles.items() if header in found.columns} if found.form == "long" else {}
    if found.form == "long":
        told |= {role: header for role, header in found.roles.items() if role in ROLES}
    wanted = choose(found.columns, told)
    if wanted is not None:
        wanted = [
            *wanted,
            *(f"{each}_sd" for each in wanted if f"{each}_sd" in found.columns and f"{each}_sd" not in wanted),
        ]
    results = Results.from_columns(
        found.columns,
        scores=wanted,
        roles=told,
        source=found.source,
        line_of=None if found.kind == "json" and found.form == "long" else found.line_of,
    )
    known = set(results.caveats)
    failures = frozenset((each.dataset, each.algorithm) for each in found.failures)
    return replace(
        results, failures=failures, caveats=(*results.caveats, *(note for note in found.notes if note not in known))
    )


def settle_names(results: Results, names: str | None, source: str) -> Results:
    """Ask about names that differ by spaces or case alone, or make them one as told."""
    pairs = {role: alike(results.names[role]) for role in ("dataset", "algorithm")}
    if names == "exact" or not any(pairs.values()):
        return results
    if names is None:
        kinds = {"dataset": "data sets", "algorithm": "algorithms"}
        raise unclear(
            source,
            [alike_problem([f"{a!r} and {b!r}" for a, b in own], kinds[role]) for role, own in pairs.items() if own],
        )
    keys = results.key_columns
    said = []
    for role, own in pairs.items():
        if own:
            first: dict[str, str] = {}
            for name in results.names[role]:
                first.setdefault(same_key(name), name)
            keys[role] = keys[role].renamed(lambda name, first=first: first[same_key(name)])  # type: ignore[misc]
            said += [f"{b!r} as {a!r}" for a, b in own]
    values = dict(results.values) | sortable(results.hosts) | sorted_along(results.clusters)
    cells = clustered(placed(order_cells(keys, values, unit=results.unit), results.hosts), results.clusters)
    note = Caveat(
        "read-as", f"{source}: names that differ by spaces or case alone were read as one: {', '.join(said)}."
    )
    metrics = {
        first_of: metric.name
        for first_of, metric in results.metric_of.items()
        if first_of in cells.keys["dataset"].names
    }
    made = Cells(keys=cells.keys, values=cells.values, notes=(*results.caveats, note), metrics=metrics)
    made = replace(made, hosts=cells.hosts, unit=results.unit, clusters=cells.clusters)
    settled = Results.from_cells(made, frame_kind=results.frame_kind, costs=results.costs)
    return replace(settled, failures=results.failures)
