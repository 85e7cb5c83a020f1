"""What is given out: cells that no spreadsheet takes for formulas, and written files as fields of JSON."""

from __future__ import annotations

import base64
import csv
import mimetypes
import re
from pathlib import Path

_FORMULA = re.compile(r"^[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")


def harmless(cell: str) -> str:
    """Put a quote before a text that begins like a formula; numbers stay numbers.

    Examples
    --------
    >>> harmless("=1+1"), harmless("-0.5"), harmless("-x"), harmless("iris")
    ("'=1+1", '-0.5', "'-x", 'iris')
    """
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.match(cell) else cell


def make_harmless(path: Path) -> None:
    """Write a csv file anew with harmless cells."""
    csv.field_size_limit(10_000_000)
    beside = path.with_suffix(".tmp")
    with path.open(encoding="utf-8", newline="") as before, beside.open("w", encoding="utf-8", newline="") as after:
        writer = csv.writer(after, lineterminator="\n")
        for row in csv.reader(before):
            writer.writerow([harmless(cell) for cell in row])
    beside.replace(path)


_BYTES = ("pdf", "png", "parquet")


def as_field(name: str, data: bytes) -> dict[str, str]:
    """Return a written file as JSON: texts as they are, others in base64."""
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if name.rpartition(".")[2] in _BYTES:
        return {"name": name, "type": kind, "base64": base64.b64encode(data).decode("ascii")}
    return {"name": name, "type": kind, "text": data.decode("utf-8")}
