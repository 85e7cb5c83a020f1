"""A report and its parts: what results say, with figures drawn, on one page, as HTML, Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiebreak import __version__
from tiebreak.caveats import Caveats
from tiebreak.documents import Document, Row, Shown, Table
from tiebreak.documents.layout import markdown_table
from tiebreak.documents.parts import Point
from tiebreak.documents.words import finite_rows, markdown
from tiebreak.documents.writing import DECIDED, code_markdown
from tiebreak.errors import InputError, OptionError
from tiebreak.figures import KINDS, Figure, figure_of
from tiebreak.ordering import Ordering
from tiebreak.papers import bibtex, paper
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


# ---- the report


ENDINGS = (".html", ".md", ".json")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Report(Shown):
    """A report: parts, the papers to cite, versions and seed. Write it with `save`."""

    name: str
    parts: tuple[Part, ...]
    versions: tuple[tuple[str, str], ...]
    seed: int | None = None
    also: tuple[Ordering, ...] = ()
    caveats: Caveats = ()

    @property
    def lead(self) -> Part:
        """The part whose answer comes first: the first order, which says what to use; else the first part."""
        return next((part for part in self.parts if part.ordered), self.parts[0])

    @property
    def by_importance(self) -> tuple[Part, ...]:
        """The parts as a page shows them: orders first, what they rest on after them."""
        return tuple(sorted(self.parts, key=lambda part: not part.ordered))

    def title(self) -> str:
        """Say in one line what is reported."""
        return self.name

    def brief(self) -> str:
        """Give the first sentence of the answer."""
        return self.lead.answer[0]

    def rows(self) -> list[Row]:
        """Return one row per point of the answers."""
        return [
            {"part": part.heading, "question": point.label, "answer": point.text}
            for part in self.parts
            for point in part.points
        ]

    def _repr_html_(self) -> str:
        """In a notebook the report is the card of its answer; the page itself is a file."""
        return self.lead.result._repr_html_()

    def to_html(self) -> str:
        """Return one self-contained page."""
        from tiebreak.reporting.html import to_html

        return to_html(self)

    def to_markdown(self, *, figures: str = "") -> str:
        """Return the report as Markdown; `figures` is how the names of SVG files to refer to start, if any."""
        return _markdown_of(self, figures=figures)

    def pictures(self) -> list[Drawn]:
        """Return the pictures of all parts, in order."""
        return [picture for part in self.parts for picture in part.pictures]

    def papers(self) -> tuple[str, ...]:
        """Return the keys of the papers of all parts, each once."""
        return tuple(dict.fromkeys(key for part in self.parts for key in part.document.papers))

    def references(self) -> tuple[str, ...]:
        """Return the papers of all parts as they are printed."""
        return tuple(paper(key).short for key in self.papers())

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "title": self.name,
            "lead": self.lead.heading,
            "parts": [
                {
                    "heading": part.heading,
                    "subject": part.subject,
                    "answer": list(part.answer),
                    "points": [{"label": point.label, "text": point.text} for point in part.points],
                    "lay": list(part.document.lay),
                    "decided": list(part.decided),
                    "limits": list(part.limits),
                    "pictures": [{"name": picture.name, "caption": picture.caption} for picture in part.pictures],
                    "tables": [
                        {
                            "caption": table.caption,
                            "header": list(table.header),
                            "rows": [list(row) for row in table.body],
                        }
                        for table in part.tables
                    ],
                    "method": list(part.method),
                    "references": part.document.references(),
                    "result": part.data,
                }
                for part in self.parts
            ],
            "bibtex": bibtex(self.papers()),
            "versions": dict(self.versions),
            "seed": self.seed,
        }

    def save(self, path: str | Path) -> None:
        """Write a file; its ending says what: .html, .md (its figures as SVG files beside it) or .json."""
        target = Path(path)
        ending = target.suffix.lower()
        if ending not in ENDINGS:
            raise OptionError(
                f"A report cannot be saved as {target.name!r}.",
                why=f"The ending says what to write, and must be one of {', '.join(ENDINGS)}.",
                mend="Use report.html.",
            )
        if ending == ".json":
            text = json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)
        elif ending == ".md":
            text = self.to_markdown(figures=target.stem)
        else:
            text = self.to_html()
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if ending == ".md":
                for number, picture in enumerate(self.pictures(), start=1):
                    picture.figure.save(target.with_name(f"{target.stem}-{number}.svg"), notes=False)
            target.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(
                f"{target} cannot be written: {error.strerror}.",
                why="The report goes there.",
                mend="Choose another path.",
            ) from None


# ---- Markdown


def _markdown_of(report: Report, *, figures: str = "") -> str:
    """Write the report; figures are referred to as SVG files whose names start with `figures`."""
    lines = [f"# {markdown(report.name)}", ""]
    lines += ["## The answer", "", *_points_of(report.lead), ""]
    drawn = 0
    for part in report.parts:
        lines += _part_of(part, figures, drawn)
        drawn += len(part.pictures)
    papers = report.references()
    lines += ["## Papers to cite", "", *(f"- {markdown(paper)}" for paper in papers), ""]
    lines += ["```bibtex", bibtex(report.papers()), "```", ""]
    made = ", ".join(f"{name} {version}" for name, version in report.versions)
    return "\n".join([*lines, f"Made with {made}." + ("" if report.seed is None else f" Seed {report.seed}.")])


def _points_of(part: Part) -> list[str]:
    """The answer in plain words, question by question; all sentences where there are no such points."""
    if not part.points:
        return [f"> {markdown(sentence)}" for sentence in part.answer]
    return [f"- **{markdown(point.label)}:** {markdown(point.text)}" for point in part.points]


def _part_of(part: Part, figures: str, drawn: int) -> list[str]:
    lines = [f"## {markdown(part.heading)}", "", markdown(part.subject), ""]
    lines += [*_points_of(part), ""]
    for number, picture in enumerate(part.pictures, start=drawn + 1):
        shown = f"![{markdown(picture.name)}](<{figures}-{number}.svg>)" if figures else f"*{markdown(picture.name)}*"
        lines += [shown, "", markdown(picture.caption), ""]
    for table in part.tables:
        lines += [markdown(table.caption), "", markdown_table(table.header, table.body, texts=table.words), ""]
    lines += [line for note in part.document.notes for line in (markdown(note), "")]
    lines += [*code_markdown(part.document), ""] if part.document.code else []
    for heading, items in (
        (DECIDED, part.decided),
        (LIMITS, part.limits),
    ):
        lines += [f"### {heading}", "", *(f"- {markdown(item)}" for item in items), ""]
    return [*lines, "### Method, for a paper", "", *(markdown(sentence) for sentence in part.method), ""]
