"""Rows as a table to print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tiebreak.documents.parts import Table
from tiebreak.documents.words import Row, cell


def table_of(rows: Sequence[Row], caption: str = "", **options: Any) -> Table:
    """Return rows as a table to print; unless told, the leading columns of texts are aligned to the left."""
    header = tuple(rows[0]) if rows else ()
    body = tuple(tuple(cell(key, row[key]) for key in header) for row in rows)
    return Table(caption=caption, header=header, body=body, **{"left": _texts(rows), **options})


def _texts(rows: Sequence[Row]) -> int:
    """Count the leading columns that hold text: they are aligned to the left."""
    count = 0
    for value in rows[0].values() if rows else ():
        if not isinstance(value, str):
            break
        count += 1
    return max(count, 1)
