r"""The text of a LaTeX cell: `\textbf{85.2} $\pm$ 0.3\,\%` says "85.2 ± 0.3 %", in bold."""

from __future__ import annotations

import re
import unicodedata

from tiebreak.readers.grids.tex_words import (
    ACCENTS,
    BOLD,
    BOLD_OFF,
    BOLD_ON,
    CITES,
    DEVIATION,
    DROPPED,
    LAST,
    SWITCHES,
    SYMBOLS,
)

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
        said = "".join(self.out[since:]).strip()
        if not said and name not in BOLD:
            self.say(name, bold=bold)
        elif said and name.lower() in DEVIATION and "±" not in said:
            self.out[since:] = ["±", said]

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
        said = "".join(self.out[since:]).strip()
        del self.out[since:]
        before = self.before(since)
        if said and said[0].isdigit() and (before.isdigit() or before in "%)"):
            said = f" ({said})" if _DECIMAL.fullmatch(said) else f"{kind}{said}"
        elif kind == "^" and said[:1] in "-+" and before == "0":
            said = f"^{said}"  # a power of ten
        self.say(said, bold=False)

    def accent(self, mark: str, *, bold: bool, depth: int) -> None:
        """Put an accent on the first letter of the argument."""
        since = len(self.out)
        self.argument(bold=bold, depth=depth)
        said = "".join(self.out[since:]).replace("ı", "i")
        del self.out[since:]
        self.say(unicodedata.normalize("NFC", said[:1] + mark) + said[1:] if said else "", bold=bold)
