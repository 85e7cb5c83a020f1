"""Files in: csv, tsv, json and parquet, one or several, and a second file with costs."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tiebreak.errors import InputError, OptionError
from tiebreak.results import Results, stack, with_costs
from tiebreak.results.build import SYNONYMS
from tiebreak.results.columns import Column, Columns, ListColumn, TextColumn, duplicate_header

SMALL = 4_000_000
"""Text files up to this many bytes are parsed by Python's csv module: no other library need be loaded."""

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": "\t"}


def read(
    path: str | Path | Sequence[str | Path],
    *,
    scores: str | Sequence[str] | None = None,
    costs: str | Path | None = None,
    columns: Mapping[str, str] | None = None,
) -> Results:
    r"""Read results from one or several csv, tsv, json or parquet files.

    Long form has columns dataset, algorithm, optionally replication and fold, and one column per score or cost. Wide
    form has one row per data set and one column per algorithm, and holds one score, named by `scores`.

    Parameters
    ----------
    path : str or Path, or a sequence of them
        The form of each file follows from its ending (.csv, .tsv, .json, .parquet; .gz may follow .csv and .tsv).
    scores : str or sequence of str, optional
        The columns to read; by default all, and then none may hold text.
    costs : str or Path, optional
        A second file with costs per data set and algorithm, or per algorithm.
    columns : mapping, optional
        Which header plays which role, such as {"dataset": "task", "algorithm": "framework"}.

    Returns
    -------
    Results

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = file.write_text("dataset,svm,tree\niris,0.97,0.94\nwine,0.98,0.91\n")
    >>> read(file, scores="accuracy").algorithms
    ('svm', 'tree')
    """
    paths = [path] if isinstance(path, (str, Path)) else list(path)
    if not paths:
        raise OptionError("No file was named.", why="There is nothing to read.", mend="Name at least one.")
    asked = _with_names(scores)
    results = stack([_read_one(Path(each), scores=asked, columns=columns) for each in paths])
    return results if costs is None else with_costs(results, _read_costs(Path(costs), columns))


def _with_names(scores: str | Sequence[str] | None) -> list[str] | None:
    return [scores] if isinstance(scores, str) else None if scores is None else list(scores)


def _read_one(path: Path, *, scores: list[str] | None, columns: Mapping[str, str] | None) -> Results:
    raw, kind, first_line = _load(path)
    return Results.from_columns(
        raw, scores=scores, roles=columns, frame_kind=kind, source=path.name, first_line=first_line
    )


def _read_costs(path: Path, columns: Mapping[str, str] | None) -> Results:
    """Read costs; a file without a data set column holds for every data set."""
    raw, kind, first_line = _load(path)
    headers = {header.strip().lower() for header in raw}
    named = "dataset" in (columns or {}) or headers & set(SYNONYMS["dataset"])
    if not named and headers & set(SYNONYMS["algorithm"]):
        length = len(next(iter(raw.values())))
        raw = {**raw, "dataset": TextColumn(["*"] * length)}
    roles = {role: header for role, header in (columns or {}).items() if header in raw}
    return Results.from_columns(raw, roles=roles, frame_kind=kind, source=path.name, first_line=first_line)


def _load(path: Path) -> tuple[Columns, str, int | None]:
    """Read a file into columns; say its kind of frame and on which line the first row stands."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    kind = suffixes[-2] if suffixes[-1:] == [".gz"] and len(suffixes) > 1 else suffixes[-1] if suffixes else ""
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise IsADirectoryError
        if size == 0:
            raise InputError(f"{path.name} is empty.", why="There is nothing to compare.", mend="Check the path.")
        if kind in _SEPARATORS:
            return _load_text(path, _SEPARATORS[kind], size, zipped=suffixes[-1] == ".gz")
        if kind == ".json":
            return _json_columns(path), "polars", None
        if kind in (".parquet", ".pq"):
            return _parquet_columns(path), "polars", None
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else "it is no readable file"
        raise InputError(
            f"{path} cannot be read: {reason}.", why="Results come from a file.", mend="Check the path."
        ) from None
    raise OptionError(
        f"{path.name} has an ending that is not known.",
        why="The ending tells how to read a file.",
        mend="Use .csv, .tsv, .json or .parquet (.csv.gz and .tsv.gz are read too).",
    )


def _load_text(path: Path, separator: str, size: int, *, zipped: bool) -> tuple[Columns, str, int]:
    """Read delimited text: by Python's own parser where small, by polars where large."""
    if zipped:
        import gzip

        with gzip.open(path, "rt", encoding="utf-8-sig", newline="") as stream:
            return _text_columns(stream, separator, path.name), "polars", 2
    if size > SMALL:
        return _polars_text(path, separator), "polars", 2
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return _text_columns(stream, separator, path.name), "polars", 2


def _text_columns(stream: Any, separator: str, source: str) -> dict[str, Column]:
    """Parse text strictly: every row must have as many cells as the header."""
    try:
        rows = [row for row in csv.reader(stream, delimiter=separator, strict=True) if row]
    except UnicodeDecodeError:
        raise _not_utf8(source) from None
    except (csv.Error, EOFError) as error:
        raise InputError(
            f"{source} is not proper delimited text: {error}.",
            why="A row that is split in the wrong place would shift its scores to other algorithms.",
            mend="Check the quotes, or save it as parquet.",
        ) from None
    if not rows:
        raise InputError(f"{source} is empty.", why="There is nothing to compare.", mend="Check the path.")
    header, body = rows[0], rows[1:]
    for number, row in enumerate(body, start=2):
        if len(row) != len(header):
            raise InputError(
                f"Line {number} of {source} has {len(row)} cells, the header has {len(header)}.",
                why="It is not clear which cell belongs to which column.",
                mend="Correct the line (a name that holds the separator must stand in quotes).",
            )
    return _headed(header, [list(column) for column in zip(*body, strict=True)] or [[] for _ in header], source)


def _headed(header: Sequence[str], columns: Sequence[list[str]], source: str) -> dict[str, Column]:
    out: dict[str, Column] = {}
    for name, column in zip(header, columns, strict=True):
        if name in out:
            raise duplicate_header(name, source)
        out[name] = TextColumn(column)
    return out


def _not_utf8(source: str) -> InputError:
    return InputError(
        f"{source} is not UTF-8 text.", why="Names would be garbled.", mend="Save it as UTF-8, or as parquet."
    )


def _polars_text(path: Path, separator: str) -> Columns:
    import polars as pl

    from tiebreak.results.frames import frame_columns

    with path.open(encoding="utf-8-sig", newline="", errors="replace") as stream:
        header = next(csv.reader(stream, delimiter=separator), [])
    for position, name in enumerate(header):
        if name in header[:position]:
            raise duplicate_header(name, path.name)
    try:
        frame = pl.read_csv(path, separator=separator, infer_schema_length=10_000, null_values=["", "NA", "NaN", "nan"])
    except pl.exceptions.ComputeError:  # text in a column of numbers further down: keep it, and say where later
        frame = pl.read_csv(path, separator=separator, infer_schema=False)
    frame.columns = header
    return frame_columns(frame)[0]


def _parquet_columns(path: Path) -> Columns:
    import polars as pl

    from tiebreak.results.frames import frame_columns

    try:
        return frame_columns(pl.read_parquet(path))[0]
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"{path.name} is not a parquet file: {error}.",
            why="Its ending says that it is one.",
            mend="Write it again, or rename it.",
        ) from None


def _json_columns(path: Path) -> Columns:
    """Read a list of records, a dictionary of columns, or {data set: {algorithm: score}}."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise _not_utf8(path.name) from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path.name} is not JSON: {error}.", why="Its ending says that it is.", mend="Correct it."
        ) from None
    if isinstance(data, list) and data and all(isinstance(row, dict) for row in data):
        names = list(dict.fromkeys(key for row in data for key in row))
        return {name: ListColumn([row.get(name) for row in data]) for name in names}
    if isinstance(data, dict) and data and all(isinstance(column, dict) for column in data.values()):
        records = [{"dataset": name, **row} for name, row in data.items()]
        names = list(dict.fromkeys(key for row in records for key in row))
        return {name: ListColumn([row.get(name) for row in records]) for name in names}
    if isinstance(data, dict) and data and all(isinstance(column, list) for column in data.values()):
        return {name: ListColumn(column) for name, column in data.items()}
    raise InputError(
        f"{path.name} is JSON of another shape.",
        why="Read are a list of records, a dictionary of columns, or {data set: {algorithm: score}}.",
        mend="Write it as [{'dataset': ..., 'algorithm': ..., 'accuracy': ...}, ...].",
    )
