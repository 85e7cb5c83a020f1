"""Every work that is cited anywhere: records in `papers.bib`, one entry each, and the ways to print them.

Code cites by key, such as "friedman1937". Printed references, the references in docstrings and BibTeX are made from
the entry, so that no paper is written down twice.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_ENTRY = re.compile(r"^@(\w+)\{([\w-]+),\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
_CITED = re.compile(r"(\w*?[a-z]\d{4})(, .*)?")
_HEADING = "References\n----------\n"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Paper:
    """One work: its key, the kind of BibTeX entry and its fields, in LaTeX.

    Examples
    --------
    >>> print(paper("student1908").short)
    Student (1908), doi:10.1093/biomet/6.1.1
    >>> print(paper("holm1979").reference)
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70. https://www.jstor.org/stable/4615733 (no DOI)
    """

    key: str
    kind: str
    fields: Mapping[str, str]

    @property
    def short(self) -> str:
        """The work as a result cites it: names, year, and the DOI or where it appeared."""
        where = f"doi:{self.fields['doi']}" if "doi" in self.fields else self._place()
        if "doi" not in self.fields and self.kind not in ("article", "inproceedings"):
            where = ", ".join(part for part in (_plain(self.fields["title"]), where) if part)
        return f"{self.named}, {where}"

    @property
    def named(self) -> str:
        """The work as a sentence names it: names and year."""
        return f"{_listed([author.split(',')[0] for author in self._authors()])} ({self.fields['year']})"

    @property
    def reference(self) -> str:
        """The work in full, as a docstring cites it."""
        names = _listed([_initials(author) for author in self._authors()])
        parts = [f"{names} ({self.fields['year']})", _plain(self.fields["title"]), self._place()]
        text = f"doi:{self.fields['doi']}" if "doi" in self.fields else f"{self.fields.get('url', '')} (no DOI)".strip()
        return " ".join([*(f"{part.rstrip('.')}." for part in parts if part), text]).replace("?.", "?")

    @property
    def bibtex(self) -> str:
        """The entry itself."""
        lines = [f"  {name} = {{{value}}}," for name, value in self.fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])

    def _authors(self) -> list[str]:
        return ["others" if name == "others" else _plain(name) for name in self.fields["author"].split(" and ")]

    def _place(self) -> str:
        """Say where it appeared: the journal with its volume, the proceedings, or the publisher."""
        homes = ("journal", "booktitle", "school", "institution", "publisher", "archiveprefix")
        home = next((_plain(self.fields[name]) for name in homes if name in self.fields), "")
        volume = self.fields.get(
            "volume" if self.kind == "article" else "number" if self.kind == "techreport" else "", ""
        )
        pages = self.fields.get("pages", "").replace("--", "-")
        text = " ".join(
            part for part in (home, volume, self.fields.get("eprint", "") if self.kind == "misc" else "") if part
        )
        return f"{text}, {pages}" if pages else text


def _listed(names: list[str]) -> str:
    if names[-1] == "others":
        return f"{names[0]} et al."
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _initials(author: str) -> str:
    """Shorten first names: 'Friedman, Milton' to 'Friedman, M.'; a name that is all surname stays."""
    last, _, first = author.partition(", ")
    short = " ".join(part if part.endswith(".") or part[0].islower() else f"{part[0]}." for part in first.split())
    return f"{last}, {short}" if short else last


def _plain(text: str) -> str:
    """Write LaTeX in plain letters without accents, as file formats and terminals of all ages can show them."""
    text = text.replace(r"{\i}", "i").replace("``", '"').replace("''", '"').replace(r"\&", "&")
    text = re.sub(r"\\times", "x", text)
    text = re.sub(r"\\chi\^2_r", "chi-squared", text)
    return re.sub(r"\\[a-z]+(?=\{)|\\[^a-zA-Z]|[{}$]", "", text)


@cache
def _entries() -> dict[str, tuple[str, str]]:
    text = Path(__file__).with_name("papers.bib").read_text(encoding="utf-8")
    return {key: (kind, body) for kind, key, body in _ENTRY.findall(text)}


def keys() -> tuple[str, ...]:
    """Return the keys of all works."""
    return tuple(_entries())


@cache
def paper(key: str) -> Paper:
    """Look a work up by its key; an unknown key is a mistake in the code, not of the user."""
    kind, body = _entries()[key]
    return Paper(key=key, kind=kind, fields=dict(_FIELD.findall(body)))


def bibtex(cited: Iterable[str]) -> str:
    """Write the entries of the works cited, each once."""
    return "\n\n".join(paper(key).bibtex for key in dict.fromkeys(cited))


def cite_in(doc: str | None) -> str | None:
    """Write out the references of a docstring, which name works by their keys and, after a comma, the place in them.

    Examples
    --------
    >>> cite_in(chr(10).join(["References", "----------", "student1908, page 2"])).splitlines()[-1]
    'Student (1908). The probable error of a mean. Biometrika 6, 1-25. doi:10.1093/biomet/6.1.1 (page 2)'
    """
    if doc is None or _HEADING not in _dedented(doc):
        return doc
    return "\n".join(_cite_line(line) for line in doc.split("\n"))


def _dedented(doc: str) -> str:
    return re.sub(r"^ +", "", doc, flags=re.MULTILINE)


def _cite_line(line: str) -> str:
    """Write out one line if it is a key, with its indentation."""
    indent = line[: len(line) - len(line.lstrip())]
    match = _CITED.fullmatch(line.strip())
    if match is None or match[1] not in _entries():
        return line
    place = f" ({match[2][2:]})" if match[2] else ""
    return f"{indent}{paper(match[1]).reference}{place}"
