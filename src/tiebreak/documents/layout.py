"""Tables laid out in plain text, Markdown, LaTeX and HTML, and the short answer of a verb on one screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isfinite, log10
from textwrap import fill, shorten

from tiebreak.documents.words import latex, markdown, one_line, safe, width
from tiebreak.wording import Brief, either


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Table(Brief):
    """A table; the first `left` columns hold text, or those in `texts`.

    `in_text` says whether it is printed outside a report too; `note` is printed there instead of it, `after` under it.
    `first` says that a report shows it before the figures: it belongs to the answer.
    """

    header: tuple[str, ...]
    body: tuple[tuple[str, ...], ...]
    caption: str = ""
    left: int = 1
    texts: frozenset[int] | None = None
    in_text: bool = True
    note: str = ""
    after: str = ""
    first: bool = False

    @property
    def words(self) -> frozenset[int]:
        """The columns that hold text; the others hold numbers, aligned to the right."""
        return frozenset(range(self.left)) if self.texts is None else self.texts


class Bold(str):
    """A cell that is set in bold; in plain text, which has none, a star follows it.

    Examples
    --------
    >>> print(markdown_table(["a", "b"], [["x", Bold("14")]]))
    | a | b |
    | :-- | --: |
    | x | **14** |
    """

    __slots__ = ()


def _bold(quote: Callable[[str], str], mark: str) -> Callable[[str], str]:
    """Quote cells, and put the mark around those in bold."""
    return lambda cell: mark.format(quote(cell)) if isinstance(cell, Bold) and cell else quote(cell)


def _words(left: int, texts: Collection[int] | None) -> Collection[int]:
    return range(left) if texts is None else texts


def text_table(
    header: Sequence[str], body: Iterable[Sequence[str]], *, left: int = 1, texts: Collection[int] | None = None
) -> str:
    """Lay out a plain table; the first `left` columns, or those in `texts`, are left-aligned, the others right-aligned.

    Examples
    --------
    >>> print(text_table(["algorithm", "rank"], [["svm", "1.25"], ["tree", "10.5"]]))
    algorithm  rank
    svm        1.25
    tree       10.5
    """
    given = [list(row) for row in (header, *body)]
    starred = [any(isinstance(row[i], Bold) for row in given) for i in range(len(header))]
    star = _bold(one_line, "{}*")
    # a column with stars is as wide without one, so that its numbers stand below each other
    rows = [
        [star(cell) + (" " if starred[i] and not isinstance(cell, Bold) else "") for i, cell in enumerate(row)]
        for row in given
    ]
    widths = [max(width(row[i]) for row in rows) for i in range(len(header))]
    words = _words(left, texts)
    lines = []
    for row in rows:
        pads = [" " * (widths[i] - width(cell)) for i, cell in enumerate(row)]
        cells = [cell + pad if i in words else pad + cell for i, (cell, pad) in enumerate(zip(row, pads, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown_table(
    header: Sequence[str], body: Iterable[Sequence[str]], *, left: int = 1, texts: Collection[int] | None = None
) -> str:
    """Lay out a Markdown table with its cells escaped."""
    words = _words(left, texts)
    rule = [":--" if i in words else "--:" for i in range(len(header))]
    set_ = _bold(markdown, "**{}**")
    rows = [[set_(cell) for cell in row] for row in (header, *body)]
    rows.insert(1, rule)
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def latex_table(
    header: Sequence[str], body: Iterable[Sequence[str]], *, left: int = 1, texts: Collection[int] | None = None
) -> str:
    """Lay out a LaTeX tabular with booktabs rules and its cells escaped."""
    words = _words(left, texts)
    spec = "".join("l" if i in words else "r" for i in range(len(header)))
    set_ = _bold(latex, r"\textbf{{{}}}")
    rows = [" & ".join(map(set_, row)) + r" \\" for row in (header, *body)]
    rows.insert(1, r"\midrule")
    return "\n".join([rf"\begin{{tabular}}{{{spec}}}", r"\toprule", *rows, r"\bottomrule", r"\end{tabular}"])


SHORTEST, LOWEST = 8, 50
"""The shortest bar of a cost, and the longest of the lowest score, in per cent of the longest of all."""


def bar_lengths(values: Sequence[float | None], *, cost: bool) -> list[float]:
    """Return how long the bar of each value is, in per cent: costs by their logarithm; without a value there is none.

    Examples
    --------
    >>> bar_lengths([85.0, 80.0, None], cost=False), bar_lengths([1.0, 0.1, 0.01], cost=True)
    ([100.0, 50.0, 0.0], [100.0, 54.0, 8.0])
    """
    logs = [(log10(value) if value > 0 else None) if cost and value is not None else value for value in values]
    known = [log for log in logs if log is not None and isfinite(log)]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    in_proportion = 100.0 * low / high if high > 0 else SHORTEST  # bars of scores far apart begin at zero
    least = SHORTEST if cost else min(LOWEST, max(SHORTEST, in_proportion))
    return [
        0.0
        if log is None or not isfinite(log)
        else round(100.0 if high == low else least + (100 - least) * (log - low) / (high - low), 1)
        for log in logs
    ]


def html_bar(length: float, *, cost: bool = False, ends: tuple[float, float] | None = None) -> str:
    """Draw a bar of so many per cent for a cell of a table, with an interval where there is one."""
    span = f'<path class="ends" d="M{ends[0]:g} 4H{ends[1]:g}"/>' if ends else ""
    return (
        f'<span class="bars{" cost" if cost else ""}"><svg viewBox="0 0 100 8" preserveAspectRatio="none"'
        ' aria-hidden="true"><rect class="back" width="100" height="8" rx="4"/>'
        f'<rect width="{length:g}" height="8" rx="4"/>{span}</svg></span>'
    )


def html_table(
    header: Sequence[str],
    body: Iterable[Sequence[str]],
    *,
    left: int = 1,
    texts: Collection[int] | None = None,
    caption: str = "",
    label: str = "",
) -> str:
    """Lay out an HTML table with its cells escaped; a caption makes it a region that a keyboard can scroll.

    `label` names the region where the caption alone would not tell it from others.
    """
    words = _words(left, texts)

    set_ = _bold(safe, "<b>{}</b>")

    def cells(row: Sequence[str], tag: str) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        kinds = [' class="text"' if i in words else "" for i in range(len(row))]
        return "".join(f"<{tag}{scope}{kind}>{set_(cell)}</{tag}>" for kind, cell in zip(kinds, row, strict=True))

    named = f"<caption>{safe(caption)}</caption>" if caption else ""
    rows = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in body)
    table = f"<table>{named}<thead><tr>{cells(header, 'th')}</tr></thead><tbody>{rows}</tbody></table>"
    if not caption:
        return table
    return f'<div class="wide" tabindex="0" role="region" aria-label="{safe(label or caption)}">{table}</div>'


WIDTH = 80
MOST_ROWS, LEAST_ROWS = 12, 5
LINES = 24
MOST_NOTES = 2
MOST_LINES_OF_NOTE = 5
"""A longer caveat is cut here, or earlier where the screen is full; it is whole in the full answer."""
LEAST_NAME = 16
LEAST_HEADER = 9
MOST_DECIMALS = 4
_above = [0]  # lines of the screen that are taken already
_PLAIN = re.compile(r"-?\d+(\.\d+)?")


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
    blocks, height = [wrapped([headline], indent="")], LINES - _above[-1]
    lines, end = wrapped(facts), _side_by_side([part for text in more for part in text.split("   ")])
    if table is not None and table.body:
        taken = sum(part.count("\n") + 1 for part in (blocks[0], lines, end) if part) + min(len(caveats), MOST_NOTES)
        most = max(LEAST_ROWS, min(MOST_ROWS, height - taken - 5))
        hidden = len(table.body) - most if len(table.body) > most + 1 else 0
        rest = [f"{hidden} more: {either('.document()', '--full')}"] if hidden else []
        header, body = _fitted(table, table.body[: len(table.body) - hidden])
        rows = text_table(header, body, left=table.left, texts=table.texts)
        blocks.append("\n".join([rows, *rest]))
    left = height - sum(block.count("\n") + 2 for block in (*blocks, lines)) - 1
    notes = wrapped(_notes(caveats, max(1, left // max(1, min(len(caveats), MOST_NOTES)))))
    blocks.append("\n".join(part for part in (lines, notes, end) if part))
    return "\n\n".join(block for block in blocks if block)


@contextmanager
def below(lines: int) -> Iterator[None]:
    """Leave room on the screen for so many lines above the answer."""
    _above.append(lines)
    try:
        yield
    finally:
        _above.pop()


def _notes(caveats: Sequence[str], most: int) -> list[str]:
    """Shorten the first caveats to so many lines each, and count the others."""
    size = (WIDTH - 4) * min(most, MOST_LINES_OF_NOTE) - len("Note: ")
    shown = [f"Note: {shorten(caveat, size, placeholder=' ...')}" for caveat in caveats[:MOST_NOTES]]
    if len(caveats) > MOST_NOTES:
        count = len(caveats) - MOST_NOTES
        shown[-1] += f" ({count} more note{'s' * (count > 1)}: {either('.caveats', '--full')})"
    return shown


def _fitted(table: Table, body: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """Shorten what is wider than the screen: our own words, names of the widest text column in the middle, headers."""
    header, rows = list(table.header), [list(row) for row in body]
    if _width(header, rows) > WIDTH:
        header = [text.replace("loss vs best (", "loss (") for text in header]
    for i in set(range(len(header))) - table.words:
        for row, text in zip(rows, _same_decimals([row[i] for row in rows]), strict=True):
            row[i] = text
    wide = {i: max(width(row[i]) for row in (header, *rows)) for i in table.words}
    over = _width(header, rows) - WIDTH
    while over > 0 and wide and max(wide.values()) > LEAST_NAME:
        wide[max(wide, key=lambda i: wide[i])] -= 1
        over -= 1
    for i, most in wide.items():
        for row, text in zip(rows, _cut([row[i] for row in rows], most), strict=True):
            row[i] = text
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


def _same_decimals(cells: Sequence[str]) -> list[str]:
    """Write plain numbers of a column with as many decimals as the one that has most.

    Examples
    --------
    >>> _same_decimals(["0.88", "0.8667", "-"])
    ['0.8800', '0.8667', '-']
    """
    most = max((len(cell.partition(".")[2]) for cell in cells), default=0)
    if not 0 < most <= MOST_DECIMALS or not all(cell == "-" or _PLAIN.fullmatch(cell) for cell in cells):
        return list(cells)
    return [
        type(cell)(f"{cell}{'' if '.' in cell else '.'}{'0' * (most - len(cell.partition('.')[2]))}")
        if _PLAIN.fullmatch(cell)
        else cell
        for cell in cells
    ]


def _cut(names: Sequence[str], most: int) -> list[str]:
    """Cut long names, where they remain different from each other if that can be.

    Examples
    --------
    >>> _cut(["depth=8, leaf=5", "depth=4, leaf=1", "depth=2, leaf=1"], 12)
    ['depth=8...=5', 'depth=4...=1', 'depth=2...=1']
    """
    long = [name for name in names if width(name) > most and not isinstance(name, Bold)]
    usual = (most - 3) // 2
    tails = sorted(range(most - 3), key=lambda tail: abs(tail - usual))
    tail = next((tail for tail in tails if len({middle_cut(item, most, tail) for item in long}) == len({*long})), usual)
    return [middle_cut(name, most, tail) if name in long else name for name in names]


def middle_cut(name: str, most: int, tail: int | None = None) -> str:
    """Cut a name in the middle, so that the beginning and the end, which often tell names apart, remain.

    Examples
    --------
    >>> middle_cut("XGBoost (tuned + ensembled, 4 hours)", 24)
    'XGBoost (tu..., 4 hours)'
    """
    if len(name) <= most:
        return name
    tail = (most - 3) // 2 if tail is None else tail
    return f"{name[: most - 3 - tail]}...{name[len(name) - tail :]}"


def narrow(table: Table) -> tuple[str, int]:
    """Lay out a table with as many of its columns as 80 characters hold, and count these."""
    for count in range(len(table.header), 1, -1):
        part = replace(table, header=table.header[:count], body=tuple(row[:count] for row in table.body))
        header, body = _fitted(part, part.body)
        if _width(header, body) <= WIDTH:
            break
    return text_table(header, body, left=table.left, texts=table.texts), count


def wrapped(lines: Iterable[str], *, indent: str = "  ") -> str:
    """Wrap every line at 80 columns."""
    return "\n".join(
        fill(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) for line in lines
    )
