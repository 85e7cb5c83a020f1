"""Data sets of others: the small ones that scikit-learn carries, and OpenML by number."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import numpy as np

from tiebreak._checks import check_choice
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.datasets.building import Table, Wanted, dataset_of, frame_table, kept
from tiebreak.datasets.columns import Kind, Typed, as_names
from tiebreak.datasets.dataset import DataSet
from tiebreak.datasets.targets import check_kind, target_given
from tiebreak.errors import InputError, needed
from tiebreak.results.columns import Names, Where
from tiebreak.wording import option

BUNDLED = ("iris", "wine", "breast_cancer", "digits")
BUNDLED_NUMBERS = ("diabetes",)
"""Sets with a number to predict."""


def bundled_data(name: str) -> DataSet:
    """Return one of scikit-learn's bundled sets; nothing is downloaded.

    Parameters
    ----------
    name : {"iris", "wine", "breast_cancer", "digits", "diabetes"}

    Returns
    -------
    DataSet
        All attributes are numeric; the classes carry the names scikit-learn gives them. The target of diabetes is a
        number, the progression of the disease after a year; its attributes are in their own units.

    References
    ----------
    pedregosa2011

    Examples
    --------
    >>> bundled_data("iris")
    DataSet('iris', 150 rows, 4 numeric and 0 symbolic attributes, 3 classes)
    """
    if check_choice("bundled data set", name, (*BUNDLED, *BUNDLED_NUMBERS)) in BUNDLED_NUMBERS:
        diabetes = sklearn_datasets().load_diabetes(scaled=False)
        names = [str(item) for item in diabetes.feature_names]
        return DataSet.from_arrays(diabetes.data, diabetes.target, name=name, attributes=names, kind="number")
    result = getattr(sklearn_datasets(), f"load_{name}")()
    labels = [str(result.target_names[code]) for code in result.target]
    attributes = [str(header).replace(" (cm)", "").replace(" ", "_") for header in result.feature_names]
    return DataSet.from_arrays(result.data, labels, name=name, attributes=attributes)


def sklearn_datasets() -> Any:
    """Import scikit-learn's data sets, or say what to install."""
    return needed("sklearn.datasets")


BASE_URL = "https://www.openml.org"


def openml_data(
    number: int,
    *,
    target: str | None = None,
    name: str | None = None,
    symbolic: Sequence[str] = (),
    drop: Sequence[str] = (),
    cache: str | Path | None = None,
    kind: str | None = None,
    keep: Sequence[str] | None = None,
) -> DataSet:
    """Return an OpenML data set by its number; the server says which attributes are nominal.

    Downloaded once and kept in `cache` (scikit-learn's data folder if left out); later calls need no network.
    Row identifiers and attributes that the server marks to be ignored are left out, as scikit-learn does.

    Parameters
    ----------
    number : int
        The number of the data set, as in openml.org/d/61.
    target : str, optional
        The target; the server's default if left out.
    name : str, optional
        The server's name if left out.
    symbolic, drop, keep : sequence of str
        Attributes to take as symbolic although the server says numeric; attributes to leave out; attributes to keep
        although nothing can be learned from them, see `read_data`.
    cache : str or Path, optional
    kind : {"classes", "number"}, optional
        What the target is. If left out a nominal one holds classes, and of a numeric one its values tell it, see
        `read_data`.

    Returns
    -------
    DataSet

    References
    ----------
    vanschoren2014
    """
    result, notes = _fetched(number, target, cache)
    source = f"OpenML data set {number}"
    if result.target is None:
        raise InputError(f"{source} has no default class column.", mend=f"Say {option(target=...)} to name it.")
    columns = _framed(result, source) if hasattr(result.data, "dtypes") else _arrays(result)
    current, caveats = _target(result, kind, source)
    wanted = Wanted(
        name=name or str(result.details["name"]), source=source, symbolic=tuple(symbolic), drop=tuple(drop),
        keep=kept(keep), target_kind="classes" if isinstance(current, Names) else "number",
    )  # fmt: skip
    table = Table(columns=columns, source=source, rule=_as_wanted, caveats=notes)
    named = str((getattr(result, "target_names", None) or [""])[0]), "" if target else "the default of OpenML"
    return dataset_of(table, wanted, (current, caveats), named=named)


def _as_wanted(column: Typed, kind: Kind | None, _: Where) -> Typed:
    return as_names(column) if kind == "symbolic" else column


def _target(result: Any, kind: str | None, source: str) -> tuple[Typed, Caveats]:
    """Return the target; a nominal one comes as text, which tells it from a numeric one."""
    values = np.asarray(result.target)
    if values.dtype.kind not in "iuf" and check_kind(kind) != "number":
        return _labels(result, source), ()
    current, notes = target_given(values, kind, source=source)
    return (_labels(result, source) if isinstance(current, Names) else current), notes


def _labels(result: Any, source: str) -> Names:
    if hasattr(result.data, "dtypes"):
        return as_names(frame_table(result.target.to_frame("class"), source=source).column("class", "symbolic"))
    return Names.of(None if value is None or value != value else str(value) for value in result.target.tolist())


def _fetched(number: int, target: str | None, cache: str | Path | None) -> tuple[Any, Caveats]:
    """Download or take from the cache; the loader's warnings become caveats, its failures errors of ours."""
    fetch = sklearn_datasets().fetch_openml
    options: dict[str, Any] = {
        "data_id": int(number),
        "data_home": None if cache is None else str(cache),
        "target_column": "default-target" if target is None else target,
        "parser": "liac-arff",  # reads nominal values as they are written, where pandas turns them into numbers
    }
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                result = fetch(**options, as_frame=False)
            except ValueError as error:
                if "STRING" not in str(error) or isinstance(error, URLError):
                    raise
                result = fetch(**options, as_frame=True)  # arrays hold no text
    except (HTTPError, URLError, TimeoutError, ConnectionError) as error:
        raise unreachable(f"OpenML data set {number}", error) from None
    except (ValueError, LookupError, TypeError, ImportError) as error:
        raise InputError(
            f"OpenML data set {number} cannot be loaded: {str(error).rstrip('.')}.",
            mend="Check the number at openml.org, or name another target column.",
        ) from None
    sentences = [str(entry.message) for entry in heard]  # that a mirror did not answer at first is no news
    return result, distinct(Caveat("read-as", text) for text in sentences if "network error" not in text)


def unreachable(what: str, error: Exception) -> InputError:
    """Make the error for a server that does not answer."""
    if isinstance(error, HTTPError):
        error.close()
    reason = f"{error.code} {error.reason}" if isinstance(error, HTTPError) else str(getattr(error, "reason", error))
    return InputError(
        f"{what} cannot be downloaded ({reason}).",
        mend="Try again with a network connection, or use files or the built-in suite ('builtin:*').",
    )


def _framed(result: Any, source: str) -> dict[str, Typed]:
    """Read pandas frames, whose types scikit-learn sets from the server's description of the attributes."""
    table = frame_table(result.data, source=source)
    return {header: table.column(header, _declared(result.data, header)) for header in table.columns}


def _declared(frame: Any, header: str) -> Any:
    """Say that text is symbolic, so that names which look like numbers are not refused: the server knows."""
    return "symbolic" if str(frame.dtypes[header]) in {"category", "object", "str", "string"} else None


def _arrays(result: Any) -> dict[str, Typed]:
    """Read arrays and sparse matrices, in which nominal values are places in `categories`."""
    matrix = np.asarray(result.data.toarray() if hasattr(result.data, "toarray") else result.data, dtype=np.float64)
    columns: dict[str, Typed] = {}
    for header, column in zip(result.feature_names, matrix.T, strict=True):
        names = (result.categories or {}).get(header)
        columns[str(header)] = column if names is None else _nominal(column, names)
    return columns


def _nominal(column: Any, names: Sequence[str]) -> Names:
    """OpenML gives the codes as floats, for the sake of NaN."""
    return Names.of(None if math.isnan(code) else str(names[int(code)]) for code in column.tolist())


def openml_suite(number: int, *, cache: str | Path | None = None) -> list[int]:
    """Return the numbers of the data sets in an OpenML suite, such as 99 for OpenML-CC18.

    The list is downloaded once and kept in `cache` (scikit-learn's data folder if left out).

    References
    ----------
    bischl2021
    """
    home = Path(cache) if cache is not None else Path(sklearn_datasets().get_data_home())
    path = home / "openml" / "suites" / f"{int(number)}.json"
    text = path.read_text(encoding="utf-8") if path.is_file() else _download(number)
    numbers = [int(entry) for entry in json.loads(text)["study"]["data"]["data_id"]]
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return numbers


def _download(number: int) -> str:
    url = f"{BASE_URL}/api/v1/json/study/{int(number)}"
    try:
        with urlopen(url, timeout=30) as answer:
            return str(answer.read().decode("utf-8"))
    except (HTTPError, URLError, TimeoutError, ConnectionError) as error:
        raise unreachable(f"OpenML suite {number}", error) from None
