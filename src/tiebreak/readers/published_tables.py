"""Published tables by name: `published:ulas2012` stands for one wherever results can be named.

Nothing heavy is imported before one is read: the command line and the completion of shells ask for names alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from tiebreak.errors import OptionError
from tiebreak.papers import paper

if TYPE_CHECKING:
    from tiebreak.results import Results
    from tiebreak.results.columns import Columns

    Pick = Callable[[Columns, Mapping[str, str]], list[str] | None]

PREFIX = "published:"
"""How the names begin; a file that is called so is named with its folder, ./published:x."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    """A table that the package carries: its name, what it holds, and the works it was printed in, the first to cite."""

    name: str
    holds: str
    papers: tuple[str, ...]
    costs: tuple[str, ...] = ()

    @property
    def reference(self) -> str:
        """The name as it is given to a verb."""
        return f"{PREFIX}{self.name}"

    @property
    def line(self) -> str:
        """Say in one line what there is."""
        costs = f"costs {' and '.join(self.costs)}" if self.costs else "no costs"
        return f"{self.reference}: {self.holds}; {costs}; {paper(self.papers[0]).short}"


TABLES = (
    PublishedTable(
        name="ulas2012",
        holds="accuracy (per cent) of 8 algorithms on 38 data sets, 5x2 folds each",
        papers=("ulas2012", "ulas2008"),
        costs=("train_time", "space"),
    ),
    PublishedTable(
        name="demsar2006",
        holds="auc of 4 variants of C4.5 on 14 data sets, one value each (Table 6)",
        papers=("demsar2006",),
    ),
)
"""Every published table; its name is that of the function of `tiebreak.published` which returns it."""


def references() -> tuple[str, ...]:
    """Return the names as they are given to a verb.

    Examples
    --------
    >>> references()
    ('published:ulas2012', 'published:demsar2006')
    """
    return tuple(each.reference for each in TABLES)


def is_published(source: object) -> bool:
    """Say whether a name stands for a published table, known or not; a Path is a file, whatever its name."""
    return isinstance(source, str) and source.startswith(PREFIX) and "\n" not in source


def table_named(source: object) -> PublishedTable:
    """Look a published table up; an unknown name is answered by all that there are."""
    asked = str(source).removeprefix(PREFIX)
    for each in TABLES:
        if each.name == asked:
            return each
    lines = "\n".join(f"  {each.line}" for each in TABLES)
    close = get_close_matches(asked, [each.reference.removeprefix(PREFIX) for each in TABLES], n=1)
    hint = f"Did you mean {PREFIX}{close[0]}? " if close else ""
    raise OptionError(
        f"There is no published table {asked!r}." if asked else f"{PREFIX} was given without a name.",
        why="Such a name stands for a table that the package carries.",
        mend=f"{hint}Use one of these:\n{lines}",
    )


def check_alone(sources: Iterable[object], columns: Mapping[str, str] | None, told: Mapping[str, Any]) -> None:
    """Refuse options about understanding a file where every source is a published table, which needs none."""
    asked = {"columns": columns or None, **{name: told.get(name) for name in _OF_FILES}}
    idle = [name for name, value in asked.items() if value not in (None, False)]
    if idle and all(map(is_published, sources)):
        option = "column" if idle[0] == "columns" else idle[0].replace("_", "-")
        raise OptionError(
            f"{idle[0]}={asked[idle[0]]!r} (--{option}) was given with a published table.",
            why="It says how to understand a file; what a published table holds is known.",
            mend="Leave it out.",
        )


_OF_FILES = ("transpose", "keep_rows", "sheet", "table", "decimal", "names", "plain")


def read_published(source: object, *, pick: Pick, where: Iterable[str] = ()) -> Results:
    """Read a published table: the rows that meet the conditions, and of its measures those that `pick` names."""
    from tiebreak._checks import check_choices
    from tiebreak.readers import published
    from tiebreak.results.columns import Arrays, ListColumn

    load: Callable[[], Results] = getattr(published, table_named(source).name)
    found = load().where(*where)
    raw: Columns = {name: ListColumn(values) for name, values in found.values.items()}
    wanted = pick(raw, {"dataset": "dataset", "algorithm": "algorithm"})
    if wanted is None:
        return found
    check_choices("score", wanted, found.values, mend=f"It was asked for from {source}.")
    return replace(
        found,
        metrics=tuple(each for each in found.metrics if each.name in wanted),
        values=Arrays({name: values for name, values in found.values.items() if name in wanted}),
    )


def costs_published(source: object) -> Results:
    """Read the costs of a published table, to be joined to other results."""
    costs = table_named(source).costs
    if not costs:
        raise OptionError(
            f"{source} holds no costs.",
            why="Costs were asked for from it.",
            mend=f"Use one that does: {', '.join(each.reference for each in TABLES if each.costs)}.",
        )
    return read_published(source, pick=lambda _raw, _roles: list(costs))
