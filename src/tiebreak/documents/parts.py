"""What a result says, before it is written: title, sentences, tables, figures, papers, caveats.

A result makes its document once; text, Markdown, LaTeX, HTML and the report are ways to write it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tiebreak._lazy import late
from tiebreak.caveats import Caveats
from tiebreak.documents.layout import Table as Table
from tiebreak.documents.words import Row, cell
from tiebreak.papers import paper
from tiebreak.verbs import verb_of
from tiebreak.wording import Brief


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One thing that a reader wants to know first, in plain words: `label` is the question, `text` the answer."""

    label: str
    text: str


USE, SAVES, LOSES = "What to use", "What it saves", "What it loses"
SURE, NEXT, RESTS = "How sure", "Next best", "What it rests on"
"""Labels of the points of an answer, by which a report knows them."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Picture(Brief):
    """A figure that belongs to a result, asked for by its kind; a report draws it, a `first` one above the tables."""

    name: str
    kind: str
    options: Mapping[str, Any] = field(default_factory=dict)
    first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Document(Brief):
    """What one result says.

    `first` is what stands before everything else, even the title: what the answer is about. `points` are the answer in
    plain words, which a report puts first: what to use, what it saves, what it loses, how sure that is; `lay`
    explains the words of the result to readers without statistics. `said` are the sentences of its conclusion,
    `answer` those that stand for it where there are no points (all of them where empty), `decided` the steps that led
    there, `limits` what cannot be concluded, `method` what a paper would say of how it was done, `papers` keys of
    works, `notes` what is printed under the tables. A `plain` document is a title with a table, of a result that draws
    no conclusion.
    """

    title: str
    tables: tuple[Table, ...]
    caveats: Caveats = ()
    heading: str = ""
    points: tuple[Point, ...] = ()
    lay: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    method: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    code: str = ""
    code_heading: str = ""
    more: tuple[Document, ...] = ()
    first: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the whole document as text."""
        text: str = late("tiebreak.documents.writing", "as_text")(self)
        return text

    @property
    def plain(self) -> bool:
        """Whether there is nothing but a table."""
        return not self.said

    def references(self) -> list[str]:
        """Return the works to cite, as a result prints them."""
        return [paper(key).short for key in self.papers]


def with_data(methods: tuple[str, ...], data: tuple[str, ...]) -> tuple[str, ...]:
    """Return the works behind methods and then those that published the data, each once."""
    return tuple(dict.fromkeys((*methods, *data)))


def published_in(data: tuple[str, ...]) -> tuple[str, ...]:
    """Say where results were published, as a paper would; nothing where they are the user's own.

    Examples
    --------
    >>> published_in(("demsar2006",))
    ('The results are those published by Demsar (2006).',)
    """
    named = " and ".join(paper(key).named for key in data)
    return (f"The results are those published by {named}.",) if data else ()


def table_of(rows: Sequence[Row], caption: str = "", **options: Any) -> Table:
    """Return rows as a table to print; unless told, the leading columns of texts are aligned to the left."""
    header = tuple(rows[0]) if rows else ()
    body = tuple(tuple(cell(key, row[key]) for key in header) for row in rows)
    return Table(caption=caption, header=header, body=body, **{"left": _texts(rows), **options})


def table_of_verb(
    verb: str,
    cells: Mapping[str, Sequence[str]],
    *,
    full: bool = False,
    units: Mapping[str, str] = MappingProxyType({}),
    **options: Any,
) -> Table:
    """Lay out cells by key of `rows()`: the record of the verb has their headings, their order and who sees them.

    `units` are written behind headings.

    Examples
    --------
    >>> table_of_verb("order", {"algorithm": ["svm"], "place": ["1"], "loss": ["0.3"]}, units={"loss": "95% CI"}).header
    ('place', 'algorithm', 'loss vs best (95% CI)')
    """
    record = verb_of(verb)
    places = {id(column): place for place, column in enumerate(record.columns)}
    columns = [(*record.column(key), key) for key in cells]
    shown = [item for item in columns if item[0].shown == "default" or (full and item[0].shown == "full")]
    shown.sort(key=lambda item: places[id(item[0])])
    return Table(
        header=tuple(f"{heading} ({units[key]})" if units.get(key) else heading for _, heading, key in shown),
        body=tuple(zip(*(cells[key] for *_, key in shown), strict=True)),
        texts=frozenset(place for place, (column, *_) in enumerate(shown) if column.text),
        **options,
    )


def _texts(rows: Sequence[Row]) -> int:
    """Count the leading columns that hold text: they are aligned to the left."""
    count = 0
    for value in rows[0].values() if rows else ():
        if not isinstance(value, str):
            break
        count += 1
    return max(count, 1)
