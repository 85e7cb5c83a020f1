"""How numbers, names and tables are printed: text, Markdown, LaTeX and HTML, all escaped."""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tiebreak._lazy import late

if TYPE_CHECKING:
    from tiebreak.figures import Figure
    from tiebreak.reporting import Report

Row = dict[str, object]
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
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
    "`": r"\textasciigrave{}",
    "\N{NO-BREAK SPACE}": "~",
    "\N{LEFT SINGLE QUOTATION MARK}": r"\textquoteleft{}",
    "\N{RIGHT SINGLE QUOTATION MARK}": r"\textquoteright{}",
    "\N{LEFT DOUBLE QUOTATION MARK}": r"\textquotedblleft{}",
    "\N{RIGHT DOUBLE QUOTATION MARK}": r"\textquotedblright{}",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
    "\N{EN DASH}": r"\textendash{}",
    "\N{EM DASH}": r"\textemdash{}",
    "\N{NON-BREAKING HYPHEN}": "-",
    "\N{BULLET}": r"\textbullet{}",
    "\N{EURO SIGN}": r"\texteuro{}",
    "\N{TRADE MARK SIGN}": r"\texttrademark{}",
}
_SIGNS = dict(
    pair.split("=")
    for pair in (
        "\u2212=- \u00b1=\\pm \u00d7=\\times \u00f7=\\div \u00ac=\\neg \u00b7=\\cdot \u22c5=\\cdot \u2264=\\leq "
        "\u2265=\\geq \u2260=\\neq \u2248=\\approx \u2243=\\simeq \u2261=\\equiv \u221e=\\infty \u2211=\\sum "
        "\u220f=\\prod \u221a=\\surd \u2202=\\partial \u2207=\\nabla \u2208=\\in \u2190=\\leftarrow "
        "\u2192=\\rightarrow \u2194=\\leftrightarrow \u21d2=\\Rightarrow \u227a=\\prec \u227b=\\succ \u2113=\\ell "
        "\u03b1=\\alpha \u03b2=\\beta \u03b3=\\gamma \u03b4=\\delta \u03b5=\\varepsilon \u03f5=\\epsilon \u03b6=\\zeta "
        "\u03b7=\\eta \u03b8=\\theta \u03d1=\\vartheta \u03b9=\\iota \u03ba=\\kappa \u03bb=\\lambda \u03bc=\\mu "
        "\u00b5=\\mu \u03bd=\\nu \u03be=\\xi \u03bf=o \u03c0=\\pi \u03c1=\\rho \u03c3=\\sigma \u03c2=\\varsigma "
        "\u03c4=\\tau \u03c5=\\upsilon \u03c6=\\varphi \u03d5=\\phi \u03c7=\\chi \u03c8=\\psi \u03c9=\\omega "
        "\u0393=\\Gamma \u0394=\\Delta \u0398=\\Theta \u039b=\\Lambda \u039e=\\Xi \u03a0=\\Pi \u03a3=\\Sigma "
        "\u03a5=\\Upsilon \u03a6=\\Phi \u03a8=\\Psi \u03a9=\\Omega \u0391=A \u0392=B \u0395=E \u0396=Z \u0397=H "
        "\u0399=I \u039a=K \u039c=M \u039d=N \u039f=O \u03a1=P \u03a4=T \u03a7=X"
    ).split()
)
_BEYOND_T1 = frozenset("\u0126\u0127\u0138\u013f\u0140\u0149\u0166\u0167\u017f")
"""Letters of the Latin blocks that the usual fonts of pdfLaTeX lack."""


def latex(text: object) -> str:
    r"""Escape text for LaTeX, so that pdfLaTeX can set it with T1 fonts.

    Latin letters with accents stay; Greek letters and common signs become commands; what is left is shown as its
    number, such as [U+6728].

    Examples
    --------
    >>> print(latex("100%_{x}"), latex("naïve α"), latex("x ≤ 木"))
    100\%\_\{x\} naïve \ensuremath{\alpha} x \ensuremath{\leq} [U+6728]
    """
    composed = unicodedata.normalize("NFC", one_line(text))
    split = re.sub(r"-(?=-)|'(?=')|,(?=,)", r"\g<0>{}", "".join(map(_latex_char, composed)))  # no dash of two hyphens
    return f"{{}}{split}" if split[:1] in ("[", "*") else split  # a row end would take these as its options


def _latex_char(char: str) -> str:
    if char in _LATEX:
        return _LATEX[char]
    if char in _SIGNS:
        return rf"\ensuremath{{{_SIGNS[char]}}}"
    if char < "\x7f" or ("\u00a0" < char <= "\u017f" and char not in _BEYOND_T1):
        return char
    parts = unicodedata.normalize("NFD", char)
    if len(parts) > 1 and parts[0] in _SIGNS:  # a Greek letter with an accent
        return _latex_char(parts[0])
    return f"[U+{ord(char):04X}]"


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
    r"""Replace control characters, so that a name cannot break a table or turn the text around it.

    Line breaks and the like become the replacement character. What is invisible, or changes the direction of writing,
    is shown as its number; the two joiners stay, for scripts and emoji need them.

    Examples
    --------
    >>> one_line("svm\u202etree"), one_line("a\u200bb")
    ('svm<U+202E>tree', 'a<U+200B>b')
    """
    return "".join(map(_visible, str(text)))


def _visible(char: str) -> str:
    kind = unicodedata.category(char)
    if kind == "Cc":
        return "\N{REPLACEMENT CHARACTER}"
    if kind in ("Cf", "Zl", "Zp") and char not in _JOINERS:
        return f"<U+{ord(char):04X}>"
    return char


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

    def printed(self) -> tuple[list[str], list[list[str]], int]:
        """Return header and printed cells of the table, and how many leading columns hold text."""
        rows = self.rows()
        header, body = _cells(rows)
        return header, body, _texts(rows)

    def figure(self, kind: str | None = None, **options: Any) -> Figure:
        """Return a figure of the result; see `tiebreak.figures.KINDS` for which results have which."""
        figure: Figure = late("tiebreak.figures", "figure_of")(self, kind, **options)
        return figure

    def report(self, *, name: str | None = None, seed: int | None = None) -> Report:
        """Return a report on the result; write it with `save("report.html")`, or .md, .tex, .json."""
        report: Report = late("tiebreak.reporting", "report")(self, name=name, seed=seed)
        return report

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


def finite_rows(rows: Sequence[Row]) -> list[Row]:
    """Make rows fit for JSON: what is not finite becomes None."""
    return [
        {key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in row.items()}
        for row in rows
    ]


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
