"""JSON as columns: a list of records, a dictionary of columns, or one of data sets and algorithms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError
from tiebreak.tables import text
from tiebreak.tables.columns import Columns
from tiebreak.tables.limits import TooDeep, json_of
from tiebreak.tables.objects import dict_columns, record_columns
from tiebreak.wording import option


def json_columns(data: bytes, score: str, source: str) -> Columns:
    """Read a list of records, a dictionary of columns, or {data set: {algorithm: score or list of fold scores}}."""
    try:
        content = json_of(data.decode(), object_pairs_hook=partial(distinct, source=source))
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


def line_columns(data: bytes, source: str) -> Columns:
    """Read a record a line; what a record lacks is missing."""
    return record_columns([_record(line, number, source) for number, line in _lines(data, source)])


def first_record(data: bytes, source: str) -> dict[str, Any]:
    """Return the first record of such lines, {} where there is none."""
    for number, line in _lines(data, source):
        return _record(line, number, source)
    return {}


def _lines(data: bytes, source: str) -> Iterator[tuple[int, str]]:
    try:
        text_ = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise text.not_utf8(source) from None
    return ((number, line) for number, line in enumerate(text_.split("\n"), start=1) if line.strip())


def _record(line: str, number: int, source: str) -> dict[str, Any]:
    try:
        found = json_of(line, object_pairs_hook=partial(distinct, source=source))
    except InputError:
        raise
    except ValueError as error:
        wrong = f"line {number}: {error}"
        raise InputError(
            f"{source} is not JSON: {wrong}.", why="Its ending says that it is.", mend="Correct it."
        ) from None
    if not isinstance(found, dict):
        raise InputError(
            f"Line {number} of {source} is no record.",
            why="Every line is a record of the same columns.",
            mend='Write it as {"model": ..., "item": ..., "accuracy": ...}.',
        )
    return found


_KEY = r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:'


def depth_of(data: bytes) -> int:
    """Count the dictionaries that JSON begins with, one in the other, up to three; 2 is {data set: {algorithm: ...}}.

    Examples
    --------
    >>> depth_of(b'{"iris": {"svm": 0.9}}'), depth_of(b'[{"dataset": "iris"}]'), depth_of(b'{"a": {"b": {"c": 1}}}')
    (2, 0, 3)
    """
    found = re.match(f"(?:{_KEY}){{0,3}}", data[:100_000].decode(errors="replace"))
    return len(re.findall(_KEY, found[0])) if found else 0


def turned(columns: Columns, *, source: str, transpose: bool | None) -> tuple[Columns, Caveats]:
    """Tell whether {name: {name: score}} has data sets first, as documented, or algorithms, as pandas may write it."""
    from tiebreak.reading.understanding.axes import axes_of

    rows, others = (list(dict.fromkeys(columns[role].coded().names)) for role in ("dataset", "algorithm"))
    axes = axes_of(corner="", rows=rows, columns=others)
    turn = axes.transposed if transpose is None else transpose
    if turn:
        columns = {**columns, "dataset": columns["algorithm"], "algorithm": columns["dataset"]}
    if transpose is not None or turn is False:
        return columns, ()
    why = f", because {'; '.join(axes.said(transposed=True))}" if turn else " (no name tells which)"
    first, inner, other = ("algorithms", "data sets", False) if turn else ("data sets", "algorithms", True)
    said = f"{source}: the outer names were read as {first} and the inner ones as {inner}{why}. If it is the other way"
    said += f" round: {option(transpose=other)}."
    return columns, (Caveat("read-as", said),)


def distinct(pairs: list[tuple[str, Any]], *, source: str) -> dict[str, Any]:
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
