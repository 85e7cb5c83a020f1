"""Files in: csv, tsv, json and parquet, one or several, and a second file with costs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveats
from tiebreak.errors import InputError, OptionError
from tiebreak.reading.raw_tables import kept
from tiebreak.tables import MEASURES, Results, metric_named, stack, text, with_costs
from tiebreak.tables.build import FRAME, WIDE_SCORE, find_roles, score_names
from tiebreak.tables.columns import Columns, LineOf, TextColumn
from tiebreak.tables.confusion_table import COUNTS, is_count
from tiebreak.tables.metric_column import METRIC
from tiebreak.tables.objects import dict_columns, record_columns

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
    counts: bool = False,
    where: str | Sequence[str] | None = None,
    score: str | None = None,
) -> Results:
    r"""Read results from one or several csv, tsv, json or parquet files.

    Long form has columns dataset, algorithm, optionally replication and fold, and one column per score or cost. Wide
    form has one row per data set and one column per algorithm, and holds one score, named by `scores`. In both a column
    `metric` may name the metric of the scores, one for each data set.

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
        Which header plays which role, such as {"dataset": "task", "algorithm": "framework", "metric": "scorer"}.
    counts : bool, default False
        Where the file lacks one of `scores` but holds counts of confusion matrices, read those instead of refusing;
        `tiebreak.tables.with_scores` makes the measures from them.
    where : str or sequence of str, optional
        Conditions that a row must meet to be read, all of them, such as "imputed == False" or "budget <= 60"; see
        `tiebreak.tables.conditions`. A file with costs is read whole.
    score : str, optional
        The same as `scores`, for one.

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
    asked = score_names(scores, score)
    tables = [
        _read_one(Path(each), scores=asked, also=also, columns=columns, counts=counts, where=where) for each in paths
    ]
    results = stack(tables, sources=[str(each) for each in paths])
    return results if costs is None else with_costs(results, _read_costs(Path(costs), columns))


def _read_one(
    path: Path,
    *,
    scores: list[str] | None,
    also: Sequence[str] | None,
    columns: Mapping[str, str] | None,
    counts: bool,
    where: str | Sequence[str] | None,
) -> Results:
    """Costs come along unasked, as an order may need them; `also` narrows that to what was named."""
    raw, line_of = load_columns(path, score=scores[0] if scores else WIDE_SCORE)
    notes: Caveats = ()
    if where:
        roles, asked = find_roles(raw, columns or {}, path.name)[0], [*(scores or ()), *(also or ())]
        raw, line_of, notes = kept(raw, line_of, where, source=path.name, roles=roles, asked=asked)
    if scores is not None and counts:
        scores = _or_counts(raw, scores, find_roles(raw, columns or {}, path.name)[0])
    if scores is not None:
        more = [name for name in raw if metric_named(name).is_cost] if also is None else [n for n in also if n in raw]
        scores = [*scores, *(name for name in more if name not in scores)]
    found = Results.from_columns(raw, scores=scores, roles=columns, source=path.name, line_of=line_of)
    return replace(found, caveats=(*notes, *found.caveats)) if notes else found


def _or_counts(raw: Columns, scores: list[str], roles: Mapping[str, str]) -> list[str] | None:
    """Choose the columns to read where a name that no column has may be a measure of counts that the file holds.

    Then all are read (None), as the caller may want any of them; where one is text, the counts and what else was named.
    """
    free = {header: column for header, column in raw.items() if header not in roles.values()}
    lacking = "algorithm" in roles and any(name not in free for name in scores)  # in wide form the name is free
    if not lacking or not any(map(is_count, free)):
        return scores
    if not set(COUNTS) <= set(free) or all(column.is_number() for column in free.values()):
        return None
    return [*(name for name in scores if name not in MEASURES), *COUNTS]


def _read_costs(path: Path, columns: Mapping[str, str] | None) -> Results:
    """Read costs; a file without a data set column holds for every data set."""
    raw, line_of = load_columns(path, score="cost")
    told = {role: header for role, header in (columns or {}).items() if header in raw}
    metric = told.pop(METRIC, None)  # a cost is no score of any metric
    raw, roles = {header: column for header, column in raw.items() if header != metric}, told
    found, _ = find_roles(raw, roles, path.name)
    if "algorithm" in found and "dataset" not in found:
        raw = {**raw, "dataset": TextColumn(["*"] * len(raw[found["algorithm"]]))}
    wide = None if "algorithm" in found else "cost"
    return Results.from_columns(raw, scores=wide, roles=roles, source=path.name, line_of=line_of)


def load_columns(path: Path, *, score: str) -> tuple[Columns, LineOf | None]:
    """Read a file into columns, and say how to find the line of a row; `score` names what nested JSON holds."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = suffixes[-1:] == [".gz"] and len(suffixes) > 1
    kind = suffixes[-2 if packed else -1] if suffixes else ""
    try:
        if path.is_dir():
            raise IsADirectoryError
        if path.stat().st_size == 0:
            raise text.empty_file(path.name)
        if kind in _SEPARATORS:
            data = text.file_bytes(path)
            return text.text_columns(data, separator=_SEPARATORS[kind], source=path.name, large=len(data) > SMALL)
        if kind == ".json":
            return _json_columns(text.file_bytes(path), score, path.name), None
        if kind in (".parquet", ".pq"):
            return text.parquet_columns(path, source=FRAME), None
    except OSError as error:
        raise text.unreadable(path, error, "it is no readable file", why="Results come from a file.") from None
    except text.UnsoundFile as error:
        raise _unsound(path.name, error, packed=packed) from None
    raise OptionError(
        f"{path.name} has an ending that is not known.",
        why="The ending tells how to read a file.",
        mend="Use .csv, .tsv, .json or .parquet (.csv.gz, .tsv.gz and .json.gz are read too).",
    )


def _unsound(name: str, error: text.UnsoundFile, *, packed: bool) -> InputError:
    """A cut-off gzip is refused although most of its rows could be read: nobody would notice the rest."""
    what, why, mend = (
        ("a sound gzip", "Results would be lost or garbled.", "Compress it again, or give the file uncompressed.")
        if packed
        else ("a parquet", "Its ending says that it is one.", "Write it again, or rename it.")
    )
    return InputError(f"{name} is not {what} file: {error}.", why=why, mend=mend)


def _json_columns(data: bytes, score: str, source: str) -> Columns:
    """Read a list of records, a dictionary of columns, or {data set: {algorithm: score or list of fold scores}}."""
    try:
        content = json.loads(data.decode(), object_pairs_hook=partial(_distinct, source=source))
    except UnicodeDecodeError:
        raise text.not_utf8(source) from None
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
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
