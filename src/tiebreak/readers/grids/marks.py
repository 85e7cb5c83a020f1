"""Marks that people leave in cells of any format: bold stars, tags, and bits of LaTeX in a csv."""

from __future__ import annotations

import html
import re

from tiebreak.readers.grids.tex_cells import tex_text

LONGEST = 5000
"""Letters of a cell in which marks are looked for; longer ones are no name and no number."""
_TEX = re.compile(r"\\[a-zA-Z]+\s*[{$]|\{\\[a-zA-Z]+|\\(?:pm|bf|bfseries|times)\b|\\[%&_#]")
_STARS = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_TAGS = re.compile(r"<(b|strong)\b[^<>]*>(.*?)</\1>", re.IGNORECASE)
_BARS = re.compile(r"(?<![\w\\])__(?=\S)(.+?)(?<=[^\s\\])__(?!\w)")
_ITALIC = re.compile(r"(?<![\w*\\])([*_])(?=[^\s*_])([^*_]*?)(?<=[^\s*_\\])\1(?![\w*])")
_OTHER = re.compile(r"</?(?:i|em|u|s|span|font|small|code|sub|sup|a|p|div|mark|del|ins|tt|kbd)\b[^<>]*>", re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_MATH = re.compile(r"\$([^$]+)\$")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~$%&])")


def unmarked(text: str) -> tuple[str, bool]:
    r"""Return a cell without the marks of other formats, and whether they said that it is bold.

    Examples
    --------
    >>> unmarked("**0.727**"), unmarked("<b>0.727</b>"), unmarked(r"\textbf{72.7$\pm$0.3}"), unmarked("a_b * c")
    (('0.727', True), ('0.727', True), ('72.7±0.3', True), ('a_b * c', False))
    """
    if len(text) > LONGEST:
        return text.strip(), False
    text, bold = _unbold(html.unescape(text) if "&" in text else text)
    if "\\" in text and _TEX.search(text):
        text, more = tex_text(text)
        bold = bold or more
    return text.strip(), bold


def _unbold(text: str) -> tuple[str, bool]:
    """A mark around a star or a dagger alone does not make the number bold."""
    bold = False
    for mark, place in ((_STARS, 1), (_TAGS, 2)):
        if "**" in text or "<" in text:
            bold = bold or any(any(map(str.isalnum, found.group(place))) for found in mark.finditer(text))
            text = mark.sub(lambda found, place=place: found.group(place), text)  # type: ignore[misc]
    return text, bold


def markdown_text(text: str) -> tuple[str, bool]:
    r"""Return the text of a Markdown cell, and whether it is bold.

    Examples
    --------
    >>> markdown_text(r"**[SVM](https://a.b)**[^1]"), markdown_text(r"$0.9 \pm 0.1$"), markdown_text(r"my\_name `x`")
    (('SVM', True), ('0.9 ± 0.1', False), ('my_name x', False))
    >>> markdown_text(r"A\_0\_.5"), markdown_text("A _0_ .5"), markdown_text(r"A\*0\*.5")
    (('A_0_.5', False), ('A 0 .5', False), ('A*0*.5', False))
    """
    if len(text) > LONGEST:
        return " ".join(text.split()), False
    text = re.sub(r"\[\^[^\[\]\s]*\]", "", text)  # notes
    text = _LINK.sub(lambda found: "" if found.group(0)[0] == "!" else found.group(1), text)
    text, bold = _unbold(text)
    if _BARS.search(text):
        text, bold = _BARS.sub(r"\1", text), True
    heavy = False
    if "$" in text:
        pieces = _MATH.split(text)
        for place in range(1, len(pieces), 2):
            pieces[place], more = tex_text(f"${pieces[place]}$")
            heavy = heavy or more
        text = "".join(pieces)
    text = re.sub(r"<br\s*/?>", " ", text, flags=re.IGNORECASE)
    text = _OTHER.sub("", text).replace("`", "").replace("~~", "")
    text = _ESCAPED.sub(r"\1", _ITALIC.sub(r"\2", text))
    plain, more = unmarked(html.unescape(text)) if "\\" in text or "&" in text else (text, False)
    return " ".join(plain.split()), bold or heavy or more
