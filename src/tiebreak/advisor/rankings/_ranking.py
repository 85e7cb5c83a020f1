"""A ranking: algorithms best first, with their scores and what every data set contributed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, check_choice
from tiebreak.advisor.rankings.measured import Measured, row_means
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, Shown
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.stats.results import frozen, rows_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ranking(Shown):
    """Algorithms from best to worst by past results.

    `scores`, `ranks` and the columns of `contributions` run in the order of `algorithms`, best first; `ranks` gives
    ties their average. `contributions[d, j]` is what data set d adds to the score of algorithm j, weighted; their sum
    over data sets is `scores` for wins, the mean rank less 1 for average ranks, the logarithm of the geometric mean
    ratio to the other algorithms for the ratios (positive lifts, negative lowers), and the mean place for Multi2Test.
    `unranked` had too few results to be compared; a caveat says what was missing. `name` is the method as
    `RANKING_METHODS` has it, `method` what was really computed, in words.
    """

    algorithms: tuple[str, ...]
    scores: FloatArray
    ranks: FloatArray
    name: str
    method: str
    score_name: str
    n_datasets: int
    datasets: tuple[str, ...]
    weights: FloatArray
    contributions: FloatArray
    higher_is_better: bool = True
    accd: float | None = None
    meaning: str = ""
    unranked: tuple[str, ...] = ()
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was ranked and by what."""
        said = f": {self.meaning}" if self.meaning else ""
        return f"{len(self.algorithms)} algorithms ranked by {self.method} on {self.n_datasets} data set(s){said}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first; unranked ones last, without a score."""
        nothing = [float("nan")] * len(self.unranked)
        ranks, scores = ([*own.tolist(), *nothing] for own in (self.ranks, self.scores))
        return rows_of(**{"algorithm": (*self.algorithms, *self.unranked), "rank": ranks, self.score_name: scores})

    def explain(self, algorithm: str) -> list[Row]:
        """Return what every data set contributed to the score of one algorithm, the largest part first."""
        check_choice("ranked algorithm", algorithm, self.algorithms)
        column = self.contributions[:, self.algorithms.index(algorithm)]
        order = sorted(range(len(column)), key=lambda d: (-abs(float(column[d])), self.datasets[d]))
        names = [self.datasets[d] for d in order]
        return rows_of(dataset=names, weight=self.weights[order], contribution=column[order])


def ranked(
    table: Measured,
    scores: FloatArray,
    contributions: FloatArray,
    *,
    higher_is_better: bool = True,
    missing: str = "no data set in common with another algorithm",
    caveats: Caveats = (),
    **about: Any,
) -> Ranking:
    """Sort by score; ties by mean success rate, then by name; what has no score is left unranked.

    `about` are the fields of `Ranking` that say what was ranked by: name, method, score_name, accd, meaning.
    """
    names = table.algorithms
    losses = snap(-scores if higher_is_better else scores)
    has = ~np.isnan(losses)
    success = np.nan_to_num(row_means(table.success.T), nan=-np.inf)
    order = sorted(np.flatnonzero(has), key=lambda j: (losses[j], -success[j], names[j]))
    index = np.array(order, dtype=np.int64)
    ranks = average_ranks(losses[index])
    unranked = tuple(sorted(names[j] for j in np.flatnonzero(~has)))
    left = caveats_of((unranked, "algorithms-left-out", f"Not ranked ({missing}): {', '.join(unranked)}."))
    return Ranking(
        algorithms=tuple(names[j] for j in order),
        **frozen(scores=scores[index], ranks=ranks, weights=table.weights, contributions=contributions[:, index]),
        higher_is_better=higher_is_better,
        n_datasets=int(((table.mask.sum(axis=1) > 1) & (table.weights > 0)).sum()),
        datasets=table.datasets,
        unranked=unranked,
        caveats=(*table.caveats, *caveats, *left),
        **about,
    )
