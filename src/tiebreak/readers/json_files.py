"""JSON as columns: a list of records, a dictionary of columns, or one of data sets and algorithms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError
from tiebreak.results import text
from tiebreak.results.cells import dict_columns, record_columns
from tiebreak.results.columns import Columns
from tiebreak.results.metrics import metric_named
from tiebreak.results.text import TooDeep, json_of
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
        named = named_records(content)
        if named is not None:
            return named
        return dict_columns(content, score=score, source=source)
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        return record_columns(content)
    raise InputError(
        f"{source} is JSON of another shape.",
        why="Read are a list of records, a dictionary of columns, or {data set: {algorithm: score}}.",
        mend="Write it as [{'dataset': ..., 'algorithm': ..., 'accuracy': ...}, ...].",
    )


def named_records(content: Mapping[Any, Any]) -> Columns | None:
    """Read {model: {measure: value or list}} and {model: {item: {measure: value}}}; None where names are no measures.

    What the outer names are, and the inner ones between them and the measures, their number and the measures tell.

    Examples
    --------
    >>> list(named_records({"svm": {"test_accuracy": [0.9, 0.8], "fit_time": [1, 2]}}))
    ['algorithm', 'fold', 'test_accuracy', 'fit_time']
    >>> list(named_records({"m": {f"q{i}": {"resolved": i % 3 == 0} for i in range(30)}}))
    ['algorithm', 'item', 'resolved']
    """
    if not all(isinstance(inner, Mapping) and inner for inner in content.values()):
        return None
    if all(map(_is_record, content.values())):
        return _record_columns([((("algorithm", name),), inner) for name, inner in content.items()])
    inner = [record for each in content.values() for record in each.values()]
    if not all(isinstance(record, Mapping) and _is_record(record) for record in inner):
        return None
    outer, names = list(content), list(dict.fromkeys(name for each in content.values() for name in each))
    first, second = _sides([str(name) for name in outer], [str(name) for name in names], inner)
    return _record_columns(
        [(((first, a), (second, b)), record) for a, each in content.items() for b, record in each.items()]
    )


def _is_record(value: Mapping[Any, Any]) -> bool:
    """Say whether a dictionary holds measures by their names: most are known, and none is a dictionary."""
    known = [name for name in value if metric_named(str(name)).higher_is_better is not None]
    return len(known) * 2 >= len(value) > 0 and not any(isinstance(each, Mapping) for each in value.values())


def _sides(outer: Sequence[str], inner: Sequence[str], records: Sequence[Mapping[Any, Any]]) -> tuple[str, str]:
    """Say what outer and inner names are: models and items where answers are right or wrong, else as names tell."""
    from tiebreak.readers.understanding.axes import axes_of

    answers = {name for name in records[0] if all(record.get(name) in (None, 0, 1) for record in records)}
    if answers and max(len(outer), len(inner)) >= _MANY:
        return ("algorithm", "item") if len(inner) >= len(outer) else ("item", "algorithm")
    turned = axes_of(corner="", rows=outer, columns=inner).transposed
    return ("algorithm", "dataset") if turned else ("dataset", "algorithm")


_MANY = 20
"""So many names of nothing but right and wrong answers are items."""


def _record_columns(rows: Sequence[tuple[tuple[tuple[str, Any], ...], Mapping[Any, Any]]]) -> Columns | None:
    """Lay records out with a row each, or one per fold where they hold lists."""
    out = list[dict[str, Any]]()
    for keys, record in rows:
        lists = {
            name: value for name, value in record.items() if hasattr(value, "__len__") and not isinstance(value, str)
        }
        lengths = {len(value) for value in lists.values()}
        named = {role: str(name) for role, name in keys}
        if not lists:
            out.append({**named, **{str(name): value for name, value in record.items()}})
            continue
        if len(lengths) != 1 or {"fold", *named} & set(record):
            return None
        for place in range(lengths.pop()):
            values = {str(name): value[place] if name in lists else value for name, value in record.items()}
            out.append({**named, "fold": str(place + 1), **values})
    return record_columns(out) if out else None


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
    from tiebreak.readers.understanding.axes import axes_of

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
