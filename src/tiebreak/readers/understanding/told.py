"""What a reader was told, and what it found: shared by the steps of understanding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tiebreak._brief import Brief
from tiebreak.caveats import Caveats
from tiebreak.results.columns import Columns, LineOf

NAMES = ("exact", "merge")
"""What becomes of names that differ by spaces or by case alone: two names, or one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the user said about a table."""

    scores: tuple[str, ...] | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    transpose: bool | None = None
    keep_rows: bool = False
    algorithms: tuple[str, ...] | None = None
    datasets: tuple[str, ...] | None = None
    decimal: str | None = None
    names: str | None = None
    where: tuple[str, ...] = ()

    def named(self, name: str) -> bool:
        """Say whether a name was asked for, and so is never left out."""
        return name in (self.algorithms or ()) or name in (self.datasets or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A row, column or header that was not read: its name, where it stands, why, and what keeps it."""

    what: str
    name: str
    place: str
    why: str
    keep: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A run that failed: of which algorithm on which data set, and the word that stands there."""

    dataset: str
    algorithm: str
    word: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Understood(Brief):
    """A table in long form, ready for `Results.from_columns`, and how it was made.

    `form` is long, wide or transposed; `best` are the cells that were printed in bold, by data set and algorithm.
    """

    form: str
    columns: Columns
    line_of: LineOf
    source: str
    kind: str
    caption: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    gaps: int = 0
    failures: tuple[Failure, ...] = ()
    best: tuple[tuple[str, str], ...] = ()
    evidence: tuple[str, ...] = ()
    order: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: Caveats = ()
