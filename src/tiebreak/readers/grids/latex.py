r"""Tables of a LaTeX file: tabular and its relatives, with rules, spans, captions and the author's own macros."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from itertools import islice
from pathlib import Path

from tiebreak.caveats import Caveats
from tiebreak.errors import InputError
from tiebreak.readers.grids import Cell, Grid, check_cells, rectangle, uneven
from tiebreak.readers.grids.files import decoded
from tiebreak.readers.grids.marks import tex_text

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_HIDDEN = re.compile(r"\\begin\{(verbatim\*?|lstlisting|minted|comment|filecontents\*?)\}|\\iffalse(?![a-zA-Z])")
_NEW = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\s*\\([a-zA-Z]+)\s*\}?\s*"
    r"(?:\[(\d)\])?(\[[^\[\]]*\])?\s*\{|\\def\s*\\([a-zA-Z]+)((?:#\d)*)\s*\{"
)
_STRUCTURE = re.compile(r"\\(?:begin|end|caption|multicolumn|multirow|hline|\\)")
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}\n]{1,200})\}")
_TABLES = (
    "tabular tabularx tabulary tabularew longtable xltabular longtabu tabu supertabular mpsupertabular tblr longtblr"
    " talltblr NiceTabular NiceTabularX NiceTabular* tabular* xtabular ctabular deluxetable"
).split()
_SIZED = ("tabularx", "tabulary", "xltabular", "tabular*", "NiceTabularX", "NiceTabular*")  # a width comes first
_ENDS = re.compile(rf"\\(begin|end)\s*\{{({'|'.join(map(re.escape, _TABLES))})\}}")
_INNER = re.compile(
    r"\\begin\{tabular\}(?:\[\w\])?\{(?:[^{}]|\{[^{}]*\})*\}((?:(?!\\(?:begin|end)\b).)*)\\end\{tabular\}", re.DOTALL
)
_FLOAT = re.compile(r"\\(begin|end)\s*\{(?:sub|wrap|sideways|measured|three)?(?:part)?(?:long)?table\*?\}")
_MARK = re.compile(
    r"\\\\[ \t]*\*?(?:[ \t]*\[[^\[\]\n]*\])?|\\(?:tabularnewline|cr)(?![a-zA-Z])(?:\[[^\[\]\n]*\])?|"
    r"&|\\[a-zA-Z]+|\\.|[{}]",
    re.DOTALL,
)
_ENDS_CELL = re.compile(r"&|\\\\|\\tabularnewline|\\cr(?![a-zA-Z])")
_CAPTION = re.compile(r"\\(?:sub)?caption(?:of\s*\{[a-z]+\})?\*?\s*(?:\[[^\[\]]*\])?\s*\{")
_RULES = "hline midrule toprule bottomrule Xhline specialrule hdashline thickhline Hline".split()
_HEAD = re.compile(
    rf"\s*\\(?:{'|'.join(_RULES)}|cmidrule|cline|cdashline|addlinespace|morecmidrules|noalign|rowcolor|arrayrulecolor"
    r"|endfirsthead|endhead|endfoot|endlastfoot|caption|label|rowfont|centering|small|footnotesize|scriptsize|tiny"
    r"|setlength|hhline|tablehead|tabletail|tablefirsthead|tablelasttail|startdata|enddata|SetRow|pagebreak|nopagebreak)"
    r"(?![a-zA-Z])"
)
_WITHOUT = re.compile(r"\s*(?:\*|\((?:[^()]*)\)|\[[^\[\]]*\])*")
_SPAN = re.compile(r"\s*(?:\\(?:cellcolor|rowcolor)(?:\[[^\[\]]*\])?\{[^{}]*\}\s*)*\\(multicolumn|multirow)\s*")
_MOST_MACROS, _LONGEST_MACRO, _PASSES = 2000, 1000, 6
_GROWTH = 4  # a text may grow by macros to so many times its length, and 100,000 characters
_MOST_FILES, _LARGEST_FILE = 200, 10_000_000

Macros = dict[str, tuple[int, str | None, str]]
"""Name of a macro: its number of arguments, the default of the first, its body."""
Row = list[tuple[str, int]]
"""The source of every cell of a row, and where it begins."""


def latex(
    source: str,
    *,
    name: str,
    notes: Caveats = (),
    folder: Path | None = None,
    macros: Macros | None = None,
    taken: set[str] | None = None,
) -> list[Grid]:
    """Find the tables of a LaTeX text, and of the files that it takes in if they lie in its folder.

    Rows without a tabular around them are read too. The macros of a file hold in those that it takes in; `taken` are
    the files that were.
    """
    text = _prepared(source)
    macros = {**(macros or {}), **_macros_of(text)}
    taken = {name.removesuffix(".tex")} if taken is None else taken
    text, others = (text, []) if folder is None else _taken_in(text, folder, taken)
    lines = [match.start() for match in re.finditer("\n", text)]
    grids = list[Grid]()
    for start, end, kind, outer in _environments(text):
        first = bisect_right(lines, start - 1) + 1
        body = _expanded(_skip_columns(_flattened(text[start:end]), kind), macros)
        grid = _grid(body, first, name, caption=_caption(text, outer, body, macros))
        grids += [] if grid is None else [grid]
    if not grids and not _ENDS.search(text) and len(re.findall(r"^.*&.*\\\\", text, re.MULTILINE)) > 1:
        bare = _grid(_expanded(text, macros), 1, name, caption="")
        grids += [] if bare is None else [bare]
    for other, inner in others:
        grids += latex(inner, name=other, folder=folder, macros=macros, taken=taken)
    return [replace(grid, notes=(*notes, *grid.notes)) for grid in grids]


def _prepared(source: str) -> str:
    """Blank out what is not printed; every line keeps its number."""
    text = _COMMENT.sub(r"\1", source)
    parts, place = list[str](), 0
    while match := _HIDDEN.search(text, place):
        close = f"\\end{{{match[1]}}}" if match[1] else "\\fi"
        end = text.find(close, match.end())
        if end < 0:
            break
        parts += [text[place : match.start()], "\n" * text.count("\n", match.start(), end)]
        place = end + len(close)
    return "".join([*parts, text[place:]])


def _taken_in(text: str, folder: Path, taken: set[str]) -> tuple[str, list[tuple[str, str]]]:
    r"""Put the rows that a table takes in by \input in their place, on one line; return the other files beside it.

    Files are looked for in the folder of the text and below it, as LaTeX finds them; those that are not there are
    left alone: a table need not be in them.
    """
    others = list[tuple[str, str]]()
    tables = _environments(text)

    def put(match: re.Match[str]) -> str:
        wanted = match[1].strip()
        inner = None if wanted.removesuffix(".tex") in taken or len(taken) > _MOST_FILES else _file(folder, wanted)
        if inner is None:
            return match[0]
        taken.add(wanted.removesuffix(".tex"))
        if any(start <= match.start() < end for start, end, _, _ in tables):
            return " ".join(inner.split("\n"))
        others.append((wanted, inner))
        return ""

    return _INPUT.sub(put, text), others


def _file(folder: Path, wanted: str) -> str | None:
    """Read a file below a folder, without what is not printed."""
    if ".." in wanted or wanted.startswith(("/", "~")) or "\0" in wanted:
        return None
    for path in (folder / wanted, folder / f"{wanted}.tex"):
        try:
            if path.is_file() and path.stat().st_size < _LARGEST_FILE:
                return _prepared(decoded(path.read_bytes(), path.name)[0])
        except (OSError, InputError):
            return None
    return None


def _argument(text: str, start: int) -> tuple[str, int]:
    """Return the argument at `start`, with or without braces, and the place behind it; the end where none closes."""
    match = re.compile(r"\s*(\\[a-zA-Z]+|.)", re.DOTALL).match(text, start)
    if match is None or match[1] != "{":
        return (match[1], match.end()) if match else ("", start)
    depth = 0
    for mark in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, match.end() - 1):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth == 0:
            return text[match.end() : mark.start()], mark.end()
    return text[match.end() :], len(text)


def _optional_end(text: str, start: int) -> int:
    """Return the place behind an optional argument at `start`, or `start` where there is none."""
    match = re.compile(r"[ \t\n]*\[[^\]]{0,500}\]").match(text, start)
    return match.end() if match else start


def _macros_of(text: str) -> Macros:
    r"""Return the macros that a text defines, `\newcommand{\best}[1]{\textbf{#1}}` for one."""
    macros: Macros = {}
    for match in islice(_NEW.finditer(text), _MOST_MACROS):
        name = match[1] or match[4]
        count = int(match[2] or 0) if match[1] else len(match[5]) // 2
        body, _ = _argument(text[match.end() - 1 : match.end() + _LONGEST_MACRO], 0)
        if len(body) < _LONGEST_MACRO and f"\\{name}" not in body:
            macros[name] = (count, match[3][1:-1] if match[3] else None, body)
    return macros


def _expanded(text: str, macros: Macros) -> str:
    """Put the bodies of macros in their places; a line break in an argument stays, so lines keep their numbers."""
    if not macros:
        return text
    call = re.compile(r"\\(" + "|".join(sorted(map(re.escape, macros), key=len, reverse=True)) + r")(?![a-zA-Z])")
    most = _GROWTH * len(text) + 100_000
    for _ in range(_PASSES):
        parts, place, size = list[str](), 0, 0
        while match := call.search(text, place):
            made, end = _call(text, match, macros[match[1]])
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
    end, values = match.end(), list[str]()
    if default is not None:
        behind = _optional_end(text, end)
        values.append(text[end:behind].strip()[1:-1] if behind > end else default)
        end = behind
    while len(values) < count:
        value, end = _argument(text, end)
        values.append(value)
    made = re.sub(r"#(\d)", lambda mark: "".join(values[int(mark[1]) - 1 : int(mark[1])]), body)
    end += 2 * (not count and text[end : end + 2] == "{}")
    return (made if _STRUCTURE.search(made) else "{" + made + "}"), end


def _environments(text: str) -> list[tuple[int, int, str, int]]:
    """Return where the content of each outermost table begins and ends, its kind, and where the table begins."""
    result, begun = [], list[tuple[str, re.Match[str]]]()
    for match in _ENDS.finditer(text):
        if match[1] == "begin":
            begun.append((match[2], match))
        elif begun:
            kind, begin = begun.pop()
            if not begun:
                result.append((begin.end(), match.start(), kind, begin.start()))
    return result


def _flattened(body: str) -> str:
    """Put what stands in a small table inside a cell on one line: people break long headers so."""
    before = ""
    while body != before:
        before, body = body, _INNER.sub(lambda match: "{" + re.sub(r"\\\\|(?<!\\)&", " ", match[1]) + "}", body)
    return body


def _skip_columns(body: str, kind: str) -> str:
    """Leave out the arguments of the environment, but keep their line breaks: lines are counted."""
    place = 0
    for _ in range(2 if kind in _SIZED else 1):
        place = _optional_end(body, place)
        place = _argument(body, place)[1] if body[place:].lstrip().startswith("{") else place
    return "\n" * body.count("\n", 0, place) + body[place:]


def _grid(body: str, first: int, name: str, caption: str) -> Grid | None:
    """Make a grid of a table's source, which begins on line `first`; None where it has one column or no row."""
    breaks = [match.start() for match in re.finditer("\n", body)]
    source, rules = _split(body)
    rows, down = list[list[Cell]](), list[tuple[int, int, int, int]]()
    check_cells(sum(_spanned(text)[0] for row in source for text, _ in row), name)
    for number, row in enumerate(source):
        cells = list[Cell]()
        for text, place in row:
            line = first + bisect_right(breaks, place + len(text) - len(text.lstrip()) - 1)
            wide, high, content = _spanned(text)
            if abs(high) > 1:
                down.append((number, len(cells), wide, high))
            plain, bold = tex_text(content)
            cells += [Cell(text=plain, bold=bold, line=line, column=str(len(cells) + more + 1)) for more in range(wide)]
        rows.append(cells)
    full = [list(row) for row in rectangle(rows, name)]
    for span in down:
        _fill(full, *span)
    ends = {name: place for place, name in reversed(rules)}  # what a long table repeats on every page
    head = ends.get("endfirsthead", ends.get("endhead", 0))
    remaining = full[:head] + full[max(ends.values()) :] if ends else full
    if not remaining or len(remaining[0]) < 2:
        return None
    kept = tuple(map(tuple, remaining))
    return Grid(rows=kept, source=name, kind="latex", caption=caption, notes=uneven(rows, name))


def _split(body: str) -> tuple[list[Row], list[tuple[int, str]]]:
    """Split at the marks between cells and rows that stand in no braces; ends of heads come with their places."""
    rows, rules = list[Row](), list[tuple[int, str]]()
    row, depth, place = Row(), 0, 0
    for match in _MARK.finditer(body):
        mark = match[0]
        if mark in "{}":
            depth = max(0, depth + (1 if mark == "{" else -1))
        elif depth == 0 and _ENDS_CELL.match(mark):
            row.append((body[place : match.start()], place))
            place = match.end()
            if mark != "&":
                _close(row, rows, rules)
                row = []
    _close([*row, (body[place:], place)], rows, rules)
    return rows, rules


def _close(row: Row, rows: list[Row], rules: list[tuple[int, str]]) -> None:
    """Remove rules and other commands from the start of a row; drop the row if nothing is left."""
    text, place = row[0]
    while head := _HEAD.match(text):
        name = head[0].strip().lstrip("\\")
        if name.startswith("end"):
            rules.append((len(rows), name))
        rest = _WITHOUT.match(text, head.end())
        end = rest.end() if rest else head.end()
        while name not in _RULES[:4] and text[end : end + 1] == "{":
            end = _argument(text, end)[1]
        text, place = text[end:], place + end
    row[0] = (text, place)
    if any(cell.strip() for cell, _ in row):
        rows.append(row)


def _fill(rows: list[list[Cell]], number: int, column: int, wide: int, high: int) -> None:
    """Put a cell into the empty places that it spans, below it or, for a negative height, above it."""
    spanned = range(number + 1, number + high) if high > 0 else range(number + high + 1, number)
    for row in spanned:
        for place in range(column, column + wide) if 0 <= row < len(rows) else ():
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
        count, place = _argument(source, _optional_end(source, match.end()))
        _, place = _argument(source, _optional_end(source, place))
        content, place = _argument(source, _optional_end(source, place))
        number = int(count) if re.fullmatch(r"\s*-?\d{1,5}\s*", count) else 1
        wide, high = (max(1, number), high) if match[1] == "multicolumn" else (wide, number)
        source = content + source[place:]
    return wide, high, source


def _caption(text: str, place: int, body: str, macros: Macros) -> str:
    """Return the caption inside a table, or the nearest one of the float around it."""
    if inside := _CAPTION.search(body):
        return tex_text(_argument(body, inside.end() - 1)[0])[0]
    before = list(_FLOAT.finditer(text, 0, place))
    after = _FLOAT.search(text, place)
    if not before or before[-1][1] != "begin" or after is None:
        return ""
    captions = _CAPTION.finditer(text, before[-1].start(), after.end())
    near = min(captions, key=lambda match: abs(match.start() - place), default=None)
    return "" if near is None else tex_text(_expanded(_argument(text, near.end() - 1)[0], macros))[0]
