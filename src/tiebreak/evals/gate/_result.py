"""What a gate found, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from tiebreak.caveats import Caveats
from tiebreak.comparison.on_items import ScoreUnit, evidence
from tiebreak.documents import Document, Framed, Row, Shown
from tiebreak.documents.words import finite
from tiebreak.evals.gate._judging import PASS, UNDECIDED, WORSE, Judgement
from tiebreak.results import Metric

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
        from tiebreak.evals.gate._words import headline

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
        from tiebreak.evals.gate._words import document

        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, the content of `tiebreak gate --json`."""
        from tiebreak.evals.gate._words import plans, unmatched

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
