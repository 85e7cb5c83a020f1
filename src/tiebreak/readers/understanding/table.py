"""From grids of text to a table of results: the one that holds them, in long form, wide form, or transposed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.readers.detect import detect
from tiebreak.readers.detect.columns import METRICS, VALUES, cells_of, role_of, word
from tiebreak.readers.grids import Cell, Grid, grids_of
from tiebreak.readers.raw_tables import kept
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.guard import alike
from tiebreak.readers.understanding.layout import (
    FAILURE,
    GAP,
    NUMBER,
    Item,
    Layout,
    column_place,
    is_numbering,
    is_numeric,
    lay_out,
    parse,
    readings,
    spread,
)
from tiebreak.readers.understanding.long import filled, understand_long
from tiebreak.readers.understanding.notes import (
    NAMES,
    LeftOut,
    Notes,
    Problem,
    Told,
    UnclearTable,
    Understood,
    Way,
    alike_problem,
    same_key,
    unclear,
)
from tiebreak.readers.understanding.wide import understand_wide
from tiebreak.results import Results
from tiebreak.results.cells import Cells, order_cells
from tiebreak.results.columns import Columns, LineOf, TextColumn, Where
from tiebreak.results.hosts import placed, sortable
from tiebreak.results.items import clustered, sorted_along
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import METRIC, ROLES, SYNONYMS
from tiebreak.results.text import parquet_columns
from tiebreak.wording import option

NUMBER_SIGN = "#"
"""Told as a header, it stands for the number of the row: rows without names are data sets, or folds of one."""


def understand(grid: Grid, told: Told | None = None) -> Understood:
    """Understand one grid, or raise one error that names all that is wrong with it.

    Examples
    --------
    >>> from tiebreak.readers.grids import Cell, Grid
    >>> text = [["", "iris", "wine", "Average"], ["RF", "95.1%", "**97 %**", "96"], ["SVM", "OOM", "-", "-"]]
    >>> rows = tuple(tuple(Cell(text=cell, line=i + 1) for cell in row) for i, row in enumerate(text))
    >>> found = understand(Grid(rows=rows, source="t.csv", kind="csv"))
    >>> found.form, [left.name for left in found.left_out], found.failures[0].word, found.gaps
    ('transposed', ['Average'], 'OOM', 1)
    """
    told = told or Told()
    try:
        return _understood(grid, told)
    except _Undetermined as error:
        inferred = _inferred(grid, told)
        if inferred is None:
            raise error.otherwise() from None
        return inferred


class _Undetermined(Exception):
    """The header names too few roles; what else could be made of the table may be an error."""

    def __init__(self, otherwise: Callable[[], Exception]) -> None:
        super().__init__()
        self.otherwise = otherwise


def _inferred(grid: Grid, told: Told) -> Understood | None:
    """Understand a table in a shape of some tool, whose cells are not plain; None where it has none."""
    layout = _flat(lay_out(grid))
    if layout.headless or not layout.body or len(layout.levels) > 1 or told.transpose is not None or told.where:
        return None
    headers = layout.headers
    if len(set(headers)) < len(headers):
        return None
    columns: Columns = {header: _Cells(layout.column(place)) for place, header in enumerate(headers)}
    stem = Path(grid.source).stem if grid.kind != "text" else "the table"
    try:
        found = detect(columns, source=grid.source, stem=stem, wanted=told.scores, told=told.roles)
    except InputError:  # a cell that is named where the table is understood without it
        return None
    if found is None or "algorithm" not in found.roles or "item" in found.roles:
        return None
    cells = [list(found.columns), *zip(*(cells_of(column) for column in found.columns.values()), strict=True)]
    rows = tuple(
        tuple(Cell(text=str(text), line=line, column=str(place)) for place, text in enumerate(row, start=1))
        for line, row in enumerate(cells)
    )
    again = _understood(
        Grid(rows=rows, source=grid.source, kind=grid.kind, caption=grid.caption, header_rows=1),
        replace(told, roles={role: header for role, header in found.roles.items() if role in ROLES}),
        inferring=False,
    )
    return replace(again, notes=(*again.notes, *found.notes, *(Caveat("inferred", fact) for fact in found.facts)))


class _Cells(TextColumn):
    """A column of cells with marks: one of numbers where most cells are such."""

    __slots__ = ("items",)

    def __init__(self, items: Sequence[Item]) -> None:
        super().__init__([item.cell.text for item in items])
        self.items = items

    def is_number(self) -> bool:
        """Say whether the column holds numbers, perhaps with marks."""
        return is_numeric(self.items)

    def as_numbers(self, where: Where) -> FloatArray:
        """Return the numbers without their marks."""
        return TextColumn(_comparable(list(self.items))).as_numbers(where)


def _understood(grid: Grid, told: Told, *, inferring: bool = True) -> Understood:
    layout = _flat(lay_out(grid))
    notes = Notes(source=grid.source, kind=grid.kind)
    if layout.headless:
        raise _headless(layout)
    if not layout.body:
        raise InputError(
            f"{grid.source} holds no rows.", why="There is nothing to compare.", mend="Give a table with results in it."
        )
    if told.where:
        layout = _filtered(layout, told, notes)
    if told.roles and NUMBER_SIGN in told.roles.values():
        layout, told = _numbered(layout, told)
    roles, headers = _roles(layout, told), layout.headers
    of_one_set = "dataset" not in roles and "algorithm" in roles and not _may_be_transposed(layout, roles["algorithm"])
    texts = [header for place, header in enumerate(headers) if not is_numeric(layout.column(place))]
    named = "algorithm" not in roles and any(role_of(header) == "algorithm" for header in texts)
    unasked = len(roles) > 1 and "algorithm" in roles and not set(told.scores or headers) & set(headers)
    kinds = {word(header) for header in headers}
    tidy = "algorithm" not in roles and bool(kinds & set(METRICS)) and bool(kinds & set(VALUES))
    if inferring and (of_one_set or named or unasked or tidy) and (inferred := _inferred(grid, told)) is not None:
        return inferred
    if "algorithm" in roles and ("dataset" in roles or not _may_be_transposed(layout, roles["algorithm"])):
        return understand_long(layout, roles, told, notes)
    _leave_numbering(layout, roles, notes)
    keys = {role: place for role, place in roles.items() if role in ("replication", "fold", METRIC)}
    names = roles.get("dataset", roles.get("algorithm"))
    if names is None:
        names = _names(layout, set(keys.values()) | notes.taken)
    if names is None:
        raise _Undetermined(partial(_nameless, layout))
    _refuse_scores(layout, names, roles, told)
    return understand_wide(layout, names, keys, told, notes)


def _flat(layout: Layout) -> Layout:
    """Write accuracy over mean and std, as pandas writes what it aggregated, as accuracy_mean and accuracy_std."""
    levels = [level for level in map(spread, layout.levels) if any(level[1:])]
    if len(levels) != 2 or not all(words.is_mean(text) or words.is_sd(text) for text in levels[1][1:]):
        return layout
    names = [f"{up}{'_sd' if words.is_sd(low) else ''}" for up, low in zip(*levels, strict=True)]
    if len(set(names)) < len(names) or not all(map(_is_score, levels[0][1:])):
        return layout
    return replace(layout, levels=((layout.headers[0], *names[1:]),))


def _filtered(layout: Layout, told: Told, notes: Notes) -> Layout:
    """Keep the rows that meet the conditions, before anything is made of them; a column that only chose rows goes."""
    headers, roles = layout.headers, _roles(layout, told)
    if "algorithm" in roles and "dataset" in roles:  # a condition on a name holds for the rows of its merged cell
        layout = replace(layout, body=tuple(filled(layout, roles, notes)))
    columns: Columns = {header: TextColumn(_comparable(layout.column(i))) for i, header in enumerate(headers)}
    keys = {role: headers[place] for role, place in roles.items()}
    asked = [*(told.scores or ()), *(told.algorithms or ())]
    left, row_of, said = kept(columns, int, told.where, source=layout.grid.source, roles=keys, asked=asked)
    notes.said.extend(said)
    places = [place for place, header in enumerate(headers) if header in left]
    rows = [layout.body[row_of(row)] for row in range(len(next(iter(left.values()), ())))] if row_of else []
    return replace(
        layout,
        levels=tuple(tuple(level[place] for place in places) for level in layout.levels),
        body=tuple(tuple(row[place] for place in places) for row in rows),
    )


def _comparable(column: list[Item]) -> list[str]:
    """Write numbers as a condition can compare them, and gaps among them as empty cells; other text stays."""
    if not any(item.kind == NUMBER for item in column) or not is_numeric(column):
        return [item.text for item in column]
    out = []
    for item in column:
        found = set(readings(item.parsed.value).values()) if item.kind == NUMBER else set()
        out.append(str(found.pop()) if len(found) == 1 else "" if item.kind in (GAP, FAILURE) else item.text)
    return out


def _roles(layout: Layout, told: Told) -> dict[str, int]:
    """Find the places of the key columns: as told, or by their headers."""
    headers = list(layout.headers)
    found = {role: headers.index(header) for role, header in told.roles.items() if header in headers}
    for role in (*ROLES, METRIC):
        if role in found:
            continue
        known = SYNONYMS.get(role, [METRIC])
        free = [place for place in range(len(headers)) if place not in found.values()]
        places = [place for place in free if headers[place].strip().lower() in known]
        exact = [place for place in places if headers[place] == role]
        if len(exact or places) == 1:
            found[role] = (exact or places)[0]
    if METRIC in found and is_numeric(layout.column(found[METRIC])) and METRIC not in told.roles:
        del found[METRIC]
    return found


def _may_be_transposed(layout: Layout, place: int) -> bool:
    """Say whether a table that names algorithms but no data sets has those in its header, instead of scores."""
    if any(not is_numeric(layout.column(other)) for other in range(place)):
        return False
    others = [header for i, header in enumerate(layout.headers) if i != place and is_numeric(layout.column(i))]
    results = [header for header in others if not words.is_summary(header) and not words.is_description(header)]
    return (bool(results) and not any(_is_score(header) for header in results)) or len(layout.levels) > 1


def _is_score(header: str) -> bool:
    return metric_named(header).higher_is_better is not None


def _leave_numbering(layout: Layout, roles: dict[str, int], notes: Notes) -> None:
    """Leave out a column that numbers the rows, where another one names them."""
    texts = [place for place in range(len(layout.headers)) if not is_numeric(layout.column(place))]
    for place, header in enumerate(layout.headers):
        numbering = words.is_index(header) and is_numbering(layout.column(place)) and place not in roles.values()
        if numbering and (texts or "dataset" in roles):
            notes.taken.add(place)
            why = "it numbers the rows"
            notes.left.append(LeftOut(what="row numbers", name=header, place=column_place(layout, place), why=why))


def _names(layout: Layout, taken: set[int]) -> int | None:
    """Choose the column that names the rows: the one that says so, else the first of text."""
    texts = [
        place for place in range(len(layout.headers)) if place not in taken and not is_numeric(layout.column(place))
    ]
    titled = [place for place in texts if words.titled(layout.headers[place]) is not None]
    if titled or texts:
        telling = [place for place in texts if len({item.text for item in layout.column(place)}) == len(layout.body)]
        return (titled or telling or texts)[0]
    first = 0
    cells = layout.column(first)
    named = words.titled(layout.headers[first]) is not None and first not in taken
    return first if named and all(not item.empty for item in cells) else None


def _refuse_scores(layout: Layout, names: int, roles: dict[str, int], told: Told) -> None:
    """Refuse a table whose columns are scores while nothing names the algorithms: it is in long form."""
    if len(layout.levels) > 1 or told.algorithms is not None:
        return
    others = [i for i in range(len(layout.headers)) if i != names and i not in roles.values()]
    scores = [layout.headers[i] for i in others if is_numeric(layout.column(i)) and _is_score(layout.headers[i])]
    numbers = [i for i in others if is_numeric(layout.column(i)) and not words.is_summary(layout.headers[i])]
    real = [name for name in scores if not words.is_summary(name)]
    if not real or len(real) * 2 < len(numbers):
        return
    texts = [layout.headers[i] for i in others if not is_numeric(layout.column(i))]
    guess = (texts or ["..."])[0]
    error = UnclearTable(
        f"{layout.grid.source} has a column {real[0]!r} but none that names the algorithms.",
        why="In wide form every column beside the data set is an algorithm, and this one is a score or cost.",
        mend=f"Name it: {option(columns={'algorithm': guess})}; or rename {real[0]!r} if it is an algorithm.",
    )
    raise _Undetermined(lambda: error)


def _numbered(layout: Layout, told: Told) -> tuple[Layout, Told]:
    """Number the rows, for a table without names whose rows were said to be data sets or folds."""
    role = next(role for role, header in told.roles.items() if header == NUMBER_SIGN)
    index = [words.is_index(header) and is_numbering(layout.column(i)) for i, header in enumerate(layout.headers)]
    keep = [i for i, numbering in enumerate(index) if not numbering]
    titles = (told.roles.get("algorithm"), *(h for h in layout.headers if words.titled(h) == "algorithm"))
    named = next((i for i in keep if layout.headers[i] in titles), None)
    seen = Counter[str]()
    number = list[int]()
    for i, row in enumerate(layout.body):  # in long form the rows of each algorithm
        seen["" if named is None else row[named].text] += 1
        number.append(i + 1 if named is None else seen[row[named].text])

    def made(text: str, like: Cell) -> Item:
        return Item(cell=Cell(text=text, line=like.line, column=""), parsed=parse(text))

    new = ["dataset"] if role == "dataset" else ["dataset", role]
    words_of = {"dataset": "row {}" if role == "dataset" else "all rows", role: "row {}" if role == "dataset" else "{}"}
    body = tuple(
        (*(made(words_of[name].format(number[i]), row[0].cell) for name in new), *(row[k] for k in keep))
        for i, row in enumerate(layout.body)
    )
    levels = tuple(
        (*(new if level is layout.levels[-1] else [""] * len(new)), *(level[k] for k in keep))
        for level in layout.levels
    )
    roles = {name: header for name, header in told.roles.items() if header != NUMBER_SIGN}
    return replace(layout, body=body, levels=levels), replace(told, roles=roles)


def _nameless(layout: Layout) -> UnclearTable:
    """Rows without names may be data sets, or folds of one: the answers differ, so it is asked."""
    first = layout.headers[0]
    ways = [
        Way(when="If every row is a data set", say=option(columns={"dataset": "#"})),
        Way(when="If rows are folds of one data set", say=option(columns={"fold": "#"})),
    ]
    if first:
        ways.append(Way(when="If the numbers are the names", say=option(columns={"dataset": first})))
    problem = Problem(
        one="No column of {source} names the data sets: the first one{place} holds numbers.",
        many="",
        places=(f", {first!r}," if first else ", which has no name,",),
        why="Rows are identified by the name of their data set.",
        mend="Add a first column 'dataset'.",
        ways=tuple(ways),
    )
    return unclear(layout.grid.source, [problem])


def _headless(layout: Layout) -> InputError:
    row = layout.body[0]
    return InputError(
        f"The first row of {layout.grid.source} (line {row[0].cell.line}) holds numbers:"
        f" {quoted([item.text for item in row], limit=4)}.",
        why="It must name the columns: nothing says which algorithms these are.",
        mend="Add a first line with names, such as dataset,RF,SVM.",
    )


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
