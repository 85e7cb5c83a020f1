"""Endings of file names that say something to a reader."""

from __future__ import annotations

from collections.abc import Callable

from tiebreak.datasets.files import ENDINGS as OF_DATA

ENDINGS = (
    *OF_DATA,
    *(".tab", ".json", ".json.gz", ".jsonl", ".jsonl.gz", ".ndjson", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"),
    *(".eval", ".yml", ".yaml"),  # logs of evaluations
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


PASTED = "pasted.txt"
"""What a page calls a pasted text of which it knows nothing."""


def pasted_name(text: str) -> str:
    r"""Return a name for a pasted text, with the ending that its first two lines tell; tables of other kinds are text.

    Examples
    --------
    >>> tables = ("a,b\n1,2", "a\tb\n1\t2", '{"a": 1}\n{"a": 2}', "[[1]]", "| a, b | c |\n|---|---|")
    >>> [pasted_name(text) for text in tables]
    ['pasted.csv', 'pasted.tsv', 'pasted.jsonl', 'pasted.json', 'pasted.txt']
    """
    lines = [line.strip(" \r") for line in text.lstrip("\ufeff").splitlines() if line.strip()][:2]
    first, second = [*lines, "", ""][:2]
    if first[:1] in ("{", "["):
        return "pasted.jsonl" if first[:1] == second[:1] == "{" else "pasted.json"
    if not any(mark in first for mark in "|&\\<"):
        for mark, ending in (("\t", "tsv"), (",", "csv"), (";", "csv")):
            if first.count(mark) and second.count(mark):
                return f"pasted.{ending}"
    return PASTED


_WRITTEN = frozenset(
    "clean.csv clean.parquet store.csv result.json run.json progress.jsonl said.txt report.html page.html kept.html"
    " figure.svg figure.tex figure.pdf figure.png gate.md gate.xml".split()
)
"""Files that the server or a verb writes into the folder of a job; no upload may have such a name there."""
_PLAIN = frozenset(" _-.+()")
"""What a name of a file may hold beside letters and figures."""
_LONGEST = 60


def plain_name(label: str, taken: Callable[[str], bool] = lambda _: False) -> str:
    """Return the name under which a client's file lies here: as the client calls it, as far as that does no harm.

    Sentences and calls name the file by it. It begins with a letter or a figure, holds no mark of a path, an option or
    an address, has an ending that says something to a reader, and is no name that is `taken`.

    Examples
    --------
    >>> [plain_name(each) for each in ("my results.CSV", "--store=x.db.csv", "published:x", "photo.jpg", "...")]
    ['my results.csv', 'store_x.db.csv', 'published_x.txt', 'photo.jpg.txt', 'table.txt']
    >>> plain_name("a.csv", {"a.csv"}.__contains__), plain_name("clean.csv")
    ('a-2.csv', 'clean-2.csv')
    """
    ending = ending_of(label)
    stem = label[: -len(ending)] if label.lower().endswith(ending) else label
    marked = "".join(letter if letter.isalnum() or letter in _PLAIN else "_" for letter in stem)
    stem = marked.lstrip("".join(_PLAIN))[:_LONGEST].rstrip(" .") or "table"
    names = (f"{stem}{more}{ending}" for more in ("", *(f"-{place}" for place in range(2, 1000))))
    return next(name for name in names if name.lower() not in _WRITTEN and not taken(name))
