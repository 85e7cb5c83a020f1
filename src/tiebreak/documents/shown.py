"""What every result can do: answer in a sentence, be written, drawn and reported, and be rows of a data frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import islice
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from tiebreak._lazy import late
from tiebreak.caveats import Caveats
from tiebreak.documents import writing
from tiebreak.documents.layout import screen
from tiebreak.documents.parts import LOSES, NEXT, RESTS, SAVES, SURE, USE, Document, Point, Table, table_of
from tiebreak.documents.words import Row
from tiebreak.wording import Brief, held, shortened

if TYPE_CHECKING:
    from tiebreak.figures import Figure as Drawing
    from tiebreak.reporting import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One of the few numbers that an answer shows large: `value` with its unit, `text` what it is."""

    value: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Answer(Brief):
    """What somebody needs to know who has to decide.

    `headline` is one sentence that stands alone; `use` is the name to use, empty where nothing decides. `saves`,
    `loses`, `sure`, `next_best` and `rests_on` are sentences, empty where there is nothing to say. `figures` are the
    two or three numbers behind the headline; `table` has only the columns that a decision needs, `facts` are the lines
    under it, `notes` the caveats that change how the answer is used, `more` says where to find the rest.
    """

    headline: str
    use: str = ""
    saves: str = ""
    loses: str = ""
    sure: str = ""
    next_best: str = ""
    rests_on: str = ""
    figures: tuple[Figure, ...] = ()
    table: Table | None = None
    facts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    more: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Lay the answer out for one screen of 80 columns and 24 lines."""
        return screen(self.headline, self.table, self.facts, self.notes, self.more)

    def opening(self) -> tuple[str, str]:
        """Return the headline as a page shows it: what to use, large, and the rest of the sentence under it."""
        start = f"Use {self.use}" if self.headline.startswith(f"Use {self.use}") else self.headline.partition(": ")[0]
        rest = self.headline.removeprefix(start).lstrip(":, ")
        if not self.use or self.use not in start or not rest:
            return self.headline, ""
        return start, rest[:1].upper() + rest[1:]

    def points(self) -> tuple[Point, ...]:
        """Return the answer question by question, as a card or a report shows it."""
        lines = (
            (USE, self.headline),
            (SAVES, self.saves),
            (LOSES, self.loses),
            (SURE, self.sure),
            (NEXT, self.next_best),
            (RESTS, self.rests_on),
        )
        return tuple(Point(label=label, text=text) for label, text in lines if text)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data, the field `answer` of JSON."""
        names = ("headline", "use", "saves", "loses", "sure", "next_best", "rests_on")
        figures = [{"value": figure.value, "text": figure.text} for figure in self.figures]
        return {name: getattr(self, name) for name in names} | {"figures": figures}


P = ParamSpec("P")
F = TypeVar("F", bound="Framed")
_MOST_LOOKED_AT = 20
"""Elements of a list among which a data frame is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Framed(Brief):
    """A part of a result: one row of a data frame, unless it says otherwise.

    `frame_kind` is the kind of data frame that came in, for `to_frame`; empty where none did.
    """

    frame_kind: str = field(default="", compare=False)

    def rows(self) -> list[Row]:
        """Return the record as one plain row, or several; what holds more than a list of names is left out."""
        options = {name: _plain(value) for name, value in held(self).items()}
        return [{name: value for name, value in options.items() if value is not _MORE}]

    def to_frame(self, kind: str | None = None) -> Any:
        """Return the rows as a data frame: of the kind that came in, or of the named kind (pandas, polars, pyarrow).

        Examples
        --------
        >>> import tiebreak as tb
        >>> tb.compare(tb.published.demsar2006()).to_frame().columns
        ['algorithm', 'mean_rank', 'mean auc', 'group']
        """
        return late("tiebreak.results.frames", "rows_frame")(self.rows(), kind or self.frame_kind)

    def framed(self, kind: str) -> Self:
        """Return the same, with that kind of data frame for itself and all that it holds.

        Examples
        --------
        >>> import tiebreak as tb
        >>> result = tb.compare(tb.published.demsar2006()).framed("pandas")
        >>> result.omnibus.frame_kind, result.effects().frame_kind
        ('pandas', 'pandas')
        """
        if not kind:
            return self
        inner = {name: _framed(value, kind) for name, value in held(self).items()}
        changed = {name: value for name, value in inner.items() if value is not getattr(self, name)}
        return replace(self, **changed, frame_kind=kind) if changed or kind != self.frame_kind else self

    def _repr_html_(self) -> str:
        document = Document(title=type(self).__name__, tables=(table_of(self.rows()),))
        return writing.in_notebook(writing.as_html(document))


_MORE = object()
"""Stands for a value that no cell of a table can hold."""


def _plain(value: Any) -> Any:
    """Turn a value into a cell: numbers and texts as they are, what has a name by it, short lists as a text."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (tuple, list)):
        parts = [_plain(item) for item in value]
        return _MORE if any(part is _MORE for part in parts) else ", ".join(map(str, parts))
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        return value.item()
    return name if isinstance(name := getattr(value, "name", None), str) else _MORE


def _framed(value: Any, kind: str) -> Any:
    """Pass the kind on to a record, or to all in a tuple or a dictionary of them."""
    if isinstance(value, Framed):
        return value.framed(kind)
    if isinstance(value, tuple) and value and isinstance(value[0], Framed):
        return tuple(_framed(item, kind) for item in value)
    if isinstance(value, Mapping) and value and isinstance(next(iter(value.values())), Framed):
        return {name: _framed(item, kind) for name, item in value.items()}
    return value


def as_came_in(function: Callable[P, F]) -> Callable[P, F]:
    """Let what a function returns make data frames of the kind that it was given, in itself or in an earlier result.

    Examples
    --------
    >>> import pandas as pd
    >>> from tiebreak import stats
    >>> stats.wilcoxon(pd.Series([0.9, 0.8, 0.7]), pd.Series([0.8, 0.6, 0.4])).frame_kind
    'pandas'
    """

    @wraps(function)
    def given(*args: P.args, **options: P.kwargs) -> F:
        result = function(*args, **options)
        return result.framed(kind) if (kind := kind_of((*args, *options.values()))) else result

    return given


def kind_of(value: Any, depth: int = 3) -> str:
    """Return the kind of data frame that a value is, was made from, or holds; empty where there is none."""
    if isinstance(value, Framed):
        return value.frame_kind
    if (library := type(value).__module__.partition(".")[0]) in ("pandas", "polars", "pyarrow"):
        return library
    if depth and isinstance(value, (tuple, list, Mapping)):
        inner = value.values() if isinstance(value, Mapping) else value
        return next((kind for item in islice(inner, _MOST_LOOKED_AT) if (kind := kind_of(item, depth - 1))), "")
    return ""


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

    def figure(self, kind: str | None = None, **options: Any) -> Drawing:
        """Return a figure of the result; see `tiebreak.figures.KINDS` for which results have which."""
        figure: Drawing = late("tiebreak.figures", "figure_of")(self, kind, **options)
        return figure.framed(self.frame_kind)

    def report(self, *, name: str | None = None, seed: int | None = None) -> Report:
        """Return a report on the result; write it with `save("report.html")`, or .md, .json."""
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
