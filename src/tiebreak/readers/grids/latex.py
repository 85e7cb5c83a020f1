r"""Tables of a LaTeX file: tabular and its relatives, with rules, spans, captions and the author's own macros."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from pathlib import Path

from tiebreak.caveats import Caveats
from tiebreak.readers.grids.grid import Cell, Grid, check_cells, rectangle, uneven
from tiebreak.readers.grids.tex_cells import tex_text
from tiebreak.readers.grids.tex_source import (
    Macros,
    argument,
    argument_end,
    expanded,
    macros_of,
    optional_end,
    prepared,
    taken_in,
)

TABLES = "tabular tabularx tabulary tabularew longtable xltabular longtabu tabu supertabular mpsupertabular tblr "
TABLES += "longtblr talltblr NiceTabular NiceTabularX NiceTabular* tabular* xtabular ctabular deluxetable"
_SIZED = ("tabularx", "tabulary", "xltabular", "tabular*", "NiceTabularX", "NiceTabular*")  # a width comes first
_NAMES = "|".join(re.escape(name) for name in sorted(set(TABLES.split()), key=len, reverse=True))
_ENDS = re.compile(r"\\(begin|end)\s*\{(" + _NAMES + r")\}")
_FLOAT = re.compile(r"\\(begin|end)\s*\{((?:sub|wrap|sideways|measured|three)?(?:part)?(?:long)?table\*?|minipage)\}")
_MARK = re.compile(
    r"\\\\[ \t]*\*?(?:[ \t]*\[[^\[\]\n]*\])?|\\(?:tabularnewline|cr)(?![a-zA-Z])(?:\[[^\[\]\n]*\])?|"
    r"&|\\[a-zA-Z]+|\\.|[{}]",
    re.DOTALL,
)
_ENDS_CELL = re.compile(r"&|\\\\|\\tabularnewline|\\cr(?![a-zA-Z])")
_CAPTION = re.compile(r"\\(?:sub)?caption(?:of\s*\{[a-z]+\})?\*?\s*(?:\[[^\[\]]*\])?\s*\{")
_RULES = ("hline", "midrule", "toprule", "bottomrule", "Xhline", "specialrule", "hdashline", "thickhline", "Hline")
_HEAD = re.compile(
    r"\s*\\(?:(toprule|midrule|bottomrule|hline|Hline|thickhline|hdashline|Xhline|specialrule)|cmidrule|cline|cdashline|"
    r"addlinespace|morecmidrules|noalign|rowcolor|arrayrulecolor|endfirsthead|endhead|endfoot|endlastfoot|caption|label|"
    r"rowfont|centering|small|footnotesize|scriptsize|tiny|setlength|hhline|cmidrulewidth|tablehead|tabletail|"
    r"tablefirsthead|tablelasttail|colhead|startdata|enddata|rowstyle|SetRow|SetCell|morecmidrules|pagebreak|nopagebreak)"
    r"(?![a-zA-Z])"
)
_WITHOUT = re.compile(r"\s*(?:\*|\((?:[^()]*)\)|\[[^\[\]]*\])*")
_SPAN = re.compile(r"\s*(?:\\(?:cellcolor|rowcolor)(?:\[[^\[\]]*\])?\{[^{}]*\}\s*)*\\(multicolumn|multirow)\s*")


@dataclass(slots=True)
class _Body:
    """The rows of a table as source, with what stood between them."""

    rows: list[list[tuple[str, int]]] = field(default_factory=list)
    rules: list[tuple[int, str]] = field(default_factory=list)  # rows before the rule, and its name
    ends: dict[str, int] = field(default_factory=dict)  # \endhead and its like: rows before it


def latex(
    source: str, *, name: str, notes: Caveats = (), folder: Path | None = None, macros: Macros | None = None
) -> list[Grid]:
    """Find the tables of a LaTeX text, and of the files that it takes in if they lie in its folder.

    Rows without a tabular around them are read too. The macros of a file hold in those that it takes in.
    """
    text = prepared(source)
    macros = {**(macros or {}), **macros_of(text)}
    text, others = taken_in(text, folder, name)
    lines = [found.start() for found in re.finditer("\n", text)]
    grids, floats = list[Grid](), _floats(text)
    for start, end, kind, outer in _environments(text):
        first = bisect_right(lines, start - 1) + 1
        body = expanded(_skip_columns(_flattened(text[start:end]), kind), macros)
        grid = _grid(body, first, name, caption=_caption(text, outer, floats, body, macros))
        if grid is not None:
            grids.append(grid)
    if not grids and not _ENDS.search(text) and has_rows(text):
        bare = _grid(expanded(text, macros), 1, name, caption="")
        grids += [bare] if bare is not None else []
    for other, inner in others:
        grids += latex(inner, name=other, macros=macros)
    return [replace(grid, notes=(*notes, *grid.notes)) for grid in grids]


def has_rows(text: str) -> bool:
    """Say whether a text holds two lines with cells and the end of a row, as somebody may copy them."""
    found = (line for line in text.split("\n") if "&" in line and "\\\\" in line)
    return next(found, None) is not None and next(found, None) is not None


def _environments(text: str) -> list[tuple[int, int, str, int]]:
    """Return where the content of each outermost table begins and ends, its kind, and where the table begins."""
    found, open_ = [], list[tuple[str, re.Match[str]]]()
    for match in _ENDS.finditer(text):
        if match.group(1) == "begin":
            open_.append((match.group(2), match))
        elif open_:
            kind, begin = open_.pop()
            if not open_:
                found.append((begin.end(), match.start(), kind, begin.start()))
    return found


def _flattened(body: str) -> str:
    """Put what stands in a small table inside a cell on one line: people break long headers so."""
    for inner in reversed(list(_ENDS.finditer(body))):  # from the last on: what stands before keeps its place
        if inner.group(1) == "end":
            continue
        end = body.find(f"\\end{{{inner.group(2)}}}", inner.end())
        if end < 0:
            return body[: inner.start()]
        content = _skip_columns(body[inner.end() : end], inner.group(2))
        plain = re.sub(r"\\\\(?:\[[^\[\]]*\])?|(?<!\\)&", " ", content)
        body = body[: inner.start()] + "{" + plain + "}" + body[end + len(f"\\end{{{inner.group(2)}}}") :]
    return body


def _skip_columns(body: str, kind: str) -> str:
    """Leave out the arguments of the environment, but keep their line breaks: lines are counted."""
    place = 0
    for _ in range(2 if kind in _SIZED else 1):
        place = optional_end(body, place)
        found = re.compile(r"\s*\{").match(body, place)
        if found:
            place = argument_end(body, found.end() - 1)
    return "\n" * body.count("\n", 0, place) + body[place:]


def _read(body: str) -> _Body:
    """Split at the marks between cells and rows that stand in no braces."""
    made, row, depth, place = _Body(), list[tuple[str, int]](), 0, 0
    for found in _MARK.finditer(body):
        mark = found.group(0)
        if mark in "{}":
            depth = max(0, depth + (1 if mark == "{" else -1))
        elif depth == 0 and _ENDS_CELL.match(mark):
            row.append((body[place : found.start()], place))
            place = found.end()
            if mark != "&":
                _close(made, row)
                row = []
    row.append((body[place:], place))
    _close(made, row)
    return made


def _close(made: _Body, row: list[tuple[str, int]]) -> None:
    """Take the rules and other commands off the front of a row, and keep the row if anything is left."""
    text, place = row[0]
    while head := _HEAD.match(text):
        name = head.group(0).strip().lstrip("\\")
        if name in _RULES:
            made.rules.append((len(made.rows), name))
        elif name.startswith("end"):
            made.ends.setdefault(name, len(made.rows))
        rest = _WITHOUT.match(text, head.end())
        end = rest.end() if rest else head.end()
        while name not in _RULES[:4] and text[end : end + 1] == "{":
            end = argument_end(text, end)
        text, place = text[end:], place + end
    row[0] = (text, place)
    if any(cell.strip() for cell, _ in row):
        made.rows.append(row)


def _grid(body: str, first: int, name: str, caption: str) -> Grid | None:
    """Make a grid of a table's source, which begins on line `first`; None where it has one column or no row."""
    breaks = [found.start() for found in re.finditer("\n", body)]
    made = _read(body)
    rows, down = list[list[Cell]](), list[tuple[int, int, int, int]]()
    check_cells(sum(_spanned(source)[0] for row in made.rows for source, _ in row), name)
    for number, row in enumerate(made.rows):
        cells = list[Cell]()
        for source, place in row:
            line = first + bisect_right(breaks, place + len(source) - len(source.lstrip()) - 1)
            wide, high, content = _spanned(source)
            if abs(high) > 1:
                down.append((number, len(cells), wide, high))
            text, bold = tex_text(content)
            cells += [Cell(text=text, bold=bold, line=line, column=str(len(cells) + more + 1)) for more in range(wide)]
        rows.append(cells)
    full = [list(row) for row in rectangle(rows, name)]
    for span in down:
        _fill(full, *span)
    kept, headers = _headed(made, full)
    if not kept or len(kept[0]) < 2:
        return None
    return Grid(
        rows=tuple(map(tuple, kept)),
        source=name,
        kind="latex",
        caption=caption,
        header_rows=headers,
        notes=uneven(rows, name),
    )


def _fill(rows: list[list[Cell]], number: int, column: int, wide: int, high: int) -> None:
    """Put a cell into the empty places that it spans, below it or, for a negative height, above it."""
    spanned = range(number + 1, number + high) if high > 0 else range(number + high + 1, number)
    for row in spanned:
        if not 0 <= row < len(rows):
            continue
        for place in range(column, column + wide):
            if not rows[row][place].text:
                rows[row][place] = replace(rows[number][column], line=rows[row][place].line, column=str(place + 1))


def _spanned(source: str) -> tuple[int, int, str]:
    r"""Return how many columns and rows a cell spans, and what is in it.

    Examples
    --------
    >>> _spanned(r"\multicolumn{2}{c}{\multirow{3}{*}{RF} x}")
    (2, 3, 'RF x')
    """
    wide, high = 1, 1
    for _ in range(2):
        found = _SPAN.match(source)
        if not found:
            break
        place = optional_end(source, found.end())
        count, place = argument(source, place)
        _, place = argument(source, optional_end(source, place))
        content, place = argument(source, optional_end(source, place))
        number = int(count) if re.fullmatch(r"\s*-?\d{1,5}\s*", count) else 1
        if found.group(1) == "multicolumn":
            wide = max(1, number)
        else:
            high = number
        source = content + source[place:]
    return wide, high, source


def _headed(made: _Body, rows: list[list[Cell]]) -> tuple[list[list[Cell]], int | None]:
    """Find the header by the rules, and leave out what a long table repeats on every page."""
    if made.ends:
        head = made.ends.get("endfirsthead", made.ends.get("endhead", 0))
        start = max(made.ends.values())
        return rows[:head] + rows[start:], head or None
    inside = [(place, name) for place, name in made.rules if 0 < place < len(rows)]
    middle = [place for place, name in inside if name == "midrule"]
    if middle:
        return rows, middle[0]
    places = {place for place, _ in inside}
    ruled = len(rows) > 2 and len(places) >= len(rows) - 1  # a rule behind every row says nothing
    return rows, None if ruled or not places else min(places)


def _floats(text: str) -> list[tuple[int, int]]:
    """Return where floats begin and end, the shorter first."""
    spans, open_ = list[tuple[int, int]](), list[int]()
    for found in _FLOAT.finditer(text):
        if found.group(1) == "begin":
            open_.append(found.start())
        elif open_:
            spans.append((open_.pop(), found.end()))
    return sorted(spans, key=lambda span: span[1] - span[0])


def _caption(text: str, place: int, floats: list[tuple[int, int]], body: str, macros: Macros) -> str:
    """Return the caption of the innermost float around a table that has one, the nearest where it has several."""
    own = _CAPTION.search(body)
    if own:
        return tex_text(argument(body, own.end() - 1)[0])[0]
    for start, end in (span for span in floats if span[0] < place < span[1]):
        near = min(_CAPTION.finditer(text, start, end), key=lambda found: abs(found.start() - place), default=None)
        if near:
            return tex_text(expanded(argument(text, near.end() - 1)[0], macros))[0]
    return ""
