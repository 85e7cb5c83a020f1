"""Numbers and names as sentences write them, and made safe for a terminal, Markdown, LaTeX and HTML."""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import Any

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


Row = dict[str, object]
"""One row of a result, unrounded."""

_LEAST = 2.3e-308  # what lies below the smallest normal number is reported as that number
_MANY = 12  # names that a sentence lists before it counts the rest


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


def times(ratio: float) -> str:
    """Write a ratio with no more digits than it deserves.

    Examples
    --------
    >>> times(1.234), times(13.7), times(2468.0)
    ('1.2', '14', '2,500')
    """
    if ratio < 9.95:
        return f"{ratio:.1f}"
    digits = len(str(int(ratio))) - 2
    return f"{round(ratio, -digits):,.0f}"


def amount(value: float) -> str:
    """Write a cost with three digits; thousands of seconds are read more easily than powers of ten.

    Examples
    --------
    >>> amount(0.12345), amount(3764.2), amount(1e12)
    ('0.123', '3,760', '1e+12')
    """
    return f"{float(f'{value:.3g}'):,.0f}" if 1000 <= value < 1e9 else number(float(value), 3)


_WORDS = {"train": "training", "infer": "inference", "acc": "accuracy", "elo": "Elo"}
_WORDS |= {name.lower(): name for name in "AUC F1 RMSE MAE MSE MCC TPR FPR ROC".split()}
_UNITS = {"usd": "$", "tokens": "", "s": "s", "ms": "ms", "min": "min", "h": "h"}
_MONEY = ("price", "total_cost", "instance_cost")


def in_dollars(name: str, unit: str = "") -> bool:
    """Say whether a cost is money: in dollars by its unit, or a price without one, as tools write it.

    Examples
    --------
    >>> in_dollars("instance_cost", "usd"), in_dollars("price_2"), in_dollars("train_time", "s")
    (True, True, False)
    """
    return unit == "usd" or (not unit and re.sub(r"_?\d+$", "", name.lower()) in _MONEY)


def heading(name: str, unit: str = "") -> str:
    """Write the name of a score or a cost for people: words instead of an identifier, and the unit.

    Examples
    --------
    >>> heading("pass_rate_2"), heading("time_train_s", "s"), heading("price"), heading("metrics.accuracy")
    ('Pass rate', 'Training time (s)', 'Price ($)', 'Accuracy')
    """
    unit = "usd" if in_dollars(name, unit) else unit or next((u for u in ("s", "ms") if name.endswith(f"_{u}")), "")
    plain = re.sub(r"(?<=[a-z])_\d+$", "", name.removeprefix("metrics."))
    if unit and plain.lower().endswith(f"_{unit.lower()}"):
        plain = plain[: -len(unit) - 1]
    if re.fullmatch(r"[a-z0-9_ ]+", plain):
        words = [_WORDS.get(word, word) for word in plain.split("_") if word]
        words = [words[1], words[0]] if len(words) == 2 and words[0] == "time" else words
        plain = " ".join(words)
        plain = plain[:1].upper() + plain[1:]
    shown = _UNITS.get(unit, unit)
    return f"{plain} ({shown})" if shown and f"({shown})" not in plain else plain


def column_heading(name: str, score: str, costs: Collection[str]) -> str:
    """Write the heading of a column of an answer for people: costs are relative there.

    Examples
    --------
    >>> column_heading("pass_rate_2 (%)", "pass_rate_2", ["price"]), column_heading("price", "", ["price"])
    ('Pass rate (%)', 'Price, relative')
    """
    column, space, rest = name.partition(" (")
    if column in costs:
        return f"{heading(column).partition(' (')[0]}, relative"
    return heading(column) + space + rest if column == score else name[:1].upper() + name[1:]


def for_people(text: str, names: Iterable[str]) -> str:
    """Write names of scores and costs in a sentence as words, as pages do; `names` are those of columns.

    Examples
    --------
    >>> for_people("88.0 pass_rate_2 at 1/18 of the train_time.", ["pass_rate_2", "train_time"])
    '88.0 pass rate at 1/18 of the training time.'
    """
    for name in names:
        words = heading(name).partition(" (")[0]
        if re.fullmatch(r"acc|(metrics\.)?[a-z0-9]+(_[a-z0-9]+)+|metrics\.[a-z0-9]+", name):
            plain = words if words[1:2].isupper() else words[:1].lower() + words[1:]
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", plain, text)
    return text


def costing(value: float, name: str, unit: str = "") -> str:
    """Write what something costs, with its unit: dollars before the number, other units behind it.

    Examples
    --------
    >>> costing(0.0124, "price"), costing(2.5, "price"), costing(3764.2, "train_time", "s")
    ('$0.0124', '$2.50', '3,760 s')
    """
    shown = amount(value)
    if not in_dollars(name, unit):
        return f"{shown} {unit}".rstrip()
    return f"${shown}{'0' * (len(shown.partition('.')[2]) == 1)}"


def p_is(p: float) -> str:
    """Write a p-value as an equation, or as the bound that it is below.

    Examples
    --------
    >>> p_is(0.0312), p_is(0.0)
    ('p = 0.0312', 'p < 2.3e-308')
    """
    return f"p {pvalue(p)}" if p <= _LEAST else f"p = {pvalue(p)}"


def confidence(alpha: float) -> str:
    """Write the confidence of an interval at a level, in per cent; one that is not all of it is not called 100.

    Examples
    --------
    >>> confidence(0.05), confidence(0.001), confidence(0.3)
    ('95%', '99.9%', '70%')
    """
    return f"{100 * (1 - alpha):.6g}%"


def chance(probability: float) -> str:
    """Write a probability no finer than it is known.

    Examples
    --------
    >>> chance(0.978), chance(0.63), chance(0.1)
    ('over 95%', '65%', 'under 20%')
    """
    if probability > 0.95:
        return "over 95%"
    return "under 20%" if probability < 0.2 else f"{5 * round(20 * probability):d}%"


def listed(names: Iterable[object], *, most: int = _MANY) -> str:
    """Join names as a sentence does.

    Examples
    --------
    >>> listed(["tpr", "fpr"]), listed("abcd", most=2)
    ('tpr and fpr', 'a, b and 2 more')
    """
    shown = [str(name) for name in names]
    if len(shown) > most:
        return f"{', '.join(shown[:most])} and {len(shown) - most} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def with_article(name: str) -> str:
    """Put 'the' before a name unless a person owns it, and lower its first letter unless it is a person's.

    Examples
    --------
    >>> with_article("Paired t test"), with_article("Friedman test"), with_article("Quade's test")
    ('the paired t test', 'the Friedman test', "Quade's test")
    """
    if name.split(" ")[0].endswith("'s"):
        return name
    common = name.startswith(("Smallest", "Paired", "Sign", "Repeated"))
    return f"the {name[0].lower() + name[1:] if common else name}"


def finite(value: Any) -> Any:
    """JSON has neither infinity nor NaN: such a number is null there."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def finite_rows(rows: Sequence[Row]) -> list[Row]:
    """Make rows fit for JSON."""
    return [{key: finite(value) for key, value in row.items()} for row in rows]


def cell(key: str, value: object) -> str:
    """Print one value of a row; p-values by their own rule."""
    if isinstance(value, float) and ((key.startswith("p") and "value" in key) or key == "adjusted"):
        return pvalue(value)
    return number(value)


def relative_cost(ratio: float) -> str:
    """Write a relative cost: 0.95, 1/18, 1, 3.2.

    Examples
    --------
    >>> relative_cost(0.947), relative_cost(0.056), relative_cost(1.004), relative_cost(3.21)
    ('0.95', '1/18', '1', '3.2')
    """
    if ratio <= 0.5:
        return f"1/{times(1 / ratio)}".removesuffix(".0")
    shown = f"{ratio:.2g}" if ratio < 1 else times(ratio)
    return shown.removesuffix(".0")
