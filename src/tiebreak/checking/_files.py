"""Which files a document is made of: itself, what a LaTeX file takes in, or what lies in a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tiebreak.errors import InputError

ENDINGS = (".tex", ".md", ".markdown", ".html", ".htm")
"""What is looked at in a folder; a file is read whatever its ending."""

_TAKES_IN = re.compile(r"(?<!%)\\(?:input|include|subfile)\s*\{([^}]+)\}")
_COMMENT = re.compile(r"(?<!\\)%.*")


def files_of(path: Path) -> list[Path]:
    """Return the files to look at, each once, in the order in which they are read."""
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
    seen: dict[Path, Path] = {}
    for each in found:
        for file in _with_parts(each, path.parent if not path.is_dir() else each.parent, set()):
            seen.setdefault(file.resolve(), file)
    return list(seen.values())


def _is_seen(path: Path, folder: Path) -> bool:
    return path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)


def _with_parts(path: Path, root: Path, above: set[Path]) -> Iterator[Path]:
    r"""Follow \input, whose paths LaTeX takes from where the main file lies; what is not there is LaTeX's to say."""
    yield path
    if path.suffix.lower() != ".tex" or path.resolve() in above or not path.is_file():
        return
    text = _COMMENT.sub("", path.read_text(encoding="utf-8", errors="replace"))
    for name in _TAKES_IN.findall(text):
        inner = root / name.strip()
        inner = inner if inner.suffix else inner.with_suffix(".tex")
        if inner.is_file():
            yield from _with_parts(inner, root, above | {path.resolve()})
