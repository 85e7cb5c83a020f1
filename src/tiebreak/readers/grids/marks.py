r"""Marks in the cells of any format: bold stars, tags and LaTeX, where `\textbf{85.2} $\pm$ 0.3` is "85.2 ± 0.3"."""

from __future__ import annotations

import html
import re
import unicodedata

BOLD = frozenset("textbf mathbf bm boldsymbol pmb mathbfit textbfit".split())
"""Commands that print their argument in bold."""
BOLD_ON = frozenset("bf bfseries boldmath fontseries".split())
"""Switches to bold up to the end of the group."""
BOLD_OFF = frozenset("mdseries normalfont unboldmath rm".split())

SWITCHES = frozenset(
    """tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge it itshape em sl slshape sc scshape sf
    sffamily tt ttfamily rmfamily upshape centering raggedright raggedleft arraybackslash xspace protect noindent
    displaystyle textstyle scriptstyle left right big Big bigg Bigg limits nolimits selectfont relax par hfill hss null
    strut mathstrut leavevmode ignorespaces unskip bgroup egroup begingroup endgroup newline linebreak allowbreak
    smallskip medskip bigskip hline toprule midrule bottomrule""".split()
)
"""Commands that change how the text looks and say nothing."""

DROPPED = {
    "cellcolor": 1, "color": 1, "rowcolor": 1, "columncolor": 1, "label": 1, "ref": 1, "eqref": 1, "autoref": 1,
    "cref": 1, "Cref": 1, "footnote": 1, "footnotemark": 0, "footnotetext": 1, "tnote": 1, "tablefootnote": 1,
    "phantom": 1, "hphantom": 1, "vphantom": 1, "hspace": 1, "vspace": 1, "rule": 2, "includegraphics": 1, "index": 1,
    "addlinespace": 0, "setlength": 2, "vskip": 0, "hskip": 0, "todo": 1, "hypertarget": 1, "phantomsection": 0,
    "rowfont": 1, "SetCell": 1, "SetRow": 1, "arraystretch": 0, "pgfplotstabletypeset": 1,
}  # fmt: skip
"""Commands that leave no text, with the number of their arguments."""

LAST = {
    "textcolor": 2, "colorbox": 2, "fcolorbox": 3, "rotatebox": 2, "resizebox": 3, "scalebox": 2, "raisebox": 2,
    "parbox": 2, "multicolumn": 3, "multirow": 3, "adjustbox": 2, "href": 2, "hyperlink": 2, "makebox": 1, "fbox": 1,
    "framebox": 1, "mbox": 1, "makecell": 1, "thead": 1, "shortstack": 1, "multirowcell": 2, "multirowthead": 2,
    "rot": 1, "rotcell": 1, "hyperref": 1, "reflectbox": 1, "texorpdfstring": 1,
}  # fmt: skip
"""Commands of several arguments of which the last is the text, with the number of them."""

DEVIATION = frozenset("std sd se stdev stddev stderr sderr sdev err pms error interval ci".split())
"""Names that authors give to the macro that prints a standard deviation behind its mean."""

SYMBOLS = {
    "pm": "±", "mp": "∓", "times": "×", "cdot": "·", "uparrow": "↑", "downarrow": "↓", "Uparrow": "↑",
    "Downarrow": "↓", "rightarrow": "→", "to": "→", "leftarrow": "←", "nearrow": "↗", "searrow": "↘",
    "checkmark": "✓", "cmark": "✓", "xmark": "✗", "dag": "†", "dagger": "†", "ddag": "‡", "ddagger": "‡", "star": "*",
    "ast": "*", "bigstar": "*", "bullet": "•", "textbullet": "•", "circ": "°", "degree": "°", "infty": "∞", "le": "≤",
    "leq": "≤", "ge": "≥", "geq": "≥", "approx": "≈", "sim": "~", "textasciitilde": "~", "neq": "≠", "ne": "≠",
    "lt": "<", "gt": ">", "textless": "<", "textgreater": ">", "textminus": "-", "textendash": "–", "textemdash": "—",
    "ldots": "…", "dots": "…", "cdots": "…", "textellipsis": "…", "textbackslash": "\\", "textunderscore": "_",
    "percent": "%", "textpercent": "%", "textpm": "±", "texttimes": "×", "quad": " ", "qquad": " ", "space": " ",
    "thinspace": " ", "enspace": " ", "nobreakspace": " ", "tabularnewline": " ", "S": "§", "P": "¶", "ell": "ℓ",
    "textdagger": "†", "textdaggerdbl": "‡", "textasteriskcentered": "*", "blacktriangle": "▲", "triangle": "△",
    "blacktriangledown": "▼", "triangledown": "▽", "diamond": "⋄", "square": "□", "blacksquare": "■", "dash": "-",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ",
    "Psi": "Ψ", "Omega": "Ω", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø",
    "O": "Ø", "l": "ł", "L": "Ł", "i": "ı", "LaTeX": "LaTeX", "TeX": "TeX", "&": "&", "%": "%", "_": "_", "#": "#",
    "$": "$", "{": "{", "}": "}", ",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "!": "", "-": "", "/": "",
    "\\": " ", "(": "", ")": "", "[": "", "]": "", "|": "|", "*": "",
}  # fmt: skip
"""Commands that stand for a character."""

ACCENTS = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a",
}  # fmt: skip
"""Commands that put an accent on the next letter, as the combining character."""

CITES = "cite"
"""Commands that begin so leave no text: a table's name does not change with the paper that it cites."""

_TOKEN = re.compile(r"\\[a-zA-Z@]+\*?|\\.|[{}$^_~&\[\]]|[^\\{}$^_~&\[\]]+|\\", re.DOTALL)
_LONGEST = 20_000  # letters of a cell that are read as LaTeX
_DEEPEST = 40  # braces within braces; deeper ones are taken away before reading
_DECIMAL = re.compile(r"\d*[.,]\d+\s*%?")
_POWER = re.compile(r"\s*[×·]\s*10\^([-+]?\d+)")


def tex_text(source: str) -> tuple[str, bool]:
    r"""Return the text of a cell, and whether any letter or digit of it is bold.

    Examples
    --------
    >>> tex_text(r"$\mathbf{85.2}_{\pm 0.3}$"), tex_text(r"{\bf C4.5+m}~\cite{quinlan}"), tex_text(r"$-$1{,}000\%")
    (('85.2± 0.3', True), ('C4.5+m', True), ('-1,000%', False))
    """
    if len(source) > _LONGEST or ("\\" not in source and not any(mark in source for mark in "{}$^_~")):
        return _tidy(source), False
    if _depth(source) > _DEEPEST:
        source = re.sub(r"(?<!\\)[{}]", "", source)
    reader = _Reader(_TOKEN.findall(source))
    while reader.place < len(reader.tokens):  # again after a closing brace too many
        reader.group(bold=False, depth=0)
    return _tidy("".join(reader.out)), reader.bold


def _tidy(text: str) -> str:
    text = text.replace("---", "—").replace("--", "–").replace("``", '"').replace("''", '"')
    return " ".join(_POWER.sub(r"e\1", text).split())


def _depth(source: str) -> int:
    depth = deepest = 0
    for mark in re.findall(r"\\.|[{}]", source, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(mark, 0)
        deepest = max(deepest, depth)
    return deepest


class _Reader:
    """Reads tokens once, from left to right; what it has said so far is `out`."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.place, self.out, self.bold, self.math = tokens, 0, list[str](), False, False

    def say(self, text: str, *, bold: bool) -> None:
        """Add text to what was said, and note whether it makes the cell bold."""
        if text:
            self.bold = self.bold or (bold and any(letter.isalnum() for letter in text))
            self.out.append(text)

    def part(self, since: int) -> None:
        r"""Put a blank between two numbers that only a command parts: 85.2\std{0.3} is not 85.20.3."""
        after = next((piece[0] for piece in self.out[since:] if piece), "")
        if after.isdigit() and self.before(since).isdigit():
            self.out.insert(since, " ")

    def before(self, since: int) -> str:
        """Return the last letter that was said before then."""
        return next((self.out[place][-1] for place in range(since - 1, -1, -1) if self.out[place]), "")

    def group(self, *, bold: bool, depth: int) -> None:
        """Read up to the end of the group."""
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            self.place += 1
            if token == "}":
                return
            if token == "{":
                since = len(self.out)
                self.group(bold=bold, depth=depth + 1)
                if len(self.out) > since and self._sized(since):
                    self.part(since)
            elif token in "^_" and (self.math or self._next() == "{"):
                self.script(token, bold=bold, depth=depth)
            elif token == "$":
                self.math = not self.math
            elif token[0] == "\\" and len(token) > 1:
                bold = self.command(token[1:].rstrip("*") or "*", bold=bold, depth=depth)
            else:
                self.say(" " if token in "~&" else token, bold=bold)

    def _sized(self, since: int) -> bool:
        """Say whether the group begins with a switch, which marks a note to what stands before it."""
        return self.out[since] == ""

    def _next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def command(self, name: str, *, bold: bool, depth: int) -> bool:
        """Carry out a command; return whether what follows in the group is bold."""
        since = len(self.out)
        if name in BOLD_ON or name in BOLD_OFF or name in SWITCHES:
            self.out.append("")  # leaves a trace that `_sized` finds
            return name in BOLD_ON or (bold and name not in BOLD_OFF)
        if name in SYMBOLS:
            if name in "()":
                self.math = name == "("
            self.say(SYMBOLS[name], bold=False)
        elif name in ACCENTS:
            self.accent(ACCENTS[name], bold=bold, depth=depth)
        elif name.startswith(CITES) or name in DROPPED:
            self.drop(DROPPED.get(name, 1), depth=depth)
        elif name in ("textsuperscript", "textsubscript", "sp", "sb"):
            self.script("^" if name in ("textsuperscript", "sp") else "_", bold=bold, depth=depth)
        elif name in LAST:
            self.drop(LAST[name] - 1, depth=depth)
            self.optional()
            self.argument(bold=bold, depth=depth)
        else:
            self.unknown(name, bold=bold or name in BOLD, depth=depth)
        self.part(since)
        return bold

    def unknown(self, name: str, *, bold: bool, depth: int) -> None:
        r"""Keep the arguments of a command that is not known, or its name if it has none: `\ours` names a method."""
        since = len(self.out)
        self.optional()
        while self._next() == "{":
            inner = len(self.out)
            self.argument(bold=bold, depth=depth)
            if inner > since and len(self.out) > inner:
                self.out.insert(inner, " ")
        text = "".join(self.out[since:]).strip()
        if not text and name not in BOLD:
            self.say(name, bold=bold)
        elif text and name.lower() in DEVIATION and "±" not in text:
            self.out[since:] = ["±", text]

    def argument(self, *, bold: bool, depth: int) -> None:
        """Read one argument: a group, or the next token."""
        while self._next() and not self._next().strip():
            self.place += 1
        token = self._next().lstrip()
        if token == "{":
            self.place += 1
            self.group(bold=bold, depth=depth + 1)
        elif token[:1] == "\\" and len(token) > 1 and depth < _DEEPEST:
            self.place += 1
            self.command(token[1:].rstrip("*") or "*", bold=bold, depth=depth + 1)
        elif token and token != "}":
            self.say(token[0], bold=bold)
            self.tokens[self.place] = token[1:]
            self.place += not token[1:]

    def optional(self) -> None:
        """Skip an optional argument, if there is one and it ends."""
        if self._next() == "[" and "]" in self.tokens[self.place : self.place + 20]:
            self.place = self.tokens.index("]", self.place) + 1

    def drop(self, count: int, *, depth: int) -> None:
        """Skip arguments, with the optional ones before them."""
        since, bold = len(self.out), self.bold
        self.optional()
        self.optional()
        for _ in range(count):
            if self._next().isspace() or self._next() == "{":
                self.argument(bold=False, depth=depth)
            self.optional()
        del self.out[since:]
        self.bold = bold

    def script(self, kind: str, *, bold: bool, depth: int) -> None:
        """Write what is raised or lowered so that it is not taken for digits of the number before it."""
        since = len(self.out)
        self.argument(bold=bold, depth=depth)
        text = "".join(self.out[since:]).strip()
        del self.out[since:]
        before = self.before(since)
        if text and text[0].isdigit() and (before.isdigit() or before in "%)"):
            text = f" ({text})" if _DECIMAL.fullmatch(text) else f"{kind}{text}"
        elif kind == "^" and text[:1] in "-+" and before == "0":
            text = f"^{text}"  # a power of ten
        self.say(text, bold=False)

    def accent(self, mark: str, *, bold: bool, depth: int) -> None:
        """Put an accent on the first letter of the argument."""
        since = len(self.out)
        self.argument(bold=bold, depth=depth)
        text = "".join(self.out[since:]).replace("ı", "i")
        del self.out[since:]
        self.say(unicodedata.normalize("NFC", text[:1] + mark) + text[1:] if text else "", bold=bold)


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
            bold = bold or any(any(map(str.isalnum, match.group(place))) for match in mark.finditer(text))
            text = mark.sub(lambda result, place=place: result.group(place), text)  # type: ignore[misc]
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
    text = _LINK.sub(lambda match: "" if match.group(0)[0] == "!" else match.group(1), text)
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
