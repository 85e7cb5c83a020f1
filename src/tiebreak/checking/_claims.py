"""What a table claims, and what its numbers say to each claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak.checking._reading import Read
from tiebreak.deciding.compare import Comparison, compare
from tiebreak.documents import finite, listed, number
from tiebreak.reading.grids import Grid
from tiebreak.stats import datasets_needed

POWER = 0.8
"""How often the number of data sets that is named would show a difference."""
_MOST = 10_000
"""Beyond so many data sets none is named: the difference is next to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """What the numbers say of the claimed method against one rival.

    `verdict` is better, worse or undecided, of the claimed method. `estimate` is by how much it is better (negative:
    worse), with its interval. `needed` is how many data sets in all would show a difference like that of this table,
    four times of five; None where it is shown, or where the rival is ahead.
    """

    name: str
    verdict: str
    estimate: float
    low: float
    high: float
    pvalue: float
    adjusted: float
    needed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Claim:
    """A method that is called best: by what, and how it compares with all others."""

    algorithm: str
    by: str
    score: str
    rivals: tuple[Rival, ...]
    comparison: Comparison

    def of(self, verdict: str) -> list[str]:
        """Return the rivals with that verdict."""
        return [each.name for each in self.rivals if each.verdict == verdict]

    @property
    def verdict(self) -> str:
        """Say in a word: supported, in part, undecided or contradicted."""
        if self.of("worse"):
            return "contradicted"
        if not self.of("undecided"):
            return "supported"
        return "in part" if self.of("better") else "undecided"

    def said(self) -> list[str]:
        """Say what the numbers support, in sentences."""
        better, worse, open_ = self.of("better"), self.of("worse"), self.of("undecided")
        against = {"supported": "support it", "in part": "support it in part", "undecided": "do not support it"}
        first = f"{self.algorithm} is called best by {self.score} ({self.by}); the numbers"
        out = [f"{first} {against.get(self.verdict, 'contradict it')}."]
        for words, names in (
            ("Significantly better than", better),
            ("Significantly worse than", worse),
            ("Undecided against", open_),
        ):
            out += [f"{words} {listed(names).rstrip('.')}."] if names else []
        return out

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
            "rivals": [
                {
                    "name": each.name,
                    "verdict": each.verdict,
                    "estimate": finite(each.estimate),
                    "low": finite(each.low),
                    "high": finite(each.high),
                    "pvalue": each.pvalue,
                    "adjusted": each.adjusted,
                    "datasets_needed": each.needed,
                    "more_datasets": None if each.needed is None else each.needed - count,
                }
                for each in self.rivals
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
    found = compare(read.results, score=score, control=algorithm, higher_is_better=_told(read, score), **options)
    return Claim(algorithm=algorithm, by=by, score=score, rivals=_rivals(found, algorithm), comparison=found)


def _told(read: Read, score: str) -> bool | None:
    """A direction that the name tells is left to the name."""
    known = read.results.metric(score).higher_is_better is not None
    return None if known else read.directions[score]


def _rivals(found: Comparison, claimed: str) -> tuple[Rival, ...]:
    """Read the verdicts off the comparison; more data sets would have to meet the level at which Holm stopped."""
    sizes = {row["b"] if row["a"] == claimed else row["a"]: row for row in found.intervals().rows()}
    open_ = sum(pair.better is None for pair in found.pairs)
    out = []
    for pair in found.pairs:
        rival = pair.b if pair.a == claimed else pair.a
        row = sizes[rival]
        turn = -1.0 if row["a"] == claimed else 1.0  # intervals are positive where b is better
        estimate, low, high = (turn * float(str(row[name])) for name in ("estimate", "low", "high"))
        verdict = "undecided" if pair.better is None else "better" if pair.better == claimed else "worse"
        needed = _needed(found, claimed, rival, found.alpha / open_) if verdict == "undecided" else None
        out.append(
            Rival(
                name=rival,
                verdict=verdict,
                estimate=estimate,
                low=min(low, high),
                high=max(low, high),
                pvalue=pair.pvalue,
                adjusted=pair.adjusted,
                needed=needed,
            )
        )
    return tuple(out)


def _needed(found: Comparison, claimed: str, rival: str, level: float) -> int | None:
    """Return how many data sets in all would show a difference of this size; None if the claimed one is not ahead."""
    place = {name: i for i, name in enumerate(found.algorithms)}
    ahead = found.compared[:, place[rival]] - found.compared[:, place[claimed]]
    ahead = ahead[np.isfinite(ahead)]
    mean, spread = float(ahead.mean()), float(ahead.std(ddof=1)) if len(ahead) > 1 else 0.0
    if not mean > 0:
        return None
    effect = min(mean / spread, 10.0) if spread > 0 else 10.0
    if effect < 0.02:
        return _MOST
    count = datasets_needed(effect, alpha=level, power=POWER).n_datasets
    return min(max(count, len(found.datasets) + 1), _MOST)


def needed_text(rival: Rival, datasets: int) -> str:
    """Print how many more data sets it would take."""
    if rival.verdict != "undecided":
        return ""
    if rival.needed is None:
        return "not ahead"
    return f"more than {_MOST:,}" if rival.needed >= _MOST else f"about {rival.needed - datasets:,}"


def _claimed(read: Read, grid: Grid, score: str, claim: str | None) -> dict[str, str]:
    """Find who is called best, and by what: as told, by a bold name, and by most results in bold."""
    names = read.results.algorithms
    if claim is not None:
        found = matching(claim, names)
        return {} if found is None else {found: "as told"}
    out = {}
    bold = {cell.text.strip() for row in grid.rows for cell in row if cell.bold}
    named = [name for name in names if name in bold]
    if 0 < len(named) * 2 <= len(names):
        out = dict.fromkeys(named, "its name is in bold")
    marked = marks_of(read, score)
    most = max(marked.values(), default=0)
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
