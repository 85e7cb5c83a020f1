"""Text: its measures in print."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache

from tiebreak.documents import one_line

ASCENT, DESCENT = 0.78, 0.24
"""Height above and depth below the base line, in ems."""
_OTHER = 1.05
_IN_PAPER = ((7.45, 1.12), (8.05, 1.05), (8.75, 1.01))  # sizes below which, and the factor
_HINTED = 1.03  # programs that round each letter to whole pixels need so much more
_REGULAR = """
318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636 636 337 337 838 838
838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787 695 635 611 732 684 989 685 611 685 390
337 390 838 500 500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635 635 411 521 392 634 592 818 592 592
525 636 337 636 838
"""
_BOLD = """
348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 696 696 696 400 400 838 838
838 580 1000 774 762 734 830 683 683 821 837 372 372 775 637 995 837 850 733 850 770 720 682 812 774 1103 771 724 725
457 365 457 838 500 500 675 716 593 716 678 435 716 712 343 343 665 343 1042 712 687 716 716 493 595 478 712 652 924 645
652 582 712 365 712 838
"""
_WIDTHS = {
    bold: {chr(32 + i): int(width) / 1000 for i, width in enumerate(table.split())}
    for bold, table in ((False, _REGULAR), (True, _BOLD))
}
"""The advance widths in ems of plain and of bold letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruler:
    """How texts are measured: none is smaller than `least`.

    `scale` is how many points of the sheet a point of the layout is. With `in_paper` letters are those of a paper set
    by LaTeX.
    """

    least: float = 0.0
    scale: float = 1.0
    in_paper: bool = False

    def wider(self, size: float) -> float:
        """Return by how much letters of a size in the layout are wider than those of the table.

        Computer Modern draws small letters wider for their size, and has whole sizes only: 6.5 is set in 7.

        Examples
        --------
        >>> Ruler().wider(6), Ruler(in_paper=True).wider(6), Ruler(in_paper=True).wider(9)
        (1.0, 1.12, 1.0)
        """
        if not self.in_paper:
            return 1.0
        return next((factor for below, factor in _IN_PAPER if size * self.scale < below), 1.0)


PLAIN, PAPER_LETTERS = Ruler(), Ruler(in_paper=True)
"""The letters of the table, and those of a paper set by LaTeX."""
_ruler: ContextVar[Ruler] = ContextVar("ruler", default=PLAIN)


@contextmanager
def measured(ruler: Ruler) -> Iterator[None]:
    """Measure texts by a ruler as long as a figure is laid out for a sheet."""
    before = _ruler.set(ruler)
    try:
        yield
    finally:
        _ruler.reset(before)


def drawn_size(size: float) -> float:
    """Return the size that a text has on the sheet: what would be too small to read is larger there."""
    return max(size, _ruler.get().least)


@lru_cache(maxsize=4096)
def _advance(char: str, bold: bool) -> float:
    """A letter with an accent is as wide as the letter; a combining accent adds nothing."""
    known = _WIDTHS[bold]
    if char in known:
        return known[char]
    if unicodedata.combining(char):
        return 0.0
    return known.get(unicodedata.normalize("NFD", char)[0], _OTHER)


@lru_cache(maxsize=65536)
def _ems(text: str, bold: bool) -> float:
    """Layouts ask for the same words again and again, in every size that is tried."""
    return sum(_advance(char, bold) for char in text)


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width in points; a letter with an accent is as wide as without, what is not Latin a full em.

    Examples
    --------
    >>> text_width("svm", 10), text_width("é", 10) == text_width("e", 10), text_width("木", 10)
    (21.4961, True, 10.815)
    """
    ruler = _ruler.get()
    drawn = max(size, ruler.least)
    return round(_ems(text, bold) * drawn * _HINTED * ruler.wider(drawn), 6)


def shown(text: object) -> str:
    """Return a text as it can be drawn: on one line, without characters that no document may hold.

    A text of which nothing would be seen, such as a zero-width space, is written by the numbers of its characters.

    Examples
    --------
    >>> shown("svm"), shown("\N{ZERO WIDTH SPACE}"), shown("\N{NO-BREAK SPACE}")
    ('svm', '<U+200B>', '<U+00A0>')
    """
    words = str(text)
    if words.isprintable() and words and not _unseen(words[0]):
        return words  # nothing to replace, and its first letter is seen
    drawn = "".join(c if _drawable(c) else "\N{REPLACEMENT CHARACTER}" for c in one_line(words))
    if drawn.strip(" ") and all(_unseen(c) for c in drawn):
        return "".join(f"<U+{ord(c):04X}>" for c in drawn)
    return drawn


def _unseen(char: str) -> bool:
    """Joiners, spaces, marks that stand on a letter, and letters that are blank."""
    blank = "\u115f\u1160\u2800\u3164\uffa0"
    return unicodedata.category(char) in ("Cf", "Zs", "Mn", "Me") or char in blank


def _drawable(char: str) -> bool:
    """Half characters and non-characters cannot be drawn."""
    return unicodedata.category(char) != "Cs" and ord(char) & 0xFFFE != 0xFFFE


def fitted(text: object, size: float, limit: float, *, bold: bool = False) -> str:
    """Return the text, its middle left out if it is wider than `limit`.

    Examples
    --------
    >>> fitted("a short one", 9, 200), fitted("one that is much too long", 9, 60)
    ('a short one', 'one th…long')
    """
    full = shown(text)
    if text_width(full, size, bold=bold) <= limit:
        return full
    keep = len(full)
    while keep > 2:
        keep -= 1
        cut = f"{full[: (keep + 1) // 2].rstrip()}\N{HORIZONTAL ELLIPSIS}{full[len(full) - keep // 2 :].lstrip()}"
        if text_width(cut, size, bold=bold) <= limit:
            return cut
    return "\N{HORIZONTAL ELLIPSIS}"


def wrapped(text: object, size: float, limit: float) -> list[str]:
    """Break a text into lines no wider than `limit`; a word that is too long is broken where it must be.

    Examples
    --------
    >>> wrapped("the quick brown fox", 10, 60)
    ['the quick', 'brown fox']
    """
    lines = [""]
    for word in shown(text).split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if text_width(longer, size) <= limit:
            lines[-1] = longer
            continue
        pieces = _broken(word, size, limit)
        lines += pieces if lines[-1] else []
        if not lines[-1]:
            lines[-1:] = pieces
    return lines


def evenly(text: object, size: float, limit: float) -> list[str]:
    """Break a text as `wrapped` does, into lines about as long as each other: no word stands alone under a long line.

    Examples
    --------
    >>> wrapped("mean rank (lower is better)", 10, 120), evenly("mean rank (lower is better)", 10, 120)
    (['mean rank (lower is', 'better)'], ['mean rank', '(lower is better)'])
    """
    lines = wrapped(text, size, limit)
    longest = max((text_width(word, size) for word in shown(text).split(" ")), default=0.0)
    low, high = longest, limit
    for _ in range(6 if len(lines) > 1 and longest <= limit else 0):
        middle = (low + high) / 2
        tried = wrapped(text, size, middle)
        low, high, lines = (low, middle, tried) if len(tried) <= len(lines) else (middle, high, lines)
    return lines


def _broken(word: str, size: float, limit: float) -> list[str]:
    """Each piece has at least one character, however narrow the limit."""
    pieces = [""]
    for char in word:
        if pieces[-1] and text_width(pieces[-1] + char, size) > limit:
            pieces.append("")
        pieces[-1] += char
    return pieces
