"""The lines that read a data set: with pandas where it is a text file, else with tiebreak itself."""

from __future__ import annotations

import codecs
import csv
import io
import re
from pathlib import Path

from tiebreak.datasets import DataSet
from tiebreak.datasets.files import TEXT
from tiebreak.datasets.references import DataReference
from tiebreak.datasets.text_files import SEPARATORS, read_bytes
from tiebreak.lab.code.calls import Imports, laid_out
from tiebreak.results.columns import MISSING
from tiebreak.results.text import file_bytes

_SNIFFED = 1 << 18
"""Bytes of a text file that are looked at for its separator, its commas and its blanks."""
_OPTIONS = (
    "target",
    "name",
    "symbolic",
    "groups",
    "drop",
    "keep",
    "kind",
    "rows",
    "seed",
    "weights",
    "positive",
    "cache",
)


def reading_lines(data: DataSet, source: DataReference | None, imports: Imports) -> list[str]:
    """Return the lines after which `X` holds the attributes, in their order, and `y` the target."""
    symbols = [name for name, symbolic in zip(data.attributes, data.symbolic, strict=True) if symbolic]
    lines = laid_out("columns", repr(list(data.attributes))) + laid_out("symbolic", repr(symbols))
    imports.module("pandas", "pd")
    if source is None:
        return [*lines, *_in_memory(data)]
    if _is_text(source) and data.target_name:
        return [*lines, *_from_text(data, Path(source.source))]
    return [*lines, *_by_us(source, data, imports)]


def _is_text(source: DataReference) -> bool:
    """Tell whether pandas can read the source: a text file on this machine."""
    return source.source.lower().removesuffix(".gz").endswith(TEXT) and Path(source.source).is_file()


def _in_memory(data: DataSet) -> list[str]:
    """Data that came as a frame or an array are where they are: say what `X` and `y` must be."""
    name = repr(data.name) if data.name.isprintable() else ascii(data.name)  # a line break would end the comment
    kinds = ["X = X.astype(dict.fromkeys(symbolic, object))"] if data.symbolic.any() else []
    what = "classes" if data.kind == "classes" else "numbers to predict"
    return [f"# X: a pandas frame of {name} with these columns; y: the {what} of its rows", "X = X[columns]", *kinds]


def _from_text(data: DataSet, path: Path) -> list[str]:
    """Read with pandas what the lab read: the same marks of gaps, symbols as text, rows without target left out."""
    target = repr(data.target_name)
    texts = f"[*symbolic, {target}]" if data.kind == "classes" else "symbolic"
    options = [repr(str(path)), f"dtype=dict.fromkeys({texts}, object)", *_spelling(path)]
    lines = laid_out(
        "frame", f"pd.read_csv({', '.join([*options, 'keep_default_na=False', f'na_values={_gaps()!r}'])})"
    )
    lines += ["frame.columns = frame.columns.str.strip()"] if _blank_headers(path) else []
    return [*lines, f"frame = frame.dropna(subset=[{target}])", f"X, y = frame[columns], frame[{target}]"]


def _gaps() -> list[str]:
    """Return the marks of missing values in the spellings that are met; case does not matter to us."""
    return sorted({"NaN"} | {each for mark in MISSING for each in (mark, mark.upper(), mark.capitalize())})


def _text(path: Path) -> tuple[str, str]:
    """Return the beginning of a file and its encoding, in the words of pandas."""
    wide = file_bytes(path)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    head = read_bytes(path)[:_SNIFFED]
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return head.decode("latin-1"), "latin-1"
    return text, "utf-16" if wide else "utf-8"


def _separator(first: str) -> str:
    return max(SEPARATORS, key=first.count)


def _spelling(path: Path) -> list[str]:
    """Return the options that differ from those that pandas takes by itself."""
    text, encoding = _text(path)
    first, _, rest = text.partition("\n")
    mark = _separator(first)
    told = [] if mark == "," else [f"sep={mark!r}"]
    told += [] if encoding == "utf-8" else [f"encoding={encoding!r}"]
    bare = re.escape(mark)
    if mark != "," and re.search(rf"(?:^|{bare})\s*-?\d+,\d+\s*(?:{bare}|$)", rest, re.MULTILINE):
        told.append("decimal=','")
    return [*told, *(["skipinitialspace=True"] if f"{mark} " in text else [])]


def _blank_headers(path: Path) -> bool:
    text, _ = _text(path)
    first = text.partition("\n")[0].rstrip("\r")
    headers = next(csv.reader(io.StringIO(first), delimiter=_separator(first)), [])
    return any(header != header.strip() for header in headers)


def _by_us(source: DataReference, data: DataSet, imports: Imports) -> list[str]:
    """Read whatever else a plan can name with tiebreak, which knows its types; symbols become their names again."""
    imports.name("tiebreak.datasets", "load")
    told = {name: getattr(source, name) for name in _OPTIONS if getattr(source, name) not in (None, ())}
    options = "".join(f", {name}={list(each) if isinstance(each, tuple) else each!r}" for name, each in told.items())
    lines = [*laid_out("data", f"load({source.source!r}{options})"), "X = pd.DataFrame(data.values, columns=columns)"]
    if data.symbolic.any():
        names = "{name: dict(enumerate(values)) for name, values in zip(columns, data.categories)}"
        lines += laid_out("names", names)
        lines.append("X = X.assign(**{name: X[name].map(names[name]).astype(object) for name in symbolic})")
    if data.kind == "number":
        return [*lines, "y = data.target"]
    imports.module("numpy", "np")
    return [*lines, "y = np.array(data.classes)[data.target]"]
