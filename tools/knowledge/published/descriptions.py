"""What data sets of published bases look like: meta-attributes from the files beside them, under our names.

A column is read as one of our meta-attributes only where it means the same. The counts that OpenML keeps include the
class among the attributes; here they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

import numpy as np

from published.files import Table, has, named, number, read_table
from tiebreak._checks import FloatArray

FILES = (
    "pmf_metafeatures_openml.csv*",
    "data_feats_featurized.csv*",
    "*task_metadata*.csv*",
    "tabarena*_metadata.csv*",
    "curated_tabarena_dataset_metadata.csv*",
    "amlb*_metadata.csv*",
    "metadata.csv*",
    "openml_task_to_dataset.csv*",
)
"""Names of files that describe data sets."""
Described = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of data sets: by their number at OpenML, that of their task, and their name."""

    by_number: dict[int, Described] = field(default_factory=dict)
    by_task: dict[int, Described] = field(default_factory=dict)
    by_name: dict[str, Described] = field(default_factory=dict)
    numbers: dict[int | str, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    of_pmf: set[int] = field(default_factory=set)

    def of(self, *, number: int | None = None, task: int | None = None, name: str = "") -> Described:
        """Return what is known of a data set: by its number, else its task, else its name, filled up by the others."""
        described: Described = {}
        for place in (
            self.by_number.get(self.number(number, task, name) or -1, {}),
            self.by_task.get(-1 if task is None else task, {}),
            self.by_name.get(name.lower(), {}),
        ):
            described = filled(described, place)
        return described

    def number(self, number: int | None, task: int | None, name: str) -> int | None:
        """Return the number of a data set at OpenML, through its task or its name where it has to be."""
        if number is not None:
            return number
        return self.numbers.get(task) if task is not None else self.numbers.get(name.lower())


def filled(first: Described, more: Described) -> Described:
    """Add what is not known yet, unless it is of other data: a name may stand for several versions."""
    rows = {item["n_examples"] for item in (first, more) if "n_examples" in item}
    return first if len(rows) > 1 else {**more, **first}


def descriptions(base: str, results: Path, place: Path) -> Known:
    """Read every file that describes data sets, in the folder of the results or below the one that was named.

    What the files of the base itself say is not replaced by those of others.
    """
    folder = place if place.is_dir() else results.parent
    paths = [path for path in named(folder, FILES) if place.is_dir() or path.parent == folder]
    known = Known()
    for path in sorted(paths, key=lambda path: (base not in path.name, _kind(path), path)):
        table = read_table(path)
        for headers, reader in _READERS:
            if has(table, *headers):
                reader(known, table, path.name)
                break
    return known


def _kind(path: Path) -> int:
    return next(i for i, pattern in enumerate(FILES) if fnmatch(path.name, pattern))


# ---- one reader for each kind of file


def _pmf(known: Known, table: Table, source: str) -> None:
    """auto-sklearn's features, by number: the class is no attribute, and no symbolic attributes have 0 categories."""
    ids = table.get("openml_dataset_id") or table[""]
    n, p, k = (number(table, f"NumberOf{what}", source) for what in ("Instances", "Features", "Classes"))
    symbolic, most = number(table, "NumberOfCategoricalFeatures", source), number(table, "ClassProbabilityMax", source)
    least, categories = number(table, "ClassProbabilityMin", source), number(table, "SymbolsMean", source)
    columns = {
        **_counts(n, p, symbolic, k),
        **_classes(k, most, least),
        "class_entropy": number(table, "ClassEntropy", source),
        "prop_missing": number(table, "NumberOfMissingValues", source) / (n * p),
        "rows_with_missing": number(table, "NumberOfInstancesWithMissingValues", source) / n,
        "attributes_with_missing": number(table, "NumberOfFeaturesWithMissingValues", source) / p,
        "mean_categories": np.where(symbolic > 0, categories, np.nan),
    }
    for row, described in enumerate(_rows(columns)):
        key = _whole(ids[row])
        if key is not None:
            known.by_number[key] = filled(known.by_number.get(key, {}), described)
            known.of_pmf.add(key)


def _qualities(known: Known, table: Table, source: str) -> None:
    """What OpenML keeps of a task: the class is among the attributes, and among the symbolic ones."""
    n, k = number(table, "NumberOfInstances", source), number(table, "NumberOfClasses", source)
    p, symbolic = number(table, "NumberOfFeatures", source) - 1, number(table, "NumberOfSymbolicFeatures", source) - 1
    most, least = (number(table, f"{which}ClassSize", source) / n for which in ("Majority", "Minority"))
    columns = {
        **_counts(n, p, symbolic, k),
        **_classes(k, most, least),
        "prop_missing": number(table, "NumberOfMissingValues", source) / (n * p),
        "rows_with_missing": number(table, "NumberOfInstancesWithMissingValues", source) / n,
    }
    _by_all(known, columns, numbers=table["did"], tasks=table["tid"], names=table["name"], classes=k)


def _curated(known: Known, table: Table, source: str) -> None:
    """The list of TabArena: a share of symbolic attributes with the class among both."""
    n, k = number(table, "num_instances", source), number(table, "num_classes", source)
    features, share = number(table, "num_features", source), number(table, "percentage_cat_features", source) / 100
    columns = _counts(n, features - 1, np.round(share * features) - 1, k)
    _by_all(known, columns, numbers=table["dataset_id"], tasks=table["task_id"], names=table["dataset_name"], classes=k)


def _amlb(known: Known, table: Table, source: str) -> None:
    """The AutoML benchmark: the class is among the features, imbalance is largest class over smallest."""
    n, k = number(table, "nrows", source), number(table, "nclasses", source)
    ratio = number(table, "class_imbalance", source)
    two = k == 2
    most = np.where(two, ratio / (1 + ratio), np.nan)
    columns = {**_counts(n, number(table, "nfeatures", source) - 1, np.full(len(n), np.nan), k)}
    columns |= _classes(k, most, 1 - most) | {"class_imbalance": ratio}
    ids = {key: [cell.rpartition("/")[2] for cell in table[key]] for key in ("dataset", "task")}
    _by_all(known, columns, numbers=ids["dataset"], tasks=ids["task"], names=table["name"], classes=k)


def _tasks(known: Known, table: Table, _source: str) -> None:
    """Which data set a task is on."""
    for task, data in zip(table["openml_task_id"], table["openml_dataset_id"], strict=True):
        key, value = _whole(task), _whole(data)
        if key is not None and value is not None:
            known.numbers.setdefault(key, value)


_Reader = Callable[[Known, Table, str], None]
_READERS: tuple[tuple[tuple[str, ...], _Reader], ...] = (
    (("ClassEntropy", "LandmarkLDA", "NumberOfInstances"), _pmf),
    (("tid", "did", "name", "NumberOfInstances", "MajorityClassSize"), _qualities),
    (("dataset_id", "task_id", "dataset_name", "num_instances", "percentage_cat_features"), _curated),
    (("task", "name", "dataset", "nrows", "nfeatures", "class_imbalance"), _amlb),
    (("openml_task_id", "openml_dataset_id"), _tasks),
)


# ---- what they share


def _counts(n: FloatArray, p: FloatArray, symbolic: FloatArray, k: FloatArray) -> dict[str, FloatArray]:
    return {
        "n_examples": n,
        "log_n_examples": np.log10(n),
        "n_attributes": p,
        "n_symbolic": symbolic,
        "n_numeric": p - symbolic,
        "prop_symbolic": symbolic / p,
        "n_classes": k,
        "dimensionality": p / n,
    }


def _classes(k: FloatArray, most: FloatArray, least: FloatArray) -> dict[str, FloatArray]:
    """Shares of the classes; two or three classes are known from the largest and the smallest."""
    third = np.where(k == 3, np.clip(1 - most - least, 0, 1), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = [np.where(share > 0, -share * np.log2(share), 0.0) for share in (most, least, third)]
    entropy = np.where((k == 2) | (k == 3), sum(parts), np.nan)
    return {
        "default_accuracy": most,
        "minority_share": least,
        "class_imbalance": most / least,
        "class_entropy": np.where(np.isnan(most), np.nan, entropy),
    }


def _rows(columns: Mapping[str, FloatArray]) -> list[Described]:
    """Return what is known of each data set: what is not is left out."""
    keys, matrix = list(columns), np.array(list(columns.values())).T
    return [{key: float(v) for key, v in zip(keys, row, strict=True) if np.isfinite(v)} for row in matrix]


def _by_all(
    known: Known,
    columns: Mapping[str, FloatArray],
    *,
    numbers: list[str],
    tasks: list[str],
    names: list[str],
    classes: FloatArray,
) -> None:
    """Keep descriptions under number, task and name; a data set without classes is not described."""
    for row, described in enumerate(_rows(columns)):
        if not classes[row] >= 2:
            continue
        data, task, name = _whole(numbers[row]), _whole(tasks[row]), names[row].lower()
        known.by_name[name] = filled(known.by_name.get(name, {}), described)
        if task is not None:
            known.by_task[task] = filled(known.by_task.get(task, {}), described)
            known.names.setdefault(task, names[row])
        if data is not None:
            known.by_number[data] = filled(known.by_number.get(data, {}), described)
            known.numbers.setdefault(name, data)
        if task is not None and data is not None:
            known.numbers.setdefault(task, data)


def _whole(text: str) -> int | None:
    """Read a number that names something; it may come with a decimal point or leading zeros."""
    try:
        return int(float(text))
    except ValueError:
        return None
