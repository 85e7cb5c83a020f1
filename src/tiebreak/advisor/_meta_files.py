"""Files about data sets: meta-attributes, one row per data set, and origins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.advisor._meta_table import MetaTable
from tiebreak.attributes import ATTRIBUTES
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.errors import InputError, quoted, unknown_name
from tiebreak.readers.loading import load_columns
from tiebreak.readers.raw_tables import kept_rows
from tiebreak.results.columns import Column, Columns, Names, Where, take
from tiebreak.wording import either

ALIASES = {
    "n_examples": ("NumberOfInstances", "number.of.instances", "n_instances", "n_rows", "nrows", "n_samples"),
    "prop_symbolic": ("prop_symb_attrs", "prop_symbolic_attrs"),
    "prop_missing": ("prop_missing_values", "prop_missing_vals"),
    "prop_outliers": ("prop_attr_outliers", "prop_h_outlier", "prop_outlier_attrs"),
    "class_entropy": ("ClassEntropy", "class_ent"),
    "mutual_information": ("mut_inf", "mean_mut_inf"),
    "canonical_correlation": ("can_cor", "cancor1", "can_corr"),
    "n_attributes": ("n_attrs",),
    "n_numeric": ("NumberOfNumericFeatures", "number.of.numeric.features"),
    "n_symbolic": ("NumberOfCategoricalFeatures",),
    "n_classes": ("NumberOfClasses", "number.of.classes", "nclasses"),
    "dimensionality": ("DatasetRatio",),
    "default_accuracy": ("ClassProbabilityMax", "DefaultAccuracy", "class_prob_max"),
    "minority_share": ("ClassProbabilityMin", "class_prob_min"),
}
"""Names that other collections use for what our meta-attributes measure."""

_KEY = re.compile(r"(^|[._ ])(t|d|tt)?id([._ ].)?$|^(index|replication|repetition|repeat|fold)$", re.I)
"""Headers of numbers that name things."""


def read_meta(
    path: str | Path,
    *,
    id: str | None = None,
    like: str | None = None,
    columns: Mapping[str, str] | None = None,
    where: Sequence[str] = (),
) -> tuple[MetaTable, Caveats]:
    r"""Read the meta-attributes of data sets from a file, one row per data set.

    Every column of numbers is a measure; other columns are left out, and so is one that varies between several rows of
    one data set, which is no property of it. Names that other collections use for one of our meta-attributes
    (`ALIASES`) are read as ours, which a data set can then be compared on.

    Parameters
    ----------
    path : str or Path
        csv, tsv, json or parquet.
    id : str, optional
        The column that names the data sets; by default the one called `like`, else "dataset", else the first.
    like : str, optional
        The header of the data set column in the table of results.
    columns : mapping, optional
        Which header holds which of our meta-attributes, such as {"n_attributes": "NumberOfFeatures"}.
    where : sequence of str
        Conditions on rows, such as "status=active".

    Returns
    -------
    table : MetaTable
    notes : tuple of Caveat

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "meta.csv"
    >>> _ = file.write_text("id,NumberOfInstances,owner\niris,150,fisher\nwine,178,forina\n")
    >>> table, notes = read_meta(file)
    >>> table.names, table.measures, table.matrix.tolist()
    (('iris', 'wine'), ('n_examples',), [[150.0], [178.0]])
    """
    raw, key, said = _table(Path(path), id=id, like=like, where=where)
    source = Path(path).name
    names = _ids(raw[key], Where(column=key, source=source))
    renamed, words = _renaming(raw, key, columns or {}, source)
    values: dict[str, FloatArray] = {}
    texts, varying, keys = [], [], []
    for header, column in raw.items():
        if header == key or not header.strip():
            continue
        if _KEY.search(header) and header not in renamed:
            keys.append(header)
            continue
        if not column.is_number():
            texts.append(header)
            continue
        found = _per_set(column.as_numbers(Where(column=header, source=source)), names)
        if found is None:
            varying.append(header)
        elif np.isfinite(found).any():
            values[_ours(renamed.get(header, header), header, found)] = np.where(np.isinf(found), np.nan, found)
    if not values:
        raise InputError(
            f"{source} has no column of numbers beside {key!r}.",
            why="Meta-attributes are numbers, one row per data set.",
            mend=either("Name the column of the data sets with id=...", "Name the column of the data sets 'dataset'")
            + ", or give another file.",
        )
    notes = _notes(source, key, id, texts, varying, keys)
    matrix = np.array(list(values.values())).T
    return MetaTable(names=names.names, measures=tuple(values), matrix=matrix), (*said, *words, *notes)


def read_origins(path: str | Path, *, id: str | None = None, like: str | None = None) -> dict[str, str]:
    r"""Read which data sets share an origin: a column that names the data set; the others together are the label.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "sizes.csv"
    >>> _ = file.write_text("dataset,rows,columns\na,100,4\nb,100,4\nc,90,4\n")
    >>> read_origins(file)
    {'a': '100 x 4', 'b': '100 x 4', 'c': '90 x 4'}
    """
    raw, key, _ = _table(Path(path), id=id, like=like, where=())
    source = Path(path).name
    names = _ids(raw[key], Where(column=key, source=source))
    labels = [_ids(column, Where(column=header, source=source)) for header, column in raw.items() if header != key]
    if not labels:
        raise InputError(
            f"{source} has one column.",
            why="It says which data sets share an origin: a name, and a label that those of one origin share.",
            mend="Write a csv file with the header dataset,origin.",
        )
    found: dict[str, str] = {}
    for row, code in enumerate(names.codes.tolist()):
        label = " x ".join(each.names[each.codes[row]] for each in labels)
        if found.setdefault(names.names[code], label) != label:
            raise InputError(
                f"{source} gives data set {names.names[code]!r} two origins:"
                f" {found[names.names[code]]!r} and {label!r}.",
                why="Data sets of one origin are left out together.",
                mend="Keep one line per data set.",
            )
    return found


def _table(
    path: Path, *, id: str | None, like: str | None, where: Sequence[str]
) -> tuple[dict[str, Column], str, Caveats]:
    """The column of names is the one told, the one of the results, a usual name, else the first."""
    loaded, _ = load_columns(path, score="score")
    rows, said = kept_rows(loaded, where, source=path.name)
    raw = take(loaded, rows) if where else dict(loaded)
    if id is not None and id not in raw:
        raise unknown_name("column (for the data set)", id, raw)
    candidates = (id, like, "dataset", "dataset_name", "name", next(iter(raw), None))
    return raw, next(name for name in candidates if name is not None and name in raw), said


def _ids(column: Column, where: Where) -> Names:
    """Read names; whole numbers are written without a decimal point, as in other files."""
    names = column.as_names(where)
    plain = [name[:-2] if name.endswith(".0") and name[:-2].isdigit() else name for name in names.names]
    known = sorted(set(plain))
    place = np.array([known.index(name) for name in plain], dtype=np.int32)
    return Names(codes=place[names.codes], names=tuple(known))


def _renaming(raw: Columns, key: str, told: Mapping[str, str], source: str) -> tuple[dict[str, str], Caveats]:
    """Return our names for headers, as told or by alias."""
    for name, header in told.items():
        if name not in ATTRIBUTES:
            raise unknown_name("meta-attribute", name, ATTRIBUTES)
        if header not in raw:
            raise unknown_name(f"column (for {name})", header, raw)
    found = {header: name for name, header in told.items()}
    for name, aliases in ALIASES.items():
        if name in raw or name in told:
            continue
        match = next((header for header in raw if header in aliases and header != key and header not in found), None)
        if match is not None:
            found[match] = name
    words = ", ".join(f"{header} as {name}" for header, name in found.items())
    return found, caveats_of((words, "read-as", f"{source}: read {words}."))


def _ours(name: str, header: str, values: FloatArray) -> str:
    """Return our name for a column, unless ours is a proportion and the column holds something else, such as counts."""
    is_share = name != header and ATTRIBUTES[name].unit == "proportion"
    return header if is_share and bool((values > 1).any()) else name


def _per_set(values: FloatArray, names: Names) -> FloatArray | None:
    """Return one value per data set, or None where rows of one data set differ."""
    order = np.argsort(names.codes, kind="stable")
    codes: IntArray = names.codes[order].astype(np.int64)
    _, start = np.unique(codes, return_index=True)
    first = values[order][start]
    same = (values[order] == first[codes]) | (np.isnan(values[order]) & np.isnan(first[codes]))
    return first if same.all() else None


def _notes(source: str, key: str, told: str | None, texts: list[str], varying: list[str], keys: list[str]) -> Caveats:
    """Say what was not read as a meta-attribute: a column left out in silence is looked for in vain."""
    left = (
        (keys, "numbers that name something, no meta-attributes"),
        (texts, "no numbers and so no meta-attributes"),
        (varying, "no property of a data set, as its rows differ"),
    )
    named = f"{source}: column {key!r} was taken for the names of the data sets."
    lost = [(gone, "columns-left-out", f"{source}: {why}: {quoted(gone, limit=4)}.") for gone, why in left]
    return caveats_of((told is None, "read-as", named), *lost)
