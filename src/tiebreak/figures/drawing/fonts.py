"""How wide letters are where a figure is text: those of a font that is here are measured, those of others estimated."""

from __future__ import annotations

from functools import cache

from tiebreak.errors import OptionError
from tiebreak.figures.drawing.metrics import PAPER_LETTERS, PLAIN, USUAL_WIDTHS, Ruler, Widths

KINDS = {"sans": "sans-serif", "sans-serif": "sans-serif", "serif": "serif", "mono": "monospace"}
"""Kinds of fonts, and what pages call them."""
_FIXED = ("mono", "courier", "consolas", "inconsolata", "menlo", "monaco", "typewriter", "console", "terminal", " code")
_SERIF = ("serif", "roman", "times", "garamond", "georgia", "palatino", "bookman", "schoolbook")
_BROAD = ("wide", "extended", "expanded", "black", "heavy")
_MONO_EM, _CAPITAL, _SMALL, _BROADER = 0.61, 1.2, 1.06, 1.2
"""A letter of Courier and its kin is 0.60 em wide; serifs add so much to capitals and to others."""


def page_kind(font: str) -> str:
    """Return what pages call the kind of a font: that of its own name, empty where the name tells nothing.

    Examples
    --------
    >>> page_kind("mono"), page_kind("Courier New"), page_kind("Times"), page_kind("DejaVu Sans")
    ('monospace', 'monospace', 'serif', '')
    """
    name = font.lower()
    if name in KINDS:
        return KINDS[name]
    if any(word in name.replace("monotype", "") for word in _FIXED):  # a foundry, not a kind
        return "monospace"
    return "serif" if "sans" not in name and any(word in name for word in _SERIF) else ""


@cache
def on_screen(font: str) -> Ruler:
    """Return the ruler of a font that is only named, in SVG: whoever opens the figure may have it or not.

    Letters are as wide as those of the font, where it is on this machine, and at least as wide as those of its kind,
    which stand in where it is not.
    """
    if not font:
        return PLAIN
    kind = page_kind(font)
    known = None if font.lower() in KINDS else _measured(font)
    if kind == "monospace":
        return Ruler(widths=_wider(_MONO, known))
    if known is not None or kind == "serif":
        return Ruler(widths=_wider(_SERIFS if kind == "serif" else USUAL_WIDTHS, known))
    return Ruler(widths=_BROAD_ONES) if any(word in font.lower() for word in _BROAD) else PLAIN


def in_paper(font: str) -> Ruler:
    """Return the ruler of a kind of font as papers have it: letters of equal width do not grow where they are small."""
    return Ruler(widths=_MONO) if page_kind(font) == "monospace" else PAPER_LETTERS


def _measured(font: str) -> Widths | None:
    """Matplotlib, where it is here, can read the fonts of this machine."""
    from tiebreak.figures.drawing.mpl import widths_of

    try:
        return widths_of(font)
    except OptionError:
        return None


def _wider(least: Widths, known: Widths | None) -> Widths:
    if known is None:
        return least
    return {
        bold: {char: max(each, least[bold].get(char, 0.0)) for char, each in (dict(least[bold]) | dict(own)).items()}
        for bold, own in known.items()
    }


_MONO: Widths = {bold: dict.fromkeys(own, _MONO_EM) for bold, own in USUAL_WIDTHS.items()}
_SERIFS: Widths = {
    bold: {char: wide * (_CAPITAL if char.isupper() else _SMALL) for char, wide in own.items()}
    for bold, own in USUAL_WIDTHS.items()
}
_BROAD_ONES: Widths = {
    bold: {char: wide * _BROADER for char, wide in own.items()} for bold, own in USUAL_WIDTHS.items()
}
