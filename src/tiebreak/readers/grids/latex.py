r"""Tables of a LaTeX file: tabular and its relatives, with rules, spans, captions and the author's own macros."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from tiebreak.caveats import Caveats
from tiebreak.errors import InputError
from tiebreak.readers.grids import Cell, Grid, check_cells, rectangle, uneven
from tiebreak.readers.grids.files import decoded
from tiebreak.readers.grids.marks import tex_text

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_HIDDEN = re.compile(r"\\begin\{(verbatim\*?|lstlisting|minted|comment|filecontents\*?)\}|\\iffalse(?![a-zA-Z])")
_LONGEST_MACRO = 1000
_MOST_MACROS = 2000
_NEW = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\s*\\([a-zA-Z]+)\s*\}?\s*"
    r"(?:\[(\d)\])?(\[[^\[\]]*\])?\s*\{|\\def\s*\\([a-zA-Z]+)((?:#\d)*)\s*\{"
)
_STRUCTURE = re.compile(r"\\(?:begin|end|caption|multicolumn|multirow|hline|\\)")
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}\n]{1,200})\}")
_MOST_FILES = 200
_LARGEST_FILE = 10_000_000
_PASSES = 6
_GROWTH = 4  # a text may grow by macros to so many times its length, and 100,000 characters


def prepared(source: str) -> str:
    """Blank out what is not printed; every line keeps its number."""
    text = _COMMENT.sub(r"\1", source)
    parts, place = list[str](), 0
    while match := _HIDDEN.search(text, place):
        close = f"\\end{{{match.group(1)}}}" if match.group(1) else "\\fi"
        end = text.find(close, match.end())
        if end < 0:
            break
        parts += [text[place : match.start()], "\n" * text.count("\n", match.start(), end)]
        place = end + len(close)
    return "".join([*parts, text[place:]])


def taken_in(text: str, folder: Path | None, name: str) -> tuple[str, list[tuple[str, str]]]:
    r"""Put the rows that a table takes in by \input in their place, on one line; return the other files beside it.

    Files are looked for in the folder of the text and below it, as LaTeX finds them; those that are not there are
    left alone: a table need not be in them.
    """
    if folder is None:
        return text, []
    files: dict[str, str] = {name: text}
    queue = [name]
    for word in queue:
        files[word], outer = _with_rows(files[word], folder)
        for wanted, inner in outer:
            if wanted not in files and wanted.removesuffix(".tex") != name.removesuffix(".tex"):
                files[wanted] = inner
                queue.append(wanted)
        if len(files) > _MOST_FILES:
            break
    whole = files.pop(name)
    return whole, list(files.items())


def _with_rows(text: str, folder: Path) -> tuple[str, list[tuple[str, str]]]:
    """Put the rows that tables take in in their place, and return the files that are taken in elsewhere."""
    outer, parts, place = list[tuple[str, str]](), list[str](), 0
    for match in islice(_INPUT.finditer(text), _MOST_FILES):
        wanted = match.group(1).strip()
        inner = _file(folder, wanted)
        if inner is None:
            continue
        if _within_table(text, match.start()):
            parts += [text[place : match.start()], " ".join(inner.split("\n"))]
            place = match.end()
        else:
            outer.append((wanted, inner))
    return "".join([*parts, text[place:]]), outer


def _within_table(text: str, place: int) -> bool:
    """Say whether the last table that begins before a place has not ended there."""
    begin = max(text.rfind(f"\\begin{{{kind}", 0, place) for kind in ("tabu", "longt", "xltabu", "tblr"))
    end = max(text.rfind(f"\\end{{{kind}", 0, place) for kind in ("tabu", "longt", "xltabu", "tblr"))
    return begin > end


def _file(folder: Path, wanted: str) -> str | None:
    """Read a file below a folder, without what is not printed."""
    if ".." in wanted or wanted.startswith(("/", "~")) or "\0" in wanted:
        return None
    for path in (folder / wanted, folder / f"{wanted}.tex"):
        try:
            if path.is_file() and path.stat().st_size < _LARGEST_FILE:
                return prepared(decoded(path.read_bytes(), path.name)[0])
        except (OSError, InputError):
            return None
    return None


def argument_end(text: str, start: int) -> int:
    """Return the place behind the closing brace of the group that opens at `start`; the end where none closes."""
    depth, place = 0, start
    for match in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, start):
        mark = match.group(0)
        depth += {"{": 1, "}": -1}.get(mark, 0)
        place = match.end()
        if depth == 0:
            return place
    return len(text)


def argument(text: str, start: int) -> tuple[str, int]:
    """Return the argument at `start`, with or without braces, and the place behind it."""
    while start < len(text) and text[start].isspace():
        start += 1
    if text[start : start + 1] != "{":
        match = re.compile(r"\\[a-zA-Z]+|.", re.DOTALL).match(text, start)
        return (match.group(0), match.end()) if match else ("", start)
    end = argument_end(text, start)
    return text[start + 1 : end - (text[end - 1 : end] == "}")], end


def optional_end(text: str, start: int) -> int:
    """Return the place behind an optional argument at `start`, or `start` where there is none."""
    place = start
    while place < len(text) and text[place] in " \t\n":
        place += 1
    if text[place : place + 1] != "[":
        return start
    end = text.find("]", place, place + 500)
    return start if end < 0 else end + 1


Macros = dict[str, tuple[int, str | None, str]]
"""Name of a macro: its number of arguments, the default of the first, its body."""


def macros_of(text: str) -> Macros:
    r"""Return the macros that a text defines, `\newcommand{\best}[1]{\textbf{#1}}` for one."""
    macros: Macros = {}
    for match in islice(_NEW.finditer(text), _MOST_MACROS):
        name = match.group(1) or match.group(4)
        count = int(match.group(2) or 0) if match.group(1) else len(match.group(5)) // 2
        default = match.group(3)[1:-1] if match.group(3) else None
        body, _ = argument(text[match.end() - 1 : match.end() + _LONGEST_MACRO], 0)
        if len(body) < _LONGEST_MACRO and f"\\{name}" not in body:
            macros[name] = (count, default, body)
    return macros


def expanded(text: str, macros: Macros) -> str:
    """Put the bodies of macros in their places; a line break in an argument stays, so lines keep their numbers."""
    if not macros:
        return text
    call = re.compile(r"\\(" + "|".join(sorted(map(re.escape, macros), key=len, reverse=True)) + r")(?![a-zA-Z])")
    most = _GROWTH * len(text) + 100_000
    for _ in range(_PASSES):
        parts, place, size = list[str](), 0, 0
        while match := call.search(text, place):
            made, end = _call(text, match, macros[match.group(1)])
            parts += [text[place : match.start()], made]
            size += match.start() - place + len(made)
            place = end
            if size > most:
                return text
        if not parts:
            return text
        text = "".join([*parts, text[place:]])
    return text


def _call(text: str, match: re.Match[str], macro: tuple[int, str | None, str]) -> tuple[str, int]:
    """Return one call written out, and the place behind it."""
    count, default, body = macro
    end, given = match.end(), list[str]()
    if default is not None:
        behind = optional_end(text, end)
        given.append(text[end:behind].strip()[1:-1] if behind > end else default)
        end = behind
    while len(given) < count:
        value, end = argument(text, end)
        given.append(value)
    made = re.sub(
        r"#(\d)", lambda result: given[int(result.group(1)) - 1] if int(result.group(1)) <= count else "", body
    )
    if not count and text[end : end + 2] == "{}":
        end += 2
    return ("{" + made + "}" if not _STRUCTURE.search(made) else made), end


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
    lines = [match.start() for match in re.finditer("\n", text)]
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
    rng = (line for line in text.split("\n") if "&" in line and "\\\\" in line)
    return next(rng, None) is not None and next(rng, None) is not None


def _environments(text: str) -> list[tuple[int, int, str, int]]:
    """Return where the content of each outermost table begins and ends, its kind, and where the table begins."""
    result, open_ = [], list[tuple[str, re.Match[str]]]()
    for match in _ENDS.finditer(text):
        if match.group(1) == "begin":
            open_.append((match.group(2), match))
        elif open_:
            kind, begin = open_.pop()
            if not open_:
                result.append((begin.end(), match.start(), kind, begin.start()))
    return result


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
        match = re.compile(r"\s*\{").match(body, place)
        if match:
            place = argument_end(body, match.end() - 1)
    return "\n" * body.count("\n", 0, place) + body[place:]


def _read(body: str) -> _Body:
    """Split at the marks between cells and rows that stand in no braces."""
    made, row, depth, place = _Body(), list[tuple[str, int]](), 0, 0
    for match in _MARK.finditer(body):
        mark = match.group(0)
        if mark in "{}":
            depth = max(0, depth + (1 if mark == "{" else -1))
        elif depth == 0 and _ENDS_CELL.match(mark):
            row.append((body[place : match.start()], place))
            place = match.end()
            if mark != "&":
                _close(made, row)
                row = []
    row.append((body[place:], place))
    _close(made, row)
    return made


def _close(made: _Body, row: list[tuple[str, int]]) -> None:
    """Remove rules and other commands from the start of a row; drop the row if nothing is left."""
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
    breaks = [match.start() for match in re.finditer("\n", body)]
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
    remaining, headers = _headed(made, full)
    if not remaining or len(remaining[0]) < 2:
        return None
    return Grid(
        rows=tuple(map(tuple, remaining)),
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
        match = _SPAN.match(source)
        if not match:
            break
        place = optional_end(source, match.end())
        count, place = argument(source, place)
        _, place = argument(source, optional_end(source, place))
        content, place = argument(source, optional_end(source, place))
        number = int(count) if re.fullmatch(r"\s*-?\d{1,5}\s*", count) else 1
        if match.group(1) == "multicolumn":
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
    for match in _FLOAT.finditer(text):
        if match.group(1) == "begin":
            open_.append(match.start())
        elif open_:
            spans.append((open_.pop(), match.end()))
    return sorted(spans, key=lambda span: span[1] - span[0])


def _caption(text: str, place: int, floats: list[tuple[int, int]], body: str, macros: Macros) -> str:
    """Return the caption of the innermost float around a table that has one, the nearest where it has several."""
    current = _CAPTION.search(body)
    if current:
        return tex_text(argument(body, current.end() - 1)[0])[0]
    for start, end in (span for span in floats if span[0] < place < span[1]):
        near = min(_CAPTION.finditer(text, start, end), key=lambda match: abs(match.start() - place), default=None)
        if near:
            return tex_text(expanded(argument(text, near.end() - 1)[0], macros))[0]
    return ""
