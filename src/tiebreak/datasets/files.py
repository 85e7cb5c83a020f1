"""Files and folders -> DataSet: csv, spreadsheets, parquet and ARFF, with kinds of attributes where a file has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tiebreak.datasets.building import Table, Wanted, dataset_of, dates_in
from tiebreak.datasets.columns import BY_NAME, KINDS, Kind, typed_series
from tiebreak.datasets.dataset import DataSet
from tiebreak.datasets.text_files import arff_table, sheet_table, text_table, unread
from tiebreak.errors import InputError, OptionError
from tiebreak.results.text import SHEETS, UnsoundFile, json_of, parquet_columns
from tiebreak.wording import either

TEXT = (".csv", ".tsv", ".txt", ".data")
PARQUET = (".parquet", ".pq")
ARFF = (".arff",)
ENDINGS = tuple(end + gz for end in (*TEXT, *ARFF) for gz in ("", ".gz")) + PARQUET
TYPES = "TYPES.json"


def read_data(
    path: str | Path,
    *,
    target: str | None = None,
    name: str | None = None,
    symbolic: Sequence[str] | None = None,
    groups: str | None = None,
    drop: Sequence[str] | None = None,
    kind: str | None = None,
    keep: Sequence[str] | None = None,
) -> DataSet:
    r"""Read one file as a data set.

    What an attribute is: text is symbolic; numbers are numeric, whole numbers with few values too; `symbolic`
    says otherwise, or a file TYPES.json beside it ({data set: {attribute: "numeric" or "symbolic"}}). Truth values
    are symbolic. An ARFF or parquet file has its own types. Empty cells, NA, NaN, null and ? are missing (in ARFF: ?
    only; parquet: see `from_frame`). A column that is mostly numbers but holds other text is refused, naming the
    cell. Rows without a class are dropped and columns without a value kept, both with a caveat.

    What the target is: text is classes, and so are numbers with at most 10 different values. With more of them it is
    a number to predict if some are not whole, or if they are whole and more than half the rows differ, or more than 50
    values that do not simply count 0, 1, 2, ... without a gap; otherwise classes. Both are said in a caveat, and
    `kind` tells it.

    Parameters
    ----------
    path : str or Path
        csv (comma, semicolon, tab or bar; the first line names the columns), xlsx or ods (the first sheet that holds a
        table), parquet or arff; csv and arff also gzipped.
    target : str, optional
        The target, a column of classes or of numbers; the last one if left out.
    name : str, optional
        The name of the data set; that of the file without its endings if left out.
    symbolic : sequence of str, optional
        Attributes whose numbers are names.
    groups : str, optional
        A column that is no attribute: rows with the same value never stand on both sides of a split.
    drop : sequence of str, optional
        Columns to leave out.
    kind : {"classes", "number"}, optional
        What the target is; told by its values if left out.

    Returns
    -------
    DataSet

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "pets.csv"
    >>> _ = file.write_text("weight,coat,pet\n4.1,short,cat\n?,long,dog\n3.9,long,cat\n")
    >>> read_data(file)
    DataSet('pets', 3 rows, 1 numeric and 1 symbolic attributes, 2 classes)
    """
    file = Path(path)
    wanted = Wanted.of(
        name=name or stem_of(file), source=repr(file.name), target=target, groups=groups, kinds=declared_kinds(file),
        symbolic=symbolic, drop=drop, kind=kind, keep=keep,
    )  # fmt: skip
    return dataset_of(_table(file), wanted)


def stem_of(path: Path) -> str:
    """Return the name of a file without its endings."""
    for ending in sorted((*ENDINGS, *SHEETS), key=len, reverse=True):
        if path.name.lower().endswith(ending):
            return path.name[: -len(ending)]
    return path.name


def _table(path: Path) -> Table:
    """By the ending alone: looking into the file would guess, and guess differently on another day."""
    if path.is_dir():
        raise OptionError(
            f"{str(path)!r} is a folder.",
            why="One data set is read from one file.",
            mend="List its files with data_files(...), or name one of them.",
        )
    if path.name.lower().endswith(SHEETS):
        return sheet_table(path)
    ending = path.name.lower().removesuffix(".gz")
    for endings, read in ((TEXT, text_table), (ARFF, arff_table), (PARQUET, _parquet)):
        if ending.endswith(endings) and path.name.lower().endswith(ENDINGS):
            return read(path)
    raise OptionError(
        f"{path.name!r} has none of the supported endings {', '.join((*ENDINGS, *SHEETS))}.",
        why="The ending determines the format.",
        mend="Rename the file, or "
        + either("read it with pandas or polars and use from_frame(frame, target=...).", "save it as csv or parquet."),
    )


def _parquet(path: Path) -> Table:
    source = repr(path.name)
    try:
        columns = parquet_columns(path, source=source, why=BY_NAME)
    except (OSError, UnsoundFile) as error:
        raise unread(path, error, f"{source} cannot be read as parquet ({str(error).splitlines()[0]}).") from None
    return Table(columns=columns, source=source, rule=typed_series, dates=dates_in(columns))


def data_files(folder: str | Path) -> list[Path]:
    """Return the data files of a folder, sorted by name; other files are left alone."""
    home = Path(folder)
    if not home.is_dir():
        raise OptionError(
            f"There is no folder {str(folder)!r}.", why="Data sets are to be read from it.", mend="Check the path."
        )
    paths = sorted(
        (path for path in home.iterdir() if path.is_file() and path.name.lower().endswith(ENDINGS)),
        key=lambda path: path.name,
    )
    listed = _types(home)
    if listed:  # a folder with TYPES.json may hold other tables too, such as an index
        paths = [path for path in paths if stem_of(path) in listed]
    if not paths:
        raise OptionError(
            f"The folder {str(folder)!r} holds no data file.",
            why=f"Files with these endings are read: {', '.join(ENDINGS)}.",
            mend="Check the path.",
        )
    return paths


def declared_kinds(path: Path) -> dict[str, Kind]:
    """Return the kinds that TYPES.json beside a file declares."""
    kinds = _types(path.parent).get(stem_of(path), {})
    if not isinstance(kinds, Mapping) or any(kind not in KINDS for kind in kinds.values()):
        raise _bad_types(path.parent, f"{kinds!r} for {stem_of(path)!r}")
    return dict(kinds)


def _types(folder: Path) -> Mapping[str, Any]:
    """Read a file of types; none is no error, for most data need none."""
    path = folder / TYPES
    try:
        content = json_of(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (ValueError, OSError) as error:
        raise _bad_types(folder, str(error)) from None
    if not isinstance(content, Mapping):
        raise _bad_types(folder, f"{type(content).__name__} at the top")
    return content


def _bad_types(folder: Path, text: str) -> InputError:
    return InputError(
        f"The types in {str(folder / TYPES)!r} cannot be used: {text}.",
        why='Every attribute is "numeric" or "symbolic".',
        mend='Write {"data set": {"attribute": "numeric"}} in TYPES.json.',
    )
