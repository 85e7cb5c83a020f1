"""The ledger of the papers: how to do here what a paper does, and what came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from textwrap import fill
from typing import Any

from tiebreak._checks import check_choice
from tiebreak.caveats import Caveats
from tiebreak.documents import Row as Line, Shown
from tiebreak.documents.escaping import markdown
from tiebreak.papers import paper as cited
from tiebreak.studies.papers.record import (
    DIFFERS,
    ROUNDED,
    SAME,
    UNKNOWN,
    VERDICTS,
    PaperRow,
    brief,
    equal_parts,
    plain,
    records,
)

PAPERS: Mapping[str, str] = {
    "ulas2012": "Multi2Test: order by significance, then by cost, over many data sets",
    "ulas2008": "Multi2Test, the technical report with all fold accuracies",
    "demsar2006": "compare over many data sets: Wilcoxon, Friedman, Nemenyi, CD diagrams",
    "yildiz2014": "compare by several measures at once: Hotelling, MANOVA, learned measures",
    "brazdil2003": "rank by accuracy and time, recommend by nearest data sets: ARR",
}
"""The papers whose every table, figure, formula and claim has a record here, with what each is about."""
INDEX = (
    (
        "MultiTest (Yildiz and Alpaydin 2006)",
        "tiebreak order published:ulas2012 --cost train_time --rule multitest",
        "",
    ),
    (
        "Multi2Test (Ulas, Yildiz and Alpaydin 2012, 2008)",
        "tiebreak order published:ulas2012 --cost train_time --rule multi2test",
        "ulas2012",
    ),
    (
        "Wilcoxon, Friedman, Nemenyi, CD diagrams (Demsar 2006)",
        "tiebreak compare published:demsar2006_ranks --posthoc nemenyi --figure cd.svg",
        "demsar2006",
    ),
    (
        "Hotelling's test and MANOVA on several measures (Yildiz and Alpaydin 2014)",
        "tiebreak multivariate examples/breast_cancer.csv --scores tpr,fpr",
        "yildiz2014",
    ),
    (
        "ARR, the adjusted ratio of ratios (Brazdil, Soares and Pinto da Costa 2003)",
        "tiebreak recommend --known wine --variant 2003",
        "brazdil2003",
    ),
)
"""Methods that readers know by their papers, with the command that runs each and the ledger."""
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
        counts = Counter(each.verdict for each in self.records)
        return {verdict: counts[verdict] for verdict in VERDICTS}

    @property
    def parts(self) -> dict[str, tuple[PaperRow, ...]]:
        """The records by what a reader of the paper wants to do."""
        names = dict.fromkeys(each.part for each in self.records)
        return {name: tuple(each for each in self.records if each.part == name) for name in names}

    def title(self) -> str:
        """Say which paper it is, and what came out."""
        return f"{cited(self.name).named}: {len(self.records)} records, {_counts(self.verdicts)}"

    def rows(self) -> list[Line]:
        """Return one row per record, with what is printed and ours as text."""
        return [
            row
            | {
                "printed": brief(each.printed, digits=each.digits),
                "ours": "" if row["ours"] is None else _ours(each, row["ours"]),
            }
            for each, row in zip(self.records, self.data(), strict=True)
        ]

    def data(self) -> list[Line]:
        """Return one row per record, with what is printed and ours as data: ours is None where there is nothing."""
        return [
            {
                "id": f"{self.name}/{each.id}",
                "where": each.where,
                "what": each.what,
                "printed": plain(each.printed),
                "command": each.command,
                "ours": value,
                "verdict": each.verdict if value is None else each.judged(value),
                "reason": each.reason,
            }
            for each, value in zip(self.records, self.values(), strict=True)
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
            came_out = Counter(each.verdict for each in rows)
            counts = _counts({verdict: came_out[verdict] for verdict in VERDICTS}, short=True)
            lines.append(f"{part}: {counts}")
            lines.append(_fitted(rows[0].command))
        legend = f"rounding: {ROUNDED}; no data: {UNKNOWN}, as the reason says"
        return "\n".join([*lines, legend, f"Every row, with reasons: tiebreak paper {self.name} --full"])

    def full(self) -> str:
        """Return every record as text: printed, ours, verdict, reason and command."""
        lines = [cited(self.name).short, _counts(self.verdicts) + "."]
        for each, value in zip(self.records, self.values(), strict=True):
            lines += ["", fill(f"{each.where}: {each.what}: {each.verdict}", WIDTH)]
            lines += _labelled("formula" if each.formula else "printed", brief(each.printed, digits=each.digits))
            lines += _labelled("ours", _ours(each, value)) if value is not None else []
            lines += _labelled("", each.reason) if each.reason else []
            lines += [f"  {each.command}"] if each.command else []
        return "\n".join(lines)

    def to_markdown(self) -> str:
        """Return every record as a Markdown table."""
        body = [
            [
                each.where,
                each.what,
                f"{'formula: ' if each.formula else ''}{brief(each.printed, digits=each.digits)}",
                "" if value is None else _ours(each, value),
                each.verdict,
                each.reason,
                f"`{each.command}`" if each.command else "",
            ]
            for each, value in zip(self.records, self.values(), strict=True)
        ]
        header = ["where", "what", "printed", "here", "verdict", "reason", "command"]
        lines = [f"## {cited(self.name).named}", "", f"{_counts(self.verdicts)}.", ""]
        return "\n".join([*lines, _table(header, body)])


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
        return [{"paper": each.name, "about": PAPERS[each.name], **each.verdicts} for each in self.ledgers]

    def to_dict(self) -> dict[str, object]:
        """Return plain data, as `tiebreak paper --json` prints it."""
        return {"title": self.title(), "rows": self.rows(), "caveats": [], "caveat_codes": []}

    def __str__(self) -> str:
        lines = [self.title(), ""]
        for each in self.ledgers:
            lines += [f"tiebreak paper {each.name}: {cited(each.name).named}", f"  {PAPERS[each.name]}"]
            lines += [f"  {_counts(each.verdicts)}"]
        return "\n".join(lines)

    def to_markdown(self) -> str:
        """Return the list as a Markdown table."""
        header = ["paper", "about", *VERDICTS]
        body = [
            [f"`tiebreak paper {each.name}`", PAPERS[each.name], *map(str, each.verdicts.values())]
            for each in self.ledgers
        ]
        return _table(header, body)


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
    >>> found = paper("ulas2012")
    >>> next(row["ours"] for row in found.data() if row["id"] == "ulas2012/table-8d")["order"]
    'c45 mdt mlp lnp svl svr sv2 5nn'
    """
    if name is None:
        return PaperList(ledgers=tuple(_ledger(each) for each in PAPERS))
    return _ledger(check_choice("paper", name, PAPERS))


def index() -> str:
    """Return the table "you know the paper" of the README: the command for each method, and the ledger of its paper."""
    body = [[method, f"`{command}`", f"`tiebreak paper {name}`" if name else ""] for method, command, name in INDEX]
    return _table(["you know the paper", "its method here", "table by table"], body)


def page(notes: str) -> str:
    """Return the page of all papers, in Markdown; `notes` follow the records."""
    lines = [
        "# The papers, line by line",
        "",
        "Every numbered table and figure of five papers, their formulas and the claims that can be recomputed: what is"
        " printed, what comes out here, and the command.",
        "`tiebreak paper NAME` shows the same in the terminal, `tb.paper(NAME).data()` has it as data. `make papers`"
        " makes this page, and fails when a verdict changes.",
        "",
        f"- *{SAME}*: every printed digit.",
        f"- *{ROUNDED}*: off by no more than the rounding of the print, or of what it was computed from, explains.",
        "- *differs*: with the reason; a table that comes out in part differs.",
        f"- *{UNKNOWN}*: what it was computed from is not printed, and no copy is known to us.",
        "",
        PaperList(ledgers=tuple(_ledger(each) for each in PAPERS)).to_markdown(),
        "",
        *(f"{_ledger(name).to_markdown()}\n" for name in PAPERS),
        notes.rstrip(),
    ]
    return "\n".join(lines) + "\n"


def _ledger(name: str) -> PaperLedger:
    return PaperLedger(name=name, records=records(name))


@cache
def _values(name: str) -> tuple[Any, ...]:
    return tuple(None if each.ours is None else plain(each.ours()) for each in _ledger(name).records)


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


def _table(header: list[str], body: list[list[str]]) -> str:
    """A Markdown table of texts; cells in backticks are code."""
    rows = [header, [":--"] * len(header), *([_quoted(cell) for cell in row] for row in body)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _quoted(cell: str) -> str:
    return cell.replace("|", "\\|") if cell.startswith("`") else markdown(cell)
