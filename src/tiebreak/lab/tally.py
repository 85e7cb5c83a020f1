"""Who has finished what: the cells of every pair that ended, and the scores of those that ended well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.lab.early_stopping import Settled, Settling
from tiebreak.lab.progress import Place, Standing
from tiebreak.results.metrics import metric_named

SCORES = ("error", "rmse")
"""The scores that compare algorithms during a run, unless another is named: the first one available is used."""


class Tally:
    """Counts of every data set (row) and algorithm (column) of a plan.

    Parameters
    ----------
    datasets, algorithms : tuple of str
        The names, in the order of rows and columns.
    cells : int
        How many cells a pair has.
    score : str, optional
        The measure that is averaged; by default the first of `SCORES` that a cell brings.

    Examples
    --------
    >>> tally = Tally(("iris",), ("nb", "c45"), cells=1)
    >>> for column, error in enumerate((0.2, 0.1)):
    ...     tally.end(0, column, {"error": error})
    >>> [place.algorithm for place in tally.standing().places]
    ['c45', 'nb']
    """

    def __init__(
        self, datasets: tuple[str, ...], algorithms: tuple[str, ...], cells: int, score: str | None = None
    ) -> None:
        self.datasets, self.algorithms, self.cells = datasets, algorithms, cells
        self.score = score
        self.ok = np.zeros((len(datasets), len(algorithms)), dtype=int)
        self.failed = np.zeros_like(self.ok)
        self._scored = np.zeros_like(self.ok)
        self._sum = np.zeros(self.ok.shape)

    @property
    def higher_is_better(self) -> bool:
        """Which way of the score is better."""
        from tiebreak.results.metrics import metric_named

        return metric_named(self.score or SCORES[0]).direction()

    def end(self, dataset: int, algorithm: int, values: Mapping[str, float] | None) -> None:
        """Count a cell that ended: well with these values, or badly with None."""
        if values is None:
            self.failed[dataset, algorithm] += 1
            return
        self.ok[dataset, algorithm] += 1
        if self.score is None:
            self.score = next((name for name in SCORES if name in values), None)
        value = values.get(self.score) if self.score is not None else None
        if value is not None:
            self.add_scores(dataset, algorithm, value)

    def add_scores(self, dataset: int, algorithm: int, mean: float, cells: int = 1) -> None:
        """Count the scores of cells that ended well."""
        self._sum[dataset, algorithm] += mean * cells
        self._scored[dataset, algorithm] += cells

    def clear(self) -> None:
        """Count from zero again, as before everything is read anew from the store."""
        for counts in (self.ok, self.failed, self._scored, self._sum):
            counts[:] = 0

    def row_is_complete(self, dataset: int, algorithms: Sequence[int] | slice = slice(None)) -> bool:
        """Whether every cell of every algorithm, or of some, on a data set has ended, well or not."""
        return bool((self.ok[dataset, algorithms] + self.failed[dataset, algorithms] >= self.cells).all())

    @property
    def left(self) -> FloatArray:
        """The cells of every pair that have not ended."""
        return np.asarray(np.maximum(self.cells - self.ok - self.failed, 0), dtype=float)

    def complete(self) -> BoolArray:
        """Mark the data sets on which every cell of every algorithm has ended, well or not."""
        return np.asarray((self.ok + self.failed >= self.cells).all(axis=1), dtype=bool)

    def scores(self) -> FloatArray:
        """Return the mean scores of every pair; NaN where a cell failed, gave no score or has not ended."""
        whole = self._scored >= self.cells
        return np.asarray(np.divide(self._sum, self._scored, out=np.full(self._sum.shape, np.nan), where=whole))

    def standing(self) -> Standing:
        """Order the algorithms by mean rank on the complete data sets; without a score it is last there."""
        from tiebreak.stats.numeric.basics import average_ranks, snap

        complete = self.complete()
        scores = self.scores()[complete]
        turned = snap(-scores if self.higher_is_better else scores)
        placed = average_ranks(np.where(np.isnan(turned), np.inf, turned))
        mean_ranks = placed.mean(axis=0) if len(turned) else np.full(len(self.algorithms), np.nan)
        counted = (~np.isnan(scores)).sum(axis=0)
        means = np.divide(np.nansum(scores, axis=0), counted, out=np.full(len(counted), np.nan), where=counted > 0)
        order = sorted(range(len(self.algorithms)), key=lambda j: (mean_ranks[j], self.algorithms[j]))
        places = tuple(
            Place(algorithm=self.algorithms[j], mean_rank=float(mean_ranks[j]), mean_score=float(means[j]))
            for j in order
        )
        return Standing(
            score=self.score or SCORES[0],
            complete=int(complete.sum()),
            datasets=len(self.datasets),
            places=places if len(turned) else (),
        )


# ---- a run that goes on until it is settled: which algorithms are still run, by what is complete so far


class Until:
    """Hands data sets over to `Settling`, in their order, as soon as the algorithms still run have finished them.

    What is decided follows from the scores and the order of the data sets alone, so a run that is taken up again, and
    another runner of the same plan, come to the same decisions.

    Parameters
    ----------
    tally : Tally
        Who has finished what.
    rows : sequence of int
        The order of the data sets, by their rows in the tally.
    until : {"settled", "best"}
        What to go on for.
    alpha : float
        The probability of any false difference, over all pairs and all looks.
    """

    def __init__(self, tally: Tally, rows: Sequence[int], *, until: str, alpha: float) -> None:
        self.tally, self._rows = tally, list(rows)
        self._told = {"until": until, "alpha": alpha}
        self._settling = self._made()

    def _made(self) -> Settling:
        """Where scores have the unit of the target, differences on two data sets cannot be ranked: signs are left."""
        metric = metric_named(self.tally.score or SCORES[0])
        return Settling(
            self.tally.algorithms,
            higher_is_better=metric.direction(),
            total=len(self._rows),
            bet="signs" if metric.of_targets else "ranks",
            **self._told,  # type: ignore[arg-type]
        )

    @property
    def over(self) -> bool:
        """Whether no algorithm has to be run any more."""
        return not self._settling.active

    @property
    def active(self) -> tuple[str, ...]:
        """The algorithms that are still run, by name."""
        return self._settling.active

    def is_active(self, algorithm: str) -> bool:
        """Whether an algorithm, by name, is still run."""
        return algorithm in self._settling.active

    def advance(self) -> None:
        """Judge by every further data set that is complete; the next one waits for those before it."""
        while not self.over and self._settling.taken < len(self._rows):
            row, active = self._rows[self._settling.taken], self._settling.active
            columns = [self.tally.algorithms.index(name) for name in active]
            if not self.tally.row_is_complete(row, columns):
                return
            if not self._settling.taken:  # only now it is known which score there is
                self._settling = self._made()
            scores = self.tally.scores()[row]
            self._settling.take(dict(zip(self.tally.algorithms, scores.tolist(), strict=True)))

    def found(self) -> Settled:
        """Return what is settled so far."""
        return self._settling.found()
