"""Files in: csv, tsv, json and parquet, one or several, and a second file with costs."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tiebreak.errors import InputError, OptionError
from tiebreak.reading.text import not_utf8, text_columns, text_line
from tiebreak.tables import Results, metric_named, stack, with_costs
from tiebreak.tables.build import WIDE_SCORE, find_roles, score_names
from tiebreak.tables.columns import Columns, LineOf, ListColumn, TextColumn
from tiebreak.tables.objects import dict_columns

SMALL = 4_000_000
"""Text files up to this many bytes are parsed by Python's csv module: no other library need be loaded."""

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": "\t"}


def read(
    path: str | Path | Sequence[str | Path],
    *,
    scores: str | Sequence[str] | None = None,
    also: Sequence[str] | None = (),
    costs: str | Path | None = None,
    columns: Mapping[str, str] | None = None,
) -> Results:
    r"""Read results from one or several csv, tsv, json or parquet files.

    Long form has columns dataset, algorithm, optionally replication and fold, and one column per score or cost. Wide
    form has one row per data set and one column per algorithm, and holds one score, named by `scores`.

    Parameters
    ----------
    path : str or Path, or a sequence of them
        The form of each file follows from its ending (.csv, .tsv, .json, .parquet; .gz may follow all but .parquet).
    scores : str or sequence of str, optional
        The columns to read; by default all, and then none may hold text.
    also : sequence of str, optional
        Further columns to read where they are there, such as costs that may stand in the second file instead; None
        reads every column with the known name of a cost.
    costs : str or Path, optional
        A second file with costs per data set and algorithm, or per algorithm. The one cost of a file in wide form is
        named 'cost'.
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
    asked = score_names(scores)
    tables = [_read_one(Path(each), scores=asked, also=also, columns=columns) for each in paths]
    results = stack(tables, sources=[str(each) for each in paths])
    return results if costs is None else with_costs(results, _read_costs(Path(costs), columns))


def _read_one(
    path: Path, *, scores: list[str] | None, also: Sequence[str] | None, columns: Mapping[str, str] | None
) -> Results:
    raw, line_of = load_columns(path, score=scores[0] if scores else WIDE_SCORE)
    if scores is not None:
        more = [name for name in raw if metric_named(name).is_cost] if also is None else [n for n in also if n in raw]
        scores = [*scores, *(name for name in more if name not in scores)]
    return Results.from_columns(raw, scores=scores, roles=columns, source=path.name, line_of=line_of)


def _read_costs(path: Path, columns: Mapping[str, str] | None) -> Results:
    """Read costs; a file without a data set column holds for every data set."""
    raw, line_of = load_columns(path, score="cost")
    roles = {role: header for role, header in (columns or {}).items() if header in raw}
    found, _ = find_roles(raw, roles, path.name)
    if "algorithm" not in found:
        return Results.from_columns(raw, scores="cost", roles=roles, source=path.name, line_of=line_of)
    if "dataset" not in found:
        raw = {**raw, "dataset": TextColumn(["*"] * len(raw[found["algorithm"]]))}
    return Results.from_columns(raw, roles=roles, source=path.name, line_of=line_of)


def load_columns(path: Path, *, score: str) -> tuple[Columns, LineOf | None]:
    """Read a file into columns, and say how to find the line of a row; `score` names what nested JSON holds."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    kind = suffixes[-2] if suffixes[-1:] == [".gz"] and len(suffixes) > 1 else suffixes[-1] if suffixes else ""
    try:
        if path.is_dir():
            raise IsADirectoryError
        if path.stat().st_size == 0:
            raise InputError(f"{path.name} is empty.", why="There is nothing to compare.", mend="Check the path.")
        if kind in _SEPARATORS:
            data, separator = _contents(path), _SEPARATORS[kind]
            columns = text_columns(data, separator=separator, source=path.name, large=len(data) > SMALL)
            return columns, partial(_line, path, separator)
        if kind == ".json":
            return _json_columns(_contents(path), score, path.name), None
        if kind in (".parquet", ".pq"):
            return _parquet_columns(path), None
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else "it is no readable file"
        raise InputError(
            f"{path} cannot be read: {reason}.", why="Results come from a file.", mend="Check the path."
        ) from None
    raise OptionError(
        f"{path.name} has an ending that is not known.",
        why="The ending tells how to read a file.",
        mend="Use .csv, .tsv, .json or .parquet (.csv.gz, .tsv.gz and .json.gz are read too).",
    )


def _contents(path: Path) -> bytes:
    """Return what a file holds, unzipped and without a byte order mark."""
    data = path.read_bytes()
    if path.suffix.lower() == ".gz":
        import gzip
        import zlib

        try:
            data = gzip.decompress(data)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(
                f"{path.name} is not a sound gzip file: {error}.",
                why="Results would be lost or garbled.",
                mend="Compress it again, or give the file uncompressed.",
            ) from None
    return data.removeprefix(BOM_UTF8)


def _line(path: Path, separator: str, row: int) -> int:
    return text_line(_contents(path), separator=separator, source=path.name, row=row)


def _parquet_columns(path: Path) -> Columns:
    import polars as pl

    from tiebreak.tables.frames import frame_columns

    try:
        return frame_columns(pl.read_parquet(path))[0]
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"{path.name} is not a parquet file: {error}.",
            why="Its ending says that it is one.",
            mend="Write it again, or rename it.",
        ) from None


def _json_columns(data: bytes, score: str, source: str) -> Columns:
    """Read a list of records, a dictionary of columns, or {data set: {algorithm: score or list of fold scores}}."""
    try:
        content = json.loads(data.decode(), object_pairs_hook=partial(_distinct, source=source))
    except UnicodeDecodeError:
        raise not_utf8(source) from None
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{source} is not JSON: {error}.", why="Its ending says that it is.", mend="Correct it."
        ) from None
    if isinstance(content, dict) and content:
        return dict_columns(content, score=score, source=source)
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        names = list(dict.fromkeys(key for row in content for key in row))
        return {name: ListColumn([row.get(name) for row in content]) for name in names}
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
