"""A ranking: algorithms best first, with their scores and what every data set contributed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tiebreak._checks import FloatArray, readonly
from tiebreak._show import Row, Shown
from tiebreak.advisor.rankings.measured import Measured
from tiebreak.errors import unknown_name
from tiebreak.stats.numeric.ranks import average_ranks, snap


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ranking(Shown):
    """Algorithms from best to worst by past results.

    `scores`, `ranks` and the columns of `contributions` run in the order of `algorithms`, best first; `ranks` gives
    ties their average. `contributions[d, j]` is what data set d adds to the score of algorithm j, weighted; their sum
    over data sets is `scores` for wins, the mean rank less 1 for average ranks, the logarithm of the geometric mean
    ratio to the other algorithms for the ratios (positive lifts, negative lowers), and the mean place for Multi2Test.
    `unranked` had too few results to be compared; a caveat says what was missing.
    """

    algorithms: tuple[str, ...]
    scores: FloatArray
    ranks: FloatArray
    method: str
    score_name: str
    higher_is_better: bool
    accd: float | None
    meaning: str
    n_datasets: int
    datasets: tuple[str, ...]
    weights: FloatArray
    contributions: FloatArray
    unranked: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was ranked and by what."""
        said = f": {self.meaning}" if self.meaning else ""
        return f"{len(self.algorithms)} algorithms ranked by {self.method} on {self.n_datasets} data set(s){said}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first; unranked ones last, without a score."""
        ranked: list[Row] = [
            {"algorithm": name, "rank": float(rank), self.score_name: float(score)}
            for name, rank, score in zip(self.algorithms, self.ranks, self.scores, strict=True)
        ]
        nothing = float("nan")
        return ranked + [{"algorithm": name, "rank": nothing, self.score_name: nothing} for name in self.unranked]

    def explain(self, algorithm: str) -> list[Row]:
        """Return what every data set contributed to the score of one algorithm, the largest part first."""
        if algorithm not in self.algorithms:
            raise unknown_name("ranked algorithm", algorithm, self.algorithms)
        column = self.contributions[:, self.algorithms.index(algorithm)]
        order = sorted(range(len(column)), key=lambda d: (-abs(float(column[d])), self.datasets[d]))
        return [
            {"dataset": self.datasets[d], "weight": float(self.weights[d]), "contribution": float(column[d])}
            for d in order
        ]


def ranked(
    table: Measured,
    scores: FloatArray,
    contributions: FloatArray,
    *,
    method: str,
    score_name: str,
    higher_is_better: bool,
    accd: float | None = None,
    meaning: str = "",
    missing: str = "no data set in common with another algorithm",
    caveats: tuple[str, ...] = (),
) -> Ranking:
    """Sort by score; ties by mean success rate, then by name; what has no score is left unranked."""
    names = table.algorithms
    losses = snap(-scores if higher_is_better else scores)
    has = ~np.isnan(losses)
    success = table.mean_success()
    order = sorted(np.flatnonzero(has), key=lambda j: (losses[j], -success[j], names[j]))
    index = np.array(order, dtype=np.int64)
    ranks = average_ranks(losses[index])
    unranked = tuple(sorted(names[j] for j in np.flatnonzero(~has)))
    return Ranking(
        algorithms=tuple(names[j] for j in order),
        scores=readonly(scores[index]),
        ranks=readonly(ranks),
        method=method,
        score_name=score_name,
        higher_is_better=higher_is_better,
        accd=accd,
        meaning=meaning,
        n_datasets=table.n_used(),
        datasets=table.datasets,
        weights=readonly(table.weights),
        contributions=readonly(contributions[:, index]),
        unranked=unranked,
        caveats=(*table.caveats, *caveats, *_tie_caveats(ranks), *_unranked_caveats(unranked, missing)),
    )


def _tie_caveats(ranks: FloatArray) -> tuple[str, ...]:
    tied = len(ranks) - len(np.unique(ranks))
    if not tied:
        return ()
    return ("Algorithms with equal scores share a rank; they are listed by mean success rate, then by name.",)


def _unranked_caveats(unranked: tuple[str, ...], missing: str) -> tuple[str, ...]:
    return (f"Not ranked ({missing}): {', '.join(unranked)}.",) if unranked else ()
