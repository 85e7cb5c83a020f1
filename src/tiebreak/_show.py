"""How numbers, names and tables are printed: text, Markdown, LaTeX and HTML, all escaped."""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence

Row = dict[str, object]
_LEAST = 2.3e-308  # what lies below the smallest normal number is reported as that number

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}


def latex(text: object) -> str:
    r"""Escape text for LaTeX.

    Examples
    --------
    >>> print(latex("100%_{x}"))
    100\%\_\{x\}
    """
    escaped = "".join(_LATEX.get(char, char) for char in one_line(text)).replace("--", "-{}-")  # no dash of two hyphens
    return f"{{}}{escaped}" if escaped[:1] in ("[", "*") else escaped  # a row end would take these as its options


def markdown(text: object) -> str:
    r"""Escape text for a Markdown table cell or paragraph.

    Examples
    --------
    >>> print(markdown("a|b *c* <i>"))
    a\|b \*c\* &lt;i&gt;
    """
    safe = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_|\[\]#~$!])", r"\\\1", safe)


def one_line(text: object) -> str:
    """Replace line breaks and other control characters, so that a name cannot break a table."""
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) == "Cc" else c for c in str(text))


def width(text: str) -> int:
    """Count terminal columns: wide East Asian characters take two, combining marks none.

    Examples
    --------
    >>> width("naïve"), width("決定木")
    (5, 6)
    """
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def pvalue(p: float) -> str:
    """Print a p-value with three significant digits and never as zero.

    Examples
    --------
    >>> pvalue(0.04321), pvalue(3.2e-9), pvalue(1.0)
    ('0.0432', '3.2e-09', '1')
    """
    if math.isnan(p):
        return "-"
    if p <= _LEAST:
        return "< 2.3e-308"
    if p >= 0.9995:
        return "1"
    return f"{p:.3f}" if p >= 0.1 else f"{p:.4f}" if p >= 0.001 else f"{p:.1e}"


def number(value: object, digits: int = 4) -> str:
    """Print a number compactly, with `digits` significant digits.

    Examples
    --------
    >>> number(3.14159265), number(float("nan")), number(12), number(None)
    ('3.142', '-', '12', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return one_line(value)
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return "-"
    return f"{value:.{digits}g}"


def text_table(header: Sequence[str], body: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """Lay out a plain table; the first `left` columns are left-aligned, the others right-aligned.

    Examples
    --------
    >>> print(text_table(["algorithm", "rank"], [["svm", "1.25"], ["tree", "10.5"]]))
    algorithm  rank
    svm        1.25
    tree       10.5
    """
    rows = [[one_line(cell) for cell in row] for row in (header, *body)]
    widths = [max(width(row[i]) for row in rows) for i in range(len(header))]
    lines = []
    for row in rows:
        cells = []
        for i, cell in enumerate(row):
            pad = " " * (widths[i] - width(cell))
            cells.append(cell + pad if i < left else pad + cell)
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown_table(header: Sequence[str], body: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """Lay out a Markdown table with its cells escaped."""
    rule = [":--" if i < left else "--:" for i in range(len(header))]
    rows = [[markdown(cell) for cell in row] for row in (header, *body)]
    rows.insert(1, rule)
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def latex_table(header: Sequence[str], body: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """Lay out a LaTeX tabular with booktabs rules and its cells escaped."""
    spec = "l" * left + "r" * (len(header) - left)
    rows = [" & ".join(latex(cell) for cell in row) + r" \\" for row in (header, *body)]
    rows.insert(1, r"\midrule")
    return "\n".join([rf"\begin{{tabular}}{{{spec}}}", r"\toprule", *rows, r"\bottomrule", r"\end{tabular}"])


def html_table(header: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """Lay out an HTML table with its cells escaped."""
    head = "".join(f"<th>{html.escape(one_line(cell))}</th>" for cell in header)
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(one_line(cell))}</td>" for cell in row) + "</tr>" for row in body
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


class Shown:
    """What every result object can do: print itself as a table with its caveats.

    A result supplies `title()` and `rows()`; the rest follows.
    """

    __slots__ = ()

    caveats: tuple[str, ...]

    def title(self) -> str:
        """Say in one line what this is."""
        raise TypeError(f"{type(self).__name__} has no title")  # every subclass gives its own

    def rows(self) -> list[Row]:
        """Return the result as plain dictionaries, unrounded."""
        raise TypeError(f"{type(self).__name__} has no rows")  # every subclass gives its own

    def __str__(self) -> str:
        rows = self.rows()
        header, body = _cells(rows)
        notes = [f"- {one_line(caveat)}" for caveat in self.caveats]
        return "\n".join([one_line(self.title()), text_table(header, body, left=_texts(rows)), *notes])

    def to_markdown(self) -> str:
        """Return the title, the table and the caveats as Markdown."""
        rows = self.rows()
        header, body = _cells(rows)
        notes = ["", *(f"- {markdown(caveat)}" for caveat in self.caveats)] if self.caveats else []
        return "\n".join([markdown(self.title()), "", markdown_table(header, body, left=_texts(rows)), *notes])

    def to_latex(self) -> str:
        """Return the table as LaTeX with booktabs rules; title and caveats as comments."""
        rows = self.rows()
        header, body = _cells(rows)
        notes = [f"% {one_line(caveat)}" for caveat in self.caveats]
        return "\n".join([f"% {one_line(self.title())}", latex_table(header, body, left=_texts(rows)), *notes])

    def _repr_html_(self) -> str:
        header, body = _cells(self.rows())
        notes = "".join(f"<li>{html.escape(one_line(caveat))}</li>" for caveat in self.caveats)
        title = html.escape(one_line(self.title()))
        return f"<p>{title}</p>{html_table(header, body)}" + (f"<ul>{notes}</ul>" if notes else "")


def _cells(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Turn rows into printed cells; p-values by their own rule."""
    header = list(rows[0]) if rows else []
    return header, [[_cell(key, row[key]) for key in header] for row in rows]


def _texts(rows: Sequence[Row]) -> int:
    """Count the leading columns that hold text: they are aligned to the left."""
    count = 0
    for value in rows[0].values() if rows else ():
        if not isinstance(value, str):
            break
        count += 1
    return max(count, 1)


def _cell(key: str, value: object) -> str:
    if isinstance(value, float) and ((key.startswith("p") and "value" in key) or key == "adjusted"):
        return pvalue(value)
    return number(value)
