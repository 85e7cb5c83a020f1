"""What a gate found, and what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil, inf, isfinite
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from tiebreak.caveats import Caveats
from tiebreak.comparison.on_items import ScoreUnit, evidence
from tiebreak.documents import Document, Framed, Row, Shown, Table, listed, number, one_line, p_is
from tiebreak.documents.words import amount, finite, times
from tiebreak.evals.gate.judging import PASS, UNDECIDED, WORSE, Judgement
from tiebreak.results import Metric
from tiebreak.results.items import ignoring_clusters

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
            {"dataset": name, "n": n, "base": base, "candidate": own, "difference": own - base}
            for name, n, (base, own) in zip(self.datasets, self.n_per_dataset, self.scores, strict=True)
        ]
        if len(rows) > 1:
            base, own = (sum(each[k] for each in self.scores) / len(self.scores) for k in range(2))
            whole = {"dataset": "all", "n": sum(self.n_per_dataset), "base": base, "candidate": own}
            rows.append({**whole, "difference": own - base})
        return rows

    def document(self) -> Document:
        """Return what the gate says."""
        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, the content of `tiebreak gate --json`."""
        found, needed = self.judged, self.needed
        numbers = "shortfall low high bound pvalue pvalue_worse needed needed_half caught"
        return {
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
            "limit": finite(found.limit),
            **{name: finite(getattr(found, name)) for name in numbers.split()},
            "more": None if needed is None or self.quality != UNDECIDED else int(needed[0] - found.n_items),
            "alpha": self.alpha,
            "power": self.power,
            "anytime": self.anytime,
            "on": self.on,
            "n": found.n_items,
            "units": found.n_units,
            "clustered": found.clustered,
            "method": {"good_enough": found.method, "worse": found.worse_method},
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


VERDICTS = {PASS: "Pass", WORSE: "Worse", "undecided": "Undecided"}
MOST_NAMED = 5


def headline(found: Gate) -> str:
    """Say the verdict in one sentence."""
    said = {PASS: _passed, WORSE: _worse}.get(found.quality, _undecided)(found)
    if any(note.code == "missing-would-decide" for note in found.caveats):
        left = len(found.only_base)
        items = (
            f"{left:,} item{'' if left == 1 else 's'} that it did not answer {'is' if left == 1 else 'are'} left out"
        )
        said += f"; {items}, and were they wrong it would not pass"
    price = _price(found.cost) if found.cost is not None else ""
    if found.verdict != found.quality and found.cost is not None:
        scores = "By its scores it would pass" if found.quality == PASS else "Its scores leave it undecided"
        return f"Worse: {too_dear(found.cost)} {scores}: {said}."
    return f"{VERDICTS[found.quality]}: {said}{price}."


def _passed(found: Gate) -> str:
    judged, unit = found.judged, found.unit
    if judged.limit == 0:
        return (
            f"{found.candidate} is better than {found.base} by {unit.size(-judged.shortfall)} on {found.evidence}"
            f" ({_proof(found)})"
        )
    if judged.pvalue_worse <= found.alpha and judged.shortfall < 0 and not found.anytime:
        return f"{found.candidate} is better than {found.base} by {unit.size(-judged.shortfall)} on {found.evidence}"
    return (
        f"{found.candidate} is as good as {found.base} within {unit.within(judged.limit)} as far as {found.evidence}"
        f" {_verb(found, 'tell')} ({_estimate(found)}, {_shown(found)})"
    )


def _worse(found: Gate) -> str:
    judged, unit = found.judged, found.unit
    beyond = judged.low is not None and judged.low >= judged.limit
    more = "more than the margin" if beyond else "not shown to be within the margin"
    span = _span(found)
    limit = f": {more} of {unit.within(judged.limit)}" if judged.limit > 0 else ""
    return (
        f"{found.candidate} is worse than {found.base} by {unit.size(judged.shortfall)} on {found.evidence}"
        f" ({p_is(judged.pvalue_worse)}{f', {span}' if span else ''}){limit}"
    )


def _undecided(found: Gate) -> str:
    judged, unit = found.judged, found.unit
    if judged.shortfall == 0.0 and judged.pvalue_worse >= 1.0 and judged.low is not None and _all_same(found):
        return (
            f"{found.candidate} and {found.base} score the same on each of {found.evidence}, which leaves drops of"
            f" {_up_to(found)} possible on others like them"
            + (f"; the margin is {unit.within(judged.limit)}" if judged.limit > 0 else "")
        )
    if any(note.code == "one-cluster" for note in found.caveats):
        return (
            f"all {judged.n_items:,} items are of one cluster, and nothing is shown of others ({found.candidate} is"
            f" {_estimate(found)} than {found.base}); to ask of further items of this one alone, ignore"
            f" clusters: {ignoring_clusters()}"
        )
    if judged.limit == 0:
        return (
            f"{found.evidence} {_verb(found, 'show')} neither that {found.candidate} is better than {found.base} nor"
            f" that it is worse ({_estimate(found)}, {_proof(found)})"
        )
    return (
        f"{found.evidence} {_verb(found, 'show')} neither that {found.candidate} is as good as {found.base} within"
        f" {unit.within(judged.limit)} nor that it is worse ({_estimate(found)}, {_shown(found)})"
    )


def _verb(found: Gate, verb: str) -> str:
    return verb if found.judged.n_items > 1 else f"{verb}s"


def _all_same(found: Gate) -> bool:
    return any(note.code == "no-difference" for note in found.caveats)


def _estimate(found: Gate) -> str:
    """Write by how much the candidate is worse or better."""
    gap = found.judged.shortfall
    shown = found.unit.size(abs(gap))
    return "no difference" if found.unit.bare(gap) in ("0", "-0") else f"{shown} {'worse' if gap > 0 else 'better'}"


def _shown(found: Gate) -> str:
    if not is_known(found.judged.bound):
        return "no bound can be given"
    return f"at most {_bound(found)} worse with {100 * (1 - found.alpha):g} % confidence"


def _bound(found: Gate) -> str:
    return found.unit.within(found.judged.bound) if is_known(found.judged.bound) else "any size"


def _up_to(found: Gate) -> str:
    return f"up to {_bound(found)}" if is_known(found.judged.bound) else "any size"


def _proof(found: Gate) -> str:
    """Write the p-value, and the interval in the direction in which the candidate differs."""
    better = found.judged.shortfall < 0
    span = _span(found, turned=better)
    return p_is(found.judged.pvalue if better else found.judged.pvalue_worse) + (f", {span}" if span else "")


def _span(found: Gate, *, turned: bool = False) -> str:
    judged, unit = found.judged, found.unit
    if not is_known(judged.low) or not is_known(judged.high) or judged.low == judged.high:
        return ""
    ends = (judged.low or 0.0, judged.high or 0.0)
    low, high = (-ends[1], -ends[0]) if turned else ends
    return f"{100 * (1 - found.alpha):g} % interval {unit.bare(low + 0.0)} to {unit.bare(high + 0.0)}"


def _ratio(cost: GateCost) -> str:
    """Write the cost of the candidate beside that of the base; nothing is a share of nothing."""
    if cost.base == 0.0 and cost.candidate == 0.0:
        return "0, as that of the base"
    if cost.base == 0.0 or cost.candidate == 0.0:
        return f"{amount(cost.candidate)} and that of the base {amount(cost.base)}"
    if cost.ratio >= 2.0:
        return f"{times(cost.ratio)} times that of the base"
    return f"{100 * cost.ratio:.{0 if cost.ratio >= 0.095 else 1}f} % of that of the base"


def too_dear(cost: GateCost) -> str:
    """Say that the candidate costs more than it may."""
    return f"{cost.name} is {_ratio(cost)}, more than the {times_of(cost)} that it may be."


def times_of(cost: GateCost) -> str:
    """Write the most that the candidate may cost."""
    limit = cost.limit or 0.0
    return f"{number(limit, 3)} times" if limit >= 2.0 else f"{100 * limit:g} %"


def _price(cost: GateCost) -> str:
    return f"; {cost.name} is {_ratio(cost)}"


def plans(found: Gate) -> list[str]:
    """Say how many items would decide, and what these can catch."""
    word = "data sets" if found.on == DATASETS else "items of each" if found.on == TOTALS else "items"
    judged, said = found.judged, []
    needed = found.needed
    if found.quality == "undecided" and needed is not None:
        count, half = needed
        truth = "worse by half the margin" if half else "truly as good"
        total = _rounded(count)
        clusters = _rounded(ceil(total * judged.n_units / judged.n_items))
        grouped = f" in {clusters:,} clusters" if judged.clustered else ""
        said.append(
            f"About {total:,} {word}{grouped} in all, {_about(total - judged.n_items):,} more, would show a candidate"
            f" that is {truth} to be good enough, with power {found.power:g}."
        )
        if half:
            said.append(f"An equal candidate would have passed by these {word} with power {found.power:g}.")
    if is_known(judged.caught) and judged.caught is not None:
        said.append(f"These {word} call a drop of {found.unit.size(judged.caught)} worse with power {found.power:g}.")
    return said


def _rounded(count: float) -> int:
    """Round up a number of items that is known to two digits or so."""
    step = 10 ** max(0, len(str(int(count))) - 2)
    return int(-(-count // step) * step)


def _about(count: int) -> int:
    """Round what is left of such a number to its first two digits, so that both together are about the whole."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return max(1, round(count / step)) * step


def unmatched(found: Gate) -> list[str]:
    """Name the items that one side alone has."""
    said = []
    for names, who in ((found.only_base, found.base), (found.only_candidate, found.candidate)):
        if names:
            items = f"{len(names):,} item{'' if len(names) == 1 else 's'}"
            said.append(f"{items} only {who} answered took no part: {listed(names, most=MOST_NAMED)}.")
    return said


def _difference(found: Gate, value: float) -> str:
    shown = found.unit.bare(value)
    return shown if not found.points else f"{shown} point{'' if shown.lstrip('-') == '1' else 's'}"


def document(found: Gate) -> Document:
    """Return the verdict, the table and what goes with it."""
    rows = found.rows()
    first = "data set" if found.on == DATASETS else "benchmark"
    count = () if found.on == DATASETS else ("items",)
    body = tuple(
        (
            str(row["dataset"]),
            *(() if found.on == DATASETS else (f"{row['n']:,}",)),
            *(number(float(str(row[name])), 4) for name in ("base", "candidate")),
            _difference(found, float(str(row["difference"]))),
        )
        for row in (rows if len(rows) <= 40 else rows[-1:])
    )
    header = (first, *count, found.base, found.candidate, "difference")
    notes = [*plans(found), *unmatched(found)]
    if found.cost is not None:
        unit = f" {found.cost.unit}" if found.cost.unit else ""
        beside = f": {_ratio(found.cost)}" if found.cost.base > 0 and found.cost.candidate > 0 else ""
        notes.append(
            f"{found.cost.name}: {amount(found.cost.base)}{unit} for {found.base}, {amount(found.cost.candidate)}{unit}"
            f" for {found.candidate}{beside}."
        )
    return Document(
        title=found.title(),
        heading=f"Gate: {VERDICTS[found.verdict].lower()}",
        said=(headline(found),),
        tables=(Table(header=header, body=body, left=1),),
        notes=tuple(notes),
        method=(f"Shown good enough by: {found.judged.method}; worse by: {found.judged.worse_method}.",),
        caveats=found.caveats,
    )


_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


def junit_of(found: Gate) -> str:
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
    name = f"{found.candidate} beside {found.base}: {found.score.name}, margin {found.margin}"
    cases = [(name, found.quality, found.headline)]
    if found.cost is not None and found.cost.limit is not None:
        name = f"{found.candidate} beside {found.base}: {found.cost.name}, at most {number(found.cost.limit)} times"
        cases.append((name, WORSE if found.cost.too_high else PASS, too_dear(found.cost)))
    verdicts = [verdict for _, verdict, _ in cases]
    counts = {"tests": len(cases), "failures": verdicts.count(WORSE), "errors": 0, "skipped": verdicts.count(UNDECIDED)}
    root = Element("testsuites")
    suite = SubElement(root, "testsuite", {"name": "tiebreak gate"} | {key: str(n) for key, n in counts.items()})
    for name, verdict, said in cases:
        case = SubElement(suite, "testcase", {"classname": "tiebreak.gate", "name": _clean(name)})
        if verdict != PASS:
            told = SubElement(case, "failure" if verdict == WORSE else "skipped", {"message": _clean(said)})
            more = plans(found) if said == found.headline else []
            told.text = "\n".join(map(_clean, [said, *more, *found.caveats]))
    indent(root)
    return str(tostring(root, encoding="UTF-8", xml_declaration=True), "utf-8")


def _clean(text: str) -> str:
    """Keep a name on its line, and as it is read: servers show what they are given."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", one_line(text))
