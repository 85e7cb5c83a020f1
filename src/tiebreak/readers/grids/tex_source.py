r"""LaTeX source made ready: comments and code blanked out, own macros expanded, arguments found; lines stay lines."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from tiebreak.errors import InputError
from tiebreak.readers.grids.decoding import decoded

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_HIDDEN = re.compile(r"\\begin\{(verbatim\*?|lstlisting|minted|comment|filecontents\*?)\}|\\iffalse(?![a-zA-Z])")
_LONGEST_MACRO = 1000
_MOST_MACROS = 2000
_NEW = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\s*\\([a-zA-Z]+)\s*\}?\s*"
    r"(?:\[(\d)\])?(\[[^\[\]]*\])?\s*\{|\\def\s*\\([a-zA-Z]+)((?:#\d)*)\s*\{"
)
_STRUCTURE = re.compile(r"\\(?:begin|end|caption|multicolumn|multirow|hline|\\)")
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}\n]{1,200})\}")
_MOST_FILES = 200
_LARGEST_FILE = 10_000_000
_PASSES = 6
_GROWTH = 4  # a text may grow by macros to so many times its length, and 100,000 characters


def prepared(source: str) -> str:
    """Blank out what is not printed; every line keeps its number."""
    text = _COMMENT.sub(r"\1", source)
    parts, place = list[str](), 0
    while found := _HIDDEN.search(text, place):
        close = f"\\end{{{found.group(1)}}}" if found.group(1) else "\\fi"
        end = text.find(close, found.end())
        if end < 0:
            break
        parts += [text[place : found.start()], "\n" * text.count("\n", found.start(), end)]
        place = end + len(close)
    return "".join([*parts, text[place:]])


def taken_in(text: str, folder: Path | None, name: str) -> tuple[str, list[tuple[str, str]]]:
    r"""Put the rows that a table takes in by \input in their place, on one line; return the other files beside it.

    Files are looked for in the folder of the text and below it, as LaTeX finds them; those that are not there are
    left alone: a table need not be in them.
    """
    if folder is None:
        return text, []
    files: dict[str, str] = {name: text}
    queue = [name]
    for each in queue:
        files[each], outer = _with_rows(files[each], folder)
        for wanted, inner in outer:
            if wanted not in files and wanted.removesuffix(".tex") != name.removesuffix(".tex"):
                files[wanted] = inner
                queue.append(wanted)
        if len(files) > _MOST_FILES:
            break
    whole = files.pop(name)
    return whole, list(files.items())


def _with_rows(text: str, folder: Path) -> tuple[str, list[tuple[str, str]]]:
    """Put the rows that tables take in in their place, and return the files that are taken in elsewhere."""
    outer, parts, place = list[tuple[str, str]](), list[str](), 0
    for found in islice(_INPUT.finditer(text), _MOST_FILES):
        wanted = found.group(1).strip()
        inner = _file(folder, wanted)
        if inner is None:
            continue
        if _within_table(text, found.start()):
            parts += [text[place : found.start()], " ".join(inner.split("\n"))]
            place = found.end()
        else:
            outer.append((wanted, inner))
    return "".join([*parts, text[place:]]), outer


def _within_table(text: str, place: int) -> bool:
    """Say whether the last table that begins before a place has not ended there."""
    begin = max(text.rfind(f"\\begin{{{kind}", 0, place) for kind in ("tabu", "longt", "xltabu", "tblr"))
    end = max(text.rfind(f"\\end{{{kind}", 0, place) for kind in ("tabu", "longt", "xltabu", "tblr"))
    return begin > end


def _file(folder: Path, wanted: str) -> str | None:
    """Read a file below a folder, without what is not printed."""
    if ".." in wanted or wanted.startswith(("/", "~")) or "\0" in wanted:
        return None
    for path in (folder / wanted, folder / f"{wanted}.tex"):
        try:
            if path.is_file() and path.stat().st_size < _LARGEST_FILE:
                return prepared(decoded(path.read_bytes(), path.name)[0])
        except (OSError, InputError):
            return None
    return None


def argument_end(text: str, start: int) -> int:
    """Return the place behind the closing brace of the group that opens at `start`; the end where none closes."""
    depth, place = 0, start
    for found in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, start):
        mark = found.group(0)
        depth += {"{": 1, "}": -1}.get(mark, 0)
        place = found.end()
        if depth == 0:
            return place
    return len(text)


def argument(text: str, start: int) -> tuple[str, int]:
    """Return the argument at `start`, with or without braces, and the place behind it."""
    while start < len(text) and text[start].isspace():
        start += 1
    if text[start : start + 1] != "{":
        found = re.compile(r"\\[a-zA-Z]+|.", re.DOTALL).match(text, start)
        return (found.group(0), found.end()) if found else ("", start)
    end = argument_end(text, start)
    return text[start + 1 : end - (text[end - 1 : end] == "}")], end


def optional_end(text: str, start: int) -> int:
    """Return the place behind an optional argument at `start`, or `start` where there is none."""
    place = start
    while place < len(text) and text[place] in " \t\n":
        place += 1
    if text[place : place + 1] != "[":
        return start
    end = text.find("]", place, place + 500)
    return start if end < 0 else end + 1


Macros = dict[str, tuple[int, str | None, str]]
"""Name of a macro: its number of arguments, the default of the first, its body."""


def macros_of(text: str) -> Macros:
    r"""Return the macros that a text defines, `\newcommand{\best}[1]{\textbf{#1}}` for one."""
    found: Macros = {}
    for match in islice(_NEW.finditer(text), _MOST_MACROS):
        name = match.group(1) or match.group(4)
        count = int(match.group(2) or 0) if match.group(1) else len(match.group(5)) // 2
        default = match.group(3)[1:-1] if match.group(3) else None
        body, _ = argument(text[match.end() - 1 : match.end() + _LONGEST_MACRO], 0)
        if len(body) < _LONGEST_MACRO and f"\\{name}" not in body:
            found[name] = (count, default, body)
    return found


def expanded(text: str, macros: Macros) -> str:
    """Put the bodies of macros in their places; a line break in an argument stays, so lines keep their numbers."""
    if not macros:
        return text
    call = re.compile(r"\\(" + "|".join(sorted(map(re.escape, macros), key=len, reverse=True)) + r")(?![a-zA-Z])")
    most = _GROWTH * len(text) + 100_000
    for _ in range(_PASSES):
        parts, place, size = list[str](), 0, 0
        while match := call.search(text, place):
            made, end = _call(text, match, macros[match.group(1)])
            parts += [text[place : match.start()], made]
            size += match.start() - place + len(made)
            place = end
            if size > most:
                return text
        if not parts:
            return text
        text = "".join([*parts, text[place:]])
    return text


def _call(text: str, match: re.Match[str], macro: tuple[int, str | None, str]) -> tuple[str, int]:
    """Return one call written out, and the place behind it."""
    count, default, body = macro
    end, given = match.end(), list[str]()
    if default is not None:
        behind = optional_end(text, end)
        given.append(text[end:behind].strip()[1:-1] if behind > end else default)
        end = behind
    while len(given) < count:
        value, end = argument(text, end)
        given.append(value)
    made = re.sub(r"#(\d)", lambda found: given[int(found.group(1)) - 1] if int(found.group(1)) <= count else "", body)
    if not count and text[end : end + 2] == "{}":
        end += 2
    return ("{" + made + "}" if not _STRUCTURE.search(made) else made), end
