"""The short answer of a verb: what to do, one table, the few lines it rests on, and where to find more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import fill, shorten

from tiebreak.documents.escaping import width
from tiebreak.documents.layout import Bold, text_table
from tiebreak.documents.parts import Table
from tiebreak.wording import either

WIDTH = 80
MOST_ROWS = 12
LINES = 24
MOST_NOTES = 2
MOST_LINES_OF_NOTE = 5
"""A longer caveat is cut here, or earlier where the screen is full; it is whole in the full answer."""
LEAST_NAME = 16
LEAST_HEADER = 9


def screen(
    headline: str, table: Table | None, facts: Iterable[str], caveats: Sequence[str], more: Sequence[str]
) -> str:
    """Lay out an answer for one screen of 80 columns; rows and caveats beyond the first few are counted.

    Examples
    --------
    >>> table = Table(header=("algorithm", "rank"), body=(("svm", "1.2"), ("tree", "1.8")))
    >>> print(screen("svm is significantly better than tree.", table, ["9 data sets."], [], ["Export: --latex"]))
    svm is significantly better than tree.
    <BLANKLINE>
    algorithm  rank
    svm         1.2
    tree        1.8
    <BLANKLINE>
    9 data sets.
    Export: --latex
    """
    blocks = [_wrapped([headline], indent="")]
    if table is not None and table.body:
        hidden = len(table.body) - MOST_ROWS
        rest = [f"{hidden} more: {either('.document()', '--full')}"] if hidden > 0 else []
        header, body = _fitted(table, table.body[:MOST_ROWS])
        rows = text_table(header, body, left=table.left, texts=table.texts)
        blocks.append("\n".join([rows, *rest]))
    lines, end = _wrapped(facts), _side_by_side([part for text in more for part in text.split("   ")])
    left = LINES - sum(block.count("\n") + 2 for block in (*blocks, lines)) - 1
    notes = _wrapped(_notes(caveats, max(1, left // max(1, min(len(caveats), MOST_NOTES)))))
    blocks.append("\n".join(part for part in (lines, notes, end) if part))
    return "\n\n".join(block for block in blocks if block)


def _notes(caveats: Sequence[str], most: int) -> list[str]:
    """Shorten the first caveats to so many lines each, and count the others."""
    size = (WIDTH - 4) * min(most, MOST_LINES_OF_NOTE) - len("Note: ")
    shown = [f"Note: {shorten(each, size, placeholder=' ...')}" for each in caveats[:MOST_NOTES]]
    if len(caveats) > MOST_NOTES:
        count = len(caveats) - MOST_NOTES
        shown[-1] += f" ({count} more note{'s' * (count > 1)}: {either('.caveats', '--full')})"
    return shown


def _fitted(table: Table, body: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """Shorten what is wider than the screen: our own words, names of the widest text column in the middle, headers."""
    header, rows = list(table.header), [list(row) for row in body]
    if _width(header, rows) > WIDTH:
        header = [text.replace("loss vs best (", "loss (") for text in header]
    names = max(table.words, key=lambda i: max(width(row[i]) for row in rows), default=None)
    if names is not None and (over := _width(header, rows) - WIDTH) > 0:
        most = max(LEAST_NAME, max(width(row[names]) for row in (header, *rows)) - over)
        for row in rows:
            if not isinstance(row[names], Bold):
                row[names] = middle_cut(row[names], most)
    cut = [text.partition(" (") for text in table.header]
    free = [i for i, text in enumerate(header) if not text.endswith("CI)")]  # names of columns, not words of ours
    while _width(header, rows) > WIDTH and free:
        i = max(free, key=lambda i: width(header[i]) - max(width(row[i]) for row in rows))
        name, space, unit = cut[i]
        most = width(header[i]) - width(space + unit) - 1
        if most < LEAST_HEADER:
            free.remove(i)
        else:
            header[i] = middle_cut(name, most) + space + unit
    return header, rows


def _width(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return how wide a table is printed."""
    return sum(max(width(row[i]) for row in (header, *rows)) for i in range(len(header))) + 2 * (len(header) - 1)


def _side_by_side(parts: Sequence[str]) -> str:
    """Write parts beside each other, as many as a line holds."""
    lines: list[str] = []
    for part in parts:
        if lines and width(lines[-1]) + 3 + width(part) <= WIDTH:
            lines[-1] += f"   {part}"
        else:
            lines.append(part)
    return "\n".join(lines)


def middle_cut(name: str, most: int) -> str:
    """Cut a name in the middle, so that the beginning and the end, which often tell names apart, remain.

    Examples
    --------
    >>> middle_cut("XGBoost (tuned + ensembled, 4 hours)", 24)
    'XGBoost (tu..., 4 hours)'
    """
    if len(name) <= most:
        return name
    tail = (most - 3) // 2
    return f"{name[: most - 3 - tail]}...{name[len(name) - tail :]}"


def _wrapped(lines: Iterable[str], *, indent: str = "  ") -> str:
    return "\n".join(
        fill(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) for line in lines
    )
