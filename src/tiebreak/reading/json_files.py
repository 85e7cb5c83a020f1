"""JSON as columns: a list of records, a dictionary of columns, or one of data sets and algorithms."""

from __future__ import annotations

from functools import partial
from typing import Any

from tiebreak.errors import InputError
from tiebreak.tables import text
from tiebreak.tables.columns import Columns
from tiebreak.tables.limits import TooDeep, json_of
from tiebreak.tables.objects import dict_columns, record_columns


def json_columns(data: bytes, score: str, source: str) -> Columns:
    """Read a list of records, a dictionary of columns, or {data set: {algorithm: score or list of fold scores}}."""
    try:
        content = json_of(data.decode(), object_pairs_hook=partial(_distinct, source=source))
    except UnicodeDecodeError:
        raise text.not_utf8(source) from None
    except InputError:
        raise
    except TooDeep as error:
        raise InputError(
            f"{source} is no table: {error}.",
            why="Read are a list of records, a dictionary of columns, or {data set: {algorithm: score}}.",
            mend="Write it as [{'dataset': ..., 'algorithm': ..., 'accuracy': ...}, ...].",
        ) from None
    except ValueError as error:
        raise InputError(
            f"{source} is not JSON: {error}.", why="Its ending says that it is.", mend="Correct it."
        ) from None
    if isinstance(content, dict) and content:
        return dict_columns(content, score=score, source=source)
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        return record_columns(content)
    raise InputError(
        f"{source} is JSON of another shape.",
        why="Read are a list of records, a dictionary of columns, or {data set: {algorithm: score}}.",
        mend="Write it as [{'dataset': ..., 'algorithm': ..., 'accuracy': ...}, ...].",
    )


def _distinct(pairs: list[tuple[str, Any]], *, source: str) -> dict[str, Any]:
    """Make a dictionary, or name the key that would overwrite another."""
    out = dict(pairs)
    if len(out) < len(pairs):
        keys = [key for key, _ in pairs]
        raise InputError(
            f"The key {next(key for key in keys if keys.count(key) > 1)!r} occurs twice in one object of {source}.",
            why="Only one of its values could be read.",
            mend="Rename or delete one of them.",
        )
    return out
