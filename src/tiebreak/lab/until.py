"""A run that goes on until it is settled: which algorithms are still run, by what is complete so far."""

from __future__ import annotations

from collections.abc import Sequence

from tiebreak.lab.early_stopping import Settled, Settling
from tiebreak.lab.tally import SCORES, Tally
from tiebreak.results.metrics import metric_named


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
