"""Cells that a spreadsheet would take for formulas, made harmless in a csv file that is given out."""

from __future__ import annotations

import csv
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
