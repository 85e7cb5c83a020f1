"""JSON as a grid: records, lines of records, columns, nested dictionaries, lists of lists; digits stay as written."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from tiebreak.caveats import Caveats
from tiebreak.errors import InputError
from tiebreak.readers.grids import Cell, Grid, check_cells, rectangle
from tiebreak.readers.loading import distinct
from tiebreak.results.text import TooDeep, json_of


def json_grid(text: str, *, name: str, notes: Caveats = ()) -> Grid:
    """Make a grid of JSON, or of JSON lines; the keys are its header."""
    content, lines = _content(text, name)
    headers, rows = _table(content, name)
    width = max(map(len, (*headers, *rows)), default=0)
    check_cells(width * (len(rows) + 1), name)
    at = lines if lines is not None and len(lines) == len(rows) else range(1, len(rows) + 1)
    cells = [_cells(row, line, name) for row, line in zip(rows, at, strict=True)]
    top = [_cells(header, 0, name) for header in headers]
    return Grid(
        rows=rectangle([*top, *cells], name), source=name, kind="json", header_rows=len(top) or None, notes=notes
    )


def _content(text: str, name: str) -> tuple[Any, list[int] | None]:
    """Read one JSON text, or one a line; with the lines on which the records of the latter stand."""
    options: dict[str, Any] = {"parse_float": _Number, "parse_int": _Number}
    options["object_pairs_hook"] = partial(distinct, source=name)
    try:
        return json_of(text, **options), None
    except TooDeep as error:
        raise _other(name, str(error)) from None
    except InputError:
        raise
    except ValueError as error:
        first = error
    written = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    found = list[Any]()
    for number, line in written:
        try:
            found.append(json_of(line, **options))
        except InputError:
            raise
        except ValueError as error:
            wrong = first if not found else f"line {number}: {error}"
            raise InputError(
                f"{name} is not JSON: {wrong}.", why="Its ending or its first sign says that it is.", mend="Correct it."
            ) from None
    return found, [number for number, _ in written]


class _Number(str):
    """A number as it was written."""

    __slots__ = ()


def _table(content: Any, name: str) -> tuple[list[list[Any]], list[list[Any]]]:
    """Return the rows of the header, if there is one, and the other rows."""
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        content = [_flat(row) for row in content]
        keys = list(dict.fromkeys(key for row in content for key in row))
        check_cells(len(keys) * len(content), name)
        return [keys], [[row.get(key) for key in keys] for row in content]
    if isinstance(content, list) and content and all(isinstance(row, list) for row in content):
        return [], content
    if isinstance(content, dict) and isinstance(content.get("data"), list) and isinstance(content.get("columns"), list):
        return _split(content)
    if isinstance(content, dict) and content and all(isinstance(value, dict) for value in content.values()):
        return _nested(content, name)
    for inner in content.values() if isinstance(content, dict) else ():
        if isinstance(inner, list) and inner and all(isinstance(row, dict) for row in inner):
            return _table(inner, name)  # {"results": [{...}, ...]}
    if isinstance(content, dict) and content and all(isinstance(value, list) for value in content.values()):
        lengths = {key: len(value) for key, value in content.items()}
        if len(set(lengths.values())) > 1:
            raise InputError(
                f"The columns of {name} have different lengths: {dict(list(lengths.items())[:8])}.",
                why="Row i of every column describes the same run.",
                mend="Make them equally long.",
            )
        return [list(content)], [list(row) for row in zip(*content.values(), strict=True)]
    raise _other(name, "it has another shape")


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Put {"metrics": {"accuracy": 0.9}} beside the other values of a record, unless a name would be there twice."""
    inner = [key for value in row.values() if isinstance(value, dict) for key in value]
    outer = [key for key, value in row.items() if not isinstance(value, dict)]
    if not inner or len({*inner, *outer}) < len(inner) + len(outer):
        return row
    pairs = (value.items() if isinstance(value, dict) else [(key, value)] for key, value in row.items())
    return {key: value for each in pairs for key, value in each}


def _nested(content: dict[str, dict[str, Any]], name: str) -> tuple[list[list[Any]], list[list[Any]]]:
    """Read {name: {name: score}}, or {name: {name: {metric: score}}} with two rows of header."""
    keys = list(dict.fromkeys(key for value in content.values() for key in value))
    check_cells(len(keys) * len(content), name)
    if keys == [str(place) for place in range(len(keys))]:  # columns with their rows numbered, as pandas writes a frame
        return [list(content)], [[value.get(key) for value in content.values()] for key in keys]
    cells = [cell for value in content.values() for cell in value.values()]
    if not cells or not all(isinstance(cell, dict) for cell in cells):
        return [["", *keys]], [[row, *(value.get(key) for key in keys)] for row, value in content.items()]
    metrics = list(dict.fromkeys(metric for cell in cells for metric in cell))
    check_cells(len(keys) * len(content) * len(metrics), name)
    pairs = [(key, metric) for key in keys for metric in metrics]
    rows = [[row, *(value.get(key, {}).get(metric) for key, metric in pairs)] for row, value in content.items()]
    return [["", *(key for key, _ in pairs)], ["", *(metric for _, metric in pairs)]], rows


def _split(content: dict[str, Any]) -> tuple[list[list[Any]], list[list[Any]]]:
    """Read what pandas writes with orient="split"."""
    index = content.get("index")
    rows = [row if isinstance(row, list) else [row] for row in content["data"]]
    if isinstance(index, list) and len(index) == len(rows) and not all(isinstance(each, _Number) for each in index):
        return [["", *content["columns"]]], [[each, *row] for each, row in zip(index, rows, strict=True)]
    return [content["columns"]], rows


def _cells(row: list[Any], line: int, name: str) -> list[Cell]:
    return [Cell(text=_text(value, name), line=line, column=str(place)) for place, value in enumerate(row, start=1)]


def _text(value: Any, name: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, float)):  # a float is NaN or infinity: other numbers stay as written
        return re.sub(r"\s+", " ", str(value)).strip()
    if isinstance(value, list) and len(value) == 1:
        return _text(value[0], name)
    raise _other(name, "a cell holds a list or another table")


def _other(name: str, what: str) -> InputError:
    return InputError(
        f"{name} is no table: {what}.",
        why="Read are a list of records, a record a line, a dictionary of columns, or {data set: {algorithm: score}}.",
        mend="Write it as [{'dataset': ..., 'algorithm': ..., 'accuracy': ...}, ...].",
    )
