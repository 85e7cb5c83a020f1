"""The verbs as records: what each takes, which function does it, and the columns that come back; a file per verb.

Everything that shows, checks or documents an option or a column is derived from these. They name functions by dotted
names and import no other package, so that building one verb loads one record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import Any

READ, COMPARE, TEST, COSTS, WRITE = (
    "what to read",
    "what to compare",
    "how to test",
    "how cost counts",
    "what to write",
)
"""The titles of the groups that verbs share, in the order in which help shows them."""
KINDS = ("switch", "either", "text", "number", "integer", "names", "numbers", "texts", "file", "files", "out", "folder")
"""What an option takes: nothing, nothing or `--no-`, a text, a number, names or numbers with commas between, several
texts (it is repeated), a file to read, several, a file to write, or a folder."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Option:
    """One option of a verb, or one of its positional arguments.

    Parameters
    ----------
    name : str
        The keyword of the Python function.
    flag : str
        How it is written on the command line; empty for what stands without a flag.
    kind : str
        One of `KINDS`.
    help : str
        What it is for; `{words}` stands for the known values.
    default : object
        As in the Python function.
    group, metavar : str
        The title of its group, and what stands for the value in the help.
    words : tuple of str or str
        Known values, or where they are recorded: "methods VERB KIND ...", "policies VERB" or another list of names.
    strict : bool
        Whether nothing but these words is valid.
    short : str
        A second way to write it, such as -o.
    nargs : str
        Of what stands without a flag: "?" or "*".
    common : bool
        Whether `--help` shows it; `--help-all` shows all.
    web : bool
        Whether the web offers it; a file becomes an upload.
    cli : bool
        Whether the command line has it.
    argument : bool
        Whether the Python function takes it.
    required : bool
        Whether it must be given.
    """

    name: str
    flag: str = ""
    kind: str = "text"
    help: str = ""
    default: Any = None
    group: str = WRITE
    metavar: str = ""
    words: tuple[str, ...] | str = ()
    strict: bool = False
    short: str = ""
    nargs: str = ""
    common: bool = False
    web: bool = True
    cli: bool = True
    argument: bool = True
    required: bool = False

    @property
    def key(self) -> str:
        """The name of the value in JSON, and among the parsed arguments."""
        return self.flag[2:].replace("-", "_") if self.flag else self.name

    @property
    def is_switch(self) -> bool:
        """Whether nothing stands behind its flag."""
        return self.kind in ("switch", "either")

    @property
    def is_file(self) -> bool:
        """Whether it names a file, to read or to write."""
        return self.kind in ("file", "files", "out")

    @property
    def ways(self) -> tuple[str, ...]:
        """Every way to write it."""
        denied = (f"--no-{self.flag[2:]}",) if self.kind == "either" else ()
        return (*filter(None, (self.short,)), self.flag, *denied)

    @property
    def initial(self) -> Any:
        """The value where nothing is given."""
        if self.kind == "switch":
            return False
        return [] if self.kind == "texts" and self.default is None else self.default

    def but(self, **changes: Any) -> Option:
        """Return the option with changes.

        Examples
        --------
        >>> Option(name="cost", flag="--cost", help="a cost").but(help="the cost of the gate").help
        'the cost of the gate'
        """
        return replace(self, **changes)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Column:
    """One column of the tables of a verb: of `rows()`, of data frames, and of what is printed.

    Parameters
    ----------
    name : str
        Its key in `rows()`; `{cost}` and the like stand for names of the table. Empty where it is only printed.
    help : str
        What it means, in one line.
    heading : str
        What is printed above it, if not its name.
    shown : str
        "default", "full" (in the full answer alone) or "rows" (in `rows()` and data frames alone).
    text : bool
        Whether it holds text, which is aligned to the left.
    """

    name: str
    help: str
    heading: str = ""
    shown: str = "default"
    text: bool = False

    def heading_of(self, key: str) -> tuple[int, str] | None:
        """Return how many letters of a key are fixed, and the heading; None for a key of another column.

        Examples
        --------
        >>> column = Column("relative {cost}", "cost beside that of the best-scoring one", "{cost}")
        >>> column.heading_of("relative price"), column.heading_of("place")
        ((9, 'price'), None)
        """
        name = self.name or self.heading
        start, brace, rest = name.partition("{")
        word, _, end = rest.partition("}")
        inside = key[len(start) : len(key) - len(end)]
        fits = bool(inside) and key == f"{start}{inside}{end}" if brace else key == name
        return (len(start + end), (self.heading or name).replace(f"{{{word}}}", inside)) if fits else None


ANSWERED = ("file", "store", "format", "figure")
"""The fields of most requests beside options and further files."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Offer:
    """How the web, and tools for assistants, offer a verb.

    Parameters
    ----------
    text : str
        What it does, in the description of the API.
    tool : str
        What an assistant reads about it; without, it is no tool.
    file : str
        What a tool says of its file, where that is not a table of results.
    fields : tuple of str
        The fields of a request beside options and further files.
    brings : str
        What a request must bring, as a sentence calls it.
    unless : tuple of str
        Options with which nothing need be brought.
    most : int
        So many files at most.
    without : tuple of str
        Options that its route does not have.
    writes : mapping
        What it always writes, by its options: a file, or a folder whose files are all given back.
    needs : tuple of str
        Options that descriptions call required: the command line refuses without them, in words of its own.
    sides : bool
        Whether the first file stands against the second, so that their order means something.
    example : mapping
        A body that is answered, for the description of the API.
    """

    text: str
    tool: str = ""
    file: str = ""
    fields: tuple[str, ...] = ANSWERED
    brings: str = "table"
    unless: tuple[str, ...] = ()
    most: int = 20
    without: tuple[str, ...] = ()
    writes: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    sides: bool = False
    example: Mapping[str, Any] = field(default_factory=dict)

    def writing(self, place: str = "") -> dict[str, str]:
        """Return the values with which it writes, into a place where that is not the folder of the job."""
        return {key: f"{place}{name}" for key, name in self.writes.items()}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Verb:
    """One verb.

    Parameters
    ----------
    name, help, description : str
        How it is called, what the list of verbs says of it, and what its help says.
    takes : str
        What stands beside its options, in its usage.
    options : tuple of Option
        All it takes, positional arguments first.
    examples : tuple of str
        Commands, without the program and the verb.
    columns : tuple of Column
        Those of all its tables, in the order in which they are printed.
    function : str
        The Python function, by its dotted name; empty where there is none.
    result : str
        The class of its result, by its dotted name.
    titles : tuple of str
        Titles of groups, in the order of the help.
    offer : Offer, optional
        How the web offers it; without, it is on the command line alone.
    """

    name: str
    help: str
    description: str
    options: tuple[Option, ...]
    examples: tuple[str, ...]
    takes: str = ""
    columns: tuple[Column, ...] = ()
    function: str = ""
    result: str = ""
    titles: tuple[str, ...] = (READ, COMPARE, TEST, COSTS, WRITE)
    offer: Offer | None = None

    def named(self, name: str) -> Option | None:
        """Return the option of a Python keyword, on the command line."""
        return next((option for option in self.options if option.cli and option.name == name and option.flag), None)

    def keyed(self, key: str) -> Option | None:
        """Return the option of a key."""
        return next((option for option in self.options if option.key == key), None)

    def column(self, key: str) -> tuple[Column, str]:
        """Return the column of a key of `rows()`, and its heading; one whose name leaves least open counts."""
        fitting = [(*match, column) for column in self.columns if (match := column.heading_of(key)) is not None]
        _, heading, column = max(fitting, key=lambda item: item[0])
        return column, heading

    @property
    def offered(self) -> tuple[Option, ...]:
        """All that the command line takes."""
        return tuple(option for option in self.options if option.cli)

    @property
    def flags(self) -> tuple[Option, ...]:
        """The options of the command line, without positional arguments."""
        return tuple(option for option in self.offered if option.flag)


VERBS = tuple(
    (
        "demo read check compare order multivariate power battles gate run store recommend report board figure study"
        " paper serve mcp completion"
    ).split()
)
"""Every verb, in the order of the help."""


@cache
def verb_of(name: str) -> Verb:
    """Return the record of a verb, or of a study, such as "study wins".

    Examples
    --------
    >>> verb_of("compare").function, [item.flag for item in verb_of("compare").flags][:3]
    ('tiebreak.compare', ['--store', '--where', '--score'])
    >>> verb_of("study wins").named("win_ties").words
    ('split', 'drop')
    """
    verb, _, study = name.partition(" ")
    module = import_module(f"tiebreak.verbs.{'studies' if study else verb}")
    result: Verb = module.STUDIES[study] if study else module.VERB
    return result


def every_verb() -> tuple[Verb, ...]:
    """Return the records of all verbs, then of all studies."""
    from tiebreak.verbs.studies import STUDIES

    return (*map(verb_of, VERBS), *STUDIES.values())
