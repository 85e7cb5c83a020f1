r"""One cell: a number with whatever people write around it, a gap, a failure, or text.

Read are percent signs, thousands marks, decimal commas, minus signs of all kinds, `mean ± sd` in its spellings, bold
and star marks, ranks in brackets and intervals. What a cell leaves open (1,234) is settled by the other cells of its
table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tiebreak.readers.understanding import words

if TYPE_CHECKING:
    from tiebreak.readers.understanding.layout import Item

_LONG = 100  # characters; no number is written so long, and patterns are not tried on it
NUMBER, GAP, FAILURE, TEXT = "number", "gap", "failure", "text"

_MINUS = str.maketrans(
    {"−": "-", "–": "-", "—": "-", "﹣": "-", "－": "-", "‐": "-", "‑": "-", "＋": "+", "٫": ",", "％": "%"}
)
_SPACES = re.compile(r"[\s\u00a0\u2007\u2009\u200a\u202f\u200b\ufeff]+")
_WRAPPED = re.compile(r"(\*\*\*|\*\*|__|\*|_|`|~~)(.+)\1")
_HTML = re.compile(r"</?(b|strong|i|em|u|sup|sub|span|font|mark)\b[^>]*>", re.IGNORECASE)
_LATEX = re.compile(
    r"\\(?:textbf|mathbf|bm|boldsymbol|textit|emph|underline|uline|mathit|mathrm|textrm|text|bfseries|best|second)\b\s*"
)
_BOLD = re.compile(r"^\s*(\*\*|__(?=.*__)|<(b|strong)\b|\$?\\(textbf|mathbf|bm|boldsymbol|bfseries)\b)", re.IGNORECASE)
_MARKS = re.compile(
    r"^[*†‡§¶#•●○◦★☆▲▼△▽↑↓✓✔🏆🥇🥈🥉^~\s]*(?P<rest>.*?)(?P<marks>(?:[\s^]*[*†‡§¶•●○◦★☆▲▼△▽↑↓✓✔🏆🥇🥈🥉¹²³⁴-⁹⁰⁺⁻]|\sv|\s?(?<![A-Za-z])[a-c]{1,3})*)\s*$",
    re.DOTALL,
)
_SIGNS = re.compile(r"\\(dagger|ddagger|ast|star|bullet|circ|uparrow|downarrow|checkmark|ddag|dag|S|P)\b")
_AROUND = re.compile(r"\((.*)\)\s?(%|\\%)")
_AROUND_WORDS = re.compile(r"[()\[\]%$±*†‡§¶^]|\+/-|\+-|\\pm\b")
_INFINITE = re.compile(r"[-+]?(inf|infinity|∞)", re.IGNORECASE)
_POWER = re.compile(r"\s?[x×·*]\s?10\s?\^?\s?\{?\s?([-+]?\d+)\s?\}?")
_FOOTNOTE = re.compile(r"(\d*[.,]\d+\s?%?)\^\(?\d{1,2}\)?$")
_UNIT = re.compile(
    r"([-+.,\d].*?[\d)])\s?(ms|s|secs?\.?|seconds?|mins?\.?|minutes?|h|hrs?\.?|hours?|d|days?|dB|[kMG]i?B|pp|pts?\.?|x|×)"
)
_DIGITS = r"[-+]?(?:\d(?:\d|[.,'’ ](?=\d))*[.,]?|[.,]\d+)(?:[eE][-+]?\d+)?"
_WHOLE = re.compile(
    rf"""(?P<value>{_DIGITS})\s?(?P<percent>%|\\%)?
    (?:\s?(?:±|\+/-|\+-|\+\\-|∓|\$?\\pm\$?)\s?\(?(?P<sd>{_DIGITS})\)?\s?(?P<percent2>%|\\%)?)?
    (?:\s?[(\[](?P<paren>{_DIGITS})\s?(?P<percent3>%|\\%)?[)\]])?
    (?:\s?[\[(]\s?{_DIGITS}\s?%?\s?[,;–-]\s?{_DIGITS}\s?%?\s?[\])])?
    (?P<outer>\s?(%|\\%))?""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a cell says: `kind`, its number as it is written, its standard deviation, its mark of being the best.

    `paren` is a number in brackets, a standard deviation or a rank: the table says which. `unit` is what stands behind
    the number, such as ms, and `text` is what was read.
    """

    kind: str
    text: str
    value: str = ""
    sd: str = ""
    paren: str = ""
    percent: bool = False
    bold: bool = False
    marks: str = ""
    unit: str = ""


def bare(text: str) -> str:
    r"""Return the text of a cell or header without the marks of Markdown, HTML and LaTeX, and with plain spaces.

    Examples
    --------
    >>> bare("**XGBoost**"), bare(r"\textbf{0.9}"), bare(" a\u00a0 b ")
    ('XGBoost', '0.9', 'a b')
    """
    out = _SPACES.sub(" ", text).strip()
    if "<" in out:
        out = _HTML.sub("", out).strip()
    if "\\" in out and _LATEX.search(out):
        out = _LATEX.sub("", out).replace("{", "").replace("}", "").strip()
    if "$" in out and len(out) > 2 and out[0] == out[-1] == "$":
        out = out[1:-1].strip()
    while (found := _WRAPPED.fullmatch(out)) is not None:
        out = found[2].strip()
    return out


@lru_cache(maxsize=65536)
def parse(text: str, *, bold: bool = False) -> Parsed:
    r"""Read one cell.

    Examples
    --------
    >>> cell = parse("**72.65 ± 2.27**")
    >>> cell.kind, cell.value, cell.sd, cell.bold
    ('number', '72.65', '2.27', True)
    >>> parse("OOM").kind, parse("—").kind, parse("85,2 %").percent, parse("red").kind
    ('failure', 'gap', True, 'text')
    """
    bold = bold or _BOLD.search(text) is not None
    plain = bare(text)
    if (lacking := _lacking(plain.lower())) is not None:
        return Parsed(kind=lacking, text=plain, bold=bold and lacking == FAILURE)
    if len(plain) > _LONG:
        only = plain.isascii() and plain.isdigit()  # a number of so many figures has nothing around it
        return Parsed(kind=NUMBER if only else TEXT, text=plain, value=plain if only else "", bold=bold)
    number = plain.replace("$", "") if "$" in plain else plain
    if "\\" in number:
        number = _SIGNS.sub("*", number)
    if number.startswith("("):
        number = _AROUND.sub(r"\1\2", number)
    number = _POWER.sub(r"e\1", number.translate(_MINUS))
    if "{" in number:
        number = number.replace("{", "").replace("}", "")
    if number.startswith(("±", "+/-")):  # an sd in a column of its own
        number = number.lstrip("±+/- ")
    marked = _MARKS.fullmatch(number)
    rest, marks = (bare(marked["rest"]), marked["marks"].strip()) if marked else (number, "")
    if _INFINITE.fullmatch(rest):
        return Parsed(kind=NUMBER, text=plain, value=rest.replace("∞", "inf"), bold=bold, marks=marks)
    rest = _FOOTNOTE.sub(r"\1", rest)
    measured = _UNIT.fullmatch(rest)
    rest, unit = measured.groups() if measured else (rest, "")
    found = _WHOLE.fullmatch(rest[1:-1] if rest[:1] + rest[-1:] == "()" and "±" in rest else rest)
    if found is None or not all(readings(found[name]) for name in ("value", "sd", "paren") if found[name]):
        return Parsed(kind=TEXT, text=plain, bold=bold)
    percent = any(found[name] for name in ("percent", "percent2", "percent3", "outer"))
    parts = {name: (found[name] or "").strip() for name in ("value", "sd", "paren")}
    return Parsed(kind=NUMBER, text=plain, percent=percent, bold=bold, marks=marks, unit=unit, **parts)


def _lacking(small: str) -> str | None:
    """Say whether a cell is a gap or a failure, also with a deviation, brackets or marks, as in 'nan ± nan' or '-*'."""
    for text in (small, " ".join(_AROUND_WORDS.sub(" ", small[:_LONG]).split())):
        if text in words.GAPS and (text or not small):
            return GAP
        if text in words.FAILURES or words.FAILED.fullmatch(text):
            return FAILURE
    parts = text.split()
    if len(parts) == 2 and set(parts) <= words.GAPS:
        return GAP
    return FAILURE if len(parts) == 2 and set(parts) <= words.FAILURES else None


def readings(number: str) -> dict[str, Decimal]:
    """Return what a number can mean: with a decimal point ('.') and with a decimal comma (',').

    Examples
    --------
    >>> readings("1,234")
    {'.': Decimal('1234'), ',': Decimal('1.234')}
    >>> readings("0,5"), readings("1.234,5")
    ({',': Decimal('0.5')}, {',': Decimal('1234.5')})
    """
    text = number.strip().replace("'", "").replace("’", "")
    if _INFINITE.fullmatch(text):
        return {".": Decimal(text), ",": Decimal(text)}
    if " " in text:
        if not re.fullmatch(r"[-+]?\d{1,3}( \d{3})+([.,]\d+)?", text):
            return {}
        text = text.replace(" ", "")
    if re.fullmatch(r"[-+]?\d+([eE][-+]?\d+)?", text):
        return {".": Decimal(text), ",": Decimal(text)}
    found = {}
    for mark, other in ((".", ","), (",", ".")):
        whole = r"\d*" if "e" in text.lower() else rf"(\d*|[1-9]\d{{0,2}}(\{other}\d{{3}})+)"
        if re.fullmatch(rf"[-+]?{whole}(\{mark}\d*)?([eE][-+]?\d+)?", text) and re.search(r"\d", text):
            try:
                found[mark] = Decimal(text.replace(other, "").replace(mark, "."))
            except InvalidOperation:
                continue
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a table writes numbers: its decimal mark ('.', ',' or None where nothing tells), ranks in brackets or not."""

    mark: str | None
    mixed: bool = False
    ranks: bool = False

    def number(self, text: str) -> Decimal | None:
        """Return a number, None where it can be read in two ways."""
        found = readings(text)
        if len(set(found.values())) == 1:
            return next(iter(found.values()))
        if self.mark is not None:
            return found[self.mark]
        return found["."] if "," not in text and not self.mixed else None

    def value(self, parsed: Parsed) -> float:
        """Return the number of a cell, NaN where there is none."""
        return _share(self.number(parsed.value), parsed) if parsed.kind == NUMBER else math.nan

    def sd(self, parsed: Parsed) -> float:
        """Return the standard deviation of a cell, NaN where there is none."""
        text = parsed.sd or ("" if self.ranks else parsed.paren)
        return _share(self.number(text), parsed) if text else math.nan


def _share(number: Decimal | None, parsed: Parsed) -> float:
    if number is None:
        return math.nan
    return float(number / 100 if parsed.percent else number)


def style_of(rows: Sequence[Sequence[Item]], decimal: str | None) -> Style:
    """Learn from all cells how numbers are written; `decimal` is the mark where it was told."""
    marks: set[str] = set()
    for row in rows:
        for item in row:
            for text in (item.parsed.value, item.parsed.sd, item.parsed.paren):
                if text and len(found := readings(text)) == 1:
                    marks.update(found)
    mark = decimal or (next(iter(marks)) if len(marks) == 1 else None)
    style = Style(mark=mark, mixed=len(marks) > 1)
    return Style(mark=style.mark, mixed=style.mixed, ranks=_are_ranks(rows, style))


def _are_ranks(rows: Sequence[Sequence[Item]], style: Style) -> bool:
    """Numbers in brackets are ranks where they put every row in order, one way round for all rows."""
    ways = {1, -1}
    seen = False
    for row in rows:
        pairs = [
            (style.number(item.parsed.value), style.number(item.parsed.paren)) for item in row if item.parsed.paren
        ]
        whole = [(value, rank) for value, rank in pairs if value is not None and rank is not None]
        if not whole:
            continue
        if not all(1 <= rank <= len(row) and (rank * 2) % 1 == 0 for _, rank in whole):
            return False
        seen = True
        ordered = sorted(whole, key=lambda pair: pair[1])
        steps = [second[0] - first[0] for first, second in pairwise(ordered) if first[1] != second[1]]
        ways &= {way for way in (1, -1) if all(step * way >= 0 for step in steps)}
    return seen and bool(ways)
