"""What is collected while a table is understood: problems, what was left out, how its cells were read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, quoted
from tiebreak.readers.detect import Detected
from tiebreak.readers.understanding.layout import NUMBER, Item, Layout, Style
from tiebreak.results.columns import Columns, LineOf
from tiebreak.wording import Brief, option


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
    line_of: LineOf | None
    source: str
    roles: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    failures: tuple[Failure, ...] = ()
    best: tuple[tuple[str, str], ...] = ()
    evidence: tuple[str, ...] = ()
    order: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: Caveats = ()
    detected: Detected | None = None


_MOST = 12
"""So many places are named in a problem; the rest is counted."""


class UnclearTable(InputError):
    """A table that cannot be read, or can be read in two ways.

    `unnamed` says that its score has no name, which a comparison will need next.
    """

    unnamed = False


def problem(
    one: str, many: str, places: Sequence[str], *, why: str, mend: str = "", ways: Mapping[str, str] | None = None
) -> UnclearTable:
    """Word a problem of one or several places; `ways` says for each meaning what to say then."""
    shown = "; ".join(places[:_MOST]) + (f" and {len(places) - _MOST} more" if len(places) > _MOST else "")
    several = many.replace("{count}", str(len(places))).replace("{places}", shown)
    place, _, value = places[0].partition(": ") if "{value}" in one else (places[0], "", "")
    what = one.replace("{place}", place).replace("{value}", value) if len(places) == 1 else several
    texts = [f"{when}: {say}." for when, say in (ways or {}).items()]
    return UnclearTable(what, why=why, mend=" ".join(part for part in (mend, *texts) if part))


def unclear(source: str, problems: Sequence[UnclearTable]) -> UnclearTable:
    """Make one error of all problems."""
    if len(problems) == 1:
        return problems[0]
    head = f"{source} cannot be read as it stands, for {len(problems)} reasons:"
    return UnclearTable("\n".join([head, *(f"{i}. {item}" for i, item in enumerate(problems, 1))]))


@dataclass(slots=True, kw_only=True, eq=False)
class Notes:
    """Gathers notes on a table."""

    source: str
    kind: str = "csv"
    left: list[LeftOut] = field(default_factory=list)
    problems: list[UnclearTable] = field(default_factory=list)
    said: list[Caveat] = field(default_factory=list)

    def at(self, line: int) -> str:
        """Name a line of a text, or a row of what has none."""
        return f"{'row' if self.kind in ('json', 'sheet') else 'line'} {line}"

    def ask(self, one: str, many: str, places: Sequence[str], **parts: Any) -> None:
        """Note what is wrong, in one place or several."""
        self.problems.append(problem(one, many, places, **parts))

    def leave(self, what: str, name: str, place: str, why: str, keep: str = "") -> None:
        """Note a row, column or header that is not read."""
        self.left.append(LeftOut(what=what, name=name, place=place, why=why, keep=keep))

    def say(self, text: str) -> None:
        """Note how something was read."""
        self.said.append(Caveat("read-as", f"{self.source}: {text}"))

    def cells(self, placed: Sequence[tuple[Item, str]], style: Style) -> None:
        """Name the cells that hold text, or numbers that a decimal comma and a thousands mark would make two of."""
        texts = [f"{place}: {item.text!r}" for item, place in placed if item.kind == "text"]
        if texts:
            self.ask(
                f"{{place}} of {self.source}: {{value}} is not a number.",
                f"{{count}} cells of {self.source} are not numbers: {{places}}.",
                texts,
                why="A score or cost must be one; a missing score is an empty cell, NA, NaN or -, a failed run OOM,"
                " timeout or error.",
                mend="Correct the cell." if len(texts) == 1 else "Correct the cells.",
            )
        numbers = [(item, place) for item, place in placed if item.kind == NUMBER]
        unclear = [f"{place}: {item.text!r}" for item, place in numbers if style.is_open(item.parsed)]
        if unclear:
            self.ask(
                f"{{place}} of {self.source}: {{value}} can be read in two ways.",
                f"{{count}} cells of {self.source} can be read in two ways: {{places}}.",
                unclear,
                why="A comma can be a decimal point or a thousands mark, and nothing in the table tells which.",
                ways={
                    "If it is a decimal comma": option(decimal=","),
                    "If it is a thousands mark": option(decimal="."),
                },
            )

    def units(self, items: Sequence[Item], name: str) -> None:
        """Say that a unit behind the numbers was left out, or ask where there are several."""
        result = {item.parsed.unit: item for item in items if item.kind == NUMBER}
        if set(result) <= {""}:
            return
        if len(result) == 1:
            self.say(f"the unit {next(iter(result))!r} behind numbers is left out.")
            return
        many = f"The numbers of {self.source} have different units: {{places}}."
        places = [f"{unit or 'none'!r} ({item.text!r})" for unit, item in result.items()]
        why = f"Numbers in different units cannot be compared ({name!r})."
        self.ask(many, many, places, why=why, mend="Write them all in one unit.")

    def numbers(self, items: Sequence[Item], style: Style) -> None:
        """Say how numbers were read, where they were not plain."""
        percent = next((item for item in items if item.parsed.percent), None)
        if percent is not None:
            value = style.value(percent.parsed)
            self.say(f"cells with a percent sign are read as shares: {percent.text!r} is {value:.12g}.")
        comma = next((item for item in items if "," in item.parsed.value), None)
        if comma is not None:
            kind = "decimal commas" if "." not in comma.parsed.value and style.mark != "." else "thousands marks"
            self.say(f"commas are read as {kind}: {comma.text!r} is {style.value(comma.parsed):.12g}.")
        spread = next((item for item in items if item.parsed.sd or (item.parsed.paren and not style.ranks)), None)
        if spread is not None:
            self.say(f"{spread.text!r} is read as a score with its standard deviation, which is kept.")
        if style.ranks:
            self.say("numbers in brackets are ranks, which are left out.")

    def understood(self, layout: Layout, *, failures: tuple[Failure, ...], **parts: Any) -> Understood:
        """Put everything together."""
        notes = (*self.said, *left_out_notes(self.source, self.left), *_failed(self.source, failures))
        return Understood(
            source=self.source,
            left_out=tuple(self.left),
            failures=failures,
            notes=(*layout.grid.notes, *notes),
            **parts,
        )


def left_out_notes(source: str, left: Sequence[LeftOut]) -> Caveats:
    """Say what was left out, in one sentence for each kind and reason."""
    groups: Mapping[tuple[str, str, str], list[LeftOut]] = defaultdict(list)
    for item in left:
        groups[item.what, item.why, item.keep].append(item)
    out = []
    for (what, why, keep), members in groups.items():
        names = quoted([member.name or "(no name)" for member in members])
        many = len(members) > 1
        where = f"{members[0].place}{' ...' if many else ''}"
        text = f"{source}: {what}{'s' if many else ''} {names} ({where}) left out: {why}."
        text += f" To keep {'them' if many else 'it'}: {keep}." if keep else ""
        out.append(Caveat("rows-left-out" if what == "row" else "columns-left-out", text))
    return tuple(out)


_SHOWN = 3  # failures that are named one by one


def _failed(source: str, failures: Sequence[Failure]) -> Caveats:
    out = [
        Caveat("run-failed", f"{failure.algorithm!r} failed on {failure.dataset!r}: {failure.word}.")
        for failure in failures[:_SHOWN]
    ]
    if len(failures) > _SHOWN:
        out.append(Caveat("run-failed", f"{len(failures) - _SHOWN} more cells of {source} hold failed runs."))
    return tuple(out)
