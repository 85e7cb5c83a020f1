"""Names of any letters made safe: for a terminal, Markdown, LaTeX and HTML."""

from __future__ import annotations

import html
import re
import unicodedata

_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"

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
    """Control characters could move a terminal's cursor; invisible ones could make two names look alike."""
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


def safe(text: object) -> str:
    """Escape text for HTML."""
    return html.escape(one_line(text))
