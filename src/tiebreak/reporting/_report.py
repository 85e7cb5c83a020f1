"""A report: what results say, on one page, in one of four formats."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import Any, Unpack

from tiebreak import __version__
from tiebreak._brief import Brief
from tiebreak.caveats import Caveats, distinct
from tiebreak.deciding.compare import compare
from tiebreak.deciding.order import Ordering, order
from tiebreak.documents import Check, Document, Point, Row, Shown, Table, as_came_in, finite_rows
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.figures import KINDS, Figure, figure_of
from tiebreak.papers import bibtex, paper
from tiebreak.reading.taking import Reading, ReadingOne, one_score, taken
from tiebreak.tables import Results

ENDINGS = (".html", ".md", ".tex", ".json")
LIMITS = "What cannot be concluded, and caveats"
MOST_OTHERS = 8
"""Orders by other scores and costs that a page holds."""
PHONE = "344px"
"""The width of a figure on a phone of 360 px, which has 8 px on either side; wider ones stretch it."""
_LIBRARIES = ("numpy", "scipy", "polars", "narwhals")


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
        return self.figure.to_svg(notes=False, background=None)

    def on_phone(self) -> str | None:
        """Return the same laid out for a phone; None where no layout is so narrow."""
        with suppress(OptionError):
            return self.figure.to_svg(notes=False, background=None, width=PHONE)
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
        said = self.document.answer or self.document.said or (self.document.title,)
        return (
            *(f"{point.label}: {point.text}" for point in self.document.points),
            *said[: 1 if self.points else None],
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
        said = self.document.method or (f"{self.document.title}.",)
        works = f"Works: {'; '.join(self.document.references())}. " if self.document.papers else ""
        return (*said, f"{works}Computed with Tiebreak {__version__}.")

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables with a caption: the others are for a terminal, and stand there once more."""
        return tuple(table for table in self.document.tables if table.caption or self.document.plain)

    @property
    def checks(self) -> tuple[Check, ...]:
        """The numbered checks."""
        return self.document.checks

    @property
    def decided(self) -> tuple[str, ...]:
        """The steps that led to the answer."""
        return self.document.decided

    @property
    def subject(self) -> str:
        """What the part is about: what stands first, and the title where the heading does not say it already."""
        return " ".join([*self.document.first, *([f"{self.document.title}."] if self.document.heading else [])])


class Asked(ReadingOne, total=False):
    """What is asked of results that nobody has compared yet, and how to read them; as in `compare` and `order`."""

    alpha: float
    missing: str
    scale: str
    baseline: str | None
    higher_is_better: bool | Mapping[str, bool] | None


@as_came_in
def report(
    *results: Any,
    name: str | None = None,
    seed: int | None = None,
    score: str | None = None,
    cost: str | Sequence[str] | None = None,
    also: Sequence[Ordering] = (),
    **asked: Unpack[Asked],
) -> Report:
    """Report on comparisons, orderings and any other results, each a part of one page.

    Parameters
    ----------
    *results : Comparison, Ordering, MultivariateComparison or any other result
        The order that belongs to a comparison by several measures is a part of its own. Whatever `tiebreak.as_results`
        reads (a path, a frame, a dictionary, Results) is compared first, and ordered by each `cost`.
    name : str, optional
        The title of the report.
    seed : int, optional
        Printed, where something was random.
    score, cost : optional
        What to compare tables by, and the costs to order by.
    also : sequence of Ordering, optional
        Orders by other scores and costs that the page can switch to, without a part of their own. Of a table that is
        ordered here, those by its other scores and costs are added, up to eight.
    **asked : optional
        For tables: alpha, missing, scale, baseline and higher_is_better as in `tiebreak.compare`; columns, where,
        datasets and algorithms as in `tiebreak.as_results`.

    Returns
    -------
    Report
        Write it with `save("report.html")`, or .md, .tex, .json.

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = report(tb.compare(tb.published.demsar2006()))
    >>> found.parts[0].heading
    'Comparison by auc'
    >>> found.lead.points[0].text
    'C4.5+m+cf: it has the best mean rank. Not told apart from it: C4.5+m and C4.5+cf.'
    """
    if not results:
        raise InputError("There is nothing to report.", why="A report is about results.", mend="Pass a comparison.")
    score = one_score(score, asked)
    found = [each for given in results for each in _answers(given, score, cost, asked)]
    return Report(
        parts=tuple(part for each in found for part in _parts(each)),
        name=name or found[0].title(),
        versions=_versions(),
        seed=seed,
        also=(*also, *(each for given in results for each in _others(given, score, cost, asked))),
        caveats=distinct(caveat for each in found for caveat in each.caveats),
    )


def _answers(given: Any, score: str | None, cost: str | Sequence[str] | None, asked: Asked) -> list[Shown]:
    """A result is reported as it is; a table is compared and ordered first."""
    if isinstance(given, Shown) and not isinstance(given, Results):
        return [given]
    table, costs, told = _table(given, score, cost, asked)
    return [compare(table, **told), *(order(table, cost=each, **told) for each in costs)]


def _table(
    given: Any, score: str | None, cost: str | Sequence[str] | None, asked: Asked
) -> tuple[Results, list[str], dict[str, Any]]:
    """Read a table; return it with the costs to order by and what compare and order are told."""
    costs = [] if cost is None else [cost] if isinstance(cost, str) else list(cost)
    reading = {key: value for key, value in asked.items() if key in Reading.__annotations__}
    rest = {key: value for key, value in asked.items() if key not in reading}
    way = rest.get("higher_is_better")
    table = taken(given, "report", reading, scores=score, costs=costs or None, directed=way is not None)
    return table, costs, {"score": score, **rest}


def _others(given: Any, score: str | None, cost: str | Sequence[str] | None, asked: Asked) -> list[Ordering]:
    """Order a table by its other scores and costs, for the page to switch to; whole tables only, read in full."""
    if not isinstance(given, Results) or cost is None:
        return []
    table, costs, told = _table(given, score, cost, asked)
    return other_orders(table, score or table.only_score(), costs, told)


def other_orders(
    results: Results, ordered: str, costs: Sequence[str], told: Mapping[str, Any] = MappingProxyType({})
) -> list[Ordering]:
    """Order results by every score and cost they hold; what cannot be ordered so is left out.

    Not again by the score `ordered` with its `costs`, which the report holds already. `told` are further arguments of
    `tiebreak.order`.

    Examples
    --------
    >>> import tiebreak as tb
    >>> [found.title() for found in other_orders(tb.published.ulas2012(), "accuracy", ["space"])]
    ['8 algorithms on 38 data sets by accuracy (higher is better) and train_time']
    """
    known = [(each, cost) for each in (ordered, *results.scores) for cost in (*costs, *results.costs)]
    wanted = [pair for pair in dict.fromkeys(known) if not (pair[0] == ordered and pair[1] in costs)]
    found = []
    for name, cost in wanted[:MOST_OTHERS]:
        own = (
            dict(told) if name == ordered else {key: value for key, value in told.items() if key != "higher_is_better"}
        )
        with suppress(TiebreakError):  # ties, gaps or unknown directions of what nobody asked for
            found.append(order(results, **{**own, "score": name, "cost": cost}))
    return found


def _parts(result: Any) -> Iterator[Part]:
    """Make the part of a result, and that of the order which a comparison by several measures may hold."""
    if not isinstance(result, Shown) or isinstance(result, (Figure, Report)):
        raise InputError(
            f"A {type(result).__name__} cannot be reported.",
            why="Reports are about results.",
            mend="Pass what tiebreak.compare, tiebreak.order or a function of tiebreak.stats returned.",
        )
    document = result.document()
    yield Part(document=document, pictures=tuple(_drawn(result, document)), data=_data(result), result=result)
    order = getattr(result, "order", None)
    if isinstance(order, Shown):
        yield from _parts(order)


def _drawn(result: Shown, document: Document) -> Iterator[Drawn]:
    """Draw the figures that a document asks for; of a plain one, the figure that the result has, if any."""
    for asked in document.pictures:
        figure = figure_of(result, asked.kind, **asked.options)
        yield Drawn(name=asked.name, caption=" ".join(figure.notes()), figure=figure, first=asked.first)
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


def _versions() -> tuple[tuple[str, str], ...]:
    """A library that is not installed has no part in the numbers and is left out."""
    out = [("tiebreak", __version__), ("Python", platform.python_version())]
    for library in _LIBRARIES:
        try:
            out.append((library, version(library)))
        except PackageNotFoundError:
            continue
    return tuple(out)


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
        """Return one row per check."""
        return [
            {"part": part.heading, "check": check.number, "kind": check.kind, "text": check.text}
            for part in self.parts
            for check in part.checks
        ]

    def to_html(self) -> str:
        """Return one self-contained page."""
        from tiebreak.reporting.html import to_html

        return to_html(self)

    def to_markdown(self, *, figures: str = "") -> str:
        """Return the report as Markdown; `figures` is how the names of SVG files to refer to start, if any."""
        from tiebreak.reporting.markdown import to_markdown

        return to_markdown(self, figures=figures)

    def pictures(self) -> list[Drawn]:
        """Return the pictures of all parts, in order."""
        return [picture for part in self.parts for picture in part.pictures]

    def papers(self) -> tuple[str, ...]:
        """Return the keys of the papers of all parts, each once."""
        return tuple(dict.fromkeys(key for part in self.parts for key in part.document.papers))

    def references(self) -> tuple[str, ...]:
        """Return the papers of all parts as they are printed."""
        return tuple(paper(key).short for key in self.papers())

    def to_latex(self) -> str:
        """Return a LaTeX document that compiles by itself: booktabs tables, TikZ figures, BibTeX in the comments."""
        from tiebreak.reporting.latex import to_latex

        return to_latex(self)

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
                    "checks": [
                        {"number": check.number, "kind": check.kind, "text": check.text} for check in part.checks
                    ],
                    "pictures": [{"name": each.name, "caption": each.caption} for each in part.pictures],
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
        """Write a file; its ending says what: .html, .md (its figures as SVG files beside it), .tex or .json."""
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
            text = self.to_html() if ending == ".html" else self.to_latex()
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
