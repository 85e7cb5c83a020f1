"""Endings of file names that say something to a reader."""

from __future__ import annotations

from tiebreak.datasets.files import ENDINGS as OF_DATA

ENDINGS = (
    *OF_DATA,
    *(".tab", ".json", ".json.gz", ".jsonl", ".ndjson", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"),
    *(".tex", ".html", ".htm", ".md", ".markdown", ".zip", ".tsv.gz", ".txt.gz"),
)
"""The endings that say something to a reader; a file with any other is text."""


def ending_of(name: str) -> str:
    """Return the ending of a client's file that our own name for it gets; all else of the name is left.

    Examples
    --------
    >>> [ending_of(name) for name in ("a.CSV.gz", "../../etc/passwd", "x.pkl", "table.xlsx", "x.csv/..")]
    ['.csv.gz', '.txt', '.txt', '.xlsx', '.txt']
    """
    lowered = name.lower()
    return max((end for end in ENDINGS if lowered.endswith(end)), key=len, default=".txt")
