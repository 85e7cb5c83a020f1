"""What changed, as a feed that readers of feeds understand (JSON Feed 1.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tiebreak.evals.board._previous import MARK

if TYPE_CHECKING:
    from tiebreak.evals.board._board import Board

VERSION = "https://jsonfeed.org/version/1.1"


def feed(board: Board) -> dict[str, Any]:
    """Return the builds of a board, newest first; a build has a date only where one was given."""
    return {
        "version": VERSION,
        "_generator": MARK,
        "title": board.name,
        "description": board.found.title(),
        "items": [_item(board.name, each) for each in board.history],
    }


def _item(title: str, told: Any) -> dict[str, Any]:
    date = told["date"]
    out = {
        "id": told["id"],
        "title": f"{title}, {date}" if date else title,
        "content_text": "\n".join(told["sentences"]),
    }
    if date:
        out["date_published"] = date if "T" in date else f"{date}T00:00:00Z"
    return out
