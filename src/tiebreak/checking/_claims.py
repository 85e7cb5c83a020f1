"""What a table claims, and what its numbers say to each claim."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.checking._reading import Read
from tiebreak.comparison import Comparison, compare
from tiebreak.documents import Framed, Row, listed, number
from tiebreak.documents.words import finite
from tiebreak.readers.grids import Grid

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
        return [each.name for each in self.rivals if each.verdict == verdict]

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
        said = {"claim": self.algorithm, "score": self.score}
        return [
            said | {"rival" if name == "name" else name: cell for name, cell in each.rows()[0].items()}
            for each in self.rivals
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
    count = needed_like(ahead, level=level)
    return None if count is None else min(max(count, len(found.datasets) + 1), _MOST)


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
    if rival.needed is None:
        return "not ahead"
    if rival.needed >= _MOST:
        return f"more than {_MOST:,}"
    more = rival.needed - len(claim.comparison.datasets)
    least = rival.needed <= _fewest(claim.comparison.alpha / len(claim.of("undecided")))
    return f"{'at least' if least else 'about'} {round(more, min(2 - len(str(more)), 0)):,}"


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
