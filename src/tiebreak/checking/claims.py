"""What tables claim and what their numbers say to it, one part for each table of a document."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveats, codes_of, distinct
from tiebreak.checking.reading import Printed, Read, said_of
from tiebreak.comparison import Comparison, compare
from tiebreak.documents import Answer, Document, Framed, Row, Shown, Table, listed, number, table_of_verb
from tiebreak.documents.words import finite_rows, pvalue
from tiebreak.readers.grids import Grid
from tiebreak.wording import either

POWER = 0.8
"""How often the number of data sets that is named would show a difference."""
_MOST = 10_000
"""Beyond so many data sets none is named: the difference is next to nothing."""
_LEAST = 1e-3
"""A lead so small takes more than that, and its square must not vanish."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rival(Framed):
    """What the numbers say of the claimed method against one rival.

    `verdict` is better, worse or undecided, of the claimed method. `estimate` is by how much it is better (negative:
    worse), with its interval. `datasets_needed` is how many data sets in all would show a difference like that of this
    table, four times of five; None where it is shown, or where the rival is ahead.
    """

    name: str
    verdict: str
    estimate: float
    low: float
    high: float
    pvalue: float
    adjusted: float
    datasets_needed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Claim(Framed):
    """A method that is called best: by what, and how it compares with all others."""

    algorithm: str
    by: str
    score: str
    rivals: tuple[Rival, ...]
    comparison: Comparison

    def of(self, verdict: str) -> list[str]:
        """Return the rivals with that verdict."""
        return [rival.name for rival in self.rivals if rival.verdict == verdict]

    @property
    def verdict(self) -> str:
        """Say in a word: supported, in part, undecided or contradicted."""
        if self.of("worse"):
            return "contradicted"
        if not self.of("undecided"):
            return "supported"
        return "in part" if self.of("better") else "undecided"

    @property
    def too_few(self) -> bool:
        """Whether no numbers on so few data sets could have shown that it is better than any rival."""
        return len(self.comparison.datasets) < _fewest(self.comparison.alpha / len(self.rivals))

    def said(self) -> list[str]:
        """Say what the numbers support, in sentences."""
        better, worse, open_ = self.of("better"), self.of("worse"), self.of("undecided")
        against = {
            "supported": "the numbers support it",
            "in part": "the numbers support it in part",
            "undecided": "the numbers neither support nor contradict it",
            "contradicted": "the numbers contradict it",
        }[self.verdict]
        if self.too_few:
            against = f"{len(self.comparison.datasets)} data sets are too few to show it, whatever the numbers"
        out = [f"{self.algorithm} is called best by {self.score} ({self.by}); {against}."]
        for words, names in (
            ("Significantly better than", better),
            ("Significantly worse than", worse),
            ("Undecided against", open_),
        ):
            out += [f"{words} {listed(names).rstrip('.')}."] if names else []
        return out

    def rows(self) -> list[Row]:
        """Return one row for each rival."""
        texts = {"claim": self.algorithm, "score": self.score}
        return [
            texts | {"rival" if name == "name" else name: cell for name, cell in rival.rows()[0].items()}
            for rival in self.rivals
        ]

    def __repr__(self) -> str:
        return f"<Claim: {self.algorithm} is best by {self.score}; {self.verdict}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as plain data."""
        count = len(self.comparison.datasets)
        return {
            "algorithm": self.algorithm,
            "claimed_by": self.by,
            "score": self.score,
            "higher_is_better": self.comparison.higher_is_better,
            "verdict": self.verdict,
            "datasets": count,
            "too_few_datasets": self.too_few,
            "rivals": [
                finite_rows(rival.rows())[0]
                | {"more_datasets": None if rival.datasets_needed is None else rival.datasets_needed - count}
                for rival in self.rivals
            ],
        }


def claims_of(read: Read, grid: Grid, *, claim: str | None, **options: Any) -> list[Claim]:
    """Judge every claim of a table, for every score that it holds."""
    out = []
    for score in read.directions:
        for algorithm, by in _claimed(read, grid, score, claim).items():
            out.append(judge(read, algorithm, by, score, **options))
    return out


def judge(read: Read, algorithm: str, by: str, score: str, **options: Any) -> Claim:
    """Compare the claimed method with all others."""
    comparison = compare(read.results, score=score, control=algorithm, higher_is_better=_told(read, score), **options)
    return Claim(algorithm=algorithm, by=by, score=score, rivals=_rivals(comparison, algorithm), comparison=comparison)


def _told(read: Read, score: str) -> bool | None:
    """A direction that the name tells is left to the name."""
    known = read.results.metric(score).higher_is_better is not None
    return None if known else read.directions[score]


def _rivals(comparison: Comparison, claimed: str) -> tuple[Rival, ...]:
    """Read the verdicts off the comparison; more data sets would have to meet the level at which Holm stopped."""
    sizes = {row["b"] if row["a"] == claimed else row["a"]: row for row in comparison.intervals().rows()}
    open_ = sum(pair.better is None for pair in comparison.pairs)
    out = []
    for pair in comparison.pairs:
        rival = pair.b if pair.a == claimed else pair.a
        row = sizes[rival]
        turn = -1.0 if row["a"] == claimed else 1.0  # intervals are positive where b is better
        estimate, low, high = (turn * float(str(row[name])) for name in ("estimate", "low", "high"))
        verdict = "undecided" if pair.better is None else "better" if pair.better == claimed else "worse"
        needed = _needed(comparison, claimed, rival, comparison.alpha / open_) if verdict == "undecided" else None
        out.append(
            Rival(
                name=rival,
                verdict=verdict,
                estimate=estimate,
                low=min(low, high),
                high=max(low, high),
                pvalue=pair.pvalue,
                adjusted=pair.adjusted,
                datasets_needed=needed,
            )
        )
    return tuple(out)


def _needed(comparison: Comparison, claimed: str, rival: str, level: float) -> int | None:
    """Return how many data sets in all would show a difference of this size; None if the claimed one is not ahead."""
    place = {name: i for i, name in enumerate(comparison.algorithms)}
    ahead = comparison.compared[:, place[rival]] - comparison.compared[:, place[claimed]]
    ahead = ahead[np.isfinite(ahead)]
    count = needed_like(ahead, level=level)
    return None if count is None else min(max(count, len(comparison.datasets) + 1), _MOST)


def needed_like(ahead: FloatArray, *, level: float) -> int | None:
    """Return how many differences like these Wilcoxon's test needs; None if their sums are not mostly positive.

    Formula: Noether's n = (z_(level/2) sqrt(1/3) + z_power sqrt(4 v))^2 / (p - 1/2)^2 with p = P(D + D' > 0), which is
    what the test is about, and 4 v the variance that these differences have, v = Var P(D + D' > 0 | D); he takes 1/3
    there too, that of no difference. The mean over its spread would let a single data set decide.

    Examples
    --------
    >>> needed_like(np.array([0.1, 0.2, 0.3]), level=0.025)  # whatever is always positive takes 2^(1-n) <= level
    7
    >>> needed_like(np.array([3.0, -1, 2, -2, 1, 2]), level=0.05)
    37
    >>> needed_like(np.array([-0.1, 0.0, 0.1]), level=0.05) is None
    True
    """
    order, noise = np.sort(ahead), 1e-9 * np.abs(ahead).max(initial=0.0)
    at_most, below = (np.searchsorted(order, end - ahead, side="right") for end in (noise, -noise))
    share = 1 - (at_most + below) / (2 * len(ahead))  # a sum of 0 counts half, also one that is 0 but for rounding
    lead = float(share.mean()) - 0.5
    if lead <= _LEAST:
        return None if lead <= 0 else _MOST
    normal = NormalDist()
    z = normal.inv_cdf(1 - level / 2) / sqrt(3) + normal.inv_cdf(POWER) * 2 * float(share.std())
    return max(ceil((z / lead) ** 2), _fewest(level))


def _fewest(level: float) -> int:
    """Return how many data sets it takes at the very least: on fewer even the same sign on all is not significant."""
    return ceil(1 - log2(level))


def needed_text(rival: Rival, claim: Claim) -> str:
    """Print how many more data sets it would take; of too few it is only known how many it takes at least."""
    if rival.verdict != "undecided":
        return ""
    if rival.datasets_needed is None:
        return "not ahead"
    if rival.datasets_needed >= _MOST:
        return f"more than {_MOST:,}"
    more = rival.datasets_needed - len(claim.comparison.datasets)
    least = rival.datasets_needed <= _fewest(claim.comparison.alpha / len(claim.of("undecided")))
    return f"{'at least' if least else 'about'} {round(more, min(2 - len(str(more)), 0)):,}"


def _claimed(read: Read, grid: Grid, score: str, claim: str | None) -> dict[str, str]:
    """Find who is called best, and by what: as told, by a bold name, and by most results in bold."""
    names = read.results.algorithms
    if claim is not None:
        text = matching(claim, names)
        return {} if text is None else {text: "as told"}
    out = {}
    bold = {cell.text.strip() for row in grid.rows for cell in row if cell.bold}
    named = [name for name in names if name in bold]
    if 0 < len(named) * 2 <= len(names):
        out = dict.fromkeys(named, "its name is in bold")
    marked = marks_of(read, score)
    most = max(marked.values(), default=0)
    if list(marked.values()).count(most) == len(names):  # bold sets nobody apart
        return out
    return out | {
        name: f"bold on {count} of {len(read.results.datasets)} data sets"
        for name, count in marked.items()
        if count == most
    }


def marks_of(read: Read, score: str) -> dict[str, int]:
    """Count the results in bold of each algorithm; of several scores only where it is the best by this one."""
    several = len(read.directions) > 1
    out: dict[str, int] = {}
    for dataset, algorithm in read.bold:
        if not several or algorithm in best_of(read, score, dataset):
            out[algorithm] = out.get(algorithm, 0) + 1
    return out


def best_of(read: Read, score: str, dataset: str) -> list[str]:
    """Return the algorithms with the best score on a data set."""
    row = read.results.means(score, partial=True)[read.results.datasets.index(dataset)]
    if not np.isfinite(row).any():
        return []
    best = np.nanmax(row) if read.directions[score] else np.nanmin(row)
    return [name for name, value in zip(read.results.algorithms, row.tolist(), strict=True) if value == best]


def matching(claim: str, names: tuple[str, ...]) -> str | None:
    """Find a name as it is written, or the only one that differs by case and spaces alone."""
    if claim in names:
        return claim
    alike = [name for name in names if "".join(name.split()).casefold() == "".join(claim.split()).casefold()]
    return alike[0] if len(alike) == 1 else None


def difference(rival: Rival) -> str:
    """Print by how much the claimed method is better, with the interval."""
    if not np.isfinite(rival.low):
        return number(rival.estimate, 3)
    return f"{number(rival.estimate, 3)} ({number(rival.low, 3)} to {number(rival.high, 3)})"


MOST_IDLE = 2
"""Tables without a judged claim that the short answer gives a reason for."""
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
        """Whether every claim of the table was judged and is supported."""
        return all(claim.verdict == "supported" for claim in self.claims) if self.judged else not self.claims_something

    def title(self) -> str:
        """Say which table it is."""
        caption = f": {self.caption}" if self.caption else ""
        return f"Table {self.number} of {self.source}, line {self.line}{caption}"

    def rows(self) -> list[Row]:
        """Return one row for each rival of each claim."""
        return [{"table": self.number, "source": self.source, **row} for claim in self.claims for row in claim.rows()]

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
        ] + self.wrong_sums()

    def wrong_sums(self) -> list[str]:
        """Name the printed averages and mean ranks that do not agree with the numbers."""
        wrong = {item.label for item in self.sums if not item.agrees}
        return [f"Table {self.number}, {line}" for line in said_of([item for item in self.sums if item.label in wrong])]

    def how(self) -> str:
        """Say how the table was read."""
        if self.read is None:
            return ""
        result, results = self.read.understood, self.read.results
        ways = listed(
            [f"{name} ({'higher' if way else 'lower'} is better)" for name, way in self.read.directions.items()]
        )
        sets = "data set" if len(results.datasets) == 1 else "data sets"
        size = f"{len(results.datasets)} {sets} x {len(results.algorithms)} algorithms"
        return f"Read as {size} by {ways}: {_FORMS[result.form]}."

    def document(self) -> Document:
        """Return what was found, for text, Markdown and HTML."""
        sentences = [self.how()] if self.read else []
        sentences += [sentence for claim in self.claims for sentence in claim.said()]
        sentences += [f"Not judged. {self.reason}"] if self.reason else []
        sentences += said_of(self.sums)
        tables = tuple(_table(claim, several=self.several) for claim in self.claims)
        return Document(title=self.title(), said=tuple(sentences), tables=tables, caveats=self.caveats)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        result, results = (None, None) if self.read is None else (self.read.understood, self.read.results)
        return {
            "number": self.number,
            "source": self.source,
            "line": self.line,
            "caption": self.caption,
            "judged": self.judged,
            "supported": self.supported,
            "reason": self.reason or None,
            "form": result.form if result else None,
            "datasets": list(results.datasets) if results else [],
            "algorithms": list(results.algorithms) if results else [],
            "scores": [
                {"name": name, "higher_is_better": way}
                for name, way in (self.read.directions if self.read else {}).items()
            ],
            "bold": [{"dataset": d, "algorithm": a} for d, a in (self.read.bold if self.read else ())],
            "claims": [claim.to_dict() for claim in self.claims],
            "printed": [
                {"label": item.label, "kind": item.kind, "algorithm": item.algorithm, "printed": item.printed}
                | {"expected": item.expected, "agrees": item.agrees}
                for item in self.sums
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
        (rival.name, difference(rival), pvalue(rival.adjusted), rival.verdict, needed_text(rival, claim))
        for rival in claim.rivals
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
        return distinct(note for table in self.tables for note in table.caveats)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Every claim that was judged."""
        return tuple(claim for table in self.tables for claim in table.claims)

    @property
    def supported(self) -> bool:
        """Whether there is a claim, and every one is supported; `tiebreak check --strict` says it by exit code."""
        return bool(self.claims) and all(table.supported for table in self.tables)

    def title(self) -> str:
        """Say in one line what was found."""
        judged = sum(table.judged for table in self.tables)
        count = len(self.tables)
        full = sum(claim.verdict == "supported" for claim in self.claims)
        claims = "claim" if len(self.claims) == 1 else "claims"
        end = f"{full} of {len(self.claims)} {claims} supported" if self.claims else "no claim judged"
        return f"{self.path}: {count} table{'' if count == 1 else 's'}, {judged} judged, {end}"

    def rows(self) -> list[Row]:
        """Return one row for each rival of each claim of each table."""
        return [row for table in self.tables for row in table.rows()]

    @property
    def answer(self) -> Answer:
        """How many claims are supported, and one row for each."""
        full, many = sum(claim.verdict == "supported" for claim in self.claims), len(self.claims)
        sums = [item for table in self.tables for item in table.sums]
        if not many and sums:
            bad = sum(not item.agrees for item in sums)
            text = (
                f"{bad} of {len(sums)} printed averages and ranks"
                if bad
                else f"All {len(sums)} printed averages and ranks"
            )
            text += f" of {self.path} {'disagree' if bad > 1 else 'disagrees' if bad else 'agree'} with its numbers."
        elif not many:
            text = f"No claim of {self.path} can be judged."
        elif full == many:
            which = "The claim" if many == 1 else f"All {many} claims"
            text = f"{which} of {self.path} {'is' if many == 1 else 'are'} supported by its numbers."
        else:
            which = f"{full} of {many} claims" if many > 1 else "The claim"
            are = "is" if full == 1 else "are" if many > 1 else "is not"
            text = f"{which} of {self.path} {are} supported by its numbers."
        claims = [(table, claim) for table in self.tables for claim in table.claims]
        cells = {
            "table": [str(table.number) for table, _ in claims],
            "claim": [f"{claim.algorithm} is best by {claim.score}" for _, claim in claims],
            "verdict": [claim.verdict for _, claim in claims],
            "not significantly better than": [
                listed([*claim.of("worse"), *claim.of("undecided")] or ["-"], most=2) for _, claim in claims
            ],
        }
        wrong = [line for table in self.tables for line in table.wrong_sums()]
        idle = [f"table {table.number} ({table.reason})" for table in self.tables if table.reason]
        return Answer(
            headline=text,
            rests_on="Wilcoxon's signed ranks test against each other method, Holm correction.",
            table=table_of_verb("check", cells),
            facts=(
                *wrong,
                *([f"Not judged: {'; '.join(idle[:MOST_IDLE])}"] if idle else []),
                *(
                    [f"Wilcoxon signed ranks test over data sets, Holm correction, {100 * self.alpha:g}% level."]
                    * bool(many)
                ),
                *self.without,
            ),
            more=(f"More: {either('.document()', '--full')}",),
        )

    def document(self) -> Document:
        """Return what was found, with a part for each table."""
        lines = [line for check in self.tables for line in check.in_brief()]
        idle: dict[str, list[str]] = {}
        for table in self.tables:
            if not table.judged:
                idle.setdefault(table.source, []).append(str(table.number))
        named = [f"table{'s' * (len(at) > 1)} {listed(at)} of {source}" for source, at in idle.items()]
        lines += [f"Not judged, for the reason that stands with each: {'; '.join(named)}."] if idle else []
        lines += self.without
        parts = [check.document() for check in self.tables]
        return Document(title=self.title(), said=tuple(lines), tables=(), more=(*parts, *self._how()))

    def _how(self) -> tuple[Document, ...]:
        """Say once for all tables how claims were judged."""
        if not self.claims:
            return ()
        undecided = any(claim.of("undecided") for claim in self.claims)
        more = (
            "'More data sets' is how many more it would take to show a difference like that of the table, four times of"
            " five; it is a hint for planning."
        )
        sentences = (
            "Every method that is called best was compared with each other one of its table, over the data sets of the"
            f" table: Wilcoxon's signed ranks test with Holm's correction, at alpha = {self.alpha:g}, as"
            f" {either('compare(..., control=...)', 'tiebreak compare --control')} does.",
            *self._many(),
            "'Better by' is the Hodges-Lehmann estimate, in units of the score; its 95% interval is of one difference"
            " alone, not corrected for the number of rivals.",
            *([more] if undecided else []),
        )
        papers = ("wilcoxon1945", "holm1979", "benavoli2016", *(["noether1987"] if undecided else []))
        return (Document(title="How claims were judged", said=sentences, tables=(), papers=papers),)

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
            "answer": self.answer.to_dict(),
            "path": self.path,
            "supported": self.supported,
            "claims": len(self.claims),
            "claims_supported": sum(claim.verdict == "supported" for claim in self.claims),
            "without_tables": list(self.without),
            "tables": [table.to_dict() for table in self.tables],
        }
