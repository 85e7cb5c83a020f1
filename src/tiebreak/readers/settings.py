"""What a caller said of how to read: names, roles, rows to keep, and how what is not plain is to be understood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tiebreak.caveats import Caveats
from tiebreak.errors import OptionError
from tiebreak.results.columns import Columns, LineOf, as_conditions, met, read_condition, take
from tiebreak.results.confusion import COUNTS, MEASURES, is_count
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import METRIC
from tiebreak.wording import option

NUMBER_SIGN = "#"
"""Given as a header, it stands for the number of the row: rows without names are data sets, or folds of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of `tiebreak.read`, under its names; `stem` names a table that is one data set, or one model."""

    scores: Sequence[str] | None = None
    also: Sequence[str] | None = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    counts: bool = False
    transpose: bool | None = None
    keep_rows: bool = False
    algorithms: Sequence[str] | None = None
    datasets: Sequence[str] | None = None
    sheet: str | None = None
    table: int | str | None = None
    decimal: str | None = None
    plain: bool = False
    where: Sequence[str] = ()
    stem: str = "the table"

    def __post_init__(self) -> None:
        """Refuse a decimal mark that is none."""
        if self.decimal not in (None, ".", ","):
            raise OptionError(f"decimal is {self.decimal!r}.", mend=f"Use {option(decimal='.')}.")

    def named(self, name: str) -> bool:
        """Say whether a name was asked for, and so is never left out."""
        return name in (self.algorithms or ()) or name in (self.datasets or ())

    def needs_cells(self, *, nested: bool = False) -> bool:
        """Say whether an option is about cells that are not plain; nested dictionaries are turned as they stand."""
        rows = self.keep_rows or any(item is not None for item in (self.decimal, self.sheet, self.table))
        return rows or NUMBER_SIGN in self.columns.values() or (self.transpose is not None and not nested)

    def wanted(self, raw: Columns, roles: Mapping[str, str]) -> list[str] | None:
        """Return the columns to read; costs come along unasked, as an order may need them, unless `also` names them."""
        scores = None if self.scores is None else list(self.scores)
        if scores is not None and self.counts:
            scores = _or_counts(raw, scores, roles)
        if scores is not None and "algorithm" in (*roles, *raw):  # a wide table holds one score, whatever it is called
            costs = (name for name in raw if metric_named(name).is_cost)
            more = costs if self.also is None else (name for name in self.also if name in raw)
            scores = list(dict.fromkeys((*scores, *more)))
        return scores


def _or_counts(raw: Columns, scores: list[str], roles: Mapping[str, str]) -> list[str] | None:
    """Choose the columns to read where a name that no column has may be a measure of counts that the file holds.

    Then all are read (None), as the caller may want any of them; where one is text, the counts and what else was named.
    """
    free = {header: column for header, column in raw.items() if header not in roles.values()}
    lacking = "algorithm" in roles and any(name not in free for name in scores)  # in wide form the name is free
    if not lacking or not any(map(is_count, free)):
        return scores
    if not set(COUNTS) <= set(free) or all(column.is_number() for column in free.values()):
        return None
    return [*(name for name in scores if name not in MEASURES), *COUNTS]


PREFIX = "published:"
"""How the names begin; a file that is called so is named with its folder, ./published:x."""


def is_published(source: object) -> bool:
    """Say whether a name stands for a published table, known or not; a Path is a file, whatever its name."""
    return isinstance(source, str) and source.startswith(PREFIX) and "\n" not in source


def refuse_layout(settings: Settings, what: str, *, but: Sequence[str] = (), **more: object) -> None:
    """Refuse options that say how to understand a file, instead of passing them over, where nothing is left to be.

    `more` are further options that do not fit what was given.
    """
    options = {name: getattr(settings, name) for name in _OF_FILES if name not in but} | more
    for name, value in options.items():
        if value not in (None, False, {}):
            raise OptionError(f"{option(**{name: value})} was given with {what}.", mend="Leave it out.")


_OF_FILES = ("columns", "transpose", "keep_rows", "sheet", "table", "decimal", "plain")


def kept(
    columns: Columns,
    line_of: LineOf | None,
    where: str | Sequence[str] | None,
    *,
    source: str,
    roles: Mapping[str, str],
    asked: Iterable[str] = (),
) -> tuple[Columns, LineOf | None, Caveats]:
    """Return the rows of a table that meet all conditions, how to find their lines, and what was left out.

    A column that was named to choose rows is neither a score nor a key: unless it plays one of the roles, is requested,
    or has the known name of a score or cost, it has done its work and goes. In wide form a column of numbers may be an
    algorithm, and goes only where one number is wanted, as of a budget.

    Examples
    --------
    >>> from tiebreak.results.columns import TextColumn
    >>> cells = {"dataset": ["a", "b"], "ours": ["1", "0"], "imputed": ["no", "yes"]}
    >>> table = {name: TextColumn(column) for name, column in cells.items()}
    >>> columns, _, text = kept(table, None, "imputed == no", source="t.csv", roles={"dataset": "dataset"})
    >>> list(columns), text
    (['dataset', 'ours'], ('t.csv: 1 of 2 rows left out; kept are those where imputed == no.',))
    """
    conditions = [read_condition(condition, columns) for condition in as_conditions(where)]
    if not conditions:
        return columns, line_of, ()
    keep, caveats = met(columns, where, source=source)
    rows = np.flatnonzero(keep)
    done = {condition.column for condition in conditions} - {*roles.values(), *asked}
    if "algorithm" not in roles:
        sized = {condition.column for condition in conditions if condition.operator != "=="}
        done -= {name for name in sized if columns[name].is_number()}
    done = {name for name in done if metric_named(name).higher_is_better is None and name.strip().lower() != METRIC}
    left = {name: column for name, column in take(columns, rows).items() if name not in done}
    return left, None if line_of is None else lambda row: line_of(int(rows[row])), caveats
