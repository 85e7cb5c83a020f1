"""From a grid of text to a table of results: long form, wide form, or wide and transposed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat
from tiebreak.errors import InputError, quoted
from tiebreak.readers.detect import detect
from tiebreak.readers.detect.columns import cells_of
from tiebreak.readers.detect.headers import METRICS, VALUES, role_of, word
from tiebreak.readers.grids import Cell, Grid
from tiebreak.readers.raw_tables import kept
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.cells import FAILURE, GAP, NUMBER, parse, readings
from tiebreak.readers.understanding.layout import Item, Layout, column_place, is_numbering, is_numeric, lay_out
from tiebreak.readers.understanding.long import filled, understand_long
from tiebreak.readers.understanding.notes import LeftOut, Notes, Problem, Told, UnclearTable, Understood, Way, unclear
from tiebreak.readers.understanding.wide import understand_wide
from tiebreak.results.columns import Columns, TextColumn, Where
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import METRIC, ROLES, SYNONYMS
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
    layout = lay_out(grid)
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
    layout = lay_out(grid)
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
        return (titled or texts)[0]
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
