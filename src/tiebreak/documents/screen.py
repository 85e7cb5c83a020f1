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
        rows = text_table(table.header, _fitted(table, table.body[:MOST_ROWS]), left=table.left, texts=table.texts)
        blocks.append("\n".join([rows, *rest]))
    lines, end = _wrapped(facts), "   ".join(more)
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


def _fitted(table: Table, body: Sequence[Sequence[str]]) -> list[list[str]]:
    """Shorten the names of the widest text column in the middle where the rows are wider than the screen."""
    rows = [list(row) for row in body]
    widths = [max(width(row[i]) for row in (table.header, *rows)) for i in range(len(table.header))]
    names = max(table.words, key=lambda i: widths[i], default=None)
    over = sum(widths) + 2 * (len(widths) - 1) - WIDTH
    if names is None or over <= 0:
        return rows
    most = max(LEAST_NAME, widths[names] - over)
    for row in rows:
        if not isinstance(row[names], Bold):
            row[names] = middle_cut(row[names], most)
    return rows


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
