"""BibTeX of the papers that a result names, keyed as the method text cites them."""

from __future__ import annotations

import re
from collections.abc import Iterable


def cite_key(reference: str) -> str:
    """Make a key from a reference such as 'Iman and Davenport (1980), doi:...'.

    Examples
    --------
    >>> cite_key("Iman and Davenport (1980), doi:10.1080/03610928008827904")
    'iman1980'
    """
    first = re.split(r"[ ,]", reference, maxsplit=1)[0].lower()
    year = re.search(r"\((\d{4})\)", reference)
    return f"{first}{year[1] if year else ''}"


def bibtex(references: Iterable[str]) -> str:
    """Write one entry per reference: authors, year, and DOI or where it appeared.

    Examples
    --------
    >>> print(bibtex(["Quade (1979), doi:10.1080/01621459.1979.10481670"]))
    @article{quade1979,
      author = {Quade},
      year = {1979},
      doi = {10.1080/01621459.1979.10481670},
    }
    """
    return "\n\n".join(_entry(reference) for reference in references)


def _entry(reference: str) -> str:
    match = re.fullmatch(r"(.+?) \((\d{4})\), (.+)", reference)
    if match is None:
        return f"@misc{{{cite_key(reference)},\n  note = {{{reference}}},\n}}"
    where = match[3]
    field = f"doi = {{{where[4:]}}}" if where.startswith("doi:") else f"note = {{{where}}}"
    return f"@article{{{cite_key(reference)},\n  author = {{{match[1]}}},\n  year = {{{match[2]}}},\n  {field},\n}}"
