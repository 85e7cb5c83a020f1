"""What a gate found, and what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil, inf, isfinite
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from tiebreak.caveats import Caveats, codes_of
from tiebreak.comparison.on_items import ScoreUnit, evidence
from tiebreak.documents import Answer, Document, Framed, Row, Shown, Table, listed, number, one_line, p_is
from tiebreak.documents.words import costing, finite, times
from tiebreak.evals.gate.judging import PASS, UNDECIDED, WORSE, Judgement
from tiebreak.results import Metric
from tiebreak.wording import either

EXIT_CODES = {PASS: 0, WORSE: 1, UNDECIDED: 3}
"""What `tiebreak gate` ends with; 2 is that of errors."""
ITEMS, TOTALS, DATASETS = "items", "totals", "data sets"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GateCost(Framed):
    """What the two cost: means over benchmarks, and `ratio`, candidate over base; `limit` is the most it may be.

    The ratio is infinite beside a base that costs nothing, and 1 where neither costs anything.
    """

    name: str
    base: float
    candidate: float
    ratio: float
    unit: str = ""
    limit: float | None = None

    @property
    def too_high(self) -> bool:
        """Whether the candidate costs more than it may."""
        return self.limit is not None and self.ratio > self.limit * (1.0 + 1e-9)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Gate(Shown):
    """A candidate held against a base: "pass" where it is shown not to be worse by the margin or more.

    "worse" is said where it is significantly worse and not shown to be so by less than the margin, or costs more than
    it may; "undecided" where neither is shown. `quality` is the verdict without the cost, `judged` holds the numbers,
    `scores` the means of base and candidate on each of `datasets`, `only_base` and `only_candidate` the items that one
    side alone has. `on` says what was compared: items, totals or data sets.
    """

    verdict: str
    quality: str
    base: str
    candidate: str
    judged: Judgement
    on: str
    score: Metric
    margin: str
    alpha: float
    power: float
    anytime: bool
    points: bool
    datasets: tuple[str, ...]
    scores: tuple[tuple[float, float], ...]
    n_per_dataset: tuple[int, ...]
    only_base: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()
    cost: GateCost | None = None
    caveats: Caveats = ()

    @property
    def exit_code(self) -> int:
        """What the command ends with: 0 pass, 1 worse, 3 undecided."""
        return EXIT_CODES[self.verdict]

    @property
    def unit(self) -> ScoreUnit:
        """How differences of the score are written."""
        return ScoreUnit(name=self.score.name, points=self.points)

    @property
    def evidence(self) -> str:
        """On how many items, clusters and benchmarks, or data sets, the verdict rests."""
        if self.on == DATASETS:
            return f"{self.judged.n_items:,} data sets"
        clusters = self.judged.n_units if self.judged.clustered else 0
        return evidence(self.judged.n_items, clusters, len(self.datasets))

    @property
    def needed(self) -> tuple[float, bool] | None:
        """How many items in all would decide, and whether that is for a candidate worse by half the margin.

        For an equal one where these do not suffice yet, else for one that is worse by half the margin; None where that
        is not known.
        """
        for count, half in ((self.judged.needed, False), (self.judged.needed_half, True)):
            if count is not None and isfinite(count) and count > self.judged.n_items:
                return count, half
        return None

    @property
    def headline(self) -> str:
        """The verdict in one sentence."""
        return headline(self)

    @property
    def answer(self) -> Answer:
        """The verdict in one sentence, with the numbers of both."""
        return answer(self)

    def title(self) -> str:
        """Say in one line what was held against what."""
        better = "higher" if self.score.higher_is_better else "lower"
        return (
            f"Gate: {self.candidate} beside {self.base} on {self.evidence} by {self.score.name} ({better} is better),"
            f" margin {self.margin}"
        )

    def brief(self) -> str:
        """Give the verdict."""
        return self.verdict

    def rows(self) -> list[Row]:
        """Return one row per benchmark or data set, and one for all where there are several."""
        rows: list[Row] = [
            {"dataset": name, "n": n, "base": base, "candidate": value, "difference": value - base}
            for name, n, (base, value) in zip(self.datasets, self.n_per_dataset, self.scores, strict=True)
        ]
        if len(rows) > 1:
            base, current = (sum(score[k] for score in self.scores) / len(self.scores) for k in range(2))
            whole = {"dataset": "all", "n": sum(self.n_per_dataset), "base": base, "candidate": current}
            rows.append({**whole, "difference": current - base})
        return rows

    def document(self) -> Document:
        """Return what the gate says."""
        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, the content of `tiebreak gate --json`."""
        judgement, needed = self.judged, self.needed
        numbers = "shortfall low high bound pvalue pvalue_worse needed needed_half caught"
        return {
            "answer": self.answer.to_dict(),
            "verdict": self.verdict,
            "exit_code": self.exit_code,
            "quality": self.quality,
            "headline": self.headline,
            "sentences": [*plans(self), *unmatched(self)],
            "base": self.base,
            "candidate": self.candidate,
            "score": self.score.name,
            "higher_is_better": bool(self.score.higher_is_better),
            "margin": self.margin,
            "limit": finite(judgement.limit),
            **{name: finite(getattr(judgement, name)) for name in numbers.split()},
            "more": None if needed is None or self.quality != UNDECIDED else int(needed[0] - judgement.n_items),
            "alpha": self.alpha,
            "power": self.power,
            "anytime": self.anytime,
            "on": self.on,
            "n": judgement.n_items,
            "units": judgement.n_units,
            "clustered": judgement.clustered,
            "method": {"good_enough": judgement.method, "worse": judgement.worse_method},
            "datasets": [{key: finite(value) for key, value in row.items()} for row in self.rows()],
            "only_base": list(self.only_base),
            "only_candidate": list(self.only_candidate),
            "cost": self._plain_cost(),
            "caveats": list(self.caveats),
            "caveat_codes": [note.code for note in self.caveats],
        }

    def _plain_cost(self) -> dict[str, Any] | None:
        cost = self.cost
        if cost is None:
            return None
        names = ("name", "base", "candidate", "ratio", "unit", "limit", "too_high")
        return {name: finite(getattr(cost, name)) for name in names}


def is_known(value: float | None) -> bool:
    """Say whether a number was found, and is one."""
    return value is not None and abs(value) < inf


VERDICTS = {PASS: "PASS", WORSE: "WORSE", UNDECIDED: "UNDECIDED"}
MOST_NAMED = 5
MOST_BENCHMARKS = 8
"""Benchmarks that the short answer shows; with more it shows all of them together."""


def headline(gate: Gate) -> str:
    """Give the verdict in one sentence."""
    if gate.verdict != gate.quality and gate.cost is not None:
        scores = "by its scores it would pass" if gate.quality == PASS else "its scores do not decide"
        return f"{VERDICTS[WORSE]}: {too_dear(gate.cost, gate.base)}; {scores}."
    text = {PASS: _passed, WORSE: _worse}.get(gate.quality, _undecided)(gate)
    if "missing-would-decide" in codes_of(gate.caveats):
        left = len(gate.only_base)
        are = "item that it did not answer is" if left == 1 else "items that it did not answer are"
        text += f"; {left:,} {are} left out, and if they were wrong it would not pass"
    return f"{VERDICTS[gate.quality]}: {text}."


def _passed(gate: Gate) -> str:
    judged, unit = gate.judged, gate.unit
    if judged.limit == 0 or _better(gate):
        return f"{gate.candidate} is better than {gate.base} by {unit.size(-judged.shortfall)}"
    return f"{gate.candidate} is not worse than {gate.base} by more than {unit.within(judged.limit)}"


def _better(gate: Gate) -> bool:
    """Whether the candidate is significantly better, by the test and by the interval that is printed."""
    judged = gate.judged
    return judged.pvalue_worse <= gate.alpha and judged.high is not None and judged.high < 0


def _worse(gate: Gate) -> str:
    return f"{gate.candidate} is worse than {gate.base} by {gate.unit.size(gate.judged.shortfall)}"


def _undecided(gate: Gate) -> str:
    judged, unit = gate.judged, gate.unit
    codes = codes_of(gate.caveats)
    if "no-difference" in codes and judged.shortfall == 0.0 and judged.low is not None:
        possible = f"drops of up to {_bound(gate)} are" if is_known(judged.bound) else "drops of any size are"
        return f"{gate.candidate} and {gate.base} score the same on all of {gate.evidence}, but {possible} possible"
    if "one-cluster" in codes:
        return f"all {judged.n_items:,} items belong to one cluster, which says nothing about others"
    few = "is" if judged.n_items == 1 else "are"
    what = (
        f"better than {gate.base}"
        if judged.limit == 0
        else f"worse than {gate.base} by more than {unit.within(judged.limit)}"
    )
    return f"{gate.evidence} {few} not enough to tell whether {gate.candidate} is {what}"


def _bound(gate: Gate) -> str:
    return gate.unit.within(gate.judged.bound) if is_known(gate.judged.bound) else "any size"


def _estimate(gate: Gate) -> str:
    """Write by how much the candidate is better or worse, with the bound and the interval."""
    judged, unit = gate.judged, gate.unit
    gap, level = judged.shortfall, f"{100 * (1 - gate.alpha):g}%"
    size = f"{unit.size(abs(gap))} {'worse' if gap > 0 else 'better'}"
    where = " on a typical data set" if gate.on == DATASETS else ""
    text = "No difference" if unit.bare(gap) in ("0", "-0") else f"{size}{where}"
    if judged.limit > 0 and gate.quality != WORSE and not _better(gate) and is_known(judged.bound):
        return f"{text}, at most {_bound(gate)} worse ({level} sure)."
    if not is_known(judged.low) or not is_known(judged.high) or judged.low == judged.high:
        return f"{text} ({p_is(judged.pvalue_worse)})."
    low, high = judged.low or 0.0, judged.high or 0.0
    ends = (-high, -low) if gap < 0 else (low, high)
    return f"{text} ({level} CI {unit.bare(ends[0] + 0.0)} to {unit.bare(ends[1] + 0.0)}; {p_is(judged.pvalue_worse)})."


def _paid(cost: GateCost) -> str:
    """Write what the candidate pays beside the base; nothing is a share of nothing."""
    if cost.base == cost.candidate:
        return "the same"
    if not 0.0 < cost.ratio < inf:
        return ""
    if cost.ratio >= 1.995 or cost.ratio <= 0.5:
        return f"{times(max(cost.ratio, 1 / cost.ratio))} times {'dearer' if cost.ratio > 1 else 'cheaper'}"
    return f"{100 * abs(cost.ratio - 1):.0f}% {'dearer' if cost.ratio > 1 else 'cheaper'}"


def too_dear(cost: GateCost, base: str) -> str:
    """Say that the candidate costs more than it may."""
    values = f"{costing(cost.candidate, cost.name, cost.unit)} instead of {costing(cost.base, cost.name, cost.unit)}"
    return f"{cost.name} is {values} for {base}, above the limit of {number(cost.limit or 0.0, 3)} times"


def plans(gate: Gate) -> list[str]:
    """Say how many items would decide, and what these can show."""
    word = "data sets" if gate.on == DATASETS else "items of each" if gate.on == TOTALS else "items"
    judged, lines = gate.judged, []
    needed = gate.needed
    if gate.quality == UNDECIDED and needed is not None:
        count, half = needed
        truth = "worse by half the margin" if half else "equally good"
        total = _rounded(count)
        clusters = _rounded(ceil(total * judged.n_units / judged.n_items))
        grouped = f" in {clusters:,} clusters" if judged.clustered else ""
        lines.append(
            f"About {total:,} {word}{grouped} in all, {_about(total - judged.n_items):,} more, would decide for"
            f" a candidate that is {truth} (power {gate.power:g})."
        )
        if half:
            lines.append(f"An equally good candidate would have passed with these {word} (power {gate.power:g}).")
    if is_known(judged.caught) and judged.caught is not None:
        lines.append(f"These {word} detect a drop of {gate.unit.size(judged.caught)} with power {gate.power:g}.")
    return lines


def _rounded(count: float) -> int:
    """Round up a number of items that is known to two digits or so."""
    step = 10 ** max(0, len(str(int(count))) - 2)
    return int(-(-count // step) * step)


def _about(count: int) -> int:
    """Round what is left of such a number to its first two digits, so that both together are about the whole."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return max(1, round(count / step)) * step


def unmatched(gate: Gate) -> list[str]:
    """Name the items that one side alone has."""
    lines = []
    for names, who in ((gate.only_base, gate.base), (gate.only_candidate, gate.candidate)):
        if names:
            items = f"{len(names):,} item{'' if len(names) == 1 else 's'}"
            lines.append(f"{items} that only {who} answered left out: {listed(names, most=MOST_NAMED)}.")
    return lines


def _row(gate: Gate, name: str, count: int, base: float, candidate: float) -> tuple[str, ...]:
    """Write the scores of both, a share in percent."""
    shown = [f"{100 * value:.1f}%" if gate.points else number(value, 4) for value in (base, candidate)]
    change = gate.unit.bare(candidate - base)
    unit = f" point{'' if change.lstrip('-') == '1' else 's'}" if gate.points else ""
    sign = "+" if candidate > base and change != "0" else ""
    return (name, *([f"{count:,}"] if count else []), *shown, f"{sign}{change}{unit}")


def _table(gate: Gate, *, full: bool) -> Table:
    """Return the scores by benchmark, one row where there are many, and the cost of both."""
    rows = gate.rows()
    rows = rows if len(rows) <= (40 if full else MOST_BENCHMARKS) else rows[-1:]
    body, counted = [], len(rows) > 1 and gate.on != DATASETS
    for row in rows:
        name = gate.score.name if len(rows) == 1 else str(row["dataset"])
        base, candidate = (float(str(row[side])) for side in ("base", "candidate"))
        body.append(_row(gate, name, int(str(row["n"])) if counted else 0, base, candidate))
    cost, count = gate.cost, ("items",) if counted else ()
    if cost is not None:
        values = (costing(value, cost.name, cost.unit) for value in (cost.base, cost.candidate))
        body.append((cost.name, *("" for _ in count), *values, _paid(cost)))
    first = "" if len(rows) == 1 else f"{gate.score.name} by {'data set' if gate.on == DATASETS else 'benchmark'}"
    return Table(header=(first, *count, gate.base, gate.candidate, "change"), body=tuple(body))


def answer(gate: Gate) -> Answer:
    """Return the verdict, the numbers of both, and what more items would show."""
    estimate, cost = _estimate(gate), gate.cost
    caveats = tuple(note for note in gate.caveats if note.code != "inferred")
    return Answer(
        headline=headline(gate),
        use="" if gate.verdict == UNDECIDED else gate.candidate if gate.verdict == PASS else gate.base,
        saves="" if cost is None or not _paid(cost) else f"In {cost.name}: {_paid(cost)}.",
        loses=estimate,
        sure=" ".join(plans(gate)),
        rests_on=f"{gate.evidence}; margin {gate.margin}.",
        table=_table(gate, full=False),
        facts=(f"{estimate[:-1]}; {gate.evidence}.", *plans(gate), *unmatched(gate)),
        notes=caveats,
        more=(f"More: {either('.document()', '--full')}",),
    )


def document(gate: Gate) -> Document:
    """Return the verdict, the table and what goes with it."""
    table = _table(gate, full=True)
    return Document(
        title=headline(gate),
        heading=f"Gate: {gate.verdict}",
        points=answer(gate).points(),
        said=(_estimate(gate), f"{gate.title()}."),
        tables=(table,),
        notes=(*plans(gate), *unmatched(gate)),
        method=(f"Shown good enough by: {gate.judged.method}; worse by: {gate.judged.worse_method}.",),
        caveats=gate.caveats,
    )


_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


def junit_of(gate: Gate) -> str:
    """Return one suite with a case for the quality, and one for the cost where it is limited.

    Worse is a failure; undecided is a case that was skipped, as it neither passed nor failed.

    Examples
    --------
    >>> from tiebreak import gate
    >>> print(junit_of(gate({"model": ["a", "b"], "passed": [80, 82], "n": [225, 225]}, base_name="a", margin=0.1)))
    <?xml version='1.0' encoding='UTF-8'?>
    <testsuites>
      <testsuite name="tiebreak gate" tests="1" failures="0" errors="0" skipped="0">
        <testcase classname="tiebreak.gate" name="b beside a: pass_rate, margin 0.1" />
      </testsuite>
    </testsuites>
    """
    name = f"{gate.candidate} beside {gate.base}: {gate.score.name}, margin {gate.margin}"
    cases = [(name, gate.quality, gate.headline)]
    if gate.cost is not None and gate.cost.limit is not None:
        name = f"{gate.candidate} beside {gate.base}: {gate.cost.name}, at most {number(gate.cost.limit)} times"
        cases.append((name, WORSE if gate.cost.too_high else PASS, f"{too_dear(gate.cost, gate.base)}."))
    verdicts = [verdict for _, verdict, _ in cases]
    counts = {"tests": len(cases), "failures": verdicts.count(WORSE), "errors": 0, "skipped": verdicts.count(UNDECIDED)}
    root = Element("testsuites")
    suite = SubElement(root, "testsuite", {"name": "tiebreak gate"} | {key: str(n) for key, n in counts.items()})
    for name, verdict, text in cases:
        case = SubElement(suite, "testcase", {"classname": "tiebreak.gate", "name": _clean(name)})
        if verdict != PASS:
            element = SubElement(case, "failure" if verdict == WORSE else "skipped", {"message": _clean(text)})
            more = plans(gate) if text == gate.headline else []
            element.text = "\n".join(map(_clean, [text, *more, *gate.caveats]))
    indent(root)
    return str(tostring(root, encoding="UTF-8", xml_declaration=True), "utf-8")


def _clean(text: str) -> str:
    """Keep a name on its line, and as it is read: servers show what they are given."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", one_line(text))
