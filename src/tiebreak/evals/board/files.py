"""Files of a board into a folder: nothing that is not ours is written over or removed."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.errors import InputError
from tiebreak.evals.board.previous import MARK
from tiebreak.figures.drawing.text import fitted, shown, text_width

if TYPE_CHECKING:
    from tiebreak.evals.board.result import Board


HEAD = 1000
"""So many bytes at the start of a file tell whether it is ours."""


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files, and remove badges of earlier builds; refuse before anything is written.

    A file that holds the same already is left alone.
    """
    try:
        _check(folder, files)
        (folder / FOLDER).mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            _replace(folder / name, text.encode("utf-8", "replace"))
        for old in sorted(path for path in (folder / FOLDER).iterdir() if OURS.fullmatch(path.name)):
            if f"{FOLDER}/{old.name}" not in files and is_ours(old):
                old.unlink()
    except OSError as error:
        raise InputError(
            f"{error.filename or folder} cannot be written: {error.strerror}.", mend="Choose another folder."
        ) from None


def is_ours(path: Path) -> bool:
    """Whether a file was written by this verb; a link is nobody's file."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as stream:
        return MARK.encode() in stream.read(HEAD)


def _check(folder: Path, files: Mapping[str, str]) -> None:
    """Refuse a folder in which a file of the same name is somebody else's."""
    if folder.exists() and not folder.is_dir():
        raise _foreign(folder, "is a file")
    badges = folder / FOLDER
    if badges.is_symlink() or (badges.exists() and not badges.is_dir()):
        raise _foreign(badges, "is no folder of ours")
    for name in files:
        target = folder / name
        if (target.exists() or target.is_symlink()) and not is_ours(target):
            raise _foreign(target, "was not made by tiebreak board")


def _foreign(path: Path, what: str) -> InputError:
    return InputError(f"{path} {what}.", mend="Choose another folder, or move it away.")


def _replace(target: Path, data: bytes) -> None:
    """Put a whole file in the place of the old one, so that nobody ever sees half of it."""
    if target.is_file() and target.read_bytes() == data:
        return
    half = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        half.write_bytes(data)
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)


FOLDER = "badges"
SIZE, HIGH, PAD = 11.0, 20.0, 7.0
LONGEST_LABEL = 220.0
"""Longer titles are cut, in points."""
MOST_LETTERS = 60
COLOURS = ("#116329", "#0550ae", "#57606a")
"""Of tier 1, of tier 2, and of all below; white letters have a contrast of more than 4.5 on each."""
OURS = re.compile(r"([a-z0-9-]+-)?[0-9a-f]{8,64}\.svg")
"""Names that badges have."""


def badge_names(names: Sequence[str]) -> dict[str, str]:
    """Return a file name for each name: letters that are harmless everywhere, and a digest that keeps them distinct.

    The file of a name does not hang on the others, so that a link to a badge keeps.

    Examples
    --------
    >>> list(badge_names(["gpt-5 (high)", "../../etc/passwd"]).values())
    ['gpt-5-high-8aacfebb.svg', 'etc-passwd-3754d6cb.svg']
    """
    digests = {name: hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest() for name in names}
    return {name: f"{_stem(name)}{digest[:8]}.svg" for name, digest in digests.items()}


def _stem(name: str) -> str:
    """Keep letters that mean nothing to a shell, a server or a file system, none of them large."""
    text = re.sub(r"[^a-z0-9]+", "-", name.lower())[:MOST_LETTERS].strip("-")
    return f"{text}-" if text else ""


def badge(title: str, tier: int, tiers: int, *, name: str) -> str:
    """Draw the badge of one algorithm.

    Examples
    --------
    >>> badge("Polyglot", 1, 7, name="gpt-5").count("tier 1 of 7")
    3
    """
    label, value = fitted(title, SIZE, LONGEST_LABEL), f"tier {tier} of {tiers}"
    left, right = (text_width(words, SIZE) + 2 * PAD for words in (label, value))
    wide, colour = left + right, COLOURS[min(tier, len(COLOURS)) - 1]
    text = escape(f"{shown(name)} on {shown(title)}: {value}")
    texts = "".join(
        f'<text x="{middle:.1f}" y="14">{escape(words)}</text>'
        for middle, words in ((left / 2, label), (left + right / 2, value))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.1f}" height="{HIGH:.0f}"'
        f' viewBox="0 0 {wide:.1f} {HIGH:.0f}" role="img" aria-label="{text}">\n<!-- made by {MARK} -->\n'
        f'<title>{text}</title>\n<rect width="{wide:.1f}" height="{HIGH:.0f}" rx="3" fill="#24292f"/>\n'
        f'<path d="M{left:.1f} 0h{right - 3:.1f}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right - 3:.1f}z" fill="{colour}"/>\n'
        f'<g fill="#fff" text-anchor="middle" font-family="Verdana, DejaVu Sans, sans-serif" font-size="{SIZE:.0f}">'
        f"{texts}</g>\n</svg>\n"
    )


VERSION = "https://jsonfeed.org/version/1.1"


def feed(board: Board) -> dict[str, Any]:
    """Return the builds of a board, newest first; a build has a date only where one was given."""
    return {
        "version": VERSION,
        "_generator": MARK,
        "title": board.name,
        "description": board.found.title(),
        "items": [_item(board.name, record) for record in board.history],
    }


def _item(title: str, options: Any) -> dict[str, Any]:
    date = options["date"]
    out = {
        "id": options["id"],
        "title": f"{title}, {date}" if date else title,
        "content_text": "\n".join(options["sentences"]),
    }
    if date:
        out["date_published"] = date if "T" in date else f"{date}T00:00:00Z"
    return out
