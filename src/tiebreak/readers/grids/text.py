"""Plain text as grids: separated by some mark, or in aligned columns."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError
from tiebreak.readers.grids import Cell, Grid, check_cells, lines_have, rectangle
from tiebreak.readers.grids.marks import unmarked

_SEPARATORS = ("\t", ";", "|", ",")
"""In the order in which they are preferred where several split every row alike: a comma may be a decimal one."""
_LOOK = 200  # rows that are tried with every separator
_NUMBER = re.compile(r"[-+−]?\d+([.,]\d+)*([eE][-+]?\d+)?\s*%?")
_NAMED = re.compile(r'"?sep=(.)"?[ \t]*\n', re.IGNORECASE)  # the line by which Excel knows the separator

Rows = list[tuple[int, list[str]]]
"""The cells of every row, with its line."""


def separator_of(text: str, *, usual: str = "") -> tuple[str, float]:
    r"""Return the mark that splits the rows most alike, and the share of rows that it splits into equally many cells.

    Examples
    --------
    >>> separator_of("data;svm;tree\niris;0,85;0,90\n")
    (';', 1.0)
    >>> separator_of("no table at all")
    ('', 0.0)
    """
    best, share, most = "", 0.0, 0.0
    first = usual if usual != "," else ""
    for mark in dict.fromkeys((*first, *_SEPARATORS)):
        alike, whole = _alike(text, mark) if mark in text[:1_000_000] else (0.0, 0.0)
        if whole > most + 1e-9:
            best, share, most = mark, alike, whole
    return (" ", 1.0) if share < 1 and _is_spaced(text) else (best, share)


def _alike(text: str, mark: str) -> tuple[float, float]:
    """Return the share of rows with the usual number of cells, without and with the title: leading lines of one cell.

    The title counts by half, as a header that only another mark splits looks like one. Counted are all cells, or those
    up to the last that holds something: a row may end in a gap, or be filled up.
    """
    try:
        rows = [row for _, row in islice(_split(text[:1_000_000], mark), _LOOK)]
    except csv.Error:
        return 0.0, 0.0
    shares = [(0.0, 0.0)]
    for counts in ([len(row) for row in rows], [_length(row) for row in rows]):
        title = next((place for place, count in enumerate(counts) if count > 1), len(counts))
        alike = max(Counter(count for count in counts[title:] if count > 1).values(), default=0)
        if alike:
            shares.append((alike / (len(counts) - title), alike / (len(counts) - title / 2)))
    return max(shares)


def _is_spaced(text: str) -> bool:
    """Tell cells split by single spaces, as R writes them: all rows alike, and numbers behind the first cell."""
    lines = [line.strip() for line in text[:1_000_000].split("\n")[:_LOOK] if line.strip()]
    if len(lines) < 2 or any("  " in line for line in lines):
        return False
    try:
        rows = [row for _, row in _split("\n".join(lines), " ")]
    except csv.Error:
        return False
    if len(rows) < 2:
        return False
    width = len(rows[-1])
    numbers = [bool(_NUMBER.fullmatch(cell)) for row in rows[1:] for cell in row[1:]]
    alike = all(len(row) == width for row in rows[1:]) and len(rows[0]) in (width, width - 1)
    return alike and width > 1 and sum(numbers) > 0.5 * len(numbers)


def _length(row: Sequence[str]) -> int:
    """Count cells up to the last that holds something, as spreadsheets fill rows with empty ones; at least one."""
    return max((place for place, cell in enumerate(row, start=1) if cell.strip()), default=1)


def _split(text: str, mark: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the line on which it begins."""
    reader = csv.reader(io.StringIO(text), delimiter=mark, strict=True, skipinitialspace=mark != " ")
    line = 1
    for row in reader:
        if any(cell.strip() for cell in row):
            yield line, row
        line = reader.line_num + 1


def delimited(text: str, *, source: str, usual: str = "", notes: Caveats = ()) -> Grid:
    """Split delimited text into a grid; the lines above the table are its caption."""
    match = _NAMED.match(text)
    mark = match[1] if match else separator_of(text, usual=usual)[0] or usual or ","
    body = "\n" + text[match.end() :] if match else text
    try:
        rows = Rows()
        for line, row in _split(body, mark):
            rows.append((line, row))
            check_cells(len(rows) * len(row), source)
    except csv.Error as error:
        raise InputError(
            f"{source} is not proper delimited text: {error}.", mend="Check the quotes, or save it as xlsx or parquet."
        ) from None
    if mark == "|" and all(len(row) > 2 and not row[0].strip() for _, row in rows):  # bars around the table
        rows = [(line, row[1:]) for line, row in rows]
    rows = _with_sentences(rows, mark)
    start = next((place for place, (_, row) in enumerate(rows) if _length(row) > 1), 0)
    caption = " ".join(row[0].strip().lstrip("#").strip() for _, row in rows[:start])
    table, more = _evened(rows[start:], source, mark)
    return Grid(rows=rectangle(table, source), source=source, kind="csv", caption=caption, notes=(*notes, *more))


def _with_sentences(rows: Rows, mark: str) -> Rows:
    """Put sentences above and below a table together again, which the mark has cut into cells.

    A sentence has fewer cells than the table, none of them empty or a number; the table below one begins with names.
    """
    lengths = [_length(row) for _, row in rows]
    usual = Counter(lengths).most_common(1)[0][0] if rows else 0
    flags = [
        length < usual and (row[0].startswith("# ") or all(map(_is_word, row[1:])))
        for length, (_, row) in zip(lengths, rows, strict=True)
    ]
    top = flags.index(False) if False in flags else 0
    if top < len(rows) and (lengths[top] != usual or any(_NUMBER.fullmatch(cell.strip()) for cell in rows[top][1][1:])):
        top = 0  # what stands above numbers is their header
    end = len(rows)
    while end > top + 1 and flags[end - 1]:
        end -= 1
    return [(line, row if top <= place < end else [mark.join(row).strip()]) for place, (line, row) in enumerate(rows)]


def _is_word(cell: str) -> bool:
    return bool(cell.strip()) and _NUMBER.fullmatch(cell.strip()) is None


def _evened(rows: Rows, source: str, mark: str) -> tuple[list[tuple[Cell, ...]], Caveats]:
    """Refuse rows with more cells than the others: nobody could say which cell belongs to which column."""
    lengths = [_length(row) for _, row in rows]
    first = lengths[0] if lengths else 0
    usual = Counter(lengths[1:]).most_common(1)[0][0] if len(rows) > 1 else first
    nameless = len(rows) > 1 and mark in " \t" and first == usual - 1 == len(rows[0][1]) and set(lengths[1:]) == {usual}
    if nameless:  # a header without a name for the first column, as R writes it
        rows = [(rows[0][0], ["", *rows[0][1]]), *rows[1:]]
        lengths[0] = first = usual
    width = max(usual, first)
    if len({len(row) for _, row in rows}) == 1:  # all rows are whole, however many gaps some end in
        width = max(lengths)
    longer = [line for (line, _), length in zip(rows, lengths, strict=True) if length > width]
    # a header of group names may end early; one that names every column but some cannot
    full = 1 < first < usual and all(cell.strip() for cell in rows[0][1])
    if longer or (full and (len(lengths) < 3 or lengths[1] == usual)):
        raise _uneven(rows, lengths, longer, source, mark)
    short = [line for (line, row), length in zip(rows, lengths, strict=True) if len(row) < width and length > 1]
    cells = [tuple(_cell(text, line, place) for place, text in enumerate(row[:width], start=1)) for line, row in rows]
    if not short:
        return cells, ()
    sentence = f"{source}: {lines_have(short)} fewer cells than the others, filled with empty ones at the end."
    return cells, (Caveat("read-as", sentence),)


def _uneven(rows: Rows, lengths: list[int], longer: list[int], source: str, mark: str) -> InputError:
    header, places = lengths[0], longer or [line for line, _ in rows[1:]]
    comma = mark == "," and Counter(lengths[1:]).most_common(1)[0][0] in (2 * header - 1, 2 * header)
    return InputError(
        f"{source}: {lines_have(places)} more cells than the header, which has {header}.",
        why="It is not clear which cell belongs to which column."
        + (" A decimal comma splits a number where commas separate cells too." if comma else ""),
        mend="Save it with semicolons, or with decimal points."
        if comma
        else "Correct the lines (a name that holds the separator must stand in quotes).",
    )


def _cell(text: str, line: int, place: int) -> Cell:
    bare = " ".join(text.split())
    quoted = len(bare) > 2 and bare[0] == bare[-1] == "'" and "'" not in bare[1:-1]
    plain, bold = unmarked(bare[1:-1] if quoted else bare)
    return Cell(text=plain, bold=bold, line=line, column=str(place))


_BARS = "│┃║┆┊╎|"
_FRAME = re.compile(r"\s*[+|:\-=─━═┄╌┈┌┬┐├┼┤└┴┘╞╪╡╒╤╕╘╧╛╔╦╗╠╬╣╚╩╝┏┳┓┡╇┩╭╮╰╯│┃║┠┨┷┯┿╂╫╟╢╥╨╓╖╙╜]{3,}\s*")
_DASHES = re.compile(r"\s*[-=─━]{2,}(?: +[-=─━]{2,})* *")
_GAP = re.compile(r" {2,}")
_KIND = re.compile(r"-*|str|cat|bool|binary|null|object|enum|[iuf]\d{1,3}|decimal.*|date.*|list.*|struct.*")
_TYPES = re.compile(r"\s*<[a-z]{3}>(?:\s+<[a-z]{3}>)*")  # <chr> <dbl>, as R prints them below the names
_WIDEST = 20_000  # letters of a line; longer ones are no table that anybody aligned
Lines = Sequence[tuple[int, str]]


def text_tables(text: str, *, name: str, notes: Caveats = ()) -> list[Grid]:
    """Find the blocks of lines whose columns stand below each other."""
    grids = []
    for block in _blocks(text):
        has_frame = any(_is_frame(line) for _, line in block) and sum(_bars(line) > 0 for _, line in block) > 1
        rows, title = _framed(block) if has_frame else _aligned(block)
        full = rectangle(rows, name)
        if len(full) > 1 and len(full[0]) > 1:
            grids.append(Grid(rows=full, source=name, kind="text", caption=title, notes=notes))
    return grids


def _blocks(text: str) -> list[Lines]:
    """Split at blank lines; tabs become blanks up to the next eighth place, as terminals show them."""
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.split("\n"), start=1):
        shown = line.rstrip().expandtabs() if len(line) < _WIDEST else ""
        if shown.strip():
            blocks[-1].append((number, shown))
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if len(block) > 1]


def _is_frame(line: str) -> bool:
    return _FRAME.fullmatch(line) is not None and re.search(r"[-=─━═]{2}", line) is not None


def _bars(line: str) -> int:
    return sum(line.count(bar) for bar in _BARS)


def _framed(block: Lines) -> tuple[list[list[Cell]], str]:
    """Read the rows between frames; below the names polars prints dashes and types, which are left out."""
    written = [(number, line) for number, line in block if _bars(line) and not _is_frame(line)]
    closed = all(line.strip()[0] in _BARS for _, line in written)
    rows = [(number, _pieces(line, closed=closed)) for number, line in written]
    rows = [row for row in rows if not all(map(_KIND.fullmatch, row[1]))]
    start = block.index(written[0])
    title = [line.strip() for _, line in block[:start] if not _is_frame(line)]
    return [_row(*row) for row in rows], " ".join(title)


def _pieces(line: str, *, closed: bool) -> list[str]:
    """Split a row at its bars; where the frame is closed the row begins and ends with one."""
    inner = [piece.strip() for piece in re.split(f"[{_BARS}]", line)]
    return inner[1:-1] if closed and not inner[-1] else inner[1:] if closed else inner


def _row(number: int, pieces: Sequence[str]) -> list[Cell]:
    texts = enumerate((unmarked(" ".join(piece.split())) for piece in pieces), start=1)
    return [Cell(text=text, bold=bold, line=number, column=str(place)) for place, (text, bold) in texts]


def _aligned(block: Lines) -> tuple[list[list[Cell]], str]:
    """Split at two blanks, if all lines agree; else where all lines are blank."""
    rules = [place for place, (_, line) in enumerate(block) if _DASHES.fullmatch(line)]
    written = [pair for place, pair in enumerate(block) if place not in set(rules) and not _TYPES.fullmatch(pair[1])]
    if len(written) + len(rules) < len(block):  # R numbers the rows of a tibble
        written = [(number, re.sub(r"^ *\d+ ", lambda match: " " * len(match[0]), line)) for number, line in written]
    titled = [_GAP.search(line.strip()) is None for _, line in written]
    start = min(titled.index(False) if False in titled else len(written), max(len(written) - 2, 0))
    title, written = " ".join(line.strip() for _, line in written[:start]), written[start:]
    inside = [place for place in rules if 0 < place < len(block) - 1]
    split = [_GAP.split(line.strip()) for _, line in written]
    if len(written) > 1 and len({len(row) for row in split}) > 1:
        cut = _common_gaps([line for _, line in written], ruled=bool(inside))
        check_cells(len(cut) * len(written), "The text")
        split = [[line[a:b] for a, b in pairwise((*cut, len(line) + _WIDEST))] for _, line in written]
    rows = [_row(number, pieces) for (number, _), pieces in zip(written, split, strict=True)]
    return rows if len(rows) > 1 else [], title


def _common_gaps(lines: Sequence[str], *, ruled: bool) -> list[int]:
    """Return where columns begin if they part at places that are blank in every line; only where numbers stand.

    A table that is `ruled` by dashes needs none.
    """
    width = max(map(len, lines))
    blank = [all(line[place : place + 1].strip() == "" for line in lines) for place in range(width)]
    wide = [place for place in range(1, width) if not blank[place] and blank[place - 1]]
    starts = [0, *(a for a, b in pairwise((*wide, width)) if blank[a - 2] or _parts(lines, a, b))]
    cells = [line[a:b].strip() for line in lines[1:] for a, b in pairwise((*starts, width + 1))]
    numbers = sum(any(map(str.isdigit, cell)) for cell in cells)
    return starts if ruled or numbers * 3 > len(cells) else [0]


def _parts(lines: Sequence[str], place: int, end: int) -> bool:
    """Say whether one common blank parts columns: some line has two there, or what follows are numbers."""
    follow = [(line[:place].rstrip(), line[place:end]) for line in lines if line[place:end].strip()]
    spaced = any(left and place + len(cell) - len(cell.lstrip()) - len(left) > 1 for left, cell in follow)
    return spaced or 2 * sum(cell.strip()[0].isdigit() for _, cell in follow) > len(lines) - 1
