"""Shorter rankings: drop algorithms that never do better than one that is tried before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, check_choice, check_names
from tiebreak.advisor.rankings.measured import fold_cube, measured, row_means
from tiebreak.advisor.rankings.significant_wins import significant_wins
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import OptionError
from tiebreak.stats.results import rows_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Reduction(Shown):
    """A ranking without its redundant algorithms; `because` names for each dropped one the kept one that covers it."""

    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    because: tuple[str, ...]
    rule: str
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was dropped."""
        return f"{len(self.kept)} of {len(self.kept) + len(self.dropped)} algorithms kept; dropped: {self.rule}"

    def rows(self) -> list[Row]:
        """Return the kept ones in their order, then the dropped ones with the reason."""
        kept = ["yes"] * len(self.kept) + ["no"] * len(self.dropped)
        because = (*["-"] * len(self.kept), *self.because)
        return rows_of(**{"algorithm": (*self.kept, *self.dropped), "kept": kept, "covered by": because})


@as_came_in
def reduce_ranking(
    ranking: Sequence[str],
    accuracy: npt.ArrayLike,
    *,
    algorithms: Sequence[str],
    margin: float | None = None,
    test: str | None = None,
    alpha: float = 0.05,
) -> Reduction:
    """Drop from a ranking the algorithms that are redundant after those before them.

    Hypothesis: on each data set, that two algorithms have the same expected success rate (with folds).

    Formula: from the top, an algorithm is dropped if for one that was kept before it there is no data set on which
    both were measured and it is significantly better; without folds, or with `margin`, better by more than the margin
    times the other's success rate. An algorithm that shares no data set with any kept one is kept.

    Assumptions: those of the test. The p-values are not corrected for their number: doubt keeps an algorithm.
    When not to use it: on few data sets, where a rarely needed algorithm has had no chance to show itself.

    Parameters
    ----------
    ranking : sequence of str
        Names, best first.
    accuracy : array_like, shape (data sets, algorithms), (..., folds) or (..., replications, folds)
    algorithms : sequence of str
        The names of the columns.
    margin : float, optional
        0.01 by default where there are no folds.
    test, alpha
        As in `rank_by_wins`.

    Returns
    -------
    Reduction

    References
    ----------
    brazdil2001
    The idea is theirs; the rule is the one above.

    Examples
    --------
    >>> success = [[0.90, 0.89, 0.50], [0.80, 0.80, 0.95]]
    >>> found = reduce_ranking(["a", "b", "c"], success, algorithms=["a", "b", "c"])
    >>> found.kept, found.dropped, found.because
    (('a', 'c'), ('b',), ('a',))
    """
    cube = fold_cube(accuracy, "accuracy")
    names = check_names(algorithms, cube.shape[1], kind="algorithm")
    order = [names.index(check_choice("algorithm (in the ranking)", name, names)) for name in ranking]
    if cube.shape[2] > 1 and margin is None:
        better, both, used = _by_test(accuracy, test, alpha)
        rule = f"never significantly better than a kept one ({' or '.join(used)})"
    else:
        limit = _check_margin(0.01 if margin is None else margin)
        better, both = _by_margin(cube, limit)
        rule = f"never better than a kept one by more than {100 * limit:g} %"
    return _reduced(order, better, both, names, rule)


def _by_test(accuracy: npt.ArrayLike, test: str | None, alpha: float) -> tuple[BoolArray, BoolArray, tuple[str, ...]]:
    """Return who is ever significantly better than whom, and who was ever measured beside whom."""
    table = measured(accuracy, whole=True)
    wins, tests, _ = significant_wins(table, test=test, alpha=alpha)
    both = table.mask[:, :, None] & table.mask[:, None, :]
    return np.asarray(wins.any(axis=0)), np.asarray(both.any(axis=0)), tests


def _by_margin(cube: npt.NDArray[np.float64], margin: float) -> tuple[BoolArray, BoolArray]:
    """The same by a relative margin, for scores without folds."""
    means = row_means(cube)
    ahead = means[:, :, None] > means[:, None, :] + margin * np.abs(means[:, None, :])  # NaN is never ahead
    both = np.isfinite(means[:, :, None]) & np.isfinite(means[:, None, :])
    return np.asarray(ahead.any(axis=0)), np.asarray(both.any(axis=0))


def _reduced(order: list[int], better: BoolArray, both: BoolArray, names: tuple[str, ...], rule: str) -> Reduction:
    """Go down the ranking; the first kept algorithm that covers another is the reason to drop it."""
    kept: list[int] = []
    dropped: dict[str, str] = {}
    for j in order:
        cover = next((i for i in kept if both[j, i] and not better[j, i]), None)
        if cover is None:
            kept.append(j)
        else:
            dropped[names[j]] = names[cover]
    return Reduction(
        kept=tuple(names[j] for j in kept), dropped=tuple(dropped), because=tuple(dropped.values()), rule=rule
    )


def _check_margin(margin: float) -> float:
    if not 0 <= margin < float("inf"):
        raise OptionError(
            f"margin is {margin!r}.",
            why="It is the relative difference of success rates that matters, zero or more.",
            mend="Use margin=0.01 for one per cent.",
        )
    return float(margin)
