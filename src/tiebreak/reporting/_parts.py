"""The parts of a report: one answered question each, with its figures drawn and its plain data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tiebreak import __version__
from tiebreak.documents import Document, Shown, Table
from tiebreak.documents.parts import Point
from tiebreak.documents.words import finite_rows
from tiebreak.errors import OptionError
from tiebreak.figures import KINDS, Figure, figure_of
from tiebreak.ordering import Ordering
from tiebreak.wording import Brief

LIMITS = "What cannot be concluded, and caveats"
PHONE = "344px"
"""The width of a figure on a phone of 360 px, which has 8 px on either side; wider ones stretch it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Drawn(Brief):
    """A figure of a report with its caption: what it shows, by which test, and how to read it.

    A `first` one stands above the tables of its part.
    """

    name: str
    caption: str
    figure: Figure
    first: bool = False

    def on_page(self) -> str:
        """Return the figure as SVG in the colours of the page around it."""
        return self.figure.to_svg(notes=False, theme="page")

    def on_phone(self) -> str | None:
        """Return the same laid out for a phone; None where no layout is so narrow."""
        return self._as_wide_as(PHONE)

    def phone_caption(self) -> str:
        """Return the caption of the layout for a phone, which may read otherwise."""
        return " ".join(self.figure.sized(width=PHONE).notes())

    def on_sheet(self) -> str | None:
        """Return the same laid out for a sheet of paper, its rows close; None where none is so narrow."""
        return self._as_wide_as("page", height="any")

    def _as_wide_as(self, width: str, **sizes: str) -> str | None:
        with suppress(OptionError):
            return self.figure.to_svg(notes=False, theme="page", width=width, **sizes)
        return None

    def in_paper(self) -> str:
        """Return the figure as TikZ for a column of a paper; for its page, or as wide as it likes, where it must be."""
        for width in ("column", "page"):
            with suppress(OptionError):
                return self.figure.to_tikz(width=width)
        return self.figure.to_tikz()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Part(Brief):
    """One answered question: what a result says, with its figures drawn and its plain data."""

    document: Document
    pictures: tuple[Drawn, ...]
    data: dict[str, Any]
    result: Shown

    @property
    def heading(self) -> str:
        """The heading of the part."""
        return self.document.heading or self.document.title

    @property
    def answer(self) -> tuple[str, ...]:
        """The sentences that come first: the answer in plain words, and the order where there is one."""
        points = {point.text for point in self.document.points}
        answer = self.document.answer or self.document.said or (self.document.title,)
        sentences = tuple(sentence for sentence in answer if sentence not in points)
        return (
            *(f"{point.label}: {point.text}" for point in self.document.points),
            *sentences[: 1 if self.points else None],
        )

    @property
    def points(self) -> tuple[Point, ...]:
        """The answer in plain words, question by question; empty where the result has none of its own."""
        return self.document.points

    @property
    def ordered(self) -> bool:
        """Whether the part is about an order: what to use first."""
        return isinstance(self.result, Ordering)

    @property
    def limits(self) -> tuple[str, ...]:
        """What cannot be concluded, and the caveats."""
        return (*self.document.limits, *self.document.caveats)

    @property
    def method(self) -> tuple[str, ...]:
        """What a paper would say of how it was done."""
        method = self.document.method or (f"{self.document.title}.",)
        works = f"Works: {'; '.join(self.document.references())}. " if self.document.papers else ""
        return (*method, f"{works}Computed with Tiebreak {__version__}.")

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables with a caption: the others are for a terminal, and stand there once more."""
        return tuple(table for table in self.document.tables if table.caption or self.document.plain)

    @property
    def decided(self) -> tuple[str, ...]:
        """The steps that led to the answer."""
        return self.document.decided

    @property
    def subject(self) -> str:
        """What the part is about: what stands first, and the title where the heading does not say it already."""
        return " ".join([*self.document.first, *([f"{self.document.title}."] if self.document.heading else [])])


def parts_of(result: Shown) -> Iterator[Part]:
    """Make the part of a result, and that of the order which a comparison by several measures may hold."""
    document = result.document()
    yield Part(document=document, pictures=tuple(_drawn(result, document)), data=_data(result), result=result)
    order = getattr(result, "order", None)
    if isinstance(order, Shown):
        yield from parts_of(order)


def _drawn(result: Shown, document: Document) -> Iterator[Drawn]:
    """Draw the figures that a document asks for; of a plain one, the figure that the result has, if any."""
    for picture in document.pictures:
        figure = figure_of(result, picture.kind, **picture.options)
        yield Drawn(name=picture.name, caption=" ".join(figure.notes()), figure=figure, first=picture.first)
    if document.plain and type(result).__name__ in KINDS:
        figure = figure_of(result)
        yield Drawn(name="Figure", caption=" ".join(figure.notes()), figure=figure)


def _data(result: Shown) -> dict[str, Any]:
    """A result with its own plain form gives that; a plain document has no more to say than its rows."""
    plain = getattr(result, "to_dict", None)
    if plain is not None and not result.document().plain:
        data: dict[str, Any] = plain()
        return data
    return {"title": result.title(), "rows": finite_rows(result.rows()), "caveats": list(result.caveats)}
