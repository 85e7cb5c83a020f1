"""What everything that a result holds can do: be rows of a data frame, and say in a line what it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import islice
from typing import Any, ParamSpec, Self, TypeVar

from tiebreak._brief import Brief, held
from tiebreak._lazy import late
from tiebreak.documents import writing
from tiebreak.documents.parts import Document
from tiebreak.documents.tabling import table_of
from tiebreak.documents.words import Row

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
