"""How good a recommendation could be: one half of the folds predicts the other half's ranking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, readonly
from tiebreak.advisor.evaluation.rank_agreement import ideal_rankings, spearman
from tiebreak.advisor.rankings.measured import fold_cube, row_means
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.results import rows_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ceiling(Shown):
    """How well half of the folds of a data set predict its other half; arrays are over data sets.

    `folds` is the mean Spearman with the order of each fold of the other half, the yardstick of the evaluation;
    `halves` that with the one order of the other half's means.
    """

    folds: FloatArray
    halves: FloatArray
    splits: int
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"The ceiling: {self.splits} random halves of the folds of {len(self.folds)} data sets"

    def rows(self) -> list[Row]:
        """Return the means over data sets."""
        against = ("every fold of the other", "the mean of the other")
        means = row_means(np.array([self.folds, self.halves]))
        return rows_of(**{"one half of the folds against": against}, **{"mean spearman": means})


@as_came_in
def ceiling(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike | None = None,
    *,
    by: str = "accuracy",
    accd: float = 0.01,
    floor: float | None = None,
    resolution: float | None = None,
    splits: int = 20,
    seed: int = 0,
) -> Ceiling:
    """Measure how well the data set itself predicts its ranking: no recommendation can be expected to do better.

    Formula: the folds are halved at random, `splits` times; the ranking of the means of one half is compared by
    Spearman's coefficient with the order of each fold of the other half, and with the order of its means.

    Assumptions: folds are exchangeable.
    When not to use it: with fewer than four folds, where halves are single folds; a caveat says so.

    Parameters
    ----------
    accuracy, time : array_like, shape (data sets, algorithms, folds)
    by, accd, floor, resolution
        As in `ideal_rankings`.
    splits : int, default 20
    seed : int, default 0

    Returns
    -------
    Ceiling

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> noise = np.random.default_rng(0).normal(0, 0.01, size=(50, 5, 10))
    >>> found = ceiling(0.7 + 0.02 * np.arange(5)[:, None] + noise)
    >>> bool(found.folds.mean() < found.halves.mean() < 1)
    True
    """
    rates = fold_cube(accuracy, "accuracy")
    folds = rates.shape[2]
    if folds < 2:
        raise InputError(
            "There is one score for each data set and algorithm.",
            why="The ceiling compares one half of the folds with the other.",
            mend="Pass accuracy of shape (data sets, algorithms, folds).",
        )
    if isinstance(splits, bool) or splits < 1:
        raise OptionError(f"splits is {splits!r}.", why="It counts halvings.", mend="Use splits=20.")
    times = None if time is None else np.broadcast_to(fold_cube(time, "time"), rates.shape)

    def ranks(part: slice | IntArray, *, means: bool = True) -> FloatArray:
        cut = [None if each is None else each[:, :, part] for each in (rates, times)]
        success, seconds = [row_means(each) if means and each is not None else each for each in cut]
        return ideal_rankings(success, seconds, by=by, accd=accd, floor=floor, resolution=resolution)  # type: ignore[arg-type]

    orders, found = ranks(slice(None), means=False), []
    rng = np.random.default_rng(seed)
    for _ in range(splits):
        mixed = rng.permutation(folds)
        one, other = mixed[: folds // 2], mixed[folds // 2 :]
        first = ranks(one)
        found.append((row_means(spearman(first, orders[:, other])), spearman(first, ranks(other))[:, 0]))
    few = f"{folds} folds: half of them is little to predict from, so the ceiling is low."
    each, half = (readonly(row_means(np.array(part).T)) for part in zip(*found, strict=True))
    return Ceiling(folds=each, halves=half, splits=int(splits), caveats=caveats_of((folds < 4, "few-folds", few)))
