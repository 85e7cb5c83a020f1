"""OpenML: data sets by number through scikit-learn's loader, suites by number through the server's own lists."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import numpy as np

from tiebreak._checks import check_choices
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.datasets.building import assemble, kept
from tiebreak.datasets.bundled import sklearn_datasets
from tiebreak.datasets.columns import Typed, as_names
from tiebreak.datasets.dataset import DataSet
from tiebreak.datasets.frames import frame_table
from tiebreak.datasets.given_targets import target_given
from tiebreak.datasets.left_out import LeftOut, nothing_in, said as words_of
from tiebreak.datasets.targets import check_kind
from tiebreak.errors import InputError, OptionError
from tiebreak.results.columns import Names
from tiebreak.wording import option

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
    found, notes = _fetched(number, target, cache)
    source = f"OpenML data set {number}"
    if found.target is None:
        raise InputError(
            f"{source} has no default class column.",
            why="It may be no classification problem.",
            mend=f"Say {option(target=...)} to name it.",
        )
    columns = _framed(found, source) if hasattr(found.data, "dtypes") else _arrays(found)
    own, said = _target(found, kind, source)
    check_choices(f"attribute in {source}", (*symbolic, *drop), columns)
    stay = kept(keep)
    check_choices(f"attribute in {source}", () if stay == "all" else stay, columns)
    used, gone = _attributes({each: columns[each] for each in columns if each not in drop}, symbolic, stay)
    label = name or str(found.details["name"])
    named = str((getattr(found, "target_names", None) or [""])[0]), "" if target else "the default of OpenML"
    told = tuple(LeftOut(column=each, reason="told", why="as told") for each in drop)
    notes = (*said, *words_of(gone), *notes)
    return assemble(used, own, name=label, source=source, caveats=notes, named=named, left_out=(*gone, *told))


def _attributes(
    columns: Mapping[str, Typed], symbolic: Sequence[str], keep: Collection[str]
) -> tuple[dict[str, Typed], tuple[LeftOut, ...]]:
    """Return the columns to learn from, and those that nothing can be learned from, by the rules of files."""
    used: dict[str, Typed] = {}
    gone = []
    for header, column in columns.items():
        told = keep == "all" or header in keep or header in symbolic
        found = nothing_in(header, column, told=told)
        if found is None:
            used[header] = as_names(column) if header in symbolic else column
        else:
            gone.append(found)
    return used, tuple(gone)


def _target(found: Any, kind: str | None, source: str) -> tuple[Typed, Caveats]:
    """Return the target; a nominal one comes as text, which tells it from a numeric one."""
    values = np.asarray(found.target)
    if values.dtype.kind not in "iuf" and check_kind(kind) != "number":
        return _labels(found, source), ()
    own, notes = target_given(values, kind, source=source)
    return (_labels(found, source) if isinstance(own, Names) else own), notes


def _labels(found: Any, source: str) -> Names:
    if hasattr(found.data, "dtypes"):
        return as_names(frame_table(found.target.to_frame("class"), source=source).column("class", "symbolic"))
    return Names.of(None if value is None or value != value else str(value) for value in found.target.tolist())


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
                found = fetch(**options, as_frame=False)
            except ValueError as error:
                if "STRING" not in str(error) or isinstance(error, URLError):
                    raise
                found = fetch(**options, as_frame=True)  # arrays hold no text
    except (HTTPError, URLError, TimeoutError, ConnectionError) as error:
        raise unreachable(f"OpenML data set {number}", error) from None
    except (ValueError, LookupError, TypeError, ImportError) as error:
        raise InputError(
            f"OpenML data set {number} cannot be loaded: {str(error).rstrip('.')}.",
            why="The server or scikit-learn's loader refuses it.",
            mend="Check the number at openml.org, or name another target column.",
        ) from None
    said = [str(entry.message) for entry in heard]  # that a mirror did not answer at first is no news
    return found, distinct(Caveat("read-as", text) for text in said if "network error" not in text)


def unreachable(what: str, error: Exception) -> InputError:
    """Make the error for a server that does not answer."""
    if isinstance(error, HTTPError):
        error.close()
    reason = f"{error.code} {error.reason}" if isinstance(error, HTTPError) else str(getattr(error, "reason", error))
    return InputError(
        f"{what} cannot be downloaded ({reason}).",
        why="It is not in the cache, and OpenML does not answer from here.",
        mend="Try again with a network connection, or use files or the built-in suite ('builtin:*').",
    )


def _framed(found: Any, source: str) -> dict[str, Typed]:
    """Read pandas frames, whose types scikit-learn sets from the server's description of the attributes."""
    table = frame_table(found.data, source=source)
    return {header: table.column(header, _declared(found.data, header)) for header in table.columns}


def _declared(frame: Any, header: str) -> Any:
    """Say that text is symbolic, so that names which look like numbers are not refused: the server knows."""
    return "symbolic" if str(frame.dtypes[header]) in {"category", "object", "str", "string"} else None


def _arrays(found: Any) -> dict[str, Typed]:
    """Read arrays and sparse matrices, in which nominal values are places in `categories`."""
    matrix = np.asarray(found.data.toarray() if hasattr(found.data, "toarray") else found.data, dtype=np.float64)
    columns: dict[str, Typed] = {}
    for header, column in zip(found.feature_names, matrix.T, strict=True):
        names = (found.categories or {}).get(header)
        columns[str(header)] = column if names is None else _nominal(column, names)
    return columns


def _nominal(column: Any, names: Sequence[str]) -> Names:
    """OpenML gives the codes as floats, for the sake of NaN."""
    return Names.of(None if math.isnan(code) else str(names[int(code)]) for code in column.tolist())


def openml_suite(number: int, *, base_url: str = BASE_URL, cache: str | Path | None = None) -> list[int]:
    """Return the numbers of the data sets in an OpenML suite, such as 99 for OpenML-CC18.

    The list is downloaded once and kept in `cache` (scikit-learn's data folder if left out).

    References
    ----------
    bischl2021
    """
    home = Path(cache) if cache is not None else Path(sklearn_datasets().get_data_home())
    kept = home / "openml" / "suites" / f"{int(number)}.json"
    text = kept.read_text(encoding="utf-8") if kept.is_file() else _download(number, base_url)
    numbers = _listed(text, number)
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(text, encoding="utf-8")
    return numbers


def _download(number: int, base_url: str) -> str:
    """Only http and https: `urlopen` would read a local file as gladly."""
    url = f"{base_url.rstrip('/')}/api/v1/json/study/{int(number)}"
    if not url.startswith(("http://", "https://")):
        raise OptionError(f"base_url is {base_url!r}.", why="A web address is needed.", mend=f"Use {BASE_URL!r}.")
    try:
        with urlopen(url, timeout=30) as answer:
            return str(answer.read().decode("utf-8"))
    except (HTTPError, URLError, TimeoutError, ConnectionError) as error:
        raise unreachable(f"OpenML suite {number}", error) from None


def _listed(text: str, number: int) -> list[int]:
    try:
        return [int(entry) for entry in json.loads(text)["study"]["data"]["data_id"]]
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f"The list of OpenML suite {number} is not what was expected: {text[:60]!r}.",
            why="It names the data sets of the suite.",
            mend="Check the number at openml.org, and name the data sets one by one meanwhile ('openml:61').",
        ) from None
