"""Votes added up by pair, and whether they hold together: which models maximum likelihood can put on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import FloatArray, IntArray

LEFT, TIE, RIGHT = 1, 0, -1
"""How a battle ended: the left model won, neither did, the right one won."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairCounts:
    """Every pair that met: `i` and `j` (i < j) index models, `won` counts wins of i, `lost` wins of j."""

    n_models: int
    i: IntArray
    j: IntArray
    won: FloatArray
    lost: FloatArray
    tied: FloatArray

    @property
    def total(self) -> FloatArray:
        """How often each pair met."""
        return self.won + self.lost + self.tied

    def matrices(self) -> tuple[FloatArray, FloatArray]:
        """Return wins[i, j], how often i beat j, and ties[i, j], which is symmetric."""
        wins, ties = (np.zeros((self.n_models, self.n_models)) for _ in range(2))
        wins[self.i, self.j], wins[self.j, self.i] = self.won, self.lost
        ties[self.i, self.j] = ties[self.j, self.i] = self.tied
        return wins, ties


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sides:
    """Of every vote the pair that it is of and how that ended: 0 the first model won, 1 the second, 2 a tie."""

    pair: IntArray
    ending: IntArray


def count_pairs(left: IntArray, right: IntArray, outcome: IntArray, n_models: int) -> tuple[PairCounts, Sides]:
    """Add votes up by pair, and say of every vote which pair it is of and how that ended.

    Examples
    --------
    >>> found, _ = count_pairs(np.array([0, 1, 0]), np.array([1, 0, 2]), np.array([1, 1, 0]), 3)
    >>> found.i.tolist(), found.j.tolist(), found.won.tolist(), found.lost.tolist(), found.tied.tolist()
    ([0, 0], [1, 2], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0])
    """
    first, second = np.minimum(left, right).astype(np.int64), np.maximum(left, right)
    met, pair = np.unique(first * n_models + second, return_inverse=True)
    ending = np.array([1, 2, 0])[np.where(left < right, outcome, -outcome) + 1]
    tally = np.bincount(pair * 3 + ending, minlength=3 * len(met)).reshape(-1, 3).astype(np.float64)
    won, lost, tied = tally.T
    counts = PairCounts(n_models=n_models, i=met // n_models, j=met % n_models, won=won, lost=lost, tied=tied)
    return counts, Sides(pair=pair, ending=ending)


def parts(counts: PairCounts) -> list[list[int]]:
    """Return the strongly connected parts of "has beaten, or tied with", the largest first.

    Between two parts all wins point one way, or there is no battle at all: their distance is infinite or unknown.

    References
    ----------
    ford1957
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    wins, ties = counts.matrices()
    _, label = connected_components(csr_array(wins + ties), directed=True, connection="strong")
    found = [np.flatnonzero(label == each).tolist() for each in np.unique(label)]
    return sorted(found, key=lambda part: (-len(part), part))


def ties_leave_open(counts: PairCounts) -> bool:
    """Say whether ever more ties and ever larger differences fit ever better, so that no estimate exists.

    That is so where strengths can be found with b_i - b_j >= 1 for every win of i over j and |b_i - b_j| <= 1 for every
    tie: exactly where no ring of battles has more wins, all one way round, than ties. Bellman and Ford's search for
    such a ring decides.
    """
    beat = np.concatenate([counts.won > 0, counts.lost > 0])
    source = np.concatenate([counts.i, counts.j])[beat]
    target = np.concatenate([counts.j, counts.i])[beat]
    tied = counts.tied > 0
    start = np.concatenate([source, counts.i[tied], counts.j[tied]])
    end = np.concatenate([target, counts.j[tied], counts.i[tied]])
    length = np.concatenate([np.full(len(source), -1.0), np.ones(2 * int(tied.sum()))])
    at = np.zeros(counts.n_models)
    for _ in range(counts.n_models):
        new = at.copy()
        np.minimum.at(new, end, at[start] + length)
        if (new == at).all():
            return True
        at = new
    return False


def one_sided(counts: PairCounts, members: Sequence[int] | None = None) -> tuple[list[int], list[int]]:
    """Return who never lost or tied, and who never won or tied, of those who fought."""
    wins, ties = counts.matrices()
    held = range(counts.n_models) if members is None else members
    won, lost, tied = wins.sum(axis=1), wins.sum(axis=0), ties.sum(axis=1)
    never_lost = [i for i in held if lost[i] + tied[i] == 0]
    never_won = [i for i in held if won[i] + tied[i] == 0]
    return never_lost, never_won
