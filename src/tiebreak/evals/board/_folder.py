"""Files of a board into a folder: nothing that is not ours is written over or removed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tiebreak.errors import InputError
from tiebreak.evals.board._badges import FOLDER, OURS
from tiebreak.evals.board._previous import MARK

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
        for old in _badges(folder):
            if f"{FOLDER}/{old.name}" not in files and is_ours(old):
                old.unlink()
    except OSError as error:
        raise InputError(
            f"{error.filename or folder} cannot be written: {error.strerror}.",
            why="The board goes there.",
            mend="Choose another folder.",
        ) from None


def is_ours(path: Path) -> bool:
    """Whether a file was written by this verb; a link is nobody's file."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as stream:
        return MARK.encode() in stream.read(HEAD)


def _badges(folder: Path) -> list[Path]:
    return sorted(each for each in (folder / FOLDER).iterdir() if OURS.fullmatch(each.name))


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
    return InputError(
        f"{path} {what}.",
        why="It would be lost if the board were written there.",
        mend="Choose another folder, or move it away.",
    )


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
