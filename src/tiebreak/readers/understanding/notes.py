"""What understanding is told and what it collects: options, problems, what was left out, caveats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tiebreak._brief import Brief
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, quoted
from tiebreak.readers.understanding.layout import NUMBER, Item, Layout, Style, column_place
from tiebreak.results.columns import Columns, LineOf
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.readers.understanding.heads import Head

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


MOST = 12
"""So many places are named in a group of problems; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way out: when it is right, and what to say then."""

    when: str
    say: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One kind of problem: what is wrong where, why it matters, what mends it, and ways to say what is meant."""

    one: str
    many: str
    places: tuple[str, ...]
    why: str
    mend: str = ""
    ways: tuple[Way, ...] = ()

    def what(self, source: str) -> str:
        """Say what is wrong, with the places."""
        if len(self.places) == 1:
            place, _, value = self.places[0].partition(": ")
            return self.one.format(source=source, place=self.places[0], cell=place, value=value)
        shown = "; ".join(self.places[:MOST])
        rest = len(self.places) - MOST
        more = f" and {rest} more" if rest > 0 else ""
        return self.many.format(source=source, count=len(self.places), places=f"{shown}{more}")

    def mended(self) -> str:
        """Say what to do."""
        ways = [f"{way.when}: {way.say}." for way in self.ways]
        return " ".join(part for part in (self.mend, *ways) if part)


class UnclearTable(InputError):
    """A table that cannot be read, or can be read in two ways.

    `unnamed` says that its score has no name, which a comparison will need next.
    """

    unnamed = False


def unclear(source: str, problems: Sequence[Problem]) -> UnclearTable:
    """Make one error of all problems."""
    if len(problems) == 1:
        [only] = problems
        return UnclearTable(only.what(source), why=only.why, mend=only.mended())
    head = f"{source} cannot be read as it stands, for {len(problems)} reasons:"
    return UnclearTable("\n".join([head, *(f"{i}. {_line(each, source)}" for i, each in enumerate(problems, 1))]))


def _line(problem: Problem, source: str) -> str:
    return " ".join(part for part in (problem.what(source), problem.why, problem.mended()) if part)


def cell_problem(kind: str, places: Iterable[str], *, why: str, mend: str = "", ways: tuple[Way, ...] = ()) -> Problem:
    """Make a problem of cells: `kind` is what they are, such as 'is not a number'."""
    found = tuple(places)
    plural = (
        kind.replace("is not a number", "are not numbers").replace("is ", "are ", 1) if kind.startswith("is ") else kind
    )
    return Problem(
        one="{cell} of {source}: {value} " + kind + ".",
        many="{count} cells of {source} " + plural + ": {places}.",
        places=found,
        why=why,
        mend=mend,
        ways=ways,
    )


_SHOWN = 3  # failures that are named one by one


def same_key(name: str) -> str:
    """Return what two names that differ by spaces or case alone have in common."""
    return "".join(name.split()).casefold()


@dataclass(slots=True, kw_only=True, eq=False)
class Notes:
    """Gathers while a table is understood."""

    source: str
    kind: str = "csv"
    left: list[LeftOut] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    said: list[Caveat] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)

    def at(self, line: int) -> str:
        """Name a line of a text, or a row of what has none."""
        return f"{'row' if self.kind in ('json', 'xlsx', 'ods') else 'line'} {line}"

    def texts(self, layout: Layout, places: Sequence[int]) -> None:
        """Leave out columns of text beside the names."""
        for place in places:
            name = layout.headers[place]
            why = "it holds text, no results"
            left = LeftOut(what="column", name=name, place=column_place(layout, place), why=why, keep="")
            self.left.append(left)

    def filled(self, role: str) -> None:
        """Say that names of merged cells were filled in."""
        text = f"{self.source}: empty cells of the {role} were filled with the name above them."
        self.said.append(Caveat("read-as", text))

    def folds(self, headers: Sequence[str], role: str) -> None:
        """Say that columns were read as folds."""
        text = f"{self.source}: columns {quoted(headers)} were read as the {role}s of one score."
        self.said.append(Caveat("read-as", text))

    def transposed(self, evidence: Sequence[str]) -> None:
        """Say that rows were taken for algorithms."""
        text = f"{self.source}: rows were read as algorithms and columns as data sets, because {'; '.join(evidence)}."
        text += f" If it is the other way round: {option(transpose=False)}."
        self.said.append(Caveat("read-as", text))

    def beside(self, heads: Sequence[tuple[str, Head]]) -> None:
        """Say which columns hold a cost, a score or a deviation of an algorithm, instead of being one."""
        taken = [(header, head) for header, head in heads if header != head.name]
        if taken:
            header, head = next(((name, each) for name, each in taken if each.sd or each.metric), taken[0])
            what = "standard deviation" if head.sd else head.metric or "score"
            text = f"{self.source}: columns such as {header!r} were read as the {what} of {head.name!r}."
            text += f" If they are algorithms: {option(algorithms=[header, ...])}."
            self.said.append(Caveat("read-as", text))

    def units(self, items: Sequence[Item], name: str) -> None:
        """Say that a unit behind the numbers was left out, or ask where there are several."""
        found = dict.fromkeys(item.parsed.unit for item in items if item.kind == NUMBER)
        if set(found) <= {""}:
            return
        if len(found) == 1:
            [unit] = found
            self.said.append(Caveat("read-as", f"{self.source}: the unit {unit!r} behind numbers is left out."))
            return
        many = "The numbers of {source} have different units: {places}."
        places = [f"{unit or 'none'!r} ({next(i.text for i in items if i.parsed.unit == unit)!r})" for unit in found]
        self.problems.append(
            Problem(
                one=many,
                many=many,
                places=tuple(places),
                why=f"Numbers in different units cannot be compared ({name!r}).",
                mend="Write them all in one unit.",
            )
        )

    def same_names(self, named: Sequence[tuple[str, str]], kind: str, told: Told) -> None:
        """Ask about names that differ by spaces or by case alone."""
        if told.names is not None:
            return
        groups: dict[str, dict[str, str]] = defaultdict(dict)
        for name, place in named:
            if name:
                groups[same_key(name)].setdefault(name, place)
        alike = [group for group in groups.values() if len(group) > 1]
        if alike:
            places = [" and ".join(f"{name!r} ({place})" for name, place in group.items()) for group in alike]
            self.problems.append(alike_problem(places, kind))

    def numbers(self, first: Item | None, items: Sequence[Item], style: Style) -> None:
        """Say how numbers were read, where they were not plain."""
        if first is None:
            return
        percent = next((item for item in items if item.parsed.percent), None)
        if percent is not None:
            value = style.value(percent.parsed)
            text = f"{self.source}: cells with a percent sign are read as shares: {percent.text!r} is {value:.12g}."
            self.said.append(Caveat("read-as", text))
        comma = next((item for item in items if "," in item.parsed.value), None)
        if comma is not None:
            kind = "decimal commas" if "." not in str(comma.parsed.value) and style.mark != "." else "thousands marks"
            text = f"{self.source}: commas are read as {kind}: {comma.text!r} is {style.value(comma.parsed):.12g}."
            self.said.append(Caveat("read-as", text))
        spread = next((item for item in items if item.parsed.sd or (item.parsed.paren and not style.ranks)), None)
        if spread is not None:
            text = f"{self.source}: {spread.text!r} is read as a score with its standard deviation, which is kept."
            self.said.append(Caveat("read-as", text))
        if style.ranks:
            text = f"{self.source}: numbers in brackets are ranks, which are left out."
            self.said.append(Caveat("read-as", text))

    def understood(
        self, layout: Layout, *, failures: tuple[Failure, ...], evidence: Sequence[str], **parts: Any
    ) -> Understood:
        """Put everything together."""
        return Understood(
            source=self.source,
            kind=layout.grid.kind,
            caption=layout.grid.caption or " ".join(layout.above),
            left_out=tuple(self.left),
            failures=failures,
            evidence=(*evidence, *self.evidence),
            notes=(
                *layout.grid.notes,
                *self.said,
                *left_out_notes(self.source, self.left),
                *_failed(self.source, failures),
            ),
            **parts,
        )


def alike_problem(pairs: Sequence[str], kind: str) -> Problem:
    """Word the question whether names that look alike are one."""
    return Problem(
        one="The " + kind + " {place} of {source} differ by spaces or case alone.",
        many="{count} groups of " + kind + " of {source} differ by spaces or case alone: {places}.",
        places=tuple(pairs),
        why="As one or as two they give different answers.",
        ways=(
            Way(when="If they are one", say=option(names="merge")),
            Way(when="If they are different", say=option(names="exact")),
        ),
    )


def left_out_notes(source: str, left: Sequence[LeftOut]) -> Caveats:
    """Say what was left out, in one sentence for each kind and reason."""
    groups: Mapping[tuple[str, str, str], list[LeftOut]] = defaultdict(list)
    for each in left:
        groups[each.what, each.why, each.keep].append(each)
    out = []
    for (what, why, keep), members in groups.items():
        if what == "row numbers":
            out.append(Caveat("read-as", f"{source}: {members[0].place}, which numbers the rows, was left out."))
            continue
        names = quoted([each.name or "(no name)" for each in members])
        one = len(members) == 1
        reason = why if one else _plural(why)
        where = f"{members[0].place}{'' if one else ' ...'}"
        verb = "was" if one else "were"
        text = f"{source}: {what}{'' if one else 's'} {names} ({where}) {verb} left out: {reason}."
        text += f" To keep {'it' if one else 'them'}: {keep}." if keep else ""
        out.append(Caveat("rows-left-out" if what == "row" else "columns-left-out", text))
    return tuple(out)


def _plural(why: str) -> str:
    """Say a reason of several what it says of one."""
    words = {"it": "they", "its": "their", "holds": "hold", "sums": "sum", "describes": "describe", "has": "have"}
    words |= {"repeats": "repeat", "numbers": "number", "groups": "group"}
    return " ".join(words.get(word, word) for word in why.split(" "))


def _failed(source: str, failures: Sequence[Failure]) -> Caveats:
    out = [
        Caveat("run-failed", f"{each.algorithm!r} failed on {each.dataset!r}: {each.word}.")
        for each in failures[:_SHOWN]
    ]
    if len(failures) > _SHOWN:
        out.append(Caveat("run-failed", f"{len(failures) - _SHOWN} more cells of {source} hold failed runs."))
    return tuple(out)


def ambiguous(items: Iterable[tuple[Item, str]], style: Style) -> Problem | None:
    """Name the numbers that a decimal comma and a thousands mark would make two of, such as 1,234."""
    places = [
        f"{place}: {item.text!r}"
        for item, place in items
        if item.kind == NUMBER
        and any(style.number(text) is None for text in (item.parsed.value, item.parsed.sd, item.parsed.paren) if text)
    ]
    if not places:
        return None
    return cell_problem(
        "can be read in two ways",
        places,
        why="A comma can be a decimal point or a thousands mark, and nothing in the table tells which.",
        ways=(
            Way(when="If it is a decimal comma", say=option(decimal=",")),
            Way(when="If it is a thousands mark", say=option(decimal=".")),
        ),
    )


def unreadable(items: Iterable[tuple[Item, str]], *, mend: str = "") -> Problem | None:
    """Name the cells that hold text where a number belongs."""
    places = [f"{place}: {item.text!r}" for item, place in items if item.kind == "text"]
    if not places:
        return None
    return cell_problem(
        "is not a number",
        places,
        why="A score or cost must be one; a missing score is an empty cell, NA, NaN or -, a failed run OOM, timeout or"
        " error.",
        mend=mend or "Correct the cell." if len(places) == 1 else "Correct the cells.",
    )
