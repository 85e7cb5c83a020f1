r"""Marks in the cells of any format: bold stars, tags and LaTeX, where `\textbf{85.2} $\pm$ 0.3` is "85.2 ± 0.3"."""

from __future__ import annotations

import html
import re
import unicodedata

_BOLD = frozenset("textbf mathbf bm boldsymbol pmb mathbfit textbfit".split())
_BOLD_SWITCH = re.compile(r"\\(?:bf|bfseries|boldmath)(?![a-zA-Z])\s*")
_SWITCH = re.compile(
    r"\\(?:tiny|scriptsize|footnotesize|small|normalsize|[lL]arge|LARGE|[hH]uge|it|itshape|em|sl|slshape|sc|scshape|sf"
    r"|sffamily|tt|ttfamily|rm|rmfamily|upshape|mdseries|normalfont|centering|raggedright|raggedleft|arraybackslash"
    r"|xspace|protect|noindent|displaystyle|textstyle|scriptstyle|left|right|[bB]igg?|limits|nolimits|relax|par|hfill"
    r"|null|strut|hline|toprule|midrule|bottomrule|addlinespace|phantomsection)(?![a-zA-Z])\s*"
)
"""Commands that change how the text looks and say nothing."""
_HEAVY, _LIGHT = "\ue000", "\ue001"
"""What stands for a switch to bold, and for another one, while a cell is read."""
_DROPPED = {
    **dict.fromkeys("cellcolor color rowcolor columncolor label ref eqref autoref cref Cref footnote".split(), 1),
    **dict.fromkeys("footnotemark footnotetext tnote tablefootnote phantom hphantom vphantom hspace vspace".split(), 1),
    **dict.fromkeys("includegraphics index todo hypertarget rowfont SetCell SetRow cite citep citet".split(), 1),
    **dict.fromkeys("citeauthor citeyear citealp parencite textcite".split(), 1),
    **dict.fromkeys("rule setlength".split(), 2),
}
"""Commands that leave no text, with the number of their arguments."""
_BEFORE = {
    **dict.fromkeys("textcolor colorbox rotatebox raisebox parbox adjustbox href hyperlink multirowcell".split(), 1),
    **dict.fromkeys("fcolorbox resizebox multicolumn multirow".split(), 2),
    "scalebox": 1,
}
"""Commands whose text is the last argument, with the number of those before it."""
_DEVIATION = frozenset("std sd se stdev stddev stderr sderr sdev err pms error interval ci".split())
"""Names that authors give to the macro that prints a standard deviation behind its mean."""
_SYMBOLS = dict(
    pair.split("=")
    for pair in """
    pm=± textpm=± mp=∓ times=× texttimes=× cdot=· uparrow=↑ downarrow=↓ Uparrow=↑ Downarrow=↓ rightarrow=→ to=→
    leftarrow=← checkmark=✓ cmark=✓ xmark=✗ dag=† dagger=† textdagger=† ddag=‡ ddagger=‡ textdaggerdbl=‡ star=*
    ast=* bigstar=* textasteriskcentered=* bullet=• textbullet=• circ=° infty=∞ le=≤ leq=≤ ge=≥ geq=≥ approx=≈
    sim=~ textasciitilde=~ textless=< textgreater=> lt=< gt=> textminus=- textendash=– textemdash=— ldots=… dots=…
    cdots=… textellipsis=… textunderscore=_ percent=% textpercent=% S=§ P=¶ ss=ß ae=æ oe=œ aa=å o=ø l=ł i=ı O=Ø
    blacktriangle=▲ triangle=△ triangledown=▽
    """.split()
)
"""Commands that stand for a character; those of letters of other alphabets keep their names."""
_SPACES = frozenset("quad qquad space thinspace enspace nobreakspace tabularnewline newline linebreak".split())
_ESCAPED = {mark: chr(0xE010 + place) for place, mark in enumerate("&%_#${}")}
"""Marks behind a backslash mean themselves: they become letters of private use until all else is read."""
_BACK = {ord(letter): mark for mark, letter in _ESCAPED.items()} | {ord(_HEAVY): "", ord(_LIGHT): ""}
_ACCENTS = dict(
    zip("\"'`^~=.uvHckr", "\u0308\u0301\u0300\u0302\u0303\u0304\u0307\u0306\u030c\u030b\u0327\u0328\u030a", strict=True)
)
_ACCENT = re.compile(r"\\(?:([\"'`^~=.])|([uvHckr])(?![a-zA-Z]))\s*\{?\\?([a-zA-Z])\}?")
_COMMAND = re.compile(r"\\([a-zA-Z@]+)\*?((?:\[[^\[\]{}]{0,200}\])*)((?:\s*\{[^{}]*\}(?:\[[^\[\]{}]{0,200}\])*)+)")
_GROUP = re.compile(r"(?<!\\)([_^])?\{([^{}]*)\}")
_BARE = re.compile(r"\\([a-zA-Z@]+)\*?(?:\{\})?")
_MATH = re.compile(r"(?<!\\)\$([^$]*)\$")
_SCRIPT = re.compile(r"([_^])(?:\s*(\\[a-zA-Z]+|[^{}\\\s]))")
_LONGEST = 20_000  # letters of a cell that are read as LaTeX
_DEEPEST = 40  # braces within braces that are read
_DECIMAL = re.compile(r"\d*[.,]\d+\s*%?")
_POWER = re.compile(r"\s*[×·]\s*10\^([-+]?\d+)")


def tex_text(source: str) -> tuple[str, bool]:
    r"""Return the text of a cell, and whether any letter or digit of it is bold.

    Groups in braces are read from the innermost on, each by the command before it.

    Examples
    --------
    >>> tex_text(r"$\mathbf{85.2}_{\pm 0.3}$"), tex_text(r"{\bf C4.5+m}~\cite{quinlan}"), tex_text(r"$-$1{,}000\%")
    (('85.2± 0.3', True), ('C4.5+m', True), ('-1,000%', False))
    """
    if len(source) > _LONGEST or ("\\" not in source and not any(mark in source for mark in "{}$~")):
        return _tidy(source), False
    bold = False

    def grouped(match: re.Match[str]) -> str:
        nonlocal bold
        script, text = match[1] or "", match[2]
        bold = bold or any(map(str.isalnum, text.partition(_HEAVY)[2]))
        if script:
            return _script(script, text, match.string[: match.start()])
        return _parted(text, match) if text[:1] in (_HEAVY, _LIGHT) else text

    def commanded(match: re.Match[str]) -> str:
        nonlocal bold
        name, parts = match[1], re.findall(r"\{([^{}]*)\}", match[3])
        if name in ("textsuperscript", "textsubscript", "sp", "sb"):
            return _script("^" if name in ("textsuperscript", "sp") else "_", parts[0], match.string[: match.start()])
        if name in _SYMBOLS or name in _SPACES:
            return f"{_SYMBOLS.get(name, ' ')}{' '.join(parts)}"
        dropped = _DROPPED.get(name)
        text = " ".join(part for part in parts[_BEFORE.get(name, 0) if dropped is None else dropped :] if part.strip())
        bold = bold or (name in _BOLD and any(map(str.isalnum, text)))
        if name.lower() in _DEVIATION and text and "±" not in text:
            return f"±{text}"
        return _parted(text if text or dropped is not None or name in _BOLD or name in _BEFORE else name, match)

    text = re.sub(r"\\([&%_#${}])", lambda match: _ESCAPED[match[1]], re.sub(r"\\[()]", "$", source))
    text = _ACCENT.sub(lambda m: unicodedata.normalize("NFC", m[3] + _ACCENTS[m[1] or m[2]]), text)
    text = re.sub(r"\\\\(?:\[[^\[\]]*\])?|\\[,;: \n]|~", " ", re.sub(r"\\[!/\-]", "", text))
    text = _MATH.sub(lambda math: _SCRIPT.sub(r"\1{\2}", math[1]), text).replace("$", "")
    text = _SWITCH.sub(_LIGHT, _BOLD_SWITCH.sub(_HEAVY, text))
    text = _BARE.sub(_symbol, text)
    for _ in range(_DEEPEST):
        before, text = text, _COMMAND.sub(commanded, text)
        text = _GROUP.sub(grouped, text) if text == before else text
        if text == before:
            break
    bold = bold or any(map(str.isalnum, text.partition(_HEAVY)[2]))
    text = re.sub(r"\\([a-zA-Z@]+)\*?", r"\1", re.sub(r"[{}]|\\(?![a-zA-Z@])", "", text))
    return _tidy(text.translate(_BACK)), bold


def _symbol(match: re.Match[str]) -> str:
    """Write a command that stands for a character or a blank; leave any other."""
    name = match[1]
    return _SYMBOLS[name] if name in _SYMBOLS else " " if name in _SPACES else match[0]


def _parted(text: str, match: re.Match[str]) -> str:
    r"""Put a blank between two numbers that only a command parts: 85.2\std{0.3} is not 85.20.3."""
    start, bare = match.start(), text.lstrip(_HEAVY + _LIGHT)
    return f" {text}" if bare[:1].isdigit() and match.string[start - 1 : start].isdigit() else text


def _script(kind: str, text: str, before: str) -> str:
    """Write what is raised or lowered so that it is not taken for digits of the number before it."""
    text, last = text.strip(), before.rstrip("{}" + _HEAVY + _LIGHT)[-1:]
    if text[:1].isdigit() and (last.isdigit() or last in tuple("%)" + _ESCAPED["%"])):
        return f" ({text})" if _DECIMAL.fullmatch(text) else f"{kind}{text}"
    return f"^{text}" if kind == "^" and text[:1] in tuple("-+") and last == "0" else text


def _tidy(text: str) -> str:
    text = text.replace("---", "—").replace("--", "–").replace("``", '"').replace("''", '"')
    return " ".join(_POWER.sub(r"e\1", text).split())


LONGEST = 5000
"""Letters of a cell in which marks are looked for; longer ones are no name and no number."""
_TEX = re.compile(r"\\[a-zA-Z]+\s*[{$]|\{\\[a-zA-Z]+|\\(?:pm|bf|bfseries|times)\b|\\[%&_#]")
_STARS = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_TAGS = re.compile(r"<(b|strong)\b[^<>]*>(.*?)</\1>", re.IGNORECASE)
_BARS = re.compile(r"(?<![\w\\])__(?=\S)(.+?)(?<=[^\s\\])__(?!\w)")
_ITALIC = re.compile(r"(?<![\w*\\])([*_])(?=[^\s*_])([^*_]*?)(?<=[^\s*_\\])\1(?![\w*])")
_OTHER = re.compile(r"</?(?:i|em|u|s|span|font|small|code|sub|sup|a|p|div|mark|del|ins|tt|kbd)\b[^<>]*>", re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_MARKED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~$%&])")


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
            bold = bold or any(any(map(str.isalnum, match[place])) for match in mark.finditer(text))
            text = mark.sub(rf"\{place}", text)
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
    text = _LINK.sub(lambda match: "" if match[0][0] == "!" else match[1], text)
    text, bold = _unbold(text)
    if _BARS.search(text):
        text, bold = _BARS.sub(r"\1", text), True
    pieces = text.split("$") if text.count("$") > 1 else [text]
    for place in range(1, len(pieces) - 1, 2):
        pieces[place], more = tex_text(f"${pieces[place]}$")
        bold = bold or more
    text = "".join(pieces)
    text = re.sub(r"<br\s*/?>", " ", text, flags=re.IGNORECASE)
    text = _OTHER.sub("", text).replace("`", "").replace("~~", "")
    text = _MARKED.sub(r"\1", _ITALIC.sub(r"\2", text))
    plain, more = unmarked(html.unescape(text)) if "\\" in text or "&" in text else (text, False)
    return " ".join(plain.split()), bold or more
