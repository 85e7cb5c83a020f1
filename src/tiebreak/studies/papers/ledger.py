"""The ledger of the papers: how to do here what a paper does, and what came out, one record per table or claim.

`NAME.toml` has what the paper prints; `OURS` of the paper's module computes the same from scratch, in the same layout.
Values that take minutes, or data that do not ship, are read from `long_runs.json`, with the command and seed that made
them. Where no value is printed, the record has what the paper's formula gives, which the tests compute anew.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from numbers import Real
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np

from tiebreak._checks import check_choice
from tiebreak.caveats import Caveats
from tiebreak.documents import Row as Line, Shown
from tiebreak.documents.words import markdown
from tiebreak.papers import paper as cited

SAME, ROUNDED, DIFFERS, UNKNOWN = "same", "same after rounding", "differs", "cannot be checked"
VERDICTS = (SAME, ROUNDED, DIFFERS, UNKNOWN)
"""Equal to every printed digit; equal within what rounding allows; different; no data to compute it from."""
MODULES = {"ulas2012": "ulas", "ulas2008": "ulas"}
"""The module of a paper, where it is not called after the paper."""


class PaperRow(NamedTuple):
    """One table, figure, formula or claim of a paper.

    `part` is what a reader of the paper wants to do, which the short screen lists with the command of its first row.
    `printed` is what the paper says. `digits` are the decimals of the print, `slack` is by how much a number may be off
    where the rounding of printed inputs explains it. `verdict` is what came out when the row was written; `judged`
    decides it anew. A `long` row is read from `long_runs.json`. Of a `formula` no value is printed: `printed` is what
    the paper's formula gives.
    """

    id: str
    part: str
    where: str
    what: str
    printed: Any
    verdict: str
    command: str = ""
    ours: Callable[[], Any] | None = None
    digits: int = 0
    slack: float = 0.0
    reason: str = ""
    long: bool = False
    formula: bool = False

    def judged(self, value: Any) -> str:
        """Return the verdict on a value of ours."""
        return UNKNOWN if self.ours is None else judge(self.printed, value, digits=self.digits, slack=self.slack)


@cache
def records(name: str) -> tuple[PaperRow, ...]:
    """Return every record of a paper."""
    module = import_module(f"tiebreak.studies.papers.{MODULES.get(name, name)}")
    ours, tables = module.OURS, getattr(module, "PRINTED", {})
    text, parts = _data(name)
    rows = []
    for part, row in parts:
        key = f"{name}/{row['id']}"
        printed = row["printed"] if "printed" in row else tables[key]()
        function = ours.get(key) or (lambda key=key: long_run(key)) if key in ours or row.get("long") else None
        reason = row.pop("reason", "").format(**text)
        rows.append(PaperRow(**row | {"part": part, "printed": printed, "ours": function, "reason": reason}))
    return tuple(rows)


@cache
def printed(key: str) -> Any:
    """Return what a paper prints, by the paper and the row."""
    name, _, row = key.partition("/")
    return next(record["printed"] for _, record in _data(name)[1] if record["id"] == row)


def _data(name: str) -> tuple[dict[str, str], list[tuple[str, dict[str, Any]]]]:
    """Read the sentences that rows share, and the rows with their parts."""
    data = tomllib.loads((files("tiebreak.studies.papers") / f"{name}.toml").read_text(encoding="utf-8"))
    return data["texts"], [(part["name"], row) for part in data["parts"] for row in part["rows"]]


@cache
def long_runs() -> dict[str, dict[str, Any]]:
    """Return every recorded run by the paper and the row it belongs to."""
    text = (files("tiebreak.studies.papers") / "long_runs.json").read_text(encoding="utf-8")
    runs: dict[str, dict[str, Any]] = json.loads(text)
    return runs


def long_run(key: str) -> Any:
    """Return the value that was recorded for a row."""
    return long_runs()[key]["ours"]


def judge(printed: Any, ours: Any, *, digits: int = 0, slack: float = 0.0) -> str:
    """Compare two values of the same layout, number by number.

    Examples
    --------
    >>> judge({"a": 2.04}, {"a": 2.0369}, digits=2)
    'same'
    >>> judge([2.03], [2.0369], digits=2, slack=0.01), judge("abc", "acb")
    ('same after rounding', 'differs')
    """
    pairs = list(_pairs(printed, ours))
    if all(_near(a, b, digits) for a, b in pairs):
        return SAME
    return ROUNDED if slack and all(_near(a, b, digits, slack) for a, b in pairs) else DIFFERS


def equal_parts(printed: Any, ours: Any, *, digits: int = 0) -> tuple[int, int]:
    """Return how many of the printed values come out, and how many there are."""
    pairs = list(_pairs(printed, ours))
    return sum(_near(a, b, digits) for a, b in pairs), len(pairs)


def _near(a: Any, b: Any, digits: int, slack: float = 0.0) -> bool:
    if isinstance(a, bool) or isinstance(b, bool) or not (isinstance(a, Real) and isinstance(b, Real)):
        return bool(a == b)
    allowed = slack or 0.5 * 10.0 ** -max(digits, _decimals(float(a)))
    return bool(a == b or abs(float(a) - float(b)) <= allowed + 1e-9)


def _decimals(value: float, most: int = 4) -> int:
    """Return the decimals that a printed number has; none for one that is computed."""
    return next((places for places in range(most + 1) if round(value, places) == value), 0)


def _pairs(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for key in dict.fromkeys([*a, *b]):
            yield from _pairs(a.get(key), b.get(key))
    elif _listed(a) and _listed(b) and len(a) == len(b):
        for left, right in zip(a, b, strict=True):
            yield from _pairs(left, right)
    else:
        yield a, b


def _listed(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def plain(value: Any) -> Any:
    """Return a value as JSON has it: arrays as lists, numbers of numpy as those of Python."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def brief(value: Any, *, digits: int = 0, most: int = 12) -> str:
    """Write a value in one line, of a large one only its size; a number with the decimals of the print.

    Examples
    --------
    >>> brief({"svr": 2.45, "svl": 3.05}), brief([[0] * 8] * 8), brief(2.0, digits=3)
    ('svr 2.45, svl 3.05', '64 values', '2.000')
    """
    leaves = sum(1 for _ in _leaves(value))
    if leaves > most:
        return f"{leaves} values"
    if isinstance(value, Mapping):
        parts = [f"{key} {brief(item, digits=digits)}" for key, item in value.items()]
        return ("; " if any(isinstance(item, Mapping) or _listed(item) for item in value.values()) else ", ").join(
            parts
        )
    if _listed(value):
        return " ".join(brief(item, digits=digits) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    places = max(digits, _decimals(value))
    return f"{value:.{places}f}" if 0 < places <= 4 else f"{value:.4g}"


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping) or _listed(value):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(item)
    else:
        yield value


PAPERS: Mapping[str, str] = {
    "ulas2012": "Multi2Test: order by significance, then by cost, over many data sets",
    "ulas2008": "Multi2Test, the technical report with all fold accuracies",
    "demsar2006": "compare over many data sets: Wilcoxon, Friedman, Nemenyi, CD diagrams",
    "yildiz2014": "compare by several measures at once: Hotelling, MANOVA, learned measures",
    "brazdil2003": "rank by accuracy and time, recommend by nearest data sets: ARR",
}
"""The papers whose every table, figure, formula and claim has a record here, with what each is about."""
WIDTH = 79


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PaperLedger(Shown):
    """Every record of one paper, with what each printed value is here.

    `records` are those of the paper; printing it lists what the paper does, each with its command and how many of its
    values came out. `data()` computes our values.
    """

    name: str
    records: tuple[PaperRow, ...]
    caveats: Caveats = ()

    @property
    def verdicts(self) -> dict[str, int]:
        """How many records have which verdict."""
        counts = Counter(record.verdict for record in self.records)
        return {verdict: counts[verdict] for verdict in VERDICTS}

    @property
    def parts(self) -> dict[str, tuple[PaperRow, ...]]:
        """The records by what a reader of the paper wants to do."""
        names = dict.fromkeys(record.part for record in self.records)
        return {name: tuple(record for record in self.records if record.part == name) for name in names}

    def title(self) -> str:
        """Say which paper it is, and what came out."""
        return f"{cited(self.name).named}: {len(self.records)} records, {_counts(self.verdicts)}"

    def rows(self) -> list[Line]:
        """Return one row per record, with what is printed and ours as text."""
        return [
            row
            | {
                "printed": brief(record.printed, digits=record.digits),
                "ours": "" if row["ours"] is None else _ours(record, row["ours"]),
            }
            for record, row in zip(self.records, self.data(), strict=True)
        ]

    def data(self) -> list[Line]:
        """Return one row per record, with what is printed and ours as data: ours is None where there is nothing."""
        return [
            {
                "id": f"{self.name}/{record.id}",
                "where": record.where,
                "what": record.what,
                "printed": plain(record.printed),
                "command": record.command,
                "ours": value,
                "verdict": record.verdict if value is None else record.judged(value),
                "reason": record.reason,
            }
            for record, value in zip(self.records, self.values(), strict=True)
        ]

    def values(self) -> tuple[Any, ...]:
        """Compute our values, None for what cannot be checked."""
        return _values(self.name)

    def to_dict(self) -> dict[str, object]:
        """Return plain data, as `tiebreak paper NAME --json` prints it."""
        return {
            "paper": self.name,
            "title": self.title(),
            "reference": cited(self.name).short,
            "verdicts": self.verdicts,
            "rows": self.data(),
            "caveats": [],
            "caveat_codes": [],
        }

    def __str__(self) -> str:
        lines = [f"{cited(self.name).named}: {len(self.records)} records", _counts(self.verdicts), ""]
        for part, rows in self.parts.items():
            came_out = Counter(row.verdict for row in rows)
            counts = _counts({verdict: came_out[verdict] for verdict in VERDICTS}, short=True)
            lines.append(f"{part}: {counts}")
            lines.append(_fitted(rows[0].command))
        legend = f"rounding: {ROUNDED}; no data: {UNKNOWN}, as the reason says"
        return "\n".join([*lines, legend, f"Every row, with reasons: tiebreak paper {self.name} --full"])

    def full(self) -> str:
        """Return every record as text: printed, ours, verdict, reason and command."""
        lines = [cited(self.name).short, _counts(self.verdicts) + "."]
        for record, value in zip(self.records, self.values(), strict=True):
            lines += ["", fill(f"{record.where}: {record.what}: {record.verdict}", WIDTH)]
            lines += _labelled("formula" if record.formula else "printed", brief(record.printed, digits=record.digits))
            lines += _labelled("ours", _ours(record, value)) if value is not None else []
            lines += _labelled("", record.reason) if record.reason else []
            lines += [f"  {record.command}"] if record.command else []
        return "\n".join(lines)

    def to_markdown(self) -> str:
        """Return every record as a Markdown table."""
        body = [
            [
                record.where,
                record.what,
                f"{'formula: ' if record.formula else ''}{brief(record.printed, digits=record.digits)}",
                "" if value is None else _ours(record, value),
                record.verdict,
                record.reason,
                f"`{record.command}`" if record.command else "",
            ]
            for record, value in zip(self.records, self.values(), strict=True)
        ]
        header = ["where", "what", "printed", "here", "verdict", "reason", "command"]
        lines = [f"## {cited(self.name).named}", "", f"{_counts(self.verdicts)}.", ""]
        return "\n".join([*lines, markdown_table(header, body)])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PaperList(Shown):
    """The papers that have a ledger."""

    ledgers: tuple[PaperLedger, ...]
    caveats: Caveats = ()

    def title(self) -> str:
        """Say how many there are."""
        return f"{len(self.ledgers)} papers, each table, figure, formula and claim beside ours"

    def rows(self) -> list[Line]:
        """Return one row per paper: its name, what it is about, how many of its values came out."""
        return [{"paper": ledger.name, "about": PAPERS[ledger.name], **ledger.verdicts} for ledger in self.ledgers]

    def to_dict(self) -> dict[str, object]:
        """Return plain data, as `tiebreak paper --json` prints it."""
        return {"title": self.title(), "rows": self.rows(), "caveats": [], "caveat_codes": []}

    def __str__(self) -> str:
        lines = [self.title(), ""]
        for ledger in self.ledgers:
            lines += [f"tiebreak paper {ledger.name}: {cited(ledger.name).named}", f"  {PAPERS[ledger.name]}"]
            lines += [f"  {_counts(ledger.verdicts)}"]
        return "\n".join(lines)


def paper(name: str | None = None) -> PaperLedger | PaperList:
    """Show what a paper prints beside what comes out here, with the command for each of its tables and figures.

    Parameters
    ----------
    name : {"ulas2012", "ulas2008", "demsar2006", "yildiz2014", "brazdil2003"}, optional
        Without one, the list of the papers.

    Returns
    -------
    PaperLedger or PaperList
        `data()` has for each record id, printed, command, ours, verdict ("same", "same after rounding", "differs" or
        "cannot be checked") and reason.

    References
    ----------
    ulas2012
    ulas2008
    demsar2006
    yildiz2014
    brazdil2003

    Examples
    --------
    >>> result = paper("ulas2012")
    >>> next(row["ours"] for row in result.data() if row["id"] == "ulas2012/table-8d")["order"]
    'c45 mdt mlp lnp svl svr sv2 5nn'
    """
    if name is None:
        return PaperList(ledgers=tuple(_ledger(text) for text in PAPERS))
    return _ledger(check_choice("paper", name, PAPERS))


def _ledger(name: str) -> PaperLedger:
    return PaperLedger(name=name, records=records(name))


@cache
def _values(name: str) -> tuple[Any, ...]:
    return tuple(None if record.ours is None else plain(record.ours()) for record in _ledger(name).records)


def _counts(verdicts: Mapping[str, int], *, short: bool = False) -> str:
    """Say how many records have which verdict."""
    names = {ROUNDED: "rounding", UNKNOWN: "no data"} if short else {}
    several = {DIFFERS: "differ"}
    return ", ".join(
        f"{count} {names.get(verdict) or (several.get(verdict, verdict) if count > 1 else verdict)}"
        for verdict, count in verdicts.items()
        if count
    )


def _fitted(command: str) -> str:
    """Write a command, broken before options where it does not fit the screen, so that it can be copied."""
    lines = [""]
    for piece in command.replace(" --", "\n--").split("\n"):
        if len(lines[-1]) + len(piece) > WIDTH - 6 and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {piece}".strip()
    return " \\\n".join(("  " if i == 0 else "    ") + line for i, line in enumerate(lines))


def _labelled(label: str, text: str) -> list[str]:
    first = f"  {label:9}" if label else "  "
    return [fill(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False)]


def _ours(row: PaperRow, value: Any) -> str:
    """Write our value, with one digit more where it differs; of many numbers how many are equal."""
    text = brief(value, digits=row.digits + (row.verdict != SAME and row.digits > 0))
    if not text.endswith(" values"):
        return text
    equal, count = equal_parts(plain(row.printed), value, digits=row.digits)
    return f"{equal} of {count} equal"


def markdown_table(header: list[str], body: list[list[str]]) -> str:
    """Return a Markdown table of texts; cells in backticks are code."""
    rows = [header, [":--"] * len(header), *([_quoted(cell) for cell in row] for row in body)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _quoted(cell: str) -> str:
    return cell.replace("|", "\\|") if cell.startswith("`") else markdown(cell)
