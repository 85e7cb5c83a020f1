"""What a check found: one part for each table of a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tiebreak.caveats import Caveats, codes_of, distinct
from tiebreak.checking._claims import Claim, difference, needed_text
from tiebreak.checking._reading import Read
from tiebreak.checking._sums import Printed, said_of
from tiebreak.documents import Document, Row, Shown, Table, listed
from tiebreak.documents.words import pvalue
from tiebreak.wording import either

_FORMS = {
    "long": "one row per run",
    "wide": "rows are data sets, columns are algorithms",
    "transposed": "rows are algorithms, columns are data sets",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TableCheck(Shown):
    """One table of a document: how it was read and what it claims, or why it was not judged.

    `claims_something` says whether there is a claim in it, be it judged or not: a result in bold, or the name that was
    asked about.
    """

    number: int
    source: str
    line: int
    caption: str
    read: Read | None = None
    claims: tuple[Claim, ...] = ()
    sums: tuple[Printed, ...] = ()
    reason: str = ""
    claims_something: bool = False
    caveats: Caveats = ()

    @property
    def judged(self) -> bool:
        """Whether there is a claim that was held against the numbers."""
        return bool(self.claims)

    @property
    def supported(self) -> bool:
        """Whether every claim that it makes is supported, which nothing can be of a claim that was not judged."""
        return all(each.verdict == "supported" for each in self.claims) if self.judged else not self.claims_something

    def title(self) -> str:
        """Say which table it is."""
        caption = f": {self.caption}" if self.caption else ""
        return f"Table {self.number} of {self.source}, line {self.line}{caption}"

    def rows(self) -> list[Row]:
        """Return one row for each rival of each claim."""
        return [
            {"table": self.number, "source": self.source, "claim": claim.algorithm, "score": claim.score}
            | {"rival": each.name, "verdict": each.verdict, "estimate": each.estimate, "low": each.low}
            | {"high": each.high, "pvalue": each.pvalue, "adjusted": each.adjusted, "datasets_needed": each.needed}
            for claim in self.claims
            for each in claim.rivals
        ]

    @property
    def several(self) -> bool:
        """Whether claims are by several scores, so that each has to say which."""
        return len({claim.score for claim in self.claims}) > 1

    def in_brief(self) -> list[str]:
        """Say in a line for each claim what came out; by which score, where there are several."""
        return [
            f"{claim.algorithm}{f' by {claim.score}' if self.several else ''} in table {self.number} of {self.source}:"
            f" {claim.verdict}{', too few data sets' if claim.too_few else ''}."
            for claim in self.claims
        ] + [
            f"{label} in table {self.number} of {self.source}: does not agree with the numbers."
            for label in dict.fromkeys(each.label for each in self.sums if not each.agrees)
        ]

    def how(self) -> str:
        """Say how the table was read."""
        if self.read is None:
            return ""
        found, results = self.read.understood, self.read.results
        ways = listed(
            [f"{name} ({'higher' if way else 'lower'} is better)" for name, way in self.read.directions.items()]
        )
        sets = "data set" if len(results.datasets) == 1 else "data sets"
        size = f"{len(results.datasets)} {sets} x {len(results.algorithms)} algorithms"
        return f"Read as {size} by {ways}: {_FORMS[found.form]}."

    def document(self) -> Document:
        """Return what was found, for text, Markdown and HTML."""
        said = [self.how()] if self.read else []
        said += [sentence for claim in self.claims for sentence in claim.said()]
        said += [f"Not judged. {self.reason}"] if self.reason else []
        said += said_of(self.sums)
        tables = tuple(_table(claim, several=self.several) for claim in self.claims)
        return Document(title=self.title(), said=tuple(said), tables=tables, caveats=self.caveats)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        found, results = (None, None) if self.read is None else (self.read.understood, self.read.results)
        return {
            "number": self.number,
            "source": self.source,
            "line": self.line,
            "caption": self.caption,
            "judged": self.judged,
            "supported": self.supported,
            "reason": self.reason or None,
            "form": found.form if found else None,
            "datasets": list(results.datasets) if results else [],
            "algorithms": list(results.algorithms) if results else [],
            "scores": [
                {"name": name, "higher_is_better": way}
                for name, way in (self.read.directions if self.read else {}).items()
            ],
            "bold": [{"dataset": d, "algorithm": a} for d, a in (self.read.bold if self.read else ())],
            "claims": [claim.to_dict() for claim in self.claims],
            "printed": [
                {"label": each.label, "kind": each.kind, "algorithm": each.algorithm, "printed": each.printed}
                | {"expected": each.expected, "agrees": each.agrees}
                for each in self.sums
            ],
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }


def _table(claim: Claim, *, several: bool) -> Table:
    scaled = "scales-differ" in codes_of(claim.comparison.caveats)
    by = "better by (distances)" if scaled else "better by"
    header = (
        f"{claim.algorithm}{f' by {claim.score}' if several else ''} against",
        by,
        "adjusted p",
        "verdict",
        "more data sets",
    )
    body = tuple(
        (each.name, difference(each), pvalue(each.adjusted), each.verdict, needed_text(each, claim))
        for each in claim.rivals
    )
    shown = len(header) - (not claim.of("undecided"))  # what is decided takes no more data sets
    return Table(header=header[:shown], body=tuple(row[:shown] for row in body), texts=frozenset({0, 3}))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DocumentCheck(Shown):
    """Every table of a document, or of a folder of documents."""

    path: str
    tables: tuple[TableCheck, ...]
    without: tuple[str, ...] = ()
    alpha: float = 0.05

    @property
    def caveats(self) -> Caveats:
        """What was said of any table."""
        return distinct(note for each in self.tables for note in each.caveats)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Every claim that was judged."""
        return tuple(claim for each in self.tables for claim in each.claims)

    @property
    def supported(self) -> bool:
        """Whether there is a claim, and every one is supported; `tiebreak check --strict` says it by exit code."""
        return bool(self.claims) and all(each.supported for each in self.tables)

    def title(self) -> str:
        """Say in one line what was found."""
        judged = sum(each.judged for each in self.tables)
        count = len(self.tables)
        full = sum(claim.verdict == "supported" for claim in self.claims)
        claims = "claim" if len(self.claims) == 1 else "claims"
        end = f"{full} of {len(self.claims)} {claims} supported" if self.claims else "no claim judged"
        return f"{self.path}: {count} table{'' if count == 1 else 's'}, {judged} judged, {end}"

    def rows(self) -> list[Row]:
        """Return one row for each rival of each claim of each table."""
        return [row for each in self.tables for row in each.rows()]

    def document(self) -> Document:
        """Return what was found, with a part for each table."""
        said = [line for each in self.tables for line in each.in_brief()]
        idle: dict[str, list[str]] = {}
        for each in self.tables:
            if not each.judged:
                idle.setdefault(each.source, []).append(str(each.number))
        named = [f"table{'s' * (len(at) > 1)} {listed(at)} of {source}" for source, at in idle.items()]
        said += [f"Not judged, for the reason that stands with each: {'; '.join(named)}."] if idle else []
        said += self.without
        parts = [each.document() for each in self.tables]
        return Document(title=self.title(), said=tuple(said), tables=(), more=(*parts, *self._how()))

    def _how(self) -> tuple[Document, ...]:
        """Say once for all tables how claims were judged."""
        if not self.claims:
            return ()
        undecided = any(claim.of("undecided") for claim in self.claims)
        more = (
            "'More data sets' is how many more it would take to show a difference like that of the table, four times of"
            " five; it is a hint for planning."
        )
        said = (
            "Every method that is called best was compared with each other one of its table, over the data sets of the"
            f" table: Wilcoxon's signed ranks test with Holm's correction, at alpha = {self.alpha:g}, as"
            f" {either('compare(..., control=...)', 'tiebreak compare --control')} does.",
            *self._many(),
            "'Better by' is the Hodges-Lehmann estimate, in units of the score; its 95% interval is of one difference"
            " alone, not corrected for the number of rivals.",
            *([more] if undecided else []),
        )
        papers = ("wilcoxon1945", "holm1979", "benavoli2016", *(["noether1987"] if undecided else []))
        return (Document(title="How claims were judged", said=said, tables=(), papers=papers),)

    def _many(self) -> list[str]:
        """Say that nothing corrects for the number of claims, where there are several."""
        if len(self.claims) < 2:
            return []
        return [
            f"The correction is for the rivals of one claim, not for the {len(self.claims)} claims of the document: the"
            " more claims, the likelier that one of them looks supported by chance."
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, the content of `tiebreak check --json`."""
        return {
            "path": self.path,
            "supported": self.supported,
            "claims": len(self.claims),
            "claims_supported": sum(claim.verdict == "supported" for claim in self.claims),
            "without_tables": list(self.without),
            "tables": [each.to_dict() for each in self.tables],
        }
