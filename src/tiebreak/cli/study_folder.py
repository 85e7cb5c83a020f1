"""`tiebreak study NAME --out FOLDER/`: everything that a study found, each kind of output in a file of its own."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.cli import options
from tiebreak.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tiebreak.documents import Row, Shown
    from tiebreak.figures import Figure


def is_folder(out: str | None) -> bool:
    """Say whether a path names a folder: one that is there, or one that ends as folders do.

    Examples
    --------
    >>> is_folder("found/"), is_folder("found.txt"), is_folder(None)
    (True, False, False)
    """
    ends = tuple(filter(None, (os.sep, os.altsep, "/")))
    return out is not None and (out.endswith(ends) or Path(out).is_dir())


def write_folder(found: Shown, data: dict[str, Any], name: str, out: str) -> None:
    """Write text, Markdown, JSON, the rows as CSV, and a figure for each kind that there is."""
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{error.filename or out} cannot be made: {error.strerror}.",
            why="The output goes into that folder.",
            mend="Choose another path.",
        ) from None
    texts = {"txt": str(found), "md": found.to_markdown(), "json": options.as_json(data), "csv": _csv(found.rows())}
    for ending, text in texts.items():
        options.emit(text, str(folder / f"{name}.{ending}"))
    for kind, figure in _figures(found).items():
        stem = name if kind == name else f"{name}-{kind}"
        figure.save(folder / f"{stem}.svg")


def _figures(found: Shown) -> dict[str, Figure]:
    """A study whose figures hang on what it was given says itself which it has; others have one of each kind."""
    from tiebreak.figures import KINDS

    own: Callable[[], dict[str, Figure]] | None = getattr(found, "figures", None)
    return own() if own else {kind: found.figure(kind) for kind in KINDS.get(type(found).__name__, ())}


def _csv(rows: list[Row]) -> str:
    """Columns are those of the first row; a study's rows all have the same."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [], lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().rstrip("\n")
