"""Which files a document is made of: itself, what a LaTeX file takes in, or what lies in a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tiebreak.errors import InputError

ENDINGS = (".tex", ".md", ".markdown", ".html", ".htm")
"""What is looked at in a folder; a file is read whatever its ending."""

FEWEST_WORDS = 30
"""So many words beside its tables make a document of a Markdown or HTML file."""
_RESULTS = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".xlsx", ".eval")
_SECTIONS = re.compile(r"\\(documentclass|begin\s*\{document\}|section|chapter)\b")
_HTML_TABLES = re.compile(r"<table\b.*?</table>|<style\b.*?</style>|<script\b.*?</script>", re.I | re.S)
_MD_TABLES = re.compile(r"^\s*\|.*\|\s*$|<table\b.*?</table>", re.M | re.I | re.S)
_TAGS = re.compile(r"<[^>]*>")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_TAKES_IN = re.compile(r"(?<!%)\\(?:input|include|subfile)\s*\{([^}]+)\}")
_COMMENT = re.compile(r"(?<!\\)%.*")


def files_of(path: Path) -> list[Path]:
    """Return the files to look at; those that another takes in are read with it."""
    if path.is_dir():
        found = [each for each in sorted(path.rglob("*")) if each.suffix.lower() in ENDINGS and _is_seen(each, path)]
        if not found:
            raise InputError(
                f"{path} holds no document.",
                why=f"In a folder, files that end with {', '.join(ENDINGS)} are looked at.",
                mend="Name the file itself.",
            )
    else:
        found = [path]
    inner = {part for each in found for part in _parts(each, each.parent, {each.resolve()})}
    whole = [each for each in found if each.resolve() not in inner]
    return whole or found  # files that take in each other


def is_document(path: Path) -> bool:
    """Say whether a file is a document with prose around its tables, or a folder of nothing but documents.

    A table alone, as a spreadsheet exports it, is none.
    """
    if path.is_dir():
        kinds = {each.suffix.lower() for each in path.iterdir() if each.is_file() and _is_seen(each, path)}
        return bool(kinds & set(ENDINGS)) and not kinds & set(_RESULTS)
    kind = path.suffix.lower()
    if kind not in ENDINGS or not path.is_file():
        return False
    text = path.read_text(encoding="utf-8", errors="replace")
    if kind == ".tex":
        return _SECTIONS.search(_COMMENT.sub("", text)) is not None
    prose = _HTML_TABLES.sub(" ", text) if kind.startswith(".htm") else _MD_TABLES.sub(" ", text)
    has_table = prose != text
    return has_table and len(_WORDS.findall(_TAGS.sub(" ", prose))) >= FEWEST_WORDS


def file_of(source: str, document: Path) -> Path:
    r"""Return the file that a LaTeX document means by what its \input says."""
    named = document.parent / source
    return named if named.is_file() else named.with_name(f"{named.name}.tex")


def _is_seen(path: Path, folder: Path) -> bool:
    return path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)


def _parts(path: Path, root: Path, above: set[Path]) -> Iterator[Path]:
    r"""Follow \input, whose paths LaTeX takes from where the main file lies: what is taken in is read with that."""
    if path.suffix.lower() != ".tex" or not path.is_file():
        return
    text = _COMMENT.sub("", path.read_text(encoding="utf-8", errors="replace"))
    for name in _TAKES_IN.findall(text):
        part = file_of(name.strip(), root / path.name)
        if ".." not in name and part.is_file() and part.resolve() not in above:
            above.add(part.resolve())
            yield part.resolve()
            yield from _parts(part, root, above)
