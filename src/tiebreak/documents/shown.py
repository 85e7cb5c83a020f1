"""What every result object can do: say what it is, in rows and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tiebreak._lazy import late
from tiebreak.caveats import Caveats
from tiebreak.documents import writing
from tiebreak.documents.parts import Document, Table
from tiebreak.documents.words import Row, cell

if TYPE_CHECKING:
    from tiebreak.figures import Figure
    from tiebreak.reporting import Report


class Shown:
    """A result that can be printed, exported, drawn and reported.

    A result supplies `title()` and `rows()`, and a `document()` of its own where it concludes something.
    """

    __slots__ = ()

    caveats: Caveats

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
        said = f"; {brief}" if (brief := self.brief()) else ""
        return f"<{type(self).__name__}: {self.title()}{said}>"

    def to_frame(self, kind: str | None = None) -> Any:
        """Return the rows as a data frame: of the kind that came in, or of the named kind (pandas, polars, pyarrow).

        Examples
        --------
        >>> import tiebreak as tb
        >>> tb.compare(tb.published.demsar2006()).to_frame().columns
        ['algorithm', 'mean_rank', 'mean auc', 'group']
        """
        return late("tiebreak.tables.frames", "rows_frame")(self.rows(), kind or getattr(self, "frame_kind", ""))

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
        return figure

    def report(self, *, name: str | None = None, seed: int | None = None) -> Report:
        """Return a report on the result; write it with `save("report.html")`, or .md, .tex, .json."""
        report: Report = late("tiebreak.reporting", "report")(self, name=name, seed=seed)
        return report

    def __str__(self) -> str:
        return writing.as_text(self.document())

    def to_markdown(self) -> str:
        """Return the result as Markdown."""
        return writing.as_markdown(self.document())

    def to_latex(self) -> str:
        """Return the result as LaTeX: what was found and tables with booktabs rules, caveats as comments."""
        return writing.as_latex(self.document())

    def _repr_html_(self) -> str:
        return writing.as_html(self.document())


def table_of(rows: Sequence[Row], caption: str = "", **options: Any) -> Table:
    """Return rows as a table to print; unless told, the leading columns of texts are aligned to the left."""
    header = tuple(rows[0]) if rows else ()
    body = tuple(tuple(cell(key, row[key]) for key in header) for row in rows)
    return Table(caption=caption, header=header, body=body, **{"left": _texts(rows), **options})


def _texts(rows: Sequence[Row]) -> int:
    """Count the leading columns that hold text: they are aligned to the left."""
    count = 0
    for value in rows[0].values() if rows else ():
        if not isinstance(value, str):
            break
        count += 1
    return max(count, 1)
