"""What every result object can do: say what it is, in rows and in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tiebreak._brief import shortened
from tiebreak._lazy import late
from tiebreak.caveats import Caveats
from tiebreak.documents import writing
from tiebreak.documents.answer import Answer
from tiebreak.documents.framed import Framed
from tiebreak.documents.parts import Document, Table
from tiebreak.documents.tabling import table_of
from tiebreak.documents.words import Row

if TYPE_CHECKING:
    from tiebreak.figures import Figure
    from tiebreak.reporting import Report


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Shown(Framed):
    """A result that can be printed, exported, drawn and reported.

    A result supplies `title()` and `rows()`, and a `document()` of its own where it concludes something.
    """

    if TYPE_CHECKING:  # a field of most results, a property of some

        @property
        def caveats(self) -> Caveats:
            """What to know before one acts on the result."""

    def title(self) -> str:
        """Say in one line what this is."""
        raise TypeError(f"{type(self).__name__} has no title")  # every subclass gives its own

    def rows(self) -> list[Row]:
        """Return the result as plain dictionaries, unrounded."""
        raise TypeError(f"{type(self).__name__} has no rows")  # every subclass gives its own

    def brief(self) -> str:
        """Give the answer in a few words, for `repr`; empty where the title says it all."""
        return ""

    def __repr__(self) -> str:
        text = f"; {brief}" if (brief := self.brief()) else ""
        return shortened(f"<{type(self).__name__}: {self.title()}{text}>")

    def printed(self) -> tuple[list[str], list[list[str]], int]:
        """Return header and printed cells of the table, and how many leading columns hold text."""
        table = table_of(self.rows())
        return list(table.header), list(map(list, table.body)), table.left

    def document(self) -> Document:
        """Return what the result says; without a conclusion of its own, its title, table and caveats."""
        return Document(title=self.title(), tables=(self.printed_table(),), caveats=self.caveats)

    def printed_table(self, caption: str = "", **options: Any) -> Table:
        """Return the table of the result as it is printed."""
        header, body, left = self.printed()
        return Table(caption=caption, header=tuple(header), body=tuple(map(tuple, body)), left=left, **options)

    def figure(self, kind: str | None = None, **options: Any) -> Figure:
        """Return a figure of the result; see `tiebreak.figures.KINDS` for which results have which."""
        figure: Figure = late("tiebreak.figures", "figure_of")(self, kind, **options)
        return figure.framed(self.frame_kind)

    def report(self, *, name: str | None = None, seed: int | None = None) -> Report:
        """Return a report on the result; write it with `save("report.html")`, or .md, .tex, .json."""
        report: Report = late("tiebreak.reporting", "report")(self, name=name, seed=seed)
        return report.framed(self.frame_kind)

    @property
    def answer(self) -> Answer | None:
        """What to do, in one sentence and a small table; None where the result is a table alone."""
        return None

    def __str__(self) -> str:
        answer = self.answer
        return writing.as_text(self.document()) if answer is None else str(answer)

    def to_markdown(self) -> str:
        """Return the result as Markdown."""
        return writing.as_markdown(self.document())

    def to_latex(self) -> str:
        """Return the result as LaTeX: what was found and tables with booktabs rules, caveats as comments."""
        return writing.as_latex(self.document())

    def _repr_html_(self) -> str:
        document = self.document()
        if not document.points:
            return writing.in_notebook(writing.as_html(document))
        return writing.as_card(document, figure=self._inline(document))

    def _inline(self, document: Document) -> str:
        """Return the first figure of the result for a notebook, whose colours it takes; empty where it has none.

        Caveats that the card tells are not told again under the figure.
        """
        for picture in document.pictures[:1]:
            figure = self.figure(picture.kind, **picture.options)
            caveats = tuple(caveat for caveat in figure.caveats if caveat not in document.caveats)
            return replace(figure, caveats=caveats)._repr_html_()
        return ""
