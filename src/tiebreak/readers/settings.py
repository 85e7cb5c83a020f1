"""What a caller said of how to read: names, roles, what to keep, and how what is not plain is to be understood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tiebreak.errors import OptionError
from tiebreak.results.columns import Columns
from tiebreak.results.confusion import COUNTS, MEASURES, is_count
from tiebreak.results.metrics import metric_named
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
            raise OptionError(
                f"decimal is {self.decimal!r}.", why="It is one of '.', ','.", mend=f"Use {option(decimal='.')}."
            )

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


def check_alone(sources: Iterable[object], settings: Settings) -> None:
    """Refuse options about understanding a file where every source is a published table, which needs none."""
    options = {name: getattr(settings, name) for name in _OF_FILES}
    idle = [name for name, value in options.items() if value not in (None, False, {})]
    if idle and all(map(is_published, sources)):
        option = "column" if idle[0] == "columns" else idle[0].replace("_", "-")
        raise OptionError(
            f"{idle[0]}={options[idle[0]]!r} (--{option}) was given with a published table.",
            why="It says how to understand a file; what a published table holds is known.",
            mend="Leave it out.",
        )


_OF_FILES = ("columns", "transpose", "keep_rows", "sheet", "table", "decimal", "plain")
